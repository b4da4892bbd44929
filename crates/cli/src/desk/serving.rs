//! Serving until somebody says stop: politely the first time, at once the second.

use super::DeskFile;
use crate::failure::Failure;
use crate::output::{note, print};
use anyhow::Context;
use server::clock::wall_ms;
use server::config::DeskConfig;
use server::office::Resumed;
use server::service::{self, Service};
use server::storage::tables::tokens;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

/// Requests under way get this long to be answered. What was decided is kept either way.
const LONGEST_GOODBYE: Duration = Duration::from_secs(10);

/// The exit code of a program that was interrupted.
const INTERRUPTED: i32 = 130;

/// A desk that is about to be served.
pub(crate) struct Opening {
    pub(crate) desk: DeskFile,
    /// Gets the address as soon as it can be used.
    pub(crate) ready_file: Option<PathBuf>,
    /// How to make a token for it.
    pub(crate) token_command: String,
}

/// Opens a desk and serves it.
pub(crate) fn serve(opening: Opening) -> Result<(), Failure> {
    let Opening { desk: DeskFile { config, scenario, text }, ready_file, token_command } = opening;
    let runtime = Runtime::new().context("threads could not be started")?;
    let listener = runtime.block_on(service::listen(config.listen))?;
    let address = listener.local_addr().context("the address is not known")?;
    let name = scenario.world.name.clone();
    let service = Service::open(&config, scenario, &text)?;
    let resumed = resumed(service.resumed());
    print(&format!("{name} is open at http://{address}; {resumed}; kept in {}", config.storage))?;
    warn(&config, address);
    if !anybody_may_enter(&service)? {
        note(&format!(
            "Nobody can sign in yet. Stop this, make a token, and start again:\n  {token_command}"
        ));
    }
    if let Some(path) = &ready_file {
        tell(path, address)?;
    }
    goodbye(&runtime, service, listener)
}

fn resumed(resumed: &Resumed) -> String {
    match resumed {
        Resumed::Anew => "a new run".to_owned(),
        Resumed::WentOn { steps } => format!("the run goes on after {steps} steps"),
        Resumed::Differed { seq } => {
            format!("a new run, because this build takes entry {seq} of the one before differently")
        }
    }
}

/// What goes over a network unprotected can be read there.
fn warn(config: &DeskConfig, address: SocketAddr) {
    if !address.ip().is_loopback() && config.access.public_address.is_none() {
        note("Others can reach this address, and nothing is encrypted: put a proxy with TLS in front of it.");
    }
}

fn anybody_may_enter(service: &Service) -> Result<bool, Failure> {
    let all = service.database().read(tokens::all)?;
    let counts = |token: &tokens::Token| {
        token.revoked_wall_ms.is_none() && token.expires_wall_ms.is_none_or(|end| end > wall_ms())
    };
    Ok(all.iter().any(counts))
}

/// Whoever waits for the file never sees half of it.
fn tell(path: &Path, address: SocketAddr) -> Result<(), Failure> {
    let shown = path.display();
    let mut partial = path.as_os_str().to_owned();
    partial.push(".partial");
    std::fs::write(&partial, format!("http://{address}\n"))
        .and_then(|()| std::fs::rename(&partial, path))
        .with_context(|| format!("{shown} could not be written"))?;
    Ok(())
}

fn goodbye(runtime: &Runtime, service: Service, listener: TcpListener) -> Result<(), Failure> {
    runtime.block_on(service.serve(listener, stop()))?;
    note("Stopped. Everything is kept.");
    Ok(())
}

/// Ready when somebody wants the desk to stop. From then on it has to be over soon.
async fn stop() {
    signal().await;
    note("Stopping; requests under way are answered first. Ctrl-C again stops at once.");
    tokio::spawn(async {
        tokio::select! {
            () = signal() => {}
            () = tokio::time::sleep(LONGEST_GOODBYE) => note("Requests under way take too long and are cut off."),
        }
        std::process::exit(INTERRUPTED);
    });
}

#[cfg(unix)]
async fn signal() {
    use tokio::signal::unix::{SignalKind, signal};
    let Ok(mut terminate) = signal(SignalKind::terminate()) else { return interrupt().await };
    tokio::select! {
        () = interrupt() => {}
        _ = terminate.recv() => {}
    }
}

#[cfg(not(unix))]
async fn signal() {
    interrupt().await;
}

/// Where there is no Ctrl-C to wait for, it never comes.
async fn interrupt() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
