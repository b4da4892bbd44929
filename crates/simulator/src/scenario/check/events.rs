//! What happens when: workloads come and go, and events change them.

use super::Checker;
use super::workloads::Workloads;
use crate::scenario::raw::{RawChange, RawEvent, RawScenario};
use crate::scenario::{Change, Happening, PodTemplate, pod_template};
use model::names::{WorkloadKind, WorkloadRef};
use model::time::Timestamp;
use std::collections::BTreeMap;
use std::sync::Arc;

impl Checker<'_> {
    /// Everything that happens from outside, in the order of time.
    pub(super) fn happenings<D>(&mut self, raw: &RawScenario<D>, workloads: &Workloads) -> Vec<Happening> {
        let mut happenings = workloads.lives.clone();
        // Which template a workload has by then: an update changes what the one before it made.
        let mut templates: BTreeMap<usize, Arc<PodTemplate>> = BTreeMap::new();
        let mut order: Vec<usize> = (0..raw.events.len()).collect();
        order.sort_by_key(|index| raw.events[*index].at);
        for index in order {
            let (path, event) = (format!("events[{index}]"), &raw.events[index]);
            self.time(&format!("{path}.at"), event.at);
            let Some(workload) = self.event_target(&format!("{path}.workload"), event, workloads) else {
                continue;
            };
            self.sizes_of_kind(&path, event, workloads.specs[workload].reference.kind());
            let template = templates.entry(workload).or_insert_with(|| workloads.specs[workload].pod.clone());
            let change = change(&event.change, template);
            happenings.push(Happening { at: Timestamp::EPOCH + event.at, workload, change });
        }
        happenings.sort_by_key(|happening| happening.at);
        happenings
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
            WorkloadKind::CronJob => "each of its jobs is made as the file says; write another cronjob",
            _ => return,
        };
        if is_size {
            let message = format!("a {} has no replicas to change", kind.as_str());
            self.report(&format!("{path}.change.{key}"), message, instead);
        }
    }

    fn event_target(&mut self, path: &str, event: &RawEvent, workloads: &Workloads) -> Option<usize> {
        let reference: WorkloadRef = match event.workload.parse() {
            Ok(reference) => reference,
            Err(error) => {
                let proposal = "write kind/namespace/name, for instance deployment/default/web";
                self.report(path, format!("{:?}: {}", error.text, error.why), proposal);
                return None;
            }
        };
        let found = workloads.by_reference.get(&reference);
        if found.is_none() && workloads.are_complete {
            let known: Vec<String> = workloads.by_reference.keys().map(ToString::to_string).collect();
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            self.unknown(path, "workload", &reference.to_string(), &known);
        }
        found.copied().flatten()
    }
}

fn change(raw: &RawChange, template: &mut Arc<PodTemplate>) -> Change {
    match raw {
        RawChange::Delete {} => Change::Delete,
        RawChange::Scale { replicas } => Change::Scale { replicas: *replicas },
        RawChange::Update { cpu, memory, replicas } => {
            *template = Arc::new(pod_template::with_requests(template, *cpu, *memory));
            Change::Update { pod: Arc::clone(template), replicas: *replicas }
        }
    }
}
