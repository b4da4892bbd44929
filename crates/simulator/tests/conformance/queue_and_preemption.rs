//! Upstream tables for the scheduling queue, its hints and preemption.

use crate::table::{self, Case};
use serde_json::{Value, json};
use simulator::kube::{
    Namespace, Node, NodeAffinity, Pod, PodCondition, PodDisruptionBudget, PreemptionPolicy, Timestamp,
};
use simulator::scheduler::preemption::{
    Budget, Candidate, CandidateLimits, Circumstances, PreemptionOutcome, PreemptionRefusal, Preemptor,
    check_eligible, find_candidates, least_harmful, preempt,
};
use simulator::scheduler::queue::AttemptOrder;
use simulator::scheduler::queueing_hints::{
    Change, NodeFacts, PodFacts, Waiting, has_grown_for, listens_to, may_help,
};
use simulator::scheduler::{
    ClusterState, Features, FitError, NodeId, Plugin, PodDetails, PodId, Profile, Reason, Rejection, Request,
    Scheduler, Shortage, TemplateId,
};

#[test]
fn order_of_attempts() {
    table::run("queuesort", |_| None, check_order);
}

fn check_order(case: &Case) -> Result<(), String> {
    let order = |which: &str| -> Result<AttemptOrder, String> {
        let entry = &case.input[which];
        let priority = i32::try_from(entry["pod"]["spec"]["priority"].as_i64().unwrap_or_default());
        let since = entry["timestamp"].as_str().map(str::parse::<Timestamp>).transpose();
        let since = since.map_err(|error| error.to_string())?.unwrap_or_default().0;
        Ok(AttemptOrder::new(
            priority.map_err(|error| error.to_string())?,
            model::time::Timestamp(since as u64),
            0,
        ))
    };
    let less = order("p1")? < order("p2")?;
    same("less", &Value::Bool(less), &case.want["less"])
}

#[test]
fn hints() {
    let left_out = |case: &Case| {
        let uses_devices = case.input["features"]["DRAExtendedResource"] == true;
        uses_devices.then_some("devices (dynamic resource allocation) are not simulated")
    };
    table::run("queueing_hints", left_out, check_hint);
}

fn check_hint(case: &Case) -> Result<(), String> {
    if case.want["error"] == true {
        return check_refused(case);
    }
    let mut world = hint_world(case)?;
    let pod: Pod = read_or_default(&case.input["pod"])?;
    let PodFacts { pod: id, template, .. } = world.pod(&pod, &pod)?;
    let waiting = Waiting { pod: id, template };
    if case.kind == "anyRequestedResourceIncreased" {
        let (old, new) = (world.node(&case.input["old"])?, world.node(&case.input["new"])?);
        let (Some(old), Some(new)) = (old, new) else { return Err("both nodes are needed".to_owned()) };
        let increased = has_grown_for(&world.state, waiting.template, &old, &new);
        return same("increased", &Value::Bool(increased), &case.want["increased"]);
    }
    let plugin = case.input["plugin"].as_str().and_then(Plugin::from_name).ok_or("unknown plugin")?;
    if case.input["event"] == "node" {
        let (old, new) = (world.node(&case.input["old"])?, world.node(&case.input["new"])?);
        let change = Change::Node { old: old.as_ref(), new: new.as_ref() };
        return check_answer(case, plugin, &world.state, waiting, &change);
    }
    let mut facts = |which: &str| -> Result<Option<PodFacts>, String> {
        let other: Option<Pod> = read(&case.input[which])?;
        other.map(|other| world.pod(&other, &pod)).transpose()
    };
    let change = Change::Pod { old: facts("old")?, new: facts("new")? };
    check_answer(case, plugin, &world.state, waiting, &change)
}

fn check_answer(
    case: &Case,
    plugin: Plugin,
    state: &ClusterState,
    waiting: Waiting,
    change: &Change<'_>,
) -> Result<(), String> {
    let helps = may_help(plugin, state, waiting, change);
    same("hint", &Value::from(if helps { "Queue" } else { "QueueSkip" }), &case.want["hint"])?;
    // What helps must also reach the plugin: it has to be a kind of change that the plugin listens to.
    let is_heard = listens_to(plugin).intersects(change.kinds(state));
    if helps && !is_heard {
        Err(format!("{plugin:?} does not listen to {:?}", change.kinds(state)))
    } else {
        Ok(())
    }
}

