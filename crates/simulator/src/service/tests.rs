//! Services against results that were had in another way: closed forms, brute force, simulated queues, and a published study.

#![expect(clippy::needless_raw_string_hashes, reason = "expect-test writes them")]

use super::*;
use crate::demand::Fault;
use crate::randomness::Randomness;
use expect_test::{Expect, expect};
use model::document;
use proptest::prelude::{Just, ProptestConfig, Strategy, any, prop, prop_assert, prop_oneof, proptest};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

const SECOND: Period = Period::from_secs(1);

fn profile(cpu_seconds: f64, wait_seconds: f64) -> Profile {
    Profile::new(cpu_seconds, wait_seconds).unwrap()
}

fn open(requests_per_second: f64) -> Load {
    Load::Open { requests_per_second }
}

fn closed(users: f64) -> Load {
    Load::Closed { users, think_seconds: 0.3 }
}

/// A service in its steady state: one step that is longer than any transient.
fn steady(profile: Profile, load: Load, group: Group) -> Outcome {
    let mut service = Service::new(profile);
    service.advance(Timestamp::EPOCH, Period::from_hours(1_000_000), load, &[group]);
    service.advance(Timestamp::EPOCH, SECOND, load, &[group])
}

fn near(got: f64, want: f64, tolerance: f64) {
    assert!((got - want).abs() <= tolerance * want.abs(), "{got} instead of {want}");
}

// ---- The closed model ----

/// Exact mean value analysis of one station with several servers, user by user, as textbooks have it: throughput and
/// response time. The probability of an empty station comes from its sum rule and is good for small utilisations only, so
/// the state probabilities are carried along instead.
fn mean_value_analysis(users: usize, think: f64, service: f64, servers: f64) -> (f64, f64) {
    let mut states = vec![1.0];
    let mut result = (0.0, service);
    for count in 1..=users {
        let rate = |number: usize| (number as f64).min(servers) / service;
        let response: f64 = (1..=count).map(|number| number as f64 / rate(number) * states[number - 1]).sum();
        let throughput = count as f64 / (think + response);
        let mut next: Vec<f64> =
            (1..=count).map(|number| throughput / rate(number) * states[number - 1]).collect();
        next.insert(0, (1.0 - next.iter().sum::<f64>()).max(0.0));
        states = next;
        result = (throughput, response);
    }
    result
}

const HOSTS: [(&str, f64, f64); 4] =
    [("cloud", 12.0, 0.0309), ("edge0", 4.0, 0.014), ("edge1", 4.0, 0.005), ("edge2", 4.0, 0.003)];

fn host(name: &str) -> Group {
    let (_, cores, network_seconds) = HOSTS.into_iter().find(|host| host.0 == name).unwrap();
    Group { network_seconds, ..Group::new(1, 1, cores) }
}

#[test]
fn the_closed_model_is_exact_mean_value_analysis() {
    for servers in [4.0, 12.0] {
        for users in 1..=60 {
            let (throughput, response) = mean_value_analysis(users, 0.325, 0.075, servers);
            let got = steady(profile(0.075, 0.025), closed(users as f64), Group::new(1, 1, servers));
            // The recursion loses some digits near saturation, where 1 − Σ is a difference of nearly equal numbers.
            near(got.throughput(), throughput, 1e-6);
            near(got.latency.mean, 0.025 + response, 1e-6);
        }
    }
}

#[test]
fn the_published_study_is_reproduced() {
    let at = |name: &str, users: f64| steady(profile(0.075, 0.025), closed(users), host(name));
    for edge in ["edge0", "edge1", "edge2"] {
        near(at(edge, 60.0).throughput(), 53.333, 1e-4);
        near(at(edge, 60.0).latency.mean, 0.830, 0.011);
        assert!(at(edge, 25.0).utilisation() > 0.95, "saturated from 20 to 25 users on");
        assert!(at(edge, 15.0).utilisation() < 0.9);
    }
    near(at("cloud", 60.0).latency.mean, 0.147, 0.005);
    let weights: Vec<f64> =
        (1..=60).map(|users| libm::exp(-f64::from(users - 12) * f64::from(users - 12) / 800.0)).collect();
    let mean = |name: &str, of: fn(&Outcome) -> f64| {
        let sum: f64 =
            (1..=60).zip(&weights).map(|(users, weight)| weight * of(&at(name, f64::from(users)))).sum();
        sum / weights.iter().sum::<f64>()
    };
    for (name, milliseconds) in [("cloud", 131.0), ("edge0", 224.0), ("edge1", 215.0), ("edge2", 213.0)] {
        near(mean(name, |outcome| outcome.latency.mean) * 1000.0, milliseconds, 0.005);
    }
    // With the background of the study, 1.5 and 0.9 cores, the hosts are 45 % and at most 84 % busy.
    near((mean("cloud", |outcome| outcome.cores_used) + 1.5) / 12.0, 0.45, 0.01);
    near(mean("edge0", |outcome| (outcome.cores_used + 0.9).min(4.0) / 4.0), 0.84, 0.01);
}

