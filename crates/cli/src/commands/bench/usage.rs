//! What this process has used so far. Only Linux tells.

use std::fs;

/// Steps of `/proc/self/stat`: `USER_HZ`, which is 100 on every architecture Linux still builds for.
const TICKS_PER_SECOND: f64 = 100.0;
const NANOSECONDS_PER_SECOND: f64 = 1e9;

/// User and system time in seconds since the process began.
pub(super) fn cpu_seconds() -> Option<f64> {
    let ticks = ticks(&fs::read_to_string("/proc/self/stat").ok()?)?;
    let exact = fs::read_to_string("/proc/self/schedstat").ok().as_deref().and_then(nanoseconds);
    // The first counts all threads in steps of 10 ms, the second the main thread to the nanosecond: the larger one is
    // nearer to the truth, whether or not there were other threads.
    Some((ticks as f64 / TICKS_PER_SECOND).max(exact.unwrap_or(0) as f64 / NANOSECONDS_PER_SECOND))
}

/// The most memory that was resident at any moment.
pub(super) fn peak_memory_bytes() -> Option<u64> {
    high_water_mark(&fs::read_to_string("/proc/self/status").ok()?)
}

/// Fields 14 and 15; the second one, the name, may contain anything, so counting starts after its closing bracket.
fn ticks(stat: &str) -> Option<u64> {
    let (_, after_name) = stat.rsplit_once(')')?;
    let mut fields = after_name.split_ascii_whitespace().skip(11);
    let user: u64 = fields.next()?.parse().ok()?;
    let system: u64 = fields.next()?.parse().ok()?;
    Some(user + system)
}

fn nanoseconds(schedstat: &str) -> Option<u64> {
    schedstat.split_ascii_whitespace().next()?.parse().ok()
}

fn high_water_mark(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernel_is_read_as_it_writes() {
        let stat = "7 (a) b) R 1 7 7 0 -1 4194304 90 0 0 0 123 45 0 0 20 0 1 0 5 6 7";
        assert_eq!(ticks(stat), Some(168));
        assert_eq!(ticks("7 (a) R 1"), None);
        assert_eq!(nanoseconds("1500 20 3\n"), Some(1_500));
        assert_eq!(high_water_mark("VmPeak:\t  9 kB\nVmHWM:\t   512 kB\n"), Some(512 * 1024));
        assert_eq!(high_water_mark("VmPeak:\t  9 kB\n"), None);
    }
}
