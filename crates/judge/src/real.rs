//! The real side: kube-scheduler at work on nodes and pods that are only written down.

use crate::draw::{Case, NAMESPACES, TEAM};
use crate::error::Problem;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;
use testbed::{Api, Bed, Change, Listener, Plan, Watch, Workshop};

/// For one decision; it takes milliseconds, unless the machine has much else to do.
const PATIENCE: Duration = Duration::from_mins(1);
/// Victims are asked to go one after the other, right after the decision.
const VICTIM_PATIENCE: Duration = Duration::from_secs(10);
/// How often the scheduler is asked whether it has seen all nodes.
const MOST_PROBES: u32 = 200;

/// What the plugin for devices says after every refusal; devices are not simulated.
const OF_DEVICES: &str = "no new claims to deallocate, ";

const PODS: &str = "/api/v1/pods";
const NODES: &str = "/api/v1/nodes";

/// What the real scheduler made of a pod.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    Bound(String),
    Refused {
        message: String,
        /// The node where it has others stopped.
        nominated: Option<String>,
    },
}

/// A cluster with a scheduler and nobody else.
pub struct Real {
    bed: Bed,
    watch: Watch,
    /// Pods that were asked to go and are still there.
    going: BTreeSet<String>,
    probes: u64,
    /// A pod that waits for a node it was promised: if the scheduler takes it up again by itself, this says so.
    waiting: Option<String>,
    stirred: bool,
}

/// Every node is looked at and every candidate tried, so that the answer does not depend on where the search begins.
fn configuration() -> Value {
    json!({
        "parallelism": 1,
        "percentageOfNodesToScore": 100,
        "profiles": [{
            "schedulerName": "default-scheduler",
            "pluginConfig": [{
                "name": "DefaultPreemption",
                "args": { "minCandidateNodesPercentage": 100, "minCandidateNodesAbsolute": 100 },
            }],
        }],
    })
}

impl Real {
    pub fn start(directory: &Path, workshop: &Workshop, say: Listener<'_>) -> Result<Self, Problem> {
        let bed = Bed::up(&Plan::scheduler_alone(configuration()), directory, workshop, say)?;
        let api = bed.members()[0].api();
        let annex = json!({
            "apiVersion": "v1",
            "kind": "Namespace",
            "metadata": { "name": NAMESPACES[1], "labels": { TEAM.0: TEAM.1 } },
        });
        api.create("/api/v1/namespaces", &annex)?;
        let watch = Watch::begin(api, PODS)?;
        Ok(Self { bed, watch, going: BTreeSet::new(), probes: 0, waiting: None, stirred: false })
    }

    pub fn stop(self) -> Result<(), Problem> {
        Ok(self.bed.down()?)
    }

    fn api(&self) -> &Api {
        self.bed.members()[0].api()
    }

    /// Writes down everything of a case but its pods, and waits until the scheduler has seen all nodes.
    pub fn set_up(&mut self, case: &Case) -> Result<(), Problem> {
        for set in &case.replica_sets {
            self.api().create(&list_of(set, "apis/apps/v1", "replicasets"), set)?;
        }
        for service in &case.services {
            self.api().create(&list_of(service, "api/v1", "services"), service)?;
        }
        for budget in &case.budgets {
            let path = format!("/apis/policy/v1/namespaces/{}/poddisruptionbudgets", budget.namespace);
            let object = json!({
                "apiVersion": "policy/v1",
                "kind": "PodDisruptionBudget",
                "metadata": { "name": budget.name },
                "spec": { "minAvailable": 0, "selector": budget.selector() },
            });
            self.api().create(&path, &object)?;
            // Nobody counts here, so the count is what we say.
            let status = json!({ "status": {
                "disruptionsAllowed": budget.allowed, "currentHealthy": 9, "desiredHealthy": 0, "expectedPods": 9,
                "observedGeneration": 1,
            } });
            self.api().merge(&format!("{path}/{}/status", budget.name), &status)?;
        }
        self.add_nodes(&case.nodes)
    }

    fn add_nodes(&mut self, nodes: &[Value]) -> Result<(), Problem> {
        let Some(([first, middle @ ..], last)) = nodes.split_last().map(|(last, rest)| (rest, last)) else {
            return Err(Problem::Usage("a case has two nodes or more".to_owned()));
        };
        // With one node, the next scan begins at the first node again, wherever the last case ended.
        self.api().create(NODES, first)?;
        self.await_nodes(1)?;
        for node in middle {
            self.api().create(NODES, node)?;
        }
        // The scheduler remembers for a node how many nodes had its images when the node last changed. Real nodes report all
        // the time and so are up to date; here each reports once, before the last one comes, which has no images.
        for node in nodes.iter().filter(|node| *node != last) {
            let report = json!({ "metadata": { "annotations": { "reported": "yes" } } });
            self.api().merge(&format!("{NODES}/{}", name_of(node)), &report)?;
        }
        self.api().create(NODES, last)?;
        self.await_nodes(nodes.len())
    }

    /// Removes everything of a case, and waits until the scheduler has seen that no node is left.
    pub fn tear_down(&mut self, case: &Case) -> Result<(), Problem> {
        for namespace in NAMESPACES {
            self.api().delete_at_once(&format!("/api/v1/namespaces/{namespace}/pods"))?;
            self.api().delete(&format!("/apis/apps/v1/namespaces/{namespace}/replicasets"))?;
            self.api().delete(&format!("/apis/policy/v1/namespaces/{namespace}/poddisruptionbudgets"))?;
        }
        for service in &case.services {
            self.api().delete(&path_of(service, "api/v1", "services"))?;
        }
        self.api().delete(NODES)?;
        self.going.clear();
        self.await_nodes(0)
    }

