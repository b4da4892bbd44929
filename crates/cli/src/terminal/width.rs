//! How wide the terminal is, and texts that fit into it. What is piped stays as it is.

use std::io::{IsTerminal, stderr, stdout};
use terminal_size::{Height, Width, terminal_size_of};

/// A narrower terminal shows nothing useful; longer lines are then broken by the terminal itself.
const NARROWEST: usize = 20;

/// So many characters fit into a line of standard output; nothing if it is no terminal.
pub(crate) fn width() -> Option<usize> {
    usable(terminal_size_of(stdout()).filter(|_| stdout().is_terminal()))
}

/// The same for standard error, where questions and what belongs to them are shown.
pub(crate) fn width_of_questions() -> Option<usize> {
    usable(terminal_size_of(stderr()).filter(|_| stderr().is_terminal()))
}

fn usable(size: Option<(Width, Height)>) -> Option<usize> {
    size.map(|(Width(width), _)| usize::from(width)).filter(|width| *width >= NARROWEST)
}

/// A text of at most so many characters, with a mark where something is left out.
pub(super) fn cut(text: &str, longest: usize) -> String {
    if text.chars().count() <= longest {
        return text.to_owned();
    }
    text.chars().take(longest.saturating_sub(1)).chain(['…']).collect()
}

/// Every line broken between words so that it fits; what goes on stands below the text of its line, `hang` characters further in
/// than the line itself. Words that are longer than a line, such as hashes, stay whole: people copy them.
pub(crate) fn wrapped(text: &str, width: Option<usize>, hang: usize) -> String {
    let Some(width) = width else { return text.to_owned() };
    let lines: Vec<String> = text.lines().map(|line| broken(line, width, hang)).collect();
    lines.join("\n")
}

fn broken(line: &str, width: usize, hang: usize) -> String {
    if line.chars().count() <= width {
        return line.to_owned();
    }
    // Headings at the left and spaces between columns are part of the beginning and stay as they are.
    let kept = line.char_indices().nth(hang).map_or(line.len(), |(index, _)| index);
    let (beginning, rest) = line.split_at(kept);
    let indent = hang + rest.chars().take_while(|letter| *letter == ' ').count();
    let mut lines = vec![format!("{beginning}{}", &rest[..rest.len() - rest.trim_start_matches(' ').len()])];
    let mut is_fresh = true;
    for word in rest.split_whitespace() {
        let used = lines.last().map_or(0, |last| last.chars().count());
        if !is_fresh && used + 1 + word.chars().count() > width {
            lines.push(" ".repeat(indent));
            is_fresh = true;
        }
        if let Some(last) = lines.last_mut() {
            if !is_fresh {
                last.push(' ');
            }
            last.push_str(word);
        }
        is_fresh = false;
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_with_a_mark() {
        assert_eq!((cut("größer", 6).as_str(), cut("größer", 4).as_str()), ("größer", "grö…"));
    }

    #[test]
    fn long_lines_go_on_below_their_text() {
        let check = |text: &str, width: Option<usize>, expected: &str| {
            assert_eq!(wrapped(text, width, 5), expected);
        };
        check("Why  one two three four", None, "Why  one two three four");
        check("Why  one two three four", Some(40), "Why  one two three four");
        check("Why  one two three four", Some(15), "Why  one two\n     three four");
        check("       one two three", Some(14), "       one two\n       three");
        check("Plan 0123456789abcdef", Some(14), "Plan 0123456789abcdef");
        check("abc\nWhy  one two three", Some(14), "abc\nWhy  one two\n     three");
    }
}
