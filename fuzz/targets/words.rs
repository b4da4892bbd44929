//! The small texts of requests and flags: names, periods, moments, schedules, quantities, places of databases, headers, cursors, secrets,
//! hosts.
#![no_main]
#[allow(dead_code)]
#[path = "../../crates/cli/src/terminal/moment.rs"]
mod moment;
use axum::http::{HeaderMap, HeaderValue, Method, header};
libfuzzer_sys::fuzz_target!(|text: &str| {
    let _ = text.parse::<model::time::Period>();
    let _ = text.parse::<model::names::WorkloadRef>();
    let _ = text.parse::<model::recommendation::RecommendationId>();
    let _ = text.parse::<model::hash::ContentHash>();
    let _ = text.parse::<model::order::FreezeId>();
    let _ = text.parse::<model::money::MicroDollars>();
    let _ = text.parse::<model::quantity::MilliCpu>();
    let _ = text.parse::<model::quantity::Bytes>();
    let _ = text.parse::<server::storage::Location>();
    let _ = text.parse::<moment::Moment>().map(|moment| moment.wall_ms(0));
    if let Ok(schedule) = simulator::controllers::cron_schedule::Schedule::parse(text) {
        let _ = schedule.next_after(model::time::Timestamp(0), model::time::Period::ZERO);
        let again = simulator::controllers::cron_schedule::Schedule::parse(&schedule.to_string());
        assert_eq!(again.as_ref(), Ok(&schedule), "it is written as something else");
    }
    server::testing::hostile::word(text);
    server::testing::hostile::way(text);
    let mut headers = HeaderMap::new();
    if let Ok(value) = HeaderValue::from_str(text) {
        headers.insert(header::AUTHORIZATION, value.clone());
        let _ = server::access::Door::knock(&Method::POST, &headers);
        headers.remove(header::AUTHORIZATION);
        headers.insert(header::COOKIE, value);
        let _ = server::access::Door::knock(&Method::POST, &headers);
    }
});
