//! Serving until somebody says stop: politely the first time, at once the second.

use super::page::FILES;
use super::shelf::stocked;
use super::{DeskFile, clusters, leading};
use crate::asking;
use crate::failure::Failure;
use crate::output::note;
use anyhow::{Context, anyhow};
use kubernetes::{Candidacy, Fence, Standing};
use model::names::ReviewerName;
use model::time::Period;
use server::access::{Role, one_time};
use server::clock::wall_ms;
use server::config::DeskConfig;
use server::office::Resumed;
use server::page::Page;
use server::service::{self, Around, Service};
use server::storage::tables::tokens;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::Path;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::sync::{oneshot, watch};

/// Requests under way get this long to be answered. What was decided is kept either way.
const LONGEST_GOODBYE: Duration = Duration::from_secs(10);

/// The exit code of a program that was interrupted.
const INTERRUPTED: i32 = 130;

/// How long a link lets somebody in.
pub(crate) const INVITATION: Period = Period::from_hours(1);

/// Who comes in with a link: a name that is no role, because the role is said beside it.
pub(crate) const GUEST: &str = "you";

pub(crate) fn guest() -> Result<ReviewerName, Failure> {
    Ok(ReviewerName::new(GUEST).map_err(|error| anyhow!("{error}"))?)
}

/// A desk that is open and about to be served.
pub(crate) struct OpenDesk {
    runtime: Runtime,
    service: Service,
    listener: TcpListener,
    address: SocketAddr,
    config: DeskConfig,
    name: String,
    /// None if nobody competes.
    candidacy: Option<Candidacy>,
}

impl OpenDesk {
    /// Takes the first of the addresses that is free, and opens the desk.
    pub(crate) fn open(desk: DeskFile, addresses: &[SocketAddr]) -> Result<Self, Failure> {
        let runtime = service::runtime().context("threads could not be started")?;
        let listener = runtime.block_on(first_free(addresses))?;
        Self::open_on(desk, runtime, listener, None)
    }

    /// The same, when it is this replica's turn; until then it stands by. `listening` hears where. Nothing if somebody says stop
    /// before.
    pub(crate) fn open_in_turn(
        desk: DeskFile,
        address: SocketAddr,
        listening: impl FnOnce(SocketAddr) -> Result<(), Failure>,
    ) -> Result<Option<Self>, Failure> {
        let runtime = service::runtime().context("threads could not be started")?;
        let listener = runtime.block_on(first_free(&[address]))?;
        let Some(candidacy) = leading::stand(&desk)? else {
            return Self::open_on(desk, runtime, listener, None).map(Some);
        };
        listening(listener.local_addr().context("the address is not known")?)?;
        let turn = leading::wait_for_turn(&candidacy, listener, &desk.config.storage);
        let Some(listener) = runtime.block_on(turn)? else {
            candidacy.resign();
            return Ok(None);
        };
        Self::open_on(desk, runtime, listener, Some(candidacy)).map(Some)
    }

    fn open_on(
        desk: DeskFile,
        runtime: Runtime,
        listener: TcpListener,
        candidacy: Option<Candidacy>,
    ) -> Result<Self, Failure> {
        let fence = candidacy.as_ref().map_or_else(Fence::default, Candidacy::fence);
        let (shelf, real) = (stocked(&desk), clusters::connect(&desk, fence)?);
        let correspondent = asking::of_desk(desk.config.models.as_ref(), &desk.path)?;
        let DeskFile { config, scenario, text, keys, .. } = desk;
        let address = listener.local_addr().context("the address is not known")?;
        let name = scenario.world.name.clone();
        let service =
            Service::open_with(&config, scenario, &text, &keys, Around { clusters: real, correspondent })?;
        service.desk().show(Page(FILES));
        service.desk().stock(shelf);
        Ok(Self { runtime, service, listener, address, config, name, candidacy })
    }

    pub(crate) const fn address(&self) -> SocketAddr {
        self.address
    }

    pub(crate) const fn service(&self) -> &Service {
        &self.service
    }

    /// Where whoever is on this machine finds it.
    pub(crate) fn nearby(&self) -> SocketAddr {
        nearby(self.address)
    }

    /// Where browsers find it.
    pub(crate) fn url(&self) -> String {
        let listening = || format!("http://{}", self.nearby());
        self.config.access.public_address.clone().unwrap_or_else(listening)
    }

    /// What is open, where, since when, and where its data is.
    pub(crate) fn line(&self) -> String {
        let resumed = match self.service.resumed() {
            Resumed::Anew => "a new run".to_owned(),
            Resumed::WentOn { steps } => format!("the run goes on after {steps} steps"),
            Resumed::Differed { seq } => {
                format!("a new run, because this build takes entry {seq} of the one before differently")
            }
        };
        format!(
            "{} is open at http://{}; {resumed}; kept in {}",
            self.name, self.address, self.config.storage
        )
    }

    /// What goes over a network unprotected can be read there.
    pub(crate) fn warn(&self) {
        if !self.address.ip().is_loopback() && self.config.access.public_address.is_none() {
            note(
                "Others can reach this address, and nothing is encrypted: put a proxy with TLS in front of it.",
            );
        }
    }