/// An object of the wrong type, which upstream answers with an error, does not get past reading here.
fn check_refused(case: &Case) -> Result<(), String> {
    let is_node = case.input["event"] == "node";
    let is_refused = |value: &Value| {
        if is_node { read::<Option<Node>>(value).is_err() } else { read::<Option<Pod>>(value).is_err() }
    };
    let refused = is_refused(&case.input["old"]) || is_refused(&case.input["new"]);
    if refused { Ok(()) } else { Err("an object of the wrong type was read".to_owned()) }
}

struct HintWorld {
    state: ClusterState,
}

fn hint_world(case: &Case) -> Result<HintWorld, String> {
    let switch = |name: &str| case.input["features"][name] == true;
    let features = Features {
        in_place_resize: switch("InPlacePodVerticalScaling"),
        spread_node_inclusion_policy: switch("NodeInclusionPolicyInPodTopologySpread"),
        ..Features::default()
    };
    let added_node_affinity: Option<NodeAffinity> = read(&case.input["args"]["addedAffinity"])?;
    let profile = Profile { features, added_node_affinity, ..Profile::default() };
    let mut state = ClusterState::new(profile).map_err(|error| error.to_string())?;
    for namespace in case.input["namespaces"].as_array().into_iter().flatten() {
        state.set_namespace(&read::<Namespace>(namespace)?);
    }
    Ok(HintWorld { state })
}

impl HintWorld {
    fn node(&mut self, node: &Value) -> Result<Option<NodeFacts>, String> {
        let Some(node) = read::<Option<Node>>(node)? else { return Ok(None) };
        let id = self.state.add_node(&node);
        let facts = self.state.node_facts(id);
        self.state.remove_node(id);
        Ok(Some(facts))
    }

    /// `waiting` tells whether this is the pod that waits or another one.
    fn pod(&mut self, pod: &Pod, waiting: &Pod) -> Result<PodFacts, String> {
        Ok(PodFacts {
            pod: PodId(u32::from(pod.metadata.uid != waiting.metadata.uid)),
            template: intern_unbound(&mut self.state, pod)?,
            is_bound: !pod.spec.node_name.is_empty(),
            is_nominated: !pod.status.nominated_node_name.is_empty(),
        })
    }
}

fn read<T: serde::de::DeserializeOwned>(value: &Value) -> Result<T, String> {
    serde_json::from_value(value.clone()).map_err(|error| error.to_string())
}

fn read_or_default<T: serde::de::DeserializeOwned + Default>(value: &Value) -> Result<T, String> {
    Ok(read::<Option<T>>(value)?.unwrap_or_default())
}

fn same(what: &str, got: &Value, want: &Value) -> Result<(), String> {
    if got == want { Ok(()) } else { Err(format!("{what}: got {got}, want {want}")) }
}

#[test]
fn preemption() {
    let left_out = |case: &Case| {
        let needs_failure = case.name.contains("failed with TestPlugin");
        needs_failure.then_some("a plugin that fails instead of refusing is not simulated")
    };
    table::run("preemption", left_out, |case| {
        let mut world = PreemptionWorld::new(case)?;
        match case.kind.as_str() {
            "podEligible" => world.check_eligible(case),
            "dryRun" => world.check_dry_run(case),
            "selectBestCandidate" => world.check_best(case),
            "preempt" => world.check_preempt(case),
            "postFilter" => world.check_post_filter(case),
            other => Err(format!("unknown kind {other}")),
        }
    });
}

/// Filters that upstream's tests put beside the real ones.
#[derive(Default)]
struct FakeFilters {
    refuses: bool,
    /// Only the node of this name fits.
    only_node: Option<String>,
    calls: usize,
}

struct PreemptionWorld {
    state: ClusterState,
    scheduler: Scheduler,
    preemptor: Preemptor,
    nodes: Vec<NodeId>,
    pod_names: Vec<String>,
    preempted: Vec<PodId>,
    budgets: Vec<Budget>,
    limits: CandidateLimits,
    fakes: FakeFilters,
}

