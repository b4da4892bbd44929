//! What follows from what came of a request: an answer, another try, a humbler request, or the end.

use super::exchange::Happened;
use super::wire::{Complaint, Heard, Manner, Said};
use crate::outward;
use control::question::Failure;
use std::time::Duration;

/// What to do now.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Text {
        text: String,
        complete: bool,
    },
    /// The same again, and if the server said so, after how long.
    Again {
        trouble: Trouble,
        wait: Option<Duration>,
    },
    /// Not in this manner, but in that.
    Humbler(Manner),
    Over(Trouble),
}

/// What went wrong, in words that may quote the server: nobody has looked for keys in them yet.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Trouble {
    pub(super) because: Failure,
    pub(super) message: String,
}

impl Trouble {
    pub(super) fn new(because: Failure, message: impl Into<String>) -> Self {
        Self { because, message: message.into() }
    }
}

fn over(because: Failure, message: impl Into<String>) -> Verdict {
    Verdict::Over(Trouble::new(because, message))
}

fn again(because: Failure, message: impl Into<String>) -> Verdict {
    Verdict::Again { trouble: Trouble::new(because, message), wait: None }
}

/// What follows. `manner` is how it was asked, and `insists` whether the shape of the answer is not to be given up.
pub(super) fn verdict(happened: Happened, manner: Manner, insists: bool) -> Verdict {
    match happened {
        Happened::Answered(Heard { said, .. }) => answered(said, manner, insists),
        Happened::Refused { status, complaint, wait } => refused(status, &complaint, wait, manner, insists),
        Happened::Failed(failure) => failed(&failure),
    }
}

fn answered(said: Said, manner: Manner, insists: bool) -> Verdict {
    match said {
        Said::Text { text, complete } => Verdict::Text { text, complete },
        Said::Refused(words) => over(Failure::Refused, format!("the model refuses: {words}")),
        Said::Nonsense(why) => again(Failure::ProviderFailed, why),
        Said::BrokenOff { after } => {
            again(Failure::Unreachable, format!("the answer broke off after {after} bytes of text"))
        }
        Said::Complained(complaint) => {
            // An error that came as a success has its status inside, or is taken for one of the server.
            let status =
                complaint.status.unwrap_or(if complaint.kind.contains("rate_limit") { 429 } else { 502 });
            refused(status, &complaint, None, manner, insists)
        }
    }
}

fn refused(
    status: u16,
    complaint: &Complaint,
    wait: Option<Duration>,
    manner: Manner,
    insists: bool,
) -> Verdict {
    let said = if complaint.message.trim().is_empty() { "no reason is given" } else { &complaint.message };
    let message = |advice: &str| format!("status {status}: {said}{advice}");
    if status == 402
        || ["insufficient_quota", "billing_hard_limit_reached"].contains(&complaint.kind.as_str())
    {
        return over(Failure::BudgetExhausted, message("; the account at the provider has nothing left"));
    }
    if complaint.flagged {
        return over(Failure::Refused, message("; a filter does not let this through"));
    }
    match status {
        429 => Verdict::Again { trouble: Trouble::new(Failure::RateLimited, message("")), wait },
        408 | 409 | 425 | 500 | 502..=599 => {
            Verdict::Again { trouble: Trouble::new(Failure::ProviderFailed, message("")), wait }
        }
        400 | 422 | 501 => humbler(complaint, manner, insists)
            .unwrap_or_else(|| over(Failure::NotAccepted, message(if insists { INSISTS } else { "" }))),
        401 | 403 => over(Failure::NotAccepted, message("; look at the key that models.key names")),
        404 => over(Failure::NotAccepted, message("; look at models.endpoint and at the name of the model")),
        300..=399 => over(
            Failure::NotAccepted,
            message("; nobody is followed elsewhere: write the address in models.endpoint"),
        ),
        _ => over(Failure::NotAccepted, message("")),
    }
}

const INSISTS: &str = "; if this is about response_format, write structured: auto";

