//! What can go wrong at the front door, and the exit code for it: 2 for bad input, 1 for everything else.

use crate::output::note;
use model::document::Problems;
use std::fmt::Write as _;
use std::process::ExitCode;

pub(crate) type Outcome = Result<ExitCode, Failure>;

/// Why a command could not do its work.
pub(crate) enum Failure {
    /// The person can mend it: a file, a flag.
    Input(String),
    /// The machine is in the way: a disk, a permission.
    Machine(anyhow::Error),
}

impl Failure {
    pub(crate) fn report(self) -> ExitCode {
        match self {
            Self::Input(text) => {
                note(text.trim_end());
                ExitCode::from(2)
            }
            Self::Machine(error) => {
                let mut text = format!("drover: {error}");
                for cause in error.chain().skip(1) {
                    let _ = write!(text, "\n  because: {cause}");
                }
                note(&text);
                ExitCode::FAILURE
            }
        }
    }
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        Self::Machine(error)
    }
}

impl From<Problems> for Failure {
    fn from(problems: Problems) -> Self {
        Self::from(vec![problems])
    }
}

/// One entry per file.
impl From<Vec<Problems>> for Failure {
    fn from(files: Vec<Problems>) -> Self {
        let count: usize = files.iter().map(Problems::count).sum();
        let what = if count == 1 { "1 problem".to_owned() } else { format!("{count} problems") };
        let said: Vec<String> = files.iter().map(ToString::to_string).collect();
        Self::Input(format!("{}\n{what} found; nothing was written", said.join("\n")))
    }
}
