//! From a model's text to typed items, and everything that is wrong with it.

use super::brief::Brief;
use super::inert::inert;
use super::loose_json::{Found, find};
use crate::words;
use control::question::{Fault, FaultKind};
use model::recommendation::Evidence;
use serde_json::{Map, Value};

/// Longer remarks of models are cut: they are shown to people beside everything else.
const MOST_CHARACTERS: usize = 500;

/// Values are compared as people round them: to half a tenth, or half a per cent of large ones.
const TOLERANCE_THOUSANDTHS: i64 = 51;

/// The items of the list, and what is wrong with the text as a whole.
pub(crate) fn items(text: &str, complete: bool, list: &str) -> (Vec<Value>, Vec<Fault>) {
    let listed = |mut map: Map<String, Value>| match map.remove(list) {
        Some(Value::Array(items)) => items,
        _ => Vec::new(),
    };
    match find(text, list) {
        Found::Whole(map) => (listed(map), Vec::new()),
        Found::Cut(map) => {
            (listed(map), vec![Fault::new(FaultKind::Cut, "the answer ends in the middle; be shorter")])
        }
        Found::Several(count) => {
            let text = format!("there are {count} different JSON objects; write one");
            (Vec::new(), vec![Fault::new(FaultKind::Form, text)])
        }
        Found::Nothing => {
            let text = format!("there is no JSON object with a list {list:?}");
            let kind = if complete { FaultKind::Form } else { FaultKind::Cut };
            (Vec::new(), vec![Fault::new(kind, text)])
        }
        Found::TooLong => (Vec::new(), vec![Fault::new(FaultKind::Form, "the answer is too long")]),
    }
}

/// A text of an item, without what could disturb whoever reads it.
pub(crate) fn remark(item: &Value, key: &str) -> String {
    let text = item.get(key).and_then(Value::as_str).unwrap_or_default();
    inert(text, MOST_CHARACTERS)
}

/// A number between 0 and 1 in thousandths.
pub(crate) fn share(item: &Value, key: &str) -> Option<u32> {
    let value = item.get(key)?.as_f64()?;
    (0.0..=1.0).contains(&value).then(|| (value * 1_000.0).round() as u32)
}

/// The numbers an item quotes that are as they were told; a fault for each that is not.
pub(crate) fn evidence(item: &Value, subject: &str, brief: &Brief, faults: &mut Vec<Fault>) -> Vec<Evidence> {
    let quoted = item.get("evidence").and_then(Value::as_array);
    let mut verified = Vec::new();
    for one in quoted.into_iter().flatten() {
        match quote(one, brief) {
            Ok(evidence) => verified.push(evidence),
            Err((kind, text)) => faults.push(Fault::new(kind, format!("{subject}: {text}"))),
        }
    }
    verified
}

fn quote(item: &Value, brief: &Brief) -> Result<Evidence, (FaultKind, String)> {
    let text = |key: &str| item.get(key).and_then(Value::as_str).unwrap_or_default();
    let (about, fact) = (text("about"), text("fact"));
    let key = (about.to_owned(), fact.to_owned());
    let (Some(told), Some(meant)) = (brief.facts.get(&key), brief.meant(about)) else {
        let (about, fact) = (shown(about), shown(fact));
        return Err((FaultKind::InventedId, format!("there is no fact {fact} about {about}")));
    };
    let Some(value) = item.get("value").and_then(Value::as_f64) else {
        return Err((FaultKind::Form, format!("the value of {fact} about {about} is no number")));
    };
    let allowed = TOLERANCE_THOUSANDTHS.max(told.saturating_abs() / 200);
    let said = (value * 1_000.0).round();
    if (said - *told as f64).abs() > allowed as f64 {
        let told = *told as f64 / 1_000.0;
        return Err((FaultKind::WrongNumber, format!("{fact} of {about} is {told}, not {value}")));
    }
    Ok(words::evidence(meant, &fact.replace('_', " "), *told as f64 / 1_000.0, None))
}

/// An id of a model in a message: short, and without anything that could be read as more than a text.
pub(crate) fn shown(id: &str) -> String {
    let short = inert(id, 40);
    format!("{short:?}")
}
