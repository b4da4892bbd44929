//! The three kinds of patches that `kubectl` sends. A strategic merge differs from a plain one in lists only, and nothing that can be
//! changed here is one.

use super::answer::Refusal;
use axum::http::{HeaderMap, StatusCode, header};
use serde::Deserialize;
use serde_json::Value;

/// A patch is some lines; one with more steps than this is none.
const MOST_STEPS: usize = 1_000;

/// What a patch makes of an object.
pub(super) fn patched(headers: &HeaderMap, object: &Value, body: &[u8]) -> Result<Value, Refusal> {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let essence = kind.split(';').next().unwrap_or_default().trim();
    match essence {
        "application/merge-patch+json" | "application/strategic-merge-patch+json" => {
            let mut object = object.clone();
            merge(&mut object, &read(body)?);
            Ok(object)
        }
        "application/json-patch+json" => {
            let steps: Vec<Step> = serde_json::from_value(read(body)?)
                .map_err(|error| Refusal::bad(format!("the patch: {error}")))?;
            stepped(object.clone(), &steps)
        }
        other => Err(Refusal::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            format!(
                "{other:?} is not understood here; send application/merge-patch+json, \
                 application/strategic-merge-patch+json or application/json-patch+json"
            ),
        )),
    }
}

pub(super) fn read(body: &[u8]) -> Result<Value, Refusal> {
    serde_json::from_slice(body).map_err(|error| Refusal::bad(format!("the body is not JSON: {error}")))
}

/// RFC 7396.
fn merge(into: &mut Value, patch: &Value) {
    let Value::Object(fields) = patch else {
        into.clone_from(patch);
        return;
    };
    if !into.is_object() {
        *into = Value::Object(serde_json::Map::new());
    }
    for (key, value) in fields {
        match (into.as_object_mut(), value) {
            (Some(object), Value::Null) => drop(object.remove(key)),
            (Some(object), value) => merge(object.entry(key.clone()).or_insert(Value::Null), value),
            (None, _) => {}
        }
    }
}

/// One step of RFC 6902, those left out that move things about.
#[derive(Debug, Deserialize)]
#[serde(tag = "op", rename_all = "lowercase")]
enum Step {
    Add { path: String, value: Value },
    Replace { path: String, value: Value },
    Remove { path: String },
    Test { path: String, value: Value },
}

fn stepped(mut object: Value, steps: &[Step]) -> Result<Value, Refusal> {
    if steps.len() > MOST_STEPS {
        return Err(Refusal::bad(format!("a patch has at most {MOST_STEPS} steps")));
    }
    for step in steps {
        let done = match step {
            Step::Add { path, value } => set(&mut object, path, value, true),
            Step::Replace { path, value } => set(&mut object, path, value, false),
            Step::Remove { path } => remove(&mut object, path),
            Step::Test { path, value } => (object.pointer(path) == Some(value)).then_some(()),
        };
        let impossible = || {
            Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, format!("the patch cannot be applied: {step:?}"))
        };
        done.ok_or_else(impossible)?;
    }
    Ok(object)
}

/// The parent of a path and the last part of it.
fn parent<'a>(object: &'a mut Value, path: &str) -> Option<(&'a mut Value, String)> {
    let (parent, last) = path.rsplit_once('/')?;
    Some((object.pointer_mut(parent)?, last.replace("~1", "/").replace("~0", "~")))
}

fn set(object: &mut Value, path: &str, value: &Value, may_be_new: bool) -> Option<()> {
    match parent(object, path)? {
        (Value::Object(fields), key) => {
            if !may_be_new && !fields.contains_key(&key) {
                return None;
            }
            fields.insert(key, value.clone());
        }
        (Value::Array(items), key) if may_be_new && key == "-" => items.push(value.clone()),
        (Value::Array(items), key) => {
            let at: usize = key.parse().ok()?;
            if may_be_new && at <= items.len() {
                items.insert(at, value.clone());
            } else {
                items.get_mut(at)?.clone_from(value);
            }
        }
        _ => return None,
    }
    Some(())
}

