//! Texts from elsewhere without tricks.

use std::fmt::Write as _;

/// A text from elsewhere, safe to print: what would move the cursor, change colours or turn the writing around becomes a mark.
/// Names of workloads and words of agents come from people nobody here has met.
pub(crate) fn clean(text: &str) -> String {
    text.chars().map(|c| if is_trick(c) { '\u{fffd}' } else { c }).collect()
}

/// JSON that is safe to print. In JSON a control character can only stand inside a text, where its escape means the same.
pub(crate) fn clean_json(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        if is_trick(c) && !matches!(c, '\n' | '\r' | '\t') {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(safe, "\\u{unit:04x}");
            }
        } else {
            safe.push(c);
        }
    }
    safe
}

/// Control characters, and those that hide text or turn it around.
fn is_trick(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
        || matches!(c, '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_from_elsewhere_steers_the_terminal() {
        for (text, expected) in [
            ("deployment/default/größe", "deployment/default/größe"),
            ("\u{1b}[31mred\u{1b}[0m", "\u{fffd}[31mred\u{fffd}[0m"),
            ("one\ntwo\r\tthree\u{7f}\u{9b}", "one\u{fffd}two\u{fffd}\u{fffd}three\u{fffd}\u{fffd}"),
            ("safe\u{202e}elif\u{2066}", "safe\u{fffd}elif\u{fffd}"),
            ("hid\u{200b}den\u{feff}\u{e0041}", "hid\u{fffd}den\u{fffd}\u{fffd}"),
        ] {
            assert_eq!(clean(text), expected);
        }
    }

    #[test]
    fn json_keeps_its_meaning() {
        let text = "{\"a\":\"\u{9b}1m\u{202e}\u{e0041}\"}";
        let safe = clean_json(text);
        assert!(!safe.chars().any(is_trick), "{safe}");
        let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
        assert_eq!(read(&safe), read(text));
        assert_eq!(clean_json("{\n}\u{1b}"), "{\n}\\u001b");
    }
}
