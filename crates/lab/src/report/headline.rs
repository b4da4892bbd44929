//! The conclusion in one sentence, worked out from the data: how bad it got, what was done, how it ended.

use super::ReportInput;
use crate::summary::{ClusterMeters, ServiceMeters};
use crate::wording::{self, count, percent, service};
use model::action::Action;
use model::names::ClusterName;
use model::ratio::Ratio;
use model::review::Stage;
use std::collections::{BTreeMap, BTreeSet};

pub(crate) fn headline(input: &ReportInput<'_>) -> String {
    let parts = [peak(input), Some(changes(input)), ending(input), waiting(input)];
    let text: Vec<String> = services(input).into_iter().chain(parts.into_iter().flatten()).collect();
    let text = format!("{}.", text.join("; "));
    // Names keep their spelling; a sentence that begins with a word of ours begins with a capital.
    let ours = [("nothing", "Nothing"), ("all ", "All "), ("both ", "Both ")];
    let begins = ours.iter().find_map(|(word, capital)| Some((capital, text.strip_prefix(word)?)));
    begins.map_or(text.clone(), |(capital, rest)| format!("{capital}{rest}"))
}

/// What services did for their clients, the bad news first.
fn services(input: &ReportInput<'_>) -> Vec<String> {
    let (missed, kept) = objectives(input);
    missed.into_iter().chain(downtime(input)).chain(kept).collect()
}

/// Which services missed their objective; if none did, that all kept it.
fn objectives(input: &ReportInput<'_>) -> (Option<String>, Option<String>) {
    let mut services = input.summary.worst_services();
    services.retain(|(_, meters)| meters.kept().is_some());
    let missed: Vec<_> = services.iter().filter(|(_, meters)| meters.kept() == Some(false)).collect();
    let all = services.len();
    match (services.as_slice(), missed.as_slice()) {
        ([], _) => (None, None),
        ([(name, _)], []) => (None, Some(format!("{} kept its objective", service(name)))),
        ([_, _], []) => (None, Some("both services kept their objective".to_owned())),
        (_, []) => (None, Some(format!("all {all} services kept their objective"))),
        (_, [(name, meters)]) => {
            (Some(format!("{} missed its objective: {}", service(name), how(meters))), None)
        }
        (_, [(name, meters), ..]) => {
            let (number, worst) = (missed.len(), service(name));
            let text =
                format!("{number} of {all} services missed their objective, worst {worst}: {}", how(meters));
            (Some(text), None)
        }
    }
}

/// What was promised beside what came of it, slowness before failures.
fn how(meters: &ServiceMeters) -> String {
    let objective = meters.objective.unwrap_or_default();
    let slow = objective.latency_p95_ms.filter(|limit| meters.p95_ms() > *limit);
    let failed = (meters.failed_ratio() > objective.errors_ratio)
        .then(|| format!("{} of its requests failed", wording::share(meters.failed_ratio())));
    let slow = slow.map(|limit| {
        let taken = wording::milliseconds(meters.p95_ms());
        format!("95 of 100 answers within {taken} instead of {}", wording::milliseconds(limit))
    });
    let parts: Vec<String> = slow.into_iter().chain(failed).collect();
    parts.join(", ")
}

fn downtime(input: &ReportInput<'_>) -> Option<String> {
    let summary = input.summary;
    let services = summary.meters.services.iter();
    let mut down: Vec<_> = services.filter(|(_, meters)| meters.was_down(summary.duration_s)).collect();
    down.sort_by(|a, b| b.1.downtime_s.total_cmp(&a.1.downtime_s));
    let (name, worst) = down.first()?;
    let (name, time) = (service(name), wording::brief(worst.downtime_s));
    Some(match down.len() {
        1 => format!("{name} was down for {time}"),
        number => format!("{number} services were down, {name} longest, for {time}"),
    })
}

