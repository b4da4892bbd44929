//! Makes hostile text harmless: for markup and for terminals.

use std::fmt::{self, Write};

/// Text as it may stand between tags or in a quoted attribute.
pub(crate) struct Escaped<'a>(pub &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for character in self.0.chars() {
            match character {
                '&' => out.write_str("&amp;")?,
                '<' => out.write_str("&lt;")?,
                '>' => out.write_str("&gt;")?,
                '"' => out.write_str("&quot;")?,
                '\'' => out.write_str("&#39;")?,
                other => out.write_char(visible(other))?,
            }
        }
        Ok(())
    }
}

/// Text as it may stand on a terminal: no escape sequences, no line breaks.
pub(crate) fn plain(text: &str) -> String {
    text.chars().map(visible).collect()
}

/// Control characters break markup and steer terminals; direction overrides make a text read as another one.
fn visible(character: char) -> char {
    match character {
        '\t' | '\n' | '\r' => ' ',
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{fffe}' | '\u{ffff}' => '\u{fffd}',
        other if other.is_control() => '\u{fffd}',
        other => other,
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    #[test]
    fn hostile_text_is_harmless() {
        let check = |text: &str, expected: &str| assert_eq!(Escaped(text).to_string(), expected);
        check("<script>alert('x')</script>", "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;");
        check("a & \"b\"", "a &amp; &quot;b&quot;");
        check("one\ntwo\u{0}\u{1b}[31m\u{202e}", "one two\u{fffd}\u{fffd}[31m\u{fffd}");
        assert_eq!(plain("\u{1b}]0;title\u{7}<b>"), "\u{fffd}]0;title\u{fffd}<b>");
    }

    /// Checks that every tag is closed in order, and that nothing but tags begins with `<`.
    pub(crate) fn assert_well_formed(markup: &str) {
        const EMPTY: [&str; 2] = ["meta", "br"];
        let mut open: Vec<&str> = Vec::new();
        let mut rest = markup;
        while let Some(start) = rest.find('<') {
            let end = rest[start..].find('>').expect("every tag ends") + start;
            let tag = &rest[start + 1..end];
            rest = &rest[end + 1..];
            if tag.starts_with('!') {
                continue;
            }
            if let Some(name) = tag.strip_prefix('/') {
                assert_eq!(open.pop(), Some(name), "before {:?}", &rest[..rest.len().min(60)]);
                continue;
            }
            let name = tag.split([' ', '/']).next().expect("split gives one piece");
            assert!(name.chars().all(|c| c.is_ascii_alphanumeric()), "{tag:?} is not a tag");
            assert_eq!(tag.matches('"').count() % 2, 0, "{tag:?} has an open quote");
            if !tag.ends_with('/') && !EMPTY.contains(&name) {
                open.push(name);
            }
        }
        assert_eq!(open, Vec::<&str>::new(), "tags that were never closed");
    }
}
