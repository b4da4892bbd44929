//! The engine beside SciPy on the same numbers. `reference.py` says how `reference.json` was made.

use super::distribution::student_quantile;
use super::estimate::sorted;
use super::*;
use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Deserialize)]
struct Reference {
    samples: BTreeMap<String, Sample>,
    student: Vec<Student>,
    holm: Holm,
}

#[derive(Deserialize)]
struct Sample {
    ours: Vec<f64>,
    theirs: Vec<f64>,
    estimate: Description,
    signed_rank: Test,
    bootstrap: Interval,
}

#[derive(Deserialize)]
struct Description {
    mean: f64,
    low: f64,
    high: f64,
    standard_deviation: f64,
    median: f64,
    interquartile_mean: f64,
    quantile_10: f64,
}

#[derive(Deserialize)]
struct Test {
    statistic: f64,
    p: f64,
}

#[derive(Deserialize)]
struct Student {
    degrees: f64,
    quantile: f64,
}

#[derive(Deserialize)]
struct Holm {
    probabilities: Vec<f64>,
    corrected: Vec<f64>,
}

fn reference() -> Reference {
    serde_json::from_str(include_str!("reference.json")).unwrap()
}

#[track_caller]
fn close(ours: f64, theirs: f64, relative: f64, what: &str) {
    let scale = ours.abs().max(theirs.abs()).max(1e-12);
    assert!((ours - theirs).abs() <= relative * scale, "{what}: {ours} is not {theirs}");
}

#[test]
fn samples_are_described_as_scipy_does() {
    for (name, sample) in reference().samples {
        let ours = Estimate::of(&sample.ours).unwrap();
        let theirs = sample.estimate;
        let interval = ours.interval.unwrap();
        close(ours.mean, theirs.mean, 1e-12, &name);
        close(interval.low, theirs.low, 1e-9, &name);
        close(interval.high, theirs.high, 1e-9, &name);
        close(ours.standard_deviation, theirs.standard_deviation, 1e-12, &name);
        close(ours.median, theirs.median, 1e-12, &name);
        close(ours.interquartile_mean, theirs.interquartile_mean, 1e-12, &name);
        close(quantile(&sorted(&sample.ours), 0.1), theirs.quantile_10, 1e-12, &name);
    }
}

#[test]
fn paired_tests_agree_with_scipy() {
    for (name, sample) in reference().samples {
        let ours = compare(&sample.ours, &sample.theirs, &Bootstrap::default(), &name).unwrap();
        let test = ours.test.unwrap();
        close(test.statistic, sample.signed_rank.statistic, 1e-12, &name);
        close(test.p, sample.signed_rank.p, 1e-9, &name);
        // Two resamplings with different draws: their ends differ by a few hundredths of the interval's width.
        let (ours, theirs) = (ours.interval.unwrap(), sample.bootstrap);
        let width = theirs.high - theirs.low;
        assert!((ours.low - theirs.low).abs() < 0.06 * width, "{name}: {ours:?} is not {theirs:?}");
        assert!((ours.high - theirs.high).abs() < 0.06 * width, "{name}: {ours:?} is not {theirs:?}");
    }
}

#[test]
fn quantiles_of_student_agree_with_scipy() {
    for one in reference().student {
        close(student_quantile(0.95, one.degrees), one.quantile, 1e-10, &one.degrees.to_string());
    }
}

#[test]
fn holm_is_monotone_and_exact() {
    let reference = reference().holm;
    for (ours, theirs) in holm(&reference.probabilities).into_iter().zip(reference.corrected) {
        close(ours, theirs, 1e-12, "holm");
    }
    assert_eq!(holm(&[]), [0.0; 0]);
}

#[test]
fn nothing_is_claimed_from_too_little_or_from_holes() {
    let bootstrap = Bootstrap::default();
    let few = compare(&[1.0, 1.0, 1.0, 1.0], &[2.0, 2.0, 2.0, 2.0], &bootstrap, "few").unwrap();
    assert_eq!(few.verdict, Verdict::TooFewSeeds);
    let enough = compare(&[1.0; 5], &[2.0; 5], &bootstrap, "enough").unwrap();
    assert_eq!((enough.verdict, enough.standardised), (Verdict::Differs, None));
    let same = compare(&[1.0; 5], &[1.0; 5], &bootstrap, "same").unwrap();
    assert_eq!((same.verdict, same.test), (Verdict::NotShown, None));
    assert_eq!(compare(&[1.0], &[f64::NAN], &bootstrap, "hole"), None);
    assert_eq!(compare(&[1.0], &[1.0, 2.0], &bootstrap, "unpaired"), None);
    assert_eq!(Estimate::of(&[1.0, f64::NAN]), None);
    assert_eq!(Estimate::of(&[]), None);
}

#[test]
fn resampling_is_the_same_every_time() {
    let values = [1.234, 5.871, 2.032, 8.117, 3.301, 4.775, 9.132];
    let bootstrap = Bootstrap::default();
    assert_eq!(bootstrap.mean(&values, "a"), bootstrap.mean(&values, "a"));
    assert_ne!(bootstrap.mean(&values, "a"), bootstrap.mean(&values, "b"));
}
