//! Published figures, checked input and sums that never lose anything.

#![expect(clippy::needless_raw_string_hashes, reason = "expect-test writes them")]

use super::raw::RawPower;
use super::*;
use ::model::document::{self, Checks, Draft};
use ::model::energy::Milliwatts;
use ::model::quantity::MilliCpu;
use ::model::ratio::Ratio;
use expect_test::{Expect, expect};
use proptest::prelude::*;
use serde::Deserialize;

/// The hosts of GreenWise: cloud, edge0, edge1, edge2.
const PAPER: [&str; 4] = ["xeon-e5-2620-2s", "xeon-e3-1265lv3", "xeon-e3-1220v2", "xeon-e3-1270"];

fn host(id: &str) -> Model {
    Catalogue::shipped().get(id).unwrap().model.clone()
}

fn points(id: &str) -> Vec<Point> {
    match host(id).shape() {
        Shape::Curve(curve) => curve.points().to_vec(),
        other => panic!("a measured host is a curve, not {other:?}"),
    }
}

fn percent(percent: u64) -> Ratio {
    Ratio::from_percent(percent)
}

#[test]
fn the_shipped_catalogue_is_complete() {
    let catalogue = Catalogue::shipped();
    assert_eq!(catalogue.profiles().count(), 24);
    for profile in catalogue.profiles() {
        assert_eq!(points(&profile.id).len(), 11, "{}", profile.id);
        assert!(!profile.provenance.is_empty() && !profile.processor.is_empty(), "{}", profile.id);
        let is_recorded = profile.chips.is_some() && profile.cores.is_some() && profile.memory.is_some();
        assert_eq!(is_recorded, !profile.id.starts_with("cloudsim-"), "{}", profile.id);
    }
}

#[test]
fn paper_hosts_draw_what_was_published() {
    let check = |id: &str, want: [f64; 3]| {
        let model = host(id);
        let drawn = [0, 50, 100].map(|load| model.power(percent(load)).as_watts_float());
        assert_eq!(drawn, want, "{id}");
    };
    check("xeon-e5-2620-2s", [162.0, 206.0, 280.0]);
    check("xeon-e3-1265lv3", [19.0, 33.1, 58.5]);
    check("xeon-e3-1220v2", [36.6, 49.4, 69.7]);
    check("xeon-e3-1270", [21.4, 56.0, 102.0]);
}

#[test]
fn between_points_power_lies_on_the_line() {
    let cloud = host("xeon-e5-2620-2s");
    assert_eq!(cloud.power(percent(55)), Milliwatts(212_000));
    assert_eq!(cloud.power(Ratio::from_parts_per_million(1)), Milliwatts(162_000));
    assert_eq!(cloud.power(Ratio::from_parts_per_million(5)), Milliwatts(162_001));
    assert_eq!(cloud.power(percent(250)), cloud.full());
}

#[test]
fn an_unknown_host_has_a_proposal() {
    let unknown = |id: &str| Catalogue::shipped().get(id).unwrap_err().to_string();
    assert_eq!(
        unknown("xeon-e3-1207"),
        "there is no host profile \"xeon-e3-1207\"; did you mean xeon-e3-1270?"
    );
    assert_eq!(unknown("toaster"), "there is no host profile \"toaster\"");
}

#[test]
fn a_broken_catalogue_says_everything() {
    let text = "format: host-profiles/v1\nsources: { book: a book }\nprofiles:\n  a: { processor: p, system: s, source: bok, watts: [3, 2] }\n";
    let problems = Catalogue::read("hosts.yaml", text.as_bytes()).unwrap_err();
    let said: Vec<String> =
        problems.iter().map(|problem| format!("{}: {}", problem.path, problem.message)).collect();
    assert_eq!(
        said,
        [
            "profiles.a.source: there is no source \"bok\"",
            "profiles.a.watts: the power falls from 3W to 2W while the load rises"
        ]
    );
}

