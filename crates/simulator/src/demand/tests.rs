//! Demand from the text a person writes to the level at a moment.

#![expect(clippy::needless_raw_string_hashes, reason = "expect-test writes them")]

use super::*;
use expect_test::{Expect, expect};
use model::document::{self, Checks, Refusal};
use proptest::prelude::{ProptestConfig, any, prop, prop_assert, prop_assert_eq, proptest};
use std::fmt::Write;

fn read(text: &str) -> Result<DemandSpec, String> {
    let delay = |text: &str| text.parse::<Delay>().map(|_| ()).map_err(Refusal::from);
    let checks = Checks::default().with("delay", "5s..15s", delay);
    let (raw, document) = document::read_with::<RawDemand>("demand.yaml", text.as_bytes(), &checks)
        .map_err(|all| all.to_string())?;
    check(&raw).map_err(|faults| {
        let problems: Vec<_> = faults.iter().map(|fault| fault.located("", &document)).collect();
        let line = |problem: &document::Problem| {
            format!("{} {}: {}; {}", problem.line, problem.path, problem.message, problem.proposal)
        };
        problems.iter().map(line).collect::<Vec<_>>().join("\n")
    })
}

fn demand(text: &str) -> Demand {
    let spec = read(text).unwrap_or_else(|problems| panic!("{problems}"));
    Arc::new(spec).with(Randomness::new(1), "shop")
}

fn moment(text: &str) -> Timestamp {
    Timestamp::EPOCH + text.parse::<Period>().unwrap_or_else(|error| panic!("{error}"))
}

/// The shape, then pairs of a moment and the level there.
fn check_levels(shape: &str, levels: &[(&str, f64)]) {
    let demand = demand(&format!("requests_per_second: {shape}"));
    for (at, want) in levels {
        let got = demand.at(moment(at));
        assert!((got - want).abs() <= 1e-9 * (1.0 + want), "{shape} at {at}: {got} instead of {want}");
    }
}

#[test]
fn stages_ramp_and_steps_jump() {
    let stages = "[{ for: 2m, to: 20 }, { for: 1m, to: 50 }, { for: 0s, to: 5 }, { for: 1m, to: 5 }]";
    check_levels(
        &format!("{{ stages: {stages} }}"),
        &[("0s", 0.0), ("1m", 10.0), ("2m", 20.0), ("2m30s", 35.0), ("3m", 5.0), ("3m59s", 5.0), ("9h", 5.0)],
    );
    check_levels(
        &format!("{{ steps: {stages} }}"),
        &[("0s", 20.0), ("119s", 20.0), ("2m", 50.0), ("3m", 5.0), ("9h", 5.0)],
    );
    check_levels(
        "{ stages: [{ for: 10s, to: 8 }, { for: 0s, to: 0 }] }",
        &[("9s", 7.2), ("10s", 0.0), ("1h", 0.0)],
    );
    check_levels(
        "{ stages: { from: 10, list: [{ for: 10s, to: 20 }, { for: 10s, to: 20 }], repeat: true } }",
        &[("0s", 10.0), ("5s", 15.0), ("15s", 20.0), ("20s", 10.0), ("25s", 15.0), ("3600s", 10.0)],
    );
    check_levels("42", &[("0s", 42.0), ("300d", 42.0)]);
}

#[test]
fn the_load_tests_of_the_autoscaling_studies() {
    let cycle = "{ for: 30s, to: 400 }, { for: 2m, to: 400 }, { for: 30s, to: 10 }, { for: 1m, to: 10 }";
    check_levels(
        &format!("{{ stages: [{cycle}, {cycle}, {cycle}, {{ for: 1m, to: 0 }}] }}"),
        &[
            ("15s", 200.0),
            ("1m", 400.0),
            ("2m45s", 205.0),
            ("3m30s", 10.0),
            ("4m15s", 205.0),
            ("12m30s", 5.0),
            ("13m", 0.0),
        ],
    );
    let sale = "[{ for: 2m, to: 20 }, { for: 1m, to: 50 }, { for: 1m, to: 20 }, { for: 30s, to: 200 },
        { for: 1m, to: 150 }, { for: 30s, to: 400 }, { for: 1m, to: 300 }, { for: 4m, to: 700 }, { for: 1m, to: 50 },
        { for: 2m, to: 50 }, { for: 1m, to: 0 }]";
    check_levels(&format!("{{ stages: {sale} }}"), &[("9m", 500.0), ("11m", 700.0), ("15m", 0.0)]);
    check_levels(
        &format!("{{ steps: {sale} }}"),
        &[("7m", 700.0), ("9m", 700.0), ("11m", 50.0), ("14m", 0.0)],
    );
}

