//! Agents, runs, snapshots and models: what can be looked up.

use crate::box_desk::{SCENARIO, request, with_desk, with_scenario};
use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use server::access::Role;
use server::testing::on_each_location;

#[test]
fn agents_are_shown_with_what_they_did() {
    on_each_location(|location| {
        with_desk(location, "wasp: { listen: \"127.0.0.1:0\", agent: wasp-engine }\n", async |desk| {
            desk.advance(130).await;
            let all = desk.get(Role::Viewer, "/api/v1/agents").await.body;
            let names: Vec<&Value> =
                all.as_array().expect("a list").iter().map(|agent| &agent["name"]).collect();
            assert_eq!(
                names,
                ["agent", "keep-headroom", "wasp-engine"],
                "inside, with a token, with a door of its own"
            );
            let planner = desk.get(Role::Viewer, "/api/v1/agents/keep-headroom").await.body;
            assert_eq!((&planner["inside"], &planner["strategy"]), (&json!(true), &json!("planner")));
            assert_eq!((&planner["every"], &planner["frozen"]), (&json!(60_000), &json!(false)));
            assert!(planner["recommendations"]["pending"].as_i64() >= Some(1), "{planner}");
            assert_eq!(planner["parameters"]["strategy"], "planner");
            let decisions = planner["decisions"].as_array().expect("decisions");
            assert!(decisions.iter().any(|decision| decision["submitted"].as_i64() >= Some(1)), "{planner}");
            let newest_first =
                decisions.windows(2).all(|pair| pair[0]["seq"].as_i64() > pair[1]["seq"].as_i64());
            assert!(newest_first && !decisions.is_empty());
            for decision in decisions {
                let entry = decision["snapshotSeq"].as_i64().expect("an entry");
                assert!(entry <= decision["seq"].as_i64().expect("a number"), "{decision}");
                let path = format!("/api/v1/snapshots/{}", decision["snapshot"].as_str().expect("a hash"));
                assert_eq!(desk.get(Role::Viewer, &path).await.status, StatusCode::OK);
            }
            let freeze = json!({ "scope": "agent", "name": "keep-headroom", "reason": "a drill" });
            desk.post(Role::Operator, "/api/v1/freezes", freeze, &[]).await;
            desk.advance(1).await;
            assert_eq!(desk.get(Role::Viewer, "/api/v1/agents/keep-headroom").await.body["frozen"], true);
            let outside = desk.get(Role::Viewer, "/api/v1/agents/wasp-engine").await.body;
            assert_eq!((&outside["inside"], &outside["decisions"]), (&json!(false), &json!([])));
            assert_eq!(desk.get(Role::Viewer, "/api/v1/agents/nobody").await.status, StatusCode::NOT_FOUND);
        });
        Ok(())
    });
}

#[test]
fn everything_that_an_agent_decided_is_reached_page_by_page() {
    on_each_location(|location| {
        let long = SCENARIO.replacen("duration: 240s", "duration: 3030s", 1);
        with_scenario(location, "prediction: { enabled: false }\n", &long, async |desk| {
            desk.advance(3_000).await;
            let path = "/api/v1/agents/keep-headroom/decisions";
            let walk = async |query: &str| {
                let (mut all, mut cursor): (Vec<Value>, _) = (Vec::new(), String::new());
                loop {
                    let page = desk.get(Role::Viewer, &format!("{path}?limit=7{query}{cursor}")).await.body;
                    let items = page["items"].as_array().expect("a list");
                    assert!(items.len() <= 7, "{page}");
                    all.extend(items.iter().cloned());
                    let Some(next) = page["nextCursor"].as_str() else { return all };
                    cursor = format!("&cursor={next}");
                }
            };
            let all = walk("").await;
            assert_eq!(all.len(), 50, "one a minute");
            assert!(all.windows(2).all(|pair| pair[0]["seq"].as_i64() > pair[1]["seq"].as_i64()));
            assert!(all.iter().all(|decision| decision["snapshot"].is_string()), "{all:?}");
            let newest = desk.get(Role::Viewer, "/api/v1/agents/keep-headroom").await.body;
            assert_eq!(newest["decisions"].as_array().expect("a list"), &all[..20]);
            let telling = walk("&telling=true").await;
            assert!(telling.len() < all.len() && telling.iter().all(|one| all.contains(one)));
            assert!(telling.iter().any(|decision| decision["submitted"].as_i64() >= Some(1)), "{telling:?}");
            let moment = all[30]["at"].as_i64().expect("a moment");
            assert_eq!(walk(&format!("&until={moment}")).await, all[30..]);
            assert_eq!(walk("&until=-1").await, Vec::<Value>::new());
            let nobody = desk.get(Role::Viewer, "/api/v1/agents/nobody/decisions").await;
            assert_eq!(nobody.status, StatusCode::NOT_FOUND);
            for wrong in ["limit=0", "limit=101", "cursor=x", "telling=perhaps", "till=3"] {
                let refused = desk.get(Role::Viewer, &format!("{path}?{wrong}")).await;
                assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{wrong}: {}", refused.body);
            }
        });
        Ok(())
    });
}

