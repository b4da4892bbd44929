//! Karmada's policies as far as they are read and written here: claims, selectors, placements.

use super::order::{Kind, Place, Target};
use super::sight::{KarmadaSight, Object};
use crate::clock::Wall;
use crate::observe::facts::REPOSITORY_MARKS;
use model::names::{ClusterName, WorkloadRef};
use serde_json::{Value, json};

/// Which workload a policy was made or changed for.
pub(crate) const WORKLOAD: &str = "drover.io/workload";
/// When the workload was last moved.
pub(crate) const MOVED_AT: &str = "drover.io/moved-at";
/// Where the move that the step names has come to.
pub(crate) const PHASE: &str = "drover.io/phase";
/// The placement before the move; nothing where the policy was made for it.
pub(crate) const FORMER: &str = "drover.io/former-placement";

/// When Karmada was last reminded of a template. A label, because annotations make a Deployment a generation older.
pub(crate) const REMINDED: &str = "drover.io/reminded";

/// The policy that had the template before one was made for it.
pub(crate) const FORMER_POLICY: &str = "drover.io/former-policy";

/// The clusters that had it before the move, separated by commas.
pub(crate) const FORMER_CLUSTERS: &str = "drover.io/former-clusters";

const CLAIMED_BY: &str = "propagationpolicy.karmada.io/name";
const CLAIMED_IN: &str = "propagationpolicy.karmada.io/namespace";
const CLAIM_ID: &str = "propagationpolicy.karmada.io/permanent-id";
const CLAIMED_BY_ALL: &str = "clusterpropagationpolicy.karmada.io/name";
const CLAIM_ID_ALL: &str = "clusterpropagationpolicy.karmada.io/permanent-id";

/// By these annotations a member's object says which template it was made after, and after which state of it.
const TEMPLATE_UID: &str = "resourcetemplate.karmada.io/uid";
const TEMPLATE_GENERATION: &str = "resourcetemplate.karmada.io/generation";

/// Karmada's longest name of a policy: it becomes the value of a label.
const LONGEST_POLICY_NAME: usize = 63;

/// Who decides where a template goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Claim {
    Nobody,
    Policy(String),
    ClusterPolicy(String),
}

impl Claim {
    pub(crate) fn of(template: &Object) -> Self {
        match (template.annotation(CLAIMED_BY), template.annotation(CLAIMED_BY_ALL)) {
            (Some(name), _) => Self::Policy(name.to_owned()),
            (None, Some(name)) => Self::ClusterPolicy(name.to_owned()),
            (None, None) => Self::Nobody,
        }
    }
}

/// The patch that takes a template out of a policy's hands. Karmada then looks for the policy with the highest priority again, and
/// leaves everything where it is until it has found one. Preemption does the same, but is switched off by default.
pub(crate) fn release() -> Value {
    json!({ "metadata": {
        "labels": { CLAIM_ID: null, CLAIM_ID_ALL: null },
        "annotations": { CLAIMED_BY: null, CLAIMED_IN: null, CLAIMED_BY_ALL: null },
    } })
}

/// The patch that makes Karmada look at a template again at once. After every failure it rests twice as long, up to a quarter of an
/// hour, and it fails often while its API server comes back; only a change of the template itself ends the rest.
pub(crate) fn reminder(now: Wall) -> Value {
    json!({ "metadata": { "labels": { REMINDED: now.0.to_string() } } })
}

/// The patch that takes the mark of a reminder away.
pub(crate) fn no_reminder() -> Value {
    json!({ "metadata": { "labels": { REMINDED: null } } })
}

/// Whether Karmada made a member's object after this template. One that somebody else made stays as it is under Karmada, and says
/// nothing about the move.
pub(crate) fn is_made_after(object: &Object, template: &Object) -> bool {
    object.annotation(TEMPLATE_UID) == Some(template.uid())
}

/// Whether it was made after the template as it is now; older versions of Karmada do not say.
pub(crate) fn is_up_to_date(object: &Object, template: &Object) -> bool {
    let made_after = object.annotation(TEMPLATE_GENERATION).and_then(|text| text.parse::<u64>().ok());
    is_made_after(object, template) && made_after.is_none_or(|generation| generation >= template.generation())
}

/// The name of the policy that is made for one workload, cut and told apart by a hash if it would be too long.
pub(crate) fn own_name(workload: &WorkloadRef) -> String {
    let name = format!("drover-{}-{}", workload.kind().as_str(), workload.name());
    if name.len() <= LONGEST_POLICY_NAME {
        return name;
    }
    let hash: String =
        model::hash::ContentHash::of(&workload.to_string()).to_string().chars().take(10).collect();
    format!("{}-{hash}", name[..LONGEST_POLICY_NAME - 11].trim_end_matches(['-', '.']))
}

pub(crate) fn policy_target(workload: &WorkloadRef, name: &str) -> Target {
    Target {
        place: Place::Karmada,
        kind: Kind::PropagationPolicy,
        namespace: Some(workload.namespace().to_owned()),
        name: name.to_owned(),
    }
}

