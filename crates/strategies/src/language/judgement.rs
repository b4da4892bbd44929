//! What specialists say about the candidates, and one decision out of it.

use super::brief::Brief;
use super::candidates::Candidate;
use super::config::Specialist;
use super::reading;
use crate::limits::Limits;
use control::projection::Projection;
use control::question::{Fault, FaultKind};
use model::recommendation::{Opinion, Verdict};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// What one specialist says, candidate by candidate.
#[derive(Clone, Debug, Default)]
pub(crate) struct Judgements {
    pub(crate) said: BTreeMap<String, Judgement>,
    pub(crate) faults: Vec<Fault>,
    pub(crate) usable: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Judgement {
    pub(crate) is_for: bool,
    pub(crate) strength_thousandths: u32,
    pub(crate) reason: String,
}

pub(crate) fn read(text: &str, complete: bool, brief: &Brief, candidates: &[Candidate]) -> Judgements {
    let (items, faults) = reading::items(text, complete, "judgements");
    let usable =
        faults.iter().all(|fault| fault.kind == FaultKind::Cut) && (faults.is_empty() || !items.is_empty());
    let mut judgements = Judgements { said: BTreeMap::new(), faults, usable };
    let mut contradicted = BTreeSet::new();
    for item in &items {
        let Some((id, judgement)) = judgements.item(item, brief, candidates) else { continue };
        let former = judgements.said.get(&id).map(|former| former.is_for);
        if former.is_some_and(|is_for| is_for != judgement.is_for) {
            contradicted.insert(id);
        } else {
            judgements.said.insert(id, judgement);
        }
    }
    for id in contradicted {
        judgements.said.remove(&id);
        let text = format!("there are two different judgements of {id}");
        judgements.faults.push(Fault::new(FaultKind::Contradiction, text));
    }
    judgements
}

impl Judgements {
    fn item(&mut self, item: &Value, brief: &Brief, candidates: &[Candidate]) -> Option<(String, Judgement)> {
        let id = item.get("candidate").and_then(Value::as_str).unwrap_or_default();
        if !candidates.iter().any(|candidate| candidate.id == id) {
            let text = format!("there is no candidate {}", reading::shown(id));
            self.faults.push(Fault::new(FaultKind::InventedId, text));
            return None;
        }
        let before = self.faults.len();
        drop(reading::evidence(item, id, brief, &mut self.faults));
        let is_for = match item.get("verdict").and_then(Value::as_str) {
            Some("for") => true,
            Some("against") => false,
            _ => {
                let text = format!("the verdict on {id} is neither \"for\" nor \"against\"");
                self.faults.push(Fault::new(FaultKind::Form, text));
                return None;
            }
        };
        let Some(strength_thousandths) = reading::share(item, "strength") else {
            let text = format!("the strength of the verdict on {id} is not between 0 and 1");
            self.faults.push(Fault::new(FaultKind::Form, text));
            return None;
        };
        let trusted = self.faults.len() == before;
        let reason = reading::remark(item, "reason");
        trusted.then(|| (id.to_owned(), Judgement { is_for, strength_thousandths, reason }))
    }
}

/// A specialist with what it said; nothing if it could not be heard.
pub(crate) struct Voice<'a> {
    pub(crate) specialist: &'a Specialist,
    pub(crate) model: &'a str,
    pub(crate) said: Option<&'a Judgements>,
}

/// One candidate with everything that was said about it.
#[derive(Clone, Debug)]
pub(crate) struct Tally {
    pub(crate) candidate: Candidate,
    pub(crate) opinions: Vec<Opinion>,
    /// For minus against, each weighted by its strength.
    pub(crate) balance: i64,
    pub(crate) vetoed_by: Option<String>,
}

impl Tally {
    pub(crate) fn dissenters(&self) -> Vec<&str> {
        let against = self.opinions.iter().filter(|opinion| opinion.verdict == Verdict::Against);
        against.map(|opinion| opinion.by.as_str()).collect()
    }
}