#[test]
fn ramps_are_held_or_begin_anew() {
    check_levels(
        "{ ramp: { from: 1, to: 61, over: 1m } }",
        &[("0s", 1.0), ("30s", 31.0), ("1m", 61.0), ("2m", 61.0)],
    );
    check_levels(
        "{ ramp: { from: 1, to: 61, over: 1m, repeat: true } }",
        &[("59s", 60.0), ("1m", 1.0), ("90s", 31.0)],
    );
    let whole_users =
        "{ held: { every: 15s, whole: true, of: { ramp: { from: 1, to: 61, over: 15m, repeat: true } } } }";
    check_levels(whole_users, &[("0s", 1.0), ("14s", 1.0), ("15s", 2.0), ("14m59s", 60.0), ("15m", 1.0)]);
}

#[test]
fn bells_peak_at_their_centre_and_repeat() {
    let half_way = 10.0 + 90.0 * libm::exp(-0.5);
    check_levels(
        "{ bell: { base: 10, peak: 100, centre: 1h, width: 10m } }",
        &[("1h", 100.0), ("50m", half_way), ("70m", half_way), ("5h", 10.0)],
    );
    check_levels(
        "{ bell: { base: 10, peak: 100, centre: 1h, width: 10m, repeat: 6h } }",
        &[("1h", 100.0), ("7h", 100.0), ("13h10m", half_way), ("4h", 10.0)],
    );
}

#[test]
fn days_follow_the_local_sun_and_the_week() {
    let day = |more: &str| format!("{{ day: {{ base: 10, peak: 110, peak_at: 14h{more} }} }}");
    check_levels(&day(""), &[("14h", 110.0), ("2h", 10.0), ("8h", 60.0), ("38h", 110.0)]);
    check_levels(&day(", utc_offset_hours: 5.5"), &[("8h30m", 110.0)]);
    check_levels(&day(", utc_offset_hours: -8"), &[("22h", 110.0)]);
    check_levels(&day(", sharpness: 2"), &[("14h", 110.0), ("8h", 35.0)]);
    check_levels(
        &day(", weekend: 0.5"),
        &[("4d14h", 110.0), ("5d14h", 55.0), ("6d14h", 55.0), ("7d14h", 110.0)],
    );
    check_levels(&day(", weekend: 0.5, first_day: sunday"), &[("14h", 55.0), ("38h", 110.0)]);
    // In Auckland the weekend begins half a day earlier.
    let auckland = day(", weekend: 0, utc_offset_hours: 12, sharpness: 0.1");
    check_levels(&auckland, &[("4d12h", 0.0), ("6d11h59m", 0.0)]);
    assert!(demand(&format!("requests_per_second: {auckland}")).at(moment("4d11h59m")) > 50.0);
}

#[test]
fn traces_are_replayed() {
    let points = "points: [{ at: 10s, value: 4 }, { at: 20s, value: 8 }]";
    check_levels(
        &format!("{{ trace: {{ {points} }} }}"),
        &[("0s", 4.0), ("19s", 4.0), ("20s", 8.0), ("1h", 8.0)],
    );
    check_levels(
        &format!("{{ trace: {{ {points}, between: linear, scale: 10 }} }}"),
        &[("0s", 40.0), ("10s", 40.0), ("15s", 60.0), ("25s", 80.0)],
    );
    check_levels(
        "{ trace: { values: [1, 2, 3], every: 1m, repeat: 3m } }",
        &[("0s", 1.0), ("1m", 2.0), ("2m59s", 3.0), ("3m", 1.0), ("4m", 2.0)],
    );
    check_levels(
        "{ trace: { values: [1, 3], every: 1m, between: linear, repeat: 3m } }",
        &[("30s", 2.0), ("2m", 3.0), ("3m", 1.0), ("3m30s", 2.0)],
    );
}

