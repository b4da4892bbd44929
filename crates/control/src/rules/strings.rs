//! String literals of CEL: four kinds of quotes, raw ones, and escapes.

use super::lexer::{Lexer, Token, is_hidden};

/// Prefixes of raw strings, which have no escapes, and of bytes, which are left out.
const PREFIXES: [&str; 10] = ["rb", "rB", "Rb", "RB", "br", "bR", "Br", "BR", "r", "R"];
const QUOTES: [&str; 4] = ["\"\"\"", "'''", "\"", "'"];

/// How a literal is written.
#[derive(Clone, Copy)]
struct Form {
    quote: &'static str,
    is_raw: bool,
}

/// A string literal, if one begins here.
pub(super) fn read(lexer: &mut Lexer<'_, '_>) -> Option<Token> {
    let start = lexer.at;
    let opens = |text: &str| QUOTES.into_iter().find(|quote| text.starts_with(quote));
    let prefixes = PREFIXES.into_iter().chain(["b", "B", ""]);
    let (prefix, quote) = prefixes
        .filter_map(|prefix| Some((prefix, opens(lexer.rest().strip_prefix(prefix)?)?)))
        .max_by_key(|(prefix, _)| prefix.len())?;
    lexer.at += prefix.len() + quote.len();
    if prefix.contains(['b', 'B']) {
        lexer.problems.add(start, "bytes are not part of the language", "write a string without the `b`");
    }
    let form = Form { quote, is_raw: prefix.contains(['r', 'R']) };
    let text = contents(lexer, form);
    if text.is_none() {
        let proposal = format!("end it with {quote}");
        lexer.problems.add(start, "the string has no end", proposal);
        // What follows may belong to the string or not; anything said about it would be a guess.
        lexer.at = lexer.text.len();
    }
    Some(text.map_or(Token::Broken, Token::String))
}

/// What stands up to the closing quote, which is read too; nothing if there is none.
fn contents(lexer: &mut Lexer<'_, '_>, form: Form) -> Option<String> {
    let mut contents = String::new();
    loop {
        let at = lexer.at;
        if lexer.rest().starts_with(form.quote) {
            lexer.at += form.quote.len();
            return Some(contents);
        }
        let character = lexer.rest().chars().next()?;
        if matches!(character, '\n' | '\r') && form.quote.len() == 1 {
            return None;
        }
        lexer.at += character.len_utf8();
        match character {
            '\\' if !form.is_raw => contents.extend(escape(lexer, at)),
            '\n' | '\t' => contents.push(character),
            _ if is_hidden(character) => lexer.refuse_hidden(at),
            _ => contents.push(character),
        }
    }
}

/// The character an escape stands for; its backslash is read already.
fn escape(lexer: &mut Lexer<'_, '_>, start: usize) -> Option<char> {
    let code = lexer.rest().chars().next()?;
    if let Some(meant) = simple(code) {
        lexer.at += code.len_utf8();
        return Some(meant);
    }
    let (skipped, digits, radix) = match code {
        'x' | 'X' => (1, 2, 16),
        'u' => (1, 4, 16),
        'U' => (1, 8, 16),
        '0'..='3' => (0, 3, 8),
        _ => {
            let message = format!("`\\{}` is not an escape", code.escape_debug());
            lexer.problems.add(start, message, "write \\\\ for a backslash, or begin the string with r");
            return None;
        }
    };
    let written = lexer.rest().get(skipped..skipped + digits).unwrap_or_default();
    let is_number = !written.is_empty() && written.chars().all(|digit| digit.is_digit(radix));
    let number = u32::from_str_radix(written, radix).ok().filter(|_| is_number);
    let character = number.and_then(char::from_u32);
    if character.is_none() {
        let message = format!("`\\{code}` is not followed by the number of a character");
        let proposal =
            "write \\x and two hexadecimal digits, \\u and four, \\U and eight, or three octal ones";
        lexer.problems.add(start, message, proposal);
        return None;
    }
    lexer.at += skipped + digits;
    character
}

const fn simple(code: char) -> Option<char> {
    Some(match code {
        '\\' | '?' | '"' | '\'' | '`' => code,
        'a' => '\u{7}',
        'b' => '\u{8}',
        'f' => '\u{c}',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'v' => '\u{b}',
        _ => return None,
    })
}
