//! What waits for an answer, and what became of what did.

use super::discreet::{discretion, keep_discreet, within};
use crate::access::{Caller, Discretion, Right, Sight};
use crate::api::allowed::{Answers, allowed};
use crate::api::answer::Json;
use crate::api::carried::Carried;
use crate::api::endpoint::{Endpoint, get};
use crate::api::extract::{Names, Query, page_length};
use crate::api::problem::{Kind, Problem};
use crate::api::shelves::Question;
use crate::api::wire::{OnTheDesk, RecommendationDetail, RecommendationList, RecommendationPage, ToldDetail};
use crate::desk::Desk;
use crate::office::lists::{self, KeptReview};
use crate::storage::tables::page::Direction;
use crate::storage::tables::recommendations::{Filter, Sort, SortKey, Whole};
use crate::storage::{Connection, Error, JsonText, Topic};
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use model::document::nearest;
use model::names::{NameError, WorkloadRef};
use model::recommendation::{Recommendation, RecommendationId};
use model::review::{Stage, Verdict};
use model::risk::Risk;
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeSet;

/// What an action can be.
const KINDS: [&str; 5] = ["migrate", "move", "scale", "resize_pool", "hold"];

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        get("/api/v1/recommendations", "listRecommendations", list)
            .does("Recommendations, filtered and sorted by the server")
            .needs(Right::SeeDesk)
            .narrowed()
            .query::<ListQuery>()
            .answers::<RecommendationPage>(),
        get("/api/v1/recommendations/{id}", "getRecommendation", detail)
            .does("Everything a person needs to decide; the answer carries an ETag")
            .needs(Right::SeeDesk)
            .narrowed()
            .answers::<RecommendationDetail>()
            .carries(&[Carried::Tag]),
    ]
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ListQuery {
    /// One or several, with commas: pending,applying
    stage: Option<String>,
    agent: Option<String>,
    /// migrate, move, scale, resize_pool or hold.
    kind: Option<String>,
    namespace: Option<String>,
    /// On either side of the action.
    cluster: Option<String>,
    /// Exactly this workload: deployment/default/frontend, or default/frontend for a Deployment.
    workload: Option<String>,
    /// Part of the workload's name.
    workload_contains: Option<String>,
    /// This risk or a higher one: low, medium or high.
    risk: Option<String>,
    /// A text in workload, agent or reason; for whoever sees a part of the federation, in the workload only.
    search: Option<String>,
    /// What to sort by, with a minus for descending: -raised_at, expires_at, risk, benefit, workload, agent, stage …
    sort: Option<String>,
    /// How many at most; 100 by default.
    #[schemars(range(min = 1, max = 500))]
    limit: Option<u32>,
    /// The `nextCursor` of the page before.
    cursor: Option<String>,
    /// Another run than the one that goes on now.
    run: Option<String>,
}

impl ListQuery {
    fn filter(&self, caller: &Caller) -> Result<Filter, Problem> {
        let (search, workload_contains) = self.letters(&caller.sight())?;
        Ok(Filter {
            stages: stages(self.stage.as_deref())?,
            agent: self.agent.clone(),
            kind: self.kind()?,
            namespace: self.namespace.clone(),
            cluster: self.cluster.clone(),
            workload: self.workload()?,
            workload_contains,
            risk_at_least: self.risk()?,
            search,
            within: caller.sight().within(),
            ..Filter::default()
        })
    }

    /// What is searched everywhere, and what in names of workloads. Reasons may tell of what somebody does not see, and who may search
    /// in them learns what they say.
    fn letters(&self, sight: &Sight) -> Result<(Option<String>, Option<String>), Problem> {
        let (search, contains) = (self.search.clone(), self.workload_contains.clone());
        match (sight.is_whole(), search, contains) {
            (false, Some(_), Some(_)) => {
                let detail =
                    "You see a part of the federation, where search looks in names of workloads as well.";
                Err(Problem::new(Kind::Malformed, detail)
                    .with_field("search", "send this or workload_contains"))
            }
            (false, Some(search), None) => Ok((None, Some(search))),
            (_, search, contains) => Ok((search, contains)),
        }
    }

    /// A kind that is none would find nothing, and nobody would notice.
    fn kind(&self) -> Result<Option<String>, Problem> {
        let Some(text) = self.kind.as_deref().filter(|text| !KINDS.contains(text)) else {
            return Ok(self.kind.clone());
        };
        let proposal = match nearest(text, KINDS) {
            Some(near) => format!("did you mean {near}?"),
            None => format!("write one of {}", KINDS.join(", ")),
        };
        let detail = format!("No action is of the kind {text:?}; {proposal}");
        Err(Problem::new(Kind::Malformed, detail).with_proposal("kind", "unknown", proposal))
    }

