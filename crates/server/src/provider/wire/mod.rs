//! The wire format of chat completions, as OpenAI began it and OpenRouter, vLLM, Ollama and llama.cpp speak it. Pure: values and bytes in,
//! values out.
//!
//! What comes in is hostile. Whatever it is, it becomes a [`Heard`] within the limits below.

mod answer;
mod complaint;
mod listener;
mod request;
mod stream;

pub use answer::{Counted, Heard, Said, Tokens};
pub use complaint::{Complaint, complaint};
pub use listener::Listener;
pub use request::{LimitWord, Manner, Structure, Terms, body};

/// A longer text is no answer: a hundred times what the longest prompt of an agent allows.
const MOST_TEXT: usize = 1024 * 1024;
