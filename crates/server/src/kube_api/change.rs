//! Changing: what a patch, a scale, a deletion or an eviction means for the simulated cluster.

use super::answer::{Refusal, json_answer};
use super::kinds::{About, Resource};
use super::patch::{differences, patched, read as read_json};
use super::read::{find, object};
use super::register::Entry;
use super::render;
use super::request::{Place, nothing_here};
use super::serve::Visit;
use super::thing::{Facts, Texts, Thing};
use axum::body::Bytes;
use axum::http::{Method, StatusCode, header};
use axum::response::Response;
use model::names::{NodeName, WorkloadKind, WorkloadRef};
use serde_json::{Value, json};
use simulator::world::Intervention;

/// What can be done at all, for whoever tried something else.
const POSSIBLE: &str = "in a simulated cluster the replicas and annotations of deployments, statefulsets and replicasets can be \
    changed (kubectl scale, annotate), nodes can be closed and opened (kubectl cordon, uncordon, drain), and pods can be deleted or \
    evicted; everything else comes from the scenario";

/// What an API server allows for all annotations of an object.
const MOST_ANNOTATED: usize = 256 * 1_024;

pub(super) async fn change(
    visit: &Visit,
    place: &Place,
    method: &Method,
    body: &Bytes,
) -> Result<Response, Refusal> {
    must_reach(visit, place)?;
    let Some(name) = place.name.as_deref() else {
        return Err(Refusal::not_allowed(match *method {
            Method::DELETE => format!("name what should go, one by one; {POSSIBLE}"),
            _ => format!("nothing can be created here: {POSSIBLE}"),
        }));
    };
    visit.look().await?;
    match (method, place.part.as_deref()) {
        (&Method::PUT | &Method::PATCH, None) => update(visit, place, name, method, body).await,
        (&Method::PUT | &Method::PATCH, Some("scale")) if has_scale(place.about) => {
            scale(visit, place, name, method, body).await
        }
        (&Method::DELETE, None) if place.about.resource == Resource::Pods => {
            delete(visit, place, name, body).await
        }
        (&Method::POST, Some("eviction")) if place.about.resource == Resource::Pods => {
            evict(visit, place, name, body).await
        }
        (_, Some("exec" | "attach" | "portforward" | "ephemeralcontainers")) => {
            Err(Refusal::not_allowed("simulated pods run no programs, so nobody can be reached inside"))
        }
        (_, None | Some("scale" | "status" | "eviction")) => {
            let what =
                format!("{} of {} {name:?} is not possible: {POSSIBLE}", method, place.about.full_name());
            Err(Refusal::not_allowed(what))
        }
        _ => Err(nothing_here()),
    }
}

fn has_scale(about: &About) -> bool {
    about.parts.iter().any(|part| part.name == "scale")
}

/// Nobody touches what lies outside their part: nodes belong to all namespaces.
fn must_reach(visit: &Visit, place: &Place) -> Result<(), Refusal> {
    let scope = &visit.caller.scope;
    let inside = match &place.namespace {
        Some(namespace) => scope.namespaces.is_empty() || scope.namespaces.contains(namespace),
        None => scope.namespaces.is_empty(),
    };
    let message = "this lies outside the part of the federation that you may touch";
    if inside { Ok(()) } else { Err(Refusal::new(StatusCode::FORBIDDEN, message)) }
}

/// Has it done, or only asks whether it could be.
async fn intervene(visit: &Visit, intervention: Intervention, dry_run: bool) -> Result<(), Refusal> {
    let office = visit.desk.office();
    if dry_run {
        let could = office.ask(move |office| office.engine().could(&intervention)).await?;
        return Ok(could?);
    }
    office.intervene(visit.caller.actor(), intervention).await?;
    visit.look().await?;
    Ok(())
}

/// What a request makes of an object, by patch or as a whole.
fn wanted(visit: &Visit, method: &Method, before: &Value, body: &Bytes) -> Result<Value, Refusal> {
    let after =
        if *method == Method::PATCH { patched(&visit.headers, before, body)? } else { read_json(body)? };
    let version = &after["metadata"]["resourceVersion"];
    if version.as_str().is_some_and(|version| !version.is_empty())
        && *version != before["metadata"]["resourceVersion"]
    {
        return Err(modified(before["metadata"]["name"].as_str().unwrap_or_default()));
    }
    Ok(after)
}

/// Somebody was faster.
fn modified(name: &str) -> Refusal {
    let message = format!(
        "Operation cannot be fulfilled on {name:?}: the object has been modified; please apply your changes to the latest version and try again"
    );
    Refusal::new(StatusCode::CONFLICT, message)
}