#[test]
fn response_times_of_users_are_those_of_a_simulated_queue() {
    for (users, servers) in [(3, 4), (15, 4), (24, 4), (60, 4), (60, 12)] {
        let mut times = simulated_users(users, servers, 200_000);
        times.sort_by(f64::total_cmp);
        let quantile = |share: f64| times[(times.len() as f64 * share) as usize];
        let got =
            steady(profile(0.075, 0.0), closed(f64::from(users)), Group::new(1, 1, servers as f64)).latency;
        near(got.mean, times.iter().sum::<f64>() / times.len() as f64, 0.02);
        // The gamma distribution is an approximation, worst where some requests wait and most do not.
        near(got.p50, quantile(0.5), 0.05);
        near(got.p95, quantile(0.95), 0.03);
        near(got.p99, quantile(0.99), 0.05);
    }
}

fn exponential(draws: &mut impl Iterator<Item = f64>, mean: f64) -> f64 {
    -mean * libm::log(draws.next().unwrap())
}

/// Response times of users at one first-come-first-served station, in nanoseconds so that they can be ordered.
fn simulated_users(users: u32, servers: usize, requests: usize) -> Vec<f64> {
    let field = Randomness::new(5).field("users");
    let mut draws = (0..).map(|index| field.unit_at(index));
    let ordered = |seconds: f64| Reverse((seconds * 1e9) as u64);
    let mut arrivals: BinaryHeap<Reverse<u64>> =
        (0..users).map(|_| ordered(exponential(&mut draws, 0.3))).collect();
    let mut free = vec![0.0_f64; servers];
    let mut times = Vec::with_capacity(requests);
    while times.len() < requests {
        let arrival = arrivals.pop().unwrap().0 as f64 / 1e9;
        let server = free.iter_mut().min_by(|left, right| left.total_cmp(right)).unwrap();
        *server = arrival.max(*server) + exponential(&mut draws, 0.075);
        times.push(*server - arrival);
        arrivals.push(ordered(*server + exponential(&mut draws, 0.3)));
    }
    times
}

#[test]
fn many_users_cost_no_more_time_and_meet_the_bounds() {
    let at =
        |users: f64| steady(profile(0.01, 0.0).with_queue(u64::MAX), closed(users), Group::new(1, 1, 4.0));
    for users in [5_000.0, 99_999.0, 100_001.0, 1e9] {
        near(at(users).throughput(), 400.0, 1e-9);
        near(at(users).latency.mean, users / 400.0 - 0.3, 1e-6);
    }
    let large = Group::new(1, 1, 4096.0);
    let below = steady(profile(0.01, 0.0), closed(100_000.0), large);
    let above = steady(profile(0.01, 0.0), closed(100_001.0), large);
    near(below.throughput(), above.throughput(), 0.001);
    let (half, one) = (at(0.5), at(1.0));
    assert!(
        half.throughput() > 0.0 && half.throughput() < one.throughput(),
        "fractions of users are between"
    );
    assert_eq!(at(0.0).throughput(), 0.0);
}

// ---- The open model ----

/// The stationary distribution of one replica, summed state by state: accepted share, throughput, waiting.
fn brute_force(rate: f64, service: f64, servers: f64, queue: u32) -> (f64, f64, f64) {
    let last = servers.ceil() as u32 + queue;
    let mut weights = vec![1.0];
    for number in 1..=last {
        weights.push(weights[weights.len() - 1] * rate * service / f64::from(number).min(servers));
    }
    let total: f64 = weights.iter().sum();
    let mean = |of: &dyn Fn(f64) -> f64| {
        weights.iter().zip(0..).map(|(weight, number)| weight * of(f64::from(number))).sum::<f64>() / total
    };
    let accepted = 1.0 - weights[last as usize] / total;
    (accepted, mean(&|number| number.min(servers)) / service, mean(&|number| (number - servers).max(0.0)))
}

