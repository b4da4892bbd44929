//! Traces through the front door: imported, run, exported, imported again; and what is said about broken ones.

use crate::support::Scratch;

const PODS: &str = "\
name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time
one,4000,8192,1,1000,,LS,Running,0,300,0
two,4000,8192,1,500,T4,BE,Running,5,65,30
three,4000,8192,1,1000,,LS,Succeeded,10,110,10
four,1000,1024,0,0,,BE,Pending,20,40,
five,1000,1024,0,0,,LS,Running,25,,25
";

const NODES: &str = "\
sn,cpu_milli,memory_mib,gpu,model
node-1,8000,16384,1,T4
node-2,8000,16384,0,
";

fn scratch(name: &str) -> Scratch {
    let scratch = Scratch::new(name);
    scratch.write("pods.csv", PODS);
    scratch.write("nodes.csv", NODES);
    std::fs::create_dir(scratch.path("scenarios")).unwrap();
    scratch
}

const IMPORT: [&str; 8] =
    ["import", "trace", "--format", "openb", "pods.csv", "--nodes", "nodes.csv", "--name"];

#[test]
fn an_imported_trace_names_its_file_and_runs_from_anywhere() {
    let scratch = scratch("trace-import");
    scratch.succeed(&[&IMPORT[..], &["gpus", "--out", "scenarios/gpus.yaml"]].concat());
    let yaml = String::from_utf8(scratch.read("scenarios/gpus.yaml")).unwrap();
    assert!(yaml.contains("file: \"../pods.csv\"") || yaml.contains("file: ../pods.csv"), "{yaml}");
    let checked = scratch.succeed(&["check", "scenarios/gpus.yaml"]);
    assert!(checked.text.contains("1 cluster and 5 workloads"), "{}", checked.text);
    for out in ["first", "second"] {
        let pods = format!("{out}.csv");
        scratch.succeed(&["run", "scenarios/gpus.yaml", "--out", out, "--export-pods", &pods]);
    }
    assert_eq!(scratch.read("first.csv"), scratch.read("second.csv"));
    for file in ["journal.jsonl", "summary.json", "report.html"] {
        assert_eq!(scratch.read(&format!("first/{file}")), scratch.read(&format!("second/{file}")), "{file}");
    }
    let printed = scratch.succeed(&[&IMPORT[..], &["gpus"]].concat()).text;
    assert!(printed.contains("file: pods.csv"), "{printed}");
}

/// Name, arrival and start of every pod.
fn times(scratch: &Scratch, file: &str) -> Vec<String> {
    let text = String::from_utf8(scratch.read(file)).unwrap();
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        format!(
            "{} came {} ran {} until {} began {} on {}",
            cells[0], cells[1], cells[4], cells[5], cells[11], cells[12]
        )
    };
    text.lines().skip(1).map(row).collect()
}

#[test]
fn what_a_run_exports_is_imported_as_the_same_pods() {
    let scratch = scratch("trace-export");
    scratch.succeed(&[&IMPORT[..], &["gpus", "--out", "gpus.yaml"]].concat());
    scratch.succeed(&["run", "gpus.yaml", "--export-pods", "0.csv"]);
    let first = times(&scratch, "0.csv");
    // The only GPU is taken until 300, when the run ends; the share comes first, so the third never gets it.
    let expected = [
        "one came 0 ran 300 until  began 0 on 8c-16gi-1xt4-1",
        "two came 5 ran  until  began 300 on 8c-16gi-1xt4-1",
    ];
    assert_eq!(first[..2], expected, "{first:?}");
    assert_eq!(first.len(), 5);
    let options = ["--export-pods", "1.openb", "--export-format", "openb"];
    scratch.succeed(&[&["run", "gpus.yaml"], &options[..]].concat());
    scratch.write("pods.csv", scratch.read("1.openb"));
    scratch.succeed(&[&IMPORT[..], &["gpus", "--out", "again.yaml"]].concat());
    scratch.succeed(&["run", "again.yaml", "--export-pods", "2.csv"]);
    assert_eq!(times(&scratch, "2.csv"), first);
    scratch.write("pools.csv", "pool,nodes,cpu,memory,labels,resources\n\
        8c-16gi,1,8,16Gi,,\n8c-16gi-1xt4,1,8,16Gi,drover.dev/gpu-model=T4,nvidia.com/gpu=1;drover.dev/gpu-milli=1000\n");
    let import = ["import", "trace", "--format", "csv", "0.csv", "--nodes", "pools.csv", "--out", "csv.yaml"];
    scratch.succeed(&import);
    scratch.succeed(&["run", "csv.yaml", "--export-pods", "3.csv"]);
    assert_eq!(times(&scratch, "3.csv"), first);
}