/// The numbers of an independent least-squares calculation over the same points.
#[test]
fn polynomials_fit_as_calculated_elsewhere() {
    // Printed there with two places.
    const PRINTED: f64 = 0.01;
    let check = |id: &str, want: [f64; 3], error: f64, line_error: f64| {
        let points = points(id);
        let square = fit(&points, Family::Polynomial { degree: 2 }).unwrap();
        let Shape::Polynomial { coefficients } = square.model.shape() else { panic!("{square:?}") };
        for (found, want) in coefficients.iter().zip(want) {
            assert!((found - want).abs() < PRINTED, "{id}: {coefficients:?}");
        }
        assert!((square.mean_absolute_error - error).abs() < PRINTED, "{id}: {square:?}");
        let line = fit(&points, Family::Polynomial { degree: 1 }).unwrap();
        assert!((line.mean_absolute_error - line_error).abs() < PRINTED, "{id}: {line:?}");
    };
    check(PAPER[0], [165.72, 55.80, 58.74], 1.86, 4.99);
    check(PAPER[1], [19.63, 16.79, 23.70], 0.77, 2.07);
    check(PAPER[2], [36.34, 20.92, 14.02], 0.76, 1.34);
    check(PAPER[3], [24.19, 55.34, 24.80], 1.94, 2.62);
}

#[test]
fn straight_lines_from_idle_to_maximum_miss_by_the_published_amount() {
    for (id, want) in PAPER.into_iter().zip([6.85, 2.71, 1.76, 2.52]) {
        let measured = host(id);
        let line = Model::new(Shape::Linear { idle: measured.idle(), max: measured.full() }).unwrap();
        let error = mean_absolute_error(&line, &points(id));
        assert!((error - want).abs() < 0.005_1, "{id}: {error}");
    }
}

#[test]
fn a_fit_finds_the_formula_that_made_the_points() {
    let formulas = [
        (Family::Polynomial { degree: 3 }, Shape::Polynomial { coefficients: vec![100.0, 20.0, 50.0, 30.0] }),
        (Family::Logarithmic, Shape::Logarithmic { factor: 40.0, rate: 9.0, offset: 60.0 }),
        (Family::Logarithmic, Shape::Logarithmic { factor: -40.0, rate: -0.8, offset: 60.0 }),
        (Family::Exponential, Shape::Exponential { factor: 10.0, rate: 1.7, offset: 80.0 }),
        (Family::Logistic, Shape::Logistic { height: 90.0, steepness: 7.0, midpoint: 0.6, offset: 50.0 }),
    ];
    for (family, shape) in formulas {
        let source = Model::new(shape.clone()).unwrap();
        let load = |step: u64| Ratio::of(step, 10);
        let points: Vec<Point> =
            (0..=10).map(|step| Point { load: load(step), power: source.power(load(step)) }).collect();
        let found = fit(&points, family).unwrap();
        assert!(found.mean_absolute_error < 0.001, "{shape:?} became {found:?}");
    }
}

