//! Reading and writing of every format: what is meant, everything that is wrong, and the way there and back.

use super::export::{PastPod, past_pods, write};
use super::*;
use crate::scenario::{ReviewerSpec, Scenario, Spread, read_beside};
use crate::world::SimulatedWorld;
use control::world::World as _;
use model::ratio::Ratio;
use std::sync::Arc;

const OPENB: &str = "\
name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time
whole,12000,16384,1,1000,,LS,Running,0,100,5
share,6000,12288,1,460,V100M16|T4,BE,Succeeded,10,70,10
eight,1000,1024,8,1000,,LS,Running,20,,20
never,1000,1024,0,0,,Burstable,Pending,30,90,
";

const OPENB_NODES: &str = "\
sn,cpu_milli,memory_mib,gpu,model
n0,32000,65536,0,
n1,96000,393216,8,G2
n2,32000,65536,0,
n3,96000,393216,4,T4
";

const SWF: &str = "\
; Version: 2.2
; MaxNodes: 4
; MaxProcs: 16 processors
1 0 10 60 2 -1 -1 2 100 -1 1 3 1 -1 1 -1 -1 -1
2 5 0 30 -1 -1 2048 4 -1 1024 1 -1 -1 -1 -1 -1 -1 -1

3 7 40 -1 -1 -1 -1 8 -1 -1 5 -1 -1 -1 -1 -1 -1 -1
4 9 -1 -1 1 -1 -1 1 -1 -1 0 -1 -1 -1 -1 -1 -1 -1
";

const ROWS: &str = "\
name,arrival_s,cpu,memory,run_s,until_s,replicas,priority,labels,resources,node_labels
web,0,500m,1Gi,,,,,team=a;tier=web,,
batch,1.5,2,512Mi,60,,3,100,,,
late,10,1,1Gi,,20,,,,nvidia.com/gpu=1,\"zone=a|b\"
";

fn moments(seconds: u64) -> Timestamp {
    Timestamp(seconds * 1_000)
}

fn read(format: PodFormat, text: &str) -> PodTrace {
    read_pods(format, "trace", text.as_bytes()).unwrap_or_else(|problems| panic!("{problems}"))
}

fn lives(trace: &PodTrace) -> Vec<(&str, u64, u32, Life, Option<Timestamp>)> {
    let row = |pod: &TracePod| pod.arrival.as_millis();
    let pods = trace.pods.iter();
    let all = pods.map(|pod| (pod.name.as_str(), row(pod), pod.replicas, pod.life, pod.recorded_start));
    all.collect()
}

#[test]
fn openb_pods_run_from_their_node_on_and_ask_for_gpus() {
    let trace = read(PodFormat::Openb, OPENB);
    let runs = |seconds| Life::Runs(Period::from_secs(seconds));
    assert_eq!(
        lives(&trace),
        [
            ("whole", 0, 1, runs(95), Some(moments(5))),
            ("share", 10_000, 1, runs(60), Some(moments(10))),
            ("eight", 20_000, 1, Life::ToTheEnd, Some(moments(20))),
            ("never", 30_000, 1, Life::Until(moments(90)), None),
        ]
    );
    let gpus = |pod: usize| {
        let extended = &trace.shapes[trace.pods[pod].shape].extended;
        [openb::GPU, openb::GPU_MILLI].map(|name| extended.get(name).copied())
    };
    assert_eq!(gpus(0), [Some(1), Some(1_000)]);
    assert_eq!(gpus(1), [None, Some(460)]);
    assert_eq!(gpus(2), [Some(8), Some(8_000)]);
    assert_eq!(gpus(3), [None, None]);
    let share = &trace.shapes[trace.pods[1].shape];
    assert_eq!(share.node_labels[openb::GPU_MODEL], ["V100M16", "T4"]);
    assert_eq!(share.labels[openb::QOS], "BE");
    assert_eq!(trace.end(), moments(100));
}

#[test]
fn equal_nodes_are_one_pool() {
    let pools = nodes::read_openb("nodes", OPENB_NODES.as_bytes()).unwrap();
    let named: Vec<(&str, u32)> = pools.iter().map(|pool| (pool.name.as_str(), pool.nodes)).collect();
    assert_eq!(named, [("32c-64gi", 2), ("96c-384gi-4xt4", 1), ("96c-384gi-8xg2", 1)]);
    assert_eq!(pools[1].extended[openb::GPU_MILLI], 4_000);
    assert_eq!(pools[1].labels[openb::GPU_MODEL], "T4");
    let text = "pool,nodes,cpu,memory,labels,resources\na,3,8,16Gi,zone=a,nvidia.com/gpu=2\n";
    let own = nodes::read_csv("nodes", text.as_bytes()).unwrap();
    assert_eq!((own[0].nodes, own[0].cpu.0, own[0].extended["nvidia.com/gpu"]), (3, 8_000, 2));
}

