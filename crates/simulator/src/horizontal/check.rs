//! From an autoscaler as written to one that cannot be wrong; every problem is found, each with its place.
//!
//! The rules are those of Kubernetes' API server. One is stricter: a target's type must agree with the number that is
//! given, where Kubernetes takes the number and lets the type say something else.

use super::raw::{
    RawBehavior, RawHorizontal, RawMetric, RawMetricIdentifier, RawMetricType, RawObjectReference,
    RawOperator, RawPolicy, RawPolicyType, RawRequirement, RawScalingRules, RawSelectPolicy, RawSelector,
    RawTarget, RawTargetType,
};
use super::spec::{
    Behavior, HorizontalSpec, MetricIdentifier, MetricSpec, MilliTarget, ObjectReference, PodTarget, Policy,
    ScalingRules, SelectPolicy, Step, WholeTarget,
};
use crate::kube::{CPU, LabelSelector, LabelSelectorOperator, LabelSelectorRequirement};
use model::document::{self, Checks, Document, Doubts, Draft, Problem, Problems, child, item, shown};
use model::quantity::Quantity;
use model::time::Period;
use std::num::NonZeroU32;

/// The target of an autoscaler without metrics, in per cent of the requested CPU.
const DEFAULT_CPU_UTILIZATION: NonZeroU32 = NonZeroU32::new(80).expect("80 is not zero");

/// Reads a file that holds nothing but an autoscaler's spec.
pub fn read(name: &str, bytes: &[u8]) -> Result<HorizontalSpec, Problems> {
    let Draft { value, document, doubts, mut problems } = document::draft(name, bytes, &Checks::default())?;
    match check(&value, &document, &doubts, "") {
        Ok(spec) => problems.into_result(spec),
        Err(found) => {
            problems.extend(found);
            Err(problems)
        }
    }
}

/// Checks an autoscaler that stands at `path` of a document, which may be a draft with stand-ins. The list of problems
/// is empty where everything that is wrong was found before.
pub fn check(
    raw: &RawHorizontal,
    document: &Document,
    doubts: &Doubts,
    path: &str,
) -> Result<HorizontalSpec, Vec<Problem>> {
    let mut checker = Checker { document, doubts, problems: Vec::new() };
    let spec = checker.spec(raw, path);
    match spec {
        Some(spec) if checker.problems.is_empty() => Ok(spec),
        _ => Err(checker.problems),
    }
}

struct Checker<'a> {
    document: &'a Document,
    doubts: &'a Doubts,
    problems: Vec<Problem>,
}

/// Which targets a metric may have.
#[derive(Clone, Copy)]
enum Allowed {
    /// Of pods that request something.
    Pods,
    /// Of pods, without a request to compare with.
    AverageOnly,
    Whole,
}

impl Allowed {
    fn types(self) -> &'static [RawTargetType] {
        match self {
            Self::Pods => &[RawTargetType::Utilization, RawTargetType::AverageValue],
            Self::AverageOnly => &[RawTargetType::AverageValue],
            Self::Whole => &[RawTargetType::Value, RawTargetType::AverageValue],
        }
    }
}

/// A target with the number its type promises.
#[derive(Clone, Copy)]
enum Target {
    Utilization(NonZeroU32),
    Value(MilliTarget),
    AverageValue(MilliTarget),
}

