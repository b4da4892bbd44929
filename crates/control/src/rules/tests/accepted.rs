//! Expressions that are accepted, and what they say. The decision page tells what another implementation of CEL said about them.

use super::evaluate;

fn check(rows: &[&str], expected: bool) {
    for text in rows {
        assert_eq!(evaluate(text), Ok(expected), "{text}");
    }
}

fn check_error(text: &str, expected: &str) {
    assert_eq!(evaluate(text).unwrap_err().to_string(), expected, "{text}");
}

#[test]
fn literals() {
    check(
        &[
            "true",
            "!false",
            "0x1F == 31",
            "-9223372036854775808 < -9223372036854775807",
            ".5 == 0.5",
            "1e3 == 1000.0",
            "2.5E-1 == 0.25",
            "[1, 2,] == [1, 2]",
            "[] == []",
            "[[], [1]][0] == []",
            "// first a comment\ntrue // and one at the end",
        ],
        true,
    );
}

#[test]
fn strings() {
    check(
        &[
            r#""it's" == 'it\'s'"#,
            r#"'say "hi"' == "say \"hi\"""#,
            r#"r"\d" == "\\d""#,
            r"R'\' == '\\'",
            "'''one\ntwo''' == 'one\\ntwo'",
            r#"'''x''x''' == "x''x""#,
            r#""""a"b""" == 'a"b'"#,
            r#"r"""\n""" == '\\n'"#,
            r#""\x41\X42\u0043\U00000044\105" == "ABCDE""#,
            r#""\a\b\f\n\r\t\v\?\`".size() == 9"#,
            r#"'\303\277' == "\u00c3\u00bf""#,
            r#"'\xff' == "ÿ""#,
            r#"size("fiance\u0301") == 7"#,
            "size('😀') == 1",
        ],
        true,
    );
}

#[test]
fn precedence_and_associativity() {
    check(
        &[
            "1 + 2 * 3 == 7",
            "(1 + 2) * 3 == 9",
            "10 - 4 - 3 == 3",
            "24 / 4 / 2 == 3",
            "24 / 4 * 2 == 12",
            "7 % 4 * 2 == 6",
            "-2 + 3 == 1",
            "- 2 == -2",
            "--n == 7",
            "2 - -3 == 5",
            "2-3 == -1",
            "true || false && false",
            "!(flag && false)",
            "!flag || true",
            "1 < 2 == true",
            "1 == 1 == true",
            "false ? false : true ? true : false",
            "true ? true : true ? false : false",
            "(flag ? 1 : 2) + 1 == 2",
            "flag || flag ? true : false",
            "1 in [1] == true",
            "1 + 1 in [2]",
            "!!flag",
        ],
        true,
    );
}

#[test]
fn arithmetic() {
    check(
        &[
            "7 / 2 == 3",
            "-7 / 2 == -3",
            "7 / -2 == -3",
            "-7 % 4 == -3",
            "7 % -4 == 3",
            "42 % 5 == 2",
            "7.0 / 2.0 == 3.5",
            "1.0 / 0.0 > 1e308",
            "0.1 + 0.2 != 0.3",
            "double(n) / 2.0 == 3.5",
            "int(x) == 2",
            "int(-2.9) == -2",
            "int(n) == 7 && double(x) == 2.5",
            "'a' + 'b' == 'ab'",
            "[1] + [2, 3] == numbers",
            "[] + names == names",
            "age + duration('30s') == duration('2m')",
            "age - duration('2m') == duration('-30s')",
            "duration('1h') > duration('59m59s')",
            "duration('60s') == duration('1m')",
        ],
        true,
    );
}

#[test]
fn what_does_not_fit_is_an_error() {
    let most = "9223372036854775807";
    check_error(&format!("{most} + n > 0"), "the result of `+` does not fit into 64 bits");
    check_error(&format!("-{most} - n < 0"), "the result of `-` does not fit into 64 bits");
    check_error(&format!("{most} * n > 0"), "the result of `*` does not fit into 64 bits");
    check_error("-9223372036854775808 / -1 > 0", "the result of `/` does not fit into 64 bits");
    check_error("-9223372036854775808 % -1 == 0", "the result of `%` does not fit into 64 bits");
    check_error("-(-9223372036854775808) > 0", "the result of `-` does not fit into 64 bits");
    check_error("n / (n - 7) > 0", "`/` by zero");
    check_error("n % 0 > 0", "`%` by zero");
    check_error("int(1e300) > 0", "the result of `int` does not fit into 64 bits");
    check_error("duration('2562047h') + duration('1h') > age", "the result of `+` does not fit into 64 bits");
    check_error("0.0 / 0.0 < 1.0", "something that is not a number cannot be ordered or converted");
    check_error("int(0.0 / 0.0) < 1", "something that is not a number cannot be ordered or converted");
    check_error("numbers[3] == 1", "`numbers` has 3 elements and none at 3");
    check_error("numbers[-1] == 1", "`numbers` has 3 elements and none at -1");
    check_error("clusters['north'].pending == 1", "`clusters` has no entry \"north\"");
    check_error("clusters.north.pending == 1", "`clusters` has no entry \"north\"");
}

