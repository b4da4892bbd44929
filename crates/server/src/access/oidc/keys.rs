//! The provider's public keys, and whether something was signed with one of them. Each kind of key goes with one algorithm, so a
//! token cannot choose how it is looked at.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED, ED25519, RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents, UnparsedPublicKey,
};
use serde::Deserialize;

/// Providers have a handful; more would only cost time.
const MOST_KEYS: usize = 50;

#[derive(Deserialize)]
struct RawKeys {
    keys: Vec<RawKey>,
}

/// A key as the provider writes it; what we do not use is ignored.
#[derive(Deserialize)]
struct RawKey {
    kty: String,
    kid: Option<String>,
    #[serde(rename = "use")]
    purpose: Option<String>,
    alg: Option<String>,
    crv: Option<String>,
    n: Option<String>,
    e: Option<String>,
    x: Option<String>,
    y: Option<String>,
}

#[derive(Clone, Debug)]
struct Key {
    id: Option<String>,
    material: Material,
}

#[derive(Clone, Debug)]
enum Material {
    Rsa {
        modulus: Vec<u8>,
        exponent: Vec<u8>,
    },
    /// An uncompressed point.
    P256(Vec<u8>),
    Ed25519(Vec<u8>),
}

/// Why a signature does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refused {
    /// No known key fits; the provider may have a newer one.
    UnknownKey,
    /// The key did not sign this.
    Signature,
    /// Such signatures are not taken from anybody.
    Algorithm,
}

/// Everything the provider signs with.
#[derive(Clone, Debug, Default)]
pub(super) struct Keys(Vec<Key>);

impl Keys {
    pub(super) fn read(bytes: &[u8]) -> Result<Self, String> {
        let raw: RawKeys = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        let signing = |key: &RawKey| key.purpose.as_deref().is_none_or(|purpose| purpose == "sig");
        let usable = raw.keys.into_iter().filter(signing).filter_map(|key| key.usable());
        Ok(Self(usable.take(MOST_KEYS).collect()))
    }

    /// Whether one of the keys made this signature. Without an id, there must be no choice.
    pub(super) fn check(
        &self,
        (algorithm, id): (&str, Option<&str>),
        message: &[u8],
        signature: &[u8],
    ) -> Result<(), Refused> {
        if !Material::ALGORITHMS.contains(&algorithm) {
            return Err(Refused::Algorithm);
        }
        let mut fitting = self
            .0
            .iter()
            .filter(|key| key.material.algorithm() == algorithm && (id.is_none() || key.id.as_deref() == id));
        let key = fitting.next().ok_or(Refused::UnknownKey)?;
        if fitting.next().is_some() {
            return Err(Refused::UnknownKey);
        }
        if key.material.signed(message, signature) { Ok(()) } else { Err(Refused::Signature) }
    }
}

fn decoded(text: Option<&String>) -> Option<Vec<u8>> {
    URL_SAFE_NO_PAD.decode(text?.trim_end_matches('=')).ok()
}

impl RawKey {
    fn usable(&self) -> Option<Key> {
        let material = match (self.kty.as_str(), self.crv.as_deref()) {
            ("RSA", _) => Material::Rsa {
                modulus: without_zeros(&decoded(self.n.as_ref())?),
                exponent: without_zeros(&decoded(self.e.as_ref())?),
            },
            ("EC", Some("P-256")) => {
                let (x, y) = (decoded(self.x.as_ref())?, decoded(self.y.as_ref())?);
                ((x.len(), y.len()) == (32, 32)).then(|| Material::P256([vec![4], x, y].concat()))?
            }
            ("OKP", Some("Ed25519")) => Material::Ed25519(decoded(self.x.as_ref())?),
            _ => return None,
        };
        let fits = self.alg.as_deref().is_none_or(|algorithm| algorithm == material.algorithm());
        fits.then(|| Key { id: self.kid.clone(), material })
    }
}

/// Some providers write a number with zeros in front; it is the same number.
fn without_zeros(bytes: &[u8]) -> Vec<u8> {
    let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
    bytes[zeros..].to_vec()
}

impl Material {
    const ALGORITHMS: [&str; 3] = ["RS256", "ES256", "EdDSA"];

