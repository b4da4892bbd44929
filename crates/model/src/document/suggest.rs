//! "Did you mean": the known word nearest to the one that was written.

/// Words longer than this are not compared; no key or name of ours is longer, and the comparison is quadratic.
const COMPARED: usize = 64;

/// The candidate within a third of the word's length (at least one edit), nearest first, ignoring case.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = fold(word);
    if word.len() > COMPARED {
        return None;
    }
    let allowed = (word.len() / 3).max(1);
    let scored = candidates.into_iter().map(|candidate| (distance(&word, &fold(candidate)), candidate));
    scored
        .filter(|(edits, _)| *edits <= allowed)
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, candidate)| candidate)
}

/// Case and the choice of separator are the commonest slips, so they cost nothing.
fn fold(word: &str) -> Vec<char> {
    let lower = word.chars().take(COMPARED + 1).flat_map(char::to_lowercase);
    lower.map(|character| if matches!(character, '-' | ' ') { '_' } else { character }).collect()
}

/// Edits (insert, delete, replace, swap of neighbours) from one word to the other.
fn distance(left: &[char], right: &[char]) -> usize {
    let mut rows = vec![(0..=right.len()).collect::<Vec<usize>>()];
    for row in 1..=left.len() {
        let mut current = vec![row; right.len() + 1];
        for column in 1..=right.len() {
            let same = left[row - 1] == right[column - 1];
            let above = &rows[row - 1];
            let mut best =
                (above[column] + 1).min(current[column - 1] + 1).min(above[column - 1] + usize::from(!same));
            let swapped = row > 1
                && column > 1
                && left[row - 1] == right[column - 2]
                && left[row - 2] == right[column - 1];
            if swapped {
                best = best.min(rows[row - 2][column - 2] + 1);
            }
            current[column] = best;
        }
        rows.push(current);
    }
    rows[left.len()][right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_word() {
        let known = ["nodes", "memory", "cpu", "autoscaler", "scheduler_interval"];
        let check = |word: &str, expected: Option<&str>| assert_eq!(nearest(word, known), expected, "{word}");
        check("node", Some("nodes"));
        check("ndoes", Some("nodes"));
        check("Memory", Some("memory"));
        check("scheduler-interval", Some("scheduler_interval"));
        check("cp", Some("cpu"));
        check("gpu", Some("cpu"));
        check("replicas", None);
        check("", None);
        check(&"x".repeat(1000), None);
    }
}
