//! How far somebody sees: what touches their part of the federation, and nothing else. Seeing reaches further than touching: a plan that
//! takes something away from a cluster touches it, but only whoever holds both sides may decide about it.

use super::discretion::UNTOLD;
use crate::storage::tables::recommendations::{self, Place, Within};
use crate::storage::{Connection, Error};
use control::agent::Scope;
use model::names::{ClusterName, WorkloadRef};
use model::order::Extent;
use model::prediction::{
    Confounder, FailureReason, Limitation, Outlook, PlanOutlook, Prediction, Score, Subject,
};
use model::recommendation::RecommendationId;
use model::snapshot::{Gap, GapSubject, Snapshot, WorkloadView};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// What somebody with a scope sees.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sight(Scope);

impl From<&Scope> for Sight {
    fn from(scope: &Scope) -> Self {
        Self(scope.clone())
    }
}

impl Sight {
    /// Whether nothing is hidden.
    pub fn is_whole(&self) -> bool {
        self.0 == Scope::default()
    }

    pub fn cluster(&self, name: &ClusterName) -> bool {
        self.0.clusters.is_empty() || self.0.clusters.contains(name)
    }

    pub fn namespace(&self, name: &str) -> bool {
        self.0.namespaces.is_empty() || self.0.namespaces.contains(name)
    }

    /// The same in the words of the database, so that pages of a list are full.
    pub fn within(&self) -> Within {
        Within {
            clusters: self.0.clusters.iter().map(ToString::to_string).collect(),
            namespaces: self.0.namespaces.iter().cloned().collect(),
        }
    }

    /// Whether a recommendation touches the part.
    pub fn place(&self, place: &Place) -> bool {
        self.within().covers(place)
    }

    /// Whether a freeze or a mode has a say in the part. Where a workload runs is what was observed last.
    pub fn extent(&self, extent: &Extent, observed: Option<&Snapshot>) -> bool {
        match extent {
            Extent::Everything | Extent::Agent(_) => true,
            Extent::Cluster(name) => self.cluster(name),
            Extent::Namespace(name) => self.namespace(name),
            Extent::Workload(name) => self.namespace(name.namespace()) && self.runs(name, observed),
        }
    }

    /// Whether a workload is seen to run in the part.
    fn runs(&self, name: &WorkloadRef, observed: Option<&Snapshot>) -> bool {
        let view = || observed.and_then(|snapshot| snapshot.workloads.get(name));
        self.0.clusters.is_empty() || view().is_some_and(|view| self.places(view))
    }

    /// Whether a workload has a place in the part. Where no cluster is hidden it is seen also while it has none at all.
    fn places(&self, view: &WorkloadView) -> bool {
        self.0.clusters.is_empty() || view.placements.keys().any(|cluster| self.cluster(cluster))
    }

    fn subject(&self, subject: &Subject) -> bool {
        match subject {
            Subject::Federation => true,
            Subject::Cluster(name) => self.cluster(name),
            Subject::Workload(name) => self.namespace(name.namespace()),
        }
    }

    /// Whether something of the part was not observed. Where a workload runs that nobody sees is not known: with hidden clusters it
    /// may be in one of these.
    pub fn gap(&self, gap: &Gap, observed: &Snapshot) -> bool {
        match &gap.subject {
            GapSubject::Cluster(name) => self.cluster(name),
            GapSubject::Workload(name) => self.namespace(name.namespace()) && self.runs(name, Some(observed)),
            GapSubject::Source(_) => true,
        }
    }

