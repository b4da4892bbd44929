//! One process of a bed: started with its own log, known by a file, and never mistaken for another.

mod identity;

use crate::error::{Error, LastWords};
use crate::files;
use crate::wait::{self, Look};
use identity::Identity;
use rustix::process::{Pid, Signal, kill_process};
use serde::{Deserialize, Serialize};
use std::fs::{self, OpenOptions};
use std::net::{Ipv4Addr, TcpListener};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// A process that is killed is gone at once, unless the kernel is busy writing for it.
const KILL_PATIENCE: Duration = Duration::from_secs(20);
/// Lines of a log that an error shows.
const LAST_WORDS: usize = 15;

/// What stops first when the bed goes down: those who ask before those who answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Layer {
    Client,
    Server,
    Storage,
}

/// How to start a process, and how to see that it works. Kept in a file beside its log.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Process {
    pub(crate) name: String,
    pub(crate) layer: Layer,
    pub(crate) program: PathBuf,
    pub(crate) arguments: Vec<String>,
    /// The port it answers on.
    pub(crate) port: u16,
    /// Where it says that it works.
    pub(crate) health: String,
    /// The folder of its crew.
    pub(crate) folder: PathBuf,
}

impl Process {
    /// All that were ever started in the folder of a crew.
    pub(crate) fn all(folder: &Path) -> Vec<Self> {
        let files = files::entries(&folder.join("run")).into_iter();
        let records = files.filter(|path| path.extension().is_some_and(|end| end == "json"));
        records.filter_map(|path| serde_json::from_str(&files::read(&path).ok()?).ok()).collect()
    }

    /// One that was started before in the folder of a crew.
    pub(crate) fn find(folder: &Path, name: &str) -> Result<Self, Error> {
        let all = Self::all(folder);
        let known: Vec<String> = all.iter().map(|process| process.name.clone()).collect();
        all.into_iter().find(|process| process.name == name).ok_or_else(|| Error::NoSuchProcess {
            crew: folder.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            process: name.to_owned(),
            known: known.join(", "),
        })
    }

    /// Starts it in a process group of its own, so that Ctrl-C in a terminal does not reach it.
    pub(crate) fn start(&self) -> Result<(), Error> {
        if self.is_running() {
            return Ok(());
        }
        files::folder(&self.folder.join("run"))?;
        files::folder(&self.folder.join("log"))?;
        let record = serde_json::to_string_pretty(self).expect("plain data always serialises");
        files::replace(&self.run_file("json"), record + "\n")?;
        let log = self.log();
        let opened = OpenOptions::new().create(true).append(true).open(&log);
        let out = opened.map_err(Error::file("open", &log))?;
        let err = out.try_clone().map_err(Error::file("open", &log))?;
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).current_dir(&self.folder).process_group(0);
        let started = command.stdin(Stdio::null()).stdout(out).stderr(err).spawn();
        let child = started.map_err(Error::file("start", &self.program))?;
        // A process that has already ended has no identity; whoever waits for it will find out.
        match Identity::of(child.id()) {
            Some(identity) => files::replace(&self.run_file("pid"), identity.line()),
            None => Ok(()),
        }
    }

    pub(crate) fn log(&self) -> PathBuf {
        self.folder.join("log").join(format!("{}.log", self.name))
    }

    pub(crate) fn is_running(&self) -> bool {
        self.identity().is_some_and(|identity| identity.is_running())
    }

    /// Its number, while it runs.
    pub(crate) fn pid(&self) -> Option<u32> {
        self.identity().filter(Identity::is_running).map(|identity| identity.pid)
    }

    /// Asks it to end. It may have ended already.
    pub(crate) fn terminate(&self) {
        self.signal(Signal::TERM);
    }

    /// Ends it without asking, and waits until it is gone.
    pub(crate) fn kill(&self) -> Result<(), Error> {
        self.signal(Signal::KILL);
        self.wait_for_end(KILL_PATIENCE)?;
        self.wait_for_port(KILL_PATIENCE)
    }

    /// The last thread of a process that was killed lets go of its port a moment after the process counts as gone.
    fn wait_for_port(&self, patience: Duration) -> Result<(), Error> {
        wait::until(&format!("the port of {} to be free", self.name), patience, || {
            let bound = TcpListener::bind((Ipv4Addr::LOCALHOST, self.port));
            bound.map_or_else(|error| Look::NotYet(error.to_string()), |_| Look::Done(()))
        })
    }

    pub(crate) fn wait_for_end(&self, patience: Duration) -> Result<(), Error> {
        wait::until(&format!("the end of {}", self.name), patience, || match self.pid() {
            None => Look::Done(()),
            Some(pid) => Look::NotYet(format!("process {pid} runs")),
        })
    }

    /// The error that says that it ended by itself, with its last words.
    pub(crate) fn ended(&self) -> Error {
        Error::Ended(Box::new(self.last_words()))
    }

    /// Adds the last words of the process that was waited for.
    pub(crate) fn explain(&self, error: Error) -> Error {
        match error {
            late @ Error::Late { .. } => {
                Error::LateProcess { late: Box::new(late), last: Box::new(self.last_words()) }
            }
            other => other,
        }
    }

    fn last_words(&self) -> LastWords {
        let text = files::tail(&self.log(), LAST_WORDS);
        LastWords { process: self.full_name(), log: self.log(), text }
    }

    fn full_name(&self) -> String {
        let crew = self.folder.file_name().unwrap_or_default().to_string_lossy();
        format!("{crew}/{}", self.name)
    }

    fn signal(&self, signal: Signal) {
        let Some(pid) = self.pid() else { return };
        let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) else { return };
        // It may have ended since it was looked at.
        let _ = kill_process(pid, signal);
    }

    fn identity(&self) -> Option<Identity> {
        Identity::from_line(&fs::read_to_string(self.run_file("pid")).ok()?)
    }

    fn run_file(&self, end: &str) -> PathBuf {
        self.folder.join("run").join(format!("{}.{end}", self.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sleeper(name: &str) -> Process {
        let folder = std::env::temp_dir().join(format!("drover-process-{name}-{}", std::process::id()));
        Process {
            name: "sleeper".to_owned(),
            layer: Layer::Client,
            program: "sleep".into(),
            arguments: vec!["600".to_owned()],
            port: 0,
            health: String::new(),
            folder,
        }
    }

    #[test]
    fn a_process_is_found_again_by_its_files_and_ends_when_it_is_killed() {
        let process = sleeper("killed");
        process.start().unwrap();
        let found = Process::all(&process.folder);
        assert_eq!(found.len(), 1);
        assert!(found[0].is_running());
        found[0].kill().unwrap();
        assert!(!process.is_running());
        process.start().unwrap();
        assert!(process.is_running());
        process.terminate();
        process.wait_for_end(KILL_PATIENCE).unwrap();
        fs::remove_dir_all(&process.folder).unwrap();
    }

    #[test]
    fn a_number_that_was_used_again_is_left_alone() {
        let process = sleeper("reused");
        files::folder(&process.folder.join("run")).unwrap();
        // The number of this very test, with the start time of another.
        let line = format!("{} 1 somewhere\n", std::process::id());
        files::write(&process.run_file("pid"), line).unwrap();
        assert!(!process.is_running());
        process.kill().unwrap();
        fs::remove_dir_all(&process.folder).unwrap();
    }

    #[test]
    fn a_program_that_does_not_exist_is_named() {
        let process = Process { program: "no-such-program".into(), ..sleeper("missing") };
        assert_eq!(process.start().unwrap_err().to_string(), "cannot start no-such-program");
        fs::remove_dir_all(&process.folder).unwrap();
    }
}
