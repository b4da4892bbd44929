//! The simulated side: what the simulator's scheduler would do with a pod, with all that is equally good.

use crate::draw::{Case, NAMESPACES, TEAM};
use crate::error::Problem;
use crate::real::name_of;
use model::time::Timestamp;
use serde_json::{Value, json};
use simulator::kube::{LabelSelector, Namespace, Node, Pod, PreemptionPolicy, ReplicaSet, Service};
use simulator::scheduler::plugins::default_selector::{Owners, default_selector};
use simulator::scheduler::preemption::{
    Budget, Candidate, CandidateLimits, Circumstances, PreemptionRefusal, Preemptor, check_eligible,
    find_candidates, least_harmful,
};
use simulator::scheduler::{
    ClusterState, FitError, NodeId, Nomination, PodDetails, PodId, Profile, Request, Scheduler,
};
use std::collections::{BTreeMap, BTreeSet};

/// What the simulator makes of a pod.
#[derive(Clone, Debug)]
pub(crate) enum Opinion {
    Bound {
        /// Nodes that passed the filters.
        feasible: BTreeSet<String>,
        /// Those with the highest score.
        best: BTreeSet<String>,
        /// The one it would take.
        choice: String,
    },
    Refused {
        message: String,
        /// Nodes where making room does the least harm, with those who have to go.
        rooms: BTreeMap<String, BTreeSet<String>>,
    },
}

/// The cluster of a case in the simulator. Pods are known by number and name.
pub(crate) struct Simulated {
    state: ClusterState,
    scheduler: Scheduler,
    budgets: Vec<Budget>,
    replica_sets: Vec<ReplicaSet>,
    services: Vec<Service>,
    preempted: BTreeSet<PodId>,
    names: Vec<String>,
}

/// Every candidate is tried, as the real side is told to.
const LIMITS: CandidateLimits = CandidateLimits { percentage_of_nodes: 100, at_least: 100 };

impl Simulated {
    /// The scheduler begins its first scan at the first node, as the real one does.
    pub(crate) fn new(case: &Case, profile: Profile) -> Result<Self, Problem> {
        let mut state = ClusterState::new(Profile { percentage_of_nodes_to_score: 100, ..profile })?;
        for (name, labels) in NAMESPACES.into_iter().zip([json!({}), json!({ TEAM.0: TEAM.1 })]) {
            let namespace = json!({ "metadata": { "name": name, "labels": labels } });
            state.set_namespace(&serde_json::from_value::<Namespace>(namespace)?);
        }
        for node in &case.nodes {
            state.add_node(&serde_json::from_value::<Node>(node.clone())?);
        }
        let mut budgets = Vec::new();
        for budget in &case.budgets {
            let selector: LabelSelector = serde_json::from_value(budget.selector())?;
            budgets.push(Budget::new(&mut state, budget.namespace, Some(&selector), budget.allowed));
        }
        Ok(Self {
            state,
            scheduler: Scheduler::default(),
            budgets,
            replica_sets: read_all(&case.replica_sets)?,
            services: read_all(&case.services)?,
            preempted: BTreeSet::new(),
            names: case.pods.iter().map(|pod| name_of(pod).to_owned()).collect(),
        })
    }

    /// The pod as the scheduler is asked about it, and whether it may have others stopped.
    pub(crate) fn arrival(&mut self, number: usize, pod: &Value) -> Result<Preemptor, Problem> {
        let pod: Pod = serde_json::from_value(pod.clone())?;
        let owners =
            Owners { services: &self.services, replica_sets: &self.replica_sets, ..Owners::default() };
        let template = self.state.intern_selected(&pod, &default_selector(&pod, owners))?;
        let id = PodId(number as u32);
        let nominated = self.state.nominated_node(id);
        let request = Request { pod: id, template, priority: pod.priority(), nominated };
        let never_preempts = pod.spec.preemption_policy == Some(PreemptionPolicy::Never);
        Ok(Preemptor { request, never_preempts })
    }

    /// One cycle, which changes nothing but where the next scan begins.
    pub(crate) fn opinion(&mut self, arrival: Preemptor) -> Opinion {
        let request = arrival.request;
        let now = Timestamp::from_millis(0);
        match self.scheduler.schedule(now, &mut self.state, &request, &mut |_| 0) {
            Ok(placement) => self.bound(&request, placement.node),
            Err(error) => self.refused(arrival, &error),
        }
    }

    fn bound(&mut self, request: &Request, choice: NodeId) -> Opinion {
        let feasible = self.feasible(request);
        let best = self.best_of(request, &feasible);
        let choice = self.state.node_name(choice).to_owned();
        Opinion::Bound { feasible: self.node_names(&feasible), best: self.node_names(&best), choice }
    }

