//! Signing in with an identity provider that speaks the real protocol over real connections, honest or not.

use crate::box_desk::{BoxDesk, block_on};
use crate::wire::{Reply, call};
use axum::Json;
use axum::Router;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use ring::rand::SystemRandom;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair as _, RSA_PKCS1_SHA256, RsaKeyPair,
};
use ring::{digest, hmac};
use serde_json::{Value, json};
use server::access::{Role, Secret};
use server::clock::wall_ms;
use server::service::Keys;
use server::testing::{Folder, on_each_location};
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

/// Made for this test; it opens nothing.
const RSA_KEY: &str = include_str!("oidc-key.txt");
const CLIENT_SECRET: &str = "between us: 100% & more";

/// How the provider behaves.
#[derive(Clone, Debug)]
struct Behaviour {
    /// RS256, ES256, EdDSA, none or HS256.
    algorithm: &'static str,
    key_id: Option<&'static str>,
    /// Claims that are changed; null takes one away.
    claims: Value,
    /// What the description says instead.
    description: Value,
}

impl Default for Behaviour {
    fn default() -> Self {
        Self { algorithm: "RS256", key_id: None, claims: json!({}), description: json!({}) }
    }
}

/// What the provider remembers of a code.
struct Granted {
    nonce: String,
    challenge: String,
    back: String,
}

struct Provider {
    address: SocketAddr,
    behaviour: Behaviour,
    codes: BTreeMap<String, Granted>,
    rsa: RsaKeyPair,
    curve: EcdsaKeyPair,
    edwards: Ed25519KeyPair,
}

type Shared = Arc<Mutex<Provider>>;
type Words = BTreeMap<String, String>;

/// The words of a form.
fn words(form: &str) -> Words {
    let decoded = |text: &str| percent_encoding::percent_decode_str(text).decode_utf8_lossy().into_owned();
    form.split('&')
        .filter_map(|pair| pair.split_once('='))
        .map(|(name, value)| (decoded(name), decoded(value)))
        .collect()
}

fn text(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

impl Provider {
    fn new(address: SocketAddr, behaviour: Behaviour) -> Self {
        let random = SystemRandom::new();
        let lines: String = RSA_KEY.split_whitespace().collect();
        let rsa = RsaKeyPair::from_pkcs8(&STANDARD.decode(lines).expect("base64")).expect("a key");
        let kind = &ECDSA_P256_SHA256_FIXED_SIGNING;
        let curve = EcdsaKeyPair::generate_pkcs8(kind, &random).expect("randomness");
        let curve = EcdsaKeyPair::from_pkcs8(kind, curve.as_ref(), &random).expect("a key");
        let edwards = Ed25519KeyPair::generate_pkcs8(&random).expect("randomness");
        let edwards = Ed25519KeyPair::from_pkcs8(edwards.as_ref()).expect("a key");
        Self { address, behaviour, codes: BTreeMap::new(), rsa, curve, edwards }
    }

    fn issuer(&self) -> String {
        format!("http://{}", self.address)
    }

    fn modulus(&self) -> Vec<u8> {
        let public = ring::rsa::PublicKeyComponents::<Vec<u8>>::from(self.rsa.public());
        public.n
    }

    fn keys(&self) -> Value {
        let point = self.curve.public_key().as_ref().to_vec();
        json!({ "keys": [
            { "kty": "RSA", "kid": "RS256", "use": "sig", "alg": "RS256", "n": text(&self.modulus()), "e": "AQAB" },
            { "kty": "EC", "crv": "P-256", "kid": "ES256", "x": text(&point[1..33]), "y": text(&point[33..]) },
            { "kty": "OKP", "crv": "Ed25519", "kid": "EdDSA", "x": text(self.edwards.public_key().as_ref()) },
            { "kty": "oct", "kid": "HS256", "k": text(b"shared") },
        ] })
    }

    fn token(&self, nonce: &str) -> String {
        let Behaviour { algorithm, key_id, claims: changes, .. } = &self.behaviour;
        let now = wall_ms() / 1000;
        let mut claims = json!({
            "iss": self.issuer(), "aud": "drover", "sub": "248289761001", "nonce": nonce, "iat": now, "exp": now + 300,
            "email": "anna@example.org", "email_verified": true, "groups": ["staff", "ops"],
        });
        for (name, value) in changes.as_object().expect("claims") {
            claims[name] = value.clone();
        }
        claims.as_object_mut().expect("claims").retain(|_, value| !value.is_null());
        let head = json!({ "alg": algorithm, "typ": "JWT", "kid": key_id.unwrap_or(algorithm) });
        let message =
            format!("{}.{}", text(head.to_string().as_bytes()), text(claims.to_string().as_bytes()));
        format!("{message}.{}", text(&self.sign(algorithm, message.as_bytes())))
    }

    fn sign(&self, algorithm: &str, message: &[u8]) -> Vec<u8> {
        let random = SystemRandom::new();
        match algorithm {
            "RS256" => {
                let mut signature = vec![0; self.rsa.public().modulus_len()];
                self.rsa.sign(&RSA_PKCS1_SHA256, &random, message, &mut signature).expect("a signature");
                signature
            }
            "ES256" => self.curve.sign(&random, message).expect("a signature").as_ref().to_vec(),
            "EdDSA" => self.edwards.sign(message).as_ref().to_vec(),
            // The public key is no secret: whoever took it for one would believe this.
            "HS256" => {
                hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, &self.modulus()), message).as_ref().to_vec()
            }
            _ => Vec::new(),
        }
    }
}

