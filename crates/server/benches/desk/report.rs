//! What was measured, in lines that people and `grep` read.

use super::{DETAILS, Decided, Heard, Times, Wrong};
use std::process::ExitCode;
use std::time::Duration;

fn percentile(times: &mut [Duration], share: f64) -> f64 {
    times.sort_unstable();
    let place = ((times.len() as f64 * share).ceil() as usize).clamp(1, times.len());
    times[place - 1].as_secs_f64() * 1000.0
}

pub(super) fn times(name: &str, mut times: Vec<Duration>) {
    let (half, most, worst) =
        (percentile(&mut times, 0.5), percentile(&mut times, 0.99), percentile(&mut times, 1.0));
    println!("{name:<28} {:>7}   p50 {half:>7.2} ms   p99 {most:>7.2} ms   max {worst:>7.2} ms", times.len());
}

/// How many answers there were, what they cost, and how long lists together and by kind, and details, took. The processor time is that
/// of whoever asked included.
pub(super) fn answered(mut asked: Times, took: Duration, spent: &Spent) {
    let count = asked.values().map(Vec::len).sum::<usize>() as f64;
    println!("{:<28} {:>7.0}   per second", "answers", count / took.as_secs_f64());
    if let Some(here) = spent.here {
        let each = here.as_secs_f64() * 1_000_000.0 / count;
        println!("{:<28} {each:>7.0}   microseconds for each answer", "processor");
    }
    if let Some(share) = spent.share_stolen(took) {
        println!("{:<28} {share:>7.1}   per cent of a processor, by the host of this machine", "stolen");
    }
    let details = asked.remove(DETAILS).unwrap_or_default();
    times("lists", asked.values().flatten().copied().collect());
    for (name, taken) in asked {
        times(name, taken);
    }
    times(DETAILS, details);
}

/// What was answered, in words.
pub(super) fn answers(decided: &Decided) -> String {
    let said: Vec<String> =
        decided.said.iter().map(|(verdict, count)| format!("{count} {verdict}")).collect();
    let Decided { refused, failed, .. } = decided;
    format!(
        "{} answers to plans ({}; {refused} refused, {failed} failed)",
        decided.times.len(),
        said.join(", ")
    )
}

/// Holds what every watcher heard against what the journal has, and says how many heard something else.
pub(super) fn heard(heard: &[Heard], written: u64) -> usize {
    let complete = heard.iter().filter(|one| one.events == written && one.out_of_order == 0).count();
    let (least, most) = (heard.iter().map(|one| one.events).min(), heard.iter().map(|one| one.events).max());
    let muddled: u64 = heard.iter().map(|one| one.out_of_order).sum();
    println!(
        "{:<28} {written:>7}   in the journal; {complete} of {} watchers heard all of them in order",
        "events",
        heard.len()
    );
    if complete < heard.len() {
        let (least, most) = (least.unwrap_or_default(), most.unwrap_or_default());
        println!(
            "{:<28} {:>7}   heard {least} to {most} events, {muddled} out of order",
            "NOT ALL",
            heard.len() - complete
        );
    }
    heard.len() - complete
}

/// Whoever runs this in a script does not read it.
pub(super) fn verdict(wrong: Wrong) -> ExitCode {
    let Wrong { watchers, answers } = wrong;
    if watchers == 0 && answers == 0 {
        return ExitCode::SUCCESS;
    }
    println!(
        "\nFAILED: {watchers} watchers did not hear everything in order, and {answers} answers to plans were errors."
    );
    ExitCode::FAILURE
}

/// Memory in use, in MB; nothing where the system does not say.
pub(super) fn memory() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find(|line| line.starts_with("VmRSS:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<f64>().ok()? / 1024.0)
}

/// Processor time, so far or within a while; nothing where the system does not say.
pub(super) struct Spent {
    /// In this program.
    here: Option<Duration>,
    /// When something wanted to run in this machine and its host ran something else.
    stolen: Option<Duration>,
}

impl Spent {
    pub(super) fn so_far() -> Self {
        Self { here: here(), stolen: stolen() }
    }

    /// What came on top of it until now.
    pub(super) fn since(&self) -> Self {
        let now = Self::so_far();
        let between = |before: Option<Duration>, now: Option<Duration>| now?.checked_sub(before?);
        Self { here: between(self.here, now.here), stolen: between(self.stolen, now.stolen) }
    }

    /// What the host took in so long, in per cent of a processor.
    pub(super) fn share_stolen(&self, took: Duration) -> Option<f64> {
        Some(self.stolen?.as_secs_f64() * 100.0 / took.as_secs_f64())
    }
}

fn here() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name may have spaces in it; numbers begin behind it.
    let mut numbers = text.rsplit_once(')')?.1.split_whitespace().skip(11);
    let (user, system): (u64, u64) = (numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?);
    Some(ticks(user + system))
}

fn stolen() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/stat").ok()?;
    let all = text.lines().next()?;
    all.split_whitespace().nth(8)?.parse().ok().map(ticks)
}

/// Linux counts a hundred in a second for every program, whatever its own clock does.
const fn ticks(count: u64) -> Duration {
    Duration::from_millis(count * 10)
}
