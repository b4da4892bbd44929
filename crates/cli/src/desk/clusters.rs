//! The real clusters that a desk's file names: from what is written there and in the scenario to a connection.

use super::{DeskFile, beside, definitions, secrets};
use crate::failure::Failure;
use control::world::Outside;
use kubernetes::{
    Access, DefinitionSettings, Fence, FreezeSettings, LeaseSettings, LeaseTiming, Leaving, Member,
    PoolSettings, PrometheusSettings, Query, RealWorld, Resizing, Scope, Secret, Settings, Timeouts,
    settings::POOL_LABELS,
};
use lab::run::Scenario;
use model::signal::Signal;
use model::time::Period;
use server::config::{
    ClusterAccess, KubernetesConfig, LeaseConfig, MeasurementsConfig, PoolResizing, RawLeaving, RawScope,
    RawTimeouts, ResizedBy,
};
use std::path::Path;

/// The label that tells clusters apart in Prometheus.
const CLUSTER_LABEL: &str = "cluster";

/// Rates are taken over this long; shorter than that, the usual interval of scraping leaves holes.
const RATE_WINDOW: Period = Period::from_minutes(2);

/// The clusters, connected; nothing if the desk's world is simulated.
pub(super) fn connect(desk: &DeskFile, fence: Fence) -> Result<Option<Box<dyn Outside>>, Failure> {
    let Some(config) = &desk.config.kubernetes else { return Ok(None) };
    let settings = Settings { fence, ..settings(config, &desk.scenario, &desk.path)? };
    let world = RealWorld::connect(settings).map_err(|error| Failure::Input(told(&error)))?;
    Ok(Some(Box::new(world)))
}

pub(crate) fn told(error: &kubernetes::ConnectError) -> String {
    let lines: Vec<String> = error.problems.iter().map(|problem| format!("drover: {problem}")).collect();
    lines.join("\n")
}

/// What the file says about the clusters, and what the scenario says about their pools.
pub(crate) fn settings(
    config: &KubernetesConfig,
    scenario: &Scenario,
    desk: &Path,
) -> Result<Settings, Failure> {
    let member = |member: &server::config::MemberConfig| Member {
        name: member.name.clone(),
        access: access(&member.access, desk),
    };
    let usual = || POOL_LABELS.map(str::to_owned).to_vec();
    let prometheus =
        config.prometheus.as_ref().map(|url| prometheus(url, &config.measurements, desk)).transpose()?;
    let mut pools = pools(scenario, config.pretended_nodes);
    for resizing in &config.pools {
        resize(&mut pools, resizing, desk)?;
    }
    Ok(Settings {
        members: config.members.iter().map(member).collect(),
        karmada: config.karmada.as_ref().map(|found| access(found, desk)),
        prometheus,
        act: config.act,
        namespaces: config.namespaces.clone(),
        pools_by: if config.pools_by.is_empty() { usual() } else { config.pools_by.clone() },
        pools,
        prices: config.prices.clone(),
        timeouts: timeouts(&config.timeouts),
        allow_exec: config.allow_exec,
        leaving: match config.leaving {
            RawLeaving::ScaleToZero => Leaving::ScaleToZero,
            RawLeaving::Delete => Leaving::Delete,
        },
        parts: config.move_in_parts,
        despite: scenario.control.guardrails.despite.clone(),
        place_label: config.place_label.clone(),
        events: config.events,
        leader_election: config.leader_election.as_ref().map(|found| lease(found, desk)),
        freezes: config.freezes.as_ref().map(|found| FreezeSettings {
            access: access(&found.access, desk),
            namespace: found.namespace.clone(),
        }),
        definitions: config.objects.as_ref().map(|found| DefinitionSettings {
            access: access(&found.access, desk),
            namespace: found.namespace.clone(),
            reader: definitions::reader(scenario),
        }),
        ..Settings::default()
    })
}

