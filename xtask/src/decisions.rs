//! Decision pages: numbered without gaps, all in the same four parts.

use crate::files::Files;
use crate::finding::Finding;
use crate::markdown;

const FOLDER: &str = "docs/decisions/";
const PARTS: [&str; 4] = ["Context", "Decision", "Consequences", "Alternatives"];

pub(crate) fn check(files: &Files) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut expected = 1;
    for (path, text) in files.with_extension("md") {
        let Some(name) = path.strip_prefix(FOLDER).filter(|name| *name != "README.md") else { continue };
        let Some(number) = number(name) else {
            findings.push(Finding::about(path, "a decision page is called `NNNN-title-in-lower-case.md`"));
            continue;
        };
        if number != expected {
            findings.push(Finding::about(path, format!("the next decision has number {expected:04}")));
        }
        expected = number + 1;
        findings.extend(check_page(path, text, number));
    }
    findings
}

/// The number of `0001-pure-core.md`.
fn number(name: &str) -> Option<u32> {
    let (digits, title) = name.strip_suffix(".md")?.split_once('-')?;
    let plain =
        |character: char| character.is_ascii_lowercase() || character.is_ascii_digit() || character == '-';
    let well_formed = digits.len() == 4 && !title.is_empty() && title.chars().all(plain);
    digits.parse().ok().filter(|_| well_formed)
}

fn check_page(path: &str, text: &str, number: u32) -> Vec<Finding> {
    let mut findings = Vec::new();
    if !text.starts_with(&format!("# {number:04} ")) {
        findings.push(Finding::at(path, 1, format!("begin with `# {number:04}` and the title")));
    }
    let lines = markdown::lines(text);
    let headings: Vec<&str> = lines.iter().filter_map(markdown::heading).skip(1).collect();
    if headings != PARTS {
        let message = format!("the parts are {}; found: {}", PARTS.join(", "), headings.join(", "));
        findings.push(Finding::about(path, message));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::assert_found;

    fn page(number: &str) -> String {
        let parts: Vec<String> = PARTS.iter().map(|part| format!("## {part}\n\nText.\n")).collect();
        format!("# {number} Title\n\n{}", parts.join("\n"))
    }

    fn check_pages(pages: &[(&str, &str)], expected: &[&str]) {
        let folder: Vec<(String, &str)> =
            pages.iter().map(|(name, text)| (format!("{FOLDER}{name}"), *text)).collect();
        let texts: Vec<(&str, &str)> = folder.iter().map(|(path, text)| (path.as_str(), *text)).collect();
        assert_found(&check(&Files::from_texts(&texts)), expected);
    }

    #[test]
    fn pages_in_order() {
        check_pages(
            &[("0001-one.md", &page("0001")), ("0002-two.md", &page("0002")), ("README.md", "# List")],
            &[],
        );
    }

    #[test]
    fn numbers_have_no_gaps_and_no_twins() {
        let (one, three) = (page("0001"), page("0003"));
        check_pages(
            &[("0001-one.md", &one), ("0003-three.md", &three)],
            &["docs/decisions/0003-three.md: the next decision has number 0002"],
        );
        check_pages(
            &[("0001-one.md", &one), ("0001-other.md", &one)],
            &["docs/decisions/0001-other.md: the next decision has number 0002"],
        );
        check_pages(
            &[("1-one.md", &one)],
            &["docs/decisions/1-one.md: a decision page is called `NNNN-title-in-lower-case.md`"],
        );
    }

    #[test]
    fn every_page_has_the_four_parts() {
        let text = "# 0002 Title\n\n## Context\n\n## Decision\n";
        check_pages(
            &[("0001-one.md", text)],
            &[
                "docs/decisions/0001-one.md:1: begin with `# 0001` and the title",
                "docs/decisions/0001-one.md: the parts are Context, Decision, Consequences, Alternatives; \
                 found: Context, Decision",
            ],
        );
    }
}
