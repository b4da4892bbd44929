//! DaemonSet: one pod on every node that fits, replaced a few at a time.
//!
//! A surge (old and new pod side by side during an update) is not modelled.

use super::int_or_percent::{IntOrPercent, Rounding};
use super::pod::{NodeKey, PodKey, PodPhase, PodView};
use model::time::{Period, Timestamp};
use std::collections::BTreeMap;

/// Upstream's limit on pods created, and on pods deleted, by one sync.
pub const PODS_PER_SYNC: usize = 250;
/// The wait before a second failed pod on a node is removed; it doubles with every further one.
const FIRST_BACK_OFF: Period = Period::from_secs(1);
const LONGEST_BACK_OFF: Period = Period::from_minutes(15);

/// The effect of a taint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TaintEffect {
    NoSchedule,
    NoExecute,
}

/// Taints that every daemon pod tolerates, whatever their value: it belongs on the node even when the node is in trouble.
pub const TOLERATED: [(&str, TaintEffect); 6] = [
    ("node.kubernetes.io/not-ready", TaintEffect::NoExecute),
    ("node.kubernetes.io/unreachable", TaintEffect::NoExecute),
    ("node.kubernetes.io/disk-pressure", TaintEffect::NoSchedule),
    ("node.kubernetes.io/memory-pressure", TaintEffect::NoSchedule),
    ("node.kubernetes.io/pid-pressure", TaintEffect::NoSchedule),
    ("node.kubernetes.io/unschedulable", TaintEffect::NoSchedule),
];
/// What a daemon pod on the host's network tolerates as well.
pub const TOLERATED_ON_HOST_NETWORK: (&str, TaintEffect) =
    ("node.kubernetes.io/network-unavailable", TaintEffect::NoSchedule);

/// How pods of an old template are replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UpdateStrategy {
    RollingUpdate {
        max_unavailable: IntOrPercent,
    },
    /// Only when someone else deletes a pod.
    OnDelete,
}

/// What the user wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DaemonSetSpec {
    pub update: UpdateStrategy,
    pub min_ready: Period,
}

impl Default for DaemonSetSpec {
    /// The API's defaults.
    fn default() -> Self {
        let update = UpdateStrategy::RollingUpdate { max_unavailable: IntOrPercent::Count(1) };
        Self { update, min_ready: Period::ZERO }
    }
}

/// Whether a node should have a daemon pod.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeFit {
    Runs,
    /// A pod that is there may stay, none is created.
    Keeps,
    Refuses,
}

impl NodeFit {
    /// `selected`: node name, selector and required affinity match. `admitted`: all taints that forbid scheduling or
    /// running are tolerated. `endured`: all that forbid running are. Both with [`TOLERATED`] added to the template.
    pub fn of(selected: bool, admitted: bool, endured: bool) -> Self {
        match (selected, admitted, endured) {
            (true, true, _) => Self::Runs,
            (true, false, true) => Self::Keeps,
            _ => Self::Refuses,
        }
    }
}

/// One pod of the set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DaemonPod {
    pub pod: PodView,
    /// The node it was made for, also while it is not bound yet.
    pub node: NodeKey,
    /// Made from the present template.
    pub updated: bool,
}

/// What the set does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Command {
    /// Create a pod whose required affinity names this node.
    Create {
        node: NodeKey,
    },
    Delete {
        pod: PodKey,
    },
}

/// What to do now, and when to ask again if nothing else happens.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Step {
    pub commands: Vec<Command>,
    pub wake: Option<Timestamp>,
}

/// When failed pods were last removed from which node; start afresh when the template changes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FailedPods {
    nodes: BTreeMap<NodeKey, (Timestamp, Period)>,
}

