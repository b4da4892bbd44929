//! Pages of long lists. A page begins behind the last row of the one before, so rows that come and go in between neither repeat
//! nor hide others, and the thousandth page costs as much as the first.

use crate::storage::port::error::Error;
use crate::storage::port::value::Value;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};

/// Rows of one page. A person sees fewer; programs that want all of them ask again.
pub const LONGEST_PAGE: u32 = 1_000;
/// A cursor holds one value of a row; a longer text was not made here.
const LONGEST_CURSOR: usize = 4_096;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    Ascending,
    #[default]
    Descending,
}

impl Direction {
    pub(crate) const fn keyword(self) -> &'static str {
        match self {
            Self::Ascending => "ASC",
            Self::Descending => "DESC",
        }
    }

    /// How a later row compares with an earlier one.
    pub(crate) const fn comparison(self) -> &'static str {
        match self {
            Self::Ascending => ">",
            Self::Descending => "<",
        }
    }
}

/// Some rows, how many there are in all, and how to ask for more.
#[derive(Clone, Debug, PartialEq)]
pub struct Page<T> {
    pub rows: Vec<T>,
    /// All rows that fit the filter, on whatever page.
    pub total: i64,
    /// To be given back for the next page; none on the last.
    pub next: Option<String>,
}

/// How many rows to return for a wish.
pub(crate) fn page_length(wished: u32) -> usize {
    wished.clamp(1, LONGEST_PAGE) as usize
}

/// Cuts off the row that was fetched only to learn whether there are more.
pub(crate) fn cut<T>(rows: &mut Vec<T>, length: usize) -> bool {
    let more = rows.len() > length;
    rows.truncate(length);
    more
}

/// The place of a row in an order. Opaque to callers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Cursor {
    /// The order that the place belongs to.
    pub(crate) order: String,
    pub(crate) value: Value,
    pub(crate) id: i64,
}

impl Cursor {
    pub(crate) fn encode(&self) -> String {
        URL_SAFE_NO_PAD.encode(serde_json::to_vec(self).expect("a cursor is plain data"))
    }

    pub(crate) fn decode(text: &str, order: &str) -> Result<Self, Error> {
        if text.len() > LONGEST_CURSOR {
            return Err(Error::Cursor("it is too long"));
        }
        let bytes = URL_SAFE_NO_PAD.decode(text).map_err(|_| Error::Cursor("it is not one of ours"))?;
        let cursor: Self =
            serde_json::from_slice(&bytes).map_err(|_| Error::Cursor("it is not one of ours"))?;
        if cursor.order != order {
            return Err(Error::Cursor("it was made for another order"));
        }
        Ok(cursor)
    }
}

/// The place of a row in a list that has the newest first and tells those of one moment apart by their names.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Dated {
    pub wall_ms: i64,
    pub name: String,
}

impl Dated {
    /// The order that cursors of such lists belong to.
    const ORDER: &str = "newest first, by name";

    pub fn encode(&self) -> String {
        let value = Value::from(self.name.as_str());
        Cursor { order: Self::ORDER.to_owned(), value, id: self.wall_ms }.encode()
    }

    pub fn decode(text: &str) -> Result<Self, Error> {
        match Cursor::decode(text, Self::ORDER)? {
            Cursor { value: Value::Text(name), id, .. } => Ok(Self { wall_ms: id, name }),
            _ => Err(Error::Cursor("it is not one of ours")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_of_a_dated_row_comes_back() {
        let place = Dated { wall_ms: 7, name: "T-1".to_owned() };
        assert_eq!(Dated::decode(&place.encode()).expect("our own"), place);
        let number = Cursor { order: Dated::ORDER.to_owned(), value: Value::Integer(1), id: 7 };
        assert!(Dated::decode(&number.encode()).is_err());
    }

    #[test]
    fn a_cursor_comes_back_for_its_own_order_only() {
        let cursor = Cursor { order: "benefit descending".into(), value: Value::Real(0.1), id: 7 };
        let text = cursor.encode();
        assert_eq!(Cursor::decode(&text, "benefit descending").expect("our own"), cursor);
        for (text, order, problem) in [
            (text.as_str(), "risk ascending", "another order"),
            ("!", "benefit descending", "not one of ours"),
            ("e30", "benefit descending", "not one of ours"),
            (&"a".repeat(5_000), "benefit descending", "too long"),
        ] {
            let message = Cursor::decode(text, order).expect_err("wrong").to_string();
            assert!(message.contains(problem), "{message}");
        }
    }
}