impl Checker<'_> {
    /// Reports a problem, unless the value at its path is in doubt: then whatever is wrong with it was said before.
    fn report(&mut self, path: &str, message: impl Into<String>, proposal: impl Into<String>) {
        if !self.doubts.cover(path) {
            self.problems.push(self.document.problem_at(path, message, proposal));
        }
    }

    /// Whether all these keys of a mapping say what their author meant, so that they may be compared.
    fn is_sure(&self, path: &str, keys: &[&str]) -> bool {
        !keys.iter().any(|key| self.doubts.touch(&child(path, key)))
    }

    /// Reports that a mapping lacks a key, unless a misspelt one is meant to be it.
    fn report_missing(&mut self, path: &str, key: &str, message: String) {
        if self.is_sure(path, &[key]) {
            self.report(path, message, format!("add {key} beside type"));
        }
    }

    fn spec(&mut self, raw: &RawHorizontal, path: &str) -> Option<HorizontalSpec> {
        let min_replicas = raw.min_replicas.unwrap_or(1);
        if min_replicas > raw.max_replicas && self.is_sure(path, &["minReplicas", "maxReplicas"]) {
            let message =
                format!("the minimum of {min_replicas} is above the maximum of {}", raw.max_replicas);
            let proposal = format!("write maxReplicas: {min_replicas}, or a smaller minReplicas");
            self.report(&child(path, "maxReplicas"), message, proposal);
        }
        let metrics = self.metrics(raw, path, min_replicas);
        let behavior =
            raw.behavior.as_ref().map(|behavior| self.behavior(behavior, &child(path, "behavior")));
        Some(HorizontalSpec { min_replicas, max_replicas: raw.max_replicas, metrics: metrics?, behavior })
    }

    fn metrics(&mut self, raw: &RawHorizontal, path: &str, minimum: u32) -> Option<Vec<MetricSpec>> {
        let can_wake =
            |metric: &RawMetric| matches!(metric.kind, RawMetricType::Object | RawMetricType::External);
        let is_stuck = minimum == 0 && !raw.metrics.iter().any(can_wake);
        if is_stuck && self.is_sure(path, &["minReplicas", "metrics"]) {
            let message = "without pods nothing measures pods, so nothing would ever scale up from 0";
            let proposal = "add an Object or External metric, or write minReplicas: 1";
            self.report(&child(path, "minReplicas"), message, proposal);
        }
        if raw.metrics.is_empty() {
            let target = PodTarget::Utilization(DEFAULT_CPU_UTILIZATION);
            return Some(vec![MetricSpec::Resource { resource: CPU.to_owned(), target }]);
        }
        let path = child(path, "metrics");
        let metrics: Vec<Option<MetricSpec>> = raw
            .metrics
            .iter()
            .enumerate()
            .map(|(at, metric)| self.metric(metric, &item(&path, at)))
            .collect();
        metrics.into_iter().collect()
    }

    fn metric(&mut self, raw: &RawMetric, path: &str) -> Option<MetricSpec> {
        let expected = source_key(raw.kind);
        let present = [
            ("resource", raw.resource.is_some()),
            ("containerResource", raw.container_resource.is_some()),
            ("pods", raw.pods.is_some()),
            ("object", raw.object.is_some()),
            ("external", raw.external.is_some()),
        ];
        if !self.is_sure(path, &["type"]) {
            return None;
        }
        for (key, _) in present.iter().filter(|(key, is_there)| *is_there && *key != expected) {
            let message = format!("a metric of type {:?} is described under {expected}", raw.kind);
            self.report(&child(path, key), message, format!("remove {key}, or change the type"));
        }
        if !present.contains(&(expected, true)) {
            let message = format!("a metric of type {:?} needs {expected}", raw.kind);
            self.report_missing(path, expected, message);
            return None;
        }
        self.source(raw, &child(path, expected))
    }

    fn source(&mut self, raw: &RawMetric, path: &str) -> Option<MetricSpec> {
        match raw.kind {
            RawMetricType::Resource => {
                let source = raw.resource.as_ref()?;
                let target = self.pod_target(&source.target, path)?;
                Some(MetricSpec::Resource { resource: source.name.clone(), target })
            }
            RawMetricType::ContainerResource => {
                let source = raw.container_resource.as_ref()?;
                let target = self.pod_target(&source.target, path)?;
                let (resource, container) = (source.name.clone(), source.container.clone());
                Some(MetricSpec::ContainerResource { resource, container, target })
            }
            RawMetricType::Pods => {
                let source = raw.pods.as_ref()?;
                let metric = self.identifier(&source.metric, path);
                let target = self.target(&source.target, path, Allowed::AverageOnly);
                let Target::AverageValue(average) = target? else { return None };
                Some(MetricSpec::Pods { metric: metric?, average })
            }
            RawMetricType::Object => {
                let source = raw.object.as_ref()?;
                let object = self.object(&source.described_object, &child(path, "describedObject"));
                let metric = self.identifier(&source.metric, path);
                let target = self.whole_target(&source.target, path);
                Some(MetricSpec::Object { object: object?, metric: metric?, target: target? })
            }
            RawMetricType::External => {
                let source = raw.external.as_ref()?;
                let metric = self.identifier(&source.metric, path);
                let target = self.whole_target(&source.target, path);
                Some(MetricSpec::External { metric: metric?, target: target? })
            }
        }
    }

    fn pod_target(&mut self, raw: &RawTarget, source: &str) -> Option<PodTarget> {
        match self.target(raw, source, Allowed::Pods)? {
            Target::Utilization(percent) => Some(PodTarget::Utilization(percent)),
            Target::AverageValue(milli) => Some(PodTarget::AverageValue(milli)),
            Target::Value(_) => None,
        }
    }

    fn whole_target(&mut self, raw: &RawTarget, source: &str) -> Option<WholeTarget> {
        match self.target(raw, source, Allowed::Whole)? {
            Target::Value(milli) => Some(WholeTarget::Value(milli)),
            Target::AverageValue(milli) => Some(WholeTarget::AverageValue(milli)),
            Target::Utilization(_) => None,
        }
    }

    fn target(&mut self, raw: &RawTarget, source: &str, allowed: Allowed) -> Option<Target> {
        let path = child(source, "target");
        if !self.is_sure(&path, &["type"]) {
            return None;
        }
        if !allowed.types().contains(&raw.kind) {
            let names: Vec<String> = allowed.types().iter().map(|kind| format!("{kind:?}")).collect();
            let message = format!("such a metric has no target of type {:?}", raw.kind);
            self.report(&child(&path, "type"), message, format!("write {}", names.join(" or ")));
            return None;
        }
        let expected = target_key(raw.kind);
        let present = [
            ("averageUtilization", raw.average_utilization.is_some()),
            ("averageValue", raw.average_value.is_some()),
            ("value", raw.value.is_some()),
        ];
        for (key, _) in present.iter().filter(|(key, is_there)| *is_there && *key != expected) {
            let message = format!("a target of type {:?} is written under {expected}", raw.kind);
            self.report(&child(&path, key), message, format!("remove {key}, or change the type"));
        }
        if !present.contains(&(expected, true)) {
            let message = format!("a target of type {:?} needs {expected}", raw.kind);
            self.report_missing(&path, expected, message);
        }
        match raw.kind {
            RawTargetType::Utilization => {
                Some(Target::Utilization(NonZeroU32::new(raw.average_utilization?)?))
            }
            RawTargetType::Value => {
                Some(Target::Value(self.amount(raw.value.as_ref()?, &child(&path, expected))?))
            }
            RawTargetType::AverageValue => {
                Some(Target::AverageValue(self.amount(raw.average_value.as_ref()?, &child(&path, expected))?))
            }
        }
    }

    fn amount(&mut self, quantity: &Quantity, path: &str) -> Option<MilliTarget> {
        let amount = quantity.milli_value().and_then(MilliTarget::new);
        if amount.is_none() {
            let is_large = quantity.mantissa() > 0;
            let why = if is_large { "is too large" } else { "is not above zero" };
            let proposal = if is_large { "write at most 9e15" } else { "write for instance 100 or 500m" };
            self.report(path, format!("{} {why}", shown(&quantity.to_string())), proposal);
        }
        amount
    }

    fn identifier(&mut self, raw: &RawMetricIdentifier, source: &str) -> Option<MetricIdentifier> {
        let path = child(source, "metric");
        let is_named = self.segment(&raw.name, &child(&path, "name"));
        let selector = match &raw.selector {
            None => None,
            Some(selector) => Some(self.selector(selector, &child(&path, "selector"))?),
        };
        is_named.then(|| MetricIdentifier { name: raw.name.clone(), selector })
    }

    fn object(&mut self, raw: &RawObjectReference, path: &str) -> Option<ObjectReference> {
        let has_kind = self.segment(&raw.kind, &child(path, "kind"));
        let has_name = self.segment(&raw.name, &child(path, "name"));
        (has_kind && has_name).then(|| ObjectReference {
            api_version: raw.api_version.clone(),
            kind: raw.kind.clone(),
            name: raw.name.clone(),
        })
    }

    /// A name that can be one step of a URL's path.
    fn segment(&mut self, name: &str, path: &str) -> bool {
        let is_fine = !matches!(name, "." | "..") && !name.contains(['/', '%']);
        if !is_fine {
            let message = format!("{} cannot be part of a URL's path", shown(name));
            self.report(path, message, "write a name without / and %, other than . and ..");
        }
        is_fine
    }

    fn selector(&mut self, raw: &RawSelector, path: &str) -> Option<LabelSelector> {
        let path = child(path, "matchExpressions");
        let requirements: Vec<Option<LabelSelectorRequirement>> = raw
            .match_expressions
            .iter()
            .enumerate()
            .map(|(at, requirement)| self.requirement(requirement, &item(&path, at)))
            .collect();
        let match_expressions = requirements.into_iter().collect::<Option<Vec<_>>>()?;
        Some(LabelSelector { match_labels: raw.match_labels.clone(), match_expressions })
    }

    fn requirement(&mut self, raw: &RawRequirement, path: &str) -> Option<LabelSelectorRequirement> {
        let operator = match raw.operator {
            RawOperator::In => LabelSelectorOperator::In,
            RawOperator::NotIn => LabelSelectorOperator::NotIn,
            RawOperator::Exists => LabelSelectorOperator::Exists,
            RawOperator::DoesNotExist => LabelSelectorOperator::DoesNotExist,
        };
        let wants_values = matches!(raw.operator, RawOperator::In | RawOperator::NotIn);
        if wants_values == raw.values.is_empty() {
            let (what, proposal) = if wants_values {
                ("needs values to compare with", "add values")
            } else {
                ("compares with no values", "remove values")
            };
            self.report(&child(path, "values"), format!("{:?} {what}", raw.operator), proposal);
            return None;
        }
        Some(LabelSelectorRequirement { key: raw.key.clone(), operator, values: raw.values.clone() })
    }

    fn behavior(&mut self, raw: &RawBehavior, path: &str) -> Behavior {
        let up = self.rules(raw.scale_up.as_ref(), ScalingRules::default_up(), &child(path, "scaleUp"));
        let down =
            self.rules(raw.scale_down.as_ref(), ScalingRules::default_down(), &child(path, "scaleDown"));
        Behavior { scale_up: up, scale_down: down }
    }

    /// Each part that is written replaces that part of the defaults.
    fn rules(&mut self, raw: Option<&RawScalingRules>, defaults: ScalingRules, path: &str) -> ScalingRules {
        let Some(raw) = raw else { return defaults };
        let window = raw.stabilization_window_seconds.map(|seconds| Period::from_secs(u64::from(seconds)));
        let select = raw.select_policy.map(|select| match select {
            RawSelectPolicy::Max => SelectPolicy::Max,
            RawSelectPolicy::Min => SelectPolicy::Min,
            RawSelectPolicy::Disabled => SelectPolicy::Disabled,
        });
        let policies = raw.policies.as_ref().map(|policies| policies.iter().map(policy).collect());
        if raw.tolerance.as_ref().is_some_and(|tolerance| tolerance.mantissa() < 0) {
            let message = "a tolerance below zero would never be met";
            self.report(&child(path, "tolerance"), message, "write for instance 0.05");
        }
        ScalingRules {
            stabilization_window: window.or(defaults.stabilization_window),
            select: select.unwrap_or(defaults.select),
            policies: policies.unwrap_or(defaults.policies),
            tolerance: raw.tolerance.as_ref().map(Quantity::approximate_float),
        }
    }
}

fn policy(raw: &RawPolicy) -> Policy {
    let step = match raw.kind {
        RawPolicyType::Pods => Step::Pods(raw.value),
        RawPolicyType::Percent => Step::Percent(raw.value),
    };
    Policy { step, period: Period::from_secs(u64::from(raw.period_seconds)) }
}

fn source_key(kind: RawMetricType) -> &'static str {
    match kind {
        RawMetricType::Resource => "resource",
        RawMetricType::ContainerResource => "containerResource",
        RawMetricType::Pods => "pods",
        RawMetricType::Object => "object",
        RawMetricType::External => "external",
    }
}

fn target_key(kind: RawTargetType) -> &'static str {
    match kind {
        RawTargetType::Utilization => "averageUtilization",
        RawTargetType::Value => "value",
        RawTargetType::AverageValue => "averageValue",
    }
}