#[test]
fn workloads_are_sorted_page_by_page() {
    on_each_location(|location| {
        with_desk(location, "prediction: { enabled: false }\n", async |desk| {
            desk.advance(200).await;
            let walk = async |sort: &str| {
                let (mut rows, mut cursor): (Vec<Value>, _) = (Vec::new(), String::new());
                loop {
                    let path = format!("/api/v1/workloads?limit=3&sort={sort}{cursor}");
                    let page = desk.get(Role::Viewer, &path).await;
                    assert_eq!(
                        (page.status, &page.body["total"]),
                        (StatusCode::OK, &json!(10)),
                        "{}",
                        page.body
                    );
                    rows.extend(page.body["items"].as_array().expect("a page").iter().cloned());
                    let Some(next) = page.body["nextCursor"].as_str() else { break };
                    cursor = format!("&cursor={next}");
                }
                rows
            };
            let name = |row: &Value| row["workload"].as_str().expect("a name").to_owned();
            let cpu = |row: &Value| {
                row["each"]["cpuCores"].as_f64().expect("cores") * row["replicas"].as_f64().expect("a number")
            };
            let cluster =
                |row: &Value| row["placements"][0]["cluster"].as_str().unwrap_or_default().to_owned();
            let by_name = walk("name").await;
            assert!(by_name.len() == 10 && by_name.is_sorted_by_key(name), "{by_name:?}");
            let reversed: Vec<Value> = by_name.iter().rev().cloned().collect();
            assert_eq!(walk("-name").await, reversed);
            assert!(
                walk("cpu")
                    .await
                    .is_sorted_by(|one, other| (cpu(one), name(one)) < (cpu(other), name(other)))
            );
            let by_cluster = walk("-cluster").await;
            assert!(
                by_cluster
                    .is_sorted_by(|one, other| (cluster(one), name(one)) > (cluster(other), name(other)))
            );
            for wrong in ["sort=colour", "cursor=x", "sort=cpu&cursor=bm9uZQ"] {
                let answer = desk.get(Role::Viewer, &format!("/api/v1/workloads?{wrong}")).await;
                assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{wrong}");
            }
        });
        Ok(())
    });
}

#[test]
fn an_agent_is_shown_with_what_is_left_of_its_limits() {
    on_each_location(|location| {
        let limited = format!("{SCENARIO}\nguardrails: {{ moves_per_hour: 5 }}\n");
        with_scenario(location, "prediction: { enabled: false }\n", &limited, async |desk| {
            let path = "/api/v1/agents/keep-headroom";
            let moves = |used: u32| json!({ "limit": "moves_per_hour", "used": used, "most": 5 });
            assert_eq!(desk.get(Role::Viewer, path).await.body["budgets"], json!([moves(0)]));
            let wish = json!({
                "mode": "auto", "scope": "everything", "agent": "keep-headroom", "highestRisk": "high", "perHour": 1,
                "seconds": 600, "reason": "a quiet night"
            });
            let set = request(Method::PUT, "/api/v1/modes", Some(desk.secret(Role::Admin)), Some(wish), &[]);
            assert_eq!(desk.send(set).await.status, StatusCode::OK);
            desk.advance(190).await;
            let grant =
                json!({ "limit": "grant", "used": 1, "most": 1, "scope": "everything", "until": 600_000 });
            let shown = desk.get(Role::Viewer, path).await.body;
            assert_eq!(shown["budgets"], json!([moves(1), grant]), "{shown}");
            let other = desk.get(Role::Viewer, "/api/v1/agents/agent").await.body;
            assert_eq!(other["budgets"], json!([moves(1)]), "moves are everybody's, the grant is not");
        });
        Ok(())
    });
}

#[test]
fn what_a_desk_grants_to_everybody_is_shown_with_each_agent() {
    on_each_location(|location| {
        let settings = "prediction: { enabled: false }\nreview: { mode: auto, limits: { highest_risk: high, per_hour: 4 } }\n";
        with_desk(location, settings, async |desk| {
            let path = "/api/v1/agents/keep-headroom";
            let budgets = async || desk.get(Role::Viewer, path).await.body["budgets"].clone();
            let grant = json!({ "limit": "grant", "used": 0, "most": 4, "scope": "everything" });
            assert_eq!(budgets().await, json!([grant]));
            let wish = json!({ "mode": "human", "scope": "everything", "agent": "keep-headroom", "reason": "slowly" });
            let set = request(Method::PUT, "/api/v1/modes", Some(desk.secret(Role::Admin)), Some(wish), &[]);
            assert_eq!(desk.send(set).await.status, StatusCode::OK);
            assert_eq!(budgets().await, json!([]), "people answer for this one");
        });
        Ok(())
    });
}

