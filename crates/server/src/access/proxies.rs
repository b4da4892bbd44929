//! Where a request comes from if a proxy stands in front of the desk: only proxies that the desk's file names are believed, because
//! anybody can write the header in which they say it.

use axum::http::HeaderMap;
use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;

/// Each proxy on the way adds whom it heard the request from, at the end.
const HEADER: &str = "x-forwarded-for";

/// An address, or all that begin with the same bits: `192.0.2.7`, `10.0.0.0/8`, `2001:db8::/32`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network {
    address: IpAddr,
    bits: u32,
}

/// What is wrong with the text of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoNetwork;

/// The proxies that are believed.
#[derive(Clone, Debug, Default)]
pub struct Proxies(Vec<Network>);

impl FromStr for Network {
    type Err = NoNetwork;

    fn from_str(text: &str) -> Result<Self, NoNetwork> {
        let (address, bits) = match text.split_once('/') {
            Some((address, bits)) => (address, Some(bits.parse::<u32>().map_err(|_| NoNetwork)?)),
            None => (text, None),
        };
        let address: IpAddr = address.parse().map_err(|_| NoNetwork)?;
        let width = if address.is_ipv4() { 32 } else { 128 };
        let bits = bits.unwrap_or(width);
        // An IPv4 address within IPv6 is compared as what it is.
        let canonical = address.to_canonical();
        let shed = if canonical == address { 0 } else { 96 };
        let bits = bits.checked_sub(shed).filter(|bits| *bits <= width - shed).ok_or(NoNetwork)?;
        Ok(Self { address: canonical, bits })
    }
}

impl fmt::Display for Network {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.address, self.bits)
    }
}

impl Network {
    /// Whether it leaves nobody of its kind of addresses out.
    pub fn is_everybody(self) -> bool {
        self.bits == 0
    }

    fn has(self, address: IpAddr) -> bool {
        let differing = match (self.address, address) {
            (IpAddr::V4(ours), IpAddr::V4(theirs)) => (ours.to_bits() ^ theirs.to_bits()).leading_zeros(),
            (IpAddr::V6(ours), IpAddr::V6(theirs)) => (ours.to_bits() ^ theirs.to_bits()).leading_zeros(),
            _ => return false,
        };
        differing >= self.bits
    }
}

impl Proxies {
    pub fn new(networks: Vec<Network>) -> Self {
        Self(networks)
    }

    /// Where a request comes from that reached the desk from `peer`: the last on its way that is no proxy of ours. What stands before
    /// that in the header was written by whoever sent the request, and means nothing.
    pub fn origin(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        let mut nearest = peer.to_canonical();
        // Proxies add to what they were sent, whatever it is: one hop that is no text hides none of those behind it.
        let values = headers.get_all(HEADER).iter().rev();
        for hop in values.flat_map(|value| value.as_bytes().rsplit(|byte| *byte == b',')) {
            if !self.has(nearest) {
                break;
            }
            let Some(before) = std::str::from_utf8(hop).ok().and_then(|hop| address(hop.trim())) else {
                break;
            };
            nearest = before;
        }
        nearest
    }

    fn has(&self, address: IpAddr) -> bool {
        self.0.iter().any(|network| network.has(address))
    }
}

/// Some proxies add the port.
fn address(hop: &str) -> Option<IpAddr> {
    let bare = hop.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(hop);
    let parsed = bare.parse().or_else(|_| hop.parse().map(|socket: SocketAddr| socket.ip()));
    parsed.ok().map(|address| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    fn check(peer: &str, forwarded: &[&str], expected: &str) {
        let networks = ["10.0.0.0/8", "2001:db8::/32", "127.0.0.1"];
        let proxies = Proxies::new(networks.map(|text| text.parse().expect("a network")).to_vec());
        let mut headers = HeaderMap::new();
        for value in forwarded {
            headers.append(HEADER, HeaderValue::from_bytes(value.as_bytes()).expect("a header"));
        }
        let origin = proxies.origin(peer.parse().expect("an address"), &headers);
        assert_eq!(origin.to_string(), expected, "{peer} says {forwarded:?}");
    }

    #[test]
    fn only_our_own_proxies_are_believed() {
        check("192.0.2.7", &[], "192.0.2.7");
        check("192.0.2.7", &["198.51.100.1"], "192.0.2.7");
        check("10.1.2.3", &["198.51.100.1"], "198.51.100.1");
        check("::ffff:10.1.2.3", &["198.51.100.1"], "198.51.100.1");
        check("2001:db8::5", &["2001:dead::1"], "2001:dead::1");
        check("10.1.2.3", &[], "10.1.2.3");
    }

    #[test]
    fn what_a_stranger_wrote_before_the_first_proxy_means_nothing() {
        check("10.1.2.3", &["203.0.113.9, 198.51.100.1, 10.9.9.9"], "198.51.100.1");
        check("10.1.2.3", &["203.0.113.9", "198.51.100.1,10.9.9.9"], "198.51.100.1");
        check("10.1.2.3", &["10.0.0.1, 10.0.0.2"], "10.0.0.1");
        check("10.1.2.3", &["198.51.100.1, nonsense"], "10.1.2.3");
        check("10.1.2.3", &["198.51.100.1, unknown, 10.9.9.9"], "10.9.9.9");
        check("10.1.2.3", &[""], "10.1.2.3");
        check("10.1.2.3", &["ÿ, 198.51.100.1, 10.9.9.9"], "198.51.100.1");
        check("10.1.2.3", &["198.51.100.1, ÿ, 10.9.9.9"], "10.9.9.9");
    }

    #[test]
    fn ports_and_brackets_are_understood() {
        check("127.0.0.1", &["198.51.100.1:4711"], "198.51.100.1");
        check("127.0.0.1", &["[2001:dead::1]:4711"], "2001:dead::1");
        check("127.0.0.1", &["[2001:dead::1]"], "2001:dead::1");
    }

    #[test]
    fn networks_are_read_strictly() {
        for text in ["10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "/8", "10.0.0", "proxy.example", "::/129", ""]
        {
            assert_eq!(text.parse::<Network>(), Err(NoNetwork), "{text}");
        }
        for (text, shown) in [
            ("0.0.0.0/0", "0.0.0.0/0"),
            ("::1", "::1/128"),
            ("::ffff:10.0.0.0/104", "10.0.0.0/8"),
            ("10.0.0.0/8", "10.0.0.0/8"),
        ] {
            assert_eq!(text.parse::<Network>().map(|network| network.to_string()), Ok(shown.to_owned()));
        }
        let all: Network = "0.0.0.0/0".parse().expect("a network");
        assert!(all.has("198.51.100.1".parse().expect("an address")));
        let is_everybody = |text: &str| text.parse().is_ok_and(Network::is_everybody);
        for text in ["0.0.0.0/0", "10.0.0.0/0", "::/0", "::ffff:0.0.0.0/96"] {
            assert!(is_everybody(text), "{text}");
        }
        assert!(!is_everybody("0.0.0.0") && !is_everybody("10.0.0.0/8") && !is_everybody("::/1"));
    }
}
