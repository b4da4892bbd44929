//! People at a browser: let in, protected from pages of others, and gone when they leave.

use crate::box_desk::{BoxDesk, block_on};
use crate::wire::{Reply, call};
use control::agent::Scope;
use model::names::ClusterName;
use serde_json::{Value, json};
use server::access::{Role, Secret, one_time};
use server::clock::wall_ms;
use server::storage::Location;
use server::testing::{Folder, on_each_location};
use std::net::SocketAddr;

fn file(folder: &Folder) -> Location {
    format!("sqlite:{}", folder.path().join("drover.db").display()).parse().expect("a place")
}

fn code(desk: &BoxDesk, role: Role) -> Secret {
    let now = wall_ms();
    let made =
        desk.service.database().write(|transaction| one_time(transaction, role, None, now, now + 60_000));
    made.expect("a code")
}

fn sign_in(address: SocketAddr, body: &Value, headers: &[(&str, &str)]) -> Reply {
    // With the same name for each request, the same refusals have the same words.
    let headers: Vec<(&str, &str)> = headers.iter().copied().chain([("x-request-id", "sign-in")]).collect();
    call(address, "POST", "/api/v1/session", &headers, Some(&body.to_string()))
}

/// A browser that is signed in.
struct Browser {
    address: SocketAddr,
    cookie: String,
    csrf: String,
}

impl Browser {
    fn new(address: SocketAddr, reply: &Reply) -> Self {
        assert_eq!(reply.status, 201, "{}", reply.text());
        let csrf = reply.json()["csrfToken"].as_str().expect("a token for changes").to_owned();
        Self { address, cookie: reply.cookie("drover_session").expect("a cookie"), csrf }
    }

    fn send(&self, method: &str, path: &str, more: &[(&str, &str)], body: Option<&Value>) -> Reply {
        let cookie = format!("drover_session={}", self.cookie);
        let headers: Vec<(&str, &str)> = [("cookie", cookie.as_str())].iter().chain(more).copied().collect();
        call(self.address, method, path, &headers, body.map(ToString::to_string).as_deref())
    }

    fn get(&self, path: &str) -> Reply {
        self.send("GET", path, &[], None)
    }
}

fn freeze() -> Value {
    json!({ "scope": "everything", "reason": "a drill" })
}

/// Whoever runs a part of the federation hands out its tokens, and not the names of people who came in by a link.
#[test]
fn nobody_of_a_part_speaks_for_whom_a_link_let_in() {
    let folder = Folder::new("linked");
    let desk = BoxDesk::open(&file(&folder), "");
    let code = code(&desk, Role::Admin);
    let part = Scope { clusters: [ClusterName::new("member1").expect("a name")].into(), ..Scope::default() };
    let keeper = format!("Bearer {}", desk.scoped("keeper", Role::Admin, part).reveal());
    block_on(async {
        let (address, _stop) = desk.listen().await;
        let reply = sign_in(address, &json!({ "code": code.reveal() }), &[]);
        let name = Browser::new(address, &reply).get("/api/v1/session").json()["name"].clone();
        let ask = |name: &Value| {
            let wish = json!({ "name": name, "role": "admin", "scope": { "clusters": ["member1"] } });
            let headers = [("authorization", keeper.as_str())];
            call(address, "POST", "/api/v1/tokens", &headers, Some(&wish.to_string()))
        };
        let refused = ask(&name);
        assert_eq!(refused.status, 422, "{}", refused.text());
        assert!(refused.text().contains("is somebody outside your part"), "{}", refused.text());
        assert_eq!(ask(&json!("dora")).status, 201);
    });
}

