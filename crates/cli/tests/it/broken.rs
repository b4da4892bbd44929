//! Broken scenario files: each is refused with line, path and proposal, all problems at once, and leaves nothing behind.
//!
//! Everything the program says stands in `broken.txt`, to be read as a person would read it.

use crate::support::Scratch;
use expect_test::expect_file;

/// A scenario without faults; every row breaks it somewhere.
const SOUND: &str = "\
drover: scenario/v1
name: broken
duration: 10m
clusters:
  - name: left
    pools:
      - { nodes: 2, cpu: 8, memory: 16Gi }
  - name: right
    pools:
      - { nodes: 2, cpu: 8, memory: 16Gi }
workloads:
  - { name: web, cluster: left, replicas: 2, cpu: 1, memory: 2Gi }
  - { name: api, cluster: left, replicas: 2, cpu: 1, memory: 2Gi }
agents:
  - name: keeper
    decide: { strategy: planner }
";

/// What is wrong, what replaces what in [`SOUND`], and how many problems there are.
type Edit = (&'static str, &'static [(&'static str, &'static str)], usize);

const WEB: &str = "{ name: web, cluster: left, replicas: 2, cpu: 1, memory: 2Gi }";
const LEFT_POOL: &str = "left\n    pools:\n      - { nodes: 2, cpu: 8, memory: 16Gi }";

const CLUSTERS: &str = "\
clusters:
  - name: left
    pools:
      - { nodes: 2, cpu: 8, memory: 16Gi }
  - name: right
    pools:
      - { nodes: 2, cpu: 8, memory: 16Gi }
";
const EVENT: &str = "events: [{ at: 1m, workload: default/web, change: { delete: {} } }]\nagents:";

/// A service whose clients are in an area with a slip of the pen.
const CLIENTS: &str = "{ name: web, cluster: left, clients: { ue: 1 }, service: { demand: { requests_per_second: 1 }, cpu_per_request: 10ms } }";
const NETWORK: &str = "network: { areas: { eu: {} }, otherwise: 20ms }\nagents:";