#[test]
fn comparisons() {
    check(
        &[
            "'a' < 'b'",
            "'Z' < 'a'",
            "'a' < 'ä'",
            "'' < 'a'",
            "false < true",
            "1 < 1.5",
            "2.5 > 2",
            "n >= 7.0 && n <= 7.0",
            "!(n < x)",
            // 2^53 + 1 has no double of its own; rounding it would make these wrong.
            "9007199254740993 > 9007199254740992.0",
            "9223372036854775807 < 9223372036854775808.0",
            "-9223372036854775808 <= -9223372036854775808.0",
            "-1 < 1.0 / 0.0",
            "-1 > -1.5",
            "0.0 == -0.0",
            "!(0.0 / 0.0 == 0.0 / 0.0)",
            "[1, 2] != [2, 1]",
            "[1] != [1, 1]",
            "risk == 'low' && 'low' == risk",
            "risk in ['low', 'medium']",
            "!('c' in names)",
            "2 in numbers",
            "'east' in clusters",
            "!('north' in clusters)",
            "!(1 in [])",
            "age < duration('2m')",
            "age in [duration('90s')]",
        ],
        true,
    );
}

#[test]
fn functions() {
    check(
        &[
            "s.startsWith('grü')",
            "s.endsWith('ße')",
            "s.contains('üß')",
            "!s.contains('x')",
            "s.contains('')",
            "s.size() == 5",
            "size(s) == 5",
            "names.size() == 2",
            "size(clusters) == 2",
            "size([]) == 0",
            "source.namespace == 'shop'",
        ],
        true,
    );
}

#[test]
fn loops() {
    check(
        &[
            "numbers.all(i, i > 0)",
            "!numbers.all(i, i > 1)",
            "numbers.exists(i, i == 2)",
            "!numbers.exists(i, i > 3)",
            "numbers.exists_one(i, i > 2)",
            "!numbers.exists_one(i, i > 1)",
            "[].all(i, false)",
            "![].exists(i, true)",
            "numbers.filter(i, i % 2 == 1) == [1, 3]",
            "numbers.map(i, i * i) == [1, 4, 9]",
            "numbers.map(i, [i]).filter(l, 2 in l) == [[2]]",
            "numbers.all(i, numbers.exists(j, i + j == 4))",
            "clusters.exists(name, clusters[name].pending == 2)",
            "clusters.all(name, clusters[name].pending < 3)",
            "clusters.exists_one(name, name.startsWith('e'))",
            "names.exists(name, name == 'b') && names.all(name, name != 'c')",
        ],
        true,
    );
}

#[test]
fn unknown_facts() {
    check(
        &[
            "has(source.load_after)",
            "!has(target.load_after)",
            "has(source.zone.code)",
            "!has(target.zone.code)",
            "!has(target.zone)",
            "has(source.zone.nodes)",
            "!has(target.zone.nodes)",
            "target.load_after == null",
            "source.load_after != null",
            "null == target.zone.code",
            "target.zone.nodes == null",
            "source.zone.nodes != null",
            "'low' in kinds && kinds[0] == risk",
            "has(clusters.east)",
            "!has(clusters.north)",
            "has(clusters['east'].load)",
            "!has(clusters['west'].load)",
            "!has(target.load_after) || target.load_after < 0.8",
            "has(target.load_after) ? target.load_after < 0.8 : flag",
        ],
        true,
    );
    check_error(
        "target.load_after < 0.8",
        "`target.load_after` is not known; ask for it with has(target.load_after)",
    );
    check_error("target.zone.code == 'a'", "`target.zone` is not known; ask for it with has(target.zone)");
    check_error("has(clusters['north'].load)", "`clusters` has no entry \"north\"");
    check_error(
        "clusters.all(c, clusters[c].load < 0.9)",
        "`clusters[c].load` is not known; ask for it with has(clusters[c].load)",
    );
}

#[test]
fn an_operand_that_settles_the_result_outweighs_one_that_fails() {
    check(
        &[
            "target.load_after < 0.8 || true",
            "true || target.load_after < 0.8",
            "!(target.load_after < 0.8 && false)",
            "!(1 / 0 == 1 && false)",
            "[0, 1].exists(i, 1 / i == 1)",
            "![0, 2].all(i, 4 / i == 1)",
            "!clusters.all(c, clusters[c].load < 0.4)",
        ],
        true,
    );
    check_error(
        "target.load_after < 0.8 && true",
        "`target.load_after` is not known; ask for it with has(target.load_after)",
    );
    check_error("false || 1 / 0 == 1", "`/` by zero");
    check_error("[0, 1].exists_one(i, 1 / i == 1)", "`/` by zero");
    check_error("[0, 1].filter(i, 1 / i == 1) == [1]", "`/` by zero");
    check_error("1 / 0 == 1 ? true : true", "`/` by zero");
}

#[test]
fn evaluation_has_a_budget() {
    let ten = "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]";
    let nested = |loops: usize| {
        let open: Vec<String> = (0..loops).map(|place| format!("{ten}.all(v{place}, ")).collect();
        format!("{}true{}", open.concat(), ")".repeat(loops))
    };
    assert_eq!(evaluate(&nested(4)), Ok(true));
    check_error(&nested(5), "the evaluation takes too many steps");
    // No operand outweighs that: the rest was not looked at.
    check_error(&format!("{} || true", nested(5)), "the evaluation takes too many steps");
    let doubled = ".map(v, v + v)".repeat(40);
    check_error(&format!("['0123456789abcdef']{doubled} == []"), "the evaluation takes too many steps");
    let longer = ".map(v, v + v)".repeat(20);
    check_error(&format!("[[1]]{longer} == []"), "a list would have more than 10000 elements");
}