#[test]
fn the_steady_state_of_the_open_model_is_exact() {
    for servers in [1.0, 1.5, 2.0, 4.0, 7.3, 64.0] {
        for queue in [0, 1, 5, 100] {
            for load in [0.01, 0.5, 0.9, 0.999_999_9, 1.0, 1.2, 5.0] {
                let rate = load * servers / 0.1;
                let (accepted, throughput, waiting) = brute_force(rate, 0.1, servers, queue);
                let profile = profile(0.1, 0.0).with_queue(u64::from(queue));
                let got = steady(profile, open(rate), Group::new(1, 1, servers));
                near(got.throughput(), throughput, 1e-8);
                near(got.waiting + 1e-12, waiting + 1e-12, 1e-6);
                near(got.counts.queue_full + 1e-6, (1.0 - accepted) * rate + 1e-6, 1e-5);
                near(got.cores_used, throughput * 0.1, 1e-8);
            }
        }
    }
}

#[test]
fn closed_forms_of_the_open_model() {
    // M/M/1: the time inside is exponential with the mean service / (1 − load).
    let single = steady(profile(0.1, 0.0).with_queue(100_000), open(8.0), Group::new(1, 1, 1.0)).latency;
    near(single.mean, 0.5, 1e-9);
    near(single.p50, 0.5 * libm::log(2.0), 1e-9);
    near(single.p95, 0.5 * libm::log(20.0), 1e-9);
    near(single.p99, 0.5 * libm::log(100.0), 1e-9);
    // M/M/2 at load 0.75: service / (1 − load²).
    let double = steady(profile(0.1, 0.0).with_queue(100_000), open(15.0), Group::new(1, 1, 2.0)).latency;
    near(double.mean, 0.1 / (1.0 - 0.75 * 0.75), 1e-9);
    // Half a core is one core of half the speed; so is a core of a host with half the speed.
    let half = steady(profile(0.1, 0.0), open(3.0), Group::new(1, 1, 0.5));
    let slow = steady(profile(0.1, 0.0), open(3.0), Group { speed: 0.5, ..Group::new(1, 1, 1.0) });
    near(half.latency.mean, 0.2 / (1.0 - 0.6), 1e-9);
    assert_eq!(half.latency, slow.latency);
    near(half.cores_used, 0.3, 1e-9);
    near(slow.cores_used, 0.6, 1e-9);
    // Ten replicas with a tenth of the requests each are like one; network and other time come on top.
    let group = Group { network_seconds: 0.03, ..Group::new(1, 10, 1.0) };
    let spread = steady(profile(0.1, 0.02), open(80.0), group);
    near(spread.latency.mean, 0.55, 1e-9);
    near(spread.cores_used, 8.0, 1e-9);
    near(spread.in_flight, 80.0 * 0.12, 1e-6);
}

#[test]
fn response_times_of_requests_are_those_of_a_simulated_queue() {
    for (servers, load) in [(1, 0.5), (4, 0.3), (4, 0.8), (12, 0.9)] {
        let rate = load * servers as f64 / 0.075;
        let mut times = simulated_requests(servers, rate, 400_000);
        times.sort_by(f64::total_cmp);
        let quantile = |share: f64| times[(times.len() as f64 * share) as usize];
        let got = steady(profile(0.075, 0.0), open(rate), Group::new(1, 1, servers as f64)).latency;
        near(got.mean, times.iter().sum::<f64>() / times.len() as f64, 0.03);
        near(got.p50, quantile(0.5), 0.03);
        near(got.p95, quantile(0.95), 0.04);
        near(got.p99, quantile(0.99), 0.05);
    }
}

fn simulated_requests(servers: usize, rate: f64, requests: usize) -> Vec<f64> {
    let field = Randomness::new(6).field("requests");
    let mut draws = (0..).map(|index| field.unit_at(index));
    let mut free = vec![0.0_f64; servers];
    let mut now = 0.0;
    (0..requests)
        .map(|_| {
            now += exponential(&mut draws, 1.0 / rate);
            let server = free.iter_mut().min_by(|left, right| left.total_cmp(right)).unwrap();
            *server = now.max(*server) + exponential(&mut draws, 0.075);
            *server - now
        })
        .collect()
}

