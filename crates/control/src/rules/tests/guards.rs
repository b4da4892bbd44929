//! Which facts a rule needs without asking for them.

use super::rule;

fn check(text: &str, expected: &[&str]) {
    let rule = rule(text);
    let facts: Vec<&str> = rule.unguarded().iter().map(|fact| fact.fact.as_str()).collect();
    assert_eq!(facts, expected, "{text}");
}

#[test]
fn a_fact_that_nothing_asks_for_is_named_once() {
    check("flag", &[]);
    check("target.load_after < 0.8", &["target.load_after"]);
    check("target.load_after < 0.8 && target.load_after > 0.1", &["target.load_after"]);
    check("target.zone.code == 'a'", &["target.zone", "target.zone.code"]);
    check("clusters.all(c, clusters[c].load < 0.8)", &["clusters[c].load"]);
    assert_eq!(rule("flag && target.load_after < 0.8").unguarded()[0].offset, 8);
}

#[test]
fn asking_guards_what_depends_on_the_answer() {
    check("has(target.load_after) && target.load_after < 0.8", &[]);
    check("target.load_after < 0.8 && has(target.load_after)", &[]);
    check("!has(target.load_after) || target.load_after < 0.8", &[]);
    check("!(has(target.load_after) && target.load_after > 0.8)", &[]);
    check("has(target.load_after) ? target.load_after < 0.8 : flag", &[]);
    check("!has(target.load_after) ? flag : target.load_after < 0.8", &[]);
    check("target.load_after != null && target.load_after < 0.8", &[]);
    check("target.load_after == null || target.load_after < 0.8", &[]);
    check("has(target.zone.code) && target.zone.code == 'a'", &[]);
    check("has(target.zone.code)", &[]);
    check("has(target.zone) && target.zone.nodes > 1", &[]);
    check("has(target.zone.nodes) && target.zone.nodes > 1", &[]);
    check("target.zone.code == null", &[]);
    check("clusters.all(c, has(clusters[c].load) && clusters[c].load < 0.8)", &[]);
    check("has(target.load_after) && (flag || target.load_after < 0.8)", &[]);
}

#[test]
fn asking_elsewhere_guards_nothing() {
    check("has(target.load_after) || target.load_after < 0.8", &["target.load_after"]);
    check("has(source.load_after) && target.load_after < 0.8", &["target.load_after"]);
    check("has(target.load_after) ? flag : target.load_after < 0.8", &["target.load_after"]);
    check("(has(target.load_after) && flag) || target.load_after < 0.8", &["target.load_after"]);
    check("has(target.zone) && target.zone.code == 'a'", &["target.zone.code"]);
    check("has(target.load_after) == (target.load_after < 0.8)", &["target.load_after"]);
}
