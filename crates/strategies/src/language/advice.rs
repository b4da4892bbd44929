//! What one model decides, workload by workload: read, compared with what is true, and kept within the limits.

use super::brief::{Brief, Subject};
use super::reading;
use crate::limits::Limits;
use crate::words;
use control::projection::Projection;
use control::question::{Fault, FaultKind};
use model::names::ClusterName;
use model::recommendation::Evidence;
use serde_json::Value;
use std::collections::BTreeMap;

/// One move that a model wants and that can be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Advice {
    pub(crate) subject: Subject,
    pub(crate) target: ClusterName,
    pub(crate) reason: String,
    pub(crate) evidence: Vec<Evidence>,
    pub(crate) confidence_thousandths: Option<u32>,
}

/// What of an answer can be used, and what is wrong with the rest.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reading {
    pub(crate) advice: Vec<Advice>,
    pub(crate) faults: Vec<Fault>,
    /// How many workloads it says something about.
    pub(crate) considered: usize,
    /// Whether there was anything to read at all.
    pub(crate) usable: bool,
}

/// What is said about one workload.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Wish {
    Stay,
    Move(ClusterName),
}

pub(crate) fn read(text: &str, complete: bool, brief: &Brief) -> Reading {
    let (items, faults) = reading::items(text, complete, "decisions");
    let usable =
        faults.iter().all(|fault| fault.kind == FaultKind::Cut) && (faults.is_empty() || !items.is_empty());
    let mut reading = Reading { faults, usable, ..Reading::default() };
    let mut wishes: BTreeMap<String, (Wish, Advice)> = BTreeMap::new();
    let mut contradicted: Vec<String> = Vec::new();
    for item in &items {
        let Some((id, wish, advice)) = reading.item(item, brief) else { continue };
        match wishes.get(&id) {
            Some((said, _)) if *said != wish => contradicted.push(id),
            Some(_) => {}
            None => drop(wishes.insert(id, (wish, advice))),
        }
    }
    reading.considered = wishes.len();
    for id in contradicted {
        if wishes.remove(&id).is_some() {
            let text = format!("there are two different decisions about {id}");
            reading.faults.push(Fault::new(FaultKind::Contradiction, text));
        }
    }
    reading.advice =
        wishes.into_values().filter(|(wish, _)| *wish != Wish::Stay).map(|(_, advice)| advice).collect();
    reading
}

impl Reading {
    /// One decision, if it is about something that is there and says what is true.
    fn item(&mut self, item: &Value, brief: &Brief) -> Option<(String, Wish, Advice)> {
        let id = item.get("workload").and_then(Value::as_str).unwrap_or_default();
        let Some(subject) = brief.subject(id) else {
            self.fault(FaultKind::InventedId, format!("there is no workload {}", reading::shown(id)));
            return None;
        };
        let wish = self.wish(item, subject, brief)?;
        let before = self.faults.len();
        let evidence = reading::evidence(item, id, brief, &mut self.faults);
        // Whoever quotes wrong numbers has not looked.
        if wish != Wish::Stay && self.faults.len() > before {
            return None;
        }
        let target = match &wish {
            Wish::Move(target) => target.clone(),
            Wish::Stay => subject.home.clone(),
        };
        let advice = Advice {
            subject: subject.clone(),
            target,
            reason: reading::remark(item, "reason"),
            evidence,
            confidence_thousandths: reading::share(item, "confidence"),
        };
        Some((id.to_owned(), wish, advice))
    }

    fn wish(&mut self, item: &Value, subject: &Subject, brief: &Brief) -> Option<Wish> {
        let id = &subject.id;
        let target = item.get("target").and_then(Value::as_str);
        match item.get("decision").and_then(Value::as_str) {
            Some("stay") => Some(Wish::Stay),
            Some("move") => {
                let Some(target) = target else {
                    self.fault(FaultKind::Form, format!("{id} shall move, but there is no target"));
                    return None;
                };
                match brief.cluster(target) {
                    Some(cluster) if *cluster == subject.home => Some(Wish::Stay),
                    Some(cluster) => Some(Wish::Move(cluster.clone())),
                    None => {
                        let target = reading::shown(target);
                        self.fault(FaultKind::InventedId, format!("{id}: there is no cluster {target}"));
                        None
                    }
                }
            }
            _ => {
                self.fault(
                    FaultKind::Form,
                    format!("the decision about {id} is neither \"move\" nor \"stay\""),
                );
                None
            }
        }
    }

    fn fault(&mut self, kind: FaultKind, text: String) {
        self.faults.push(Fault::new(kind, text));
    }

