//! From characters to words, numbers, strings and symbols, as the lexis of CEL has them.

use super::problem::Problems;
use super::strings;
use super::syntax::Span;

/// Longest first, so that `<=` is not read as `<`.
const SYMBOLS: [&str; 24] = [
    "==", "!=", "<=", ">=", "&&", "||", "<", ">", "!", "-", "+", "*", "/", "%", ".", ",", "?", ":", "(", ")",
    "[", "]", "{", "}",
];

/// What people write who think of other languages, with the symbol that is meant.
const SLIPS: [(&str, &str); 5] = [("===", "=="), ("=", "=="), ("<>", "!="), ("&", "&&"), ("|", "||")];

/// Quotation marks that word processors put in.
const CURLY_QUOTES: [char; 6] = ['“', '”', '„', '‘', '’', '‚'];

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    /// The magnitude; a sign is a token of its own, and `-9223372036854775808` must fit.
    Int(u64),
    Double(f64),
    String(String),
    /// A name or a keyword.
    Word(String),
    Symbol(&'static str),
    /// What could not be read and stands where a value may be; its problem is told already.
    Broken,
    End,
}

/// Characters that nobody sees and that may make a text read differently from what it says.
pub(super) fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(character, '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}')
}

/// All tokens with their places; the last one is [`Token::End`]. Reading goes on behind what is wrong.
pub(super) fn tokens<'a>(text: &'a str, problems: &mut Problems<'a>) -> Vec<(Token, Span)> {
    let mut lexer = Lexer { text, at: 0, problems };
    let mut tokens = Vec::new();
    loop {
        lexer.skip_blanks();
        let start = lexer.at;
        let token = lexer.next();
        let is_end = token == Some(Token::End);
        tokens.extend(token.map(|token| (token, Span { start, end: lexer.at })));
        if is_end {
            return tokens;
        }
    }
}

pub(super) struct Lexer<'a, 'p> {
    pub(super) text: &'a str,
    /// Bytes that are read.
    pub(super) at: usize,
    pub(super) problems: &'p mut Problems<'a>,
}

