//! What a person reads after a run: one page that stands alone.

mod headline;
pub mod html;
mod tables;
mod tiles;

use crate::figure::charts::Charts;
use crate::summary::Summary;
use crate::timeline::Timeline;
use model::ratio::Ratio;
use model::series::Series;
use model::time::{Period, Timestamp};

/// Everything a report is made of. Who ran what with which seed is in the summary.
#[derive(Clone, Copy)]
pub struct ReportInput<'a> {
    /// What the scenario is about, in its author's words.
    pub description: &'a str,
    pub duration: Period,
    pub limits: Limits,
    pub series: &'a Series,
    pub timeline: &'a Timeline,
    pub summary: &'a Summary,
    /// The command line that gives the same run again.
    pub command: &'a str,
}

/// What the operator wants to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    pub max_load: Ratio,
    pub max_pending: Ratio,
}

impl<'a> ReportInput<'a> {
    /// The figures of this run.
    pub fn charts(&self) -> Charts<'a> {
        let end = Timestamp::EPOCH + self.duration;
        Charts::new(self.series, self.timeline, self.limits.max_load, end)
    }
}
