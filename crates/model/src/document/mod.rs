//! Hostile text in, typed value out, and everything that is wrong with it at once.
//!
//! ```text
//! bytes ─► source (UTF-8, characters) ─► yaml | json ─► tree ─► validate (schema, leaf checks) ─► mend ─► deserialize ─► T
//!                        └──────────────────┴──────────────────────┴──► Problems: line, path, proposal
//! ```
//!
//! A value that is refused gives way to a stand-in, and its path goes among the [`Doubts`]. So a [`Draft`] can be checked
//! further for what its type cannot say, as long as nothing is concluded from what is in doubt.

mod builder;
mod choose;
mod deserialize;
mod doubts;
mod draft;
mod emit;
mod json;
mod mend;
pub mod names;
mod path;
mod problem;
mod schema;
mod source;
mod stand_in;
mod suggest;
mod tree;
mod validate;
mod yaml;

pub use builder::{MAX_COPIED_NODES, MAX_DEPTH, MAX_NODES};
pub use doubts::Doubts;
pub use draft::{Draft, draft, read, read_with};
pub use emit::to_yaml;
pub use path::{child, item};
pub use problem::{Excerpt, LISTED_PROBLEMS, Position, Problem, Problems, Refusal, escape, shown};
pub use schema::{CHECK_KEYWORD, unsupported};
pub use source::{MAX_BYTES, Source};
pub use suggest::nearest;
pub use tree::{Entry, Node, Value};

use crate::energy::{CarbonIntensity, Milliwatts};
use crate::latency::Latency;
use crate::money::MicroDollars;
use crate::quantity::{Bytes, MilliCpu, Quantity};
use crate::reading::ReadError;
use crate::time::Period;
use builder::Builder;
use path::OwnedStep;
use std::str::FromStr;

/// A check of one leaf's spelling.
pub type Check = fn(&str) -> Result<(), Refusal>;

/// The leaf checks that a schema may name with [`CHECK_KEYWORD`], each with an example that passes it.
#[derive(Debug, Clone)]
pub struct Checks(Vec<(&'static str, &'static str, Check)>);

impl Default for Checks {
    /// The checks of this crate's own types.
    fn default() -> Self {
        Self(vec![
            ("name", "member1", names::check_label),
            ("subdomain", "web.example", names::check_subdomain),
            ("cpu", "500m", parses::<MilliCpu>),
            ("memory", "2Gi", parses::<Bytes>),
            ("quantity", "500m", parses::<Quantity>),
            ("period", "10m", parses::<Period>),
            ("money", "0.25", parses::<MicroDollars>),
            ("power", "162W", parses::<Milliwatts>),
            ("carbon intensity", "56", parses::<CarbonIntensity>),
            ("latency", "30ms", parses::<Latency>),
        ])
    }
}

fn parses<T: FromStr<Err = ReadError>>(text: &str) -> Result<(), Refusal> {
    text.parse::<T>().map(|_| ()).map_err(Refusal::from)
}

impl Checks {
    /// Adds a check, or replaces the one of the same name.
    #[must_use]
    pub fn with(mut self, name: &'static str, example: &'static str, check: Check) -> Self {
        self.0.retain(|(known, ..)| *known != name);
        self.0.push((name, example, check));
        self
    }

    fn run(&self, name: &str, spelling: &str) -> Result<(), Refusal> {
        (self.find(name).2)(spelling)
    }

    fn example(&self, name: &str) -> &'static str {
        self.find(name).1
    }

    fn find(&self, name: &str) -> &(&'static str, &'static str, Check) {
        let found = self.0.iter().find(|(known, ..)| *known == name);
        found.unwrap_or_else(|| panic!("no check named {name:?} is registered"))
    }
}

/// A document, what is wrong with single values of it, and where they are.
#[derive(Debug, Clone)]
pub struct Salvage {
    pub document: Document,
    pub problems: Problems,
    pub doubts: Doubts,
}

/// A file that could be read: its tree and its text. Nothing is known yet about what the values mean.
#[derive(Debug, Clone)]
pub struct Document {
    source: Source,
    root: Node,
}

impl Document {
    /// Reads JSON when the name ends in `.json`, YAML 1.2 otherwise. An empty file is no document.
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<Self, Problems> {
        let Salvage { document, mut problems, .. } = Self::salvage(name, bytes)?;
        if matches!(document.root.value, Value::Null) {
            problems.push(document.problem_at("", "the file is empty", "name another file"));
        }
        problems.into_result(document)
    }

    /// Reads what can be read: a key that is set twice or a number that is none leaves the rest of a file readable.
    pub fn salvage(name: &str, bytes: &[u8]) -> Result<Salvage, Problems> {
        let source = Source::read(name, bytes)?;
        let mut builder = Builder::new(&source);
        let is_json = name.to_ascii_lowercase().ends_with(".json");
        let parse = if is_json { json::parse } else { yaml::parse };
        // An abandoned file has its reason among the builder's problems.
        let _abandoned = parse(&source.text, &mut builder);
        let (root, problems, doubts) = builder.finish()?;
        Ok(Salvage { document: Self { source, root }, problems, doubts })
    }

    pub fn name(&self) -> &str {
        &self.source.name
    }

    pub fn root(&self) -> &Node {
        &self.root
    }

    /// The value at a path such as `clusters[0].cpu`.
    pub fn find(&self, path: &str) -> Option<&Node> {
        let steps = path::parse(path);
        steps.iter().try_fold(&self.root, |node, step| match step {
            OwnedStep::Key(key) => node.get(key),
            OwnedStep::Index(index) => node.items().get(*index),
        })
    }

    /// A problem at the value of a path, or at its nearest ancestor that the file has.
    pub fn problem_at(&self, path: &str, message: impl Into<String>, proposal: impl Into<String>) -> Problem {
        self.problem(self.locate(path), path, message, proposal)
    }

    /// A problem at a place that is already known.
    pub fn problem(
        &self,
        at: Position,
        path: &str,
        message: impl Into<String>,
        proposal: impl Into<String>,
    ) -> Problem {
        self.source.problem(at, path, message, proposal)
    }

    /// Problems of this file in the order of its lines.
    pub fn problems(&self, list: impl IntoIterator<Item = Problem>) -> Problems {
        let mut problems = Problems::new(self.name());
        problems.extend(list);
        problems
    }

    /// Where the value of a path begins, or its nearest ancestor that the file has.
    pub fn locate(&self, path: &str) -> Position {
        let mut node = &self.root;
        for step in path::parse(path) {
            let next = match step {
                OwnedStep::Key(key) => node.get(&key),
                OwnedStep::Index(index) => node.items().get(index),
            };
            match next {
                Some(next) => node = next,
                None => break,
            }
        }
        node.position()
    }
}

#[cfg(test)]
mod tests;