#[test]
fn a_code_opens_a_session_that_only_our_own_page_can_use() {
    on_each_location(|location| {
        let desk = BoxDesk::open(location, "");
        let code = code(&desk, Role::Operator);
        let auditor = desk.secret(Role::Auditor).reveal().to_owned();
        block_on(async {
            let (address, _stop) = desk.listen().await;
            let reply = sign_in(address, &json!({ "code": code.reveal() }), &[]);
            let browser = Browser::new(address, &reply);
            let set = reply.header("set-cookie").expect("a cookie");
            assert!(set.contains("; HttpOnly; SameSite=Strict") && set.contains("Path=/"), "{set}");
            assert!(!set.contains("Secure"), "{set}");
            let told = reply.json();
            assert_eq!(
                (&told["name"], &told["role"], &told["by"]),
                (&json!("operator"), &json!("operator"), &json!("session"))
            );
            assert!(told["rights"].as_array().expect("rights").contains(&json!("decide")), "{told}");
            let again = sign_in(address, &json!({ "code": code.reveal() }), &[]);
            assert_eq!(again.status, 401, "a code counts once");

            let me = browser.get("/api/v1/session").json();
            assert_eq!(me["csrfToken"], browser.csrf.as_str(), "a page that is loaded again learns the same");
            assert_eq!((&me["name"], &me["endsWall"]), (&told["name"], &told["endsWall"]));

            let (own, csrf) = (format!("http://{address}"), browser.csrf.as_str());
            let freezes = "/api/v1/freezes";
            let wrong = [("x-csrf-token", browser.cookie.as_str())];
            for (headers, because) in
                [(&[][..], "only with the header X-CSRF-Token"), (&wrong, "another session")]
            {
                let refused = browser.send("POST", freezes, headers, Some(&freeze()));
                let told = refused.json()["detail"].as_str().unwrap_or_default().to_owned();
                assert!(refused.status == 403 && told.contains(because), "{}: {told}", refused.status);
            }
            let foreign = [("x-csrf-token", csrf), ("origin", "https://evil.test")];
            assert_eq!(browser.send("POST", freezes, &foreign, Some(&freeze())).status, 403);
            let ours = [("x-csrf-token", csrf), ("origin", own.as_str())];
            assert_eq!(browser.send("POST", freezes, &ours, Some(&freeze())).status, 201);

            let left = browser.send("DELETE", "/api/v1/session", &ours, None);
            assert_eq!((left.status, left.cookie("drover_session").as_deref()), (204, Some("")));
            assert_eq!(browser.get("/api/v1/session").status, 401);
            let bearer = format!("Bearer {auditor}");
            let path = "/api/v1/audit?kind=session.opened,session.closed&ascending=true";
            let record = call(address, "GET", path, &[("authorization", &bearer)], None).json();
            let via: Vec<&str> = record["items"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(|entry| entry["via"].as_str())
                .collect();
            let number = record["items"][0]["subject"].as_str().expect("a number");
            assert_eq!(via, ["one-time link", &format!("session:{number}")], "{record}");
            let shown: Vec<_> = record["items"]
                .as_array()
                .expect("items")
                .iter()
                .map(|it| (&it["kind"], &it["actor"]))
                .collect();
            let actor = json!("person:operator");
            assert_eq!(shown, [(&json!("session.opened"), &actor), (&json!("session.closed"), &actor)]);
            let verified =
                call(address, "GET", "/api/v1/audit/verification", &[("authorization", &bearer)], None);
            assert_eq!(verified.json()["intact"], true);
        });
        Ok(())
    });
}

#[test]
fn whoever_fails_too_often_has_to_wait() {
    block_on(async {
        let folder = Folder::new("guesses");
        let desk = BoxDesk::open(&file(&folder), "");
        let code = code(&desk, Role::Viewer);
        let bearer = format!("Bearer {}", desk.secret(Role::Auditor).reveal());
        let (address, _stop) = desk.listen().await;
        let guess = |text: &str| sign_in(address, &json!({ "token": text }), &[]);
        let refused: Vec<Reply> = (0..10).map(|_| guess("drover_guess")).collect();
        assert!(refused.iter().all(|reply| reply.status == 401 && reply.body == refused[0].body));
        let slowed = guess("drover_guess");
        assert_eq!(slowed.status, 429);
        assert!(slowed.header("retry-after").is_some());
        let late = sign_in(address, &json!({ "code": code.reveal() }), &[]);
        assert_eq!(late.status, 201, "whoever has a secret comes in however many others guess");
        let again = sign_in(address, &json!({ "code": code.reveal() }), &[]);
        assert_eq!(again.status, 429, "a code that was used is a guess like any other");
        let path = "/api/v1/audit?kind=session.refused";
        let record = call(address, "GET", path, &[("authorization", &bearer)], None).json();
        let entry = &record["items"][0];
        assert_eq!((&record["total"], &entry["subject"]), (&json!(1), &json!("127.0.0.1")), "{record}");
        assert_eq!(entry["body"], json!({ "how": "token", "attempts": 1, "request": "sign-in" }));
    });
}

#[test]
fn behind_a_proxy_everybody_has_an_address_of_their_own() {
    block_on(async {
        for (trusted, from, last) in
            [("[127.0.0.1]", "198.51.100.7", 401), ("[10.0.0.0/8]", "127.0.0.1", 429)]
        {
            let folder = Folder::new("proxy");
            let desk = BoxDesk::open(&file(&folder), &format!("access: {{ trusted_proxies: {trusted} }}\n"));
            let bearer = format!("Bearer {}", desk.secret(Role::Auditor).reveal());
            let (address, _stop) = desk.listen().await;
            let guess = |way: &str| {
                sign_in(address, &json!({ "token": "drover_guess" }), &[("x-forwarded-for", way)]).status
            };
            for number in 0..10 {
                assert_eq!(guess(&format!("203.0.113.{number}, 198.51.100.7")), 401);
            }
            assert_eq!(guess("198.51.100.7"), 429, "they cannot give themselves another address");
            assert_eq!(guess("198.51.100.8"), last, "only a proxy that is named is believed");
            let path = "/api/v1/audit?kind=session.refused&ascending=true";
            let record = call(address, "GET", path, &[("authorization", &bearer)], None).json();
            assert_eq!(record["items"][0]["subject"], from, "{record}");
        }
    });
}

#[test]
fn whoever_has_left_is_signed_out_everywhere() {
    on_each_location(|location| {
        let desk = BoxDesk::open(location, "");
        let codes = [code(&desk, Role::Operator), code(&desk, Role::Viewer)];
        let bearer = |role| format!("Bearer {}", desk.secret(role).reveal());
        let (admin, operator) = (bearer(Role::Admin), bearer(Role::Operator));
        block_on(async {
            let (address, _stop) = desk.listen().await;
            let open = |code: &Secret| {
                Browser::new(address, &sign_in(address, &json!({ "code": code.reveal() }), &[]))
            };
            let browsers = codes.each_ref().map(open);
            let end = |by: &str, name: &str| {
                let path = format!("/api/v1/sessions/{name}");
                call(address, "DELETE", &path, &[("authorization", by)], None).status
            };
            assert_eq!(end(&operator, "operator"), 403);
            assert_eq!(end(&admin, "nobody-here"), 404);
            assert!(browsers.iter().all(|browser| browser.get("/api/v1/session").status == 200));
            assert_eq!(end(&admin, "operator"), 204);
            assert!(browsers.iter().all(|browser| browser.get("/api/v1/session").status == 401));
            assert_eq!(end(&admin, "operator"), 404);
            let path = "/api/v1/audit?kind=session.closed";
            let told = call(address, "GET", path, &[("authorization", &admin)], None).json();
            let entry = &told["items"][0];
            assert_eq!((&entry["actor"], &entry["subject"]), (&json!("person:admin"), &json!("operator")));
            assert_eq!(entry["body"]["sessionsEnded"], 2, "{told}");
        });
        Ok(())
    });
}

#[test]
fn what_lets_nobody_in_is_refused_without_saying_why() {
    block_on(async {
        let folder = Folder::new("refusals");
        let desk = BoxDesk::open(&file(&folder), "");
        let agent = desk.secret(Role::Agent).reveal().to_owned();
        let late = desk.expired(Role::Admin).reveal().to_owned();
        let viewer = desk.secret(Role::Viewer).reveal().to_owned();
        let (address, _stop) = desk.listen().await;
        let bodies: Vec<String> = [agent.as_str(), &late, "drover_guess", ""]
            .iter()
            .map(|token| sign_in(address, &json!({ "token": token }), &[]))
            .map(|reply| format!("{} {}", reply.status, reply.text()))
            .collect();
        assert!(bodies.iter().all(|body| body.starts_with("401") && *body == bodies[0]), "{bodies:?}");
        for (body, status) in [
            (json!({}), 422),
            (json!({ "token": viewer, "code": "once_x" }), 422),
            (json!({ "token": viewer, "role": "admin" }), 422),
            (json!([]), 422),
            (json!({ "token": 7 }), 422),
        ] {
            assert_eq!(sign_in(address, &body, &[]).status, status, "{body}");
        }
        let foreign = sign_in(address, &json!({ "token": viewer }), &[("origin", "https://evil.test")]);
        assert_eq!(foreign.status, 403);
        let form = [("content-type", "text/plain")];
        assert_eq!(sign_in(address, &json!({ "token": viewer }), &form).status, 415);
        let browser = Browser::new(address, &sign_in(address, &json!({ "token": viewer }), &[]));
        assert_eq!(browser.get("/api/v1/session").json()["name"], "viewer");
        let bearer = format!("Bearer {viewer}");
        let ended = call(address, "DELETE", "/api/v1/session", &[("authorization", &bearer)], None);
        assert_eq!(ended.status, 404, "a token is no session");
    });
}

#[test]
fn behind_https_the_cookie_stays_there() {
    block_on(async {
        let folder = Folder::new("https");
        let more = "access: { public_address: \"https://drover.example.org\" }\n";
        let desk = BoxDesk::open(&file(&folder), more);
        let code = code(&desk, Role::Viewer);
        let (address, _stop) = desk.listen().await;
        let ours = [("origin", "https://drover.example.org")];
        let reply = sign_in(address, &json!({ "code": code.reveal() }), &ours);
        assert!(reply.header("set-cookie").is_some_and(|set| set.ends_with("; Secure")), "{reply:?}");
    });
}

#[test]
fn no_secret_is_kept() {
    block_on(async {
        let folder = Folder::new("secrets");
        let desk = BoxDesk::open(&file(&folder), "");
        let code = code(&desk, Role::Admin);
        let (address, stop) = desk.listen().await;
        let browser = Browser::new(address, &sign_in(address, &json!({ "code": code.reveal() }), &[]));
        let csrf = [("x-csrf-token", browser.csrf.as_str()), ("idempotency-key", "k")];
        let wish = json!({ "name": "reporter", "role": "viewer" });
        let made = browser.send("POST", "/api/v1/tokens", &csrf, Some(&wish)).json();
        let token = made["secret"].as_str().expect("a secret").to_owned();
        drop(stop);
        let secrets = [code.reveal(), &browser.cookie, &browser.csrf, &token];
        for file in std::fs::read_dir(folder.path()).expect("the folder of the database") {
            let path = file.expect("a file").path();
            let bytes = std::fs::read(&path).unwrap_or_default();
            for secret in secrets {
                let found = bytes.windows(secret.len()).any(|part| part == secret.as_bytes());
                assert!(!found, "a secret is in {}", path.display());
            }
        }
    });
}
