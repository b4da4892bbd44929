//! Whether a text is exactly what a schema asks for: JSON and nothing around it, every field, no other, only listed values.
//!
//! It knows the part of JSON Schema that our questions use and no more.

use serde_json::Value;

/// Whether a reader who takes schemas at their word could use the text.
pub(super) fn fits(text: &str, schema: &Value) -> bool {
    serde_json::from_str(text).is_ok_and(|value| holds(&value, schema))
}

fn holds(value: &Value, schema: &Value) -> bool {
    let typed = schema.get("type").is_none_or(|kinds| is_of(value, kinds));
    let listed = schema.get("enum").and_then(Value::as_array).is_none_or(|allowed| allowed.contains(value));
    typed && listed && items_hold(value, schema) && fields_hold(value, schema)
}

fn is_of(value: &Value, kinds: &Value) -> bool {
    let is = |kind: &str| match kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "null" => value.is_null(),
        _ => false,
    };
    match kinds {
        Value::String(kind) => is(kind),
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).any(is),
        _ => false,
    }
}

fn items_hold(value: &Value, schema: &Value) -> bool {
    match (value.as_array(), schema.get("items")) {
        (Some(items), Some(schema)) => items.iter().all(|item| holds(item, schema)),
        _ => true,
    }
}

fn fields_hold(value: &Value, schema: &Value) -> bool {
    let (Some(fields), Some(known)) = (value.as_object(), schema.get("properties")) else { return true };
    let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
    let complete = required.filter_map(Value::as_str).all(|name| fields.contains_key(name));
    let closed = schema.get("additionalProperties") == Some(&Value::Bool(false));
    complete
        && fields.iter().all(|(name, value)| match known.get(name) {
            Some(schema) => holds(value, schema),
            None => !closed,
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_what_the_schema_asks_for_fits() {
        let item = json!({
            "type": "object",
            "properties": {
                "id": { "type": "string", "enum": ["w1", "w2"] },
                "target": { "type": ["string", "null"] },
                "share": { "type": "number" }
            },
            "required": ["id", "target", "share"],
            "additionalProperties": false
        });
        let schema = json!({
            "type": "object",
            "properties": { "list": { "type": "array", "items": item } },
            "required": ["list"],
            "additionalProperties": false
        });
        let check = |text: &str, expected: bool| assert_eq!(fits(text, &schema), expected, "{text}");
        check(r#"{"list":[]}"#, true);
        check(r#" {"list":[{"id":"w1","target":null,"share":0.5}]} "#, true);
        check(r#"{"list":[{"id":"w9","target":null,"share":0.5}]}"#, false);
        check(r#"{"list":[{"id":"w1","target":null}]}"#, false);
        check(r#"{"list":[{"id":"w1","target":1,"share":0.5}]}"#, false);
        check(r#"{"list":[{"id":"w1","target":"c1","share":0.5,"more":1}]}"#, false);
        check(r#"{"list":{}}"#, false);
        check("{}", false);
        check("```json\n{\"list\":[]}\n```", false);
        check("", false);
    }
}
