//! Texts that are refused. `rejected.txt` has all that is said about each.

use super::schema;
use crate::rules::Rule;
use crate::rules::limits::{MAX_DEPTH, MAX_PROBLEMS, MAX_TEXT};
use expect_test::expect_file;

const CHARACTERS_AND_LITERALS: &[&str] = &[
    "n = 7",
    "n === 7",
    "n <> 7",
    "flag & flag | flag",
    "flag; flag",
    "s == “a”",
    "s == 'open",
    "s == 'a\nb'",
    r"s == '\d'",
    r"s == '\u12'",
    r"s == '\ud83d\ude03'",
    r"s == '\400'",
    "s == b'a'",
    "n > 1u",
    "age > 10m",
    "x < 5.",
    "x < 1e999",
    "n < 9223372036854775808",
    "n < 0x",
    "n < 7x",
    "größe > 1",
    "flag\u{a0}&& flag",
    "s == 'a\u{202e}b'",
    "flag // \u{202e}",
    "#",
];

const GRAMMAR: &[&str] = &[
    "",
    "  // nothing",
    "flag &&",
    "&& flag",
    "flag and flag",
    "flag or flag",
    "not flag",
    "s is 'a'",
    "'a' not in names",
    "(flag",
    "flag)",
    "(flag flag) && (n ==) && numbers.all(i, )",
    "names[0",
    "flag ? flag",
    "flag ? flag ? flag : flag : flag",
    "!-n",
    "x < 80 %",
    "source.",
    "source.in",
    "if flag",
    "{'a': 1} == {}",
    "n n && n",
    "flag || == 3 || x.y.z || 7 || unknown == 1",
];

const NAMES_AND_CALLS: &[&str] = &[
    "flg",
    "True",
    "nothing_like_it > 1",
    "source.laod_after > 0.5",
    "source.cost > 0.5",
    "n.value > 1",
    "clusters.east.pendng > 1",
    "numbers.all(nmbr, number > 1)",
    "numbers.all(n, n > 1)",
    "numbers.all(i, numbers.all(i, i > 1))",
    "numbers.all(1, true)",
    "numbers.all(i)",
    "n.all(i, true)",
    "clusters.map(c, c) == []",
    "s.matches('a.*')",
    "s.startswith('a')",
    "s.startsWith()",
    "len(names) > 1",
    "max(n, 3) > 1",
    "foo(n)",
    "size(n) > 1",
    "size() > 1",
    "names.contains('a')",
    "double(s) > 1.0",
    "duration(s) < age",
    "duration('10') < age",
    "duration('2d') < age",
    "has(flag)",
    "has(n + 1)",
    "has(source.namespace)",
    "has(source.zon)",
    "has((flag ? source : source).zone)",
    "has(source.zone, target.zone)",
];

const TYPES: &[&str] = &[
    "n",
    "s + 1 == 'a'",
    "n + 1.0 > 2.0",
    "n == 7.0",
    "n == '7'",
    "s == 7",
    "s < 7",
    "age > 600",
    "age > '10m'",
    "age * 2 > age",
    "x % 2.0 == 0.0",
    "1 < n < 9",
    "flag && n",
    "flag && names",
    "flag && risk",
    "!n",
    "-flag",
    "flag ? 1 : 'a'",
    "flag ? 1 : 2.0",
    "n ? flag : flag",
    "[1, 'a'] == []",
    "[1, 2.0] == []",
    "s in 'abc'",
    "n in names",
    "1.0 in numbers",
    "n in 5",
    "source == target",
    "source in [source]",
    "clusters == clusters",
    "names < names",
    "numbers['a'] == 1",
    "clusters[0].pending == 1",
    "source[0] == 1",
    "risk == 'lwo'",
    "'severe' != risk",
    "risk in ['low', 'hihg', 'medum']",
    "'hihg' in kinds",
    "n == null",
    "null",
    "null == null",
    "source.zone == null",
    "names == null",
    "x > n + 1 && s > 2 && risk == 'none' && target.lod_after < 1",
];

#[test]
fn everything_wrong_is_said_at_once() {
    let rows = [CHARACTERS_AND_LITERALS, GRAMMAR, NAMES_AND_CALLS, TYPES].concat();
    let said: Vec<String> = rows.into_iter().map(said).collect();
    expect_file!["rejected.txt"].assert_eq(&said.concat());
}

/// The text, and each of its problems on a line.
fn said(text: &str) -> String {
    let problems = Rule::parse(text, &schema()).expect_err(text);
    let visible = text.replace('\u{202e}', "<U+202E>").replace('\u{a0}', "<U+00A0>");
    let lines = problems.iter().map(|problem| format!("    {}", problem.to_string().replace('\u{a0}', " ")));
    format!("{visible}\n{}\n", lines.collect::<Vec<_>>().join("\n"))
}

#[test]
fn hostile_sizes() {
    check_starts(&"x".repeat(MAX_TEXT + 1), "1:1: the rule has 4097 bytes; at most 4096 are read");
    let deep = format!("1:{}: more than 64 expressions lie within each other", MAX_DEPTH + 1);
    for bracket in ["(", "["] {
        check_starts(&bracket.repeat(MAX_TEXT), &deep);
    }
    check_starts(&"!".repeat(MAX_TEXT), "");
    check_starts(
        &format!("{}flag", "!".repeat(4_000)),
        "1:3937: more than 64 expressions lie within each other",
    );
    check_starts(
        &format!("1{} == 1", " + 1".repeat(500)),
        "1:1: more than 64 expressions lie within each other",
    );
    check_starts(&"size(".repeat(800), "1:321: more than 64 expressions lie within each other");
    check_starts(&"flag ? flag : ".repeat(200), "1:897: more than 64 expressions lie within each other");
    check_starts(
        &format!("source{}", ".zone".repeat(500)),
        "1:1: more than 64 expressions lie within each other",
    );
    assert_eq!(Rule::parse(&"@".repeat(MAX_TEXT), &schema()).unwrap_err().len(), MAX_PROBLEMS);
    let wide = vec!["flag"; 500].join(" || ");
    assert!(Rule::parse(&wide, &schema()).is_ok(), "what stands in a row is not deep");
    let long = format!("n in [{}]", vec!["1"; 1_300].join(", "));
    assert!(Rule::parse(&long, &schema()).is_ok());
}

fn check_starts(text: &str, start: &str) {
    let problems = Rule::parse(text, &schema()).expect_err("too large");
    assert!(problems[0].to_string().starts_with(start), "{}", problems[0]);
}
