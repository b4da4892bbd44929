//! What is sent: the body of a request, and how it becomes humbler for servers that know less.

use control::question::{Call, Message, Speaker};
use serde_json::{Map, Value, json};

/// How the shape of an answer is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Structure {
    /// By a schema that the server enforces.
    Schema,
    /// Any JSON object, the schema in words.
    Object,
    /// In words alone.
    Text,
}

impl Structure {
    const fn humbler(self) -> Option<Self> {
        match self {
            Self::Schema => Some(Self::Object),
            Self::Object => Some(Self::Text),
            Self::Text => None,
        }
    }
}

/// What the server calls the most tokens of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitWord {
    MaxTokens,
    /// OpenAI's newer models take nothing else.
    MaxCompletionTokens,
}

/// How a model on a server is asked. Learned from what it refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Manner {
    pub structure: Structure,
    pub limit: LimitWord,
    /// Whether a stream is asked to end with what it used.
    pub stream_options: bool,
}

impl Manner {
    pub const fn beginning_with(structure: Structure) -> Self {
        Self { structure, limit: LimitWord::MaxTokens, stream_options: true }
    }

    /// Another way to ask, if the complaint is about something that can be done without.
    #[must_use]
    pub fn humbler(self, complaint: &str) -> Option<Self> {
        let complaint = complaint.to_ascii_lowercase();
        let speaks_of = |words: &[&str]| words.iter().any(|word| complaint.contains(word));
        if self.limit == LimitWord::MaxTokens && speaks_of(&["max_completion_tokens"]) {
            return Some(Self { limit: LimitWord::MaxCompletionTokens, ..self });
        }
        if self.stream_options && speaks_of(&["stream_options"]) {
            return Some(Self { stream_options: false, ..self });
        }
        let structure = self.structure.humbler().filter(|_| speaks_of(SHAPES))?;
        Some(Self { structure, ..self })
    }
}

/// Words by which servers complain about the shape that was asked for.
const SHAPES: &[&str] = &[
    "response_format",
    "response format",
    "json_schema",
    "json schema",
    "json_object",
    "structured output",
    "structured_output",
    "guided_json",
    "guided decoding",
    "grammar",
];

/// What is the same for all calls to a server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Terms {
    /// Whether it is OpenRouter, which says what a call cost if it is asked to.
    pub openrouter: bool,
    pub stream: bool,
    /// Whether the number of the sample is sent as a seed.
    pub seed: bool,
}

/// The body of a request for a chat completion.
pub fn body(call: &Call, terms: Terms, manner: Manner) -> Value {
    let mut body = Map::new();
    let mut put = |name: &str, value: Value| drop(body.insert(name.to_owned(), value));
    put("model", json!(call.model));
    put("messages", messages(call, manner.structure));
    if let Some(thousandths) = call.temperature_thousandths {
        put("temperature", json!(f64::from(thousandths) / 1_000.0));
    }
    match manner.limit {
        LimitWord::MaxTokens => put("max_tokens", json!(call.max_tokens)),
        LimitWord::MaxCompletionTokens => put("max_completion_tokens", json!(call.max_tokens)),
    }
    if let Some(format) = call.schema.as_ref().and_then(|schema| format(schema, manner.structure)) {
        put("response_format", format);
    }
    // Sent to everybody: who may see what is sent must not be forgotten silently.
    if let Some(routing) = &call.routing {
        put("provider", routing.clone());
    }
    if terms.openrouter {
        put("usage", json!({ "include": true }));
    }
    if terms.seed {
        put("seed", json!(call.sample));
    }
    if terms.stream {
        put("stream", json!(true));
        if !terms.openrouter && manner.stream_options {
            put("stream_options", json!({ "include_usage": true }));
        }
    }
    Value::Object(body)
}

fn format(schema: &Value, structure: Structure) -> Option<Value> {
    match structure {
        Structure::Schema => Some(json!({
            "type": "json_schema",
            "json_schema": { "name": "answer", "strict": true, "schema": schema },
        })),
        Structure::Object => Some(json!({ "type": "json_object" })),
        Structure::Text => None,
    }
}

