//! Courses in one line of text each: how many pods waited over time, strategy by strategy.

use crate::experiment::course::Track;
use crate::experiment::digits;
use crate::experiment::figures::shown_names;
use crate::experiment::results::{Results, SettingResults};
use crate::markup::plain;
use crate::wording;
use std::fmt::Write as _;

const LEVELS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Letters of a line.
const WIDTH: usize = 60;

/// A line for each strategy; nothing if no run was completed. All have the same scale, so that they can be compared.
pub(super) fn pending_pods(results: &Results, setting: &SettingResults) -> String {
    let tracks =
        (0..results.arms.len()).filter_map(|arm| Track::of(setting, arm, |course| &course.pending_pods));
    let tracks: Vec<Track> = tracks.collect();
    let most = tracks.iter().map(Track::most).fold(0.0, f64::max);
    if tracks.is_empty() {
        return String::new();
    }
    let seeds = wording::count(results.seeds.len() as u64, "seed");
    let mut text = format!("pending pods over time, mean of {seeds}\n");
    let names: Vec<String> = shown_names(&results.arms).iter().map(|name| plain(name)).collect();
    let widest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    for track in &tracks {
        let name = &names[track.arm];
        let line = line(&track.mean, most);
        let _ = writeln!(text, "{name:<widest$}  {line}  at most {}", digits::number(track.most()));
    }
    text
}

/// The highest value of each stretch, so that peaks are seen.
fn line(values: &[f64], most: f64) -> String {
    let width = WIDTH.min(values.len());
    let stretch = |index: usize| &values[index * values.len() / width..(index + 1) * values.len() / width];
    let level = |value: f64| {
        // Zero alone is the lowest; what is there at all is seen.
        let share = if most > 0.0 { value / most } else { 0.0 };
        LEVELS[((share * 7.0).ceil() as usize).min(7)]
    };
    (0..width).map(|index| level(stretch(index).iter().copied().fold(0.0, f64::max))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::figures::sample;

    #[test]
    fn peaks_are_seen_and_zero_is_the_lowest() {
        assert_eq!(line(&[0.0, 0.1, 4.0, 8.0], 8.0), "▁▂▅█");
        assert_eq!(line(&[0.0; 3], 0.0), "▁▁▁");
        let mut long = vec![0.0; 1_000];
        long[777] = 5.0;
        assert_eq!(line(&long, 5.0).chars().filter(|letter| *letter == '█').count(), 1);
        assert_eq!(line(&long, 5.0).chars().count(), WIDTH);
    }

    #[test]
    fn every_strategy_has_a_line_with_its_maximum() {
        let results = sample::results(3, 4);
        let text = pending_pods(&results, &results.settings[0]);
        assert_eq!(text.lines().count(), 4);
        assert!(text.starts_with("pending pods over time, mean of 4 seeds\nhold "));
        assert!(text.lines().skip(1).all(|line| line.contains("█") || line.contains("▇")), "{text}");
        assert!(text.lines().skip(1).all(|line| line.contains("  at most ")), "{text}");
    }
}
