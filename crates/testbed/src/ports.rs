//! Free ports on the loopback interface.

use crate::error::Error;
use std::net::{Ipv4Addr, TcpListener};
use std::sync::atomic::{AtomicU16, Ordering};

/// Below the range from which Linux takes the ports of outgoing connections (32768 to 60999): there, one of the many
/// connections between our own processes could take a port before its process listens.
const FIRST: u16 = 20_000;
const COUNT: u16 = 12_000;

/// Hands out every port at most once in the life of this process.
static NEXT: AtomicU16 = AtomicU16::new(0);

/// A port nobody listens on. Processes begin at different places, so that two beds seldom try the same.
pub(crate) fn free() -> Result<u16, Error> {
    let begin = (std::process::id().wrapping_mul(97) % u32::from(COUNT)) as u16;
    for _ in 0..COUNT {
        let step = NEXT.fetch_add(1, Ordering::Relaxed) % COUNT;
        let port = FIRST + (begin + step) % COUNT;
        if TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok() {
            return Ok(port);
        }
    }
    Err(Error::Plan(format!("no port from {FIRST} to {} is free", FIRST + COUNT - 1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_port_is_given_twice() {
        let mut ports: Vec<u16> = (0..50).map(|_| free().unwrap()).collect();
        ports.sort_unstable();
        ports.dedup();
        assert_eq!(ports.len(), 50);
    }
}
