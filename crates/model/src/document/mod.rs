//! Hostile text in, typed value out, and everything that is wrong with it at once.
//!
//! ```text
//! bytes ─► source (UTF-8, characters) ─► yaml | json ─► tree ─► validate (schema, leaf checks) ─► deserialize ─► T
//!                        └──────────────────┴──────────────────────┴──► Problems: line, path, proposal
//! ```

mod builder;
mod choose;
mod deserialize;
mod json;
pub mod names;
mod path;
mod problem;
mod schema;
mod source;
mod suggest;
mod tree;
mod validate;
mod yaml;

pub use builder::{MAX_COPIED_NODES, MAX_DEPTH, MAX_NODES};
pub use path::{child, item};
pub use problem::{Excerpt, LISTED_PROBLEMS, Position, Problem, Problems, Refusal, escape, shown};
pub use schema::{CHECK_KEYWORD, unsupported};
pub use source::MAX_BYTES;
pub use suggest::nearest;
pub use tree::{Entry, Node, Value};

use crate::money::MicroDollars;
use crate::quantity::{Bytes, MilliCpu};
use crate::reading::ReadError;
use crate::time::Period;
use builder::Builder;
use deserialize::Place;
use path::OwnedStep;
use schema::Schema;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use source::{Refused, Source};
use std::str::FromStr;

/// A check of one leaf's spelling.
pub type Check = fn(&str) -> Result<(), Refusal>;

/// The leaf checks that a schema may name with [`CHECK_KEYWORD`].
#[derive(Debug, Clone)]
pub struct Checks(Vec<(&'static str, Check)>);

impl Default for Checks {
    /// The checks of this crate's own types.
    fn default() -> Self {
        Self(vec![
            ("name", names::check_label),
            ("subdomain", names::check_subdomain),
            ("cpu", parses::<MilliCpu>),
            ("memory", parses::<Bytes>),
            ("period", parses::<Period>),
            ("money", parses::<MicroDollars>),
        ])
    }
}

fn parses<T: FromStr<Err = ReadError>>(text: &str) -> Result<(), Refusal> {
    text.parse::<T>().map(|_| ()).map_err(Refusal::from)
}

impl Checks {
    /// Adds a check, or replaces the one of the same name.
    #[must_use]
    pub fn with(mut self, name: &'static str, check: Check) -> Self {
        self.0.retain(|(known, _)| *known != name);
        self.0.push((name, check));
        self
    }

    fn run(&self, name: &str, spelling: &str) -> Result<(), Refusal> {
        let found = self.0.iter().find(|(known, _)| *known == name);
        let (_, check) = found.unwrap_or_else(|| panic!("no check named {name:?} is registered"));
        check(spelling)
    }
}

/// A file that could be read: its tree and its text. Nothing is known yet about what the values mean.
#[derive(Debug, Clone)]
pub struct Document {
    source: Source,
    root: Node,
}

impl Document {
    /// Reads JSON when the name ends in `.json`, YAML 1.2 otherwise. Nothing but an empty file is no document.
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<Self, Problems> {
        let (source, refused) = Source::from_bytes(name, bytes);
        if !refused.is_empty() {
            return Err(refused_bytes(&source, refused));
        }
        let mut builder = Builder::new(&source);
        let is_json = name.to_ascii_lowercase().ends_with(".json");
        let parse = if is_json { json::parse } else { yaml::parse };
        // An abandoned file has its reason among the builder's problems.
        let _abandoned = parse(&source.text, &mut builder);
        let root = builder.finish()?;
        let document = Self { source, root };
        if matches!(document.root.value, Value::Null) {
            let problem = document.problem_at("", "the file is empty", None);
            return document.problems([problem]).into_result(document);
        }
        Ok(document)
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
    pub fn problem_at(&self, path: &str, message: impl Into<String>, proposal: Option<String>) -> Problem {
        self.problem(self.locate(path), path, message, proposal)
    }

    /// A problem at a place that is already known.
    pub fn problem(
        &self,
        at: Position,
        path: &str,
        message: impl Into<String>,
        proposal: Option<String>,
    ) -> Problem {
        let (message, excerpt) = (message.into(), self.source.excerpt(at));
        Problem { path: path.to_owned(), line: at.line, column: at.column, message, proposal, excerpt }
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

    /// Validates and converts; see [`read`].
    pub fn decode<T: DeserializeOwned + JsonSchema>(&self, checks: &Checks) -> Result<T, Problems> {
        let schema = Schema::of::<T>();
        validate::validate(&self.root, &schema, checks, &self.source).into_result(())?;
        T::deserialize(Place(&self.root)).map_err(|fault| {
            let at = fault.at.unwrap_or(Position::START);
            self.problems([self.problem(at, &fault.path(), escape(&fault.message), None)])
        })
    }
}

fn refused_bytes(source: &Source, refused: Vec<Refused>) -> Problems {
    let mut problems = Problems::new(&source.name);
    for Refused { at, message, proposal } in refused {
        let excerpt = source.excerpt(at);
        problems.push(Problem {
            path: String::new(),
            line: at.line,
            column: at.column,
            message,
            proposal,
            excerpt,
        });
    }
    problems
}

/// Reads a typed value with the leaf checks of this crate; on failure every problem is listed.
pub fn read<T: DeserializeOwned + JsonSchema>(name: &str, bytes: &[u8]) -> Result<(T, Document), Problems> {
    read_with(name, bytes, &Checks::default())
}

/// Reads a typed value with additional leaf checks.
pub fn read_with<T: DeserializeOwned + JsonSchema>(
    name: &str,
    bytes: &[u8],
    checks: &Checks,
) -> Result<(T, Document), Problems> {
    let document = Document::from_bytes(name, bytes)?;
    let value = document.decode(checks)?;
    Ok((value, document))
}

#[cfg(test)]
mod tests;
