//! Finds relative links in Markdown files that lead nowhere. Addresses on the network are not tried.

use crate::files::{Files, has_extension};
use crate::finding::Finding;
use crate::markdown;
use std::collections::BTreeMap;

pub(crate) fn check(files: &Files) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in files.with_extension("md") {
        for line in markdown::lines(text).iter().filter(|line| line.fence.is_none()) {
            let (prose, _) = markdown::split_spans(line.text);
            for target in targets(&prose) {
                if let Some(problem) = problem(files, path, target) {
                    findings.push(Finding::at(path, line.number, format!("the link `{target}` {problem}")));
                }
            }
        }
    }
    findings
}

fn targets(prose: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for (opening, end) in [("](", ')'), ("src=\"", '"'), ("href=\"", '"')] {
        for (at, _) in prose.match_indices(opening) {
            let rest = &prose[at + opening.len()..];
            found.extend(rest.split(end).next());
        }
    }
    if prose.starts_with('[')
        && let Some((_, definition)) = prose.split_once("]: ")
    {
        found.push(definition);
    }
    // What follows a space is a title.
    found
        .into_iter()
        .map(|target| target.split(' ').next().unwrap_or(target).trim_matches(['<', '>']))
        .collect()
}

fn problem(files: &Files, document: &str, target: &str) -> Option<String> {
    if target.contains("://") || target.starts_with("mailto:") {
        return None;
    }
    let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
    let path = if file.is_empty() { Some(document.to_owned()) } else { resolve(document, file) };
    let Some(path) = path else { return Some("leaves the repository".to_owned()) };
    if !files.contains(&path) {
        return Some(format!("leads nowhere: there is no {path}"));
    }
    let is_known =
        anchor.is_empty() || !has_extension(&path, "md") || anchors(&files.texts[&path]).contains_key(anchor);
    (!is_known).then(|| format!("leads nowhere: {path} has no heading for `#{anchor}`"))
}

/// The path of `link` seen from the folder of `document`; none when it leads out of the repository.
fn resolve(document: &str, link: &str) -> Option<String> {
    if link.starts_with('/') {
        return None;
    }
    let mut parts: Vec<&str> = document.split('/').collect();
    parts.pop();
    for part in link.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            name => parts.push(name),
        }
    }
    Some(parts.join("/"))
}

/// The anchors that a page's headings get, counted up when a heading repeats.
fn anchors(text: &str) -> BTreeMap<String, usize> {
    let mut found = BTreeMap::new();
    for title in markdown::lines(text).iter().filter_map(markdown::heading) {
        let kept = title.to_lowercase().replace(' ', "-");
        let slug: String = kept
            .chars()
            .filter(|character| character.is_alphanumeric() || "-_".contains(*character))
            .collect();
        let repeats: &mut usize = found.entry(slug.clone()).or_default();
        *repeats += 1;
        if *repeats > 1 {
            let numbered = format!("{slug}-{}", *repeats - 1);
            found.insert(numbered, 1);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::assert_found;

    fn check_page(page: &str, expected: &[&str]) {
        let files = Files::from_texts(&[
            ("docs/page.md", page),
            ("docs/other.md", "# Other page\n## What's `new`?\n## Twice\n## Twice\n"),
            ("README.md", ""),
            ("docs/picture.svg", ""),
        ]);
        assert_found(&check(&files), expected);
    }

    #[test]
    fn living_links() {
        check_page("[a](other.md) [b](../README.md) [c](../docs) ![d](picture.svg \"title\")\n", &[]);
        check_page(
            "[a](https://example.org/x.md) [b](mailto:a@example.org) <img src=\"picture.svg\">\n",
            &[],
        );
        check_page(
            "# Here\n[a](#here) [b](other.md#other-page) [c](other.md#whats-new) [d](other.md#twice-1)\n",
            &[],
        );
        check_page("`[a](gone.md)`\n```text\n[a](gone.md)\n```\n", &[]);
        check_page("[a][b]\n\n[b]: other.md\n", &[]);
    }

    #[test]
    fn dead_links() {
        for (page, problem) in [
            ("[a](gone.md)\n", "the link `gone.md` leads nowhere: there is no docs/gone.md"),
            ("<img src=\"gone.png\">\n", "the link `gone.png` leads nowhere: there is no docs/gone.png"),
            ("[b]: ../gone.md\n", "the link `../gone.md` leads nowhere: there is no gone.md"),
            ("[a](../../x.md)\n", "the link `../../x.md` leaves the repository"),
            ("[a](/x.md)\n", "the link `/x.md` leaves the repository"),
            ("[a](#gone)\n", "the link `#gone` leads nowhere: docs/page.md has no heading for `#gone`"),
            (
                "[a](other.md#x)\n",
                "the link `other.md#x` leads nowhere: docs/other.md has no heading for `#x`",
            ),
        ] {
            check_page(page, &[&format!("docs/page.md:1: {problem}")]);
        }
    }
}
