//! What a packed experiment says about itself: the manifest up to the first zero, then the files behind it. With an odd first byte the hashes
//! are put right, which nobody hits upon by chance.
#![no_main]
#[allow(dead_code)]
#[path = "../../crates/cli/src/laboratory/archive.rs"]
mod archive;
#[allow(dead_code)]
#[path = "../../crates/cli/src/laboratory/manifest.rs"]
mod manifest;
use model::hash::ContentHash;
use serde_json::{Value, json};
use std::collections::BTreeMap;

const NAMES: [&str; 5] = [manifest::EXPERIMENT, "inputs/1", "inputs/2", "results/summary.csv", "beside"];

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((first, bytes)) = bytes.split_first() else { return };
    let mut parts = bytes.split(|byte| *byte == 0);
    let mut about = parts.next().unwrap_or_default().to_vec();
    let mut files: BTreeMap<String, Vec<u8>> =
        NAMES.iter().zip(parts).map(|(name, content)| ((*name).to_owned(), content.to_vec())).collect();
    if let (1, Ok(mut value)) = (first % 2, serde_json::from_slice::<Value>(&about)) {
        if value.is_object() {
            let hashes = files.iter().map(|(name, content)| (name.clone(), ContentHash::of_bytes(content).to_string()));
            value["sha256"] = json!(hashes.collect::<BTreeMap<_, _>>());
            about = value.to_string().into_bytes();
        }
    }
    files.insert(manifest::MANIFEST.to_owned(), about);
    let packed = archive::write(&files).expect("short names and little in them");
    assert_eq!(archive::read(&packed).as_ref(), Ok(&files), "other files came out than went in");
    if let Ok(pack) = manifest::check(files.clone()) {
        assert_eq!(Some(&pack.experiment), files.get(manifest::EXPERIMENT));
        assert!(pack.inputs.values().chain(pack.results.values()).all(|content| files.values().any(|file| file == content)));
    }
});