impl FailedPods {
    /// Notes one more removal, or tells until when it has to wait.
    fn try_remove(&mut self, node: NodeKey, now: Timestamp) -> Result<(), Timestamp> {
        let earlier = self.nodes.get(&node).copied();
        // Nobody remembers a failure for longer than twice the longest wait.
        let recent = earlier.filter(|(last, _)| now.since(*last) <= LONGEST_BACK_OFF.saturating_mul(2));
        let wait = match recent {
            None => FIRST_BACK_OFF,
            Some((last, wait)) if now.since(last) < wait => return Err(last + wait),
            Some((_, wait)) => wait.saturating_mul(2).min(LONGEST_BACK_OFF),
        };
        self.nodes.insert(node, (now, wait));
        Ok(())
    }
}

/// The counts a DaemonSet reports.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DaemonSetStatus {
    /// Nodes that should have a pod.
    pub desired: u32,
    /// Of those, nodes that have one.
    pub current: u32,
    /// Nodes that have one and should not.
    pub misscheduled: u32,
    pub ready: u32,
    pub available: u32,
    pub updated: u32,
}

/// One step: puts pods on nodes and takes them off; when all is in place, replaces outdated pods. `nodes` are all
/// nodes, `pods` all pods of the set.
pub fn sync(
    spec: &DaemonSetSpec,
    nodes: &[NodeKey],
    fit: impl Fn(NodeKey) -> NodeFit,
    pods: &[DaemonPod],
    failed: &mut FailedPods,
    now: Timestamp,
) -> Step {
    let placed = Placed::new(pods);
    let mut step = Step::default();
    for node in nodes {
        match fit(*node) {
            NodeFit::Runs if placed.on(*node).is_empty() => {
                step.commands.push(Command::Create { node: *node });
            }
            NodeFit::Runs | NodeFit::Keeps => tidy_node(*node, placed.on(*node), failed, now, &mut step),
            NodeFit::Refuses => {
                let leaving = placed.on(*node).iter().filter(|pod| !pod.pod.deleting);
                step.commands.extend(leaving.map(|pod| Command::Delete { pod: pod.pod.key }));
            }
        }
    }
    remove_stranded(nodes, &placed, &mut step.commands);
    if step.commands.is_empty()
        && let UpdateStrategy::RollingUpdate { max_unavailable } = spec.update
    {
        step.commands = replace_outdated(spec, max_unavailable, nodes, fit, &placed, now);
    }
    limit_to_one_sync(&mut step.commands);
    step
}

/// The counts over all nodes; a node is judged by its oldest pod.
pub fn status(
    spec: &DaemonSetSpec,
    nodes: &[NodeKey],
    fit: impl Fn(NodeKey) -> NodeFit,
    pods: &[DaemonPod],
    now: Timestamp,
) -> DaemonSetStatus {
    let placed = Placed::new(pods);
    let mut status = DaemonSetStatus::default();
    for node in nodes {
        let oldest = placed.on(*node).first();
        if fit(*node) != NodeFit::Runs {
            status.misscheduled += u32::from(oldest.is_some());
            continue;
        }
        status.desired += 1;
        if let Some(DaemonPod { pod, updated, .. }) = oldest {
            status.current += 1;
            status.ready += u32::from(pod.is_ready());
            status.available += u32::from(pod.is_available(spec.min_ready, now));
            status.updated += u32::from(*updated);
        }
    }
    status
}

/// The pods by node; on each node bound ones first, then the oldest.
struct Placed<'a> {
    pods: Vec<&'a DaemonPod>,
}

impl<'a> Placed<'a> {
    fn new(pods: &'a [DaemonPod]) -> Self {
        let gone = |pod: &PodView| pod.deleting && pod.is_finished();
        let mut pods: Vec<&DaemonPod> = pods.iter().filter(|pod| !gone(&pod.pod)).collect();
        pods.sort_unstable_by_key(|pod| (pod.node, pod.pod.node.is_none(), pod.pod.created, pod.pod.uid));
        Self { pods }
    }

