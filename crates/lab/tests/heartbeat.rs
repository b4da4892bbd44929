//! The shipped heartbeat under several autoscalers: the order and size of their faults is known from elsewhere, and must be
//! found here as well. The numbers of docs/results.md are those of this test.

use expect_test::{Expect, expect};
use lab::run::{Plan, Scenario};
use lab::summary::ServiceMeters;
use simulator::scenario;
use strategies::catalogue::StrategyConfig;

const SHIPPED: &str = include_str!("../../../scenarios/heartbeat.yaml");
const SEEDS: std::ops::RangeInclusive<u64> = 1..=10;
const AUTOSCALER: &str = "    horizontal_autoscaler: { maxReplicas: 20, ";

/// Means over all seeds.
#[derive(Clone, Copy, Debug, Default)]
struct Row {
    most_replicas: f64,
    pod_minutes: f64,
    overloaded: f64,
    under: f64,
    over: f64,
    under_time: f64,
    changes: f64,
}

impl Row {
    fn of(text: &str) -> Self {
        let rows: Vec<Self> = SEEDS.map(|seed| Self::from(&meters(text, seed))).collect();
        let mean = |of: fn(&Self) -> f64| rows.iter().map(of).sum::<f64>() / rows.len() as f64;
        Self {
            most_replicas: mean(|row| row.most_replicas),
            pod_minutes: mean(|row| row.pod_minutes),
            overloaded: mean(|row| row.overloaded),
            under: mean(|row| row.under),
            over: mean(|row| row.over),
            under_time: mean(|row| row.under_time),
            changes: mean(|row| row.changes),
        }
    }

    fn line(&self, name: &str) -> String {
        let Self { most_replicas, pod_minutes, overloaded, under, over, under_time, changes } = self;
        format!(
            "| {name} | {most_replicas:.1} | {pod_minutes:.1} | {overloaded:.1} % | {under:.1} | {over:.0} | {under_time:.1} | {changes:.1} |\n"
        )
    }
}

impl From<&ServiceMeters> for Row {
    fn from(meters: &ServiceMeters) -> Self {
        Self {
            most_replicas: f64::from(meters.replicas_max),
            pod_minutes: meters.replica_hours * 60.0,
            overloaded: meters.overloaded_time_ratio * 100.0,
            under: meters.elasticity.under_provisioning_accuracy,
            over: meters.elasticity.over_provisioning_accuracy,
            under_time: meters.elasticity.under_provisioning_time,
            changes: meters.replica_changes as f64,
        }
    }
}

fn meters(text: &str, seed: u64) -> ServiceMeters {
    let read: Scenario = scenario::read_with("heartbeat.yaml", text.as_bytes(), StrategyConfig::check)
        .unwrap_or_else(|problems| panic!("{problems}\n{text}"));
    let outcome = Plan::new(read, seed).run(Vec::new(), &mut |_, _, _| {}).expect("memory can be written");
    outcome.summary.meters.services.values().next().expect("there is one service").clone()
}

fn with_target(percent: u32) -> String {
    SHIPPED.replace("averageUtilization: 80", &format!("averageUtilization: {percent}"))
}

fn without_patience() -> String {
    let impatient = format!("{AUTOSCALER}behavior: {{ scaleDown: {{ stabilizationWindowSeconds: 0 }} }}, ");
    SHIPPED.replace(AUTOSCALER, &impatient)
}

fn without_autoscaler(events: &str) -> String {
    let kept = SHIPPED.lines().filter(|line| !line.starts_with(AUTOSCALER));
    format!("{}\nevents:\n{events}", kept.collect::<Vec<_>>().join("\n"))
}

fn scale(at: u32, replicas: u32) -> String {
    format!("  - {{ at: {at}s, workload: default/web, change: {{ scale: {{ replicas: {replicas} }} }} }}\n")
}

