//! Workloads: where and when they start, who makes their pods, and what the pods are.

use super::Checker;
use super::known::KnownNames;
use super::services::Surroundings;
use crate::controllers::cron_schedule::Schedule;
use crate::controllers::disruption::DisruptionBudget;
use crate::controllers::int_or_percent::IntOrPercent;
use crate::horizontal::HorizontalSpec;
use crate::scenario::disruption_budget::CountOrShare;
use crate::scenario::pod_template::{self, PodFault};
use crate::scenario::raw::{RawPodTimes, RawScenario, RawWorkload};
use crate::scenario::{
    Change, ControllerSpec, Happening, PodTemplate, ServiceSpec, Start, WorkloadSpec, disruption_budget,
};
use crate::vertical::VerticalSpec;
use model::document::child;
use model::names::{WorkloadKind, WorkloadRef, check_name};
use model::time::Timestamp;
use std::collections::BTreeMap;
use std::sync::Arc;

/// More workloads than this are refused: each takes about a kilobyte before anything runs.
pub(super) const MOST_WORKLOADS: usize = 1_000_000;

/// A placement as a proposal shows it.
const PLACEMENT: &str = "{ clusterAffinity: { clusterNames: [member1, member2] } }";

/// All workloads of a file, its copies written out.
pub(super) struct Workloads {
    pub(super) specs: Vec<WorkloadSpec>,
    /// Everything that events may refer to, with its index in `specs` if it is sound.
    pub(super) by_reference: BTreeMap<WorkloadRef, Option<usize>>,
    /// Whether all references are known; if not, one that is not here may still be right.
    pub(super) are_complete: bool,
    /// When each of `specs` begins and ends.
    pub(super) lives: Vec<Happening>,
}

/// What all copies of a workload share.
struct Common<'r> {
    path: String,
    raw: &'r RawWorkload,
    start: Option<Start>,
    controller: Option<ControllerSpec>,
    disruption_budget: Option<DisruptionBudget>,
    service: Option<Arc<ServiceSpec>>,
    horizontal: Option<Arc<HorizontalSpec>>,
    vertical: Option<Arc<VerticalSpec>>,
    until: Option<Timestamp>,
}

