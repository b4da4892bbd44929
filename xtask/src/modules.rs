//! Finds Rust files that no `mod` declaration reaches: nothing compiles them, so nothing tests them.

use crate::files::Files;
use crate::finding::Finding;
use crate::lexer::{self, Token, is_word, reads};
use std::collections::BTreeSet;

const FUZZ_TARGETS: &str = "fuzz/targets/";

/// `roots` are the files cargo compiles first: one per library, binary, test, bench, example and build script.
pub(crate) fn check(files: &Files, roots: &[String]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut reached = BTreeSet::new();
    // Fuzz targets are built by their own script; each is a file of its own, and they share one.
    let targets = files.with_extension("rs").map(|(path, _)| path.to_owned());
    let targets = targets.filter(|path| path.starts_with(FUZZ_TARGETS) || path == "fuzz/src/lib.rs");
    let mut waiting: Vec<(String, bool)> =
        roots.iter().cloned().chain(targets).map(|root| (root, true)).collect();
    while let Some((path, is_root)) = waiting.pop() {
        let Some(text) = files.texts.get(&path) else { continue };
        if !reached.insert(path.clone()) {
            continue;
        }
        let tokens = lexer::tokens(text);
        // The program has no library, so what it reads is tried by bringing the file itself.
        if !path.starts_with("fuzz/targets/") {
            findings.extend(redirections(&path, &tokens));
        }
        for module in declared(&tokens) {
            waiting.extend(candidates(&path, is_root, &module).map(|candidate| (candidate, false)));
        }
    }
    let orphans = files.with_extension("rs").filter(|(path, _)| !reached.contains(*path));
    findings.extend(orphans.map(|(path, _)| {
        Finding::about(
            path,
            "no `mod` declaration reaches this file, so nothing compiles it; declare it or delete it",
        )
    }));
    findings
}

fn redirections<'a>(path: &'a str, tokens: &'a [Token<'a>]) -> impl Iterator<Item = Finding> + 'a {
    // A program has no library that a fuzz target could depend on.
    let refused = !path.starts_with(FUZZ_TARGETS);
    let starts =
        (0..tokens.len()).filter(move |index| refused && reads(tokens, *index, &["#", "[", "path", "="]));
    starts.map(move |index| {
        Finding::at(
            path,
            tokens[index].line,
            "`#[path]` hides where a module lives; move the file to its place",
        )
    })
}

/// Modules declared without a body, each as its path of names from this file on (`["tests", "table"]`).
fn declared(tokens: &[Token<'_>]) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    let mut inside: Vec<(String, usize)> = Vec::new();
    for index in 0..tokens.len() {
        inside.retain(|(_, end)| index < *end);
        let names_module = tokens[index].text == "mod" && tokens.get(index + 1).is_some_and(is_word);
        let Some(after) = tokens.get(index + 2).filter(|_| names_module) else { continue };
        let name = tokens[index + 1].text.trim_start_matches("r#").to_owned();
        if after.text == "{" {
            inside.push((name, lexer::closing(tokens, index + 2)));
        } else if after.text == ";" {
            found.push(inside.iter().map(|(outer, _)| outer.clone()).chain([name]).collect());
        }
    }
    found
}

/// The two places where the compiler looks for a module that `path` declares.
fn candidates(path: &str, is_root: bool, module: &[String]) -> impl Iterator<Item = String> + use<> {
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let own_folder = match file.strip_suffix(".rs") {
        Some(stem) if !is_root && stem != "mod" => format!("{folder}/{stem}"),
        _ => folder.to_owned(),
    };
    let base = format!("{own_folder}/{}", module.join("/")).trim_start_matches('/').to_owned();
    [format!("{base}.rs"), format!("{base}/mod.rs")].into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::assert_found;

    fn check_tree(texts: &[(&str, &str)], expected: &[&str]) {
        let roots = ["a/src/lib.rs".to_owned(), "a/tests/it/main.rs".to_owned()];
        assert_found(&check(&Files::from_texts(texts), &roots), expected);
    }

    #[test]
    fn files_reached_through_declarations_are_in_order() {
        check_tree(
            &[
                ("a/src/lib.rs", "pub mod one;\nmod two;\nmod inline { mod three; }\nmod last;"),
                ("a/src/one.rs", "pub(crate) mod deep;"),
                ("a/src/one/deep.rs", ""),
                ("a/src/two/mod.rs", "#[cfg(test)]\nmod tests;"),
                ("a/src/two/tests.rs", ""),
                ("a/src/inline/three.rs", ""),
                ("a/src/last.rs", ""),
                ("a/tests/it/main.rs", "mod table;"),
                ("a/tests/it/table.rs", ""),
            ],
            &[],
        );
    }

    #[test]
    fn a_file_that_nothing_declares_is_an_orphan() {
        let orphan =
            "no `mod` declaration reaches this file, so nothing compiles it; declare it or delete it";
        check_tree(
            &[
                ("a/src/lib.rs", "// mod one;\nconst TEXT: &str = \"mod one;\";"),
                ("a/src/one.rs", ""),
                ("a/tests/it/main.rs", ""),
                ("a/tests/it/one.rs", ""),
            ],
            &[&format!("a/src/one.rs: {orphan}"), &format!("a/tests/it/one.rs: {orphan}")],
        );
    }

    #[test]
    fn redirections_are_refused() {
        check_tree(
            &[("a/src/lib.rs", "//! Doc.\n#[path = \"other.rs\"]\nmod one;")],
            &["a/src/lib.rs:2: `#[path]` hides where a module lives; move the file to its place"],
        );
        check_tree(
            &[
                ("a/src/lib.rs", "//! Doc.\n"),
                ("fuzz/targets/one.rs", "//! Doc.\n#[path = \"../../a.rs\"]\nmod one;"),
            ],
            &[],
        );
    }
}
