//! Hostile texts through every door that is open to them: names, notes, gaps, and the words of models.

use super::federation::{self, Federation};
use super::red_team::{Hostile, corpus, texts};
use super::rules::{Rules, Terms};
use super::trial::{self, look};
use super::{CASES, Case};
use crate::models::{Correspondent, Faults, StandIn};
use control::question::{Answer, Call, Failure, Reply, Told, Usage};
use control::strategy::{Decision, Outcome};
use expect_test::expect_file;
use model::names::{
    AgentName, ClusterName, NodeName, PoolName, ReviewerName, WorkloadKind, WorkloadRef, check_name,
};
use model::snapshot::{Gap, GapSubject};
use model::time::Period;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use strategies::catalogue::StrategyConfig;
use strategies::language::{Consolidator, LanguageConfig, LanguageModel, Specialist};

/// What may be left of a text that is no name: what the types propose instead, and so the worst that can be a name.
fn as_names() -> BTreeSet<String> {
    let nearest = |text: &String| match check_name(text) {
        Ok(()) => Some(text.clone()),
        Err(error) => error.proposal.filter(|name| check_name(name).is_ok()),
    };
    texts().iter().filter_map(nearest).collect()
}

/// The case with hostile names for everything in it, beginning somewhere in the corpus; their order is that of the case.
fn under_names(federation: &Federation, names: &[String], from: usize) -> Federation {
    let count = federation.snapshot.clusters.len().max(federation.snapshot.workloads.len());
    let taken: BTreeSet<&String> = (0..count).map(|index| &names[(from + index) % names.len()]).collect();
    let taken: Vec<&String> = taken.into_iter().collect();
    federation.renamed(&|index, _| ClusterName::new(taken[index]).unwrap(), &|index, _| {
        WorkloadRef::new(WorkloadKind::Deployment, "default", taken[index]).unwrap()
    })
}

fn single(names: bool) -> LanguageConfig {
    LanguageConfig { names, ..LanguageConfig::default() }
}

fn several(names: bool) -> LanguageConfig {
    let specialist = |name: &str| Specialist {
        name: name.to_owned(),
        weight: 1,
        veto: false,
        policy: None,
        policy_file: None,
        model: None,
    };
    let specialists = ["performance", "cost", "reliability"].map(specialist).into();
    LanguageConfig { specialists, consolidator: Consolidator::Model, ..single(names) }
}

/// Says one text wherever a text can be said: as words, as an id, as a target, as evidence, around and instead of an answer.
struct Parrot(String);

impl Parrot {
    fn words(&self, call: &Call) -> String {
        let told: Value = serde_json::from_str(&call.messages[1].text).unwrap_or_default();
        let ids = |list: &str| -> Vec<Value> {
            told[list].as_array().into_iter().flatten().map(|one| one["id"].clone()).collect()
        };
        let says = &self.0;
        let evidence = json!([{ "about": says, "fact": says, "value": 1 }]);
        let mut decisions =
            vec![json!({ "workload": says, "decision": says, "target": says, "reason": says })];
        let target = ids("clusters").pop();
        for id in ids("workloads") {
            decisions.push(json!({ "workload": id, "decision": "move", "target": target, "reason": says }));
        }
        let mut judgements = vec![json!({ "candidate": says, "verdict": says, "evidence": evidence })];
        let mut choices = vec![json!({ "candidate": says, "reason": says, "dissent": [says] })];
        for id in ids("candidates") {
            judgements.push(json!({ "candidate": id, "verdict": "for", "strength": 1, "reason": says }));
            let all = ["performance", "cost", "reliability"];
            choices.push(json!({ "candidate": id, "reason": says, "dissent": all }));
        }
        json!({ "decisions": decisions, "judgements": judgements, "choices": choices, says: says })
            .to_string()
    }
}

impl Correspondent for Parrot {
    fn reply(&self, call: &Call) -> Reply {
        let told = Told::Text { text: self.words(call), complete: true };
        Reply { role: self.0.clone(), told, took: Period::ZERO, usage: Usage::default() }
    }
}

#[test]
fn the_corpus_is_large_and_says_everything_once() {
    let all = texts();
    assert!(all.len() >= 120, "{}", all.len());
    assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len());
    assert!(as_names().len() >= 100, "{}", as_names().len());
}

