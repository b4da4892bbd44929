//! The journal of a run.
#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Ok((mut reader, _)) = control::journal::JournalReader::begin::<lab::run::Header>(bytes) else { return };
    while let Ok(Some(_)) = reader.next_entry() {}
});
