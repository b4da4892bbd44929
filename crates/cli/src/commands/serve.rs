//! `drover serve`: a desk where people and agents meet, over HTTP.

use crate::desk::{self, DeskFile, INVITATION, OpenDesk};
use crate::failure::{Failure, Outcome};
use crate::files;
use crate::output::{note, print};
use crate::terminal::span;
use clap::Args;
use server::access::Role;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;

/// Open a desk: run its federation, keep what happens, and let people decide over HTTP.
#[derive(Args)]
#[command(after_help = "\
Examples:
  drover serve --config desks/three-waves.yaml
  drover serve --config desks/three-waves.yaml --listen 127.0.0.1:9000
  drover serve --config desks/demo.yaml --kube-api    then: drover kubeconfig > kubeconfig

The desk goes on where it stopped, also after a crash. Ctrl-C stops it; what was decided is kept.")]
pub(crate) struct Arguments {
    /// The desk's file.
    #[arg(long, value_name = "FILE")]
    config: PathBuf,
    /// Where to listen instead of where the file says; port 0 takes any that is free.
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<SocketAddr>,
    /// Serve each simulated cluster through the Kubernetes API, too, under /kube/<cluster>.
    #[arg(long)]
    kube_api: bool,
    /// Write the address here as soon as requests are answered.
    #[arg(long, value_name = "FILE")]
    ready_file: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let mut file = DeskFile::at(&arguments.config)?;
    file.notes.iter().for_each(|text| note(text));
    if arguments.kube_api && file.config.kubernetes.is_some() {
        let why = "the clusters of this desk are real and have an API of their own; leave --kube-api out";
        return Err(Failure::Input(format!("--kube-api: {why}")));
    }
    file.config.kube_api = arguments.kube_api;
    let address = arguments.listen.unwrap_or(file.config.listen);
    let standing_by = |address| {
        note(&format!("Standing by at http://{address} until this replica holds the lease."));
        arguments.ready_file.as_ref().map_or(Ok(()), |path| desk::tell(path, address))
    };
    let Some(desk) = OpenDesk::open_in_turn(file, address, standing_by)? else {
        note("Stopped.");
        return Ok(ExitCode::SUCCESS);
    };
    print(&desk.line())?;
    desk.warn();
    if !desk.anybody_may_enter()? {
        let (link, period) = (desk.invite(Role::Admin)?, span(INVITATION.as_millis()));
        let config = files::shown(&arguments.config);
        note(&format!(
            "Nobody has a token yet. This lets one person in once, as admin, within {period}:\n  {link}"
        ));
        note(&format!(
            "Or stop the desk and make a token: drover token create --config {config} --name <yours> --role admin"
        ));
    }
    if let Some(path) = &arguments.ready_file {
        desk::tell(path, desk.address())?;
    }
    desk.serve(|| {})?;
    Ok(ExitCode::SUCCESS)
}
