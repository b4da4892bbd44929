//! Pods, samples and specs as the autoscaler's tables write them.

use crate::table::Case;
use model::ratio::Ratio;
use model::time::{Period, Timestamp};
use serde_json::{Value, json};
use simulator::controllers::pod::{PodKey, PodPhase};
use simulator::horizontal::{
    self, Behavior, HorizontalSpec, PodSamples, Readiness, Sample, ScalingRules, Settings, TargetPod,
};
use simulator::kube;
use std::fmt::Debug;

/// The tables write times as ages. Far enough from the epoch that only a time said to be zero lies there.
pub(super) const NOW: Timestamp = Timestamp::from_millis(10_000_000_000_000);

/// A pod's number is its place in the list; samples of other pods get numbers from here on.
const STRANGERS: u32 = 1000;

pub(super) struct Pods {
    json: Vec<Value>,
    templates: Vec<kube::Pod>,
}

impl Pods {
    pub(super) fn of(json: &Value) -> Self {
        let json = list(json).to_vec();
        let templates = json.iter().map(template).collect();
        Self { json, templates }
    }

    pub(super) fn view(&self) -> Vec<TargetPod<'_>> {
        self.json
            .iter()
            .zip(&self.templates)
            .enumerate()
            .map(|(at, (json, pod))| view(at, json, pod))
            .collect()
    }

    /// With the feature gate off, the API server drops the field.
    pub(super) fn drop_pod_level_resources(&mut self) {
        self.templates.iter_mut().for_each(|pod| pod.spec.resources = None);
    }

    pub(super) fn key(&self, name: &Value) -> PodKey {
        let place = self.json.iter().position(|pod| pod["metadata"]["name"] == *name);
        PodKey(place.map_or(STRANGERS, |place| place as u32))
    }
}

pub(super) fn template(json: &Value) -> kube::Pod {
    let spec = serde_json::from_value(json["spec"].clone()).unwrap_or_default();
    kube::Pod { spec, ..kube::Pod::default() }
}

fn view<'a>(at: usize, json: &Value, template: &'a kube::Pod) -> TargetPod<'a> {
    let status = &json["status"];
    let condition = list(&status["conditions"]).iter().find(|condition| condition["type"] == "Ready");
    TargetPod {
        key: PodKey(at as u32),
        phase: match status["phase"].as_str() {
            Some("Pending") => PodPhase::Pending,
            Some("Running") => PodPhase::Running,
            Some("Succeeded") => PodPhase::Succeeded,
            Some("Failed") => PodPhase::Failed,
            _ => PodPhase::Unknown,
        },
        deleting: json["metadata"]["deletionTimestamp"].is_object(),
        started: status["startTime"].is_object().then(|| moment(&status["startTime"])),
        readiness: condition.map(|condition| Readiness {
            ready: condition["status"] == "True",
            since: moment(&condition["lastTransitionTime"]),
        }),
        template,
    }
}

/// One sample per level, for the pod of the same place.
pub(super) fn samples(levels: &[i64], at: Timestamp) -> PodSamples {
    let sample = |milli: i64| Sample { at, window: Period::from_secs(60), milli };
    levels.iter().zip(0..).map(|(milli, pod)| (PodKey(pod), sample(*milli))).collect()
}

pub(super) fn moment(json: &Value) -> Timestamp {
    if json["zero"] == true {
        return Timestamp::EPOCH;
    }
    NOW.saturating_sub(seconds(&json["ageSeconds"]))
}

pub(super) fn seconds(json: &Value) -> Period {
    Period::from_secs(json.as_u64().unwrap_or_else(|| panic!("{json} is not a number of seconds")))
}

pub(super) fn settings(input: &Value) -> Settings {
    let period =
        |key: &str, default: Period| if input[key].is_null() { default } else { seconds(&input[key]) };
    let factor = |key: &str, default: u32| input[key].as_u64().map_or(default, |factor| factor as u32);
    let usual = Settings::default();
    Settings {
        tolerance: input["tolerance"].as_f64().and_then(Ratio::from_f64).unwrap_or(usual.tolerance),
        cpu_initialization_period: period("cpuInitializationPeriodSeconds", usual.cpu_initialization_period),
        initial_readiness_delay: period(
            "delayOfInitialReadinessStatusSeconds",
            usual.initial_readiness_delay,
        ),
        downscale_stabilization: period("downscaleStabilisationWindowSeconds", usual.downscale_stabilization),
        scale_up_limit_factor: factor("scaleUpLimitFactor", usual.scale_up_limit_factor),
        scale_up_limit_minimum: factor("scaleUpLimitMinimum", usual.scale_up_limit_minimum),
        configurable_tolerance: input["features"]["HPAConfigurableTolerance"] != false,
        ..usual
    }
}

/// Reads a spec the way a user's file is read.
pub(super) fn read(json: &Value) -> Result<HorizontalSpec, String> {
    horizontal::read("table.json", json.to_string().as_bytes()).map_err(|problems| problems.to_string())
}

/// Rules of both directions, with defaults; null has no rules of its own.
pub(super) fn behavior(up: &Value, down: &Value) -> Result<Behavior, String> {
    let spec = read(&json!({"maxReplicas": 1, "behavior": {"scaleUp": up, "scaleDown": down}}))?;
    spec.behavior.ok_or_else(|| "no behavior".to_owned())
}

pub(super) fn rules(json: &Value) -> Result<ScalingRules, String> {
    behavior(json, &Value::Null).map(|behavior| behavior.scale_up)
}

pub(super) fn numbers(json: &Value) -> Vec<i64> {
    list(json).iter().map(number).collect()
}

pub(super) fn list(json: &Value) -> &[Value] {
    json.as_array().map_or(&[], Vec::as_slice)
}

pub(super) fn number(json: &Value) -> i64 {
    json.as_i64().unwrap_or_else(|| panic!("{json} is not a number"))
}

pub(super) fn count(json: &Value) -> u32 {
    u32::try_from(number(json)).unwrap_or_else(|_| panic!("{json} is not a count"))
}

pub(super) fn equal<T: PartialEq + Debug>(what: &str, got: T, wanted: T) -> Result<(), String> {
    let pair = (got, wanted);
    if pair.0 == pair.1 { Ok(()) } else { Err(format!("{what}: got {:?}, want {:?}", pair.0, pair.1)) }
}

pub(super) fn nothing(_: &Case) -> Option<&'static str> {
    None
}
