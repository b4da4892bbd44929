//! Building programs with Go, from published modules and with the versions our own modules pin.

use crate::command;
use crate::error::Error;
use crate::files;
use crate::products::{Product, Tool};
use crate::wait;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// kube-apiserver takes ten minutes of one core from nothing, plus the download; this is for a slow machine.
const BUILD_PATIENCE: Duration = Duration::from_hours(1);
const QUESTION_PATIENCE: Duration = Duration::from_mins(15);
/// Linking takes two gigabytes; more at a time gain little and may not fit.
const AT_A_TIME: &str = "2";
const LAST_WORDS: usize = 12;

/// A build loads hundreds of modules; one answer that does not come should not end it.
const ATTEMPTS: u32 = 3;
const BETWEEN_ATTEMPTS: Duration = Duration::from_secs(10);

/// What Go says when the network was at fault.
const NETWORK: [&str; 9] = [
    "dial tcp",
    "i/o timeout",
    "connection reset",
    "handshake timeout",
    "unexpected EOF",
    "no such host",
    "429 Too Many Requests",
    "502 Bad Gateway",
    "503 Service Unavailable",
];

/// A product's folder in the cache, and the Go that builds for it.
pub(crate) struct Builder<'a> {
    pub(crate) go: &'a Path,
    pub(crate) product: &'static Product,
    pub(crate) folder: &'a Path,
}

impl Builder<'_> {
    /// Builds one program; half a program never has its name.
    pub(crate) fn build(&self, tool: &Tool) -> Result<(), Error> {
        let module = self.module()?;
        let fresh = self.folder.join(format!("{}.new", tool.name));
        let log = self.folder.join(format!("{}.log", tool.name));
        let mut command = self.command(&module);
        command.args(["build", "-mod=readonly", "-trimpath", "-buildvcs=false", "-p", AT_A_TIME]);
        command.arg("-ldflags").arg(self.product.link_flags()).arg("-o").arg(&fresh).arg(tool.package);
        if let Err(tail) = run_again(&mut command, &log, BETWEEN_ATTEMPTS, BUILD_PATIENCE)? {
            return Err(Error::Build { program: tool.name, log, tail });
        }
        let program = self.folder.join(tool.name);
        fs::rename(&fresh, &program).map_err(Error::file("write", &program))
    }

    /// Copies what the product brings besides programs out of its module.
    pub(crate) fn copy_assets(&self) -> Result<(), Error> {
        let module = self.module()?;
        let mut command = self.command(&module);
        command.args(["mod", "download", "-x", self.product.module]);
        let log = self.folder.join("download.log");
        if let Err(said) = run_again(&mut command, &log, BETWEEN_ATTEMPTS, QUESTION_PATIENCE)? {
            return Err(Error::Command { program: "go mod download".to_owned(), said });
        }
        let mut command = self.command(&module);
        command.args(["list", "-mod=readonly", "-m", "-f", "{{.Dir}}", self.product.module]);
        let said = command::ask(&mut command, &log, QUESTION_PATIENCE)?;
        let source = PathBuf::from(said.trim());
        let fresh = self.folder.join("assets.new");
        files::folder(&fresh)?;
        for asset in self.product.assets {
            copy_yaml(&source.join(asset), &fresh)?;
        }
        let target = self.folder.join("assets");
        fs::rename(&fresh, &target).map_err(Error::file("write", &target))
    }

    /// Our module, as files for Go.
    fn module(&self) -> Result<PathBuf, Error> {
        let module = self.folder.join("module");
        files::folder(&module)?;
        files::write(&module.join("go.mod"), self.product.go_mod)?;
        files::write(&module.join("go.sum"), self.product.go_sum)?;
        Ok(module)
    }

    /// A workspace or a C compiler of the user's would change the result.
    fn command(&self, module: &Path) -> Command {
        let mut command = Command::new(self.go);
        command.current_dir(module).env("GOWORK", "off").env("CGO_ENABLED", "0");
        command
    }
}

/// Runs Go, and again where nothing but the network was at fault; if it does not succeed, returns its last words.
fn run_again(
    command: &mut Command,
    log: &Path,
    between: Duration,
    patience: Duration,
) -> Result<Result<(), String>, Error> {
    let mut attempt = 1;
    loop {
        if command::run(command, log, patience)?.success() {
            return Ok(Ok(()));
        }
        let tail = files::tail(log, LAST_WORDS);
        if attempt == ATTEMPTS || !NETWORK.iter().any(|sign| tail.contains(sign)) {
            return Ok(Err(tail));
        }
        attempt += 1;
        wait::pause(between);
    }
}

/// Copies a file, or all YAML files below a folder, flat into another.
fn copy_yaml(source: &Path, target: &Path) -> Result<(), Error> {
    if source.is_dir() {
        return files::entries(source).iter().try_for_each(|entry| copy_yaml(entry, target));
    }
    let name = source.file_name().unwrap_or_default();
    // Go keeps its modules read-only; a copy may be removed like any other file.
    files::write(&target.join(name), files::read(source)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A program that fails with these words until it has been asked `good_at` times.
    fn check(name: &str, words: &str, good_at: u32, pause: Duration) -> (Result<(), String>, u32) {
        let folder = std::env::temp_dir().join(format!("drover-go-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let count = folder.join("count");
        let script =
            format!("echo >> {0}; echo '{words}'; [ $(wc -l < {0}) -ge {good_at} ]", count.to_str().unwrap());
        let mut command = Command::new("sh");
        command.args(["-c", &script]);
        let ended = run_again(&mut command, &folder.join("log"), pause, QUESTION_PATIENCE).unwrap();
        let asked = fs::read_to_string(&count).unwrap().lines().count();
        fs::remove_dir_all(folder).unwrap();
        (ended, u32::try_from(asked).unwrap())
    }

    #[test]
    fn only_the_network_is_tried_again() {
        let check = |name, words, good_at| check(name, words, good_at, Duration::ZERO);
        assert_eq!(check("late", "dial tcp: i/o timeout", 2), (Ok(()), 2));
        assert_eq!(check("away", "dial tcp: i/o timeout", 9), (Err("dial tcp: i/o timeout".to_owned()), 3));
        assert_eq!(check("wrong", "undefined: x", 2), (Err("undefined: x".to_owned()), 1));
    }
}
