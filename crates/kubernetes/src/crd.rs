//! The definitions of our own kinds of objects, as API servers want them. They are read by us; an approval is never a field of any.

use serde_json::{Value, json};
use std::fmt::Write as _;

pub(crate) const GROUP: &str = "drover.io";
pub(crate) const VERSION: &str = "v1alpha1";

/// As long as reasons at a desk may be.
const LONGEST_REASON: u32 = 2_000;

/// The longest way to write a workload: two names of 253 characters, the kind and two slashes.
const LONGEST_NAME: u32 = 530;

/// The definition of `Freeze` as YAML.
pub fn freeze() -> String {
    yaml(&freeze_definition())
}

fn freeze_definition() -> Value {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": { "name": format!("freezes.{GROUP}"), "annotations": { "helm.sh/resource-policy": "keep" } },
        "spec": {
            "group": GROUP,
            "scope": "Namespaced",
            "names": { "kind": "Freeze", "listKind": "FreezeList", "plural": "freezes", "singular": "freeze" },
            "versions": [{
                "name": VERSION,
                "served": true,
                "storage": true,
                "subresources": { "status": {} },
                "additionalPrinterColumns": [
                    column("Scope", ".spec.scope"),
                    column("Name", ".spec.name"),
                    column("Until", ".spec.until"),
                    column("Holds", ".status.conditions[?(@.type==\"Holds\")].status"),
                    column("Reason", ".spec.reason"),
                ],
                "schema": { "openAPIV3Schema": {
                    "type": "object",
                    "description": "Nothing happens in a part of the federation for as long as this object is there.",
                    "required": ["spec"],
                    "properties": { "spec": freeze_spec(), "status": status() },
                } },
            }],
        },
    })
}

fn freeze_spec() -> Value {
    json!({
        "type": "object",
        "required": ["scope", "reason"],
        "properties": {
            "scope": {
                "type": "string",
                "enum": ["everything", "cluster", "namespace", "workload", "agent"],
                "description": "What stands still.",
            },
            "name": {
                "type": "string", "minLength": 1, "maxLength": LONGEST_NAME,
                "description": "Which cluster, namespace, workload (namespace/name) or agent.",
            },
            "reason": {
                "type": "string", "minLength": 1, "maxLength": LONGEST_REASON,
                "description": "Why; everybody at the desk sees it.",
            },
            "until": {
                "type": "string", "format": "date-time",
                "description": "When it ends by itself; otherwise when this object is deleted.",
            },
        },
        "x-kubernetes-validations": [{
            "rule": "(self.scope == 'everything') != has(self.name)",
            "message": "everything has no name; anything else needs one",
        }],
    })
}

fn status() -> Value {
    let text = |longest: u32| json!({ "type": "string", "maxLength": longest });
    json!({
        "type": "object",
        "properties": {
            "conditions": {
                "type": "array",
                "maxItems": 8,
                "x-kubernetes-list-type": "map",
                "x-kubernetes-list-map-keys": ["type"],
                "items": {
                    "type": "object",
                    "required": ["type", "status", "reason", "message", "lastTransitionTime"],
                    "properties": {
                        "type": text(64),
                        "status": { "type": "string", "enum": ["True", "False", "Unknown"] },
                        "reason": text(128),
                        "message": text(4_096),
                        "lastTransitionTime": { "type": "string", "format": "date-time" },
                        "observedGeneration": { "type": "integer", "format": "int64" },
                    },
                },
            },
        },
    })
}

fn column(name: &str, path: &str) -> Value {
    json!({ "name": name, "type": "string", "jsonPath": path })
}

/// A value as people write YAML: blocks, and texts in quotes where they could be taken for something else.
fn yaml(value: &Value) -> String {
    let mut text = String::new();
    block(value, 0, &mut text);
    text
}

fn block(value: &Value, depth: usize, text: &mut String) {
    let indent = "  ".repeat(depth);
    match value {
        Value::Object(map) if !map.is_empty() => {
            for (key, inner) in map {
                let _ = write!(text, "{indent}{key}:");
                below(inner, depth + 1, text);
            }
        }
        Value::Array(items) => {
            for item in items {
                let mut inner = String::new();
                block(item, depth + 1, &mut inner);
                let _ = writeln!(text, "{indent}- {}", inner.trim());
            }
        }
        plain => {
            let _ = writeln!(text, "{indent}{}", scalar(plain));
        }
    }
}

fn below(value: &Value, depth: usize, text: &mut String) {
    match value {
        Value::Object(map) if map.is_empty() => text.push_str(" {}\n"),
        Value::Object(_) | Value::Array(_) => {
            text.push('\n');
            block(value, depth, text);
        }
        plain => {
            let _ = writeln!(text, " {}", scalar(plain));
        }
    }
}

/// JSON's way to quote is one of YAML's. Plain words need none.
fn scalar(value: &Value) -> String {
    let is_plain = |text: &str| {
        let letters = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '/' | '.');
        text.chars().all(letters)
            && text.starts_with(|c: char| c.is_ascii_alphabetic())
            && !matches!(
                text.to_ascii_lowercase().as_str(),
                "true" | "false" | "null" | "yes" | "no" | "on" | "off"
            )
    };
    match value {
        Value::String(text) if is_plain(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn values_are_written_as_people_write_them() {
        let value = json!({ "a": { "b": [1, "x y", { "c": true, "d": ["true", {}] }] }, "e": {} });
        expect![[r#"
            a:
              b:
                - 1
                - "x y"
                - c: true
                  d:
                    - "true"
                    - {}
            e: {}
        "#]]
        .assert_eq(&yaml(&value));
    }

    #[test]
    fn no_field_of_ours_approves_anything() {
        assert!(!freeze().to_lowercase().contains("approv"));
    }
}
