//! Signing in with an identity provider: OpenID Connect's code flow with PKCE, a state and a nonce.
//!
//! ```text
//!  browser ── /login/oidc ──► desk: state, nonce, verifier remembered; a cookie binds them to this browser
//!     └────── provider's page ──────┐
//!  browser ── /login/oidc/callback ──► desk ── code + verifier ──► provider ── identity token ──► checked ──► session
//! ```

#[cfg(any(test, feature = "testing"))]
pub mod hostile;
mod keys;
mod pending;
mod person;
mod provider;
mod token;

pub use person::Names;

use super::{Residents, Secret};
use crate::clock;
use crate::config::{Group, OidcConfig};
use crate::outward::Client;
use crate::storage::port::error::with_causes;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use keys::{Keys, Refused};
use pending::{Attempt, Pending};
use provider::{Description, Line, ProviderError};
use ring::digest;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use token::{Claims, Expected, Wrong};

/// Where the provider sends people back to.
pub const CALLBACK: &str = "/login/oidc/callback";

/// What a provider says about itself changes rarely; its keys change now and then.
const DESCRIPTION_LASTS: Duration = Duration::from_hours(1);
const KEYS_LAST: Duration = Duration::from_mins(10);

/// A token with an unknown key makes us look again, but not more often than this.
const LOOK_AGAIN: Duration = Duration::from_secs(30);

/// Why somebody could not sign in.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OidcError {
    /// The provider cannot be asked, for a reason that is nobody's secret.
    #[error("the identity provider cannot be asked: {0}")]
    Provider(String),
    /// What was brought back does not count; the text is for the log.
    #[error("{0}")]
    Refused(String),
    /// They are who they say, and have no role here.
    #[error("none of their groups has a role here")]
    NoRole,
}

impl From<ProviderError> for OidcError {
    fn from(error: ProviderError) -> Self {
        Self::Provider(with_causes(&error))
    }
}

fn refused(text: &str) -> OidcError {
    OidcError::Refused(text.to_owned())
}

/// A provider that people can sign in with.
pub struct IdentityProvider {
    config: OidcConfig,
    secret: Option<Secret>,
    client: Client,
    pending: Mutex<Pending>,
    known: tokio::sync::Mutex<Known>,
}

/// What was learned from the provider, and when.
#[derive(Default)]
struct Known {
    description: Option<(Description, Instant)>,
    keys: Option<(Keys, Instant)>,
}

/// Somebody on their way to the provider.
#[derive(Debug)]
pub struct Begun {
    /// The provider's page.
    pub page: String,
    /// What the browser keeps meanwhile.
    pub browser: Secret,
}

/// What somebody brings back.
#[derive(Debug)]
pub struct Returned<'a> {
    pub state: &'a Secret,
    pub code: &'a str,
    pub browser: Option<&'a Secret>,
}

/// Somebody whom the provider knows and who has a role.
#[derive(Clone, Debug)]
pub struct Arrived {
    pub names: Names,
    /// What they may do, and where.
    pub standing: Group,
    /// Where they wanted to go.
    pub back: String,
}

impl IdentityProvider {
    pub fn new(config: &OidcConfig, secret: Option<Secret>) -> Self {
        Self {
            config: config.clone(),
            secret,
            client: Client::default(),
            pending: Mutex::default(),
            known: tokio::sync::Mutex::default(),
        }
    }

    pub fn issuer(&self) -> &str {
        &self.config.issuer
    }

