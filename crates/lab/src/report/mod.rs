//! What a person reads after a run: one page that stands alone.

mod faults;
mod headline;
pub mod html;
mod power;
mod services;
mod tables;
mod tiles;

use crate::figure::Figure;
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
        Charts::new(self.series, self.timeline, &self.summary.faults, self.limits.max_load, end)
    }

    /// All figures of this run, by section.
    pub fn figures(&self) -> Figures {
        let charts = self.charts();
        Figures {
            course: charts.all(),
            services: services::figures(self, &charts),
            faults: charts.faults(&self.summary.faults).into_iter().collect(),
            power: charts.power().into_iter().collect(),
        }
    }
}

/// Figures in the order of the page.
pub struct Figures {
    pub course: Vec<Figure>,
    /// The worst services.
    pub services: Vec<Figure>,
    pub faults: Vec<Figure>,
    pub power: Vec<Figure>,
}

impl Figures {
    pub fn all(&self) -> impl Iterator<Item = &Figure> {
        let Self { course, services, faults, power } = self;
        course.iter().chain(services).chain(faults).chain(power)
    }
}
