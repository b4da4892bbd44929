//! Behaviour of the recommender, with the numbers that upstream's own tests and upstream itself compute.

use super::estimate::{Bound, amount, confidence, share};
use super::histogram::{Buckets, DecayingHistogram};
use super::peaks::MemoryPeak;
use super::*;
use crate::controllers::pod::PodKey;
use model::quantity::{Bytes, MilliCpu};
use model::time::{Period, Timestamp};

const HOUR: Period = Period::from_hours(1);
const DAY: Period = Period::from_hours(24);
/// An arbitrary moment in the middle of a half-life.
const START: Timestamp = Timestamp::from_millis(1_234_567_890_000);
const POD: PodKey = PodKey(0);
const MEBIBYTE: u64 = 1 << 20;

/// Buckets of about one unit around the values 1 to 4: the growth is too small to matter.
fn even_buckets() -> Buckets {
    Buckets::new(10.0, 1.0, 1.000_000_001).unwrap()
}

fn near(got: f64, want: f64, what: &str) {
    assert!((got - want).abs() < 1e-6, "{what}: got {got}, want {want}");
}

#[test]
fn buckets_grow_by_their_ratio() {
    let buckets = Buckets::new(500.0, 40.0, 1.5).unwrap();
    assert_eq!(buckets.count(), 6);
    let starts: Vec<f64> = (0..6).map(|bucket| buckets.start(bucket)).collect();
    assert_eq!(starts, [0.0, 40.0, 100.0, 190.0, 325.0, 527.5]);
    for (value, bucket) in [(-1.0, 0), (39.99, 0), (40.0, 1), (100.0, 2), (900.0, 5), (f64::MAX, 5)] {
        assert_eq!(buckets.find(value), bucket, "{value}");
    }
    assert_eq!((Buckets::of_cpu().count(), Buckets::of_memory().count()), (176, 176));
    for (largest, first, ratio) in [(0.0, 1.0, 2.0), (1.0, 0.0, 2.0), (1.0, 1.0, 1.0), (1.0, f64::NAN, 2.0)] {
        assert_eq!(Buckets::new(largest, first, ratio), None, "{largest} {first} {ratio}");
    }
}

#[test]
fn a_percentile_is_the_end_of_its_bucket() {
    let mut histogram = DecayingHistogram::new(even_buckets(), HOUR);
    assert_eq!(histogram.percentile(0.5), 0.0);
    // Values and weights 1 to 4 at the same moment: 10 %, 20 %, 30 % and 40 % of the weight.
    for value in 1..=4 {
        histogram.add(f64::from(value) + 0.5, f64::from(value), START);
    }
    for (share, end) in
        [(0.0, 2.0), (0.09, 2.0), (0.2, 3.0), (0.29, 3.0), (0.4, 4.0), (0.59, 4.0), (0.7, 5.0), (1.0, 5.0)]
    {
        near(histogram.percentile(share), end, &share.to_string());
    }
}

#[test]
fn samples_lose_half_of_their_weight_every_half_life() {
    let mut histogram = DecayingHistogram::new(even_buckets(), HOUR);
    // The same four samples an hour apart: 2 %, 8 %, 24 % and 65 % of the weight.
    for value in 1..=4_u32 {
        let at = START + HOUR.saturating_mul(u64::from(value));
        histogram.add(f64::from(value) + 0.5, f64::from(value), at);
    }
    for (share, end) in
        [(0.0, 2.0), (0.02, 2.0), (0.03, 3.0), (0.1, 3.0), (0.11, 4.0), (0.34, 4.0), (0.35, 5.0)]
    {
        near(histogram.percentile(share), end, &share.to_string());
    }
}

#[test]
fn a_sample_can_outweigh_any_older_one() {
    let mut histogram = DecayingHistogram::new(even_buckets(), HOUR);
    histogram.add(2.5, 1000.0, START);
    histogram.add(1.5, 1.0, START + HOUR.saturating_mul(20));
    near(histogram.percentile(0.999), 2.0, "2^20 is more than 1000 times 1000");
    near(histogram.percentile(1.0), 3.0, "the old sample is still there");
    // So much later that the old weights vanish when the reference moves.
    histogram.add(3.5, 1.0, START + HOUR.saturating_mul(150));
    near(histogram.percentile(0.0), 4.0, "only the newest is left");
    near(histogram.percentile(1.0), 4.0, "only the newest is left");
}

#[test]
fn what_was_added_can_be_taken_back() {
    let mut histogram = DecayingHistogram::new(even_buckets(), HOUR);
    histogram.add(1.5, 1.0, START);
    histogram.add(3.5, 1.0, START + HOUR);
    histogram.subtract(3.5, 1.0, START + HOUR);
    near(histogram.percentile(1.0), 2.0, "the later sample is gone");
    histogram.subtract(1.5, 1.0, START);
    assert!(histogram.is_empty());
}

