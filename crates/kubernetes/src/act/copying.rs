//! A migration without Karmada: the definition is copied to the target, seen ready there, and only then the source goes.
//!
//! A Deployment with several replicas goes in parts: some more in the target, and when they serve, as many fewer in the source. So at no
//! moment fewer serve than before, and at few moments many more. What is seen says how far it is: the target never has fewer than
//! the source has given up. A StatefulSet goes at once, because its replicas have names that would be there twice or not at all.

use super::order::{Change, Kind, Order, Place, Target};
use super::propagation::Migration;
use super::sight::{MemberSight, Object, Sight};
use super::task::{STEP, Verdict};
use crate::settings::Leaving;
use model::execution::Step;
use model::names::ClusterName;
use serde_json::{Value, json};

/// How many replicas the source had.
const FORMER_REPLICAS: &str = "drover.io/former-replicas";

/// How many replicas we left the source: another number was set by somebody else.
const LEFT_REPLICAS: &str = "drover.io/left-replicas";

/// What the source asked for when it was copied.
const SOURCE: &str = "drover.io/source";

/// The step that decided to leave the source as it is.
const KEPT: &str = "drover.io/kept";

/// What a server or a controller of the source writes into an object, and means nothing elsewhere.
const LOCAL_METADATA: [&str; 9] = [
    "uid",
    "resourceVersion",
    "generation",
    "creationTimestamp",
    "deletionTimestamp",
    "managedFields",
    "ownerReferences",
    "selfLink",
    "finalizers",
];
const LOCAL_ANNOTATIONS: [&str; 7] = [
    "kubectl.kubernetes.io/last-applied-configuration",
    "deployment.kubernetes.io/revision",
    FORMER_REPLICAS,
    LEFT_REPLICAS,
    KEPT,
    SOURCE,
    STEP,
];

const SENT: &[Step] = &[Step::OrderSent];
const MAKING: &[Step] = &[Step::OrderSent, Step::OrderTaken, Step::TargetMaking];
const READY: &[Step] = &[Step::OrderSent, Step::OrderTaken, Step::TargetMaking, Step::TargetReady];
const LEAVING: &[Step] =
    &[Step::OrderSent, Step::OrderTaken, Step::TargetMaking, Step::TargetReady, Step::SourceLeaving];
const GONE: &[Step] = &[
    Step::OrderSent,
    Step::OrderTaken,
    Step::TargetMaking,
    Step::TargetReady,
    Step::SourceLeaving,
    Step::SourceGone,
];

pub(crate) fn next(migration: &Migration<'_>, sight: &Sight) -> Verdict {
    let (source, target) = match (sight.member(migration.from), sight.member(migration.to)) {
        (Ok(source), Ok(target)) => (source, target),
        (Err(why), _) => return Verdict::blind(format!("{}: {why}", migration.from)),
        (_, Err(why)) => return Verdict::blind(format!("{}: {why}", migration.to)),
    };
    let Some(kind) = Kind::of_workload(migration.workload.kind()) else {
        return Verdict::failed(format!("a {} cannot be moved", migration.workload.kind().as_str()));
    };
    let copying = Copying { migration, kind, source, target };
    let copy = target.holding.as_ref().filter(|made| copying.is_ours(made));
    match (copy, &migration.task.taking_back) {
        (None, None) => copying.begin(),
        (Some(copy), None) => copying.forward(copy),
        (copy, Some(reason)) => copying.back(copy, reason),
    }
}

struct Copying<'a> {
    migration: &'a Migration<'a>,
    kind: Kind,
    source: &'a MemberSight,
    target: &'a MemberSight,
}

