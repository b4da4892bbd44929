//! `drover broker`: the workloads of a scenario, brought into real clusters at their moments.

use crate::desk::{DeskFile, clusters};
use crate::failure::{Failure, Outcome};
use crate::output::{note, print};
use clap::Args;
use kubernetes::broker::{Broker, Injected, Injection};
use model::time::Period;
use simulator::scenario::{Change, Start, WorldSpec};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Bring a scenario's workloads into the real clusters of a desk, in real time.
#[derive(Args)]
#[command(after_help = "\
Examples:
  drover broker --config desk.yaml --list          what would be done, and when
  drover broker --config desk.yaml                 the scenario of the desk's file
  drover broker --config desk.yaml --speed 10      ten times as fast
  drover broker --config desk.yaml --clean         delete everything that was ever brought

With Karmada each workload gets a policy of its own that places it in its cluster; without, it is
made there. Everything carries the label drover.io/brought-by, and nothing else is touched.")]
pub(crate) struct Arguments {
    /// The desk's file, with the clusters and the scenario.
    #[arg(long, value_name = "FILE")]
    config: PathBuf,
    /// So many seconds of the scenario in a real one.
    #[arg(long, default_value_t = 1.0)]
    speed: f64,
    /// Say what would be done, and do nothing.
    #[arg(long, conflicts_with = "clean")]
    list: bool,
    /// Delete everything that was ever brought, and bring nothing.
    #[arg(long)]
    clean: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    if !(0.001..=10_000.0).contains(&arguments.speed) {
        return Err(Failure::Input("drover: --speed is a number from 0.001 to 10000".to_owned()));
    }
    let desk = DeskFile::at(&arguments.config)?;
    let plan = injections(&desk.scenario.world);
    if arguments.list {
        return list(&plan);
    }
    let Some(config) = &desk.config.kubernetes else {
        let message = "drover: this desk's federation is simulated; write kubernetes: under world: to name real clusters";
        return Err(Failure::Input(message.to_owned()));
    };
    let settings = clusters::settings(config, &desk.scenario, &desk.path)?;
    let broker = Broker::connect(&settings).map_err(|error| Failure::Input(clusters::told(&error)))?;
    if arguments.clean {
        let removed = broker.clean().map_err(|why| failed(&why))?;
        print(&format!("{removed} objects deleted"))?;
        return Ok(ExitCode::SUCCESS);
    }
    bring(&broker, &plan, arguments.speed)
}

fn list(plan: &[Injection]) -> Outcome {
    for injection in plan {
        print(&format!("{:>8}  {injection}", injection.at.to_string()))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// One after the other at their moments. What fails is said and does not keep the others waiting.
#[expect(clippy::disallowed_methods, reason = "a broker waits in real time")]
fn bring(broker: &Broker, plan: &[Injection], speed: f64) -> Outcome {
    let begun = Instant::now();
    let mut failures = 0;
    for injection in plan {
        let due = Duration::from_secs_f64(injection.at.as_seconds_float() / speed);
        std::thread::sleep(due.saturating_sub(begun.elapsed()));
        match broker.inject(injection) {
            Ok(()) => note(&format!("{:>8}  {injection}", injection.at.to_string())),
            Err(why) => {
                failures += 1;
                note(&format!("{:>8}  {injection}: {why}", injection.at.to_string()));
            }
        }
    }
    print(&format!("{} of {} done", plan.len() - failures, plan.len()))?;
    Ok(if failures == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn failed(why: &str) -> Failure {
    Failure::Input(format!("drover: {why}"))
}

/// What a scenario does to workloads, in order. What it leaves to placement rules begins in the first cluster.
fn injections(world: &WorldSpec) -> Vec<Injection> {
    let of = |happening: &simulator::scenario::Happening| {
        let spec = world.workloads.get(happening.workload)?;
        let cluster = match &spec.start {
            Start::Cluster(index) => world.clusters.get(*index)?,
            Start::Policy(_) => world.clusters.first()?,
        };
        let change = match &happening.change {
            Change::Create => Injected::Create {
                cluster: cluster.name.clone(),
                replicas: spec.replicas,
                each: spec.pod.each,
            },
            Change::Delete => Injected::Delete,
            Change::Scale { replicas } => Injected::Scale { replicas: *replicas },
            Change::Update { pod, replicas } => Injected::Create {
                cluster: cluster.name.clone(),
                replicas: replicas.unwrap_or(spec.replicas),
                each: pod.each,
            },
        };
        let at = Period::from_millis(happening.at.0);
        Some(Injection { at, workload: spec.reference.clone(), change })
    };
    world.happenings.iter().filter_map(of).collect()
}
