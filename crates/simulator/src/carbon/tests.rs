//! Exact sums, shipped regions, checked input.

#![expect(clippy::needless_raw_string_hashes, reason = "expect-test writes them")]

use super::raw::RawCarbon;
use super::*;
use expect_test::{Expect, expect};
use model::document::{self, Checks, Draft};
use model::energy::{CarbonIntensity, Micrograms, Milliwatts};
use model::time::{Period, Timestamp};
use proptest::prelude::*;
use serde::Deserialize;

fn grams(grams: u64) -> CarbonIntensity {
    CarbonIntensity::from_grams(grams)
}

fn hour(hour: u64) -> Timestamp {
    Timestamp::EPOCH + Period::from_hours(hour)
}

fn trace(points: &[(u64, u64)], between: Between, repeat: Option<u64>) -> Trace {
    let points: Vec<_> =
        points.iter().map(|(time, value)| (Period::from_hours(*time), grams(*value))).collect();
    Trace::new(&points, between, repeat.map(Period::from_hours)).unwrap()
}

fn emitted(watts: u64, trace: &Trace, from: u64, to: u64) -> Micrograms {
    let mut emissions = Emissions::default();
    emissions.add(Milliwatts::from_watts(watts), trace, hour(from), hour(to));
    emissions.total()
}

#[test]
fn a_kilowatt_hour_emits_its_intensity() {
    let whole = |grams: u64| Micrograms(grams * 1_000_000);
    assert_eq!(emitted(1_000, &Trace::constant(grams(56)), 0, 1), whole(56));
    assert_eq!(emitted(250, &Trace::constant(grams(56)), 3, 7), whole(56));
    let day = trace(&[(0, 100), (6, 20)], Between::Step, Some(24));
    assert_eq!(emitted(1_000, &day, 0, 24), whole(6 * 100 + 18 * 20));
    assert_eq!(emitted(1_000, &day, 5, 7), whole(120));
    assert_eq!(emitted(1_000, &day, 23, 49), whole(20 + 600 + 360 + 100));
    let slope = trace(&[(0, 20), (10, 100)], Between::Linear, None);
    assert_eq!(emitted(1_000, &slope, 0, 10), whole(600));
    assert_eq!(emitted(1_000, &slope, 0, 5), whole(200));
    assert_eq!(emitted(1_000, &slope, 10, 12), whole(200));
}

#[test]
fn intensity_at_a_moment() {
    let check = |trace: &Trace, at: u64, want: u64| assert_eq!(trace.at(hour(at)), grams(want), "{at}");
    let points = [(0, 100), (6, 40), (12, 160)];
    for (at, step, linear) in
        [(0, 100, 100), (3, 100, 70), (6, 40, 40), (11, 40, 140), (18, 160, 130), (24, 100, 100)]
    {
        check(&trace(&points, Between::Step, Some(24)), at, step);
        check(&trace(&points, Between::Linear, Some(24)), at, linear);
    }
    check(&trace(&points, Between::Linear, None), 400, 160);
    let late = trace(&points, Between::Step, Some(24)).beginning(Period::from_hours(20));
    check(&late, 3, 160);
    check(&late, 4, 100);
    assert_eq!(late.next_point(hour(0)), Some(hour(4)));
    assert_eq!(late.next_point(hour(4)), Some(hour(10)));
    assert_eq!(trace(&points, Between::Step, None).next_point(hour(12)), None);
    assert_eq!(late.mean(hour(4), hour(28)), grams((6 * 100 + 6 * 40 + 12 * 160) / 24));
    assert_eq!(late.mean(hour(4), hour(4)), grams(100));
}

#[test]
fn the_sun_makes_a_dip() {
    let noon_at = Period::from_hours(12);
    let day = SolarDay { night: grams(300), noon: grams(100), noon_at, daylight: Period::from_hours(12) };
    let trace = day.trace().unwrap();
    let at = |time| trace.at(hour(time)).as_grams_float();
    assert_eq!([at(0), at(6), at(12), at(18), at(23), at(36)], [300.0, 300.0, 100.0, 300.0, 300.0, 100.0]);
    assert_eq!(at(8), at(16));
    // cos(60°) is one half.
    assert_eq!(at(8), 200.0);
    let night = SolarDay { noon_at: Period::ZERO, ..day }.trace().unwrap();
    assert_eq!(night.at(hour(20)), night.at(hour(4)));
    assert_eq!(night.at(hour(0)), grams(100));
}

