//! What must be true of the simulated world after every event, whatever the scenario: one table, one file per property.
//!
//! Everything is counted anew from the pods and nodes themselves; the running totals are what is put to the test.

mod approval;
mod budgets;
mod capacity;
mod clock;
mod outcome;
mod ownership;
mod pools;
mod queue;
mod random_agent;
mod random_placements;
mod random_scenario;
mod random_services;
mod replicas;
mod services;
mod sums;
mod tests;
mod watched;

use super::SimulatedWorld;

/// The error is a sentence about what is wrong.
type Rule = fn(&SimulatedWorld) -> Result<(), String>;

/// What holds at any moment. What needs the moment before as well is in [`watched`].
const RULES: [(&str, Rule); 20] = [
    ("no node holds more than its capacity", capacity::within_nodes),
    ("the scheduler's sums of each node are those of its pods", sums::of_nodes),
    ("the sums of each cluster are those of its pods and nodes", sums::of_clusters),
    ("every pod belongs to exactly one controller", ownership::one_owner),
    ("a pod that leaves is told to stop", ownership::leaving_pods_stop),
    ("what a pod waits for will come", ownership::something_follows),
    ("exactly the waiting pods are in the queue", queue::holds_the_waiting),
    ("only waiting pods are promised a node", queue::promises),
    ("replicas are within what a rollout allows", replicas::within_rollout),
    ("a workload at rest has the pods it should", replicas::at_rest),
    ("budgets count their pods", budgets::counts),
    ("no eviction goes below a budget", budgets::are_kept),
    ("a drain that is held up goes on", budgets::drains_go_on),
    ("pools count their nodes", pools::counts),
    ("pools stay within their bounds", pools::bounds),
    ("work under way is known by those it concerns", approval::busy),
    ("every request is counted once", services::requests_are_counted),
    ("exactly the ready replicas serve", services::replicas_that_serve),
    ("what pods use and hosts draw adds up", services::use_adds_up),
    ("the meter has seen all time that passed", clock::metered),
];

/// Every rule that does not hold.
fn violations(world: &SimulatedWorld) -> Vec<String> {
    let broken = |(name, rule): &(&str, Rule)| rule(world).err().map(|why| format!("{name}: {why}"));
    RULES.iter().filter_map(broken).collect()
}

/// Turns a condition into the result of a rule.
fn ensure(holds: bool, otherwise: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(otherwise()) }
}
