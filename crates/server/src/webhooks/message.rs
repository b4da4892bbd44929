//! A message as it goes over the wire, signed as Standard Webhooks has it, so that its receiver knows that it is ours and new.

use crate::access::Secret;
use axum::body::Bytes;
use axum::http::{HeaderName, HeaderValue, header};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::hmac;

/// The same for every attempt, so that a second message is recognised.
const ID: HeaderName = HeaderName::from_static("webhook-id");
/// Seconds since 1970 at which it was sent.
const TIMESTAMP: HeaderName = HeaderName::from_static("webhook-timestamp");
/// `v1,` and the base64 of HMAC-SHA-256 over `<id>.<timestamp>.<body>`.
const SIGNATURE: HeaderName = HeaderName::from_static("webhook-signature");

/// What stands in front of a key that is written as base64.
const ENCODED: &str = "whsec_";

/// Shorter keys can be guessed by whoever sees a message.
const SHORTEST_KEY: usize = 16;

/// The headers of a message that is sent now.
pub(super) fn headers(id: &str, body: &str, secret: &Secret, now_ms: i64) -> Vec<(HeaderName, HeaderValue)> {
    let seconds = now_ms / 1000;
    let value =
        |text: &str| HeaderValue::from_str(text).expect("numbers, base64 and hyphens are visible text");
    vec![
        (header::CONTENT_TYPE, HeaderValue::from_static("application/json")),
        (ID, value(id)),
        (TIMESTAMP, value(&seconds.to_string())),
        (SIGNATURE, value(&signature(id, seconds, body, secret))),
    ]
}

fn signature(id: &str, seconds: i64, body: &str, secret: &Secret) -> String {
    let key = hmac::Key::new(hmac::HMAC_SHA256, &key(secret));
    let tag = hmac::sign(&key, format!("{id}.{seconds}.{body}").as_bytes());
    format!("v1,{}", STANDARD.encode(tag))
}

/// A secret with the usual prefix is base64; any other is taken as it is.
fn key(secret: &Secret) -> Bytes {
    let text = secret.reveal();
    let decoded = text.strip_prefix(ENCODED).and_then(|encoded| STANDARD.decode(encoded).ok());
    decoded.map_or_else(|| Bytes::copy_from_slice(text.as_bytes()), Bytes::from)
}

/// What is wrong with a secret, if something is.
pub(crate) fn objection(secret: &Secret) -> Option<&'static str> {
    let text = secret.reveal();
    if text.strip_prefix(ENCODED).is_some_and(|encoded| STANDARD.decode(encoded).is_err()) {
        return Some("what follows whsec_ is not base64");
    }
    (key(secret).len() < SHORTEST_KEY).then_some("it has fewer than 16 bytes")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_what_receivers_compute() {
        // printf '412-0.1700000000.{"a":1}' | openssl dgst -sha256 -hmac 'only we know this' -binary | base64
        let expected = "v1,P92z2HmeQzK7/ioFUuKiqImenOLnEFgCBMDQLO14/ds=";
        let plain = Secret::received("only we know this");
        assert_eq!(signature("412-0", 1_700_000_000, "{\"a\":1}", &plain), expected);
        let encoded = Secret::received("whsec_b25seSB3ZSBrbm93IHRoaXM=");
        assert_eq!(signature("412-0", 1_700_000_000, "{\"a\":1}", &encoded), expected);
    }

    #[test]
    fn weak_secrets_are_refused() {
        for (text, fits) in [
            ("only we know this", true),
            ("whsec_b25seSB3ZSBrbm93IHRoaXM=", true),
            ("whsec_b25seSB3ZSBrbm93IHRoaXM", false),
            ("whsec_c2hvcnQ=", false),
            ("short", false),
            ("", false),
        ] {
            assert_eq!(objection(&Secret::received(text)).is_none(), fits, "{text}");
        }
    }
}
