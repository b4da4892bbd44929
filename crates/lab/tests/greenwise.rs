//! The hosts of GreenWise in a simulated cluster: what they draw for a service and how long its users wait, against the model of
//! the study's table that is known from elsewhere.

use lab::run::{Outcome, Plan, Scenario};
use model::series::ServiceSample;
use model::signal::Milli;
use simulator::scenario;
use strategies::catalogue::StrategyConfig;

const SHIPPED: &str = include_str!("../../../scenarios/greenwise-hosts.yaml");

/// Watts for the service and milliseconds for its users, on average.
const EXPECTED: [(&str, f64, f64); 4] =
    [("cloud", 52.1, 131.0), ("edge0", 25.2, 224.0), ("edge1", 22.4, 215.0), ("edge2", 51.6, 213.0)];

fn run(text: &str, seed: u64) -> Outcome {
    let read: Scenario = scenario::read_with("greenwise-hosts.yaml", text.as_bytes(), StrategyConfig::check)
        .unwrap_or_else(|problems| panic!("{problems}"));
    Plan::new(read, seed).run(Vec::new(), &mut |_, _, _| {}).expect("memory can be written")
}

fn samples<'a>(outcome: &'a Outcome, host: &str) -> &'a [ServiceSample] {
    let name = format!("deployment/default/on-{host}");
    let (_, samples) =
        outcome.series.services.iter().find(|(other, _)| other.to_string() == name).expect("it is there");
    samples
}

fn near(got: f64, want: f64, what: &str) {
    assert!((got / want - 1.0).abs() <= 0.05, "{what}: {got:.2}, expected {want} within 5 %");
}

#[test]
fn every_host_draws_and_answers_as_in_the_study() {
    let outcome = run(SHIPPED, 1);
    let hours = outcome.summary.duration_s / 3_600.0;
    for (host, watts, milliseconds) in EXPECTED {
        let name = format!("deployment/default/on-{host}").parse().expect("a reference");
        let meters = &outcome.summary.meters.services[&name];
        let drawn = meters.energy_kwh.expect("its host has a power model") * 1_000.0 / hours;
        near(drawn, watts, &format!("watts on {host}"));
        let samples = samples(&outcome, host);
        // Every moment counts the same, as in the study; the meter of the run counts requests.
        let waited = samples.iter().map(|sample| sample.latency_mean_ms.as_f64()).sum::<f64>();
        near(waited / samples.len() as f64, milliseconds, &format!("milliseconds on {host}"));
        let users: f64 = samples.iter().filter_map(|sample| sample.users).map(Milli::as_f64).sum();
        near(users / samples.len() as f64, 20.9, &format!("users of {host}"));
    }
}

/// Whole hosts without any service, half busy, and busy: the background is the load.
#[test]
fn hosts_draw_what_was_published() {
    let published = [
        ("cloud", [162.0, 206.0, 280.0]),
        ("edge0", [19.0, 33.1, 58.5]),
        ("edge1", [36.6, 49.4, 69.7]),
        ("edge2", [21.4, 56.0, 102.0]),
    ];
    for (host, watts) in published {
        let cores = if host == "cloud" { 12_000 } else { 4_000 };
        for (part, expected) in watts.into_iter().enumerate() {
            let drawn = alone(host, cores * part / 2);
            assert!((drawn - expected).abs() < 1e-6, "{host} at {part}/2: {drawn} W");
        }
    }
}

/// The mean power of a cluster of one such host on which only the system works.
fn alone(host: &str, millicores: usize) -> f64 {
    let pool = SHIPPED.lines().find(|line| line.contains(&format!("name: {host},"))).expect("its pool");
    let (before, rest) = pool.split_once("background_cpu: ").expect("its background");
    let (_, after) = rest.split_once(',').expect("more keys");
    let text = format!(
        "drover: scenario/v1\nname: alone\nduration: 1h\nclusters:\n  - name: campus\n    pools:\n{before}background_cpu: {millicores}m,{after}\n"
    );
    run(&text, 1).summary.meters.energy_kwh.expect("a power model") * 1_000.0
}
