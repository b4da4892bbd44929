//! What a server of language models answers, in pieces whose length the first byte says; and the file that names one.
#![no_main]
use server::provider::wire::{Listener, complaint};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((first, bytes)) = bytes.split_first() else { return };
    let mut listener = Listener::default();
    bytes.chunks(usize::from(*first).max(1)).for_each(|piece| listener.push(piece));
    let _ = listener.finish(first % 2 == 0);
    let _ = complaint(bytes);
    let _ = server::config::read_models("fuzz.yaml", bytes);
});
