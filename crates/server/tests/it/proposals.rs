//! Plans from outside: what an agent or a person may put on the desk, and what became of each draft.

use crate::box_desk::{Answer, BoxDesk, block_on, request};
use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use server::access::{Role, Secret};
use server::storage::Location;
use server::testing::{Folder, on_each_location};

const PATH: &str = "/api/v1/recommendations";

fn file(folder: &Folder) -> Location {
    format!("sqlite:{}", folder.path().join("drover.db").display()).parse().expect("a place")
}

fn migrate(workload: &str, to: &str) -> Value {
    json!({
        "action": { "kind": "migrate", "workload": workload, "from": "member1", "to": to, "replicas": 2 },
        "reason": "There is more room.",
    })
}

async fn propose(desk: &BoxDesk, secret: &Secret, body: Value) -> Answer {
    desk.send(request(Method::POST, PATH, Some(secret), Some(body), &[])).await
}

fn outcomes(answer: &Answer) -> Vec<&str> {
    let results = answer.body["results"].as_array().unwrap_or_else(|| panic!("{}", answer.body));
    results.iter().map(|result| result["outcome"].as_str().expect("an outcome")).collect()
}

#[test]
fn an_agent_learns_what_became_of_every_draft() {
    on_each_location(|location| {
        let desk = &BoxDesk::open(location, "prediction: { enabled: false }\n");
        let mover = desk.another("mover", Role::Agent);
        block_on(async {
            let early =
                propose(desk, &mover, json!({ "drafts": [migrate("default/frontend", "member2")] })).await;
            assert_eq!(early.status, StatusCode::SERVICE_UNAVAILABLE, "{}", early.body);
            desk.advance(40).await;
            let mut evident = migrate("default/frontend", "member2");
            evident["evidence"] =
                json!([{ "subject": "member1", "signal": "load", "value": "0.9", "limit": "0.8" }]);
            evident["alternatives"] = json!([{ "option": "stay", "rejectedBecause": "It is full." }]);
            let gone = migrate("default/nobody", "member2");
            let nowhere = migrate("default/api-gateway", "member9");
            let drafts = json!({ "drafts": [evident.clone(), gone, nowhere] });
            let first = propose(desk, &mover, drafts.clone()).await;
            assert_eq!(outcomes(&first), ["accepted", "refused", "refused"], "{}", first.body);
            let id = first.body["results"][0]["id"].as_str().expect("a number").to_owned();
            assert!(first.body["results"][1]["problem"]["detail"].as_str().expect("why").contains("nobody"));
            let shown = desk.get(Role::Viewer, &format!("{PATH}/{id}")).await.body;
            assert_eq!((&shown["agent"], &shown["stage"]), (&json!("mover"), &json!("pending")), "{shown}");
            assert_eq!(shown["evidence"][0]["value"], "0.9");

            let again = propose(desk, &mover, drafts).await;
            assert_eq!(outcomes(&again), ["kept", "refused", "refused"], "{}", again.body);
            assert_eq!(again.body["results"][0]["id"], id.as_str());
            let other = json!({ "drafts": [migrate("default/user-service", "member2")], "complete": true });
            let other = propose(desk, &mover, other).await;
            assert_eq!(outcomes(&other), ["accepted"], "{}", other.body);
            let shown = desk.get(Role::Viewer, &format!("{PATH}/{id}")).await.body;
            assert_eq!(shown["stage"], "superseded", "what it does not repeat ends");
            let record = desk.get(Role::Auditor, "/api/v1/audit?actor=agent:mover").await.body;
            assert!(record["total"].as_i64() >= Some(3), "{record}");
        });
        Ok(())
    });
}

#[test]
fn a_person_proposes_and_somebody_else_approves() {
    on_each_location(|location| {
        let desk = &BoxDesk::open(location, "prediction: { enabled: false }\n");
        block_on(async {
            desk.advance(40).await;
            let operator = desk.secret(Role::Operator);
            let drafts = json!({ "drafts": [migrate("default/frontend", "member2")] });
            let made = propose(desk, operator, drafts.clone()).await;
            assert_eq!(outcomes(&made), ["accepted"], "{}", made.body);
            let id = made.body["results"][0]["id"].as_str().expect("a number").to_owned();
            let again = propose(desk, operator, drafts).await;
            assert_eq!((outcomes(&again), &again.body["results"][0]["id"]), (vec!["kept"], &json!(id)));
            let own = desk.decide(operator, &id, json!({ "verdict": "approve" })).await;
            assert_eq!(own.body["code"], "self-approval", "{}", own.body);
            let other = desk.decide(desk.secret(Role::Admin), &id, json!({ "verdict": "approve" })).await;
            assert_eq!(
                (other.status, &other.body["plannedBy"]),
                (StatusCode::OK, &json!("operator")),
                "{}",
                other.body
            );
        });
        Ok(())
    });
}