async fn describe(State(provider): State<Shared>) -> Json<Value> {
    let provider = provider.lock().expect("nobody panicked");
    let issuer = provider.issuer();
    let mut described = json!({
        "issuer": issuer, "authorization_endpoint": format!("{issuer}/authorize?tenant=t"),
        "token_endpoint": format!("{issuer}/token"), "jwks_uri": format!("{issuer}/jwks"),
        "scopes_supported": ["openid", "email", "groups", "other"],
    });
    for (name, value) in provider.behaviour.description.as_object().expect("changes") {
        described[name] = value.clone();
    }
    Json(described)
}

async fn authorize(State(provider): State<Shared>, Query(query): Query<Words>) -> Response {
    for (name, expected) in [
        ("client_id", "drover"),
        ("response_type", "code"),
        ("code_challenge_method", "S256"),
        ("scope", "openid email groups"),
        ("tenant", "t"),
    ] {
        if query.get(name).map(String::as_str) != Some(expected) {
            return (StatusCode::BAD_REQUEST, format!("{name}: {query:?}")).into_response();
        }
    }
    let mut provider = provider.lock().expect("nobody panicked");
    let code = format!("code-{}", provider.codes.len());
    let word = |name: &str| query.get(name).cloned().unwrap_or_default();
    let granted =
        Granted { nonce: word("nonce"), challenge: word("code_challenge"), back: word("redirect_uri") };
    provider.codes.insert(code.clone(), granted);
    let place = format!("{}?code={code}&state={}&session_state=x", word("redirect_uri"), word("state"));
    (StatusCode::FOUND, [(header::LOCATION, place)]).into_response()
}