#[test]
fn a_log_of_a_machine_brings_its_nodes() {
    let scratch = scratch("trace-swf");
    let log = "; MaxNodes: 2\n; MaxProcs: 8\n\
        1 0 0 60 4 -1 -1 4 -1 -1 1 1 1 -1 1 -1 -1 -1\n\
        2 10 50 30 6 -1 -1 6 -1 -1 1 1 1 -1 1 -1 -1 -1\n\
        3 12 -1 -1 -1 -1 -1 4 -1 -1 0 1 1 -1 1 -1 -1 -1\n";
    scratch.write("machine.swf", log);
    let said =
        scratch.succeed(&["import", "trace", "--format", "swf", "machine.swf", "--out", "machine.yaml"]);
    assert!(
        said.errors.contains("machine.swf:5: it does not say how long it ran; left out"),
        "{}",
        said.errors
    );
    scratch.succeed(&["run", "machine.yaml", "--export-pods", "out.swf"]);
    let out = String::from_utf8(scratch.read("out.swf")).unwrap();
    let jobs: Vec<&str> = out.lines().filter(|line| !line.starts_with(';')).collect();
    assert_eq!(jobs[0], "1 0 0 60 4 -1 0 4 -1 0 1 -1 -1 -1 -1 -1 -1 -1");
    // Without gang scheduling four of its six parts start at once, so it is spread over a minute.
    assert_eq!(jobs[1], "2 10 0 60 6 -1 0 6 -1 0 1 -1 -1 -1 -1 -1 -1 -1");
    assert_eq!(jobs.len(), 2);
}

#[test]
fn requests_become_demand() {
    let scratch = scratch("trace-requests");
    let text = "TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:17:03.9799600,4808,10\n\
        2023-11-16 18:17:04.0319600,3180,8\n2023-11-16 18:18:10.0000000,110,27\n";
    scratch.write("requests.csv", text);
    let import =
        ["import", "trace", "--format", "azure-llm", "requests.csv", "--every", "20s", "--out", "demand.csv"];
    scratch.succeed(&import);
    let demand = String::from_utf8(scratch.read("demand.csv")).unwrap();
    assert_eq!(demand, "time_s,requests_per_second\n0,0.1\n20,0\n40,0\n60,0.05\n");
}

