//! What agents learned, kept under the hash of its bytes.

use crate::storage::port::connection::at_most_one;
use crate::storage::port::connection::{Connection, Transaction};
use crate::storage::port::error::Error;
use crate::storage::port::json::JsonText;
use crate::storage::port::record::{find, insert_new, record, select};
use crate::storage::port::value::values;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use model::hash::ContentHash;

/// Small networks and tables take some hundred kilobytes. What is larger belongs into a store for files.
pub const LARGEST: usize = 32 * 1024 * 1024;

record! {
    /// A model without its bytes.
    pub struct Model in "models" {
        pub hash: ContentHash,
        pub name: String,
        pub kind: String,
        /// What it was trained on and how well it did.
        pub card: JsonText,
        /// In bytes.
        pub size: i64,
        pub created_by: String,
        pub created_wall_ms: i64,
    }
}

record! {
    /// A whole row.
    struct StoredModel in "models" {
        hash: ContentHash,
        name: String,
        kind: String,
        card: JsonText,
        size: i64,
        created_by: String,
        created_wall_ms: i64,
        /// As base64.
        body: String,
    }
}

/// A model that is not kept yet.
#[derive(Clone, Debug)]
pub struct NewModel<'a> {
    pub name: &'a str,
    pub kind: &'a str,
    pub card: JsonText,
    pub created_by: &'a str,
    pub created_wall_ms: i64,
    pub bytes: &'a [u8],
}

/// Keeps a model and returns the name it can be had by. The same bytes twice are kept once, as they were described first.
pub fn put(transaction: &mut dyn Transaction, model: &NewModel<'_>) -> Result<ContentHash, Error> {
    if model.bytes.len() > LARGEST {
        return Err(Error::Unstorable("a model of more than 32 MiB; keep it as a file"));
    }
    let hash = ContentHash::of_bytes(model.bytes);
    let stored = StoredModel {
        hash,
        name: model.name.to_owned(),
        kind: model.kind.to_owned(),
        card: model.card.clone(),
        size: model.bytes.len() as i64,
        created_by: model.created_by.to_owned(),
        created_wall_ms: model.created_wall_ms,
        body: STANDARD.encode(model.bytes),
    };
    insert_new(transaction, &stored)?;
    Ok(hash)
}

pub fn get(connection: &mut dyn Connection, hash: ContentHash) -> Result<Option<Model>, Error> {
    find(connection, "WHERE hash = $1", values![hash])
}

/// The bytes of a model, checked against its name.
pub fn bytes(connection: &mut dyn Connection, hash: ContentHash) -> Result<Option<Vec<u8>>, Error> {
    let row = at_most_one(connection.query("SELECT body FROM models WHERE hash = $1", values![hash])?)?;
    let Some(row) = row else { return Ok(None) };
    let bytes =
        STANDARD.decode(row.get::<String>("body")?).ok().filter(|bytes| ContentHash::of_bytes(bytes) == hash);
    let damaged = || Error::Column {
        column: "body".into(),
        problem: "the bytes of the model do not fit its hash".into(),
    };
    bytes.map(Some).ok_or_else(damaged)
}

/// Removes a model. Returns whether there was one.
pub fn remove(transaction: &mut dyn Transaction, hash: ContentHash) -> Result<bool, Error> {
    Ok(transaction.execute("DELETE FROM models WHERE hash = $1", values![hash])? == 1)
}

/// All models, newest first.
pub fn all(connection: &mut dyn Connection) -> Result<Vec<Model>, Error> {
    select(connection, "ORDER BY created_wall_ms DESC, hash", &[])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::on_both;

    #[test]
    fn models_are_kept_by_their_bytes() {
        on_both(|database| {
            let every_byte: Vec<u8> = (0..=255).collect();
            let model = NewModel {
                name: "mover",
                kind: "table",
                card: JsonText::of(&["trained on three-waves"]),
                created_by: "anna",
                created_wall_ms: 10,
                bytes: &every_byte,
            };
            let hash = database.write(|transaction| put(transaction, &model))?;
            let again = NewModel { name: "other", ..model.clone() };
            assert_eq!(database.write(|transaction| put(transaction, &again))?, hash);
            assert_eq!(database.read(|connection| bytes(connection, hash))?, Some(every_byte.clone()));
            let found = database.read(|connection| get(connection, hash))?.expect("it was kept");
            assert_eq!((found.name.as_str(), found.size), ("mover", 256));
            assert_eq!(database.read(all)?, [found]);
            assert_eq!(database.read(|connection| bytes(connection, ContentHash::ZERO))?, None);
            database.write(|transaction| transaction.execute("UPDATE models SET body = 'AAAA'", &[]))?;
            let damaged = database.read(|connection| bytes(connection, hash));
            assert!(matches!(damaged, Err(Error::Column { .. })), "{damaged:?}");
            assert!(database.write(|transaction| remove(transaction, hash))?);
            assert!(!database.write(|transaction| remove(transaction, hash))?);
            assert_eq!(database.read(all)?, []);
            Ok(())
        });
    }

    #[test]
    fn what_is_too_large_is_refused() {
        on_both(|database| {
            let model = NewModel {
                name: "giant",
                kind: "table",
                card: JsonText::of(&()),
                created_by: "anna",
                created_wall_ms: 10,
                bytes: &vec![0; LARGEST + 1],
            };
            let refused = database.write(|transaction| put(transaction, &model));
            assert!(matches!(refused, Err(Error::Unstorable(_))), "{refused:?}");
            Ok(())
        });
    }
}
