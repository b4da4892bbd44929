//! The cookie that a browser keeps a session in.

use super::secret::Secret;
use axum::http::{HeaderMap, HeaderValue, header};

/// What sessions are called in the browser.
pub const COOKIE: &str = "drover_session";

/// The secret of a session, if the request carries one.
pub fn session_cookie(headers: &HeaderMap) -> Option<Secret> {
    find(headers, COOKIE)
}

/// The value of a cookie by its name.
pub(crate) fn find(headers: &HeaderMap, name: &str) -> Option<Secret> {
    let all = headers.get_all(header::COOKIE).into_iter().filter_map(|value| value.to_str().ok());
    let mut pairs = all.flat_map(|text| text.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(known, _)| *known == name).map(|(_, value)| Secret::received(value))
}

/// A cookie to be set. Scripts never see it, and it goes nowhere else than to the desk.
pub(crate) struct Cookie<'a> {
    pub(crate) name: &'a str,
    pub(crate) value: &'a str,
    pub(crate) path: &'a str,
    pub(crate) seconds: i64,
    /// `Strict`, or `Lax` where somebody comes back from another site.
    pub(crate) same_site: &'static str,
    /// Whether browsers reach the desk by https.
    pub(crate) secure: bool,
}

impl Cookie<'_> {
    pub(crate) fn header(&self) -> HeaderValue {
        let Self { name, value, path, seconds, same_site, secure } = self;
        let secure = if *secure { "; Secure" } else { "" };
        let text =
            format!("{name}={value}; Path={path}; Max-Age={seconds}; HttpOnly; SameSite={same_site}{secure}");
        let mut header = HeaderValue::from_str(&text).expect("names, numbers and base64 are visible text");
        header.set_sensitive(true);
        header
    }
}

/// Gives a session to a browser.
pub fn give(secret: &Secret, seconds: i64, secure: bool) -> HeaderValue {
    Cookie { name: COOKIE, value: secret.reveal(), path: "/", seconds, same_site: "Strict", secure }.header()
}

/// Takes it away again.
pub fn take_away(secure: bool) -> HeaderValue {
    Cookie { name: COOKIE, value: "", path: "/", seconds: 0, same_site: "Strict", secure }.header()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cookie_stays_at_the_desk() {
        let secret = Secret::received("s3cret");
        let text = |header: HeaderValue| header.to_str().expect("text").to_owned();
        assert_eq!(
            text(give(&secret, 60, true)),
            "drover_session=s3cret; Path=/; Max-Age=60; HttpOnly; SameSite=Strict; Secure"
        );
        assert_eq!(text(take_away(false)), "drover_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict");
    }

    #[test]
    fn it_is_found_among_others() {
        let mut headers = HeaderMap::new();
        headers.append(header::COOKIE, HeaderValue::from_static("a=1; drover_sessions=no"));
        assert!(session_cookie(&headers).is_none());
        headers.append(header::COOKIE, HeaderValue::from_static("b=2;drover_session=yes; c"));
        assert_eq!(session_cookie(&headers).map(|secret| secret.reveal().to_owned()).as_deref(), Some("yes"));
    }
}
