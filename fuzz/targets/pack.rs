//! A packed experiment, as somebody else sends it. The sum in its first header is put right, which nobody hits upon by chance.
#![no_main]
#[allow(dead_code)]
#[path = "../../crates/cli/src/laboratory/archive.rs"]
mod archive;

const HEADER: usize = 512;
const SUM: std::ops::Range<usize> = 148..156;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let mut bytes = bytes.to_vec();
    if bytes.len() >= HEADER {
        bytes[SUM].fill(b' ');
        let sum: u32 = bytes[..HEADER].iter().map(|byte| u32::from(*byte)).sum();
        bytes[SUM].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    }
    if let Ok(files) = archive::read(&bytes) {
        let kept: usize = files.values().map(Vec::len).sum();
        assert!(kept <= bytes.len(), "more came out than went in");
    }
});
