//! Behaviour of the autoscaler over time, and what is wrong with a spec. Upstream's tables are run elsewhere.

#![expect(clippy::needless_raw_string_hashes, reason = "expect-test writes them")]

use super::raw::RawHorizontal;
use super::*;
use crate::controllers::pod::{PodKey, PodPhase};
use crate::kube::{self, CPU};
use expect_test::{Expect, expect};
use model::time::{Period, Timestamp};
use std::cell::Cell;
use std::fmt::Write;

/// Each pod requests one core and is as old as the world.
struct Fleet {
    template: kube::Pod,
}

impl Fleet {
    fn new() -> Self {
        let json = r#"{"spec": {"containers": [{"name": "web", "resources": {"requests": {"cpu": "1"}}}]}}"#;
        Self { template: serde_json::from_str(json).unwrap() }
    }

    fn pods(&self, count: u32) -> Vec<TargetPod<'_>> {
        (0..count).map(|key| self.pod(key)).collect()
    }

    fn pod(&self, key: u32) -> TargetPod<'_> {
        TargetPod {
            key: PodKey(key),
            phase: PodPhase::Running,
            deleting: false,
            started: Some(Timestamp::EPOCH),
            readiness: Some(Readiness { ready: true, since: Timestamp::EPOCH }),
            template: &self.template,
        }
    }
}

/// The same load on every pod, the same length of queue for all.
#[derive(Default)]
struct Load {
    pods: u32,
    each: Option<i64>,
    queue: Option<i64>,
    now: Timestamp,
    asked: Cell<u32>,
}

impl Load {
    fn samples(&self) -> Result<PodSamples, Unavailable> {
        self.asked.set(self.asked.get() + 1);
        let milli = self.each.ok_or(Unavailable)?;
        let sample = Sample { at: self.now, window: Period::from_secs(30), milli };
        Ok((0..self.pods).map(|key| (PodKey(key), sample)).collect())
    }
}

impl Metrics for Load {
    fn resource(&self, _: &str, _: Option<&str>) -> Result<PodSamples, Unavailable> {
        self.samples()
    }

    fn pods(&self, _: &MetricIdentifier) -> Result<PodSamples, Unavailable> {
        self.samples()
    }

    fn object(&self, _: &ObjectReference, _: &MetricIdentifier) -> Result<i64, Unavailable> {
        self.queue.ok_or(Unavailable)
    }

    fn external(&self, _: &MetricIdentifier) -> Result<Vec<i64>, Unavailable> {
        self.queue.map(|queue| vec![queue]).ok_or(Unavailable)
    }
}

/// Seconds after the first hour, when nobody doubts the samples of the first pods any more.
fn seconds(seconds: u64) -> Timestamp {
    Timestamp::EPOCH + Period::from_hours(1) + Period::from_secs(seconds)
}

fn spec(text: &str) -> HorizontalSpec {
    read("spec.yaml", text.as_bytes()).unwrap_or_else(|problems| panic!("{problems}"))
}

/// One autoscaler, its workload following at once, and a printed line for each reconciliation.
struct Play {
    fleet: Fleet,
    controller: Controller,
    spec: HorizontalSpec,
    replicas: u32,
    log: String,
}

impl Play {
    fn new(text: &str, replicas: u32) -> Self {
        let controller = Controller::new(Settings::default());
        Self { fleet: Fleet::new(), controller, spec: spec(text), replicas, log: String::new() }
    }

    /// Shares `total` millicores between all pods at a time, in seconds.
    fn load(&mut self, at: u64, total: i64) -> Decision {
        let each = total.checked_div(i64::from(self.replicas)).unwrap_or(0);
        self.step(at, Load { each: Some(each), queue: Some(total), ..Load::default() })
    }

