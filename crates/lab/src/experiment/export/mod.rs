//! What leaves an experiment. Every exporter writes what [`super::results`] computed, and computes nothing itself.

pub mod csv;
pub mod json;
pub mod latex;
pub mod markdown;
pub mod parquet;
mod sparkline;
pub mod table;
pub mod text;
