//! Waiting for one's turn: of several replicas of a desk one works, and the others answer that they stand by.

use super::serving::signal;
use super::{DeskFile, clusters};
use crate::failure::Failure;
use crate::output::note;
use anyhow::Context;
use kubernetes::{Candidacy, Standing};
use server::standby;
use server::storage::{Database, Error, Location};
use std::time::Duration;
use tokio::net::TcpListener;

/// Whoever worked before closes within seconds; longer means that it hangs, and this replica tries again from the beginning.
const LONGEST_HANDOVER: Duration = Duration::from_mins(1);

/// How often the data is asked for meanwhile.
const KNOCK: Duration = Duration::from_millis(500);

/// Begins to ask for the lease, if the desk's file names one.
pub(super) fn stand(desk: &DeskFile) -> Result<Option<Candidacy>, Failure> {
    let Some(config) = &desk.config.kubernetes else { return Ok(None) };
    let settings = clusters::settings(config, &desk.scenario, &desk.path);
    let Some(lease) = settings.leader_election.clone() else { return Ok(None) };
    let candidacy = Candidacy::stand(lease, &settings);
    candidacy.map(Some).map_err(|error| Failure::Input(clusters::told(&error)))
}

/// Answers as a standby until it is this replica's turn; then the address is given back. Nothing if somebody says stop before.
pub(super) async fn wait_for_turn(
    candidacy: &Candidacy,
    listener: TcpListener,
    storage: &Location,
) -> Result<Option<TcpListener>, Failure> {
    let listener = listener.into_std().context("the address cannot be kept")?;
    let twin = listener.try_clone().context("the address cannot be kept")?;
    let twin = TcpListener::from_std(twin).context("the address cannot be kept")?;
    let standing = candidacy.standing();
    let holder = move || match &*standing.borrow() {
        Standing::Waiting { holder } => holder.clone(),
        _ => String::new(),
    };
    let mut stopped = false;
    let until = async {
        tokio::select! {
            () = candidacy.elected() => {}
            () = signal() => stopped = true,
        }
    };
    standby::serve(twin, holder, until).await;
    if stopped {
        return Ok(None);
    }
    note("This replica holds the lease and takes over.");
    wait_for_data(storage).await?;
    Ok(Some(TcpListener::from_std(listener).context("the address cannot be kept")?))
}

/// The one before may still be closing.
async fn wait_for_data(storage: &Location) -> Result<(), Failure> {
    let wait = async {
        loop {
            let location = storage.clone();
            let reached = tokio::task::spawn_blocking(move || Database::reach(&location)).await;
            match reached {
                Ok(Err(Error::InUse { .. })) => tokio::time::sleep(KNOCK).await,
                Ok(other) => return other.map_err(Failure::from),
                Err(error) => return Err(Failure::Machine(error.into())),
            }
        }
    };
    tokio::time::timeout(LONGEST_HANDOVER, wait).await.unwrap_or_else(|_| {
        let text = "drover: the replica that worked before still holds the data; this one tries again";
        Err(Failure::refused(crate::failure::CONFLICT, text))
    })
}