/// The fullest moment of any cluster, with the resource that was full.
pub(crate) fn fullest(
    clusters: &BTreeMap<ClusterName, ClusterMeters>,
) -> Option<(&ClusterName, Ratio, &'static str)> {
    let mut fullest: Option<(&ClusterName, Ratio, &'static str)> = None;
    for (name, meters) in clusters {
        for (load, resource) in [(meters.cpu_load_max, "CPU"), (meters.memory_load_max, "memory")] {
            let load = share(load);
            if fullest.is_none_or(|(_, most, _)| load > most) {
                fullest = Some((name, load, resource));
            }
        }
    }
    fullest
}

fn peak(input: &ReportInput<'_>) -> Option<String> {
    let (name, load, resource) = fullest(&input.summary.meters.clusters)?;
    Some(format!("{name} peaked at {} {resource}", percent(load)))
}

/// What was carried out: moves by target, then other kinds of change.
fn changes(input: &ReportInput<'_>) -> String {
    let applied = input.timeline.recommendations().filter(|life| life.stage == Stage::Applied);
    let (mut targets, mut moved) = (BTreeSet::new(), BTreeSet::new());
    let (mut within, mut scaled, mut resized) = (0, 0, 0);
    for life in applied {
        match &life.action {
            Action::Migrate { workload, to, .. } => {
                targets.insert(to.clone());
                moved.insert(workload.clone());
            }
            Action::Move { .. } => within += 1,
            Action::Scale { .. } => scaled += 1,
            Action::ResizePool { .. } => resized += 1,
            Action::Hold { .. } => {}
        }
    }
    let mut parts = Vec::new();
    if let Some(target) = targets.first() {
        let place =
            if targets.len() == 1 { target.to_string() } else { count(targets.len() as u64, "cluster") };
        parts.push(format!("{} moved to {place}", count(moved.len() as u64, "workload")));
    }
    let others = [(within, "moved within a cluster"), (scaled, "scaled"), (resized, "resized")];
    let nouns = ["workload", "workload", "node pool"];
    let others = others.iter().zip(nouns).filter(|((number, _), _)| *number > 0);
    parts.extend(others.map(|((number, verb), noun)| often(noun, verb, *number)));
    if parts.is_empty() { nothing_done(input).to_owned() } else { parts.join(", ") }
}

fn often(noun: &str, verb: &str, number: u64) -> String {
    if number == 1 { format!("one {noun} {verb}") } else { format!("{noun}s {verb} {number} times") }
}

fn nothing_done(input: &ReportInput<'_>) -> &'static str {
    if input.timeline.recommendations().len() == 0 {
        "nothing was recommended"
    } else {
        "nothing was changed"
    }
}

/// Which clusters ended above the load limit.
fn ending(input: &ReportInput<'_>) -> Option<String> {
    let limit = input.limits.max_load;
    let clusters = &input.summary.meters.clusters;
    let above: Vec<&ClusterName> =
        clusters.iter().filter(|(_, meters)| end_load(meters) > limit).map(|(name, _)| name).collect();
    let limit = percent(limit);
    match (clusters.len(), above.as_slice()) {
        (0, _) => None,
        (1, []) => Some(format!("it ended within {limit}")),
        (2, []) => Some(format!("both clusters ended within {limit}")),
        (all, []) => Some(format!("all {all} clusters ended within {limit}")),
        (_, [one]) => Some(format!("{one} ended above {limit}")),
        (all, many) => Some(format!("{} of {all} clusters ended above {limit}", many.len())),
    }
}

fn waiting(input: &ReportInput<'_>) -> Option<String> {
    let last = input.series.clusters.iter().filter_map(|(_, samples)| samples.last());
    let pending: u64 = last.map(|sample| u64::from(sample.pods_pending)).sum();
    (pending > 0).then(|| format!("{} still pending", count(pending, "pod")))
}

fn end_load(meters: &ClusterMeters) -> Ratio {
    share(meters.cpu_load_final).max(share(meters.memory_load_final))
}

pub(crate) fn share(value: f64) -> Ratio {
    Ratio::from_f64(value).unwrap_or(Ratio::ZERO)
}

/// The headline's counterpart for the page title, where space is short.
pub(crate) fn title(input: &ReportInput<'_>) -> String {
    let summary = input.summary;
    format!("{} · {} · seed {}", summary.scenario, summary.strategy, summary.seed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bad_day;
    use crate::three_waves;
    use crate::timeline::Timeline;

    #[test]
    fn the_conclusion_comes_from_the_data() {
        three_waves::with_input(|input| {
            let expected = "member1 peaked at 91.5 % CPU; 5 workloads moved to member2; both clusters ended within 80 %.";
            assert_eq!(headline(input).replace('\u{a0}', " "), expected);
        });
    }

    #[test]
    fn services_come_first() {
        bad_day::with_input(|input| {
            let check = |summary: &crate::summary::Summary, expected: &str| {
                let headline = headline(&ReportInput { summary, ..*input }).replace('\u{a0}', " ");
                assert_eq!(headline.split("; member1").next().unwrap(), expected);
            };
            let mut summary = input.summary.clone();
            check(
                &summary,
                "2 of 3 services missed their objective, worst web: 95 of 100 answers within 1.25 s instead of 500 ms; \
                 search was down for 50 s",
            );
            summary.meters.services.retain(|name, _| name.name() != "web");
            check(
                &summary,
                "search missed its objective: 16.7 % of its requests failed; search was down for 50 s",
            );
            summary.meters.services.retain(|name, _| name.name() == "login");
            check(&summary, "login kept its objective");
            let login = summary.meters.services.values().next().cloned().unwrap();
            summary.meters.services.insert("default/web".parse().unwrap(), login);
            check(&summary, "Both services kept their objective");
            for meters in summary.meters.services.values_mut() {
                (meters.downtime_s, meters.objective) = (90.0, None);
            }
            check(&summary, "2 services were down, login longest, for 90 s");
        });
    }

    #[test]
    fn a_bad_ending_is_said() {
        three_waves::with_input(|input| {
            let (timeline, mut summary, mut series) =
                (Timeline::default(), input.summary.clone(), input.series.clone());
            for meters in summary.meters.clusters.values_mut().take(1) {
                meters.memory_load_max = 0.95;
                meters.memory_load_final = 0.95;
            }
            series.clusters[0].1.last_mut().unwrap().pods_pending = 3;
            let input = ReportInput { timeline: &timeline, summary: &summary, series: &series, ..*input };
            let expected = "member1 peaked at 95 % memory; nothing was recommended; member1 ended above 80 %; 3 pods still pending.";
            assert_eq!(headline(&input).replace('\u{a0}', " "), expected);
        });
    }
}