/// Cores that the shipped stages ask for at a second.
fn cores(second: u32) -> f64 {
    let in_cycle = f64::from((second.saturating_sub(20)) % 240);
    match second {
        0..20 | 740.. => 0.0,
        _ if in_cycle < 30.0 => 0.06 + 2.34 * in_cycle / 30.0,
        _ if in_cycle < 150.0 => 2.4,
        _ if in_cycle < 180.0 => 2.4 - 2.34 * (in_cycle - 150.0) / 30.0,
        _ => 0.06,
    }
}

/// Knows the next minute, and asks every 15 seconds for what four fifths of the requests carry.
fn oracle() -> String {
    let (mut events, mut present) = (String::new(), 1);
    for at in (0..800).step_by(15) {
        let most = (at..=at + 60).map(cores).fold(0.0, f64::max);
        let wanted = ((most / 0.8 - 1e-9).ceil() as u32).max(1);
        if wanted != present {
            events.push_str(&scale(at, wanted));
            present = wanted;
        }
    }
    without_autoscaler(&events)
}

#[test]
fn autoscalers_err_as_they_are_known_to() {
    let [eighty, sixty, forty] = [80, 60, 40].map(|percent| Row::of(&with_target(percent)));
    let impatient = Row::of(&without_patience());
    let [four, eight] = [4, 8].map(|replicas| Row::of(&without_autoscaler(&scale(1, replicas))));
    let oracle = Row::of(&oracle());

    // Lower targets take more replicas and are overloaded for less long; a constant eight wastes the most.
    assert!(eighty.pod_minutes < sixty.pod_minutes && sixty.pod_minutes < forty.pod_minutes);
    assert!(forty.pod_minutes < eight.pod_minutes && eighty.pod_minutes < four.pod_minutes);
    assert!(forty.overloaded <= sixty.overloaded && sixty.overloaded <= eighty.overloaded);
    assert!(eighty.over < sixty.over && sixty.over < forty.over && forty.over < eight.over);
    // Five minutes of patience keep replicas over the troughs: without them a third fewer, and three times the overload.
    assert!(impatient.pod_minutes < 0.8 * eighty.pod_minutes);
    assert!(impatient.overloaded > 2.5 * eighty.overloaded && impatient.changes > 3.0 * eighty.changes);
    // Who knows the next minute needs less and is hardly ever overloaded.
    assert!(oracle.pod_minutes < 0.9 * eighty.pod_minutes);
    assert!(oracle.overloaded < eighty.overloaded / 3.0);
    // The paper's eight replicas need no forecast: a target of 40 % takes nearly as many.
    assert!((3.0..=4.0).contains(&eighty.most_replicas) && (6.0..=8.0).contains(&forty.most_replicas));

    let rows = [
        ("HPA at 80 %", eighty),
        ("HPA at 60 %", sixty),
        ("HPA at 40 %", forty),
        ("HPA at 80 %, no stabilisation", impatient),
        ("static 4", four),
        ("static 8", eight),
        ("oracle, 60 s ahead", oracle),
    ];
    table(
        &rows,
        &expect![[r"
        | HPA at 80 % | 3.0 | 37.1 | 6.9 % | 5.3 | 77 | 8.4 | 3.0 |
        | HPA at 60 % | 4.0 | 49.3 | 5.0 % | 4.6 | 132 | 6.5 | 3.0 |
        | HPA at 40 % | 6.0 | 73.3 | 5.0 % | 4.6 | 244 | 6.5 | 3.0 |
        | HPA at 80 %, no stabilisation | 3.0 | 26.9 | 20.8 % | 12.8 | 23 | 22.3 | 13.0 |
        | static 4 | 4.0 | 52.5 | 0.0 % | 1.5 | 143 | 1.5 | 2.0 |
        | static 8 | 8.0 | 105.0 | 0.0 % | 1.5 | 384 | 1.5 | 2.0 |
        | oracle, 60 s ahead | 3.0 | 32.9 | 0.0 % | 1.5 | 34 | 1.5 | 8.0 |
    "]],
    );
}

fn table(rows: &[(&str, Row)], expected: &Expect) {
    let lines: String = rows.iter().map(|(name, row)| row.line(name)).collect();
    expected.assert_eq(&lines);
}
