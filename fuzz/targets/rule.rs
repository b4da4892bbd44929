//! A rule about a recommendation.
#![no_main]
libfuzzer_sys::fuzz_target!(|text: &str| {
    let _ = control::policy::ReviewRule::parse(text);
});
