//! The real side: the controllers of Deployments and ReplicaSets at work on pods that are as ready as we write.

use super::Sizes;
use super::draw::{Action, Wish};
use crate::error::Problem;
use crate::real::name_of;
use serde_json::{Value, json};
use simulator::controllers::int_or_percent::IntOrPercent;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;
use testbed::{Api, Bed, Change, Listener, Plan, Watch, Workshop};

/// Controllers answer within a fraction of a second, unless the machine has much else to do.
const PATIENCE: Duration = Duration::from_secs(20);
const DEPLOYMENTS: &str = "/apis/apps/v1/namespaces/default/deployments";
const REPLICA_SETS: &str = "/apis/apps/v1/namespaces/default/replicasets";
const PODS: &str = "/api/v1/namespaces/default/pods";
/// The label that tells templates apart.
const TEMPLATE: &str = "template";

/// A cluster with the two controllers and nobody else.
pub struct RealRollouts {
    bed: Bed,
    watch: Watch,
    deployments: Watch,
    /// All ReplicaSets there are, by name.
    sets: BTreeMap<String, Value>,
}

impl RealRollouts {
    pub fn start(directory: &Path, workshop: &Workshop, say: Listener<'_>) -> Result<Self, Problem> {
        let plan = Plan::controllers_alone(&["deployment-controller", "replicaset-controller"], &[]);
        let bed = Bed::up(&plan, directory, workshop, say)?;
        let watch = Watch::begin(bed.members()[0].api(), REPLICA_SETS)?;
        let deployments = Watch::begin(bed.members()[0].api(), DEPLOYMENTS)?;
        Ok(Self { bed, watch, deployments, sets: BTreeMap::new() })
    }

    pub fn stop(self) -> Result<(), Problem> {
        Ok(self.bed.down()?)
    }

    fn api(&self) -> &Api {
        self.bed.members()[0].api()
    }

    pub(super) fn create(&self, name: &str, wish: &Wish) -> Result<(), Problem> {
        self.api().create(DEPLOYMENTS, &object(name, wish))?;
        Ok(())
    }

    pub(super) fn change(&self, name: &str, action: &Action, wish: &Wish) -> Result<(), Problem> {
        match action {
            Action::Create => Ok(()),
            Action::Ready { template, pods } => self.set_ready(name, *template, *pods, true),
            Action::Break { template } => self.set_ready(name, *template, 1, false),
            _ => {
                let patch = json!({ "spec": object(name, wish)["spec"] });
                let changed = self.api().merge(&format!("{DEPLOYMENTS}/{name}"), &patch)?;
                self.await_notice(name, number(&changed["metadata"]["generation"]))
            }
        }
    }

    /// Waits until the controller has dealt with a change. It might skip one otherwise that the next one undoes.
    fn await_notice(&self, name: &str, generation: u32) -> Result<(), Problem> {
        let status = self.api().get(&format!("{DEPLOYMENTS}/{name}"))?;
        let dealt_with = |object: &Value| {
            name_of(object) == name && number(&object["status"]["observedGeneration"]) >= generation
        };
        if dealt_with(&status) {
            return Ok(());
        }
        let awaited = format!("the controller noticing change {generation} of {name}");
        Ok(self.deployments.find(PATIENCE, &awaited, |change| dealt_with(change.object()).then_some(()))?)
    }

    /// So many pods of a template become ready, or are so no more; it does not matter which.
    fn set_ready(&self, name: &str, template: u64, pods: u32, ready: bool) -> Result<(), Problem> {
        let list = self.api().get(&format!("{PODS}?labelSelector=app={name},{TEMPLATE}=t{template}"))?;
        let all = list["items"].as_array().cloned().unwrap_or_default();
        let others = all.iter().filter(|pod| is_ready(pod) != ready);
        for pod in others.take(pods as usize) {
            let conditions = json!([{ "type": "Ready", "status": if ready { "True" } else { "False" }, "lastTransitionTime": "2026-01-01T00:00:00Z" }]);
            let status = json!({ "status": { "phase": "Running", "conditions": conditions } });
            self.api().merge(&format!("{PODS}/{}/status", name_of(pod)), &status)?;
        }
        Ok(())
    }