#[test]
fn a_job_is_as_many_pods_as_it_had_processors() {
    let trace = read(PodFormat::Swf, SWF);
    let runs = |seconds| Life::Runs(Period::from_secs(seconds));
    assert_eq!(
        lives(&trace),
        [
            ("job-1", 0, 2, runs(60), Some(moments(10))),
            ("job-2", 5_000, 4, runs(30), Some(moments(5))),
            ("job-3", 7_000, 8, Life::Until(moments(47)), None),
        ]
    );
    assert_eq!(trace.shapes[trace.pods[1].shape].memory.0, 1 << 20);
    let left_out: Vec<u32> = trace.left_out.iter().map(|one| one.line).collect();
    assert_eq!(left_out, [8]);
    let machine = swf::machine("log", SWF.as_bytes()).unwrap().unwrap();
    assert_eq!((machine.nodes, machine.cpu.0), (4, 4_000));
    assert_eq!(swf::machine("log", b"; Note: nothing\n").unwrap(), None);
}

#[test]
fn our_own_table_takes_quantities_and_lists() {
    let trace = read(PodFormat::Csv, ROWS);
    assert_eq!(
        lives(&trace),
        [
            ("web", 0, 1, Life::ToTheEnd, None),
            ("batch", 1_500, 3, Life::Runs(Period::from_secs(60)), None),
            ("late", 10_000, 1, Life::Until(moments(20)), None),
        ]
    );
    let [web, batch, late] = [0, 1, 2].map(|index: usize| &trace.shapes[trace.pods[index].shape]);
    assert_eq!((web.cpu.0, web.labels["tier"].as_str()), (500, "web"));
    assert_eq!(batch.priority, 100);
    assert_eq!((late.extended["nvidia.com/gpu"], late.node_labels["zone"].len()), (1, 2));
}

#[test]
fn requests_are_counted_per_interval() {
    let text = "TIMESTAMP,ContextTokens,GeneratedTokens\n\
        2023-11-16 18:17:04.0319600,3180,8\n2023-11-16 18:17:03.9799600,4808,10\n2023-11-16T18:18:10Z,110,27\n";
    let requests = azure::read("requests", text.as_bytes()).unwrap();
    let times: Vec<u64> = requests.iter().map(|request| request.at.as_millis()).collect();
    assert_eq!(times, [0, 52, 66_021]);
    let every = Period::from_secs(30);
    let intervals = azure::intervals(&requests, every).unwrap();
    let counts: Vec<(u64, u64)> = intervals.iter().map(|one| (one.requests, one.generated_tokens)).collect();
    assert_eq!(counts, [(2, 18), (0, 0), (1, 27)]);
    let written = demand::write_requests(&azure::rates(&intervals, every));
    assert_eq!(written, "time_s,requests_per_second\n0,0.066667\n30,0\n60,0.033333\n");
    let points = demand::read("demand", written.as_bytes()).unwrap();
    assert_eq!(points, azure::rates(&intervals, every));
    assert_eq!(azure::intervals(&requests, Period::ZERO), Err(azure::IntervalError::NoLength));
}

/// What is said about a text, one line per problem.
fn said<T>(read: Result<T, Problems>) -> Vec<String> {
    let Err(problems) = read else { return vec!["nothing".to_owned()] };
    let line = |problem: &model::document::Problem| {
        assert!(!problem.proposal.is_empty(), "{problem:?}");
        let (message, proposal) = (&problem.message, &problem.proposal);
        format!("{}:{} {}: {message} [{proposal}]", problem.line, problem.column, problem.path)
    };
    problems.iter().map(line).collect()
}

