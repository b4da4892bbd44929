//! What WASP's configurations give: values, notices, problems.

#![expect(clippy::needless_raw_string_hashes, reason = "expect-test writes them")]

use super::*;
use expect_test::{Expect, expect};

const MINIMAL: &str = "\
clusters:
  member1: {nodes: 2, cpu: \"8\", memory: \"16Gi\", autoscaler: false}
  member2: {nodes: 2, cpu: 8, memory: 2560Mi, autoscaler: true}
ai-engine:
  enabled: true
  ai: {selected_model: google/gemini-2.5-flash, scheduler_interval: 60, timestamp_lookback_seconds: 600,
       multi_agent: {selected_prompt: multi_agent_v3, provider: openrouter, graph_version: v1,
                     generation_config: {temperature: 0.1, max_output_tokens: 18000}}}
monitor: {collection_interval: 30}
actuator: {orchestrator: karmada, mode: human-in-the-loop}
";

const CLUSTERS: &str = "clusters: { m: { nodes: 1, cpu: 1, memory: 1Gi } }\n";

fn read(text: &str) -> Read<WaspConfig> {
    read_config("config.yaml", text.as_bytes()).unwrap_or_else(|problems| panic!("{problems}"))
}

fn engine(text: &str) -> WaspEngine {
    read(&format!("{CLUSTERS}{text}")).value.engine
}

#[test]
fn the_minimal_file_is_read_whole() {
    let Read { value, notices } = read(MINIMAL);
    assert_eq!(notices, []);
    let cluster = |name: &str, memory, autoscaler, line| WaspCluster {
        name: name.to_owned(),
        nodes: 2,
        cpu: MilliCpu(8000),
        memory: Bytes(memory),
        autoscaler,
        line,
    };
    assert_eq!(
        value.clusters,
        [cluster("member1", 16 << 30, false, 2), cluster("member2", 2560 << 20, true, 3)]
    );
    assert_eq!(value.engine.model.as_deref(), Some("google/gemini-2.5-flash"));
    assert_eq!(value.engine.scheduler_interval, Period::from_secs(60));
    assert_eq!(value.engine.lookback, Period::from_secs(600));
    assert_eq!((value.engine.graph, value.engine.temperature), (WaspGraph::Single, Some(0.1)));
    assert_eq!(value.collection_interval, Period::from_secs(30));
    assert_eq!(value.actuator.review, WaspReview::Human);
}

#[test]
fn older_forms() {
    let flat = engine(
        "ai-engine: { scheduler_interval: 45, timestamp_lookback_seconds: 90, fetch_metrics_immediately: true }",
    );
    assert_eq!((flat.scheduler_interval, flat.lookback), (Period::from_secs(45), Period::from_secs(90)));
    assert!(flat.enabled && flat.decides_immediately);
    assert_eq!(engine("ai-engine: { ai: { multi_agent: true } }").graph, WaspGraph::Several);
    assert_eq!(engine("ai-engine: { ai: { mode: single_agent } }").graph, WaspGraph::Single);
    let single = engine(
        "ai-engine: { ai: { single_agent: { selected_prompt: p, generation_config: { temperature: 1 } } } }",
    );
    assert_eq!((single.prompt.as_deref(), single.temperature), (Some("p"), Some(1.0)));
    let prompts =
        engine("ai-engine: { ai: { multi_agent: { agents: { prompts: { cost_prompt_file: c } } } } }")
            .prompts;
    assert_eq!(prompts.cost.as_deref(), Some("c"));
    let alias = engine(
        "ai-engine: { ai: { selected_model: llama, models: { llama: { model_name: meta/l, provider: g } } } }",
    );
    assert_eq!((alias.model.as_deref(), alias.provider.as_deref()), (Some("meta/l"), Some("g")));
    assert!(!engine("").enabled);
    let interval = |text: &str| read(&format!("{CLUSTERS}{text}")).value.collection_interval;
    assert_eq!(interval("Monitor: { collection_interval: 7 }"), Period::from_secs(7));
    assert_eq!(
        interval("monitor: { mode: api, api: { port: 1, collection_interval: 8 } }"),
        Period::from_secs(8)
    );
}

#[expect(clippy::needless_pass_by_value, reason = "rows are written as literals")]
fn check(text: &str, expected: Expect) {
    let said = match read_config("c.yaml", text.as_bytes()) {
        Ok(read) => read.notices.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"),
        Err(problems) => problems.to_string(),
    };
    expected.assert_eq(&said);
}

#[test]
fn every_ignored_key_is_named() {
    check(
        &format!(
            "{CLUSTERS}prometheus: {{ grafana_enable: false }}\nkubeconfig: x\nactuatr: {{ a: {{ b: 1 }} }}\n"
        ),
        expect![[r#"
            2: prometheus.grafana_enable: Drover measures by itself and starts no Grafana; ignored
            3: kubeconfig: a simulated federation needs no access file or namespace; ignored
            4: actuatr.a.b: WASP has no such key (did you mean actuator?); ignored"#]],
    );
    let engine = "ai-engine:
  data: { input_json: x }
  logging: { level: DEBUG, file: y }
  scheduler_interval: 1
  recommendation_history: { mongodb: { host: h, port: 1 } }
  ai:
    scheduler_interval: 2
    selected_model: a/b
    models: { gemini: { model_name: g } }
    multi_agent:
      agents: { cpu_checker: { enabled: true, weight: 1.0 } }
    default_config: { generation_config: { rules: [a, b] } }
actuator: { orchestrator: morpheus, morpheus: { access_token: secret } }
";
    check(
        &format!("{CLUSTERS}{engine}"),
        expect![[r#"
        3: ai-engine.data.input_json: only for the command line of WASP's engine; Drover decides on live snapshots; ignored
        4: ai-engine.logging.level: Drover has no engine log; ignored
        4: ai-engine.logging.file: Drover has no engine log; ignored
        5: ai-engine.scheduler_interval: ai-engine.ai sets it as well, which counts; ignored
        6: ai-engine.recommendation_history.mongodb.host: Drover keeps its history in its journal; ignored
        6: ai-engine.recommendation_history.mongodb.port: Drover keeps its history in its journal; ignored
        10: ai-engine.ai.models.gemini.model_name: selected_model is none of these; ignored
        12: ai-engine.ai.multi_agent.agents.cpu_checker.enabled: left over from an older vote graph; WASP does not read it either; ignored
        12: ai-engine.ai.multi_agent.agents.cpu_checker.weight: left over from an older vote graph; WASP does not read it either; ignored
        13: ai-engine.ai.default_config.generation_config.rules: Drover's prompts are its own; ignored
        14: actuator.orchestrator: Drover does not drive HPE Morpheus
        14: actuator.morpheus.access_token: Drover does not drive HPE Morpheus; ignored"#]],
    );
}

#[test]
fn problems_come_all_at_once() {
    check(
        "monitor: { collection_interval: 30 }",
        expect![[r#"
            c.yaml:1:1: missing the key "clusters"
               1 | monitor: { collection_interval: 30 }
                 | ^
              help: add for instance "clusters": { "member1": { "nodes": 2, "cpu": "8", "memory": "16Gi" } }"#]],
    );
    check(
        "clusters:
  Member_1: { nodes: -2, cpu: eight, memory: 16GB, autoscaler: maybe }
  m2: 5
  m3: { nodes: 99999999999, cpu: 1, memory: 1Gi }
ai-engine: { ai: { multi_agent: { graph_version: v3 }, cluster_selection: { listed_clusters: [a, [b]] } } }
actuator: { mode: manual }
",
        expect![[r#"
            c.yaml:2:13: clusters.Member_1: "Member_1" is not a name: a name has at most 63 lower-case letters, digits and '-', and begins and ends with a letter or digit
               2 |   Member_1: { nodes: -2, cpu: eight, memory: 16GB, autoscaler: maybe }
                 |             ^
              help: write member-1
            c.yaml:2:22: clusters.Member_1.nodes: expected a whole number of at least 0, found -2
               2 |   Member_1: { nodes: -2, cpu: eight, memory: 16GB, autoscaler: maybe }
                 |                      ^
              help: write for instance 1
            c.yaml:2:31: clusters.Member_1.cpu: cpu "eight" does not start with a number
               2 |   Member_1: { nodes: -2, cpu: eight, memory: 16GB, autoscaler: maybe }
                 |                               ^
              help: write for instance "2"
            c.yaml:2:46: clusters.Member_1.memory: memory "16GB" has the unknown suffix "GB"
               2 |   Member_1: { nodes: -2, cpu: eight, memory: 16GB, autoscaler: maybe }
                 |                                              ^
              help: did you mean 16G (decimal) or 16Gi (binary)?
            c.yaml:2:64: clusters.Member_1.autoscaler: expected true or false, found "maybe"
               2 |   Member_1: { nodes: -2, cpu: eight, memory: 16GB, autoscaler: maybe }
                 |                                                                ^
              help: write true or false, without quotes
            c.yaml:3:7: clusters.m2: expected a mapping, found 5
               3 |   m2: 5
                 |       ^
              help: put it into braces: { "key": value }
            c.yaml:4:16: clusters.m3.nodes: 99999999999 nodes are too many
               4 |   m3: { nodes: 99999999999, cpu: 1, memory: 1Gi }
                 |                ^
              help: write at most 100000
            c.yaml:5:50: ai-engine.ai.multi_agent.graph_version: expected v1 or v2, found "v3"
               5 | ai-engine: { ai: { multi_agent: { graph_version: v3 }, cluster_selection: { listed_clusters: [a, [b]…
                 |                                                  ^
              help: did you mean "v1"?
            c.yaml:5:98: ai-engine.ai.cluster_selection.listed_clusters[1]: expected a cluster's name, found a list
               5 | …ti_agent: { graph_version: v3 }, cluster_selection: { listed_clusters: [a, [b]] } } }
                 |                                                                             ^
              help: write for instance member1
            c.yaml:6:19: actuator.mode: expected auto or human-in-the-loop, found "manual"
               6 | actuator: { mode: manual }
                 |                   ^
              help: write "auto""#]],
    );
}
