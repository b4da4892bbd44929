//! A desk's file.
#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = server::config::read("fuzz.yaml", bytes);
});
