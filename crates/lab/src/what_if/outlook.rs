//! From rehearsals to numbers: means, intervals and differences over the seeds, and what became of the plans.

use super::instrument;
use super::sets::{PlanSet, Question};
use super::stage::Stage;
use crate::statistics::NextValue;
use control::world::Applied;
use model::prediction::{
    Estimate, FailureReason, Measure, Millionths, Outlook, PlanOutlook, PredictedMeasure, Subject,
};
use model::recommendation::RecommendationId;
use model::time::Timestamp;
use simulator::world::Rehearsed;
use std::collections::BTreeMap;

/// Plans take whole seconds; nobody reads finer.
const SECONDS_GRAIN: Millionths = Millionths::whole(1);

/// All of something.
const WHOLE: Millionths = Millionths::whole(1);

/// Makes outlooks over a number of seeds.
pub(super) struct Outlooks {
    next: NextValue,
}

impl Outlooks {
    pub(super) fn after(seeds: u32) -> Self {
        Self { next: NextValue::after(seeds as usize) }
    }

    /// Two futures side by side: one set of plans begun, and another that has these as well.
    pub(super) fn compare(
        &self,
        question: &Question,
        stage: &Stage,
        without: &PlanSet,
        with: &PlanSet,
    ) -> Outlook {
        let now = stage.now();
        let (without, with, plans) = (stage.shown(without), stage.shown(with), with.ids());
        let measures = instrument::measures(question).into_iter();
        Outlook {
            measures: measures
                .filter_map(|(measure, subject)| self.measure(measure, subject, without, with))
                .collect(),
            plans: plans.into_iter().map(|id| plan(id, now, with)).collect(),
        }
    }

    /// None if a rehearsal did not measure it, or nobody pays for anything.
    fn measure(
        &self,
        measure: Measure,
        subject: Subject,
        without: &[Rehearsed],
        with: &[Rehearsed],
    ) -> Option<PredictedMeasure> {
        let read = |all: &[Rehearsed]| -> Option<Vec<f64>> {
            all.iter().map(|one| instrument::read(&one.window, measure, &subject)).collect()
        };
        let (without, with) = (read(without)?, read(with)?);
        let free = |values: &[f64]| values.iter().all(|value| *value == 0.0);
        if measure == Measure::CostPerHour && free(&without) && free(&with) {
            return None;
        }
        let differences: Vec<f64> = with.iter().zip(&without).map(|(with, without)| with - without).collect();
        let grain = measure.grain();
        Some(PredictedMeasure {
            measure,
            without: possible(measure, estimate(self.next, &without, grain)?),
            with: possible(measure, estimate(self.next, &with, grain)?),
            difference: possible_change(measure, estimate(self.next, &differences, grain)?),
            subject,
        })
    }
}

/// The mean and the interval of the next value, never narrower than the grain.
fn estimate(next: NextValue, values: &[f64], grain: Millionths) -> Option<Estimate> {
    let (mean, interval) = next.of(values)?;
    let mean = Millionths::nearest(mean);
    Some(Estimate {
        mean,
        low: Millionths::nearest(interval.low).min(mean.minus(grain)),
        high: Millionths::nearest(interval.high).max(mean.plus(grain)),
    })
}

/// Of few futures that differ, an interval reaches far, but no share is less than nothing or more than the whole.
fn possible(measure: Measure, estimate: Estimate) -> Estimate {
    let estimate = not_negative(estimate);
    if measure.is_share() { cut(estimate, Millionths::ZERO) } else { estimate }
}

/// The same for the difference of two.
fn possible_change(measure: Measure, estimate: Estimate) -> Estimate {
    if measure.is_share() { cut(estimate, Millionths::ZERO.minus(WHOLE)) } else { estimate }
}

fn cut(estimate: Estimate, lowest: Millionths) -> Estimate {
    Estimate { low: estimate.low.max(lowest), high: estimate.high.min(WHOLE), ..estimate }
}

/// Nothing that is measured falls below zero, so no interval claims it might.
fn not_negative(estimate: Estimate) -> Estimate {
    Estimate { low: estimate.low.max(Millionths::ZERO), ..estimate }
}

fn plan(id: RecommendationId, now: Timestamp, rehearsed: &[Rehearsed]) -> PlanOutlook {
    let mut outlook = PlanOutlook {
        id,
        done: 0,
        failed: 0,
        rolled_back: 0,
        unfinished: 0,
        takes: None,
        reasons: Vec::new(),
    };
    let (mut seconds, mut reasons) = (Vec::new(), BTreeMap::new());
    for one in rehearsed {
        let ending = one.endings.get(&id);
        match ending.map(|ending| &ending.outcome) {
            None => outlook.unfinished += 1,
            Some(Applied::Done) => outlook.done += 1,
            Some(Applied::Failed { .. }) => outlook.failed += 1,
            Some(Applied::RolledBack { .. }) => outlook.rolled_back += 1,
        }
        match ending.map(|ending| (&ending.outcome, ending.at)) {
            Some((Applied::Done, at)) => seconds.push(at.since(now).as_seconds_float()),
            Some((Applied::Failed { reason } | Applied::RolledBack { reason }, _)) => {
                *reasons.entry(reason.clone()).or_insert(0) += 1;
            }
            None => {}
        }
    }
    outlook.takes = estimate(NextValue::after(seconds.len()), &seconds, SECONDS_GRAIN).map(not_negative);
    outlook.reasons = most_frequent_first(reasons);
    outlook
}

fn most_frequent_first(reasons: BTreeMap<String, u32>) -> Vec<FailureReason> {
    let mut reasons: Vec<FailureReason> =
        reasons.into_iter().map(|(reason, seeds)| FailureReason { reason, seeds }).collect();
    reasons.sort_by(|one, other| other.seeds.cmp(&one.seeds).then_with(|| one.reason.cmp(&other.reason)));
    reasons
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_interval_claims_what_cannot_be() {
        // Two futures that differ: their next one could be anywhere.
        let next = NextValue::after(2);
        let shares = || estimate(next, &[0.2, 1.0], Measure::PendingTime.grain()).expect("two values");
        assert!(shares().low < Millionths::whole(-1) && shares().high > WHOLE);
        let all = possible(Measure::PendingTime, shares());
        assert_eq!((all.low, all.high, all.mean), (Millionths::ZERO, WHOLE, shares().mean));
        let change = possible_change(Measure::PendingTime, shares());
        assert_eq!((change.low, change.high), (Millionths::whole(-1), WHOLE));
        let pods = possible(Measure::PendingPods, shares());
        assert_eq!((pods.low, pods.high), (Millionths::ZERO, shares().high));
        assert_eq!(possible_change(Measure::PendingPods, shares()), shares());
    }
}
