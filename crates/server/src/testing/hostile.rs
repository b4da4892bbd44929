//! Readers of what strangers write, one by one and without a desk, for whoever tries to break them.

pub use crate::access::oidc::hostile as identity_provider;
pub use crate::kube_api::hostile as kube_api;

use crate::access::{Network, Proxies, Secret};
use crate::outward::{Reach, is_this_machine};
use crate::storage::tables::page::{Cursor, Dated};
use crate::webhooks::objection;
use axum::http::{HeaderMap, HeaderValue};
use std::net::IpAddr;

/// Short texts from files and requests that are no numbers and no names.
pub fn word(text: &str) {
    let _ = objection(&Secret::received(text));
    let _ = Reach::of(text, Reach::Public);
    if let Ok(address) = text.parse() {
        let allowed = Reach::Public.allows(address) || Reach::Company.allows(address);
        assert!(!allowed || !is_this_machine(text), "{text} is this machine, and allowed as something else");
    }
    if let Ok(network) = text.parse::<Network>() {
        assert_eq!(network.to_string().parse(), Ok(network), "{text} is written as something else");
    }
    let _ = Dated::decode(text);
    if let Ok(cursor) = Cursor::decode(text, "raised_at descending") {
        let again = Cursor::decode(&cursor.encode(), "raised_at descending");
        assert_eq!(again.expect("our own"), cursor);
    }
}

/// What somebody says of the way on which a request came. An address that no proxy of ours added is never believed.
pub fn way(text: &str) {
    let ours: Network = "10.0.0.0/8".parse().expect("a network");
    let proxies = Proxies::new(vec![ours]);
    let mut headers = HeaderMap::new();
    let header = |text: &str| HeaderValue::from_bytes(text.as_bytes());
    let Ok(value) = header(text) else { return };
    headers.insert("x-forwarded-for", value);
    let stranger = IpAddr::from([192, 0, 2, 7]);
    assert_eq!(proxies.origin(stranger, &headers), stranger);
    let proxy = IpAddr::from([10, 0, 0, 1]);
    headers.append("x-forwarded-for", HeaderValue::from_static("192.0.2.7, 10.0.0.2"));
    assert_eq!(proxies.origin(proxy, &headers), stranger, "{text}");
    let Ok(joined) = header(&format!("{text}, 192.0.2.7, 10.0.0.2")) else { return };
    headers.remove("x-forwarded-for");
    headers.insert("x-forwarded-for", joined);
    assert_eq!(proxies.origin(proxy, &headers), stranger, "{text}");
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_is_tried_reaches_the_readers() {
        for text in ["", "198.51.100.1", "10.0.0.9, unknown", "[::1]:80", "ÿ, \u{80}"] {
            super::way(text);
        }
        for text in ["10.0.0.0/8", "whsec_aGVsbG8=", "127.0.0.1", "::ffff:127.0.0.1", "fd00::1", "e30"] {
            super::word(text);
        }
    }
}
