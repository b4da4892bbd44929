//! What is seen of the bed.

use crate::bed::{Looking, access, apply, client, cluster, deployment, namespace, ready, settings};
use kubernetes::{Access, Member};
use model::quantity::{Bytes, MilliCpu};
use model::resources::Resources;
use model::signal::Signal;

#[tokio::test(flavor = "multi_thread")]
async fn the_bed_is_seen_as_it_is() {
    let _peace = crate::bed::peace().await;
    let member = client("member1").await;
    let web = deployment("seen", "web", 3);
    apply(&member, &[namespace("seen"), web.clone()]).await;
    ready(&member, &web, 3).await;
    let mut looking = Looking::at(settings(true));
    let reference = "seen/web".parse().unwrap();
    let snapshot = looking
        .observe_until("three with measurements", |snapshot| {
            let found = snapshot.workloads.get(&reference);
            found.is_some_and(|view| {
                view.placements[&cluster("member1")].pods_ready == 3
                    && view.signals.get(Signal::CpuUsage).is_some()
            })
        })
        .await;
    assert_eq!(snapshot.gaps, []);
    let view = &snapshot.workloads[&reference];
    assert_eq!(view.each, Resources::new(MilliCpu(100), Bytes(64 << 20), 1));
    assert!(view.movable && !view.moving && view.created_at <= snapshot.taken_at);
    let one = &snapshot.clusters[&cluster("member1")];
    assert_eq!((one.nodes.len(), one.pods_pending), (4, 0));
    assert!(one.allocated.pods >= 3 && one.capacity.cpu > one.allocated.cpu);
    assert!(one.nodes.values().all(|node| node.schedulable));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cluster_that_does_not_answer_is_a_gap_and_not_empty() {
    let _peace = crate::bed::peace().await;
    let mut half = settings(false);
    let file = tempfile_kubeconfig();
    half.members.push(Member {
        name: cluster("silent"),
        access: Access::Kubeconfig { path: Some(file), context: Some("silent".to_owned()) },
    });
    half.members.push(Member { name: cluster("wrong"), access: access("member1") });
    let mut looking = Looking::at(half);
    let snapshot = looking.observe().await;
    let gap = snapshot.gap_of_cluster(&cluster("silent")).expect("a gap");
    assert!(gap.reason.contains("cannot be reached") && gap.known_at.is_none(), "{gap:?}");
    assert!(!snapshot.clusters.contains_key(&cluster("silent")));
    assert!(snapshot.gap_of_cluster(&cluster("member1")).is_none());
}

/// A kubeconfig for an address at which nobody listens.
fn tempfile_kubeconfig() -> std::path::PathBuf {
    let path = std::env::temp_dir().join(format!("drover-silent-{}", std::process::id()));
    let text = "apiVersion: v1\nkind: Config\nclusters: [{name: c, cluster: {server: 'https://127.0.0.1:1'}}]\n\
                users: [{name: u, user: {token: t}}]\ncontexts: [{name: silent, context: {cluster: c, user: u}}]\n";
    std::fs::write(&path, text).unwrap();
    path
}
