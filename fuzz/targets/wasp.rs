//! WASP's files; the first byte says which.
#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((which, bytes)) = bytes.split_first() else { return };
    match which % 4 {
        0 => drop(simulator::wasp::read_config("config.yaml", bytes)),
        1 => drop(simulator::wasp::read_input("input.json", bytes)),
        2 => drop(simulator::wasp::read_metrics("metrics.json", bytes)),
        _ => drop(simulator::wasp::read_recommendations("recommendations.json", bytes)),
    }
});
