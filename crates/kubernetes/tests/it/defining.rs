//! `Agent` and `Guardrail` objects on a real API server: their schema, what they bring into force, and what is said on them.

use crate::bed::{Looking, access, apply, client, namespace, settings, until};
use crate::identity::{kubectl, repository};
use control::agent::Scope;
use control::supply::{Limits, SuppliedAgent, Supply};
use control::world::{Input, Outside as _};
use kube::api::{Api, DeleteParams, DynamicObject, Patch, PatchParams};
use kube::core::ApiResource;
use kubernetes::crd::Kind;
use kubernetes::{Defined, DefinitionSettings, Reader, Settings};
use model::names::AgentName;
use model::ratio::Ratio;
use model::time::Period;
use serde_json::{Value, json};
use std::sync::Arc;

fn objects(client: &kube::Client, kind: Kind) -> Api<DynamicObject> {
    let resource = ApiResource {
        group: "drover.io".to_owned(),
        version: "v1alpha1".to_owned(),
        api_version: "drover.io/v1alpha1".to_owned(),
        kind: kind.name().to_owned(),
        plural: kind.plural().to_owned(),
    };
    Api::namespaced_with(client.clone(), "defining", &resource)
}

async fn put(api: &Api<DynamicObject>, kind: Kind, name: &str, spec: &Value) -> Result<(), String> {
    let object = json!({ "apiVersion": "drover.io/v1alpha1", "kind": kind.name(), "metadata": { "name": name }, "spec": spec });
    let parameters = PatchParams::apply("tests").force();
    api.patch(name, &parameters, &Patch::Apply(&object)).await.map(drop).map_err(|error| error.to_string())
}

/// Understands one strategy and one limit.
fn reader() -> Reader {
    Reader(Arc::new(|kind, name, spec| match kind {
        Kind::Agent if spec["decide"]["strategy"] == "hold" => Ok(Defined::Agent(SuppliedAgent {
            name: AgentName::new(name).unwrap(),
            every: Period::from_minutes(1),
            lookback: Period::from_minutes(10),
            scope: Scope::default(),
            decide: spec["decide"].clone(),
        })),
        Kind::Guardrail => Ok(Defined::Guardrail(Limits {
            max_load: spec["max_load"].as_f64().and_then(Ratio::from_f64),
            ..Limits::default()
        })),
        _ => Err(vec!["spec.decide.strategy: unknown".to_owned(), "spec.when: odd".to_owned()]),
    }))
}

/// Waits for the next supply, as a desk in which this one is in force.
async fn supplied(looking: &mut Looking, in_force: &Supply) -> Supply {
    looking.world.in_force(in_force);
    match looking.next("a supply").await {
        Input::Supplied(supply) => Supply::clone(&supply),
        other => panic!("{other:?} instead of a supply"),
    }
}

/// Asks the world for more, until the object says so about itself.
async fn says(looking: &mut Looking, api: &Api<DynamicObject>, name: &str, status: &str) -> Value {
    until(&format!("{name} saying {status}"), || {
        let at = looking.now();
        assert!(looking.world.poll(at).is_none(), "everything is in force");
        async {
            let object = api.get(name).await.unwrap();
            let found = object.data.pointer("/status/conditions/0").cloned()?;
            (found["status"] == status).then_some(found)
        }
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn objects_bring_agents_and_limits_for_as_long_as_they_are_there() {
    let _peace = crate::bed::peace().await;
    let member = client("member1").await;
    apply(&member, &[namespace("defining")]).await;
    let definitions = std::fs::read_to_string(repository().join("deploy/manifests/crds.yaml")).unwrap();
    kubectl("member1", &["apply", "--server-side", "-f", "-"], &definitions);
    for plural in ["agents", "guardrails"] {
        let name = format!("crd/{plural}.drover.io");
        kubectl("member1", &["wait", "--for=condition=Established", "--timeout=60s", &name], "");
    }
    let (agents, guardrails) = (objects(&member, Kind::Agent), objects(&member, Kind::Guardrail));

    // The server itself refuses what makes no sense; nobody approves anything here.
    for (spec, want) in [
        (json!({}), "decide: Required value"),
        (json!({ "decide": {} }), "strategy: Required value"),
        (json!({ "decide": { "strategy": "hold" }, "approved": true }), ".spec.approved: field not declared"),
    ] {
        let refused = put(&agents, Kind::Agent, "odd", &spec).await.unwrap_err();
        assert!(refused.contains(want), "{spec}: {refused}");
    }
    let refused = put(&guardrails, Kind::Guardrail, "odd", &json!({ "max_load": 2 })).await.unwrap_err();
    assert!(refused.contains("less than or equal to 1"), "{refused}");

    let definitions =
        DefinitionSettings { access: access("member1"), namespace: "defining".to_owned(), reader: reader() };
    put(&agents, Kind::Agent, "keeper", &json!({ "decide": { "strategy": "hold" } })).await.unwrap();
    put(&guardrails, Kind::Guardrail, "strict", &json!({ "max_load": 0.5 })).await.unwrap();
    let mut looking = Looking::at(Settings { definitions: Some(definitions), ..settings(false) });
    let supply = supplied(&mut looking, &Supply::default()).await;
    assert_eq!(supply.agents.len(), 1);
    assert_eq!(supply.limits.max_load, Some(Ratio::from_percent(50)));
    looking.world.in_force(&supply);
    assert_eq!(says(&mut looking, &agents, "keeper", "True").await["reason"], "Recommends");
    says(&mut looking, &guardrails, "strict", "True").await;

    put(&agents, Kind::Agent, "odd", &json!({ "decide": { "strategy": "guess" } })).await.unwrap();
    let told = says(&mut looking, &agents, "odd", "False").await;
    assert_eq!(told["message"], "spec.decide.strategy: unknown; spec.when: odd");

    guardrails.delete("strict", &DeleteParams::default()).await.unwrap();
    let looser = supplied(&mut looking, &supply).await;
    assert!(looser.limits.is_empty() && looser.agents == supply.agents);
    agents.delete("keeper", &DeleteParams::default()).await.unwrap();
    assert_eq!(supplied(&mut looking, &looser).await, Supply::default());
}