    fn on(&self, node: NodeKey) -> &[&'a DaemonPod] {
        let start = self.pods.partition_point(|pod| pod.node < node);
        let length = self.pods[start..].partition_point(|pod| pod.node == node);
        &self.pods[start..start + length]
    }

    fn nodes(&self) -> impl Iterator<Item = &[&'a DaemonPod]> {
        self.pods.chunk_by(|left, right| left.node == right.node)
    }
}

/// Removes finished pods, failed ones not too often, and all but the oldest of the others.
fn tidy_node(node: NodeKey, pods: &[&DaemonPod], failed: &mut FailedPods, now: Timestamp, step: &mut Step) {
    let mut occupied = false;
    for DaemonPod { pod, .. } in pods.iter().filter(|pod| !pod.pod.deleting) {
        let removed = match pod.phase {
            PodPhase::Failed => match failed.try_remove(node, now) {
                Ok(()) => true,
                Err(wait) => {
                    step.wake = Some(step.wake.map_or(wait, |wake| wake.min(wait)));
                    false
                }
            },
            PodPhase::Succeeded => true,
            _ => std::mem::replace(&mut occupied, true),
        };
        if removed {
            step.commands.push(Command::Delete { pod: pod.key });
        }
    }
}

/// A pod that waits for a node that is gone would wait for ever.
fn remove_stranded(nodes: &[NodeKey], placed: &Placed, commands: &mut Vec<Command>) {
    let mut waiting = placed.pods.iter().filter(|pod| pod.pod.node.is_none()).peekable();
    if waiting.peek().is_none() {
        return;
    }
    let mut known = nodes.to_vec();
    known.sort_unstable();
    let stranded = waiting.filter(|pod| known.binary_search(&pod.node).is_err());
    commands.extend(stranded.map(|pod| Command::Delete { pod: pod.pod.key }));
}

/// Deletes outdated pods: those that serve nobody at once, others while few enough nodes are without.
fn replace_outdated(
    spec: &DaemonSetSpec,
    max_unavailable: IntOrPercent,
    nodes: &[NodeKey],
    fit: impl Fn(NodeKey) -> NodeFit,
    placed: &Placed,
    now: Timestamp,
) -> Vec<Command> {
    let desired = nodes.iter().filter(|node| fit(**node) == NodeFit::Runs);
    let bare = desired.clone().filter(|node| placed.on(**node).is_empty()).count();
    // Zero would block every update; upstream then takes one.
    let limit = max_unavailable.of(desired.count() as u32, Rounding::Up).max(1) as usize;
    let mut unavailable = bare;
    let (mut at_once, mut in_turn) = (Vec::new(), Vec::new());
    for pods in placed.nodes() {
        match state_of(spec, pods, now) {
            NodeState::Serves => {}
            NodeState::Unavailable => unavailable += 1,
            NodeState::OutdatedUnavailable(pod) => {
                unavailable += 1;
                at_once.push(Command::Delete { pod });
            }
            NodeState::Outdated(pod) => in_turn.push(Command::Delete { pod }),
        }
    }
    at_once.extend(in_turn.into_iter().take(limit.saturating_sub(unavailable)));
    at_once
}

enum NodeState {
    Serves,
    Unavailable,
    Outdated(PodKey),
    OutdatedUnavailable(PodKey),
}

fn state_of(spec: &DaemonSetSpec, pods: &[&DaemonPod], now: Timestamp) -> NodeState {
    let mut staying = pods.iter().filter(|pod| !pod.pod.deleting);
    match (staying.next(), staying.next()) {
        (Some(only), None) => match (only.updated, only.pod.is_available(spec.min_ready, now)) {
            (true, true) => NodeState::Serves,
            (true, false) => NodeState::Unavailable,
            (false, true) => NodeState::Outdated(only.pod.key),
            (false, false) => NodeState::OutdatedUnavailable(only.pod.key),
        },
        _ => NodeState::Unavailable,
    }
}

