//! Names of strategies and scenarios where there is little room: short, and still told apart.

use std::collections::BTreeMap;

/// What fits beside a figure.
const LONGEST: usize = 36;

/// Twelve-pixel letters are about this wide; broad fonts are wider than narrow ones.
const LETTER: f64 = 7.0;

/// How much room a text needs.
pub(super) fn width(text: &str) -> f64 {
    text.chars().count() as f64 * LETTER
}

pub(super) fn widest(texts: &[String]) -> f64 {
    texts.iter().map(|text| width(text)).fold(0.0, f64::max)
}

/// Strategies as figures name them. Names that differ only in the middle get their number.
pub(in crate::experiment) fn shown_names(names: &[String]) -> Vec<String> {
    let short: Vec<String> = names.iter().map(|name| clipped(name, LONGEST)).collect();
    let is_alone = |name: &String| short.iter().filter(|other| *other == name).count() == 1;
    let numbered = |(index, name): (usize, &String)| {
        if is_alone(name) { name.clone() } else { format!("{}. {}", index + 1, clipped(name, LONGEST - 4)) }
    };
    short.iter().enumerate().map(numbered).collect()
}

/// Beginning and end of a long text: parameters differ at the end more often than at the beginning.
pub(super) fn clipped(text: &str, longest: usize) -> String {
    let letters: Vec<char> = text.chars().collect();
    if letters.len() <= longest {
        return text.to_owned();
    }
    let (head, tail) = (longest / 2, longest - longest / 2 - 1);
    let head: String = letters[..head].iter().collect();
    let tail: String = letters[letters.len() - tail..].iter().collect();
    format!("{head}…{tail}")
}

/// What scenarios and strategies may have of a file name: with a kind between them, they stay below what archives allow.
pub(super) const SCENARIO_SLUG: usize = 36;
pub(super) const STRATEGY_SLUG: usize = 28;

/// Parts of file names: small letters, digits and hyphens, each once.
pub(super) fn slugs(names: &[&str], longest: usize) -> Vec<String> {
    let mut seen = BTreeMap::<String, usize>::new();
    let mut unique = |name: &&str| {
        let plain = slug(name, longest);
        let count = seen.entry(plain.clone()).or_default();
        *count += 1;
        if *count == 1 { plain } else { format!("{plain}--{count}") }
    };
    names.iter().map(&mut unique).collect()
}

fn slug(name: &str, longest: usize) -> String {
    let plain: String = name
        .chars()
        .map(|letter| if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { '-' })
        .collect();
    let parts: Vec<&str> = plain.split('-').filter(|part| !part.is_empty()).collect();
    match parts.join("-") {
        empty if empty.is_empty() => "scenario".to_owned(),
        short if short.len() <= longest => short,
        long => {
            let (head, tail) = (&long[..longest / 2], &long[long.len() - longest / 2 + 1..]);
            format!("{}-{}", head.trim_end_matches('-'), tail.trim_start_matches('-'))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_stay_apart() {
        let long =
            |tail: &str| format!("planner with a very long list of parameters that nobody reads, {tail}");
        let names = shown_names(&[long("horizon=5m"), long("horizon=9m"), "hold".to_owned()]);
        assert_eq!(
            names,
            ["planner with a ver…reads, horizon=5m", "planner with a ver…reads, horizon=9m", "hold"]
        );
        let same =
            |middle: &str| format!("planner with parameters {middle} and then the same again and again");
        let names = shown_names(&[same("a"), same("b")]);
        assert_ne!(names[0], names[1]);
        assert!(names.iter().all(|name| name.chars().count() <= LONGEST), "{names:?}");
    }

    #[test]
    fn slugs_of_long_names_are_short_and_differ() {
        let long = |value: &str| format!("three waves with reviewer.delay={value} and much more besides");
        let names = [long("1m"), long("2m"), "three waves with reviewer.delay=30s..1m".to_owned()];
        let slugs = slugs(&names.each_ref().map(String::as_str), 32);
        assert_eq!(
            slugs,
            [
                "three-waves-with-ch-more-besides",
                "three-waves-with-ch-more-besides--2",
                "three-waves-with-er-delay-30s-1m"
            ]
        );
    }

    #[test]
    fn slugs_are_file_names_and_differ() {
        assert_eq!(
            slugs(&["Varying load", "varying-load", "a reviewer.delay=2m", "…"], 32),
            ["varying-load", "varying-load--2", "a-reviewer-delay-2m", "scenario"]
        );
    }
}
