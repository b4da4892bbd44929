//! The shipped host profiles against the table of measurements that they were written from.

use model::energy::Milliwatts;
use model::ratio::Ratio;
use simulator::power::Catalogue;
use std::collections::BTreeSet;
use std::path::PathBuf;

fn table() -> String {
    #[expect(clippy::disallowed_methods, reason = "the test shell is told where the shared data lies")]
    let chosen = std::env::var("DROVER_SHARED").ok();
    let root = chosen
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from);
    let path = root.join("data/spec-power.csv");
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("cannot read {}: {error}", path.display()))
}

#[test]
fn every_measured_point_is_shipped() {
    let catalogue = Catalogue::shipped();
    let (text, mut seen) = (table(), BTreeSet::new());
    for line in text.lines().skip(1) {
        let id = line.split(',').next().unwrap();
        // From the right, since systems and dates have commas: source, watts, operations, actual load, target load.
        let fields: Vec<&str> = line.rsplitn(6, ',').collect();
        let (watts, percent) = (fields[1], fields[4].parse().unwrap());
        let model = &catalogue.get(id).unwrap().model;
        let measured: Milliwatts = watts.parse().unwrap();
        assert_eq!(model.power(Ratio::from_percent(percent)), measured, "{id} at {percent} %");
        seen.insert((id, percent));
    }
    assert_eq!(seen.len(), 11 * catalogue.profiles().count());
}