    /// A promised node is tried alone first.
    fn feasible(&mut self, request: &Request) -> Vec<NodeId> {
        let mut fits = |node: NodeId| self.scheduler.fits(&mut self.state, request, node).is_ok();
        if let Some(node) = request.nominated.filter(|node| fits(*node)) {
            return vec![node];
        }
        let mut nodes = self.state.scan_order().to_vec();
        nodes.retain(|node| self.scheduler.fits(&mut self.state, request, *node).is_ok());
        nodes
    }

    fn best_of(&mut self, request: &Request, feasible: &[NodeId]) -> Vec<NodeId> {
        let mut totals = vec![0; feasible.len()];
        for plugin in self.scheduler.score(&mut self.state, request.template, feasible) {
            totals.iter_mut().zip(&plugin.scores).for_each(|(total, score)| *total += score);
        }
        let highest = totals.iter().max().copied();
        feasible
            .iter()
            .zip(&totals)
            .filter(|(_, total)| Some(**total) == highest)
            .map(|(node, _)| *node)
            .collect()
    }

    fn refused(&mut self, arrival: Preemptor, error: &FitError) -> Opinion {
        match self.candidates(arrival, error) {
            Ok(candidates) => {
                let best =
                    least_harmful(&candidates).expect("a search without candidates is refused").clone();
                // The first of equals wins, so a candidate that wins against the best is as good.
                let is_best = |one: &&Candidate| {
                    let pair = [(*one).clone(), best.clone()];
                    least_harmful(&pair).is_some_and(|winner| winner.node == one.node)
                };
                let rooms = candidates.iter().filter(is_best).map(|one| self.room(one)).collect();
                Opinion::Refused { message: error.message(""), rooms }
            }
            Err(refusal) => Opinion::Refused {
                message: error.message(&format!("preemption: {refusal}")),
                rooms: BTreeMap::new(),
            },
        }
    }

    fn candidates(
        &mut self,
        arrival: Preemptor,
        error: &FitError,
    ) -> Result<Vec<Candidate>, PreemptionRefusal> {
        let Self { state, scheduler, budgets, preempted, .. } = self;
        let request = arrival.request;
        let hopeless = request.nominated.is_some_and(|nominated| {
            !error.nodes.iter().any(|(node, rejection)| *node == nominated && !rejection.unresolvable)
        });
        let is_preempted = |pod: PodId| preempted.contains(&pod);
        check_eligible(state, arrival, hopeless, is_preempted)?;
        let circumstances =
            Circumstances { budgets: &*budgets, limits: LIMITS, is_preempted: &is_preempted, random: 0 };
        find_candidates(state, request.priority, error, circumstances, |state, node| {
            scheduler.fits(state, &request, node)
        })
    }

    fn room(&self, candidate: &Candidate) -> (String, BTreeSet<String>) {
        let victims = candidate.victims.pods.iter();
        let victims = victims.map(|victim| self.names[victim.pod.0 as usize].clone()).collect();
        (self.state.node_name(candidate.node).to_owned(), victims)
    }

    fn node_names(&self, nodes: &[NodeId]) -> BTreeSet<String> {
        nodes.iter().map(|node| self.state.node_name(*node).to_owned()).collect()
    }

    fn node(&self, name: &str) -> Result<NodeId, Problem> {
        self.state.node_by_name(name).ok_or_else(|| Problem::NoSuchNode(name.to_owned()))
    }

    /// Follows the real side: the pod is on this node since `start_time`.
    pub(crate) fn bind(&mut self, request: &Request, node: &str, start_time: i64) -> Result<(), Problem> {
        let node = self.node(node)?;
        self.state.clear_nomination(request.pod);
        let details = PodDetails { priority: request.priority, start_time, terminating: false };
        self.state.assign(request.pod, request.template, node, details);
        Ok(())
    }

    /// Follows the real side: the pod waits for a node, and these are going.
    pub(crate) fn promise(
        &mut self,
        request: &Request,
        node: &str,
        victims: &BTreeSet<String>,
    ) -> Result<(), Problem> {
        let node = self.node(node)?;
        let Request { pod, template, priority, .. } = *request;
        self.state.nominate(node, Nomination { pod, template, priority });
        for victim in self.numbers(victims) {
            self.state.set_terminating(victim);
            self.preempted.insert(victim);
        }
        Ok(())
    }

    pub(crate) fn withdraw_promise(&mut self, request: &Request) {
        self.state.clear_nomination(request.pod);
    }

    /// These are gone.
    pub(crate) fn remove(&mut self, pods: &BTreeSet<String>) {
        for pod in self.numbers(pods) {
            self.state.unassign(pod);
            self.preempted.remove(&pod);
        }
    }

    fn numbers(&self, names: &BTreeSet<String>) -> Vec<PodId> {
        let numbered = (0..).zip(&self.names);
        numbered.filter(|(_, name)| names.contains(*name)).map(|(number, _)| PodId(number)).collect()
    }
}

fn read_all<T: serde::de::DeserializeOwned>(objects: &[Value]) -> Result<Vec<T>, Problem> {
    objects.iter().map(|object| Ok(serde_json::from_value(object.clone())?)).collect()
}
