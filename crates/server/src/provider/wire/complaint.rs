//! What servers say in place of an answer, in the shapes of several of them.

use serde_json::Value;

/// A longer word of a server about itself is not one.
const MOST_KIND: usize = 100;
/// So much of a complaint is kept: enough to find the word that it is about.
const MOST_MESSAGE: usize = 4_000;

/// Why a server does not answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Complaint {
    /// The status that it stands for, where the complaint itself says it.
    pub status: Option<u16>,
    /// One word for it: `insufficient_quota`.
    pub kind: String,
    pub message: String,
    /// Whether a filter did not like what was asked.
    pub flagged: bool,
}

/// The complaint in the body of an answer that is none.
pub fn complaint(body: &[u8]) -> Complaint {
    let parsed: Option<Value> = serde_json::from_slice(body).ok();
    parsed.as_ref().and_then(in_value).unwrap_or_else(|| Complaint {
        message: shortened(&String::from_utf8_lossy(body), MOST_MESSAGE),
        ..Complaint::default()
    })
}

/// The complaint in an object, if it is one.
pub(super) fn in_value(value: &Value) -> Option<Complaint> {
    match value.get("error") {
        Some(Value::Object(error)) => return Some(of_parts(&Value::Object(error.clone()))),
        // Ollama's.
        Some(Value::String(text)) => return Some(plain(text)),
        _ => {}
    }
    // vLLM's.
    if value.get("object").and_then(Value::as_str) == Some("error") {
        return Some(of_parts(value));
    }
    // FastAPI's, text or a list of what is wrong.
    let detail = value.get("detail").filter(|_| value.get("choices").is_none())?;
    Some(plain(&detail.as_str().map_or_else(|| detail.to_string(), str::to_owned)))
}

fn plain(text: &str) -> Complaint {
    Complaint { message: shortened(text, MOST_MESSAGE), ..Complaint::default() }
}

fn of_parts(error: &Value) -> Complaint {
    let text = |name: &str| error.get(name).and_then(Value::as_str);
    let code = error.get("code");
    let number = code.and_then(|code| code.as_u64().or_else(|| code.as_str()?.parse().ok()));
    let word = code.and_then(Value::as_str).filter(|_| number.is_none());
    let metadata = error.get("metadata");
    let behind = metadata.and_then(|metadata| metadata.get("raw")).and_then(Value::as_str);
    let message = text("message").unwrap_or("no reason is given");
    let message = behind.map_or_else(|| message.to_owned(), |behind| format!("{message}: {behind}"));
    let kind = word.or_else(|| text("type")).unwrap_or_default();
    let reasons = metadata.and_then(|metadata| metadata.get("reasons")).and_then(Value::as_array);
    Complaint {
        status: number
            .and_then(|number| u16::try_from(number).ok())
            .filter(|number| (300..600).contains(number)),
        kind: shortened(kind, MOST_KIND),
        message: shortened(&message, MOST_MESSAGE),
        flagged: reasons.is_some_and(|reasons| !reasons.is_empty())
            || ["content_filter", "content_policy_violation"].contains(&kind),
    }
}

fn shortened(text: &str, most: usize) -> String {
    text.chars().take(most).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_complains_differently() {
        let check = |body: &str, status: Option<u16>, kind: &str, message: &str| {
            let found = complaint(body.as_bytes());
            assert_eq!(
                (found.status, found.kind.as_str(), found.message.as_str(), found.flagged),
                (status, kind, message, false),
                "{body}"
            );
        };
        check(
            r#"{"error":{"message":"no such key","type":"invalid_request_error","param":null,"code":"invalid_api_key"}}"#,
            None,
            "invalid_api_key",
            "no such key",
        );
        check(
            r#"{"error":{"code":429,"message":"Provider returned error","metadata":{"raw":"slow down","provider_name":"x"}}}"#,
            Some(429),
            "",
            "Provider returned error: slow down",
        );
        check(r#"{"error":"model not found"}"#, None, "", "model not found");
        check(
            r#"{"object":"error","message":"too long","type":"BadRequestError","code":400}"#,
            Some(400),
            "BadRequestError",
            "too long",
        );
        check(r#"{"detail":[{"loc":["body"]}]}"#, None, "", r#"[{"loc":["body"]}]"#);
        check("<html>gone</html>", None, "", "<html>gone</html>");
        check(r#"{"error":{"code":"429"}}"#, Some(429), "", "no reason is given");
        check(r#"{"error":{"code":99999999}}"#, None, "", "no reason is given");
    }

    #[test]
    fn filters_are_told_from_other_refusals() {
        for body in [
            r#"{"error":{"code":403,"message":"m","metadata":{"reasons":["violence"],"flagged_input":"…"}}}"#,
            r#"{"error":{"code":"content_filter","message":"m"}}"#,
        ] {
            assert!(complaint(body.as_bytes()).flagged, "{body}");
        }
    }
}