#[test]
fn broken_traces_are_refused_with_their_lines_and_leave_nothing() {
    let scratch = scratch("trace-broken");
    scratch.write("pods.csv", PODS.replace("4000,8192,1,500", "4000,lots,1,500").replace("three", "one"));
    scratch.write("nodes.csv", NODES.replace("8000,16384,0", "0,16384,0"));
    let said = scratch.drover(&[&IMPORT[..], &["gpus", "--out", "gpus.yaml"]].concat());
    assert_eq!(said.code, Some(2));
    for part in [
        "pods.csv:3:10: memory_mib: \"lots\" is not a whole number",
        "pods.csv:4:1: name: the name \"one\" is already used in line 2",
        "nodes.csv:3:8: cpu_milli: 0 is not within 1 to 1000000000",
        "3 problems found; nothing was written",
    ] {
        assert!(said.errors.contains(part), "{part} is missing in:\n{}", said.errors);
    }
    assert!(!scratch.path("gpus.yaml").exists());
    let without = scratch.drover(&["import", "trace", "--format", "csv", "pods.csv"]);
    assert_eq!(without.code, Some(2), "{}", without.errors);
    scratch.write("pods.csv", PODS);
    scratch.write("nodes.csv", NODES);
    scratch.succeed(&[&IMPORT[..], &["gpus", "--out", "gpus.yaml"]].concat());
    std::fs::remove_file(scratch.path("pods.csv")).unwrap();
    let gone = scratch.drover(&["run", "gpus.yaml", "--out", "out"]);
    assert_eq!(gone.code, Some(2));
    assert!(gone.errors.contains("traces[0].file: pods.csv: cannot be opened"), "{}", gone.errors);
    assert!(!scratch.path("out").exists());
}

const FROM_FILES: &str = "\
drover: scenario/v1
name: from-files
duration: 10m
clusters:
  - name: one
    carbon: { file: carbon.csv }
    pools: [{ nodes: 1, cpu: 8, memory: 16Gi, power: { idle: 100, max: 200 } }]
workloads:
  - name: web
    cluster: one
    cpu: 4
    service: { cpu_per_request: 10ms, demand: { requests_per_second: { trace: { file: DEMAND } } } }
";

/// Requests of the service, and kilograms for the cluster.
fn requests_and_carbon(scratch: &Scratch, out: &str, scenario: &str) -> (f64, f64) {
    scratch.write("scenarios/files.yaml", scenario);
    scratch.succeed(&["run", "scenarios/files.yaml", "--out", out]);
    let summary: serde_json::Value =
        serde_json::from_slice(&scratch.read(&format!("{out}/summary.json"))).unwrap();
    let meters = &summary["meters"];
    let requests = &meters["services"]["deployment/default/web"]["requests"];
    (requests.as_f64().unwrap(), meters["carbon_kg"].as_f64().unwrap())
}

#[test]
fn demand_and_carbon_come_from_files_beside_the_scenario() {
    let scratch = scratch("trace-courses");
    scratch.write("scenarios/carbon.csv", "time,intensity\n0s,600\n5m,0\n");
    scratch.write("scenarios/demand.csv", "time_s,requests_per_second\n0,10\n300,20\n");
    let mut log = "TIMESTAMP,ContextTokens,GeneratedTokens\n".to_owned();
    for minute in 0..9 {
        log += &format!("2023-11-16 18:{minute:02}:03.5,10,10\n").repeat(60);
    }
    scratch.write("scenarios/requests.csv", log);
    let (requests, carbon) =
        requests_and_carbon(&scratch, "table", &FROM_FILES.replace("DEMAND", "demand.csv"));
    assert!((requests - 9_000.0).abs() < 1.0, "5 minutes at 10 and 5 at 20: {requests}");
    // A little more than 100 W for 5 minutes at 600 g/kWh.
    assert!((0.005..0.0055).contains(&carbon), "{carbon}");
    let azure = FROM_FILES.replace("DEMAND", "requests.csv, format: azure-llm, repeat: 10m");
    let (requests, _) = requests_and_carbon(&scratch, "log", &azure);
    assert!((requests - 600.0).abs() < 1.0, "one per second, the last rate stays: {requests}");

    scratch.write("scenarios/carbon.csv", "time,intensity\n0s,much\n");
    scratch.write("scenarios/demand.csv", "time_s,requests_per_second\n0,10\n0,20\n");
    scratch.write("scenarios/files.yaml", FROM_FILES.replace("DEMAND", "demand.csv"));
    let said = scratch.drover(&["check", "scenarios/files.yaml"]);
    assert_eq!(said.code, Some(2));
    for part in ["carbon.csv:2:", "demand.csv:3:"] {
        assert!(said.errors.contains(part), "{part}: {}", said.errors);
    }
}
