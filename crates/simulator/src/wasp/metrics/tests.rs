use super::*;
use expect_test::expect;

const SNAPSHOT: &str = r#"{
    "interval_duration": "30s",
    "workloads": [ { "workload_id": "default/78", "kind": "deployment",
        "resources": {"cpu": "2000m", "memory": "4096Mi"},
        "pods_total": 2, "pods_pending": 2, "percent_pending": 100, "cluster_label": "private" } ],
    "cluster_info": [ { "cluster_label": "private",
        "cluster_load": {"cpu": 0.915, "memory": 0.906, "cpu_requested": 2.091, "memory_requested": 2.071},
        "cluster_cpu_capacity": "76500m", "cluster_memory_capacity": "158220Mi",
        "node_info": {"cpu": 8, "memory": 16, "quantity": 10} } ] }"#;

fn read(text: &str) -> Read<WaspMetrics> {
    read_metrics("metrics.json", text.as_bytes()).unwrap_or_else(|problems| panic!("{problems}"))
}

#[test]
fn both_key_formats_are_read_and_sorted() {
    let text = format!("{{\"2026-01-13 20:37:44\": {SNAPSHOT}, \"1761603773\": {SNAPSHOT}}}");
    let Read { value, notices } = read(&text);
    assert_eq!(notices, []);
    let times: Vec<u64> = value.snapshots.iter().map(|snapshot| snapshot.unix_seconds).collect();
    assert_eq!(times, [1_761_603_773, 1_768_336_664]);
    let snapshot = &value.snapshots[0];
    assert_eq!(snapshot.interval, Period::from_secs(30));
    assert_eq!(
        (snapshot.workloads[0].cpu, snapshot.workloads[0].memory),
        (MilliCpu(2000), Bytes(4096 << 20))
    );
    assert_eq!(
        (snapshot.clusters[0].cpu_load, snapshot.clusters[0].cpu_requested),
        (Load(915), Some(Load(2091)))
    );
}

#[test]
fn what_is_written_reads_back() {
    let metrics = read(&format!("{{\"1761603773\": {SNAPSHOT}, \"1761603803\": {SNAPSHOT}}}")).value;
    for keys in [KeyFormat::UnixSeconds, KeyFormat::Calendar] {
        assert_eq!(read(&metrics_json(&metrics, keys)).value, metrics);
    }
    let one = WaspMetrics { snapshots: metrics.snapshots[..1].to_vec() };
    expect![[r#"
        {
          "2025-10-27 22:22:53": {
            "interval_duration": "30s",
            "workloads": [
              {
                "workload_id": "default/78",
                "kind": "deployment",
                "resources": {
                  "cpu": "2000m",
                  "memory": "4096Mi"
                },
                "pods_total": 2,
                "pods_pending": 2,
                "percent_pending": 100,
                "cluster_label": "private"
              }
            ],
            "cluster_info": [
              {
                "cluster_label": "private",
                "cluster_load": {
                  "cpu": 0.915,
                  "memory": 0.906,
                  "cpu_requested": 2.091,
                  "memory_requested": 2.071
                },
                "cluster_cpu_capacity": "76500m",
                "cluster_memory_capacity": "158220Mi",
                "node_info": {
                  "cpu": 8,
                  "memory": 16,
                  "quantity": 10
                }
              }
            ]
          }
        }
    "#]]
    .assert_eq(&metrics_json(&one, KeyFormat::Calendar));
    assert_eq!(
        read(&metrics_json(&WaspMetrics::default(), KeyFormat::Calendar)).value,
        WaspMetrics::default()
    );
}

#[test]
fn loads_are_cut_to_thousandths() {
    let check = |part, whole, expected| assert_eq!(Load::of(part, whole), Load(expected), "{part}/{whole}");
    check(70_000, 76_500, 915);
    check(160_000, 76_500, 2091);
    check(0, 0, 0);
    check(5, 0, 0);
    check(u64::MAX, 1, u64::MAX);
    for thousandths in 0..5000 {
        assert_eq!(Load::from_float(Load(thousandths).as_float()), Some(Load(thousandths)));
    }
    assert_eq!((percent_pending(2, 0), percent_pending(1, 4)), (0.0, 25.0));
}

#[test]
fn broken_archives() {
    let text = r#"{
  "yesterday": {},
  "1": { "interval_duration": "soon", "workloads": [ { "workload_id": "a", "pods_total": "x" } ] },
  "2": { "interval_duration": "30s", "workloads": null, "cluster_info": [ { "cluster_load": { "cpu": -1 } }, 3 ], "new": 1 },
  "3": 4
}"#;
    let problems = read_metrics("m.json", text.as_bytes()).unwrap_err();
    let lines: Vec<String> =
        problems.iter().map(|p| format!("{} {}: {}", p.line, p.path, p.message)).collect();
    expect![[r#"
        2 yesterday: "yesterday" is not a time
        3 1.interval_duration: period "soon" does not start with a number
        3 1.workloads[0]: missing the key "kind"
        3 1.workloads[0]: missing the key "resources"
        3 1.workloads[0]: missing the key "pods_pending"
        3 1.workloads[0]: missing the key "cluster_label"
        3 1.workloads[0].pods_total: expected a whole number of at least 0, found "x"
        4 2.cluster_info[0]: missing the key "cluster_label"
        4 2.cluster_info[0]: missing the key "cluster_cpu_capacity"
        4 2.cluster_info[0]: missing the key "cluster_memory_capacity"
        4 2.cluster_info[0].cluster_load: missing the key "memory"
        4 2.cluster_info[0].cluster_load.cpu: expected a ratio of at least 0, found -1
        4 2.cluster_info[1]: expected a mapping, found 3
        5 3: expected a mapping, found 4"#]]
    .assert_eq(&lines.join("\n"));
}
