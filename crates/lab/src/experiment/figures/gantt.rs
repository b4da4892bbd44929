//! What was carried out, cluster by cluster: one bar for each change from its start to its end, for the first seed.

use super::{Drawing, Stage, names};
use crate::experiment::cell::{CellResult, Measured, Move};
use crate::figure::pen::{WIDTH, path, push, text, time_ruler};
use crate::figure::scale::{Scale, coordinate};
use crate::markup::Escaped;
use crate::wording;
use model::time::Timestamp;
use std::collections::BTreeMap;

const TOP: f64 = 16.0;
const BOTTOM: f64 = 46.0;
/// The height of a bar, and of the room it takes.
const BAR: f64 = 7.0;
const LANE: f64 = 9.0;
/// At most so many bars below each other in a cluster; more lie over each other in the last.
const MOST_LANES: usize = 8;
/// Changes are at least this wide, so that short ones are seen.
const NARROWEST: f64 = 3.0;
/// More clusters than this do not fit on a page; the busiest are drawn.
const MOST_CLUSTERS: usize = 30;

/// A cluster with its changes, each in a lane.
struct Row<'a> {
    cluster: &'a str,
    bars: Vec<(usize, &'a Move)>,
    lanes: usize,
}

/// One drawing for each strategy that did something; all have the same time axis.
pub(super) fn draw(stage: &Stage<'_>) -> Vec<Drawing> {
    let first = |arm: usize| match stage.setting.cells[arm].first()? {
        CellResult::Completed(measured) => Some((arm, &**measured)),
        _ => None,
    };
    let runs: Vec<(usize, &Measured)> = (0..stage.names.len()).filter_map(first).collect();
    let end = runs.iter().map(|(_, run)| length(run)).fold(0.0, f64::max);
    let arms: Vec<&str> = stage.results.arms.iter().map(String::as_str).collect();
    let slugs = names::slugs(&arms, names::STRATEGY_SLUG);
    runs.iter().filter_map(|(arm, run)| one(stage, *arm, run, end, &slugs[*arm])).collect()
}

fn length(run: &Measured) -> f64 {
    let course = run.course.pending_pods.len().saturating_sub(1) as f64 * run.course.step_s;
    run.moves.iter().map(|one| one.end_s).fold(course, f64::max)
}

fn one(stage: &Stage<'_>, arm: usize, run: &Measured, end_s: f64, slug: &str) -> Option<Drawing> {
    let (rows, left_out) = rows(&run.moves);
    if rows.is_empty() {
        return None;
    }
    let end = Timestamp((end_s.max(1.0) * 1_000.0) as u64);
    let labels: Vec<String> = rows.iter().map(|row| names::clipped(row.cluster, 30)).collect();
    let x = Scale {
        value_start: 0.0,
        value_end: end.as_millis() as f64,
        from: names::widest(&labels).max(50.0) + 24.0,
        to: WIDTH - 24.0,
    };
    let (mut body, mut top) = (String::new(), TOP);
    for (row, label) in rows.iter().zip(&labels) {
        let height = row.lanes as f64 * LANE + 8.0;
        path(&mut body, "lane", &format!("M{} {}H{}", coordinate(x.from), coordinate(top), coordinate(x.to)));
        text(&mut body, "end", x.from - 12.0, top + height / 2.0 + 4.0, label);
        row.bars
            .iter()
            .for_each(|(lane, change)| draw_bar(&mut body, change, x, top + 5.0 + *lane as f64 * LANE));
        top += height.max(20.0);
    }
    path(&mut body, "axis", &format!("M{} {}H{}", coordinate(x.from), coordinate(top), coordinate(x.to)));
    time_ruler(&mut body, end, x, top);
    Some(Drawing {
        key: stage.key(&format!("moves-{slug}")),
        title: format!("What {} had carried out, seed {}", stage.results.arms[arm], stage.results.seeds[0]),
        description: describe(stage, arm, run),
        note: note(run, left_out),
        height: top + BOTTOM,
        body,
    })
}