impl PreemptionWorld {
    fn new(case: &Case) -> Result<Self, String> {
        let plugins = plugin_names(&case.input["plugins"]["filter"]);
        let filters = plugins.iter().filter_map(|name| Plugin::from_name(name)).collect();
        let mut state = ClusterState::new(Profile { filters, ..Profile::default() })
            .map_err(|error| error.to_string())?;
        let nodes: Vec<Node> = read(&case.input["nodes"])?;
        let nodes: Vec<_> = nodes.iter().map(|node| state.add_node(node)).collect();
        let pod: Pod = read(&case.input["pod"])?;
        let existing: Vec<Pod> = read(&case.input["existingPods"])?;
        let request = Request {
            pod: PodId(existing.len() as u32),
            template: intern_unbound(&mut state, &pod)?,
            priority: pod.priority(),
            nominated: state.node_by_name(&pod.status.nominated_node_name),
        };
        let limit = |name: &str| case.input["args"][name].as_u64().unwrap_or_default() as usize;
        let fakes = FakeFilters {
            refuses: plugins.iter().any(|name| name == "FalseFilter")
                || case.input["fakeFilterCode"].as_str().is_some_and(|code| code != "Success"),
            only_node: plugins.iter().any(|name| name == "MatchFilter").then(|| pod.metadata.name.clone()),
            calls: 0,
        };
        let never_preempts = pod.spec.preemption_policy == Some(PreemptionPolicy::Never);
        let mut world = Self {
            state,
            scheduler: Scheduler::default(),
            preemptor: Preemptor { request, never_preempts },
            nodes,
            pod_names: existing.iter().map(|pod| pod.metadata.name.clone()).collect(),
            preempted: Vec::new(),
            budgets: Vec::new(),
            limits: CandidateLimits {
                percentage_of_nodes: limit("minCandidateNodesPercentage"),
                at_least: limit("minCandidateNodesAbsolute"),
            },
            fakes,
        };
        world.place(&existing, &read::<Vec<Option<usize>>>(&case.input["existingPodNode"])?)?;
        world.add_budgets(&read_or_default::<Vec<PodDisruptionBudget>>(&case.input["pdbs"])?);
        Ok(world)
    }

    fn place(&mut self, pods: &[Pod], on: &[Option<usize>]) -> Result<(), String> {
        for (id, (pod, node)) in (0..).map(PodId).zip(pods.iter().zip(on)) {
            let Some(node) = node else { continue };
            let template = intern_unbound(&mut self.state, pod)?;
            let details = PodDetails {
                priority: pod.priority(),
                start_time: pod.status.start_time.map_or(i64::MAX, |time| time.0),
                terminating: pod.metadata.deletion_timestamp.is_some(),
            };
            self.state.assign(id, template, self.nodes[*node], details);
            let is_target = |one: &PodCondition| {
                one.kind == "DisruptionTarget"
                    && one.status == "True"
                    && one.reason == "PreemptionByScheduler"
            };
            if pod.status.conditions.iter().any(is_target) {
                self.preempted.push(id);
            }
        }
        Ok(())
    }

    fn add_budgets(&mut self, budgets: &[PodDisruptionBudget]) {
        for one in budgets {
            let (namespace, selector) = (&one.metadata.namespace, one.spec.selector.as_ref());
            let allowed = one.status.disruptions_allowed;
            let mut budget = Budget::new(&mut self.state, namespace, selector, allowed);
            let named = (0..).map(PodId).zip(&self.pod_names);
            let disrupted = named.filter(|(_, name)| one.status.disrupted_pods.contains_key(*name));
            budget.disrupted = disrupted.map(|(id, _)| id).collect();
            self.budgets.push(budget);
        }
    }

    /// Every node was refused, and removing pods may help.
    fn all_resolvable(&self) -> FitError {
        let refusal = Rejection::resolvable(Reason::Resources(Shortage::default()));
        self.fit_error(self.nodes.iter().map(|node| (*node, refusal)).collect())
    }

    fn fit_error(&self, nodes: Vec<(NodeId, Rejection)>) -> FitError {
        FitError {
            all_nodes: self.nodes.len(),
            pod: None,
            nodes,
            excluded_by_node_names: false,
            other_resources: Vec::new(),
        }
    }

