//! The port between the tables and a database: few types, one way to ask and one to change, the same rules on both sides.

pub(crate) mod conditions;
pub mod connection;
pub mod error;
pub mod json;
pub mod location;
pub mod record;
pub mod row;
pub mod value;