const EDITS: &[Edit] = &[
    ("a quote that never ends", &[("name: broken", "name: \"broken")], 1),
    ("a tab for indentation", &[("    pools:", "\tpools:")], 1),
    ("a key that does not exist", &[("duration:", "duraton:")], 1),
    (
        "a key of a pool that does not exist",
        &[("memory: 16Gi }\n  - name: right", "memery: 16Gi }\n  - name: right")],
        1,
    ),
    ("the same key twice", &[("duration: 10m", "duration: 10m\nduration: 20m")], 1),
    ("negative processors", &[("replicas: 2, cpu: 1,", "replicas: 2, cpu: -1,")], 2),
    ("a decimal suffix for memory", &[("memory: 16Gi", "memory: 16GB")], 2),
    ("memory in thousandths", &[(WEB, "{ name: web, cluster: left, memory: 500m }")], 1),
    ("not a number", &[(WEB, "{ name: web, cluster: left, cpu: .nan }")], 1),
    ("an infinite amount", &[(WEB, "{ name: web, cluster: left, cpu: .inf }")], 1),
    ("clients where there is no network", &[(WEB, CLIENTS)], 1),
    ("clients in an area that does not exist", &[(WEB, CLIENTS), ("agents:", NETWORK)], 1),
    ("half a replica", &[(WEB, "{ name: web, cluster: left, replicas: 1.5 }")], 1),
    (
        "too many nodes",
        &[("right\n    pools:\n      - { nodes: 2", "right\n    pools:\n      - { nodes: 1000000")],
        1,
    ),
    ("a period without a unit", &[("duration: 10m", "duration: 600")], 1),
    ("a simulation of no length", &[("duration: 10m", "duration: 0s")], 1),
    ("a simulation longer than a year", &[("duration: 10m", "duration: 9000h")], 1),
    ("deleted before it is created", &[(WEB, "{ name: web, cluster: left, at: 5m, until: 1m }")], 1),
    ("created after the end", &[(WEB, "{ name: web, cluster: left, at: 11m }")], 1),
    (
        "an event after the end",
        &[(
            "agents:",
            "events:\n  - { at: 1h, workload: default/web, change: { scale: { replicas: 3 } } }\nagents:",
        )],
        1,
    ),
    (
        "an event for nobody",
        &[("agents:", "events:\n  - { at: 1m, workload: default/wab, change: { delete: {} } }\nagents:")],
        1,
    ),
    (
        "an event that is no change",
        &[(
            "agents:",
            "events:\n  - { at: 1m, workload: default/web, change: { scael: { replicas: 3 } } }\nagents:",
        )],
        1,
    ),
    (
        "a size for those who have none",
        &[
            (WEB, "{ name: web, kind: daemonset, cluster: left, cpu: 1 }"),
            ("{ name: api,", "{ name: api, kind: pod,"),
            (
                "agents:",
                "  - { name: nightly, kind: cronjob, cluster: left, schedule: \"0 1 * * *\" }\nevents:\n  - { at: 1m, workload: cronjob/default/nightly, change: { scale: { replicas: 3 } } }\n  - { at: 1m, workload: daemonset/default/web, change: { scale: { replicas: 3 } } }\n  - { at: 2m, workload: pod/default/api, change: { update: { cpu: 2, replicas: 3 } } }\nagents:",
            ),
        ],
        3,
    ),
    (
        "budgets that cannot be kept",
        &[
            (WEB, "{ name: web, kind: daemonset, cluster: left, disruption_budget: { min_available: 1 } }"),
            (
                "agents:",
                "  - { name: a, kind: job, cluster: left, disruption_budget: { max_unavailable: 1 } }\n  - { name: b, cluster: left, disruption_budget: { min_available: \"150%\" } }\n  - { name: c, cluster: left, disruption_budget: { min_available: half } }\n  - { name: d, cluster: left, disruption_budget: { min_available: -1 } }\n  - { name: e, cluster: left, disruption_budget: { min_available: 1, max_unavailable: 1 } }\nagents:",
            ),
        ],
        6,
    ),
    (
        "a freeze that runs backwards",
        &[("agents:", "guardrails:\n  freezes: [{ from: 5m, until: 2m }]\nagents:")],
        1,
    ),
    ("a delay that runs backwards", &[("agents:", "reviewer: { delay: 15s..5s }\nagents:")], 1),
    (
        "distributions that contradict themselves",
        &[
            (
                LEFT_POOL,
                "left\n    pools:\n      - { nodes: 2, cpu: 8, memory: 16Gi, boot_time: { median: 2m, p95: 45s } }",
            ),
            (
                WEB,
                "{ name: web, cluster: left, start_time: { mean: 5s, deviation: 1s, least: 9s }, stop_time: { samples: [] } }",
            ),
            ("agents:", "reviewer: { delay: { median: 0s, p95: 1m } }\nagents:"),
        ],
        4,
    ),
    (
        "distributions that are none",
        &[
            (
                LEFT_POOL,
                "left\n    pools:\n      - { nodes: 2, cpu: 8, memory: 16Gi, boot_time: { median: 45s } }",
            ),
            (
                WEB,
                "{ name: web, cluster: left, start_time: { mean: 5s, deviaton: 1s }, stop_time: { samples: [3] } }",
            ),
        ],
        3,
    ),
    ("a failover without a unit", &[("agents:", "failover: { toleration: 300, grace: 5m }\nagents:")], 2),
    ("a share of more than everything", &[("agents:", "limits: { max_load: 80 }\nagents:")], 1),
    ("no clusters at all", &[(SOUND, "drover: scenario/v1\nname: broken\nduration: 10m\nclusters: []\n")], 1),
    ("a workload in no cluster", &[(WEB, "{ name: web, replicas: 2 }")], 1),
    ("a workload in an unknown cluster", &[(WEB, "{ name: web, cluster: lfet }")], 1),
    ("an agent for an unknown cluster", &[("decide:", "scope: { clusters: [rigth] }\n    decide:")], 1),
    ("an unknown strategy", &[("planner", "planer")], 1),
    ("a strategy with an unknown parameter", &[("planner }", "planner, max_lod: 0.8 }")], 1),
    ("a strategy that contradicts itself", &[("planner }", "planner, headroom: 0.8 }")], 1),
    ("an agent that never pauses", &[("decide:", "when: { every: 0s }\n    decide:")], 1),
    ("an agent that is called like a word of the record", &[("name: keeper", "name: people")], 1),
    ("two clusters of one name", &[("name: right", "name: left")], 1),
    ("two workloads of one name", &[("name: api", "name: web")], 1),
    ("copies that all have one name", &[(WEB, "{ name: web, copies: 3, cluster: left }")], 1),
    ("a name in capital letters", &[("name: web", "name: Web_Shop")], 1),
    ("a name that moves the cursor", &[("name: web", "name: \"web\\u001b[2J\"")], 1),
    (
        "fewer nodes than the minimum",
        &[(LEFT_POOL, "left\n    pools:\n      - { nodes: 2, cpu: 8, memory: 16Gi, minimum: 3 }")],
        1,
    ),
    (
        "a minimum above the maximum",
        &[(
            LEFT_POOL,
            "left\n    pools:\n      - { nodes: 5, cpu: 8, memory: 16Gi, minimum: 9, maximum: 4 }",
        )],
        1,
    ),
    (
        "a system that takes everything",
        &[(LEFT_POOL, "left\n    pools:\n      - { nodes: 2, cpu: 8, memory: 16Gi, overhead: { cpu: 8 } }")],
        1,
    ),
    (
        "a schedule that is none",
        &[(WEB, "{ name: web, kind: cronjob, cluster: left, schedule: \"61 * * *\" }")],
        1,
    ),
    ("a cron job without a schedule", &[(WEB, "{ name: web, kind: cronjob, cluster: left }")], 1),
    ("a schedule for a deployment", &[(WEB, "{ name: web, cluster: left, schedule: \"*/5 * * * *\" }")], 1),
    ("an unknown kind of workload", &[(WEB, "{ name: web, kind: Deploymnt, cluster: left }")], 1),
    ("pod fields that do not parse", &[(WEB, "{ name: web, cluster: left, pod: { tolerations: 5 } }")], 1),
    (
        "a pod that bypasses the scheduler",
        &[(WEB, "{ name: web, cluster: left, pod: { nodeName: first } }")],
        1,
    ),
    (
        "a container that asks for less than nothing",
        &[(
            WEB,
            "{ name: web, cluster: left, pod: { containers: [{ name: a, resources: { requests: { cpu: -1 } } }] } }",
        )],
        1,
    ),
    ("a share of a rollout that is none", &[(WEB, "{ name: web, cluster: left, max_surge: some }")], 1),
    (
        "a vertical autoscaler with everything wrong",
        &[(
            WEB,
            "{ name: web, kind: pod, cluster: left, vertical_autoscaler: { min_allowed: { cpu: 2 }, max_allowed: { cpu: 1 }, target_percentile: 0.2, half_life: 0s } }",
        )],
        4,
    ),
    (
        "a vertical autoscaler that would act",
        &[(WEB, "{ name: web, cluster: left, vertical_autoscaler: { update_mode: Auto } }")],
        1,
    ),
    (
        "courses in files that are not there",
        &[
            (
                LEFT_POOL,
                "left\n    carbon: { file: carbon.csv }\n    pools:\n      - { nodes: 2, cpu: 8, memory: 16Gi }",
            ),
            (
                WEB,
                "{ name: web, cluster: left, cpu: 1, service: { cpu_per_request: 10ms, demand: { requests_per_second: { trace: { file: demand.csv } } } } }",
            ),
        ],
        2,
    ),
    (
        "a course that stands in a file and here",
        &[
            (
                WEB,
                "{ name: web, cluster: left, cpu: 1, service: { cpu_per_request: 10ms, demand: { requests_per_second: { trace: { format: csv, values: [1, 2], every: 1m } } } } }",
            ),
            ("left\n    pools:", "left\n    carbon: { file: carbon.csv, grams: 5 }\n    pools:"),
        ],
        3,
    ),
    ("a format of the future", &[("scenario/v1", "scenario/v2")], 1),
    ("no format", &[("drover: scenario/v1\n", "")], 1),
    ("an unknown Kubernetes", &[("duration: 10m", "duration: 10m\nkubernetes: \"1.12\"")], 1),
    (
        "three mistakes of spelling",
        &[("duration:", "duration: 10m\nlimts: {}\nnothing:"), ("planner", "plannr")],
        3,
    ),
    (
        "three mistakes of meaning",
        &[(WEB, "{ name: web, cluster: lfet, at: 5m, until: 1m, schedule: \"* * * * *\" }")],
        3,
    ),
    (
        "one mistake of spelling, two of meaning",
        &[("16Gi }\n  - name", "16GB }\n  - name"), ("cluster: left", "cluster: lfet")],
        3,
    ),
    (
        "a cluster with everything wrong",
        &[
            (
                LEFT_POOL,
                "left\n    pools:\n      - { nodes: 5, cpu: 8, memory: 16GB, minimum: 9, maximum: 4, overhead: { cpu: 8 } }\n      - { nodes: 1, cpu: 0, memory: 1Gi, zone: [a] }\n    autoscaler: { scan_every: 0s, unneeded_for: 10 }",
            ),
            ("name: right", "name: left"),
        ],
        9,
    ),
    (
        "a workload with everything wrong",
        &[(
            WEB,
            "{ name: web, copies: 3, cluster: lfet, replicas: 1.5, cpu: 1x, at: 5m, until: 1m, schedule: \"* * *\", max_surge: some, pod: { nodeName: first, tolerations: 5 } }",
        )],
        9,
    ),
    (
        "a time line with everything wrong",
        &[
            ("duration: 10m", "duration: 10m\nkubernetes: \"1.12\""),
            (
                "agents:",
                "events:\n  - { at: 1h, workload: default/wab, change: { delete: {} } }\n  - { at: 1m, workload: web, change: { scael: { replicas: 3 } } }\nguardrails:\n  freezes: [{ from: 5m, until: 2m, reasn: none }]\nobservation: { every: 0s }\nagents:",
            ),
        ],
        8,
    ),
    (
        "agents with everything wrong",
        &[(
            "decide: { strategy: planner }",
            "when: { every: 0s, first: 1m }\n    scope: { clusters: [rigth] }\n    decide: { strategy: planner, headroom: 0.8 }\n  - { name: keeper, decide: { strategy: holt } }",
        )],
        6,
    ),
    (
        "a misspelt section with mistakes in it",
        &[("workloads:", "worklods:"), (WEB, "{ name: web, cluster: lfet, replicas: -1 }")],
        3,
    ),
    (
        "a key that is set twice, and other mistakes",
        &[("name: broken", "name: broken\nname: again"), ("name: api", "name: web"), ("cpu: 8", "cpu: .inf")],
        4,
    ),
];

