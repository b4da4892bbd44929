//! Some random Deployments, by the real controllers and by the simulator's.

use judge::{RealRollouts, judge_rollouts};
use std::env;
use testbed::Workshop;

const DEPLOYMENTS: u64 = 3;
const SEED: u64 = 20_261_116;

#[test]
fn the_simulator_rolls_out_as_the_deployment_controller_does() {
    let directory = env::temp_dir().join(format!("drover-judge-rollout-{}", std::process::id()));
    let workshop = Workshop::usual(|name| env::var_os(name));
    let mut real = RealRollouts::start(&directory, &workshop, &|line| println!("{line}")).unwrap();
    let tally = judge_rollouts(&mut real, SEED, DEPLOYMENTS, |line| println!("{line}")).unwrap();
    real.stop().unwrap();
    assert_eq!(tally.disagreements, Vec::<String>::new(), "seed {SEED}");
    assert!(tally.states.of > 100 && tally.mixed.of > 20, "{tally:?}");
}
