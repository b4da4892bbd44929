//! Whole decisions, with answers as models give them.

use super::config::Repairs;
use super::*;
use crate::testing::{Moment, federation, shown};
use control::question::{Failure, Reply, Usage};
use model::snapshot::Snapshot;
use model::time::Period;

const FULL: &str = "
    a 1 nodes
    b 2 nodes
    big 1x5000m/2Gi a
    mid 1x3000m/2Gi a
    small 1x1000m/2Gi a
";

fn specialist(name: &str, weight: u32, veto: bool) -> Specialist {
    Specialist { name: name.to_owned(), weight, veto, policy: None, policy_file: None, model: None }
}

fn several(consolidator: Consolidator) -> LanguageConfig {
    let specialists = vec![specialist("performance", 2, false), specialist("cost", 1, false)];
    LanguageConfig { specialists, consolidator, ..LanguageConfig::default() }
}

fn reply(told: Told) -> Reply {
    Reply { role: String::new(), told, took: Period::ZERO, usage: Usage::default() }
}

fn text(text: &str) -> Told {
    Told::Text { text: text.to_owned(), complete: true }
}

fn failed(because: Failure) -> Told {
    Told::Failed { because, message: String::new() }
}

/// Asks, gives the answers one round after the other, and returns the decision and how many questions there were.
fn decide(config: LanguageConfig, snapshot: &Snapshot, rounds: &[Vec<Told>]) -> (Decision, Vec<Question>) {
    decide_with(&mut LanguageModel::new(config), snapshot, rounds)
}

fn decide_with(
    strategy: &mut LanguageModel,
    snapshot: &Snapshot,
    rounds: &[Vec<Told>],
) -> (Decision, Vec<Question>) {
    let moment = Moment::at("1h");
    let mut decision = strategy.decide(&moment.view(snapshot));
    let mut questions = Vec::new();
    let mut rounds = rounds.iter();
    while let Outcome::Ask(question) = &decision.outcome {
        questions.push(question.clone());
        let replies = rounds.next().map(|round| round.iter().cloned().map(reply).collect());
        let answer = replies.map(|replies| Answer { number: question.number, replies });
        let view = View { answer: answer.as_ref(), ..moment.view(snapshot) };
        decision = strategy.decide(&view);
    }
    (decision, questions)
}

/// The same, and how the decision came about, in a line for every answer.
fn accounted(config: LanguageConfig, rounds: &[Vec<Told>]) -> Vec<String> {
    let snapshot = federation(FULL);
    let mut strategy = LanguageModel::new(config);
    decide_with(&mut strategy, &snapshot, rounds);
    let Account { heard, instead } = strategy.account();
    let lines = heard.iter().map(|one| {
        let kinds: Vec<FaultKind> = one.faults.iter().map(|fault| fault.kind).collect();
        format!("{} {} {:?} {kinds:?}", one.role, one.repairs, one.failure)
    });
    lines.chain(instead.iter().map(|one| format!("{}: {}", one.by, one.why))).collect()
}

fn check(config: LanguageConfig, rounds: &[Vec<Told>], questions: usize, expected: &str) {
    let snapshot = federation(FULL);
    let (decision, asked) = decide(config, &snapshot, rounds);
    assert_eq!((shown(&decision).as_str(), asked.len()), (expected, questions), "{rounds:?}");
}

const MOVE_MID: &str =
    r#"{"decisions":[{"workload":"w2","decision":"move","target":"c2","reason":"it waits"}]}"#;
const BY_PLANNER: &str = "a -> b: mid";

#[test]
fn a_good_answer_is_a_recommendation() {
    check(LanguageConfig::default(), &[vec![text(MOVE_MID)]], 1, "a -> b: mid");
    check(
        LanguageConfig::default(),
        &[vec![text(&format!("Sure:\n```json\n{MOVE_MID}\n```"))]],
        1,
        "a -> b: mid",
    );
    let stay = r#"{"decisions":[]}"#;
    check(LanguageConfig::default(), &[vec![text(stay)]], 1, "hold: Advised { considered: 0 }");
}

