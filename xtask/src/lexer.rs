//! Splits Rust text into words and punctuation, without comments and literals. Not a parser: it knows no grammar.

/// A word (identifier, keyword, number) or a single punctuation character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token<'a> {
    pub(crate) text: &'a str,
    /// Counted from 1.
    pub(crate) line: usize,
}

pub(crate) fn tokens(source: &str) -> Vec<Token<'_>> {
    let mut lexer = Lexer { source, at: 0, line: 1, found: Vec::new() };
    while lexer.at < source.len() {
        lexer.step();
    }
    lexer.found
}

/// The index of the bracket that closes the one at `open`; the last token when the text is cut short.
pub(crate) fn closing(tokens: &[Token<'_>], open: usize) -> usize {
    let mut depth = 0_usize;
    for (index, token) in tokens.iter().enumerate().skip(open) {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return index;
        }
    }
    tokens.len() - 1
}

/// Whether the tokens from `start` on read as `pattern`.
pub(crate) fn reads(tokens: &[Token<'_>], start: usize, pattern: &[&str]) -> bool {
    let found = tokens.iter().skip(start).take(pattern.len()).map(|token| token.text);
    found.eq(pattern.iter().copied())
}

pub(crate) fn is_word(token: &Token<'_>) -> bool {
    token.text.starts_with(starts_word)
}

struct Lexer<'a> {
    source: &'a str,
    at: usize,
    line: usize,
    found: Vec<Token<'a>>,
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        &self.source[self.at..]
    }

    fn step(&mut self) {
        let rest = self.rest();
        let first = rest.chars().next().expect("there is text left");
        if rest.starts_with("//") {
            self.skip(rest.find('\n').unwrap_or(rest.len()));
        } else if rest.starts_with("/*") {
            self.skip(block_comment_length(rest));
        } else if first == '"' {
            self.skip(quoted_length(rest, '"'));
        } else if first == '\'' {
            self.quote(rest);
        } else if starts_word(first) || first.is_ascii_digit() {
            self.word(rest);
        } else if first.is_whitespace() {
            self.skip(first.len_utf8());
        } else {
            self.take(first.len_utf8());
        }
    }

    fn skip(&mut self, length: usize) {
        self.line += self.rest()[..length].matches('\n').count();
        self.at += length;
    }

    fn take(&mut self, length: usize) {
        self.found.push(Token { text: &self.rest()[..length], line: self.line });
        self.at += length;
    }

    /// A character literal is skipped; the tick of a lifetime is punctuation.
    fn quote(&mut self, rest: &'a str) {
        let mut following = rest.chars().skip(1);
        match (following.next(), following.next()) {
            (Some('\\'), _) => self.skip(quoted_length(rest, '\'')),
            (Some(character), Some('\'')) => self.skip(character.len_utf8() + 2),
            _ => self.take(1),
        }
    }

    fn word(&mut self, rest: &'a str) {
        let length = rest.find(|character| !continues_word(character)).unwrap_or(rest.len());
        let after = &rest[length..];
        let hashes = after.len() - after.trim_start_matches('#').len();
        let opens_text = after[hashes..].starts_with('"');
        match &rest[..length] {
            "r" | "br" | "cr" if opens_text => self.skip(raw_length(rest, length, hashes)),
            "b" | "c" if hashes == 0 && opens_text => self.skip(length),
            "b" if after.starts_with('\'') => self.skip(length),
            // `r#match` is a name, not the keyword; taken whole so that nobody mistakes it.
            "r" if hashes == 1 && after[1..].starts_with(starts_word) => {
                let name = &after[1..];
                let end = name.find(|character| !continues_word(character)).unwrap_or(name.len());
                self.take(length + 1 + end);
            }
            _ => self.take(length),
        }
    }
}

fn starts_word(character: char) -> bool {
    character.is_alphabetic() || character == '_'
}

fn continues_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

fn block_comment_length(rest: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < rest.len() {
        let ahead = &rest.as_bytes()[at..];
        if ahead.starts_with(b"/*") {
            depth += 1;
            at += 2;
        } else if ahead.starts_with(b"*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    rest.len()
}

/// The length of a literal between two `quote`s, with backslash escapes.
fn quoted_length(rest: &str, quote: char) -> usize {
    let mut characters = rest.char_indices().skip(1);
    while let Some((index, character)) = characters.next() {
        if character == '\\' {
            characters.next();
        } else if character == quote {
            return index + 1;
        }
    }
    rest.len()
}

fn raw_length(rest: &str, prefix: usize, hashes: usize) -> usize {
    let body = prefix + hashes + 1;
    let end = format!("\"{}", "#".repeat(hashes));
    rest[body..].find(&end).map_or(rest.len(), |at| body + at + end.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(source: &str, expected: &str) {
        let texts: Vec<&str> = tokens(source).iter().map(|token| token.text).collect();
        assert_eq!(texts.join(" "), expected, "{source}");
    }

    #[test]
    fn comments_and_literals_are_not_code() {
        check("a // b\nc", "a c");
        check("a /* b /* c */ d */ e", "a e");
        check("/* never closed", "");
        check(r#"a "b \" c" d"#, "a d");
        check(r#"a "é // ü" d"#, "a d");
        check(r##"a r#"b " c"# d"##, "a d");
        check(r#"a r"b\" c"#, "a c");
        check(r#"a br"b" b"c" c"d" e"#, "a e");
        check(r"a 'b' '\'' '\u{41}' b'c' b'\\' 'é' '{' d", "a d");
    }

    #[test]
    fn code_is_kept() {
        check("fn f<'a>(x: &'a str) {}", "fn f < ' a > ( x : & ' a str ) { }");
        check("r#fn(b, c, r)", "r#fn ( b , c , r )");
        check("0x1F + 1_000u32", "0x1F + 1_000u32");
        check("größe", "größe");
    }

    #[test]
    fn lines_count_through_comments_and_literals() {
        let found = tokens("a\n/* \n */ b \"\n\n\" c\nd");
        let lines: Vec<usize> = found.iter().map(|token| token.line).collect();
        assert_eq!(lines, [1, 3, 5, 6]);
    }

    #[test]
    fn brackets_close_in_pairs() {
        let found = tokens("f(a[1], {b}) c");
        assert_eq!(found[closing(&found, 1)].text, ")");
        assert_eq!(found[closing(&found, 1) + 1].text, "c");
        let cut_short = tokens("f(a");
        assert_eq!(closing(&cut_short, 1), 2);
    }
}