/// One mistake each, from which others seem to follow: only the mistake itself is named.
const CAUSES: &[(&str, &[(&str, &str)])] = &[
    ("a cluster's name is wrong, and workloads refer to it", &[("- name: left", "- name: Left Side")]),
    ("a cluster's name is misspelt as a key", &[("- name: left", "- nmae: left")]),
    ("the clusters are no list", &[(CLUSTERS, "clusters: 5\n")]),
    ("the section of the clusters is misspelt", &[("clusters:", "clustrs:")]),
    (
        "a kind is wrong, and a schedule would need it",
        &[(WEB, "{ name: web, kind: cron, cluster: left, schedule: \"* * * * *\" }")],
    ),
    (
        "a length is wrong, and something lies after it",
        &[("duration: 10m", "duration: 10"), (WEB, "{ name: web, cluster: left, at: 11m }")],
    ),
    (
        "there is no length, and something lies after it",
        &[("duration: 10m", "duration: 0s"), (WEB, "{ name: web, cluster: left, at: 11m }")],
    ),
    ("the key of a cluster is misspelt", &[(WEB, "{ name: web, clustr: left }")]),
    ("an unknown key may have meant the cluster", &[(WEB, "{ name: web, host: left }")]),
    (
        "a bound is wrong",
        &[(
            LEFT_POOL,
            "left\n    pools:\n      - { nodes: 5, cpu: 8, memory: 16Gi, minimum: -1, maximum: 6 }",
        )],
    ),
    (
        "the key of a bound is misspelt",
        &[(
            LEFT_POOL,
            "left\n    pools:\n      - { nodes: 5, cpu: 8, memory: 16Gi, minimun: 2, maximum: 9 }",
        )],
    ),
    (
        "an amount is wrong, and the overhead is above its stand-in",
        &[(LEFT_POOL, "left\n    pools:\n      - { nodes: 2, cpu: 8x, memory: 16Gi, overhead: { cpu: 7 } }")],
    ),
    (
        "an event is about a workload in an unknown cluster",
        &[(WEB, "{ name: web, cluster: lfet }"), ("agents:", EVENT)],
    ),
    (
        "an event is about a workload with a wrong kind",
        &[(WEB, "{ name: web, kind: deploy, cluster: left }"), ("agents:", EVENT)],
    ),
    (
        "an event is about copies without a number",
        &[(WEB, "{ name: web, copies: 2, cluster: left }"), ("agents:", EVENT)],
    ),
    (
        "three copies have the same wrong pod",
        &[(WEB, "{ name: \"web-{n}\", copies: 3, cluster: left, pod: { tolerations: 5 } }")],
    ),
    (
        "three copies repeat three others",
        &[
            (WEB, "{ name: \"web-{n}\", copies: 3, cluster: left }"),
            ("{ name: api,", "{ name: \"web-{n}\", copies: 3,"),
        ],
    ),
    ("a strategy is unknown, and its parameters with it", &[("planner }", "planer, headroom: 0.8 }")]),
    (
        "a parameter is wrong, and the others contradict it",
        &[("planner }", "planner, headroom: 0.8, max_load: high }")],
    ),
    (
        "an event does not say which workload",
        &[("agents:", "events: [{ at: 1m, workload: [web], change: { delete: {} } }]\nagents:")],
    ),
    ("an agent does not say which cluster", &[("decide:", "scope: { clusters: [[left]] }\n    decide:")]),
    (
        "a percentile is wrong, and another is above it",
        &[(
            WEB,
            "{ name: web, cluster: left, vertical_autoscaler: { lower_percentile: half, target_percentile: 0.2 } }",
        )],
    ),
    ("a time is wrong, and another is before it", &[(WEB, "{ name: web, cluster: left, at: 5, until: 1m }")]),
];

