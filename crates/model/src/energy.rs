//! Power, energy and what it emits, as integers whose products are exact: one milliwatt for one millisecond is one
//! microjoule. Nothing is rounded before a result is printed.

use crate::scale::{Scale, decimal, measure};
use crate::time::Period;
use serde::{Deserialize, Serialize, Serializer};
use std::fmt;
use std::iter::Sum;

const MICROJOULES_PER_JOULE: u64 = 1_000_000;
/// A kilowatt for an hour: 1000 J/s × 3600 s.
const MICROJOULES_PER_KILOWATT_HOUR: f64 = 3.6e12;
const MICROGRAMS_PER_GRAM: u64 = 1_000_000;

const POWER: Scale = Scale {
    subject: "power",
    units: &[("W", 1_000), ("mW", 1), ("kW", 1_000_000), ("MW", 1_000_000_000)],
    bare: Some(1_000),
    smallest: "one milliwatt",
    repairs: &[(&["w", "watt", "watts"], "W"), (&["kw", "kilowatt", "kilowatts"], "kW")],
};

const INTENSITY: Scale = Scale {
    subject: "carbon intensity",
    units: &[],
    bare: Some(1_000),
    smallest: "one milligram per kilowatt-hour",
    repairs: &[(&["g", "g/kwh", "gco2/kwh", "gco2eq/kwh"], "")],
};

/// Power in thousandths of a watt, written in watts: `162W`, `58.5W`; a bare number is watts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Milliwatts(pub u64);

measure!(
    Milliwatts,
    POWER,
    ["string", "number"],
    "Power in watts, down to a milliwatt: 162, 58.5W, 1.2kW.",
    "an amount of power such as `162W`"
);

impl Serialize for Milliwatts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Milliwatts {
    /// So many whole watts, at most the largest power there is.
    pub const fn from_watts(watts: u64) -> Self {
        Self(watts.saturating_mul(1_000))
    }

    /// The power in watts, for statistics.
    pub fn as_watts_float(self) -> f64 {
        self.0 as f64 / 1_000.0
    }

    /// The energy that this power takes in a period, exactly.
    pub fn over(self, period: Period) -> Microjoules {
        // Both are below 2^64, so the product is below 2^128.
        Microjoules(u128::from(self.0) * u128::from(period.as_millis()))
    }
}

/// Energy in millionths of a joule. The largest amount is 9 × 10^25 kWh, so a sum of real loads never reaches it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Microjoules(pub u128);

impl Microjoules {
    pub const ZERO: Self = Self(0);

    /// The sum, at most the largest energy there is.
    #[must_use]
    pub const fn saturating_add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    /// The difference, zero if the other is larger.
    #[must_use]
    pub const fn saturating_sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    /// The energy in kilowatt-hours, for statistics.
    pub fn as_kilowatt_hours_float(self) -> f64 {
        self.0 as f64 / MICROJOULES_PER_KILOWATT_HOUR
    }

    /// The mean power over a period, rounded to the nearest milliwatt; none over no time.
    pub fn mean_power(self, period: Period) -> Milliwatts {
        let time = u128::from(period.as_millis());
        let mean = self.0.saturating_add(time / 2).checked_div(time).unwrap_or(0);
        Milliwatts(u64::try_from(mean).unwrap_or(u64::MAX))
    }
}

impl Sum for Microjoules {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self::ZERO, Self::saturating_add)
    }
}

impl fmt::Display for Microjoules {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(&format!("{}J", decimal(self.0, MICROJOULES_PER_JOULE)))
    }
}

/// How much carbon dioxide a kilowatt-hour stands for, in milligrams, written in grams: `56`, `24.1`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CarbonIntensity(pub u64);

measure!(
    CarbonIntensity,
    INTENSITY,
    "number",
    "Grams of carbon dioxide per kilowatt-hour, with at most three decimal places: 56, 24.1.",
    "grams of carbon dioxide per kilowatt-hour such as `56`"
);

impl Serialize for CarbonIntensity {
    /// A number, since text in its place names a region.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.as_grams_float())
    }
}

impl CarbonIntensity {
    /// So many whole grams per kilowatt-hour, at most the largest intensity there is.
    pub const fn from_grams(grams: u64) -> Self {
        Self(grams.saturating_mul(1_000))
    }

