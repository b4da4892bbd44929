//! What a request brings, read so that every mistake in it becomes a problem document.

use super::problem::{Kind, Problem};
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{Uri, header};
use model::document::{self, Checks, Problems};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::fmt::Display;

/// A JSON body. How large it may be stands in the row of the endpoint, and what is larger does not come this far.
pub(super) struct Body<T>(pub T);

impl<T: DeserializeOwned + JsonSchema, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &S) -> Result<Self, Problem> {
        if !is_json(request.headers().get(header::CONTENT_TYPE)) {
            let detail = "Send the body as application/json.";
            return Err(Problem::new(Kind::UnsupportedMedia, detail));
        }
        let bytes = axum::body::to_bytes(request.into_body(), usize::MAX).await;
        let bytes = bytes.map_err(|_| Problem::new(Kind::Malformed, "The body broke off."))?;
        read_json(&bytes).map(Self)
    }
}

pub(crate) fn is_json(content_type: Option<&header::HeaderValue>) -> bool {
    let text = content_type.and_then(|value| value.to_str().ok()).unwrap_or_default();
    let essence = text.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    essence == "application/json" || (essence.starts_with("application/") && essence.ends_with("+json"))
}

/// Reads JSON; text that is no JSON is malformed, JSON of another form is invalid.
pub(super) fn read_json<T: DeserializeOwned + JsonSchema>(bytes: &[u8]) -> Result<T, Problem> {
    serde_json::from_slice(bytes).map_err(|error| {
        let all = if error.is_data() { all_wrong::<T>("body", bytes) } else { None };
        let kind = if error.is_data() { Kind::Validation } else { Kind::Malformed };
        listed(kind, "body", all).unwrap_or_else(|| Problem::new(kind, format!("The body: {error}.")))
    })
}

/// Everything that is wrong with JSON that cannot be read, as far as the schema of the type says it.
fn all_wrong<T: DeserializeOwned + JsonSchema>(what: &str, bytes: &[u8]) -> Option<Problems> {
    let problems = match document::draft::<T>(&format!("{what}.json"), bytes, &Checks::default()) {
        Ok(draft) => draft.problems,
        Err(problems) => problems,
    };
    problems.iter().next().is_some().then_some(problems)
}

/// One refusal for all of them. The first stands in the detail, too, for those who read no further.
fn listed(kind: Kind, what: &str, problems: Option<Problems>) -> Option<Problem> {
    let problems = problems?;
    let first = problems.iter().next()?;
    let place = if first.path.is_empty() { String::new() } else { format!("{}: ", first.path) };
    let more = match problems.iter().count() - 1 {
        0 => String::new(),
        more => format!(" And {more} more."),
    };
    let end = if first.proposal.ends_with('?') { "" } else { "." };
    let detail = format!("The {what}: {place}{}; {}{end}{more}", first.message, first.proposal);
    Some(problems.iter().fold(Problem::new(kind, detail), |problem, wrong| {
        problem.with_proposal(&wrong.path, &wrong.message, &wrong.proposal)
    }))
}

/// The part of the address after the question mark.
pub(super) struct Query<T>(pub T);

impl<T: DeserializeOwned + JsonSchema, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        read_query(&parts.uri).map(Self)
    }
}

fn read_query<T: DeserializeOwned + JsonSchema>(uri: &Uri) -> Result<T, Problem> {
    match axum::extract::Query::<T>::try_from_uri(uri) {
        Ok(axum::extract::Query(value)) => Ok(value),
        Err(error) => {
            let all = as_json::<T>(uri).and_then(|text| all_wrong::<T>("query", text.as_bytes()));
            let words = || Problem::new(Kind::Malformed, format!("The query: {}.", error.body_text()));
            Err(listed(Kind::Malformed, "query", all).unwrap_or_else(words))
        }
    }
}

