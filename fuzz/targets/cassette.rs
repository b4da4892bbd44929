//! Recorded answers of language models, and a recommendation as it was kept.
#![no_main]
use lab::models::Cassette;
use model::recommendation::Recommendation;

libfuzzer_sys::fuzz_target!(|text: &str| {
    if let Ok(cassette) = Cassette::parse(text) {
        let again = Cassette::parse(&cassette.to_text()).expect("our own");
        assert_eq!(again, cassette, "it came back as something else");
        assert!(cassette.entries().all(|entry| cassette.find(&entry.call) == Some(entry)), "an answer is not found");
    }
    let _ = Recommendation::read_intact(text);
});