fn messages(call: &Call, structure: Structure) -> Value {
    let in_words = call.schema.as_ref().filter(|_| structure != Structure::Schema).map(in_words);
    let mut messages: Vec<Value> = call.messages.iter().map(message).collect();
    if let Some(words) = in_words {
        match call.messages.iter().position(|message| message.speaker == Speaker::System) {
            Some(index) => {
                messages[index]["content"] = json!(format!("{}\n\n{words}", call.messages[index].text));
            }
            None => messages.insert(0, json!({ "role": "system", "content": words })),
        }
    }
    Value::Array(messages)
}

fn message(message: &Message) -> Value {
    let role = match message.speaker {
        Speaker::System => "system",
        Speaker::User => "user",
        Speaker::Assistant => "assistant",
    };
    json!({ "role": role, "content": message.text })
}

fn in_words(schema: &Value) -> String {
    format!(
        "Answer with one JSON object and nothing else. It must be valid against this JSON Schema:\n{schema}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use control::question::Question;

    fn call() -> Call {
        let mut call = Question::plain(1, "why").calls.remove(0);
        call.model = "some/model".to_owned();
        call.temperature_thousandths = Some(100);
        call.schema = Some(json!({ "type": "object" }));
        call.routing = Some(json!({ "only": ["one"], "zdr": true }));
        call.sample = 7;
        call
    }

    const FULL: Manner = Manner::beginning_with(Structure::Schema);

    #[test]
    fn everything_that_was_asked_for_is_sent() {
        let sent = body(&call(), Terms::default(), FULL);
        let expected = json!({
            "model": "some/model",
            "messages": [{ "role": "user", "content": "why" }],
            "temperature": 0.1,
            "max_tokens": 100,
            "response_format": {
                "type": "json_schema",
                "json_schema": { "name": "answer", "strict": true, "schema": { "type": "object" } },
            },
            "provider": { "only": ["one"], "zdr": true },
        });
        assert_eq!(sent, expected);
    }

    #[test]
    fn what_only_some_servers_know_is_sent_to_them() {
        let openrouter = body(&call(), Terms { openrouter: true, stream: true, seed: true }, FULL);
        assert_eq!(openrouter["usage"], json!({ "include": true }));
        assert_eq!((&openrouter["stream"], &openrouter["seed"]), (&json!(true), &json!(7)));
        assert!(openrouter.get("stream_options").is_none());
        let other = body(&call(), Terms { stream: true, ..Terms::default() }, FULL);
        assert_eq!(other["stream_options"], json!({ "include_usage": true }));
        assert!(other.get("usage").is_none() && other.get("seed").is_none());
    }

    #[test]
    fn a_schema_that_cannot_be_enforced_is_told_in_words() {
        let mut call = call();
        for structure in [Structure::Object, Structure::Text] {
            let manner = Manner::beginning_with(structure);
            let sent = body(&call, Terms::default(), manner);
            let words = sent["messages"][0]["content"].as_str().unwrap();
            assert!(sent["messages"][0]["role"] == "system" && words.contains(r#"{"type":"object"}"#));
            assert_eq!(sent["messages"][1]["content"], "why");
            let format = sent.get("response_format");
            assert_eq!(format.is_some(), structure == Structure::Object);
        }
        call.messages.insert(0, Message { speaker: Speaker::System, text: "be brief".to_owned() });
        let sent = body(&call, Terms::default(), Manner::beginning_with(Structure::Text));
        assert!(sent["messages"][0]["content"].as_str().unwrap().starts_with("be brief\n\nAnswer with"));
        assert_eq!(sent["messages"].as_array().unwrap().len(), 2);
    }

    #[test]
    fn each_complaint_takes_one_thing_away() {
        let after = |complaints: &[&str]| {
            complaints.iter().try_fold(FULL, |manner, complaint| manner.humbler(complaint))
        };
        let shape = "response_format of type json_schema is not supported";
        assert_eq!(after(&[shape]).unwrap().structure, Structure::Object);
        assert_eq!(after(&[shape, "Response Format must be text"]).unwrap().structure, Structure::Text);
        assert_eq!(after(&[shape, shape, shape]), None);
        let word = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.";
        let renamed = after(&[word]).unwrap();
        assert_eq!(body(&call(), Terms::default(), renamed)["max_completion_tokens"], 100);
        assert!(body(&call(), Terms::default(), renamed).get("max_tokens").is_none());
        assert!(!after(&["unknown field stream_options"]).unwrap().stream_options);
        assert_eq!(after(&["no such model"]), None);
    }
}
