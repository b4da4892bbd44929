//! What the hosts draw over time.

use super::charts::Charts;
use super::{Figure, Unit};
use crate::wording;
use model::series::Sample;

impl Charts<'_> {
    /// Power of each cluster and of all; nothing if no cluster has a power model.
    pub fn power(&self) -> Option<Figure> {
        let most =
            self.clusters.iter().flat_map(|(.., samples)| samples.iter().map(watts)).fold(0.0, f64::max);
        let known =
            |(.., samples): &&(usize, _, &[Sample])| samples.iter().any(|sample| sample.power.is_some());
        let clusters = self.clusters.iter().filter(known).count();
        if clusters == 0 {
            return None;
        }
        // From here on watts have too many digits to be read at a glance.
        let (title, watts_per_tick) =
            if most >= 10_000.0 { ("Power (kW)", 1000.0) } else { ("Power (W)", 1.0) };
        let value = |sample: &Sample| watts(sample) / watts_per_tick;
        let mut panel = self.overview(title, Unit::Amount, value);
        let unknown: Vec<bool> = self.clusters.iter().map(|cluster| !known(&cluster)).collect();
        let mut unknown = unknown.into_iter();
        panel.lines.retain(|_| !unknown.next().unwrap_or(false));
        if clusters > 1 && self.left_out == 0 {
            panel.lines.insert(0, self.total(value));
        }
        Some(self.figure("power", "Power of each cluster", vec![panel], |samples| {
            if samples.iter().all(|sample| sample.power.is_none()) {
                return "not known".to_owned();
            }
            let highest = samples.iter().map(watts).fold(0.0, f64::max);
            let last = samples.last().map_or(0.0, watts);
            format!("at most {} and at the end {}", wording::power(highest), wording::power(last))
        }))
    }
}

fn watts(sample: &Sample) -> f64 {
    sample.power.map_or(0.0, model::energy::Milliwatts::as_watts_float)
}
