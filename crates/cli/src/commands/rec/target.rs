//! `drover rec target`: the same plan, to another cluster.

use super::read;
use crate::client::{Connection, Request};
use crate::failure::Outcome;
use crate::terminal::clean;
use clap::Args;
use serde::Serialize;
use server::api::wire::RecommendationDetail;

/// Make a new plan out of one: the same migration to another cluster. It waits for an answer like any other.
#[derive(Args)]
#[command(after_help = "Example:\n  drover rec target R-3 member3 --reason \"member2 gets new nodes today\"")]
pub(super) struct Arguments {
    /// The recommendation's number.
    id: String,
    /// Where it should go instead.
    cluster: String,
    /// Why; everybody sees it.
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
    #[command(flatten)]
    connection: Connection,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct NewTarget<'a> {
    plan_hash: &'a str,
    to: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let client = arguments.connection.client()?;
    let found = read(&client, &arguments.id)?;
    let old = &found.detail.item;
    let wish =
        NewTarget { plan_hash: &old.plan_hash, to: &arguments.cluster, reason: arguments.reason.as_deref() };
    let path = ["recommendations", &old.id, "target"];
    let answer = client.send(&Request::post(&path, &wish).if_version(found.answer.version.as_deref()))?;
    client.tell(&answer, |new: &RecommendationDetail| {
        let (id, former) = (clean(&new.item.id), clean(&old.id));
        let back =
            old.to.as_deref().map(|to| format!("\nTo change it back: drover rec target {id} {}", clean(to)));
        format!(
            "{id} takes the place of {former}: {}\nNobody has approved it yet: drover rec show {id}{}",
            clean(&new.item.action),
            back.unwrap_or_default()
        )
    })
}
