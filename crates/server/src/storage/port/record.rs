//! Structs that are rows: the field names are the column names, so that statements, values and fields cannot disagree.

use super::connection::{Connection, Transaction, at_most_one};
use super::error::Error;
use super::row::Row;
use super::value::Value;

/// A struct made by [`record!`].
pub trait Record: Sized {
    const TABLE: &'static str;
    const COLUMNS: &'static [&'static str];

    fn values(&self) -> Vec<Value>;

    fn from_row(row: Row) -> Result<Self, Error>;
}

/// Declares a struct and the table whose columns its fields are, in the same order.
macro_rules! record {
    (
        $(#[$about:meta])*
        $seen:vis struct $name:ident in $table:literal {
            $($(#[$note:meta])* $field_seen:vis $field:ident: $type:ty,)*
        }
    ) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq)]
        $seen struct $name {
            $($(#[$note])* $field_seen $field: $type,)*
        }

        impl $crate::storage::port::record::Record for $name {
            const TABLE: &'static str = $table;
            const COLUMNS: &'static [&'static str] = &[$(stringify!($field)),*];

            fn values(&self) -> Vec<$crate::storage::port::value::Value> {
                vec![$($crate::storage::port::value::Column::to_value(&self.$field)),*]
            }

            fn from_row(mut row: $crate::storage::port::row::Row) -> Result<Self, $crate::storage::port::error::Error> {
                Ok(Self { $($field: row.take(stringify!($field))?),* })
            }
        }
    };
}
pub(crate) use record;

/// Inserts a row; [`Error::Duplicate`] when its key is taken.
pub(crate) fn insert<R: Record>(transaction: &mut dyn Transaction, record: &R) -> Result<(), Error> {
    transaction.execute(&insert_statement::<R>(), &record.values()).map(drop)
}

/// Inserts a row, or puts it in the place of the one with the same key.
pub(crate) fn put<R: Record>(
    transaction: &mut dyn Transaction,
    record: &R,
    key: &[&str],
) -> Result<(), Error> {
    let others = R::COLUMNS.iter().filter(|column| !key.contains(column));
    let changes: Vec<String> = others.map(|column| format!("{column} = excluded.{column}")).collect();
    let sql = format!(
        "{} ON CONFLICT ({}) DO UPDATE SET {}",
        insert_statement::<R>(),
        key.join(", "),
        changes.join(", ")
    );
    transaction.execute(&sql, &record.values()).map(drop)
}

/// Inserts a row unless its key is taken, and says whether it did.
pub(crate) fn insert_new<R: Record>(transaction: &mut dyn Transaction, record: &R) -> Result<bool, Error> {
    let sql = format!("{} ON CONFLICT DO NOTHING", insert_statement::<R>());
    Ok(transaction.execute(&sql, &record.values())? == 1)
}

fn insert_statement<R: Record>() -> String {
    let places: Vec<String> = (1..=R::COLUMNS.len()).map(|number| format!("${number}")).collect();
    format!("INSERT INTO {} ({}) VALUES ({})", R::TABLE, R::COLUMNS.join(", "), places.join(", "))
}

/// The rows that `rest`, everything behind the name of the table, asks for.
pub(crate) fn select<R: Record>(
    connection: &mut dyn Connection,
    rest: &str,
    values: &[Value],
) -> Result<Vec<R>, Error> {
    let sql = format!("SELECT {} FROM {} {rest}", R::COLUMNS.join(", "), R::TABLE);
    connection.query(&sql, values)?.into_iter().map(R::from_row).collect()
}

/// The only row that `rest` asks for.
pub(crate) fn find<R: Record>(
    connection: &mut dyn Connection,
    rest: &str,
    values: &[Value],
) -> Result<Option<R>, Error> {
    let sql = format!("SELECT {} FROM {} {rest}", R::COLUMNS.join(", "), R::TABLE);
    at_most_one(connection.query(&sql, values)?)?.map(R::from_row).transpose()
}