/// The busiest clusters in the order of their names, and how many are not among them.
fn rows(moves: &[Move]) -> (Vec<Row<'_>>, usize) {
    let mut clusters = BTreeMap::<&str, Vec<&Move>>::new();
    for change in moves {
        clusters.entry(&change.cluster).or_default().push(change);
    }
    let left_out = clusters.len().saturating_sub(MOST_CLUSTERS);
    let mut busiest: Vec<(&str, Vec<&Move>)> = clusters.into_iter().collect();
    busiest.sort_by_key(|(name, moves)| (std::cmp::Reverse(moves.len()), *name));
    busiest.truncate(MOST_CLUSTERS);
    busiest.sort_by_key(|(name, _)| *name);
    (busiest.into_iter().map(|(cluster, moves)| row(cluster, moves)).collect(), left_out)
}

/// Puts each change into the first lane that is free when it starts.
fn row<'a>(cluster: &'a str, mut moves: Vec<&'a Move>) -> Row<'a> {
    moves.sort_by(|one, other| one.start_s.total_cmp(&other.start_s).then(one.end_s.total_cmp(&other.end_s)));
    let mut free: Vec<f64> = Vec::new();
    let mut bars = Vec::new();
    for change in moves {
        let lane =
            free.iter().position(|until| *until <= change.start_s).unwrap_or(free.len()).min(MOST_LANES - 1);
        if lane == free.len() {
            free.push(0.0);
        }
        free[lane] = free[lane].max(change.end_s);
        bars.push((lane, change));
    }
    Row { cluster, lanes: free.len(), bars }
}

fn draw_bar(out: &mut String, change: &Move, x: Scale, top: f64) {
    let place = |seconds: f64| x.place(seconds * 1_000.0);
    let left = place(change.start_s).min(x.to - NARROWEST);
    let right = place(change.end_s).max(left + NARROWEST);
    let class = match (change.succeeded, change.from.is_some()) {
        (false, _) => "failure",
        (true, true) => "f0",
        (true, false) => "f3",
    };
    let (from, to, upper, lower) =
        (coordinate(left), coordinate(right), coordinate(top), coordinate(top + BAR));
    let words = in_words(change);
    push(
        out,
        format_args!(
            "<path class=\"{class}\" d=\"M{from} {upper}H{to}V{lower}H{from}Z\"><title>{}</title></path>",
            Escaped(&words)
        ),
    );
    if !change.succeeded {
        let (x, y) = (coordinate(right - 3.0), coordinate(top));
        path(out, "cross", &format!("M{x} {y}l{BAR} {BAR}m0 -{BAR}l-{BAR} {BAR}"));
    } else if change.from.is_none() {
        // A line through it: not told by its colour alone.
        path(out, "lane", &format!("M{from} {}H{to}", coordinate(top + BAR / 2.0)));
    }
}

fn in_words(change: &Move) -> String {
    let from =
        change.from.as_ref().map(|from| format!(" from {from} to {}", change.cluster)).unwrap_or_default();
    let end = if change.succeeded { "" } else { ", failed" };
    format!(
        "{}{from}: {} to {}{end}",
        change.what,
        wording::seconds(change.start_s),
        wording::seconds(change.end_s)
    )
}

fn note(run: &Measured, left_out: usize) -> String {
    let mut note = "Bars stand in the cluster where a change ends up, from start to end.".to_owned();
    let has = |of: fn(&Move) -> bool| run.moves.iter().any(of);
    if has(|change| change.from.is_none() && change.succeeded) {
        note.push_str(
            " Plain bars are moves between clusters, bars with a line through them changes in one place.",
        );
    }
    if has(|change| !change.succeeded) {
        note.push_str(" Hollow with a cross: failed.");
    }
    if left_out > 0 {
        let clusters = wording::count(left_out as u64, "cluster");
        push(&mut note, format_args!(" {clusters} with fewer changes not drawn."));
    }
    note
}

fn describe(stage: &Stage<'_>, arm: usize, run: &Measured) -> String {
    let failed = run.moves.iter().filter(|change| !change.succeeded).count();
    let longest = run.moves.iter().map(|change| change.end_s - change.start_s).fold(0.0, f64::max);
    format!(
        "{} by {} in {} with seed {}, {failed} of them failed; the longest took {}.",
        wording::count(run.moves.len() as u64, "change"),
        stage.results.arms[arm],
        stage.setting.name,
        stage.results.seeds[0],
        wording::seconds(longest)
    )
}