#[test]
fn everything_that_is_wrong_is_said_with_its_place() {
    let openb = OPENB
        .replace("12000,16384", "many,16384")
        .replace("10,70,10", "10,70,5")
        .replace("8,1000,,LS,Running,20", "8,500,,LS,Running,-20")
        .replace("never", "whole");
    let expected = [
        "2:7 cpu_milli: \"many\" is not a whole number [write for instance 4000]",
        "3:54 scheduled_time: it lies before the creation_time [let it be later]",
        "4:19 gpu_milli: 500 thousandths of each of 8 GPUs: only one GPU can be shared [write num_gpu 1, or gpu_milli 1000]",
        "4:35 creation_time: \"-20\" is negative [did you mean 20?]",
    ];
    assert_eq!(said(read_pods(PodFormat::Openb, "trace", openb.as_bytes())), expected);
    let twice = OPENB.replace("never", "whole");
    let expected = ["5:1 name: the name \"whole\" is already used in line 2 [give each pod its own name]"];
    assert_eq!(said(read_pods(PodFormat::Openb, "trace", twice.as_bytes())), expected);
    let rows =
        ROWS.replace("priority", "prioritty").replace("500m,1Gi", "0.5cores,1GB").replace(",60,", ",60,70");
    let expected = [
        "1:50 : there is no column \"prioritty\" [did you mean priority?]",
        "2:7 cpu: cpu \"0.5cores\" has the unknown suffix \"cores\" [did you mean 0.5?]",
        "2:16 memory: memory \"1GB\" has the unknown suffix \"GB\" [did you mean 1G (decimal) or 1Gi (binary)?]",
    ];
    let found = said(read_pods(PodFormat::Csv, "trace", rows.as_bytes()));
    assert_eq!(found[..3], expected, "{found:?}");
    let swf = SWF.replace("1 0 10 60", "1 0 10 x 60").replace("2 5 0 30", "2 five 0 30");
    let expected = [
        "4:1 : 19 numbers, but a job has 18 [write -1 for what is unknown]",
        "5:3 submit time: \"five\" is not a number of seconds such as 90 or 0.25 [write for instance 0]",
    ];
    assert_eq!(said(read_pods(PodFormat::Swf, "trace", swf.as_bytes())), expected);
}

#[test]
fn hostile_texts_are_refused_and_break_nothing() {
    let rows: [&[u8]; 9] = [
        b"",
        b"\n\n",
        b"name",
        b"\xff\xfe\x00",
        b"name,arrival_s,cpu,memory\n\"",
        b"name,arrival_s,cpu,memory\n,,,\n",
        b"name,name,arrival_s,cpu,memory\na,a,0,1,1\n",
        b"name,arrival_s,cpu,memory\na,99999999999999999999,1,1\n",
        b"name,arrival_s,cpu,memory\na,0,1,1,1,1\n",
    ];
    for row in rows {
        let said = said(read_pods(PodFormat::Csv, "trace", row));
        assert!(said.iter().all(|line| line != "nothing"), "{:?}: {said:?}", String::from_utf8_lossy(row));
    }
    let resources = (0..100).map(|number| format!("a/{number}=1;")).collect::<Vec<_>>().concat();
    let row = format!("name,arrival_s,cpu,memory,resources\na,0,1,1,{}\n", resources.trim_end_matches(';'));
    assert!(said(read_pods(PodFormat::Csv, "trace", row.as_bytes()))[0].contains("100 resources"));
    let many = format!("name,arrival_s,cpu,memory\n{}", "a,b,c,d\n".repeat(10_000));
    let problems = read_pods(PodFormat::Csv, "trace", many.as_bytes()).unwrap_err();
    assert_eq!((problems.count(), problems.iter().len()), (30_000, model::document::LISTED_PROBLEMS));
}

const SCENARIO: &str = "\
drover: scenario/v1
name: traced
duration: 200s
clusters:
  - name: here
    pools:
      - { name: plain, nodes: 2, cpu: 16, memory: 64Gi, labels: { zone: a } }
      - name: gpus
        nodes: 2
        cpu: 96
        memory: 384Gi
        labels: { drover.dev/gpu-model: T4 }
        resources: { nvidia.com/gpu: 8, drover.dev/gpu-milli: 8000 }
traces:
  - { file: pods.csv, format: FORMAT, cluster: here }
";

fn scenario(format: &str, text: &str) -> Result<Scenario<serde_json::Value>, Vec<Problems>> {
    let yaml = SCENARIO.replace("FORMAT", format);
    let mut beside = |name: &str| match name {
        "pods.csv" => Ok(text.as_bytes().to_vec()),
        _ => Err("there is no such file".to_owned()),
    };
    read_beside("scenario.yaml", yaml.as_bytes(), |_| Ok(()), &mut beside)
}

/// Runs a trace to the end and gives back what became of its pods.
fn replay(format: &str, text: &str) -> Vec<PastPod> {
    let scenario = scenario(format, text).unwrap_or_else(|problems| panic!("{problems:?}"));
    let nobody = ReviewerSpec {
        present: false,
        delay: Spread::exactly(Period::ZERO),
        rejects: Ratio::ZERO,
        ignores: Ratio::ZERO,
    };
    let spec = Arc::new(scenario.world);
    let mut world = SimulatedWorld::new(Arc::clone(&spec), nobody, 1);
    world.record_pods();
    while world.next_input(Timestamp::MAX).unwrap().is_some() {}
    past_pods(&spec, &world.pod_lives())
}