fn limit_to_one_sync(commands: &mut Vec<Command>) {
    let (mut created, mut deleted) = (0, 0);
    commands.retain(|command| {
        let count = match command {
            Command::Create { .. } => &mut created,
            Command::Delete { .. } => &mut deleted,
        };
        *count += 1;
        *count <= PODS_PER_SYNC
    });
}

#[cfg(test)]
mod tests {
    use super::super::pod::tests::running;
    use super::*;

    const NOW: Timestamp = Timestamp(1_000_000);

    /// An up-to-date, available pod whose key is 10 × its node.
    fn on(node: u32) -> DaemonPod {
        let pod = PodView { node: Some(NodeKey(node)), ..running(10 * node) };
        DaemonPod { pod, node: NodeKey(node), updated: true }
    }

    fn with(mut daemon: DaemonPod, change: impl Fn(&mut PodView)) -> DaemonPod {
        change(&mut daemon.pod);
        daemon
    }

    fn outdated(node: u32) -> DaemonPod {
        DaemonPod { updated: false, ..on(node) }
    }

    fn in_phase(node: u32, phase: PodPhase) -> DaemonPod {
        with(on(node), |pod| (pod.phase, pod.ready_since) = (phase, None))
    }

    fn nodes(count: u32) -> Vec<NodeKey> {
        (1..=count).map(NodeKey).collect()
    }

    fn create(node: u32) -> Command {
        Command::Create { node: NodeKey(node) }
    }

    fn delete(pod: u32) -> Command {
        Command::Delete { pod: PodKey(pod) }
    }

    #[test]
    fn fit_follows_affinity_and_taints() {
        let check =
            |selected, admitted, endured, fit| assert_eq!(NodeFit::of(selected, admitted, endured), fit);
        check(true, true, true, NodeFit::Runs);
        check(true, false, true, NodeFit::Keeps);
        check(true, false, false, NodeFit::Refuses);
        check(false, true, true, NodeFit::Refuses);
    }

    #[test]
    fn each_fitting_node_gets_one_pod() {
        // Node 2 keeps what it has, node 3 refuses.
        let fit = |node: NodeKey| match node.0 {
            2 => NodeFit::Keeps,
            3 => NodeFit::Refuses,
            _ => NodeFit::Runs,
        };
        let check = |pods: &[DaemonPod], expected: &[Command]| {
            let step = sync(&DaemonSetSpec::default(), &nodes(4), fit, pods, &mut FailedPods::default(), NOW);
            assert_eq!(step.commands, expected, "{pods:?}");
        };
        let second = |node| with(on(node), |pod| (pod.key, pod.created) = (PodKey(99), Timestamp(5)));
        let leaving = |node| with(on(node), |pod| pod.deleting = true);
        let waiting = |node| with(on(node), |pod| pod.node = None);
        check(&[], &[create(1), create(4)]);
        check(&[on(1), on(2), on(4)], &[]);
        check(&[on(1), on(3), on(4)], &[delete(30)]);
        check(&[on(1), leaving(3), leaving(4)], &[]);
        check(&[second(1), on(1), on(4)], &[delete(99)]);
        check(&[on(1), in_phase(4, PodPhase::Succeeded)], &[delete(40)]);
        check(&[on(1), with(in_phase(4, PodPhase::Failed), |pod| pod.deleting = true)], &[create(4)]);
        check(&[on(1), on(4), waiting(7)], &[delete(70)]);
        check(&[on(1), on(4), on(7)], &[]);
    }

    #[test]
    fn failed_pods_are_removed_ever_less_often() {
        let mut failed = FailedPods::default();
        let mut look = |second: u64| {
            let now = Timestamp::EPOCH + Period::from_secs(second);
            let pods = [in_phase(1, PodPhase::Failed)];
            let step = sync(&DaemonSetSpec::default(), &nodes(1), |_| NodeFit::Runs, &pods, &mut failed, now);
            (step.commands.len(), step.wake.map(|wake| wake.as_millis() / 1_000))
        };
        assert_eq!(look(100), (1, None));
        assert_eq!(look(101), (1, None));
        // A failed pod that must not be removed yet is no candidate for an update either: it is up to date.
        assert_eq!(look(102), (0, Some(103)));
        assert_eq!(look(103), (1, None));
        assert_eq!(look(106), (0, Some(107)));
        assert_eq!(look(10_000), (1, None));
        assert_eq!(look(10_001), (1, None));
    }

