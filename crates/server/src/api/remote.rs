//! Where a request comes from, as far as limits and the record care.

use crate::access::Proxies;
use crate::desk::Desk;
use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap};
use std::convert::Infallible;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};

/// An address on the other side. Whoever has one IPv6 address has a network of them, so the network counts.
pub(super) fn remote(proxies: &Proxies, headers: &HeaderMap, extensions: &Extensions) -> String {
    let peer = extensions.get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(address)| address.ip());
    match peer.map(|peer| proxies.origin(peer, headers)) {
        Some(IpAddr::V4(address)) => address.to_string(),
        Some(IpAddr::V6(address)) => {
            let network = Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX));
            format!("{network}/64")
        }
        None => "unknown".to_owned(),
    }
}

/// The same, for handlers.
pub(super) struct Remote(pub(super) String);

impl FromRequestParts<Desk> for Remote {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, desk: &Desk) -> Result<Self, Infallible> {
        Ok(Self(remote(&desk.access().proxies, &parts.headers, &parts.extensions)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_in_one_network_are_one() {
        let shown = |text: &str| {
            let mut extensions = Extensions::new();
            extensions.insert(ConnectInfo::<SocketAddr>(text.parse().expect("an address")));
            remote(&Proxies::default(), &HeaderMap::new(), &extensions)
        };
        assert_eq!(shown("192.0.2.7:5000"), "192.0.2.7");
        assert_eq!(shown("[::ffff:192.0.2.7]:5000"), "192.0.2.7");
        assert_eq!(shown("[2001:db8:1:2:3:4:5:6]:5000"), "2001:db8:1:2::/64");
        assert_eq!(remote(&Proxies::default(), &HeaderMap::new(), &Extensions::new()), "unknown");
    }
}
