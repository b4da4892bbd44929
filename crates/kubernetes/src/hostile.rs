//! What clusters, Karmada, Prometheus and kubeconfigs could say: the readers of it without a network, for whoever tries to break them.

use crate::act::course::{Course, Move};
use crate::act::eye;
use crate::act::sight::{KarmadaSight, MemberSight, Object, Sight};
use crate::act::task::{Manner, Task};
use crate::candidate::{Candidate, LeaseTiming};
use crate::clock::{Origin, Tick, Wall};
use crate::crd::Kind;
use crate::observe::cache::Pulse;
use crate::observe::cluster::MemberSeen;
use crate::observe::karmada::{self, KarmadaSeen};
use crate::observe::measured::Measured;
use crate::observe::snapshot::{FederationSeen, Moment, snapshot};
use crate::observe::{facts, metrics, owners, prometheus};
use crate::settings::{PrometheusSettings, Resizing, Settings, Timeouts};
use crate::{connect, definitions, freezes, lease};
use control::supply::Supply;
use kube::api::DynamicObject;
use kube::config::Kubeconfig;
use model::action::{Action, Spot};
use model::hash::ContentHash;
use model::names::{ClusterName, PoolName, WorkloadRef};
use model::recommendation::RecommendationId;
use model::snapshot::Snapshot;
use model::time::{Period, Timestamp};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Enough clusters for numbers that each server allows and that together are too large.
const CLUSTERS: [&str; 3] = ["one", "two", "three"];

/// The run began at 100 s of wall time, and now it is 1100 s.
const MOMENT: Moment = Moment { now: Wall(1_100_000), origin: Origin(Wall(100_000)) };

const OURS: &str = "a fixed word is a name";

fn clusters() -> Vec<ClusterName> {
    CLUSTERS.iter().map(|name| ClusterName::new(name).expect(OURS)).collect()
}

fn read<T: DeserializeOwned>(value: &Value) -> Option<T> {
    T::deserialize(value).ok()
}

/// One answer or object a line; all that is seen together makes a snapshot, which is written down and has to be readable.
pub fn observed(text: &str) {
    let mut seen = Everything::default();
    for value in text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
        seen.note(&value);
    }
    let snapshot = snapshot(&seen.federation(), &Settings::default(), MOMENT);
    let written = serde_json::to_string(&snapshot).expect("plain data always serialises");
    let again: Snapshot = serde_json::from_str(&written).expect("what was written can be read");
    assert_eq!(again, snapshot, "it came back as something else");
}

/// What every cluster has, and what is above them.
#[derive(Default)]
struct Everything {
    member: MemberSeen,
    karmada: KarmadaSeen,
    measured: Measured,
    by_cluster: BTreeMap<ClusterName, Measured>,
}

impl Everything {
    /// A kind says what it is; an answer of Prometheus has none.
    fn note(&mut self, value: &Value) -> Option<()> {
        let member = &mut self.member;
        match value["kind"].as_str() {
            Some("Node") => member.nodes.push(Arc::new(facts::node(&read(value)?))),
            Some("Pod") => member.pods.push(Arc::new(facts::pod(&read(value)?))),
            Some("Deployment") => member.workloads.push(Arc::new(facts::deployment(&read(value)?)?)),
            Some("StatefulSet") => member.workloads.push(Arc::new(facts::stateful_set(&read(value)?)?)),
            Some("PodDisruptionBudget") => member.budgets.push(Arc::new(owners::budget(&read(value)?)?)),
            Some("HorizontalPodAutoscaler") => {
                member.autoscalers.push(Arc::new(owners::autoscaler(&read(value)?)?));
            }
            Some("NodeMetricsList" | "PodMetricsList") => self.note_metrics(value)?,
            Some(kind) => self.note_karmada(kind, &read(value)?)?,
            None => self.note_answer(&read(value)?),
        }
        Some(())
    }

    fn note_metrics(&mut self, value: &Value) -> Option<()> {
        let list: metrics::List = read(value)?;
        self.measured.merge(&metrics::measured(&list, &list));
        Some(())
    }

    fn note_answer(&mut self, answer: &prometheus::Answer) {
        let settings = PrometheusSettings {
            url: String::new(),
            bearer_token: None,
            cluster_label: "cluster".to_owned(),
            window: Period::from_minutes(2),
            queries: Vec::new(),
        };
        for members in [clusters(), clusters()[..1].to_vec()] {
            for (cluster, measured) in prometheus::answered(answer, &settings, &members) {
                self.by_cluster.entry(cluster).or_default().merge(&measured);
            }
        }
    }

    fn note_karmada(&mut self, kind: &str, object: &DynamicObject) -> Option<()> {
        let karmada = &mut self.karmada;
        match kind {
            "ResourceBinding" => {
                let fact = karmada::binding_fact(object)?;
                karmada.replicas.insert(fact.workload.clone(), fact.clusters.values().copied().max()?);
                karmada.scheduled.insert(fact.workload, fact.clusters);
            }
            "PropagationPolicy" => {
                let fact = karmada::move_fact(object)?;
                karmada.moved_at.insert(fact.workload, fact.at);
            }
            "FederatedHPA" => {
                let fact = karmada::autoscaler_fact(object)?;
                karmada.autoscalers.insert(fact.workload, fact.name);
            }
            _ => return None,
        }
        Some(())
    }