    #[test]
    fn outdated_pods_are_replaced_within_the_limit() {
        let check = |limit, pods: &[DaemonPod], expected: &[Command]| {
            let update = UpdateStrategy::RollingUpdate { max_unavailable: limit };
            let spec = DaemonSetSpec { update, ..DaemonSetSpec::default() };
            let fit = |_| NodeFit::Runs;
            let step = sync(&spec, &nodes(4), fit, pods, &mut FailedPods::default(), NOW);
            assert_eq!(step.commands, expected, "{limit:?} {pods:?}");
        };
        let one = IntOrPercent::Count(1);
        let unready = |daemon| with(daemon, |pod| pod.ready_since = None);
        check(one, &[outdated(1), outdated(2), on(3), on(4)], &[delete(10)]);
        check(
            IntOrPercent::Percent(30),
            &[outdated(1), outdated(2), outdated(3), on(4)],
            &[delete(10), delete(20)],
        );
        check(IntOrPercent::Percent(0), &[outdated(1), outdated(2), on(3), on(4)], &[delete(10)]);
        check(one, &[outdated(1), outdated(2), unready(on(3)), on(4)], &[]);
        check(
            one,
            &[outdated(1), unready(outdated(2)), on(3), unready(outdated(4))],
            &[delete(20), delete(40)],
        );
        check(one, &[outdated(1), with(outdated(2), |pod| pod.deleting = true), on(3), on(4)], &[]);
        check(one, &[outdated(1), outdated(2), on(3)], &[create(4)]);
        check(one, &[on(1), on(2), on(3), on(4)], &[]);
    }

    #[test]
    fn one_sync_touches_at_most_250_pods() {
        let step = sync(
            &DaemonSetSpec::default(),
            &nodes(600),
            |_| NodeFit::Runs,
            &[],
            &mut FailedPods::default(),
            NOW,
        );
        assert_eq!(step.commands.len(), 250);
    }

    /// A whole update: never more than the limit of nodes without an available pod.
    #[test]
    fn an_update_ends_with_all_pods_new() {
        let update = UpdateStrategy::RollingUpdate { max_unavailable: IntOrPercent::Count(2) };
        let spec = DaemonSetSpec { update, min_ready: Period(2) };
        let all = nodes(9);
        let mut pods: Vec<DaemonPod> = (1..=9).map(outdated).collect();
        let mut failed = FailedPods::default();
        let fit = |_| NodeFit::Runs;
        for now in (10..200).map(Timestamp) {
            pods.retain(|pod| !pod.pod.deleting);
            for command in sync(&spec, &all, fit, &pods, &mut failed, now).commands {
                match command {
                    Command::Create { node } => {
                        pods.push(with(on(node.0), |pod| pod.ready_since = Some(now)));
                    }
                    Command::Delete { pod: key } => {
                        pods.iter_mut()
                            .filter(|pod| pod.pod.key == key)
                            .for_each(|pod| pod.pod.deleting = true);
                    }
                }
            }
            let serving =
                pods.iter().filter(|pod| !pod.pod.deleting && pod.pod.is_available(spec.min_ready, now));
            assert!(serving.count() >= 7, "{now}");
        }
        let counts = status(&spec, &all, fit, &pods, Timestamp(200));
        let expected =
            DaemonSetStatus { desired: 9, current: 9, misscheduled: 0, ready: 9, available: 9, updated: 9 };
        assert_eq!(counts, expected);
    }
}