#[test]
fn shipped_regions_are_typical_days() {
    let catalogue = Catalogue::shipped();
    assert_eq!(catalogue.ids().collect::<Vec<_>>(), ["fr", "nl"]);
    for region in catalogue.regions() {
        let mean = region.trace.mean(hour(0), hour(24)).as_grams_float();
        assert!((mean - region.mean.as_grams_float()).abs() < 0.1, "{}: {mean}", region.id);
        assert!(region.provenance.contains("MIT"), "{}", region.id);
        assert_eq!(region.trace.at(hour(13)), region.hours[13]);
    }
    assert_eq!(
        catalogue.get("fra").unwrap_err().to_string(),
        "there is no carbon intensity for the region \"fra\"; did you mean fr?"
    );
}

proptest! {
    #[test]
    fn parts_of_an_interval_add_up(
        values in prop::collection::vec((1..50_000_000_u64, 0..10_000_000_u64), 1..12),
        linear: bool,
        repeat in prop::option::of(1..50_000_000_u64),
        begins in 0..10_000_000_000_u64,
        mut cuts in prop::collection::vec(0..40_000_000_000_u64, 2..12),
        power in 0..1_000_000_000_u64,
    ) {
        let mut time = 0;
        let points: Vec<(Period, CarbonIntensity)> = values.iter().map(|(step, value)| {
            let point = (Period(time), CarbonIntensity(*value));
            time += step;
            point
        }).collect();
        let between = if linear { Between::Linear } else { Between::Step };
        let trace = Trace::new(&points, between, repeat.map(|more| Period(time + more))).unwrap().beginning(Period(begins));
        cuts.sort_unstable();
        let moments: Vec<Timestamp> = cuts.into_iter().map(Timestamp).collect();
        let (from, to) = (moments[0], moments[moments.len() - 1]);
        let mut parts = Emissions::default();
        let mut whole = Emissions::default();
        whole.add(Milliwatts(power), &trace, from, to);
        for pair in moments.windows(2) {
            parts.add(Milliwatts(power), &trace, pair[0], pair[1]);
            let most = values.iter().map(|(_, value)| *value).max().unwrap();
            prop_assert!(trace.mean(pair[0], pair[1]).0 <= most);
        }
        prop_assert_eq!(parts, whole);
    }

    #[test]
    fn no_table_breaks_the_reader(text in "[0-9a-zT:,. \\-\"\n#]{0,200}") {
        if let Ok(points) = csv::read("carbon.csv", text.as_bytes()) {
            let faults = Trace::new(&points, Between::Linear, None).err().unwrap_or_default();
            prop_assert!(faults.iter().all(|fault| matches!(fault, TraceFault::TooLong { .. })), "{:?}", faults);
        }
    }
}

#[test]
fn tables_are_read_in_many_forms() {
    let check = |text: &str, want: &[(u64, u64)]| {
        let points = csv::read("carbon.csv", text.as_bytes()).unwrap();
        let points: Vec<(u64, u64)> = points.into_iter().map(|(time, value)| (time.0, value.0)).collect();
        assert_eq!(points, want, "{text}");
    };
    check("time,intensity\n0s,56\n1h,57.5\n", &[(0, 56_000), (3_600_000, 57_500)]);
    check("0,56\r\n900,57\r\n\r\n", &[(0, 56_000), (900_000, 57_000)]);
    check(
        "\u{feff}\"timestamp\",\"carbon\"\n# a remark\n\"2022-01-01 00:00:00\",15.096709044543305\n2022-01-01 01:00:00,1e1",
        &[(0, 15_097), (3_600_000, 10_000)],
    );
    check("2024-02-28T23:30Z,5\n2024-02-29T00:00Z,6", &[(0, 5_000), (1_800_000, 6_000)]);
    check("90m,1\n2h,2", &[(0, 1_000), (1_800_000, 2_000)]);
}

