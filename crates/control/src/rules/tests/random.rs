//! Random rules and random bytes: what is printed is read back, and nothing panics or runs away.

use super::{facts, schema};
use crate::rules::duration::Duration;
use crate::rules::evaluate::{EvaluationError, Evaluator};
use crate::rules::limits::{MAX_DEPTH, MAX_STEPS, MAX_TEXT};
use crate::rules::problem::Problems;
use crate::rules::syntax::{Expression, Function, Kind, Literal, Loop, Macro, Operator, Span};
use crate::rules::{Rule, parser};
use proptest::prelude::*;
use proptest::sample::select;

fn expression(kind: Kind) -> Expression {
    Expression::new(kind, Span { start: 0, end: 0 })
}

fn literal() -> impl Strategy<Value = Literal> {
    prop_oneof![
        any::<bool>().prop_map(Literal::Bool),
        prop_oneof![any::<i64>(), -3_i64..10].prop_map(Literal::Int),
        any::<f64>().prop_filter("has a literal", |number| number.is_finite()).prop_map(Literal::Double),
        "\\PC{0,8}|[\\x00-\\x7f\u{202e}\\\\\"']{0,5}".prop_map(|text| Literal::String(text.into())),
        any::<i64>().prop_map(|nanoseconds| Literal::Duration(Duration(nanoseconds))),
    ]
}

fn name() -> impl Strategy<Value = String> {
    select(vec!["flag", "n", "x", "s", "numbers", "source", "target", "clusters", "v", "w"])
        .prop_map(str::to_owned)
}

fn field() -> impl Strategy<Value = String> {
    select(vec!["load_after", "zone", "code", "namespace", "east", "size"]).prop_map(str::to_owned)
}

fn path() -> impl Strategy<Value = Expression> {
    let start = name().prop_map(|name| expression(Kind::Name(name)));
    start.prop_recursive(3, 6, 2, |base| {
        let selected =
            (base.clone(), field()).prop_map(|(base, field)| expression(Kind::Select(Box::new(base), field)));
        let indexed = (base, literal()).prop_map(|(base, index)| {
            expression(Kind::Index(Box::new(base), Box::new(expression(Kind::Literal(index)))))
        });
        prop_oneof![selected, indexed]
    })
}

/// Any expression that the grammar has, whether its types fit or not.
fn any_expression() -> impl Strategy<Value = Expression> {
    let leaf = prop_oneof![
        literal().prop_map(|literal| expression(Kind::Literal(literal))),
        Just(expression(Kind::Null)),
        path(),
        (path(), field()).prop_map(|(base, field)| expression(Kind::Has(Box::new(base), field))),
    ];
    leaf.prop_recursive(5, 40, 4, |inner| {
        let boxed = inner.clone().prop_map(Box::new).boxed();
        let row = proptest::collection::vec(inner.clone(), 2..4).boxed();
        let functions = select(vec![Function::Size, Function::Double, Function::Int]);
        let methods = select(vec![Function::StartsWith, Function::EndsWith, Function::Contains]);
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Kind::List),
            (boxed.clone(), field()).prop_map(|(base, field)| Kind::Select(base, field)),
            (boxed.clone(), boxed.clone()).prop_map(|(base, index)| Kind::Index(base, index)),
            boxed.clone().prop_map(Kind::Not),
            boxed.clone().prop_map(Kind::Negate),
            (select(Operator::ALL.to_vec()), boxed.clone(), boxed.clone())
                .prop_map(|(operator, left, right)| Kind::Binary(operator, left, right)),
            row.clone().prop_map(Kind::And),
            row.prop_map(Kind::Or),
            [inner.clone(), inner.clone(), inner.clone()].prop_map(|parts| Kind::Choose(Box::new(parts))),
            (functions, inner.clone()).prop_map(|(function, argument)| Kind::Call(function, vec![argument])),
            (methods, inner.clone(), inner)
                .prop_map(|(function, text, part)| Kind::Call(function, vec![text, part])),
            (select(Macro::ALL.to_vec()), boxed.clone(), select(vec!["v", "w"]), boxed).prop_map(
                |(quantifier, range, variable, body)| {
                    Kind::Loop(Loop { quantifier, range, variable: variable.to_owned(), body })
                }
            ),
        ]
        .prop_map(expression)
    })
}