    fn step(&mut self, at: u64, load: Load) -> Decision {
        let now = seconds(at);
        let load = Load { pods: self.replicas, now, ..load };
        let size = Scale {
            spec_replicas: self.replicas,
            status_replicas: self.replicas,
            selection: Selection::Clear,
        };
        let pods = self.fleet.pods(self.replicas);
        let decision = self.controller.reconcile(now, &self.spec, Some(size), &pods, &load);
        let to = decision.rescale.map_or(self.replicas, |rescale| rescale.to);
        let conditions = decision.conditions;
        writeln!(
            self.log,
            "{at} s: {} -> {to}  {} {} {}",
            self.replicas,
            conditions.able_to_scale.map_or("-", |condition| condition.reason.name()),
            conditions.scaling_active.map_or("-", |condition| condition.reason.name()),
            conditions.scaling_limited.map_or("-", |condition| condition.reason.name()),
        )
        .unwrap();
        self.replicas = to;
        decision
    }

    fn shows(&self, expected: &Expect) {
        expected.assert_eq(&self.log);
    }
}

const HALF_BUSY: &str = r"
maxReplicas: 20
metrics:
  - type: Resource
    resource: {name: cpu, target: {type: Utilization, averageUtilization: 50}}
";

#[test]
fn without_behavior_it_doubles_up_at_once_and_down_after_five_minutes() {
    let mut play = Play::new(HALF_BUSY, 3);
    play.load(0, 1500);
    play.load(15, 9000);
    play.load(30, 9000);
    play.load(45, 9000);
    play.load(60, 9000);
    play.load(75, 1000);
    play.load(345, 1000);
    play.load(361, 1000);
    play.load(376, 1000);
    play.shows(&expect![[r#"
        0 s: 3 -> 3  ReadyForNewScale ValidMetricFound DesiredWithinRange
        15 s: 3 -> 6  SucceededRescale ValidMetricFound ScaleUpLimit
        30 s: 6 -> 12  SucceededRescale ValidMetricFound ScaleUpLimit
        45 s: 12 -> 18  SucceededRescale ValidMetricFound DesiredWithinRange
        60 s: 18 -> 18  ReadyForNewScale ValidMetricFound DesiredWithinRange
        75 s: 18 -> 18  ScaleDownStabilized ValidMetricFound DesiredWithinRange
        345 s: 18 -> 18  ScaleDownStabilized ValidMetricFound DesiredWithinRange
        361 s: 18 -> 2  SucceededRescale ValidMetricFound DesiredWithinRange
        376 s: 2 -> 2  ReadyForNewScale ValidMetricFound DesiredWithinRange
    "#]]);
}

#[test]
fn policies_count_what_was_done_in_their_period() {
    let behavior = r"
behavior:
  scaleUp:
    policies: [{type: Pods, value: 2, periodSeconds: 60}]
  scaleDown:
    stabilizationWindowSeconds: 0
    policies: [{type: Percent, value: 50, periodSeconds: 60}]
";
    let mut play = Play::new(&format!("{HALF_BUSY}{behavior}"), 4);
    play.load(0, 9000);
    play.load(15, 9000);
    play.load(59, 9000);
    play.load(60, 9000);
    play.load(75, 100);
    play.load(90, 100);
    play.load(135, 100);
    play.load(150, 100);
    play.shows(&expect![[r#"
        0 s: 4 -> 6  SucceededRescale ValidMetricFound ScaleUpLimit
        15 s: 6 -> 6  ReadyForNewScale ValidMetricFound ScaleUpLimit
        59 s: 6 -> 6  ReadyForNewScale ValidMetricFound ScaleUpLimit
        60 s: 6 -> 8  SucceededRescale ValidMetricFound ScaleUpLimit
        75 s: 8 -> 3  SucceededRescale ValidMetricFound ScaleDownLimit
        90 s: 3 -> 3  ReadyForNewScale ValidMetricFound ScaleDownLimit
        135 s: 3 -> 1  SucceededRescale ValidMetricFound DesiredWithinRange
        150 s: 1 -> 1  ReadyForNewScale ValidMetricFound DesiredWithinRange
    "#]]);
}

#[test]
fn an_upward_window_waits_for_load_that_stays() {
    let behavior = "behavior: {scaleUp: {stabilizationWindowSeconds: 60}}";
    let mut play = Play::new(&format!("{HALF_BUSY}{behavior}"), 4);
    play.load(0, 2000);
    play.load(30, 6000);
    play.load(59, 6000);
    play.load(60, 6000);
    play.shows(&expect![[r#"
        0 s: 4 -> 4  ReadyForNewScale ValidMetricFound DesiredWithinRange
        30 s: 4 -> 4  ScaleUpStabilized ValidMetricFound DesiredWithinRange
        59 s: 4 -> 4  ScaleUpStabilized ValidMetricFound DesiredWithinRange
        60 s: 4 -> 8  SucceededRescale ValidMetricFound ScaleUpLimit
    "#]]);
}

#[test]
fn a_closed_direction_stays_closed() {
    let behavior = "behavior: {scaleDown: {selectPolicy: Disabled, stabilizationWindowSeconds: 0}}";
    let mut play = Play::new(&format!("{HALF_BUSY}{behavior}"), 4);
    play.load(0, 100);
    play.load(15, 3000);
    play.shows(&expect![[r#"
        0 s: 4 -> 4  ReadyForNewScale ValidMetricFound ScaleDownLimit
        15 s: 4 -> 6  SucceededRescale ValidMetricFound DesiredWithinRange
    "#]]);
}

const QUEUE_OR_BUSY: &str = r"
minReplicas: 0
maxReplicas: 9
metrics:
  - type: External
    external: {metric: {name: queue}, target: {type: AverageValue, averageValue: 1}}
  - type: Resource
    resource: {name: cpu, target: {type: AverageValue, averageValue: 500m}}
";

#[test]
fn a_silent_metric_may_not_be_read_as_idle() {
    let mut play = Play::new(QUEUE_OR_BUSY, 4);
    let up = play.step(0, Load { each: None, queue: Some(6000), ..Load::default() });
    assert_eq!(up.rescale, Some(Rescale { from: 4, to: 6, reason: RescaleReason::MetricAboveTarget(0) }));
    assert_eq!(up.failure, Some(Failure::Metrics));
    let down = play.step(600, Load { each: None, queue: Some(1000), ..Load::default() });
    assert_eq!((down.rescale, down.desired_replicas), (None, Some(6)));
    let neither = play.step(615, Load::default());
    assert_eq!(neither.metrics, [Err(MetricError::Unavailable), Err(MetricError::Unavailable)]);
    play.shows(&expect![[r#"
        0 s: 4 -> 6  SucceededRescale ValidMetricFound DesiredWithinRange
        600 s: 6 -> 6  SucceededGetScale FailedGetResourceMetric DesiredWithinRange
        615 s: 6 -> 6  SucceededGetScale FailedGetExternalMetric DesiredWithinRange
    "#]]);
}

#[test]
fn zero_is_reached_and_left_only_by_metrics_that_need_no_pods() {
    let mut play = Play::new(QUEUE_OR_BUSY, 1);
    play.load(0, 0);
    play.load(301, 0);
    play.step(316, Load { queue: Some(0), ..Load::default() });
    play.step(331, Load { queue: Some(1), ..Load::default() });
    play.shows(&expect![[r#"
        0 s: 1 -> 1  ScaleDownStabilized ValidMetricFound DesiredWithinRange
        301 s: 1 -> 0  SucceededRescale ValidMetricFound DesiredWithinRange
        316 s: 0 -> 0  ReadyForNewScale ValidMetricFound DesiredWithinRange
        331 s: 0 -> 1  SucceededRescale ValidMetricFound DesiredWithinRange
    "#]]);
    let mut off = Play::new(HALF_BUSY, 0);
    off.load(0, 9000);
    off.shows(&expect![[r#"
        0 s: 0 -> 0  SucceededGetScale ScalingDisabled -
    "#]]);
}

#[test]
fn out_of_bounds_no_metric_is_asked() {
    let fleet = Fleet::new();
    let spec = spec("{minReplicas: 3, maxReplicas: 5}");
    for (replicas, to, reason) in [(2, 3, RescaleReason::BelowMinimum), (9, 5, RescaleReason::AboveMaximum)] {
        let load = Load::default();
        let size = Scale { spec_replicas: replicas, status_replicas: 0, selection: Selection::Clear };
        let mut controller = Controller::new(Settings::default());
        let pods = fleet.pods(replicas);
        let decision = controller.reconcile(seconds(0), &spec, Some(size), &pods, &load);
        assert_eq!(decision.rescale, Some(Rescale { from: replicas, to, reason }));
        assert_eq!(load.asked.get(), 0);
        assert_eq!(controller.last_scaled(), Some(seconds(0)));
    }
}

#[test]
fn what_cannot_be_told_is_a_reason_not_to_scale() {
    let fleet = Fleet::new();
    let spec = spec(HALF_BUSY);
    let load = Load { pods: 2, each: Some(900), ..Load::default() };
    let rows = [
        (None, Some(Failure::ScaleUnavailable), "FailedGetScale", "-"),
        (Some(Selection::Invalid), Some(Failure::Selection), "SucceededGetScale", "InvalidSelector"),
        (Some(Selection::Ambiguous), Some(Failure::Selection), "SucceededGetScale", "AmbiguousSelector"),
        (Some(Selection::Clear), None, "SucceededRescale", "ValidMetricFound"),
    ];
    for (selection, failure, able, active) in rows {
        let size = selection.map(|selection| Scale { spec_replicas: 2, status_replicas: 2, selection });
        let mut controller = Controller::new(Settings::default());
        let decision = controller.reconcile(seconds(600), &spec, size, &fleet.pods(2), &load);
        assert_eq!(decision.failure, failure);
        assert_eq!(decision.rescale.is_some(), failure.is_none());
        let conditions = decision.conditions;
        assert_eq!(conditions.able_to_scale.map(|condition| condition.reason.name()), Some(able));
        assert_eq!(conditions.scaling_active.map_or("-", |condition| condition.reason.name()), active);
    }
}

#[test]
fn a_condition_keeps_its_time_while_it_stays_true() {
    let mut play = Play::new(HALF_BUSY, 2);
    let active = |decision: Decision| {
        let condition = decision.conditions.scaling_active.unwrap();
        (condition.reason.holds(), condition.since)
    };
    assert_eq!(active(play.load(0, 1000)), (true, seconds(0)));
    assert_eq!(active(play.load(15, 1000)), (true, seconds(0)));
    assert_eq!(active(play.step(30, Load::default())), (false, seconds(30)));
    assert_eq!(active(play.step(45, Load::default())), (false, seconds(30)));
    assert_eq!(active(play.load(60, 1000)), (true, seconds(60)));
}

/// Three pods at 100 % and a fourth that differs; the target is 50 %, the sample's window 30 s.
#[test]
fn a_pod_that_does_not_serve_yet_damps_scaling_up() {
    let fleet = Fleet::new();
    let now = seconds(0);
    let before = |seconds: u64| now.saturating_sub(Period::from_secs(seconds));
    let ready = |ready: bool, ago: u64| Some(Readiness { ready, since: before(ago) });
    let young = Some(before(60));
    let fourth = fleet.pod(3);
    let rows = [
        ("serves", fourth, 8),
        ("is being deleted", TargetPod { deleting: true, ..fourth }, 6),
        ("has failed", TargetPod { phase: PodPhase::Failed, ..fourth }, 6),
        ("is pending", TargetPod { phase: PodPhase::Pending, ..fourth }, 6),
        (
            "started lately and is not ready",
            TargetPod { started: young, readiness: ready(false, 60), ..fourth },
            6,
        ),
        (
            "became ready within the window",
            TargetPod { started: young, readiness: ready(true, 29), ..fourth },
            6,
        ),
        ("became ready before it", TargetPod { started: young, readiness: ready(true, 30), ..fourth }, 8),
        ("was never ready", TargetPod { readiness: ready(false, 3580), ..fourth }, 6),
        ("was ready once, it may be overloaded", TargetPod { readiness: ready(false, 3570), ..fourth }, 8),
        ("has no condition", TargetPod { readiness: None, ..fourth }, 6),
        ("has no start", TargetPod { started: None, ..fourth }, 6),
    ];
    for (what, pod, want) in rows {
        let mut pods = fleet.pods(3);
        pods.push(pod);
        let load = Load { pods: 4, each: Some(1000), now, ..Load::default() };
        let settings = Settings::default();
        let tolerances = spec(HALF_BUSY).tolerances(&settings);
        let calculator = Calculator { now, settings: &settings, tolerances, current: 4, pods: &pods };
        let target = 50.try_into().unwrap();
        let proposal = calculator.utilization(load.samples().unwrap(), CPU, None, target).unwrap();
        assert_eq!(proposal.replicas, want, "{what}");
    }
}

#[test]
fn a_pod_on_its_way_out_has_no_say() {
    let fleet = Fleet::new();
    let settings = Settings::default();
    let tolerances = spec(HALF_BUSY).tolerances(&settings);
    let load = Load { pods: 4, each: Some(500), now: seconds(0), ..Load::default() };
    let mut samples = load.samples().unwrap();
    samples.get_mut(&PodKey(3)).unwrap().milli = 90_000;
    let last = fleet.pod(3);
    let leaving = [TargetPod { deleting: true, ..last }, TargetPod { phase: PodPhase::Failed, ..last }];
    for pod in leaving {
        let pods = [fleet.pods(3), vec![pod]].concat();
        let calculator =
            Calculator { now: load.now, settings: &settings, tolerances, current: 3, pods: &pods };
        let target = 50.try_into().unwrap();
        let proposal = calculator.utilization(samples.clone(), CPU, None, target).unwrap();
        assert_eq!(proposal.current, Current::Utilization { percent: 50, average: 500 });
        assert_eq!(proposal.replicas, 3);
    }
}

#[test]
fn a_value_is_shared_by_the_pods_that_serve() {
    let fleet = Fleet::new();
    let unready = Some(Readiness { ready: false, since: Timestamp::EPOCH });
    let others = vec![
        TargetPod { readiness: unready, ..fleet.pod(2) },
        TargetPod { phase: PodPhase::Succeeded, ..fleet.pod(3) },
        TargetPod { readiness: None, ..fleet.pod(4) },
    ];
    let pods = [fleet.pods(2), others].concat();
    let settings = Settings::default();
    let tolerances = Tolerances { down: 0.1, up: 0.1 };
    let calculator = Calculator { now: seconds(0), settings: &settings, tolerances, current: 5, pods: &pods };
    let target = MilliTarget::new(1000).unwrap();
    let rows: [(&[i64], Result<u32, MetricError>); 5] = [
        (&[3000], Ok(6)),
        (&[1000, 2000], Ok(6)),
        (&[1100], Ok(5)),
        (&[1101], Ok(3)),
        (&[], Err(MetricError::Unavailable)),
    ];
    for (series, want) in rows {
        let got = calculator.value(series, target).map(|proposal| proposal.replicas);
        assert_eq!(got, want, "{series:?}");
    }
    let nobody = Calculator { pods: &[], ..calculator };
    assert_eq!(nobody.value(&[3000], target), Err(MetricError::NoPods));
}

#[test]
fn every_part_of_behavior_has_its_default() {
    let of = |text: &str| spec(&format!("{{maxReplicas: 5, behavior: {text}}}")).behavior.unwrap();
    let usual = Behavior { scale_up: ScalingRules::default_up(), scale_down: ScalingRules::default_down() };
    assert_eq!(of("{}"), usual);
    let patient = of("{scaleUp: {stabilizationWindowSeconds: 30}, scaleDown: {tolerance: 0.05}}");
    assert_eq!(patient.scale_up.policies, usual.scale_up.policies);
    assert_eq!(patient.scale_up.stabilization_window, Some(Period::from_secs(30)));
    assert_eq!((patient.scale_down.tolerance, patient.scale_up.tolerance), (Some(0.05), None));
    assert_eq!(patient.scale_down.longest_period(), Period::from_secs(15));
    let spec = spec("{maxReplicas: 5}");
    let percent = 80.try_into().unwrap();
    let cpu = MetricSpec::Resource { resource: CPU.to_owned(), target: PodTarget::Utilization(percent) };
    assert_eq!((spec.min_replicas, spec.metrics, spec.behavior), (1, vec![cpu], None));
}

#[test]
fn the_schema_is_enforced_completely() {
    assert_eq!(model::document::unsupported::<RawHorizontal>(), Vec::<String>::new());
}

fn problems(text: &str, expected: &Expect) {
    let found = read("spec.yaml", text.as_bytes()).expect_err("there is something wrong");
    let mut told = String::new();
    for problem in &found {
        writeln!(told, "{}:{}: {} | {}", problem.line, problem.path, problem.message, problem.proposal)
            .unwrap();
    }
    expected.assert_eq(&told);
}

#[test]
fn everything_wrong_with_a_metric_is_named_at_once() {
    problems(
        r"
minReplicas: 7
maxReplicas: 5
metrics:
  - type: Resource
    pods: {metric: {name: rps}, target: {type: AverageValue, averageValue: 10}}
  - type: Resource
    resource: {name: cpu, target: {type: Value, value: 10}}
  - type: Resource
    resource: {name: cpu, target: {type: Utilization, averageValue: 10}}
  - type: Pods
    pods: {metric: {name: a/b}, target: {type: AverageValue, averageValue: 0}}
  - type: External
    external:
      metric: {name: queue, selector: {matchExpressions: [{key: tier, operator: In}]}}
      target: {type: Value, value: 1e30}
  - type: Object
    object: {describedObject: {kind: Ingress, name: ..}, metric: {name: rps}, target: {type: Value, value: 2k}}
behavior:
  scaleDown: {tolerance: -0.1}
",
        &expect![[r#"
            3:maxReplicas: the minimum of 7 is above the maximum of 5 | write maxReplicas: 7, or a smaller minReplicas
            5:metrics[0]: a metric of type Resource needs resource | add resource beside type
            6:metrics[0].pods: a metric of type Resource is described under resource | remove pods, or change the type
            8:metrics[1].resource.target.type: such a metric has no target of type Value | write Utilization or AverageValue
            10:metrics[2].resource.target: a target of type Utilization needs averageUtilization | add averageUtilization beside type
            10:metrics[2].resource.target.averageValue: a target of type Utilization is written under averageUtilization | remove averageValue, or change the type
            12:metrics[3].pods.metric.name: "a/b" cannot be part of a URL's path | write a name without / and %, other than . and ..
            12:metrics[3].pods.target.averageValue: "0" is not above zero | write for instance 100 or 500m
            15:metrics[4].external.metric.selector.matchExpressions[0].values: In needs values to compare with | add values
            16:metrics[4].external.target.value: "1e30" is too large | write at most 9e15
            18:metrics[5].object.describedObject.name: ".." cannot be part of a URL's path | write a name without / and %, other than . and ..
            20:behavior.scaleDown.tolerance: a tolerance below zero would never be met | write for instance 0.05
        "#]],
    );
}

#[test]
fn what_the_api_server_refuses_is_refused() {
    problems(
        r"
minReplicas: 0
maxReplicas: 5
",
        &expect![[r"
            2:minReplicas: without pods nothing measures pods, so nothing would ever scale up from 0 | add an Object or External metric, or write minReplicas: 1
        "]],
    );
    problems(
        r"
maxReplicas: 0
metrics:
  - type: CheddarCheese
  - type: ContainerResource
    containerResource: {name: cpu, container: Web_1, target: {type: Utilization, averageUtilization: 0}}
  - type: Pods
    pods: {metric: {name: rps}, target: {type: AverageValue, averageValue: ten}}
behavior:
  scaleUp:
    stabilizationWindowSeconds: 3601
    policies: [{type: Percent, value: 0, periodSeconds: 1801}]
  scaleDown:
    policies: []
    selectpolicy: Max
",
        &expect![[r#"
            2:maxReplicas: expected a whole number of at least 1 and at most 1000000, found 0 | write at least 1, for instance 1
            4:metrics[0].type: expected Resource, ContainerResource, Pods, Object or External, found "CheddarCheese" | write for instance Resource
            6:metrics[1].containerResource.container: "Web_1" is not a name: a name has at most 63 lower-case letters, digits and '-', and begins and ends with a letter or digit | write web-1
            6:metrics[1].containerResource.target.averageUtilization: expected a whole number or nothing of at least 1 and at most 1000000, found 0 | write at least 1, for instance 1
            8:metrics[2].pods.target.averageValue: quantity "ten" does not start with a number | write for instance 500m
            11:behavior.scaleUp.stabilizationWindowSeconds: expected a whole number or nothing of at least 0 and at most 3600, found 3601 | write at most 3600
            12:behavior.scaleUp.policies[0].value: expected a whole number of at least 1 and at most 1000000, found 0 | write at least 1, for instance 1
            12:behavior.scaleUp.policies[0].periodSeconds: expected a whole number of at least 1 and at most 1800, found 1801 | write at most 1800
            14:behavior.scaleDown.policies: needs at least 1 entry, has 0 | write for instance [{ periodSeconds: 1, type: Pods, value: 1 }]
            15:behavior.scaleDown: unknown key "selectpolicy" | did you mean "selectPolicy"? known keys: policies, selectPolicy, stabilizationWindowSeconds, tolerance
        "#]],
    );
}

#[test]
fn a_slip_of_spelling_hides_nothing_and_causes_nothing() {
    problems(
        r"
minReplicas: 9
maxReplicas: five
metrics:
  - type: resource
    resource: {name: cpu, target: {type: Utilization, averageUtilization: 50}}
  - type: Resource
    resourse: {name: cpu, target: {type: Utilization, averageUtilization: 50}}
  - type: Resource
    resource: {name: cpu, target: {type: Utilization, averageUtilisation: 50}}
  - type: Pods
    pods: {metric: {name: a%b}, target: {type: AverageValue, averageValue: lots}}
",
        &expect![[r#"
            3:maxReplicas: expected a whole number of at least 1 and at most 1000000, found "five" | write for instance 1
            5:metrics[0].type: expected Resource, ContainerResource, Pods, Object or External, found "resource" | did you mean "Resource"?
            8:metrics[1]: unknown key "resourse" | did you mean "resource"? known keys: containerResource, external, object, pods, resource, type
            10:metrics[2].resource.target: unknown key "averageUtilisation" | did you mean "averageUtilization"? known keys: averageUtilization, averageValue, type, value
            12:metrics[3].pods.metric.name: "a%b" cannot be part of a URL's path | write a name without / and %, other than . and ..
            12:metrics[3].pods.target.averageValue: quantity "lots" does not start with a number | write for instance 500m
        "#]],
    );
}
