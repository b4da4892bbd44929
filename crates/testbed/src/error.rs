//! What can go wrong with a test bed.

use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why there is no test bed, or no longer the one that was wanted.
#[derive(Debug, Error)]
pub enum Error {
    #[error("cannot {attempt}")]
    File {
        attempt: String,
        #[source]
        source: io::Error,
    },
    #[error("the plan cannot be carried out: {0}")]
    Plan(String),
    #[error(
        "{program} {version} is neither on the path nor in the cache, and Go is not there to build it; install Go 1.26 \
         (https://go.dev/dl), or put the program on the path"
    )]
    NoGo { program: &'static str, version: &'static str },
    #[error(
        "the files that {product} {version} needs besides its programs are not in the cache, and Go is not there to \
         fetch them; install Go 1.26 (https://go.dev/dl), or copy the cache of a machine that has them"
    )]
    NoAssets { product: &'static str, version: &'static str },
    #[error(
        "prometheus is not on the path; on Debian and Ubuntu: apt-get install prometheus; or go without it: \
         --no-prometheus"
    )]
    NoPrometheus,
    #[error("{program} could not be built; all that was said is in {}\n{tail}", .log.display())]
    Build { program: &'static str, log: PathBuf, tail: String },
    #[error("{program} failed: {said}")]
    Command { program: String, said: String },
    #[error("{} ended by itself{}", .0.process, .0.quoted())]
    Ended(Box<LastWords>),
    #[error("{what} did not happen within {seconds} s; last seen: {seen}")]
    Late { what: String, seconds: u64, seen: String },
    #[error("{late}{}", .last.quoted())]
    LateProcess { late: Box<Error>, last: Box<LastWords> },
    #[error("{attempt} was refused: {answer}")]
    Refused { attempt: String, answer: String },
    #[error("{attempt} failed: {problem}")]
    Unreachable { attempt: String, problem: String },
    #[error("somebody else is just starting or stopping the test bed in {}", .0.display())]
    Busy(PathBuf),
    #[error("a test bed runs in {}; stop it first: drover testbed down", .0.display())]
    Running(PathBuf),
    #[error("there is no test bed in {}; start one: drover testbed up", .0.display())]
    Nothing(PathBuf),
    #[error("{} holds something that is no test bed; name an empty folder or a new one: --directory DIR", .0.display())]
    NotABed(PathBuf),
    #[error("there is no process {process} in {crew}; there are: {known}")]
    NoSuchProcess { crew: String, process: String, known: String },
    #[error("no certificate could be made: {0}")]
    Certificate(#[from] rcgen::Error),
}

/// What a process wrote last.
#[derive(Debug)]
pub struct LastWords {
    /// Its name, after that of its crew.
    pub process: String,
    pub log: PathBuf,
    pub text: String,
}

impl LastWords {
    fn quoted(&self) -> String {
        let Self { process, log, text } = self;
        let log = log.display();
        if text.is_empty() {
            return format!("; {process} wrote nothing to {log}");
        }
        format!("; the last words of {process}, from {log}:\n{text}")
    }
}

impl Error {
    /// For `map_err` on what touches a file.
    pub(crate) fn file(attempt: &str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let attempt = format!("{attempt} {}", path.display());
        move |source| Self::File { attempt, source }
    }
}
