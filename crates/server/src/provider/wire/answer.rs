//! What an answer says, as a whole or put together from the pieces of a stream.

use super::MOST_TEXT;
use super::complaint::{self, Complaint};
use model::money::MicroDollars;
use serde_json::Value;

/// More tokens, or dollars, than anything can use in one call are a mistake or a lie.
const MOST_TOKENS: u64 = 1_000_000_000;
const MOST_DOLLARS: f64 = 1_000_000.0;

/// What was understood of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heard {
    pub said: Said,
    pub counted: Counted,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    Text {
        text: String,
        /// Whether the model ended by itself.
        complete: bool,
    },
    /// By the model or by a filter, with its words.
    Refused(String),
    Complained(Complaint),
    /// It cannot be understood, and why.
    Nonsense(String),
    /// It ended in the middle, after so many bytes of text.
    BrokenOff {
        after: usize,
    },
}

/// What the server says that it used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    pub tokens: Option<Tokens>,
    pub cost: Option<MicroDollars>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tokens {
    pub prompt: u64,
    pub completion: u64,
}

impl Counted {
    pub(super) fn of(value: &Value) -> Self {
        let Some(usage) = value.get("usage").filter(|usage| usage.is_object()) else {
            return Self::default();
        };
        let count = |name: &str| usage.get(name).and_then(Value::as_u64).map(|count| count.min(MOST_TOKENS));
        let tokens = count("prompt_tokens")
            .map(|prompt| Tokens { prompt, completion: count("completion_tokens").unwrap_or_default() });
        let cost = usage.get("cost").and_then(Value::as_f64).filter(|cost| *cost >= 0.0);
        // Rounded up: a budget is not kept by rounding small calls to nothing.
        let cost = cost.map(|dollars| MicroDollars((dollars.min(MOST_DOLLARS) * 1e6 - 1e-6).ceil() as i64));
        Self { tokens, cost }
    }

    /// The later count wins where there are two.
    pub(super) fn or(self, earlier: Self) -> Self {
        Self { tokens: self.tokens.or(earlier.tokens), cost: self.cost.or(earlier.cost) }
    }
}

/// The parts of an answer, however they came.
#[derive(Debug, Default)]
pub(super) struct Parts {
    pub(super) text: String,
    pub(super) refusal: String,
    pub(super) finish: Option<String>,
}

impl Parts {
    /// Adds a message or a piece of one.
    pub(super) fn add(&mut self, message: &Value) {
        match message.get("content") {
            Some(Value::String(text)) => self.text.push_str(text),
            Some(Value::Array(parts)) => parts.iter().for_each(|part| self.add_part(part)),
            _ => {}
        }
        if let Some(refusal) = message.get("refusal").and_then(Value::as_str) {
            self.refusal.push_str(refusal);
        }
    }

    fn add_part(&mut self, part: &Value) {
        let text = |name: &str| part.get(name).and_then(Value::as_str).unwrap_or_default();
        match text("type") {
            "refusal" => self.refusal.push_str(text("refusal")),
            "text" | "output_text" => self.text.push_str(text("text")),
            _ => {}
        }
    }

    pub(super) const fn is_too_long(&self) -> bool {
        self.text.len() > MOST_TEXT || self.refusal.len() > MOST_TEXT
    }

    pub(super) fn said(self) -> Said {
        if self.is_too_long() {
            return Said::Nonsense(format!("the answer is longer than {MOST_TEXT} bytes"));
        }
        match self.finish.as_deref() {
            _ if !self.refusal.trim().is_empty() => Said::Refused(self.refusal),
            Some("content_filter") => Said::Refused("a filter held the answer back".to_owned()),
            Some("refusal") => Said::Refused(self.text),
            Some("error") => Said::Nonsense("the model broke off with an error".to_owned()),
            Some("length" | "max_tokens") => Said::Text { text: self.text, complete: false },
            _ if self.text.trim().is_empty() => Said::Nonsense("the answer has no text".to_owned()),
            _ => Said::Text { text: self.text, complete: true },
        }
    }
}

/// An answer that came as one piece.
pub(super) fn whole(body: &[u8]) -> Heard {
    let value: Value = match serde_json::from_slice(body) {
        Ok(value) => value,
        Err(_) => return Heard { said: Said::Nonsense(no_json(body)), counted: Counted::default() },
    };
    Heard { said: said(&value), counted: Counted::of(&value) }
}

fn said(value: &Value) -> Said {
    if let Some(complaint) = complaint::in_value(value) {
        return Said::Complained(complaint);
    }
    let Some(choice) = value.get("choices").and_then(|choices| choices.get(0)) else {
        return Said::Nonsense("there is no choice in the answer".to_owned());
    };
    if let Some(complaint) = complaint::in_value(choice) {
        return Said::Complained(complaint);
    }
    let mut parts = Parts { finish: finish(choice), ..Parts::default() };
    if let Some(message) = choice.get("message") {
        parts.add(message);
    }
    parts.said()
}