#[test]
fn faulty_answers_are_sent_back_twice_and_then_somebody_else_decides() {
    let prose = || vec![text("I would move the second one.")];
    check(LanguageConfig::default(), &[prose(), vec![text(MOVE_MID)]], 2, "a -> b: mid");
    let invented = r#"{"decisions":[{"workload":"w99","decision":"move","target":"c2"}]}"#;
    check(
        LanguageConfig::default(),
        &[prose(), vec![text(invented)], vec![text(MOVE_MID)]],
        3,
        "a -> b: mid",
    );
    check(LanguageConfig::default(), &[prose(), prose(), prose()], 3, BY_PLANNER);
}

#[test]
fn every_failure_ends_in_a_labelled_decision() {
    for because in [
        Failure::TimedOut,
        Failure::Unreachable,
        Failure::RateLimited,
        Failure::ProviderFailed,
        Failure::NotAccepted,
        Failure::Refused,
        Failure::BudgetExhausted,
        Failure::CircuitOpen,
        Failure::NotRecorded,
    ] {
        let snapshot = federation(FULL);
        let (decision, asked) = decide(LanguageConfig::default(), &snapshot, &[vec![failed(because)]]);
        let Outcome::Recommend(drafts) = decision.outcome else { panic!("{because:?}") };
        assert_eq!(asked.len(), 1);
        let label = "decided by planner, because ";
        assert!(drafts.iter().all(|draft| draft.because.summary.contains(label)), "{drafts:?}");
    }
}

#[test]
fn an_answer_that_never_comes_is_not_waited_for_twice() {
    check(LanguageConfig::default(), &[], 1, BY_PLANNER);
    let hold = LanguageConfig { fallback: Fallback::Hold, ..LanguageConfig::default() };
    let why = "no answer came before it was time to decide again";
    check(hold, &[], 1, &format!("hold: NoAdvice {{ why: {why:?}, instead: \"hold\" }}"));
}

#[test]
fn what_is_true_of_an_answer_survives_what_is_not() {
    let mixed = r#"{"decisions":[{"workload":"w2","decision":"move","target":"c2"},{"workload":"x","decision":"move","target":"c2"}]}"#;
    let round = || vec![text(mixed)];
    let snapshot = federation(FULL);
    let (decision, asked) = decide(LanguageConfig::default(), &snapshot, &[round(), round(), round()]);
    assert_eq!((shown(&decision).as_str(), asked.len()), ("a -> b: mid", 3));
    let Outcome::Recommend(drafts) = decision.outcome else { panic!() };
    assert_eq!(drafts[0].because.alternatives[0].rejected_because, "there is no workload \"x\"");
    // The faults are sent back with the answer, and nothing of earlier attempts.
    assert_eq!(asked[2].calls[0].messages.len(), 4);
    assert!(asked[1].calls[0].messages[3].text.contains("there is no workload"));
}

/// A judgement of every candidate that moves `mid`.
fn judging(verdict: &str) -> Told {
    let snapshot = federation(FULL);
    let (_, asked) = decide(several(Consolidator::Votes), &snapshot, &[]);
    let told: Value = serde_json::from_str(&asked[0].calls[0].messages[1].text).unwrap();
    let candidates = told["candidates"].as_array().unwrap();
    let mid = candidates.iter().find(|one| one["workload"] == "w2").unwrap();
    let judgement =
        json!({ "candidate": mid["id"], "verdict": verdict, "strength": 0.8, "reason": "because" });
    text(&json!({ "judgements": [judgement] }).to_string())
}

