//! Whether a request was made by our own page. Browsers say in `Origin` whose page it was; programs usually say nothing.

use axum::http::{HeaderMap, header};
use std::net::SocketAddr;

/// Where our own page can come from.
#[derive(Clone, Debug, Default)]
pub struct Origins {
    /// The address that browsers are told to use.
    pub public: Option<String>,
    /// Where the desk listens, once it does.
    pub listening: Option<SocketAddr>,
}

impl Origins {
    /// Whether a request may change something for somebody who is recognised by a cookie.
    pub fn allow(&self, headers: &HeaderMap) -> bool {
        let Some(origin) = headers.get(header::ORIGIN) else { return true };
        let host = headers.get(header::HOST).and_then(|value| value.to_str().ok());
        origin.to_str().is_ok_and(|origin| self.is_ours(origin, host))
    }

    fn is_ours(&self, origin: &str, host: Option<&str>) -> bool {
        let public = self.public.as_deref().is_some_and(|public| public.eq_ignore_ascii_case(origin));
        public || self.listening.is_some_and(|address| listens(address, origin, host))
    }

    /// The address under which browsers reach the desk.
    pub fn address(&self) -> String {
        let listening = || self.listening.map(|address| format!("http://{address}"));
        self.public.clone().or_else(listening).unwrap_or_default()
    }

    /// Whether browsers reach the desk by https.
    pub fn is_encrypted(&self) -> bool {
        self.public.as_deref().is_some_and(|address| address.starts_with("https://"))
    }
}

/// A desk that listens on all addresses of a machine cannot know its names. There, a page is ours if the request went to the very
/// host that the page came from: our cookie would not have gone to any other.
fn listens(address: SocketAddr, origin: &str, host: Option<&str>) -> bool {
    let port = address.port();
    if address.ip().is_unspecified() {
        return host.is_some_and(|host| origin.eq_ignore_ascii_case(&format!("http://{host}")));
    }
    let here = address.ip().is_loopback() && origin.eq_ignore_ascii_case(&format!("http://localhost:{port}"));
    here || origin == format!("http://{address}")
        || (port == 80 && origin == format!("http://{}", address.ip()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(public: Option<&str>, listening: &str, origin: &str, allowed: bool) {
        let origins = Origins {
            public: public.map(str::to_owned),
            listening: Some(listening.parse().expect("an address")),
        };
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, "desk.local:8080".parse().expect("a host"));
        assert!(origins.allow(&headers), "programs have no origin");
        headers.insert(header::ORIGIN, origin.parse().expect("an origin"));
        assert_eq!(origins.allow(&headers), allowed, "{origin} for {public:?} and {listening}");
    }

    #[test]
    fn only_our_own_page_may_change_something() {
        let public = Some("https://drover.example.org");
        check(public, "127.0.0.1:8080", "https://drover.example.org", true);
        check(public, "127.0.0.1:8080", "http://drover.example.org", false);
        check(public, "127.0.0.1:8080", "https://drover.example.org.evil.test", false);
        check(public, "127.0.0.1:8080", "https://example.org", false);
        check(None, "127.0.0.1:8080", "http://127.0.0.1:8080", true);
        check(None, "127.0.0.1:8080", "http://localhost:8080", true);
        check(None, "127.0.0.1:8080", "http://localhost:9090", false);
        check(None, "127.0.0.1:8080", "null", false);
        check(None, "[::1]:8080", "http://[::1]:8080", true);
        check(None, "10.1.2.3:8080", "http://localhost:8080", false);
        check(None, "0.0.0.0:8080", "http://desk.local:8080", true);
        check(None, "0.0.0.0:8080", "http://evil.test:8080", false);
    }
}
