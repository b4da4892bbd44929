//! Tells prose from code in a Markdown file. Not a renderer: only fences, code spans and headings are known.

/// One line, with what the checks need to know about it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Line<'a> {
    /// Counted from 1.
    pub(crate) number: usize,
    pub(crate) text: &'a str,
    /// The word after the fence (`sh`, or nothing) when the line lies inside one.
    pub(crate) fence: Option<&'a str>,
}

/// The lines of a document without the fences themselves.
pub(crate) fn lines(text: &str) -> Vec<Line<'_>> {
    let mut found = Vec::new();
    // The marker that opened the fence, and its word: a fence ends with the same marker, at least as long.
    let mut open: Option<(&str, &str)> = None;
    for (number, text) in (1..).zip(text.lines()) {
        let (marker, word) = fence(text);
        match open {
            Some((opener, _)) if marker.starts_with(opener) && word.is_empty() => open = None,
            None if !marker.is_empty() => open = Some((marker, word)),
            _ => found.push(Line { number, text, fence: open.map(|(_, word)| word) }),
        }
    }
    found
}

/// The ticks or tildes that a line begins with, and the word after them; an empty marker when it is no fence.
fn fence(line: &str) -> (&str, &str) {
    let line = line.trim_start();
    for sign in ['`', '~'] {
        let rest = line.trim_start_matches(sign);
        let marker = &line[..line.len() - rest.len()];
        if marker.len() >= 3 && !rest.contains(sign) {
            return (marker, rest.trim());
        }
    }
    ("", "")
}

/// Splits a line of prose into its words without code, and its code spans.
pub(crate) fn split_spans(line: &str) -> (String, Vec<&str>) {
    let (mut prose, mut spans, mut rest) = (String::new(), Vec::new(), line);
    while let Some(start) = rest.find('`') {
        let ticks = rest[start..].len() - rest[start..].trim_start_matches('`').len();
        let body = &rest[start + ticks..];
        let Some(end) = body.find(&rest[start..start + ticks]) else { break };
        prose.push_str(&rest[..start]);
        spans.push(body[..end].trim());
        rest = &body[end + ticks..];
    }
    prose.push_str(rest);
    (prose, spans)
}

/// The text of a heading, without its number signs.
pub(crate) fn heading<'a>(line: &Line<'a>) -> Option<&'a str> {
    let title = line.text.trim_start_matches('#');
    let level = line.text.len() - title.len();
    (line.fence.is_none() && (1..=6).contains(&level) && title.starts_with(' ')).then(|| title.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fences_hold_code() {
        let text = "a\n```sh\nmake\n```\n~~~~\n```\n~~~~\nb\n";
        let found: Vec<_> =
            lines(text).into_iter().map(|line| (line.number, line.text, line.fence)).collect();
        assert_eq!(found, [(1, "a", None), (3, "make", Some("sh")), (6, "```", Some("")), (8, "b", None)]);
    }

    #[test]
    fn spans_are_cut_out_of_prose() {
        for (line, prose, spans) in [
            ("a `b` c `` d`e `` f", "a  c  f", &["b", "d`e"][..]),
            ("a ` b", "a ` b", &[]),
            ("```inline``` fence", " fence", &["inline"]),
        ] {
            assert_eq!(split_spans(line), (prose.to_owned(), spans.to_vec()), "{line}");
        }
    }

    #[test]
    fn headings_need_a_space() {
        let titles = |text| lines(text).iter().filter_map(heading).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(titles("# One\n#two\n### Three \n```\n# four\n```\n"), ["One", "Three"]);
    }
}
