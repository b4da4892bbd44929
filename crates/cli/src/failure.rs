//! What can go wrong at the front door, and the exit code for it.
//!
//! | code | meaning |
//! |---|---|
//! | 1 | the machine was in the way |
//! | 2 | the input was at fault: a file, a flag |
//! | 3 | there is no such thing |
//! | 4 | it is not what it was: changed, expired, decided, in use |
//! | 5 | a guardrail, a mode or a freeze refuses |
//! | 6 | nobody knows you, or you may not |
//! | 7 | the desk cannot be reached now |
//! | 8 | the work is done, and something was found |

pub(crate) mod problem;

use crate::output::note;
use model::document::Problems;
use server::office::OfficeError;
use server::service::ServiceError;
use server::storage::Error as StorageError;
use std::fmt::Write as _;
use std::io::ErrorKind;
use std::process::ExitCode;

pub(crate) type Outcome = Result<ExitCode, Failure>;

const MACHINE: u8 = 1;
pub(crate) const INPUT: u8 = 2;
pub(crate) const NOT_FOUND: u8 = 3;
pub(crate) const CONFLICT: u8 = 4;
pub(crate) const POLICY: u8 = 5;
pub(crate) const PERMISSION: u8 = 6;
pub(crate) const UNREACHABLE: u8 = 7;
pub(crate) const FINDINGS: u8 = 8;

/// Why a command could not do its work.
pub(crate) enum Failure {
    /// The person can mend it: a file, a flag.
    Input(String),
    /// The machine is in the way: a disk, a permission.
    Machine(anyhow::Error),
    /// Something with an exit code of its own. A desk says it as a document, too.
    Refused { code: u8, text: String, document: Option<String> },
}

impl Failure {
    pub(crate) fn refused(code: u8, text: impl Into<String>) -> Self {
        Self::Refused { code, text: text.into(), document: None }
    }

    /// Says it on standard error, in words or as a document for programs.
    pub(crate) fn report(self) -> ExitCode {
        let (code, text, document) = match self {
            Self::Input(text) => (INPUT, text, None),
            Self::Refused { code, text, document } => (code, text, document),
            Self::Machine(error) => (MACHINE, with_causes(&error), None),
        };
        if problem::is_wanted() {
            note(&document.unwrap_or_else(|| problem::of(code, &text)));
        } else {
            note(text.trim_end());
        }
        ExitCode::from(code)
    }
}

fn with_causes(error: &anyhow::Error) -> String {
    let mut text = format!("drover: {error}");
    for cause in error.chain().skip(1) {
        let _ = write!(text, "\n  because: {cause}");
    }
    text
}

/// Arguments that are none. Whoever asks for help gets it as always.
impl From<clap::Error> for Failure {
    fn from(error: clap::Error) -> Self {
        if !error.use_stderr() || !problem::is_wanted() {
            error.exit();
        }
        Self::Input(error.to_string())
    }
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        Self::Machine(error)
    }
}

impl From<StorageError> for Failure {
    fn from(error: StorageError) -> Self {
        match error {
            StorageError::InUse { .. }
            | StorageError::TakenOver { .. }
            | StorageError::Exists { .. }
            | StorageError::NotEmpty { .. } => Self::refused(CONFLICT, format!("drover: {error}")),
            StorageError::Changed { .. } => Self::refused(FINDINGS, format!("drover: {error}")),
            StorageError::Location { .. } | StorageError::FolderMissing { .. } => {
                Self::Input(format!("drover: {error}"))
            }
            other => Self::Machine(other.into()),
        }
    }
}

impl From<ServiceError> for Failure {
    fn from(error: ServiceError) -> Self {
        match error {
            // A desk that is open stops when another one has its data.
            ServiceError::Storage(error)
            | ServiceError::Office(OfficeError::Storage(
                error @ (StorageError::InUse { .. } | StorageError::TakenOver { .. }),
            )) => error.into(),
            ServiceError::Listen { ref source, .. } if source.kind() == ErrorKind::AddrInUse => {
                Self::refused(CONFLICT, with_causes(&error.into()))
            }
            other => Self::Machine(other.into()),
        }
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
