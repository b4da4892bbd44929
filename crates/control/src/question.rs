//! What only a slow outside model can answer, and what came back. Plain data, so that both can be written down and replayed.

use model::hash::ContentHash;
use model::money::MicroDollars;
use model::time::Period;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One question of one agent: one or several calls that can be made at the same time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// Grows with every question of an agent: an answer to an earlier one is no answer to this.
    pub number: u64,
    pub calls: Vec<Call>,
    /// What was wrong with the answer to the question before, if this one asks for a better one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<Fault>,
}

/// Everything that determines what a model is asked. Its hash is the key under which answers are kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    /// Who is asked, as people know it: `performance`, `consolidator`.
    pub role: String,
    pub model: String,
    pub messages: Vec<Message>,
    /// The JSON schema of the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<Value>,
    /// In thousandths, so that equal calls are equal to the bit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature_thousandths: Option<u32>,
    pub max_tokens: u32,
    /// What a provider that passes calls on to others shall mind: whom it may choose, what they may keep, what it may cost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub routing: Option<Value>,
    /// Which of several answers to the same call is wanted: models do not say the same twice.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub sample: u32,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde wants a reference")]
const fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl Call {
    /// Equal for calls that ask the same thing of the same model. Who asks does not matter.
    pub fn key(&self) -> ContentHash {
        let Self { role: _, model, messages, schema, temperature_thousandths, max_tokens, routing, sample } =
            self;
        ContentHash::of(&(model, messages, schema, temperature_thousandths, max_tokens, routing, sample))
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    pub speaker: Speaker,
    pub text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Speaker {
    /// Who sets the rules.
    System,
    User,
    Assistant,
}

/// What came back: hostile until a strategy has parsed it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// The number of the question.
    pub number: u64,
    /// One for each call, in the order of the calls.
    pub replies: Vec<Reply>,
}

/// What became of one call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reply {
    pub role: String,
    pub told: Told,
    pub took: Period,
    #[serde(default)]
    pub usage: Usage,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "result", rename_all = "snake_case")]
pub enum Told {
    Text {
        text: String,
        /// Whether the model ended by itself, and not because it had no tokens left.
        complete: bool,
    },
    Failed {
        because: Failure,
        message: String,
    },
}

/// Why there is no answer, by what can be done about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Failure {
    /// It took too long, retries included.
    TimedOut,
    /// Nobody could be reached, or the answer broke off.
    Unreachable,
    /// The provider says that it is asked too often.
    RateLimited,
    /// The provider failed.
    ProviderFailed,
    /// The provider does not accept the request: a wrong key, an unknown model.
    NotAccepted,
    /// The model refuses, or a filter does.
    Refused,
    /// Tokens or money that were granted are used up.
    BudgetExhausted,
    /// It failed so often that it is not asked for a while.
    CircuitOpen,
    /// There is no recording of this call, and nobody may be asked.
    NotRecorded,
}

/// One thing that is wrong with an answer, and is therefore not taken over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// Who said it, as people know it.
    pub role: String,
    pub kind: FaultKind,
    pub text: String,
}

impl Fault {
    /// A fault of nobody yet.
    pub fn new(kind: FaultKind, text: impl Into<String>) -> Self {
        Self { role: String::new(), kind, text: text.into() }
    }
}

/// What kind of thing, for counting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// Nothing came that could be read.
    NoAnswer,
    /// No object, several, or not the fields that were asked for.
    Form,
    /// It ends in the middle.
    Cut,
    InventedId,
    WrongNumber,
    /// Two answers about the same thing.
    Contradiction,
    /// It would break a limit, or there is no room.
    Limit,
}

impl FaultKind {
    pub const ALL: [Self; 7] = [
        Self::NoAnswer,
        Self::Form,
        Self::Cut,
        Self::InventedId,
        Self::WrongNumber,
        Self::Contradiction,
        Self::Limit,
    ];
}

/// What a call used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    pub prompt_tokens: u64,
    pub completion_tokens: u64,
    #[serde(default)]
    pub cost: MicroDollars,
    /// How often it was tried.
    #[serde(default)]
    pub tries: u32,
}

impl Question {
    /// One call with one text to somebody who knows.
    pub fn plain(number: u64, text: &str) -> Self {
        let message = Message { speaker: Speaker::User, text: text.to_owned() };
        let call = Call {
            role: "oracle".to_owned(),
            model: "oracle".to_owned(),
            messages: vec![message],
            schema: None,
            temperature_thousandths: None,
            max_tokens: 100,
            routing: None,
            sample: 0,
        };
        Self { number, calls: vec![call], faults: Vec::new() }
    }
}

impl Answer {
    /// One reply with one text, complete and at once.
    pub fn plain(number: u64, text: &str) -> Self {
        let told = Told::Text { text: text.to_owned(), complete: true };
        let reply = Reply { role: "oracle".to_owned(), told, took: Period::ZERO, usage: Usage::default() };
        Self { number, replies: vec![reply] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_that_ask_the_same_have_the_same_key() {
        let call = |change: fn(&mut Call)| {
            let mut call = Question::plain(1, "why").calls.remove(0);
            change(&mut call);
            call.key()
        };
        let key = call(|_| {});
        assert_eq!(call(|call| call.role = "somebody else".to_owned()), key);
        for change in [
            (|call: &mut Call| call.model.push('2')) as fn(&mut Call),
            |call| call.messages[0].text.push('?'),
            |call| call.messages[0].speaker = Speaker::System,
            |call| call.temperature_thousandths = Some(0),
            |call| call.max_tokens += 1,
            |call| call.schema = Some(serde_json::json!({})),
            |call| call.routing = Some(serde_json::json!({})),
            |call| call.sample = 1,
        ] {
            assert_ne!(call(change), key);
        }
    }

    #[test]
    fn questions_and_answers_survive_their_text_form() {
        let question = Question::plain(3, "why");
        let text = serde_json::to_string(&question).unwrap();
        assert_eq!(serde_json::from_str::<Question>(&text).unwrap(), question);
        let answer = Answer::plain(3, "because");
        let text = serde_json::to_string(&answer).unwrap();
        assert_eq!(serde_json::from_str::<Answer>(&text).unwrap(), answer);
    }
}
