//! The only writer of this crate. It is made only where acting is allowed; everything else can read and nothing more.

use super::eye::Eye;
use super::order::{Answer, Change, FIELD_MANAGER, Order};
use super::webhook;
use crate::clock::Wall;
use crate::fence::Fence;
use crate::trouble::Trouble;
use kube::api::{
    Api, DeleteParams, DynamicObject, Patch, PatchParams, PostParams, Preconditions, PropagationPolicy,
};
use serde_json::{Value, json};
use std::time::Duration;

#[derive(Clone)]
pub(crate) struct Hand {
    eye: Eye,
    limit: Duration,
    fence: Fence,
}

impl Hand {
    pub(crate) fn new(eye: Eye, limit: Duration, fence: Fence) -> Self {
        Self { eye, limit, fence }
    }

    /// Gives an order once. It is never repeated here: whoever gets no answer looks first.
    pub(crate) async fn give(&self, order: &Order) -> Answer {
        self.send(order, false).await
    }

    /// Lets the server check an order, admission included, without carrying it out.
    pub(crate) async fn rehearse(&self, order: &Order) -> Answer {
        self.send(order, true).await
    }

    async fn send(&self, order: &Order, dry_run: bool) -> Answer {
        if let Change::Call { url, key, body } = &order.change {
            // Nobody but the receiver knows what it would say.
            return if dry_run { Ok(()) } else { self.call(url, key, body).await };
        }
        let Some(client) = self.eye.client(&order.target.place) else {
            return Err(Trouble::Refused(format!("there is no {}", order.target.place)));
        };
        let resource = order.target.kind.resource();
        let api: Api<DynamicObject> = match &order.target.namespace {
            Some(namespace) => Api::namespaced_with(client.clone(), namespace, &resource),
            None => Api::all_with(client.clone(), &resource),
        };
        let name = &order.target.name;
        let sent = async {
            match &order.change {
                Change::Create(body) => create(&api, body, dry_run).await,
                Change::Merge { version, patch } => {
                    let body = Order::versioned(version, patch);
                    api.patch(name, &patch_parameters(dry_run), &Patch::Merge(&body)).await.map(drop)
                }
                Change::Replicas { version, replicas } => {
                    let body = json!({ "metadata": { "resourceVersion": version }, "spec": { "replicas": replicas } });
                    api.patch_scale(name, &patch_parameters(dry_run), &Patch::Merge(&body)).await.map(drop)
                }
                Change::Apply { version, body } => {
                    let parameters = PatchParams { force: true, ..patch_parameters(dry_run) };
                    let body = Order::versioned(version, body);
                    api.patch(name, &parameters, &Patch::Apply(&body)).await.map(drop)
                }
                Change::Delete { uid, version } => {
                    api.delete(name, &delete_parameters(uid, version, dry_run)).await.map(drop)
                }
                Change::Call { .. } => Ok(()),
                Change::Evict { uid } => {
                    client.request::<Value>(eviction(order, uid, dry_run)?).await.map(drop)
                }
            }
        };
        self.in_time(sent, dry_run).await
    }

    async fn call(&self, url: &str, key: &str, body: &Value) -> Answer {
        let Some(webhook) = self.eye.webhook(url) else {
            return Err(Trouble::Refused(format!("there is no webhook {url}")));
        };
        let sent = async {
            let request = webhook::request(&webhook.path, key, body, &webhook.secret, Wall::now())?;
            webhook.client.request_text(request).await.map(drop)
        };
        self.in_time(sent, false).await
    }

    async fn in_time(&self, sent: impl Future<Output = Result<(), kube::Error>>, dry_run: bool) -> Answer {
        // The last moment before the request leaves: another replica may lead by now.
        if !dry_run && !self.fence.is_open() {
            return Err(Trouble::Unclear("this replica does not lead any more".to_owned()));
        }
        match tokio::time::timeout(self.limit, sent).await {
            Ok(answer) => answer.map_err(|error| Trouble::of(&error)),
            Err(_) => Err(Trouble::late(self.limit)),
        }
    }
}

async fn create(api: &Api<DynamicObject>, body: &Value, dry_run: bool) -> Result<(), kube::Error> {
    let object: DynamicObject = serde_json::from_value(body.clone()).map_err(kube::Error::SerdeError)?;
    let parameters = PostParams { dry_run, field_manager: Some(FIELD_MANAGER.to_owned()) };
    api.create(&parameters, &object).await.map(drop)
}

fn patch_parameters(dry_run: bool) -> PatchParams {
    PatchParams { dry_run, field_manager: Some(FIELD_MANAGER.to_owned()), ..PatchParams::default() }
}

fn delete_parameters(uid: &str, version: &str, dry_run: bool) -> DeleteParams {
    DeleteParams {
        dry_run,
        propagation_policy: Some(PropagationPolicy::Background),
        preconditions: Some(Preconditions {
            resource_version: Some(version.to_owned()),
            uid: Some(uid.to_owned()),
        }),
        ..DeleteParams::default()
    }
}

/// Evicts the pod that was read and no other that has taken its name since. Written here because kube-rs names the part with the
/// precondition in a way that servers ignore.
fn eviction(order: &Order, uid: &str, dry_run: bool) -> Result<http::Request<Vec<u8>>, kube::Error> {
    let namespace = order.target.namespace.as_deref().unwrap_or_default();
    let name = &order.target.name;
    let body = json!({
        "apiVersion": "policy/v1", "kind": "Eviction",
        "metadata": { "name": name, "namespace": namespace },
        "deleteOptions": { "preconditions": { "uid": uid } },
    });
    let query = if dry_run { "?dryRun=All" } else { "" };
    let path = format!("/api/v1/namespaces/{namespace}/pods/{name}/eviction{query}");
    let request = http::Request::post(path).header(http::header::CONTENT_TYPE, "application/json");
    request.body(body.to_string().into_bytes()).map_err(kube::Error::HttpError)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::act::order::{Kind, Place, Target};

    #[test]
    fn only_the_pod_that_was_read_is_evicted() {
        let target = Target {
            place: Place::Karmada,
            kind: Kind::Pod,
            namespace: Some("shop".to_owned()),
            name: "web-0".to_owned(),
        };
        let order = Order { target, change: Change::Evict { uid: "u1".to_owned() } };
        let request = eviction(&order, "u1", true).unwrap();
        assert_eq!(request.uri(), "/api/v1/namespaces/shop/pods/web-0/eviction?dryRun=All");
        let body: Value = serde_json::from_slice(request.body()).unwrap();
        assert_eq!(body["deleteOptions"]["preconditions"]["uid"], "u1");
    }
}
