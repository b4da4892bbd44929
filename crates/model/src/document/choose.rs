//! Which branch of `oneOf` or `anyOf` a value means, decided by tag, key or shape, never by trying all of them.

use super::problem::{Position, Refusal, shown};
use super::schema::{CHECK_KEYWORD, Facets, Kinds, one_of};
use super::suggest::nearest;
use super::tree::{Entry, Node, Value as Tree};
use super::validate::{Walk, equals, found, not_listed, retype};
use serde_json::Value;
use std::collections::BTreeSet;

/// The branch to continue with, or why there is none: where, below which key, and what to say.
pub(super) enum Choice<'s, 't> {
    Branch(&'s Value),
    Refused(Position, Option<&'t str>, Refusal),
}

/// A branch with its own keywords and those of its references.
struct Candidate<'s> {
    schema: &'s Value,
    facets: Facets<'s>,
}

/// Linear in the size of the value's own level, so that nested choices cannot multiply.
pub(super) fn choose<'s, 't>(walk: &Walk<'s, 't>, node: &'t Node, branches: &'s [Value]) -> Choice<'s, 't> {
    let fitting: Vec<Candidate<'s>> = branches
        .iter()
        .filter(|branch| walk.schema.kinds(branch).meets(Kinds::of(node)))
        .map(|schema| Candidate { schema, facets: walk.schema.facets(schema) })
        .collect();
    match (fitting.as_slice(), &node.value) {
        ([], _) => no_kind(walk, node, branches),
        ([only], _) => Choice::Branch(only.schema),
        (candidates, Tree::Mapping(entries)) => choose_mapping(node, entries, candidates),
        (candidates, Tree::Sequence(items)) => choose_list(walk, items, candidates),
        (candidates, _) => choose_scalar(walk, node, candidates),
    }
}

fn no_kind<'s, 't>(walk: &Walk<'s, 't>, node: &Node, branches: &'s [Value]) -> Choice<'s, 't> {
    let mut wanted = branches.iter().filter(|branch| walk.schema.kinds(branch) != Kinds::NULL);
    if let (Some(only), None) = (wanted.next(), wanted.next()) {
        // An optional value: its own branch says best what is expected.
        return Choice::Branch(only);
    }
    let kinds = branches.iter().fold(Kinds::default(), |kinds, branch| kinds.or(walk.schema.kinds(branch)));
    let keys: BTreeSet<&str> =
        branches.iter().filter_map(|branch| sole_key(&walk.schema.facets(branch))).collect();
    let keys: Vec<&str> = keys.into_iter().collect();
    let hint = if keys.is_empty() { String::new() } else { format!(" with the key {}", one_of(&keys)) };
    let message = format!("expected {}{hint}, found {}", kinds.describe(), found(node));
    Choice::Refused(node.position(), None, Refusal { message, proposal: retype(node, kinds) })
}

fn choose_scalar<'s, 't>(
    walk: &Walk<'s, 't>,
    node: &'t Node,
    candidates: &[Candidate<'s>],
) -> Choice<'s, 't> {
    let listing = |candidate: &Candidate<'s>| walk_listed(walk, candidate.schema);
    let named = candidates.iter().find(|candidate| {
        listing(candidate).is_some_and(|values| values.iter().any(|value| equals(node, value)))
    });
    if let Some(candidate) = named {
        return Choice::Branch(candidate.schema);
    }
    let open: Vec<&Candidate<'s>> =
        candidates.iter().filter(|candidate| listing(candidate).is_none()).collect();
    let accepted = open.iter().find(|candidate| accepts(walk, node, &candidate.facets));
    if let Some(candidate) = accepted.or(open.first()) {
        return Choice::Branch(candidate.schema);
    }
    let allowed: Vec<&Value> = candidates.iter().filter_map(listing).flatten().collect();
    Choice::Refused(node.position(), None, not_listed(node, &allowed))
}

/// All values a schema lists, through its own choices; `None` when it takes any text.
fn walk_listed<'s>(walk: &Walk<'s, '_>, schema: &'s Value) -> Option<Vec<&'s Value>> {
    let facets = walk.schema.facets(schema);
    if let Some(values) = facets.listed_values() {
        return Some(values);
    }
    let branches = facets.choices.first()?;
    let lists: Option<Vec<Vec<&Value>>> = branches
        .iter()
        .filter(|branch| walk.schema.kinds(branch).meets(Kinds::TEXT))
        .map(|branch| walk_listed(walk, branch))
        .collect();
    lists.map(|lists| lists.into_iter().flatten().collect())
}

fn accepts(walk: &Walk<'_, '_>, node: &Node, facets: &Facets<'_>) -> bool {
    let check = facets.keyword(CHECK_KEYWORD).and_then(Value::as_str);
    match (check, node.scalar()) {
        (Some(check), Some(spelling)) => walk.checks.run(check, spelling).is_ok(),
        _ => true,
    }
}

