//! Files about electricity: the course of its carbon intensity, and catalogues of regions and of machines; and a horizontal autoscaler's.
//! The first byte says which.
#![no_main]
use model::time::Period;
use simulator::carbon::{self, Between, DAY, Trace};
use simulator::{horizontal, power};

/// What a table says, once and every day.
fn course(bytes: &[u8]) {
    let Ok(points) = carbon::csv::read("carbon.csv", bytes) else { return };
    for repeat in [None, Some(DAY), points.last().map(|(last, _)| last.saturating_add(Period::from_secs(1)))] {
        if let Ok(trace) = Trace::new(&points, Between::Step, repeat) {
            let _ = trace.beginning(Period::from_hours(1));
        }
    }
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((which, bytes)) = bytes.split_first() else { return };
    match which % 4 {
        0 => course(bytes),
        1 => drop(carbon::Catalogue::read("regions.yaml", bytes)),
        2 => drop(power::Catalogue::read("machines.yaml", bytes)),
        _ => drop(horizontal::read("autoscaler.yaml", bytes)),
    }
});