pub(crate) fn tally(candidates: &[Candidate], voices: &[Voice<'_>]) -> Vec<Tally> {
    candidates.iter().map(|candidate| count(candidate, voices)).collect()
}

fn count(candidate: &Candidate, voices: &[Voice<'_>]) -> Tally {
    let mut tally = Tally { candidate: candidate.clone(), opinions: Vec::new(), balance: 0, vetoed_by: None };
    for voice in voices {
        let judgement = voice.said.and_then(|said| said.said.get(&candidate.id));
        let Specialist { name, weight, veto, .. } = voice.specialist;
        if let Some(judgement) = judgement {
            let points = i64::from(*weight) * i64::from(judgement.strength_thousandths);
            tally.balance += if judgement.is_for { points } else { -points };
            if *veto && !judgement.is_for {
                tally.vetoed_by.get_or_insert_with(|| name.clone());
            }
        }
        tally.opinions.push(opinion(voice, judgement));
    }
    tally
}

fn opinion(voice: &Voice<'_>, judgement: Option<&Judgement>) -> Opinion {
    let verdict = match judgement {
        Some(judgement) if judgement.is_for => Verdict::For,
        Some(_) => Verdict::Against,
        None => Verdict::Abstained,
    };
    let unheard = if voice.said.is_none() { "could not be heard" } else { "" };
    Opinion {
        by: voice.specialist.name.clone(),
        model: voice.model.to_owned(),
        verdict,
        weight: voice.specialist.weight,
        strength_thousandths: judgement.map(|judgement| judgement.strength_thousandths),
        words: judgement.map_or_else(|| unheard.to_owned(), |judgement| judgement.reason.clone()),
    }
}

/// Candidates that the weight is for and nobody forbids, the best supported first; among equals the one that moves fewer pods.
pub(crate) fn supported(tallies: &[Tally]) -> Vec<&Tally> {
    let mut chosen: Vec<&Tally> =
        tallies.iter().filter(|tally| tally.balance > 0 && tally.vetoed_by.is_none()).collect();
    chosen.sort_by_key(|tally| (-tally.balance, tally.candidate.subject.pods));
    chosen
}

/// The fewest of the candidates that bring all clusters within their limits, taken in the given order. Where every cluster
/// is within its limits already, one at most: what is well is changed step by step.
pub(crate) fn choose<'a>(
    supported: &[&'a Tally],
    mut projection: Projection,
    limits: Limits,
    most: u32,
) -> Vec<&'a Tally> {
    let is_well = |projection: &Projection| {
        projection.clusters.values().all(|cluster| limits.excess(cluster).is_none())
    };
    let most = if is_well(&projection) { 1 } else { most as usize };
    let mut chosen: Vec<&Tally> = Vec::new();
    let mut moved = BTreeSet::new();
    for tally in supported {
        if chosen.len() >= most || (!chosen.is_empty() && is_well(&projection)) {
            break;
        }
        let Candidate { subject, target, .. } = &tally.candidate;
        let fits = limits.load_with(&projection.clusters[target], subject.each, subject.pods).is_some();
        if fits && moved.insert(subject.name.clone()) {
            projection.apply(&subject.to(target));
            chosen.push(tally);
        }
    }
    chosen
}

/// What a consolidating model chose; only what specialists are for can be chosen, and dissent has to be named.
pub(crate) fn chosen_by_model<'a>(
    text: &str,
    complete: bool,
    supported: &[&'a Tally],
) -> (Vec<(&'a Tally, String)>, Vec<Fault>, bool) {
    let (items, mut faults) = reading::items(text, complete, "choices");
    let usable = faults.is_empty();
    let mut chosen: Vec<(&Tally, String)> = Vec::new();
    for item in &items {
        let id = item.get("candidate").and_then(Value::as_str).unwrap_or_default();
        let Some(tally) = supported.iter().find(|tally| tally.candidate.id == id) else {
            faults
                .push(Fault::new(FaultKind::InventedId, format!("{} cannot be chosen", reading::shown(id))));
            continue;
        };
        let named: Vec<&str> = item
            .get("dissent")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        let forgotten: Vec<&str> =
            tally.dissenters().into_iter().filter(|one| !named.contains(one)).collect();
        if !forgotten.is_empty() {
            let text = format!("{id}: {} is against it and has to be named", forgotten.join(", "));
            faults.push(Fault::new(FaultKind::Form, text));
        } else if !chosen.iter().any(|(former, _)| former.candidate.id == id) {
            chosen.push((tally, reading::remark(item, "reason")));
        }
    }
    (chosen, faults, usable)
}