#[test]
fn overload_builds_a_queue_that_drains_later() {
    let mut service = Service::new(profile(0.1, 0.0).with_queue(1_000_000));
    let groups = [Group::new(1, 2, 2.0)];
    let mut run = |rate: f64, seconds: u64| {
        let mut last = Outcome::default();
        for _ in 0..seconds {
            last = service.advance(Timestamp::EPOCH, SECOND, open(rate), &groups);
        }
        last
    };
    // Capacity 40 per second. A minute at 60 leaves about 1200 waiting, half a minute's work.
    let full = run(60.0, 60);
    near(full.waiting, 1200.0, 0.02);
    near(full.latency.mean, 30.0, 0.03);
    near(full.latency.p99, full.latency.p50, 0.05);
    near(full.utilisation(), 1.0, 0.01);
    // At 20 per second 20 are left for the backlog.
    let half = run(20.0, 30);
    near(half.waiting, 600.0, 0.05);
    near(half.throughput(), 40.0, 0.01);
    let empty = run(20.0, 60);
    assert!(empty.waiting < 1.0, "{}", empty.waiting);
    near(empty.latency.mean, 0.1 / (1.0 - 0.25), 0.01);
    let totals = service.totals();
    near(totals.arrivals, 60.0 * 60.0 + 90.0 * 20.0, 1e-9);
    near(totals.completed + service.requests_inside(), totals.arrivals, 1e-9);
}

#[test]
fn the_length_of_a_step_does_not_decide_the_result() {
    let run = |steps: u64, length: Period| {
        let mut service = Service::new(profile(0.1, 0.05).with_queue(200));
        for rate in [10.0, 60.0, 10.0] {
            for _ in 0..steps {
                service.advance(Timestamp::EPOCH, length, open(rate), &[Group::new(1, 1, 4.0)]);
            }
        }
        service.totals()
    };
    let (fine, coarse) = (run(600, Period::from_millis(100)), run(4, Period::from_secs(15)));
    near(coarse.completed, fine.completed, 0.01);
    near(coarse.queue_full, fine.queue_full, 0.1);
    assert!(fine.queue_full > 500.0);
}

#[test]
fn time_outs_are_counted_before_and_after_the_queue() {
    let patient = profile(0.1, 0.0).with_time_out(Some(Period::from_secs(1)));
    // If nobody left the queue, times would be exponential with mean 0.5 and exp(−2) = 13.5 % too late. If everybody left
    // at the very moment, integrating the waiting time density of M/M/1 with fixed patience gives 5.3 %.
    let stable = steady(patient, open(8.0), Group::new(1, 1, 1.0));
    let late = stable.time_outs_per_second() / 8.0;
    assert!((0.053..0.136).contains(&late), "{late}");
    assert_eq!(stable.errors_per_second(), 0.0);
    let overloaded = steady(patient, open(30.0), Group::new(1, 1, 1.0));
    near(overloaded.time_outs_per_second() + overloaded.throughput(), 30.0, 1e-9);
    assert!(overloaded.time_outs_per_second() > 20.0);
    assert!(overloaded.latency.mean < 1.2, "nobody waits longer than a second for a server");
    // A short queue refuses instead.
    let refused = steady(patient.with_queue(2), open(30.0), Group::new(1, 1, 1.0));
    near(refused.errors_per_second(), 20.0, 0.05);
    assert!(refused.time_outs_per_second() < 1.0);
    // The network is part of what a client waits for.
    let far = steady(patient, open(1.0), Group { network_seconds: 2.0, ..Group::new(1, 1, 1.0) });
    assert_eq!(far.throughput(), 0.0);
}

#[test]
fn concurrency_bounds_the_throughput() {
    let limited = profile(0.01, 0.19).with_concurrency(Some(8));
    // Eight requests of 0.2 seconds each: 40 per second, although the cores could do 400.
    let outcome = steady(limited, open(1000.0), Group::new(1, 1, 4.0));
    near(outcome.throughput(), 40.0, 1e-6);
    near(outcome.cores_used, 0.4, 1e-6);
    let unlimited = steady(limited.with_concurrency(Some(1000)), open(1000.0), Group::new(1, 1, 4.0));
    near(unlimited.throughput(), 400.0, 1e-6);
}

