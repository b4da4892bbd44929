//! Where a desk is. A token does not travel where everybody can read it.

use std::net::IpAddr;
use ureq::http::Uri;

/// The address of a desk, without a slash at its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Address {
    text: String,
    is_here: bool,
}

impl Address {
    /// Reads an address. `plain_http` lets the token travel without encryption.
    pub(crate) fn parse(text: &str, plain_http: bool) -> Result<Self, String> {
        let wrong = |why: &str| format!("--server {text:?}: {why}; write for instance http://127.0.0.1:8080");
        let text_without_slash = text.trim().trim_end_matches('/');
        let uri: Uri = text_without_slash.parse().map_err(|_| wrong("this is no address"))?;
        let (Some(scheme), Some(authority)) = (uri.scheme_str(), uri.authority()) else {
            return Err(wrong("scheme and host are both needed"));
        };
        if authority.as_str().contains('@') {
            return Err(wrong("names and passwords do not belong here; use a token"));
        }
        if uri.query().is_some() {
            return Err(wrong("an address has no question in it"));
        }
        let is_here = is_this_machine(authority.host());
        match scheme {
            "https" => {}
            "http" if is_here || plain_http => {}
            "http" => {
                let why = "everybody on the way could read the token; use https";
                return Err(format!(
                    "--server {text:?}: {why}, or say --plain-http if you trust the whole way"
                ));
            }
            _ => return Err(wrong("only http and https are spoken")),
        }
        Ok(Self { text: text_without_slash.to_owned(), is_here })
    }

    pub(crate) fn join(&self, target: &str) -> String {
        format!("{}{target}", self.text)
    }

    pub(crate) fn shown(&self) -> String {
        self.text.clone()
    }

    /// Whether it is on this machine, where no proxy is in between.
    pub(crate) const fn is_here(&self) -> bool {
        self.is_here
    }
}

fn is_this_machine(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    host.eq_ignore_ascii_case("localhost")
        || bare.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_and_joined() {
        for (text, joined) in [
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080/api"),
            ("http://localhost:8080/", "http://localhost:8080/api"),
            ("http://[::1]:8080", "http://[::1]:8080/api"),
            ("https://drover.example.org", "https://drover.example.org/api"),
            ("https://example.org/drover/", "https://example.org/drover/api"),
        ] {
            assert_eq!(Address::parse(text, false).unwrap().join("/api"), joined);
        }
        assert!(Address::parse("http://127.0.0.1", false).unwrap().is_here());
        assert!(!Address::parse("https://127.example.org", false).unwrap().is_here());
    }

    #[test]
    fn what_is_no_address_or_no_safe_one_is_refused() {
        for (text, why) in [
            ("", "this is no address"),
            ("127.0.0.1:8080", "scheme and host"),
            ("ftp://127.0.0.1", "only http and https"),
            ("http://anna:hush@127.0.0.1", "names and passwords"),
            ("http://127.0.0.1/?a=b", "no question"),
            ("http://desk.example.org", "could read the token"),
            ("http://127.0.0.1.example.org", "could read the token"),
        ] {
            let message = Address::parse(text, false).unwrap_err();
            assert!(message.contains(why), "{text}: {message}");
        }
        assert!(Address::parse("http://desk.example.org", true).is_ok());
    }
}
