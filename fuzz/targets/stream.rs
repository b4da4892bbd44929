//! Events as a client hears them from whoever says to be a desk.
#![no_main]
#[allow(dead_code)]
#[path = "../../crates/cli/src/client/events.rs"]
mod events;
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let mut reader = events::EventReader::new(bytes);
    let mut heard = 0;
    while let Ok(Some(event)) = reader.next_event() {
        heard += event.data.len();
        assert!(heard <= bytes.len() * 3, "more was heard than said, replacements for broken letters included");
    }
});
