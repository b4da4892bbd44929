//! What vertical autoscalers would let pods request.

use super::Summary;
use super::text::row;
use crate::wording;
use model::names::WorkloadRef;
use model::quantity::MilliCpu;
use serde::{Deserialize, Serialize};
use simulator::vertical::{Amounts, Recommendation};
use simulator::world::VerticalTotals;

/// Longer names are cut, so that a line stays within the width of a summary.
const LONGEST_NAME: usize = 14;

/// What one vertical autoscaler said at the end of the run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VerticalAdvice {
    pub workload: WorkloadRef,
    pub cpu_millicores: Advice,
    pub memory_bytes: Advice,
}

/// What one pod requests, and what it should; no bounds if none of its pods was ever measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Advice {
    pub requested: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lower: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub upper: Option<u64>,
}

impl VerticalAdvice {
    pub fn new(workload: &WorkloadRef, totals: &VerticalTotals) -> Self {
        Self {
            workload: workload.clone(),
            cpu_millicores: Advice::new(totals, |amounts| amounts.cpu.0),
            memory_bytes: Advice::new(totals, |amounts| amounts.memory.0),
        }
    }
}

impl Advice {
    fn new(totals: &VerticalTotals, of: fn(&Amounts) -> u64) -> Self {
        let bound = |which: fn(&Recommendation) -> &Amounts| totals.recommended.as_ref().map(which).map(of);
        Self {
            requested: of(&totals.requested),
            lower: bound(|recommended| &recommended.lower),
            target: bound(|recommended| &recommended.target),
            upper: bound(|recommended| &recommended.upper),
        }
    }

    /// `500m → 161m (142m to 322m)`.
    fn in_words(&self, amount: fn(u64) -> String) -> String {
        let requested = amount(self.requested);
        match (self.lower, self.target, self.upper) {
            (Some(lower), Some(target), Some(upper)) => {
                format!("{requested} → {} ({} to {})", amount(target), amount(lower), amount(upper))
            }
            _ => format!("{requested}, never measured"),
        }
    }
}

impl Summary {
    /// One line per autoscaler: what is requested, and what would be right.
    pub(super) fn vertical_rows(&self, text: &mut String) {
        let mut label = "Requests";
        for advice in &self.vertical {
            let name = wording::shortened(advice.workload.name(), LONGEST_NAME);
            let cpu = advice.cpu_millicores.in_words(|amount| MilliCpu(amount).to_string());
            let memory = advice.memory_bytes.in_words(mebibytes);
            row(text, label, &format!("{name}: CPU {cpu}, memory {memory}"));
            label = "";
        }
    }
}

/// Rounded up: whoever requests it gets no less than was meant.
fn mebibytes(amount: u64) -> String {
    format!("{}Mi", amount.div_ceil(1 << 20))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::three_waves;
    use model::quantity::Bytes;

    fn advice(recommended: Option<Recommendation>) -> VerticalAdvice {
        let requested = Amounts { cpu: MilliCpu(500), memory: Bytes(1 << 30) };
        let workload = "default/a-shop-with-a-long-name".parse().unwrap();
        VerticalAdvice::new(&workload, &VerticalTotals { requested, recommended })
    }

    fn recommended() -> Recommendation {
        let amounts = |cpu: u64, memory: u64| Amounts { cpu: MilliCpu(cpu), memory: Bytes(memory) };
        Recommendation {
            lower: amounts(142, 250 << 20),
            target: amounts(161, (300 << 20) + 1),
            upper: amounts(100_000_000_000_000, 100_000_000_000_000),
            uncapped: amounts(161, 300 << 20),
        }
    }

    #[test]
    fn a_line_says_what_is_and_what_would_be_right() {
        let mut summary = three_waves::summary();
        summary.vertical = vec![advice(Some(recommended())), advice(None)];
        let text = summary.to_text();
        let lines: Vec<&str> = text.lines().filter(|line| line.contains("CPU 500m")).collect();
        assert_eq!(lines.len(), 2);
        assert!(lines[0].starts_with("Requests          a-shop…"), "{}", lines[0]);
        assert!(lines[0].contains("500m → 161m (142m to "), "{}", lines[0]);
        assert!(lines[0].contains("memory 1024Mi → 301Mi (250Mi to "), "{}", lines[0]);
        assert!(
            lines[1].ends_with("CPU 500m, never measured, memory 1024Mi, never measured"),
            "{}",
            lines[1]
        );
        for line in lines {
            assert!(line.chars().count() <= 110, "{line}");
        }
    }

    #[test]
    fn the_file_has_what_was_said() {
        let json = serde_json::to_value(advice(Some(recommended()))).unwrap();
        assert_eq!(json["workload"], "deployment/default/a-shop-with-a-long-name");
        assert_eq!(json["cpu_millicores"]["target"], 161);
        assert_eq!(json["memory_bytes"]["requested"], 1 << 30);
        let silent = serde_json::to_value(advice(None)).unwrap();
        assert_eq!(silent["cpu_millicores"], serde_json::json!({ "requested": 500 }));
    }
}
