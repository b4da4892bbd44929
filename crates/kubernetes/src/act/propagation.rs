//! A migration through Karmada: the target is added, seen ready in the target itself, and only then the source is taken away.
//!
//! Karmada removes from the old cluster at once when a placement changes, so the placement is changed twice: first to both
//! clusters with all replicas each, then to the target alone. The policy carries the step it is changed by, the phase and the
//! former placement as annotations, written together with the placement; so whoever looks knows where things stand.

use super::karmada_objects::{
    self as objects, Claim, FORMER, FORMER_CLUSTERS, FORMER_POLICY, MOVED_AT, PHASE, REMINDED, WORKLOAD,
};
use super::order::{Change, Kind, Order, Place, Target, difference};
use super::sight::{KarmadaSight, MemberSight, Object, Sight};
use super::task::{STEP, Task, Verdict};
use crate::clock::Wall;
use control::world::Applied;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;
use k8s_openapi::jiff::Timestamp;
use model::execution::Step;
use model::names::{ClusterName, WorkloadRef};
use serde_json::{Value, json};

/// One migration, whichever way it is done.
pub(crate) struct Migration<'a> {
    pub(crate) task: &'a Task,
    pub(crate) workload: &'a WorkloadRef,
    pub(crate) from: &'a ClusterName,
    pub(crate) to: &'a ClusterName,
    pub(crate) replicas: u32,
}

/// How far the policy has been changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Both clusters have all replicas.
    Both,
    /// The target alone.
    Target,
    /// As it was before, while the target empties.
    Back,
    /// The move has ended; the policy is free for another.
    Done,
    /// The move was taken back and has ended; the policy is free for another.
    Restored,
}

impl Phase {
    const ALL: [Self; 5] = [Self::Both, Self::Target, Self::Back, Self::Done, Self::Restored];

    const fn text(self) -> &'static str {
        match self {
            Self::Both => "both",
            Self::Target => "target",
            Self::Back => "back",
            Self::Done => "done",
            Self::Restored => "restored",
        }
    }

    fn of(policy: &Object) -> Option<Self> {
        let text = policy.annotation(PHASE)?;
        Self::ALL.into_iter().find(|phase| phase.text() == text)
    }
}

/// What a migration has to see before anything is decided.
struct View<'a> {
    karmada: &'a KarmadaSight,
    template: &'a Object,
    source: &'a MemberSight,
    target: &'a MemberSight,
    now: Wall,
}

const SENT: &[Step] = &[Step::OrderSent];
const TAKEN: &[Step] = &[Step::OrderSent, Step::OrderTaken];
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

