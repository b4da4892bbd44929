//! How the desk works: what agents and people did, how fresh everything is, who watches.

use super::text::{Kind, Page};
use crate::desk::Desk;
use crate::live::Now;
use crate::webhooks::Outcome;
use model::snapshot::{ClusterView, GapSubject, PoolView, Snapshot};
use model::time::Timestamp;
use std::collections::BTreeMap;

pub(super) fn write(page: &mut Page, desk: &Desk, now: &Now) {
    let build = [("version", env!("CARGO_PKG_VERSION"))];
    page.family("drover_build_info", Kind::Gauge, "The version of the desk; always 1.").sample(&build, 1.0);
    page.number(
        "drover_up",
        Kind::Gauge,
        "Whether the office is at work.",
        f64::from(u8::from(desk.is_open())),
    );
    clock(page, now);
    desk.tally().write(page);
    predictions(page, now);
    freezes(page, now);
    let help = "Entries of the record.";
    page.number("drover_journal_entries", Kind::Gauge, help, desk.end() as f64);
    let help = "Clients that watch events as they happen.";
    page.number("drover_sse_clients", Kind::Gauge, help, desk.rooms().watchers() as f64);
    desk.requests().write(page);
    webhooks(page, desk);
    if let Some(snapshot) = &now.snapshot {
        ages(page, now, snapshot);
        clusters(page, snapshot);
    }
}

fn webhooks(page: &mut Page, desk: &Desk) {
    let help =
        "Attempts to tell a webhook, and messages that were given up after the last one or for their age.";
    let mut family = page.family("drover_webhook_deliveries_total", Kind::Counter, help);
    for recipient in desk.outbox().all() {
        for outcome in Outcome::ALL {
            let labels = [("webhook", recipient.hook.name.as_str()), ("outcome", outcome.as_str())];
            family.sample(&labels, recipient.tally.count(outcome) as f64);
        }
    }
    let help = "Messages that a webhook is still to be told.";
    let mut family = page.family("drover_webhook_waiting", Kind::Gauge, help);
    for recipient in desk.outbox().all() {
        let labels = [("webhook", recipient.hook.name.as_str())];
        family.sample(&labels, recipient.tally.waiting() as f64);
    }
}

fn clock(page: &mut Page, now: &Now) {
    let seconds = now.at.as_millis() as f64 / 1000.0;
    page.number(
        "drover_virtual_time_seconds",
        Kind::Gauge,
        "The federation's own time since its beginning.",
        seconds,
    );
    let help = "Virtual seconds in a real one, as they pass now.";
    page.number("drover_virtual_time_factor", Kind::Gauge, help, now.factor);
}

fn predictions(page: &mut Page, now: &Now) {
    let help = "Predicted measures that were seen to come out within their interval, or not.";
    let mut family = page.family("drover_prediction_in_interval_total", Kind::Counter, help);
    for (agent, record) in &now.records {
        let missed = record.predicted.saturating_sub(record.inside);
        for (hit, count) in [("true", record.inside), ("false", missed)] {
            family.sample(&[("agent", agent.as_str()), ("hit", hit)], count as f64);
        }
    }
}

fn freezes(page: &mut Page, now: &Now) {
    let mut counts: BTreeMap<&str, u32> =
        ["everything", "cluster", "namespace", "workload", "agent"].map(|scope| (scope, 0)).into();
    for freeze in &now.freezes {
        let (scope, _) = crate::api::wire::scope(&freeze.scope);
        if let Some(count) = counts.get_mut(scope.as_str()) {
            *count += 1;
        }
    }
    let mut family = page.family("drover_freezes", Kind::Gauge, "Freezes that stand, by what they stop.");
    for (scope, count) in counts {
        family.sample(&[("scope", scope)], f64::from(count));
    }
}

/// How old what is known about each cluster is, in the federation's own time. Of a cluster that was never seen, nothing is known.
fn ages(page: &mut Page, now: &Now, snapshot: &Snapshot) {
    let mut seen: BTreeMap<&str, Timestamp> =
        snapshot.clusters.keys().map(|name| (name.as_str(), snapshot.taken_at)).collect();
    for gap in &snapshot.gaps {
        let GapSubject::Cluster(name) = &gap.subject else { continue };
        match gap.known_at {
            Some(at) => drop(seen.insert(name.as_str(), at)),
            None => drop(seen.remove(name.as_str())),
        }
    }
    let help = "How old what is known about a cluster is, in the federation's own time.";
    let mut family = page.family("drover_snapshot_age_seconds", Kind::Gauge, help);
    for (cluster, at) in seen {
        family.sample(&[("cluster", cluster)], now.at.since(at).as_seconds_float());
    }
}

fn clusters(page: &mut Page, snapshot: &Snapshot) {
    let mut each = |name, help, value: fn(&ClusterView) -> f64| {
        let mut family = page.family(name, Kind::Gauge, help);
        for (cluster, view) in &snapshot.clusters {
            family.sample(&[("cluster", cluster.as_str())], value(view));
        }
    };
    each("drover_cluster_load_ratio", "The fuller of CPU and memory, by requests.", |view| {
        view.load().as_f64()
    });
    each("drover_cluster_pods_pending", "Pods that wait for a node.", |view| f64::from(view.pods_pending));
    each("drover_cluster_nodes_booting", "Nodes that were asked for and are not ready yet.", |view| {
        view.pools.values().map(|pool| f64::from(pool.booting)).sum()
    });
    each("drover_cluster_cost_dollars_per_hour", "What the nodes cost, booting ones included.", |view| {
        view.pools.values().map(price).sum()
    });
}

fn price(pool: &PoolView) -> f64 {
    pool.price_per_hour.as_dollars_float() * f64::from(pool.nodes + pool.booting)
}
