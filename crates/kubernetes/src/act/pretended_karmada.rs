//! Two members and the Karmada above them, made of a few maps, for the tests of migrations through it.

use super::karmada_objects::REMINDED;
use super::order::{Answer, Change, Order, Place};
use super::sight::{KarmadaSight, MemberSight, Object, Sight};
use super::task::Task;
use super::testing::{Pretended, cluster, merge};
use crate::trouble::Trouble;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

pub(super) const REPLICAS: u32 = 8;

/// It is as hasty as the real one: what a placement no longer names is deleted at once.
pub(super) struct Federation {
    pub(super) policies: BTreeMap<String, Value>,
    pub(super) template: Value,
    /// Ready replicas where there is a Deployment.
    pub(super) members: BTreeMap<&'static str, Option<u32>>,
    pub(super) scheduled: BTreeSet<String>,
    pub(super) version: u64,
    /// How many replicas become ready in the target in a tick.
    pub(super) haste: u32,
    pub(super) deletes: u32,
    /// Whether it rests after every change of a policy, as the real one does when it fails, until the template changes.
    pub(super) is_restful: bool,
    pub(super) is_resting: bool,
    pub(super) reminders: u32,
    /// The generation of the template that it has brought to the members.
    pub(super) brought: u64,
    /// What it says to an order instead of carrying it out.
    pub(super) trouble: fn(&Order) -> Option<Trouble>,
}

impl Federation {
    pub(super) fn new(policy: &str, selector: &Value) -> Self {
        let body = json!({ "metadata": { "name": policy, "uid": policy, "resourceVersion": "1" },
            "spec": { "resourceSelectors": [selector], "placement": { "clusterAffinity": { "clusterNames": ["one"] } } } });
        let template = json!({ "metadata": { "name": "web", "uid": "t", "generation": 1, "resourceVersion": "1",
            "annotations": { "propagationpolicy.karmada.io/name": policy } }, "spec": { "replicas": REPLICAS } });
        Self {
            policies: [(policy.to_owned(), body)].into(),
            template,
            members: [("one", Some(REPLICAS)), ("two", None)].into(),
            scheduled: ["one".to_owned()].into(),
            version: 1,
            haste: 3,
            deletes: 0,
            is_restful: false,
            is_resting: false,
            reminders: 0,
            brought: 1,
            trouble: |_| None,
        }
    }

    pub(super) fn shared() -> Self {
        Self::new("all", &json!({ "kind": "Deployment" }))
    }

    pub(super) fn exclusive() -> Self {
        Self::new("web", &json!({ "kind": "Deployment", "name": "web" }))
    }

    pub(super) fn ready(&self) -> u32 {
        self.members.values().flatten().sum()
    }

    pub(super) fn claimed(&self) -> Option<&str> {
        self.template["metadata"]["annotations"]["propagationpolicy.karmada.io/name"].as_str()
    }

    pub(super) fn touch_template(&mut self) {
        self.version += 1;
        self.template["metadata"]["resourceVersion"] = self.version.to_string().into();
    }
}

impl Pretended for Federation {
    /// One round of Karmada's controllers and the members'.
    fn tick(&mut self) {
        if self.is_resting {
            return;
        }
        if self.claimed().is_none_or(|name| !self.policies.contains_key(name)) {
            let priority = |policy: &Value| policy["spec"]["priority"].as_i64().unwrap_or(0);
            let best =
                self.policies.iter().max_by_key(|(_, policy)| priority(policy)).map(|(name, _)| name.clone());
            self.template["metadata"]["annotations"]["propagationpolicy.karmada.io/name"] = best.into();
            self.touch_template();
            return;
        }
        let policy = self.claimed().and_then(|name| self.policies.get(name));
        let names = policy.map(|policy| super::karmada_objects::named_clusters(&policy["spec"]["placement"]));
        let named: BTreeSet<String> = names.unwrap_or_default().into_iter().collect();
        if named != self.scheduled {
            self.scheduled = named;
            return;
        }
        self.brought = self.template["metadata"]["generation"].as_u64().unwrap_or(0);
        for (name, ready) in &mut self.members {
            *ready = match *ready {
                _ if !self.scheduled.contains(*name) => None,
                None => Some(0),
                Some(ready) => Some((ready + self.haste).min(REPLICAS)),
            };
        }
    }

    fn disturb(&mut self) {
        self.touch_template();
    }

    fn sight(&self, _: &Task) -> Sight {
        let karmada = KarmadaSight {
            template: Some(Object(self.template.clone())),
            policies: self.policies.values().cloned().map(Object).collect(),
            cluster_policy: None,
            autoscaler: None,
            scheduled: self.scheduled.iter().map(|name| (name.clone(), REPLICAS)).collect(),
            ready_clusters: ["one".to_owned(), "two".to_owned()].into(),
        };
        let member = |ready: Option<u32>| {
            MemberSight {
            holding: ready.map(|ready| {
                Object(json!({ "metadata": { "generation": 1, "annotations": { "resourcetemplate.karmada.io/uid": "t",
                        "resourcetemplate.karmada.io/generation": self.brought.to_string() } }, "spec": { "replicas": REPLICAS },
                    "status": { "observedGeneration": 1, "updatedReplicas": REPLICAS, "availableReplicas": ready } }))
            }),
            pods: ready.map_or(0, |_| REPLICAS),
            has_namespace: true,
            ..MemberSight::default()
        }
        };
        let members = self.members.iter().map(|(name, ready)| (cluster(name), Ok(member(*ready)))).collect();
        Sight { karmada: Some(Ok(karmada)), members }
    }

    fn give(&mut self, order: &Order) -> Answer {
        assert_eq!(order.target.place, Place::Karmada, "a move through Karmada writes nowhere else");
        if let Some(trouble) = (self.trouble)(order) {
            return Err(trouble);
        }
        self.version += 1;
        let version = self.version.to_string();
        let name = order.target.name.clone();
        let is_for_template = name == "web" && order.target.kind.name() == "Deployment";
        let object = if is_for_template { Some(&mut self.template) } else { self.policies.get_mut(&name) };
        match (&order.change, object) {
            (Change::Create(_), Some(_)) => Err(Trouble::Conflict("already exists".to_owned())),
            (Change::Create(body), None) => {
                let mut body = body.clone();
                body["metadata"]["resourceVersion"] = version.clone().into();
                body["metadata"]["uid"] = version.into();
                self.policies.insert(name, body);
                Ok(())
            }
            (_, None) => Err(Trouble::Absent("no such object".to_owned())),
            (Change::Merge { version: known, .. } | Change::Delete { version: known, .. }, Some(object))
                if object["metadata"]["resourceVersion"] != known.as_str() =>
            {
                Err(Trouble::Conflict("the object has been modified".to_owned()))
            }
            (Change::Merge { patch, .. }, Some(object)) => {
                merge(object, patch);
                object["metadata"]["resourceVersion"] = version.into();
                let is_reminder =
                    patch.pointer("/metadata/labels").is_some_and(|labels| labels[REMINDED].is_string());
                self.reminders += u32::from(is_reminder);
                self.is_resting = self.is_restful && !is_for_template;
                Ok(())
            }
            (Change::Delete { .. }, Some(_)) => {
                self.policies.remove(&name);
                self.deletes += 1;
                Ok(())
            }
            (other, _) => panic!("{other:?} is not given through Karmada"),
        }
    }
}
