//! `Freeze` objects on a real API server: their schema, what follows from them, and what is said on them.

use crate::bed::{Looking, access, apply, client, deadline, namespace, now, settings, until};
use crate::identity::{kubectl, repository};
use control::world::{Input, Outside as _};
use kube::api::{Api, DeleteParams, DynamicObject, Patch, PatchParams};
use kube::core::ApiResource;
use kubernetes::{FreezeSettings, Settings};
use model::order::{Command, Extent, FreezeId, Order, StandingFreeze};
use model::time::Timestamp;
use serde_json::{Value, json};

fn objects(client: &kube::Client) -> Api<DynamicObject> {
    let resource = ApiResource {
        group: "drover.io".to_owned(),
        version: "v1alpha1".to_owned(),
        api_version: "drover.io/v1alpha1".to_owned(),
        kind: "Freeze".to_owned(),
        plural: "freezes".to_owned(),
    };
    Api::namespaced_with(client.clone(), "freezing", &resource)
}

async fn put(api: &Api<DynamicObject>, name: &str, spec: &Value) -> Result<(), String> {
    let object = json!({ "apiVersion": "drover.io/v1alpha1", "kind": "Freeze", "metadata": { "name": name }, "spec": spec });
    let parameters = PatchParams::apply("tests").force();
    api.patch(name, &parameters, &Patch::Apply(&object)).await.map(drop).map_err(|error| error.to_string())
}

/// Waits for the next order, as a desk with these freezes.
async fn ordered(looking: &mut Looking, standing: &[StandingFreeze]) -> Order {
    looking.world.stands(standing);
    match looking.next("an order").await {
        Input::Ordered(order) => order,
        other => panic!("{other:?} instead of an order"),
    }
}

fn stand(order: &Order, id: u64) -> StandingFreeze {
    let Command::Freeze { scope, until } = &order.what else { panic!("{order:?} is no freeze") };
    StandingFreeze {
        id: FreezeId(id),
        scope: scope.clone(),
        by: order.by.clone(),
        reason: order.reason.clone(),
        since: Timestamp(0),
        until: *until,
    }
}

async fn condition(api: &Api<DynamicObject>, name: &str, status: &str) -> Value {
    until(&format!("{name} saying {status}"), || async {
        let object = api.get(name).await.unwrap();
        let found = object.data.pointer("/status/conditions/0").cloned()?;
        (found["status"] == status).then_some(found)
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn an_object_freezes_for_as_long_as_it_is_there() {
    let _peace = crate::bed::peace().await;
    let member = client("member1").await;
    apply(&member, &[namespace("freezing")]).await;
    let definition = std::fs::read_to_string(repository().join("deploy/manifests/crds.yaml")).unwrap();
    kubectl("member1", &["apply", "--server-side", "-f", "-"], &definition);
    kubectl(
        "member1",
        &["wait", "--for=condition=Established", "--timeout=60s", "crd/freezes.drover.io"],
        "",
    );
    let api = objects(&member);

    // The server itself refuses what makes no sense.
    for (spec, want) in [
        (json!({ "scope": "everything", "name": "shop", "reason": "r" }), "everything has no name"),
        (json!({ "scope": "namespace", "reason": "r" }), "anything else needs one"),
        (json!({ "scope": "planet", "name": "x", "reason": "r" }), "Unsupported value"),
        (json!({ "scope": "everything" }), "reason: Required value"),
        (json!({ "scope": "everything", "reason": "" }), "at least 1 chars"),
        (json!({ "scope": "everything", "reason": "r", "until": "soon" }), "date-time"),
    ] {
        let refused = put(&api, "odd", &spec).await.unwrap_err();
        assert!(refused.contains(want), "{spec}: {refused}");
    }

    let freezes = FreezeSettings { access: access("member1"), namespace: "freezing".to_owned() };
    let mut looking = Looking::at(Settings { freezes: Some(freezes), ..settings(false) });
    put(&api, "sale", &json!({ "scope": "namespace", "name": "shop", "reason": "sale" })).await.unwrap();
    let order = ordered(&mut looking, &[]).await;
    let standing = [stand(&order, 1)];
    assert_eq!(standing[0].scope, Extent::Namespace("shop".to_owned()));
    looking.world.stands(&standing);
    let at = looking.now();
    assert!(looking.world.poll(at).is_none(), "it stands already");
    assert!(condition(&api, "sale", "True").await["message"].as_str().unwrap().starts_with("F-1 stands"));

    // The server's schema does not know every name; what it lets through is refused here, and said.
    put(&api, "odd", &json!({ "scope": "namespace", "name": "Not A Name", "reason": "r" })).await.unwrap();
    let begin = now();
    while api.get("odd").await.unwrap().data.pointer("/status/conditions/0").is_none() {
        let at = looking.now();
        assert!(looking.world.poll(at).is_none(), "it has no effect");
        assert!(begin.elapsed() < deadline(), "nothing was said on it");
    }
    let told = condition(&api, "odd", "False").await;
    assert_eq!(told["reason"], "Invalid");
    assert!(
        told["message"].as_str().unwrap().starts_with("spec.name: \"Not A Name\" is not a name"),
        "{told}"
    );

    api.delete("sale", &DeleteParams::default()).await.unwrap();
    let order = ordered(&mut looking, &standing).await;
    assert_eq!(order.what, Command::Unfreeze { freeze: FreezeId(1) });
    assert!(order.reason.contains("was deleted"), "{order:?}");
}
