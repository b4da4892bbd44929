//! The table as people read it: metrics down, strategies across, best marked. Markdown, LaTeX and terminals differ only in signs.

use crate::experiment::digits;
use crate::experiment::metric::Better;
use crate::experiment::results::{MetricRow, Results, SettingResults};
use crate::statistics::Verdict;

/// One scenario's table.
pub struct Table {
    /// Strategies, then published rows.
    pub columns: Vec<Column>,
    pub rows: Vec<Row>,
}

pub struct Column {
    pub name: String,
    pub is_baseline: bool,
    pub is_published: bool,
}

pub struct Row {
    /// With unit and an arrow for the better way.
    pub title: String,
    pub cells: Vec<Option<Cell>>,
}

/// One number as it is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    pub mean: String,
    /// `[low, high]`; nothing for published numbers and for a single seed.
    pub interval: Option<String>,
    /// Half the width of the interval.
    pub plus_minus: Option<String>,
    /// Shown to be the best.
    pub is_best: bool,
    /// What may be said about its difference to the baseline; nothing for the baseline itself.
    pub versus_baseline: Option<Sign>,
}

/// A difference to the baseline in one sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    Better,
    Worse,
    Differs,
    NotShown,
    TooFew,
}

impl Sign {
    pub const fn mark(self) -> &'static str {
        match self {
            Self::Better => "+",
            Self::Worse => "−",
            Self::Differs => "≠",
            Self::NotShown => "≈",
            Self::TooFew => "?",
        }
    }
}

/// What the signs mean, for under a table.
pub const LEGEND: &str = "Mean over seeds [95 % interval]. Bold: best, and its paired difference to the next excludes zero. Against the \
baseline: + better, − worse, ≈ no difference shown, ? too few seeds.";

impl Table {
    pub fn of(results: &Results, setting: &SettingResults) -> Self {
        let measured = results.arms.iter().enumerate().map(|(index, name)| Column {
            name: name.clone(),
            is_baseline: index == results.baseline,
            is_published: false,
        });
        let published = setting.published.iter().map(|published| Column {
            name: published.name.clone(),
            is_baseline: false,
            is_published: true,
        });
        let rows = setting.rows.iter().map(|row| Row::of(row, setting)).collect();
        Self { columns: measured.chain(published).collect(), rows }
    }
}

impl Row {
    fn of(row: &MetricRow, setting: &SettingResults) -> Self {
        let measured = (0..row.arms.len()).map(|arm| cell(row, arm));
        let published = setting.published.iter().map(|published| {
            let value = published.values.get(row.metric.key)?;
            Some(Cell { mean: digits::value(row.metric, *value), ..Cell::default() })
        });
        Self { title: row_title(row), cells: measured.chain(published).collect() }
    }
}

fn row_title(row: &MetricRow) -> String {
    let arrow = match row.metric.better {
        Better::Lower => " ↓",
        Better::Higher => " ↑",
        Better::Neither => "",
    };
    format!("{}{arrow}", row.metric.title())
}

fn cell(row: &MetricRow, arm: usize) -> Option<Cell> {
    let standing = row.arms[arm].as_ref()?;
    let metric = row.metric;
    let whole = digits::estimate(metric, standing);
    let (mean, interval) =
        whole.split_once(' ').map_or((whole.as_str(), None), |(mean, rest)| (mean, Some(rest)));
    Some(Cell {
        mean: mean.to_owned(),
        interval: interval.map(str::to_owned),
        plus_minus: digits::half_width(metric, standing),
        is_best: row.best == Some(arm),
        versus_baseline: standing.versus_baseline.as_ref().map(|comparison| {
            let lower = comparison.mean_difference < 0.0;
            match (comparison.verdict, metric.better) {
                (Verdict::TooFewSeeds, _) => Sign::TooFew,
                (Verdict::NotShown, _) => Sign::NotShown,
                (Verdict::Differs, Better::Neither) => Sign::Differs,
                (Verdict::Differs, Better::Lower) => {
                    if lower {
                        Sign::Better
                    } else {
                        Sign::Worse
                    }
                }
                (Verdict::Differs, Better::Higher) => {
                    if lower {
                        Sign::Worse
                    } else {
                        Sign::Better
                    }
                }
            }
        }),
    })
}
