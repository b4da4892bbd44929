//! A progress bar on standard error, only where a person watches.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use model::time::{Period, Timestamp};

/// How far a run is, in simulated seconds.
pub(crate) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    pub(crate) fn new(duration: Period) -> Self {
        let bar = ProgressBar::with_draw_target(Some(duration.as_millis() / 1_000), ProgressDrawTarget::stderr());
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
