//! Plain data as YAML that a person likes to read: blocks for structure, one line for small maps and lists.

use serde_json::Value;

/// Maps and lists that fit here are written on one line.
const LINE: usize = 110;

/// The text of a document. Reading it back gives an equal value.
pub fn to_yaml(value: &Value) -> String {
    let mut text = String::new();
    block(value, 0, &mut text);
    text
}

fn block(value: &Value, indent: usize, text: &mut String) {
    match value {
        Value::Object(map) if !map.is_empty() => {
            for (index, (key, child)) in map.iter().enumerate() {
                if index > 0 {
                    text.push_str(&" ".repeat(indent));
                }
                text.push_str(&scalar_text(key));
                text.push(':');
                child_block(child, indent + 2, text);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    text.push_str(&" ".repeat(indent));
                }
                text.push_str("- ");
                match one_line(item) {
                    Some(line) if indent + line.len() < LINE => {
                        text.push_str(&line);
                        text.push('\n');
                    }
                    _ => block(item, indent + 2, text),
                }
            }
        }
        other => {
            text.push_str(&flow(other));
            text.push('\n');
        }
    }
}

fn child_block(child: &Value, indent: usize, text: &mut String) {
    match one_line(child) {
        Some(line) if indent + line.len() < LINE => {
            text.push(' ');
            text.push_str(&line);
            text.push('\n');
        }
        _ => {
            text.push('\n');
            text.push_str(&" ".repeat(indent));
            block(child, indent, text);
        }
    }
}

/// Scalars always, maps of scalars if they are small; lists of maps never.
fn one_line(value: &Value) -> Option<String> {
    let is_leaf = |value: &Value| !value.is_object() && !value.is_array();
    match value {
        Value::Object(map) if !map.values().all(is_leaf) => None,
        Value::Array(items) if !items.iter().all(is_leaf) => None,
        _ => Some(flow(value)),
    }
}

pub(super) fn flow(value: &Value) -> String {
    match value {
        Value::Object(map) => {
            let parts: Vec<String> =
                map.iter().map(|(key, child)| format!("{}: {}", scalar_text(key), flow(child))).collect();
            if parts.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", parts.join(", ")) }
        }
        Value::Array(items) => format!("[{}]", items.iter().map(flow).collect::<Vec<_>>().join(", ")),
        Value::String(text) => scalar_text(text),
        other => other.to_string(),
    }
}

/// Quotes whatever YAML might take for something else than this text.
fn scalar_text(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/');
    let first = text.chars().next();
    let like_a_word = first.is_some_and(|c| c.is_ascii_alphabetic()) && text.chars().all(plain);
    let reserved = ["true", "false", "null", "yes", "no", "on", "off", "nan", "inf", "y", "n"];
    let quantity = first.is_some_and(|c| c.is_ascii_digit())
        && text.chars().last().is_some_and(|c| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '.')
        && text.parse::<f64>().is_err();
    let safe = (like_a_word && !reserved.contains(&text.to_ascii_lowercase().as_str()))
        || (quantity && !is_prefixed(text));
    if safe { text.to_owned() } else { Value::from(text).to_string() }
}

/// `0x10` and `0o7` are numbers to YAML.
fn is_prefixed(text: &str) -> bool {
    text.starts_with("0x") || text.starts_with("0o")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn reading_back_gives_the_same_value() {
        let value = json!({
            "drover": "scenario/v1", "name": "a b", "version": "1.35", "empty": {}, "none": [], "word": "true",
            "hex": "0x10", "number": "12", "float": 0.5, "exponent": "1e5", "duration": "30s", "nested": [{ "a": 1, "b": [1, 2] }, "x: y"],
            "deep": { "clusters": [{ "name": "m", "pools": [{ "cpu": "8", "memory": "16Gi" }] }] },
            "text": "line\nbreak # not a comment"
        });
        let text = to_yaml(&value);
        let (read, _): (Value, _) = crate::document::read("x.yaml", text.as_bytes()).unwrap();
        assert_eq!(read, value, "{text}");
    }
}
