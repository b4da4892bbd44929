//! Running a program to its end, with a deadline.

use crate::error::Error;
use crate::files;
use crate::wait::{self, Look};
use std::fs::File;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

/// Runs a program; all it says goes to `log`.
pub(crate) fn run(command: &mut Command, log: &Path, patience: Duration) -> Result<ExitStatus, Error> {
    let out = File::create(log).map_err(Error::file("create", log))?;
    let err = out.try_clone().map_err(Error::file("create", log))?;
    let name = command.get_program().to_string_lossy().into_owned();
    let started = command.stdin(Stdio::null()).stdout(out).stderr(err).spawn();
    let mut child = started.map_err(|source| Error::File { attempt: format!("start {name}"), source })?;
    let ended = wait::until(&format!("the end of {name}"), patience, || look(&mut child));
    if ended.is_err() {
        // It may have ended in this very moment; then there is nothing to end.
        let _ = child.kill();
        let _ = child.wait();
    }
    ended
}

fn look(child: &mut Child) -> Look<ExitStatus> {
    match child.try_wait() {
        Ok(Some(status)) => Look::Done(status),
        Ok(None) => Look::NotYet("it runs".to_owned()),
        Err(source) => {
            Look::Never(Error::File { attempt: "see whether a program has ended".to_owned(), source })
        }
    }
}

/// Runs a program that has to succeed, and returns what it said.
pub(crate) fn ask(command: &mut Command, log: &Path, patience: Duration) -> Result<String, Error> {
    let status = run(command, log, patience)?;
    let said = files::read(log)?;
    if status.success() {
        return Ok(said);
    }
    let program = command.get_program().to_string_lossy().into_owned();
    Err(Error::Command { program, said: format!("{status}: {}", said.trim_end()) })
}
