//! Marks that an author leaves for later: unfinished code, switched-off tests, debug output, paths of one machine.

use crate::files::has_extension;
use crate::finding::Finding;
use crate::lexer::{self, reads};

/// Written in two halves, so that this file does not find itself.
const NOTES: [&str; 3] = [concat!("FIX", "ME"), concat!("XX", "X"), concat!("TO", "DO")];
const MACROS: [&str; 3] = ["todo", "unimplemented", "dbg"];
const HOMES: [&str; 4] =
    [concat!("/wo", "rk/"), concat!("/ro", "ot/"), concat!("/ho", "me/"), concat!("/Us", "ers/")];
const SWITCHED_OFF: [&str; 3] = [concat!(".sk", "ip("), concat!(".on", "ly("), concat!(".to", "do(")];
/// Lock files are written by tools and carry other people's words.
const LOCK_FILES: [&str; 4] = ["Cargo.lock", "go.sum", "package-lock.json", "pnpm-lock.yaml"];

pub(crate) fn check(path: &str, text: &str) -> Vec<Finding> {
    if LOCK_FILES.iter().any(|lock| path.ends_with(lock)) {
        return Vec::new();
    }
    let mut findings = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        for note in NOTES.into_iter().filter(|note| has_word(line, note)) {
            findings.push(Finding::at(
                path,
                number,
                format!("`{note}`: do it now, or write it down as an issue"),
            ));
        }
        for home in HOMES.into_iter().filter(|home| has_path(line, home)) {
            findings.push(Finding::at(
                path,
                number,
                format!("`{home}…` is a path of one machine; use a relative one"),
            ));
        }
        for call in SWITCHED_OFF.into_iter().filter(|call| is_ui_test(path) && line.contains(call)) {
            findings.push(Finding::at(path, number, format!("`{call}` leaves tests out; every test runs")));
        }
    }
    if has_extension(path, "rs") {
        findings.extend(in_code(path, text));
    }
    findings
}

fn in_code(path: &str, text: &str) -> Vec<Finding> {
    let tokens = lexer::tokens(text);
    let mut findings = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        if MACROS.contains(&token.text) && reads(&tokens, index + 1, &["!"]) {
            findings.push(Finding::at(path, token.line, format!("`{}!` is left over", token.text)));
        }
        if reads(&tokens, index, &["#", "[", "ignore"]) {
            findings.push(Finding::at(path, token.line, "`#[ignore]` switches a test off; every test runs"));
        }
    }
    findings
}

fn is_ui_test(path: &str) -> bool {
    [".test.ts", ".test.tsx", ".spec.ts", ".spec.tsx"].iter().any(|end| path.ends_with(end))
}

fn has_word(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + word.len()..].chars().next();
        ![before, after]
            .into_iter()
            .flatten()
            .any(|neighbour| neighbour.is_alphanumeric() || neighbour == '_')
    })
}

/// Whether `home` begins an absolute path: in `https://example.org/home/` or `./home/` it does not.
fn has_path(line: &str, home: &str) -> bool {
    line.match_indices(home).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        !before.is_some_and(|character| character.is_alphanumeric() || "._-~})>*".contains(character))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::assert_found;

    #[test]
    fn notes_for_later_are_found_as_whole_words() {
        let [fix, unsure, later] = NOTES;
        for note in NOTES {
            let expected = format!("a.md:2: `{note}`: do it now, or write it down as an issue");
            assert_found(&check("a.md", &format!("fine\n({note}: later)\n")), &[&expected]);
        }
        assert_found(&check("a.sh", &format!("mktemp tmp.{unsure}{unsure}; {fix}S {later}_LIST")), &[]);
        assert_found(&check("ui/pnpm-lock.yaml", fix), &[]);
    }

    #[test]
    fn unfinished_code_is_found_in_code_only() {
        check_rust("fn a() {\n    todo!()\n}", &["a.rs:2: `todo!` is left over"]);
        check_rust("unimplemented!()", &["a.rs:1: `unimplemented!` is left over"]);
        check_rust("let a = dbg!(b);", &["a.rs:1: `dbg!` is left over"]);
        check_rust("#[ignore = \"slow\"]", &["a.rs:1: `#[ignore]` switches a test off; every test runs"]);
        check_rust("// todo!()\nlet text = \"dbg!\"; todo(); ignore(a != dbg);", &[]);
    }

    fn check_rust(text: &str, expected: &[&str]) {
        assert_found(&check("a.rs", text), expected);
    }

    #[test]
    fn tests_of_the_page_cannot_be_switched_off() {
        let [skip, only, _] = SWITCHED_OFF;
        let text = format!("test{skip}\"a\")\ntest{only}\"b\")\n");
        let message = |line: usize, call: &str| {
            format!("ui/a.test.tsx:{line}: `{call}` leaves tests out; every test runs")
        };
        assert_found(&check("ui/a.test.tsx", &text), &[&message(1, skip), &message(2, only)]);
        assert_found(&check("ui/a.tsx", &text), &[]);
        assert_found(&check("a.rs", &text), &[]);
    }

    #[test]
    fn paths_of_one_machine_are_found() {
        for home in HOMES {
            let expected = format!("a.yaml:1: `{home}…` is a path of one machine; use a relative one");
            for text in [format!("file: {home}x"), format!("`{home}x`"), format!("file://{home}x")] {
                assert_found(&check("a.yaml", &text), &[&expected]);
            }
            for text in [format!("https://example.org{home}x"), format!(".{home}x"), format!("$HOME{home}x")]
            {
                assert_found(&check("a.yaml", &text), &[]);
            }
        }
    }
}
