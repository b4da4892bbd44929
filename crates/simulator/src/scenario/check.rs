//! From the file as written to the scenario as meant: every problem is found, each with its place in the file.

use super::raw::{
    RawAgent, RawAutoscaler, RawChange, RawCluster, RawEvent, RawExpiry, RawPool, RawReviewMode, RawScenario,
    RawWorkload,
};
use super::{
    AgentSpec, AutoscalerSpec, Change, ClusterSpec, ControllerSpec, Delay, Happening, Limits, MigrationSpec,
    PoolSpec, ReviewerSpec, Scenario, Start, WorkloadSpec, WorldSpec, disruption_budget, node_template,
    outline, pod_template,
};
use crate::controllers::cron_schedule::Schedule;
use crate::controllers::int_or_percent::IntOrPercent;
use control::agent::{Cadence, Scope};
use control::control_loop::LoopConfig;
use control::guardrails::{Freeze, GuardrailConfig};
use control::review_desk::{Expiry, ReviewMode};
use model::document::{self, Checks, Document, Problem, Problems, Refusal, nearest};
use model::names::{AgentName, ClusterName, PoolName, ReviewerName, WorkloadKind, WorkloadRef, check_name};
use model::quantity::{Bytes, MilliCpu};
use model::resources::Resources;
use model::time::{Period, Timestamp};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A year: long enough for any experiment, short enough that integer milliseconds never overflow.
const LONGEST: Period = Period::from_hours(24 * 366);

/// More workloads than this are refused: each takes about a kilobyte before anything runs.
const MOST_WORKLOADS: usize = 1_000_000;

/// Reads and checks a scenario file.
pub fn read<D: DeserializeOwned + JsonSchema>(name: &str, bytes: &[u8]) -> Result<Scenario<D>, Problems> {
    read_with(name, bytes, |_| Ok(()))
}

/// Reads and checks a scenario file; `decides` says what is wrong with how an agent decides, which the simulator
/// itself does not know.
pub fn read_with<D: DeserializeOwned + JsonSchema>(
    name: &str,
    bytes: &[u8],
    decides: fn(&D) -> Result<(), String>,
) -> Result<Scenario<D>, Problems> {
    let checks = Checks::default().with("delay", |text| match text.parse::<Delay>() {
        Ok(_) => Ok(()),
        Err(error) => Err(Refusal::new(error.to_string())),
    });
    match document::read_with::<RawScenario<D>>(name, bytes, &checks) {
        Ok((raw, document)) => check(raw, &document, decides),
        Err(mut problems) => {
            let further = Document::from_bytes(name, bytes).map(|document| outline::problems(&document));
            further.into_iter().flatten().for_each(|problem| problems.push(problem));
            Err(problems)
        }
    }
}

/// Checks what the types alone cannot: references, order in time, bounds against each other.
pub fn check<D>(
    raw: RawScenario<D>,
    document: &Document,
    decides: fn(&D) -> Result<(), String>,
) -> Result<Scenario<D>, Problems> {
    let mut checker = Checker::new(document);
    for (index, agent) in raw.agents.iter().enumerate() {
        if let Err(why) = decides(&agent.decide) {
            checker.report(&format!("agents[{index}].decide"), why, None);
        }
    }
    let scenario = checker.scenario(raw);
    match scenario {
        Some(scenario) if checker.problems.is_empty() => Ok(scenario),
        _ => Err(document.problems(checker.problems)),
    }
}

pub(super) struct Checker<'a> {
    document: &'a Document,
    problems: Vec<Problem>,
}

impl<'a> Checker<'a> {
    pub(super) const fn new(document: &'a Document) -> Self {
        Self { document, problems: Vec::new() }
    }

    pub(super) fn into_problems(self) -> Vec<Problem> {
        self.problems
    }
}