    /// Keeps the moves that fit together, in the order of their ids, and says why the others do not.
    pub(crate) fn keep_within(&mut self, mut projection: Projection, limits: Limits, most: u32) {
        let wanted = std::mem::take(&mut self.advice);
        for advice in wanted {
            if self.advice.len() >= most as usize {
                self.fault(FaultKind::Limit, format!("more than {most} moves are too many at once"));
                break;
            }
            let (subject, target) = (&advice.subject, &advice.target);
            let Some(cluster) = projection.clusters.get(target) else { continue };
            if limits.load_with(cluster, subject.each, subject.pods).is_some() {
                projection.apply(&subject.to(target));
                self.advice.push(advice);
            } else {
                let after = (cluster.requested + subject.each.times(subject.pods))
                    .load_of(cluster.reachable_capacity());
                let text = format!(
                    "{} does not fit into its target: {} of it would be requested (limit {})",
                    subject.id,
                    words::percent(after),
                    words::percent(limits.max_load.ratio())
                );
                self.fault(FaultKind::Limit, text);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::brief::Manner;
    use crate::limits::{MAX_LOAD, MAX_PENDING};
    use crate::testing::{Moment, federation};
    use model::time::Period;

    const LIMITS: Limits = Limits { max_load: MAX_LOAD, max_pending: MAX_PENDING };

    /// What is kept of an answer and what is wrong with it, in a line each.
    fn check(answer: &str, expected: &[&str]) {
        let snapshot = federation(
            "a 1 nodes
             b 1 nodes
             big 1x5000m/2Gi a
             mid 1x3000m/2Gi a
             third 1x3000m/2Gi a",
        );
        let moment = Moment::at("1h");
        let view = moment.view(&snapshot);
        let brief = Brief::of(&view, &Manner { names: false, rest: Period::ZERO });
        let mut reading = read(answer, true, &brief);
        reading.keep_within(Projection::of(&snapshot), LIMITS, 5);
        let kept = reading.advice.iter().map(|one| format!("{} -> {}", one.subject.name.name(), one.target));
        let wrong = reading.faults.iter().map(|fault| format!("{:?}: {}", fault.kind, fault.text));
        let found: Vec<String> = kept.chain(wrong).collect();
        assert_eq!(found, expected, "{answer}");
    }

    #[test]
    fn what_is_right_is_kept_and_what_is_wrong_is_named() {
        check(
            r#"{"decisions":[{"workload":"w2","decision":"move","target":"c2","reason":"room"}]}"#,
            &["mid -> b"],
        );
        check(r#"{"decisions":[]}"#, &[]);
        check(r#"{"decisions":[{"workload":"w2","decision":"stay","target":null}]}"#, &[]);
        check(r#"{"decisions":[{"workload":"w2","decision":"move","target":"c1"}]}"#, &[]);
        check(
            r#"{"decisions":[{"workload":"w9","decision":"move","target":"c2"},{"workload":"w2","decision":"move","target":"c7"}]}"#,
            &[r#"InventedId: there is no workload "w9""#, r#"InventedId: w2: there is no cluster "c7""#],
        );
        check(
            r#"{"decisions":[{"workload":"w2","decision":"move"},{"workload":"w1","decision":"flee","target":"c2"}]}"#,
            &[
                "Form: w2 shall move, but there is no target",
                "Form: the decision about w1 is neither \"move\" nor \"stay\"",
            ],
        );
        check("I am sorry, I cannot.", &["Form: there is no JSON object with a list \"decisions\""]);
    }

    #[test]
    fn two_answers_about_one_workload_are_none_unless_they_are_the_same() {
        let one = r#"{"workload":"w2","decision":"move","target":"c2"}"#;
        check(&format!("{{\"decisions\":[{one},{one}]}}"), &["mid -> b"]);
        let other = r#"{"workload":"w2","decision":"stay","target":null}"#;
        check(
            &format!("{{\"decisions\":[{one},{other}]}}"),
            &["Contradiction: there are two different decisions about w2"],
        );
    }

    #[test]
    fn wrong_numbers_are_found() {
        let with = |value: &str, fact: &str| {
            format!(
                r#"{{"decisions":[{{"workload":"w2","decision":"move","target":"c2",
                "evidence":[{{"about":"c1","fact":"{fact}","value":{value}}}]}}]}}"#
            )
        };
        check(&with("7.65", "cpu_cores"), &["mid -> b"]);
        check(&with("7.7", "cpu_cores"), &["mid -> b"]);
        check(&with("12", "cpu_cores"), &["WrongNumber: w2: cpu_cores of c1 is 7.65, not 12"]);
        check(&with("12", "mood"), &["InventedId: w2: there is no fact \"mood\" about \"c1\""]);
    }

    #[test]
    fn moves_that_fit_alone_need_not_fit_together() {
        let each = |id: &str| format!(r#"{{"workload":"{id}","decision":"move","target":"c2"}}"#);
        check(
            &format!("{{\"decisions\":[{},{}]}}", each("w1"), each("w2")),
            &[
                "big -> b",
                "Limit: w2 does not fit into its target: 104.5 % of it would be requested (limit 80 %)",
            ],
        );
    }

    #[test]
    fn a_cut_answer_keeps_what_was_complete() {
        check(
            r#"{"decisions":[{"workload":"w2","decision":"move","target":"c2"},{"workload":"w1","deci"#,
            &["mid -> b", "Cut: the answer ends in the middle; be shorter"],
        );
    }
}
