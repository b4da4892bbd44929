//! What is wrong with a part of a file, with its place inside that part; the reader of the whole file knows where the part is.

use model::document::{Document, Problem};

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Relative to the part, such as `.requests_per_second.stages[0].to`; empty for the part itself.
    pub path: String,
    pub message: String,
    /// What to write or to do instead.
    pub proposal: String,
}

impl Fault {
    /// The same as a problem of the file in which the part stands at `path`.
    pub fn located(&self, path: &str, document: &Document) -> Problem {
        let path = format!("{path}{}", self.path);
        document.problem_at(path.trim_start_matches('.'), self.message.clone(), self.proposal.clone())
    }
}

/// Collects faults, so that all are heard of at once.
#[derive(Default)]
pub(crate) struct Faults(pub(crate) Vec<Fault>);

impl Faults {
    pub(crate) fn report(&mut self, path: &str, message: impl Into<String>, proposal: impl Into<String>) {
        self.0.push(Fault { path: path.to_owned(), message: message.into(), proposal: proposal.into() });
    }

    /// A number that must lie between two others, both included.
    pub(crate) fn range(&mut self, path: &str, value: f64, least: f64, most: f64) {
        if !(least..=most).contains(&value) {
            let near = if value > most { most } else { least };
            self.report(
                path,
                format!("{value} is not between {least} and {most}"),
                format!("write for instance {near}"),
            );
        }
    }

    /// The value if nothing was wrong.
    pub(crate) fn into_result<T>(self, value: Option<T>) -> Result<T, Vec<Fault>> {
        match value {
            Some(value) if self.0.is_empty() => Ok(value),
            _ => Err(self.0),
        }
    }
}
