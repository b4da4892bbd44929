//! Some hundred random pods, placed by kube-scheduler and by the simulator.

use judge::{Real, judge};
use std::env;
use testbed::Workshop;

/// Enough for one case of every flavour.
const PODS: u64 = 500;
const SEED: u64 = 20_261_116;

#[test]
fn the_simulator_places_pods_as_kube_scheduler_does() {
    let directory = env::temp_dir().join(format!("drover-judge-{}", std::process::id()));
    let workshop = Workshop::usual(|name| env::var_os(name));
    let mut real = Real::start(&directory, &workshop, &|line| println!("{line}")).unwrap();
    let tally = judge(&mut real, SEED, 0, PODS, false, |line| println!("{line}")).unwrap();
    real.stop().unwrap();
    assert_eq!(tally.disagreements, Vec::<String>::new(), "seed {SEED}");
    assert_eq!(tally.other_words, Vec::<String>::new(), "seed {SEED}");
    assert_eq!(tally.exact.so, tally.exact.of, "the choice among equals, seed {SEED}");
    assert!(tally.bound.of > 100 && tally.refused.of > 20 && tally.preempting.of > 5, "{tally:?}");
}