    /// Whether somebody has a token that counts, or another way to sign in.
    pub(crate) fn anybody_may_enter(&self) -> Result<bool, Failure> {
        let counting = self.service.database().read(|connection| tokens::counting(connection, wall_ms()))?;
        Ok(counting > 0 || self.config.access.oidc.is_some())
    }

    /// A link that lets somebody in once. What stands behind `#` is not sent to anybody and appears in no log.
    pub(crate) fn invite(&self, role: Role) -> Result<String, Failure> {
        let now = wall_ms();
        let ends = now.saturating_add_unsigned(INVITATION.as_millis());
        let (desk, guest) = (self.service.desk(), guest()?);
        let code = self
            .runtime
            .block_on(desk.record(move |transaction| one_time(transaction, role, Some(&guest), now, ends)));
        let code = code.map_err(|problem| anyhow!("{}", problem.detail))?;
        Ok(format!("{}/#code={}", self.url(), code.reveal()))
    }

    /// Serves until somebody says stop. `cleanup` is called when there is no time to say goodbye.
    pub(crate) fn serve(self, cleanup: impl FnOnce() + Send + 'static) -> Result<(), Failure> {
        let Self { runtime, service, listener, candidacy, .. } = self;
        let (tell, lost) = oneshot::channel();
        let standing = candidacy.as_ref().map(Candidacy::standing);
        runtime.block_on(service.serve(listener, stop(standing, tell, cleanup)))?;
        if let Ok(reason) = lost.blocking_recv() {
            let text = format!("drover: this replica had to stop: {reason}");
            return Err(Failure::refused(crate::failure::CONFLICT, text));
        }
        if let Some(candidacy) = candidacy {
            candidacy.resign();
        }
        note("Stopped.");
        Ok(())
    }
}

/// Every address of a machine is one to listen on and none to go to.
fn nearby(address: SocketAddr) -> SocketAddr {
    let here = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(here, address.port())
}

async fn first_free(addresses: &[SocketAddr]) -> Result<TcpListener, Failure> {
    let mut last = Err(Failure::Input("drover: no address to listen on".to_owned()));
    for address in addresses {
        last = service::listen(*address).await.map_err(Failure::from);
        if last.is_ok() {
            break;
        }
    }
    last
}

/// Writes the address into a file, for whoever is on this machine. Whoever waits for it never sees half of it.
pub(crate) fn tell(path: &Path, address: SocketAddr) -> Result<(), Failure> {
    let shown = path.display();
    let mut partial = path.as_os_str().to_owned();
    partial.push(".partial");
    std::fs::write(&partial, format!("http://{}\n", nearby(address)))
        .and_then(|()| std::fs::rename(&partial, path))
        .with_context(|| format!("{shown} could not be written"))?;
    Ok(())
}

/// Ready when somebody wants the desk to stop, or when another replica leads. From then on it has to be over soon.
async fn stop(
    standing: Option<watch::Receiver<Standing>>,
    tell: oneshot::Sender<String>,
    cleanup: impl FnOnce() + Send + 'static,
) {
    tokio::select! {
        () = signal() => {
            note("Stopping; requests under way are answered first. Ctrl-C again stops at once.");
        }
        reason = lost(standing) => {
            note(&format!("Stopping, because this replica does not lead any more: {reason}."));
            let _ = tell.send(reason);
        }
    }
    tokio::spawn(async {
        tokio::select! {
            () = signal() => {}
            () = tokio::time::sleep(LONGEST_GOODBYE) => note("Requests under way take too long and are cut off."),
        }
        cleanup();
        std::process::exit(INTERRUPTED);
    });
}

/// Ready when the lease is lost; never where nobody competes.
async fn lost(standing: Option<watch::Receiver<Standing>>) -> String {
    let Some(mut standing) = standing else { return std::future::pending().await };
    match standing.wait_for(|now| matches!(now, Standing::Lost { .. })).await.as_deref() {
        Ok(Standing::Lost { reason }) => reason.clone(),
        _ => "the lease is not renewed any more".to_owned(),
    }
}

/// Ready when somebody presses Ctrl-C, or the system says stop.
#[cfg(unix)]
pub(crate) async fn signal() {
    use tokio::signal::unix::{SignalKind, signal};
    let both = (signal(SignalKind::terminate()), signal(SignalKind::hangup()));
    let (Ok(mut terminate), Ok(mut hangup)) = both else { return interrupt().await };
    tokio::select! {
        () = interrupt() => {}
        _ = terminate.recv() => {}
        _ = hangup.recv() => {}
    }
}

#[cfg(not(unix))]
pub(crate) async fn signal() {
    interrupt().await;
}

/// Where there is no Ctrl-C to wait for, it never comes.
async fn interrupt() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_listens_everywhere_is_found_here() {
        for (listening, found) in [
            ("0.0.0.0:8080", "127.0.0.1:8080"),
            ("[::]:8080", "[::1]:8080"),
            ("127.0.0.1:8080", "127.0.0.1:8080"),
            ("192.0.2.7:8080", "192.0.2.7:8080"),
        ] {
            assert_eq!(nearby(listening.parse().unwrap()).to_string(), found);
        }
    }
}
