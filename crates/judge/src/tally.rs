//! What was compared, and how often both sides agreed.

use crate::draw::{Case, Flavour};
use crate::real::{Verdict, name_of};
use crate::simulated::Opinion;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// How often something was so, of how many times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    pub of: u64,
    pub so: u64,
}

impl Share {
    pub(crate) fn count(&mut self, is_so: bool) {
        self.of += 1;
        self.so += u64::from(is_so);
    }

    pub fn percent(self) -> f64 {
        if self.of == 0 { 100.0 } else { self.so as f64 * 100.0 / self.of as f64 }
    }
}

/// A pod about which both sides had something to say.
pub(crate) struct Judged {
    case: u64,
    pod: String,
    flavour: Flavour,
    features: Vec<&'static str>,
    outcome: Outcome,
    /// What to say if they disagree.
    difference: String,
}

enum Outcome {
    Bound { agrees: bool, exact: bool, feasible: usize, best: usize },
    Refused { agrees: bool, same_words: bool },
    Preempts { agrees: bool, same_node: bool, same_words: bool, nodes: usize },
}

impl Judged {
    pub(crate) fn new(case: &Case, pod: &Value, opinion: &Opinion, verdict: &Verdict) -> Self {
        Self {
            case: case.number,
            pod: name_of(pod).to_owned(),
            flavour: case.flavour,
            features: features_of(pod),
            outcome: outcome(opinion, verdict),
            difference: difference(opinion, verdict),
        }
    }

    /// Adds who was asked to go, for a pod that has others stopped.
    pub(crate) fn note_victims(
        &mut self,
        opinion: &Opinion,
        node: &str,
        victims: &BTreeSet<String>,
        before: &BTreeSet<String>,
    ) {
        let Outcome::Preempts { agrees, .. } = &mut self.outcome else { return };
        let Opinion::Refused { rooms, .. } = opinion else { return };
        let expected = rooms.get(node).cloned().unwrap_or_default();
        let new = |pods: &BTreeSet<String>| pods - before;
        *agrees &= new(&expected) == new(victims);
        self.difference =
            format!("{}; victims {:?}, expected {:?}", self.difference, new(victims), new(&expected));
    }

    fn agrees(&self) -> bool {
        match self.outcome {
            Outcome::Bound { agrees, .. }
            | Outcome::Refused { agrees, .. }
            | Outcome::Preempts { agrees, .. } => agrees,
        }
    }
}

fn outcome(opinion: &Opinion, verdict: &Verdict) -> Outcome {
    match (verdict, opinion) {
        (Verdict::Bound(node), Opinion::Bound { feasible, best, choice }) => Outcome::Bound {
            agrees: best.contains(node),
            exact: choice == node,
            feasible: feasible.len(),
            best: best.len(),
        },
        (Verdict::Bound(_), Opinion::Refused { .. }) => {
            Outcome::Bound { agrees: false, exact: false, feasible: 1, best: 0 }
        }
        (
            Verdict::Refused { nominated: Some(node), message },
            Opinion::Refused { rooms, message: expected },
        ) => {
            let same_node = rooms.contains_key(node);
            let same_words = message == expected;
            Outcome::Preempts { agrees: same_node, same_node, same_words, nodes: rooms.len() }
        }
        (Verdict::Refused { nominated: Some(_), .. }, Opinion::Bound { .. }) => {
            Outcome::Preempts { agrees: false, same_node: false, same_words: false, nodes: 0 }
        }
        (Verdict::Refused { nominated: None, message }, Opinion::Refused { rooms, message: expected }) => {
            Outcome::Refused { agrees: rooms.is_empty(), same_words: message == expected }
        }
        (Verdict::Refused { nominated: None, .. }, Opinion::Bound { .. }) => {
            Outcome::Refused { agrees: false, same_words: false }
        }
    }
}

fn difference(opinion: &Opinion, verdict: &Verdict) -> String {
    let real = match verdict {
        Verdict::Bound(node) => format!("bound to {node}"),
        Verdict::Refused { message, nominated } => {
            format!("refused: {message} (nominated: {})", nominated.as_deref().unwrap_or("-"))
        }
    };
    let simulated = match opinion {
        Opinion::Bound { feasible, best, .. } => {
            format!("one of {best:?}, {} feasible", feasible.len())
        }
        Opinion::Refused { message, rooms } => format!("refused: {message} (rooms: {rooms:?})"),
    };
    format!("kube-scheduler: {real}; simulator: {simulated}")
}