#[test]
fn cold_replicas_are_slower() {
    let slow_start = SlowStart { factor: 3.0, length: Period::from_secs(30) };
    let profile = profile(0.1, 0.0).with_slow_start(Some(slow_start));
    assert!(profile.is_cold(Period::from_secs(29)) && !profile.is_cold(Period::from_secs(30)));
    let cold = steady(profile, open(1.0), Group { cold: true, ..Group::new(1, 1, 1.0) });
    near(cold.latency.mean, 0.3 / (1.0 - 0.3), 1e-9);
}

#[test]
fn the_fluid_model_knows_no_queue() {
    let fluid = profile(0.1, 0.02).with_model(Model::Fluid);
    let below = steady(fluid, open(15.0), Group::new(1, 1, 2.0));
    near(below.cores_used, 1.5, 1e-12);
    near(below.utilisation(), 0.75, 1e-12);
    near(below.latency.p99, 0.12, 1e-12);
    assert_eq!(below.waiting + below.in_flight + below.errors_per_second(), 0.0);
    let above = steady(fluid, open(50.0), Group::new(1, 1, 2.0));
    near(above.utilisation(), 1.0, 1e-12);
    near(above.errors_per_second(), 30.0, 1e-12);
    let users = steady(fluid, closed(1000.0), Group::new(1, 1, 2.0));
    near(users.throughput(), 20.0, 1e-12);
    assert_eq!(users.errors_per_second(), 0.0);
}

// ---- Several groups, and replicas that come and go ----

#[test]
fn groups_share_the_load_and_the_whole_has_quantiles_of_its_own() {
    let near_by = Group { weight: 3.0, ..Group::new(1, 1, 4.0) };
    let far_away = Group { network_seconds: 1.0, ..Group::new(2, 1, 4.0) };
    let mut service = Service::new(profile(0.01, 0.0));
    let outcome = service.advance(Timestamp::EPOCH, Period::from_hours(9), open(40.0), &[near_by, far_away]);
    near(outcome.groups[0].counts.arrivals, 3.0 * outcome.groups[1].counts.arrivals, 1e-9);
    near(outcome.latency.mean, 0.26, 0.01);
    assert!(outcome.latency.p50 < 0.02, "three quarters are near");
    near(outcome.latency.p95, 1.0 + 0.01 * libm::log(5.0), 0.01);
    near(outcome.cores_used, 0.4, 1e-6);
}

#[test]
fn nobody_ready_means_that_everything_fails() {
    let mut service = Service::new(profile(0.1, 0.0));
    for groups in [&[][..], &[Group::new(1, 0, 1.0)], &[Group::new(1, 5, 0.0)]] {
        let outcome = service.advance(Timestamp::EPOCH, SECOND, open(7.0), groups);
        assert_eq!(outcome.errors_per_second(), 7.0);
        assert_eq!(outcome.counts.nobody_ready, 7.0);
    }
    let outcome = service.advance(Timestamp::EPOCH, SECOND, closed(6.0), &[]);
    near(outcome.counts.nobody_ready, 20.0, 1e-9);
}

#[test]
fn replicas_finish_what_they_can_when_they_stop() {
    let busy = || {
        let mut service = Service::new(profile(0.1, 0.0).with_queue(1000));
        let group = Group::new(1, 2, 1.0);
        for _ in 0..10 {
            service.advance(Timestamp::EPOCH, SECOND, open(40.0), &[group]);
        }
        (service, group)
    };
    let check = |replicas: u32, grace: u64, finished: f64, broken: f64| {
        let (mut service, group) = busy();
        let before = service.requests_inside();
        let stopped = service.stop(&group, replicas, Period::from_secs(grace));
        let close = |got: f64, want: f64| (got - want).abs() < 3.0 * f64::from(replicas.max(1));
        assert!(close(stopped.finished, finished) && close(stopped.broken, broken), "{stopped:?}");
        near(service.requests_inside() + stopped.finished + stopped.broken, before, 1e-12);
        stopped
    };
    // Twice the capacity for ten seconds: about 100 requests inside each replica, ten seconds of work.
    check(1, 0, 0.0, 100.0);
    check(1, 5, 50.0, 50.0);
    check(2, 5, 100.0, 100.0);
    assert_eq!(
        check(1, 60, 100.0, 0.0).broken,
        0.0,
        "with enough grace no request is lost, not even a part of one"
    );
    assert_eq!(check(0, 0, 0.0, 0.0), Stopped::default());
    // Without being told, what was inside a group that is gone is broken.
    let (mut service, _) = busy();
    let inside = service.requests_inside();
    let outcome = service.advance(Timestamp::EPOCH, SECOND, open(0.0), &[Group::new(2, 1, 1.0)]);
    near(outcome.counts.broken, inside, 1e-12);
}

