//! The differences as a table in Markdown.

use super::{Difference, Overlay};
use crate::series::thousandths;
use std::fmt::Write as _;

/// The table, and below it how the two were laid over each other.
pub fn markdown(overlay: &Overlay) -> String {
    let mut text = String::from(
        "| cluster | what | simulated, mean | real, mean | mean distance | of the whole | largest | at | they differ for |\n\
         |---|---|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    for one in &overlay.clusters {
        for (what, difference) in [
            ("CPU allocated (cores)", &one.cpu_allocated),
            ("memory allocated (GiB)", &one.memory_allocated),
            ("pods that wait", &one.pods_pending),
        ] {
            let _ = writeln!(text, "| {} | {what} | {} |", one.cluster, cells(difference));
        }
    }
    let compared = thousandths(overlay.compared.as_millis());
    let shift = thousandths(overlay.shift_ms.unsigned_abs());
    let direction = if overlay.shift_ms < 0 { "earlier" } else { "later" };
    let _ = writeln!(
        text,
        "\nCompared over {compared} s; the recording is {shift} s {direction} than the simulation. Means are weighted by time. \"Of the \
         whole\" is the mean distance in percent of the cluster's capacity, for pods of the most it ever had."
    );
    for name in &overlay.left_out {
        let _ = writeln!(text, "Cluster {name} is in only one of the two and is not compared.");
    }
    text
}

fn cells(difference: &Difference) -> String {
    let Difference {
        simulated_mean, real_mean, mean_absolute, percent, maximum, maximum_at, differing, ..
    } = difference;
    format!(
        "{simulated_mean:.3} | {real_mean:.3} | {mean_absolute:.3} | {percent:.2} % | {maximum:.3} | {} s | {} s",
        thousandths(maximum_at.as_millis()),
        thousandths(differing.as_millis())
    )
}

#[cfg(test)]
mod tests {
    use crate::overlay::overlay;
    use crate::three_waves;

    #[test]
    fn every_cluster_has_its_rows() {
        let series = three_waves::series();
        let mut other = series.clone();
        other.clusters.pop();
        let text = super::markdown(&overlay(&series, &other, Some(0)).expect("one is in both"));
        assert!(text.contains("| member1 | CPU allocated (cores) |"), "{text}");
        assert!(text.contains("| 0.000 | 0.00 % | 0.000 | 0 s | 0 s |"), "{text}");
        assert!(text.contains("Cluster member2 is in only one of the two"), "{text}");
    }
}