    /// Grams per kilowatt-hour, for statistics.
    pub fn as_grams_float(self) -> f64 {
        self.0 as f64 / 1_000.0
    }
}

/// A mass of carbon dioxide in millionths of a gram. The largest amount is 18 million tonnes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Micrograms(pub u64);

impl Micrograms {
    pub const ZERO: Self = Self(0);

    /// The sum, at most the largest mass there is.
    #[must_use]
    pub const fn saturating_add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    /// The mass in grams, for statistics.
    pub fn as_grams_float(self) -> f64 {
        self.0 as f64 / MICROGRAMS_PER_GRAM as f64
    }
}

impl Sum for Micrograms {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self::ZERO, Self::saturating_add)
    }
}

impl fmt::Display for Micrograms {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(&format!("{}g", decimal(u128::from(self.0), MICROGRAMS_PER_GRAM)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn power_is_read_and_printed_exactly() {
        let check = |text: &str, milliwatts: u64, canonical: &str| {
            assert_eq!(text.parse(), Ok(Milliwatts(milliwatts)), "{text}");
            assert_eq!(Milliwatts(milliwatts).to_string(), canonical, "{text}");
            assert_eq!(canonical.parse(), Ok(Milliwatts(milliwatts)), "{text}");
        };
        check("162W", 162_000, "162W");
        check("58.5", 58_500, "58.5W");
        check("250mW", 250, "0.25W");
        check("1.2kW", 1_200_000, "1200W");
        check(".5W", 500, "0.5W");
        check("0", 0, "0W");
        check("18446744073709551.615W", u64::MAX, "18446744073709551.615W");
    }

    #[test]
    fn refused_power_says_why_and_proposes() {
        let check = |text: &str, want: &str| {
            assert_eq!(text.parse::<Milliwatts>().expect_err(text).to_string(), want);
        };
        check("", "power ``: is empty");
        check("W", "power `W`: does not start with a number");
        check("-1W", "power `-1W`: is negative");
        check("162 W", "power `162 W`: contains white space; did you mean `162W`?");
        check("58,5w", "power `58,5w`: cannot be understood from `,5w` on; did you mean `58.5W`?");
        check("162watts", "power `162watts`: unknown suffix `watts`; did you mean `162W`?");
        check("1.2.3W", "power `1.2.3W`: cannot be understood from `.3W` on");
        check("1e3", "power `1e3`: cannot be understood from `e3` on");
        check("0.0001W", "power `0.0001W`: is finer than one milliwatt");
        check("0.00000000001W", "power `0.00000000001W`: is finer than one milliwatt");
        check("18446744073709552W", "power `18446744073709552W`: is too large");
        check("inf", "power `inf`: is not a finite number");
    }

    #[test]
    fn numbers_and_texts_mean_the_same() {
        for text in ["\"58.5W\"", "58.5", "\"58.5\""] {
            assert_eq!(serde_json::from_str::<Milliwatts>(text).unwrap(), Milliwatts(58_500), "{text}");
        }
        assert_eq!(serde_json::from_str::<CarbonIntensity>("24.076").unwrap(), CarbonIntensity(24_076));
        assert_eq!(serde_json::to_string(&CarbonIntensity(24_076)).unwrap(), "24.076");
        assert!(serde_json::from_str::<CarbonIntensity>("-1").is_err());
        assert!(serde_json::from_str::<CarbonIntensity>("0.0001").is_err());
    }

    #[test]
    fn energy_is_power_times_time() {
        let hour = Period::from_hours(1);
        let energy = Milliwatts::from_watts(1_000).over(hour);
        assert_eq!(energy.to_string(), "3600000J");
        assert_eq!(energy.as_kilowatt_hours_float(), 1.0);
        assert_eq!(energy.mean_power(hour), Milliwatts::from_watts(1_000));
        assert_eq!(Milliwatts(1).over(Period::from_millis(1)).to_string(), "0.000001J");
        assert_eq!(energy.mean_power(Period::ZERO), Milliwatts::ZERO);
        assert_eq!(Milliwatts(u64::MAX).over(Period::MAX).mean_power(Period::MAX), Milliwatts(u64::MAX));
        assert_eq!(Micrograms(1_500_000).to_string(), "1.5g");
    }
}
