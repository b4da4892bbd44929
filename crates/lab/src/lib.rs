//! Experiments: run a scenario with a strategy and a seed, measure it, report it.

pub mod experiment;
pub mod figure;
pub mod golden;
pub mod models;
pub mod overlay;
pub mod pixels;
pub mod recording;
pub mod report;
pub mod run;
pub mod series;
pub mod statistics;
pub mod summary;
pub mod timeline;
pub mod twin;
pub mod wasp_export;
pub mod what_if;
pub mod wording;
pub mod workload_w;

#[cfg(test)]
mod bad_day;
mod markup;
#[cfg(test)]
mod three_waves;
