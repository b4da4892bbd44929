//! What is said about an answer.

use super::{facts, rule};

fn check(text: &str, expected: &str) {
    assert_eq!(rule(text).explain(&facts()).to_string(), expected, "{text}");
}

#[test]
fn values_stand_beside_what_has_them() {
    check("source.load_after <= 0.8", "source.load_after (0.93) <= 0.8 is false");
    check("0.8 < source.load_after", "0.8 < source.load_after (0.93) is true");
    check("source.load_after - 0.5 < x", "source.load_after - 0.5 (0.43000000000000005) < x (2.5) is true");
    check("flag", "flag is true");
    check("risk in ['medium', 'high']", "risk (\"low\") in [\"medium\", \"high\"] is false");
    check("s.startsWith(target.name)", "s (\"grüße\").startsWith(target.name (\"east\")) is false");
    check("size(names) == 3", "size(names) (2) == 3 is false");
    check("age > duration('10m')", "age (1m30s) > duration(\"10m\") is false");
    check("has(target.load_after)", "has(target.load_after) is false");
    check("true", "true is true");
}

#[test]
fn only_what_settled_the_answer_is_named() {
    check("flag && x < 2.0 && n < 3", "x (2.5) < 2.0 is false\nn (7) < 3 is false");
    check("flag && n > 3", "flag is true\nn (7) > 3 is true");
    check("n > 9 || n > 3 || x > 9.0", "n (7) > 3 is true");
    check("n > 9 || x > 9.0", "n (7) > 9 is false\nx (2.5) > 9.0 is false");
    check("!(n > 3 && flag)", "n (7) > 3 is true\nflag is true");
    check("flag ? n > 9 : x > 9.0", "flag is true\nn (7) > 9 is false");
    check(
        "n > 9 && flag || (x > 9.0 || n == 1)",
        "n (7) > 9 is false\nx (2.5) > 9.0 is false\nn (7) == 1 is false",
    );
    check("n > 9 && n > 9", "n (7) > 9 is false");
}

#[test]
fn a_loop_is_explained_by_the_element_that_settled_it() {
    check(
        "clusters.all(c, clusters[c].pending < 2)",
        "clusters[c].pending (2) < 2 is false, for c = \"west\"",
    );
    check("numbers.exists(i, i > 1 && flag)", "i (2) > 1 is true, for i = 2\nflag is true, for i = 2");
    check(
        "numbers.exists(i, names.exists(name, name == 'b' && i == 2))",
        "name (\"b\") == \"b\" is true, for i = 2, name = \"b\"\ni (2) == 2 is true, for i = 2, name = \"b\"",
    );
    check("numbers.all(i, i < 9)", "numbers ([1, 2, 3]).all(i, i < 9) is true");
    check("numbers.exists_one(i, i < 9)", "numbers ([1, 2, 3]).exists_one(i, i < 9) is false");
}

#[test]
fn what_failed_is_named_with_its_cause() {
    check(
        "flag && target.load_after < 0.8",
        "target.load_after < 0.8 has no answer: `target.load_after` is not known; ask for it with has(target.load_after)",
    );
    check("n / 0 > 1 || n > 9", "n / 0 > 1 has no answer: `/` by zero");
    check("n / 0 > 1 || n > 3", "n (7) > 3 is true");
}

#[test]
fn long_values_are_cut() {
    let text = format!("s == '{0}' || [s + '{0}'] == names", "y".repeat(100));
    let shown = rule(&text).explain(&facts()).reasons[1].with_values.clone();
    assert!(shown.contains("yyy…) == names ("), "{shown}");
    let many: Vec<String> = (0..40).map(|number| format!("n == {}", number + 10)).collect();
    assert_eq!(rule(&many.join(" || ")).explain(&facts()).reasons.len(), 20);
}
