//! The identity provider itself: what it says about itself, its keys, and the exchange of a code for a token.

use super::keys::Keys;
use crate::access::Secret;
use crate::config::OidcConfig;
use crate::outward::{Call, Client, Failure, Reach, Reply, is_this_machine};
use axum::http::{HeaderValue, Method, Uri, header};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Deserialize;
use std::time::Duration;

/// Documents and keys of providers take some kilobytes.
const MOST_BYTES: usize = 256 * 1024;

/// Somebody waits in front of a browser.
const PATIENCE: Duration = Duration::from_secs(10);

/// What we would like to know about people, where the provider knows such words.
const SCOPES: [&str; 3] = ["profile", "email", "groups"];

/// What a provider says about itself.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Description {
    issuer: String,
    authorization_endpoint: String,
    token_endpoint: String,
    jwks_uri: String,
    #[serde(default)]
    scopes_supported: Vec<String>,
    token_endpoint_auth_methods_supported: Option<Vec<String>>,
}

#[derive(Deserialize)]
pub(super) struct TokenAnswer {
    id_token: String,
}

/// Why a provider could not be asked.
#[derive(Debug, thiserror::Error)]
pub(super) enum ProviderError {
    #[error("{what}")]
    Unreachable {
        what: &'static str,
        #[source]
        source: Failure,
    },
    #[error("{what}: status {status}")]
    Refused { what: &'static str, status: u16 },
    #[error("{what} cannot be read: {problem}")]
    Unreadable { what: &'static str, problem: String },
    #[error("the provider says it is {0:?}, which is not the issuer in the desk's file")]
    AnotherIssuer(String),
    #[error("the provider names an address that would not keep what is sent to it: {0}")]
    Insecure(String),
}

/// How to talk to the provider of a file.
pub(super) struct Line<'a> {
    pub(super) client: &'a Client,
    pub(super) config: &'a OidcConfig,
}

/// A part of a query or a form.
pub(super) fn encoded(text: &str) -> String {
    utf8_percent_encode(text, NON_ALPHANUMERIC).to_string()
}

fn host(url: &str) -> String {
    let uri = url.parse::<Uri>().ok();
    uri.and_then(|uri| uri.host().map(str::to_owned)).unwrap_or_default()
}

impl Line<'_> {
    /// A provider on this machine stays there; any other may lie in the same company.
    fn reach(&self) -> Reach {
        Reach::of(&host(&self.config.issuer), Reach::Company)
    }

    /// Whether an address keeps what is sent to it.
    fn keeps(&self, url: &str) -> Result<(), ProviderError> {
        let local = self.reach() == Reach::ThisMachine && is_this_machine(&host(url));
        let secure = url.starts_with("https://") || (local && url.starts_with("http://"));
        if secure { Ok(()) } else { Err(ProviderError::Insecure(url.chars().take(200).collect())) }
    }

    async fn call(&self, what: &'static str, mut call: Call<'_>) -> Result<Vec<u8>, ProviderError> {
        self.keeps(call.url)?;
        call.headers.push((header::ACCEPT, HeaderValue::from_static("application/json")));
        let sent = self.client.send(call).await;
        let Reply { status, body } = sent.map_err(|source| ProviderError::Unreachable { what, source })?;
        if status == 200 { Ok(body) } else { Err(ProviderError::Refused { what, status }) }
    }

    async fn get(&self, what: &'static str, url: &str) -> Result<Vec<u8>, ProviderError> {
        let (method, headers, body) = (Method::GET, Vec::new(), axum::body::Bytes::new());
        let (reach, most_bytes, patience) = (self.reach(), MOST_BYTES, PATIENCE);
        self.call(what, Call { method, url, headers, body, reach, most_bytes, patience }).await
    }