    fn federation(mut self) -> FederationSeen {
        let pulse =
            Pulse { in_sync_since: Some(Wall(200_000)), heard_at: Some(Wall(1_099_000)), trouble: None };
        self.member.pulse = pulse.clone();
        self.karmada.pulse = pulse;
        for cluster in clusters() {
            self.by_cluster.entry(cluster).or_default().merge(&self.measured);
        }
        let moving: BTreeSet<WorkloadRef> = self.karmada.scheduled.keys().take(1).cloned().collect();
        FederationSeen {
            members: clusters().into_iter().map(|name| (name, self.member.clone())).collect(),
            silent: BTreeMap::new(),
            karmada: Some(self.karmada),
            measured: self.by_cluster,
            unmeasured: BTreeMap::new(),
            moving,
            moved_at: BTreeMap::new(),
        }
    }
}

/// One object a line of those by which people give orders, and of leases.
pub fn asked(text: &str) {
    let mut wishes = Vec::new();
    for value in text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
        if let Some(object) = read::<DynamicObject>(&value) {
            wishes.extend(freezes::fact(&object).map(Arc::new));
            let _ = definitions::fact(&object);
        }
        if let Some(lease) = read(&value) {
            let mut candidate = Candidate::new("us", LeaseTiming::default());
            let record = lease::record(&lease);
            let _ = (candidate.judge(Some(&record), Tick(0)), candidate.judge(Some(&record), Tick(60_000)));
        }
    }
    let now = freezes::Now { wall: MOMENT.now, origin: MOMENT.origin };
    let mut ledger = freezes::Ledger::default();
    ledger.told(&[]);
    let ordered: Vec<_> =
        std::iter::from_fn(|| ledger.next_order(&wishes, now)).take(wishes.len() + 1).collect();
    assert!(ordered.len() <= wishes.len(), "more was ordered than wished for: {ordered:?}");
    let _ = ledger.answers(&wishes, now);
}

/// One `Agent` or `Guardrail` object a line. What they say together is taken over by the desk at once, and nothing is left to say then.
/// Returns what is in force.
pub fn defined(reader: &definitions::Reader, text: &str) -> Supply {
    let mut facts = definitions::Facts::new();
    for value in text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
        let kind = if value["kind"] == "Guardrail" { Kind::Guardrail } else { Kind::Agent };
        let fact = read::<DynamicObject>(&value).and_then(|object| definitions::fact(&object));
        facts.entry(kind).or_default().extend(fact.map(Arc::new));
    }
    let mut ledger = definitions::Ledger::new(reader.clone());
    ledger.told(&Supply::default());
    ledger.take(&facts);
    let supply = ledger.next_supply().unwrap_or_default();
    ledger.told(&supply);
    assert_eq!(ledger.next_supply(), None, "what is in force is wanted again");
    let _ = ledger.answers();
    let written = serde_json::to_string(&supply).expect("plain data always serialises");
    assert_eq!(
        serde_json::from_str::<Supply>(&written).ok().as_ref(),
        Some(&supply),
        "it came back otherwise"
    );
    supply
}

/// A kubeconfig. No file that it names is read, and no command of it is run.
pub fn kubeconfig(text: &str) {
    let Ok(kubeconfig) = Kubeconfig::from_yaml(text) else { return };
    if let Ok(context) = connect::chosen_context(&kubeconfig, None, "cluster one") {
        let _ = connect::refuse_commands(&kubeconfig, &context, "cluster one", false);
    }
}

/// Objects as an action finds them while it is carried out: `source`, `target`, `template`, `policy`, `above`, `binding`, and lists of
/// `nodes` and `pods`. Every kind of action is tried, forward and back.
pub fn acted(bytes: &[u8]) {
    let Ok(found) = serde_json::from_slice::<Value>(bytes) else { return };
    for action in actions() {
        for through_karmada in [false, true] {
            act(&action, &found, through_karmada);
        }
    }
}

/// Looks twice, and is told in between that it takes too long: what comes then is the way back.
fn act(action: &Action, found: &Value, through_karmada: bool) {
    let manner = Manner {
        through_karmada,
        pools_by: vec!["pool".to_owned()],
        resizing: Resizing::NodeObjects,
        place_label: Some("cluster".to_owned()),
        ..Manner::default()
    };
    let task = Task::new(RecommendationId(1), ContentHash::of_bytes(b"plan"), action, manner);
    let sight = sight(found, through_karmada);
    let mut course = Course::begin(task, Timeouts::default(), Timestamp(0));
    for minutes in [0, 1, 600, 601] {
        let judged = course.judge(&sight, Timestamp(minutes * 60_000), MOMENT.now);
        if let Move::Give(order) = &judged {
            let _ = course.task.foretold(order.as_ref().clone());
        }
    }
}

