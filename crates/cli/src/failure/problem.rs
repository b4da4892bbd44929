//! Problems as documents (RFC 9457), for programs that asked with `--json`: one line each, whoever found them.

use super::{CONFLICT, FINDINGS, INPUT, NOT_FOUND, PERMISSION, POLICY, UNREACHABLE};
use crate::terminal::clean_json;
use serde_json::json;

/// Whether the arguments ask for JSON. What stands after `--` are names.
pub(crate) fn is_wanted() -> bool {
    std::env::args_os().skip(1).take_while(|argument| argument != "--").any(|argument| argument == "--json")
}

/// What this program itself found, by its exit code.
pub(super) fn of(code: u8, text: &str) -> String {
    let (name, title) = match code {
        INPUT => ("input", "The input is at fault"),
        NOT_FOUND => ("not-found", "There is no such thing"),
        CONFLICT => ("conflict", "It is not what it was"),
        POLICY => ("policy-denied", "A guardrail, a mode or a freeze refuses"),
        PERMISSION => ("unauthenticated", "Who are you?"),
        UNREACHABLE => ("unreachable", "It cannot be reached now"),
        FINDINGS => ("findings", "The work is done, and something was found"),
        _ => ("machine", "The machine was in the way"),
    };
    let text = text.trim_end();
    document(name, title, text.strip_prefix("drover: ").unwrap_or(text), code == UNREACHABLE)
}

/// A document as a desk would send it.
pub(crate) fn document(code: &str, title: &str, detail: &str, retryable: bool) -> String {
    let document = json!({
        "type": format!("urn:drover:problem:{code}"),
        "title": title,
        "detail": detail,
        "code": code,
        "retryable": retryable,
    });
    clean_json(&document.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    #[test]
    fn a_problem_is_one_line_with_its_code() {
        for (code, name) in [
            (1, "machine"),
            (2, "input"),
            (3, "not-found"),
            (4, "conflict"),
            (5, "policy-denied"),
            (6, "unauthenticated"),
            (7, "unreachable"),
            (8, "findings"),
        ] {
            let text = of(code, "drover: first\n  because: \u{1b}second\n");
            assert_eq!(text.lines().count(), 1, "{text}");
            let problem: Value = serde_json::from_str(&text).unwrap();
            assert_eq!(
                (&problem["code"], &problem["type"]),
                (&name.into(), &format!("urn:drover:problem:{name}").into())
            );
            assert_eq!(problem["detail"], "first\n  because: \u{1b}second");
        }
    }
}
