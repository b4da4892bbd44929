//! Vertical autoscalers in the simulated world: they read what was scraped and say what pods should request. Nothing
//! follows from that by itself.

use super::SimulatedWorld;
use super::agenda::Event;
use super::horizontal::key;
use super::pods::PodKey;
use crate::scenario::WorldSpec;
use crate::vertical::{Amounts, MIN_SAMPLE_WEIGHT, Recommendation, Recommender};
use model::names::WorkloadRef;
use model::quantity::MilliCpu;
use model::time::Period;
use std::collections::{BTreeMap, BTreeSet};

/// `recommender-interval` upstream.
const EVERY: Period = Period::from_minutes(1);

/// Upstream recommends for containers. Here a pod is measured as a whole and counts as one.
const CONTAINERS: u32 = 1;

/// One autoscaler as it runs.
#[derive(Clone, Debug)]
pub(crate) struct VerticalRun {
    pub(super) workload: usize,
    recommender: Recommender,
    /// Pods of which it has samples, by cluster.
    known: BTreeSet<(usize, PodKey)>,
    latest: Option<Recommendation>,
}

/// What a vertical autoscaler said at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerticalTotals {
    /// What one pod requests.
    pub requested: Amounts,
    /// Nothing if no pod was ever measured.
    pub recommended: Option<Recommendation>,
}

impl VerticalRun {
    pub(super) fn all(spec: &WorldSpec) -> Vec<Self> {
        let runs = spec.workloads.iter().enumerate().filter_map(|(workload, spec)| {
            let spec = spec.vertical.as_ref()?;
            let recommender = Recommender::new(spec.settings, spec.policy, CONTAINERS);
            Some(Self { workload, recommender, known: BTreeSet::new(), latest: None })
        });
        runs.collect()
    }
}

impl SimulatedWorld {
    pub(super) fn plan_vertical_look(&mut self) {
        if !self.verticals.is_empty() {
            self.agenda.after(EVERY, Event::VerticalsLook);
        }
    }

    /// Every autoscaler takes the newest samples of its pods and recommends anew.
    pub(super) fn verticals_look(&mut self) {
        let mut runs = std::mem::take(&mut self.verticals);
        for run in &mut runs {
            self.take_samples(run);
            run.latest = run.recommender.recommend(self.agenda.now());
        }
        self.verticals = runs;
        self.plan_vertical_look();
    }

    /// CPU and memory come with the same scrape. One that was seen before is refused by the recommender.
    fn take_samples(&self, run: &mut VerticalRun) {
        let records: Vec<_> = self.records_of(run.workload).collect();
        let present = records.iter().map(|(cluster, record)| (*cluster, record.key)).collect();
        for (cluster, pod) in run.known.difference(&present) {
            run.recommender.forget(key(*cluster, *pod));
        }
        run.known = present;
        for (cluster, record) in records {
            let Some(reading) = self.pod_reading(cluster, record.key) else { continue };
            let pod = key(cluster, record.key);
            run.recommender.add_cpu(pod, reading.at, MilliCpu(reading.value.0), MIN_SAMPLE_WEIGHT);
            run.recommender.add_memory(pod, reading.at, record.spec.memory_use);
        }
    }

