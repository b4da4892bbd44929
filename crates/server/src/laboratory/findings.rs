//! What is kept of a finished comparison: the numbers, the sentences and the drawings, and not the runs behind them.

use crate::api::wire::ComparisonResults;
use crate::storage::JsonText;
use crate::storage::tables::comparisons::Comparison;
use lab::experiment::figures::{self, Drawing};
use lab::experiment::results::Results;
use lab::experiment::{cell::CellResult, export::json};
use serde_json::value::RawValue;

/// What a comparison showed, ready to be shown.
#[derive(Clone, Debug)]
pub(crate) struct Findings {
    /// The JSON of a [`ComparisonResults`], so that it is the same to the last digit after it was stored.
    pub(crate) results: Box<RawValue>,
    /// What `drover compare --json` prints.
    pub(crate) document: String,
    /// By name.
    figures: Vec<(String, String)>,
}

impl Findings {
    /// Nothing if no run came to its end; then why.
    pub(super) fn of(results: &Results) -> Result<Self, String> {
        let completed =
            results.settings.iter().flat_map(|setting| &setting.arms).any(|arm| arm.completed > 0);
        let setting = results.settings.first().filter(|_| completed).ok_or_else(|| first_reason(results))?;
        let drawings: Vec<Drawing> = figures::all(results).into_iter().flatten().collect();
        let document =
            serde_json::to_string_pretty(&json::results(results)).map_err(|error| error.to_string())?;
        let shown = ComparisonResults::new(results, setting, &drawings);
        Ok(Self {
            results: serde_json::value::to_raw_value(&shown).map_err(|error| error.to_string())?,
            document,
            figures: drawings.iter().map(|drawing| (drawing.key.clone(), drawing.to_svg())).collect(),
        })
    }

    /// What a row of the database holds; nothing if it holds none, or none that can be read.
    pub(super) fn stored(row: &Comparison) -> Option<Self> {
        let results = RawValue::from_string(row.results.as_ref()?.as_str().to_owned()).ok()?;
        let figures = row.figures.as_ref()?.read("drawings").ok()?;
        Some(Self { results, document: row.document.clone()?, figures })
    }

    /// Puts them into a row of the database.
    pub(super) fn store(&self, row: &mut Comparison) {
        row.results = Some(JsonText::of(&self.results));
        row.document = Some(self.document.clone());
        row.figures = Some(JsonText::of(&self.figures));
    }

    pub(crate) fn figure(&self, name: &str) -> Option<&str> {
        self.figures.iter().find(|(known, _)| known == name).map(|(_, svg)| svg.as_str())
    }
}

fn first_reason(results: &Results) -> String {
    let mut cells = results.settings.iter().flat_map(|setting| setting.cells.iter().flatten());
    let reason = |cell: &CellResult| match cell {
        CellResult::Completed(_) => None,
        CellResult::Failed { why } => Some(format!("No run came to its end. The first: {why}")),
        CellResult::TimedOut { after_s } => Some(format!("No run came to its end within {after_s} s.")),
    };
    cells.find_map(reason).unwrap_or_else(|| "There was nothing to run.".to_owned())
}
