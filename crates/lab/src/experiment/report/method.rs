//! What the statistics are, for readers who want to check them.

use crate::experiment::results::Results;
use crate::markup::Escaped;
use crate::report::html::push;
use crate::statistics::{Bootstrap, FEWEST_SEEDS};
use crate::wording;

pub(super) fn write(out: &mut String, results: &Results) {
    let Bootstrap { resamples, seed } = Bootstrap::default();
    let resamples = wording::grouped(u64::from(resamples));
    let baseline = &results.arms[results.baseline];
    let entries: [(&str, String); 9] = [
        (
            "Runs",
            "Every strategy runs every scenario with every seed. A seed fixes arrivals, durations, failures and the reviewer, so that strategies are \
             compared on the same days, seed by seed."
                .to_owned(),
        ),
        ("Mean and interval", "The mean over seeds with its 95 % interval by Student's t distribution.".to_owned()),
        (
            "Differences",
            format!(
                "Strategy minus {baseline}, seed by seed, over the seeds that both completed. Their 95 % interval is a paired percentile bootstrap of \
                 the mean difference with {resamples} resamples, started from seed {seed}. A difference is called shown if this interval excludes zero."
            ),
        ),
        (
            "p",
            "Wilcoxon's signed-rank test of the differences, two-sided; exact up to 50 differences, normal approximation with tie correction above. \
             Corrected by Holm's method over all comparisons with the baseline in a scenario. It confirms what the interval shows and decides nothing \
             by itself: with few seeds it cannot become small."
                .to_owned(),
        ),
        (
            "Effect",
            "Rank-biserial correlation of the signed-rank test: how consistently one is above the other, from −1 to 1. results.csv also has the mean \
             difference in standard deviations of the differences."
                .to_owned(),
        ),
        (
            "Best",
            "The strategy with the best mean is called best only if its paired difference to the next one excludes zero, by the same bootstrap, and if \
             all runs of both were completed."
                .to_owned(),
        ),
        ("Too few seeds", format!("With fewer than {FEWEST_SEEDS} seeds nothing is called shown or best, whatever the numbers are.")),
        (
            "Not beaten",
            "No other strategy is at least as good in everything asked and better in something. This compares means and is no test.".to_owned(),
        ),
        ("Failed runs", "Runs that failed or took too long are counted and are in no mean.".to_owned()),
    ];
    out.push_str("<dl class=\"method\">");
    for (name, words) in entries {
        push(out, format_args!("<div><dt>{name}</dt><dd>{}</dd></div>", Escaped(&words)));
    }
    out.push_str("</dl>");
}