    fn find(&mut self, fit_error: &FitError, random: u64) -> Result<Vec<Candidate>, PreemptionRefusal> {
        let Self { state, scheduler, preemptor, preempted, budgets, limits, fakes, .. } = self;
        let is_preempted = |pod: PodId| preempted.contains(&pod);
        let circumstances = Circumstances { budgets, limits: *limits, is_preempted: &is_preempted, random };
        find_candidates(state, preemptor.request.priority, fit_error, circumstances, |state, node| {
            fakes.calls += 1;
            if fakes.refuses || fakes.only_node.as_ref().is_some_and(|only| only != state.node_name(node)) {
                return Err(Rejection::resolvable(Reason::Resources(Shortage::default())));
            }
            scheduler.fits(state, &preemptor.request, node)
        })
    }

    fn preempt(&mut self, fit_error: &FitError, random: u64) -> PreemptionOutcome {
        let is_preempted = |pod: PodId| self.preempted.contains(&pod);
        let circumstances = Circumstances {
            budgets: &self.budgets,
            limits: self.limits,
            is_preempted: &is_preempted,
            random,
        };
        preempt(&mut self.state, &mut self.scheduler, self.preemptor, fit_error, circumstances)
    }

    /// Upstream's extenders choose among the candidates; here they do so between finding and choosing.
    fn preempt_with_extenders(&mut self, extenders: &[Value], fit_error: &FitError) -> PreemptionOutcome {
        let mut candidates = match self.find(fit_error, 0) {
            Ok(candidates) => candidates,
            Err(reason) => return PreemptionOutcome::NotPossible { reason },
        };
        for extender in extenders.iter().filter(|one| one["unInterested"] != true) {
            let predicates = plugin_names(&extender["predicates"]);
            let allows = |candidate: &Candidate| match predicates[0].as_str() {
                "TruePredicateExtender" => true,
                "Node1PredicateExtender" => self.state.node_name(candidate.node) == "node1",
                // The one that fails is ignorable in every row.
                "ErrorPredicateExtender" => extender["ignorable"] == true,
                _ => false,
            };
            candidates.retain(allows);
        }
        match least_harmful(&candidates) {
            Some(best) => PreemptionOutcome::Nominated {
                node: best.node,
                victims: best.victims.pods.iter().map(|victim| victim.pod).collect(),
                displaced: Vec::new(),
            },
            None => PreemptionOutcome::NotPossible { reason: PreemptionRefusal::NotNeeded },
        }
    }

    fn check_eligible(&mut self, case: &Case) -> Result<(), String> {
        let is_hopeless = case.input["nominatedNodeStatus"]["code"] == "UnschedulableAndUnresolvable";
        let verdict =
            check_eligible(&self.state, self.preemptor, is_hopeless, |pod| self.preempted.contains(&pod));
        same("eligible", &Value::Bool(verdict.is_ok()), &case.want["eligible"])
    }

    fn check_dry_run(&mut self, case: &Case) -> Result<(), String> {
        let wanted = self.limits.wanted(self.nodes.len());
        same("numCandidates", &Value::from(wanted), &case.input["numCandidates"])?;
        let found = self.find(&self.all_resolvable(), case.input["offset"].as_u64().unwrap_or_default());
        let mut candidates: Vec<_> = found.unwrap_or_default().iter().map(|one| self.describe(one)).collect();
        candidates.sort_by_key(|one| one["node"].to_string());
        same("candidates", &Value::from(candidates), &case.want["candidates"])?;
        same("numFilterCalled", &Value::from(self.fakes.calls), &case.want["numFilterCalled"])
    }

    fn describe(&self, candidate: &Candidate) -> Value {
        let victims: Vec<_> = candidate.victims.pods.iter().map(|victim| victim.pod).collect();
        json!({
            "node": self.state.node_name(candidate.node),
            "numPDBViolations": candidate.victims.budget_violations,
            "victims": self.sorted_names(&victims),
        })
    }

    fn sorted_names(&self, pods: &[PodId]) -> Vec<String> {
        let mut names: Vec<_> = pods.iter().map(|pod| self.pod_names[pod.0 as usize].clone()).collect();
        names.sort();
        names
    }

