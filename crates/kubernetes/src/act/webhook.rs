//! A wish as it goes to somebody else's address, signed as Standard Webhooks has it: the same key for the same wish, so that a receiver who
//! did it already does not do it twice.

use crate::clock::Wall;
use crate::settings::Secret;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::header::CONTENT_TYPE;
use ring::hmac;
use serde_json::Value;

/// What stands in front of a key that is written as base64.
const ENCODED: &str = "whsec_";

pub(crate) fn request(
    path: &str,
    key: &str,
    body: &Value,
    secret: &Secret,
    now: Wall,
) -> Result<http::Request<Vec<u8>>, kube::Error> {
    let (text, seconds) = (body.to_string(), now.0 / 1_000);
    let request = http::Request::post(path)
        .header(CONTENT_TYPE, "application/json")
        .header("idempotency-key", key)
        .header("webhook-id", key)
        .header("webhook-timestamp", seconds)
        .header("webhook-signature", signature(key, seconds, &text, secret));
    request.body(text.into_bytes()).map_err(kube::Error::HttpError)
}

fn signature(id: &str, seconds: i64, body: &str, secret: &Secret) -> String {
    let key = hmac::Key::new(hmac::HMAC_SHA256, &bytes(secret));
    let tag = hmac::sign(&key, format!("{id}.{seconds}.{body}").as_bytes());
    format!("v1,{}", STANDARD.encode(tag))
}

/// A secret with the usual prefix is base64; any other is taken as it is.
fn bytes(secret: &Secret) -> Vec<u8> {
    let decoded = secret.reveal().strip_prefix(ENCODED).and_then(|encoded| STANDARD.decode(encoded).ok());
    decoded.unwrap_or_else(|| secret.reveal().as_bytes().to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_receiver_can_tell_who_wrote_and_that_it_was_said_before() {
        // printf '412-0.1700000000.{"a":1}' | openssl dgst -sha256 -hmac 'only we know this' -binary | base64
        let expected = "v1,P92z2HmeQzK7/ioFUuKiqImenOLnEFgCBMDQLO14/ds=";
        for secret in ["only we know this", "whsec_b25seSB3ZSBrbm93IHRoaXM="] {
            let now = Wall(1_700_000_000_000);
            let made =
                request("/resize?a=b", "412-0", &json!({ "a": 1 }), &Secret::new(secret), now).unwrap();
            let header = |name: &str| made.headers()[name].to_str().unwrap();
            assert_eq!(made.uri(), "/resize?a=b");
            assert_eq!((header("idempotency-key"), header("webhook-signature")), ("412-0", expected));
        }
    }
}
