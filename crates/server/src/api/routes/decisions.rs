//! Answers: yes, no, later, elsewhere.

use super::discreet::discretion;
use super::recommendations::{describe, find, id, tagged};
use crate::access::{Caller, Right};
use crate::api::carried::Carried;
use crate::api::endpoint::{Endpoint, post};
use crate::api::extract::{Body, IfMatch, Names};
use crate::api::problem::{Kind, Problem};
use crate::api::wire::{RecommendationDetail, ToldDetail};
use crate::desk::Desk;
use crate::office::lists::KeptReview;
use crate::office::{OfficeError, Outcome};
use crate::storage::tables::recommendations::Whole;
use axum::extract::State;
use axum::response::Response;
use control::guardrails::Refusal;
use control::review_desk::ReviewRefusal;
use control::world::{Effect, Input, Objection, OrderRefusal, SettleReason};
use model::document::nearest;
use model::hash::ContentHash;
use model::names::ClusterName;
use model::order::{Command, Order};
use model::recommendation::{Recommendation, RecommendationId};
use model::review::{Review, Reviewer, Stage, Verdict};
use model::time::Period;
use schemars::JsonSchema;
use serde::Deserialize;

/// What a person says may be so long.
const LONGEST_NOTE: usize = 2_000;

const REFUSALS: [Kind; 9] = [
    Kind::PlanStale,
    Kind::PlanExpired,
    Kind::PlanSuperseded,
    Kind::AlreadyDecided,
    Kind::PolicyDenied,
    Kind::ClusterRefused,
    Kind::Frozen,
    Kind::SelfApproval,
    Kind::NotReady,
];

/// So many names fit into a sentence.
const SHOWN_CLUSTERS: usize = 5;

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        post("/api/v1/recommendations/{id}/decisions", "decide", decide)
            .does("Approve, reject or defer exactly the plan that was read")
            .needs(Right::Decide)
            .narrowed()
            .body::<Decision>()
            .answers::<RecommendationDetail>()
            .carries(&[Carried::Tag])
            .conditional()
            .may_refuse(&REFUSALS),
        post("/api/v1/recommendations/{id}/target", "changeTarget", change_target)
            .does("Make a new plan with another target out of this one")
            .needs(Right::Decide)
            .narrowed()
            .body::<NewTarget>()
            .answers::<RecommendationDetail>()
            .carries(&[Carried::Tag])
            .conditional()
            .may_refuse(&REFUSALS),
    ]
}

