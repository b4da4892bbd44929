//! Where labels go so that none covers another.

/// Moves wanted heights apart until they differ by `distance`, staying between `top` and `bottom` while there is room.
/// The answer keeps the order of the question.
pub(crate) fn spread(wanted: &[f64], distance: f64, top: f64, bottom: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|a, b| wanted[*a].total_cmp(&wanted[*b]));
    let mut placed = wanted.to_vec();
    let mut free = top;
    for index in &order {
        placed[*index] = placed[*index].max(free);
        free = placed[*index] + distance;
    }
    let mut free = bottom;
    for index in order.iter().rev() {
        placed[*index] = placed[*index].min(free);
        free = placed[*index] - distance;
    }
    placed
}

/// Numbers of marks that stand too close together become one label: `2–5`. Each begins with `letter`.
pub(crate) fn joined(places: &[(f64, usize)], distance: f64, letter: &str) -> Vec<(f64, String)> {
    let mut groups: Vec<(f64, usize, usize)> = Vec::new();
    let mut last_place = f64::NEG_INFINITY;
    for (place, number) in places {
        if let Some(group) = groups.last_mut().filter(|_| place - last_place < distance) {
            group.2 = *number;
        } else {
            groups.push((*place, *number, *number));
            last_place = *place;
        }
    }
    let text = |first: usize, last: usize| {
        if first == last { format!("{letter}{first}") } else { format!("{letter}{first}–{last}") }
    };
    groups.into_iter().map(|(place, first, last)| (place, text(first, last))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_keep_their_distance_and_their_order() {
        assert_eq!(spread(&[50.0, 50.0, 10.0], 14.0, 0.0, 100.0), [50.0, 64.0, 10.0]);
        assert_eq!(spread(&[99.0, 98.0], 14.0, 0.0, 100.0), [100.0, 86.0]);
        assert_eq!(spread(&[], 14.0, 0.0, 100.0), Vec::<f64>::new());
    }

    #[test]
    fn crowded_marks_share_a_label() {
        let marks = [(0.0, 1), (100.0, 2), (105.0, 3), (111.0, 4), (300.0, 5)];
        let texts: Vec<String> = joined(&marks, 20.0, "").into_iter().map(|(_, text)| text).collect();
        assert_eq!(texts, ["1", "2–4", "5"]);
    }
}