async fn redeem(State(provider): State<Shared>, headers: HeaderMap, form: String) -> Response {
    let form = words(&form);
    let refuse = |what: &str| (StatusCode::BAD_REQUEST, Json(json!({ "error": what }))).into_response();
    let mut provider = provider.lock().expect("nobody panicked");
    let encoded = percent_encoding::utf8_percent_encode(CLIENT_SECRET, percent_encoding::NON_ALPHANUMERIC);
    let basic = format!("Basic {}", STANDARD.encode(format!("drover:{encoded}")));
    if headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok()) != Some(&basic) {
        return refuse("invalid_client");
    }
    let word = |name: &str| form.get(name).map(String::as_str).unwrap_or_default();
    let Some(granted) = provider.codes.remove(word("code")) else { return refuse("invalid_grant") };
    let challenge = text(digest::digest(&digest::SHA256, word("code_verifier").as_bytes()).as_ref());
    if granted.challenge != challenge || granted.back != word("redirect_uri") {
        return refuse("invalid_grant");
    }
    Json(json!({ "access_token": "x", "token_type": "Bearer", "id_token": provider.token(&granted.nonce) }))
        .into_response()
}

/// Starts a provider.
async fn provider(behaviour: Behaviour) -> Shared {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    let shared = Arc::new(Mutex::new(Provider::new(address, behaviour)));
    let keys = |State(provider): State<Shared>| async move {
        Json(provider.lock().expect("nobody panicked").keys())
    };
    let router = Router::new()
        .route("/.well-known/openid-configuration", get(describe))
        .route("/jwks", get(keys))
        .route("/authorize", get(authorize))
        .route("/token", post(redeem))
        .with_state(Arc::clone(&shared));
    tokio::spawn(async move { axum::serve(listener, router).await });
    shared
}

fn desk_file(issuer: &str) -> String {
    format!(
        "access:\n  oidc:\n    issuer: \"{issuer}\"\n    client_id: drover\n    client_secret: \"env:SECRET\"\n    \
         roles: {{ ops: operator, readers: viewer, chiefs: admin, \
         eastern: {{ role: admin, clusters: [member1] }}, \
         east: {{ role: operator, clusters: [member1] }}, west: {{ role: operator, clusters: [member2] }} }}\n"
    )
}

fn keys() -> Keys {
    Keys { client_secret: Some(Secret::received(CLIENT_SECRET)), ..Keys::default() }
}

/// A browser on its way from the desk to the provider and back.
struct Walk {
    address: SocketAddr,
    cookie: String,
    /// Where the provider sends it.
    callback: String,
}

fn location(reply: &Reply) -> String {
    reply.header("location").unwrap_or_else(|| panic!("{} {}", reply.status, reply.text())).to_owned()
}

fn path_of(url: &str) -> String {
    let rest = url.strip_prefix("http://").expect("an address");
    rest[rest.find('/').expect("a path")..].to_owned()
}

impl Walk {
    fn begin(address: SocketAddr, provider: &Shared) -> Self {
        let sent = call(address, "GET", "/login/oidc?back=/recommendations%3Fstage=pending", &[], None);
        assert_eq!(sent.status, 303, "{}", sent.text());
        let set = sent.header("set-cookie").expect("a cookie");
        assert!(set.contains("HttpOnly; SameSite=Lax") && set.contains("Path=/login/oidc"), "{set}");
        let cookie = format!("drover_login={}", sent.cookie("drover_login").expect("a cookie"));
        let idp = provider.lock().expect("nobody panicked").address;
        let back = call(idp, "GET", &path_of(&location(&sent)), &[], None);
        assert_eq!(back.status, 302, "{}", back.text());
        Self { address, cookie, callback: path_of(&location(&back)) }
    }

    fn finish(&self) -> Reply {
        call(self.address, "GET", &self.callback, &[("cookie", &self.cookie)], None)
    }
}

fn who(address: SocketAddr, reply: &Reply) -> Value {
    let cookie = format!("drover_session={}", reply.cookie("drover_session").expect("a session"));
    call(address, "GET", "/api/v1/session", &[("cookie", &cookie)], None).json()
}

