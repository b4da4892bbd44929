//! How a strategy's runs went over time, taken together.

use super::cell::{CellResult, Course, Measured};
use super::results::SettingResults;

/// One strategy over time: all its completed runs, moment by moment.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Track {
    pub arm: usize,
    pub mean: Vec<f64>,
    pub low: Vec<f64>,
    pub high: Vec<f64>,
}

impl Track {
    /// None without a completed run.
    pub(super) fn of(setting: &SettingResults, arm: usize, of: fn(&Course) -> &[f64]) -> Option<Self> {
        let runs: Vec<&[f64]> = completed(setting, arm).map(|run| of(&run.course)).collect();
        let points = runs.iter().map(|run| run.len()).min().filter(|points| *points > 0)?;
        let at = |point: usize| runs.iter().map(move |run| run[point]);
        let count = runs.len() as f64;
        Some(Self {
            arm,
            mean: (0..points).map(|point| at(point).sum::<f64>() / count).collect(),
            low: (0..points).map(|point| at(point).fold(f64::INFINITY, f64::min)).collect(),
            high: (0..points).map(|point| at(point).fold(0.0, f64::max)).collect(),
        })
    }

    pub(super) fn most(&self) -> f64 {
        self.mean.iter().copied().fold(0.0, f64::max)
    }
}

/// The mean course of a strategy over all its completed runs; none without one.
pub fn mean(setting: &SettingResults, arm: usize) -> Option<Course> {
    let track = |of: fn(&Course) -> &[f64]| Some(Track::of(setting, arm, of)?.mean);
    Some(Course {
        step_s: completed(setting, arm).next()?.course.step_s,
        pending_pods: track(|course| &course.pending_pods)?,
        cpu_load: track(|course| &course.cpu_load)?,
        nodes: track(|course| &course.nodes)?,
    })
}

/// Completed runs of an arm, in the order of seeds.
pub(super) fn completed(setting: &SettingResults, arm: usize) -> impl Iterator<Item = &Measured> {
    setting.cells[arm].iter().filter_map(|cell| match cell {
        CellResult::Completed(measured) => Some(&**measured),
        _ => None,
    })
}