/// Kinds of wishes that occur in a pod, as they are called in its text.
fn features_of(pod: &Value) -> Vec<&'static str> {
    let text = pod["spec"].to_string();
    let known = [
        ("node selector", "\"nodeSelector\":"),
        ("node affinity", "\"nodeAffinity\":"),
        ("pod affinity", "\"podAffinity\":"),
        ("pod anti-affinity", "\"podAntiAffinity\":"),
        ("spread, required", "\"DoNotSchedule\""),
        ("spread, preferred", "\"ScheduleAnyway\""),
        ("tolerations", "\"tolerations\":"),
        ("host port", "\"hostPort\":"),
        ("init containers", "\"initContainers\":"),
        ("other resources", "\"example.org/gpu\":"),
    ];
    let mut features: Vec<_> =
        known.into_iter().filter(|(_, mark)| text.contains(mark)).map(|(name, _)| name).collect();
    if pod["metadata"]["ownerReferences"].is_array() && !text.contains("\"topologySpreadConstraints\":") {
        features.push("spread by default");
    }
    features
}

/// Everything that is reported.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    pub cases: u64,
    pub nodes: u64,
    /// All decisions.
    pub decisions: Share,
    pub bound: Share,
    /// Bound to the very node that the simulator takes among equals.
    pub exact: Share,
    pub refused: Share,
    /// Refusals of both kinds whose text is the same, letter by letter.
    pub words: Share,
    pub preempting: Share,
    pub preempting_node: Share,
    /// Of those, how often several nodes were equally good.
    pub equal_rooms: u64,
    /// Pods that were bound after others had made room for them.
    pub kept_promises: u64,
    /// Decisions that are not counted, since the scheduler took up a waiting pod at the same time.
    pub unsettled: u64,
    /// Bound pods by the number of feasible nodes with the highest score.
    pub ties: BTreeMap<usize, u64>,
    /// Bound pods that had only one feasible node.
    pub without_choice: u64,
    pub feasible: u64,
    /// What somebody who draws among feasible nodes would agree to, summed up.
    pub guesses: f64,
    pub by_flavour: BTreeMap<Flavour, Share>,
    pub by_feature: BTreeMap<&'static str, Share>,
    /// Simulators that are wrong on purpose.
    pub doubles: BTreeMap<&'static str, Share>,
    pub disagreements: Vec<String>,
    /// Refusals for which both sides give different reasons.
    pub other_words: Vec<String>,
}

impl Tally {
    pub(crate) fn begin(&mut self, case: &Case) {
        self.cases += 1;
        self.nodes += case.nodes.len() as u64;
    }

    pub(crate) fn count(&mut self, judged: &Judged) {
        let agrees = judged.agrees();
        self.decisions.count(agrees);
        self.by_flavour.entry(judged.flavour).or_default().count(agrees);
        for feature in &judged.features {
            self.by_feature.entry(feature).or_default().count(agrees);
        }
        let line = format!("case {} pod {}: {}", judged.case, judged.pod, judged.difference);
        match judged.outcome {
            Outcome::Bound { agrees, exact, feasible, best } => {
                self.bound.count(agrees);
                self.exact.count(exact);
                self.count_choices(feasible, best);
            }
            Outcome::Refused { agrees, same_words } => {
                self.refused.count(agrees);
                self.count_words(agrees, same_words, &line);
            }
            Outcome::Preempts { agrees, same_node, same_words, nodes } => {
                self.preempting.count(agrees);
                self.preempting_node.count(same_node);
                self.equal_rooms += u64::from(nodes > 1);
                self.count_words(agrees, same_words, &line);
            }
        }
        if !agrees {
            self.disagreements.push(line);
        }
    }

    pub(crate) fn count_double(&mut self, name: &'static str, agrees: bool) {
        self.doubles.entry(name).or_default().count(agrees);
    }

    fn count_choices(&mut self, feasible: usize, best: usize) {
        *self.ties.entry(best).or_default() += 1;
        self.without_choice += u64::from(feasible == 1);
        self.feasible += feasible as u64;
        self.guesses += best as f64 / feasible as f64;
    }

    fn count_words(&mut self, agrees: bool, same: bool, line: &str) {
        self.words.count(same);
        if agrees && !same {
            self.other_words.push(line.to_owned());
        }
    }

    /// What somebody would agree to who draws among feasible nodes, in per cent of bound pods.
    pub fn guess_percent(&self) -> f64 {
        if self.bound.of == 0 { 100.0 } else { self.guesses * 100.0 / self.bound.of as f64 }
    }
}
