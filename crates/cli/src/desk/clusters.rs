//! The real clusters that a desk's file names: from what is written there and in the scenario to a connection.

use super::{DeskFile, beside};
use crate::failure::Failure;
use control::world::Outside;
use kubernetes::{
    Access, Fence, FreezeSettings, LeaseSettings, LeaseTiming, Member, PoolSettings, PrometheusSettings,
    RealWorld, Resizing, Settings, settings::POOL_LABELS,
};
use lab::run::Scenario;
use model::time::Period;
use server::config::{ClusterAccess, KubernetesConfig, LeaseConfig};
use std::path::Path;

/// The label that tells clusters apart in Prometheus.
const CLUSTER_LABEL: &str = "cluster";

/// Rates are taken over this long; shorter than that, the usual interval of scraping leaves holes.
const RATE_WINDOW: Period = Period::from_minutes(2);

/// The clusters, connected; nothing if the desk's world is simulated.
pub(super) fn connect(desk: &DeskFile, fence: Fence) -> Result<Option<Box<dyn Outside>>, Failure> {
    let Some(config) = &desk.config.kubernetes else { return Ok(None) };
    let settings = Settings { fence, ..settings(config, &desk.scenario, &desk.path) };
    let world = RealWorld::connect(settings).map_err(|error| Failure::Input(told(&error)))?;
    Ok(Some(Box::new(world)))
}

pub(crate) fn told(error: &kubernetes::ConnectError) -> String {
    let lines: Vec<String> = error.problems.iter().map(|problem| format!("drover: {problem}")).collect();
    lines.join("\n")
}

/// What the file says about the clusters, and what the scenario says about their pools.
pub(crate) fn settings(config: &KubernetesConfig, scenario: &Scenario, desk: &Path) -> Settings {
    let member = |member: &server::config::MemberConfig| Member {
        name: member.name.clone(),
        access: access(&member.access, desk),
    };
    let usual = || POOL_LABELS.map(str::to_owned).to_vec();
    Settings {
        members: config.members.iter().map(member).collect(),
        karmada: config.karmada.as_ref().map(|found| access(found, desk)),
        prometheus: config.prometheus.as_ref().map(|url| prometheus(url)),
        act: config.act,
        namespaces: config.namespaces.clone(),
        pools_by: if config.pools_by.is_empty() { usual() } else { config.pools_by.clone() },
        pools: pools(scenario, config.pretended_nodes),
        allow_exec: config.allow_exec,
        events: config.events,
        leader_election: config.leader_election.as_ref().map(|found| lease(found, desk)),
        freezes: config.freezes.as_ref().map(|found| FreezeSettings {
            access: access(&found.access, desk),
            namespace: found.namespace.clone(),
        }),
        ..Settings::default()
    }
}

pub(crate) fn access(access: &ClusterAccess, desk: &Path) -> Access {
    match access {
        ClusterAccess::InCluster => Access::InCluster,
        ClusterAccess::Kubeconfig { file, context } => Access::Kubeconfig {
            path: file.as_ref().map(|file| beside(desk, file)),
            context: context.clone(),
        },
    }
}

fn lease(config: &LeaseConfig, desk: &Path) -> LeaseSettings {
    LeaseSettings {
        access: access(&config.access, desk),
        namespace: config.namespace.clone(),
        name: config.name.clone(),
        identity: identity(),
        timing: LeaseTiming::default(),
    }
}

/// Where this runs, and something that no other process has: the same pod may come back as another.
#[expect(clippy::disallowed_methods, reason = "this is how a pod is told its name")]
fn identity() -> String {
    let host = std::env::var("HOSTNAME").unwrap_or_else(|_| "drover".to_owned());
    let mut random = [0; 8];
    // Without entropy the number of the process has to do.
    if getrandom::fill(&mut random).is_err() {
        random = u64::from(std::process::id()).to_be_bytes();
    }
    format!("{host}_{:016x}", u64::from_be_bytes(random))
}

fn prometheus(url: &str) -> PrometheusSettings {
    PrometheusSettings {
        url: url.to_owned(),
        bearer_token: None,
        cluster_label: CLUSTER_LABEL.to_owned(),
        window: RATE_WINDOW,
        queries: Vec::new(),
    }
}

/// Prices and bounds, which clusters do not tell.
fn pools(scenario: &Scenario, pretended: bool) -> Vec<PoolSettings> {
    let resizing = if pretended { Resizing::NodeObjects } else { Resizing::Refused };
    let mut pools = Vec::new();
    for cluster in &scenario.world.clusters {
        for pool in &cluster.pools {
            pools.push(PoolSettings {
                cluster: Some(cluster.name.clone()),
                pool: pool.name.clone(),
                price_per_hour: Some(pool.price_per_hour),
                minimum: Some(pool.minimum),
                maximum: Some(pool.maximum),
                boot_time: Some(pool.boot_time.typical()),
                resizing: resizing.clone(),
            });
        }
    }
    pools
}