#[test]
fn an_operator_signs_in_with_the_provider() {
    on_each_location(|place| {
        // The provider has to be there before the desk's file can name it, and a desk opens outside the runtime.
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .expect("a runtime");
        let provider = runtime.block_on(provider(Behaviour::default()));
        let issuer = provider.lock().expect("nobody panicked").issuer();
        let desk = BoxDesk::open_with_keys(place, &desk_file(&issuer), &keys());
        let auditor = format!("Bearer {}", desk.secret(Role::Auditor).reveal());
        runtime.block_on(async {
            let (address, _stop) = desk.listen().await;
            let ways = call(address, "GET", "/api/v1/session/ways", &[], None).json();
            assert_eq!(ways["identityProvider"], issuer.as_str());
            let walk = Walk::begin(address, &provider);
            let back = walk.finish();
            assert_eq!(
                (back.status, back.header("location")),
                (303, Some("/recommendations?stage=pending")),
                "{}",
                back.text()
            );
            let me = who(address, &back);
            assert_eq!((&me["role"], &me["by"]), (&json!("operator"), &json!("session")), "{me}");
            let name = me["name"].as_str().expect("a name").to_owned();
            assert!(name.starts_with("anna-example.org-"), "{name}");
            let again = walk.finish();
            assert_eq!(again.status, 401, "a state counts once");
            assert_eq!(
                who(address, &Walk::begin(address, &provider).finish())["name"],
                name.as_str(),
                "the same person"
            );
            let path = "/api/v1/audit?kind=session.opened&limit=1";
            let record = call(address, "GET", path, &[("authorization", &auditor)], None).json();
            assert_eq!(record["items"][0]["actor"], format!("person:{name}"));
            assert_eq!(record["items"][0]["body"]["how"], "identity-provider");
        });
        Ok(())
    });
}

/// Signs in with a provider that behaves like this and says how it ended.
fn attempt(behaviour: Behaviour) -> (u16, Value) {
    let folder = Folder::new("oidc");
    let place = format!("sqlite:{}", folder.path().join("drover.db").display());
    block_on(async {
        let provider = provider(behaviour).await;
        let issuer = provider.lock().expect("nobody panicked").issuer();
        let desk = BoxDesk::open_with_keys(&place.parse().expect("a place"), &desk_file(&issuer), &keys());
        let (address, _stop) = desk.listen().await;
        let reply = Walk::begin(address, &provider).finish();
        let told = if reply.status == 303 { who(address, &reply) } else { reply.json() };
        assert_eq!(reply.status == 303, reply.cookie("drover_session").is_some(), "{told}");
        (reply.status, told)
    })
}

#[test]
fn every_kind_of_key_counts() {
    for algorithm in ["RS256", "ES256", "EdDSA"] {
        let (status, me) = attempt(Behaviour { algorithm, ..Behaviour::default() });
        assert_eq!((status, &me["role"]), (303, &json!("operator")), "{algorithm}: {me}");
    }
}

#[test]
fn what_is_forged_or_meant_for_others_lets_nobody_in() {
    let now = wall_ms() / 1000;
    let with = |claims: Value| Behaviour { claims, ..Behaviour::default() };
    let signed = |algorithm, key_id| Behaviour { algorithm, key_id, ..Behaviour::default() };
    for (behaviour, status) in [
        (with(json!({ "aud": "somebody-else" })), 401),
        (with(json!({ "aud": ["drover", "somebody-else"] })), 401),
        (with(json!({ "azp": "somebody-else" })), 401),
        (with(json!({ "iss": "https://evil.test" })), 401),
        (with(json!({ "nonce": "another" })), 401),
        (with(json!({ "nonce": null })), 401),
        (with(json!({ "exp": now - 120 })), 401),
        (with(json!({ "iat": now + 600 })), 401),
        (with(json!({ "sub": "" })), 401),
        (with(json!({ "sub": null })), 401),
        (with(json!({ "groups": null })), 403),
        (with(json!({ "groups": ["strangers"] })), 403),
        (with(json!({ "groups": { "ops": true } })), 403),
        (signed("none", None), 401),
        (signed("HS256", Some("RS256")), 401),
        (signed("HS256", Some("HS256")), 401),
        (signed("EdDSA", Some("RS256")), 401),
        (signed("RS256", Some("unknown")), 401),
    ] {
        let shown = format!("{behaviour:?}");
        let (found, told) = attempt(behaviour);
        assert_eq!(found, status, "{shown}: {told}");
    }
}