#[test]
fn shapes_are_added_and_scaled() {
    let base = "{ ramp: { from: 0, to: 60, over: 1m } }";
    check_levels(
        &format!("{{ sum: [{base}, 5, {{ scale: {{ by: 2, of: {base} }} }}] }}"),
        &[("10s", 35.0), ("1m", 185.0)],
    );
}

#[test]
fn gaussian_values_have_the_moments_of_the_truncated_distribution() {
    let demand = demand(
        "users: { gaussian: { mean: 12, standard_deviation: 20, minimum: 1, maximum: 60, every: 15s, whole: true } }
think_time: 100ms..500ms",
    );
    let draws: Vec<f64> = (0..40_000).map(|step| demand.at(Timestamp::from_millis(step * 15_000))).collect();
    assert!(draws.iter().all(|draw| (1.0..=60.0).contains(draw) && draw.fract() == 0.0));
    let mean = draws.iter().sum::<f64>() / draws.len() as f64;
    let variance = draws.iter().map(|draw| (draw - mean).powi(2)).sum::<f64>() / draws.len() as f64;
    // Summing the density over 1..60 gives 20.94 and 13.5; the standard error of the mean is 0.07.
    assert!((mean - 20.94).abs() < 0.25, "{mean}");
    assert!((variance.sqrt() - 13.5).abs() < 0.25, "{}", variance.sqrt());
    assert_eq!(demand.at(moment("20s")), demand.at(moment("29s")));
    assert_eq!(
        demand.load_at(moment("20s")),
        Load::Closed { users: demand.at(moment("15s")), think_seconds: 0.3 }
    );
}

#[test]
fn noise_has_mean_one_and_differs_from_service_to_service() {
    let spec = Arc::new(read("requests_per_second: { noise: { sigma: 0.1, every: 1s, of: 100 } }").unwrap());
    let at = |seed, name: &str, second: u64| {
        Arc::clone(&spec).with(Randomness::new(seed), name).at(Timestamp::from_millis(second * 1000))
    };
    let mean = (0..10_000).map(|second| at(1, "shop", second)).sum::<f64>() / 1e4;
    assert!((mean - 100.0).abs() < 0.5, "{mean}");
    assert_ne!(at(1, "shop", 7), at(1, "search", 7));
    assert_ne!(at(1, "shop", 7), at(2, "shop", 7));
    let two = demand(
        "requests_per_second: { sum: [{ noise: { sigma: 1, every: 1s, of: 1 } }, { noise: { sigma: 1, every: 1s, of: 1 } }] }",
    );
    let one =
        demand("requests_per_second: { scale: { by: 2, of: { noise: { sigma: 1, every: 1s, of: 1 } } } }");
    assert_ne!(two.at(Timestamp::EPOCH), one.at(Timestamp::EPOCH), "each shape has noise of its own");
}

#[test]
fn think_times_have_a_mean() {
    let think = |text: &str| match demand(&format!("users: 1\nthink_time: {text}")).kind() {
        DemandKind::Users(think) => think.mean_seconds(),
        DemandKind::Requests => panic!("users"),
    };
    assert_eq!(think("300ms"), 0.3);
    assert_eq!(think("100ms..500ms"), 0.3);
    assert_eq!(think("{ exponential: 2s }"), 2.0);
    assert_eq!(think("0s"), 0.0);
}

