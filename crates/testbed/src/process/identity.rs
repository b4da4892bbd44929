//! Which process a number means. Numbers are used again: a number alone could be anybody's.

use rustix::process::{Pid, WaitOptions, waitpid};
use std::fs;

const BOOT: &str = "/proc/sys/kernel/random/boot_id";
/// Fields of `/proc/<pid>/stat` behind the name, which is the second and may hold anything.
const STATE: usize = 0;
const START: usize = 19;

/// A process, told apart from all others with the same number by when it began.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Identity {
    pub(super) pid: u32,
    /// Ticks between the machine's start and its own.
    start: u64,
    /// Ticks begin again when the machine does.
    boot: String,
}

impl Identity {
    /// That of a process that exists.
    pub(super) fn of(pid: u32) -> Option<Self> {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        let start = fields(&stat)?.get(START)?.parse().ok()?;
        let boot = fs::read_to_string(BOOT).ok()?.trim().to_owned();
        Some(Self { pid, start, boot })
    }

    pub(super) fn line(&self) -> String {
        format!("{} {} {}\n", self.pid, self.start, self.boot)
    }

    pub(super) fn from_line(line: &str) -> Option<Self> {
        let mut words = line.split_whitespace();
        let pid = words.next()?.parse().ok()?;
        let start = words.next()?.parse().ok()?;
        Some(Self { pid, start, boot: words.next()?.to_owned() })
    }

    pub(super) fn is_running(&self) -> bool {
        self.collect();
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.pid)).unwrap_or_default();
        // What has ended and waits to be noticed by its parent runs no more.
        let ended = |stat: &str| fields(stat).is_none_or(|fields| ["Z", "X"].contains(&fields[STATE]));
        !ended(&stat) && Self::of(self.pid).as_ref() == Some(self)
    }

    /// Takes notice of the end of a child of ours; others are none of ours, which is no error here.
    fn collect(&self) {
        if let Some(pid) = i32::try_from(self.pid).ok().and_then(Pid::from_raw) {
            let _ = waitpid(Some(pid), WaitOptions::NOHANG);
        }
    }
}

fn fields(stat: &str) -> Option<Vec<&str>> {
    Some(stat.rsplit_once(')')?.1.split_whitespace().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_runs_and_is_itself() {
        let identity = Identity::of(std::process::id()).unwrap();
        assert!(identity.is_running());
        assert_eq!(Identity::from_line(&identity.line()), Some(identity));
    }

    #[test]
    fn names_may_hold_anything() {
        let stat = "7 (a) b (c) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 4711 20";
        assert_eq!(fields(stat).unwrap()[START], "4711");
        assert_eq!(fields("nothing"), None);
        assert_eq!(Identity::from_line("7 8"), None);
    }
}