#[test]
fn a_trace_plays_in_a_scenario() {
    let pods = replay("openb", OPENB);
    let row = |pod: &PastPod| {
        let seconds = |at: Option<Timestamp>| at.map(|at| at.as_millis() / 1_000);
        (pod.name.clone(), seconds(pod.start), seconds(pod.end), pod.finished)
    };
    let rows: Vec<_> = pods.iter().map(row).collect();
    let row = |name: &str, start, end, finished| (name.to_owned(), Some(start), end, finished);
    assert_eq!(
        rows,
        [
            row("whole", 0, Some(95), true),
            row("share", 10, Some(70), true),
            row("eight", 70, None, false),
            row("never", 30, Some(90), false),
        ]
    );
    // Eight whole GPUs are free only when the share on the other node is.
    for pod in &pods[..3] {
        assert!(pod.node.as_ref().is_some_and(|node| node.starts_with("gpus-")), "{pod:?}");
    }
}

#[test]
fn what_is_exported_is_read_back_as_the_same_pods() {
    let sources = [("openb", OPENB), ("swf", SWF), ("csv", ROWS)];
    let formats = [("openb", PodFormat::Openb), ("swf", PodFormat::Swf), ("csv", PodFormat::Csv)];
    for (source, text) in sources {
        let pods = replay(source, text);
        assert!(!pods.is_empty());
        for (name, format) in formats {
            // What a format has no column for changes where pods may run, and when.
            let exact = name == source || name == "csv";
            let written = write(format, &pods, moments(200));
            let again = replay(name, &written);
            let times = |pods: &[PastPod]| -> Vec<_> {
                pods.iter().map(|pod| (pod.arrival, pod.start, pod.end.or(Some(moments(200))))).collect()
            };
            if exact || (source, name) == ("swf", "openb") {
                assert_eq!(times(&again), times(&pods), "{source} as {name}:\n{written}");
            }
            if exact {
                let shapes =
                    |pods: &[PastPod]| -> Vec<_> { pods.iter().map(|pod| pod.shape.clone()).collect() };
                assert_eq!(shapes(&again), shapes(&pods), "{source} as {name}:\n{written}");
            }
        }
    }
}

#[test]
fn problems_of_scenario_and_trace_are_found_together() {
    let broken = OPENB.replace("12000,16384", "many,16384");
    let yaml = SCENARIO
        .replace("FORMAT", "openb")
        .replace("cluster: here }", "cluster: there }\n  - { file: no.csv, format: swf, cluster: here }");
    let mut beside = |name: &str| match name {
        "pods.csv" => Ok(broken.as_bytes().to_vec()),
        _ => Err("there is no such file".to_owned()),
    };
    let result = read_beside::<serde_json::Value>("scenario.yaml", yaml.as_bytes(), |_| Ok(()), &mut beside);
    let all: Vec<String> =
        result.unwrap_err().into_iter().flat_map(|problems| said(Err::<(), _>(problems))).collect();
    assert_eq!(all.len(), 3, "{all:?}");
    assert!(all[0].contains("there is no cluster \"there\" [did you mean here?]"), "{all:?}");
    assert!(all[1].contains("traces[1].file: there is no such file"), "{all:?}");
    assert!(all[2].starts_with("2:7 cpu_milli"), "{all:?}");
    let nobody_reads = crate::scenario::read::<serde_json::Value>("scenario.yaml", yaml.as_bytes());
    assert!(said(nobody_reads)[0].contains("cannot be read here"));
}

#[test]
fn a_drafted_scenario_can_be_read() {
    let pools = nodes::read_openb("nodes", OPENB_NODES.as_bytes()).unwrap();
    let trace = read(PodFormat::Openb, OPENB);
    let traces = [("pods.csv".to_owned(), trace)];
    let draft = draft::Draft { name: "openb", format: PodFormat::Openb, pools: &pools, traces: &traces };
    let yaml = draft::scenario(draft);
    let mut beside = |_: &str| Ok(OPENB.as_bytes().to_vec());
    let read = read_beside::<serde_json::Value>("draft.yaml", yaml.as_bytes(), |_| Ok(()), &mut beside);
    let scenario = read.unwrap_or_else(|problems| panic!("{problems:?}\n{yaml}"));
    assert_eq!(scenario.world.workloads.len(), 4);
    assert_eq!(scenario.world.duration, Period::from_secs(100));
    assert_eq!(scenario.world.clusters[0].pools.len(), 3);
}
