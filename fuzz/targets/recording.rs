//! Recordings of real clusters: series that are laid over each other, and observations that become a scenario; the first byte says which.
#![no_main]
use lab::overlay;
use lab::recording::Recorder;
use model::snapshot::Snapshot;
use model::time::{Period, Timestamp};

/// Two series with an empty line between them.
fn laid_over(text: &str) {
    let (one, other) = text.split_once("\n\n").unwrap_or((text, text));
    let (Ok(one), Ok(other)) = (lab::series::read_csv(one), lab::series::read_csv(other)) else { return };
    for shift in [None, Some(0), Some(i64::MAX), Some(i64::MIN)] {
        if let Ok(found) = overlay::overlay(&one, &other, shift) {
            let _ = overlay::markdown(&found);
            let _ = overlay::figure(&found, &one, &other, "a < b & c").to_svg();
        }
    }
}

/// One observation a line.
fn recorded(text: &str) {
    let mut recorder = Recorder::new(Period::from_secs(10));
    for line in text.lines() {
        if let Ok(snapshot) = serde_json::from_str::<Snapshot>(line) {
            recorder.note(&snapshot);
        }
    }
    let recorded = recorder.finish("fuzz", ("2026-01-01T00:00:00Z", 0), Timestamp(60_000), &[]);
    let mut bytes = Vec::new();
    lab::series::write_csv(&recorded.series, &mut bytes).expect("memory takes everything");
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((which, bytes)) = bytes.split_first() else { return };
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if which % 2 == 0 { laid_over(text) } else { recorded(text) }
});
