//! Which words of recommendations somebody is told who sees a part of the federation.

use crate::access::{Discretion, Known, Sight};
use crate::api::wire::ToldDetail;
use crate::desk::Desk;
use crate::live::Now;
use crate::storage::tables::recommendations::Item;
use model::action::Action;
use model::names::ClusterName;
use model::recommendation::Recommendation;
use model::review::Stage;
use model::risk::RiskReason;

/// What there is, as far as anybody knows now.
fn known(now: &Now) -> Option<Known<'_>> {
    now.snapshot.as_deref().map(|observed| Known { observed, departed: &now.departed })
}

/// What somebody may be told about anything.
pub(super) fn discretion_about(desk: &Desk, sight: &Sight) -> Discretion {
    Discretion::of(sight, known(&desk.now()), desk.clusters())
}

/// What somebody may be told about an action.
pub(super) fn discretion(desk: &Desk, sight: &Sight, action: &Action) -> Discretion {
    let (now, clusters) = (desk.now(), desk.clusters().iter().chain(action.clusters()));
    Discretion::of(sight, known(&now), clusters).about(action.workload())
}

/// Leaves no reason that tells of other parts. What there was in an older run is not known any more.
pub(super) fn keep_discreet(rows: &mut [Item], sight: &Sight, desk: &Desk, run: &str) {
    let now = desk.now();
    let sides: Vec<ClusterName> = rows
        .iter()
        .flat_map(|row| [&row.from_cluster, &row.to_cluster])
        .filter_map(|side| ClusterName::new(side.as_deref()?).ok())
        .collect();
    let known = known(&now).filter(|_| run == now.run);
    let discretion = Discretion::of(sight, known, desk.clusters().iter().chain(&sides));
    for row in rows {
        let workload = row.workload.as_ref().and_then(|name| name.parse().ok());
        discretion.about(workload.as_ref()).told(&mut row.reason);
    }
}

/// A plan leads from one part of the federation to another. Whoever has one of them learns what becomes of that one.
pub(super) fn within(
    sight: &Sight,
    discretion: &Discretion,
    (mut detail, plan): (ToldDetail, &Recommendation),
) -> ToldDetail {
    detail.changes.retain(|change| ClusterName::new(&change.cluster).is_ok_and(|name| sight.cluster(&name)));
    keep_detail_discreet(&mut detail, discretion);
    keep_clusters_discreet(&mut detail, discretion, plan);
    detail
}

/// How it stands in clusters that somebody does not see can also be said without their names.
fn keep_clusters_discreet(detail: &mut ToldDetail, discretion: &Discretion, plan: &Recommendation) {
    let risks = detail.risk_because.iter_mut().zip(&plan.risk.because);
    let of_clusters = risks.filter(|(_, reason)| matches!(reason, RiskReason::MorePending { .. }));
    let checks = detail.checks.iter_mut().filter_map(|check| check.because.as_mut());
    let ended_badly =
        [Stage::Failed, Stage::RolledBack].map(Stage::as_str).contains(&detail.item.stage.as_str());
    let outcome = detail.outcome.iter_mut().filter(|_| ended_badly);
    let words = of_clusters.map(|(words, _)| words).chain(checks).chain(outcome);
    words.for_each(|words| discretion.told_of_clusters(&plan.action, words));
}

/// Whatever was written about the whole federation.
fn keep_detail_discreet(detail: &mut ToldDetail, discretion: &Discretion) {
    discretion.told(&mut detail.item.reason);
    detail.evidence.retain(|evidence| {
        let limit = evidence.limit.as_deref().unwrap_or_default();
        [&evidence.subject, &evidence.signal, &evidence.value].into_iter().all(|text| discretion.lets(text))
            && discretion.lets(limit)
    });
    detail
        .alternatives
        .retain(|other| discretion.lets(&other.option) && discretion.lets(&other.rejected_because));
    detail.opinions.iter_mut().for_each(|opinion| discretion.told(&mut opinion.words));
    let words = detail.risk_because.iter_mut().chain(&mut detail.outcome);
    words.for_each(|words| discretion.told(words));
}