    const fn algorithm(&self) -> &'static str {
        match self {
            Self::Rsa { .. } => "RS256",
            Self::P256(_) => "ES256",
            Self::Ed25519(_) => "EdDSA",
        }
    }

    fn signed(&self, message: &[u8], signature: &[u8]) -> bool {
        match self {
            Self::Rsa { modulus, exponent } => RsaPublicKeyComponents { n: modulus, e: exponent }
                .verify(&RSA_PKCS1_2048_8192_SHA256, message, signature)
                .is_ok(),
            Self::P256(point) => {
                UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, point).verify(message, signature).is_ok()
            }
            Self::Ed25519(point) => {
                UnparsedPublicKey::new(&ED25519, point).verify(message, signature).is_ok()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ring::rand::SystemRandom;
    use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair as _};
    use serde_json::{Value, json};

    fn text(bytes: &[u8]) -> String {
        URL_SAFE_NO_PAD.encode(bytes)
    }

    fn edwards() -> (Ed25519KeyPair, Value) {
        let document = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).expect("randomness");
        let pair = Ed25519KeyPair::from_pkcs8(document.as_ref()).expect("a key");
        let public =
            json!({ "kty": "OKP", "crv": "Ed25519", "kid": "ed", "x": text(pair.public_key().as_ref()) });
        (pair, public)
    }

    fn curve() -> (EcdsaKeyPair, Value) {
        let (kind, random) = (&ECDSA_P256_SHA256_FIXED_SIGNING, SystemRandom::new());
        let document = EcdsaKeyPair::generate_pkcs8(kind, &random).expect("randomness");
        let pair = EcdsaKeyPair::from_pkcs8(kind, document.as_ref(), &random).expect("a key");
        let point = pair.public_key().as_ref().to_vec();
        let public = json!({ "kty": "EC", "crv": "P-256", "kid": "ec", "x": text(&point[1..33]), "y": text(&point[33..]) });
        (pair, public)
    }

    fn keys(all: &[&Value]) -> Keys {
        Keys::read(json!({ "keys": all }).to_string().as_bytes()).expect("keys")
    }

    #[test]
    fn a_signature_counts_for_its_key_and_algorithm_only() {
        let ((edwards, edwards_public), (curve, curve_public)) = (edwards(), curve());
        let known = keys(&[&edwards_public, &curve_public]);
        let by_edwards = edwards.sign(b"hello").as_ref().to_vec();
        let by_curve = curve.sign(&SystemRandom::new(), b"hello").expect("randomness").as_ref().to_vec();
        let check = |algorithm, id, message: &[u8], signature: &[u8]| {
            known.check((algorithm, id), message, signature)
        };
        assert_eq!(check("EdDSA", Some("ed"), b"hello", &by_edwards), Ok(()));
        assert_eq!(check("EdDSA", None, b"hello", &by_edwards), Ok(()));
        assert_eq!(check("ES256", Some("ec"), b"hello", &by_curve), Ok(()));
        assert_eq!(check("EdDSA", Some("ed"), b"hallo", &by_edwards), Err(Refused::Signature));
        assert_eq!(check("ES256", Some("ec"), b"hello", &by_edwards), Err(Refused::Signature));
        assert_eq!(check("ES256", Some("ed"), b"hello", &by_edwards), Err(Refused::UnknownKey));
        assert_eq!(check("EdDSA", Some("other"), b"hello", &by_edwards), Err(Refused::UnknownKey));
        for algorithm in ["none", "HS256", "RS512", "ES384", "eddsa", ""] {
            assert_eq!(
                check(algorithm, Some("ed"), b"hello", &by_edwards),
                Err(Refused::Algorithm),
                "{algorithm}"
            );
        }
    }

    #[test]
    fn keys_for_other_purposes_are_not_used() {
        let (pair, public) = edwards();
        let signature = pair.sign(b"hello").as_ref().to_vec();
        let with = |field: &str, value: &str| {
            let mut changed = public.clone();
            changed[field] = json!(value);
            keys(&[&changed]).check(("EdDSA", Some("ed")), b"hello", &signature)
        };
        assert_eq!(with("use", "sig"), Ok(()));
        assert_eq!(with("alg", "EdDSA"), Ok(()));
        for (field, value) in
            [("use", "enc"), ("alg", "RS256"), ("crv", "X25519"), ("kty", "oct"), ("x", "!")]
        {
            assert_eq!(with(field, value), Err(Refused::UnknownKey), "{field}");
        }
        let twice = keys(&[&public, &public]);
        assert_eq!(twice.check(("EdDSA", None), b"hello", &signature), Err(Refused::UnknownKey), "a choice");
        assert!(Keys::read(b"[]").is_err());
    }
}
