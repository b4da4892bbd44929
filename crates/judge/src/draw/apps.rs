//! Random apps: pods that are alike, with what they ask for and where they want to be.

use super::affinity::{node_affinity, pod_affinity, spread};
use super::nodes::{DISKS, IMAGES};
use super::{Flavour, NAMESPACES};
use crate::dice::Dice;
use serde_json::{Value, json};

/// What all pods of an app have in common.
pub(super) struct App {
    pub(super) name: String,
    pub(super) namespace: &'static str,
    pub(super) milli_cpu: u64,
    priority: i32,
    spec: Value,
    owner: Option<&'static str>,
    has_service: bool,
}

pub(super) fn draw(dice: &mut Dice, case: u64, flavour: Flavour, nodes: &[Value]) -> Vec<App> {
    let count = dice.between(5, 18);
    let names: Vec<String> = (0..count).map(|number| format!("c{case}app{number}")).collect();
    names.iter().map(|name| app(dice, name, flavour, &names, nodes)).collect()
}

/// Whose pod comes next. Where pods have priorities, most of the low ones come first: they are in the way later.
pub(super) fn next<'a>(dice: &mut Dice, apps: &'a [App], flavour: Flavour, early: bool) -> &'a App {
    let mut app = &apps[dice.index(apps.len())];
    for _ in 0..4 {
        if flavour != Flavour::Preempting || early == (app.priority <= 0) {
            break;
        }
        app = &apps[dice.index(apps.len())];
    }
    app
}

fn app(dice: &mut Dice, name: &str, flavour: Flavour, others: &[String], nodes: &[Value]) -> App {
    let (containers, init, milli_cpu) = containers(dice);
    let mut spec = json!({ "containers": containers, "terminationGracePeriodSeconds": 30 });
    if !init.is_empty() {
        spec["initContainers"] = json!(init);
    }
    // Room that others make helps only those without many wishes.
    let picky = flavour != Flavour::Preempting || dice.chance(35);
    if picky && dice.chance(12) {
        spec["nodeSelector"] = if dice.chance(70) {
            json!({ "disk": dice.one_of(&DISKS) })
        } else {
            json!({ "topology.kubernetes.io/zone": "zone1" })
        };
    }
    put(&mut spec, "tolerations", tolerations(dice));
    let affinity = affinity(dice, others, nodes);
    if picky && affinity.as_object().is_some_and(|parts| !parts.is_empty()) {
        spec["affinity"] = affinity;
    }
    if picky && dice.chance(28) {
        spec["topologySpreadConstraints"] = spread(dice, name);
    }
    let mut priority = 0;
    if flavour == Flavour::Preempting {
        priority = *dice.one_of(&[&-5, &0, &0, &10, &100, &1_000]);
        if dice.chance(8) {
            spec["preemptionPolicy"] = json!("Never");
        }
    }
    spec["priority"] = json!(priority);
    App {
        name: name.to_owned(),
        namespace: if dice.chance(85) { NAMESPACES[0] } else { NAMESPACES[1] },
        milli_cpu,
        priority,
        spec,
        owner: dice.chance(40).then_some("ReplicaSet"),
        has_service: dice.chance(20),
    }
}

fn put(spec: &mut Value, field: &str, list: Vec<Value>) {
    if !list.is_empty() {
        spec[field] = Value::Array(list);
    }
}

fn affinity(dice: &mut Dice, others: &[String], nodes: &[Value]) -> Value {
    let mut parts = json!({});
    if dice.chance(35) {
        parts["nodeAffinity"] = node_affinity(dice, nodes);
    }
    if dice.chance(20) {
        parts["podAffinity"] = pod_affinity(dice, others);
    }
    if dice.chance(25) {
        parts["podAntiAffinity"] = pod_affinity(dice, others);
    }
    parts
}

/// Containers, init containers, and the CPU of the former.
fn containers(dice: &mut Dice) -> (Vec<Value>, Vec<Value>, u64) {
    let count = if dice.chance(80) { 1 } else { dice.between(2, 3) };
    let mut cpu = 0;
    let mut regular = Vec::new();
    for number in 0..count {
        let (resources, milli) = requests(dice);
        cpu += milli;
        regular.push(container(dice, &format!("main{number}"), &resources));
    }
    if dice.chance(10) {
        regular[0]["ports"] = json!([host_port(dice)]);
    }
    let mut init = Vec::new();
    if dice.chance(8) {
        let (resources, _) = requests(dice);
        init.push(container(dice, "prepare", &resources));
    }
    if dice.chance(6) {
        let (resources, milli) = requests(dice);
        cpu += milli;
        let mut sidecar = container(dice, "beside", &resources);
        sidecar["restartPolicy"] = json!("Always");
        init.push(sidecar);
    }
    (regular, init, cpu)
}