fn humbler(complaint: &Complaint, manner: Manner, insists: bool) -> Option<Verdict> {
    let next = manner.humbler(&format!("{} {}", complaint.kind, complaint.message))?;
    (!insists || next.structure == manner.structure).then_some(Verdict::Humbler(next))
}

fn failed(failure: &outward::Failure) -> Verdict {
    use outward::Failure as Why;
    let message = crate::storage::port::error::with_causes(failure);
    match failure {
        Why::TooSlow(_) => again(Failure::TimedOut, message),
        Why::TooLarge(_) => over(Failure::ProviderFailed, message),
        Why::OutOfReach { .. } => over(
            Failure::Unreachable,
            format!("{message}; for a server in the same company write reach: company"),
        ),
        Why::Address => over(Failure::Unreachable, message),
        Why::Unknown { .. } | Why::Unreachable { .. } | Why::Encryption(_) | Why::Broken(_) => {
            again(Failure::Unreachable, message)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provider::wire::{Counted, Structure};

    const MANNER: Manner = Manner::beginning_with(Structure::Schema);

    fn of_status(status: u16, kind: &str, message: &str) -> Verdict {
        let complaint =
            Complaint { kind: kind.to_owned(), message: message.to_owned(), ..Complaint::default() };
        verdict(Happened::Refused { status, complaint, wait: None }, MANNER, false)
    }

    #[test]
    fn what_can_pass_is_tried_again_and_what_cannot_is_not() {
        let check = |status, kind, because, is_again| {
            let (found, again) = match of_status(status, kind, "why") {
                Verdict::Again { trouble, .. } => (trouble, true),
                Verdict::Over(trouble) => (trouble, false),
                other => panic!("{status}: {other:?}"),
            };
            assert_eq!((found.because, again), (because, is_again), "{status}");
            assert!(found.message.starts_with(&format!("status {status}: why")), "{}", found.message);
        };
        for status in [408, 409, 425, 500, 502, 503, 504, 529] {
            check(status, "", Failure::ProviderFailed, true);
        }
        check(429, "rate_limit_exceeded", Failure::RateLimited, true);
        check(429, "insufficient_quota", Failure::BudgetExhausted, false);
        check(402, "", Failure::BudgetExhausted, false);
        for status in [301, 307, 400, 401, 403, 404, 413, 422, 501] {
            check(status, "", Failure::NotAccepted, false);
        }
    }

    #[test]
    fn a_server_that_knows_less_is_asked_for_less_unless_somebody_insists() {
        let shape = "response_format is not supported";
        let Verdict::Humbler(next) = of_status(400, "", shape) else { panic!("it is asked again") };
        assert_eq!(next.structure, Structure::Object);
        let complaint = |message: &str| Complaint { message: message.to_owned(), ..Complaint::default() };
        let insisting = |message: &str| refused(400, &complaint(message), None, MANNER, true);
        let Verdict::Over(trouble) = insisting(shape) else { panic!("nothing is given up") };
        assert!(trouble.message.ends_with("structured: auto"), "{}", trouble.message);
        assert!(matches!(insisting("use max_completion_tokens"), Verdict::Humbler(_)), "that costs nothing");
    }

    #[test]
    fn errors_within_a_success_count_by_their_own_status() {
        let inside = |status, kind: &str| {
            let complaint = Complaint { status, kind: kind.to_owned(), ..Complaint::default() };
            let heard = Heard { said: Said::Complained(complaint), counted: Counted::default() };
            match verdict(Happened::Answered(heard), MANNER, false) {
                Verdict::Again { trouble, .. } | Verdict::Over(trouble) => trouble.because,
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(inside(Some(429), ""), Failure::RateLimited);
        assert_eq!(inside(None, "rate_limit_exceeded"), Failure::RateLimited);
        assert_eq!(inside(Some(401), ""), Failure::NotAccepted);
        assert_eq!(inside(None, ""), Failure::ProviderFailed);
    }
}