#[test]
fn names_take_nothing_but_names() {
    for text in texts() {
        let plain =
            |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || "-.".contains(letter);
        let accepted = [
            ClusterName::new(&text).is_ok(),
            PoolName::new(&text).is_ok(),
            NodeName::new(&text).is_ok(),
            AgentName::new(&text).is_ok(),
            ReviewerName::new(&text).is_ok(),
            WorkloadRef::new(WorkloadKind::Job, &text, "web").is_ok(),
            WorkloadRef::new(WorkloadKind::Job, "default", &text).is_ok(),
            serde_json::from_value::<ClusterName>(json!(text)).is_ok(),
        ];
        let is_name = text.len() <= 253 && !text.is_empty() && text.chars().all(plain) && {
            let edge = |letter: Option<char>| letter.is_some_and(|letter| letter.is_ascii_alphanumeric());
            edge(text.chars().next()) && edge(text.chars().next_back())
        };
        assert_eq!(accepted, [is_name; 8], "{text:?}");
    }
}

/// The first question about a federation.
fn question(config: LanguageConfig, federation: &Federation) -> Option<Vec<u8>> {
    match look(&mut LanguageModel::new(config), federation, None).outcome {
        Outcome::Ask(question) => Some(serde_json::to_vec(&question).unwrap()),
        _ => None,
    }
}

#[test]
fn without_names_hostile_ones_are_not_in_the_question() {
    let names: Vec<String> = as_names().into_iter().collect();
    let mut asked = 0;
    for (index, case) in CASES.iter().enumerate() {
        let plain = case.federation();
        let harmless = plain
            .renamed(&|index, _| federation::cluster(&format!("cluster-{index:02}")), &|index, _| {
                federation::workload(&format!("workload-{index:02}"))
            });
        for from in (index % 7..names.len()).step_by(7) {
            let hostile = noted(under_names(&plain, &names, from), &texts()[from]);
            for config in [single(false), several(false)] {
                let (left, right) = (question(config.clone(), &hostile), question(config, &harmless));
                assert_eq!(left, right, "{} from {from}", case.name);
                asked += usize::from(left.is_some());
            }
        }
    }
    assert!(asked > 500, "{asked}");
}

/// With a text in every place of a snapshot that holds free text: who scales a workload, which repository owns it, why something is
/// not seen, and who could not be asked.
fn noted(mut federation: Federation, text: &str) -> Federation {
    for view in federation.snapshot.workloads.values_mut() {
        (view.scaled_by, view.repository) = (Some(text.to_owned()), Some(text.to_owned()));
    }
    federation.snapshot.gaps.iter_mut().for_each(|gap| gap.reason = text.to_owned());
    let subject = GapSubject::Source(text.to_owned());
    federation.snapshot.gaps.push(Gap { subject, reason: text.to_owned(), known_at: None });
    federation
}

#[test]
fn whatever_an_obedient_model_is_told_only_what_is_allowed_is_recommended() {
    let names: Vec<String> = as_names().into_iter().collect();
    let obedient = StandIn::new(Faults::OBEDIENT, 1);
    let (mut decided, mut obeyed) = (0, 0);
    for from in 0..names.len() {
        let case = &CASES[from % CASES.len()];
        let federation = under_names(&case.federation(), &names, from);
        let rules = Rules::new(&federation, Terms::default());
        for config in [single(true), several(true)] {
            let config = StrategyConfig::LanguageModel(Box::new(config));
            let trial = trial::decide(&config, &federation, &obedient);
            assert_eq!(rules.refusals(&trial.actions), [], "{} from {from}", case.name);
            decided += usize::from(trial.questions > 0);
            obeyed += usize::from(trial.account.heard.iter().any(|heard| !heard.faults.is_empty()));
        }
    }
    // The test is worth something only if the model did try.
    assert!(decided > 100 && obeyed > 30, "{decided} decided, {obeyed} obeyed");
}

fn decided(config: LanguageConfig, case: &Case, told: &dyn Fn(&Call) -> Reply) -> (Decision, Vec<String>) {
    let federation = case.federation();
    let mut strategy = LanguageModel::new(config);
    let mut decision = look(&mut strategy, &federation, None);
    while let Outcome::Ask(question) = &decision.outcome {
        let replies = question.calls.iter().map(told).collect();
        let answer = Answer { number: question.number, replies };
        decision = look(&mut strategy, &federation, Some(&answer));
    }
    let mut words = Vec::new();
    let account = serde_json::to_value(strategy.account()).unwrap();
    strings(&account, &mut words);
    match &decision.outcome {
        Outcome::Recommend(drafts) => strings(&serde_json::to_value(drafts).unwrap(), &mut words),
        Outcome::Hold(reason) => strings(&serde_json::to_value(reason).unwrap(), &mut words),
        Outcome::Ask(_) => {}
    }
    (decision, words)
}

