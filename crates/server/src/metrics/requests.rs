//! Requests by where they went and how they were answered.

use super::histogram::Histogram;
use super::text::{Kind, Page};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// From what a cache would take to what a person would give up on.
const BOUNDS: [f64; 9] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, 30.0];

/// Paths are those of the endpoint table, so that nobody fills the memory with addresses.
type Route = (&'static str, &'static str);

/// Counts since the desk was opened.
#[derive(Debug, Default)]
pub(crate) struct Requests(Mutex<BTreeMap<Route, Seen>>);

#[derive(Debug)]
struct Seen {
    statuses: BTreeMap<u16, u64>,
    took: Histogram,
}

impl Requests {
    pub(crate) fn answered(&self, route: Route, status: u16, took: Duration) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let seen = all
            .entry(route)
            .or_insert_with(|| Seen { statuses: BTreeMap::new(), took: Histogram::new(&BOUNDS) });
        *seen.statuses.entry(status).or_default() += 1;
        seen.took.add(took.as_secs_f64());
    }

    pub(super) fn write(&self, page: &mut Page) {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut family =
            page.family("drover_http_requests_total", Kind::Counter, "Requests by endpoint and status.");
        for ((method, route), seen) in all.iter() {
            for (status, count) in &seen.statuses {
                let labels = [("method", *method), ("route", *route), ("status", &status.to_string())];
                family.sample(&labels, *count as f64);
            }
        }
        let help = "How long it took until an answer began.";
        let mut family = page.family("drover_http_request_duration_seconds", Kind::Histogram, help);
        for ((method, route), seen) in all.iter() {
            family.histogram(&[("method", *method), ("route", *route)], &seen.took);
        }
    }
}