/// An answer.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Decision {
    pub(super) verdict: DecisionVerdict,
    /// The `planHash` of what was read: an answer to anything else does not count.
    #[schemars(regex(pattern = "^[0-9a-f]{64}$"))]
    pub(super) plan_hash: String,
    /// Why; a rejection must say it.
    #[schemars(length(max = 2000))]
    pub(super) note: Option<String>,
    /// With defer: for how many seconds of the federation's own time.
    #[schemars(range(min = 1, max = 86_400))]
    pub(super) defer_seconds: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum DecisionVerdict {
    Approve,
    Reject,
    Defer,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct NewTarget {
    #[schemars(regex(pattern = "^[0-9a-f]{64}$"))]
    plan_hash: String,
    /// The cluster that it should go to instead.
    to: String,
    #[schemars(length(max = 2000))]
    reason: Option<String>,
}

async fn decide(
    State(desk): State<Desk>,
    caller: Caller,
    Names(text): Names<String>,
    IfMatch(condition): IfMatch,
    Body(decision): Body<Decision>,
) -> Result<Response, Problem> {
    // What cannot be an answer is said before what it is an answer to.
    decision.check()?;
    let version = version(&condition)?;
    Ok(tagged(answer(&desk, &caller, &text, &decision, version).await?))
}

/// Answers one recommendation and returns it as it stands then.
pub(super) async fn answer(
    desk: &Desk,
    caller: &Caller,
    text: &str,
    decision: &Decision,
    version: i64,
) -> Result<ToldDetail, Problem> {
    let id = id(text)?;
    let whole = find(desk, caller, id).await?;
    caller.must_reach(&whole.item)?;
    let review = decision.review(desk, id, caller)?;
    if said_before(&whole, &review) {
        return repeated(desk, caller, &whole).await;
    }
    if review.verdict == Verdict::Approve {
        let plan: Recommendation = whole.documents.body.read("a recommendation").map_err(Problem::from)?;
        let discretion = discretion(desk, &caller.sight(), &plan.action);
        let told = |words: &mut String| discretion.told_of_clusters(&plan.action, words);
        desk.rehearse(plan.action.clone()).await?.map_err(|objection| objected(objection, told))?;
    }
    match desk.office().take(Input::Reviewed(review.clone()), Some((id, version)), None).await {
        Ok(outcome) => refused(id, &outcome)?,
        Err(error @ OfficeError::VersionChanged { .. }) => {
            // The same answer may have come twice at the same time; then it was the other one that changed it.
            let whole = find(desk, caller, id).await?;
            let is_repeated = said_before(&whole, &review);
            return if is_repeated { repeated(desk, caller, &whole).await } else { Err(error.into()) };
        }
        Err(error) => return Err(error.into()),
    }
    describe(desk, caller, id).await
}

/// The same answer again is not a conflict: whoever did not hear the first one back may repeat it, and hears what came of that one.
async fn repeated(desk: &Desk, caller: &Caller, whole: &Whole) -> Result<ToldDetail, Problem> {
    refused_before(whole)?;
    describe(desk, caller, RecommendationId(whole.item.id as u64)).await
}

/// What the clusters said when they were asked before the approval; in their own words, as far as they are told.
fn objected(objection: Objection, told: impl Fn(&mut String)) -> Problem {
    let (kind, what, mut reason) = match objection {
        Objection::Refused { reason } => (Kind::ClusterRefused, "the clusters would refuse it", reason),
        Objection::NoAnswer { reason } => {
            (Kind::NotReady, "the clusters could not be asked whether they would take it", reason)
        }
    };
    told(&mut reason);
    Problem::new(kind, format!("Nothing was changed; {what}: {reason}"))
}

fn no_deferral() -> Problem {
    let problem = Problem::new(Kind::Validation, "Say for how long, up to a day.");
    problem.with_proposal("deferSeconds", "say for how long, up to a day", "write a number from 1 to 86400")
}

impl Decision {
    /// Whether it can be an answer to anything.
    pub(super) fn check(&self) -> Result<(), Problem> {
        check_words("note", self.note.as_deref())?;
        plan_hash(&self.plan_hash)?;
        match (self.verdict, self.defer_seconds) {
            (_, None) | (DecisionVerdict::Defer, Some(1..=86_400)) => Ok(()),
            (DecisionVerdict::Defer, Some(_)) => Err(no_deferral()),
            (_, Some(_)) => {
                let problem = Problem::new(Kind::Validation, "Only a deferral is for some time.");
                Err(problem.with_proposal("deferSeconds", "only verdict defer has it", "leave it out"))
            }
        }
    }

    fn review(&self, desk: &Desk, id: RecommendationId, caller: &Caller) -> Result<Review, Problem> {
        self.check()?;
        let note = self.note.as_deref().map(str::trim).filter(|note| !note.is_empty());
        if self.verdict == DecisionVerdict::Reject && note.is_none() {
            let problem = Problem::new(Kind::Validation, "Say why: agents and colleagues learn from it.");
            return Err(problem.with_field("note", "a rejection needs a reason"));
        }
        let verdict = match (self.verdict, self.defer_seconds) {
            (DecisionVerdict::Approve, _) => Verdict::Approve,
            (DecisionVerdict::Reject, _) => Verdict::Reject,
            (DecisionVerdict::Defer, Some(seconds)) => {
                Verdict::Defer { until: desk.now().at + Period::from_secs(seconds) }
            }
            (DecisionVerdict::Defer, None) => return Err(no_deferral()),
        };
        Ok(Review {
            recommendation: id,
            hash: plan_hash(&self.plan_hash)?,
            verdict,
            reviewer: Reviewer::Person(caller.name.clone()),
            note: note.map(str::to_owned),
        })
    }
}

/// Whether what a person says in a field can be kept.
pub(super) fn check_words(field: &str, text: Option<&str>) -> Result<(), Problem> {
    let Some(text) = text else { return Ok(()) };
    let length = text.chars().count();
    let (message, proposal) = if length > LONGEST_NOTE {
        (format!("{length} characters are too many"), format!("write at most {LONGEST_NOTE}"))
    } else if text.contains('\0') {
        // PostgreSQL keeps no text with this character.
        ("it holds a NUL, which cannot be kept".to_owned(), "leave it out".to_owned())
    } else {
        return Ok(());
    };
    let problem = Problem::new(Kind::Validation, format!("The {field}: {message}; {proposal}."));
    Err(problem.with_proposal(field, message, proposal))
}

pub(super) fn plan_hash(text: &str) -> Result<ContentHash, Problem> {
    text.parse().map_err(|_| {
        let problem = Problem::new(Kind::Validation, "The plan hash is not one; copy it from what you read.");
        problem.with_field("planHash", "64 hexadecimal digits")
    })
}

/// A tag that is weak says only that something means the same, and is never a match here (RFC 9110, 13.1.1).
fn version(condition: &str) -> Result<i64, Problem> {
    let condition = condition.trim();
    if condition.starts_with("W/") {
        let detail = "If-Match needs the ETag as it was sent, without W/: only a strong one matches.";
        return Err(Problem::new(Kind::VersionChanged, detail));
    }
    condition
        .trim_matches('"')
        .parse()
        .map_err(|_| Problem::new(Kind::VersionChanged, "If-Match names no version of this recommendation."))
}

/// Whether the same person has given this answer, and it stands. A yes stands also where another one has to say it as well.
fn said_before(Whole { item, documents }: &Whole, review: &Review) -> bool {
    let kept: Vec<KeptReview> =
        documents.reviews.as_ref().and_then(|text| text.read("reviews").ok()).unwrap_or_default();
    let by = crate::office::record::reviewer(&review.reviewer);
    let verdict = crate::office::lists::verdict_name(&review.verdict);
    (item.stage != Stage::Pending || review.verdict == Verdict::Approve)
        && item.plan_hash == review.hash
        && kept.iter().any(|kept| kept.by == by && kept.verdict == verdict)
}

/// Whoever repeats an approval that came too late hears again that nothing was done.
fn refused_before(whole: &Whole) -> Result<(), Problem> {
    match whole.documents.outcome.as_ref().map(|outcome| outcome.read("an outcome")).transpose()? {
        Some(SettleReason::RefusedWhenActing { refusal }) => Err(guardrail(&refusal)),
        _ => Ok(()),
    }
}

/// What the loop said, if it did not do what was wanted.
fn refused(id: RecommendationId, outcome: &Outcome) -> Result<(), Problem> {
    for effect in &outcome.step.effects {
        match effect {
            Effect::RefuseReview { id: about, refusal } if *about == id => {
                return Err(review_refused(refusal));
            }
            Effect::Settle { id: about, reason: SettleReason::RefusedWhenActing { refusal }, .. }
                if *about == id =>
            {
                return Err(guardrail(refusal));
            }
            Effect::RefuseOrder { refusal } => return Err(order_refused(refusal)),
            _ => {}
        }
    }
    Ok(())
}

fn review_refused(refusal: &ReviewRefusal) -> Problem {
    let kind = match refusal {
        ReviewRefusal::AlreadyAnswered { stage: Stage::Superseded } => Kind::PlanSuperseded,
        ReviewRefusal::NotOpen | ReviewRefusal::AlreadyAnswered { .. } | ReviewRefusal::SaidBefore => {
            Kind::AlreadyDecided
        }
        ReviewRefusal::ContentDiffers => Kind::PlanStale,
        ReviewRefusal::TooLate { .. } => Kind::PlanExpired,
        ReviewRefusal::OwnPlan => Kind::SelfApproval,
        ReviewRefusal::ObserveOnly => Kind::ObserveOnly,
        ReviewRefusal::NotNow { refusal } => return guardrail(refusal),
        ReviewRefusal::DeferredTooLong { .. } => Kind::Validation,
    };
    Problem::new(kind, lab::wording::review_refused(refusal))
}

pub(super) fn guardrail(refusal: &Refusal) -> Problem {
    let kind = match refusal {
        Refusal::Frozen { .. } => Kind::Frozen,
        Refusal::PreconditionChanged { .. } | Refusal::UnknownWorkload { .. } => Kind::PlanStale,
        Refusal::StaleSnapshot { .. } | Refusal::NothingObserved => Kind::NotReady,
        _ => Kind::PolicyDenied,
    };
    Problem::new(kind, lab::wording::refused(refusal))
}

/// Why an order had no effect.
pub(super) fn order_refused(refusal: &OrderRefusal) -> Problem {
    match refusal {
        OrderRefusal::NotFrozen => Problem::new(Kind::NotFound, "No such freeze stands; it may have ended."),
        OrderRefusal::NoSuchMode => {
            Problem::new(Kind::NotFound, "Nobody has set a mode for exactly this agent and part.")
        }
        OrderRefusal::EndsAtOnce => {
            Problem::new(Kind::Validation, "It would end at once; give it a later end.")
        }
        OrderRefusal::TooMany { limit } => {
            Problem::new(Kind::Conflict, format!("There are {limit} already; take some away first."))
        }
        OrderRefusal::Review { refusal } => review_refused(refusal),
        OrderRefusal::NoTarget => {
            Problem::new(Kind::Validation, "Only a migration has a target that can be changed.")
        }
        OrderRefusal::NotUnderWay => {
            Problem::new(Kind::Conflict, "It is not being carried out, so there is nothing to give up.")
        }
        OrderRefusal::Refused { refusal } => guardrail(refusal),
    }
}

/// Whether a cluster was observed, or should have been. Otherwise it says which one may be meant.
async fn must_exist(desk: &Desk, caller: &Caller, cluster: &ClusterName) -> Result<(), Problem> {
    let latest = desk.office().ask(|office| office.engine().control().latest().cloned()).await?;
    // Before anything is observed, nothing is known to be missing.
    let Some(snapshot) = latest else { return Ok(()) };
    if snapshot.clusters.contains_key(cluster) || snapshot.gap_of_cluster(cluster).is_some() {
        return Ok(());
    }
    let sight = caller.sight();
    let known = snapshot.clusters.keys().filter(|name| sight.cluster(name)).map(ClusterName::as_str);
    let known: Vec<&str> = known.collect();
    let proposal = match nearest(cluster.as_str(), known.iter().copied()) {
        Some(near) => format!("did you mean {near}?"),
        None => {
            format!("known are {}", known.iter().take(SHOWN_CLUSTERS).copied().collect::<Vec<_>>().join(", "))
        }
    };
    let detail = format!("There is no cluster {cluster}; {proposal}");
    Err(Problem::new(Kind::Validation, detail).with_field("to", proposal))
}

async fn change_target(
    State(desk): State<Desk>,
    caller: Caller,
    Names(text): Names<String>,
    IfMatch(condition): IfMatch,
    Body(wish): Body<NewTarget>,
) -> Result<Response, Problem> {
    let id = id(&text)?;
    caller.must_reach(&find(&desk, &caller, id).await?.item)?;
    check_words("reason", wish.reason.as_deref())?;
    let to = ClusterName::new(&wish.to).map_err(|error| {
        Problem::new(Kind::Validation, error.to_string()).with_field("to", "the name of a cluster")
    })?;
    caller.must_reach_cluster(&to)?;
    must_exist(&desk, &caller, &to).await?;
    let what = Command::ChangeTarget { recommendation: id, hash: plan_hash(&wish.plan_hash)?, to };
    let order = Order { by: caller.name.clone(), reason: wish.reason.unwrap_or_default(), what };
    let seen = Some((id, version(&condition)?));
    let outcome = desk.office().take(Input::Ordered(order), seen, None).await?;
    refused(id, &outcome)?;
    let new = outcome.step.effects.iter().find_map(|effect| match effect {
        Effect::Submit(new) => Some(new.id),
        _ => None,
    });
    Ok(tagged(describe(&desk, &caller, new.unwrap_or(id)).await?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_cannot_be_kept_are_refused_by_the_name_of_their_field() {
        let check = |field: &str, text: &str, expected: Option<&str>| {
            let problem = check_words(field, Some(text)).err();
            assert_eq!(problem.as_ref().map(|problem| problem.detail.as_str()), expected);
            assert!(problem.is_none_or(
                |problem| problem.errors[0].field == field && problem.errors[0].proposal.is_some()
            ));
        };
        let long = "x".repeat(2_001);
        check("reason", &long[1..], None);
        check("reason", &long, Some("The reason: 2001 characters are too many; write at most 2000."));
        check("note", "a\0", Some("The note: it holds a NUL, which cannot be kept; leave it out."));
        assert!(check_words("note", None).is_ok());
    }

    #[test]
    fn only_a_strong_tag_names_a_version() {
        let check = |condition: &str, expected: Option<i64>| {
            assert_eq!(version(condition).ok(), expected, "{condition}");
        };
        check("\"2\"", Some(2));
        check(" \"2\" ", Some(2));
        check("W/\"2\"", None);
        check("\"x\"", None);
    }
}