pub(super) fn finish(choice: &Value) -> Option<String> {
    choice.get("finish_reason").and_then(Value::as_str).map(str::to_owned)
}

fn no_json(body: &[u8]) -> String {
    let begins: String = String::from_utf8_lossy(&body[..body.len().min(80)]).chars().take(60).collect();
    if begins.trim().is_empty() {
        return "the answer is empty".to_owned();
    }
    format!("the answer is not JSON: {begins:?}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(body: &str) -> Heard {
        whole(body.as_bytes())
    }

    fn choice(rest: &str) -> Said {
        heard(&format!(r#"{{"choices":[{{{rest}}}]}}"#)).said
    }

    fn text(text: &str, complete: bool) -> Said {
        Said::Text { text: text.to_owned(), complete }
    }

    #[test]
    fn texts_come_whole_or_in_parts() {
        let plain = r#""message":{"role":"assistant","content":"yes"},"finish_reason":"#;
        assert_eq!(choice(&format!(r#"{plain}"stop""#)), text("yes", true));
        assert_eq!(choice(&format!("{plain}null")), text("yes", true));
        assert_eq!(choice(&format!(r#"{plain}"length""#)), text("yes", false));
        let parts = r#""message":{"content":[{"type":"text","text":"y"},{"type":"image"},{"type":"output_text","text":"es"}]}"#;
        assert_eq!(choice(parts), text("yes", true));
        assert_eq!(choice(r#""message":{"content":null},"finish_reason":"length""#), text("", false));
    }

    #[test]
    fn refusals_are_no_texts() {
        let check = |rest: &str, words: &str| assert_eq!(choice(rest), Said::Refused(words.to_owned()));
        check(r#""message":{"content":null,"refusal":"I will not"},"finish_reason":"stop""#, "I will not");
        check(r#""message":{"content":[{"type":"refusal","refusal":"no"}]}"#, "no");
        check(
            r#""message":{"content":"hal"},"finish_reason":"content_filter""#,
            "a filter held the answer back",
        );
        check(r#""message":{"content":"I cannot"},"finish_reason":"refusal""#, "I cannot");
    }

    #[test]
    fn nonsense_is_called_so() {
        let check = |body: &str, why: &str| match heard(body).said {
            Said::Nonsense(found) => assert!(found.contains(why), "{body}: {found}"),
            other => panic!("{body}: {other:?}"),
        };
        check("", "empty");
        check("<html>", "not JSON");
        check(r#"{"choices":[]}"#, "no choice");
        check(r#"{"choices":{}}"#, "no choice");
        check("[1]", "no choice");
        check(r#"{"choices":[{"message":{"content":"  "},"finish_reason":"stop"}]}"#, "no text");
        check(r#"{"choices":[{"finish_reason":"error"}]}"#, "error");
        let long = format!(r#"{{"choices":[{{"message":{{"content":"{}"}}}}]}}"#, "x".repeat(MOST_TEXT + 1));
        check(&long, "longer than");
    }

    #[test]
    fn an_error_counts_whatever_the_status_says() {
        for body in [
            r#"{"error":{"code":502,"message":"upstream"}}"#,
            r#"{"choices":[{"error":{"code":502,"message":"upstream"},"message":{"content":"half"}}]}"#,
        ] {
            let Said::Complained(complaint) = heard(body).said else { panic!("{body}") };
            assert_eq!((complaint.status, complaint.message.as_str()), (Some(502), "upstream"));
        }
        let fine = r#"{"error":null,"choices":[{"message":{"content":"yes"}}]}"#;
        assert_eq!(heard(fine).said, text("yes", true));
    }

    #[test]
    fn what_was_used_is_believed_within_reason() {
        let counted = |usage: &str| heard(&format!(r#"{{"usage":{usage}}}"#)).counted;
        let full = counted(r#"{"prompt_tokens":10,"completion_tokens":5,"cost":0.0000123}"#);
        assert_eq!(full.tokens, Some(Tokens { prompt: 10, completion: 5 }));
        assert_eq!(full.cost, Some(MicroDollars(13)), "rounded up");
        assert_eq!(counted(r#"{"cost":0.001}"#).cost, Some(MicroDollars(1_000)));
        assert_eq!(counted(r#"{"cost":0}"#).cost, Some(MicroDollars(0)));
        for lie in [r#"{"prompt_tokens":-4,"cost":-1}"#, "null", "7", r#"{"prompt_tokens":"10"}"#] {
            assert_eq!(counted(lie), Counted::default(), "{lie}");
        }
        let huge = counted(r#"{"prompt_tokens":18446744073709551615,"cost":1e300}"#);
        assert_eq!(huge.tokens.unwrap().prompt, MOST_TOKENS);
        assert_eq!(huge.cost, Some(MicroDollars(1_000_000_000_000)));
    }
}