#[test]
fn confidence_is_days_of_one_sample_a_minute() {
    // Nine samples two minutes apart: 16 minutes of history, but only nine of 1440 samples.
    let confidence_of_nine = confidence(Period::from_minutes(16), 9, DAY);
    assert_eq!(confidence_of_nine, 0.00625);
    assert_eq!(confidence(Period::from_minutes(16), 9, Period::from_minutes(18)), 0.5);
    let rows = [
        // (bound, confidence, factor on 1000): upwards 1 + 1/days, downwards (1 + 0.001/days)^-2.
        (Bound::Upper, 0.5, 3000),
        (Bound::Upper, 1.0, 2000),
        (Bound::Upper, 7.0, 1142),
        (Bound::Upper, 0.0, 100_000_000_000_000),
        (Bound::Lower, 0.0, 0),
        (Bound::Lower, 5.0 / 1440.0, 602),
        (Bound::Lower, 30.0 / 1440.0, 910),
        (Bound::Lower, 60.0 / 1440.0, 953),
        (Bound::Target, 0.0, 1000),
    ];
    for (bound, confidence, want) in rows {
        assert_eq!(amount(1000.0, bound, 0.0, confidence, 0), want, "{bound:?} {confidence}");
    }
}

#[test]
fn margin_and_minimum_apply_to_whole_units() {
    assert_eq!(amount(3140.0, Bound::Target, 0.1, 1.0, 0), 3454);
    assert_eq!(amount(100.0, Bound::Target, 0.15, 1.0, 0), 115, "100 × 1.15 is a bit less in floating point");
    assert_eq!(amount(1.0, Bound::Target, 0.15, 1.0, 25), 25);
    assert_eq!(amount(0.0, Bound::Upper, 0.15, 0.0, 25), 25);
    assert_eq!((share(25, 1), share(25, 2), share(250 << 20, 2)), (25, 12, 131_072_000));
}

/// The peaks a recommender holds, read off as the 100th percentile.
fn highest_peak(samples: Samples<'_>) -> u64 {
    let settings = Settings { target_percentile: 1.0, margin: 0.0, ..Settings::default() };
    let mut recommender = Recommender::new(settings, Policy::default(), 1);
    for (at, sample) in samples {
        let at = START + *at;
        match *sample {
            Sample::Used(mebibytes) => recommender.add_memory(POD, at, Bytes(mebibytes * MEBIBYTE)),
            Sample::Killed(mebibytes) => recommender.add_out_of_memory(POD, at, Bytes(mebibytes * MEBIBYTE)),
        };
        recommender.add_cpu(POD, at, MilliCpu(1), MIN_SAMPLE_WEIGHT);
    }
    recommender.recommend(START).unwrap().uncapped.memory.0
}

type Samples<'a> = &'a [(Period, Sample)];

#[derive(Clone, Copy)]
enum Sample {
    Used(u64),
    Killed(u64),
}

