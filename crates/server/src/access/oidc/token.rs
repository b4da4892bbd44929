//! An identity token: whether it was signed by the provider, for us, for this attempt, and not too long ago.

use super::keys::{Keys, Refused};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Deserialize;
use serde_json::{Map, Value};

/// Longer tokens are none of ours.
const LONGEST: usize = 16 * 1024;

/// Clocks of two machines differ by so much.
const LEEWAY_SECONDS: i64 = 60;

/// Numbers that count as seconds since 1970: up to the year 9999.
const LATEST: i64 = 253_402_300_799;

/// What a token must say.
#[derive(Clone, Copy, Debug)]
pub(super) struct Expected<'a> {
    pub(super) issuer: &'a str,
    pub(super) client: &'a str,
    pub(super) nonce: &'a str,
    pub(super) now_seconds: i64,
}

/// Why a token does not count. For the log; whoever brought it learns only that it does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wrong {
    Form,
    Key(Refused),
    Issuer,
    Audience,
    Expired,
    FromTheFuture,
    Nonce,
    Subject,
}

#[derive(Deserialize)]
struct Header {
    alg: String,
    kid: Option<String>,
    /// Extensions that must be understood; none is.
    crit: Option<Value>,
}

/// What the provider says about somebody.
#[derive(Clone, Debug)]
pub(super) struct Claims(Map<String, Value>);

/// Reads a token. Nothing of what it claims is looked at before its signature is.
pub(super) fn read(text: &str, keys: &Keys, expected: Expected<'_>) -> Result<Claims, Wrong> {
    let (message, signature) = text.rsplit_once('.').filter(|_| text.len() <= LONGEST).ok_or(Wrong::Form)?;
    let (head, body) = message.split_once('.').ok_or(Wrong::Form)?;
    let decode = |part: &str| URL_SAFE_NO_PAD.decode(part).map_err(|_| Wrong::Form);
    let header: Header = serde_json::from_slice(&decode(head)?).map_err(|_| Wrong::Form)?;
    if header.crit.is_some() {
        return Err(Wrong::Form);
    }
    let key = (header.alg.as_str(), header.kid.as_deref());
    keys.check(key, message.as_bytes(), &decode(signature)?).map_err(Wrong::Key)?;
    let claims = Claims::read(&decode(body)?)?;
    claims.check(expected).map(|()| claims)
}

impl Claims {
    pub(super) fn read(bytes: &[u8]) -> Result<Self, Wrong> {
        serde_json::from_slice(bytes).map(Self).map_err(|_| Wrong::Form)
    }

    fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name).and_then(Value::as_str)
    }

    fn seconds(&self, name: &str) -> Option<i64> {
        let value = self.0.get(name)?;
        let whole = value.as_i64().or_else(|| value.as_f64().map(|seconds| seconds as i64));
        whole.filter(|seconds| (0..=LATEST).contains(seconds))
    }

    pub(super) fn check(&self, expected: Expected<'_>) -> Result<(), Wrong> {
        let Expected { issuer, client, nonce, now_seconds: now } = expected;
        if self.text("iss") != Some(issuer) {
            return Err(Wrong::Issuer);
        }
        if !self.is_for(client) {
            return Err(Wrong::Audience);
        }
        if self.seconds("exp").is_none_or(|end| end + LEEWAY_SECONDS <= now) {
            return Err(Wrong::Expired);
        }
        let begun = |name: &str| self.seconds(name).is_some_and(|from| from <= now + LEEWAY_SECONDS);
        if !begun("iat") || (self.0.contains_key("nbf") && !begun("nbf")) {
            return Err(Wrong::FromTheFuture);
        }
        if self.text("nonce") != Some(nonce) {
            return Err(Wrong::Nonce);
        }
        if self.subject().is_empty() { Err(Wrong::Subject) } else { Ok(()) }
    }

    /// Whether we are the audience; with several, the token must also have been made for us.
    fn is_for(&self, client: &str) -> bool {
        let (audience, several) = match self.0.get("aud") {
            Some(Value::String(one)) => (vec![one.as_str()], false),
            Some(Value::Array(all)) => (all.iter().filter_map(Value::as_str).collect(), all.len() > 1),
            _ => return false,
        };
        let party = self.0.get("azp");
        let made_for_us = party.map_or(!several, |party| party.as_str() == Some(client));
        audience.contains(&client) && made_for_us
    }

    /// Who it is, for ever, at this provider. Not empty once the token was checked.
    pub(super) fn subject(&self) -> &str {
        self.text("sub").filter(|subject| subject.len() <= 255).map(str::trim).unwrap_or_default()
    }

    /// The address that the provider has verified.
    pub(super) fn email(&self) -> Option<&str> {
        let verified = matches!(self.0.get("email_verified"), Some(Value::Bool(true)))
            || self.text("email_verified") == Some("true");
        self.text("email").filter(|email| verified && !email.trim().is_empty())
    }

    /// The groups in a claim: a list or one name, also deeper inside as in `realm_access.roles`.
    pub(super) fn groups(&self, claim: &str) -> Vec<&str> {
        let deeper = || {
            let mut parts = claim.split('.');
            let first = self.0.get(parts.next()?)?;
            parts.try_fold(first, |value, part| value.get(part))
        };
        match self.0.get(claim).or_else(deeper) {
            Some(Value::String(one)) => vec![one],
            Some(Value::Array(all)) => all.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const NOW: i64 = 1_800_000_000;

    fn claims() -> Value {
        json!({
            "iss": "https://login.test", "aud": "drover", "sub": "anna", "nonce": "n",
            "iat": NOW, "exp": NOW + 300,
        })
    }

    fn check(field: &str, value: Value, wrong: Option<Wrong>) {
        let mut changed = claims();
        let shown = value.to_string();
        changed[field] = value;
        let Value::Object(map) = changed else { panic!("an object") };
        let expected =
            Expected { issuer: "https://login.test", client: "drover", nonce: "n", now_seconds: NOW };
        assert_eq!(Claims(map).check(expected).err(), wrong, "{field}: {shown}");
    }

    #[test]
    fn every_claim_counts() {
        check("sub", json!("anna"), None);
        check("iss", json!("https://login.test/"), Some(Wrong::Issuer));
        check("iss", json!(null), Some(Wrong::Issuer));
        check("aud", json!("other"), Some(Wrong::Audience));
        check("aud", json!([]), Some(Wrong::Audience));
        check("aud", json!({ "drover": 1 }), Some(Wrong::Audience));
        check("aud", json!(["drover"]), None);
        check("aud", json!(["drover", "other"]), Some(Wrong::Audience));
        check("azp", json!("drover"), None);
        check("azp", json!("other"), Some(Wrong::Audience));
        check("exp", json!(NOW - 60), Some(Wrong::Expired));
        check("exp", json!(NOW - 59), None);
        check("exp", json!("tomorrow"), Some(Wrong::Expired));
        check("exp", json!(1e300), Some(Wrong::Expired));
        check("exp", json!(null), Some(Wrong::Expired));
        check("iat", json!(NOW + 61), Some(Wrong::FromTheFuture));
        check("iat", json!(null), Some(Wrong::FromTheFuture));
        check("nbf", json!(NOW + 61), Some(Wrong::FromTheFuture));
        check("nbf", json!(NOW), None);
        check("nonce", json!("m"), Some(Wrong::Nonce));
        check("nonce", json!(null), Some(Wrong::Nonce));
        check("sub", json!(""), Some(Wrong::Subject));
        check("sub", json!("  "), Some(Wrong::Subject));
        check("sub", json!(7), Some(Wrong::Subject));
        check("sub", json!("x".repeat(256)), Some(Wrong::Subject));
    }

    fn with(more: Value) -> Claims {
        let Value::Object(map) = more else { panic!("an object") };
        Claims(map)
    }

    #[test]
    fn groups_are_found_where_providers_put_them() {
        let all = with(json!({
            "groups": ["a", 7, "b"], "role": "c", "https://x.test/groups": ["d"], "realm_access": { "roles": ["e"] },
        }));
        for (claim, groups) in [
            ("groups", vec!["a", "b"]),
            ("role", vec!["c"]),
            ("https://x.test/groups", vec!["d"]),
            ("realm_access.roles", vec!["e"]),
            ("realm_access", vec![]),
            ("none.at.all", vec![]),
        ] {
            assert_eq!(all.groups(claim), groups, "{claim}");
        }
    }

    #[test]
    fn only_a_verified_address_counts() {
        for (verified, counts) in [
            (json!(true), true),
            (json!("true"), true),
            (json!(false), false),
            (json!(null), false),
            (json!(1), false),
        ] {
            let claims = with(json!({ "email": "anna@example.org", "email_verified": verified }));
            assert_eq!(claims.email().is_some(), counts, "{verified}");
        }
    }

    #[test]
    fn what_is_no_token_is_refused() {
        let expected =
            Expected { issuer: "https://login.test", client: "drover", nonce: "n", now_seconds: NOW };
        for text in ["", ".", "..", "a.b.c", "e30.e30.e30", &"x.".repeat(20_000)] {
            assert_eq!(read(text, &Keys::default(), expected).err(), Some(Wrong::Form), "{text:.20}");
        }
        let none = URL_SAFE_NO_PAD.encode(r#"{"alg":"none"}"#);
        let body = URL_SAFE_NO_PAD.encode(claims().to_string());
        let refused = read(&format!("{none}.{body}."), &Keys::default(), expected);
        assert_eq!(refused.err(), Some(Wrong::Key(Refused::Algorithm)));
    }
}
