//! Every endpoint of the table, tried as nobody, as garbage, as somebody whose time is over, and as every role.

use crate::box_desk::{BoxDesk, block_on, request};
use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use server::access::{Role, Secret};
use server::api::endpoint::{Access, Endpoint};
use server::testing::Folder;

fn desk(folder: &Folder) -> BoxDesk {
    let place = format!("sqlite:{}", folder.path().join("drover.db").display());
    BoxDesk::open(
        &place.parse().expect("a place"),
        "limits: { requests_per_second: 100000, burst: 100000 }\n",
    )
}

/// The address of an endpoint with something in every gap.
fn path(endpoint: &Endpoint) -> String {
    let fill = |part: &str| if part.starts_with('{') { "x".to_owned() } else { part.to_owned() };
    endpoint.path.split('/').map(fill).collect::<Vec<_>>().join("/")
}

async fn status(desk: &BoxDesk, endpoint: &Endpoint, secret: Option<&Secret>) -> StatusCode {
    let body = (endpoint.method != Method::GET).then(|| json!({}));
    desk.send(request(endpoint.method.clone(), &path(endpoint), secret, body, &[])).await.status
}

/// Streams answer until the client leaves; whoever may have one is let in elsewhere.
fn is_stream(endpoint: &Endpoint) -> bool {
    endpoint.path == "/api/v1/events"
}

#[test]
fn nobody_gets_in_without_being_somebody() {
    block_on(async {
        let folder = Folder::new("nobody");
        let desk = desk(&folder);
        let (garbage, late) = (Secret::received("garbage"), desk.expired(Role::Admin));
        for endpoint in server::api::endpoints() {
            for secret in [None, Some(&garbage), Some(&late)] {
                let status = status(&desk, &endpoint, secret).await;
                let refused = status == StatusCode::UNAUTHORIZED;
                assert_eq!(
                    refused,
                    endpoint.access != Access::Open,
                    "{} {} {status}",
                    endpoint.method,
                    endpoint.path
                );
            }
        }
    });
}

#[test]
fn every_role_may_do_what_the_table_says_and_nothing_else() {
    block_on(async {
        let folder = Folder::new("roles");
        let desk = desk(&folder);
        for endpoint in server::api::endpoints().into_iter().filter(|endpoint| !is_stream(endpoint)) {
            for role in Role::ALL {
                let status = status(&desk, &endpoint, Some(desk.secret(role))).await;
                let allowed = match endpoint.access {
                    Access::Open => true,
                    Access::Needs(right) => role.may(right),
                };
                let shown = format!("{} {} as {role}: {status}", endpoint.method, endpoint.path);
                assert_eq!(status == StatusCode::FORBIDDEN, !allowed, "{shown}");
                assert_ne!(status, StatusCode::UNAUTHORIZED, "{shown}");
                assert!(!status.is_server_error(), "{shown}");
            }
        }
    });
}

#[test]
fn the_document_names_every_endpoint_with_its_roles() {
    let endpoints = server::api::endpoints();
    let document = server::api::openapi::document(&endpoints);
    for endpoint in &endpoints {
        let operation = &document["paths"][endpoint.path][endpoint.method.as_str().to_lowercase()];
        assert_eq!(operation["operationId"], endpoint.operation);
        assert!(
            !operation["summary"].as_str().unwrap_or_default().is_empty(),
            "{} has no summary",
            endpoint.path
        );
        let roles = match endpoint.access {
            Access::Open => Value::Null,
            Access::Needs(right) => json!(right.holders().into_iter().map(Role::as_str).collect::<Vec<_>>()),
        };
        assert_eq!(operation["x-drover-roles"], roles, "{}", endpoint.path);
    }
    let mut names: Vec<&str> = endpoints.iter().map(|endpoint| endpoint.operation).collect();
    names.sort_unstable();
    let all = names.len();
    names.dedup();
    assert_eq!(names.len(), all, "two endpoints have the same name");
}

#[test]
fn agents_can_never_decide() {
    for endpoint in server::api::endpoints() {
        let decides = endpoint.path.contains("/decisions") || endpoint.path.contains("/target");
        if let (true, Access::Needs(right)) = (decides, endpoint.access) {
            assert!(!Role::Agent.may(right), "{}", endpoint.path);
        }
    }
}

#[test]
fn the_committed_document_is_the_one_that_is_served() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../openapi.json");
    let document = server::api::openapi::document(&server::api::endpoints());
    let text = format!("{document:#}\n");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(path, &text).expect("the document can be written");
    }
    let committed = std::fs::read_to_string(path).unwrap_or_default();
    assert!(committed == text, "openapi.json is not what the endpoints say; run `make fix`");
}