#[test]
fn replicas_that_change_their_group_take_their_requests_along() {
    let mut service = Service::new(profile(0.1, 0.0));
    let cold = Group { cold: true, ..Group::new(1, 4, 1.0) };
    service.advance(Timestamp::EPOCH, SECOND, open(100.0), &[cold]);
    let inside = service.requests_inside();
    let forgotten = service.clone().advance(Timestamp::EPOCH, SECOND, open(0.0), &[Group::new(2, 4, 1.0)]);
    near(forgotten.counts.broken, inside, 1e-12);
    service.regroup(&[Regrouping { from: cold, replicas: 1, to: 2 }]);
    let groups = [Group { replicas: 3, ..cold }, Group::new(2, 1, 1.0)];
    let outcome = service.advance(Timestamp::EPOCH, Period::ZERO, open(0.0), &groups);
    assert_eq!(outcome.counts.broken, 0.0);
    let held = |index: usize| outcome.groups[index].in_flight + outcome.groups[index].waiting;
    near(held(0), inside * 0.75, 1e-12);
    near(held(1), inside * 0.25, 1e-12);
    let mut swapped = service.clone();
    let from = |index: usize| groups[index];
    swapped.regroup(&[
        Regrouping { from: from(0), replicas: 3, to: 2 },
        Regrouping { from: from(1), replicas: 1, to: 1 },
    ]);
    let outcome = swapped.advance(Timestamp::EPOCH, Period::ZERO, open(0.0), &[Group::new(2, 3, 1.0), cold]);
    near(outcome.groups[0].in_flight + outcome.groups[0].waiting, inside * 0.75, 1e-12);
    service.regroup(&[Regrouping { from: groups[0], replicas: 3, to: 2 }]);
    let outcome = service.advance(Timestamp::EPOCH, SECOND, open(0.0), &[Group::new(2, 4, 1.0)]);
    assert_eq!(outcome.counts.broken, 0.0);
    near(service.requests_inside() + service.totals().completed, service.totals().arrivals, 1e-12);
}

#[test]
fn noise_is_the_same_at_the_same_moment_and_has_mean_one() {
    let noisy = profile(0.1, 0.0).with_latency_noise(0.2);
    let at = |moment: u64| {
        let mut service = Service::new(noisy).with_noise(Randomness::new(1).field("latency"));
        service.advance(Timestamp(moment), SECOND, open(0.0), &[host("edge0")]).latency.mean
    };
    assert_eq!(at(5), at(5));
    assert_ne!(at(5), at(6));
    let mean = (0..10_000).map(at).sum::<f64>() / 1e4;
    near(mean, 0.114, 0.01);
}

// ---- What always holds ----

fn numbers() -> impl Strategy<Value = f64> {
    let special = [
        0.0,
        -1.0,
        1e-300,
        1e-9,
        0.5,
        1.0,
        3.7,
        64.0,
        1e4,
        1e9,
        1e30,
        f64::MAX,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
    ];
    prop_oneof![prop::sample::select(special.to_vec()), 0.0..100.0_f64, 0.0..2.0_f64]
}

fn groups() -> impl Strategy<Value = Vec<Group>> {
    let replicas = prop_oneof![Just(0_u32), 1..5_u32, any::<u32>()];
    let group = (0..3_u64, replicas, numbers(), numbers(), numbers(), any::<bool>(), numbers()).prop_map(
        |(key, replicas, cores, speed, network_seconds, cold, weight)| Group {
            key,
            replicas,
            cores,
            speed,
            network_seconds,
            cold,
            weight,
        },
    );
    prop::collection::vec(group, 0..4)
}

fn loads() -> impl Strategy<Value = Load> {
    prop_oneof![
        numbers().prop_map(open),
        (numbers(), numbers()).prop_map(|(users, think_seconds)| Load::Closed { users, think_seconds }),
    ]
}