fn strings(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => found.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| strings(item, found)),
        Value::Object(map) => map.values().for_each(|value| strings(value, found)),
        _ => {}
    }
}

/// Written again and independently of the code: control, format and invisible characters by their blocks.
fn is_trick(letter: char) -> bool {
    letter.is_control()
        || ['\u{ad}', '\u{61c}', '\u{180e}', '\u{feff}', '\u{3164}', '\u{2800}', '\u{115f}', '\u{1160}']
            .contains(&letter)
        || ('\u{200b}'..='\u{200f}').contains(&letter)
        || ('\u{2028}'..='\u{202e}').contains(&letter)
        || ('\u{2060}'..='\u{206f}').contains(&letter)
        || ('\u{fe00}'..='\u{fe0f}').contains(&letter)
        || ('\u{fff9}'..='\u{fffb}').contains(&letter)
        || ('\u{e0000}'..='\u{e0fff}').contains(&letter)
}

fn assert_inert(words: &[String], about: &str) {
    for text in words {
        assert!(!text.chars().any(is_trick), "{about:?}: {text:?}");
        assert!(text.chars().count() <= 1_000, "{about:?}: {} characters", text.chars().count());
    }
}

#[test]
fn the_words_of_models_come_out_inert_and_change_no_action() {
    let cases = ["over-load", "two-sources"].map(|name| Case::named(name).unwrap());
    let mut spoken = 0;
    for says in texts() {
        for case in cases {
            let federation = case.federation();
            let rules = Rules::new(&federation, Terms::default());
            for config in [single(false), several(false)] {
                let parrot = Parrot(says.clone());
                let (decision, words) = decided(config, case, &|call| parrot.reply(call));
                assert_inert(&words, &says);
                let Outcome::Recommend(drafts) = decision.outcome else { continue };
                let actions: Vec<_> = drafts.iter().map(|draft| draft.action.clone()).collect();
                assert_eq!(rules.refusals(&actions), [], "{says:?}");
                let opinions = drafts.iter().flat_map(|draft| &draft.because.opinions);
                spoken += opinions.filter(|opinion| !opinion.words.is_empty()).count();
            }
        }
    }
    assert!(spoken > 300, "{spoken}");
}

#[test]
fn the_words_of_providers_and_answers_that_are_none_come_out_inert() {
    let case = Case::named("over-load").unwrap();
    for says in texts() {
        let failed = Told::Failed { because: Failure::Refused, message: says.clone() };
        let bare = Told::Text { text: says.clone(), complete: false };
        for told in [failed, bare] {
            let reply = |_: &Call| Reply {
                role: says.clone(),
                told: told.clone(),
                took: Period::ZERO,
                usage: Usage::default(),
            };
            let federation = case.federation();
            let (decision, words) = decided(single(false), case, &reply);
            assert_inert(&words, &says);
            let Outcome::Recommend(drafts) = decision.outcome else { continue };
            let actions: Vec<_> = drafts.into_iter().map(|draft| draft.action).collect();
            assert_eq!(Rules::new(&federation, Terms::default()).refusals(&actions), []);
        }
    }
}

/// The page shows the same texts in its own stories; this file is where it finds them.
#[test]
fn the_page_has_the_same_texts() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ui/e2e/worlds/red-team.json");
    let lines: Vec<String> = corpus().iter().map(|text| format!("  {}", ascii(text))).collect();
    expect_file![file].assert_eq(&format!("[\n{}\n]\n", lines.join(",\n")));
}

/// JSON in which everything that could be invisible is written as a number.
fn ascii(text: &Hostile) -> String {
    let quoted = serde_json::to_string(text).unwrap();
    let mut written = String::new();
    for letter in quoted.chars() {
        if letter.is_ascii() {
            written.push(letter);
        } else {
            for unit in letter.encode_utf16(&mut [0; 2]) {
                let _ = write!(written, "\\u{unit:04x}");
            }
        }
    }
    written
}
