//! Recordings of pods, nodes, requests and demand; the first byte says which.
#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    use simulator::traces::{azure, demand, nodes};
    let Some((which, bytes)) = bytes.split_first() else { return };
    match which % 4 {
        0 => drop(azure::read("requests.csv", bytes)),
        1 => drop(demand::read("demand.csv", bytes)),
        2 => drop(nodes::read_openb("nodes.csv", bytes)),
        _ => drop(nodes::read_csv("nodes.csv", bytes)),
    }
});