#[test]
fn people_have_the_role_that_may_do_most_and_a_name_of_their_own() {
    let with = |claims: Value| attempt(Behaviour { claims, ..Behaviour::default() }).1;
    let chief =
        with(json!({ "groups": ["readers", "chiefs", "ops"], "email_verified": false, "sub": "carl" }));
    assert_eq!(
        (&chief["role"], &chief["name"]),
        (&json!("admin"), &json!("carl")),
        "an unverified address is no name"
    );
    let sly = with(json!({ "email": null, "sub": "keep-headroom" }));
    assert!(sly["name"].as_str().is_some_and(|name| name.starts_with("keep-headroom-")), "{sly}");
    let token = with(json!({ "email": null, "sub": "agent" }));
    assert!(
        token["name"].as_str().is_some_and(|name| name.starts_with("agent-")),
        "an agent has this name: {token}"
    );
}

#[test]
fn groups_may_be_held_to_parts_of_the_federation() {
    let with = |groups: &[&str]| {
        attempt(Behaviour { claims: json!({ "groups": groups }), ..Behaviour::default() }).1
    };
    let clusters = |me: &Value| me["scope"]["clusters"].clone();
    let east = with(&["east", "readers"]);
    assert_eq!((&east["role"], clusters(&east)), (&json!("operator"), json!(["member1"])), "{east}");
    assert_eq!(clusters(&with(&["east", "west"])), json!(["member1", "member2"]), "both parts");
    let everywhere = with(&["west", "ops"]);
    assert!(clusters(&everywhere).as_array().is_none_or(Vec::is_empty), "{everywhere}");
}

/// Whoever runs a part of the federation hands out its tokens, and not the names of people who have more.
#[test]
fn nobody_of_a_part_speaks_for_whom_the_provider_knows() {
    let folder = Folder::new("namesake");
    let place = format!("sqlite:{}", folder.path().join("drover.db").display());
    block_on(async {
        let claims = |name: &str, group: &str| json!({ "email": null, "sub": name, "groups": [group] });
        let first = Behaviour { claims: claims("bob", "ops"), ..Behaviour::default() };
        let provider = provider(first).await;
        let issuer = provider.lock().expect("nobody panicked").issuer();
        let desk = BoxDesk::open_with_keys(&place.parse().expect("a place"), &desk_file(&issuer), &keys());
        let chief = format!("Bearer {}", desk.secret(Role::Admin).reveal());
        let (address, _stop) = desk.listen().await;
        assert_eq!(who(address, &Walk::begin(address, &provider).finish())["name"], "bob");
        provider.lock().expect("nobody panicked").behaviour.claims = claims("eve", "east");
        assert_eq!(who(address, &Walk::begin(address, &provider).finish())["name"], "eve");
        let wish =
            |name: &str| json!({ "name": name, "role": "admin", "scope": { "clusters": ["member1"] } });
        let as_who = |authorization: &str, name: &str| {
            let headers = [("authorization", authorization)];
            call(address, "POST", "/api/v1/tokens", &headers, Some(&wish(name).to_string()))
        };
        let issued = as_who(&chief, "carl").json();
        let bearer = format!("Bearer {}", issued["secret"].as_str().expect("a secret"));
        let ask = |name: &str| as_who(&bearer, name);
        let refused = ask("bob");
        assert_eq!(refused.status, 422, "{}", refused.text());
        assert!(refused.text().contains("bob is somebody outside your part"), "{}", refused.text());
        for theirs in ["eve", "dora"] {
            assert_eq!(ask(theirs).status, 201, "{theirs}");
        }
        // Nor does somebody with more come under a name that whoever has less already speaks with.
        provider.lock().expect("nobody panicked").behaviour.claims = claims("dora", "ops");
        let dora = who(address, &Walk::begin(address, &provider).finish())["name"].clone();
        assert!(dora.as_str().is_some_and(|name| name != "dora" && name.contains("dora")), "{dora}");
        provider.lock().expect("nobody panicked").behaviour.claims = claims("eve", "east");
        assert_eq!(
            who(address, &Walk::begin(address, &provider).finish())["name"],
            "eve",
            "as much as theirs"
        );
    });
}

