//! A scenario file.
#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _: Result<lab::run::Scenario, _> = simulator::scenario::read("fuzz.yaml", bytes);
});
