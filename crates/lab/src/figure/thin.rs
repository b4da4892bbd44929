//! Fewer points for the same picture: unchanged values go, and of very many the highest and lowest per stretch stay.

use super::{Line, Point, Shape};

/// A line with more points than this is thinned; a figure is about a thousand points wide.
const MOST_POINTS: usize = 2_000;

/// The points a line needs, at most about [`MOST_POINTS`] of them, oldest first.
pub(crate) fn thin(line: &Line) -> Vec<Point> {
    let mut points = line.points.clone();
    if line.shape != Shape::Slopes {
        points.dedup_by_key(|point| point.value);
    }
    if points.len() <= MOST_POINTS { points } else { extremes(&points) }
}

fn extremes(points: &[Point]) -> Vec<Point> {
    // Two points are kept per stretch, and the very first and last always.
    let stretch = points.len().div_ceil(MOST_POINTS / 2);
    let mut kept = vec![points[0]];
    for part in points.chunks(stretch) {
        let by_value = |a: &(usize, &Point), b: &(usize, &Point)| a.1.value.total_cmp(&b.1.value);
        let lowest = part.iter().enumerate().min_by(by_value).map_or(0, |(index, _)| index);
        let highest = part.iter().enumerate().max_by(by_value).map_or(0, |(index, _)| index);
        kept.push(part[lowest.min(highest)]);
        kept.push(part[lowest.max(highest)]);
    }
    kept.extend(points.last());
    kept.dedup();
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::time::Timestamp;

    fn steps(values: impl Iterator<Item = u64>) -> Line {
        let point = |(index, value): (usize, u64)| Point { at: Timestamp(index as u64), value: value as f64 };
        let points = values.enumerate().map(point).collect();
        Line { label: String::new(), ink: crate::figure::Ink::Total, shape: Shape::Steps, points }
    }

    #[test]
    fn unchanged_values_go() {
        let line = steps([0, 0, 4, 4, 4, 2].into_iter());
        let thinned: Vec<u64> = thin(&line).into_iter().map(|point| point.at.0).collect();
        assert_eq!(thinned, [0, 2, 5]);
    }

    #[test]
    fn peaks_survive_among_very_many() {
        let line = steps((0..100_000).map(|i| if i == 77_777 { 1_000 } else { i % 7 }));
        let thinned = thin(&line);
        assert!(thinned.len() <= MOST_POINTS + 2, "{}", thinned.len());
        assert!(thinned.iter().any(|point| point.value == 1_000.0));
        assert!(thinned.is_sorted_by_key(|point| point.at));
        assert_eq!((thinned[0], thinned[thinned.len() - 1]), (line.points[0], line.points[99_999]));
    }
}
