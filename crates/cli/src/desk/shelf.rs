//! What the laboratory of a desk has to offer: the desk's own scenario, and those inside the program that need no other file.

use super::DeskFile;
use crate::files;
use model::hash::ContentHash;
use server::laboratory::{Sample, Shelf};
use std::path::Path;

macro_rules! shipped {
    ($($name:literal),* $(,)?) => {
        [$((
            concat!("scenarios/", $name, ".yaml"),
            include_str!(concat!("../../../../scenarios/", $name, ".yaml")),
        )),*]
    };
}

/// Shipped scenarios with the files that a command line names, in the order in which they are offered: short ones first.
const SHIPPED: [(&str, &str); 9] = shipped![
    "three-waves",
    "constant-load",
    "varying-load",
    "placement-policies",
    "heartbeat",
    "two-autoscalers",
    "greenwise-hosts",
    "three-continents",
    "live-waves",
];

/// The desk's own scenario first.
pub(super) fn stocked(desk: &DeskFile) -> Shelf {
    let mut shelf = Shelf::default();
    shelf.put(Sample {
        file: own_file(&desk.text, &desk.config.scenario),
        scenario: desk.scenario.clone(),
        digest: ContentHash::of_bytes(&desk.text),
        is_own: true,
    });
    for (file, text) in SHIPPED {
        // A test reads all of them.
        if let Ok(scenario) = files::scenario(file, text.as_bytes()) {
            let digest = ContentHash::of_bytes(text.as_bytes());
            shelf.put(Sample { file: file.to_owned(), scenario, digest, is_own: false });
        }
    }
    shelf
}

/// What a command line names. Where the file lies on this machine is nobody's business.
fn own_file(text: &[u8], path: &str) -> String {
    let shipped =
        SHIPPED.iter().find(|(_, known)| known.as_bytes() == text).map(|(file, _)| (*file).to_owned());
    let name = || Path::new(path).file_name().unwrap_or_default().to_string_lossy().into_owned();
    shipped.unwrap_or_else(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_shipped_scenario_that_needs_no_other_file_is_there() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let stands_alone = |path: &std::path::PathBuf| {
            path.is_file() && files::scenario("scenario", &std::fs::read(path).unwrap()).is_ok()
        };
        let found: BTreeSet<String> = entries
            .filter(stands_alone)
            .map(|path| format!("scenarios/{}", path.file_name().unwrap().to_string_lossy()))
            .collect();
        assert_eq!(found, SHIPPED.iter().map(|(file, _)| (*file).to_owned()).collect());
    }

    #[test]
    fn a_command_names_the_file_and_not_where_it_lies() {
        let (file, text) = SHIPPED[3];
        assert_eq!(own_file(text.as_bytes(), "../some/copy.yaml"), file);
        assert_eq!(own_file(b"name: other", "../some/day.yaml"), "day.yaml");
    }
}