#[test]
fn changes_are_announced() {
    let changes = |shape: &str, from: &str| -> Vec<String> {
        let demand = demand(&format!("requests_per_second: {shape}"));
        let mut at = moment(from);
        let mut changes = Vec::new();
        while changes.len() < 4 {
            let Some(next) = demand.next_change_after(at) else { break };
            changes.push(next.to_string());
            at = next;
        }
        changes
    };
    let check = |shape: &str, from: &str, want: &[&str]| assert_eq!(changes(shape, from), want, "{shape}");
    check("7", "0s", &[]);
    check("{ steps: [{ for: 2m, to: 1 }, { for: 3m, to: 2 }] }", "0s", &["t+00:02:00.000", "t+00:05:00.000"]);
    check(
        "{ stages: [{ for: 2s, to: 1 }, { for: 3m, to: 1 }] }",
        "0s",
        &["t+00:00:01.000", "t+00:00:02.000", "t+00:03:02.000"],
    );
    check(
        "{ trace: { values: [1, 2], every: 1h, repeat: 2h } }",
        "30m",
        &["t+01:00:00.000", "t+02:00:00.000", "t+03:00:00.000", "t+04:00:00.000"],
    );
    check(
        "{ gaussian: { mean: 1, standard_deviation: 1, maximum: 2, every: 7s } }",
        "8s",
        &["t+00:00:14.000", "t+00:00:21.000", "t+00:00:28.000", "t+00:00:35.000"],
    );
    check(
        "{ bell: { peak: 1, centre: 10h, width: 1h } }",
        "0s",
        &["t+05:00:00.000", "t+05:01:00.000", "t+05:02:00.000", "t+05:03:00.000"],
    );
    check("{ bell: { peak: 1, centre: 10h, width: 1h } }", "15h", &[]);
    check(
        "{ held: { every: 1m, of: { stages: [{ for: 90s, to: 9 }] } } }",
        "0s",
        &["t+00:01:00.000", "t+00:02:00.000"],
    );
}

fn check_problems(text: &str, want: &Expect) {
    want.assert_eq(&read(text).expect_err("something is wrong with it"));
}

