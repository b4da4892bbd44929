//! Where requests arrive: who asks which cluster for what.

use super::answer::{Refusal, json_answer};
use super::request::{Form, Place, Question, Target, nothing_here};
use super::thing::Key;
use super::{ClusterApi, KubeApi, change, discovery, read, watch};
use crate::access::{Caller, Proof, Right, Sight};
use crate::api::endpoint::{self, Endpoint};
use crate::api::problem::{Kind, Problem};
use crate::desk::Desk;
use crate::entrance::encryption;
use axum::Json;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use model::time::Timestamp;
use serde_json::{Value, json};
use std::sync::Arc;

/// The list of clusters is our own, not upstream's.
pub(crate) const INDEX: &str = "/kube";

const NOT_SERVED: &str =
    "This desk does not serve the Kubernetes API of its clusters; start it with --kube-api.";

const PREFIX: &str = "/kube/";

/// With and without a slash, and everything below.
const PATHS: [&str; 3] = ["/kube/{cluster}", "/kube/{cluster}/", "/kube/{cluster}/{*path}"];

/// `kubectl replace` sends a whole object; the largest of ours has some ten thousand bytes.
const LARGEST_BODY: usize = 256 * 1024;

/// Beside the desk's own table: these addresses are upstream's, and the description of ours names none of them.
pub(crate) fn endpoints() -> Vec<Endpoint> {
    let changes = |endpoint: Endpoint| {
        endpoint.needs(Right::Steer).narrowed().takes_up_to(LARGEST_BODY).not_repeatable()
    };
    let all = |path: &'static str| {
        [
            endpoint::get(path, "askKubernetes", serve).needs(Right::SeeWorld).narrowed(),
            changes(endpoint::post(path, "postKubernetes", serve)),
            changes(endpoint::put(path, "putKubernetes", serve)),
            changes(endpoint::patch(path, "patchKubernetes", serve)),
            changes(endpoint::delete(path, "deleteKubernetes", serve)),
        ]
    };
    let index = endpoint::get(INDEX, "listKubernetes", index).needs(Right::SeeWorld).narrowed();
    std::iter::once(index).chain(PATHS.into_iter().flat_map(all)).collect()
}

/// Which clusters are served to whoever asks.
async fn index(State(desk): State<Desk>, caller: Caller) -> Result<Json<Value>, Problem> {
    let api = desk.kube_api().ok_or_else(|| Problem::new(Kind::NotFound, NOT_SERVED))?;
    let sight = caller.sight();
    let seen = api.clusters.iter().filter(|cluster| sight.cluster(&cluster.name));
    Ok(Json(json!({
        "clusters": seen.map(|cluster| cluster.name.as_str()).collect::<Vec<_>>(),
        "certificate": &*api.encryption.certificate,
        "name": encryption::NAME,
    })))
}

/// Somebody who asks one cluster for something.
pub(super) struct Visit {
    pub(super) desk: Desk,
    pub(super) api: Arc<KubeApi>,
    pub(super) cluster: usize,
    pub(super) caller: Caller,
    pub(super) form: Form,
    pub(super) question: Question,
    pub(super) headers: HeaderMap,
}

async fn serve(State(desk): State<Desk>, caller: Caller, request: Request) -> Response {
    answer(desk, caller, request).await.unwrap_or_else(IntoResponse::into_response)
}