#[test]
fn every_problem_of_a_table_is_listed() {
    let text = "time,intensity\n0s,56\nlater,x\n1h\n0s,5\n2022-01-01 00:00,5\n3h,-2\n4h,nan\n5h,1e9\n";
    let problems = csv::read("carbon.csv", text.as_bytes()).unwrap_err();
    expect![[r#"
        carbon.csv:3:1: "later" is not a time
           3 | later,x
             | ^
          help: write for instance 90m, 5400 (seconds) or 2022-01-01 01:30:00
        carbon.csv:3:7: the carbon intensity "x" is not a number
           3 | later,x
             |       ^
          help: write for instance 56.5
        carbon.csv:4:1: expected two columns, found 1
           4 | 1h
             | ^
          help: write time,intensity
        carbon.csv:5:1: the time does not rise from the row before
           5 | 0s,5
             | ^
          help: order the rows by time and keep one of each
        carbon.csv:6:1: the first row has another kind of time
           6 | 2022-01-01 00:00,5
             | ^
          help: write all times in the same form
        carbon.csv:7:4: the carbon intensity "-2" is negative
           7 | 3h,-2
             |    ^
          help: write for instance 56.5
        carbon.csv:8:4: the carbon intensity "nan" is not a number
           8 | 4h,nan
             |    ^
          help: write for instance 56.5
        carbon.csv:9:4: the carbon intensity "1e9" is too large
           9 | 5h,1e9
             |    ^
          help: write for instance 56.5"#]]
    .assert_eq(&problems.to_string());
    let alone =
        |bytes: &[u8]| csv::read("carbon.csv", bytes).unwrap_err().iter().next().unwrap().message.clone();
    assert_eq!(alone(b""), "there are no rows");
    assert_eq!(alone(b"time,intensity\n"), "there are no rows");
    assert_eq!(alone(b"\xff"), "the byte 0xff is not valid UTF-8");
}

#[derive(Deserialize, schemars::JsonSchema)]
struct Cluster {
    carbon: RawCarbon,
}

fn read(text: &str) -> Result<Trace, String> {
    let draft = document::draft::<Cluster>("cluster.yaml", text.as_bytes(), &Checks::default());
    let Draft { value, document, doubts, mut problems } = draft.map_err(|problems| problems.to_string())?;
    let again: RawCarbon = serde_json::from_value(serde_json::to_value(&value.carbon).unwrap()).unwrap();
    assert_eq!(value.carbon, again, "{text}");
    let trace = check(&value.carbon, &document, &doubts, "carbon");
    problems.extend(trace.as_ref().err().into_iter().flatten().cloned());
    problems.into_result(()).map_err(|problems| problems.to_string())?;
    Ok(trace.expect("its problems were found"))
}

#[test]
fn every_form_of_intensity_can_be_written() {
    let check = |text: &str, want: [f64; 2]| {
        let trace = read(text).unwrap();
        assert_eq!([0, 12].map(|time| trace.at(hour(time)).as_grams_float()), want, "{text}");
    };
    check("carbon: fr", [23.9, 22.6]);
    check("carbon: 56", [56.0, 56.0]);
    check("carbon: 0.5", [0.5, 0.5]);
    check("carbon: { region: nl, begins: 12h }", [133.3, 196.0]);
    check("carbon: { region: nl, flat: true }", [165.3, 165.3]);
    check("carbon: { trace: [[0s, 50], [6h, 30.5]] }", [50.0, 30.5]);
    check("carbon: { trace: [[0s, 50], [6h, 30]], between: linear, repeat: 18h }", [50.0, 40.0]);
    check("carbon: { night: 320, noon: 80 }", [320.0, 80.0]);
    assert_eq!(document::unsupported::<Cluster>(), Vec::<String>::new());
}

fn refused(text: &str, want: &Expect) {
    want.assert_eq(&read(text).unwrap_err());
}

#[test]
fn refused_regions_have_place_and_proposal() {
    refused(
        "carbon: france",
        &expect![[r#"
        cluster.yaml:1:9: carbon: there is no carbon intensity for the region "france"
           1 | carbon: france
             |         ^
          help: did you mean fr?"#]],
    );
    refused(
        "carbon: -5",
        &expect![[r#"
            cluster.yaml:1:9: carbon: carbon intensity "-5" is negative
               1 | carbon: -5
                 |         ^
              help: write for instance 56"#]],
    );
    refused(
        "carbon: 56000",
        &expect![[r#"
        cluster.yaml:1:9: carbon: 56000 g/kWh is more than the 10000 that electricity may stand for
           1 | carbon: 56000
             |         ^
          help: write grams per kilowatt-hour"#]],
    );
    refused(
        "carbon: { region: n, begins: 30h }",
        &expect![[r#"
            cluster.yaml:1:19: carbon.region: there is no carbon intensity for the region "n"
               1 | carbon: { region: n, begins: 30h }
                 |                   ^
              help: did you mean nl?
            cluster.yaml:1:30: carbon.begins: 1d6h is not before its end at 1d
               1 | carbon: { region: n, begins: 30h }
                 |                              ^
              help: write less than 1d"#]],
    );
}

#[test]
fn refused_courses_have_place_and_proposal() {
    refused(
        "carbon: { trace: [[1s, 50], [1s, 30], [20000d, 99999]], repeat: 1s }",
        &expect![[r#"
            cluster.yaml:1:20: carbon.trace[0][0]: the first point is at 1s, not at 0s
               1 | carbon: { trace: [[1s, 50], [1s, 30], [20000d, 99999]], repeat: 1s }
                 |                    ^
              help: begin with [0s, …]
            cluster.yaml:1:30: carbon.trace[1][0]: the time 1s does not rise from the 1s before it
               1 | carbon: { trace: [[1s, 50], [1s, 30], [20000d, 99999]], repeat: 1s }
                 |                              ^
              help: list the points by rising time
            cluster.yaml:1:40: carbon.trace[2][0]: 20000d is later than the 3660d that a trace may last
               1 | carbon: { trace: [[1s, 50], [1s, 30], [20000d, 99999]], repeat: 1s }
                 |                                        ^
              help: write at most 3660d
            cluster.yaml:1:48: carbon.trace[2][1]: 99999 g/kWh is more than the 10000 that electricity may stand for
               1 | carbon: { trace: [[1s, 50], [1s, 30], [20000d, 99999]], repeat: 1s }
                 |                                                ^
              help: write grams per kilowatt-hour
            cluster.yaml:1:65: carbon.repeat: it repeats after 1s, before its last point at 20000d
               1 | carbon: { trace: [[1s, 50], [1s, 30], [20000d, 99999]], repeat: 1s }
                 |                                                                 ^
              help: write more than 20000d"#]],
    );
    refused(
        "carbon: { trace: [[0, 50], [6, 30]] }",
        &expect![[r#"
        cluster.yaml:1:20: carbon.trace[0][0]: expected text, found 0
           1 | carbon: { trace: [[0, 50], [6, 30]] }
             |                    ^
          help: put it in quotes: "0"
        cluster.yaml:1:29: carbon.trace[1][0]: period "6" has no unit
           1 | carbon: { trace: [[0, 50], [6, 30]] }
             |                             ^
          help: did you mean 6s?"#]],
    );
    refused(
        "carbon: { night: 80, noon: 320, noon_at: 25h, daylight: 0s }",
        &expect![[r#"
            cluster.yaml:1:28: carbon.noon: the sun would raise the intensity from 80 to 320 g/kWh
               1 | carbon: { night: 80, noon: 320, noon_at: 25h, daylight: 0s }
                 |                            ^
              help: write night: 320, noon: 80
            cluster.yaml:1:42: carbon.noon_at: 1d1h is not before its end at 1d
               1 | carbon: { night: 80, noon: 320, noon_at: 25h, daylight: 0s }
                 |                                          ^
              help: write less than 1d
            cluster.yaml:1:57: carbon.daylight: the sun shines for more than nothing and at most 1d, not 0s
               1 | carbon: { night: 80, noon: 320, noon_at: 25h, daylight: 0s }
                 |                                                         ^
              help: write for instance 12h"#]],
    );
    refused(
        "carbon: { nigth: 80, noon: 32 }",
        &expect![[r#"
        cluster.yaml:1:11: carbon: unknown key "nigth"
           1 | carbon: { nigth: 80, noon: 32 }
             |           ^
          help: did you mean "night"? known keys: begins, daylight, night, noon, noon_at"#]],
    );
}