fn profiles() -> impl Strategy<Value = Profile> {
    let usual = prop_oneof![1e-9..1e7_f64, 0.001..0.2_f64];
    let queue = prop_oneof![0..50_u64, any::<u64>()];
    let optional_period = prop::option::of(prop_oneof![0..3_000_u64, any::<u64>()]);
    (usual, numbers(), queue, optional_period, prop::option::of(any::<u32>()), numbers(), any::<bool>())
        .prop_map(|(cpu, wait, queue, time_out, concurrency, number, fluid)| {
            let wait = if (0.0..=1e7).contains(&wait) { wait } else { 0.02 };
            profile(cpu, wait)
                .with_queue(queue)
                .with_time_out(time_out.map(Period))
                .with_concurrency(concurrency)
                .with_latency_noise(number)
                .with_slow_start(Some(SlowStart { factor: number, length: Period(9) }))
                .with_model(if fluid { Model::Fluid } else { Model::Queueing })
        })
}

fn lengths() -> impl Strategy<Value = Period> {
    prop_oneof![0..100_000_u64, 0..2_u64, any::<u64>()].prop_map(Period)
}

fn every_number(outcome: &Outcome) -> Vec<f64> {
    let counts = |counts: &Counts| {
        [
            counts.arrivals,
            counts.completed,
            counts.queue_full,
            counts.nobody_ready,
            counts.broken,
            counts.time_outs,
        ]
    };
    let latency = |latency: &Latency| [latency.mean, latency.p50, latency.p95, latency.p99];
    let mut numbers = counts(&outcome.counts).to_vec();
    numbers.extend(latency(&outcome.latency));
    numbers.extend([
        outcome.cores_used,
        outcome.cores,
        outcome.in_flight,
        outcome.waiting,
        outcome.utilisation(),
    ]);
    for group in &outcome.groups {
        numbers.extend(counts(&group.counts));
        numbers.extend(latency(&group.latency));
        numbers.extend([group.cores_used, group.cores, group.in_flight, group.waiting, group.utilisation()]);
    }
    numbers
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// No number escapes, however strange the input, and no request is lost or made.
    #[test]
    fn results_are_finite_and_requests_are_conserved(
        profile in profiles(),
        steps in prop::collection::vec((lengths(), loads(), groups(), 0..5_u32), 1..8),
    ) {
        let mut service = Service::new(profile).with_noise(Randomness::new(1).field("noise"));
        for (length, load, groups, stop) in steps {
            let before = service.totals();
            let inside = service.requests_inside();
            let outcome = service.advance(Timestamp(length.0), length, load, &groups);
            let numbers = every_number(&outcome);
            prop_assert!(numbers.iter().all(|number| number.is_finite() && *number >= 0.0), "{:?}", outcome);
            prop_assert!(outcome.utilisation() <= 1.0 && outcome.cores_used <= outcome.cores * (1.0 + 1e-9));
            let latency = outcome.latency;
            prop_assert!(latency.p50 <= latency.p95 && latency.p95 <= latency.p99, "{:?}", latency);
            let gone = outcome.counts.completed + outcome.counts.errors() + outcome.counts.time_outs;
            let change = service.requests_inside() - inside;
            let size = outcome.counts.arrivals + inside + gone + 1e-9;
            prop_assert!((outcome.counts.arrivals - gone - change).abs() <= 1e-9 * size, "{:?}", outcome);
            prop_assert!((outcome.in_flight + outcome.waiting - service.requests_inside()).abs() <= 1e-9 * size);
            let shown = service.totals().arrivals - before.arrivals - outcome.counts.arrivals;
            prop_assert!(shown.abs() <= 1e-9 * (service.totals().arrivals + 1.0));
            for group in groups.iter().take(1) {
                let inside = service.requests_inside();
                let stopped = service.stop(group, stop, length);
                prop_assert!(stopped.finished >= 0.0 && stopped.broken >= 0.0, "{:?}", stopped);
                let left = service.requests_inside() + stopped.finished + stopped.broken;
                prop_assert!((left - inside).abs() <= 1e-9 * (inside + 1e-9));
            }
        }
    }

    /// More load never means less work, lower latency or fewer losses in the steady state.
    #[test]
    fn more_load_is_never_better(
        cores in 0.2..20.0_f64,
        queue in 0..200_u64,
        low in 0.01..3.0_f64,
        more in 0.01..2.0_f64,
    ) {
        let at = |load: f64| steady(profile(0.05, 0.01).with_queue(queue), open(load * cores / 0.05), Group::new(1, 1, cores));
        let (low, high) = (at(low), at(low + more));
        prop_assert!(high.cores_used >= low.cores_used * (1.0 - 1e-9));
        prop_assert!(high.errors_per_second() >= low.errors_per_second() * (1.0 - 1e-9));
        prop_assert!(high.waiting >= low.waiting * (1.0 - 1e-9));
    }
}

