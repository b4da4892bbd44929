//! The definitions of our own kinds of objects, as API servers want them. They are read by us; an approval is never a field of any.

use kube::api::ApiResource;
use serde_json::{Value, json};
use std::fmt::Write as _;

pub(crate) const GROUP: &str = "drover.io";
const VERSION: &str = "v1alpha1";

/// As long as reasons at a desk may be.
const LONGEST_REASON: u32 = 2_000;

/// The longest way to write a workload: two names of 253 characters, the kind and two slashes.
const LONGEST_NAME: u32 = 530;

/// Our own kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Freeze,
    Agent,
    Guardrail,
}

impl Kind {
    pub const ALL: [Self; 3] = [Self::Freeze, Self::Agent, Self::Guardrail];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Freeze => "Freeze",
            Self::Agent => "Agent",
            Self::Guardrail => "Guardrail",
        }
    }

    pub const fn plural(self) -> &'static str {
        match self {
            Self::Freeze => "freezes",
            Self::Agent => "agents",
            Self::Guardrail => "guardrails",
        }
    }

    pub(crate) fn resource(self) -> ApiResource {
        ApiResource {
            group: GROUP.to_owned(),
            version: VERSION.to_owned(),
            api_version: format!("{GROUP}/{VERSION}"),
            kind: self.name().to_owned(),
            plural: self.plural().to_owned(),
        }
    }

    const fn description(self) -> &'static str {
        match self {
            Self::Freeze => {
                "Nothing happens in a part of the federation for as long as this object is there."
            }
            Self::Agent => {
                "Recommends at the desk for as long as this object is there, under its name. It never approves anything; who does is set \
                 at the desk."
            }
            Self::Guardrail => {
                "Every plan is held to this for as long as this object is there. It can be stricter than the desk's files, and never \
                 loosens them."
            }
        }
    }

    fn spec(self) -> Value {
        match self {
            Self::Freeze => freeze_spec(),
            Self::Agent => agent_spec(),
            Self::Guardrail => guardrail_spec(),
        }
    }

    fn columns(self) -> Vec<Value> {
        let holds = |name: &str| column(name, &format!(".status.conditions[?(@.type==\"{name}\")].status"));
        match self {
            Self::Freeze => vec![
                column("Scope", ".spec.scope"),
                column("Name", ".spec.name"),
                column("Until", ".spec.until"),
                holds("Holds"),
                column("Reason", ".spec.reason"),
            ],
            Self::Agent => vec![
                column("Strategy", ".spec.decide.strategy"),
                column("Every", ".spec.when.every"),
                holds("InForce"),
                column("Message", ".status.conditions[?(@.type==\"InForce\")].message"),
            ],
            Self::Guardrail => vec![
                holds("InForce"),
                column("Message", ".status.conditions[?(@.type==\"InForce\")].message"),
            ],
        }
    }
}

/// The definition of one kind as YAML.
pub fn definition(kind: Kind) -> String {
    let (name, plural) = (kind.name(), kind.plural());
    yaml(&json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": { "name": format!("{plural}.{GROUP}"), "annotations": { "helm.sh/resource-policy": "keep" } },
        "spec": {
            "group": GROUP,
            "scope": "Namespaced",
            "names": {
                "kind": name, "listKind": format!("{name}List"), "plural": plural, "singular": name.to_lowercase(),
            },
            "versions": [{
                "name": VERSION,
                "served": true,
                "storage": true,
                "subresources": { "status": {} },
                "additionalPrinterColumns": kind.columns(),
                "schema": { "openAPIV3Schema": {
                    "type": "object",
                    "description": kind.description(),
                    "required": ["spec"],
                    "properties": { "spec": kind.spec(), "status": status() },
                } },
            }],
        },
    }))
}

/// All definitions in one file.
pub fn definitions() -> String {
    Kind::ALL.map(definition).join("---\n")
}

/// The same section as under `agents` in a scenario, without the name. How it decides is checked by us: only the strategies know
/// their parameters.
fn agent_spec() -> Value {
    let period = |what: &str| json!({ "type": "string", "maxLength": 32, "description": what });
    let names = |what: &str| {
        json!({
            "type": "array", "maxItems": 1_000, "description": what,
            "items": { "type": "string", "minLength": 1, "maxLength": LONGEST_NAME },
        })
    };
    json!({
        "type": "object",
        "required": ["decide"],
        "properties": {
            "when": {
                "type": "object",
                "properties": { "every": period("How often it decides, such as 60s.") },
            },
            "observe": {
                "type": "object",
                "properties": { "lookback": period("How far back its history goes, such as 10m.") },
            },
            "decide": {
                "type": "object",
                "required": ["strategy"],
                "properties": { "strategy": { "type": "string", "minLength": 1, "maxLength": 64 } },
                "x-kubernetes-preserve-unknown-fields": true,
                "description": "How it decides: a strategy and its parameters, as in a scenario.",
            },
            "scope": {
                "type": "object",
                "description": "What it may see and touch; everything by default.",
                "properties": { "clusters": names("Only these clusters."), "namespaces": names("Only these namespaces.") },
            },
        },
    })
}

/// The limits of a scenario that can be tightened, under the names that they have there.
fn guardrail_spec() -> Value {
    let share = |what: &str| json!({ "type": "number", "minimum": 0, "maximum": 1, "description": what });
    let period = |what: &str| json!({ "type": "string", "maxLength": 32, "description": what });
    json!({
        "type": "object",
        "minProperties": 1,
        "properties": {
            "max_load": share("No plan may bring a cluster above this load."),
            "max_pending": share("No plan may bring a cluster above this share of pods without a node."),
            "max_snapshot_age": period("A plan on older observations is refused, such as 90s."),
            "cool_down": period("A workload that moved stays at least this long, such as 10m."),
            "moves_per_hour": {
                "type": "integer", "minimum": 0, "maximum": 1_000_000,
                "description": "Relocations per hour over the whole federation.",
            },
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
        for kind in Kind::ALL {
            let text = definition(kind).to_lowercase();
            let fields = text.lines().filter(|line| !line.contains("description:"));
            assert!(
                fields.clone().count() > 10 && fields.clone().all(|line| !line.contains("approv")),
                "{text}"
            );
        }
    }
}
