//! The limits a cluster must keep: a share of its capacity, and a share of its pods that may be pending.

use control::projection::ProjectedCluster;
use model::ratio::Ratio;
use model::resources::Resources;
use serde::{Deserialize, Deserializer, Serialize};

/// WASP's hard rule: a cluster is at most 80 % full.
pub(crate) const MAX_LOAD: Share = Share(Ratio::from_percent(80));
/// WASP's hard rule: at most 40 % of what a cluster holds is pending.
pub(crate) const MAX_PENDING: Share = Share(Ratio::from_percent(40));

/// What every cluster must keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limits {
    pub(crate) max_load: Share,
    pub(crate) max_pending: Share,
}

impl Limits {
    /// How far a cluster is over the worse of its limits, in millionths, if it is.
    pub(crate) fn excess(self, cluster: &ProjectedCluster) -> Option<u64> {
        let over = |value: Ratio, limit: Share| {
            value.parts_per_million().checked_sub(limit.ratio().parts_per_million()).filter(|more| *more > 0)
        };
        over(cluster.load(), self.max_load).max(over(cluster.pending_share(), self.max_pending))
    }

    /// The load of a target with so many more pods, if all of them find a node and it stays within the limits.
    pub(crate) fn load_with(self, target: &ProjectedCluster, each: Resources, pods: u64) -> Option<Ratio> {
        let requested = target.requested + each.times(pods);
        let reachable = target.reachable_capacity();
        let load = requested.load_of(reachable);
        let grows = target.autoscaled && requested.fits_in(reachable);
        let placed = grows || target.room_for(each) >= pods;
        let pending = if target.autoscaled { Ratio::ZERO } else { target.pending_share() };
        let within = load <= self.max_load.ratio() && pending <= self.max_pending.ratio();
        (placed && within).then_some(load)
    }
}

/// A share between nothing and the whole; anything above is refused when it is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct Share(Ratio);

impl Share {
    pub const ZERO: Self = Self(Ratio::ZERO);

    /// So many per cent, at most the whole.
    pub const fn from_percent(percent: u64) -> Self {
        Self(Ratio::from_percent(if percent > 100 { 100 } else { percent }))
    }

    pub const fn ratio(self) -> Ratio {
        self.0
    }

    /// The difference, at least nothing.
    #[must_use]
    pub const fn minus(self, other: Self) -> Self {
        let parts = self.0.parts_per_million().saturating_sub(other.0.parts_per_million());
        Self(Ratio::from_parts_per_million(parts))
    }
}

impl<'de> Deserialize<'de> for Share {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let ratio = Ratio::deserialize(deserializer)?;
        if ratio > Ratio::ONE {
            let message = format!("{} is more than the whole; write 0.8 for eighty per cent", ratio.as_f64());
            return Err(serde::de::Error::custom(message));
        }
        Ok(Self(ratio))
    }
}

impl schemars::JsonSchema for Share {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Share".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "number",
            "minimum": 0,
            "maximum": 1,
            "description": "A share of the whole: 0.8 is eighty per cent."
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_at_most_the_whole() {
        assert_eq!(serde_json::from_str::<Share>("0.8").unwrap(), MAX_LOAD);
        assert_eq!(serde_json::from_str::<Share>("1").unwrap(), Share::from_percent(250));
        let refused = serde_json::from_str::<Share>("80").unwrap_err().to_string();
        assert!(refused.starts_with("80 is more than the whole"), "{refused}");
        assert_eq!(MAX_PENDING.minus(MAX_LOAD), Share::ZERO);
    }
}