// ---- The file ----

fn check_problems(text: &str, want: &Expect) {
    let (raw, document) =
        document::read_with::<RawService>("service.yaml", text.as_bytes(), &checks()).unwrap();
    let faults = check(&raw).expect_err("something is wrong with it");
    let line = |fault: &Fault| {
        let problem = fault.located("", &document);
        format!("{} {}: {}; {}", problem.line, problem.path, problem.message, problem.proposal)
    };
    want.assert_eq(&faults.iter().map(line).collect::<Vec<_>>().join("\n"));
}

fn checks() -> document::Checks {
    document::Checks::default().with("delay", "5s..15s", |_| Ok(()))
}

#[test]
fn a_service_is_read() {
    let text = "
demand: { users: 60, think_time: 100ms..500ms }
cpu_per_request: 75ms
wait_per_request: 25ms
time_out: 10s
slow_start: { factor: 2, for: 30s }
latency_noise: 0.2
";
    let (raw, _) = document::read_with::<RawService>("service.yaml", text.as_bytes(), &checks()).unwrap();
    let spec = check(&raw).unwrap();
    assert_eq!((spec.profile.cpu_seconds(), spec.profile.wait_seconds()), (0.075, 0.025));
    assert_eq!(spec.profile.queue, USUAL_QUEUE);
    let written = document::to_yaml(&serde_json::to_value(&raw).unwrap());
    let (again, _) = document::read_with::<RawService>("again.yaml", written.as_bytes(), &checks()).unwrap();
    assert_eq!(again, raw, "{written}");
    assert_eq!(document::unsupported::<RawService>(), Vec::<String>::new());
}

/// A file with a mistake of spelling is still checked as a whole, with stand-ins for what cannot be read.
#[test]
fn stand_ins_for_what_cannot_be_read_come_to_an_end() {
    let text = "{ demand: { requests_per_second: { sum: [{ scael: 1 }] } }, requests_per_core: 0 }";
    let draft = document::draft::<RawService>("service.yaml", text.as_bytes(), &checks()).unwrap();
    let faults = check(&draft.value).unwrap_err();
    assert!(faults.iter().any(|fault| fault.path == ".requests_per_core"), "{faults:?}");
}

#[test]
fn every_fault_is_named_with_its_place_and_a_proposal() {
    check_problems(
        "demand: { requests_per_second: { steps: [{ for: 1m, to: -1 }] } }
cpu_per_request: 0s
time_out: 0s
wait_per_request: 2h
latency_noise: 7
slow_start: { factor: 0.5, for: 30s }",
        &expect![[r#"
            1 demand.requests_per_second.steps[0].to: -1 is not between 0 and 1000000000; write for instance 0
            2 cpu_per_request: a request takes more than 0s and at most 1h of a core, not 0s; write for instance 75ms
            4 wait_per_request: more than 1h is a job, not a request; write at most 1h
            3 time_out: clients that wait for no time get no answer; write for instance 10s
            5 latency_noise: 7 is not between 0 and 2; write for instance 2
            6 slow_start.factor: 0.5 is not between 1 and 1000; write for instance 1"#]],
    );
    check_problems(
        "demand: { requests_per_second: 1 }",
        &expect![
            "1 : nothing says what a request costs: neither `cpu_per_request` nor `requests_per_core`; add for instance cpu_per_request: 75ms"
        ],
    );
    check_problems(
        "{ demand: { requests_per_second: 1 }, cpu_per_request: 1s, requests_per_core: 5 }",
        &expect![
            "1 requests_per_core: `cpu_per_request` and `requests_per_core` say the same; keep one of the two"
        ],
    );
    check_problems(
        "{ demand: { requests_per_second: 1 }, requests_per_core: 0 }",
        &expect!["1 requests_per_core: 0 is not between 0.001 and 1000000000; write for instance 0.001"],
    );
}