impl<'a> Lexer<'a, '_> {
    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub(super) fn take(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|character| !wanted(character)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// White space and comments up to the end of their line.
    fn skip_blanks(&mut self) {
        loop {
            self.take(|character| matches!(character, ' ' | '\t' | '\n' | '\r' | '\u{c}'));
            if !self.rest().starts_with("//") {
                return;
            }
            let start = self.at;
            let comment = self.take(|character| character != '\n');
            if let Some(hidden) = comment.trim_end_matches('\r').find(|c| is_hidden(c) && c != '\t') {
                self.refuse_hidden(start + hidden);
            }
        }
    }

    /// The next token; none for characters that mean nothing.
    fn next(&mut self) -> Option<Token> {
        let Some(first) = self.rest().chars().next() else { return Some(Token::End) };
        if let Some(string) = strings::read(self) {
            return Some(string);
        }
        if first.is_ascii_digit() || self.rest().starts_with('.') && self.digit_follows(1) {
            return Some(self.number());
        }
        if first.is_alphabetic() || first == '_' {
            return Some(self.word());
        }
        self.symbol(first)
    }

    fn word(&mut self) -> Token {
        let start = self.at;
        let word = self.take(|character| character.is_alphanumeric() || character == '_');
        if word.chars().all(is_word) {
            return Token::Word(word.to_owned());
        }
        let proposal = "names have the letters a to z, digits and `_`; texts belong in quotes";
        self.problems.add(start, format!("`{word}` is not a name"), proposal);
        Token::Broken
    }

    fn symbol(&mut self, first: char) -> Option<Token> {
        let start = self.at;
        if let Some((slip, meant)) = self.slip() {
            self.at += slip.len();
            self.problems.add(start, format!("`{slip}` is not an operator"), format!("write `{meant}`"));
            return Some(Token::Symbol(meant));
        }
        if let Some(symbol) = SYMBOLS.into_iter().find(|symbol| self.rest().starts_with(symbol)) {
            self.at += symbol.len();
            return Some(Token::Symbol(symbol));
        }
        self.at += first.len_utf8();
        if CURLY_QUOTES.contains(&first) {
            let quoted = self.rest().find(CURLY_QUOTES).map(|end| &self.rest()[end..]);
            let skipped = quoted.map_or(self.rest().len(), |end| self.rest().len() - end.len());
            self.at += skipped;
            self.at += self.rest().chars().next().map_or(0, char::len_utf8);
        }
        self.refuse_character(start, first);
        (!is_hidden(first) && !first.is_whitespace()).then_some(Token::Broken)
    }

    /// A symbol of another language, where no symbol of ours stands.
    fn slip(&self) -> Option<(&'static str, &'static str)> {
        let rest = self.rest();
        let ours = ["==", "&&", "||"].iter().any(|symbol| rest.starts_with(symbol));
        SLIPS.into_iter().find(|(slip, _)| rest.starts_with(slip) && (!ours || slip.len() == 3))
    }

    fn refuse_character(&mut self, start: usize, character: char) {
        if is_hidden(character) {
            return self.refuse_hidden(start);
        }
        let proposal = match character {
            ';' => "a rule is one expression: join two with `&&`, or write two rules",
            '@' | '#' | '$' | '~' | '^' | '\\' | '`' => "remove it; a comment begins with `//`",
            _ if CURLY_QUOTES.contains(&character) => "write straight quotation marks: \"…\" or '…'",
            _ if character.is_whitespace() => "write a plain space",
            _ => "remove it; texts belong in quotes",
        };
        self.problems.add(start, format!("`{character}` has no meaning here"), proposal);
    }

    pub(super) fn refuse_hidden(&mut self, at: usize) {
        let code = self.text[at..].chars().next().map_or(0, u32::from);
        let message = format!("the character U+{code:04X} cannot be seen");
        self.problems.add(at, message, format!("remove it, or write \\u{code:04x} in a string"));
    }

    fn digit_follows(&self, skipped: usize) -> bool {
        self.text.as_bytes().get(self.at + skipped).is_some_and(u8::is_ascii_digit)
    }

    fn number(&mut self) -> Token {
        let start = self.at;
        let is_hexadecimal = self.rest().starts_with("0x");
        let token = if is_hexadecimal { self.hexadecimal() } else { self.decimal() };
        let tail = self.take(is_word);
        if !tail.is_empty() {
            self.refuse_tail(start, tail);
            return Token::Broken;
        }
        if self.rest().starts_with('.') && !self.followed_by_word(1) {
            self.at += 1;
            let proposal = format!("write {}0", &self.text[start..self.at]);
            self.problems.add(start, "a number does not end with a point", proposal);
            return Token::Broken;
        }
        token
    }

    fn followed_by_word(&self, skipped: usize) -> bool {
        self.rest().chars().nth(skipped).is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
    }

    fn hexadecimal(&mut self) -> Token {
        let start = self.at;
        self.at += 2;
        let digits = self.take(|character| character.is_ascii_hexdigit());
        u64::from_str_radix(digits, 16).map_or_else(|_| self.too_large(start), Token::Int)
    }

    fn decimal(&mut self) -> Token {
        let start = self.at;
        let whole = self.take(|character| character.is_ascii_digit());
        let has_point = self.rest().starts_with('.') && self.digit_follows(1);
        if has_point {
            self.at += 1;
            self.take(|character| character.is_ascii_digit());
        }
        let has_exponent = self.exponent();
        if !has_point && !has_exponent {
            return whole.parse().map_or_else(|_| self.too_large(start), Token::Int);
        }
        let number: f64 = self.text[start..self.at].parse().unwrap_or(f64::INFINITY);
        if number.is_finite() { Token::Double(number) } else { self.too_large(start) }
    }

    fn exponent(&mut self) -> bool {
        let rest = self.rest();
        let Some(behind) = rest.strip_prefix(['e', 'E']) else { return false };
        let digits = behind.strip_prefix(['+', '-']).unwrap_or(behind);
        if !digits.starts_with(|character: char| character.is_ascii_digit()) {
            return false;
        }
        self.at += rest.len() - digits.len();
        self.take(|character| character.is_ascii_digit());
        true
    }

    fn too_large(&mut self, start: usize) -> Token {
        let proposal = "an int has 64 bits, a double at most 1.8e308";
        self.problems.add(start, "the number cannot be represented", proposal);
        Token::Broken
    }

    fn refuse_tail(&mut self, start: usize, tail: &str) {
        let number = &self.text[start..self.at - tail.len()];
        let message = format!("the number {number} is followed by `{tail}`");
        let proposal = match tail {
            "u" | "U" => format!("unsigned numbers are not part of the language: write {number}"),
            "h" | "m" | "s" | "ms" => format!("did you mean duration(\"{number}{tail}\")?"),
            _ => "write an operator between them".to_owned(),
        };
        self.problems.add(start, message, proposal);
    }
}

pub(super) fn is_word(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_'
}