    /// The scheduler says in its refusals how many nodes it knows; so a pod that no node takes is a question.
    fn await_nodes(&mut self, wanted: usize) -> Result<(), Problem> {
        let expected = if wanted == 0 { "no nodes".to_owned() } else { format!("0/{wanted} ") };
        let mut seen = String::new();
        for _ in 0..MOST_PROBES {
            self.probes += 1;
            let probe = json!({
                "apiVersion": "v1",
                "kind": "Pod",
                "metadata": { "name": format!("probe{}", self.probes), "namespace": NAMESPACES[0] },
                "spec": {
                    "nodeSelector": { "nowhere": "at-all" },
                    "preemptionPolicy": "Never",
                    "containers": [{ "name": "main", "image": "example.org/nowhere:1" }],
                },
            });
            self.create(&probe)?;
            let verdict = self.verdict_on(name_of(&probe))?;
            self.remove(&probe)?;
            let Verdict::Refused { message, .. } = verdict else {
                return Err(Problem::Probe("bound".into()));
            };
            if message.starts_with(&expected) {
                return Ok(());
            }
            seen = message;
        }
        Err(Problem::Probe(seen))
    }

    /// Lets a pod arrive, and returns it with what the API server added.
    pub fn create(&self, pod: &Value) -> Result<Value, Problem> {
        Ok(self.api().create(&list_of(pod, "api/v1", "pods"), pod)?)
    }

    /// Waits for the next decision on a pod.
    pub fn verdict_on(&mut self, name: &str) -> Result<Verdict, Problem> {
        let awaited = format!("a decision of kube-scheduler on {name}");
        let Self { watch, going, waiting, stirred, .. } = self;
        let verdict = watch.find(PATIENCE, &awaited, |change| {
            note(going, change);
            let object = change.object();
            if waiting.as_deref() == Some(name_of(object)) && name_of(object) != name {
                *stirred = true;
            }
            (name_of(object) == name && !matches!(change, Change::Deleted(_)))
                .then(|| verdict_in(object))
                .flatten()
        })?;
        Ok(verdict)
    }

    /// Waits until all of these were asked to go; says who else was, and who was not in time.
    pub fn await_victims(&mut self, expected: &BTreeSet<String>) -> Result<BTreeSet<String>, Problem> {
        let Self { watch, going, .. } = self;
        if !expected.is_subset(going) {
            let arrived = watch.find(VICTIM_PATIENCE, "the end of the victims", |change| {
                note(going, change);
                expected.is_subset(going).then_some(())
            });
            match arrived {
                Ok(()) | Err(testbed::Error::Late { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(self.going.clone())
    }

    /// Says when a bound pod began, which decides between pods of the same priority.
    pub fn started(&self, pod: &Value, time: &str) -> Result<(), Problem> {
        let status = json!({ "status": { "phase": "Running", "startTime": time } });
        self.api().merge(&format!("{}/status", path_of(pod, "api/v1", "pods")), &status)?;
        Ok(())
    }

    pub fn remove(&mut self, pod: &Value) -> Result<(), Problem> {
        self.going.remove(name_of(pod));
        Ok(self.api().delete_at_once(&path_of(pod, "api/v1", "pods"))?)
    }

    /// From now on it is noticed if the scheduler takes up this pod again.
    pub fn wait_for(&mut self, pod: Option<&Value>) {
        self.waiting = pod.map(|pod| name_of(pod).to_owned());
        self.stirred = false;
    }

    /// Whether the pod that waits was taken up again by the scheduler.
    pub fn is_stirred(&self) -> bool {
        self.stirred
    }
}

/// Keeps the list of pods that were asked to go.
fn note(going: &mut BTreeSet<String>, change: &Change) {
    let object = change.object();
    match change {
        Change::Deleted(_) => drop(going.remove(name_of(object))),
        Change::Added(_) | Change::Modified(_) => {
            if object["metadata"]["deletionTimestamp"].is_string() {
                going.insert(name_of(object).to_owned());
            }
        }
    }
}

fn verdict_in(pod: &Value) -> Option<Verdict> {
    if let Some(node) = pod["spec"]["nodeName"].as_str() {
        return Some(Verdict::Bound(node.to_owned()));
    }
    let conditions = pod["status"]["conditions"].as_array()?;
    let refused = conditions.iter().find(|one| one["type"] == "PodScheduled" && one["status"] == "False")?;
    let message = refused["message"].as_str().unwrap_or_default().replace(OF_DEVICES, "");
    let nominated = pod["status"]["nominatedNodeName"].as_str().map(str::to_owned);
    Some(Verdict::Refused { message, nominated })
}

pub(crate) fn name_of(object: &Value) -> &str {
    object["metadata"]["name"].as_str().unwrap_or_default()
}

fn list_of(object: &Value, group: &str, plural: &str) -> String {
    let namespace = object["metadata"]["namespace"].as_str().unwrap_or_default();
    format!("/{group}/namespaces/{namespace}/{plural}")
}

fn path_of(object: &Value, group: &str, plural: &str) -> String {
    format!("{}/{}", list_of(object, group, plural), name_of(object))
}