/// What is not said stays as it usually is.
fn timeouts(raw: &RawTimeouts) -> Timeouts {
    let usual = Timeouts::default();
    Timeouts {
        connect: raw.connect.unwrap_or(usual.connect),
        request: raw.request.unwrap_or(usual.request),
        watch: raw.watch.unwrap_or(usual.watch),
        stale: raw.stale.unwrap_or(usual.stale),
        observe: raw.observe.unwrap_or(usual.observe),
        act: raw.act.unwrap_or(usual.act),
        look: raw.look.unwrap_or(usual.look),
        settle: raw.settle.unwrap_or(usual.settle),
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

fn prometheus(url: &str, options: &MeasurementsConfig, desk: &Path) -> Result<PrometheusSettings, Failure> {
    let token =
        options.token_file.as_ref().map(|name| secrets::in_file("Prometheus", name, desk)).transpose()?;
    let scope = |scope: RawScope| match scope {
        RawScope::Cluster => Scope::Cluster,
        RawScope::Node => Scope::Node,
        RawScope::Pod => Scope::Pod,
        RawScope::Workload => Scope::Workload,
    };
    let query = |(signal, about, text): &(Signal, RawScope, String)| Query {
        signal: *signal,
        scope: scope(*about),
        text: text.clone(),
    };
    Ok(PrometheusSettings {
        url: url.to_owned(),
        bearer_token: token.map(Secret::new),
        cluster_label: options.cluster_label.clone().unwrap_or_else(|| CLUSTER_LABEL.to_owned()),
        window: options.window.unwrap_or(RATE_WINDOW),
        queries: options.queries.iter().map(query).collect(),
    })
}

/// Says who resizes a pool, in all settings of it; a pool that the scenario does not have gets settings of its own.
fn resize(pools: &mut Vec<PoolSettings>, resizing: &PoolResizing, desk: &Path) -> Result<(), Failure> {
    let by = match &resizing.by {
        ResizedBy::MachineDeployment { namespace, name } => {
            Resizing::MachineDeployment { namespace: namespace.clone(), name: name.clone() }
        }
        ResizedBy::NodePool { name } => Resizing::NodePool { name: name.clone() },
        ResizedBy::Webhook { url, secret_file } => {
            let whose = format!("the webhook of the pool {}", resizing.pool);
            let secret = Secret::new(secrets::in_file(&whose, secret_file, desk)?);
            Resizing::Webhook { url: url.clone(), secret }
        }
    };
    let is_meant = |one: &PoolSettings| {
        one.pool == resizing.pool && (resizing.cluster.is_none() || one.cluster == resizing.cluster)
    };
    let mut found = false;
    for pool in pools.iter_mut().filter(|pool| is_meant(pool)) {
        pool.resizing = by.clone();
        found = true;
    }
    if !found {
        pools.push(PoolSettings {
            cluster: resizing.cluster.clone(),
            pool: resizing.pool.clone(),
            price_per_hour: None,
            minimum: None,
            maximum: None,
            boot_time: None,
            resizing: by,
        });
    }
    Ok(())
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

#[cfg(test)]
mod tests {
    use super::*;
    use model::money::MicroDollars;
    use std::fs;

    const DESK: &str = "
drover: desk/v1
world:
  scenario: scenario.yaml
  kubernetes:
    members: [{ name: one }, { name: two }]
    prometheus: http://127.0.0.1:9090
    measurements:
      token_file: token
      cluster_label: site
      window: 5m
      queries: [{ signal: users, scope: workload, query: sessions }]
    pools:
      - { pool: blue, cluster: one, machine_deployment: capi/blue }
      - { pool: spot, node_pool: spot }
      - { pool: far, webhook: { url: https://nodes.example.org/resize, secret_file: token } }
    prices: [{ instance_type: m5.large, price_per_hour: 0.096 }]
    leaving: delete
    place_label: cloud
    timeouts: { act: 20m, settle: 5s }
";

    const SCENARIO: &str = "
drover: scenario/v1
name: two
duration: 10m
clusters:
  - { name: one, pools: [{ name: blue, nodes: 1, cpu: 4, memory: 16Gi, price_per_hour: 0.1 }] }
  - { name: two, pools: [{ name: blue, nodes: 1, cpu: 4, memory: 16Gi, price_per_hour: 0.1 }] }
workloads: [{ name: web, cluster: one, replicas: 1, cpu: 1, memory: 1Gi }]
";

    #[test]
    fn everything_that_a_desk_says_about_its_clusters_arrives() {
        let folder = std::env::temp_dir().join(format!("drover-clusters-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("desk.yaml"), DESK).unwrap();
        fs::write(folder.join("scenario.yaml"), SCENARIO).unwrap();
        let desk = DeskFile::at(&folder.join("desk.yaml")).unwrap_or_else(|_| panic!("the file can be read"));
        let config = desk.config.kubernetes.as_ref().unwrap();
        let missing = settings(config, &desk.scenario, &desk.path);
        assert!(
            matches!(missing, Err(Failure::Input(text)) if text.contains("the secret of Prometheus is missing"))
        );
        fs::write(folder.join("token"), "t0ken\n").unwrap();
        let made =
            settings(config, &desk.scenario, &desk.path).unwrap_or_else(|_| panic!("nothing is missing"));
        let prometheus = made.prometheus.unwrap();
        assert_eq!(prometheus.bearer_token.unwrap().reveal(), "t0ken");
        assert_eq!((prometheus.cluster_label.as_str(), prometheus.window), ("site", Period::from_minutes(5)));
        assert_eq!(prometheus.queries.len(), 1);
        assert_eq!((made.leaving, made.place_label.as_deref()), (Leaving::Delete, Some("cloud")));
        assert_eq!(made.prices["m5.large"], MicroDollars(96_000));
        assert_eq!(
            (made.timeouts.act, made.timeouts.settle),
            (Period::from_minutes(20), Period::from_secs(5))
        );
        assert_eq!(made.timeouts.request, Timeouts::default().request);
        let of = |pool: &str| -> Vec<&Resizing> {
            made.pools.iter().filter(|one| one.pool.as_str() == pool).map(|one| &one.resizing).collect()
        };
        let machines = Resizing::MachineDeployment { namespace: "capi".to_owned(), name: "blue".to_owned() };
        assert_eq!(of("blue"), [&machines, &Resizing::Refused]);
        assert_eq!(of("spot"), [&Resizing::NodePool { name: "spot".to_owned() }]);
        assert!(matches!(of("far")[..], [Resizing::Webhook { .. }]));
        assert!(!format!("{:?}", made.pools).contains("t0ken"), "a secret is not shown");
        fs::remove_dir_all(&folder).unwrap();
    }
}
