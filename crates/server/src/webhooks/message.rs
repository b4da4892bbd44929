//! A message: an event in the form of CloudEvents 1.0, and a signature by which its receiver knows that it is ours and new.

use crate::access::Secret;
use crate::live::Event;
use axum::body::Bytes;
use axum::http::{HeaderName, HeaderValue, header};
use ring::hmac;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// `t=<seconds since 1970>,v1=<hex of HMAC-SHA-256 over "<t>.<body>">`.
const SIGNATURE: HeaderName = HeaderName::from_static("drover-signature");
/// The same for every attempt, so that a second message is recognised.
const DELIVERY: HeaderName = HeaderName::from_static("drover-delivery");

/// What goes over the wire.
pub(super) struct Message {
    pub(super) headers: Vec<(HeaderName, HeaderValue)>,
    pub(super) body: Bytes,
}

impl Message {
    /// `source` is where the desk is reached; one that nobody reaches is called like all of them.
    pub(super) fn new(event: &Event, source: &str, secret: &Secret, now_ms: i64) -> Self {
        let body = body(event, if source.is_empty() { event.source } else { source });
        let signature = signature(secret, now_ms / 1000, &body);
        let value =
            |text: &str| HeaderValue::from_str(text).expect("numbers, hex and hyphens are visible text");
        let headers = vec![
            (header::CONTENT_TYPE, HeaderValue::from_static("application/cloudevents+json; charset=utf-8")),
            (DELIVERY, value(&event.id)),
            (SIGNATURE, value(&signature)),
        ];
        Self { headers, body: body.into() }
    }
}

/// Names of attributes have only small letters and digits in CloudEvents.
fn body(event: &Event, source: &str) -> String {
    let mut body = json!({
        "specversion": event.specversion,
        "id": event.id,
        "source": source,
        "type": event.kind,
        "time": moment(event.wall_ms),
        "datacontenttype": "application/json",
        "virtualms": event.at_ms,
        "data": event.data,
    });
    if !event.subject.is_empty() {
        body["subject"] = Value::from(event.subject.as_str());
    }
    body.to_string()
}

fn signature(secret: &Secret, seconds: i64, body: &str) -> String {
    let key = hmac::Key::new(hmac::HMAC_SHA256, secret.reveal().as_bytes());
    let tag = hmac::sign(&key, format!("{seconds}.{body}").as_bytes());
    tag.as_ref().iter().fold(format!("t={seconds},v1="), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// A time as RFC 3339 writes it: `2026-01-13T20:37:44.120Z`.
fn moment(wall_ms: i64) -> String {
    let (days, rest) = (wall_ms.div_euclid(86_400_000), wall_ms.rem_euclid(86_400_000));
    // Counts days from 1 March of the year 0, so that a leap day is the last of its year.
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    let (hour, minute, second) = (rest / 3_600_000, rest / 60_000 % 60, rest / 1_000 % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{:03}Z", rest % 1_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_as_everybody_reads_them() {
        for (wall_ms, text) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (1_735_689_599_999, "2024-12-31T23:59:59.999Z"),
            (1_768_336_664_120, "2026-01-13T20:37:44.120Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
        ] {
            assert_eq!(moment(wall_ms), text);
        }
    }

    #[test]
    fn a_signature_is_what_receivers_compute() {
        // printf '1700000000.{"a":1}' | openssl dgst -sha256 -hmac key
        let expected = "t=1700000000,v1=a438e398bfafc57e4396bb7fc2304422f0f768e965d073ca313cb52e22e6ad03";
        assert_eq!(signature(&Secret::received("key"), 1_700_000_000, "{\"a\":1}"), expected);
    }
}
