//! The moves that several models judge: enumerated once, with their consequences, so that nobody can want anything else.

use super::brief::{Brief, Subject};
use crate::limits::Limits;
use control::projection::Projection;
use model::names::ClusterName;
use model::ratio::Ratio;
use serde_json::{Value, json};

/// More candidates than this are not judged at once.
const MOST_CANDIDATES: usize = 60;

/// One possible move.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) id: String,
    pub(crate) subject: Subject,
    pub(crate) target: ClusterName,
    told: Value,
}

/// Moves that keep the limits of their target, those that bring most relief first.
pub(crate) fn enumerate(brief: &Brief, projection: &Projection, limits: Limits) -> Vec<Candidate> {
    let mut all = Vec::new();
    for subject in &brief.subjects {
        for (_, target) in brief.clusters.iter().filter(|(_, name)| *name != subject.home) {
            let cluster = &projection.clusters[target];
            if limits.load_with(cluster, subject.each, subject.pods).is_some() {
                all.push(candidate(subject, target, brief, projection));
            }
        }
    }
    all.sort_by(|(left_relief, left), (right_relief, right)| {
        right_relief
            .cmp(left_relief)
            .then_with(|| (&left.subject.name, &left.target).cmp(&(&right.subject.name, &right.target)))
    });
    all.truncate(MOST_CANDIDATES);
    let numbered = all.into_iter().enumerate();
    numbered.map(|(index, (_, candidate))| Candidate { id: format!("m{}", index + 1), ..candidate }).collect()
}

/// A candidate without a number, and how many pods would no longer wait because of it.
fn candidate(
    subject: &Subject,
    target: &ClusterName,
    brief: &Brief,
    projection: &Projection,
) -> (i64, Candidate) {
    let action = subject.to(target);
    let mut after = projection.clone();
    after.apply(&action);
    let impact = projection.impact(&after, &action);
    let waiting = |projection: &Projection| -> i64 {
        projection.clusters.values().map(|cluster| cluster.pods_waiting() as i64).sum()
    };
    let (before, then) = (waiting(projection), waiting(&after));
    let load = |projection: &Projection, name: &ClusterName| tenths(projection.clusters[name].demand());
    let told = json!({
        "workload": subject.id,
        "from": brief.id_of(&subject.home),
        "to": brief.id_of(target),
        "pods_moved": impact.pods_moved,
        "requested_percent_of_source": [load(projection, &subject.home), load(&after, &subject.home)],
        "requested_percent_of_target": [load(projection, target), load(&after, target)],
        "pods_pending_everywhere": [before, then],
    });
    (before - then, Candidate { id: String::new(), subject: subject.clone(), target: target.clone(), told })
}

fn tenths(ratio: Ratio) -> f64 {
    (ratio.as_f64() * 1_000.0).round() / 10.0
}

impl Candidate {
    /// What models are told about it.
    pub(crate) fn told(&self) -> Value {
        let mut told = json!({ "id": self.id });
        if let (Value::Object(map), Value::Object(facts)) = (&mut told, &self.told) {
            map.extend(facts.clone());
        }
        told
    }
}
