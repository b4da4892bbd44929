//! Figures over time as SVG: step lines in panels that share one time axis. Data in, text out, no dependency.

pub mod charts;
mod faults;
pub(crate) mod labels;
pub(crate) mod pen;
mod power;
pub(crate) mod scale;
mod services;
pub(crate) mod style;
mod svg;
mod thin;

use crate::pixels::{self, Undrawable};
use model::names::ClusterName;
use model::time::Timestamp;

pub use style::{COLOURS_DARK, COLOURS_LIGHT, SHAPES, TROUBLE_SHAPES};

/// One figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// A short word that makes ids and file names unique: `cpu-allocated`.
    pub key: String,
    pub title: String,
    /// What there is to see, for people who cannot see it.
    pub description: String,
    /// Where the time axis ends; it begins at the epoch.
    pub end: Timestamp,
    pub panels: Vec<Panel>,
    /// Below the panels: when something was there.
    pub strips: Vec<Strip>,
    pub marks: Vec<Mark>,
    pub spans: Vec<Span>,
}

/// One pair of axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    pub title: String,
    /// Whose panel it is, all clusters' if empty; faults of others are not shaded in it.
    pub clusters: Vec<ClusterName>,
    pub unit: Unit,
    /// The axis reaches at least this value.
    pub at_least: f64,
    /// Shaded up to this line.
    pub capacity: Option<Line>,
    pub lines: Vec<Line>,
    /// Areas in which a limit is broken.
    pub excess: Vec<Excess>,
}

/// What the values of a panel count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    Cores,
    /// Anything that can be divided; the title of the panel names it.
    Amount,
    /// Things that cannot be halved.
    Pieces,
    Dollars,
}

/// Values over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    pub label: String,
    pub ink: Ink,
    pub shape: Shape,
    pub points: Vec<Point>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    pub at: Timestamp,
    pub value: f64,
}

/// What happens between two points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A value holds until the next one.
    Steps,
    /// A sum grows evenly to the next one.
    Slopes,
    /// As steps; zero means that there was nothing to measure, and nothing is drawn.
    Gaps,
}

/// What a line stands for decides how it looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// The only line of a cluster in its panel.
    Cluster(usize),
    /// One of several clusters in a panel: dashed differently, so that equal lines stay visible.
    ClusterAmongOthers(usize),
    Capacity,
    Limit,
    Total,
    /// What should not be there at all.
    Failed,
}

/// A rectangle above a limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Excess {
    pub from: Timestamp,
    pub until: Timestamp,
    pub low: f64,
    pub high: f64,
}

/// A decision: its number stands in the table beside the figure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    pub number: usize,
    pub at: Timestamp,
    /// When the last of its recommendations was settled.
    pub until: Option<Timestamp>,
}

/// A fault: its number stands in the table of what went wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    pub number: usize,
    /// None if it happened to people or models.
    pub cluster: Option<ClusterName>,
    pub from: Timestamp,
    pub until: Timestamp,
}

/// A row of bars over time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strip {
    pub title: String,
    pub bars: Vec<(Timestamp, Timestamp)>,
}

impl Figure {
    /// A file of its own, with its colours.
    pub fn to_svg(&self) -> String {
        let trouble = if self.shows_trouble() { TROUBLE_SHAPES } else { "" };
        svg::draw(self, &style::alone(trouble))
    }

    /// The same file in pixels, in its light colours.
    pub fn to_png(&self) -> Result<Vec<u8>, Undrawable> {
        pixels::of(&self.to_svg())
    }

    fn shows_trouble(&self) -> bool {
        let mut lines = self.panels.iter().flat_map(|panel| &panel.lines);
        !self.spans.is_empty() || !self.strips.is_empty() || lines.any(|line| line.ink == Ink::Failed)
    }

    /// A part of a page that brings the colours and shapes.
    pub fn to_inline_svg(&self) -> String {
        svg::draw(self, "")
    }
}