async fn update(
    visit: &Visit,
    place: &Place,
    name: &str,
    method: &Method,
    body: &Bytes,
) -> Result<Response, Refusal> {
    let about = place.about;
    let entry = find(visit, place, name)?;
    let before = render::object(&entry.thing, entry.version, about, visit.api.calendar());
    let after = wanted(visit, method, &before, body)?;
    let allowed = match about.resource {
        Resource::Deployments | Resource::StatefulSets | Resource::ReplicaSets => "spec.replicas",
        Resource::Nodes => "spec.unschedulable",
        _ => {
            return Err(Refusal::not_allowed(format!("{} cannot be changed: {POSSIBLE}", about.full_name())));
        }
    };
    let (noted, changed): (Vec<String>, Vec<String>) = differences(&before, &after)
        .into_iter()
        .partition(|path| about.resource != Resource::Nodes && is_annotation(path));
    if let Some(other) = changed.iter().find(|path| *path != allowed) {
        let message = format!("{other} cannot be changed, only {allowed}: {POSSIBLE}");
        return Err(Refusal::invalid(about.kind, name, other, message));
    }
    let dry_run = visit.question.is_dry_run();
    let notes = if noted.is_empty() { None } else { Some(notes(about, &entry, &before, &after)?) };
    if !changed.is_empty() {
        let intervention = if about.resource == Resource::Nodes {
            cordon(visit, name, &after)?
        } else {
            scaled(visit, about, &entry.thing, &after["spec"]["replicas"])?
        };
        intervene(visit, intervention, dry_run).await?;
    }
    if let Some(notes) = notes.filter(|_| !dry_run) {
        // What was set above has given it another version.
        let version = changed.is_empty().then_some(entry.version);
        if !visit.cluster().annotate(&Visit::key(place, name), version, notes) {
            return Err(modified(name));
        }
    }
    let shown = if dry_run { after } else { object(visit, place, name)? };
    Ok(json_answer(StatusCode::OK, &shown))
}

fn is_annotation(path: &str) -> bool {
    path == "metadata.annotations" || path.starts_with("metadata.annotations.")
}

/// The annotations that somebody wants, without those that the simulated controllers write themselves.
fn notes(about: &About, entry: &Entry, before: &Value, after: &Value) -> Result<Texts, Refusal> {
    let wrong = |message: &str| {
        Refusal::invalid(about.kind, &entry.thing.name, "metadata.annotations", message.to_owned())
    };
    let texts = |object: &Value| match &object["metadata"]["annotations"] {
        Value::Null => Ok(Texts::new()),
        value => serde_json::from_value::<Texts>(value.clone()).map_err(|_| wrong("write texts only")),
    };
    let mut wanted = texts(after)?;
    for (key, value) in texts(before)?.iter().filter(|(key, _)| !entry.thing.notes.contains_key(*key)) {
        if wanted.remove(key).as_ref() != Some(value) {
            return Err(wrong(&format!("{key} is written by the simulated cluster itself")));
        }
    }
    let size: usize = wanted.iter().map(|(key, value)| key.len() + value.len()).sum();
    if size > MOST_ANNOTATED {
        return Err(wrong(&format!("they may take {MOST_ANNOTATED} bytes in all")));
    }
    Ok(wanted)
}

fn cordon(visit: &Visit, name: &str, after: &Value) -> Result<Intervention, Refusal> {
    let closed = match &after["spec"]["unschedulable"] {
        Value::Null => false,
        Value::Bool(closed) => *closed,
        _ => return Err(Refusal::invalid("Node", name, "spec.unschedulable", "write true or false")),
    };
    let node = NodeName::new(name).map_err(|_| Refusal::not_found("nodes", name))?;
    Ok(Intervention::Cordon { cluster: visit.cluster().name.clone(), node, closed })
}

fn scaled(visit: &Visit, about: &About, thing: &Thing, replicas: &Value) -> Result<Intervention, Refusal> {
    if let Some(owner) = &thing.owner {
        let kind = owner.resource.about().singular;
        let message = format!(
            "it belongs to {kind} {0:?}, which would undo that; scale {kind}/{0} instead",
            owner.name
        );
        return Err(Refusal::invalid(about.kind, &thing.name, "spec.replicas", message));
    }
    let count = replicas.as_u64().and_then(|count| u32::try_from(count).ok());
    let wrong =
        || Refusal::invalid(about.kind, &thing.name, "spec.replicas", "write a whole number from 0 on");
    let replicas = count.ok_or_else(wrong)?;
    let kind = match about.resource {
        Resource::Deployments => WorkloadKind::Deployment,
        Resource::StatefulSets => WorkloadKind::StatefulSet,
        _ => WorkloadKind::ReplicaSet,
    };
    let workload = WorkloadRef::new(kind, &thing.namespace, &thing.name);
    let workload = workload.map_err(|_| Refusal::not_found(&about.full_name(), &thing.name))?;
    Ok(Intervention::Scale { cluster: visit.cluster().name.clone(), workload, replicas })
}

