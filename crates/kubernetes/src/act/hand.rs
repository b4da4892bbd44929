//! The only writer of this crate. It is made only where acting is allowed; everything else can read and nothing more.

use super::eye::Eye;
use super::order::{Answer, Change, FIELD_MANAGER, Order};
use crate::fence::Fence;
use crate::trouble::Trouble;
use k8s_openapi::api::core::v1::Pod;
use kube::api::{
    Api, DeleteParams, DynamicObject, EvictParams, Patch, PatchParams, PostParams, Preconditions,
    PropagationPolicy,
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
                    let body = Order::merge_body(version, patch);
                    api.patch(name, &patch_parameters(dry_run), &Patch::Merge(&body)).await.map(drop)
                }
                Change::Replicas { version, replicas } => {
                    let body = json!({ "metadata": { "resourceVersion": version }, "spec": { "replicas": replicas } });
                    api.patch_scale(name, &patch_parameters(dry_run), &Patch::Merge(&body)).await.map(drop)
                }
                Change::Apply(body) => {
                    let parameters = PatchParams { force: true, ..patch_parameters(dry_run) };
                    api.patch(name, &parameters, &Patch::Apply(body)).await.map(drop)
                }
                Change::Delete { uid, version } => {
                    api.delete(name, &delete_parameters(uid, version, dry_run)).await.map(drop)
                }
                Change::Evict => {
                    let post_options = PostParams { dry_run, ..PostParams::default() };
                    let pods: Api<Pod> = Api::namespaced(
                        client.clone(),
                        order.target.namespace.as_deref().unwrap_or_default(),
                    );
                    pods.evict(name, &EvictParams { post_options, ..EvictParams::default() }).await.map(drop)
                }
            }
        };
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