#[test]
fn a_login_belongs_to_the_browser_that_began_it() {
    let folder = Folder::new("browser");
    let place = format!("sqlite:{}", folder.path().join("drover.db").display());
    block_on(async {
        let provider = provider(Behaviour::default()).await;
        let issuer = provider.lock().expect("nobody panicked").issuer();
        let desk = BoxDesk::open_with_keys(&place.parse().expect("a place"), &desk_file(&issuer), &keys());
        let (address, _stop) = desk.listen().await;
        let mut victim = Walk::begin(address, &provider);
        victim.cookie = "drover_login=another".to_owned();
        assert_eq!(victim.finish().status, 401, "another browser");
        let mut denied = Walk::begin(address, &provider);
        denied.callback = denied.callback.replace("code=", "error=access_denied&xcode=");
        assert_eq!(denied.finish().status, 401);
        denied.callback = denied.callback.replace("error=access_denied&xcode=", "code=");
        assert_eq!(denied.finish().status, 401, "it is over");
        let mut mixed = Walk::begin(address, &provider);
        mixed.callback += "&iss=https://evil.test";
        assert_eq!(mixed.finish().status, 401, "another provider");
        for path in ["/login/oidc/callback", "/login/oidc/callback?state=x&code=y"] {
            assert_eq!(call(address, "GET", path, &[], None).status, 401, "{path}");
        }
        for back in ["//evil.test", "https://evil.test", "/%5Cevil.test", "/%0d%0aset-cookie:x", "x"] {
            let reply = call(address, "GET", &format!("/login/oidc?back={back}"), &[], None);
            assert_eq!(reply.status, 400, "{back}");
        }
    });
}

#[test]
fn a_provider_that_is_not_the_one_is_not_asked() {
    for description in [
        json!({ "issuer": "https://evil.test" }),
        json!({ "token_endpoint": "http://evil.test/token" }),
        json!({ "jwks_uri": "ftp://127.0.0.1/keys" }),
        json!({ "authorization_endpoint": 7 }),
    ] {
        let folder = Folder::new("wrong");
        let place = format!("sqlite:{}", folder.path().join("drover.db").display());
        block_on(async {
            let provider =
                provider(Behaviour { description: description.clone(), ..Behaviour::default() }).await;
            let issuer = provider.lock().expect("nobody panicked").issuer();
            let desk =
                BoxDesk::open_with_keys(&place.parse().expect("a place"), &desk_file(&issuer), &keys());
            let (address, _stop) = desk.listen().await;
            let reply = call(address, "GET", "/login/oidc", &[], None);
            assert_eq!(reply.status, 503, "{description}: {}", reply.text());
            assert!(!reply.text().contains("evil"), "the log says why, nobody else");
        });
    }
}

#[test]
fn without_a_provider_there_is_no_such_door() {
    let folder = Folder::new("no-provider");
    let place = format!("sqlite:{}", folder.path().join("drover.db").display());
    let desk = BoxDesk::open(&place.parse().expect("a place"), "");
    block_on(async {
        let (address, _stop) = desk.listen().await;
        assert_eq!(call(address, "GET", "/login/oidc", &[], None).status, 404);
        assert_eq!(call(address, "GET", "/api/v1/session/ways", &[], None).json(), json!({}));
    });
}
