//! Reading: one object, or a page of a list.

use super::answer::{Refusal, json_answer};
use super::kinds::{About, Resource};
use super::register::Entry;
use super::request::{Form, Place, nothing_here};
use super::selector::Selector;
use super::serve::Visit;
use super::table::{Carried, Lines, only_metadata};
use super::{change, metrics, render};
use crate::access::Sight;
use axum::http::StatusCode;
use axum::response::Response;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use model::time::Timestamp;
use serde_json::{Value, json};
use std::sync::Arc;

pub(super) async fn read(visit: &Visit, place: &Place) -> Result<Response, Refusal> {
    if let Some(namespace) = &place.namespace {
        visit.must_see(namespace)?;
    }
    if matches!(place.about.resource, Resource::NodeMetrics | Resource::PodMetrics) {
        return measured(visit, place).await;
    }
    let now = visit.look().await?;
    match (&place.name, place.part.as_deref()) {
        (None, _) => list(visit, place, now),
        (Some(name), None | Some("status")) => {
            let object = object(visit, place, name)?;
            Ok(one(visit, place.about, now, object))
        }
        (Some(name), Some("scale")) if place.about.parts.iter().any(|part| part.name == "scale") => {
            let entry = find(visit, place, name)?;
            let object = render::object(&entry.thing, entry.version, place.about, visit.api.calendar());
            Ok(json_answer(StatusCode::OK, &change::scale_of(&object)))
        }
        (Some(_), Some("log")) => {
            Err(Refusal::not_allowed("simulated pods run no programs, so they write no logs"))
        }
        (Some(_), Some("exec" | "attach" | "portforward" | "proxy")) => {
            Err(Refusal::not_allowed("simulated pods run no programs, so nobody can be reached inside"))
        }
        _ => Err(nothing_here()),
    }
}

/// What is kept under a name, if whoever asks sees it.
pub(super) fn find(visit: &Visit, place: &Place, name: &str) -> Result<Entry, Refusal> {
    if place.about.resource == Resource::Namespaces {
        visit.must_see(name)?;
    }
    let found = visit.cluster().register().get(&Visit::key(place, name));
    found.ok_or_else(|| Refusal::not_found(&place.about.full_name(), name))
}

pub(super) fn object(visit: &Visit, place: &Place, name: &str) -> Result<Value, Refusal> {
    let entry = find(visit, place, name)?;
    Ok(render::object(&entry.thing, entry.version, place.about, visit.api.calendar()))
}

fn lines(visit: &Visit, about: &About, now: Timestamp) -> Lines {
    let carried = Carried::of(visit.question.include_object.as_deref());
    Lines { resource: about.resource, calendar: visit.api.calendar(), now, carried }
}

fn one(visit: &Visit, about: &About, now: Timestamp, object: Value) -> Response {
    let shown = match visit.form {
        Form::Table => {
            let metadata = json!({ "resourceVersion": object["metadata"]["resourceVersion"] });
            lines(visit, about, now).table(std::slice::from_ref(&object), &metadata, true)
        }
        Form::Metadata => only_metadata(&object),
        Form::Object | Form::Aggregated => object,
    };
    json_answer(StatusCode::OK, &shown)
}

/// Whether whoever asks sees it.
pub(super) fn is_seen(sight: &Sight, entry: &Entry) -> bool {
    let thing = &entry.thing;
    match thing.resource {
        Resource::Namespaces => sight.namespace(&thing.name),
        _ => thing.namespace.is_empty() || sight.namespace(&thing.namespace),
    }
}

fn list(visit: &Visit, place: &Place, now: Timestamp) -> Result<Response, Refusal> {
    let about = place.about;
    let question = &visit.question;
    let selector = Selector::parse(
        about.resource,
        question.label_selector.as_deref(),
        question.field_selector.as_deref(),
    )?;
    let (entries, version) = {
        let register = visit.cluster().register();
        (register.list(about.resource, place.namespace.as_deref()), register.newest())
    };
    let (sight, calendar) = (visit.caller.sight(), visit.api.calendar());
    let wanted =
        |entry: &Entry| is_seen(&sight, entry) && selector.name().is_none_or(|name| entry.thing.name == name);
    let objects = entries.iter().filter(|entry| wanted(entry));
    let objects = objects.map(|entry| render::object(&entry.thing, entry.version, about, calendar));
    let fitting: Vec<Value> = objects.filter(|object| selector.fits(object)).collect();
    let page = Page::of(fitting, question.limit()?, question.after.as_deref())?;
    Ok(page.shown(visit, about, now, version))
}

/// A part of a list.
struct Page {
    objects: Vec<Value>,
    /// Where the next one begins, and how many are left for it.
    next: Option<(String, usize)>,
}