    /// What the provider says about itself, if it is the one that the file means.
    pub(super) async fn describe(&self) -> Result<Description, ProviderError> {
        let what = "the provider's description";
        let url = format!("{}/.well-known/openid-configuration", self.config.issuer.trim_end_matches('/'));
        let bytes = self.get(what, &url).await?;
        let unreadable =
            |error: serde_json::Error| ProviderError::Unreadable { what, problem: error.to_string() };
        let described: Description = serde_json::from_slice(&bytes).map_err(unreadable)?;
        if described.issuer != self.config.issuer {
            return Err(ProviderError::AnotherIssuer(described.issuer.chars().take(200).collect()));
        }
        for url in [&described.authorization_endpoint, &described.token_endpoint, &described.jwks_uri] {
            self.keeps(url)?;
        }
        Ok(described)
    }

    pub(super) async fn keys(&self, described: &Description) -> Result<Keys, ProviderError> {
        let what = "the provider's keys";
        let bytes = self.get(what, &described.jwks_uri).await?;
        Keys::read(&bytes).map_err(|problem| ProviderError::Unreadable { what, problem })
    }

    /// Exchanges a code for an identity token.
    pub(super) async fn redeem(
        &self,
        described: &Description,
        secret: Option<&Secret>,
        (code, verifier, back): (&str, &Secret, &str),
    ) -> Result<String, ProviderError> {
        let what = "the provider's token";
        let client = &self.config.client_id;
        let mut form = vec![
            ("grant_type", "authorization_code"),
            ("code", code),
            ("redirect_uri", back),
            ("code_verifier", verifier.reveal()),
        ];
        let mut headers =
            vec![(header::CONTENT_TYPE, HeaderValue::from_static("application/x-www-form-urlencoded"))];
        match secret {
            Some(secret) if described.takes_basic() => {
                headers.push((header::AUTHORIZATION, basic(client, secret)));
            }
            Some(secret) => form.extend([("client_id", client.as_str()), ("client_secret", secret.reveal())]),
            None => form.push(("client_id", client)),
        }
        let form: Vec<String> =
            form.iter().map(|(name, value)| format!("{name}={}", encoded(value))).collect();
        let (method, url, body) = (Method::POST, described.token_endpoint.as_str(), form.join("&").into());
        let (reach, most_bytes, patience) = (self.reach(), MOST_BYTES, PATIENCE);
        let bytes = self.call(what, Call { method, url, headers, body, reach, most_bytes, patience }).await?;
        // What it holds is secret, so nothing of it is told.
        let unreadable = |_| ProviderError::Unreadable { what, problem: "it has no id_token".to_owned() };
        serde_json::from_slice::<TokenAnswer>(&bytes).map(|answer| answer.id_token).map_err(unreadable)
    }
}

fn basic(client: &str, secret: &Secret) -> HeaderValue {
    let pair = STANDARD.encode(format!("{}:{}", encoded(client), encoded(secret.reveal())));
    let mut value = HeaderValue::from_str(&format!("Basic {pair}")).expect("base64 is visible text");
    value.set_sensitive(true);
    value
}

impl Description {
    /// Whether a client may show its secret in a header; that is so where nothing is said.
    fn takes_basic(&self) -> bool {
        let methods = self.token_endpoint_auth_methods_supported.as_ref();
        methods.is_none_or(|methods| methods.iter().any(|method| method == "client_secret_basic"))
    }

    /// The address of the provider's page, with everything it has to know.
    pub(super) fn page(&self, query: &[(&str, &str)]) -> String {
        let known = |scope: &&str| self.scopes_supported.iter().any(|known| known == scope);
        let scopes: Vec<&str> = ["openid"].into_iter().chain(SCOPES.into_iter().filter(known)).collect();
        let scopes = scopes.join(" ");
        let all = query.iter().copied().chain([("response_type", "code"), ("scope", scopes.as_str())]);
        let pairs: Vec<String> = all.map(|(name, value)| format!("{name}={}", encoded(value))).collect();
        let separator = if self.authorization_endpoint.contains('?') { '&' } else { '?' };
        format!("{}{separator}{}", self.authorization_endpoint, pairs.join("&"))
    }
}
