//! A scenario with some of its keys set to other values: the text is read, changed and written again.

use super::spec::Variant;
use model::document::{Document, Problems, to_yaml};
use serde_json::Value;

/// The scenario's text with the variant's values in place. A key that leads nowhere is a problem of the experiment, said in a
/// sentence.
pub fn vary(name: &str, bytes: &[u8], variant: &Variant) -> Result<Vec<u8>, VaryError> {
    if variant.is_empty() {
        return Ok(bytes.to_vec());
    }
    let (mut value, _): (Value, Document) =
        model::document::read(name, bytes).map_err(VaryError::Scenario)?;
    for (path, new) in variant {
        let place = find(&mut value, path).ok_or_else(|| VaryError::NoPlace(path.clone()))?;
        *place = new.clone();
    }
    Ok(to_yaml(&value).into_bytes())
}

/// Why a scenario could not be varied.
#[derive(Debug, thiserror::Error)]
pub enum VaryError {
    #[error("{0}")]
    Scenario(Problems),
    #[error(
        "{0:?} leads nowhere in the scenario; write for instance reviewer.delay or clusters[0].pools[0].nodes"
    )]
    NoPlace(String),
}

/// The value at a path such as `clusters[0].pools[1].nodes`; the last key may be new, if it would stand in a mapping.
fn find<'v>(value: &'v mut Value, path: &str) -> Option<&'v mut Value> {
    let mut place = value;
    let mut steps = path.split('.').peekable();
    while let Some(step) = steps.next() {
        let (key, indices) = step.split_once('[').map_or((step, None), |(key, rest)| (key, Some(rest)));
        let map = place.as_object_mut()?;
        if !map.contains_key(key) {
            // A whole section that is not there yet, as `reviewer`, is as good as an empty one.
            let is_last = steps.peek().is_none() && indices.is_none();
            let fresh = if is_last { Value::Null } else { Value::Object(serde_json::Map::new()) };
            map.insert(key.to_owned(), fresh);
        }
        place = map.get_mut(key)?;
        for index in indices.into_iter().flat_map(|rest| rest.split('[')) {
            let index: usize = index.strip_suffix(']')?.parse().ok()?;
            place = place.as_array_mut()?.get_mut(index)?;
        }
    }
    Some(place)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const TEXT: &str = "clusters:\n  - pools:\n      - { nodes: 2 }\n      - { nodes: 3 }\nduration: 1m\n";

    fn varied(path: &str, value: Value) -> Result<String, String> {
        let text = vary("x.yaml", TEXT.as_bytes(), &vec![(path.to_owned(), value)]);
        text.map(|text| String::from_utf8(text).unwrap()).map_err(|error| error.to_string())
    }

    #[test]
    fn keys_get_other_values_and_missing_ones_are_made() {
        assert!(varied("clusters[0].pools[1].nodes", json!(9)).unwrap().contains("nodes: 9"));
        assert!(varied("duration", json!("2m")).unwrap().contains("duration: 2m"));
        assert!(varied("reviewer.delay", json!("5s")).unwrap().contains("delay: 5s"));
        let without = vary("x.yaml", TEXT.as_bytes(), &Variant::new()).unwrap();
        assert_eq!(without, TEXT.as_bytes(), "nothing is written anew that is not varied");
    }

    #[test]
    fn a_path_that_leads_nowhere_is_said() {
        for path in [
            "clusters[1].pools",
            "clusters[0].pools[x].nodes",
            "duration.seconds",
            "clusters[0",
            "clusters.pools",
        ] {
            assert!(varied(path, json!(1)).unwrap_err().contains("leads nowhere"), "{path}");
        }
    }
}
