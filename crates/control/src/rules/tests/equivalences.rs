//! Laws that hold for all conditions, those that have no answer included.

use super::facts;
use super::random::condition;
use crate::rules::{EvaluationError, Rule};
use proptest::prelude::*;

/// Answers are compared; which of several errors comes first is not part of a law.
fn answer(text: &str) -> Result<Option<bool>, TestCaseError> {
    let rule = match Rule::parse(text, &super::schema()) {
        Ok(rule) => rule,
        Err(problems) => return Err(TestCaseError::reject(format!("{}", problems[0]))),
    };
    match rule.evaluate(&facts()) {
        Err(EvaluationError::TooManySteps) => Err(TestCaseError::reject("too many steps")),
        outcome => Ok(outcome.ok()),
    }
}

fn check(one: &str, other: &str) -> Result<(), TestCaseError> {
    prop_assert_eq!(answer(one)?, answer(other)?, "{} and {}", one, other);
    Ok(())
}

proptest! {
    // Each case reads and evaluates several long rules; over the runs of a week these are enough.
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn negation_turns_both_into_either(a in condition(), b in condition()) {
        check(&format!("!(({a}) && ({b}))"), &format!("!({a}) || !({b})"))?;
        check(&format!("!(({a}) || ({b}))"), &format!("!({a}) && !({b})"))?;
        check(&format!("!!({a})"), &a)?;
    }

    #[test]
    fn order_and_brackets_do_not_matter(a in condition(), b in condition(), c in condition()) {
        check(&format!("({a}) && ({b})"), &format!("({b}) && ({a})"))?;
        check(&format!("({a}) || ({b})"), &format!("({b}) || ({a})"))?;
        check(&format!("({a}) && ({b}) && ({c})"), &format!("({a}) && (({b}) && ({c}))"))?;
        check(&format!("({a}) || ({b}) || ({c})"), &format!("({a}) || (({b}) || ({c}))"))?;
    }

    #[test]
    fn a_choice_is_two_conditions(a in condition(), b in condition()) {
        check(&format!("({a}) ? ({b}) : false"), &format!("({a}) ? (({a}) && ({b})) : false"))?;
        check(&format!("!({a}) ? ({b}) : false"), &format!("({a}) ? false : ({b})"))?;
    }

    #[test]
    fn loops_are_rows(a in condition(), b in condition()) {
        check(&format!("[true, false].all(unit, unit ? ({a}) : ({b}))"), &format!("({a}) && ({b})"))?;
        check(&format!("[true, false].exists(unit, unit ? ({a}) : ({b}))"), &format!("({a}) || ({b})"))?;
    }

    #[test]
    fn comparing_is_as_on_a_line_of_numbers(whole in any::<i64>(), real in prop_oneof![any::<f64>(), -9e18..9e18_f64, -9.0..9.0]) {
        prop_assume!(real.is_finite());
        let exact = i128::from(whole).cmp(&(real.floor().clamp(-1e30, 1e30) as i128));
        let expected = exact.then(if real > real.floor() { std::cmp::Ordering::Less } else { exact });
        prop_assert_eq!(answer(&format!("{whole} < {real:?}"))?, Some(expected.is_lt()));
        prop_assert_eq!(answer(&format!("{real:?} >= {whole}"))?, Some(expected.is_le()));
    }

    #[test]
    fn division_and_remainder_belong_together(a in any::<i64>(), b in any::<i64>()) {
        prop_assume!(b != 0 && !(a == i64::MIN && b == -1));
        check(&format!("{a} / {b} * {b} + {a} % {b} == {a}"), "true")?;
    }
}
