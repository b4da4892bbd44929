//! How many instructions a case takes. Unlike CPU time it is nearly the same while others use the machine, and on another one.
//!
//! Counted in a run of its own, by the first of two tools that works here. That none does is no failure: then the reason is
//! what there is to tell.

use super::case::Case;
use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Who counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Counter {
    /// The processor itself, asked with `perf stat`. Costs nothing, but many virtual machines have no such register.
    Processor,
    /// An emulated processor, 10 to 35 times slower. Cachegrind without caches is the fastest of valgrind's tools that count.
    Valgrind,
}

impl Counter {
    /// The first one that works here, or why none does.
    pub(super) fn find() -> Result<Self, String> {
        let mut reasons = Vec::new();
        for counter in [Self::Processor, Self::Valgrind] {
            match counter.counts_of(OsStr::new("true"), &[]) {
                Ok(_) => return Ok(counter),
                Err(reason) => reasons.push(reason),
            }
        }
        Err(reasons.join("; "))
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Processor => "perf stat",
            Self::Valgrind => "valgrind",
        }
    }

    /// Whether a case takes much longer than without counting.
    pub(super) fn is_slow(self) -> bool {
        self == Self::Valgrind
    }

    /// Instructions outside the kernel from the start of the process to its end, or why they were not counted.
    pub(super) fn count(self, case: Case, openb: Option<&Path>) -> Result<u64, String> {
        let program = std::env::current_exe().map_err(|error| error.to_string())?;
        let mut arguments: Vec<&OsStr> = ["bench", "--case", case.name()].map(OsStr::new).to_vec();
        if let Some(folder) = openb {
            arguments.extend([OsStr::new("--openb"), folder.as_os_str()]);
        }
        self.counts_of(program.as_os_str(), &arguments)
    }

    fn counts_of(self, program: &OsStr, arguments: &[&OsStr]) -> Result<u64, String> {
        let mut command = match self {
            Self::Processor => Command::new("perf"),
            Self::Valgrind => Command::new("valgrind"),
        };
        command.args(match self {
            Self::Processor => ["stat", "--field-separator=,", "--event=instructions:u", "--"].as_slice(),
            Self::Valgrind => &["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"],
        });
        // What they print is read below, so it must not be in the language of the person.
        command.env("LC_ALL", "C").arg(program).args(arguments).stdin(Stdio::null()).stdout(Stdio::null());
        let output = command.output().map_err(|error| format!("{} cannot be run: {error}", self.name()))?;
        self.read(&output)
    }

    fn read(self, output: &Output) -> Result<u64, String> {
        let text = String::from_utf8_lossy(&output.stderr);
        let count = match self {
            Self::Processor => processor_count(&text),
            Self::Valgrind => valgrind_count(&text),
        };
        let name = self.name();
        match count {
            Some(count) if output.status.success() => Ok(count),
            Some(_) => Err(format!("the run under {name} failed: {}", output.status)),
            None => Err(format!("{name} gives no count here")),
        }
    }
}

/// The first field of `123,,instructions:u,…`; words such as `<not supported>` in its place are no number.
fn processor_count(text: &str) -> Option<u64> {
    let line = text.lines().find(|line| line.contains(",instructions"))?;
    line.split(',').next()?.trim().parse().ok()
}

/// The last field of `==1== I   refs:      1,234`; later versions write `I refs:`.
fn valgrind_count(text: &str) -> Option<u64> {
    let line = text.lines().find(|line| line.contains(" I ") && line.contains("refs:"))?;
    line.rsplit(':').next()?.trim().replace(',', "").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_tools_are_read_as_they_write() {
        let rows = [
            ("drover: a note\n123456,,instructions:u,99,100.00,,\n", Some(123_456)),
            ("<not supported>,,instructions:u,0,100.00,,\n", None),
            ("Error:\nNo permission to enable instructions:u event.\n", None),
            ("", None),
        ];
        for (text, count) in rows {
            assert_eq!(processor_count(text), count, "{text}");
        }
        let rows = [
            ("==7== Cachegrind\n==7== \n==7== I   refs:      182,605,817\n", Some(182_605_817)),
            ("==7== I refs:        1,234\n", Some(1_234)),
            ("==7== D   refs:      5\nvalgrind: failed\n", None),
        ];
        for (text, count) in rows {
            assert_eq!(valgrind_count(text), count, "{text}");
        }
    }

    #[test]
    fn a_tool_that_is_not_there_is_a_reason_and_no_failure() {
        let reason = Counter::Valgrind.counts_of(OsStr::new("/no/such/program"), &[]).unwrap_err();
        assert!(reason.contains("valgrind"), "{reason}");
    }
}
