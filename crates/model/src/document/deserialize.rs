//! A tree as a source for `serde`, so that a type's own refusal still knows its place.

use super::path::{OwnedStep, Path};
use super::problem::{Position, shown};
use super::tree::{Entry, Node, Value};
use serde::de::value::StrDeserializer;
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error as _, IntoDeserializer, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};
use std::fmt;

/// What a type said about a value; place and path are added on the way up, from the innermost value that knows.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) message: String,
    pub(super) at: Option<Position>,
    steps: Vec<OwnedStep>,
}

impl Fault {
    pub(super) fn path(&self) -> String {
        Path(self.steps.iter().rev().map(OwnedStep::as_step).collect()).to_string()
    }

    fn placed(mut self, node: &Node) -> Self {
        self.at = self.at.or(Some(node.position()));
        self
    }

    fn below_key(mut self, key: &str) -> Self {
        self.steps.push(OwnedStep::Key(key.to_owned()));
        self
    }

    fn below_index(mut self, index: usize) -> Self {
        self.steps.push(OwnedStep::Index(index));
        self
    }
}

impl std::error::Error for Fault {}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl serde::de::Error for Fault {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self { message: message.to_string(), at: None, steps: Vec::new() }
    }
}

/// A value to be read; a wrapper, so that the way it is read stays inside this room.
#[derive(Clone, Copy)]
pub(super) struct Place<'de>(pub(super) &'de Node);

impl<'de> Deserializer<'de> for Place<'de> {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        let result = match &self.0.value {
            Value::Null => visitor.visit_unit(),
            Value::Bool(flag) => visitor.visit_bool(*flag),
            Value::Number(_) => visit_number(self.0, visitor),
            Value::Text(text) => visitor.visit_borrowed_str(text),
            Value::Sequence(items) => visitor.visit_seq(Items { items: items.iter(), index: 0 }),
            Value::Mapping(entries) => visitor.visit_map(Entries { entries: entries.iter(), value: None }),
        };
        result.map_err(|fault| fault.placed(self.0))
    }

    /// A type that takes text gets a number's spelling: whether numbers may stand there is the schema's decision.
    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match &self.0.value {
            Value::Number(text) => {
                visitor.visit_borrowed_str(text).map_err(|fault: Fault| fault.placed(self.0))
            }
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.deserialize_str(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        let result = match self.0.value {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        };
        result.map_err(|fault| fault.placed(self.0))
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        visitor.visit_newtype_struct(self).map_err(|fault| fault.placed(self.0))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        let variant = match &self.0.value {
            Value::Text(text) => Variant { name: text, content: None },
            Value::Mapping(entries) if entries.len() == 1 => {
                Variant { name: &entries[0].key, content: Some(&entries[0].value) }
            }
            _ => return Err(Fault::custom("expected text or a mapping with one key").placed(self.0)),
        };
        visitor.visit_enum(variant).map_err(|fault| fault.placed(self.0))
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_unit()
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct identifier
    }
}

fn visit_number<'de, V: Visitor<'de>>(node: &Node, visitor: V) -> Result<V::Value, Fault> {
    match (node.integer(), node.float()) {
        (Some(whole), _) => match (u64::try_from(whole), i64::try_from(whole)) {
            (Ok(unsigned), _) => visitor.visit_u64(unsigned),
            (_, Ok(signed)) => visitor.visit_i64(signed),
            _ => visitor.visit_i128(whole),
        },
        (None, Some(float)) => visitor.visit_f64(float),
        (None, None) => Err(Fault::custom("the number is too large")),
    }
}

struct Items<'de> {
    items: std::slice::Iter<'de, Node>,
    index: usize,
}

impl<'de> SeqAccess<'de> for Items<'de> {
    type Error = Fault;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Fault> {
        let Some(item) = self.items.next() else { return Ok(None) };
        let index = self.index;
        self.index += 1;
        seed.deserialize(Place(item)).map(Some).map_err(|fault| fault.placed(item).below_index(index))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.items.len())
    }
}

struct Entries<'de> {
    entries: std::slice::Iter<'de, Entry>,
    value: Option<&'de Entry>,
}

impl<'de> MapAccess<'de> for Entries<'de> {
    type Error = Fault;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Fault> {
        let Some(entry) = self.entries.next() else { return Ok(None) };
        self.value = Some(entry);
        let place = |mut fault: Fault| {
            fault.at = Some(entry.position());
            fault
        };
        seed.deserialize(Key(&entry.key)).map(Some).map_err(place)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Fault> {
        let entry = self.value.take().expect("serde asks for a key before its value");
        seed.deserialize(Place(&entry.value))
            .map_err(|fault| fault.placed(&entry.value).below_key(&entry.key))
    }
}

/// A key is text in the file but may be a number in the type.
struct Key<'de>(&'de str);

macro_rules! number_keys {
    ($($method:ident $visit:ident)*) => { $(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
            match self.0.parse() {
                Ok(number) => visitor.$visit(number),
                Err(_) => Err(Fault::custom(format!("the key {} is not a whole number in range", shown(self.0)))),
            }
        }
    )* };
}

impl<'de> Deserializer<'de> for Key<'de> {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_borrowed_str(self.0)
    }

    number_keys! {
        deserialize_u8 visit_u8 deserialize_u16 visit_u16 deserialize_u32 visit_u32 deserialize_u64 visit_u64
        deserialize_i8 visit_i8 deserialize_i16 visit_i16 deserialize_i32 visit_i32 deserialize_i64 visit_i64
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        let text: StrDeserializer<'de, Fault> = self.0.into_deserializer();
        text.deserialize_enum(name, variants, visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_some(self)
    }

    serde::forward_to_deserialize_any! {
        bool i128 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct
        identifier ignored_any
    }
}

struct Variant<'de> {
    name: &'de str,
    content: Option<&'de Node>,
}

impl<'de> EnumAccess<'de> for Variant<'de> {
    type Error = Fault;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self), Fault> {
        let name: StrDeserializer<'de, Fault> = self.name.into_deserializer();
        Ok((seed.deserialize(name)?, self))
    }
}

impl<'de> Variant<'de> {
    fn content(&self) -> Result<&'de Node, Fault> {
        self.content.ok_or_else(|| Fault::custom(format!("{} needs a value", self.name)))
    }

    fn locate(&self, fault: Fault) -> Fault {
        match self.content {
            Some(content) => fault.placed(content).below_key(self.name),
            None => fault,
        }
    }
}

impl<'de> VariantAccess<'de> for Variant<'de> {
    type Error = Fault;

    fn unit_variant(self) -> Result<(), Fault> {
        match self.content {
            None | Some(Node { value: Value::Null, .. }) => Ok(()),
            Some(_) => Err(self.locate(Fault::custom(format!("{} takes no value", self.name)))),
        }
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Fault> {
        seed.deserialize(Place(self.content()?)).map_err(|fault| self.locate(fault))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Fault> {
        Place(self.content()?).deserialize_any(visitor).map_err(|fault| self.locate(fault))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        Place(self.content()?).deserialize_any(visitor).map_err(|fault| self.locate(fault))
    }
}