#[test]
fn nobody_proposes_beyond_their_part() {
    block_on(async {
        let folder = Folder::new("part");
        let desk = BoxDesk::open(&file(&folder), "");
        desk.advance(40).await;
        for role in ["agent", "operator"] {
            let wish = json!({ "name": format!("local-{role}"), "role": role, "scope": { "clusters": ["member1"] } });
            let made = desk.post(Role::Admin, "/api/v1/tokens", wish, &[]).await.body;
            let local = Secret::received(made["secret"].as_str().expect("a secret"));
            let answer =
                propose(&desk, &local, json!({ "drafts": [migrate("default/frontend", "member2")] })).await;
            assert_eq!(outcomes(&answer), ["refused"], "{}", answer.body);
            assert_eq!(answer.body["results"][0]["problem"]["code"], "forbidden");
            let wish =
                json!({ "name": format!("shop-{role}"), "role": role, "scope": { "namespaces": ["shop"] } });
            let made = desk.post(Role::Admin, "/api/v1/tokens", wish, &[]).await.body;
            let local = Secret::received(made["secret"].as_str().expect("a secret"));
            let resize =
                json!({ "kind": "resize_pool", "cluster": "member1", "pool": "nodes", "from": 1, "to": 2 });
            let draft = json!({ "action": resize, "reason": "There is no room." });
            let answer = propose(&desk, &local, json!({ "drafts": [draft] })).await;
            assert_eq!(answer.body["results"][0]["problem"]["code"], "forbidden", "{}", answer.body);
        }
    });
}

#[test]
fn hostile_proposals_are_refused_with_their_place() {
    block_on(async {
        let folder = Folder::new("hostile");
        let desk = BoxDesk::open(&file(&folder), "");
        desk.advance(40).await;
        let mover = desk.another("mover", Role::Agent);
        let good = || migrate("default/frontend", "member2");
        let with = |change: &dyn Fn(&mut Value)| {
            let mut draft = good();
            change(&mut draft);
            json!({ "drafts": [draft] })
        };
        let many = |count: usize| json!({ "drafts": vec![good(); count] });
        let as_agent = [
            (many(0), "drafts"),
            (many(201), "drafts"),
            (many(2), "drafts[1].action"),
            (with(&|draft| draft["reason"] = json!(" ")), "drafts[0].reason"),
            (with(&|draft| draft["reason"] = json!("x".repeat(2001))), "drafts[0].reason"),
            (with(&|draft| draft["reason"] = json!("red \u{1b}[31m")), "drafts[0].reason"),
            (with(&|draft| draft["action"]["to"] = json!("Member 2")), "drafts[0].action.to"),
            (with(&|draft| draft["action"]["workload"] = json!("a/b/c/d")), "drafts[0].action.workload"),
            (with(&|draft| draft["undoes"] = json!("R-1")), "drafts[0].undoes"),
            (
                with(&|draft| {
                    draft["evidence"] = json!([{ "subject": "x".repeat(201), "signal": "", "value": "" }]);
                }),
                "drafts[0].evidence",
            ),
        ];
        for (body, field) in as_agent {
            let answer = propose(&desk, &mover, body).await;
            assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{field}: {}", answer.body);
            assert_eq!(answer.body["errors"][0]["field"], field, "{}", answer.body);
        }
        for body in [
            json!({}),
            json!([]),
            json!({ "drafts": {} }),
            json!({ "drafts": [{}] }),
            with(&|draft| draft["action"]["kind"] = json!("delete")),
            with(&|draft| draft["action"]["replicas"] = json!(-1)),
            with(&|draft| draft["action"]["replicas"] = json!(4_294_967_296_u64)),
            with(&|draft| draft["agent"] = json!("planner")),
            with(&|draft| draft["action"]["extra"] = json!(1)),
        ] {
            let answer = propose(&desk, &mover, body.clone()).await;
            assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{body}: {}", answer.body);
        }
        let person = desk.secret(Role::Operator);
        for body in [
            json!({ "drafts": [good()], "complete": true }),
            many(21),
            with(&|draft| draft["evidence"] = json!([{ "subject": "a", "signal": "b", "value": "c" }])),
        ] {
            assert_eq!(
                propose(&desk, person, body.clone()).await.status,
                StatusCode::UNPROCESSABLE_ENTITY,
                "{body}"
            );
        }
        assert_eq!(desk.get(Role::Viewer, PATH).await.body["total"], 0);
    });
}