    pub(super) fn vertical_totals(&self) -> BTreeMap<WorkloadRef, VerticalTotals> {
        let totals = |run: &VerticalRun| {
            let each = self.workloads[run.workload].template.each;
            let requested = Amounts { cpu: each.cpu, memory: each.memory };
            let reference = self.spec.workloads[run.workload].reference.clone();
            (reference, VerticalTotals { requested, recommended: run.latest })
        };
        self.verticals.iter().map(totals).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::{self, Scenario};
    use model::document::to_yaml;
    use model::quantity::Bytes;
    use model::time::Timestamp;
    use serde_json::{Value, json};
    use std::sync::Arc;

    fn world(workload: &Value, faults: &Value) -> SimulatedWorld {
        let mut web = json!({ "name": "web", "cluster": "one", "cpu": "1", "memory": "2Gi", "replicas": 4 });
        web.as_object_mut().unwrap().extend(workload.as_object().unwrap().clone());
        let text = to_yaml(
            &json!({ "drover": "scenario/v1", "name": "small", "duration": "50h", "service_step": "30s",
            "clusters": [{ "name": "one", "pools": [{ "nodes": 2, "cpu": "8", "memory": "16Gi" }] }],
            "workloads": [web], "faults": faults }),
        );
        let read: Scenario<Value> = scenario::read("small.yaml", text.as_bytes())
            .unwrap_or_else(|problems| panic!("{problems}\n{text}"));
        SimulatedWorld::new(Arc::new(read.world), read.reviewer, 1)
    }

    fn run(world: &mut SimulatedWorld, hours: u64) -> VerticalTotals {
        let until = Timestamp::EPOCH + Period::from_hours(hours);
        while world.agenda.next_at().is_some_and(|next| next <= until) {
            world.step();
        }
        world.totals().verticals.into_values().next().expect("one autoscaler")
    }

    #[test]
    fn steady_use_is_recommended_with_its_margin() {
        let spec = json!({ "cpu_use": 0.3, "memory_use": 0.5, "vertical_autoscaler": {} });
        let totals = run(&mut world(&spec, &json!([])), 48);
        assert_eq!(totals.requested, Amounts { cpu: MilliCpu(1_000), memory: Bytes(2 << 30) });
        let recommended = totals.recommended.unwrap();
        // 300m and 1 GiB lie in buckets that end at most 5 % above; then come the 15 % of the margin.
        let near = |amount: u64, used: f64| (1.15..1.22).contains(&(amount as f64 / used));
        assert!(near(recommended.target.cpu.0, 300.0), "{recommended:?}");
        assert!(near(recommended.target.memory.0, f64::from(1 << 30)), "{recommended:?}");
        assert!(recommended.lower.cpu <= recommended.target.cpu);
        assert!(recommended.target.cpu < recommended.upper.cpu, "two days are not much: {recommended:?}");
    }

    #[test]
    fn a_service_is_recommended_what_its_busy_hours_need() {
        // Ten hours at a tenth of a core for each of four replicas, then ten hours at four tenths.
        let stages =
            json!([{ "for": "10h", "to": 40 }, { "for": "1s", "to": 160 }, { "for": "10h", "to": 160 }]);
        let demand = json!({ "requests_per_second": { "stages": { "from": 40, "list": stages } } });
        let spec =
            json!({ "vertical_autoscaler": {}, "service": { "demand": demand, "cpu_per_request": "10ms" } });
        let mut world = world(&spec, &json!([]));
        let quiet = run(&mut world, 9).recommended.unwrap().target.cpu.0;
        let busy = run(&mut world, 20).recommended.unwrap().target.cpu.0;
        assert!((110..130).contains(&quiet), "{quiet}");
        assert!((440..500).contains(&busy), "{busy}");
    }

    #[test]
    fn what_is_allowed_bounds_what_is_recommended() {
        let allowed = json!({ "min_allowed": { "cpu": "400m" }, "max_allowed": { "memory": "1Gi" } });
        let spec = json!({ "cpu_use": 0.1, "vertical_autoscaler": allowed });
        let recommended = run(&mut world(&spec, &json!([])), 1).recommended.unwrap();
        assert_eq!((recommended.target.cpu, recommended.lower.cpu), (MilliCpu(400), MilliCpu(400)));
        assert_eq!(recommended.upper.memory, Bytes(1 << 30));
        assert!(recommended.uncapped.cpu < MilliCpu(200) && recommended.uncapped.memory > Bytes(2 << 30));
    }

    #[test]
    fn nothing_is_recommended_without_a_measurement() {
        let spec = json!({ "replicas": 0, "vertical_autoscaler": {} });
        assert_eq!(run(&mut world(&spec, &json!([])), 1).recommended, None);
        let lost = json!([{ "fault": { "lost_metrics": { "cluster": "one" } }, "at": "0s", "for": "2h" }]);
        let mut unseen = world(&json!({ "vertical_autoscaler": {} }), &lost);
        assert_eq!(run(&mut unseen, 2).recommended, None, "it sees scrapes, not the truth");
        assert!(run(&mut unseen, 3).recommended.is_some());
    }

    #[test]
    fn pods_are_left_as_they_are() {
        let spec = json!({ "cpu_use": 0.1, "vertical_autoscaler": {} });
        let mut world = world(&spec, &json!([]));
        run(&mut world, 48);
        assert_eq!(world.pods_made(), 4);
        assert_eq!(world.clusters[0].sums.requested.cpu, MilliCpu(4_000));
    }
}
