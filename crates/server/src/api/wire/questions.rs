//! What agents asked models: what was sent, what came back, what was not taken over and why, and what it took.

use super::agents::DecisionItem;
use control::question::{Answer, Call, Fault, FaultKind, Message, Question, Reply, Speaker, Told};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One question in short.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct QuestionItem {
    /// The entry of the record in which it was asked.
    pub seq: i64,
    /// Counts the questions of the agent.
    pub number: u64,
    pub at: i64,
    pub at_wall: i64,
    pub state: QuestionState,
    /// The entry of the record that tells of the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answered_seq: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answered_at: Option<i64>,
    /// Everybody who was asked at the same time.
    pub calls: Vec<CallItem>,
    /// What was wrong with the answer and not taken over.
    pub faults: Vec<FaultItem>,
    /// Whether a better answer was asked for.
    pub asked_again: bool,
    /// What was decided on it, if anything was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<DecisionItem>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum QuestionState {
    Waiting,
    Answered,
    /// The agent decided without.
    Withdrawn,
}

/// One call to one model.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CallItem {
    /// Who was asked, as people know it: decider, performance, consolidator.
    pub role: String,
    pub model: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    pub max_tokens: u32,
    /// The key under which the answer is on a cassette.
    pub key: String,
    /// How many characters were sent.
    pub sent_characters: u64,
    /// Nothing while it waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reply: Option<ReplyItem>,
    /// What was sent, in detail only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub messages: Option<Vec<MessageItem>>,
    /// The shape that was asked for, in detail only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schema: Option<Value>,
}

/// What became of a call.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReplyItem {
    /// Why there is no answer, if there is none: timed_out, rate_limited, budget_exhausted …
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// What the provider said about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Whether the model ended by itself, and not because it had no tokens left.
    pub complete: bool,
    pub prompt_tokens: u64,
    pub completion_tokens: u64,
    pub cost_micro_dollars: i64,
    /// In milliseconds, all tries included.
    pub took: u64,
    pub tries: u32,
    /// The model's own words, in detail only. Nobody has checked them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MessageItem {
    pub speaker: SpeakerWord,
    pub text: String,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SpeakerWord {
    System,
    User,
    Assistant,
}

/// Something that was wrong with an answer.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct FaultItem {
    pub role: String,
    pub kind: FaultWord,
    pub text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FaultWord {
    NoAnswer,
    Form,
    Cut,
    InventedId,
    WrongNumber,
    Contradiction,
    Limit,
}

/// How much of a question is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    Short,
    /// With everything that was sent and came back.
    Whole,
}

impl QuestionItem {
    /// A question that nobody has answered.
    pub fn new((seq, at, at_wall): (i64, i64, i64), question: &Question, depth: Depth) -> Self {
        Self {
            seq,
            number: question.number,
            at,
            at_wall,
            state: QuestionState::Waiting,
            answered_seq: None,
            answered_at: None,
            calls: question.calls.iter().map(|call| CallItem::new(call, depth)).collect(),
            faults: Vec::new(),
            asked_again: false,
            decision: None,
        }
    }

    /// Takes the answer, which has a reply for each call.
    pub fn answer(&mut self, answer: &Answer, depth: Depth) {
        self.state = QuestionState::Answered;
        for (call, reply) in self.calls.iter_mut().zip(&answer.replies) {
            call.reply = Some(ReplyItem::new(reply, depth));
        }
    }
}

impl CallItem {
    fn new(call: &Call, depth: Depth) -> Self {
        let whole = depth == Depth::Whole;
        let sent: usize = call.messages.iter().map(|message| message.text.chars().count()).sum();
        Self {
            role: call.role.clone(),
            model: call.model.clone(),
            temperature: call.temperature_thousandths.map(|thousandths| f64::from(thousandths) / 1_000.0),
            max_tokens: call.max_tokens,
            key: call.key().to_string(),
            sent_characters: sent as u64,
            reply: None,
            messages: whole.then(|| call.messages.iter().map(MessageItem::new).collect()),
            schema: call.schema.clone().filter(|_| whole),
        }
    }
}

impl ReplyItem {
    fn new(reply: &Reply, depth: Depth) -> Self {
        let (failure, message, complete, text) = match &reply.told {
            Told::Text { text, complete } => (None, None, *complete, Some(text.clone())),
            Told::Failed { because, message } => {
                let word = serde_json::to_value(because).ok();
                let word = word.as_ref().and_then(Value::as_str).unwrap_or_default();
                (Some(word.to_owned()), Some(message.clone()), false, None)
            }
        };
        Self {
            failure,
            message: message.filter(|message| !message.is_empty()),
            complete,
            prompt_tokens: reply.usage.prompt_tokens,
            completion_tokens: reply.usage.completion_tokens,
            cost_micro_dollars: reply.usage.cost.0,
            took: reply.took.as_millis(),
            tries: reply.usage.tries,
            text: text.filter(|_| depth == Depth::Whole),
        }
    }
}

impl MessageItem {
    fn new(message: &Message) -> Self {
        let speaker = match message.speaker {
            Speaker::System => SpeakerWord::System,
            Speaker::User => SpeakerWord::User,
            Speaker::Assistant => SpeakerWord::Assistant,
        };
        Self { speaker, text: message.text.clone() }
    }
}

impl From<&Fault> for FaultItem {
    fn from(fault: &Fault) -> Self {
        let kind = match fault.kind {
            FaultKind::NoAnswer => FaultWord::NoAnswer,
            FaultKind::Form => FaultWord::Form,
            FaultKind::Cut => FaultWord::Cut,
            FaultKind::InventedId => FaultWord::InventedId,
            FaultKind::WrongNumber => FaultWord::WrongNumber,
            FaultKind::Contradiction => FaultWord::Contradiction,
            FaultKind::Limit => FaultWord::Limit,
        };
        Self { role: fault.role.clone(), kind, text: fault.text.clone() }
    }
}