/// A query as an object: what the type takes for a number or a truth value is one if it can be.
fn as_json<T: JsonSchema>(uri: &Uri) -> Option<String> {
    let axum::extract::Query(pairs) =
        axum::extract::Query::<Vec<(String, String)>>::try_from_uri(uri).ok()?;
    let schema = schemars::schema_for!(T).to_value();
    let entry = |(key, value): &(String, String)| {
        let kind = schema["properties"][key]["type"].to_string();
        let is_text = !["integer", "number", "boolean"].iter().any(|name| kind.contains(name));
        let read = serde_json::from_str::<Value>(value).ok();
        let plain = read.filter(|read| !is_text && (read.is_number() || read.is_boolean()));
        format!("{}: {}", json!(key), plain.unwrap_or_else(|| json!(value)))
    };
    Some(format!("{{{}}}", pairs.iter().map(entry).collect::<Vec<_>>().join(", ")))
}

/// The names in the path, as text.
pub(super) struct Names<T>(pub T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Names<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let axum::extract::Path(names) = axum::extract::Path::from_request_parts(parts, state)
            .await
            .map_err(|_| Problem::new(Kind::NotFound, "There is nothing under this address."))?;
        Ok(Self(names))
    }
}

/// The value of `If-Match`, which must be there.
pub(super) struct IfMatch(pub String);

impl<S: Send + Sync> FromRequestParts<S> for IfMatch {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let value = parts.headers.get(header::IF_MATCH).and_then(|value| value.to_str().ok());
        let missing = "Send the ETag that came with what you read, as If-Match.";
        value.map(|text| Self(text.to_owned())).ok_or_else(|| Problem::new(Kind::ConditionMissing, missing))
    }
}

/// How many rows somebody wants on a page.
pub(super) fn page_length<N: Copy + PartialOrd + From<u8> + Display>(
    wanted: Option<N>,
    usual: N,
    most: N,
) -> Result<N, Problem> {
    let wanted = wanted.unwrap_or(usual);
    if wanted >= N::from(1) && wanted <= most {
        return Ok(wanted);
    }
    let problem = Problem::new(Kind::Malformed, format!("limit is a number from 1 to {most}."));
    Err(problem.with_proposal("limit", "out of range", format!("write at most {most}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields, rename_all = "camelCase")]
    #[expect(dead_code, reason = "it is only read")]
    struct Answer {
        verdict: Verdict,
        #[schemars(length(min = 64, max = 64))]
        plan_hash: String,
        defer_seconds: Option<u64>,
        #[serde(default)]
        loud: bool,
    }

    #[derive(Debug, Deserialize, JsonSchema)]
    #[serde(rename_all = "lowercase")]
    enum Verdict {
        Approve,
        Reject,
    }

    fn fields(problem: &Problem) -> Vec<&str> {
        problem.errors.iter().map(|error| error.field.as_str()).collect()
    }

    #[test]
    fn a_body_is_refused_with_all_that_is_wrong() {
        let body = br#"{"verdict":"aprove","planHash":"xx","foo":1,"deferSeconds":-5}"#;
        let problem = read_json::<Answer>(body).expect_err("it is refused");
        assert_eq!(problem.code, Kind::Validation);
        assert_eq!(fields(&problem), ["verdict", "planHash", "", "deferSeconds"]);
        assert!(problem.errors[2].message.contains("foo"), "{:?}", problem.errors);
        let proposal = problem.errors[0].proposal.as_deref().unwrap_or_default();
        assert!(proposal.contains("approve"), "{proposal}");
        assert!(problem.detail.ends_with("And 3 more."), "{}", problem.detail);
        let broken = read_json::<Answer>(br#"{"verdict""#).expect_err("it is no JSON");
        assert_eq!(broken.code, Kind::Malformed);
    }

    #[test]
    fn a_query_is_refused_with_all_that_is_wrong() {
        let read = |text: &str| read_query::<Answer>(&format!("/x?{text}").parse().expect("an address"));
        let hash = "a".repeat(64);
        assert!(read(&format!("verdict=approve&planHash={hash}&deferSeconds=5&loud=true")).is_ok());
        let problem = read("verdict=aprove&deferSecond=5&loud=maybe").expect_err("it is refused");
        assert_eq!(problem.code, Kind::Malformed);
        let mut found = fields(&problem);
        found.sort_unstable();
        assert_eq!(found, ["", "", "loud", "verdict"]);
    }
}