/// Whether a policy chooses this one workload by name, and nothing else.
pub(crate) fn is_exclusive(policy: &Object, workload: &WorkloadRef) -> bool {
    let Some([selector]) =
        policy.field("/spec/resourceSelectors").and_then(Value::as_array).map(Vec::as_slice)
    else {
        return false;
    };
    let text = |key: &str| selector.get(key).and_then(Value::as_str).unwrap_or_default();
    let kind = Kind::of_workload(workload.kind()).map(Kind::name).unwrap_or_default();
    text("kind") == kind && text("name") == workload.name()
}

/// Whether a tool that follows a repository would undo changes to it.
pub(crate) fn repository_mark(object: &Object) -> Option<&str> {
    object.marks().find(|mark| REPOSITORY_MARKS.contains(mark))
}

pub(crate) fn priority(policy: &Object) -> i64 {
    policy.field("/spec/priority").and_then(Value::as_i64).unwrap_or(0)
}

pub(crate) fn placement(policy: &Object) -> Value {
    policy.field("/spec/placement").cloned().unwrap_or_else(|| json!({}))
}

/// The clusters a placement names, in order of name.
pub(crate) fn named_clusters(placement: &Value) -> Vec<String> {
    let names = placement.pointer("/clusterAffinity/clusterNames").and_then(Value::as_array);
    let mut names: Vec<String> =
        names.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect();
    names.sort();
    names
}

/// Every one of these clusters holds all replicas; what else the former placement tolerates stays.
pub(crate) fn everywhere(clusters: &[&ClusterName], former: &Value) -> Value {
    let mut placement = json!({
        "clusterAffinity": { "clusterNames": clusters },
        "replicaScheduling": { "replicaSchedulingType": "Duplicated" },
    });
    if let Some(tolerations) = former.get("clusterTolerations") {
        placement["clusterTolerations"] = tolerations.clone();
    }
    placement
}

/// The body of a policy for one workload alone. What the policy that claims it says about other things than where stays true.
pub(crate) fn own_policy(
    workload: &WorkloadRef,
    claimed: Option<&Object>,
    priority: i64,
    placement: &Value,
    annotations: &Value,
) -> Value {
    let mut spec = claimed.and_then(|policy| policy.field("/spec")).cloned().unwrap_or_else(|| json!({}));
    let kind = Kind::of_workload(workload.kind());
    spec["resourceSelectors"] = json!([{
        "apiVersion": kind.map(Kind::api_version),
        "kind": kind.map(Kind::name),
        "namespace": workload.namespace(),
        "name": workload.name(),
    }]);
    spec["placement"] = placement.clone();
    spec["priority"] = priority.into();
    spec["preemption"] = "Always".into();
    // What its pods mount has to come along, whatever brought it to the source.
    spec["propagateDeps"] = true.into();
    json!({
        "apiVersion": Kind::PropagationPolicy.api_version(),
        "kind": Kind::PropagationPolicy.name(),
        "metadata": { "name": own_name(workload), "namespace": workload.namespace(), "annotations": annotations },
        "spec": spec,
    })
}

impl KarmadaSight {
    pub(crate) fn policy(&self, name: &str) -> Option<&Object> {
        self.policies.iter().find(|policy| policy.name() == name)
    }

    /// The policy that decides about the template now.
    pub(crate) fn claimed(&self) -> Option<&Object> {
        match Claim::of(self.template.as_ref()?) {
            Claim::Policy(name) => self.policy(&name),
            Claim::ClusterPolicy(_) => self.cluster_policy.as_ref(),
            Claim::Nobody => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_name_is_cut_and_still_tells_workloads_apart() {
        let name = |name: &str| own_name(&format!("shop/{name}").parse().unwrap());
        assert_eq!(name("web"), "drover-deployment-web");
        let (one, two) = (name(&format!("{}a", "x".repeat(80))), name(&format!("{}b", "x".repeat(80))));
        assert!(one.len() <= 63 && one != two, "{one} {two}");
    }

    #[test]
    fn only_a_policy_for_this_workload_alone_is_changed() {
        let workload: WorkloadRef = "shop/web".parse().unwrap();
        let check = |selectors: Value, want: bool| {
            let policy = Object(json!({ "spec": { "resourceSelectors": selectors } }));
            assert_eq!(is_exclusive(&policy, &workload), want);
        };
        check(json!([{ "apiVersion": "apps/v1", "kind": "Deployment", "name": "web" }]), true);
        check(json!([{ "apiVersion": "apps/v1", "kind": "StatefulSet", "name": "web" }]), false);
        check(json!([{ "apiVersion": "apps/v1", "kind": "Deployment" }]), false);
        check(json!([{ "kind": "Deployment", "name": "web" }, { "kind": "Service", "name": "web" }]), false);
        check(json!([]), false);
    }
}
