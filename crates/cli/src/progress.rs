//! A progress bar on standard error, only where a person watches.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use lab::experiment::runner::Progress as CellsDone;
use model::time::{Period, Timestamp};

/// How far a run is, in simulated seconds.
pub(crate) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    pub(crate) fn new(duration: Period) -> Self {
        let bar =
            ProgressBar::with_draw_target(Some(duration.as_millis() / 1_000), ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template("{bar:40} {pos}/{len} simulated seconds, {eta} left");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Self { bar }
    }

    pub(crate) fn at(&self, now: Timestamp) {
        self.bar.set_position(now.as_millis() / 1_000);
    }

    pub(crate) fn done(&self) {
        self.bar.finish_and_clear();
    }
}

/// How many runs of an experiment are done.
pub(crate) struct CellProgress {
    bar: ProgressBar,
}

impl CellProgress {
    pub(crate) fn new(cells: usize) -> Self {
        let bar = ProgressBar::with_draw_target(Some(cells as u64), ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template("{bar:40} {pos}/{len} runs, {eta} left{msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Self { bar }
    }

    pub(crate) fn at(&self, now: CellsDone) {
        let known = if now.known > 0 { format!(", {} known before", now.known) } else { String::new() };
        let troubled = if now.troubled > 0 { format!(", {} failed", now.troubled) } else { String::new() };
        self.bar.set_message(format!("{known}{troubled}"));
        self.bar.set_position(now.done as u64);
    }

    pub(crate) fn done(&self) {
        self.bar.finish_and_clear();
    }
}

/// How many decisions of a bench are made. It begins without knowing of how many.
pub(crate) struct DecisionProgress {
    bar: ProgressBar,
}

impl Default for DecisionProgress {
    fn default() -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template("{bar:40} {pos}/{len} decisions, {eta} left");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Self { bar }
    }
}

impl DecisionProgress {
    pub(crate) fn begin(&self, decisions: usize) {
        self.bar.set_length(decisions as u64);
    }

    pub(crate) fn at(&self, done: usize) {
        self.bar.set_position(done as u64);
    }

    pub(crate) fn done(&self) {
        self.bar.finish_and_clear();
    }
}

/// How far a recording is, in real seconds, and what is there.
pub(crate) struct Watching {
    bar: ProgressBar,
}

impl Watching {
    pub(crate) fn new(duration: Period) -> Self {
        let bar =
            ProgressBar::with_draw_target(Some(duration.as_millis() / 1_000), ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template("{bar:40} {pos}/{len} s; {msg}; Ctrl-C ends and writes");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Self { bar }
    }

    pub(crate) fn at(&self, now: Timestamp, (workloads, pending): (usize, u32)) {
        self.bar.set_message(format!("{workloads} workloads, {pending} pods wait"));
        self.bar.set_position(now.as_millis() / 1_000);
    }

    pub(crate) fn done(&self) {
        self.bar.finish_and_clear();
    }
}