async fn answer(desk: Desk, caller: Caller, request: Request) -> Result<Response, Refusal> {
    if !matches!(caller.proof, Proof::Token(_)) {
        let message = "a browser's session does not count here; send a token: Authorization: Bearer <token>";
        return Err(Refusal::new(StatusCode::UNAUTHORIZED, message));
    }
    let api = desk.kube_api().cloned().ok_or_else(|| Refusal::new(StatusCode::NOT_FOUND, NOT_SERVED))?;
    let (parts, body) = request.into_parts();
    let path = percent_encoding::percent_decode_str(parts.uri.path()).decode_utf8_lossy().into_owned();
    let path = path.strip_prefix(PREFIX).unwrap_or_default();
    let (name, rest) = path.split_once('/').unwrap_or((path, ""));
    let cluster = seen_cluster(&api, &caller.sight(), name)?;
    let question = Question::parse(parts.uri.query())?;
    let form = Form::wanted(&parts.headers)?;
    let visit = Visit { desk, api, cluster, caller, form, question, headers: parts.headers };
    match Target::parse(rest)? {
        Target::Object(place) if parts.method == Method::GET || parts.method == Method::HEAD => {
            look_up(visit, place).await
        }
        Target::Object(place) => {
            let body = axum::body::to_bytes(body, LARGEST_BODY).await;
            let body = body.map_err(|_| Refusal::bad("the body broke off"))?;
            change::change(&visit, &place, &parts.method, &body).await
        }
        _ if parts.method != Method::GET => Err(Refusal::not_allowed("this can only be read")),
        other => describe(&visit, &other),
    }
}

async fn look_up(visit: Visit, place: Place) -> Result<Response, Refusal> {
    if visit.question.watches() && place.part.is_none() {
        watch::watch(visit, place).await
    } else {
        read::read(&visit, &place).await
    }
}

/// Which of the clusters it is, if whoever asks sees it.
fn seen_cluster(api: &KubeApi, sight: &Sight, name: &str) -> Result<usize, Refusal> {
    let seen = |cluster: &&ClusterApi| sight.cluster(&cluster.name);
    let found = api.find(name).filter(|index| seen(&&api.clusters[*index]));
    found.ok_or_else(|| {
        let names: Vec<&str> =
            api.clusters.iter().filter(seen).map(|cluster| cluster.name.as_str()).collect();
        let message = format!("there is no cluster {name:?} here; there are: {}", names.join(", "));
        Refusal::new(StatusCode::NOT_FOUND, message)
    })
}

/// What is the same in every cluster.
fn describe(visit: &Visit, target: &Target) -> Result<Response, Refusal> {
    let aggregated = visit.form == Form::Aggregated;
    let document: Value = match target {
        Target::Root => discovery::root(),
        Target::Version => discovery::version(&visit.api.version),
        Target::Health => return Ok("ok".into_response()),
        Target::OpenApi => serde_json::json!({ "paths": {} }),
        Target::CoreVersions | Target::Groups if aggregated => {
            let document = discovery::aggregated(matches!(target, Target::CoreVersions));
            let mut response = json_answer(StatusCode::OK, &document);
            let kind = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
            let kind = axum::http::HeaderValue::from_static(kind);
            response.headers_mut().insert(axum::http::header::CONTENT_TYPE, kind);
            return Ok(response);
        }
        Target::CoreVersions => discovery::core_versions(),
        Target::Groups => discovery::group_list(),
        Target::Group(group) => discovery::group(group).ok_or_else(nothing_here)?,
        Target::Resources(group, version) => discovery::resources(group, version).ok_or_else(nothing_here)?,
        Target::Object(_) => return Err(nothing_here()),
    };
    Ok(json_answer(StatusCode::OK, &document))
}

impl Visit {
    pub(super) fn cluster(&self) -> &ClusterApi {
        &self.api.clusters[self.cluster]
    }

    /// Has the cluster looked at as it is now. Returns the world's time.
    pub(super) async fn look(&self) -> Result<Timestamp, Refusal> {
        let (api, cluster) = (Arc::clone(&self.api), self.cluster);
        let look = move |office: &crate::office::Office| {
            if let Some(world) = office.engine().simulated() {
                api.clusters[cluster].look(world);
            }
            office.engine().now()
        };
        Ok(self.desk.office().ask(look).await?)
    }

    /// Whether whoever asks may see what lies in a namespace.
    pub(super) fn must_see(&self, namespace: &str) -> Result<(), Refusal> {
        if self.caller.sight().namespace(namespace) {
            return Ok(());
        }
        let message = format!("namespace {namespace:?} lies outside the part of the federation that you see");
        Err(Refusal::new(StatusCode::FORBIDDEN, message))
    }

    /// Where one object is kept.
    pub(super) fn key(place: &Place, name: &str) -> Key {
        (place.about.resource, place.namespace.clone().unwrap_or_default(), name.to_owned())
    }
}
