//! Recordings of pods, nodes, requests and demand; the first byte says which. What can be read of pods becomes a scenario.
#![no_main]
use lab::run::Scenario;
use model::document::Problems;
use simulator::traces::draft::{self, Draft};
use simulator::traces::nodes::NodePool;
use simulator::traces::{PodFormat, azure, demand, nodes, read_pods, swf};

/// As `drover import trace` does it: the nodes are those that the log names, if it names any.
fn imported(format: PodFormat, bytes: &[u8]) {
    let Ok(trace) = read_pods(format, "pods.csv", bytes) else { return };
    let _ = trace.end();
    let pools: Vec<NodePool> = swf::machine("pods.csv", bytes).ok().flatten().into_iter().collect();
    let traces = [("pods.csv".to_owned(), trace)];
    let text = draft::scenario(Draft { name: "fuzz", format, pools: &pools, traces: &traces });
    let mut beside = |_: &str| Ok(bytes.to_vec());
    let _: Result<Scenario, Vec<Problems>> =
        simulator::scenario::read_beside("fuzz.yaml", text.as_bytes(), |_| Ok(()), &mut beside);
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((which, bytes)) = bytes.split_first() else { return };
    match which % 8 {
        0 => drop(azure::read("requests.csv", bytes)),
        1 => drop(demand::read("demand.csv", bytes)),
        2 => drop(nodes::read_openb("nodes.csv", bytes)),
        3 => drop(nodes::read_csv("nodes.csv", bytes)),
        4 => imported(PodFormat::Openb, bytes),
        5 => imported(PodFormat::Swf, bytes),
        6 => imported(PodFormat::Csv, bytes),
        _ => drop(swf::machine("log.swf", bytes)),
    }
});
