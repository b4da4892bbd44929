//! What the tests with real processes share.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use testbed::{Bed, Workshop};

/// For everything a cluster does by itself; on a machine with much else to do it takes its time.
const PATIENCE: Duration = Duration::from_mins(3);

/// The programs of this machine.
pub(crate) fn workshop() -> Workshop {
    Workshop::usual(|name| std::env::var_os(name))
}

/// A path for a bed that does not exist yet. What a run that was killed left in the place of this one goes first.
pub(crate) fn fresh(name: &str) -> PathBuf {
    let start = format!("drover-testbed-{name}-");
    for entry in fs::read_dir(std::env::temp_dir()).unwrap().flatten() {
        let file = entry.file_name().to_string_lossy().into_owned();
        let owner = file.strip_prefix(&start).and_then(|number| number.parse::<u32>().ok());
        if owner.is_some_and(|owner| !Path::new(&format!("/proc/{owner}")).exists()) {
            let _ = Bed::down_in(&entry.path());
            let _ = fs::remove_dir_all(entry.path());
        }
    }
    std::env::temp_dir().join(format!("{start}{}", std::process::id()))
}

/// Looks until the value is as wanted, and returns it.
#[expect(clippy::disallowed_methods, reason = "other processes have to get somewhere first")]
pub(crate) fn eventually<T: std::fmt::Debug>(
    what: &str,
    look: impl Fn() -> T,
    is_wanted: impl Fn(&T) -> bool,
) -> T {
    let start = Instant::now();
    loop {
        let seen = look();
        if is_wanted(&seen) {
            println!("{what}: after {:.1} s", start.elapsed().as_secs_f64());
            return seen;
        }
        assert!(start.elapsed() < PATIENCE, "{what}: last seen {seen:?}");
        std::thread::sleep(Duration::from_millis(200));
    }
}

/// Processes that were started with something in this folder.
pub(crate) fn processes_of(folder: &Path) -> Vec<String> {
    let folder = folder.to_string_lossy().into_owned();
    let lines = fs::read_dir("/proc").unwrap().flatten();
    let lines = lines.filter_map(|entry| fs::read_to_string(entry.path().join("cmdline")).ok());
    lines.map(|line| line.replace('\0', " ")).filter(|line| line.contains(&folder)).collect()
}

/// A number somewhere in an object; nothing counts as zero, as Kubernetes leaves zeros out.
pub(crate) fn number(object: &Value, pointer: &str) -> u64 {
    object.pointer(pointer).and_then(Value::as_u64).unwrap_or(0)
}
