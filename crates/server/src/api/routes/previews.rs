//! What several recommendations would bring together, reckoned when somebody asks.

use super::discreet::discretion;
use super::recommendations::{find, id};
use crate::access::{Caller, Right, Sight};
use crate::api::answer::Json;
use crate::api::endpoint::{Endpoint, post};
use crate::api::extract::Body;
use crate::api::problem::{Kind, Problem};
use crate::api::wire::PredictionItem;
use crate::desk::Desk;
use crate::office::Office;
use crate::storage::Connection;
use axum::extract::State;
use control::world::Objection;
use lab::what_if::{self, Pending};
use model::action::Action;
use model::prediction::Prediction;
use model::recommendation::RecommendationId;
use schemars::JsonSchema;
use serde::Deserialize;

/// More are not rehearsed together.
const MOST: usize = 100;

/// Each is asked about in a real cluster, which takes a moment.
const MOST_REHEARSED: usize = 10;

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        post("/api/v1/previews", "previewTogether", preview)
            .does("What carrying out several pending recommendations together would bring")
            .needs(Right::SeeDesk)
            .narrowed()
            .body::<Selection>()
            .slow()
            .answers::<PredictionItem>()
            .may_refuse(&[Kind::NotFound, Kind::AlreadyDecided, Kind::NotReady])
            .not_repeatable(),
    ]
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Selection {
    /// Recommendations that wait for an answer: …
    #[schemars(length(min = 1, max = 100))]
    ids: Vec<String>,
}

async fn preview(
    State(desk): State<Desk>,
    caller: Caller,
    Body(selection): Body<Selection>,
) -> Result<Json<PredictionItem>, Problem> {
    if selection.ids.is_empty() || selection.ids.len() > MOST {
        let problem = Problem::new(Kind::Validation, format!("Choose 1 to {MOST} recommendations."));
        return Err(problem.with_field("ids", format!("1 to {MOST} of them")));
    }
    let ids: Vec<RecommendationId> = selection.ids.iter().map(|text| id(text)).collect::<Result<_, _>>()?;
    for id in &ids {
        find(&desk, &caller, *id).await?;
    }
    let settings = desk.foresight().ok_or_else(|| {
        Problem::new(
            Kind::NotReady,
            "This desk does not predict; its file says prediction: { enabled: false }.",
        )
    })?;
    let seat = desk.rooms().preview(&caller.actor())?;
    let (twin, at, waiting) = desk
        .office()
        .ask(|office: &Office| (office.engine().twin(), office.engine().now(), office.waiting_actions()))
        .await?;
    let missing = ids.iter().find(|id| !waiting.iter().any(|(known, _)| known == *id));
    if let Some(id) = missing {
        return Err(Problem::new(
            Kind::AlreadyDecided,
            format!("{id} does not wait for an answer any more."),
        ));
    }
    let set: Vec<Pending> = waiting.iter().filter(|(id, _)| ids.contains(id)).cloned().collect();
    let asked: Vec<(RecommendationId, Action)> =
        set.iter().map(|(id, action)| (*id, action.clone())).collect();
    let reckon = move || {
        let world = twin?.build().ok()?;
        Some(Prediction { made_at: at, ..what_if::joint(&world, &set, &waiting, &settings) })
    };
    // The place goes along with the work: whoever gives up leaves it taken until the work is done, and not longer.
    let work = tokio::task::spawn_blocking(move || (reckon(), seat));
    let (reckoned, _seat) = work.await.map_err(|error| Problem::internal(&error))?;
    let prediction = reckoned.ok_or_else(|| {
        Problem::new(
            Kind::NotReady,
            "Too little is known of the clusters; try again when they were observed.",
        )
    })?;
    let (run, sight) = (desk.now().run.clone(), caller.sight());
    let narrowed =
        move |connection: &mut dyn Connection| sight.prediction(connection, &run, prediction.clone());
    let prediction = desk.read(narrowed).await?;
    let objections = objections(&desk, &caller.sight(), asked).await?;
    Ok(Json(PredictionItem { objections, ..(&prediction).into() }))
}

/// What the clusters would say to each plan by itself; as many are asked as a person can wait for.
async fn objections(
    desk: &Desk,
    sight: &Sight,
    plans: Vec<(RecommendationId, Action)>,
) -> Result<Vec<String>, Problem> {
    let mut told = Vec::new();
    for (id, action) in plans.into_iter().take(MOST_REHEARSED) {
        let discretion = discretion(desk, sight, &action);
        let words = |mut reason: String| {
            discretion.told_of_clusters(&action, &mut reason);
            reason
        };
        match desk.rehearse(action.clone()).await? {
            Ok(()) => {}
            Err(Objection::Refused { reason }) => {
                told.push(format!("{id} would be refused: {}", words(reason)));
            }
            Err(Objection::NoAnswer { reason }) => {
                told.push(format!("{id} could not be checked: {}", words(reason)));
            }
        }
    }
    Ok(told)
}