    /// Waits until everything is as expected, and reported so; if that does not come, says how it is instead.
    pub(super) fn settle(&mut self, name: &str, expected: &Sizes) -> Result<Option<Sizes>, Problem> {
        let Self { watch, sets, .. } = self;
        if is_settled(sets, name, expected) {
            return Ok(None);
        }
        let settled = watch.find(PATIENCE, "sizes of ReplicaSets", |change| {
            match change {
                Change::Deleted(set) => drop(sets.remove(name_of(set))),
                Change::Added(set) | Change::Modified(set) => {
                    sets.insert(name_of(set).to_owned(), set.clone());
                }
            }
            is_settled(sets, name, expected).then_some(())
        });
        match settled {
            Ok(()) => Ok(None),
            Err(testbed::Error::Late { .. }) => Ok(Some(sizes(sets, name))),
            Err(error) => Err(error.into()),
        }
    }

    /// Templates from the oldest ReplicaSet to the youngest. Ages are whole seconds; names decide between equals.
    pub(super) fn oldest_first(&self, name: &str) -> Vec<u64> {
        let age = |set: &Value| (set["metadata"]["creationTimestamp"].to_string(), name_of(set).to_owned());
        let mut sets: Vec<&Value> = of(&self.sets, name).collect();
        sets.sort_by_key(|set| age(set));
        sets.into_iter().map(template_of).collect()
    }

    pub(super) fn remove(&mut self, name: &str) -> Result<(), Problem> {
        self.api().delete(&format!("{DEPLOYMENTS}/{name}"))?;
        self.api().delete(REPLICA_SETS)?;
        self.api().delete_at_once(PODS)?;
        Ok(())
    }
}

fn is_settled(sets: &BTreeMap<String, Value>, name: &str, expected: &Sizes) -> bool {
    let reported = |set: &Value| {
        set["status"]["observedGeneration"] == set["metadata"]["generation"]
            && number(&set["status"]["replicas"]) == number(&set["spec"]["replicas"])
    };
    sizes(sets, name) == *expected && of(sets, name).all(reported)
}

fn sizes(sets: &BTreeMap<String, Value>, name: &str) -> Sizes {
    let size = |set: &Value| (number(&set["spec"]["replicas"]), number(&set["status"]["readyReplicas"]));
    of(sets, name).map(|set| (template_of(set), size(set))).collect()
}

fn template_of(set: &Value) -> u64 {
    let label = set["metadata"]["labels"][TEMPLATE].as_str().unwrap_or_default();
    label.trim_start_matches('t').parse().unwrap_or(0)
}

fn of<'a>(sets: &'a BTreeMap<String, Value>, name: &'a str) -> impl Iterator<Item = &'a Value> {
    sets.values().filter(move |set| set["metadata"]["labels"]["app"] == name)
}

fn number(value: &Value) -> u32 {
    value.as_u64().map_or(0, |number| number as u32)
}

fn is_ready(pod: &Value) -> bool {
    let conditions = pod["status"]["conditions"].as_array();
    conditions.is_some_and(|all| all.iter().any(|one| one["type"] == "Ready" && one["status"] == "True"))
}

fn object(name: &str, wish: &Wish) -> Value {
    let strategy = wish.rolling.map_or_else(
        || json!({ "type": "Recreate", "rollingUpdate": null }),
        |(surge, unavailable)| {
            let limits = json!({ "maxSurge": amount(surge), "maxUnavailable": amount(unavailable) });
            json!({ "type": "RollingUpdate", "rollingUpdate": limits })
        },
    );
    json!({
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": { "name": name },
        "spec": {
            "replicas": wish.replicas,
            "paused": wish.paused,
            "revisionHistoryLimit": wish.history,
            "strategy": strategy,
            "selector": { "matchLabels": { "app": name } },
            "template": {
                "metadata": { "labels": { "app": name, TEMPLATE: format!("t{}", wish.template) } },
                "spec": { "containers": [{ "name": "main", "image": "example.org/nowhere:1" }] },
            },
        },
    })
}

fn amount(amount: IntOrPercent) -> Value {
    match amount {
        IntOrPercent::Count(pods) => json!(pods),
        IntOrPercent::Percent(percent) => json!(format!("{percent}%")),
    }
}
