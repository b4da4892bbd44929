//! Texts that somebody could write into a name, a label, an annotation or an answer to make trouble, from `red_team.txt`.
//!
//! One JSON string to a line, so that what is invisible can be seen; `"a" * 254` is so many times the same; `#` begins a heading.

use serde::Serialize;

const CORPUS: &str = include_str!("red_team.txt");
/// The lines are ours; a test reads every one of them.
const OURS: &str = "the lines of the corpus are well formed";

/// A hostile text, as it is written down: a piece, and how many times it is said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Hostile {
    pub piece: String,
    pub times: usize,
}

/// The corpus, in the order of the file.
pub fn corpus() -> Vec<Hostile> {
    CORPUS.lines().filter(|line| !line.starts_with('#')).map(hostile).collect()
}

/// All hostile texts in full.
pub fn texts() -> Vec<String> {
    corpus().into_iter().map(|Hostile { piece, times }| piece.repeat(times)).collect()
}

fn hostile(line: &str) -> Hostile {
    let (literal, times) = match line.rsplit_once("\" * ") {
        Some((literal, times)) => (format!("{literal}\""), times.parse().expect(OURS)),
        None => (line.to_owned(), 1),
    };
    Hostile { piece: serde_json::from_str(&literal).expect(OURS), times }
}
