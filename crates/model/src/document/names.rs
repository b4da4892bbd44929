//! Names as Kubernetes takes them (RFC 1123), with a proposal for a name it would refuse.

use super::problem::{Refusal, shown};

/// Longest DNS label (RFC 1123): names of clusters, namespaces, pools.
pub const MAX_LABEL: usize = 63;

/// Longest DNS subdomain (RFC 1123): names of workloads and nodes.
pub const MAX_SUBDOMAIN: usize = 253;

/// Checks one DNS label: lower-case letters, digits and `-`, a letter or digit at both ends.
pub fn check_label(name: &str) -> Result<(), Refusal> {
    if is_label(name) {
        return Ok(());
    }
    let rule = format!(
        "a name has at most {MAX_LABEL} lower-case letters, digits and '-', and begins and ends with a letter or digit"
    );
    Err(refuse(name, &rule, proposed_label(name)))
}

/// Checks DNS labels joined by dots.
pub fn check_subdomain(name: &str) -> Result<(), Refusal> {
    if name.len() <= MAX_SUBDOMAIN && name.split('.').all(is_label) {
        return Ok(());
    }
    let rule = format!(
        "a name has at most {MAX_SUBDOMAIN} lower-case letters, digits, '-' and '.', and each part begins and ends with a letter or digit"
    );
    let parts: Vec<String> = name.split('.').take(MAX_SUBDOMAIN).filter_map(proposed_label).collect();
    let proposed = parts.join(".");
    Err(refuse(name, &rule, (!proposed.is_empty() && proposed.len() <= MAX_SUBDOMAIN).then_some(proposed)))
}

fn refuse(name: &str, rule: &str, proposed: Option<String>) -> Refusal {
    let refusal = Refusal::new(format!("{} is not a name: {rule}", shown(name)));
    match proposed {
        Some(proposed) => refusal.propose(format!("write {proposed}")),
        None => refusal,
    }
}

fn is_label(name: &str) -> bool {
    let inner = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let ends = |byte: Option<&u8>| byte.is_some_and(|byte| *byte != b'-');
    let bytes = name.as_bytes();
    bytes.len() <= MAX_LABEL && bytes.iter().copied().all(inner) && ends(bytes.first()) && ends(bytes.last())
}

/// The same name in lower case with every other character replaced by `-`; nothing when no letter or digit remains.
fn proposed_label(name: &str) -> Option<String> {
    let mut proposed = String::new();
    for character in name.chars().flat_map(char::to_lowercase) {
        match character {
            'a'..='z' | '0'..='9' => proposed.push(character),
            _ if proposed.ends_with('-') || proposed.is_empty() => {}
            _ => proposed.push('-'),
        }
        if proposed.len() == MAX_LABEL {
            break;
        }
    }
    let trimmed = proposed.trim_end_matches('-');
    (!trimmed.is_empty()).then(|| trimmed.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proposal(result: Result<(), Refusal>) -> String {
        match result {
            Ok(()) => "ok".to_owned(),
            Err(refusal) => refusal.proposal.unwrap_or_else(|| "no proposal".to_owned()),
        }
    }

    #[test]
    fn labels() {
        let check =
            |name: &str, expected: &str| assert_eq!(proposal(check_label(name)), expected, "{name:?}");
        check("member1", "ok");
        check("1", "ok");
        check(&"a".repeat(63), "ok");
        check(&"a".repeat(64), &format!("write {}", "a".repeat(63)));
        check("My Cluster", "write my-cluster");
        check("--a__b--", "write a-b");
        check("a.b", "write a-b");
        check("", "no proposal");
        check("日本", "no proposal");
        check("naïve\u{202e}", "write na-ve");
    }

    #[test]
    fn subdomains() {
        let check =
            |name: &str, expected: &str| assert_eq!(proposal(check_subdomain(name)), expected, "{name:?}");
        check("web.example", "ok");
        check("Web..Example", "write web.example");
        check(".", "no proposal");
        check(&"a.".repeat(300), "no proposal");
    }
}