/// Rows about the file as a whole or its outermost mapping: there is no path to that.
const AT_THE_TOP: &[&str] = &[
    "a key that does not exist",
    "the same key twice",
    "no format",
    "three mistakes of spelling",
    "a misspelt section with mistakes in it",
    "a key that is set twice, and other mistakes",
    "an empty file",
    "only a comment",
    "binary garbage",
    "text that is not UTF-8",
    "text in UTF-16",
    "a list at the top",
    "a word at the top",
    "two documents",
    "JSON with a comma too many",
    "JSON that stops",
];

/// Files that are not even nearly a scenario: what is wrong, the file's name, its bytes and the number of problems.
fn whole_files() -> Vec<(&'static str, &'static str, Vec<u8>, usize)> {
    let deep = format!("drover: {}{}\n", "[".repeat(5_000), "]".repeat(5_000));
    let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..12 {
        let former = format!("*a{}, ", level - 1).repeat(10);
        let items = former.trim_end_matches(", ");
        bomb += &[&format!("a{level}: &a{level} ["), items, "]\n"].concat();
    }
    vec![
        ("an empty file", "empty.yaml", Vec::new(), 1),
        ("only a comment", "comment.yaml", b"# to be written\n".to_vec(), 1),
        ("binary garbage", "garbage.yaml", (0..=255).cycle().take(4096).collect(), 1),
        ("text that is not UTF-8", "latin1.yaml", b"name: caf\xe9\n".to_vec(), 1),
        ("text in UTF-16", "utf16.yaml", b"\xff\xfed\0r\0o\0v\0e\0r\0".to_vec(), 1),
        ("a list at the top", "list.yaml", b"- drover: scenario/v1\n".to_vec(), 1),
        ("a word at the top", "word.yaml", b"hello\n".to_vec(), 1),
        ("nesting without end", "deep.yaml", deep.into_bytes(), 1),
        ("aliases that multiply", "bomb.yaml", bomb.into_bytes(), 1),
        ("two documents", "two.yaml", format!("{SOUND}---\n{SOUND}").into_bytes(), 1),
        ("JSON with a comma too many", "comma.json", b"{ \"drover\": \"scenario/v1\", }\n".to_vec(), 1),
        ("JSON that stops", "stops.json", b"{ \"drover\": \"scenario/v1\"\n".to_vec(), 1),
    ]
}

