//! First decisions of some random autoscalers, by the real controller and by the simulator's.

use judge::{RealAutoscalers, judge_autoscalers};
use std::env;
use testbed::Workshop;

const AUTOSCALERS: u64 = 40;
const SEED: u64 = 20_261_116;

#[test]
fn the_simulator_scales_as_the_horizontal_autoscaler_does() {
    let directory = env::temp_dir().join(format!("drover-judge-scaling-{}", std::process::id()));
    let workshop = Workshop::usual(|name| env::var_os(name));
    let mut real = RealAutoscalers::start(&directory, &workshop, &|line| println!("{line}")).unwrap();
    let tally = judge_autoscalers(&mut real, SEED, AUTOSCALERS, |line| println!("{line}")).unwrap();
    real.stop().unwrap();
    assert_eq!(tally.disagreements, Vec::<String>::new(), "seed {SEED}");
    assert_eq!(tally.by_direction.len(), 3, "{tally:?}");
}