/// Conditions whose types fit, so that evaluation gets everywhere; operands may still fail.
pub(super) fn condition() -> impl Strategy<Value = String> {
    let leaf = select(vec![
        "flag",
        "false",
        "true",
        "n > 3",
        "x < 2.5",
        "n < x",
        "n / (n - 7) > 0",
        "target.load_after < 0.8",
        "source.load_after < 0.8",
        "has(target.load_after)",
        "has(source.zone.code)",
        "target.zone.code == null",
        "clusters['north'].pending == 1",
        "numbers[n] == 1",
        "numbers.exists(v, v / (v - 2) == n)",
        "clusters.all(v, clusters[v].load < 0.4)",
        "numbers.map(v, v * 2).filter(w, w > 2).size() == 2",
        "s + s != s && names + names != names",
    ])
    .prop_map(str::to_owned);
    leaf.prop_recursive(4, 24, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(|one| format!("!({one})")),
            (inner.clone(), inner.clone()).prop_map(|(one, other)| format!("({one}) && ({other})")),
            (inner.clone(), inner.clone()).prop_map(|(one, other)| format!("({one}) || ({other})")),
            (inner.clone(), inner.clone()).prop_map(|(one, other)| format!("({one}) == ({other})")),
            (inner.clone(), inner.clone(), inner.clone())
                .prop_map(|(one, other, third)| format!("({one}) ? ({other}) : ({third})")),
            inner.prop_map(|one| format!("[({one}), flag].filter(v, v) == [true, true]")),
        ]
    })
    .prop_filter("fits", |text| text.len() <= MAX_TEXT)
}

/// Pieces of rules in any order: closer to rules than random characters.
fn pieces() -> impl Strategy<Value = String> {
    let piece = select(vec![
        "flag",
        "n",
        "x",
        "s",
        "(",
        ")",
        "[",
        "]",
        ".",
        ",",
        "&&",
        "||",
        "!",
        "-",
        "?",
        ":",
        "==",
        "<",
        "in",
        "1",
        "2.5",
        "'a'",
        "\"",
        "'''",
        "\\",
        "has(",
        "size(",
        "duration('1m')",
        ".all(v,",
        "numbers",
        "source",
        "null",
        "clusters",
        "{",
        "}",
        "//",
        "\n",
        "é",
        "load_after",
        "0x",
        "1e9",
        "%",
        "=",
        "b'",
        "r'",
        "“",
    ]);
    proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.join(" "))
}

proptest! {
    #[test]
    fn what_is_printed_is_read_back(expression in any_expression()) {
        prop_assume!(expression.height <= MAX_DEPTH);
        let text = expression.to_string();
        let mut problems = Problems::of(&text);
        let read = parser::parse(&text, &mut problems);
        prop_assert!(problems.is_empty(), "{text}: {:?}", problems.into_sorted());
        prop_assert_eq!(&read, &expression, "{}", text);
        prop_assert_eq!(read.to_string(), text);
    }

    #[test]
    fn no_expression_panics(expression in any_expression()) {
        // Also those that the checker refuses: an evaluation must not rely on it.
        let facts = facts();
        let mut evaluator = Evaluator::new(&facts, MAX_STEPS);
        let outcome = evaluator.value(&expression);
        prop_assert!(evaluator.steps_left() > 0 || outcome == Err(EvaluationError::TooManySteps));
        let _ = Rule::parse(&expression.to_string(), &schema());
    }

    #[test]
    fn no_text_panics(text in "\\PC{0,60}|(?s).{0,60}") {
        check_text(&text)?;
    }

    #[test]
    fn no_pieces_panic(text in pieces()) {
        check_text(&text)?;
    }

    #[test]
    fn a_checked_rule_never_meets_a_wrong_type(text in condition()) {
        let rule = Rule::parse(&text, &schema()).unwrap();
        let outcome = rule.evaluate(&facts());
        let is_mistyped = matches!(outcome, Err(EvaluationError::Mistyped { .. }));
        prop_assert!(!is_mistyped, "{text}: {outcome:?}");
        let explanation = rule.explain(&facts());
        prop_assert_eq!(&explanation.outcome, &outcome);
        prop_assert!(!explanation.reasons.is_empty(), "{text} is {outcome:?} without a reason");
    }

    #[test]
    fn a_rule_without_unguarded_facts_knows_all_it_needs(text in condition()) {
        let rule = Rule::parse(&text, &schema()).unwrap();
        if let Err(EvaluationError::Unknown { fact }) = rule.evaluate(&facts()) {
            prop_assert!(rule.unguarded().iter().any(|noted| noted.fact == fact), "{text} lacks {fact}");
        }
    }

    #[test]
    fn any_smaller_budget_ends_the_evaluation(text in condition(), steps in 0_u32..40) {
        let rule = Rule::parse(&text, &schema()).unwrap();
        let facts = facts();
        let outcome = Evaluator::new(&facts, steps).truth(&rule.expression);
        prop_assert!(outcome == Err(EvaluationError::TooManySteps) || outcome == rule.evaluate(&facts));
    }
}

/// Problems lie within the text, in order, and each proposes something.
fn check_text(text: &str) -> Result<(), TestCaseError> {
    let Err(problems) = Rule::parse(text, &schema()) else { return Ok(()) };
    prop_assert!(!problems.is_empty());
    prop_assert!(problems.is_sorted_by_key(|problem| problem.offset));
    for problem in problems {
        prop_assert!(text.is_char_boundary(problem.offset), "{text:?}: {problem}");
        prop_assert!(!problem.message.is_empty() && !problem.proposal.is_empty());
    }
    Ok(())
}
