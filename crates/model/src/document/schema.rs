//! Reads the part of JSON Schema that `schemars` writes for our types; see [`unsupported`] for what is outside it.

use super::tree::{Node, Value as Tree};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// The keyword that names a registered check of a leaf, such as `"cpu"`.
pub const CHECK_KEYWORD: &str = "x-drover-parse";

/// Schemas that one value may be subject to at once. Ours reach 6 (option, reference, variant, flattened parts); a
/// schema beyond this refers to itself without a value in between.
const MAX_FACETS: usize = 64;

/// Every keyword that is enforced.
const ENFORCED: &[&str] = &[
    "$ref",
    "allOf",
    "anyOf",
    "oneOf",
    "type",
    "enum",
    "const",
    "properties",
    "required",
    "additionalProperties",
    "unevaluatedProperties",
    "patternProperties",
    "propertyNames",
    "items",
    "prefixItems",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "minLength",
    "maxLength",
    "format",
    CHECK_KEYWORD,
];

/// Every keyword that says nothing about validity.
const DESCRIPTIVE: &[&str] = &[
    "$schema",
    "$defs",
    "title",
    "description",
    "default",
    "examples",
    "deprecated",
    "readOnly",
    "writeOnly",
];

/// The keys of integer maps, the only patterns that `schemars` writes by itself.
const INTEGER_KEYS: [(&str, bool); 2] = [(r"^\d+$", false), (r"^-?\d+$", true)];

/// What JSON calls a value, as a set.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Kinds(u8);

impl Kinds {
    pub(super) const NULL: Self = Self(1);
    pub(super) const BOOLEAN: Self = Self(2);
    pub(super) const INTEGER: Self = Self(4);
    pub(super) const NUMBER: Self = Self(8);
    pub(super) const TEXT: Self = Self(16);
    pub(super) const LIST: Self = Self(32);
    pub(super) const MAPPING: Self = Self(64);
    pub(super) const ANY: Self = Self(127);

    const NAMED: [(&'static str, Self, &'static str); 7] = [
        ("string", Self::TEXT, "text"),
        ("integer", Self::INTEGER, "a whole number"),
        ("number", Self::NUMBER, "a number"),
        ("boolean", Self::BOOLEAN, "true or false"),
        ("array", Self::LIST, "a list"),
        ("object", Self::MAPPING, "a mapping"),
        ("null", Self::NULL, "nothing"),
    ];

    pub(super) fn of(node: &Node) -> Self {
        match &node.value {
            Tree::Null => Self::NULL,
            Tree::Bool(_) => Self::BOOLEAN,
            Tree::Number(_) => Self(Self::INTEGER.0 | Self::NUMBER.0),
            Tree::Text(_) => Self::TEXT,
            Tree::Sequence(_) => Self::LIST,
            Tree::Mapping(_) => Self::MAPPING,
        }
    }

    pub(super) fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub(super) fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(super) fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// For a message: `text, a number or nothing`.
    pub(super) fn describe(self) -> String {
        let named = Self::NAMED.iter().filter(|(_, kind, _)| self.meets(*kind)).map(|(_, _, words)| *words);
        one_of(&named.collect::<Vec<_>>())
    }

    fn named(name: &str) -> Self {
        let found = Self::NAMED.iter().find(|(known, _, _)| *known == name);
        found.map_or(Self::ANY, |(_, kind, _)| *kind)
    }
}

/// `a, b or c`.
pub(super) fn one_of<T: AsRef<str>>(words: &[T]) -> String {
    match words {
        [] => String::new(),
        [only] => only.as_ref().to_owned(),
        [start @ .., last] => {
            let start: Vec<&str> = start.iter().map(AsRef::as_ref).collect();
            format!("{} or {}", start.join(", "), last.as_ref())
        }
    }
}

/// A schema with its definitions.
#[derive(Debug)]
pub(super) struct Schema {
    root: Value,
}