impl Checker<'_> {
    pub(super) fn workloads<D>(
        &mut self,
        raw: &RawScenario<D>,
        clusters: &KnownNames<'_>,
        network: &Surroundings<'_>,
    ) -> Workloads {
        let mut workloads = Workloads {
            specs: Vec::new(),
            by_reference: BTreeMap::new(),
            are_complete: !self.doubts.cover("workloads"),
            lives: Vec::new(),
        };
        let mut first_use = BTreeMap::new();
        for (index, workload) in raw.workloads.iter().enumerate() {
            let path = format!("workloads[{index}]");
            let copies = self.copies(&path, workload);
            if first_use.len() + copies.len() > MOST_WORKLOADS {
                let message = format!("more than {MOST_WORKLOADS} workloads");
                self.report(&format!("{path}.copies"), message, "write fewer copies");
                workloads.are_complete = false;
                return workloads;
            }
            let references = self.references(&path, workload, &copies);
            workloads.are_complete &= !references.is_empty() && references.len() == copies.len();
            self.used_once(index, &references, &mut first_use);
            let common = self.common(path, workload, clusters, network);
            self.specify(&common, references, &raw.pods, &mut workloads);
        }
        workloads
    }

    fn common<'r>(
        &mut self,
        path: String,
        raw: &'r RawWorkload,
        clusters: &KnownNames<'_>,
        network: &Surroundings<'_>,
    ) -> Common<'r> {
        let start = self.start(&path, raw, clusters);
        for (key, spread) in
            [("run_time", &raw.run_time), ("start_time", &raw.start_time), ("stop_time", &raw.stop_time)]
        {
            self.spread(&format!("{path}.{key}"), spread.as_ref());
        }
        self.time(&format!("{path}.at"), raw.at);
        let until = self.until(&path, raw);
        let controller = self.controller(&path, raw);
        let disruption_budget = self.disruption_budget(&path, raw);
        let service = self.service(&path, raw, network);
        let horizontal = self.horizontal(&path, raw);
        let vertical = self.vertical(&path, raw);
        Common { path, raw, start, controller, disruption_budget, service, horizontal, vertical, until }
    }

    fn disruption_budget(&mut self, path: &str, raw: &RawWorkload) -> Option<DisruptionBudget> {
        let read = disruption_budget::read(raw);
        if let Err(fault) = &read
            && self.is_sure(path, &["kind", "disruption_budget"])
        {
            let place = format!("{path}.disruption_budget");
            self.report(&place, fault.message.clone(), fault.proposal.clone());
        }
        read.ok().flatten()
    }

    fn until(&mut self, path: &str, raw: &RawWorkload) -> Option<Timestamp> {
        let (at, until) = (raw.at, raw.until?);
        let place = format!("{path}.until");
        if until <= at && self.is_sure(path, &["at"]) {
            let message = format!("it would be deleted at {until}, not after it is created at {at}");
            self.report(&place, message, "let `until` be later than `at`");
        }
        self.time(&place, until);
        Some(Timestamp::EPOCH + until)
    }

    /// The names of all copies.
    fn copies(&mut self, path: &str, raw: &RawWorkload) -> Vec<String> {
        let Some(copies) = raw.copies else { return vec![raw.name.clone()] };
        if copies > 1 && !raw.name.contains("{n}") {
            if self.is_sure(path, &["copies"]) {
                let message = format!("{copies} copies cannot all have the same name");
                self.report(&format!("{path}.name"), message, format!("write {}-{{n}}", raw.name));
            }
            return Vec::new();
        }
        (1..=copies).map(|number| raw.name.replace("{n}", &number.to_string())).collect()
    }

    /// What events call these copies; nothing when any part of that could not be read.
    fn references(&mut self, path: &str, raw: &RawWorkload, copies: &[String]) -> Vec<WorkloadRef> {
        if let Some(error) = copies.iter().find_map(|name| check_name(name).err()) {
            let proposal =
                error.proposal.map_or("write for instance web".to_owned(), |name| format!("write {name}"));
            self.report(&format!("{path}.name"), format!("{:?}: {}", error.text, error.why), proposal);
            return Vec::new();
        }
        if !self.is_sure(path, &["name", "namespace", "kind", "copies"]) {
            return Vec::new();
        }
        let reference = |name: &String| WorkloadRef::new(raw.kind, &raw.namespace, name).ok();
        copies.iter().filter_map(reference).collect()
    }

    /// One complaint for all copies: they repeat each other together.
    fn used_once(
        &mut self,
        index: usize,
        references: &[WorkloadRef],
        first_use: &mut BTreeMap<WorkloadRef, usize>,
    ) {
        let mut repeated = None;
        for reference in references {
            let former = *first_use.entry(reference.clone()).or_insert(index);
            if former != index {
                repeated.get_or_insert((reference, former));
            }
        }
        if let Some((reference, former)) = repeated {
            let message = format!("{reference} is already defined in workloads[{former}]");
            self.report(&format!("workloads[{index}].name"), message, "give each its own name");
        }
    }

    fn specify(
        &mut self,
        common: &Common<'_>,
        references: Vec<WorkloadRef>,
        times: &RawPodTimes,
        workloads: &mut Workloads,
    ) {
        let Common { path, raw, .. } = common;
        let name = references.first().map_or(raw.name.as_str(), WorkloadRef::name);
        let mut first = self.pod(path, raw, name, times);
        for reference in references {
            let pod = first.take().or_else(|| pod_template::build(raw, reference.name(), times).ok());
            let spec = pod.and_then(|pod| common.spec(reference.clone(), pod));
            workloads.by_reference.insert(reference, spec.is_some().then_some(workloads.specs.len()));
            if let Some(spec) = spec {
                workloads.lives.extend(common.life(workloads.specs.len()));
                workloads.specs.push(spec);
            }
        }
    }

    fn pod(&mut self, path: &str, raw: &RawWorkload, name: &str, times: &RawPodTimes) -> Option<PodTemplate> {
        let pod = format!("{path}.pod");
        let faults = match pod_template::build(raw, name, times) {
            Ok(template) => return Some(template),
            Err(faults) => faults,
        };
        for PodFault { key, message, proposal } in faults {
            let place = key.map_or(pod.clone(), |key| child(&pod, &key));
            if !self.doubts.touch(&place) {
                self.report(&place, message, proposal);
            }
        }
        None
    }

    fn start(&mut self, path: &str, raw: &RawWorkload, clusters: &KnownNames<'_>) -> Option<Start> {
        let place = format!("{path}.cluster");
        match (&raw.cluster, &raw.placement) {
            (Some(name), None) => self.resolve(&place, name, clusters).map(Start::Cluster),
            (None, Some(placement)) => {
                match serde_json::from_value(serde_json::Value::Object(placement.clone())) {
                    Ok(placement) => return Some(Start::Policy(Arc::new(placement))),
                    Err(error) if self.is_sure(path, &["placement"]) => {
                        let proposal = format!("write for instance {PLACEMENT}");
                        self.report(&format!("{path}.placement"), error.to_string(), proposal);
                    }
                    Err(_) => {}
                }
                None
            }
            (None, None) => {
                if self.is_sure(path, &["cluster", "placement"]) {
                    let message = "nothing says where it starts: neither `cluster` nor `placement`";
                    let example = clusters.names.first().filter(|_| clusters.is_complete);
                    let proposal = format!("add for instance cluster: {}", example.unwrap_or(&"member1"));
                    self.report(path, message, proposal);
                }
                None
            }
            (Some(_), Some(_)) => {
                let message = "`placement` decides where it starts, so `cluster` has no meaning";
                self.report(&place, message, "remove `cluster`");
                None
            }
        }
    }

    fn controller(&mut self, path: &str, raw: &RawWorkload) -> Option<ControllerSpec> {
        use WorkloadKind::{CronJob, DaemonSet, Deployment, Job, Pod, ReplicaSet, StatefulSet};
        self.only(path, raw.kind, "max_surge", raw.max_surge.is_some(), &[Deployment]);
        self.only(path, raw.kind, "max_unavailable", raw.max_unavailable.is_some(), &[Deployment]);
        self.only(path, raw.kind, "run_time", raw.run_time.is_some(), &[Job, CronJob, Pod]);
        self.only(path, raw.kind, "completions", raw.completions.is_some(), &[Job, CronJob]);
        self.only(path, raw.kind, "schedule", raw.schedule.is_some(), &[CronJob]);
        let completions = raw.completions.unwrap_or(raw.replicas);
        Some(match raw.kind {
            Deployment => {
                let max_surge = self.int_or_percent(path, "max_surge", raw.max_surge.as_ref());
                let max_unavailable =
                    self.int_or_percent(path, "max_unavailable", raw.max_unavailable.as_ref());
                ControllerSpec::Deployment { max_surge: max_surge?, max_unavailable: max_unavailable? }
            }
            ReplicaSet => ControllerSpec::ReplicaSet,
            StatefulSet => ControllerSpec::StatefulSet,
            DaemonSet => ControllerSpec::DaemonSet,
            Job => ControllerSpec::Job { completions },
            CronJob => ControllerSpec::CronJob { schedule: Box::new(self.schedule(path, raw)?), completions },
            Pod => ControllerSpec::Pod,
        })
    }

    /// A key that means something for some kinds only.
    fn only(&mut self, path: &str, kind: WorkloadKind, key: &str, is_set: bool, kinds: &[WorkloadKind]) {
        if is_set && !kinds.contains(&kind) && self.is_sure(path, &["kind"]) {
            let message = format!("`{key}` has no meaning for a {}", kind.as_str());
            self.report(&format!("{path}.{key}"), message, format!("remove `{key}`"));
        }
    }

    /// A quarter, Kubernetes' default for both bounds of a rollout, when nothing is given.
    fn int_or_percent(
        &mut self,
        path: &str,
        key: &str,
        written: Option<&CountOrShare>,
    ) -> Option<IntOrPercent> {
        let text = match written {
            None => "25%",
            Some(CountOrShare::Count(count)) => return Some(IntOrPercent::Count(*count)),
            Some(CountOrShare::Text(text)) => text.as_str(),
        };
        let read = text.parse().map(IntOrPercent::Count).or_else(|_| text.parse::<IntOrPercent>());
        if read.is_err() {
            let message = format!("{text:?} is neither a number nor a percentage");
            let proposal = "write a number such as 1, or a percentage such as 25%";
            self.report(&format!("{path}.{key}"), message, proposal);
        }
        read.ok()
    }

    fn schedule(&mut self, path: &str, raw: &RawWorkload) -> Option<Schedule> {
        let Some(text) = &raw.schedule else {
            if self.is_sure(path, &["schedule"]) {
                let proposal = "add for instance schedule: \"*/5 * * * *\"";
                self.report(path, "a cronjob needs a `schedule`", proposal);
            }
            return None;
        };
        let read = Schedule::parse(text);
        if let Err(error) = &read {
            self.report(&format!("{path}.schedule"), error.to_string(), error.proposal());
        }
        read.ok()
    }
}

impl Common<'_> {
    fn spec(&self, reference: WorkloadRef, pod: PodTemplate) -> Option<WorkloadSpec> {
        Some(WorkloadSpec {
            reference,
            start: self.start.clone()?,
            replicas: self.raw.replicas,
            pod: Arc::new(pod),
            controller: self.controller.clone()?,
            run_time: self.raw.run_time.clone(),
            disruption_budget: self.disruption_budget,
            movable: self.raw.movable,
            service: self.service.clone(),
            horizontal: self.horizontal.clone(),
            vertical: self.vertical.clone(),
        })
    }

    /// The beginning and the end of the workload of an index.
    fn life(&self, workload: usize) -> impl Iterator<Item = Happening> {
        let begins = Happening { at: Timestamp::EPOCH + self.raw.at, workload, change: Change::Create };
        let ends = self.until.map(|at| Happening { at, workload, change: Change::Delete });
        [Some(begins), ends].into_iter().flatten()
    }
}