#[test]
fn the_unbroken_file_runs() {
    let scratch = Scratch::new("sound");
    scratch.write("sound.yaml", SOUND);
    scratch.succeed(&["run", "sound.yaml", "--out", "out"]);
}

/// What the program says about each row, or in which way it breaks its promises.
fn rows(scratch: &str) -> Vec<(&'static str, Result<String, String>)> {
    let edits = EDITS.iter().map(|(what, edits, problems)| {
        let edited = edited(what, edits);
        (*what, refuse(scratch, "broken.yaml", edited.as_bytes(), *problems))
    });
    let whole = whole_files().into_iter().map(|(what, name, content, problems)| {
        let said = refuse(scratch, name, &content, problems);
        (what, said)
    });
    edits.chain(whole).collect()
}

#[test]
fn broken_files_are_refused_in_full() {
    let mut transcript =
        String::from("What the program says about broken files; written by the test beside this file.\n");
    let mut faults = Vec::new();
    for (what, said) in rows("broken") {
        match said {
            Ok(said) => transcript += &["\n== ", what, "\n", &said].concat(),
            Err(fault) => faults.push(format!("== {what}: {fault}")),
        }
    }
    expect_file!["broken.txt"].assert_eq(&transcript);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

fn edited(what: &str, edits: &[(&str, &str)]) -> String {
    edits.iter().fold(SOUND.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{what}: {from:?} is not in the file");
        text.replace(from, to)
    })
}

