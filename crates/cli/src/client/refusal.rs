//! What a desk refuses, and what that means for the exit code.

use super::problem::Problem;
use crate::failure::{self, Failure};
use crate::terminal::clean_json;
use std::time::Duration;
use ureq::Error;

/// A refusal, as a desk or whoever stands in front of it says it.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    problem: Problem,
    /// As it came.
    text: String,
}

impl Refusal {
    pub(super) fn read(status: u16, text: &str, location: Option<&str>) -> Self {
        match Problem::read(text) {
            Some(problem) => Self { problem, text: text.trim_end().to_owned() },
            None => Self::not_a_desk(status, location),
        }
    }

    /// A proxy, or something else altogether.
    fn not_a_desk(status: u16, location: Option<&str>) -> Self {
        let detail = match location {
            Some(to) if (300..400).contains(&status) => {
                format!("Whoever answers points to {to}; if you trust that address, say --server with it.")
            }
            _ => format!("Whoever answers there with status {status} is no desk; is the address right?"),
        };
        Self::made_here("not-a-desk", "This is no answer of a desk", detail)
    }

    pub(super) fn unreachable(server: &str, error: &Error) -> Self {
        let why = match error {
            Error::Io(error) => error.to_string(),
            Error::Timeout(_) => "it took too long".to_owned(),
            other => other.to_string(),
        };
        let detail = format!(
            "{server}: {why}. Does the desk run there? drover serve starts one; --server says where it is."
        );
        Self::made_here("unreachable", "The desk cannot be reached", detail)
    }

    fn made_here(code: &str, title: &str, detail: String) -> Self {
        let text = failure::problem::document(code, title, &detail, true);
        let problem =
            Problem { title: title.to_owned(), detail, code: code.to_owned(), ..Problem::default() };
        Self { problem, text }
    }

    /// Whether the same request may succeed in a moment. A first request cannot collide with itself; a repeated one can, while the
    /// first is still under way.
    pub(super) fn may_pass(&self, is_first: bool) -> bool {
        match self.problem.code.as_str() {
            "rate-limited" | "not-ready" => self.problem.retry_after.is_some(),
            "conflict" => !is_first,
            _ => false,
        }
    }

    /// How long the desk wants to be left alone.
    pub(super) fn wait(&self) -> Duration {
        Duration::from_secs(self.problem.retry_after.unwrap_or(0))
    }

    pub(crate) fn exit_code(&self) -> u8 {
        match self.problem.code.as_str() {
            "not-found" => failure::NOT_FOUND,
            "plan-stale" | "plan-expired" | "plan-superseded" | "already-decided" | "conflict"
            | "key-reused" | "version-changed" | "condition-missing" => failure::CONFLICT,
            "policy-denied" | "cluster-refused" | "frozen" | "observe-only" | "self-approval" => {
                failure::POLICY
            }
            "unauthenticated" | "forbidden" => failure::PERMISSION,
            "unreachable" | "not-a-desk" | "rate-limited" | "not-ready" => failure::UNREACHABLE,
            "malformed" | "validation" | "method-not-allowed" | "too-large" | "unsupported-media" => {
                failure::INPUT
            }
            _ => 1,
        }
    }

    /// As words, and as the document that came.
    pub(crate) fn into_failure(self) -> Failure {
        let document = Some(clean_json(&self.text));
        Failure::Refused { code: self.exit_code(), text: self.problem.words(), document }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use server::api::problem::{Kind, Problem as Sent};

    fn refusal(kind: Kind) -> Refusal {
        let sent =
            serde_json::to_string(&Sent::new(kind, "Because.").with_field("note", "too long")).unwrap();
        Refusal::read(kind.status().as_u16(), &sent, None)
    }

    #[test]
    fn every_kind_of_problem_has_its_exit_code() {
        for (kind, code) in [
            (Kind::Malformed, 2),
            (Kind::Validation, 2),
            (Kind::Unauthenticated, 6),
            (Kind::Forbidden, 6),
            (Kind::NotFound, 3),
            (Kind::MethodNotAllowed, 2),
            (Kind::PlanStale, 4),
            (Kind::PlanExpired, 4),
            (Kind::PlanSuperseded, 4),
            (Kind::AlreadyDecided, 4),
            (Kind::PolicyDenied, 5),
            (Kind::Frozen, 5),
            (Kind::ObserveOnly, 5),
            (Kind::SelfApproval, 5),
            (Kind::Conflict, 4),
            (Kind::KeyReused, 4),
            (Kind::VersionChanged, 4),
            (Kind::ConditionMissing, 4),
            (Kind::TooLarge, 2),
            (Kind::UnsupportedMedia, 2),
            (Kind::RateLimited, 7),
            (Kind::NotReady, 7),
            (Kind::Internal, 1),
        ] {
            assert_eq!(refusal(kind).exit_code(), code, "{kind:?}");
        }
    }

    #[test]
    fn a_refusal_is_told_in_words_or_passed_on() {
        let frozen = refusal(Kind::Frozen);
        assert_eq!(frozen.problem.words(), "drover: It is frozen. Because.\n  note: too long");
        assert!(frozen.text.starts_with("{\"type\":\"urn:drover:problem:frozen\""), "{}", frozen.text);
        assert_eq!(
            refusal(Kind::Unauthenticated).problem.words(),
            "drover: Who are you? Because.\n  note: too long"
        );
        let told = |kind| {
            let instance = Some("urn:drover:request:4f2a-17".into());
            let sent = serde_json::to_string(&Sent { instance, ..Sent::new(kind, "Because.") }).unwrap();
            Refusal::read(kind.status().as_u16(), &sent, None).problem.words()
        };
        assert!(told(Kind::Internal).ends_with("\n  request: 4f2a-17 (the desk's log names it)"));
        assert_eq!(told(Kind::Frozen), "drover: It is frozen. Because.");
        let proxy = Refusal::read(502, "<html>\u{1b}[2J", None);
        assert_eq!((proxy.exit_code(), proxy.problem.words().contains("status 502 is no desk")), (7, true));
        let moved = Refusal::read(301, "", Some("https://else.example\u{1b}"));
        assert!(
            moved.problem.words().contains("points to https://else.example\u{fffd};"),
            "{}",
            moved.problem.words()
        );
    }

    #[test]
    fn only_what_may_pass_is_tried_again() {
        assert!(!refusal(Kind::NotReady).may_pass(true), "the scenario may have ended");
        let busy = serde_json::to_string(&Sent::new(Kind::NotReady, "Busy.").after(1)).unwrap();
        assert!(Refusal::read(503, &busy, None).may_pass(true));
        assert!(!refusal(Kind::Conflict).may_pass(true) && refusal(Kind::Conflict).may_pass(false));
        assert!(!refusal(Kind::Frozen).may_pass(false));
    }
}