#[test]
fn runs_and_their_snapshots_are_found() {
    on_each_location(|location| {
        with_desk(location, "", async |desk| {
            desk.advance(130).await;
            let runs = desk.get(Role::Viewer, "/api/v1/runs").await.body;
            let run = &runs["items"][0];
            assert_eq!((&runs["total"], runs.get("nextCursor")), (&json!(1), None));
            assert_eq!((&run["scenario"], &run["status"]), (&json!("three-waves"), &json!("running")));
            let observed = desk.get(Role::Auditor, "/api/v1/audit?kind=observed&limit=1").await.body;
            let hash = observed["items"][0]["body"]["input"]["snapshot"].as_str().expect("a hash").to_owned();
            let kept = desk.get(Role::Agent, &format!("/api/v1/snapshots/{hash}")).await;
            assert_eq!((kept.status, &kept.body["hash"]), (StatusCode::OK, &json!(hash)));
            assert!(kept.body["snapshot"]["clusters"]["member1"].is_object());
            for unknown in ["x", &"0".repeat(64)] {
                let path = format!("/api/v1/snapshots/{unknown}");
                assert_eq!(desk.get(Role::Viewer, &path).await.status, StatusCode::NOT_FOUND);
            }
            let none = desk.get(Role::Viewer, "/api/v1/runs?limit=0").await;
            assert_eq!(
                (none.status, &none.body["errors"][0]["field"]),
                (StatusCode::BAD_REQUEST, &json!("limit"))
            );
        });
        Ok(())
    });
}

#[test]
fn models_come_and_go() {
    on_each_location(|location| {
        with_desk(location, "", async |desk| {
            let wish = json!({ "name": "mover", "kind": "table", "card": { "trained": "three-waves" }, "content": "AAEC" });
            let added = desk.post(Role::Admin, "/api/v1/models", wish.clone(), &[]).await;
            assert_eq!(
                (added.status, &added.body["size"]),
                (StatusCode::CREATED, &json!(3)),
                "{}",
                added.body
            );
            let mut other = wish.clone();
            other["name"] = json!("other");
            let again = desk.post(Role::Admin, "/api/v1/models", other, &[]).await;
            assert_eq!(again.body, added.body, "the same bytes are kept once");
            let path = format!("/api/v1/models/{}", added.body["hash"].as_str().expect("a hash"));
            let shown = desk.get(Role::Viewer, &path).await.body;
            assert_eq!(
                (&shown["content"], &shown["card"]["trained"]),
                (&json!("AAEC"), &json!("three-waves"))
            );
            assert_eq!(desk.get(Role::Viewer, "/api/v1/models").await.body.as_array().map(Vec::len), Some(1));
            let large = "A".repeat(2 << 20);
            let large = json!({ "name": "large", "kind": "table", "content": large });
            assert_eq!(
                desk.post(Role::Admin, "/api/v1/models", large, &[]).await.status,
                StatusCode::CREATED
            );
            let admin = Some(desk.secret(Role::Admin));
            let gone = desk.send(request(Method::DELETE, &path, admin, None, &[])).await;
            assert_eq!(gone.status, StatusCode::NO_CONTENT);
            let gone = desk.send(request(Method::DELETE, &path, admin, None, &[])).await;
            assert_eq!(gone.status, StatusCode::NOT_FOUND);
            let record = desk.get(Role::Auditor, "/api/v1/audit?kind=model.added,model.removed").await.body;
            assert_eq!(record["total"], 3, "{record}");
            for (field, value) in [
                ("name", json!("My Model")),
                ("kind", json!("")),
                ("content", json!("not base64!")),
                ("content", json!("")),
                ("content", json!("A".repeat(12 << 20))),
                ("card", json!({ "x": "y".repeat(70_000) })),
            ] {
                let mut wrong = wish.clone();
                wrong[field] = value;
                let answer = desk.post(Role::Admin, "/api/v1/models", wrong, &[]).await;
                let known = [StatusCode::UNPROCESSABLE_ENTITY, StatusCode::PAYLOAD_TOO_LARGE];
                assert!(known.contains(&answer.status), "{field}: {}", answer.body);
            }
        });
        Ok(())
    });
}
