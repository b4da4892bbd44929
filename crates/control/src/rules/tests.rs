//! The language against a small schema of its own.

mod accepted;
mod equivalences;
mod explanations;
mod guards;
mod random;
mod rejected;

use super::{Duration, EvaluationError, Facts, Field, Rule, Schema, Type, Value};

fn schema() -> Schema {
    let zone = Type::Object(vec![
        Field::optional("code", Type::String, "of the zone"),
        Field::known("nodes", Type::Int, "there if the zone is"),
    ]);
    let target = vec![
        Field::optional("load_after", Type::Double, "never known in these tests: `source` has it"),
        Field::optional("zone", zone.clone(), "unknown"),
        Field::known("name", Type::String, "\"east\""),
    ];
    let source = vec![
        Field::optional("load_after", Type::Double, "0.93"),
        Field::optional("zone", zone, "code is \"z1\""),
        Field::known("namespace", Type::String, "a reserved word as a field"),
    ];
    let cluster = vec![
        Field::optional("load", Type::Double, "0.5 in east, unknown in west"),
        Field::known("pending", Type::Int, "1 in east, 2 in west"),
    ];
    Schema::new(vec![
        Field::known("flag", Type::Bool, "true"),
        Field::known("n", Type::Int, "7"),
        Field::known("x", Type::Double, "2.5"),
        Field::known("s", Type::String, "\"grüße\""),
        Field::known("risk", Type::Word(&["low", "medium", "high"]), "\"low\""),
        Field::known("kinds", Type::list(Type::Word(&["low", "high"])), "\"low\""),
        Field::known("age", Type::Duration, "90 seconds"),
        Field::known("names", Type::list(Type::String), "\"a\", \"b\""),
        Field::known("numbers", Type::list(Type::Int), "1, 2, 3"),
        Field::known("source", Type::Object(source), "an object"),
        Field::known("target", Type::Object(target), "an object of which little is known"),
        Field::known("clusters", Type::map(Type::Object(cluster)), "a map"),
    ])
}

fn facts() -> Facts {
    let cluster = |load: Option<f64>, pending: i64| {
        Value::object([("load", load.map(Value::Double)), ("pending", Some(pending.into()))])
    };
    let source = Value::object([
        ("load_after", Value::measured(0.93)),
        ("zone", Some(Value::object([("code", Some("z1".into())), ("nodes", Some(3_i64.into()))]))),
        ("namespace", Some("shop".into())),
    ]);
    let clusters = [("east".to_owned(), cluster(Some(0.5), 1)), ("west".to_owned(), cluster(None, 2))];
    Facts::new()
        .with("flag", true)
        .with("n", 7_i64)
        .with("x", Value::Double(2.5))
        .with("s", "grüße")
        .with("risk", "low")
        .with("kinds", Value::list(["low".into()]))
        .with("age", Value::Duration(Duration(90_000_000_000)))
        .with("names", Value::list(["a".into(), "b".into()]))
        .with("numbers", Value::list([1_i64.into(), 2_i64.into(), 3_i64.into()]))
        .with("source", source)
        .with("target", Value::object([("name", Some("east".into()))]))
        .with("clusters", Value::map(clusters))
}

/// A rule that has to be accepted.
fn rule(text: &str) -> Rule {
    Rule::parse(text, &schema()).unwrap_or_else(|problems| panic!("{text}: {problems:?}"))
}

fn evaluate(text: &str) -> Result<bool, EvaluationError> {
    rule(text).evaluate(&facts())
}

#[test]
fn the_facts_of_these_tests_fit_their_schema() {
    assert!(schema().fits(&facts()));
    assert!(!schema().fits(&facts().with("n", Value::Double(7.0))));
    assert!(!schema().fits(&facts().with("risk", "none")));
    assert!(!schema().fits(&facts().with("more", true)));
    assert!(!schema().fits(&Facts::new()));
}

#[test]
fn a_rule_is_its_text() {
    let rule = rule("flag // always\n");
    assert_eq!(rule.to_string(), "flag // always\n");
    assert_eq!(serde_json::to_string(&rule).unwrap(), "\"flag // always\\n\"");
    assert_eq!(format!("{rule:?}"), "Rule(\"flag // always\\n\")");
}

#[test]
fn facts_that_do_not_fit_are_an_error_of_their_own() {
    let check = |text: &str, facts: &Facts, expected: &str| {
        assert_eq!(rule(text).evaluate(facts).unwrap_err().to_string(), expected, "{text}");
    };
    let wrong = facts().with("flag", "yes").with("n", "7").with("source", true);
    check("flag", &wrong, "`flag` has a value that does not fit its type");
    check("n + 1 > 2", &wrong, "`n + 1` has a value that does not fit its type");
    check("-n > 2", &wrong, "`n` has a value that does not fit its type");
    check("source.load_after > 0.5", &wrong, "`source` has a value that does not fit its type");
    check("has(source.load_after)", &wrong, "`source` has a value that does not fit its type");
    check("n > 3", &Facts::new(), "`n` is not known; ask for it with has(n)");
}
