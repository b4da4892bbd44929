//! From what models want to drafts: the sentence and the evidence are ours, the models' words stand beside them as theirs.

use super::advice::Advice;
use super::brief::Subject;
use super::inert::inert;
use super::judgement::Tally;
use crate::limits::Limits;
use crate::sight::Sight;
use crate::words;
use control::projection::Projection;
use control::question::Failure;
use control::question::Fault;
use control::strategy::View;
use model::names::ClusterName;
use model::recommendation::{Draft, Evidence, Opinion, Rationale, Verdict};

/// So many refused parts of an answer are shown with a recommendation.
const MOST_SHOWN: usize = 5;

/// Drafts one after the other, each on the federation as the former ones leave it.
pub(crate) struct Drafting<'a> {
    projection: Projection,
    limits: Limits,
    faults: &'a [Fault],
}

impl<'a> Drafting<'a> {
    pub(crate) const fn new(projection: Projection, limits: Limits, faults: &'a [Fault]) -> Self {
        Self { projection, limits, faults }
    }

    pub(crate) fn advised(&mut self, advice: &Advice, model: &str) -> Draft {
        let opinion = Opinion {
            by: "decider".to_owned(),
            model: model.to_owned(),
            verdict: Verdict::For,
            weight: 1,
            strength_thousandths: advice.confidence_thousandths,
            words: advice.reason.clone(),
        };
        self.draft(&advice.subject, &advice.target, advice.evidence.clone(), vec![opinion])
    }

    pub(crate) fn judged(&mut self, tally: &Tally, consolidator: &str, model: &str) -> Draft {
        let mut opinions = tally.opinions.clone();
        if !consolidator.is_empty() {
            opinions.push(Opinion {
                by: "consolidator".to_owned(),
                model: model.to_owned(),
                verdict: Verdict::For,
                weight: 0,
                strength_thousandths: None,
                words: consolidator.to_owned(),
            });
        }
        self.draft(&tally.candidate.subject, &tally.candidate.target, Vec::new(), opinions)
    }

    fn draft(
        &mut self,
        subject: &Subject,
        target: &ClusterName,
        quoted: Vec<Evidence>,
        opinions: Vec<Opinion>,
    ) -> Draft {
        let action = subject.to(target);
        let source = &self.projection.clusters[&subject.home];
        let (load, waiting) = (source.demand(), source.pods_waiting());
        let limit = self.limits.max_load.ratio();
        let mut evidence =
            vec![words::evidence(&subject.home, "requested", words::percent(load), Some(limit))];
        self.projection.apply(&action);
        let after = self.projection.clusters[target].demand();
        evidence.push(words::evidence(target, "requested after", words::percent(after), Some(limit)));
        evidence.extend(quoted);
        let summary = format!(
            "{} has {} requested and {}; {} moves {} ({}) to {target}, which then has {} requested",
            subject.home,
            words::percent(load),
            words::count(waiting, "waiting pod"),
            words::voices(&opinions),
            subject.name.name(),
            words::count(subject.pods, "pod"),
            words::percent(after),
        );
        let refused = self.faults.iter().take(MOST_SHOWN);
        let alternatives =
            refused.map(|fault| words::rejected("another part of the answer", fault.text.clone())).collect();
        Draft { action, because: Rationale { summary, evidence, alternatives, opinions } }
    }
}

/// Whether a move still is what it was when the model was asked: things happen while it thinks.
pub(crate) fn still_holds(
    subject: &Subject,
    target: &ClusterName,
    view: &View<'_>,
    sight: &Sight<'_>,
) -> bool {
    let Some(workload) = view.snapshot.workloads.get(&subject.name) else { return false };
    let placed = workload.placements.get(&subject.home);
    sight.may_move(&subject.name, workload)
        && sight.sees(&subject.home)
        && sight.sees(target)
        && workload.home() == Some(&subject.home)
        && placed.is_some_and(|placed| placed.replicas == subject.replicas)
}

pub(crate) fn failure_in_words(because: Failure, message: &str) -> String {
    let what = match because {
        Failure::TimedOut => "the model took too long",
        Failure::Unreachable => "the model could not be reached",
        Failure::RateLimited => "the provider was asked too often",
        Failure::ProviderFailed => "the provider failed",
        Failure::NotAccepted => "the provider did not accept the question",
        Failure::Refused => "the model refused to answer",
        Failure::BudgetExhausted => "the budget is used up",
        Failure::CircuitOpen => "the model failed too often and is not asked for a while",
        Failure::NotRecorded => "there is no recording of this question",
    };
    let message = inert(message, 200);
    if message.is_empty() { what.to_owned() } else { format!("{what}: {message}") }
}