fn remove(object: &mut Value, path: &str) -> Option<()> {
    match parent(object, path)? {
        (Value::Object(fields), key) => fields.remove(&key).map(drop),
        (Value::Array(items), key) => {
            let at = key.parse().ok().filter(|at| *at < items.len())?;
            items.remove(at);
            Some(())
        }
        _ => None,
    }
}

/// Where two objects differ, as paths of fields. What a server writes itself is left out.
pub(super) fn differences(before: &Value, after: &Value) -> Vec<String> {
    let mut found = Vec::new();
    walk(before, after, String::new(), &mut found);
    let own = [
        "metadata.managedFields",
        "metadata.resourceVersion",
        "metadata.generation",
        "metadata.creationTimestamp",
    ];
    found.retain(|path| {
        !own.iter().any(|one| path.starts_with(one)) && path != "status" && !path.starts_with("status.")
    });
    found
}

fn walk(before: &Value, after: &Value, path: String, found: &mut Vec<String>) {
    match (before, after) {
        _ if before == after => {}
        (Value::Object(one), Value::Object(other)) => {
            let keys = one.keys().chain(other.keys().filter(|key| !one.contains_key(*key)));
            for key in keys {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                walk(&before[key], &after[key], path, found);
            }
        }
        // A field that is not there and an empty one are the same to an API server.
        (Value::Null, other) | (other, Value::Null)
            if other.as_object().is_some_and(serde_json::Map::is_empty) => {}
        _ => found.push(path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;
    use serde_json::json;

    fn check(kind: &'static str, patch: &Value, want: &Result<Value, u16>) {
        let headers = HeaderMap::from_iter([(header::CONTENT_TYPE, HeaderValue::from_static(kind))]);
        let object = json!({ "spec": { "replicas": 2, "unschedulable": true, "list": [1, 2] } });
        let done = patched(&headers, &object, patch.to_string().as_bytes());
        assert_eq!(&done.map_err(|refusal| refusal.status.as_u16()), want, "{kind} {patch}");
    }

    #[test]
    fn each_kind_of_patch_is_understood() {
        let merge = "application/merge-patch+json";
        let strategic = "application/strategic-merge-patch+json; charset=utf-8";
        let steps = "application/json-patch+json";
        check(
            merge,
            &json!({ "spec": { "replicas": 5 } }),
            &Ok(json!({ "spec": { "replicas": 5, "unschedulable": true, "list": [1, 2] } })),
        );
        check(
            strategic,
            &json!({ "spec": { "unschedulable": null } }),
            &Ok(json!({ "spec": { "replicas": 2, "list": [1, 2] } })),
        );
        check(
            steps,
            &json!([
                { "op": "test", "path": "/spec/replicas", "value": 2 },
                { "op": "replace", "path": "/spec/replicas", "value": 3 },
                { "op": "add", "path": "/spec/list/-", "value": 3 },
                { "op": "remove", "path": "/spec/unschedulable" },
            ]),
            &Ok(json!({ "spec": { "replicas": 3, "list": [1, 2, 3] } })),
        );
        check(steps, &json!([{ "op": "test", "path": "/spec/replicas", "value": 9 }]), &Err(422));
        check(steps, &json!([{ "op": "replace", "path": "/spec/nothing", "value": 9 }]), &Err(422));
        check(steps, &json!([{ "op": "move", "path": "/spec", "from": "/x" }]), &Err(400));
        check("application/apply-patch+yaml", &json!({}), &Err(415));
    }

    #[test]
    fn differences_are_named_and_those_of_the_server_are_not() {
        let before = json!({ "metadata": { "name": "a", "resourceVersion": "1" }, "spec": { "replicas": 1 }, "status": { "x": 1 } });
        let after = json!({ "metadata": { "name": "a", "labels": { "k": "v" } }, "spec": { "replicas": 2, "paused": true }, "status": {} });
        assert_eq!(differences(&before, &after), ["metadata.labels", "spec.replicas", "spec.paused"]);
        assert!(differences(&before, &before.clone()).is_empty());
    }
}
