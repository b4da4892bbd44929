//! What a person sees: texts without tricks, tables, times and questions.

pub(crate) mod ask;
mod moment;
mod safe;
mod sheet;
mod table;
mod time;
mod width;

pub(crate) use moment::Moment;
pub(crate) use safe::{clean, clean_json};
pub(crate) use sheet::{Sheet, WIDTH as HEADING_WIDTH};
pub(crate) use table::Table;
pub(crate) use time::{clock, span, utc};
pub(crate) use width::{width, width_of_questions, wrapped};
