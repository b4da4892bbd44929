//! `drover demo`: a desk with a federation in which something happens, in one command.

use super::clock::speed;
use crate::desk::{self, DeskFile, GUEST, INVITATION, OpenDesk};
use crate::failure::{Failure, Outcome};
use crate::files;
use crate::output::{note, print};
use crate::terminal::span;
use anyhow::Context;
use clap::Args;
use control::agent::Scope;
use model::time::Period;
use server::access::{self, NewToken, Role};
use server::clock::wall_ms;
use server::config;
use server::service::Keys;
use server::storage::Location;
use std::io::IsTerminal;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

mod folder;

use folder::Folder;

/// The shipped files, inside the program, so that it needs nothing else.
const DESK: &str = include_str!("../../../../desks/demo.yaml");
const SCENARIO: &str = include_str!("../../../../scenarios/live-waves.yaml");

/// Ports that are tried if the first is taken; then any.
const MORE_PORTS: u16 = 20;

/// A demo is over before this.
const TOKEN_LIFE: Period = Period::from_hours(24);

/// See it work: a simulated federation, agents that recommend, and you who decide.
#[derive(Args)]
#[command(after_help = "\
Examples:
  drover demo
  drover demo --speed 120 --no-open
  drover demo --keep my-demo                 go on there another time
  drover demo --kube-api                     and ask its clusters with kubectl

Waves of workloads fill one of two clusters; the first recommendation comes within half a minute.
Ctrl-C ends it and removes its data, unless --keep says where it stays.")]
pub(crate) struct Arguments {
    /// Where to listen; if the port is taken, the next free one.
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<SocketAddr>,
    /// Virtual seconds in a real one.
    #[arg(long, value_parser = speed)]
    speed: Option<f64>,
    /// Another seed, another course.
    #[arg(long)]
    seed: Option<u64>,
    /// Keep the data in this folder, and go on with what is there.
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
    /// Serve each simulated cluster through the Kubernetes API, too, under /kube/<cluster>.
    #[arg(long)]
    kube_api: bool,
    /// Do not open a browser.
    #[arg(long)]
    no_open: bool,
    /// Write the address here as soon as requests are answered.
    #[arg(long, value_name = "FILE")]
    ready_file: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let folder = Folder::new(arguments.keep.as_deref())?;
    let file = desk_file(arguments, &folder)?;
    let wanted = arguments.listen.unwrap_or(file.config.listen);
    let desk = OpenDesk::open(file, &addresses(wanted))?;
    if wanted.port() != 0 && desk.address() != wanted {
        note(&format!("{wanted} is taken by another program; this is {} instead.", desk.address()));
    }
    greet(&desk, &folder, arguments)?;
    if let Some(path) = &arguments.ready_file {
        desk::tell(path, desk.address())?;
    }
    let cleanup = folder.cleanup();
    desk.serve(cleanup)?;
    drop(folder);
    Ok(ExitCode::SUCCESS)
}

fn desk_file(arguments: &Arguments, folder: &Folder) -> Result<DeskFile, Failure> {
    let mut config = config::read("the demo's desk", DESK.as_bytes())?;
    let scenario = files::scenario("the demo's scenario", SCENARIO.as_bytes())?;
    config.storage = Location::File(folder.path().join("demo.db"));
    config.kube_api = arguments.kube_api;
    config.seed = arguments.seed.unwrap_or(config.seed);
    if let Some(speed) = arguments.speed {
        config.speed.usual = speed;
    }
    Ok(DeskFile {
        config,
        scenario,
        text: SCENARIO.as_bytes().to_vec(),
        keys: Keys::default(),
        path: PathBuf::new(),
        notes: Vec::new(),
    })
}

/// The address that was asked for, those after it, and any.
fn addresses(wanted: SocketAddr) -> Vec<SocketAddr> {
    if wanted.port() == 0 {
        return vec![wanted];
    }
    let next = (0..=MORE_PORTS).filter_map(|more| wanted.port().checked_add(more)).chain([0]);
    next.map(|port| SocketAddr::new(wanted.ip(), port)).collect()
}

/// Says where it is and how to get in.
fn greet(desk: &OpenDesk, folder: &Folder, arguments: &Arguments) -> Result<(), Failure> {
    let link = desk.invite(Role::Admin)?;
    let token = token_file(desk, folder.path())?;
    print(&desk.line())?;
    let (role, within) = (Role::Admin.as_str(), span(INVITATION.as_millis()));
    print(&format!(
        "Sign in once, within {within}; your name is \"{GUEST}\" and your role {role}:\n  {link}"
    ))?;
    desk.warn();
    note(&format!(
        "In another terminal:\n  export DROVER_SERVER=http://{} DROVER_TOKEN_FILE={}\n  drover rec watch",
        desk.nearby(),
        std::path::absolute(&token).unwrap_or(token).display()
    ));
    if arguments.kube_api {
        note(
            "Its clusters answer kubectl:\n  drover kubeconfig > kubeconfig && kubectl --kubeconfig kubeconfig get nodes,pods -A",
        );
    }
    note(folder.farewell());
    if !arguments.no_open && std::io::stdout().is_terminal() {
        open_browser(&link);
    }
    Ok(())
}

/// A token for the terminal, in a file that only its owner reads.
fn token_file(desk: &OpenDesk, folder: &Path) -> Result<PathBuf, Failure> {
    let now = wall_ms();
    let new = NewToken {
        name: desk::guest()?,
        role: Role::Admin,
        scope: Scope::default(),
        created_by: "desk".to_owned(),
        created_wall_ms: now,
        expires_wall_ms: Some(now.saturating_add_unsigned(TOKEN_LIFE.as_millis())),
    };
    let (_, secret) = desk.service().database().write(|transaction| access::issue(transaction, &new))?;
    let path = folder.join(format!("{GUEST}.token"));
    folder::write_private(&path, secret.reveal())
        .with_context(|| format!("{} could not be written", path.display()))?;
    Ok(path)
}

/// Whoever has no browser has the link.
fn open_browser(link: &str) {
    let (program, before): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("cmd", &["/c", "start", ""]),
        _ => ("xdg-open", &[]),
    };
    let silent = Command::new(program)
        .args(before)
        .arg(link)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    if silent.is_err() {
        note("No browser could be opened; use the link.");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_inside_the_program_are_sound() {
        assert!(config::read("desk", DESK.as_bytes()).is_ok());
        assert!(files::scenario("scenario", SCENARIO.as_bytes()).is_ok());
    }

    #[test]
    fn the_next_ports_are_tried_and_then_any() {
        let ports = |address: &str| -> Vec<u16> {
            addresses(address.parse().unwrap()).iter().map(SocketAddr::port).collect()
        };
        assert_eq!(ports("127.0.0.1:0"), [0]);
        assert_eq!(ports("127.0.0.1:65534"), [65_534, 65_535, 0]);
        assert_eq!(ports("127.0.0.1:8080").len(), 22);
    }
}
