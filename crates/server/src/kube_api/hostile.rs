//! The readers of the Kubernetes API without a desk around them, for whoever tries to break them.

use super::kinds;
use super::patch::{differences, patched};
use super::read::read_mark;
use super::request::{Form, Question, Target};
use super::selector::Selector;
use axum::http::{HeaderMap, HeaderValue, header};
use serde_json::{Value, json};

const PATCHES: [&str; 3] =
    ["application/merge-patch+json", "application/strategic-merge-patch+json", "application/json-patch+json"];

/// An object with everything that a patch can reach: fields, lists, and names that have to be escaped in a path.
fn object() -> Value {
    json!({
        "metadata": { "name": "web", "namespace": "shop", "labels": { "app": "web", "a/b": "c~d" }, "resourceVersion": "7" },
        "spec": { "replicas": 2, "template": { "spec": { "containers": [{ "name": "one" }, { "name": "two" }] } } },
        "status": { "phase": "Running", "replicas": 2 },
    })
}

/// Applies a patch in each of the three ways, and compares before and after.
pub fn patch(body: &[u8]) {
    let before = object();
    for kind in PATCHES {
        let headers = HeaderMap::from_iter([(header::CONTENT_TYPE, HeaderValue::from_static(kind))]);
        if let Ok(after) = patched(&headers, &before, body) {
            let changed = differences(&before, &after);
            assert!(before != after || changed.is_empty(), "nothing changed, and yet: {changed:?}");
            assert!(differences(&after, &after).is_empty());
        }
    }
}

/// Chooses among all kinds of objects by a selector for labels and one for fields.
pub fn select(labels: &str, fields: &str) {
    let object = object();
    for about in kinds::ALL {
        if let Ok(selector) = Selector::parse(about.resource, Some(labels), Some(fields)) {
            let _ = (selector.fits(&object), selector.fits(&Value::Null), selector.name());
        }
    }
}

/// Reads an address, the question behind it, and in which form the answer is wanted.
pub fn ask(path: &str, query: &str, accept: &str) {
    let _ = Target::parse(path);
    if let Ok(question) = Question::parse(Some(query)) {
        let _ = (question.limit(), question.version(), question.timeout_seconds());
        let _ = question.after.as_deref().map(read_mark);
    }
    if let Ok(value) = HeaderValue::from_str(accept) {
        let _ = Form::wanted(&HeaderMap::from_iter([(header::ACCEPT, value)]));
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_is_tried_reaches_the_readers() {
        super::patch(br#"[{ "op": "add", "path": "/metadata/labels/a~1b", "value": 1 }]"#);
        super::patch(br#"{ "spec": { "replicas": 3 } }"#);
        super::select("app in (web,api),!canary", "metadata.name=web");
        super::ask(
            "/api/v1/pods",
            "limit=1&continue=c2hvcC93ZWI",
            "application/json;as=Table;v=v1;g=meta.k8s.io",
        );
    }
}
