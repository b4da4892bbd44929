//! What somebody may do with a recommendation now, and why not. The same questions are asked again when they do it; these
//! answers are for pages, which then need no rules of their own.

use super::wire::{AllowedItem, Deed};
use crate::access::{Caller, Discretion, Right};
use crate::storage::tables::recommendations::Item;
use control::control_loop::ControlLoop;
use control::review_desk::ReviewRefusal;
use model::hash::ContentHash;
use model::recommendation::RecommendationId;
use model::review::{Review, Reviewer, Stage, Verdict};
use model::time::{Period, Timestamp};

/// What the loop would say to each answer of a person.
#[derive(Clone, Debug, Default)]
pub(super) struct Answers {
    approve: Option<ReviewRefusal>,
    reject: Option<ReviewRefusal>,
    defer: Option<ReviewRefusal>,
}

impl Answers {
    pub(super) fn of(
        control: &ControlLoop,
        now: Timestamp,
        (id, hash): (RecommendationId, ContentHash),
        caller: &Caller,
    ) -> Self {
        let refusal = |verdict| {
            let reviewer = Reviewer::Person(caller.name.clone());
            let review = Review { recommendation: id, hash, verdict, reviewer, note: None };
            control.may_answer(now, &review).err()
        };
        Self {
            approve: refusal(Verdict::Approve),
            reject: refusal(Verdict::Reject),
            defer: refusal(Verdict::Defer { until: now + Period::from_secs(60) }),
        }
    }
}

/// Only what the loop answers can tell of another part of the federation.
pub(super) fn allowed(
    caller: &Caller,
    item: &Item,
    answers: &Answers,
    discretion: &Discretion,
) -> Vec<AllowedItem> {
    let deed = |deed: Deed, refusal: Option<String>| AllowedItem {
        deed,
        allowed: refusal.is_none(),
        because: refusal,
    };
    let told = |refusal: &ReviewRefusal| {
        let mut words = lab::wording::review_refused(refusal);
        discretion.told(&mut words);
        words
    };
    let answer = |refusal: &Option<ReviewRefusal>| {
        no_right(caller, item, Right::Decide)
            .or_else(|| settled(item.stage))
            .or_else(|| refusal.as_ref().map(told))
    };
    let steer = |refusal: Option<String>| no_right(caller, item, Right::Steer).or(refusal);
    vec![
        deed(Deed::Approve, answer(&answers.approve)),
        deed(Deed::Reject, answer(&answers.reject)),
        deed(Deed::Defer, answer(&answers.defer)),
        deed(Deed::ChangeTarget, answer(&None).or_else(|| no_target(item))),
        deed(Deed::Abort, steer(not_under_way(item.stage))),
        deed(Deed::RollBack, steer(not_applied(item.stage))),
    ]
}

fn no_right(caller: &Caller, item: &Item, right: Right) -> Option<String> {
    if !caller.role.may(right) {
        let roles: Vec<&str> = right.holders().into_iter().map(crate::access::Role::as_str).collect();
        return Some(format!("You are {}; this needs one of: {}.", caller.role, roles.join(", ")));
    }
    caller.must_reach(item).err().map(|problem| problem.detail)
}

fn settled(stage: Stage) -> Option<String> {
    (stage != Stage::Pending).then(|| format!("It is {}.", lab::wording::stage(stage)))
}

fn no_target(item: &Item) -> Option<String> {
    (item.kind != "migrate").then(|| "Only a migration has a target that can be changed.".to_owned())
}

fn not_under_way(stage: Stage) -> Option<String> {
    let under_way = matches!(stage, Stage::Approved | Stage::Applying);
    (!under_way).then(|| "It is not being carried out.".to_owned())
}

fn not_applied(stage: Stage) -> Option<String> {
    (stage != Stage::Applied).then(|| "Only what was carried out can be taken back.".to_owned())
}