#[test]
fn votes_decide_by_weight_and_dissent_is_kept() {
    let snapshot = federation(FULL);
    let (decision, asked) =
        decide(several(Consolidator::Votes), &snapshot, &[vec![judging("for"), judging("against")]]);
    assert_eq!((shown(&decision).as_str(), asked[0].calls.len()), ("a -> b: mid", 2));
    let Outcome::Recommend(drafts) = decision.outcome else { panic!() };
    assert!(
        drafts[0].because.summary.contains("performance (cost against)"),
        "{}",
        drafts[0].because.summary
    );
    let against = vec![vec![judging("against"), judging("for")]];
    check(several(Consolidator::Votes), &against, 1, "hold: Advised { considered: 3 }");
}

#[test]
fn a_veto_is_final_and_who_cannot_be_heard_abstains() {
    let mut config = several(Consolidator::Votes);
    config.specialists[1].veto = true;
    check(config, &[vec![judging("for"), judging("against")]], 1, "hold: Advised { considered: 3 }");
    let half = vec![vec![judging("for"), failed(Failure::TimedOut)]];
    check(several(Consolidator::Votes), &half, 1, "a -> b: mid");
    let none = vec![vec![failed(Failure::TimedOut), failed(Failure::Refused)]];
    check(several(Consolidator::Votes), &none, 1, BY_PLANNER);
}

#[test]
fn only_those_who_answered_badly_are_asked_again() {
    let snapshot = federation(FULL);
    let rounds = [vec![judging("for"), text("well…")], vec![judging("for")]];
    let (decision, asked) = decide(several(Consolidator::Votes), &snapshot, &rounds);
    assert_eq!((shown(&decision).as_str(), asked.len()), ("a -> b: mid", 2));
    assert_eq!(asked[1].calls.iter().map(|call| call.role.as_str()).collect::<Vec<_>>(), ["cost"]);
}