impl Checker<'_> {
    fn report(&mut self, path: &str, message: impl Into<String>, proposal: Option<String>) {
        self.problems.push(self.document.problem_at(path, message, proposal));
    }

    fn scenario<D>(&mut self, raw: RawScenario<D>) -> Option<Scenario<D>> {
        self.duration("duration", raw.duration, raw.duration);
        if raw.duration.is_zero() {
            self.report(
                "duration",
                "a simulation of no length shows nothing",
                Some("write for instance 30m".into()),
            );
        }
        let clusters: Vec<ClusterSpec> = raw
            .clusters
            .iter()
            .enumerate()
            .filter_map(|(index, cluster)| self.cluster(index, cluster))
            .collect();
        self.unique("clusters", raw.clusters.iter().map(|cluster| cluster.name.as_str()));
        let cluster_names: Vec<&str> = raw.clusters.iter().map(|cluster| cluster.name.as_str()).collect();
        let mut happenings = Vec::new();
        let mut workloads = self.workloads(&raw, &cluster_names, &mut happenings);
        self.events(&raw, &mut workloads, &mut happenings);
        happenings.sort_by_key(|happening| happening.at);
        let control = self.control(&raw)?;
        let reviewer = ReviewerSpec {
            present: raw.review.mode == RawReviewMode::Simulated,
            delay: raw.reviewer.delay,
            rejects: raw.reviewer.rejects,
            ignores: raw.reviewer.ignores,
        };
        self.unique("agents", raw.agents.iter().map(|agent| agent.name.as_str()));
        let mut agents = Vec::new();
        for (index, agent) in raw.agents.into_iter().enumerate() {
            agents.extend(self.agent(index, agent, &cluster_names));
        }
        let world = WorldSpec {
            name: raw.name,
            description: raw.description,
            kubernetes: raw.kubernetes,
            duration: raw.duration,
            clusters,
            workloads,
            happenings,
            migration: MigrationSpec {
                mode: raw.migration.mode,
                propagation: raw.migration.propagation,
                ready_within: raw.migration.ready_within,
            },
            observation_delay: raw.observation.delay,
            limits: Limits { max_load: raw.limits.max_load, max_pending: raw.limits.max_pending },
        };
        Some(Scenario { world, control, reviewer, agents })
    }

    fn cluster(&mut self, index: usize, raw: &RawCluster) -> Option<ClusterSpec> {
        let path = format!("clusters[{index}]");
        self.unique(&format!("{path}.pools"), raw.pools.iter().map(|pool| pool.name.as_str()));
        let pools: Vec<PoolSpec> =
            (0..raw.pools.len()).filter_map(|at| self.pool(&path, at, &raw.pools[at])).collect();
        if let Some(autoscaler) = &raw.autoscaler {
            self.autoscaler(&format!("{path}.autoscaler"), autoscaler);
        }
        Some(ClusterSpec {
            name: ClusterName::new(&raw.name).ok()?,
            labels: raw.labels.clone(),
            region: raw.region.clone(),
            provider: raw.provider.clone(),
            pools,
            autoscaler: raw.autoscaler.as_ref().map(|autoscaler| AutoscalerSpec {
                scan_every: autoscaler.scan_every,
                scale_down_below: autoscaler.scale_down_below,
                unneeded_for: autoscaler.unneeded_for,
                delay_after_add: autoscaler.delay_after_add,
            }),
        })
    }

    fn autoscaler(&mut self, path: &str, raw: &RawAutoscaler) {
        if raw.scan_every.is_zero() {
            let proposal = Some("write for instance 10s, the upstream default".into());
            self.report(
                &format!("{path}.scan_every"),
                "an autoscaler that never pauses would stop time",
                proposal,
            );
        }
    }

    fn pool(&mut self, cluster: &str, index: usize, raw: &RawPool) -> Option<PoolSpec> {
        let path = format!("{cluster}.pools[{index}]");
        for (key, amount) in [("cpu", raw.cpu.0), ("memory", raw.memory.0)] {
            if amount == 0 {
                self.report(
                    &format!("{path}.{key}"),
                    format!("a node without {key} can run nothing"),
                    Some("write at least 1".into()),
                );
            }
        }
        let minimum = raw.minimum.unwrap_or(raw.nodes);
        let maximum = raw.maximum.unwrap_or(raw.nodes.max(minimum));
        if minimum > maximum {
            let message = format!("the minimum of {minimum} nodes is above the maximum of {maximum}");
            let proposal = format!("write minimum: {maximum}, maximum: {minimum}");
            self.report(&format!("{path}.minimum"), message, Some(proposal));
        } else if minimum > raw.nodes || raw.nodes > maximum {
            let message = format!("{} nodes at the start are not within {minimum} to {maximum}", raw.nodes);
            let proposal = format!("write nodes: {}", raw.nodes.clamp(minimum, maximum));
            self.report(&format!("{path}.nodes"), message, Some(proposal));
        }
        let left = |key: &str, whole: u64, taken: u64, checker: &mut Self| {
            if taken >= whole && whole > 0 {
                let message = "the system takes everything, nothing is left for workloads";
                let proposal = Some(format!("let it be less than the {key} of the node"));
                checker.report(&format!("{path}.overhead.{key}"), message, proposal);
            }
            whole.saturating_sub(taken)
        };
        let cpu = left("cpu", raw.cpu.0, raw.overhead.cpu.0, self);
        let memory = left("memory", raw.memory.0, raw.overhead.memory.0, self);
        Some(PoolSpec {
            name: PoolName::new(&raw.name).ok()?,
            nodes: raw.nodes,
            minimum,
            maximum,
            node: node_template::build(raw, cpu, memory),
            node_capacity: Resources::new(MilliCpu(cpu), Bytes(memory), u64::from(raw.pods)),
            zones: raw.zones.clone(),
            price_per_hour: raw.price_per_hour,
            boot_time: raw.boot_time,
        })
    }

    fn workloads<D>(
        &mut self,
        raw: &RawScenario<D>,
        clusters: &[&str],
        happenings: &mut Vec<Happening>,
    ) -> Vec<WorkloadSpec> {
        let mut workloads: Vec<WorkloadSpec> = Vec::new();
        let mut seen = BTreeMap::new();
        for (index, workload) in raw.workloads.iter().enumerate() {
            let path = format!("workloads[{index}]");
            let start = self.start(&path, workload, clusters);
            self.duration(&format!("{path}.at"), workload.at, raw.duration);
            let until = self.until(&path, workload, raw.duration);
            let controller = self.controller(&path, workload);
            let copies = self.names(&path, workload);
            if workloads.len() + copies.len() > MOST_WORKLOADS {
                self.report(&format!("{path}.copies"), format!("more than {MOST_WORKLOADS} workloads"), None);
                return workloads;
            }
            for name in copies {
                let Some(spec) =
                    self.workload(&path, workload, &name, raw, start.clone(), controller.clone())
                else {
                    continue;
                };
                if let Some(first) = seen.insert(spec.reference.clone(), index) {
                    let message = format!("{} is already defined in workloads[{first}]", spec.reference);
                    self.report(&format!("{path}.name"), message, Some("give each its own name".into()));
                }
                let at = Timestamp::EPOCH + workload.at;
                happenings.push(Happening { at, workload: workloads.len(), change: Change::Create });
                if let Some(at) = until {
                    happenings.push(Happening { at, workload: workloads.len(), change: Change::Delete });
                }
                workloads.push(spec);
            }
        }
        workloads
    }

    fn until(&mut self, path: &str, raw: &RawWorkload, longest: Period) -> Option<Timestamp> {
        let until = raw.until?;
        self.until_after_at(path, raw.at, until);
        let path = format!("{path}.until");
        self.duration(&path, until, longest);
        Some(Timestamp::EPOCH + until)
    }

    pub(super) fn until_after_at(&mut self, path: &str, at: Period, until: Period) {
        if until <= at {
            let message = format!("it would be deleted at {until}, not after it is created at {at}");
            self.report(&format!("{path}.until"), message, Some("let `until` be later than `at`".into()));
        }
    }

    fn names(&mut self, path: &str, raw: &RawWorkload) -> Vec<String> {
        let path = format!("{path}.name");
        let Some(copies) = raw.copies else { return vec![raw.name.clone()] };
        if copies > 1 && !raw.name.contains("{n}") {
            let proposal = Some(format!("write {}-{{n}}", raw.name));
            self.report(&path, format!("{copies} copies cannot all have the same name"), proposal);
            return Vec::new();
        }
        (1..=copies).map(|number| raw.name.replace("{n}", &number.to_string())).collect()
    }

    fn workload<D>(
        &mut self,
        path: &str,
        raw: &RawWorkload,
        name: &str,
        scenario: &RawScenario<D>,
        start: Option<Start>,
        controller: Option<ControllerSpec>,
    ) -> Option<WorkloadSpec> {
        if let Err(error) = check_name(name) {
            let proposal = error.proposal.map(|name| format!("write {name}"));
            self.report(&format!("{path}.name"), format!("{:?}: {}", error.text, error.why), proposal);
            return None;
        }
        let disruption_budget = match disruption_budget::read(raw) {
            Ok(budget) => budget,
            Err(fault) => {
                self.report(&format!("{path}.disruption_budget"), fault.message, Some(fault.proposal));
                return None;
            }
        };
        let pod = match pod_template::build(raw, name, &scenario.pods) {
            Ok(pod) => Arc::new(pod),
            Err(fault) => {
                let path = fault.key.map_or(format!("{path}.pod"), |key| format!("{path}.pod.{key}"));
                self.report(&path, fault.message, fault.proposal.map(str::to_owned));
                return None;
            }
        };
        Some(WorkloadSpec {
            reference: WorkloadRef::new(raw.kind, &raw.namespace, name).ok()?,
            start: start?,
            replicas: raw.replicas,
            pod,
            controller: controller?,
            run_time: raw.run_time,
            disruption_budget,
            movable: raw.movable,
        })
    }

    fn start(&mut self, path: &str, raw: &RawWorkload, clusters: &[&str]) -> Option<Start> {
        match (&raw.cluster, &raw.placement) {
            (Some(name), None) => {
                let known = clusters.iter().position(|cluster| cluster == name);
                if known.is_none() {
                    self.unknown(&format!("{path}.cluster"), "cluster", name, clusters);
                }
                known.map(Start::Cluster)
            }
            (None, Some(placement)) => {
                match serde_json::from_value(serde_json::Value::Object(placement.clone())) {
                    Ok(placement) => Some(Start::Policy(Arc::new(placement))),
                    Err(error) => {
                        self.report(&format!("{path}.placement"), error.to_string(), None);
                        None
                    }
                }
            }
            (None, None) => {
                let proposal =
                    Some(format!("add for instance cluster: {}", clusters.first().unwrap_or(&"member1")));
                self.report(
                    path,
                    "nothing says where it starts: neither `cluster` nor `placement`",
                    proposal,
                );
                None
            }
            (Some(_), Some(_)) => {
                let proposal = Some("remove `cluster`".to_owned());
                self.report(
                    &format!("{path}.cluster"),
                    "`placement` decides where it starts, so `cluster` has no meaning",
                    proposal,
                );
                None
            }
        }
    }

    fn controller(&mut self, path: &str, raw: &RawWorkload) -> Option<ControllerSpec> {
        use WorkloadKind::{CronJob, DaemonSet, Deployment, Job, Pod, ReplicaSet, StatefulSet};
        let only = |key: &str, present: bool, kinds: &[WorkloadKind], checker: &mut Self| {
            if present && !kinds.contains(&raw.kind) {
                let message = format!("`{key}` has no meaning for a {}", raw.kind.as_str());
                checker.report(&format!("{path}.{key}"), message, Some(format!("remove `{key}`")));
            }
        };
        only("max_surge", raw.max_surge.is_some(), &[Deployment], self);
        only("max_unavailable", raw.max_unavailable.is_some(), &[Deployment], self);
        only("run_time", raw.run_time.is_some(), &[Job, CronJob, Pod], self);
        only("completions", raw.completions.is_some(), &[Job, CronJob], self);
        only("schedule", raw.schedule.is_some(), &[CronJob], self);
        let completions = raw.completions.unwrap_or(raw.replicas);
        Some(match raw.kind {
            Deployment => ControllerSpec::Deployment {
                max_surge: self.int_or_percent(&format!("{path}.max_surge"), raw.max_surge.as_deref())?,
                max_unavailable: self
                    .int_or_percent(&format!("{path}.max_unavailable"), raw.max_unavailable.as_deref())?,
            },
            ReplicaSet => ControllerSpec::ReplicaSet,
            StatefulSet => ControllerSpec::StatefulSet,
            DaemonSet => ControllerSpec::DaemonSet,
            Job => ControllerSpec::Job { completions },
            CronJob => ControllerSpec::CronJob { schedule: self.schedule(path, raw)?, completions },
            Pod => ControllerSpec::Pod,
        })
    }

    /// A quarter, Kubernetes' default for both bounds of a rollout, when nothing is given.
    fn int_or_percent(&mut self, path: &str, text: Option<&str>) -> Option<IntOrPercent> {
        let text = text.unwrap_or("25%");
        if let Ok(count) = text.parse() {
            return Some(IntOrPercent::Count(count));
        }
        match text.parse() {
            Ok(value) => Some(value),
            Err(error) => {
                self.report(
                    path,
                    error.to_string(),
                    Some("write a number such as 1, or a percentage such as 25%".into()),
                );
                None
            }
        }
    }

    fn schedule(&mut self, path: &str, raw: &RawWorkload) -> Option<Schedule> {
        let Some(text) = &raw.schedule else {
            let proposal = Some("add for instance schedule: \"*/5 * * * *\"".into());
            self.report(path, "a cronjob needs a `schedule`", proposal);
            return None;
        };
        match Schedule::parse(text) {
            Ok(schedule) => Some(schedule),
            Err(error) => {
                self.report(&format!("{path}.schedule"), error.to_string(), None);
                None
            }
        }
    }

    fn events<D>(
        &mut self,
        raw: &RawScenario<D>,
        workloads: &mut [WorkloadSpec],
        happenings: &mut Vec<Happening>,
    ) {
        let mut templates: BTreeMap<usize, Arc<super::PodTemplate>> = BTreeMap::new();
        let mut order: Vec<usize> = (0..raw.events.len()).collect();
        order.sort_by_key(|index| raw.events[*index].at);
        for index in order {
            let event = &raw.events[index];
            let path = format!("events[{index}]");
            self.duration(&format!("{path}.at"), event.at, raw.duration);
            let Some(workload) = self.event_target(&path, event, workloads) else { continue };
            self.sizes_of_kind(&path, event, workloads[workload].reference.kind());
            let change = match &event.change {
                RawChange::Delete {} => Change::Delete,
                RawChange::Scale { replicas } => Change::Scale { replicas: *replicas },
                RawChange::Update { cpu, memory, replicas } => {
                    let former = templates.get(&workload).unwrap_or(&workloads[workload].pod);
                    let pod = Arc::new(pod_template::with_requests(former, *cpu, *memory));
                    templates.insert(workload, Arc::clone(&pod));
                    Change::Update { pod, replicas: *replicas }
                }
            };
            happenings.push(Happening { at: Timestamp::EPOCH + event.at, workload, change });
        }
    }

    /// Pods that nobody makes again, or that follow the nodes, have no number that could change.
    fn sizes_of_kind(&mut self, path: &str, event: &RawEvent, kind: WorkloadKind) {
        let (key, is_size) = match &event.change {
            RawChange::Scale { .. } => ("scale", true),
            RawChange::Update { replicas, .. } => ("update.replicas", replicas.is_some()),
            RawChange::Delete {} => ("delete", false),
        };
        let instead = match kind {
            WorkloadKind::DaemonSet => "its pods follow the nodes; remove this",
            WorkloadKind::Pod => "write kind: deployment, or another workload with the further pods",
            _ => return,
        };
        if is_size {
            let message = format!("a {} has no replicas to change", kind.as_str());
            self.report(&format!("{path}.change.{key}"), message, Some(instead.to_owned()));
        }
    }

    fn event_target(&mut self, path: &str, event: &RawEvent, workloads: &[WorkloadSpec]) -> Option<usize> {
        let path = format!("{path}.workload");
        let reference: WorkloadRef = match event.workload.parse() {
            Ok(reference) => reference,
            Err(error) => {
                self.report(&path, format!("{error}"), None);
                return None;
            }
        };
        let found = workloads.iter().position(|workload| workload.reference == reference);
        if found.is_none() {
            let known: Vec<String> =
                workloads.iter().map(|workload| workload.reference.to_string()).collect();
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            self.unknown(&path, "workload", &reference.to_string(), &known);
        }
        found
    }

    fn control<D>(&mut self, raw: &RawScenario<D>) -> Option<LoopConfig> {
        if raw.observation.every.is_zero() {
            let proposal = Some("write for instance 30s".into());
            self.report("observation.every", "observing without pause would stop time", proposal);
        }
        for (index, freeze) in raw.guardrails.freezes.iter().enumerate() {
            if freeze.until <= freeze.from {
                let message =
                    format!("the freeze ends at {}, not after it begins at {}", freeze.until, freeze.from);
                let proposal = Some("let `until` be later than `from`".into());
                self.report(&format!("guardrails.freezes[{index}].until"), message, proposal);
            }
        }
        let freezes = raw.guardrails.freezes.iter().map(|freeze| Freeze {
            from: Timestamp::EPOCH + freeze.from,
            until: Timestamp::EPOCH + freeze.until,
            reason: freeze.reason.clone(),
        });
        let enforced = |limit| raw.guardrails.enforce_limits.then_some(limit);
        let guardrails = GuardrailConfig {
            max_snapshot_age: raw.guardrails.max_snapshot_age,
            max_load: enforced(raw.limits.max_load),
            max_pending: enforced(raw.limits.max_pending),
            cool_down: raw.guardrails.cool_down,
            moves_per_hour: raw.guardrails.moves_per_hour,
            freezes: freezes.collect(),
        };
        let review = match raw.review.mode {
            RawReviewMode::Auto => ReviewMode::Auto { rule: ReviewerName::new("scenario").ok()? },
            RawReviewMode::Simulated | RawReviewMode::Hold => ReviewMode::Human,
        };
        let expiry = match raw.review.expiry {
            RawExpiry::Lifetime => Expiry::Lifetime { period: raw.review.expires_after },
            RawExpiry::NextBatch => Expiry::NextBatch,
        };
        let first_observation_at = Timestamp::EPOCH + raw.observation.every;
        Some(LoopConfig {
            observe_every: raw.observation.every,
            first_observation_at,
            guardrails,
            review,
            expiry,
        })
    }

    fn agent<D>(&mut self, index: usize, raw: RawAgent<D>, clusters: &[&str]) -> Option<AgentSpec<D>> {
        let path = format!("agents[{index}]");
        if raw.when.every.is_zero() {
            let proposal = Some("write for instance 60s".into());
            self.report(&format!("{path}.when.every"), "deciding without pause would stop time", proposal);
        }
        let mut scope =
            Scope { clusters: BTreeSet::new(), namespaces: raw.scope.namespaces.into_iter().collect() };
        for (at, name) in raw.scope.clusters.iter().enumerate() {
            if !clusters.contains(&name.as_str()) {
                self.unknown(&format!("{path}.scope.clusters[{at}]"), "cluster", name, clusters);
            }
            scope.clusters.extend(ClusterName::new(name).ok());
        }
        Some(AgentSpec {
            name: AgentName::new(&raw.name).ok()?,
            cadence: Cadence {
                every: raw.when.every,
                first_at: Timestamp::EPOCH + raw.when.first_at.unwrap_or(raw.when.every),
            },
            lookback: raw.observe.lookback,
            scope,
            decide: raw.decide,
        })
    }

    fn duration(&mut self, path: &str, period: Period, longest: Period) {
        if period > LONGEST {
            let proposal = Some(format!("write at most {LONGEST}"));
            self.report(path, format!("{period} is longer than a year"), proposal);
        } else if period > longest {
            let message = format!("{period} lies after the end of the simulation at {longest}");
            self.report(path, message, Some("lengthen `duration` or move this earlier".into()));
        }
    }

    fn unique<'n>(&mut self, path: &str, names: impl Iterator<Item = &'n str>) {
        let mut first = BTreeMap::new();
        for (index, name) in names.enumerate() {
            if let Some(former) = first.insert(name, index) {
                let message = format!("the name {name:?} is already used by {path}[{former}]");
                let proposal = Some("give each its own name".into());
                self.report(&format!("{path}[{index}].name"), message, proposal);
            }
        }
    }

    pub(super) fn unknown(&mut self, path: &str, what: &str, name: &str, known: &[&str]) {
        let nearest = nearest(name, known.iter().copied());
        let some = known.iter().take(5).copied().collect::<Vec<_>>().join(", ");
        let proposal =
            nearest.map_or_else(|| format!("known: {some}"), |near| format!("did you mean {near}?"));
        self.report(path, format!("there is no {what} {name:?}"), Some(proposal));
    }
}
