//! What is kept of a finished comparison: the numbers, the sentences and the drawings, and not the runs behind them.

use crate::api::wire::ComparisonResults;
use lab::experiment::figures::{self, Drawing};
use lab::experiment::results::Results;
use lab::experiment::{cell::CellResult, export::json};

/// What a comparison showed, ready to be shown.
#[derive(Clone, Debug)]
pub(crate) struct Findings {
    pub(crate) results: ComparisonResults,
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
        Ok(Self {
            results: ComparisonResults::new(results, setting, &drawings),
            document,
            figures: drawings.iter().map(|drawing| (drawing.key.clone(), drawing.to_svg())).collect(),
        })
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