impl Migration<'_> {
    pub(crate) fn next(&self, sight: &Sight, now: Wall) -> Verdict {
        let karmada = match &sight.karmada {
            Some(Ok(karmada)) => karmada,
            Some(Err(why)) => return Verdict::blind(format!("karmada: {why}")),
            None => return Verdict::failed("there is no Karmada to go through"),
        };
        let (source, target) = match (sight.member(self.from), sight.member(self.to)) {
            (Ok(source), Ok(target)) => (source, target),
            (Err(why), _) => return Verdict::blind(format!("{}: {why}", self.from)),
            (_, Err(why)) => return Verdict::blind(format!("{}: {why}", self.to)),
        };
        let Some(template) = &karmada.template else {
            return Verdict::failed(format!(
                "Karmada has no template of {}: it does not place it",
                self.workload
            ));
        };
        let view = View { karmada, template, source, target, now };
        self.decide(&view).and_tidy(self.tidied(&view))
    }

    fn decide(&self, view: &View<'_>) -> Verdict {
        let policies = &view.karmada.policies;
        let ours = policies.iter().find(|policy| policy.annotation(STEP) == Some(&self.task.step));
        match (ours, &self.task.taking_back) {
            (None, None) => self.begin(view),
            (Some(policy), None) => self.forward(policy, view),
            // Its policy was given back as the last order of the move.
            (None, Some(_)) if self.is_moved(view) => Verdict::done(GONE),
            // Nothing was begun, or the policy that was made for it is gone again.
            (None, Some(reason)) if view.source.holding.is_none() => {
                Verdict::failed(format!("{reason}; there is nothing of it in {}", self.from))
            }
            (None, Some(reason)) => Verdict::rolled_back(reason),
            (Some(policy), Some(reason)) => self.back(policy, reason, view),
        }
    }

    fn begin(&self, view: &View<'_>) -> Verdict {
        if let Some(made) = only_in_target(view) {
            // Karmada may still be bringing the newest state of the template.
            let is_so = self.is_enough(made, view.template);
            return if is_so { Verdict::done(GONE) } else { Verdict::wait(&[], self.count(made)) };
        }
        if let Some(reason) = self.refusal(view) {
            return Verdict::failed(reason);
        }
        let claimed = view.karmada.claimed();
        let is_own = matches!(Claim::of(view.template), Claim::Policy(_));
        let own_name = objects::own_name(self.workload);
        match claimed.filter(|policy| is_own && self.may_change(policy)) {
            Some(policy) => Verdict::give(SENT, self.widen(policy, view)),
            None => match view.karmada.policy(&own_name) {
                Some(left) if self.may_change(left) => Verdict::give(SENT, self.revive(left, view)),
                Some(_) => Verdict::failed(format!(
                    "the policy {own_name} chooses other things too or belongs to a repository; give it another name"
                )),
                None => Verdict::give(SENT, self.create(claimed, &own_name, &scheduled(view))),
            },
        }
    }

    fn may_change(&self, policy: &Object) -> bool {
        objects::is_exclusive(policy, self.workload) && objects::repository_mark(policy).is_none()
    }

    /// Adds the target to the placement of a policy, and notes what it was.
    fn widen(&self, policy: &Object, view: &View<'_>) -> Order {
        let former = objects::placement(policy);
        let both = objects::everywhere(&[self.from, self.to], &former);
        let mut order = self.change(policy, Phase::Both, &both, Some(&former), None);
        if let Change::Merge { patch, .. } = &mut order.change {
            patch["metadata"]["annotations"][FORMER_CLUSTERS] = scheduled(view).into();
        }
        order
    }

    /// A policy of ours that another one has outdone since: it has to count for more than that one.
    fn revive(&self, policy: &Object, view: &View<'_>) -> Order {
        let mut order = self.widen(policy, view);
        let above = view.karmada.claimed().map_or(0, objects::priority) + 1;
        if let Change::Merge { patch, .. } = &mut order.change {
            patch["spec"]["priority"] = above.max(objects::priority(policy)).into();
        }
        order
    }

    /// A move of the same workload that has neither ended nor been taken back; whose it is makes no difference.
    fn rival(&self, view: &View<'_>) -> Option<String> {
        let name = self.workload.to_string();
        let is_open = |policy: &&Object| match (policy.annotation(STEP), Phase::of(policy)) {
            (None, _) | (_, Some(Phase::Done | Phase::Restored)) => false,
            // The placement names one cluster, and Karmada has nothing of it elsewhere: all that is left is the mark.
            (_, Some(Phase::Target)) => {
                let named = objects::named_clusters(&objects::placement(policy));
                named != [self.from.to_string()] || !view.karmada.scheduled.keys().eq(named.iter())
            }
            (Some(_), _) => true,
        };
        let mut own =
            view.karmada.policies.iter().filter(|policy| policy.annotation(WORKLOAD) == Some(&name));
        let rival = own.find(is_open)?;
        Some(format!(
            "another move of it has not ended: the policy {} carries the step {}; if nobody carries it out any more, take the \
             annotation {STEP} away",
            rival.name(),
            rival.annotation(STEP).unwrap_or_default()
        ))
    }

    /// Why it cannot be done, before anything is changed.
    fn refusal(&self, view: &View<'_>) -> Option<String> {
        let Some(holding) = &view.source.holding else {
            return Some(format!("there is nothing of {} in {}", self.workload, self.from));
        };
        if holding.replicas() != self.replicas {
            let found = holding.replicas();
            return Some(format!(
                "it has {found} replicas in {}, not {} as was approved",
                self.from, self.replicas
            ));
        }
        if self.task.begun {
            return Some("somebody else took the policy over while it moved".to_owned());
        }
        if let Some(reason) = self.rival(view).or_else(|| self.foreign(holding, view)) {
            return Some(reason);
        }
        let mine = [self.from.as_str(), self.to.as_str()];
        let others = view
            .karmada
            .scheduled
            .iter()
            .filter(|(name, count)| **count > 0 && !mine.contains(&name.as_str()));
        let others: Vec<&str> = others.map(|(name, _)| name.as_str()).collect();
        if !others.is_empty() {
            return Some(format!(
                "it is divided over {} as well: Karmada can hold all replicas in two clusters while it moves, but not one \
                 share of several",
                others.join(", ")
            ));
        }
        if !view.karmada.ready_clusters.contains(self.to.as_str()) {
            return Some(format!("{} has not joined Karmada or is not ready there", self.to));
        }
        let claimed = view.karmada.claimed().map_or(0, objects::priority);
        (claimed >= i64::from(i32::MAX))
            .then(|| "no policy can have a higher priority than the one it has".to_owned())
    }

    /// Karmada touches nothing that it did not make: such a target would never be filled, such a source would never go.
    fn foreign(&self, holding: &Object, view: &View<'_>) -> Option<String> {
        let is_foreign = |object: &Object| !objects::is_made_after(object, view.template);
        if is_foreign(holding) {
            return Some(format!(
                "the one in {} was not made by Karmada, and Karmada would not remove it",
                self.from
            ));
        }
        let there = view.target.holding.as_ref().filter(|object| is_foreign(object));
        there.map(|_| {
            format!("{} has one of that name that Karmada did not make and would not change", self.to)
        })
    }

    fn create(&self, claimed: Option<&Object>, name: &str, clusters: &str) -> Order {
        let former = claimed.map(objects::placement).unwrap_or_default();
        let placement = objects::everywhere(&[self.from, self.to], &former);
        let priority = claimed.map_or(0, objects::priority) + 1;
        let mut annotations = self.annotations(Phase::Both);
        annotations[FORMER] = "".into();
        annotations[FORMER_CLUSTERS] = clusters.into();
        annotations[FORMER_POLICY] = claimed.map(Object::name).unwrap_or_default().into();
        let body = objects::own_policy(self.workload, claimed, priority, &placement, &annotations);
        Order { target: objects::policy_target(self.workload, name), change: Change::Create(body) }
    }

    fn annotations(&self, phase: Phase) -> Value {
        json!({ STEP: self.task.step, PHASE: phase.text(), WORKLOAD: self.workload.to_string() })
    }

    /// The placement, the phase and what else belongs to it, in one patch.
    fn change(
        &self,
        policy: &Object,
        phase: Phase,
        placement: &Value,
        former: Option<&Value>,
        moved_at: Option<Wall>,
    ) -> Order {
        let mut annotations = self.annotations(phase);
        if let Some(former) = former {
            annotations[FORMER] = former.to_string().into();
        }
        if let Some(at) = moved_at.and_then(|at| Timestamp::from_millisecond(at.0).ok()) {
            annotations[MOVED_AT] = serde_json::to_value(Time(at)).unwrap_or_default();
        }
        let patch = json!({
            "metadata": { "annotations": annotations },
            "spec": { "placement": difference(&objects::placement(policy), placement) },
        });
        let change = Change::Merge { version: policy.version().to_owned(), patch };
        Order { target: objects::policy_target(self.workload, policy.name()), change }
    }

    fn forward(&self, policy: &Object, view: &View<'_>) -> Verdict {
        let named = objects::named_clusters(&objects::placement(policy));
        let (phase, expected) = match Phase::of(policy) {
            Some(Phase::Both) => (Phase::Both, sorted(&[self.from, self.to])),
            Some(Phase::Target) => (Phase::Target, sorted(&[self.to])),
            Some(Phase::Done) => return Verdict::done(GONE),
            Some(Phase::Back | Phase::Restored) => return Verdict::rolled_back("it was taken back before"),
            None => return Verdict::failed("somebody removed how far the move had come from its policy"),
        };
        if named != expected {
            return Verdict::failed(format!(
                "somebody else changed the placement while it moved: it names {}, not {}",
                named.join(", "),
                expected.join(", ")
            ));
        }
        if phase == Phase::Target { self.leave(policy, view) } else { self.hold(policy, view) }
    }

    /// Both clusters are to have all replicas.
    fn hold(&self, policy: &Object, view: &View<'_>) -> Verdict {
        match Claim::of(view.template) {
            Claim::Policy(name) if name == policy.name() => {}
            Claim::Nobody => {
                return self.await_karmada(SENT, "Karmada has not taken up the policy yet".to_owned(), view);
            }
            _ => return Verdict::give(SENT, self.on_template(view.template, objects::release())),
        }
        if !view.karmada.scheduled.contains_key(self.to.as_str()) {
            let what = format!("Karmada has not scheduled it to {} yet", self.to);
            return self.await_karmada(SENT, what, view);
        }
        let Some(made) = &view.target.holding else {
            return self.await_karmada(TAKEN, format!("it is not in {} yet", self.to), view);
        };
        if !self.is_enough(made, view.template) {
            return self.await_ready(MAKING, made, self.count(made), view);
        }
        let placement = objects::everywhere(&[self.to], &objects::placement(policy));
        Verdict::give_settled(READY, self.change(policy, Phase::Target, &placement, None, Some(view.now)))
    }

    /// Karmada has to do something, and is reminded of it if it does not.
    fn await_karmada(&self, steps: &[Step], what: String, view: &View<'_>) -> Verdict {
        Verdict::wait(steps, what).or_remind(self.reminder(view))
    }

    /// One that is there has to become ready; Karmada has nothing left to do if it has brought the newest state of the template.
    fn await_ready(&self, steps: &[Step], made: &Object, what: String, view: &View<'_>) -> Verdict {
        if objects::is_up_to_date(made, view.template) {
            Verdict::wait(steps, what)
        } else {
            self.await_karmada(steps, format!("Karmada has not brought its newest state yet: {what}"), view)
        }
    }

    fn reminder(&self, view: &View<'_>) -> Order {
        self.on_template(view.template, objects::reminder(view.now))
    }

    /// The source was told to go.
    fn leave(&self, policy: &Object, view: &View<'_>) -> Verdict {
        if view.source.holding.is_some() || view.source.pods > 0 {
            let pods = view.source.pods;
            let what = format!("{pods} pods are still in {}", self.from);
            let is_safe =
                view.target.holding.as_ref().is_some_and(|made| self.is_enough(made, view.template));
            let verdict = if is_safe { Verdict::linger(LEAVING, what) } else { Verdict::wait(LEAVING, what) };
            let is_there = view.source.holding.is_some();
            return if is_there { verdict.or_remind(self.reminder(view)) } else { verdict };
        }
        match &view.target.holding {
            Some(made) if made.is_ready() => self.finish(policy, view),
            Some(made) => self.await_ready(GONE, made, self.count(made), view),
            None => self.await_karmada(GONE, format!("it is not in {} any more", self.to), view),
        }
    }

    /// Takes the mark of a reminder away, where there is one.
    fn tidied(&self, view: &View<'_>) -> Option<Order> {
        view.template.label(REMINDED).map(|_| self.on_template(view.template, objects::no_reminder()))
    }

    /// It is where it was to go. Where a label says to which cluster a template belongs, it is set, and the policies that choose by it
    /// take over again.
    fn finish(&self, policy: &Object, view: &View<'_>) -> Verdict {
        match &self.task.manner.place_label {
            Some(label) if view.template.label(label) != Some(self.to.as_str()) => {
                let patch = json!({ "metadata": { "labels": { label.clone(): self.to } } });
                let reason =
                    format!("it is in {}, but the label {label} of its template could not be set", self.to);
                Verdict::close(GONE, self.on_template(view.template, patch), Applied::Failed { reason })
            }
            Some(_) if is_borrowed(policy) => Verdict::close(GONE, self.give_back(policy), Applied::Done),
            _ => Verdict::close(GONE, self.close(policy, Phase::Done), Applied::Done),
        }
    }

    /// The target alone has it, and all of it.
    fn is_moved(&self, view: &View<'_>) -> bool {
        only_in_target(view).is_some_and(|made| self.is_enough(made, view.template))
    }

    /// Says that the move has ended, and leaves the placement as it is.
    fn close(&self, policy: &Object, phase: Phase) -> Order {
        self.change(policy, phase, &objects::placement(policy), None, None)
    }

    /// The target has what was approved and what the template asks for by now.
    fn is_enough(&self, made: &Object, template: &Object) -> bool {
        objects::is_up_to_date(made, template)
            && made.is_ready()
            && made.replicas() >= self.replicas.max(template.replicas())
    }

    fn count(&self, made: &Object) -> String {
        format!("{} of {} replicas are ready in {}", made.available_replicas(), made.replicas(), self.to)
    }

    fn on_template(&self, template: &Object, patch: Value) -> Order {
        let kind = Kind::of_workload(self.workload.kind()).unwrap_or(Kind::Deployment);
        let target = Target {
            place: Place::Karmada,
            kind,
            namespace: Some(self.workload.namespace().to_owned()),
            name: self.workload.name().to_owned(),
        };
        Order { target, change: Change::Merge { version: template.version().to_owned(), patch } }
    }

    /// Restores the former placement, the source first: taking back is make-before-break as well.
    fn back(&self, policy: &Object, reason: &str, view: &View<'_>) -> Verdict {
        let steps = &[Step::TakingBack];
        let phase = Phase::of(policy);
        match phase {
            Some(Phase::Back) => return self.close_back(policy, view),
            Some(Phase::Restored) => return Verdict::rolled_back(reason),
            // Too late to give up: it had ended before anybody knew.
            Some(Phase::Done) => return Verdict::done(GONE),
            Some(Phase::Target) if only_in_target(view).is_some_and(Object::is_ready) => {
                return self.finish(policy, view);
            }
            _ => {}
        }
        let source = view.source.holding.as_ref().filter(|holding| self.is_enough(holding, view.template));
        let claims = Claim::of(view.template) == Claim::Policy(policy.name().to_owned());
        // Until the policy claims the template it has changed nothing, and the source is as it was.
        if source.is_none() && claims {
            if phase == Some(Phase::Both) {
                let what = format!("it is not ready in {} again", self.from);
                return match &view.source.holding {
                    Some(made) => self.await_ready(steps, made, what, view),
                    None => self.await_karmada(steps, what, view),
                };
            }
            let both = objects::everywhere(&[self.from, self.to], &objects::placement(policy));
            return Verdict::give(steps, self.change(policy, Phase::Both, &both, None, None));
        }
        self.restore(policy, reason)
    }

    /// The former placement is ordered; what is left in the target goes.
    fn close_back(&self, policy: &Object, view: &View<'_>) -> Verdict {
        let steps = &[Step::TakingBack];
        match &view.target.holding {
            Some(_) if !self.was_in_target(policy) => {
                self.await_karmada(steps, format!("it is still in {}", self.to), view)
            }
            _ if is_borrowed(policy) => Verdict::give(steps, self.give_back(policy)),
            _ => Verdict::give(steps, self.close(policy, Phase::Restored)),
        }
    }

    fn was_in_target(&self, policy: &Object) -> bool {
        let former = policy.annotation(FORMER_CLUSTERS).unwrap_or_default();
        former.split(',').any(|name| name == self.to.as_str())
    }

    /// The placement as it was. A policy that was made for the move keeps the source alone, until the target is empty.
    fn restore(&self, policy: &Object, reason: &str) -> Verdict {
        let order = match policy.annotation(FORMER) {
            Some("") if is_borrowed(policy) && self.was_in_target(policy) => self.give_back(policy),
            Some("") => {
                let placement = objects::everywhere(&[self.from], &objects::placement(policy));
                self.change(policy, Phase::Back, &placement, None, None)
            }
            written => match written.and_then(|text| serde_json::from_str(text).ok()) {
                Some(former) => self.change(policy, Phase::Back, &former, None, None),
                None => {
                    return Verdict::failed(format!(
                        "{reason}; somebody removed the annotation {FORMER} from the policy {}, so the former placement is not \
                         known: set it by hand",
                        policy.name()
                    ));
                }
            },
        };
        Verdict::give(&[Step::TakingBack], order)
    }

    /// Deletes the policy that was made for the move: Karmada returns the template to the one that had it before.
    fn give_back(&self, policy: &Object) -> Order {
        let change = Change::Delete { uid: policy.uid().to_owned(), version: policy.version().to_owned() };
        Order { target: objects::policy_target(self.workload, policy.name()), change }
    }
}

/// What Karmada made in the target, if nothing is in the source: whoever brought that about, there is nothing to move.
fn only_in_target<'a>(view: &View<'a>) -> Option<&'a Object> {
    let is_left = view.source.holding.is_some() || view.source.pods > 0;
    view.target.holding.as_ref().filter(|made| !is_left && objects::is_made_after(made, view.template))
}

/// Whether the policy was made for this move and took the template from another.
fn is_borrowed(policy: &Object) -> bool {
    let has = |name: &str| policy.annotation(name).is_some_and(|text| !text.is_empty());
    has(FORMER_POLICY) && !has(FORMER)
}

/// The clusters that have some of it.
fn scheduled(view: &View<'_>) -> String {
    let names: Vec<&str> = view.karmada.scheduled.keys().map(String::as_str).collect();
    names.join(",")
}

fn sorted(clusters: &[&ClusterName]) -> Vec<String> {
    let mut names: Vec<String> = clusters.iter().map(ToString::to_string).collect();
    names.sort();
    names
}