impl Copying<'_> {
    fn is_ours(&self, object: &Object) -> bool {
        object.annotation(STEP) == Some(&self.migration.task.step)
    }

    fn begin(&self) -> Verdict {
        let Some(holding) = &self.source.holding else {
            return Verdict::failed(format!(
                "there is nothing of {} in {}",
                self.migration.workload, self.migration.from
            ));
        };
        if self.migration.task.begun {
            return Verdict::go_back(format!("somebody else removed it from {}", self.migration.to));
        }
        if let Some(reason) = self.refusal(holding) {
            return Verdict::failed(reason);
        }
        if !self.target.has_namespace {
            return Verdict::give(SENT, self.make_namespace());
        }
        let first = self.portion().min(self.migration.replicas);
        let mut body = manifest(holding, first, &self.migration.task.step);
        body["metadata"]["annotations"][SOURCE] = holding.wish().into();
        let change = match &self.target.holding {
            // What an earlier move left there without replicas, and as it was read.
            Some(left_over) => Change::Apply { version: left_over.version().to_owned(), body },
            None => Change::Create(body),
        };
        Verdict::give(SENT, self.order(self.migration.to, change))
    }

    fn refusal(&self, holding: &Object) -> Option<String> {
        let Migration { from, to, replicas, .. } = self.migration;
        if holding.replicas() != *replicas {
            return Some(format!(
                "it has {} replicas in {from}, not {replicas} as was approved",
                holding.replicas()
            ));
        }
        if let Some(mark) = self.migration.task.manner.repository([holding]) {
            return Some(format!(
                "{mark} says that a repository owns it in {from} and would bring it back; move it there"
            ));
        }
        if let Some(autoscaler) = &self.source.autoscaler {
            return Some(format!(
                "the HorizontalPodAutoscaler {autoscaler} of {from} would stay behind; move it with Karmada"
            ));
        }
        if !self.target.missing.is_empty() {
            return Some(format!("{to} has no {}, which its pods need", self.target.missing.join(", ")));
        }
        let left_over = |there: &Object| there.annotation(STEP).is_some() && there.replicas() == 0;
        let occupied = self.target.holding.as_ref().filter(|there| !left_over(there));
        occupied.map(|there| format!("{to} has one of that name already, with {} replicas", there.replicas()))
    }

    /// How many replicas go at a time.
    fn portion(&self) -> u32 {
        let parts = if self.kind == Kind::Deployment { self.migration.task.manner.parts } else { 1 };
        self.migration.replicas.div_ceil(parts.max(1)).max(1)
    }

    fn forward(&self, copy: &Object) -> Verdict {
        if !copy.is_ready() {
            let (ready, wanted) = (copy.available_replicas(), copy.replicas());
            return Verdict::wait(
                MAKING,
                format!("{ready} of {wanted} replicas are ready in {}", self.migration.to),
            );
        }
        if copy.replicas() < self.migration.replicas {
            return self.shift(copy);
        }
        match &self.source.holding {
            Some(holding) if holding.is_ending() => Verdict::linger(LEAVING, "the source is ending"),
            Some(holding) if self.is_ours(holding) && !is_as_left(holding) => Verdict::failed(format!(
                "somebody else gave it {} replicas in {} again",
                holding.replicas(),
                self.migration.from
            )),
            Some(holding)
                if (!self.is_ours(holding) || holding.replicas() > 0) && self.is_changed(holding, copy) =>
            {
                Verdict::go_back(format!("it was changed in {} while it was copied", self.migration.from))
            }
            Some(holding) if self.migration.task.manner.leaving == Leaving::Delete => {
                Verdict::give_settled(READY, self.delete(self.migration.from, holding))
            }
            Some(holding) if holding.replicas() > 0 => Verdict::give_settled(READY, self.leave(holding, 0)),
            _ if self.source.pods > 0 => {
                let pods = self.source.pods;
                Verdict::linger(LEAVING, format!("{pods} pods are still in {}", self.migration.from))
            }
            _ => Verdict::done(GONE),
        }
    }

    /// What serves in the target is taken from the source; then the next part is made.
    fn shift(&self, copy: &Object) -> Verdict {
        let Migration { from, to, replicas, .. } = self.migration;
        let Some(holding) = self.source.holding.as_ref().filter(|holding| !holding.is_ending()) else {
            return Verdict::go_back(format!("somebody else removed it from {from} while it was moved"));
        };
        if self.is_changed(holding, copy) || (self.is_ours(holding) && !is_as_left(holding)) {
            return Verdict::go_back(format!("it was changed in {from} while it was copied"));
        }
        let rest = replicas.saturating_sub(copy.replicas());
        match holding.replicas() {
            left if left < rest => Verdict::go_back(format!("somebody else removed replicas in {to}")),
            left if left > rest => Verdict::give_settled(MAKING, self.leave(holding, rest)),
            _ => {
                let more = copy.replicas().saturating_add(self.portion()).min(*replicas);
                let patch = json!({ "spec": { "replicas": more } });
                let change = Change::Merge { version: copy.version().to_owned(), patch };
                Verdict::give(MAKING, self.order(to, change))
            }
        }
    }

    /// Whether it asks for something else than what was copied.
    fn is_changed(&self, holding: &Object, copy: &Object) -> bool {
        let is_another_number = !self.is_ours(holding) && holding.replicas() != self.migration.replicas;
        is_another_number || copy.annotation(SOURCE) != Some(&holding.wish())
    }

    /// The source first: taking back is make-before-break as well.
    fn back(&self, copy: Option<&Object>, reason: &str) -> Verdict {
        let steps = &[Step::TakingBack];
        let Some(copy) = copy else { return self.without_copy(reason) };
        match &self.source.holding {
            Some(holding) if holding.is_ending() => Verdict::wait(steps, "the source is still ending"),
            // An order to empty it may still be on its way; after this none that was given before fits any more.
            Some(holding)
                if !self.is_ours(holding) && holding.annotation(KEPT) != Some(&self.migration.task.step) =>
            {
                Verdict::give(steps, self.keep(holding))
            }
            // Untouched by us, whatever its owner made of it meanwhile.
            Some(holding) if !self.is_ours(holding) && holding.is_ready() => {
                Verdict::give(steps, self.delete(self.migration.to, copy))
            }
            Some(holding) if holding.replicas() < self.migration.replicas && self.is_ours(holding) => {
                Verdict::give(steps, self.fill(holding))
            }
            Some(holding) if holding.is_ready() && holding.replicas() >= self.migration.replicas => {
                Verdict::give(steps, self.delete(self.migration.to, copy))
            }
            Some(_) => Verdict::wait(steps, format!("it is not ready in {} again", self.migration.from)),
            None => {
                let body = manifest(copy, self.migration.replicas, &self.migration.task.step);
                Verdict::give(steps, self.order(self.migration.from, Change::Create(body)))
            }
        }
    }

    /// Nothing was copied yet, or it was removed: all that is left is the source.
    fn without_copy(&self, reason: &str) -> Verdict {
        let steps = &[Step::TakingBack];
        let from = self.migration.from;
        match &self.source.holding {
            Some(holding) if self.is_ours(holding) && holding.annotation(FORMER_REPLICAS).is_some() => {
                Verdict::give(steps, self.fill(holding))
            }
            Some(holding) if self.is_ours(holding) && !holding.is_ready() => {
                Verdict::wait(steps, format!("it is not ready in {from} again"))
            }
            None if self.migration.task.begun => {
                Verdict::failed(format!("{reason}; and there is nothing of it in {from}"))
            }
            _ => Verdict::rolled_back(reason),
        }
    }

    fn order(&self, cluster: &ClusterName, change: Change) -> Order {
        let workload = self.migration.workload;
        let target = Target {
            place: Place::Member(cluster.clone()),
            kind: self.kind,
            namespace: Some(workload.namespace().to_owned()),
            name: workload.name().to_owned(),
        };
        Order { target, change }
    }

    fn make_namespace(&self) -> Order {
        let name = self.migration.workload.namespace();
        let body = json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": name } });
        let target = Target {
            place: Place::Member(self.migration.to.clone()),
            kind: Kind::Namespace,
            namespace: None,
            name: name.to_owned(),
        };
        Order { target, change: Change::Create(body) }
    }

    fn delete(&self, cluster: &ClusterName, object: &Object) -> Order {
        let change = Change::Delete { uid: object.uid().to_owned(), version: object.version().to_owned() };
        self.order(cluster, change)
    }

    /// Fewer replicas, and a note of how many there are and were.
    fn leave(&self, holding: &Object, replicas: u32) -> Order {
        let annotations = json!({
            STEP: self.migration.task.step,
            FORMER_REPLICAS: self.migration.replicas.to_string(),
            LEFT_REPLICAS: replicas.to_string(),
        });
        self.set_replicas(holding, replicas, &annotations)
    }

    /// Changes nothing but the version.
    fn keep(&self, holding: &Object) -> Order {
        let patch = json!({ "metadata": { "annotations": { KEPT: self.migration.task.step } } });
        self.order(self.migration.from, Change::Merge { version: holding.version().to_owned(), patch })
    }

    fn fill(&self, holding: &Object) -> Order {
        let annotations = json!({ FORMER_REPLICAS: null, LEFT_REPLICAS: null });
        self.set_replicas(holding, self.migration.replicas, &annotations)
    }

    fn set_replicas(&self, holding: &Object, replicas: u32, annotations: &Value) -> Order {
        let patch = json!({ "metadata": { "annotations": annotations }, "spec": { "replicas": replicas } });
        self.order(self.migration.from, Change::Merge { version: holding.version().to_owned(), patch })
    }
}

/// Whether nobody has set another number than we did.
fn is_as_left(holding: &Object) -> bool {
    holding.annotation(LEFT_REPLICAS) == Some(&holding.replicas().to_string())
}

/// The definition without what belongs to the cluster it was read in.
fn manifest(object: &Object, replicas: u32, step: &str) -> Value {
    let mut body = object.0.clone();
    if let Some(whole) = body.as_object_mut() {
        whole.remove("status");
    }
    if let Some(metadata) = body.get_mut("metadata").and_then(Value::as_object_mut) {
        metadata.retain(|key, _| !LOCAL_METADATA.contains(&key.as_str()));
        if let Some(annotations) = metadata.get_mut("annotations").and_then(Value::as_object_mut) {
            annotations.retain(|key, _| !LOCAL_ANNOTATIONS.contains(&key.as_str()));
        }
    }
    if let Some(pod) = body.pointer_mut("/spec/template/spec").and_then(Value::as_object_mut) {
        pod.remove("nodeName");
    }
    body["metadata"]["annotations"][STEP] = step.into();
    body["spec"]["replicas"] = replicas.into();
    body
}
