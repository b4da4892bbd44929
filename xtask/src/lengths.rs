//! How long files and functions are. Short ones fit in a head; the median shows the habit, the limits catch the rest.

use crate::finding::Finding;
use crate::lexer::{self, Token, closing, is_word, reads};

/// Lines of a file without its test modules; about what one can keep in mind in one sitting.
const FILE_LIMIT: usize = 600;
/// Lines from `fn` to its closing bracket: one screen. The same number stands in `clippy.toml`.
const FUNCTION_LIMIT: usize = 70;
/// Above this the typical function of a crate no longer does one thing.
const MEDIAN_LIMIT: usize = 15;

#[derive(Debug, PartialEq, Eq)]
struct Function<'a> {
    name: &'a str,
    first_line: usize,
    lines: usize,
}

/// Limits on one Rust file.
pub(crate) fn check(path: &str, text: &str) -> Vec<Finding> {
    let tokens = lexer::tokens(text);
    let mut findings: Vec<Finding> = functions(&tokens)
        .into_iter()
        .filter(|function| function.lines > FUNCTION_LIMIT)
        .map(|function| {
            let Function { name, first_line, lines } = function;
            Finding::at(
                path,
                first_line,
                format!("`{name}` has {lines} lines; the limit is {FUNCTION_LIMIT}"),
            )
        })
        .collect();
    let lines = lines_outside_tests(path, text, &tokens);
    if lines > FILE_LIMIT {
        findings.push(Finding::about(
            path,
            format!("{lines} lines without test modules; the limit is {FILE_LIMIT}"),
        ));
    }
    findings
}

/// A test module in a file of its own counts as little as one at the end of the code it tests.
fn lines_outside_tests(path: &str, text: &str, tokens: &[Token<'_>]) -> usize {
    if path.ends_with("/tests.rs") {
        return 0;
    }
    let test_lines: usize = test_modules(tokens).iter().map(|(first, last)| last - first + 1).sum();
    text.lines().count() - test_lines
}

/// The median function of one crate, tests left out, and a finding when it is too long. `files` are path and text.
pub(crate) fn check_median<'a>(
    name: &str,
    files: impl Iterator<Item = (&'a str, &'a str)>,
) -> (String, Option<Finding>) {
    let mut lengths: Vec<usize> = files
        .filter(|(path, _)| !is_test_file(path))
        .flat_map(|(_, text)| lengths_outside_tests(text))
        .collect();
    lengths.sort_unstable();
    let Some(median) = lengths.get(lengths.len() / 2) else {
        return (format!("{name}: no functions"), None);
    };
    let finding = (*median > MEDIAN_LIMIT).then(|| {
        Finding::about(name, format!("the median function has {median} lines; the limit is {MEDIAN_LIMIT}"))
    });
    (format!("{name}: median function {median} lines of {} functions", lengths.len()), finding)
}

fn is_test_file(path: &str) -> bool {
    path.contains("/tests/") || path.contains("/benches/") || path.ends_with("/tests.rs")
}

fn lengths_outside_tests(text: &str) -> Vec<usize> {
    let tokens = lexer::tokens(text);
    let tests = test_modules(&tokens);
    let in_tests = |line: usize| tests.iter().any(|(first, last)| (*first..=*last).contains(&line));
    functions(&tokens)
        .iter()
        .filter(|function| !in_tests(function.first_line))
        .map(|function| function.lines)
        .collect()
}

fn functions<'a>(tokens: &[Token<'a>]) -> Vec<Function<'a>> {
    let named = |index: &usize| tokens[*index].text == "fn" && tokens.get(index + 1).is_some_and(is_word);
    (0..tokens.len())
        .filter(named)
        .filter_map(|index| {
            let first_line = tokens[index].line;
            let last_line = tokens[closing(tokens, body(tokens, index)?)].line;
            Some(Function { name: tokens[index + 1].text, first_line, lines: last_line - first_line + 1 })
        })
        .collect()
}