    /// Clusters outside do not exist, workloads are seen as far as they run inside.
    pub fn snapshot<'a>(&self, snapshot: &'a Snapshot) -> Cow<'a, Snapshot> {
        if self.is_whole() {
            return Cow::Borrowed(snapshot);
        }
        let inside = |(name, view): (&WorkloadRef, &WorkloadView)| self.workload(name, view);
        Cow::Owned(Snapshot {
            taken_at: snapshot.taken_at,
            clusters: snapshot
                .clusters
                .iter()
                .filter(|(name, _)| self.cluster(name))
                .map(|(name, view)| (name.clone(), view.clone()))
                .collect(),
            workloads: snapshot.workloads.iter().filter_map(inside).collect(),
            gaps: snapshot.gaps.iter().filter(|gap| self.gap(gap, snapshot)).cloned().collect(),
        })
    }

    /// Whether a workload is in their part.
    pub fn has(&self, name: &WorkloadRef, view: &WorkloadView) -> bool {
        self.namespace(name.namespace()) && self.places(view)
    }

    fn workload(&self, name: &WorkloadRef, view: &WorkloadView) -> Option<(WorkloadRef, WorkloadView)> {
        if !self.namespace(name.namespace()) {
            return None;
        }
        let mut seen = view.clone();
        if !self.0.clusters.is_empty() {
            seen.placements.retain(|cluster, _| self.cluster(cluster));
            seen.replicas = seen.placements.values().map(|placement| placement.replicas).sum();
            if seen.placements.is_empty() {
                return None;
            }
        }
        Some((name.clone(), seen))
    }

    /// Whether all that a recommendation touches is in the part.
    fn all_of(&self, place: &Place) -> bool {
        let is_inside = |name: &String| {
            self.0.clusters.is_empty() || self.0.clusters.iter().any(|own| own.as_str() == name)
        };
        self.place(place) && [&place.from_cluster, &place.to_cluster].into_iter().flatten().all(is_inside)
    }

    /// Which of some recommendations somebody sees, and whether they see all that these touch.
    fn known(
        &self,
        connection: &mut dyn Connection,
        run: &str,
        ids: impl IntoIterator<Item = RecommendationId>,
    ) -> Result<BTreeMap<RecommendationId, bool>, Error> {
        let mut known = BTreeMap::new();
        for id in ids {
            let place = recommendations::place(connection, run, id.0 as i64)?;
            if let Some(place) = place.filter(|place| self.place(place)) {
                known.insert(id, self.all_of(&place));
            }
        }
        Ok(known)
    }

    /// Numbers about other parts, and plans that are not seen, leave a prediction.
    pub fn prediction(
        &self,
        connection: &mut dyn Connection,
        run: &str,
        mut prediction: Prediction,
    ) -> Result<Prediction, Error> {
        if self.is_whole() {
            return Ok(prediction);
        }
        let left_out = prediction.limitations.iter().filter_map(|limitation| match limitation {
            Limitation::LeftOut { id } => Some(*id),
            _ => None,
        });
        let ids: Vec<_> =
            prediction.of.iter().chain(&prediction.together_with).copied().chain(left_out).collect();
        let known = self.known(connection, run, ids)?;
        let narrow = |outlook: &mut Outlook| {
            outlook.measures.retain(|measured| self.subject(&measured.subject));
            outlook.plans.retain(|plan| known.contains_key(&plan.id));
            let half_seen = outlook.plans.iter_mut().filter(|plan| known.get(&plan.id) == Some(&false));
            half_seen.for_each(untold);
        };
        narrow(&mut prediction.alone);
        prediction.jointly.iter_mut().for_each(narrow);
        prediction.together_with.retain(|id| known.contains_key(id));
        prediction.limitations.retain(|limitation| match limitation {
            Limitation::LeftOut { id } => known.contains_key(id),
            _ => true,
        });
        Ok(prediction)
    }

    /// The same for what was measured later.
    pub fn score(
        &self,
        connection: &mut dyn Connection,
        run: &str,
        mut score: Score,
    ) -> Result<Score, Error> {
        if self.is_whole() {
            return Ok(score);
        }
        let plan = |confounder: &Confounder| match confounder {
            Confounder::Plan { id } => Some(*id),
            _ => None,
        };
        let known = self.known(connection, run, score.confounded_by.iter().filter_map(plan))?;
        score.observations.retain(|observed| self.subject(&observed.subject));
        score.confounded_by.retain(|confounder| plan(confounder).is_none_or(|id| known.contains_key(&id)));
        Ok(score)
    }
}

/// Why a plan failed in some futures may say how it stands in a cluster that somebody does not see. That it did is theirs to know.
fn untold(plan: &mut PlanOutlook) {
    let seeds = plan.reasons.iter().map(|reason| reason.seeds).sum();
    if seeds > 0 {
        plan.reasons = vec![FailureReason { reason: UNTOLD.to_owned(), seeds }];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::snapshot::PlacementView;

    /// A workload in namespace `shop` with a place in each of these.
    fn workload(clusters: &[&str]) -> (WorkloadRef, WorkloadView) {
        let place = |name: &&str| (cluster(name), PlacementView::default());
        let view =
            WorkloadView { placements: clusters.iter().map(place).collect(), ..WorkloadView::default() };
        ("shop/web".parse().expect("a workload"), view)
    }

    fn cluster(name: &str) -> ClusterName {
        ClusterName::new(name).expect("a name")
    }

    fn sight(clusters: &[&str], namespaces: &[&str]) -> Sight {
        Sight(Scope {
            clusters: clusters.iter().map(|name| cluster(name)).collect(),
            namespaces: namespaces.iter().map(|&name| name.to_owned()).collect(),
        })
    }

    #[test]
    fn a_workload_is_in_a_part_exactly_where_it_is_listed() {
        let check = |clusters: &[&str], namespaces: &[&str], places: &[&str], expected: bool| {
            let (sight, (name, view)) = (sight(clusters, namespaces), workload(places));
            let listed = sight.workload(&name, &view).is_some();
            assert_eq!((sight.has(&name, &view), listed), (expected, expected), "{sight:?} {places:?}");
        };
        check(&[], &["shop"], &["east"], true);
        check(&[], &["shop"], &[], true);
        check(&[], &["bank"], &[], false);
        check(&["west"], &[], &["east", "west"], true);
        check(&["west"], &[], &["east"], false);
        check(&["west"], &["shop"], &[], false);
    }

    #[test]
    fn a_gap_is_for_those_who_have_a_part_in_it() {
        let gap = |subject: GapSubject| Gap { subject, reason: "no answer".to_owned(), known_at: None };
        let unseen = "shop/gone".parse().expect("a workload");
        let (name, view) = workload(&["east"]);
        let gaps = [
            gap(GapSubject::Workload(name.clone())),
            gap(GapSubject::Workload(unseen)),
            gap(GapSubject::Cluster(cluster("east"))),
            gap(GapSubject::Source("prometheus".to_owned())),
        ];
        let observed =
            Snapshot { workloads: [(name, view)].into(), gaps: gaps.into(), ..Snapshot::default() };
        let check = |clusters: &[&str], namespaces: &[&str], expected: usize| {
            let sight = sight(clusters, namespaces);
            assert_eq!(sight.snapshot(&observed).gaps.len(), expected, "{sight:?}");
        };
        check(&[], &[], 4);
        check(&[], &["shop"], 4);
        check(&[], &["bank"], 2);
        check(&["east"], &[], 3);
        check(&["west"], &[], 1);
        check(&["west"], &["shop"], 1);
    }
}
