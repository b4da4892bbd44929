//! What an identity provider sends: keys and tokens, claims, answers; the first byte says which.
#![no_main]
use server::config::OidcConfig;
use server::testing::hostile::identity_provider;
use std::sync::LazyLock;

const FILE: &str = "
drover: desk/v1
world: { simulate: three-waves.yaml }
access:
  public_address: https://desk.test
  oidc:
    issuer: https://login.test
    client_id: drover
    groups_claim: realm_access.roles
    roles: { platform: admin, on-call: { role: operator, namespaces: [shop] }, night: { role: operator, namespaces: [bank] } }
";

static CONFIG: LazyLock<OidcConfig> = LazyLock::new(|| {
    let config = server::config::read("desk.yaml", FILE.as_bytes()).expect("a valid file");
    config.access.oidc.expect("a provider")
});

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((which, bytes)) = bytes.split_first() else { return };
    match which % 3 {
        0 => {
            let end = bytes.iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len());
            let token = bytes.get(end + 1..).unwrap_or_default();
            identity_provider::token(&bytes[..end], &String::from_utf8_lossy(token));
        }
        1 => identity_provider::claims(bytes, &CONFIG),
        _ => identity_provider::answers(bytes),
    }
});