#[test]
fn a_kill_raises_the_peak_but_not_again_and_again() {
    use Sample::{Killed, Used};
    let zero = Period::ZERO;
    let rows: [(&str, Samples<'_>, u64); 7] = [
        ("by a fifth", &[(zero, Killed(1000))], 1200),
        ("by at least 100 MiB", &[(zero, Killed(300))], 400),
        ("smaller kills change nothing", &[(zero, Killed(1000)), (zero, Killed(999))], 1200),
        ("a larger one does", &[(zero, Killed(1000)), (zero, Killed(2000))], 2400),
        ("from the measured peak if that is higher", &[(zero, Used(3000)), (zero, Killed(1000))], 3600),
        ("one long past is ignored", &[(Period::from_hours(30), Used(1000)), (zero, Killed(1000))], 1000),
        (
            "in a new window from its request",
            &[(zero, Used(500)), (DAY.saturating_mul(2), Killed(2000))],
            2400,
        ),
    ];
    for (what, samples, want) in rows {
        // A percentile is the end of a bucket; buckets are 5 % wide.
        let exact = (want * MEBIBYTE) as f64;
        let got = highest_peak(samples) as f64;
        assert!((exact..exact * 1.051 + 1e7).contains(&got), "{what}: got {got}, want about {exact}");
    }
}

/// Which megabytes the peaks are, and how much of the weight is at or below each.
fn peaks_of(samples: &[(u64, u64)]) -> DecayingHistogram {
    let mut peaks = DecayingHistogram::new(Buckets::of_memory(), DAY);
    let mut memory = MemoryPeak::default();
    for (hour, megabytes) in samples {
        let at = Timestamp::EPOCH + HOUR.saturating_mul(*hour);
        assert!(memory.add(&mut peaks, &Settings::default(), at, Bytes(megabytes * 1_000_000)));
    }
    peaks
}

#[test]
fn intervals_follow_the_first_sample_and_keep_one_peak_each() {
    let buckets = Buckets::of_memory();
    let end_of = |megabytes: f64| buckets.start(buckets.find(megabytes * 1e6) + 1);
    // Peaks of day 1 (until hour 24) and day 3 (until hour 72); the later weighs four times as much.
    let peaks = peaks_of(&[(0, 100), (60, 200), (70, 300), (71, 250)]);
    assert_eq!(peaks.percentile(0.19), end_of(100.0));
    assert_eq!(peaks.percentile(0.21), end_of(300.0));
    // Hour 72 begins day 4.
    let peaks = peaks_of(&[(0, 100), (60, 300), (72, 200)]);
    assert_eq!(peaks.percentile(0.6), end_of(200.0));
    // A peak of nothing is not replaced before its day is over.
    assert_eq!(peaks_of(&[(0, 0), (1, 500)]).percentile(1.0), 1e7);
}

#[test]
fn one_peak_counts_for_a_whole_day() {
    // Nine quiet days and one with a single spike: by the number of samples the spike is nothing, by days a tenth.
    let mut recommender = Recommender::new(Settings::default(), Policy::default(), 1);
    for hour in 0..240 {
        let at = Timestamp::EPOCH + HOUR.saturating_mul(hour);
        let usage = if hour == 230 { 4_000_000_000 } else { 500_000_000 };
        assert!(recommender.add_memory(POD, at, Bytes(usage)));
        assert!(recommender.add_cpu(POD, at, MilliCpu(100), MIN_SAMPLE_WEIGHT));
    }
    let recommended = recommender.recommend(Timestamp::EPOCH + DAY.saturating_mul(10)).unwrap();
    assert!(recommended.target.memory.0 > 4_000_000_000, "{recommended:?}");
    assert!(recommended.lower.memory.0 > 4_000_000_000, "the last day weighs as much as all before");
}

#[test]
fn samples_out_of_order_are_refused() {
    let mut recommender = Recommender::new(Settings::default(), Policy::default(), 1);
    let later = START + Period::from_secs(60);
    assert!(recommender.add_cpu(POD, later, MilliCpu(100), MIN_SAMPLE_WEIGHT));
    assert!(!recommender.add_cpu(POD, later, MilliCpu(100), MIN_SAMPLE_WEIGHT), "the same again");
    assert!(!recommender.add_cpu(POD, START, MilliCpu(100), MIN_SAMPLE_WEIGHT), "an older one");
    assert!(recommender.add_cpu(PodKey(1), later, MilliCpu(100), MIN_SAMPLE_WEIGHT), "another pod");
    for weight in [-1.0, f64::NAN, f64::INFINITY] {
        assert!(!recommender.add_cpu(PodKey(2), later, MilliCpu(100), weight), "{weight}");
    }
    assert!(recommender.add_memory(POD, later, Bytes(1)));
    assert!(recommender.add_memory(POD, later, Bytes(1)), "memory may repeat");
    assert!(!recommender.add_memory(POD, START, Bytes(1)), "but not go back");
    recommender.forget(POD);
    assert!(recommender.add_memory(POD, START, Bytes(1)), "the number belongs to a new pod");
}

#[test]
fn without_samples_nothing_is_recommended() {
    let mut recommender = Recommender::new(Settings::default(), Policy::default(), 1);
    assert_eq!(recommender.recommend(START), None);
    recommender.add_memory(POD, START, Bytes(1));
    assert_eq!(recommender.recommend(START), None, "memory alone has no confidence");
    recommender.add_cpu(POD, START, MilliCpu(900), MIN_SAMPLE_WEIGHT);
    assert!(recommender.recommend(START).is_some());
    let expired = START + DAY.saturating_mul(8);
    assert_eq!(recommender.recommend(expired), None, "eight days without a sample");
    recommender.add_cpu(POD, expired, MilliCpu(1), MIN_SAMPLE_WEIGHT);
    assert_eq!(
        recommender.recommend(expired).unwrap().target.cpu,
        MilliCpu(25),
        "the old sample is forgotten"
    );
}

#[test]
fn the_policy_caps_everything_but_the_uncapped_target() {
    let policy = Policy {
        min_allowed: Amounts { cpu: MilliCpu(100), memory: Bytes(0) },
        max_allowed: Amounts { cpu: MilliCpu(0), memory: Bytes(200 << 20) },
    };
    let mut recommender = Recommender::new(Settings::default(), policy, 1);
    recommender.add_cpu(POD, START, MilliCpu(1), MIN_SAMPLE_WEIGHT);
    let got = recommender.recommend(START).unwrap();
    let capped = Amounts { cpu: MilliCpu(100), memory: Bytes(200 << 20) };
    assert_eq!(got.target, capped);
    assert_eq!(got.lower, capped);
    assert_eq!(got.upper.memory, capped.memory);
    assert_eq!(got.uncapped, Amounts { cpu: MilliCpu(25), memory: Bytes(250 << 20) });
}

/// A stream of samples, one per pod and `every` minutes.
#[derive(Clone, Copy)]
struct Stream {
    name: &'static str,
    start: u64,
    minutes: u64,
    every: u64,
    pods: u32,
    containers: u32,
    millicores: fn(u64, u64) -> u64,
    megabytes: fn(u64, u64) -> u64,
    /// Kills of pod 0: the minute, and the megabytes requested.
    kills: &'static [(u64, u64)],
    /// Lower, target and upper: millicores and bytes.
    want: [(u64, u64); 3],
}

impl Stream {
    fn recommended(&self) -> [(u64, u64); 3] {
        let mut recommender = Recommender::new(Settings::default(), Policy::default(), self.containers);
        let mut now = Timestamp::EPOCH;
        for minute in (0..self.minutes).step_by(self.every as usize) {
            now = Timestamp::EPOCH + Period::from_minutes(self.start + minute);
            for pod in 0..self.pods {
                let number = u64::from(pod);
                let cpu = MilliCpu((self.millicores)(number, minute));
                recommender.add_cpu(PodKey(pod), now, cpu, MIN_SAMPLE_WEIGHT);
                recommender.add_memory(PodKey(pod), now, Bytes((self.megabytes)(number, minute) * 1_000_000));
            }
            for (_, megabytes) in self.kills.iter().filter(|(at, _)| *at == minute) {
                assert!(recommender.add_out_of_memory(POD, now, Bytes(megabytes * 1_000_000)));
            }
        }
        let got = recommender.recommend(now).unwrap();
        [got.lower, got.target, got.upper].map(|amounts| (amounts.cpu.0, amounts.memory.0))
    }
}

/// The expected numbers were printed by the recommender of vertical-pod-autoscaler 1.8.1, fed with the same samples.
fn streams() -> [Stream; 6] {
    let usual = Stream {
        name: "idle",
        start: 0,
        minutes: 60,
        every: 1,
        pods: 1,
        containers: 1,
        millicores: |_, _| 1,
        megabytes: |_, _| 5,
        kills: &[],
        want: [(25, 262_144_000), (25, 262_144_000), (279, 292_177_966)],
    };
    let noisy = Stream {
        name: "ten minutes of noise",
        start: 30,
        minutes: 10,
        millicores: |_, minute| 200 + minute * 7919 % 800,
        megabytes: |_, minute| 300 + minute * 104_729 % 200,
        want: [(465, 436_834_658), (977, 587_804_717), (177_261, 94_636_559_437)],
        ..usual
    };
    [
        Stream {
            name: "three days of noise",
            start: 0,
            minutes: 3 * 1440,
            want: [(715, 587_412_952), (1101, 587_804_717), (1557, 783_784_988)],
            ..noisy
        },
        Stream {
            name: "three pods of two containers, more load in the last two of eight days",
            start: 777,
            minutes: 8 * 1440,
            every: 5,
            pods: 3,
            containers: 2,
            millicores: |pod, minute| match minute {
                0..8640 => 500 + pod * 100 + minute % 97,
                _ => 2500 + pod * 300 + minute % 389,
            },
            megabytes: |pod, minute| 1000 + pod * 500 + minute / 1440 * 130 + minute % 71,
            want: [(3301, 2_822_062_213), (3860, 3_481_230_109), (4911, 4_206_486_381)],
            ..usual
        },
        Stream {
            name: "killed twice",
            minutes: 2 * 1440,
            pods: 2,
            millicores: |_, minute| 50 + minute % 11,
            megabytes: |_, minute| 800 + minute % 13,
            kills: &[(1000, 1000), (2000, 2500)],
            want: [(62, 977_292_154), (78, 3_481_230_109), (117, 5_222_449_753)],
            ..usual
        },
        Stream {
            name: "longer than weights can grow",
            minutes: 150 * 1440,
            every: 60,
            millicores: |_, minute| 100 + minute / 1440 * 20,
            megabytes: |_, minute| 100 + minute / 1440 * 10,
            want: [(3663, 1_835_083_430), (3666, 1_836_551_791), (5132, 2_571_172_507)],
            ..usual
        },
        noisy,
        usual,
    ]
}

#[test]
fn recommends_what_upstream_recommends() {
    for row in streams() {
        assert_eq!(row.recommended(), row.want, "{}", row.name);
    }
}