    /// The workload as lists name it.
    fn workload(&self) -> Result<Option<String>, Problem> {
        let read = self.workload.as_deref().map(str::parse::<WorkloadRef>).transpose();
        let wrong = |error: NameError| {
            Problem::new(Kind::Malformed, error.to_string()).with_field("workload", "no name")
        };
        Ok(read.map_err(wrong)?.map(|workload| workload.to_string()))
    }

    fn risk(&self) -> Result<Option<i64>, Problem> {
        let Some(text) = &self.risk else { return Ok(None) };
        let found = Risk::ALL.into_iter().find(|risk| risk.as_str() == text);
        let wrong =
            || Problem::new(Kind::Malformed, "risk is low, medium or high.").with_field("risk", "unknown");
        found.map(lists::risk_number).ok_or_else(wrong).map(Some)
    }

    fn sort(&self) -> Result<Sort, Problem> {
        let Some(text) = &self.sort else { return Ok(Sort::default()) };
        let (name, direction) = text
            .strip_prefix('-')
            .map_or((text.as_str(), Direction::Ascending), |name| (name, Direction::Descending));
        let key: SortKey = serde_json::from_value(name.into()).map_err(|_| {
            let detail = format!(
                "Nothing is sorted by {name:?}; try raised_at, expires_at, risk, benefit or workload."
            );
            Problem::new(Kind::Malformed, detail).with_field("sort", "unknown")
        })?;
        Ok(Sort { key, direction })
    }
}

/// Stages as a query names them, with commas.
pub(super) fn stages(text: Option<&str>) -> Result<Vec<Stage>, Problem> {
    let known = |text: &str| Stage::ALL.into_iter().find(|stage| stage.as_str() == text);
    let stage = |text: &str| {
        let all: Vec<&str> = Stage::ALL.into_iter().map(Stage::as_str).collect();
        let detail = format!("There is no stage {text:?}; stages are {}.", all.join(", "));
        known(text).ok_or_else(|| Problem::new(Kind::Malformed, detail).with_field("stage", "unknown"))
    };
    text.iter().flat_map(|text| text.split(',')).map(str::trim).map(stage).collect()
}

async fn list(
    State(desk): State<Desk>,
    caller: Caller,
    Query(query): Query<ListQuery>,
) -> Result<Response, Problem> {
    let (filter, sort) = (query.filter(&caller)?, query.sort()?);
    let limit = page_length(query.limit, 100, 500)?;
    let now = desk.now();
    let run = query.run.unwrap_or_else(|| now.run.clone());
    let edition = desk.edition(Topic::Recommendations);
    let question = Question { run, filter, sort, after: query.cursor, limit };
    let sight = caller.sight();
    // What may be told to whoever sees a part depends on what is there.
    let seen = now.snapshot.as_ref().filter(|_| !sight.is_whole()).map(|snapshot| snapshot.taken_at);
    let name = format!("{question:?} {seen:?}");
    let work = || work_out(&desk, &sight, edition, question);
    let list = desk.kept_lists().answer(edition, name, work).await?;
    Ok(Json(list.as_of(now.at)).into_response())
}

/// A list as of an edition, from memory if that is as new.
async fn work_out(
    desk: &Desk,
    sight: &Sight,
    edition: u64,
    question: Question,
) -> Result<RecommendationList, Problem> {
    let now = desk.now();
    let (shelves, current, run) = (desk.shelves(), now.run.clone(), question.run.clone());
    let mut page = match shelves.page_at_hand((&current, edition), &question) {
        Some(page) => page?,
        None => desk.read(move |connection| shelves.page(connection, (&current, edition), &question)).await?,
    };
    if !sight.is_whole() {
        keep_discreet(&mut page.rows, sight, desk, &run);
    }
    RecommendationList::of(&page).map_err(|error| Problem::internal(&error))
}

/// The number in an address: `R-42`.
pub(super) fn id(text: &str) -> Result<RecommendationId, Problem> {
    text.parse().map_err(|_| Problem::not_found(format_args!("recommendation {text:?}")))
}

/// A recommendation, if there is one and whoever asks sees it. Nobody learns which of the two it is not.
pub(super) async fn find(desk: &Desk, caller: &Caller, id: RecommendationId) -> Result<Whole, Problem> {
    Ok(find_with_plan(desk, caller, id).await?.0)
}

async fn find_with_plan(
    desk: &Desk,
    caller: &Caller,
    id: RecommendationId,
) -> Result<(Whole, Recommendation), Problem> {
    let (run, sight) = (desk.now().run.clone(), caller.sight());
    let found = desk.read(move |connection| {
        let whole = lists::find(connection, &run, id)?.filter(|whole| sight.place(&(&whole.item).into()));
        whole.map(|whole| narrowed(connection, &sight, whole)).transpose()
    });
    let whole = found.await?.ok_or_else(|| Problem::not_found(format_args!("recommendation {id}")))?;
    let plan = lists::intact(&whole).map_err(|finding| changed_by_hand(id, finding))?;
    Ok((whole, plan))
}

