//! Measured signals by their canonical names: what a simulated or a real world reports beside requests and counts.
//!
//! A reading is a number with the moment it was true. It comes late, may be missing, and is never made up.

use crate::time::{Period, Timestamp};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;
use std::fmt;

/// What can be measured, with its unit. The names are what scenarios, rules and bindings to real metrics use.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Signal {
    /// Cores in use.
    CpuUsage,
    /// Bytes in use.
    MemoryUsage,
    /// Requests that arrive each second.
    RequestsPerSecond,
    /// Requests that are answered well each second.
    ThroughputPerSecond,
    /// Requests that fail or time out each second.
    ErrorsPerSecond,
    /// People or programs that use a service at the same time.
    Users,
    /// Milliseconds a request takes on average.
    LatencyMean,
    LatencyP50,
    LatencyP95,
    LatencyP99,
    /// Watts.
    PowerWatts,
    /// Grams of carbon dioxide for each kilowatt-hour.
    CarbonIntensity,
}

impl Signal {
    pub const ALL: [Self; 12] = [
        Self::CpuUsage,
        Self::MemoryUsage,
        Self::RequestsPerSecond,
        Self::ThroughputPerSecond,
        Self::ErrorsPerSecond,
        Self::Users,
        Self::LatencyMean,
        Self::LatencyP50,
        Self::LatencyP95,
        Self::LatencyP99,
        Self::PowerWatts,
        Self::CarbonIntensity,
    ];

    /// What one whole of it is.
    pub const fn unit(self) -> &'static str {
        match self {
            Self::CpuUsage => "cores",
            Self::MemoryUsage => "bytes",
            Self::RequestsPerSecond | Self::ThroughputPerSecond | Self::ErrorsPerSecond => "1/s",
            Self::Users => "users",
            Self::LatencyMean | Self::LatencyP50 | Self::LatencyP95 | Self::LatencyP99 => "ms",
            Self::PowerWatts => "W",
            Self::CarbonIntensity => "g/kWh",
        }
    }
}

/// A measured value in whole thousandths of its unit, so that equal readings are equal bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Milli(pub u64);

impl Milli {
    /// The nearest thousandth of a number; what is negative or no number counts as zero, what is too large as the most.
    pub fn nearest(value: f64) -> Self {
        // A cast from float to integer is exactly this rule.
        Self((value * 1_000.0).round() as u64)
    }

    pub fn as_f64(self) -> f64 {
        self.0 as f64 / 1_000.0
    }
}

impl fmt::Display for Milli {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}.{:03}", self.0 / 1_000, self.0 % 1_000)
    }
}

/// As a number in whole units: `52.1`.
impl Serialize for Milli {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.is_multiple_of(1_000) {
            return serializer.serialize_u64(self.0 / 1_000);
        }
        serializer.serialize_f64(self.as_f64())
    }
}

impl<'de> Deserialize<'de> for Milli {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = f64::deserialize(deserializer)?;
        if value.is_finite() && value >= 0.0 {
            return Ok(Self::nearest(value));
        }
        Err(serde::de::Error::custom(format!("{value} is not a measured value")))
    }
}

/// One measured value and the moment it was true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reading {
    pub value: Milli,
    pub at: Timestamp,
}

/// The newest reading of each signal that is known about one thing. What is not here is not known.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Readings(BTreeMap<Signal, Reading>);

impl Readings {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn insert(&mut self, signal: Signal, reading: Reading) {
        self.0.insert(signal, reading);
    }

    pub fn get(&self, signal: Signal) -> Option<Reading> {
        self.0.get(&signal).copied()
    }

    /// The value, unless it is unknown or older than `limit` at `now`.
    pub fn fresh(&self, signal: Signal, now: Timestamp, limit: Period) -> Option<Milli> {
        self.get(signal).filter(|reading| now.since(reading.at) <= limit).map(|reading| reading.value)
    }

    pub fn iter(&self) -> impl Iterator<Item = (Signal, Reading)> + '_ {
        self.0.iter().map(|(signal, reading)| (*signal, *reading))
    }
}

impl FromIterator<(Signal, Reading)> for Readings {
    fn from_iter<I: IntoIterator<Item = (Signal, Reading)>>(readings: I) -> Self {
        Self(readings.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_thousandths_and_hostile_numbers_do_no_harm() {
        for (value, milli) in [(0.0, 0), (52.1, 52_100), (0.000_4, 0), (0.000_6, 1), (-1.0, 0), (f64::NAN, 0)]
        {
            assert_eq!(Milli::nearest(value), Milli(milli), "{value}");
        }
        assert_eq!(Milli::nearest(f64::INFINITY), Milli(u64::MAX));
    }

    #[test]
    fn readings_are_plain_data() {
        let reading = |value, at| Reading { value: Milli::nearest(value), at: Timestamp(at) };
        let readings: Readings =
            [(Signal::PowerWatts, reading(52.1, 1_500)), (Signal::Users, reading(20.0, 2_000))]
                .into_iter()
                .collect();
        let json = serde_json::to_string(&readings).unwrap();
        assert_eq!(serde_json::from_str::<Readings>(&json).unwrap(), readings);
        assert!(
            json.contains(r#""users":{"value":20,"#) && json.contains(r#""power_watts":{"value":52.1,"#),
            "{json}"
        );
        for hostile in
            [r#"{"users":{"value":-1,"at":0}}"#, r#"{"users":{"value":"x","at":0}}"#, r#"{"mood":{}}"#]
        {
            assert!(serde_json::from_str::<Readings>(hostile).is_err(), "{hostile}");
        }
    }

    #[test]
    fn an_old_reading_is_not_fresh() {
        let reading = Reading { value: Milli(7), at: Timestamp(1_000) };
        let readings: Readings = [(Signal::CpuUsage, reading)].into_iter().collect();
        let limit = Period::from_secs(2);
        assert_eq!(readings.fresh(Signal::CpuUsage, Timestamp(3_000), limit), Some(Milli(7)));
        assert_eq!(readings.fresh(Signal::CpuUsage, Timestamp(3_001), limit), None);
        assert_eq!(readings.fresh(Signal::Users, Timestamp(1_000), limit), None);
    }

    #[test]
    fn every_signal_has_its_place_and_a_unit() {
        for (place, signal) in Signal::ALL.into_iter().enumerate() {
            assert_eq!(signal as usize, place);
            assert!(!signal.unit().is_empty());
        }
    }
}