fn actions() -> [Action; 5] {
    let [from, to, _] = <[ClusterName; 3]>::try_from(clusters()).expect("there are three");
    let workload: WorkloadRef = "shop/web".parse().expect(OURS);
    let pool = |name: &str| PoolName::new(name).expect(OURS);
    let spot = |name: &str| Spot::Pool(pool(name));
    [
        Action::Migrate { workload: workload.clone(), from: from.clone(), to, replicas: 3 },
        Action::Scale { workload: workload.clone(), cluster: from.clone(), from: 3, to: 5 },
        Action::Move { workload, cluster: from.clone(), from: spot("blue"), to: spot("green") },
        Action::ResizePool { cluster: from.clone(), pool: pool("blue"), from: 1, to: 2 },
        Action::ResizePool { cluster: from, pool: pool("blue"), from: 2, to: 1 },
    ]
}

fn sight(found: &Value, through_karmada: bool) -> Sight {
    let [source, target, other] = <[ClusterName; 3]>::try_from(clusters()).expect("there are three");
    let object = |name: &str| found.get(name).cloned().map(Object);
    let karmada = KarmadaSight {
        template: object("template"),
        policies: objects(found, "policies"),
        cluster_policy: object("above"),
        scheduled: object("binding").map(|binding| eye::scheduled(&binding)).unwrap_or_default(),
        autoscaler: None,
        ready_clusters: CLUSTERS.iter().map(|name| (*name).to_owned()).collect(),
    };
    let member = |name: &str| Ok(member_sight(found, object(name)));
    Sight {
        karmada: through_karmada.then_some(Ok(karmada)),
        members: [(source, member("source")), (target, member("target")), (other, Err("silent".to_owned()))]
            .into(),
    }
}

fn member_sight(found: &Value, holding: Option<Object>) -> MemberSight {
    let workload: WorkloadRef = "shop/web".parse().expect(OURS);
    let pods: Vec<Object> =
        objects(found, "pods").into_iter().filter(|pod| eye::belongs(pod, &workload)).collect();
    let node = |pod: &Object| Some(pod.field("/spec/nodeName")?.as_str()?.to_owned());
    let mut node_pods: BTreeMap<String, Vec<Object>> = BTreeMap::new();
    for pod in objects(found, "pods").into_iter().filter(eye::has_to_leave) {
        node_pods.entry(node(&pod).unwrap_or_default()).or_default().push(pod);
    }
    MemberSight {
        missing: holding.iter().flat_map(eye::needs).map(|(_, name)| name).take(1).collect(),
        holding,
        pods: pods.len() as u32,
        has_namespace: true,
        autoscaler: None,
        pod_nodes: pods.iter().filter_map(node).collect(),
        nodes: objects(found, "nodes"),
        node_pods,
    }
}

fn objects(found: &Value, name: &str) -> Vec<Object> {
    found[name].as_array().into_iter().flatten().cloned().map(Object).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::act::task::Next;
    use serde_json::json;

    #[test]
    fn what_is_tried_reaches_the_readers() {
        let meta = json!({ "name": "web", "namespace": "shop", "labels": { "pool": "blue" } });
        let many = json!({ "kind": "Deployment", "metadata": meta, "spec": { "replicas": i32::MAX, "selector": {}, "template": {} } });
        let node = json!({ "kind": "Node", "metadata": meta, "status": { "allocatable": { "cpu": "1e30", "memory": "9E" } } });
        let used = json!({ "kind": "NodeMetricsList", "items": [{ "metadata": meta, "timestamp": "9999-01-01T00:00:00Z",
            "usage": { "cpu": "9E", "memory": "9E" } }] });
        let answer = json!({ "data": { "result": [{ "metric": { "cluster": "one", "node": "web" }, "value": [1e300, "1e308"] }] } });
        observed(&[many, node, used, answer].map(|value| value.to_string()).join("\n"));
        asked(&json!({ "metadata": meta, "spec": { "scope": "everything", "reason": "r" } }).to_string());
        let refuses = definitions::Reader(Arc::new(|_, _, _| Err(vec!["no".to_owned()])));
        assert_eq!(
            defined(&refuses, &json!({ "kind": "Agent", "metadata": meta }).to_string()),
            Supply::default()
        );
        kubeconfig(
            "current-context: a\ncontexts: [{ name: a, context: { cluster: a, user: a } }]\nusers: [{ name: a, user: { exec: {} } }]\n",
        );
    }

    #[test]
    fn what_an_action_finds_leads_to_an_order() {
        let template = json!({ "metadata": { "name": "web", "uid": "u" }, "spec": { "replicas": 3 } });
        let made = json!({ "metadata": { "name": "web", "annotations": { "resourcetemplate.karmada.io/uid": "u" } },
            "spec": { "replicas": 3 } });
        let found = json!({ "template": template, "source": made });
        acted(found.to_string().as_bytes());
        let migration = &actions()[0];
        let manner = Manner { through_karmada: true, ..Manner::default() };
        let task = Task::new(RecommendationId(1), ContentHash::of_bytes(b"plan"), migration, manner);
        let verdict = task.next(&sight(&found, true), MOMENT.now);
        assert!(matches!(verdict.next, Next::Give(_)), "{verdict:?}");
    }
}
