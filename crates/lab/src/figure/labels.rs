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

/// How wide a label in a rounded frame is: a digit of eleven-pixel text is seven wide.
pub(crate) fn pill_width(label: &str) -> f64 {
    (label.chars().count() as f64 * 7.0 + 10.0).max(20.0)
}

/// Numbers of marks that stand closer than `distance`, or whose labels would touch, become one label: `2–5`. Each begins with
/// `letter`.
pub(crate) fn joined(places: &[(f64, usize)], distance: f64, letter: &str) -> Vec<(f64, String)> {
    let text = |(_, first, last): &(f64, usize, usize)| {
        if first == last { format!("{letter}{first}") } else { format!("{letter}{first}–{last}") }
    };
    let mut groups: Vec<(f64, usize, usize)> =
        places.iter().map(|(place, number)| (*place, *number, *number)).collect();
    // A joined label is wider and may touch the next one, or the one before; the last round joins nothing.
    loop {
        let before = groups.len();
        let mut kept: Vec<(f64, usize, usize)> = Vec::with_capacity(before);
        for group in groups {
            let touches = |last: &&mut (f64, usize, usize)| {
                let room = f64::midpoint(pill_width(&text(last)), pill_width(&text(&group)));
                group.0 - last.0 < room.max(distance)
            };
            match kept.last_mut().filter(touches) {
                Some(last) => last.2 = group.2,
                None => kept.push(group),
            }
        }
        groups = kept;
        if groups.len() == before {
            return groups.iter().map(|group| (group.0, text(group))).collect();
        }
    }
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

    #[test]
    fn labels_that_became_wide_do_not_touch() {
        let marks: Vec<(f64, usize)> =
            (0..60).map(|index| (f64::from(index) * 11.0, 90 + index as usize)).collect();
        let labels = joined(&marks, 20.0, "F");
        let apart = labels.windows(2).all(|pair| {
            pair[1].0 - pair[0].0 >= f64::midpoint(pill_width(&pair[0].1), pill_width(&pair[1].1))
        });
        assert!(apart && labels.len() > 3, "{labels:?}");
    }
}
