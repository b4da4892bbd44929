//! The knowledge base: what agents learned, kept under the hash of its bytes.

use super::runs::hash;
use crate::access::{Caller, Right, record};
use crate::api::answer::Json;
use crate::api::endpoint::{Endpoint, delete, get, post};
use crate::api::extract::{Body, Names};
use crate::api::problem::{Kind, Problem};
use crate::api::wire::{ModelDetail, ModelItem};
use crate::clock::wall_ms;
use crate::desk::Desk;
use crate::storage::JsonText;
use crate::storage::tables::models::{self, NewModel};
use axum::extract::State;
use axum::http::StatusCode;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use model::names::check_name;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// Bytes of one model. Small networks and tables take some hundred kilobytes; this is read into memory as a whole.
const LARGEST_MODEL: usize = 8 * 1024 * 1024;

/// A model as base64, its card and the words around them.
const LARGEST_BODY: usize = LARGEST_MODEL / 3 * 4 + 256 * 1024;

/// A card is for people and programs that choose; more belongs into a report.
const LARGEST_CARD: usize = 64 * 1024;

/// All of them together stay in the database and in every backup of it.
const MOST_BYTES: i64 = 512 * 1024 * 1024;

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        get("/api/v1/models", "listModels", list)
            .does("What agents learned, newest first, without the bytes")
            .needs(Right::SeeDesk)
            .narrowed()
            .answers::<Vec<ModelItem>>(),
        // The same bytes are kept once, so sending them again is safe anyway.
        post("/api/v1/models", "addModel", add)
            .does("Keep something learned; the same bytes again stay as they were described first")
            .needs(Right::Administer)
            .not_repeatable()
            .body::<ModelWish>()
            .takes_up_to(LARGEST_BODY)
            .answers_with::<ModelItem>(201)
            .may_refuse(&[Kind::Conflict]),
        get("/api/v1/models/{hash}", "getModel", show)
            .does("One of them with its bytes")
            .needs(Right::SeeDesk)
            .narrowed()
            .answers::<ModelDetail>(),
        delete("/api/v1/models/{hash}", "removeModel", remove)
            .does("Forget one of them")
            .needs(Right::Administer),
    ]
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ModelWish {
    #[schemars(length(min = 1, max = 253))]
    name: String,
    /// What it is: tree-ensemble, onnx, table …
    #[schemars(length(min = 1, max = 253))]
    kind: String,
    /// What it was trained on and how well it did: any object.
    #[serde(default)]
    card: Map<String, Value>,
    /// Its bytes as base64, up to 8 MiB of them.
    content: String,
}

fn wrong(field: &str, message: impl Into<String>) -> Problem {
    let message = message.into();
    Problem::new(Kind::Validation, format!("{field}: {message}.")).with_field(field, message)
}

impl ModelWish {
    fn bytes(&self) -> Result<Vec<u8>, Problem> {
        check_name(&self.name).map_err(|error| wrong("name", error.to_string()))?;
        check_name(&self.kind).map_err(|error| wrong("kind", error.to_string()))?;
        let bytes = STANDARD.decode(&self.content).map_err(|error| wrong("content", error.to_string()))?;
        if bytes.is_empty() || bytes.len() > LARGEST_MODEL {
            return Err(wrong("content", format!("1 to {LARGEST_MODEL} bytes")));
        }
        Ok(bytes)
    }

    fn card(&self) -> Result<JsonText, Problem> {
        let card = JsonText::of(&self.card);
        let fits = card.as_str().len() <= LARGEST_CARD;
        if fits { Ok(card) } else { Err(wrong("card", format!("at most {LARGEST_CARD} bytes"))) }
    }
}

async fn list(State(desk): State<Desk>) -> Result<Json<Vec<ModelItem>>, Problem> {
    let all = desk.read(|connection| models::all(connection)).await?;
    Ok(Json(all.into_iter().map(Into::into).collect()))
}

async fn add(
    State(desk): State<Desk>,
    caller: Caller,
    Body(wish): Body<ModelWish>,
) -> Result<(StatusCode, Json<ModelItem>), Problem> {
    let (bytes, card) = (wish.bytes()?, wish.card()?);
    let kept = desk
        .record(move |transaction| {
            let (actor, wall_ms) = (caller.actor(), wall_ms());
            let known = models::all(transaction)?;
            if known.iter().map(|model| model.size).sum::<i64>() + bytes.len() as i64 > MOST_BYTES {
                let detail =
                    format!("All models together have at most {MOST_BYTES} bytes; forget some first.");
                return Ok(Err(Problem::new(Kind::Conflict, detail)));
            }
            let (name, kind) = (wish.name.as_str(), wish.kind.as_str());
            let new =
                NewModel { name, kind, card, created_by: &actor, created_wall_ms: wall_ms, bytes: &bytes };
            let hash = models::put(transaction, &new)?;
            if known.iter().all(|model| model.hash != hash) {
                let body = json!({ "name": name, "kind": kind, "size": bytes.len() });
                record::note(transaction, wall_ms, "model.added", (&actor, &hash.to_string()), &body)?;
            }
            Ok(Ok(models::get(transaction, hash)?))
        })
        .await??;
    let kept = kept.ok_or_else(|| Problem::internal(&"a model was kept and is not there"))?;
    Ok((StatusCode::CREATED, Json(kept.into())))
}

async fn show(State(desk): State<Desk>, Names(text): Names<String>) -> Result<Json<ModelDetail>, Problem> {
    let hash = hash(&text, "model")?;
    let found = desk
        .read(move |connection| Ok((models::get(connection, hash)?, models::bytes(connection, hash)?)))
        .await?;
    let (Some(model), Some(bytes)) = found else {
        return Err(Problem::not_found(format_args!("model {text}")));
    };
    Ok(Json(ModelDetail { model: model.into(), content: STANDARD.encode(bytes) }))
}

async fn remove(
    State(desk): State<Desk>,
    caller: Caller,
    Names(text): Names<String>,
) -> Result<StatusCode, Problem> {
    let hash = hash(&text, "model")?;
    let removed = desk
        .record(move |transaction| {
            if !models::remove(transaction, hash)? {
                return Ok(false);
            }
            let who = (caller.actor(), hash.to_string());
            record::note(transaction, wall_ms(), "model.removed", (&who.0, &who.1), &json!({}))?;
            Ok(true)
        })
        .await?;
    if removed { Ok(StatusCode::NO_CONTENT) } else { Err(Problem::not_found(format_args!("model {text}"))) }
}