/// Kepler's published logistic models of the same hosts, trained on nine of the eleven points, miss by 1.88 W (cloud) and
/// 0.52 W (edge1). Their exponential of edge1 (0.50 W) is not reached by a least-squares fit to all eleven points.
#[test]
fn bent_formulas_fit_about_as_well_as_published() {
    let error = |id: &str, family| fit(&points(id), family).unwrap().mean_absolute_error;
    assert!((error(PAPER[0], Family::Logistic) - 1.88).abs() < 0.11);
    assert!((error(PAPER[2], Family::Logistic) - 0.52).abs() < 0.02);
    let all = PAPER.map(|id| {
        [Family::Logarithmic, Family::Logistic, Family::Exponential]
            .map(|family| format!("{:.2}", error(id, family)))
    });
    expect![[r#"
        [
            [
                "1.73",
                "1.78",
                "1.72",
            ],
            [
                "0.94",
                "0.72",
                "0.80",
            ],
            [
                "0.91",
                "0.53",
                "0.83",
            ],
            [
                "2.01",
                "1.79",
                "1.97",
            ],
        ]
    "#]]
    .assert_debug_eq(&all);
}

#[test]
fn too_little_is_not_fitted() {
    let two: Vec<Point> = points(PAPER[0]).into_iter().take(2).collect();
    let fault = |family| fit(&two, family).unwrap_err().to_string();
    assert_eq!(fault(Family::Polynomial { degree: 2 }), "2 different loads do not determine 3 numbers");
    assert_eq!(fault(Family::Logistic), "2 different loads do not determine 4 numbers");
    assert_eq!(fault(Family::Polynomial { degree: 6 }), "a polynomial of degree 6 is not fitted; at most 5");
    assert!(fit(&[], Family::Polynomial { degree: 0 }).is_err());
    let same = vec![two[0]; 5];
    assert!(fit(&same, Family::Polynomial { degree: 1 }).is_err());
}

#[test]
fn impossible_shapes_are_refused() {
    let check = |shape: Shape, want: &str| {
        assert_eq!(Model::new(shape.clone()).unwrap_err().to_string(), want, "{shape:?}");
    };
    let watts = Milliwatts::from_watts;
    check(Shape::Linear { idle: watts(2), max: watts(1) }, "the idle power 2W is above the maximum 1W");
    check(Shape::Polynomial { coefficients: vec![] }, "a polynomial has 1 to 6 coefficients, this one 0");
    check(
        Shape::Polynomial { coefficients: vec![1.0; 7] },
        "a polynomial has 1 to 6 coefficients, this one 7",
    );
    let not_a_number = "the coefficient is not a finite number of a reasonable size";
    check(Shape::Polynomial { coefficients: vec![f64::NAN] }, not_a_number);
    check(Shape::Polynomial { coefficients: vec![1.0, f64::INFINITY] }, not_a_number);
    // Positive at both ends, negative in the middle.
    check(
        Shape::Polynomial { coefficients: vec![1.0, -5.0, 5.0] },
        "at load 0.277 the power would be -0.001 W",
    );
    check(
        Shape::Polynomial { coefficients: vec![2e6] },
        "at load 0 the power would be 2000000 W, more than the 1000000W that a host may draw",
    );
    check(
        Shape::Logarithmic { factor: 1.0, rate: -1.0, offset: 1.0 },
        "the logarithm does not exist at full load; the rate must be above -1",
    );
    check(
        Shape::Exponential { factor: 0.0, rate: 1e300, offset: 1.0 },
        "the rate is not a finite number of a reasonable size",
    );
    check(
        Shape::Exponential { factor: -1.0, rate: 1.0, offset: 2.0 },
        "at load 1 the power would be -0.718 W",
    );
    check(
        Shape::Logistic { height: f64::NAN, steepness: 1.0, midpoint: 0.5, offset: 0.0 },
        "the height is not a finite number of a reasonable size",
    );
    assert!(Model::new(Shape::Logarithmic { factor: 1.0, rate: f64::NAN, offset: 1.0 }).is_err());
}

#[derive(Deserialize, schemars::JsonSchema)]
struct Pool {
    power: RawPower,
}

fn read(text: &str) -> Result<Model, String> {
    let draft = document::draft::<Pool>("pool.yaml", text.as_bytes(), &Checks::default());
    let Draft { value, document, doubts, mut problems } = draft.map_err(|problems| problems.to_string())?;
    let model = check(&value.power, &document, &doubts, "power");
    problems.extend(model.as_ref().err().into_iter().flatten().cloned());
    problems.into_result(()).map_err(|problems| problems.to_string())?;
    Ok(model.expect("its problems were found"))
}

#[test]
fn every_form_of_power_can_be_written() {
    let check = |text: &str, idle: u64, full: u64| {
        let model = read(text).unwrap();
        assert_eq!((model.idle(), model.full()), (Milliwatts(idle), Milliwatts(full)), "{text}");
    };
    check("power: xeon-e5-2620-2s", 162_000, 280_000);
    check("power: { idle: 162W, max: 280 }", 162_000, 280_000);
    check("power: { points: [[0, 162], [0.5, 206W], [1, 0.28kW]] }", 162_000, 280_000);
    check("power: { watts: [19, 22.2, 58.5] }", 19_000, 58_500);
    check("power: { polynomial: [165.72, 55.8, 58.74] }", 165_720, 280_260);
    check("power: { logarithmic: { factor: 10, rate: 1.718281828, offset: 5 } }", 5_000, 15_000);
    check("power: { exponential: { factor: 10, rate: 0.693147181, offset: 5 } }", 15_000, 25_000);
    check("power: { logistic: { height: 100, steepness: 10, midpoint: 0.5, offset: 20 } }", 20_669, 119_331);
    assert_eq!(document::unsupported::<Pool>(), Vec::<String>::new());
}

#[test]
fn a_written_power_reads_back() {
    for text in [
        "power: xeon-e3-1270",
        "power: { points: [[0, 162], [1, 280.5]] }",
        "power: { polynomial: [1, 0.5] }",
    ] {
        let (pool, _) = document::read::<Pool>("pool.yaml", text.as_bytes()).unwrap();
        let again: RawPower = serde_json::from_value(serde_json::to_value(&pool.power).unwrap()).unwrap();
        assert_eq!(pool.power, again, "{text}");
    }
}

fn refused(text: &str, want: &Expect) {
    want.assert_eq(&read(text).unwrap_err());
}

#[test]
fn refused_hosts_have_place_and_proposal() {
    refused(
        "power: xeon-e5-2620",
        &expect![[r#"
        pool.yaml:1:8: power: there is no host profile "xeon-e5-2620"
           1 | power: xeon-e5-2620
             |        ^
          help: did you mean xeon-e5-2620-2s?"#]],
    );
    refused(
        "power: { idle: 280W, max: 162W }",
        &expect![[r#"
        pool.yaml:1:16: power.idle: the idle power 280W is above the maximum 162W
           1 | power: { idle: 280W, max: 162W }
             |                ^
          help: write idle: 162W, max: 280W"#]],
    );
    refused(
        "power: { idel: 162W, max: 280W }",
        &expect![[r#"
        pool.yaml:1:10: power: unknown key "idel"
           1 | power: { idel: 162W, max: 280W }
             |          ^
          help: did you mean "idle"? known keys: idle, max"#]],
    );
    refused(
        "power: { idle: 162 watts, max: -1 }",
        &expect![[r#"
            pool.yaml:1:16: power.idle: power "162 watts" contains white space
               1 | power: { idle: 162 watts, max: -1 }
                 |                ^
              help: did you mean 162W?
            pool.yaml:1:32: power.max: power "-1" is negative
               1 | power: { idle: 162 watts, max: -1 }
                 |                                ^
              help: write for instance 162W"#]],
    );
}

#[test]
fn refused_curves_have_place_and_proposal() {
    refused(
        "power: { points: [[0, 162], [50, 206], [100, 280]] }",
        &expect![[r#"
        pool.yaml:1:18: power.points: the last point is at load 100, not at 1
           1 | power: { points: [[0, 162], [50, 206], [100, 280]] }
             |                  ^
          help: loads are shares, not per cent: write 0.5 for 50 %"#]],
    );
    refused(
        "power: { points: [[0.1, 162], [0.5, 206], [0.5, 210], [0.8, 200], [1, 2000000]] }",
        &expect![[r#"
        pool.yaml:1:20: power.points[0][0]: the first point is at load 0.1, not at 0
           1 | power: { points: [[0.1, 162], [0.5, 206], [0.5, 210], [0.8, 200], [1, 2000000]] }
             |                    ^
          help: begin with [0, idle watts]
        pool.yaml:1:44: power.points[2][0]: the load 0.5 does not rise from the 0.5 before it
           1 | power: { points: [[0.1, 162], [0.5, 206], [0.5, 210], [0.8, 200], [1, 2000000]] }
             |                                            ^
          help: list the points by rising load
        pool.yaml:1:61: power.points[3][1]: the power falls from 210W to 200W while the load rises
           1 | power: { points: [[0.1, 162], [0.5, 206], [0.5, 210], [0.8, 200], [1, 2000000]] }
             |                                                             ^
          help: write at least 210W
        pool.yaml:1:71: power.points[4][1]: 2000000W is more than the 1000000W that a host may draw
           1 | power: { points: [[0.1, 162], [0.5, 206], [0.5, 210], [0.8, 200], [1, 2000000]] }
             |                                                                       ^
          help: a bare number is watts; did you mean 2000000mW?"#]],
    );
    refused(
        "power: { watts: [5] }",
        &expect![[r#"
            pool.yaml:1:17: power.watts: needs at least 2 entries, has 1
               1 | power: { watts: [5] }
                 |                 ^
              help: write for instance [162W, 162W]"#]],
    );
}

#[test]
fn refused_formulas_have_place_and_proposal() {
    refused(
        "power: { polynomial: [1, -5] }",
        &expect![[r#"
            pool.yaml:1:22: power.polynomial: at load 0.201 the power would be -0.005 W
               1 | power: { polynomial: [1, -5] }
                 |                      ^
              help: raise it: a host draws zero or more at every load from 0 to 1"#]],
    );
    refused(
        "power: { logarithmic: { factor: 1 } }",
        &expect![[r#"
            pool.yaml:1:23: power.logarithmic: missing the key "rate"
               1 | power: { logarithmic: { factor: 1 } }
                 |                       ^
              help: add for instance rate: 1.0"#]],
    );
    refused(
        "power: 162",
        &expect![[r#"
        pool.yaml:1:8: power: expected text or a mapping with the key exponential, logarithmic, logistic, points, polynomial or watts, found 162
           1 | power: 162
             |        ^
          help: put it in quotes: "162""#]],
    );
}

fn load(usage: u64, request: u64, processes: u32) -> Load {
    Load { usage: MilliCpu(usage), request: MilliCpu(request), processes }
}

fn shares(attribution: &Attribution) -> Vec<(u64, u64)> {
    let numbers = |part: &Part| (part.idle.0, part.dynamic.0);
    attribution.parts.iter().chain([&attribution.nobody]).map(numbers).collect()
}

#[test]
fn power_is_attributed_by_rule() {
    let watts = Milliwatts::from_watts;
    let host =
        Host { power: watts(200), idle: watts(160), capacity: MilliCpu(4_000), system: load(500, 0, 8) };
    let containers = [load(1_000, 2_000, 1), load(500, 1_000, 3), load(0, 0, 0)];
    let check = |idle, want: [u64; 4]| {
        let rules = Rules { idle, ..Rules::default() };
        let dynamic = [20_000, 10_000, 0, 10_000];
        let want: Vec<(u64, u64)> = want.into_iter().zip(dynamic).collect();
        assert_eq!(shares(&attribute(&host, &containers, rules)), want, "{idle:?}");
    };
    check(IdleRule::ByProcesses, [13_333, 40_000, 0, 106_667]);
    check(IdleRule::ByRequest, [80_000, 40_000, 0, 40_000]);
    check(IdleRule::ByUsage, [80_000, 40_000, 0, 40_000]);
    check(IdleRule::Nobody, [0, 0, 0, 160_000]);
}

#[test]
fn a_host_without_usage_is_attributed_by_rule() {
    let watts = Milliwatts::from_watts;
    let host = Host { power: watts(100), idle: watts(90), capacity: MilliCpu(4_000), system: load(0, 0, 1) };
    let dynamic = |zero_usage, host: &Host, containers: &[Load]| {
        let rules = Rules { idle: IdleRule::ByUsage, zero_usage };
        shares(&attribute(host, containers, rules))
    };
    let quiet = [load(0, 0, 1), load(0, 0, 2)];
    assert_eq!(dynamic(ZeroUsage::ByProcesses, &host, &quiet), [(0, 2_500), (0, 5_000), (90_000, 2_500)]);
    assert_eq!(dynamic(ZeroUsage::Nobody, &host, &quiet), [(0, 0), (0, 0), (90_000, 10_000)]);
    let empty = Host { system: Load::default(), ..host };
    assert_eq!(dynamic(ZeroUsage::ByProcesses, &empty, &[]), [(90_000, 10_000)]);
    let below_idle = Host { power: watts(50), ..host };
    assert_eq!(dynamic(ZeroUsage::Nobody, &below_idle, &quiet), [(0, 0), (0, 0), (50_000, 0)]);
}

fn any_load() -> impl Strategy<Value = Load> {
    (any::<u64>(), any::<u64>(), any::<u32>())
        .prop_map(|(usage, request, processes)| load(usage, request, processes))
}

fn small_load() -> impl Strategy<Value = Load> {
    (0..3_u64, 0..3_u64, 0..3_u32).prop_map(|(usage, request, processes)| load(usage, request, processes))
}

proptest! {
    #[test]
    fn attribution_loses_nothing(
        (power, idle, capacity) in any::<(u64, u64, u64)>(),
        system in prop_oneof![any_load(), small_load()],
        containers in prop::collection::vec(prop_oneof![any_load(), small_load()], 0..12),
        idle_rule in prop::sample::select(vec![IdleRule::ByProcesses, IdleRule::ByRequest, IdleRule::ByUsage, IdleRule::Nobody]),
        zero_usage in prop::sample::select(vec![ZeroUsage::ByProcesses, ZeroUsage::Nobody]),
    ) {
        let host = Host { power: Milliwatts(power), idle: Milliwatts(idle), capacity: MilliCpu(capacity), system };
        let attribution = attribute(&host, &containers, Rules { idle: idle_rule, zero_usage });
        prop_assert_eq!(attribution.parts.len(), containers.len());
        let all = attribution.parts.iter().chain([&attribution.nobody]);
        let sum: u128 = all.map(|part| u128::from(part.idle.0) + u128::from(part.dynamic.0)).sum();
        prop_assert_eq!(sum, u128::from(power));
    }

    #[test]
    fn no_model_leaves_the_range(numbers in prop::collection::vec(any::<f64>(), 4), parts in 0..=1_000_000_u64) {
        let [a, b, c, d] = [numbers[0], numbers[1], numbers[2], numbers[3]];
        let shapes = [
            Shape::Polynomial { coefficients: vec![a.abs() % 100.0, b % 50.0, c % 20.0, d % 9.0] },
            Shape::Polynomial { coefficients: numbers.clone() },
            Shape::Logarithmic { factor: a % 100.0, rate: b % 3.0, offset: c.abs() % 100.0 },
            Shape::Logarithmic { factor: a, rate: b, offset: c },
            Shape::Exponential { factor: a % 100.0, rate: b % 4.0, offset: c.abs() % 900.0 },
            Shape::Exponential { factor: a, rate: b, offset: c },
            Shape::Logistic { height: a % 100.0, steepness: b, midpoint: d % 2.0, offset: c.abs() % 900.0 },
            Shape::Logistic { height: a, steepness: b, midpoint: c, offset: d },
        ];
        for model in shapes.into_iter().filter_map(|shape| Model::new(shape).ok()) {
            let drawn = model.power(Ratio::from_parts_per_million(parts));
            prop_assert!(drawn <= LARGEST_HOST);
            prop_assert!(model::watts(model.shape(), parts as f64 / 1e6).is_finite());
        }
    }

    #[test]
    fn curves_never_fall(powers in prop::collection::vec(0..1_000_000_u64, 2..20), one in 0..=1_000_000_u64, other in 0..=1_000_000_u64) {
        let mut powers: Vec<Milliwatts> = powers.into_iter().map(Milliwatts).collect();
        powers.sort_unstable();
        let model = Model::from(Curve::evenly(&powers).unwrap());
        let at = |parts| model.power(Ratio::from_parts_per_million(parts));
        prop_assert!(at(one.min(other)) <= at(one.max(other)));
    }
}

/// A closed queueing network with one station of `cores` servers, thinking users and exact mean-value analysis.
struct Station {
    cores: usize,
    /// Core-seconds of one request.
    demand: f64,
    /// Seconds between an answer and the user's next request to the processors.
    pause: f64,
}

impl Station {
    /// Requests per second for 0, 1, … `most` users.
    fn throughputs(&self, most: usize) -> Vec<f64> {
        let mut waiting = vec![0.0; most + 1];
        waiting[0] = 1.0;
        let mut all = vec![0.0];
        for users in 1..=most {
            let rate = |present: usize| present.min(self.cores) as f64 / self.demand;
            let residence: f64 = (1..=users).map(|n| n as f64 / rate(n) * waiting[n - 1]).sum();
            let throughput = users as f64 / (self.pause + residence);
            for present in (1..=users).rev() {
                waiting[present] = throughput / rate(present) * waiting[present - 1];
            }
            waiting[0] = 1.0 - waiting[1..=users].iter().sum::<f64>();
            all.push(throughput);
        }
        all
    }
}

/// Mean power of the service on each host when 1 to 60 users come from a cut-off normal distribution (12, 20), think
/// for 0.3 s, wait 25 ms and need 75 ms of a core; the idle power goes by request. The figures were calculated apart.
#[test]
fn mean_power_of_the_paper_hosts() {
    let check = |id: &str, cores: usize, background: f64, request: u64, want: f64| {
        let model = host(id);
        let station = Station { cores, demand: 0.075, pause: 0.325 };
        let throughputs = station.throughputs(60);
        let (mut sum, mut weights) = (0.0, 0.0);
        for (users, throughput) in throughputs.iter().enumerate().skip(1) {
            let weight = libm::exp(-(users as f64 - 12.0) * (users as f64 - 12.0) / 800.0);
            let busy = throughput * station.demand;
            let utilisation = ((busy + background) / cores as f64).min(1.0);
            let moment = Host {
                power: model.power(Ratio::from_f64(utilisation).unwrap()),
                idle: model.idle(),
                capacity: MilliCpu(cores as u64 * 1_000),
                system: load((background * 1_000.0) as u64, 0, 0),
            };
            let service = load((busy * 1_000.0) as u64, request, 0);
            let rules = Rules { idle: IdleRule::ByRequest, zero_usage: ZeroUsage::Nobody };
            sum += weight * attribute(&moment, &[service], rules).parts[0].total().as_watts_float();
            weights += weight;
        }
        let mean = sum / weights;
        assert!((mean / want - 1.0).abs() < 0.05, "{id}: {mean}, not {want}");
    };
    check(PAPER[0], 12, 1.5, 1_500, 52.1);
    check(PAPER[1], 4, 0.9, 200, 25.2);
    check(PAPER[2], 4, 0.9, 200, 22.4);
    check(PAPER[3], 4, 0.9, 200, 51.6);
}
