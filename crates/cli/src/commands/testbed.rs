//! `drover testbed`: real clusters on this machine, without containers.

use crate::failure::{CONFLICT, FINDINGS, Failure, INPUT, NOT_FOUND, Outcome};
use crate::output::{note, print};
use crate::terminal::{Sheet, Table, clean_json};
use anyhow::Context;
use clap::{Args, Subcommand};
use model::quantity::{Bytes, MilliCpu};
use model::time::Period;
use std::env;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;
use testbed::{Bed, Error, Listing, PRODUCTS, Plan, Product, Workshop};

/// Bring up real Kubernetes clusters and Karmada on this machine, without containers.
#[derive(Args)]
#[command(after_help = "\
Examples:
  drover testbed up                             two members, Karmada and Prometheus
  drover testbed up --members 3 --nodes 20 --ready-after 15s
  drover testbed up --members 1 --no-karmada --no-prometheus
  drover testbed status
  drover testbed down

Everything listens on 127.0.0.1 only. The API servers, schedulers and controllers are the real ones;
nodes and pods are simulated by KWOK, so no container runs. Programs are taken from the path if
their version fits, or built once with Go, which takes a quarter of an hour, and kept.")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Start everything, and say how to get in. If it runs already, say so and do nothing.
    #[command(after_help = "\
Examples:
  drover testbed up
  drover testbed up --node-cpu 16 --node-memory 64Gi --ready-after 10s
  export KUBECONFIG=$(drover testbed up --json | jq --raw-output .kubeconfig)")]
    Up(Up),
    /// Say which processes run, where, and whether they are healthy.
    #[command(after_help = "Examples:\n  drover testbed status\n  drover testbed status --json")]
    Status(Place),
    /// Stop everything, and remove its files.
    #[command(after_help = "Example:\n  drover testbed down")]
    Down(Place),
    /// Only get the programs, for later or for another machine.
    #[command(after_help = "\
Examples:
  drover testbed build
  drover testbed build --cache my-cache")]
    Build(Build),
}