/// The plain keyword sets that apply to one value together, and the choices still open.
#[derive(Debug, Default)]
pub(super) struct Facets<'s> {
    pub(super) plain: Vec<&'s Map<String, Value>>,
    pub(super) choices: Vec<&'s [Value]>,
    pub(super) impossible: bool,
}

impl Schema {
    pub(super) fn of<T: schemars::JsonSchema>() -> Self {
        Self { root: schemars::schema_for!(T).to_value() }
    }

    pub(super) fn root(&self) -> &Value {
        &self.root
    }

    /// Follows references and `allOf`; choices are left to the caller, who knows the value.
    pub(super) fn gather<'s>(&'s self, schema: &'s Value, into: &mut Facets<'s>) {
        let object = match schema {
            Value::Object(object) => object,
            other => {
                into.impossible |= *other == Value::Bool(false);
                return;
            }
        };
        assert!(into.plain.len() < MAX_FACETS, "a schema refers to itself without a value in between");
        into.plain.push(object);
        if let Some(reference) = object.get("$ref").and_then(Value::as_str) {
            self.gather(self.resolve(reference), into);
        }
        for part in list(object, "allOf") {
            self.gather(part, into);
        }
        for keyword in ["oneOf", "anyOf"] {
            if let Some(Value::Array(branches)) = object.get(keyword) {
                into.choices.push(branches);
            }
        }
    }

    fn resolve(&self, reference: &str) -> &Value {
        let pointer = reference.strip_prefix('#').unwrap_or(reference);
        self.root.pointer(pointer).expect("a schema refers only to its own definitions")
    }

    pub(super) fn facets<'s>(&'s self, schema: &'s Value) -> Facets<'s> {
        let mut facets = Facets::default();
        self.gather(schema, &mut facets);
        facets
    }

    /// The kinds of value a schema can accept at all.
    pub(super) fn kinds(&self, schema: &Value) -> Kinds {
        let facets = self.facets(schema);
        let own = facets.kinds();
        facets.choices.iter().fold(own, |kinds, branches| {
            let union = branches.iter().fold(Kinds::default(), |union, branch| union.or(self.kinds(branch)));
            kinds.and(union)
        })
    }
}

impl<'s> Facets<'s> {
    /// The kinds that the plain keywords allow.
    pub(super) fn kinds(&self) -> Kinds {
        if self.impossible {
            return Kinds::default();
        }
        self.plain.iter().fold(Kinds::ANY, |kinds, facet| kinds.and(kinds_of(facet)))
    }

    /// The schema of a property, whichever facet declares it.
    pub(super) fn property(&self, key: &str) -> Option<&'s Value> {
        self.plain.iter().find_map(|facet| facet.get("properties")?.get(key))
    }

    /// All declared keys.
    pub(super) fn known_keys(&self) -> BTreeSet<&'s str> {
        let properties = self.plain.iter().filter_map(|facet| facet.get("properties")?.as_object());
        properties.flat_map(|keys| keys.keys().map(String::as_str)).collect()
    }

    pub(super) fn required_keys(&self) -> Vec<&'s str> {
        let required = self.plain.iter().flat_map(|facet| list(facet, "required"));
        let keys: BTreeSet<&str> = required.filter_map(Value::as_str).collect();
        keys.into_iter().collect()
    }

    /// The schema for keys that are not declared: `Some(false)` closes the mapping.
    pub(super) fn undeclared(&self, key: &str) -> Option<&'s Value> {
        self.plain.iter().find_map(|facet| pattern_property(facet, key)).or_else(|| {
            let keyword = |name: &'static str| self.plain.iter().find_map(move |facet| facet.get(name));
            keyword("additionalProperties").or_else(|| keyword("unevaluatedProperties"))
        })
    }

    /// The allowed values when they are listed.
    pub(super) fn listed_values(&self) -> Option<Vec<&'s Value>> {
        self.plain.iter().find_map(|facet| {
            if let Some(only) = facet.get("const") {
                return Some(vec![only]);
            }
            facet.get("enum").and_then(Value::as_array).map(|values| values.iter().collect())
        })
    }

    /// Whether keys must be whole numbers.
    pub(super) fn has_number_keys(&self) -> bool {
        self.plain.iter().any(|facet| facet.contains_key("patternProperties"))
    }

    pub(super) fn keyword(&self, name: &str) -> Option<&'s Value> {
        self.plain.iter().find_map(|facet| facet.get(name))
    }
}

