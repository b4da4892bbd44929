//! JSON text (RFC 8259) to a tree. YAML's reader does not serve: it refuses surrogate pairs and tabs before a key,
//! and accepts comments, single quotes and bare words.

use super::builder::{Abandoned, Builder, MAX_DEPTH};
use super::problem::{Position, shown};
use super::tree::Value;

/// What may come next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Expected {
    Value,
    ValueOrEnd,
    Key,
    KeyOrEnd,
    CommaOrEnd,
}

struct Reader<'t, 'b, 's> {
    text: &'t str,
    offset: usize,
    at: Position,
    /// The closing bracket of everything open.
    open: Vec<char>,
    builder: &'b mut Builder<'s>,
}

/// Feeds the builder; on `Err` the builder already knows why.
pub(super) fn parse(text: &str, builder: &mut Builder<'_>) -> Result<(), Abandoned> {
    let mut reader = Reader { text, offset: 0, at: Position::START, open: Vec::new(), builder };
    reader.document()
}

impl Reader<'_, '_, '_> {
    fn document(&mut self) -> Result<(), Abandoned> {
        self.skip_space();
        if self.peek().is_none() {
            return Ok(());
        }
        let mut expected = Expected::Value;
        loop {
            self.skip_space();
            expected = match expected {
                Expected::ValueOrEnd if self.peek() == Some(']') => self.close()?,
                Expected::Value | Expected::ValueOrEnd => self.value()?,
                Expected::KeyOrEnd if self.peek() == Some('}') => self.close()?,
                Expected::Key | Expected::KeyOrEnd => self.key()?,
                Expected::CommaOrEnd => match self.open.last().copied() {
                    None => return self.end(),
                    Some(closing) => self.comma_or_end(closing)?,
                },
            };
        }
    }

    fn end(&mut self) -> Result<(), Abandoned> {
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(self
                .fail("text behind the end of the document", "a JSON file holds one value; remove the rest")),
        }
    }

    fn comma_or_end(&mut self, closing: char) -> Result<Expected, Abandoned> {
        match self.peek() {
            Some(',') => {
                self.advance();
                self.skip_space();
                if self.peek() == Some(closing) {
                    return Err(self.fail("JSON has no comma before a closing bracket", "remove the comma"));
                }
                Ok(if closing == ']' { Expected::Value } else { Expected::Key })
            }
            Some(character) if character == closing => self.close(),
            None => Err(self.fail("the file ends inside a value", &format!("add '{closing}'"))),
            Some(_) if self.rest().starts_with("//") || self.rest().starts_with("/*") => Err(self.comment()),
            Some(_) => Err(self.fail(&format!("expected ',' or '{closing}'"), "add a comma between values")),
        }
    }

    fn close(&mut self) -> Result<Expected, Abandoned> {
        self.advance();
        self.open.pop();
        self.builder.close()?;
        Ok(Expected::CommaOrEnd)
    }

    fn value(&mut self) -> Result<Expected, Abandoned> {
        let at = self.at;
        match self.peek() {
            Some('{') => {
                self.builder.open_mapping(at, None)?;
                self.enter('}');
                Ok(Expected::KeyOrEnd)
            }
            Some('[') => {
                self.builder.open_sequence(at, None)?;
                self.enter(']');
                Ok(Expected::ValueOrEnd)
            }
            Some('"') => {
                let text = self.string()?;
                self.scalar(text.clone(), Value::Text(text), at)
            }
            Some('-' | '0'..='9') => {
                let number = self.number()?;
                self.scalar(number.clone(), Value::Number(number), at)
            }
            _ => self.word(at),
        }
    }

    fn enter(&mut self, closing: char) {
        self.advance();
        self.open.push(closing);
        assert!(self.open.len() <= MAX_DEPTH, "the builder refuses deeper nesting");
    }

    fn scalar(&mut self, key: String, value: Value, at: Position) -> Result<Expected, Abandoned> {
        self.builder.scalar(key, value, at, None)?;
        Ok(Expected::CommaOrEnd)
    }

    fn key(&mut self) -> Result<Expected, Abandoned> {
        let at = self.at;
        match self.peek() {
            Some('"') => {}
            None => return Err(self.fail("the file ends inside a value", "add '}'")),
            Some(_) if self.rest().starts_with('/') => return Err(self.comment()),
            Some(_) => return Err(self.fail("expected a key in double quotes", "write \"key\": value")),
        }
        let key = self.string()?;
        self.builder.scalar(key.clone(), Value::Text(key), at, None)?;
        self.skip_space();
        if self.peek() != Some(':') {
            return Err(self.fail("expected ':' behind the key", "write \"key\": value"));
        }
        self.advance();
        Ok(Expected::Value)
    }

    fn word(&mut self, at: Position) -> Result<Expected, Abandoned> {
        let is_part = |character: char| character.is_alphanumeric() || character == '_';
        let end = self.rest().find(|character| !is_part(character)).unwrap_or(self.rest().len());
        let word = self.rest()[..end].to_owned();
        let value = match word.as_str() {
            "null" => Value::Null,
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            _ => return Err(self.no_value(&word)),
        };
        (0..word.len()).for_each(|_| self.advance());
        self.scalar(word, value, at)
    }

    fn no_value(&mut self, word: &str) -> Abandoned {
        let lower = word.to_ascii_lowercase();
        match (lower.as_str(), self.peek()) {
            ("null" | "true" | "false", _) => {
                self.fail(&format!("{} is not JSON", shown(word)), &format!("write {lower}"))
            }
            ("none", _) => self.fail("\"None\" is not JSON", "write null"),
            ("nan" | "infinity" | "inf", _) => self.fail(
                &format!("{} is not a number that can be calculated with", shown(word)),
                "write a number",
            ),
            (_, None) => self.fail("the file ends where a value is expected", "add the value"),
            (_, Some('/')) => self.comment(),
            (_, Some('\'')) => self.fail("JSON has no single quotes", "use double quotes"),
            _ => self.fail("expected a value", "put text in double quotes"),
        }
    }

    /// `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?`
    fn number(&mut self) -> Result<String, Abandoned> {
        let start = self.offset;
        self.skip_if(&['-']);
        let leading_zero = self.peek() == Some('0');
        let whole = self.skip_digits();
        if whole == 0 || (leading_zero && whole > 1) {
            return Err(self.fail("this is not a JSON number", "write digits without a leading zero"));
        }
        if self.skip_if(&['.']) && self.skip_digits() == 0 {
            return Err(self.fail("expected digits behind the decimal point", "add a digit"));
        }
        if self.skip_if(&['e', 'E']) {
            self.skip_if(&['+', '-']);
            if self.skip_digits() == 0 {
                return Err(self.fail("expected digits in the exponent", "add a digit"));
            }
        }
        Ok(self.text[start..self.offset].to_owned())
    }

    fn string(&mut self) -> Result<String, Abandoned> {
        let begin = self.at;
        self.advance();
        let mut text = String::new();
        loop {
            match self.peek() {
                Some('"') => {
                    self.advance();
                    return Ok(text);
                }
                Some('\\') => text.push(self.escaped()?),
                Some('\n' | '\r') | None => {
                    return Err(self.builder.abandon(
                        begin,
                        "a quoted text is not closed",
                        "add the closing quote",
                    ));
                }
                Some('\t') => return Err(self.fail("a tab inside a text", "write it as \\t")),
                Some(character) => {
                    text.push(character);
                    self.advance();
                }
            }
        }
    }

    fn escaped(&mut self) -> Result<char, Abandoned> {
        self.advance();
        let character = match self.peek() {
            Some(character @ ('"' | '\\' | '/')) => character,
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('u') => return self.unicode(),
            _ => return Err(self.fail("this escape is not known", "double the backslash")),
        };
        self.advance();
        Ok(character)
    }

    fn unicode(&mut self) -> Result<char, Abandoned> {
        let first = self.four_digits()?;
        let code = if (0xd800..0xdc00).contains(&first) && self.rest().starts_with("\\u") {
            self.advance();
            let second = self.four_digits()?;
            let is_low = (0xdc00..0xe000).contains(&second);
            if is_low { 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00) } else { first }
        } else {
            first
        };
        char::from_u32(code).ok_or_else(|| {
            self.fail("half of a surrogate pair", "write both halves, or the character itself")
        })
    }

    /// Reads `uXXXX`.
    fn four_digits(&mut self) -> Result<u32, Abandoned> {
        self.advance();
        let digits =
            self.rest().get(..4).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let Some(code) = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()) else {
            return Err(self.fail("expected four hexadecimal digits", "write \\u followed by four digits"));
        };
        (0..4).for_each(|_| self.advance());
        Ok(code)
    }

    fn comment(&mut self) -> Abandoned {
        self.fail("JSON has no comments", "remove the comment, or name the file .yaml and use '#'")
    }

    fn fail(&mut self, message: &str, proposal: &str) -> Abandoned {
        self.builder.abandon(self.at, message, proposal)
    }

    fn rest(&self) -> &str {
        &self.text[self.offset..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn advance(&mut self) {
        let Some(character) = self.peek() else { return };
        self.offset += character.len_utf8();
        let ends_line = character == '\n' || (character == '\r' && self.peek() != Some('\n'));
        if ends_line {
            self.at = Position { line: self.at.line + 1, column: 1 };
        } else {
            self.at.column += 1;
        }
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(' ' | '\t' | '\n' | '\r')) {
            self.advance();
        }
    }

    fn skip_if(&mut self, any_of: &[char]) -> bool {
        let found = self.peek().is_some_and(|character| any_of.contains(&character));
        if found {
            self.advance();
        }
        found
    }

    fn skip_digits(&mut self) -> usize {
        let start = self.offset;
        while matches!(self.peek(), Some('0'..='9')) {
            self.advance();
        }
        self.offset - start
    }
}
