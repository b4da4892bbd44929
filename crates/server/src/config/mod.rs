//! The desk's file: what a person writes, and the checked form in which no field can be wrong.

pub mod raw;
