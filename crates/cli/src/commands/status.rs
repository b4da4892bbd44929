//! `drover status`: how a desk and its federation stand.

use crate::client::{Connection, Request};
use crate::failure::Outcome;
use crate::terminal::{Sheet, Table, clean, clock};
use clap::Args;
use server::api::wire::{ClusterItem, FreezeItem, Status};

/// Say how a desk and its federation stand.
#[derive(Args)]
#[command(after_help = "Examples:\n  drover status --token-file anna.token\n  drover status --json")]
pub(crate) struct Arguments {
    #[command(flatten)]
    connection: Connection,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let client = arguments.connection.client()?;
    let answer = client.send(&Request::get(&["status"]))?;
    let clusters: Vec<ClusterItem> =
        if client.is_for_programs() { Vec::new() } else { client.ask(&Request::get(&["clusters"]))? };
    client.tell(&answer, |status| text(status, &clusters))
}

/// How fast virtual time goes.
pub(crate) fn pace(status: &Status) -> String {
    let now = clock(status.at);
    match () {
        () if status.ended => format!("{now}, the scenario has ended"),
        () if status.paused => format!("{now}, time stands still"),
        () if (status.factor - status.speed).abs() < f64::EPSILON => format!("{now}, x{}", status.speed),
        () => format!(
            "{now}, x{} while somebody has something to decide, x{} otherwise",
            status.factor, status.speed
        ),
    }
}

/// What stands still.
pub(crate) fn frozen(freeze: &FreezeItem) -> String {
    let what =
        freeze.name.as_ref().map_or_else(|| freeze.scope.clone(), |name| format!("{} {name}", freeze.scope));
    let until = freeze
        .until
        .map_or_else(|| "until somebody lifts it".to_owned(), |until| format!("until {}", clock(until)));
    clean(&format!("{}: {what} stands still {until}; by {}: {}", freeze.id, freeze.by, freeze.reason))
}

fn text(status: &Status, clusters: &[ClusterItem]) -> String {
    let mut sheet = Sheet::default();
    sheet.part(
        "Desk",
        [format!("{} ({}), {}, Drover {}", status.scenario, status.world, status.run, status.build)],
    );
    sheet.part("Time", [pace(status)]);
    sheet.part(
        "Waiting",
        [format!("{} for an answer, {} approved or under way", status.waiting, status.under_way)],
    );
    sheet.part("Mode", [status.mode.clone()]);
    sheet.part("Frozen", status.freezes.iter().map(frozen));
    sheet.part("Pods", [format!("{} wait for a node", status.pods_pending)]);
    sheet.part("Cost", [format!("{:.4} $/h", status.cost_per_hour)]);
    sheet.part("Unseen", status.gaps.iter().cloned());
    let mut table = Table::new(&["cluster", "load", "nodes", "booting", "pending pods", "cost $/h", ""]);
    for cluster in clusters {
        table.row([
            cluster.name.clone(),
            format!("{:.0} %", cluster.load * 100.0),
            cluster.nodes.to_string(),
            cluster.nodes_booting.to_string(),
            cluster.pods_pending.to_string(),
            format!("{:.4}", cluster.cost_per_hour),
            cluster.hidden_because.clone().unwrap_or_default(),
        ]);
    }
    if table.is_empty() { sheet.text() } else { format!("{}\n\n{}", sheet.text(), table.text()) }
}