#[test]
fn a_consolidating_model_chooses_among_candidates_and_names_dissent() {
    let judged = || vec![judging("for"), judging("against")];
    let id = {
        let Told::Text { text, .. } = judging("for") else { panic!() };
        serde_json::from_str::<Value>(&text).unwrap()["judgements"][0]["candidate"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    let choice = |dissent: &str| {
        vec![text(&format!(
            r#"{{"choices":[{{"candidate":"{id}","reason":"weight","dissent":[{dissent}]}}]}}"#
        ))]
    };
    let config = || several(Consolidator::Model);
    check(config(), &[judged(), choice("\"cost\"")], 2, "a -> b: mid");
    check(config(), &[judged(), choice(""), choice("\"cost\"")], 3, "a -> b: mid");
    // Whatever the model does, the votes are there.
    check(config(), &[judged(), vec![failed(Failure::TimedOut)]], 2, "a -> b: mid");
    let invented = || vec![text(r#"{"choices":[{"candidate":"m99","reason":"","dissent":[]}]}"#)];
    check(config(), &[judged(), invented(), invented(), invented()], 4, "a -> b: mid");
}

#[test]
fn nobody_is_asked_where_there_is_nothing_to_decide() {
    let ask = |federation_text: &str, ask: AskWhen| {
        let snapshot = federation(federation_text);
        decide(LanguageConfig { ask, ..LanguageConfig::default() }, &snapshot, &[]).1.len()
    };
    let well = "a 1 nodes\n b 1 nodes\n web 1x100m/1Gi a";
    assert_eq!((ask(well, AskWhen::Always), ask(well, AskWhen::OverLimit)), (1, 0));
    assert_eq!(ask("a 1 nodes\n web 9x1000m/1Gi a", AskWhen::Always), 0);
    assert_eq!(ask("a 1 nodes\n b 1 nodes\n web 9x1000m/1Gi a pinned", AskWhen::Always), 0);
    assert_eq!(ask("a 1 nodes\n b 2 nodes\n web 2x3600m/2Gi a", AskWhen::OverLimit), 1);
}

#[test]
fn the_same_moment_is_the_same_question() {
    let snapshot = federation(FULL);
    let ask = || decide(several(Consolidator::Model), &snapshot, &[]).1.remove(0);
    assert_eq!(ask(), ask());
    assert_eq!(ask().calls[0].key(), ask().calls[0].key());
}

#[test]
fn what_was_wrong_is_told_with_the_next_question_and_at_the_end() {
    let snapshot = federation(FULL);
    let invented = r#"{"decisions":[{"workload":"w99","decision":"move","target":"c2"}]}"#;
    let rounds = [vec![text(invented)], vec![text(MOVE_MID)]];
    let (decision, asked) = decide(LanguageConfig::default(), &snapshot, &rounds);
    let kinds =
        |faults: &[Fault]| faults.iter().map(|fault| (fault.role.clone(), fault.kind)).collect::<Vec<_>>();
    assert_eq!(kinds(&asked[0].faults), []);
    assert_eq!(kinds(&asked[1].faults), [("decider".to_owned(), FaultKind::InventedId)]);
    assert_eq!(kinds(&decision.disregarded), [], "it was mended");
    let rounds = [vec![failed(Failure::TimedOut), judging("for")]];
    let (decision, _) = decide(several(Consolidator::Votes), &snapshot, &rounds);
    assert_eq!(kinds(&decision.disregarded), [("performance".to_owned(), FaultKind::NoAnswer)]);
}

#[test]
fn every_answer_and_whoever_decides_instead_are_on_the_account() {
    let prose = || vec![text("I would move the second one.")];
    assert_eq!(accounted(LanguageConfig::default(), &[vec![text(MOVE_MID)]]), ["decider 0 None []"]);
    let lines = accounted(LanguageConfig::default(), &[prose(), prose(), prose()]);
    assert_eq!(lines[..3], ["decider 0 None [Form]", "decider 1 None [Form]", "decider 2 None [Form]"]);
    assert!(lines[3].starts_with("planner: the model's answer could not be used"), "{lines:?}");
    let half = [vec![judging("for"), failed(Failure::TimedOut)], vec![text("well…")]];
    let config = LanguageConfig { repairs: Repairs(0), ..several(Consolidator::Model) };
    let lines = accounted(config, &half);
    assert_eq!(
        lines[..3],
        ["performance 0 None []", "cost 0 Some(TimedOut) []", "consolidator 0 None [Form]"]
    );
    assert!(lines[3].starts_with("votes: "), "{lines:?}");
}

#[test]
fn what_providers_say_of_a_failure_is_shown_inert() {
    let message = "\u{202e}too\u{1b}[2J busy\u{e0041}\u{2028}".to_owned() + &"x".repeat(1_000);
    let told = Told::Failed { because: Failure::ProviderFailed, message };
    let lines = accounted(LanguageConfig::default(), &[vec![told]]);
    assert!(lines[1].starts_with("planner: the provider failed: too [2J busy xxx"), "{lines:?}");
    assert!(lines[1].chars().count() < 300);
}

#[test]
fn what_is_remembered_between_two_decisions_can_be_told_to_another() {
    let snapshot = federation(FULL);
    let moment = Moment::at("1h");
    let mut one = LanguageModel::new(LanguageConfig::default());
    let Outcome::Ask(question) = one.decide(&moment.view(&snapshot)).outcome else { panic!() };
    assert_eq!(one.memory(), None, "it waits for an answer");
    let answer = Answer { number: question.number, replies: vec![reply(text(MOVE_MID))] };
    one.decide(&View { answer: Some(&answer), ..moment.view(&snapshot) });
    let mut other = LanguageModel::new(LanguageConfig::default());
    assert!(other.recall(one.memory().expect("it has decided")));
    let later = Moment::at("2h");
    assert_eq!(one.decide(&later.view(&snapshot)), other.decide(&later.view(&snapshot)));
    assert!(!other.recall(Value::Null));
}