impl Page {
    /// What stands behind a mark is shown as it is now: the mark names an object, not a moment.
    fn of(mut objects: Vec<Value>, limit: Option<usize>, after: Option<&str>) -> Result<Self, Refusal> {
        if let Some(after) = after.filter(|after| !after.is_empty()) {
            let mark = read_mark(after)?;
            objects.retain(|object| mark_of(object) > mark);
        }
        let limit = limit.unwrap_or(usize::MAX);
        let left = objects.len().saturating_sub(limit);
        objects.truncate(limit);
        let next = objects.last().filter(|_| left > 0).map(|last| (write_mark(&mark_of(last)), left));
        Ok(Self { objects, next })
    }

    fn shown(self, visit: &Visit, about: &About, now: Timestamp, version: u64) -> Response {
        let mut metadata = json!({ "resourceVersion": version.to_string() });
        if let Some((next, left)) = self.next {
            metadata["continue"] = json!(next);
            metadata["remainingItemCount"] = json!(left);
        }
        let shown = match visit.form {
            Form::Table => lines(visit, about, now).table(&self.objects, &metadata, true),
            Form::Metadata => json!({
                "kind": "PartialObjectMetadataList", "apiVersion": "meta.k8s.io/v1", "metadata": metadata,
                "items": self.objects.iter().map(only_metadata).collect::<Vec<_>>(),
            }),
            Form::Object | Form::Aggregated => json!({
                "kind": format!("{}List", about.kind), "apiVersion": about.api_version(), "metadata": metadata,
                "items": self.objects,
            }),
        };
        json_answer(StatusCode::OK, &shown)
    }
}

/// Namespace and name, in which order lists are.
fn mark_of(object: &Value) -> (String, String) {
    let text = |key: &str| object["metadata"][key].as_str().unwrap_or_default().to_owned();
    (text("namespace"), text("name"))
}

fn write_mark((namespace, name): &(String, String)) -> String {
    URL_SAFE_NO_PAD.encode(format!("{namespace}/{name}"))
}

pub(super) fn read_mark(text: &str) -> Result<(String, String), Refusal> {
    let bytes = URL_SAFE_NO_PAD.decode(text).ok();
    let mark = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
    let parts = mark.as_deref().and_then(|mark| mark.split_once('/'));
    let parts = parts.map(|(namespace, name)| (namespace.to_owned(), name.to_owned()));
    parts.ok_or_else(|| Refusal::bad("continue key is not valid; begin again without one"))
}

/// What nodes and pods use. It is measured when it is asked for, so nobody can watch it.
async fn measured(visit: &Visit, place: &Place) -> Result<Response, Refusal> {
    let (api, cluster) = (Arc::clone(&visit.api), visit.cluster);
    let look = move |office: &crate::office::Office| {
        let cluster = &api.clusters[cluster];
        let uses = office.engine().simulated().and_then(|world| {
            cluster.look(world);
            world.uses(&cluster.name)
        });
        (uses.unwrap_or_default(), office.engine().now())
    };
    let (uses, now) = visit.desk.office().ask(look).await?;
    let about = place.about;
    let all = metrics::measured(&visit.cluster().register(), &uses, about, place.namespace.as_deref());
    if let Some(name) = &place.name {
        return Ok(one(visit, about, now, metrics::find(all, about, name)?));
    }
    let question = &visit.question;
    let selector = Selector::parse(
        about.resource,
        question.label_selector.as_deref(),
        question.field_selector.as_deref(),
    )?;
    let sight = visit.caller.sight();
    let seen = |row: &Value| {
        row["metadata"]["namespace"].as_str().is_none_or(|namespace| sight.namespace(namespace))
    };
    let fitting = all.into_iter().filter(|row| seen(row) && selector.fits(row)).collect();
    let version = visit.cluster().register().newest();
    Ok(Page::of(fitting, None, None)?.shown(visit, about, now, version))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_follow_each_other_without_a_gap() {
        let pod =
            |namespace: &str, name: &str| json!({ "metadata": { "namespace": namespace, "name": name } });
        let all = || vec![pod("a", "x"), pod("a", "y"), pod("b", "a"), pod("b", "z")];
        let names = |page: &Page| page.objects.iter().map(|one| mark_of(one).1).collect::<Vec<_>>();
        let first = Page::of(all(), Some(3), None).expect("a page");
        let (next, left) = first.next.clone().expect("more");
        assert_eq!((names(&first), left), (vec!["x".to_owned(), "y".into(), "a".into()], 1));
        let second = Page::of(all(), Some(3), Some(&next)).expect("a page");
        assert_eq!((names(&second), second.next), (vec!["z".to_owned()], None));
        assert!(Page::of(all(), None, Some("not ours")).is_err());
    }
}