    const fn line(&self) -> Line<'_> {
        Line { client: &self.client, config: &self.config }
    }

    /// Sends somebody to the provider. `address` is where browsers reach the desk.
    pub async fn begin(
        &self,
        address: &str,
        (remote, back): (&str, &str),
        now_ms: i64,
    ) -> Result<Begun, OidcError> {
        let random = || Secret::random("").map_err(|error| OidcError::Provider(error.to_string()));
        let (state, nonce, verifier, browser) = (random()?, random()?, random()?, random()?);
        let description = self.description().await?;
        let challenge = digest::digest(&digest::SHA256, verifier.reveal().as_bytes());
        let page = description.page(&[
            ("client_id", &self.config.client_id),
            ("redirect_uri", &format!("{address}{CALLBACK}")),
            ("state", state.reveal()),
            ("nonce", nonce.reveal()),
            ("code_challenge", &URL_SAFE_NO_PAD.encode(challenge)),
            ("code_challenge_method", "S256"),
        ]);
        let attempt = Attempt {
            nonce,
            verifier,
            browser: browser.hash(),
            back: back.to_owned(),
            remote: remote.to_owned(),
            since_ms: now_ms,
        };
        self.pending.lock().unwrap_or_else(PoisonError::into_inner).add(&state, attempt);
        Ok(Begun { page, browser })
    }

    /// Takes somebody back from the provider. Whatever comes of it, their attempt is over.
    pub async fn finish(
        &self,
        address: &str,
        returned: Returned<'_>,
        residents: &Residents,
        now_ms: i64,
    ) -> Result<Arrived, OidcError> {
        let Returned { state, code, browser } = returned;
        let attempt = self.pending.lock().unwrap_or_else(PoisonError::into_inner).take(state, now_ms);
        let attempt =
            attempt.ok_or_else(|| refused("there is no such attempt, or it was used or is too old"))?;
        if browser.map(Secret::hash) != Some(attempt.browser) {
            return Err(refused("another browser began it"));
        }
        let description = self.description().await?;
        let callback = format!("{address}{CALLBACK}");
        let redeemed = (code, &attempt.verifier, callback.as_str());
        let token = self.line().redeem(&description, self.secret.as_ref(), redeemed).await?;
        let claims = self.claims(&description, &token, attempt.nonce.reveal(), now_ms / 1000).await?;
        let standing = person::standing(&self.config, &claims).ok_or(OidcError::NoRole)?;
        let names = person::names(self.issuer(), claims.subject(), claims.email(), residents);
        Ok(Arrived { names, standing, back: attempt.back })
    }

    /// An attempt that came to nothing at the provider.
    pub fn forget(&self, state: &Secret) {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner).take(state, 0);
    }

    /// What a token claims, if it counts. The provider may have a new key since we looked.
    async fn claims(
        &self,
        description: &Description,
        text: &str,
        nonce: &str,
        now_seconds: i64,
    ) -> Result<Claims, OidcError> {
        let (issuer, client) = (self.issuer(), self.config.client_id.as_str());
        let expected = Expected { issuer, client, nonce, now_seconds };
        let mut read = token::read(text, &self.keys(description, KEYS_LAST).await?, expected);
        if read.as_ref().err() == Some(&Wrong::Key(Refused::UnknownKey)) {
            read = token::read(text, &self.keys(description, LOOK_AGAIN).await?, expected);
        }
        read.map_err(|wrong| OidcError::Refused(format!("the identity token does not count: {wrong:?}")))
    }

    async fn description(&self) -> Result<Description, OidcError> {
        let mut known = self.known.lock().await;
        if let Some((description, at)) = &known.description
            && clock::now().saturating_duration_since(*at) < DESCRIPTION_LASTS
        {
            return Ok(description.clone());
        }
        let description = self.line().describe().await?;
        known.description = Some((description.clone(), clock::now()));
        Ok(description)
    }

    /// The keys, not older than that.
    async fn keys(&self, description: &Description, oldest: Duration) -> Result<Keys, OidcError> {
        let mut known = self.known.lock().await;
        if let Some((keys, at)) = &known.keys
            && clock::now().saturating_duration_since(*at) < oldest
        {
            return Ok(keys.clone());
        }
        let keys = self.line().keys(description).await?;
        known.keys = Some((keys.clone(), clock::now()));
        Ok(keys)
    }
}
