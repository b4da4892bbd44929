//! A crew: the processes that belong together and share a folder, such as those of one cluster.

use crate::api::Api;
use crate::certificates::Certificates;
use crate::error::Error;
use crate::process::{Layer, Process};
use crate::wait::{self, Look};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Every process answers within seconds; on a machine with much else to do it may take longer.
pub(crate) const PATIENCE: Duration = Duration::from_mins(3);

/// The folder of a crew, which says everything about it.
#[derive(Clone)]
pub struct Crew {
    folder: PathBuf,
    /// Asks its processes how they are.
    api: Api,
}

/// How a process is.
#[derive(Debug, Serialize)]
pub struct Condition {
    pub crew: String,
    pub process: String,
    /// None if it does not run.
    pub pid: Option<u32>,
    pub port: u16,
    pub healthy: bool,
    pub log: PathBuf,
}

impl Crew {
    pub(crate) fn new(folder: &Path, api: Api) -> Self {
        Self { folder: folder.to_owned(), api }
    }

    /// One that may be half built, or half gone.
    pub(crate) fn at(folder: &Path) -> Self {
        let api = Certificates::at(folder).api("").unwrap_or_else(|_| Api::plain(""));
        Self::new(folder, api)
    }

    pub fn name(&self) -> String {
        self.folder.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The names of its processes.
    pub fn processes(&self) -> Vec<String> {
        Process::all(&self.folder).into_iter().map(|process| process.name).collect()
    }

    /// Ends a process as a crash would: without asking. Returns when it is gone.
    pub fn kill(&self, process: &str) -> Result<(), Error> {
        Process::find(&self.folder, process)?.kill()
    }

    /// Starts a process again as it was started before, and waits until it works.
    pub fn start(&self, process: &str) -> Result<(), Error> {
        let process = Process::find(&self.folder, process)?;
        process.start()?;
        self.wait_until_healthy(&process)
    }

    /// How all of its processes are.
    pub fn conditions(&self) -> Vec<Condition> {
        Process::all(&self.folder).iter().map(|process| self.condition(process)).collect()
    }

    pub(crate) fn launch_and_wait(&self, process: &Process) -> Result<(), Error> {
        process.start()?;
        self.wait_until_healthy(process)
    }

    pub(crate) fn wait_until_healthy(&self, process: &Process) -> Result<(), Error> {
        let what = format!("{} becoming healthy", process.name);
        let look = || {
            if !process.is_running() {
                return Look::Never(process.ended());
            }
            self.probe(process).map_or_else(Look::NotYet, Look::Done)
        };
        wait::until(&what, PATIENCE, look).map_err(|error| process.explain(error))
    }

    fn condition(&self, process: &Process) -> Condition {
        let pid = process.pid();
        Condition {
            crew: self.name(),
            process: process.name.clone(),
            pid,
            port: process.port,
            healthy: pid.is_some() && self.probe(process).is_ok(),
            log: process.log(),
        }
    }

    fn probe(&self, process: &Process) -> Result<(), String> {
        let answer = self.api.ask(&process.health).map_err(|error| error.to_string())?;
        if answer.is_success() {
            return Ok(());
        }
        // The list of checks is long; those that fail are marked.
        let failing: Vec<&str> = answer.body.lines().filter(|line| line.starts_with("[-]")).collect();
        Err(format!("{} from {}: {}", answer.status, process.health, failing.join("; ")))
    }
}

/// Makes a process of a crew.
pub(crate) struct Job<'a> {
    pub(crate) name: &'a str,
    pub(crate) layer: Layer,
    pub(crate) program: &'a Path,
    pub(crate) arguments: Vec<String>,
    pub(crate) port: u16,
    pub(crate) health: String,
}

impl Job<'_> {
    pub(crate) fn of(self, crew: &Crew) -> Process {
        Process {
            name: self.name.to_owned(),
            layer: self.layer,
            program: self.program.to_owned(),
            arguments: self.arguments,
            port: self.port,
            health: self.health,
            folder: crew.folder.clone(),
        }
    }
}