/// Nobody decides about a plan that was not shown to them.
fn changed_by_hand(id: RecommendationId, finding: &str) -> Problem {
    crate::log::error(&format!("somebody changed {id} in the database: {finding}"));
    let detail = format!(
        "The database and the record disagree about {id}: {finding}. Nothing is decided about it until the desk was opened again, which \
         writes it anew from the record."
    );
    Problem { retryable: false, ..Problem::new(Kind::Internal, detail) }
}

/// A recommendation without predictions about other parts of the federation.
fn narrowed(connection: &mut dyn Connection, sight: &Sight, mut whole: Whole) -> Result<Whole, Error> {
    let documents = &mut whole.documents;
    if let Some(text) = documents.prediction.as_ref().filter(|_| !sight.is_whole()) {
        let prediction = sight.prediction(connection, &documents.run, text.read("a prediction")?)?;
        documents.prediction = Some(JsonText::of(&prediction));
    }
    Ok(whole)
}

/// The recommendation as it stands, with what the loop says about it now.
pub(super) async fn describe(
    desk: &Desk,
    caller: &Caller,
    id: RecommendationId,
) -> Result<ToldDetail, Problem> {
    let (whole, plan) = find_with_plan(desk, caller, id).await?;
    let discretion = discretion(desk, &caller.sight(), &plan.action);
    let on_desk = on_the_desk(desk, caller, (&whole, &discretion), id).await?;
    let detail = ToldDetail::of(&whole, &plan, &on_desk).map_err(|error| Problem::internal(&error))?;
    Ok(within(&caller.sight(), &discretion, (detail, &plan)))
}

/// What only the loop knows. It is not asked about what is settled.
async fn on_the_desk(
    desk: &Desk,
    caller: &Caller,
    (whole, discretion): (&Whole, &Discretion),
    id: RecommendationId,
) -> Result<OnTheDesk, Problem> {
    let item = &whole.item;
    if item.stage != Stage::Pending {
        let allowed = allowed(caller, item, &Answers::default(), discretion);
        let approved = approved_by(whole);
        return Ok(OnTheDesk {
            allowed,
            approvers_needed: approved,
            approvers_given: approved,
            ..OnTheDesk::default()
        });
    }
    let (asks, plan) = (caller.clone(), (id, item.plan_hash));
    let look = move |office: &crate::office::Office| {
        let (control, now) = (office.engine().control(), office.engine().now());
        let on_desk = OnTheDesk {
            findings: control.findings(now, id).unwrap_or_default(),
            expected: control.as_of_now(now, id).map(|plan| plan.expected),
            approvers_needed: control.approvers_needed(now, id),
            approvers_given: control.desk().endorsed_by(id).len() as u32,
            allowed: Vec::new(),
        };
        (on_desk, Answers::of(control, now, plan, &asks))
    };
    let (on_desk, answers) = desk.office().ask(look).await?;
    Ok(OnTheDesk { allowed: allowed(caller, item, &answers, discretion), ..on_desk })
}

/// How many people approved what was approved. It is approved as soon as enough have, so as many were needed.
fn approved_by(Whole { item, documents }: &Whole) -> u32 {
    let approved = matches!(
        item.stage,
        Stage::Approved | Stage::Applying | Stage::Applied | Stage::Failed | Stage::RolledBack
    );
    let kept: Option<Vec<KeptReview>> = documents.reviews.as_ref().and_then(|text| text.read("reviews").ok());
    let people = kept.unwrap_or_default().into_iter().filter(|review| {
        review.verdict == lists::verdict_name(&Verdict::Approve) && review.by.starts_with("person:")
    });
    let people: BTreeSet<String> = people.map(|review| review.by).collect();
    if approved { people.len() as u32 } else { 0 }
}

/// What a version is called in headers.
pub(super) fn etag(version: i64) -> String {
    format!("\"{version}\"")
}

/// An answer about one recommendation, with its version.
pub(super) fn tagged(detail: ToldDetail) -> Response {
    let tag = etag(detail.item.version);
    let answer = Json(detail).into_response();
    // What could not be written has no version.
    if answer.status().is_success() { ([(header::ETAG, tag)], answer).into_response() } else { answer }
}

async fn detail(
    State(desk): State<Desk>,
    caller: Caller,
    Names(text): Names<String>,
) -> Result<Response, Problem> {
    Ok(tagged(describe(&desk, &caller, id(&text)?).await?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::wire::ActionWish;

    #[test]
    fn every_action_that_can_be_proposed_can_be_looked_for() {
        let schema = schemars::schema_for!(ActionWish).to_value();
        let wishes = schema["oneOf"].as_array().expect("one schema for each kind");
        let kinds: Vec<&str> =
            wishes.iter().filter_map(|wish| wish["properties"]["kind"]["const"].as_str()).collect();
        assert_eq!(kinds, KINDS);
    }
}