fn pattern_property<'s>(facet: &'s Map<String, Value>, key: &str) -> Option<&'s Value> {
    let patterns = facet.get("patternProperties")?.as_object()?;
    let is_integer = |signed: bool| {
        let digits = if signed { key.strip_prefix('-').unwrap_or(key) } else { key };
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    let fits =
        |pattern: &str| INTEGER_KEYS.iter().any(|(known, signed)| pattern == *known && is_integer(*signed));
    patterns.iter().find(|(pattern, _)| fits(pattern)).map(|(_, schema)| schema)
}

fn kinds_of(facet: &Map<String, Value>) -> Kinds {
    match facet.get("type") {
        Some(Value::String(name)) => Kinds::named(name),
        Some(Value::Array(names)) => names
            .iter()
            .filter_map(Value::as_str)
            .fold(Kinds::default(), |kinds, name| kinds.or(Kinds::named(name))),
        _ => Kinds::ANY,
    }
}

fn list<'s>(facet: &'s Map<String, Value>, keyword: &str) -> &'s [Value] {
    facet.get(keyword).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// The least and greatest value of the integer formats that `schemars` names.
pub(super) fn format_range(format: &str) -> Option<(i128, i128)> {
    let range = match format {
        "int8" => (i8::MIN.into(), i8::MAX.into()),
        "int16" => (i16::MIN.into(), i16::MAX.into()),
        "int32" => (i32::MIN.into(), i32::MAX.into()),
        "int64" | "int" => (i64::MIN.into(), i64::MAX.into()),
        "uint8" => (0, u8::MAX.into()),
        "uint16" => (0, u16::MAX.into()),
        "uint32" => (0, u32::MAX.into()),
        "uint64" | "uint" => (0, u64::MAX.into()),
        _ => return None,
    };
    Some(range)
}

/// Keywords in the schema of `T` that would not be enforced; a test of every document type expects none.
pub fn unsupported<T: schemars::JsonSchema>() -> Vec<String> {
    let mut found = BTreeSet::new();
    collect_unsupported(Schema::of::<T>().root(), &mut found);
    found.into_iter().collect()
}

fn collect_unsupported(schema: &Value, found: &mut BTreeSet<String>) {
    let Value::Object(object) = schema else { return };
    for (keyword, value) in object {
        // A pattern beside a check is for other readers of the schema; the check is stricter and says why.
        let is_covered = keyword == "pattern" && object.contains_key(CHECK_KEYWORD);
        if !is_covered && !ENFORCED.contains(&keyword.as_str()) && !DESCRIPTIVE.contains(&keyword.as_str()) {
            found.insert(keyword.clone());
        }
        match (keyword.as_str(), value) {
            ("properties" | "$defs" | "patternProperties", Value::Object(schemas)) => {
                for schema in schemas.values() {
                    collect_unsupported(schema, found);
                }
            }
            ("allOf" | "anyOf" | "oneOf" | "prefixItems", Value::Array(schemas)) => {
                for schema in schemas {
                    collect_unsupported(schema, found);
                }
            }
            ("items" | "additionalProperties" | "unevaluatedProperties" | "propertyNames", schema) => {
                collect_unsupported(schema, found);
            }
            _ => {}
        }
    }
    let patterns = object.get("patternProperties").and_then(Value::as_object);
    for pattern in patterns.into_iter().flat_map(|patterns| patterns.keys()) {
        if !INTEGER_KEYS.iter().any(|(known, _)| known == pattern) {
            found.insert(format!("patternProperties {pattern}"));
        }
    }
}
