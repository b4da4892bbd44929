//! Everything the desk keeps: one port, two databases behind it, and one file per table.
//!
//! A [`Database`] is opened from a [`Location`], `sqlite:drover.db` or `postgres://…`. Whoever reads gets a [`Connection`], whoever
//! writes a [`Transaction`]; the functions in [`tables`] take either and never learn which database answers. No function here
//! reads a clock: times are arguments, in milliseconds.
//!
//! Every call blocks. From asynchronous code, call on a thread that may block.

mod backup;
pub mod database;
mod edition;
mod integrity;
pub mod migrations;
pub mod port;
mod postgres;
pub(crate) mod readers;
mod sqlite;
pub mod tables;
mod unit;
mod writer;

pub use database::Database;
pub use edition::Topic;
pub use port::connection::{Connection, Transaction};
pub use port::error::Error;
pub use port::json::JsonText;
pub use port::location::Location;
pub use port::row::Row;
pub use port::value::Value;
pub use postgres::Address;
