//! The URL of a PostgreSQL database, read once and never shown with its password.

use postgres::Config;
use postgres::config::SslMode;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// How long a server may take to answer the first time, unless the URL says otherwise.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// When a silent network counts as broken, unless the URL says otherwise. Longer than any statement of ours runs unheard.
const SILENCE: Duration = Duration::from_mins(1);
/// When a quiet connection is checked for a partner, unless the URL says otherwise.
const KEEPALIVE: Duration = Duration::from_secs(30);

/// The address of a PostgreSQL database. Printing it leaves the password out.
#[derive(Clone)]
pub struct Address {
    url: String,
    config: Config,
    root_certificates: Option<PathBuf>,
}

impl Address {
    /// Reads a URL, or says what is wrong with it.
    pub(crate) fn parse(url: &str) -> Result<Self, String> {
        let (before, query) = url.split_once('?').unwrap_or((url, ""));
        let mut root_certificates = None;
        let mut others = Vec::new();
        for parameter in query.split('&').filter(|parameter| !parameter.is_empty()) {
            match parameter.split_once('=') {
                Some(("sslrootcert", path)) => root_certificates = Some(PathBuf::from(decoded(path)?)),
                Some(("sslmode", mode)) => others.push(format!("sslmode={}", known_mode(mode)?)),
                _ => others.push(parameter.to_owned()),
            }
        }
        let config: Config = format!("{before}?{}", others.join("&")).parse().map_err(in_words)?;
        if config.get_hosts().is_empty() && config.get_hostaddrs().is_empty() {
            return Err("the host is missing".to_owned());
        }
        Ok(Self { url: url.to_owned(), config: with_defaults(config), root_certificates })
    }

    /// What to connect with.
    pub(super) const fn config(&self) -> &Config {
        &self.config
    }

    /// Whether traffic has to be encrypted, and where the certificates are that vouch for the server.
    pub(super) fn tls(&self) -> (SslMode, Option<&PathBuf>) {
        (self.config.get_ssl_mode(), self.root_certificates.as_ref())
    }
}

/// `require` already checks the certificate here, so the stricter word of other tools means the same.
fn known_mode(mode: &str) -> Result<&str, String> {
    match mode {
        "disable" | "prefer" | "require" => Ok(mode),
        "verify-full" => Ok("require"),
        _ => Err(format!("sslmode {mode:?} is not known; use disable, prefer or require")),
    }
}

fn with_defaults(mut config: Config) -> Config {
    config.connect_timeout(config.get_connect_timeout().copied().unwrap_or(CONNECT_TIMEOUT));
    config.tcp_user_timeout(config.get_tcp_user_timeout().copied().unwrap_or(SILENCE));
    config.keepalives_idle(config.get_keepalives_idle().min(KEEPALIVE));
    if config.get_application_name().is_none() {
        config.application_name(&format!("drover {}", std::process::id()));
    }
    config
}

fn decoded(text: &str) -> Result<String, String> {
    let decoded = percent_encoding::percent_decode_str(text).decode_utf8();
    decoded.map(std::borrow::Cow::into_owned).map_err(|_| "sslrootcert is not UTF-8".to_owned())
}

fn in_words(error: postgres::Error) -> String {
    error.into_source().map_or_else(|| "it cannot be read".to_owned(), |cause| cause.to_string())
}

/// A URL without its secrets: `user:secret@` becomes `user@`, and a parameter `password=secret` becomes `password=…`.
pub(crate) fn without_password(text: &str) -> String {
    let (scheme, rest) = text.split_once("://").unwrap_or(("", text));
    // A password may contain `@`, `/` and `?` that somebody forgot to encode, so the last `@` counts.
    let shown = match rest.rsplit_once('@') {
        Some((user, host)) => format!("{}@{host}", user.split(':').next().unwrap_or_default()),
        None => rest.to_owned(),
    };
    let (before, query) = shown.split_once('?').unwrap_or((&shown, ""));
    let query: Vec<String> = query.split('&').map(harmless).collect();
    let query = if query == [""] { String::new() } else { format!("?{}", query.join("&")) };
    let scheme = if scheme.is_empty() { String::new() } else { format!("{scheme}://") };
    format!("{scheme}{before}{query}")
}

fn harmless(parameter: &str) -> String {
    match parameter.split_once('=') {
        Some((name, _)) if name.to_ascii_lowercase().contains("password") => format!("{name}=…"),
        _ => parameter.to_owned(),
    }
}

impl PartialEq for Address {
    fn eq(&self, other: &Self) -> bool {
        self.url == other.url
    }
}

impl Eq for Address {}

impl fmt::Display for Address {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", without_password(&self.url))
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_others_write_is_understood() {
        for (query, mode, certificates) in [
            ("", SslMode::Prefer, None),
            ("?sslmode=disable", SslMode::Disable, None),
            ("?sslmode=require&sslrootcert=/etc/my%20ca.pem", SslMode::Require, Some("/etc/my ca.pem")),
            ("?sslrootcert=ca.pem&sslmode=verify-full&connect_timeout=3", SslMode::Require, Some("ca.pem")),
        ] {
            let address = Address::parse(&format!("postgres://desk@host/drover{query}")).expect(query);
            assert_eq!(address.tls(), (mode, certificates.map(PathBuf::from).as_ref()), "{query}");
        }
    }

    #[test]
    fn what_cannot_be_meant_is_refused() {
        for (url, problem) in [
            (
                "postgres://host/drover?sslmode=maybe",
                "sslmode \"maybe\" is not known; use disable, prefer or require",
            ),
            ("postgres://host/drover?sslkey=a", "unknown option `sslkey`"),
            ("postgres://host:port/drover", "invalid value for option `port`"),
            ("postgres:///drover", "the host is missing"),
        ] {
            assert_eq!(Address::parse(url).expect_err(url), problem);
        }
    }
}
