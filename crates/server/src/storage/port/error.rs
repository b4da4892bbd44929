//! What can go wrong with a database, one variant per thing that somebody could do something about.

use std::path::PathBuf;

/// The reason behind an error, in the words of the library that found it.
pub type Cause = Box<dyn std::error::Error + Send + Sync>;

/// Why the database could not be opened, asked or changed. Never contains a password.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    #[error(
        "{text:?} does not say where the database is: {problem}; write sqlite:<file>, for instance sqlite:drover.db, or \
         postgres://<user>@<host>/<database>"
    )]
    Location { text: String, problem: String },
    #[error("the folder {} of the database does not exist; create it, or name another file", folder.display())]
    FolderMissing { folder: PathBuf },
    #[error(
        "the database {place} cannot be written: {problem}; give whoever runs this the right to write there"
    )]
    ReadOnly { place: String, problem: String },
    #[error("{place} is not a SQLite database; name another file, or restore a backup into a new one")]
    NotADatabase { place: String },
    #[error(
        "{place} is an empty file, and no desk leaves one; if it held a desk's data, restore the last backup into a new file, otherwise \
         remove it"
    )]
    Empty { place: String },
    #[error("{place} holds other tables than Drover's; give Drover a database of its own")]
    Foreign { place: String },
    #[error(
        "the database {place} is damaged: {finding}; stop writing to it and restore the last backup into a new one"
    )]
    Damaged { place: String, finding: String },
    #[error(
        "the record in {place} is not what it was: entry {seq}: {finding}; nothing is written on top of it: keep it to find out what \
         happened, which drover audit verify tells as well, and restore the last backup into a new database"
    )]
    Changed { place: String, seq: i64, finding: String },
    #[error(
        "the database {place} is in use by another desk{holder}; stop that one first, or use another database"
    )]
    InUse { place: String, holder: String },
    #[error(
        "another desk opened the database {place} while this one had lost its connection; this one knows too little now: start it \
         again when the other one is stopped"
    )]
    TakenOver { place: String },
    #[error("cannot connect to the database {place}: {problem}{proposal}")]
    Refused { place: String, problem: String, proposal: String },
    #[error(
        "the database {place} was written by a newer Drover: it has version {found}, this build knows up to {known}; use the \
         newer build, or restore an older backup"
    )]
    Newer { place: String, found: i64, known: i64 },
    #[error(
        "migration {number} of the database {place} is {found}, but this build has {known} in its place; use the build that wrote \
         the database"
    )]
    MigrationDiffers { place: String, number: i64, found: String, known: String },
    #[error("migration {name} failed, and the database {place} is as it was before")]
    Migration {
        place: String,
        name: String,
        #[source]
        source: Box<Error>,
    },
    #[error("{} exists already, and nothing is overwritten; name another file", path.display())]
    Exists { path: PathBuf },
    #[error("the database {place} is not empty; restore into a new one")]
    NotEmpty { place: String },
    #[error("cannot {attempt} {}", path.display())]
    File {
        attempt: &'static str,
        path: PathBuf,
        #[source]
        source: std::io::Error,
    },

    #[error("there is no space left for the database; make room, then try again")]
    Full {
        #[source]
        source: Cause,
    },
    #[error("the database did not become free within {seconds} s; try again")]
    Busy { seconds: u64 },
    #[error("the connection to the database was lost; {consequence}")]
    Lost {
        consequence: &'static str,
        #[source]
        source: Option<Cause>,
    },
    #[error("a row with this key exists already")]
    Duplicate {
        #[source]
        source: Cause,
    },
    #[error("the database refuses the change: {rule}")]
    Rule {
        rule: String,
        #[source]
        source: Cause,
    },
    #[error("the statement failed: {statement}")]
    Statement {
        statement: String,
        #[source]
        source: Cause,
    },
    #[error("a statement of this transaction failed before, so that nothing of it was kept")]
    Doomed,
    #[error("`read` or `write` was called inside `write`; use the transaction that is open")]
    Nested,

    #[error("column {column}: {problem}")]
    Column { column: String, problem: String },
    #[error("the stored JSON is not {what}")]
    Unreadable {
        what: String,
        #[source]
        source: Cause,
    },
    #[error("the databases cannot keep {0}")]
    Unstorable(&'static str),
    #[error("this cursor does not belong to the list: {0}; begin again without one")]
    Cursor(&'static str),
}

impl Error {
    /// Whether the connection is gone.
    pub(crate) const fn is_lost(&self) -> bool {
        matches!(self, Self::Lost { .. })
    }

    /// Whether a server is away, perhaps to come back.
    pub(crate) const fn may_pass(&self) -> bool {
        matches!(self, Self::Lost { .. } | Self::Refused { .. })
    }
}

/// An error and the causes behind it, as one line.
pub fn with_causes(error: &(dyn std::error::Error + 'static)) -> String {
    let mut line = error.to_string();
    let mut cause = error.source();
    while let Some(reason) = cause {
        line.push_str(": ");
        line.push_str(&reason.to_string());
        cause = reason.source();
    }
    line
}