fn container(dice: &mut Dice, name: &str, resources: &Value) -> Value {
    let image = if dice.chance(60) { IMAGES[dice.index(IMAGES.len())].0 } else { "example.org/nowhere:1" };
    json!({ "name": name, "image": image, "resources": resources })
}

fn host_port(dice: &mut Dice) -> Value {
    let mut port = json!({
        "containerPort": 80,
        "hostPort": dice.number(&[80, 443, 8_080]),
        "protocol": dice.one_of(&["TCP", "TCP", "UDP"]),
    });
    if dice.chance(25) {
        port["hostIP"] = json!(dice.one_of(&["127.0.0.1", "0.0.0.0"]));
    }
    port
}

/// Requests and limits of a container, and its CPU.
fn requests(dice: &mut Dice) -> (Value, u64) {
    let mut requests = json!({});
    let mut limits = json!({});
    let cpu = match dice.between(1, 10) {
        1 => 0,
        2..=5 => dice.between(1, 10) * 50,
        6..=8 => dice.between(200, 2_000),
        _ => dice.between(2, 6) * 1_000,
    };
    if cpu > 0 {
        requests["cpu"] = json!(format!("{cpu}m"));
    }
    if dice.chance(80) {
        requests["memory"] = json!(format!("{}Mi", dice.number(&[64, 100, 256, 700, 1_024, 3_000, 9_000])));
    }
    if dice.chance(7) {
        requests["ephemeral-storage"] = json!(format!("{}Gi", dice.between(1, 40)));
    }
    if dice.chance(5) {
        let count = dice.between(1, 2).to_string();
        requests["example.org/gpu"] = json!(count);
        limits["example.org/gpu"] = json!(count);
    }
    // A limit without a request is a request.
    if dice.chance(10) {
        limits["memory"] = json!("9000Mi");
    }
    (json!({ "requests": requests, "limits": limits }), cpu)
}

fn tolerations(dice: &mut Dice) -> Vec<Value> {
    let mut tolerations = vec![
        json!({ "key": "dedicated", "operator": "Equal", "value": "batch", "effect": "NoSchedule" }),
        json!({ "key": "dedicated", "operator": "Exists" }),
        json!({ "key": "spot", "operator": "Equal", "value": "true" }),
        json!({ "key": "old", "operator": "Exists", "effect": "PreferNoSchedule" }),
        json!({ "key": "leaving", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 60 }),
        json!({ "key": "node.kubernetes.io/unschedulable", "operator": "Exists", "effect": "NoSchedule" }),
    ];
    tolerations.retain(|_| dice.chance(8));
    if dice.chance(3) {
        tolerations.push(json!({ "operator": "Exists" }));
    }
    tolerations
}

impl App {
    /// One of its pods. A few differ from the others.
    pub(super) fn pod(&self, dice: &mut Dice, case: u64, number: usize) -> Value {
        let version = if dice.chance(80) { "one" } else { "two" };
        let mut metadata = json!({
            "name": format!("c{case}p{number:03}"),
            "namespace": self.namespace,
            "labels": { "app": self.name, "version": version },
        });
        if let Some(kind) = self.owner {
            metadata["ownerReferences"] = json!([{
                "apiVersion": "apps/v1", "kind": kind, "name": self.name, "uid": self.name, "controller": true,
            }]);
        }
        let mut spec = self.spec.clone();
        if dice.chance(6) {
            spec["nodeSelector"] = json!({ "disk": dice.one_of(&DISKS) });
        }
        json!({ "apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec })
    }

    /// The owner of its pods, as far as the scheduler looks at it; nobody acts on it.
    pub(super) fn replica_set(&self) -> Option<Value> {
        let labels = json!({ "app": self.name });
        self.owner.map(|kind| {
            json!({
                "apiVersion": "apps/v1",
                "kind": kind,
                "metadata": { "name": self.name, "namespace": self.namespace },
                "spec": {
                    "replicas": 0,
                    "selector": { "matchLabels": labels },
                    "template": {
                        "metadata": { "labels": labels },
                        "spec": { "containers": [{ "name": "main", "image": "example.org/nowhere:1" }] },
                    },
                },
            })
        })
    }

    pub(super) fn service(&self) -> Option<Value> {
        self.has_service.then(|| {
            json!({
                "apiVersion": "v1",
                "kind": "Service",
                "metadata": { "name": self.name, "namespace": self.namespace },
                "spec": { "selector": { "app": self.name }, "ports": [{ "port": 80 }] },
            })
        })
    }
}
