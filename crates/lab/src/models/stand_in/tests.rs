//! What a stand-in does is what it was told to do.

use super::*;
use crate::golden::{Bench, CASES, Case, Evaluation};
use strategies::catalogue::StrategyConfig;
use strategies::language::{Consolidator, FaultKind, LanguageConfig, Specialist};

fn several() -> LanguageConfig {
    let specialist = |name: &str| Specialist {
        name: name.to_owned(),
        weight: 1,
        veto: false,
        policy: None,
        policy_file: None,
        model: None,
    };
    let specialists = ["performance", "cost", "reliability", "energy"].map(specialist).into();
    LanguageConfig { specialists, consolidator: Consolidator::Model, ..LanguageConfig::default() }
}

fn evaluated(config: LanguageConfig, cases: Vec<&'static Case>, faults: Faults) -> Evaluation {
    Bench {
        cases,
        decide: &StrategyConfig::LanguageModel(Box::new(config)),
        correspondent: &StandIn::new(faults, 1),
        answered_by: &String::new,
        repetitions: 1,
        jobs: 1,
        told: &|_| {},
    }
    .run()
}

#[test]
fn without_faults_every_answer_is_exactly_what_was_asked_for() {
    for config in [LanguageConfig::default(), several()] {
        let found = evaluated(config, CASES.iter().collect(), Faults::CAREFUL);
        assert_eq!(found.answers.exact.count, found.answers.exact.of);
        assert!(found.answers.exact.of > 25 && found.decisions.forbidden == 0);
        let form = [FaultKind::Form, FaultKind::Cut, FaultKind::InventedId, FaultKind::WrongNumber];
        assert!(form.iter().all(|kind| found.answers.faulty[kind].count == 0), "{:?}", found.answers);
        assert!(found.decisions.useful.count * 2 > found.decisions.useful.of, "{:?}", found.decisions);
    }
}

#[test]
fn every_rate_has_its_fault_and_no_other() {
    let all = 1_000;
    let check = |faults: Faults, exact: bool, kind: Option<FaultKind>| {
        let found = evaluated(LanguageConfig::default(), vec![Case::named("two-sources").unwrap()], faults);
        let kinds = found.answers.faulty.iter().filter(|(_, part)| part.count > 0);
        let kinds: Vec<FaultKind> = kinds.map(|(kind, _)| *kind).collect();
        assert_eq!(
            (found.answers.exact.count == 1, kinds),
            (exact, kind.into_iter().collect()),
            "{faults:?}"
        );
        assert_eq!(found.decisions.forbidden, 0);
    };
    let none = Faults { mends: 0, ..Faults::CAREFUL };
    check(none, true, None);
    check(Faults { fences: all, ..none }, false, None);
    check(Faults { prose: all, ..none }, false, None);
    check(Faults { too_few: all, ..none }, true, None);
    check(Faults { invented_ids: all, ..none }, false, Some(FaultKind::InventedId));
    check(Faults { wrong_numbers: all, ..none }, true, Some(FaultKind::WrongNumber));
    check(Faults { doubled: all, ..none }, false, Some(FaultKind::Form));
    check(Faults { truncated: all, ..none }, false, Some(FaultKind::Cut));
    check(Faults { broken_limits: all, ..none }, true, Some(FaultKind::Limit));
    check(Faults { refusals: all, ..none }, false, Some(FaultKind::Form));
    check(Faults { empty: all, ..none }, false, Some(FaultKind::Form));
    check(Faults { obeys: all, ..none }, true, None);
}

#[test]
fn what_it_was_told_is_mended() {
    let case = || vec![Case::named("over-load").unwrap()];
    let stubborn = Faults { refusals: 1_000, mends: 0, ..Faults::CAREFUL };
    let docile = Faults { mends: 1_000, ..stubborn };
    let of = |faults| evaluated(LanguageConfig::default(), case(), faults);
    assert_eq!((of(stubborn).decisions.fallbacks.count, of(stubborn).answers.repairs), (1, 2));
    assert_eq!((of(docile).decisions.fallbacks.count, of(docile).answers.repairs), (0, 1));
}

#[test]
fn the_same_call_is_answered_the_same_and_another_sample_otherwise() {
    let question = control::question::Question::plain(1, r#"{"clusters":[],"workloads":[]}"#);
    let wasp = |sample: u32, seed: u64| {
        let mut call = question.calls[0].clone();
        call.sample = sample;
        StandIn::new(Faults::WASP_LIKE, seed).reply(&call)
    };
    assert_eq!(wasp(0, 1), wasp(0, 1));
    let times: std::collections::BTreeSet<Period> = (0..10).map(|sample| wasp(sample, 1).took).collect();
    assert!(times.len() > 5, "{times:?}");
    assert!((0..10).any(|seed| wasp(0, seed) != wasp(0, seed + 1)));
}

#[test]
fn rates_are_kept() {
    let faults = Faults { empty: 250, mends: 0, ..Faults::CAREFUL };
    let question = control::question::Question::plain(1, r#"{"clusters":[],"workloads":[]}"#);
    let empty = (0..2_000).filter(|sample| {
        let mut call = question.calls[0].clone();
        call.sample = *sample;
        StandIn::new(faults, 1).write(&call).0.is_empty()
    });
    let count = empty.count();
    // A quarter of two thousand, with five times its standard deviation of nineteen to either side.
    assert!((400..=600).contains(&count), "{count}");
}

#[test]
fn an_answer_ends_where_its_tokens_end() {
    let mut call = control::question::Question::plain(1, r#"{"clusters":[],"workloads":[]}"#).calls.remove(0);
    call.max_tokens = 2;
    assert_eq!(StandIn::new(Faults::CAREFUL, 1).write(&call), ("{\"decisi".to_owned(), false));
    call.max_tokens = 100;
    assert_eq!(StandIn::new(Faults::CAREFUL, 1).write(&call), ("{\"decisions\":[]}".to_owned(), true));
}
