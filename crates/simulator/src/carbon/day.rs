//! A made-up day whose intensity dips while the sun shines, for regions without a trace.

use super::trace::{Between, DAY, Trace, TraceFault};
use model::energy::CarbonIntensity;
use model::time::Period;

/// The shape is kept at this many points a day, with lines between: every ten minutes.
const POINTS: u64 = 144;

/// Constant at night; while the sun shines lower by a half wave of the cosine around noon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolarDay {
    pub night: CarbonIntensity,
    /// The lowest, when the sun is highest.
    pub noon: CarbonIntensity,
    /// When that is, after midnight.
    pub noon_at: Period,
    /// How long the sun shines.
    pub daylight: Period,
}

impl SolarDay {
    /// The day over and over.
    pub fn trace(&self) -> Result<Trace, Vec<TraceFault>> {
        let step = DAY.as_millis() / POINTS;
        let points: Vec<(Period, CarbonIntensity)> = (0..POINTS)
            .map(|point| Period::from_millis(point * step))
            .map(|time| (time, self.at(time)))
            .collect();
        Trace::new(&points, Between::Linear, Some(DAY))
    }

    fn at(&self, time: Period) -> CarbonIntensity {
        let noon = self.noon_at.as_millis() % DAY.as_millis();
        let direct = time.as_millis().abs_diff(noon);
        let distance = direct.min(DAY.as_millis() - direct);
        // Half the daylight is a quarter of the wave.
        let angle = std::f64::consts::PI * distance as f64 / self.daylight.as_millis().max(1) as f64;
        let sun = if angle < std::f64::consts::FRAC_PI_2 { libm::cos(angle) } else { 0.0 };
        let night = self.night.0 as f64;
        let intensity = libm::round(night + (self.noon.0 as f64 - night) * sun);
        CarbonIntensity(intensity.max(0.0) as u64)
    }
}
