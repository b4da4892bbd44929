//! Who somebody is here: a role and where it counts by their groups, and a name that nobody else has.

use super::token::Claims;
use crate::access::{Residents, Role};
use crate::config::{Group, OidcConfig};
use control::agent::Scope;
use model::hash::ContentHash;
use model::names::ReviewerName;

/// The readable part of a name; the record is read by people.
const LONGEST_PART: usize = 40;

/// Digits of the hash behind it: 48 bits, so that nobody happens to be called like somebody else.
const DIGITS: usize = 12;

/// From the most to the least that somebody may do.
const ORDER: [Role; 4] = [Role::Admin, Role::Operator, Role::Auditor, Role::Viewer];

/// What somebody's groups give them: the role that may do most, in all parts in which one of them gives it. No group, no access.
pub(super) fn standing(config: &OidcConfig, claims: &Claims) -> Option<Group> {
    let groups = claims.groups(&config.groups_claim);
    let given: Vec<&Group> = groups.iter().filter_map(|group| config.roles.get(*group)).collect();
    let role = ORDER.into_iter().find(|role| given.iter().any(|group| group.role == *role))?;
    let parts: Vec<&Scope> =
        given.into_iter().filter(|group| group.role == role).map(|group| &group.scope).collect();
    Some(Group { role, scope: together(&parts) })
}

/// All of these parts. A file in which this would be more than they are is refused when it is read.
fn together(parts: &[&Scope]) -> Scope {
    if parts.contains(&&Scope::default()) {
        return Scope::default();
    }
    Scope {
        clusters: parts.iter().flat_map(|part| part.clusters.clone()).collect(),
        namespaces: parts.iter().flat_map(|part| part.namespaces.clone()).collect(),
    }
}

/// The names that somebody could have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names {
    /// As the provider calls them, if that is a name and says everything.
    pub plain: Option<ReviewerName>,
    /// With a mark that belongs to them alone.
    pub marked: ReviewerName,
}

/// Finds names for somebody. A subject that is a name stays one; everything else loses something on the way to a name, and gets a mark
/// made of who they are at the provider.
pub(super) fn names(issuer: &str, subject: &str, email: Option<&str>, residents: &Residents) -> Names {
    let mark = &ContentHash::of(&(issuer, subject)).to_string()[..DIGITS];
    let readable = readable(email.unwrap_or(subject));
    let exact = email.is_none() && readable == subject && residents.leave_free(subject);
    let text = if readable.is_empty() { format!("person-{mark}") } else { format!("{readable}-{mark}") };
    Names {
        plain: ReviewerName::new(subject).ok().filter(|_| exact),
        marked: ReviewerName::new(&text)
            .expect("letters, digits and hyphens, with a letter or digit at both ends"),
    }
}

fn readable(text: &str) -> String {
    let mut name = String::new();
    for character in text.chars().map(|character| character.to_ascii_lowercase()) {
        let kept = character.is_ascii_lowercase() || character.is_ascii_digit() || character == '.';
        if kept {
            name.push(character);
        } else if !name.ends_with('-') {
            name.push('-');
        }
        if name.len() >= LONGEST_PART {
            break;
        }
    }
    name.trim_matches(['-', '.']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::names::AgentName;

    fn check(subject: &str, email: Option<&str>, plain: Option<&str>, begins: &str) {
        let residents =
            Residents { inside: vec![AgentName::new("planner").expect("a name")], outside: Vec::new() };
        let names = names("https://login.test", subject, email, &residents);
        assert_eq!(names.plain.as_ref().map(ReviewerName::as_str), plain, "{subject}");
        let marked = names.marked.as_str();
        assert!(
            marked.starts_with(begins) && marked.len() == begins.len() + 1 + DIGITS,
            "{subject}: {marked}"
        );
    }

    #[test]
    fn a_name_that_says_everything_stays() {
        check("anna", None, Some("anna"), "anna");
        check("a1b2-c3", None, Some("a1b2-c3"), "a1b2-c3");
    }

    #[test]
    fn what_loses_something_gets_a_mark() {
        check("Anna", None, None, "anna");
        check("248289761001", Some("Anna.Smith@Example.org"), None, "anna.smith-example.org");
        check("auth0|5f7c8ec7", None, None, "auth0-5f7c8ec7");
        check("日本", None, None, "person");
        check("--", None, None, "person");
        check(&"x".repeat(200), None, None, &"x".repeat(LONGEST_PART));
    }

    #[test]
    fn nobody_is_called_like_an_agent_or_a_word() {
        check("planner", None, None, "planner");
        check("people", None, None, "people");
    }

    #[test]
    fn two_people_never_have_the_same_name() {
        let of = |issuer: &str, subject: &str| {
            names(issuer, subject, Some("anna@example.org"), &Residents::default()).marked
        };
        assert_ne!(of("https://a.test", "1"), of("https://a.test", "2"));
        assert_ne!(of("https://a.test", "1"), of("https://b.test", "1"));
        assert_eq!(of("https://a.test", "1"), of("https://a.test", "1"));
    }
}
