//! The batching window: pods that come shortly after each other are looked at together.

use super::config::ProvisionerConfig;
use model::time::Timestamp;

/// An open window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Batch {
    opened: Timestamp,
    closes: Timestamp,
}

impl Batch {
    /// Another pod came: opens a window, or keeps one open until no pod has come for a while, but not for ever.
    pub fn after_pod(open: Option<Self>, now: Timestamp, config: &ProvisionerConfig) -> Self {
        let opened = open.map_or(now, |batch| batch.opened);
        Self { opened, closes: (now + config.batch_idle).min(opened + config.batch_max) }
    }

    pub const fn closes(self) -> Timestamp {
        self.closes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_closes_when_no_pod_comes_or_after_ten_seconds() {
        // When pods come and when the window closes, in milliseconds: 1 s of silence, at most 10 s.
        let rows: [(&[u64], u64); 5] = [
            (&[0], 1_000),
            (&[500, 1_200], 2_200),
            (&[0, 900, 1_800, 2_700], 3_700),
            (&[0, 900, 1_800, 2_700, 3_600, 4_500, 5_400, 6_300, 7_200, 8_100, 9_000, 9_900], 10_000),
            (&[5_000, 5_999], 6_999),
        ];
        for (pods, closes) in rows {
            let config = ProvisionerConfig::default();
            let batch = pods
                .iter()
                .fold(None, |open, at| Some(Batch::after_pod(open, Timestamp(*at), &config)))
                .unwrap();
            assert_eq!(batch.closes(), Timestamp(closes), "{pods:?}");
        }
    }
}
