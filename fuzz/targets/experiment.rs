//! An experiment file.
#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = lab::experiment::spec::read("fuzz.yaml", bytes);
});
