//! Which addresses may be connected to. Link-local ones and those of cloud metadata never are: they hand out credentials.

use axum::http::Uri;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// How far a connection may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Only what everybody can reach.
    Public,
    /// Also what lies in the same company.
    Company,
    /// Nothing but this machine.
    ThisMachine,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Region {
    Public,
    Private,
    ThisMachine,
    /// For nobody.
    Nowhere,
}

impl Reach {
    /// As far as an address in a file says: it can name this machine itself.
    pub(crate) fn of(host: &str, otherwise: Self) -> Self {
        if is_this_machine(host) { Self::ThisMachine } else { otherwise }
    }

    pub(crate) fn allows(self, address: IpAddr) -> bool {
        matches!(
            (self, region(address)),
            (Self::ThisMachine, Region::ThisMachine)
                | (Self::Public | Self::Company, Region::Public)
                | (Self::Company, Region::Private)
        )
    }
}

/// Whether a host, without a port, is this machine by its own word and not by the word of some name server.
pub(crate) fn is_this_machine(host: &str) -> bool {
    host.eq_ignore_ascii_case("localhost") || literal(host).is_some_and(|address| address.is_loopback())
}

/// Whether nobody would ever connect to where an address says, as far as it says so itself: where a name leads is seen when it is
/// looked up.
pub(crate) fn is_in_vain(url: &str, otherwise: Reach) -> bool {
    let uri = url.parse::<Uri>().ok();
    let host = uri.as_ref().and_then(Uri::host).unwrap_or_default();
    literal(host).is_some_and(|address| !Reach::of(host, otherwise).allows(address))
}

/// A host that is written as a number, with the brackets of IPv6 or without.
fn literal(host: &str) -> Option<IpAddr> {
    host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(host).parse().ok()
}

fn region(address: IpAddr) -> Region {
    match address.to_canonical() {
        IpAddr::V4(address) => region_v4(address),
        IpAddr::V6(address) => region_v6(address),
    }
}

fn region_v4(address: Ipv4Addr) -> Region {
    match address.octets() {
        _ if is_for_nobody_v4(address) => Region::Nowhere,
        [127, ..] => Region::ThisMachine,
        [10, ..] | [172, 16..=31, ..] | [192, 168, ..] | [100, 64..=127, ..] => Region::Private,
        _ => Region::Public,
    }
}

/// "This network", link-local, examples, benchmarks, multicast, reserved; and metadata of clouds that is not link-local: Alibaba's,
/// Oracle's.
const fn is_for_nobody_v4(address: Ipv4Addr) -> bool {
    matches!(
        address.octets(),
        [0 | 224..=255, ..]
            | [169, 254, ..]
            | [192, 0, 0 | 2, _]
            | [198, 51, 100, _]
            | [203, 0, 113, _]
            | [198, 18..=19, ..]
            | [100, 100, 100, 200]
    )
}

fn region_v6(address: Ipv6Addr) -> Region {
    let embedded = |high: u16, low: u16| {
        let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
        region_v4(Ipv4Addr::new(a, b, c, d))
    };
    match address.segments() {
        _ if is_for_nobody_v6(address) => Region::Nowhere,
        [0, 0, 0, 0, 0, 0, 0, 1] => Region::ThisMachine,
        // An IPv4 address in the clothes of another: translated, tunnelled, compatible.
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] | [0x2002, high, low, ..] | [0, 0, 0, 0, 0, 0, high, low] => {
            embedded(high, low)
        }
        [0xfc00..=0xfdff | 0xfec0..=0xfeff, ..] => Region::Private,
        // Only this part of the space is given out.
        [0x2000..=0x3fff, ..] => Region::Public,
        _ => Region::Nowhere,
    }
}

/// Teredo, examples, local translation, discarded, link-local, multicast, and Amazon's metadata.
const fn is_for_nobody_v6(address: Ipv6Addr) -> bool {
    matches!(
        address.segments(),
        [0x2001, 0 | 0xdb8, ..]
            | [0x3fff, 0..=0xfff, ..]
            | [0x64, 0xff9b, 1, ..]
            | [0x100, 0, 0, 0, ..]
            | [0xfe80..=0xfebf | 0xff00..=0xffff, ..]
            | [0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254]
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_hands_out_credentials_is_never_reached() {
        let nowhere = [
            "169.254.169.254",
            "169.254.0.1",
            "0.0.0.0",
            "0.1.2.3",
            "255.255.255.255",
            "224.0.0.1",
            "240.0.0.1",
            "100.100.100.200",
            "192.0.0.192",
            "198.18.0.1",
            "203.0.113.9",
            "::",
            "fe80::1",
            "ff02::1",
            "::ffff:169.254.169.254",
            "64:ff9b::a9fe:a9fe",
            "2002:a9fe:a9fe::1",
            "fd00:ec2::254",
            "2001::1",
            "2001:db8::1",
            "64:ff9b:1::1",
            "::169.254.169.254",
            "4000::1",
        ];
        for text in nowhere {
            let address = text.parse().expect("an address");
            for reach in [Reach::Public, Reach::Company, Reach::ThisMachine] {
                assert!(!reach.allows(address), "{text} by {reach:?}");
            }
        }
    }

    #[test]
    fn everybody_goes_as_far_as_they_may() {
        let check = |addresses: &[&str], allowed: [bool; 3]| {
            for text in addresses {
                let address = text.parse().expect("an address");
                let found =
                    [Reach::Public, Reach::Company, Reach::ThisMachine].map(|reach| reach.allows(address));
                assert_eq!(found, allowed, "{text}");
            }
        };
        check(&["8.8.8.8", "2606:4700::1", "64:ff9b::808:808", "172.32.0.1"], [true, true, false]);
        check(
            &[
                "10.0.0.1",
                "172.16.0.1",
                "192.168.1.1",
                "100.64.0.1",
                "fd12::1",
                "64:ff9b::a00:1",
                "::ffff:10.0.0.1",
            ],
            [false, true, false],
        );
        check(&["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"], [false, false, true]);
    }

    #[test]
    fn an_address_in_vain_is_known_before_anybody_connects() {
        for (url, public, company) in [
            ("https://169.254.169.254/x", true, true),
            ("https://[fe80::1]:8443/x", true, true),
            ("https://0.0.0.0/", true, true),
            ("https://10.0.0.1/x", true, false),
            ("https://[fd12::1]/", true, false),
            ("https://8.8.8.8/x", false, false),
            ("http://127.0.0.1:9000/x", false, false),
            ("http://[::1]/", false, false),
            ("https://hooks.example.org/x", false, false),
            ("https://10.0.0.1.example.org/", false, false),
            ("no address", false, false),
        ] {
            let found = [Reach::Public, Reach::Company].map(|reach| is_in_vain(url, reach));
            assert_eq!(found, [public, company], "{url}");
        }
    }

    #[test]
    fn this_machine_is_known_by_its_own_word() {
        for (host, ours) in [
            ("localhost", true),
            ("LOCALHOST", true),
            ("127.0.0.1", true),
            ("[::1]", true),
            ("localhost.evil.test", false),
            ("127.0.0.1.evil.test", false),
            ("10.0.0.1", false),
            ("", false),
        ] {
            assert_eq!(is_this_machine(host), ours, "{host}");
        }
    }
}
