//! Writing a run directory: everything or nothing.

use crate::failure::Failure;
use anyhow::Context;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// A folder that appears under its name only when it is complete.
pub(crate) struct RunDirectory {
    target: PathBuf,
    draft: PathBuf,
    /// Held while this process lives: a draft that nobody holds was left by a run that was killed.
    _hold: File,
}

/// What kind of folder is written. One with anything else in it than its kind's content is never replaced.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    Run,
    /// As WASP archives a run.
    Wasp,
    /// What was seen in real clusters.
    Recording,
    /// A recording and a run, compared.
    Overlay,
}

impl Kind {
    const fn content(self) -> &'static [&'static str] {
        match self {
            Self::Run => {
                &["journal.jsonl", "summary.json", "series.csv", "services.csv", "report.html", "figures"]
            }
            Self::Wasp => &["metrics.json", "logs"],
            Self::Recording => &["recording.json", "scenario.yaml", "series.csv", "pods", "others"],
            Self::Overlay => &["overlay.json", "overlay.md", "overlay.svg", "overlay.png"],
        }
    }

    const fn option(self) -> &'static str {
        match self {
            Self::Run | Self::Recording | Self::Overlay => "--out",
            Self::Wasp => "--wasp-out",
        }
    }

    /// Whether a folder that exists was written as this kind.
    fn wrote(self, target: &Path) -> bool {
        match self {
            Self::Run => begins_with(&target.join("journal.jsonl"), JOURNAL_START),
            Self::Recording => begins_with(&target.join("recording.json"), RECORDING_START),
            Self::Overlay => target.join("overlay.json").is_file() && target.join("overlay.svg").is_file(),
            Self::Wasp => target.join("metrics.json").is_file() && target.join("logs/actuator.log").is_file(),
        }
    }
}

/// How every journal of ours begins.
const JOURNAL_START: &[u8] = b"{\"drover_journal\":";

/// How every recording begins.
const RECORDING_START: &[u8] = b"{\"drover_recording\":";

const HOLD: &str = ".hold";

impl RunDirectory {
    /// Begins a draft beside the target.
    pub(crate) fn begin(target: &Path, kind: Kind) -> Result<Self, Failure> {
        let name = target.file_name().ok_or_else(|| {
            Failure::Input(format!(
                "{}: is not a folder name; write for instance {} runs/first",
                target.display(),
                kind.option()
            ))
        })?;
        check_replaceable(target, kind)?;
        let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        fs::create_dir_all(folder).with_context(|| format!("{} could not be created", folder.display()))?;
        sweep(folder, name);
        let draft = folder.join(draft_name(name, &std::process::id().to_string()));
        fs::create_dir(&draft).with_context(|| format!("{} could not be created", draft.display()))?;
        let hold = hold(&draft).with_context(|| format!("{} could not be held", draft.display()))?;
        Ok(Self { target: target.to_owned(), draft, _hold: hold })
    }

    /// Where a file of the draft lies.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.draft.join(name)
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) -> Result<(), Failure> {
        let path = self.path(name);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)
                .with_context(|| format!("{} could not be created", folder.display()))?;
        }
        Ok(fs::write(&path, content).with_context(|| format!("{} could not be written", path.display()))?)
    }

    /// Puts the finished draft in place of what was there before.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        let placed = || format!("{} could not be put in place", self.target.display());
        fs::remove_file(self.path(HOLD)).with_context(placed)?;
        if !self.target.exists() {
            return Ok(fs::rename(&self.draft, &self.target).with_context(placed)?);
        }
        let mut old = self.draft.clone().into_os_string();
        old.push("-former");
        fs::rename(&self.target, &old)
            .with_context(|| format!("{} could not be replaced", self.target.display()))?;
        if let Err(error) = fs::rename(&self.draft, &self.target) {
            let _ = fs::rename(&old, &self.target);
            return Ok(Err(error).with_context(placed)?);
        }
        Ok(fs::remove_dir_all(&old)
            .with_context(|| format!("{} could not be removed", Path::new(&old).display()))?)
    }
}

impl Drop for RunDirectory {
    /// A draft that was not finished leaves nothing behind.
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.draft);
    }
}

/// Only nothing, an empty folder or a run of ours may be replaced: a wrong option must not cost anybody their files.
fn check_replaceable(target: &Path, kind: Kind) -> Result<(), Failure> {
    let shown = target.display();
    let option = kind.option();
    let refused = |why: String| Err(Failure::Input(format!("{shown}: {why}; choose another {option}")));
    if !target.exists() {
        return Ok(());
    }
    if !target.is_dir() {
        return refused("is a file, not a folder".to_owned());
    }
    let entries = fs::read_dir(target).with_context(|| format!("{shown} could not be read"))?;
    let mut names: Vec<OsString> = entries.flatten().map(|entry| entry.file_name()).collect();
    names.sort();
    if names.is_empty() {
        return Ok(());
    }
    if !kind.wrote(target) {
        return refused("exists and is not a run of drover".to_owned());
    }
    let is_ours = |name: &&OsString| kind.content().iter().any(|ours| OsStr::new(ours) == name.as_os_str());
    match names.iter().find(|name| !is_ours(name)) {
        Some(foreign) => {
            refused(format!("holds {:?}, which is not part of a run", foreign.to_string_lossy()))
        }
        None => Ok(()),
    }
}

fn begins_with(path: &Path, wanted: &[u8]) -> bool {
    let mut start = vec![0; wanted.len()];
    File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok() && start == wanted
}

fn draft_name(name: &OsStr, number: &str) -> OsString {
    let mut draft = OsString::from(".");
    draft.push(name);
    draft.push(".draft-");
    draft.push(number);
    draft
}

/// Marks a draft as in use for as long as the file stays open.
fn hold(draft: &Path) -> std::io::Result<File> {
    let file = File::create(draft.join(HOLD))?;
    file.try_lock()?;
    Ok(file)
}

/// Removes what killed runs to the same target left. What cannot be removed does no harm.
fn sweep(folder: &Path, name: &OsStr) {
    let start = draft_name(name, "");
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries {
        let is_draft = entry.file_name().as_encoded_bytes().starts_with(start.as_encoded_bytes());
        let path = entry.path();
        let is_held = File::open(path.join(HOLD)).is_ok_and(|file| file.try_lock().is_err());
        if is_draft && path.join(HOLD).exists() && !is_held {
            let _ = fs::remove_dir_all(&path);
        }
    }
}
