//! What the page in the browser needs of the desk.

use crate::box_desk::{request, with_desk};
use axum::http::{Method, StatusCode, header};
use serde_json::{Value, json};
use server::access::Role;
use server::page::{Page, PageFile};
use server::testing::on_each_location;

static FILES: [PageFile; 2] = [
    PageFile {
        path: "/assets/app-1.js",
        content_type: "text/javascript; charset=utf-8",
        bytes: b"a long script",
        compressed: Some(b"short"),
    },
    PageFile {
        path: "/index.html",
        content_type: "text/html; charset=utf-8",
        bytes: b"the page",
        compressed: None,
    },
];

#[test]
fn whoever_comes_with_a_browser_gets_the_page() {
    on_each_location(|location| {
        with_desk(location, "", async |desk| {
            let get = |path: &str, headers: &[(&str, &str)]| {
                desk.send(request(Method::GET, path, None, None, headers))
            };
            let without = get("/", &[]).await;
            assert!(
                without.body.as_str().is_some_and(|text| text.contains("make build")),
                "{}",
                without.body
            );
            desk.service.desk().show(Page(&FILES));
            for place in ["/", "/recommendations/R-1"] {
                let answer = get(place, &[]).await;
                assert_eq!(
                    (answer.status, &answer.body),
                    (StatusCode::OK, &Value::from("the page")),
                    "{place}"
                );
                assert_eq!(answer.headers[header::CACHE_CONTROL], "no-cache");
                assert!(answer.headers.contains_key(header::CONTENT_SECURITY_POLICY));
            }
            let script = get("/assets/app-1.js", &[("accept-encoding", "gzip, br")]).await;
            assert_eq!(script.body, "short");
            assert_eq!(script.headers[header::CONTENT_ENCODING], "gzip");
            assert!(script.headers[header::CACHE_CONTROL].to_str().unwrap().contains("immutable"));
            assert_eq!(get("/assets/app-1.js", &[]).await.body, "a long script");
            for missing in ["/assets/app-2.js", "/api/v1/nothing", "/favicon.ico"] {
                assert_eq!(get(missing, &[]).await.status, StatusCode::NOT_FOUND, "{missing}");
            }
            let posted = desk.send(request(Method::POST, "/", None, Some(json!({})), &[])).await;
            assert_eq!(posted.status, StatusCode::NOT_FOUND);
        });
        Ok(())
    });
}

#[test]
fn the_course_of_the_clusters_is_there_also_after_a_restart() {
    on_each_location(|location| {
        let path = "/api/v1/history?points=50";
        let before = with_desk(location, "", async |desk| {
            desk.advance(190).await;
            let answer = desk.get(Role::Viewer, path).await;
            assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
            let at: Vec<u64> = serde_json::from_value(answer.body["at"].clone()).unwrap();
            assert!(at.len() > 4 && at.len() <= 50 && at.is_sorted(), "{at:?}");
            let clusters = answer.body["clusters"].as_array().unwrap();
            assert_eq!(clusters.len(), 2);
            for cluster in clusters {
                assert_eq!(cluster["allocatedCpu"].as_array().unwrap().len(), at.len());
            }
            let allocated = clusters[0]["allocatedCpu"].as_array().unwrap();
            assert!(allocated.first() != allocated.last(), "the waves are seen: {allocated:?}");
            let part = desk.get(Role::Viewer, &format!("/api/v1/history?from={}&to={}", at[1], at[2])).await;
            assert_eq!(part.body["at"].as_array().unwrap().len(), 2, "{}", part.body);
            let one = desk.get(Role::Viewer, "/api/v1/history?cluster=member2&points=50").await.body;
            assert_eq!(one["at"], answer.body["at"], "moments stay, so that charts fit together");
            assert_eq!(one["clusters"], json!([clusters[1]]));
            let none = desk.get(Role::Viewer, "/api/v1/history?cluster=elsewhere").await.body;
            assert_eq!(none["clusters"], json!([]));
            let wrong = desk.get(Role::Viewer, "/api/v1/history?points=1").await;
            assert_eq!(wrong.status, StatusCode::BAD_REQUEST);
            answer.body
        });
        let after = with_desk(location, "", async |desk| desk.get(Role::Viewer, path).await.body);
        assert_eq!(before, after);
        Ok(())
    });
}

fn may(detail: &Value, deed: &str) -> Result<(), String> {
    let mut all = detail["allowed"].as_array().into_iter().flatten();
    let found = all.find(|item| item["deed"] == deed).expect("every deed is told of");
    if found["allowed"] == true {
        Ok(())
    } else {
        Err(found["because"].as_str().expect("a reason").to_owned())
    }
}

#[test]
fn everybody_is_told_what_they_may_do_and_why_not() {
    on_each_location(|location| {
        with_desk(location, "", async |desk| {
            desk.advance(130).await;
            let id = desk.pending().await[0]["id"].as_str().unwrap().to_owned();
            let path = format!("/api/v1/recommendations/{id}");
            let detail = desk.get(Role::Operator, &path).await.body;
            for deed in ["approve", "reject", "defer", "change_target"] {
                assert_eq!(may(&detail, deed), Ok(()), "{deed}");
            }
            assert_eq!(may(&detail, "abort").unwrap_err(), "It is not being carried out.");
            let viewer = desk.get(Role::Viewer, &path).await.body;
            assert!(
                may(&viewer, "approve")
                    .unwrap_err()
                    .starts_with("You are viewer; this needs one of: operator")
            );
            let freeze = json!({ "scope": "everything", "reason": "stop" });
            let frozen = desk.post(Role::Operator, "/api/v1/freezes", freeze, &[]).await;
            assert!(frozen.status.is_success(), "{}", frozen.body);
            let detail = desk.get(Role::Operator, &path).await.body;
            assert!(may(&detail, "approve").unwrap_err().starts_with("Not now: "), "{detail}");
            assert_eq!(may(&detail, "reject"), Ok(()));
            let reject = json!({ "verdict": "reject", "note": "no" });
            let done = desk.decide(desk.secret(Role::Operator), &id, reject).await;
            assert_eq!(done.status, StatusCode::OK, "{}", done.body);
            let detail = desk.get(Role::Operator, &path).await.body;
            assert_eq!(may(&detail, "approve").unwrap_err(), "It is rejected.");
        });
        Ok(())
    });
}

#[test]
fn what_plans_are_held_to_can_be_read() {
    on_each_location(|location| {
        let more = "review: { approvers: [{ people: 2, when: \"risk == 'high'\" }] }\n";
        with_desk(location, more, async |desk| {
            let found = desk.get(Role::Viewer, "/api/v1/guardrails").await.body;
            let limit = |name: &str| {
                let all = found["limits"].as_array().unwrap();
                all.iter().find(|limit| limit["name"] == name).unwrap()["value"].clone()
            };
            assert_eq!((limit("max_load"), limit("cool_down")), (json!("80 %"), json!("10m")), "{found}");
            assert_eq!(found["approvers"], json!([{ "people": 2, "rule": "risk == 'high'" }]));
        });
        Ok(())
    });
}
