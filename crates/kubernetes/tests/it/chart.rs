//! The chart and the plain manifests, on a real API server: everything that they render is accepted.

use crate::bed::{apply, client, namespace};
use crate::identity::{helm, kubectl, repository};
use expect_test::expect_file;
use serde_json::json;

const SPACE: &str = "drover";

/// Prometheus Operator's definition, as far as a server needs it to take an object.
fn service_monitors() -> String {
    let schema = json!({ "type": "object", "x-kubernetes-preserve-unknown-fields": true });
    json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": { "name": "servicemonitors.monitoring.coreos.com" },
        "spec": { "group": "monitoring.coreos.com", "scope": "Namespaced",
            "names": { "kind": "ServiceMonitor", "plural": "servicemonitors", "singular": "servicemonitor" },
            "versions": [{ "name": "v1", "served": true, "storage": true, "schema": { "openAPIV3Schema": schema } }] },
    })
    .to_string()
}

fn accept(text: &str) -> String {
    let arguments = [
        "apply",
        "--server-side",
        "--dry-run=server",
        "--validate=strict",
        "--warnings-as-errors",
        "-f",
        "-",
    ];
    kubectl("member1", &arguments, text)
}

fn kinds(accepted: &str) -> Vec<&str> {
    accepted.lines().filter_map(|line| line.split(['/', '.']).next()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_that_is_shipped_is_accepted_by_a_real_server() {
    let _peace = crate::bed::peace().await;
    // The server warns of pods that do not keep the strictest of Kubernetes' own standards, and a warning is an error here.
    let mut space = namespace(SPACE);
    space["metadata"]["labels"] = json!({ "pod-security.kubernetes.io/warn": "restricted" });
    apply(&client("member1").await, &[space]).await;
    kubectl("member1", &["apply", "-f", "-"], &service_monitors());
    kubectl(
        "member1",
        &[
            "wait",
            "--for=condition=Established",
            "--timeout=60s",
            "crd/servicemonitors.monitoring.coreos.com",
        ],
        "",
    );

    let usual = helm(&["--namespace", SPACE]);
    let accepted = accept(&usual);
    for kind in [
        "deployment",
        "service",
        "serviceaccount",
        "configmap",
        "persistentvolumeclaim",
        "clusterrole",
        "role",
    ] {
        assert!(kinds(&accepted).contains(&kind), "{kind}: {accepted}");
    }
    assert!(
        !usual.contains("\"patch\"") && !usual.contains("\"create\""),
        "by default nothing is ever written"
    );
    for example in ["act", "federation", "plain"] {
        let values = repository().join(format!("deploy/helm/drover/examples/{example}.yaml"));
        let text = helm(&["--namespace", SPACE, "--values", &values.display().to_string()]);
        let accepted = accept(&text);
        assert!(kinds(&accepted).contains(&"deployment"), "{example}: {accepted}");
        let has_objects = accepted.contains("agents.drover.io") && accepted.contains("guardrails.drover.io");
        assert_eq!(has_objects, example == "federation", "{example}: {accepted}");
    }

    let plain = format!(
        "# What helm renders with the chart's own values; written by the tests (UPDATE_EXPECT=1), do not edit.\n\
         apiVersion: v1\nkind: Namespace\nmetadata:\n  name: {SPACE}\n{usual}"
    );
    expect_file![repository().join("deploy/manifests/drover.yaml")].assert_eq(&plain);
    for name in ["drover", "crds", "member-observe", "member-act", "karmada-observe", "karmada-act"] {
        let text =
            std::fs::read_to_string(repository().join(format!("deploy/manifests/{name}.yaml"))).unwrap();
        accept(&text);
    }
}