/// The bracket that opens the body of the function whose `fn` is at `start`; none for a declaration in a trait.
fn body(tokens: &[Token<'_>], start: usize) -> Option<usize> {
    let mut index = start;
    loop {
        match tokens.get(index)?.text {
            "{" => return Some(index),
            ";" => return None,
            "(" | "[" => index = closing(tokens, index) + 1,
            _ => index += 1,
        }
    }
}

/// First and last lines of the modules that are compiled for tests only.
fn test_modules(tokens: &[Token<'_>]) -> Vec<(usize, usize)> {
    let starts = (0..tokens.len()).filter(|index| reads(tokens, *index, &["#", "[", "cfg", "("]));
    starts
        .filter_map(|start| {
            let end = closing(tokens, start + 1);
            let condition = &tokens[start..end];
            let mentions = |word| condition.iter().any(|token| token.text == word);
            let open = if mentions("test") && !mentions("not") {
                module_body(tokens, end + 1)?
            } else {
                return None;
            };
            Some((tokens[start].line, tokens[closing(tokens, open)].line))
        })
        .collect()
}

/// The opening bracket of a module, when one follows at `start` after further attributes and a visibility.
fn module_body(tokens: &[Token<'_>], start: usize) -> Option<usize> {
    let mut index = start;
    loop {
        match tokens.get(index)?.text {
            "#" => index = closing(tokens, index + 1) + 1,
            "pub" => index += 1,
            "(" => index = closing(tokens, index) + 1,
            "mod" => return tokens.get(index + 2).filter(|token| token.text == "{").map(|_| index + 2),
            _ => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::assert_found;

    fn function_of(lines: usize) -> String {
        format!("fn long() {{\n{}}}\n", "    step();\n".repeat(lines - 2))
    }

    #[test]
    fn functions_have_a_limit() {
        assert_found(&check("a.rs", &function_of(70)), &[]);
        assert_found(&check("a.rs", &function_of(71)), &["a.rs:1: `long` has 71 lines; the limit is 70"]);
    }

    #[test]
    fn files_have_a_limit_that_test_modules_do_not_count_for() {
        let code = "const A: u8 = 1;\n".repeat(600);
        let tests = "#[cfg(test)]\n#[rustfmt::skip]\nmod tests {\n    const B: u8 = 1;\n}\n";
        assert_found(&check("a.rs", &format!("{code}{tests}")), &[]);
        let not_tests = tests.replace("cfg(test)", "cfg(not(test))");
        let message = "a.rs: 605 lines without test modules; the limit is 600";
        assert_found(&check("a.rs", &format!("{code}{not_tests}")), &[message]);
        assert_found(&check("a/tests.rs", &format!("{code}{not_tests}")), &[]);
    }

    #[test]
    fn signatures_of_all_shapes_are_measured() {
        for (text, lines) in [
            ("fn a() {}", &[1][..]),
            ("fn a(x: [u8; 4], f: fn(u8) -> u8)\nwhere\n    T: Ord,\n{\n}", &[5]),
            ("trait A {\n    fn declared(&self);\n    fn given(&self) {\n    }\n}", &[2]),
            ("const TEXT: &str = \"fn a() {\";\n// fn b() {", &[]),
            ("macro_rules! m { ($name:ident) => { fn $name() {} } }", &[]),
            ("fn outer() {\n    fn inner() {\n    }\n}", &[4, 2]),
        ] {
            let found: Vec<usize> =
                functions(&lexer::tokens(text)).iter().map(|function| function.lines).collect();
            assert_eq!(found, lines, "{text}");
        }
    }

    #[test]
    fn the_median_leaves_tests_out() {
        let short = "#[cfg(test)]\nmod tests {\n fn a() {}\n fn b() {}\n fn c() {}\n}\n";
        let long = format!("{}{short}", function_of(16));
        let files = [("x/src/lib.rs", long.as_str()), ("x/tests/it/main.rs", "fn d() {}\nfn e() {}")];
        let (line, finding) = check_median("x", files.into_iter());
        assert_eq!(line, "x: median function 16 lines of 1 functions");
        assert_found(finding.as_slice(), &["x: the median function has 16 lines; the limit is 15"]);
        let files = [("x/src/lib.rs", "fn a() {}")];
        assert_eq!(check_median("x", files.into_iter()).1, None);
        assert_eq!(check_median("x", std::iter::empty()), ("x: no functions".to_owned(), None));
    }
}
