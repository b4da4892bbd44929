//! Words of models and providers as they may be shown: nothing in them steers a terminal, hides, or changes direction.

/// The text without what could disturb whoever reads it, and at most so many characters of it.
pub(crate) fn inert(text: &str, most: usize) -> String {
    let visible = text
        .chars()
        .map(|letter| if breaks(letter) { ' ' } else { letter })
        .filter(|letter| !is_invisible(*letter))
        .take(most);
    visible.collect::<String>().trim().to_owned()
}

/// Control characters, and the separators of lines and paragraphs that are none.
fn breaks(letter: char) -> bool {
    letter.is_control() || matches!(letter, '\u{2028}' | '\u{2029}')
}

/// Letters that change the direction, take no room, or look like nothing: text can be hidden in them.
const fn is_invisible(letter: char) -> bool {
    matches!(
        letter,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}' | '\u{1d173}'..='\u{1d17a}'
            // Tags and the second block of variation selectors: each holds a whole hidden alphabet.
            | '\u{e0000}'..='\u{e0fff}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_hidden_or_turns_the_text_is_gone() {
        let check = |text: &str, expected: &str| assert_eq!(inert(text, 20), expected, "{text:?}");
        check("plain words", "plain words");
        check("\u{1b}[31mred\u{7}", "[31mred");
        check("a\u{202e}b\u{2066}c\u{200b}d\u{ad}e\u{61c}f", "abcdef");
        check("one\u{2028}two\nthree\u{85}", "one two three");
        check("\u{e0049}\u{e0067}\u{e0001}x\u{fe0f}\u{e0101}", "x");
        check("Größe 数 ٣", "Größe 数 ٣");
        check(&"long".repeat(10), "longlonglonglonglong");
    }
}