#[test]
fn every_fault_is_named_with_its_place_and_a_proposal() {
    check_problems(
        "requests_per_second:
  sum:
    - stages: [{ for: 2m, to: -3 }, { for: 500d, to: 1 }]
    - day: { base: 9, peak: 3, peak_at: 26h, utc_offset_hours: 5.1, sharpness: 0 }
    - gaussian: { mean: 5, standard_deviation: 1, minimum: 2.2, maximum: 2.8, every: 0s, whole: true }
    - trace: { points: [{ at: 2m, value: 1 }, { at: 1m, value: 1 }] }
    - trace: { values: [1, 2, 3], every: 1m, repeat: 1m }
    - trace: { values: [1] }
    - noise: { sigma: 9, every: 1s, of: 1 }
    - stages: []
    - ramp: { from: 1, to: 2, over: 0s, repeat: true }
    - bell: { peak: 1, centre: 1m, width: 0s }
think_time: 1s
",
        &expect![[r#"
            13 think_time: `think_time` has no meaning without `users`; remove `think_time`
            3 requests_per_second.sum[0].stages[0].to: -3 is not between 0 and 1000000000; write for instance 0
            3 requests_per_second.sum[0].stages[1].for: 500d is longer than a year; write at most 366d
            4 requests_per_second.sum[1].day.base: the base of 9 is above the peak of 3; write base: 3, peak: 9
            4 requests_per_second.sum[1].day.peak_at: 1d2h is not a time of day; write for instance 14h
            4 requests_per_second.sum[1].day.sharpness: 0 is not between 0.1 and 100; write for instance 0.1
            4 requests_per_second.sum[1].day.utc_offset_hours: no place is 5.1 hours from UTC; write a multiple of 0.25
            5 requests_per_second.sum[2].gaussian.every: must be longer than no time at all; write for instance 15s
            5 requests_per_second.sum[2].gaussian.minimum: there is no whole number from 2.2 to 2.8; write minimum: 2, maximum: 3
            6 requests_per_second.sum[3].trace.points: the point at 1m stands after a later one; sort the points by time
            7 requests_per_second.sum[4].trace.repeat: the trace is 2m long and cannot begin anew after 1m; let it be at least as long as the trace
            8 requests_per_second.sum[5].trace: a trace has either `points`, or `values` with `every`, or a `file`; write for instance values: [10, 20, 15], every: 1m
            9 requests_per_second.sum[6].noise.sigma: 9 is not between 0 and 2; write for instance 2
            10 requests_per_second.sum[7].stages: expected 1 to 527040 stages, found 0; add for instance { for: 2m, to: 100 }
            11 requests_per_second.sum[8].ramp.over: what takes no time cannot begin anew; write a length, or repeat: false
            12 requests_per_second.sum[9].bell.width: must be longer than no time at all; write for instance 15s"#]],
    );
    check_problems(
        "users: 5",
        &expect![
            "1 users: users need a `think_time`; without any pause it is 0s; add for instance think_time: 100ms..500ms"
        ],
    );
    check_problems(
        "{}",
        &expect![
            "1 : nothing says what is asked for: neither `requests_per_second` nor `users`; add for instance requests_per_second: 100"
        ],
    );
    check_problems(
        "users: 5\nrequests_per_second: 4\nthink_time: 1s",
        &expect!["1 users: demand is either `requests_per_second` or `users`, not both; keep one of the two"],
    );
    check_problems(
        "users: { stagse: [] }\nthink_time: soon",
        &expect![[r#"
            demand.yaml:1:10: users: expected the key stages, steps, ramp, gaussian, bell, day, trace, sum, scale, noise or held, found "stagse"
               1 | users: { stagse: [] }
                 |          ^
              help: did you mean "stages"?
            demand.yaml:2:13: think_time: period "soon" does not start with a number
               2 | think_time: soon
                 |             ^
              help: write for instance 5s..15s"#]],
    );
}

#[test]
fn shapes_do_not_nest_without_end() {
    let nested = |depth: usize| {
        let open = "{ scale: { by: 1, of: ".repeat(depth);
        format!("requests_per_second: {open}1{}", " } }".repeat(depth))
    };
    assert!(read(&nested(8)).is_ok());
    assert!(read(&nested(9)).is_err());
    let many = |count: usize| format!("requests_per_second: {{ sum: [{}] }}", vec!["1"; count].join(", "));
    assert!(read(&many(63)).is_ok());
    let problems = read(&many(500)).unwrap_err();
    assert_eq!(problems.matches("more than 64 shapes").count(), 1, "{problems}");
}

#[test]
fn the_schema_is_enforced_as_it_is_written() {
    assert_eq!(document::unsupported::<RawDemand>(), Vec::<String>::new());
}

/// Any shape, as text; the numbers choose.
fn some_shape(choices: &mut impl Iterator<Item = u32>, depth: usize) -> String {
    let mut next = |most: u32| choices.next().map_or(0, |choice| choice % (most + 1));
    let (a, b, c) = (next(1000), next(1000), next(90) + 1);
    let (low, high) = (a.min(b), a.max(b));
    match next(if depth > 2 { 6 } else { 10 }) {
        0 => format!("{a}"),
        1 => format!("{{ stages: [{{ for: {c}s, to: {a} }}, {{ for: {a}ms, to: {b} }}] }}"),
        2 => format!(
            "{{ steps: {{ from: 3, list: [{{ for: {c}s, to: {a} }}, {{ for: {a}ms, to: {b} }}], repeat: true }} }}"
        ),
        3 => format!(
            "{{ gaussian: {{ mean: {a}, standard_deviation: {b}, minimum: {low}, maximum: {high}, every: {c}s }} }}"
        ),
        4 => format!("{{ bell: {{ base: {low}, peak: {high}, centre: {a}s, width: {c}s, repeat: {c}m }} }}"),
        5 => format!("{{ day: {{ base: {low}, peak: {high}, weekend: 0.5, utc_offset_hours: -3 }} }}"),
        6 => format!("{{ trace: {{ values: [{a}, {b}, {c}], every: {c}s, repeat: 300s }} }}"),
        7 => format!("{{ sum: [{}, {}] }}", some_shape(choices, depth + 1), some_shape(choices, depth + 1)),
        8 => format!("{{ scale: {{ by: {c}, of: {} }} }}", some_shape(choices, depth + 1)),
        9 => format!("{{ noise: {{ sigma: 0.3, every: {c}s, of: {} }} }}", some_shape(choices, depth + 1)),
        _ => format!("{{ held: {{ every: {c}s, whole: true, of: {} }} }}", some_shape(choices, depth + 1)),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn levels_are_finite_and_do_not_depend_on_what_was_asked(
        choices in prop::collection::vec(any::<u32>(), 1..60),
        moments in prop::collection::vec(any::<u64>(), 1..20),
        near in prop::collection::vec(0..10_000_000_u64, 1..20),
    ) {
        let text = format!("requests_per_second: {}", some_shape(&mut choices.into_iter(), 0));
        let (first, second) = (demand(&text), demand(&text));
        let moments: Vec<Timestamp> = moments.into_iter().chain(near).chain([0, u64::MAX]).map(Timestamp).collect();
        let forwards: Vec<f64> = moments.iter().map(|at| first.at(*at)).collect();
        let mut backwards: Vec<f64> = moments.iter().rev().map(|at| second.at(*at)).collect();
        backwards.reverse();
        prop_assert_eq!(&forwards, &backwards);
        prop_assert!(forwards.iter().all(|level| level.is_finite() && *level >= 0.0));
        for at in moments {
            prop_assert!(first.next_change_after(at).is_none_or(|next| next > at), "{} at {}", text, at);
        }
    }

    /// Whatever comes later, noise apart, is not known; what is there now is.
    #[test]
    fn a_demand_that_persists_goes_on_from_where_it_is(
        choices in prop::collection::vec(any::<u32>(), 1..60),
        at in 0..10_000_000_u64,
        later in prop::collection::vec(1..10_000_000_u64, 1..20),
    ) {
        let text = format!("requests_per_second: {}", some_shape(&mut choices.into_iter(), 0));
        let demand = demand(&text);
        let at = Timestamp(at);
        let [one, same, other] = [3, 3, 4].map(|seed| demand.persisting(at, Randomness::new(seed), "web"));
        prop_assert_eq!(one.at(at), demand.at(at), "{}", text);
        let is_random = text.contains("noise") || text.contains("gaussian");
        for later in later.into_iter().map(|delay| at + Period::from_millis(delay)) {
            prop_assert_eq!(one.at(later), same.at(later));
            prop_assert!(is_random || one.at(later) == demand.at(at), "{}", text);
            prop_assert!(is_random || one.at(later) == other.at(later), "{}", text);
        }
    }

    /// Where nothing moves between two announced changes, nothing may move.
    #[test]
    fn step_like_levels_change_only_when_announced(
        values in prop::collection::vec((1..50_u64, 0..9_u32), 1..8),
        every in 1..40_u64,
        repeat in any::<bool>(),
        at in 0..500_000_u64,
        share in 0.0..1.0_f64,
    ) {
        let mut list = String::new();
        for (seconds, level) in values {
            write!(list, "{{ for: {seconds}s, to: {level} }}, ").unwrap();
        }
        let steps = format!("{{ steps: {{ list: [{list}], repeat: {repeat} }} }}");
        let noisy = format!("{{ noise: {{ sigma: 0.2, every: {every}s, of: {steps} }} }}");
        let held = format!("{{ held: {{ every: {every}s, of: {noisy} }} }}");
        for shape in [steps, noisy, held] {
            let demand = demand(&format!("requests_per_second: {shape}"));
            let next = demand.next_change_after(Timestamp(at)).map_or(at + 1_000_000, Timestamp::as_millis);
            let between = at + ((next - at) as f64 * share) as u64;
            prop_assert_eq!(demand.at(Timestamp(at)), demand.at(Timestamp(between)), "{}", shape);
        }
    }
}