fn choose_list<'s, 't>(walk: &Walk<'s, 't>, items: &[Node], candidates: &[Candidate<'s>]) -> Choice<'s, 't> {
    let fits = |candidate: &&Candidate<'s>| match (items.first(), candidate.facets.keyword("items")) {
        (Some(item), Some(schema)) => walk.schema.kinds(schema).meets(Kinds::of(item)),
        _ => true,
    };
    let chosen = candidates.iter().find(fits).unwrap_or(&candidates[0]);
    Choice::Branch(chosen.schema)
}

fn choose_mapping<'s, 't>(
    node: &'t Node,
    entries: &'t [Entry],
    candidates: &[Candidate<'s>],
) -> Choice<'s, 't> {
    if let Some(tag) = common_tag(candidates) {
        return choose_by_tag(node, tag, candidates);
    }
    let keys: Option<Vec<&str>> = candidates.iter().map(|candidate| sole_key(&candidate.facets)).collect();
    match keys {
        Some(keys) => choose_by_key(node, entries, &keys, candidates),
        None => Choice::Branch(most_alike(node, entries, candidates)),
    }
}

/// The key that has a fixed value in every branch: the tag of an internally or adjacently tagged enum.
fn common_tag<'s>(candidates: &[Candidate<'s>]) -> Option<&'s str> {
    let has_tag = |candidate: &Candidate<'s>, key: &str| tag_value(&candidate.facets, key).is_some();
    let keys = candidates[0].facets.known_keys();
    keys.into_iter().find(|key| candidates.iter().all(|candidate| has_tag(candidate, key)))
}

fn tag_value<'s>(facets: &Facets<'s>, key: &str) -> Option<&'s Value> {
    facets.property(key)?.get("const")
}

fn choose_by_tag<'s, 't>(node: &'t Node, tag: &'s str, candidates: &[Candidate<'s>]) -> Choice<'s, 't> {
    let values: Vec<&Value> =
        candidates.iter().filter_map(|candidate| tag_value(&candidate.facets, tag)).collect();
    let entry = node.entries().iter().find(|entry| entry.key == tag);
    let Some(entry) = entry else {
        let words: Vec<&str> = values.iter().filter_map(|value| value.as_str()).collect();
        let refusal = Refusal::new(format!("missing the key {}", shown(tag)));
        return Choice::Refused(
            node.position(),
            None,
            refusal.propose(format!("add {tag}: {}", one_of(&words))),
        );
    };
    let matching = |candidate: &&Candidate<'s>| {
        tag_value(&candidate.facets, tag).is_some_and(|value| equals(&entry.value, value))
    };
    match candidates.iter().find(matching) {
        Some(candidate) => Choice::Branch(candidate.schema),
        None => Choice::Refused(entry.value.position(), Some(&entry.key), not_listed(&entry.value, &values)),
    }
}

/// The only key of a variant of an externally tagged enum.
fn sole_key<'s>(facets: &Facets<'s>) -> Option<&'s str> {
    let known = facets.known_keys();
    let required = facets.required_keys();
    (known.len() == 1 && required.len() == 1).then(|| required[0])
}

fn choose_by_key<'s, 't>(
    node: &'t Node,
    entries: &'t [Entry],
    keys: &[&'s str],
    candidates: &[Candidate<'s>],
) -> Choice<'s, 't> {
    let present: Vec<&Entry> = entries.iter().filter(|entry| keys.contains(&entry.key.as_str())).collect();
    match (present.as_slice(), entries) {
        ([only], _) => {
            let index = keys.iter().position(|key| *key == only.key);
            Choice::Branch(candidates[index.expect("the key was found in the list")].schema)
        }
        ([_, second, ..], _) => {
            let message = format!("only one of the keys {} may be set", one_of(keys));
            Choice::Refused(second.position(), None, Refusal::new(message).propose("keep one of them"))
        }
        ([], [first, ..]) => {
            let refusal =
                Refusal::new(format!("expected the key {}, found {}", one_of(keys), shown(&first.key)));
            let refusal = match nearest(&first.key, keys.iter().copied()) {
                Some(key) => refusal.propose(format!("did you mean {}?", shown(key))),
                None => refusal,
            };
            Choice::Refused(first.position(), None, refusal)
        }
        ([], []) => {
            let message = format!("expected the key {}, found an empty mapping", one_of(keys));
            Choice::Refused(node.position(), None, Refusal::new(message))
        }
    }
}

/// The branch that knows most of the keys and misses fewest; the first of equals.
fn most_alike<'s>(node: &Node, entries: &[Entry], candidates: &[Candidate<'s>]) -> &'s Value {
    let score = |candidate: &Candidate<'s>| {
        let known =
            entries.iter().filter(|entry| candidate.facets.property(&entry.key).is_some()).count() as i64;
        let missing =
            candidate.facets.required_keys().iter().filter(|key| node.get(key).is_none()).count() as i64;
        2 * known - missing
    };
    let best = candidates.iter().map(score).max().unwrap_or(0);
    let chosen = candidates.iter().find(|candidate| score(candidate) == best);
    chosen.unwrap_or(&candidates[0]).schema
}