#[test]
fn nothing_is_said_that_only_follows_from_a_mistake() {
    let faults: Vec<String> = CAUSES
        .iter()
        .filter_map(|(what, edits)| {
            let fault = refuse("causes", "broken.yaml", edited(what, edits).as_bytes(), 1).err()?;
            Some(format!("== {what}: {fault}"))
        })
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_problem_has_its_line_its_path_and_a_proposal() {
    for (what, said) in rows("complete") {
        let said = said.unwrap_or_else(|fault| panic!("{what}: {fault}"));
        let is_placed = complete(what, &said);
        assert_eq!(is_placed, !AT_THE_TOP.contains(&what), "{what}: {said}");
    }
}

/// Every problem has its line and a proposal; whether all have a path is the answer.
pub(crate) fn complete(what: &str, said: &str) -> bool {
    let problems = problems(said);
    assert!(!problems.is_empty(), "{what}: no problem");
    for problem in &problems {
        let place: Vec<&str> = problem[0].splitn(4, ':').collect();
        let is_number = |part: &&str| part.parse::<u32>().is_ok_and(|number| number > 0);
        assert!(place.len() == 4 && place[1..3].iter().all(is_number), "{what}: no line: {problem:?}");
        let proposal = problem.last().and_then(|line| line.strip_prefix("  help: "));
        assert!(proposal.is_some_and(|proposal| proposal.len() > 4), "{what}: no proposal: {problem:?}");
    }
    problems.iter().all(|problem| has_path(problem[0]))
}

/// Whether a path stands between place and message: it has no spaces, and a message never is a single word.
fn has_path(line: &str) -> bool {
    let rest = line.splitn(4, ':').nth(3).unwrap_or_default().trim();
    rest.split_once(": ").is_some_and(|(path, _)| !path.contains(' '))
}

/// The lines of each problem.
fn problems(said: &str) -> Vec<Vec<&str>> {
    let mut problems: Vec<Vec<&str>> = Vec::new();
    let is_first =
        |line: &str| line.split_once(':').is_some_and(|(file, _)| !file.contains(' ') && file.contains('.'));
    for line in said.lines().take_while(|line| !line.contains("found; nothing was written")) {
        if is_first(line) {
            problems.push(Vec::new());
        }
        problems.last_mut().unwrap_or_else(|| panic!("not a problem: {line}")).push(line);
    }
    problems
}

/// One row: refused by `run` and by `check` with the same words, and nothing is left behind.
fn refuse(scratch: &str, name: &str, content: &[u8], problems: usize) -> Result<String, String> {
    let scratch = Scratch::new(scratch);
    scratch.write(name, content);
    let said = scratch.drover(&["run", name, "--out", "out"]);
    let checked = scratch.drover(&["check", name]);
    let listed = said.errors.lines().filter(|line| line.starts_with(&format!("{name}:"))).count();
    let fault = match () {
        () if said.code != Some(2) || !said.text.is_empty() => "not refused",
        () if scratch.names() != [name] => "something was written",
        () if listed != problems => "another number of problems",
        () if (checked.code, &checked.errors) != (Some(2), &said.errors) => "check says something else",
        () => return Ok(said.errors),
    };
    Err(format!("{fault}\n{}{}", said.text, said.errors))
}

#[test]
fn a_huge_file_is_refused_before_it_is_read() {
    let scratch = Scratch::new("huge");
    std::fs::File::create(scratch.path("huge.yaml")).unwrap().set_len(2 << 30).unwrap();
    let said = scratch.drover(&["run", "huge.yaml", "--out", "out"]);
    assert_eq!(said.code, Some(2));
    assert!(said.errors.starts_with("huge.yaml: 2048 MiB is more than"), "{}", said.errors);
    assert_eq!(scratch.names(), ["huge.yaml"]);
}

#[test]
fn what_is_no_file_is_refused_with_its_name() {
    let scratch = Scratch::new("no-file");
    let check = |arguments: &[&str], part: &str| {
        let said = scratch.drover(arguments);
        assert_eq!(said.code, Some(2), "{arguments:?}: {}", said.errors);
        assert!(said.errors.contains(part), "{arguments:?}: {}", said.errors);
        assert!(scratch.names().is_empty(), "{arguments:?}");
    };
    check(&["run", "missing.yaml", "--out", "out"], "missing.yaml: cannot be opened");
    check(&["run", ".", "--out", "out"], ".: is a folder, not a file");
    check(&["run"], "required");
    check(&["run", "--wasp-config", "missing.yaml"], "--wasp-input");
    check(&["replay", "missing.jsonl"], "missing.jsonl: cannot be opened");
    check(&["check", "missing.yaml"], "missing.yaml: cannot be opened");
}

#[test]
fn an_unknown_strategy_on_the_command_line_gets_a_proposal() {
    let scratch = Scratch::new("unknown-strategy");
    scratch.write("sound.yaml", SOUND);
    let said = scratch.drover(&["run", "sound.yaml", "--strategy", "karmada", "--out", "out"]);
    assert_eq!(said.code, Some(2));
    assert!(said.errors.contains("did you mean \"karmada-native\"?"), "{}", said.errors);
    assert_eq!(scratch.names(), ["sound.yaml"]);
}