/// How many replicas a workload should have and has.
pub(super) fn scale_of(object: &Value) -> Value {
    let labels = object["spec"]["selector"]["matchLabels"].as_object().into_iter().flatten();
    let selector: Vec<String> =
        labels.map(|(key, value)| format!("{key}={}", value.as_str().unwrap_or_default())).collect();
    let metadata = &object["metadata"];
    json!({
        "kind": "Scale", "apiVersion": "autoscaling/v1",
        "metadata": {
            "name": metadata["name"], "namespace": metadata["namespace"], "uid": metadata["uid"],
            "resourceVersion": metadata["resourceVersion"], "creationTimestamp": metadata["creationTimestamp"],
        },
        "spec": { "replicas": object["spec"]["replicas"] },
        "status": { "replicas": object["status"]["replicas"].as_u64().unwrap_or(0), "selector": selector.join(",") },
    })
}

async fn scale(
    visit: &Visit,
    place: &Place,
    name: &str,
    method: &Method,
    body: &Bytes,
) -> Result<Response, Refusal> {
    let entry = find(visit, place, name)?;
    let before = scale_of(&object(visit, place, name)?);
    let after = wanted(visit, method, &before, body)?;
    let dry_run = visit.question.is_dry_run();
    let intervention = scaled(visit, place.about, &entry.thing, &after["spec"]["replicas"])?;
    if after["spec"]["replicas"] != before["spec"]["replicas"] {
        intervene(visit, intervention, dry_run).await?;
    }
    let shown = if dry_run { after } else { scale_of(&object(visit, place, name)?) };
    Ok(json_answer(StatusCode::OK, &shown))
}

/// The simulator's number of a pod.
fn number_of(thing: &Thing) -> Result<u64, Refusal> {
    match &thing.facts {
        Facts::Pod(facts) => Ok(facts.pod.uid),
        _ => Err(nothing_here()),
    }
}

/// What a deletion says besides: only as a trial, only this very pod.
struct Options {
    dry_run: bool,
    uid: Option<String>,
}

impl Options {
    fn of(visit: &Visit, options: &Value) -> Self {
        let all = |value: &Value| value.as_array().is_some_and(|list| list.iter().any(|word| word == "All"));
        Self {
            dry_run: visit.question.is_dry_run() || all(&options["dryRun"]),
            uid: options["preconditions"]["uid"].as_str().map(str::to_owned),
        }
    }

    fn must_fit(&self, thing: &Thing) -> Result<(), Refusal> {
        match &self.uid {
            Some(uid) if *uid != thing.uid => {
                let message = format!("the pod {:?} that is there has another uid than {uid}", thing.name);
                Err(Refusal::new(StatusCode::CONFLICT, message))
            }
            _ => Ok(()),
        }
    }
}

/// A body, if there is one. What is not JSON is not guessed at.
fn body_of(visit: &Visit, body: &Bytes) -> Result<Value, Refusal> {
    if body.is_empty() {
        return Ok(json!({}));
    }
    let kind = visit.headers.get(header::CONTENT_TYPE);
    if !crate::api::extract::is_json(kind) {
        return Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "send the body as application/json"));
    }
    read_json(body)
}

async fn delete(visit: &Visit, place: &Place, name: &str, body: &Bytes) -> Result<Response, Refusal> {
    let entry = find(visit, place, name)?;
    let options = Options::of(visit, &body_of(visit, body)?);
    options.must_fit(&entry.thing)?;
    let full = format!("{}/{name}", entry.thing.namespace);
    let (cluster, pod) = (visit.cluster().name.clone(), number_of(&entry.thing)?);
    intervene(visit, Intervention::DeletePod { cluster, pod, name: full }, options.dry_run).await?;
    // One that had no node yet is gone at once.
    let left = object(visit, place, name)
        .ok()
        .filter(|object| object["metadata"]["uid"] == entry.thing.uid.as_str());
    Ok(json_answer(StatusCode::OK, &left.unwrap_or_else(|| success(&entry.thing))))
}

async fn evict(visit: &Visit, place: &Place, name: &str, body: &Bytes) -> Result<Response, Refusal> {
    let entry = find(visit, place, name)?;
    let options = Options::of(visit, &body_of(visit, body)?["deleteOptions"]);
    options.must_fit(&entry.thing)?;
    let full = format!("{}/{name}", entry.thing.namespace);
    let (cluster, pod) = (visit.cluster().name.clone(), number_of(&entry.thing)?);
    intervene(visit, Intervention::Evict { cluster, pod, name: full }, options.dry_run).await?;
    Ok(json_answer(StatusCode::CREATED, &success(&entry.thing)))
}

fn success(thing: &Thing) -> Value {
    json!({
        "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success",
        "details": { "name": thing.name, "kind": "pods", "uid": thing.uid },
    })
}
