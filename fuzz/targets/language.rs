//! What language models answer, through the strategy that asks them: lines with `---` between the answers; the first byte says who is asked.
#![no_main]
use control::question::{Answer, Failure, Reply, Told, Usage};
use control::strategy::{Outcome, Strategy, View};
use model::snapshot::Snapshot;
use model::time::{Period, Timestamp};
use std::collections::VecDeque;
use std::sync::{Arc, LazyLock};
use strategies::language::{Consolidator, LanguageConfig, LanguageModel, Specialist};

/// The three waves when the second has come.
static SNAPSHOT: LazyLock<Snapshot> = LazyLock::new(|| fuzz::three_waves_at(Timestamp(130_000)));

fn config(which: u8) -> LanguageConfig {
    let specialist = |name: &str, veto| Specialist { name: name.to_owned(), weight: 1, veto, policy: None, policy_file: None, model: None };
    let specialists = vec![specialist("performance", false), specialist("cost", true)];
    match which % 3 {
        0 => LanguageConfig::default(),
        1 => LanguageConfig { specialists, ..LanguageConfig::default() },
        _ => LanguageConfig { specialists, consolidator: Consolidator::Model, ..LanguageConfig::default() },
    }
}

fn reply(text: &str) -> Reply {
    let told = if text.starts_with("FAILED") {
        Told::Failed { because: Failure::Refused, message: text.to_owned() }
    } else {
        Told::Text { text: text.to_owned(), complete: !text.ends_with('…') }
    };
    Reply { role: String::new(), told, took: Period::ZERO, usage: Usage::default() }
}

static HISTORY: VecDeque<Arc<Snapshot>> = VecDeque::new();

fn view(answer: Option<&Answer>) -> View<'_> {
    let snapshot = &*SNAPSHOT;
    View { now: snapshot.taken_at, snapshot, history: &HISTORY, committed: &[], awaiting: &[], answer }
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((which, bytes)) = bytes.split_first() else { return };
    let text = String::from_utf8_lossy(bytes);
    let mut answers = text.split("\n---\n");
    let mut strategy = LanguageModel::new(config(*which));
    let mut decision = strategy.decide(&view(None));
    // Two repairs for each of two stages, and one to be sure.
    for _ in 0..8 {
        let Outcome::Ask(question) = &decision.outcome else { return };
        let replies = question.calls.iter().map(|_| reply(answers.next().unwrap_or_default())).collect();
        let answer = Answer { number: question.number, replies };
        decision = strategy.decide(&view(Some(&answer)));
    }
    panic!("a model is asked again and again");
});
