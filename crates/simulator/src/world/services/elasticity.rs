//! How closely supply followed demand: the elasticity measures of the SPEC research group, in units of replicas.
//!
//! Demand is the fewest replicas that keep the use of what they request at or below [`BUSIEST`]; supply is what is ready.

use model::time::Period;

/// A replica that uses more than this share of its request is overloaded.
pub(crate) const BUSIEST: f64 = 0.9;

/// Integrals over the run. All shares are of time; accuracies weigh time by how far supply is off, relative to demand.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Elasticity {
    elapsed: f64,
    under_accuracy: f64,
    over_accuracy: f64,
    under_time: f64,
    over_time: f64,
    /// Time in which supply and demand did not move in the same direction.
    opposed: f64,
    supply_changes: u64,
    demand_changes: u64,
    before: Option<(u32, u32)>,
}

/// The measures in per cent; `jitter` in changes per hour, positive if supply changes more often than demand.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ElasticityTotals {
    pub under_provisioning_accuracy: f64,
    pub over_provisioning_accuracy: f64,
    pub under_provisioning_time: f64,
    pub over_provisioning_time: f64,
    pub instability: f64,
    pub jitter_per_hour: f64,
}

impl Elasticity {
    /// For this long, `demand` replicas were needed and `supply` were ready. A demand of none counts as one: a service that
    /// is there for nobody still is there.
    pub(crate) fn add(&mut self, demand: u32, supply: u32, passed: Period) {
        let (demand, seconds) = (demand.max(1), passed.as_seconds_float());
        let (need, have) = (f64::from(demand), f64::from(supply));
        self.elapsed += seconds;
        self.under_accuracy += seconds * (need - have).max(0.0) / need;
        self.over_accuracy += seconds * (have - need).max(0.0) / need;
        self.under_time += if supply < demand { seconds } else { 0.0 };
        self.over_time += if supply > demand { seconds } else { 0.0 };
        if let Some((needed, had)) = self.before {
            self.supply_changes += u64::from(had != supply);
            self.demand_changes += u64::from(needed != demand);
            let opposed = supply.cmp(&had) != demand.cmp(&needed);
            self.opposed += if opposed { seconds } else { 0.0 };
        }
        self.before = Some((demand, supply));
    }

    pub(crate) fn totals(&self) -> ElasticityTotals {
        if self.elapsed <= 0.0 {
            return ElasticityTotals::default();
        }
        let percent = |seconds: f64| 100.0 * seconds / self.elapsed;
        let more_changes = self.supply_changes as f64 - self.demand_changes as f64;
        ElasticityTotals {
            under_provisioning_accuracy: percent(self.under_accuracy),
            over_provisioning_accuracy: percent(self.over_accuracy),
            under_provisioning_time: percent(self.under_time),
            over_provisioning_time: percent(self.over_time),
            instability: percent(self.opposed),
            jitter_per_hour: more_changes * 3_600.0 / self.elapsed,
        }
    }

    pub(crate) const fn supply_changes(&self) -> u64 {
        self.supply_changes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_follow_their_definitions() {
        let mut elasticity = Elasticity::default();
        // Demand 2, 4, 4, 2; supply 2, 2, 4, 4; each for a quarter of the time.
        for (demand, supply) in [(2, 2), (4, 2), (4, 4), (2, 4)] {
            elasticity.add(demand, supply, Period::from_secs(900));
        }
        let totals = elasticity.totals();
        assert_eq!(totals.under_provisioning_accuracy, 12.5, "half of four is missing for a quarter");
        assert_eq!(totals.over_provisioning_accuracy, 25.0, "twice of two is there for a quarter");
        assert_eq!((totals.under_provisioning_time, totals.over_provisioning_time), (25.0, 25.0));
        assert_eq!(totals.instability, 75.0, "the last three quarters");
        assert_eq!(totals.jitter_per_hour, -1.0, "two changes of demand, one of supply");
    }

    #[test]
    fn no_time_measures_nothing() {
        assert_eq!(Elasticity::default().totals(), ElasticityTotals::default());
    }
}