    fn check_best(&mut self, case: &Case) -> Result<(), String> {
        let offset = case.input["offset"].as_u64().unwrap_or_default();
        let candidates = self.find(&self.all_resolvable(), offset).map_err(|refusal| refusal.to_string())?;
        let best = least_harmful(&candidates).ok_or("no candidate")?;
        let name = Value::from(self.state.node_name(best.node));
        let allowed = case.want["anyOf"].as_array().ok_or("no wanted nodes")?;
        if allowed.contains(&name) { Ok(()) } else { Err(format!("got {name}, want one of {allowed:?}")) }
    }

    fn check_preempt(&mut self, case: &Case) -> Result<(), String> {
        let fit_error = self.all_resolvable();
        let outcome = match case.input["extenders"].as_array() {
            Some(extenders) => self.preempt_with_extenders(extenders, &fit_error),
            None => self.preempt(&fit_error, 0),
        };
        let PreemptionOutcome::Nominated { node, victims, .. } = &outcome else {
            same("nominatedNodeName", &Value::Null, &case.want["nominatedNodeName"])?;
            return same("victims", &json!([]), &case.want["victims"]);
        };
        same("node", &Value::from(self.state.node_name(*node)), &case.want["nominatedNodeName"])?;
        same("victims", &Value::from(self.sorted_names(victims)), &case.want["victims"])?;
        if case.input["extenders"].is_null() {
            for random in 0..self.nodes.len() as u64 {
                let again = self.preempt(&fit_error, random);
                if again != outcome {
                    return Err(format!("from offset {random}: {again:?} instead of {outcome:?}"));
                }
            }
        }
        self.check_no_second_preemption(*node, victims, &fit_error)
    }

    /// While the victims terminate, the pod preempts nobody else.
    fn check_no_second_preemption(
        &mut self,
        node: NodeId,
        victims: &[PodId],
        fit_error: &FitError,
    ) -> Result<(), String> {
        for victim in victims {
            self.state.set_terminating(*victim);
            self.preempted.push(*victim);
        }
        self.preemptor.request.nominated = Some(node);
        let again = self.preempt(fit_error, 0);
        let want = PreemptionOutcome::NotPossible { reason: PreemptionRefusal::VictimsAreTerminating };
        if again == want { Ok(()) } else { Err(format!("preempts again: {again:?}")) }
    }

    fn check_post_filter(&mut self, case: &Case) -> Result<(), String> {
        let statuses = &case.input["filteredNodesStatuses"];
        let mut refused = Vec::new();
        for &node in &self.nodes {
            let status = &statuses["nodeToStatus"][self.state.node_name(node)];
            let status = if status.is_null() { &statuses["absentNodesStatus"] } else { status };
            let reason = Reason::Resources(Shortage::default());
            match status["code"].as_str() {
                Some("Unschedulable") => refused.push((node, Rejection::resolvable(reason))),
                Some("UnschedulableAndUnresolvable") => refused.push((node, Rejection::unresolvable(reason))),
                other => return Err(format!("unexpected status {other:?}")),
            }
        }
        let fit_error = self.fit_error(refused);
        let extender = &case.input["extender"];
        let outcome = if extender.is_null() {
            self.preempt(&fit_error, 0)
        } else {
            self.preempt_with_extenders(std::slice::from_ref(extender), &fit_error)
        };
        let (code, reasons, nominated) = match &outcome {
            PreemptionOutcome::Nominated { node, .. } => {
                ("Success", json!([]), Value::from(self.state.node_name(*node)))
            }
            PreemptionOutcome::NotPossible { reason } => {
                let kept = if reason.clears_nomination() { Value::from("") } else { Value::Null };
                ("Unschedulable", json!([format!("preemption: {reason}")]), kept)
            }
        };
        same("code", &Value::from(code), &case.want["status"]["code"])?;
        same("reasons", &reasons, &case.want["status"]["reasons"])?;
        same("nominatedNodeName", &nominated, &case.want["nominatedNodeName"])
    }
}

/// Names in a list of names or of objects with a name.
fn plugin_names(list: &Value) -> Vec<String> {
    let name = |one: &Value| one.as_str().or(one["name"].as_str()).unwrap_or_default().to_owned();
    list.as_array().into_iter().flatten().map(name).collect()
}

fn intern_unbound(state: &mut ClusterState, pod: &Pod) -> Result<TemplateId, String> {
    let mut unbound = pod.clone();
    unbound.spec.node_name.clear();
    state.intern(&unbound).map_err(|error| error.to_string())
}