#[derive(Args)]
struct Place {
    /// Where its files are [default: drover/testbed in the folder for states of programs, ~/.local/state].
    #[arg(long, value_name = "DIR")]
    directory: Option<PathBuf>,
    /// Answer in JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
struct Up {
    /// How many member clusters.
    #[arg(long, default_value_t = Plan::default().members)]
    members: u8,
    /// How many nodes in each member.
    #[arg(long, default_value_t = Plan::default().nodes)]
    nodes: u16,
    /// CPU of each node.
    #[arg(long, value_name = "QUANTITY", default_value_t = Plan::default().node_cpu)]
    node_cpu: MilliCpu,
    /// Memory of each node.
    #[arg(long, value_name = "QUANTITY", default_value_t = Plan::default().node_memory)]
    node_memory: Bytes,
    /// How long a pod takes from its node to being ready.
    #[arg(long, value_name = "PERIOD", default_value = "1s")]
    ready_after: Period,
    /// Leave Karmada out.
    #[arg(long)]
    no_karmada: bool,
    /// Leave Prometheus and kube-state-metrics out.
    #[arg(long)]
    no_prometheus: bool,
    /// Leave metrics-server out: no `kubectl top`, no horizontal autoscaling.
    #[arg(long)]
    no_metrics_server: bool,
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    cache: Cache,
}

#[derive(Args)]
struct Cache {
    /// Where programs are kept [default: drover/testbed in the folder for caches, ~/.cache].
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
}

#[derive(Args)]
struct Build {
    #[command(flatten)]
    cache: Cache,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    match &arguments.command {
        Command::Up(up) => start(up),
        Command::Status(place) => status(place),
        Command::Down(place) => stop(place),
        Command::Build(build) => prepare(build),
    }
}

fn start(up: &Up) -> Outcome {
    let directory = up.place.directory();
    match Bed::open(&directory).map(|bed| bed.listing()) {
        Ok(listing) if listing.processes.iter().any(|process| process.pid.is_some()) => {
            note("A test bed runs here already; nothing was changed.");
            return tell(&up.place, &listing);
        }
        Ok(_) | Err(Error::Nothing(_)) => {}
        Err(error) => return Err(failure(error)),
    }
    let workshop = up.cache.workshop()?;
    let bed = Bed::up(&up.plan(), &directory, &workshop, &note).map_err(failure)?;
    let listing = bed.listing();
    bed.leave_running();
    tell(&up.place, &listing)?;
    if !up.place.json {
        note(&next_steps(&listing));
    }
    Ok(ExitCode::SUCCESS)
}

fn status(place: &Place) -> Outcome {
    let listing = Bed::open(&place.directory()).map_err(failure)?.listing();
    tell(place, &listing)?;
    Ok(if listing.healthy { ExitCode::SUCCESS } else { ExitCode::from(FINDINGS) })
}

fn stop(place: &Place) -> Outcome {
    let directory = place.directory();
    let stopped = Bed::down_in(&directory).map_err(failure)?;
    if place.json {
        print(&serde_json::json!({ "stopped": stopped }).to_string())?;
    } else {
        print(&format!("{stopped} processes stopped; {} is gone.", directory.display()))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn prepare(build: &Build) -> Outcome {
    let workshop = build.cache.workshop()?;
    let names: Vec<&str> = PRODUCTS.iter().flat_map(Product::tools).map(|tool| tool.name).collect();
    let programs = workshop.prepare(&names, &note).map_err(failure)?;
    let mut table = Table::new(&["program", "path"]);
    for (name, path) in programs.iter() {
        table.row([name.to_owned(), path.display().to_string()]);
    }
    print(&table.text())?;
    Ok(ExitCode::SUCCESS)
}

impl Up {
    fn plan(&self) -> Plan {
        Plan {
            members: self.members,
            nodes: self.nodes,
            node_cpu: self.node_cpu,
            node_memory: self.node_memory,
            ready_after: Duration::from_millis(self.ready_after.as_millis()),
            karmada: !self.no_karmada,
            prometheus: !self.no_prometheus,
            metrics_server: !self.no_metrics_server,
            ..Plan::default()
        }
    }
}

impl Place {
    fn directory(&self) -> PathBuf {
        self.directory.clone().unwrap_or_else(|| states(|name| env::var_os(name)).join("drover/testbed"))
    }
}

/// The folder for what programs remember, as the desktop specification has it.
fn states(variable: impl Fn(&str) -> Option<OsString>) -> PathBuf {
    let named = variable("XDG_STATE_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let home = || variable("HOME").map_or_else(env::temp_dir, PathBuf::from);
    named.unwrap_or_else(|| home().join(".local/state"))
}

impl Cache {
    fn workshop(&self) -> Result<Workshop, Failure> {
        let mut workshop = Workshop::usual(|name| env::var_os(name));
        if let Some(cache) = &self.cache {
            // Go runs elsewhere, so a relative path would mean something else there.
            workshop.cache = std::path::absolute(cache).context("the cache has no path")?;
        }
        Ok(workshop)
    }
}

fn tell(place: &Place, listing: &Listing) -> Outcome {
    if place.json {
        let text = serde_json::to_string_pretty(listing).context("the listing could not be written")?;
        print(&clean_json(&text))?;
    } else {
        print(&text(listing))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn text(listing: &Listing) -> String {
    let mut table = Table::new(&["cluster", "process", "number", "port", ""]);
    for process in &listing.processes {
        let condition = match (process.pid, process.healthy) {
            (None, _) => "not running",
            (_, true) => "healthy",
            (_, false) => "not healthy",
        };
        let pid = process.pid.map(|pid| pid.to_string()).unwrap_or_default();
        let port = process.port.to_string();
        table.row([process.crew.as_str(), &process.process, &pid, &port, condition]);
    }
    let mut sheet = Sheet::default();
    sheet.part("Kubeconfig", [listing.kubeconfig.display().to_string()]);
    sheet.part("Contexts", [listing.contexts.join(", ")]);
    sheet.part("Prometheus", listing.prometheus.iter().cloned());
    sheet.part("Up in", [format!("{:.1} s", listing.seconds)]);
    format!("{}\n\n{}", table.text(), sheet.text())
}

fn next_steps(listing: &Listing) -> String {
    let kubectl =
        listing.kubectl.as_ref().map_or_else(|| "kubectl".into(), |path| path.display().to_string());
    let mut lines = vec!["\nNext:".to_owned(), format!("export KUBECONFIG={}", listing.kubeconfig.display())];
    lines.extend(listing.contexts.iter().map(|context| {
        let objects = if context == "karmada" { "clusters" } else { "nodes" };
        format!("{kubectl} --context {context} get {objects}")
    }));
    lines.push(format!("drover testbed down --directory {}", listing.directory.display()));
    lines.join("\n  ")
}

fn failure(error: Error) -> Failure {
    let code = match &error {
        Error::Plan(_) | Error::NotABed(_) => INPUT,
        Error::Nothing(_) => NOT_FOUND,
        Error::Busy(_) | Error::Running(_) => CONFLICT,
        _ => return Failure::Machine(error.into()),
    };
    Failure::refused(code, format!("drover: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_are_where_the_environment_says() {
        let with = |pairs: &'static [(&str, &str)]| {
            states(move |name| {
                pairs.iter().find(|(known, _)| *known == name).map(|(_, value)| OsString::from(value))
            })
        };
        assert_eq!(with(&[("HOME", "/a")]), PathBuf::from("/a/.local/state"));
        assert_eq!(with(&[("HOME", "/a"), ("XDG_STATE_HOME", "/b")]), PathBuf::from("/b"));
        assert_eq!(with(&[("HOME", "/a"), ("XDG_STATE_HOME", "b")]), PathBuf::from("/a/.local/state"));
    }
}
