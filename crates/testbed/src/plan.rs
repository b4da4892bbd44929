//! What a bed is to consist of.

use crate::error::Error;
use model::quantity::{Bytes, MilliCpu};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::time::Duration;

/// Ten members take about six gigabytes and start one after the other on few cores; more is a cluster's work.
const MOST_MEMBERS: u8 = 10;
/// More nodes than this take KWOK and one scheduler minutes.
const MOST_NODES: u16 = 1_000;
/// Kubernetes' own usual limit.
pub(crate) const PODS_PER_NODE: u16 = 110;
/// Nobody watches a pod for longer.
const LONGEST_DELAY: Duration = Duration::from_hours(1);

/// Who works in a member.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Staff {
    /// Controllers, and KWOK for the nodes.
    #[default]
    Whole,
    /// Nobody but kube-scheduler: nodes and pods are what is written and nothing else, and no admission adds to them.
    SchedulerAlone,
    /// Nobody but some controllers: pods are never placed, and are as ready as somebody writes.
    ControllersAlone,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    pub members: u8,
    #[serde(default)]
    pub staff: Staff,
    /// Fields of a `KubeSchedulerConfiguration`, for all members; nothing leaves everything as it usually is.
    #[serde(default)]
    pub scheduler: Option<Value>,
    /// Flags of kube-controller-manager where it works alone.
    #[serde(default)]
    pub controller_flags: Vec<String>,
    /// Nodes in each member.
    pub nodes: u16,
    /// What each node offers.
    pub node_cpu: MilliCpu,
    pub node_memory: Bytes,
    /// How long a pod takes from its node to being ready.
    pub ready_after: Duration,
    /// A Karmada control plane, with all members joined.
    pub karmada: bool,
    /// Prometheus, and kube-state-metrics in each member for it.
    pub prometheus: bool,
    /// `metrics.k8s.io` in each member, for `kubectl top` and horizontal autoscalers.
    pub metrics_server: bool,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            members: 2,
            staff: Staff::Whole,
            scheduler: None,
            controller_flags: Vec::new(),
            nodes: 4,
            node_cpu: MilliCpu(8_000),
            node_memory: Bytes(32 << 30),
            ready_after: Duration::from_secs(1),
            karmada: true,
            prometheus: true,
            metrics_server: true,
        }
    }
}

impl Plan {
    /// One member without nodes, in which nobody but kube-scheduler does anything, and that as `configuration` says.
    pub fn scheduler_alone(configuration: Value) -> Self {
        Self { scheduler: Some(configuration), ..Self::alone(Staff::SchedulerAlone) }
    }

    /// One member in which nobody but these controllers does anything; further flags of kube-controller-manager follow.
    pub fn controllers_alone(controllers: &[&str], flags: &[&str]) -> Self {
        let mut all = vec![format!("--controllers={}", controllers.join(","))];
        all.extend(flags.iter().map(|flag| (*flag).to_owned()));
        Self { controller_flags: all, ..Self::alone(Staff::ControllersAlone) }
    }

    fn alone(staff: Staff) -> Self {
        Self {
            members: 1,
            staff,
            nodes: 0,
            karmada: false,
            prometheus: false,
            metrics_server: false,
            ..Self::default()
        }
    }

    /// The names of the members.
    pub fn names(&self) -> impl Iterator<Item = String> + use<> {
        (1..=self.members).map(|number| format!("member{number}"))
    }

    pub(crate) fn is_alone(&self) -> bool {
        self.staff != Staff::Whole
    }

    pub(crate) fn check(&self) -> Result<(), Error> {
        let problems = [
            (self.members == 0 || self.members > MOST_MEMBERS)
                .then(|| format!("members: 1 to {MOST_MEMBERS}, not {}", self.members)),
            (!self.is_alone() && (self.nodes == 0 || self.nodes > MOST_NODES))
                .then(|| format!("nodes: 1 to {MOST_NODES} in each member, not {}", self.nodes)),
            (self.is_alone() && (self.nodes > 0 || self.karmada || self.prometheus || self.metrics_server))
                .then(|| {
                    "where one process works alone there are no nodes, no Karmada and no metrics".to_owned()
                }),
            self.node_cpu.is_zero().then(|| "a node without CPU takes no pod".to_owned()),
            self.node_memory.is_zero().then(|| "a node without memory takes no pod".to_owned()),
            (self.ready_after > LONGEST_DELAY)
                .then(|| "pods become ready within an hour, or never".to_owned()),
        ];
        let problems: Vec<String> = problems.into_iter().flatten().collect();
        if problems.is_empty() { Ok(()) } else { Err(Error::Plan(problems.join("; "))) }
    }

    /// The programs that are needed, Prometheus left out: it is never built.
    pub fn programs(&self) -> Vec<&'static str> {
        let mut needed = vec!["etcd", "kube-apiserver", "kubectl"];
        needed.extend(match self.staff {
            Staff::Whole => &["kube-scheduler", "kube-controller-manager", "kwok"][..],
            Staff::SchedulerAlone => &["kube-scheduler"],
            Staff::ControllersAlone => &["kube-controller-manager"],
        });
        if self.karmada {
            needed.extend([
                "karmada-aggregated-apiserver",
                "karmada-controller-manager",
                "karmada-scheduler",
                "karmada-webhook",
                "karmadactl",
            ]);
        }
        needed.extend(self.prometheus.then_some("kube-state-metrics"));
        needed.extend(self.metrics_server.then_some("metrics-server"));
        needed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::products;

    #[test]
    fn the_usual_plan_is_sound_and_every_program_is_known() {
        let plan = Plan::default();
        plan.check().unwrap();
        assert_eq!(plan.names().collect::<Vec<_>>(), ["member1", "member2"]);
        for program in plan.programs() {
            assert!(products::find(program).is_some(), "{program}");
        }
    }

    #[test]
    fn a_scheduler_alone_needs_little() {
        let plan = Plan::scheduler_alone(Value::Null);
        plan.check().unwrap();
        assert_eq!(plan.programs(), ["etcd", "kube-apiserver", "kubectl", "kube-scheduler"]);
        let other = Plan::controllers_alone(&["deployment-controller"], &[]);
        assert_eq!(other.controller_flags, ["--controllers=deployment-controller"]);
        assert_eq!(other.programs(), ["etcd", "kube-apiserver", "kubectl", "kube-controller-manager"]);
        let plan = Plan { nodes: 3, ..plan };
        assert!(plan.check().unwrap_err().to_string().contains("no nodes"));
    }

    #[test]
    fn all_problems_are_named_at_once() {
        let plan = Plan { members: 0, nodes: 1_001, node_cpu: MilliCpu(0), ..Plan::default() };
        assert_eq!(
            plan.check().unwrap_err().to_string(),
            "the plan cannot be carried out: members: 1 to 10, not 0; nodes: 1 to 1000 in each member, not 1001; \
             a node without CPU takes no pod"
        );
    }
}
