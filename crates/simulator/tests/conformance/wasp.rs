//! WASP's own files, unmodified.

use model::quantity::{Bytes, MilliCpu};
use model::time::Period;
use simulator::wasp::{
    Read, WaspAction, WaspGraph, WaspKind, WaspReview, read_config, read_input, read_recommendations,
};
use std::path::PathBuf;

fn file(name: &str) -> Vec<u8> {
    #[expect(clippy::disallowed_methods, reason = "the test shell is told where the shared data lies")]
    let chosen = std::env::var("DROVER_SHARED").ok();
    let root = chosen
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from);
    let path = root.join("data/wasp").join(name);
    std::fs::read(&path).unwrap_or_else(|error| panic!("cannot read {}: {error}", path.display()))
}

#[test]
fn config_is_read_and_every_key_without_effect_is_named() {
    let Read { value, notices } =
        read_config("config.yaml", &file("config.yaml")).unwrap_or_else(|problems| panic!("{problems}"));
    let names: Vec<&str> = value.clusters.iter().map(|cluster| cluster.name.as_str()).collect();
    assert_eq!(names, ["member1", "member2"]);
    for cluster in &value.clusters {
        assert_eq!((cluster.nodes, cluster.cpu, cluster.memory), (2, MilliCpu(8000), Bytes(16 << 30)));
    }
    assert_eq!((value.clusters[0].autoscaler, value.clusters[1].autoscaler), (false, true));
    assert!(value.engine.enabled && !value.engine.decides_immediately);
    assert_eq!(value.engine.scheduler_interval, Period::from_secs(60));
    assert_eq!(value.engine.lookback, Period::from_secs(600));
    assert_eq!(value.engine.graph, WaspGraph::Single);
    assert_eq!(value.collection_interval, Period::from_secs(30));
    assert_eq!(value.actuator.review, WaspReview::Automatic);
    for notice in &notices {
        println!("config.yaml:{notice}");
    }
    assert!(
        notices.iter().all(|notice| !notice.message.contains("no such key")),
        "every key of WASP is known"
    );
    let expected = ["ai-engine.logging.level", "actuator.morpheus.access_token", "prometheus.grafana_enable"];
    for path in expected {
        assert!(notices.iter().any(|notice| notice.path == path), "{path} is not named");
    }
}

#[test]
fn the_three_waves() {
    let Read { value, notices } =
        read_input("input.json", &file("input.json")).unwrap_or_else(|p| panic!("{p}"));
    assert_eq!(value.end, Period::from_secs(200));
    let times: Vec<u64> = value.events.iter().map(|event| event.at.as_millis() / 1000).collect();
    assert_eq!(times, [1, 1, 1, 1, 1, 70, 70, 70, 130, 130]);
    for event in &value.events {
        assert_eq!((event.kind, event.action, event.replicas), (WaspKind::Deployment, WaspAction::Create, 2));
        assert_eq!((event.cpu, event.memory), (Some(MilliCpu(1000)), Some(Bytes(2 << 30))));
        assert_eq!(event.label.as_deref(), Some("member1"));
    }
    let paths: Vec<&str> = notices.iter().map(|notice| notice.path.as_str()).collect();
    assert_eq!(paths, ["config.kubeconfig"]);
}

#[test]
fn the_varying_load() {
    let Read { value, .. } =
        read_input("input.json", &file("input_varia.json")).unwrap_or_else(|p| panic!("{p}"));
    let count = |action| value.events.iter().filter(|event| event.action == action).count();
    assert_eq!((count(WaspAction::Create), count(WaspAction::Delete)), (160, 91));
    let label = |name: &str| value.events.iter().filter(|event| event.label.as_deref() == Some(name)).count();
    assert_eq!((label("private"), label("public")), (91, 69));
    assert!(value.events.is_sorted_by_key(|event| event.at));
    assert_eq!(value.end, Period::from_secs(1820));
}

#[test]
fn a_file_of_another_kind_is_refused() {
    assert!(read_recommendations("input.json", &file("input.json")).is_err());
    assert!(read_config("input.json", &file("input.json")).is_err());
}
