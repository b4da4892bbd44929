//! Finds the JSON object in what a language model wrote: bare, fenced, between sentences, written twice, or cut off.

use serde_json::{Map, Value};

/// More than this is no answer to any question of ours: a thousand decisions with reasons are a fifth of it.
pub(crate) const MOST_BYTES: usize = 1 << 20;

/// So many opening brackets are tried: each costs a look at the rest of the text.
const MOST_TRIES: usize = 200;

/// What a text contains.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Found {
    /// One object, or the same one several times.
    Whole(Map<String, Value>),
    /// The text ends in the middle; these are the items that were complete.
    Cut(Map<String, Value>),
    /// Several objects that differ: which of them is meant is not for us to guess.
    Several(usize),
    Nothing,
    TooLong,
}

/// Looks for objects with a list called `list`; others, such as an echo of the question, do not count.
pub(crate) fn find(text: &str, list: &str) -> Found {
    if text.len() > MOST_BYTES {
        return Found::TooLong;
    }
    let mut found: Vec<Map<String, Value>> = Vec::new();
    let mut rest = text;
    for _ in 0..MOST_TRIES {
        let Some(start) = rest.find('{') else { break };
        rest = &rest[start..];
        let Some(end) = closing(rest) else { break };
        match object(&rest[..end], list) {
            Some(object) => {
                if !found.contains(&object) {
                    found.push(object);
                }
                rest = &rest[end..];
            }
            // An object of another kind may have ours inside.
            None => rest = &rest[1..],
        }
    }
    match found.len() {
        0 => salvage(text, list),
        1 => Found::Whole(found.remove(0)),
        more => Found::Several(more),
    }
}

fn object(text: &str, list: &str) -> Option<Map<String, Value>> {
    let Ok(Value::Object(object)) = serde_json::from_str(text) else { return None };
    object.get(list).is_some_and(Value::is_array).then_some(object)
}

/// Where the bracket that the text begins with is closed: the byte after it.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut scanner = Scanner::default();
    for (index, byte) in text.bytes().enumerate() {
        match scanner.outside_of_strings(byte) {
            Some(b'{' | b'[') => depth += 1,
            Some(b'}' | b']') => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(index + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// Tells brackets from those inside strings.
#[derive(Default)]
struct Scanner {
    in_string: bool,
    escaped: bool,
}

impl Scanner {
    fn outside_of_strings(&mut self, byte: u8) -> Option<u8> {
        if self.in_string {
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' => self.escaped = true,
                b'"' => self.in_string = false,
                _ => {}
            }
            return None;
        }
        self.in_string = byte == b'"';
        Some(byte)
    }
}

/// The complete items of a list that is never closed.
fn salvage(text: &str, list: &str) -> Found {
    let key = format!("\"{list}\"");
    let Some(start) = text.rfind(&key) else { return Found::Nothing };
    let after = text[start + key.len()..].trim_start();
    let Some(after) = after.strip_prefix(':').map(str::trim_start).and_then(|rest| rest.strip_prefix('['))
    else {
        return Found::Nothing;
    };
    let mut items = Vec::new();
    let mut rest = after.trim_start_matches([',', ' ', '\n', '\r', '\t']);
    while rest.starts_with('{') {
        let Some(end) = closing(rest) else { break };
        let Ok(item) = serde_json::from_str(&rest[..end]) else { break };
        items.push(item);
        rest = rest[end..].trim_start_matches([',', ' ', '\n', '\r', '\t']);
    }
    Found::Cut(Map::from_iter([(list.to_owned(), Value::Array(items))]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn whole(value: Value) -> Found {
        let Value::Object(map) = value else { panic!("an object is expected") };
        Found::Whole(map)
    }

    #[test]
    fn answers_are_found_however_they_are_wrapped() {
        let one = || whole(json!({ "decisions": [{ "workload": "w1" }] }));
        let bare = r#"{"decisions":[{"workload":"w1"}]}"#;
        for text in [
            bare.to_owned(),
            format!("  \n{bare}\n"),
            format!("```json\n{bare}\n```"),
            format!("```\n{bare}\n```\nI hope {{this}} helps."),
            format!("Sure! Given {{\"clusters\": 2}}, my answer is {bare} as you asked."),
            format!("{bare}\n{bare}"),
            format!("{{\"answer\": {bare}}}"),
            format!("\u{feff}{bare}"),
        ] {
            assert_eq!(find(&text, "decisions"), one(), "{text}");
        }
    }

    #[test]
    fn brackets_in_strings_do_not_count() {
        let text = r#"{"decisions":[{"reason":"a } and a \" and a { too"}]}"#;
        assert_eq!(
            find(text, "decisions"),
            whole(json!({ "decisions": [{ "reason": "a } and a \" and a { too" }] }))
        );
    }

    #[test]
    fn two_different_answers_are_no_answer() {
        let text = r#"{"decisions":[]} no, wait: {"decisions":[{"workload":"w1"}]}"#;
        assert_eq!(find(text, "decisions"), Found::Several(2));
    }

    #[test]
    fn what_was_complete_survives_a_cut() {
        let check = |text: &str, items: Value| {
            let Found::Cut(map) = find(text, "decisions") else { panic!("{text}") };
            assert_eq!(map["decisions"], items, "{text}");
        };
        check(
            r#"```json {"decisions": [{"workload":"w1"}, {"workload":"w2","#,
            json!([{ "workload": "w1" }]),
        );
        check(r#"{"decisions": ["#, json!([]));
        check(r#"{"decisions": [{"reason":"never en"#, json!([]));
    }

    #[test]
    fn nothing_is_found_where_nothing_is() {
        for text in ["", "I cannot help with that.", "{", "decisions", "{\"decisions\": 7}", "[1, 2]", "{}"] {
            assert_eq!(find(text, "decisions"), Found::Nothing, "{text}");
        }
        assert_eq!(find(&"{".repeat(MOST_BYTES + 1), "decisions"), Found::TooLong);
        let nested = format!("{}{}", "{".repeat(100_000), "}".repeat(100_000));
        assert_eq!(find(&nested, "decisions"), Found::Nothing);
    }
}
