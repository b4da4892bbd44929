//! Names and uids that the simulator does not have: unique like a cluster's, and the same in every run of the same world.

use model::hash::ContentHash;
use std::fmt::Write as _;

/// Letters and digits in which no words are spelt by chance, as Kubernetes chooses them.
const ALPHABET: &[u8; 27] = b"bcdfghjklmnpqrstvwxz2456789";

/// How many endings of five letters there are.
const ENDINGS: u64 = 27_u64.pow(5);

/// No multiple of three and so coprime to the number of endings, so that every number up to it has an ending of its own.
const STRIDE: u64 = 8_954_347;

/// The ending of the name of the how-manieth pod of a cluster.
pub(super) fn ending(number: u64) -> String {
    letters((number % ENDINGS) * STRIDE % ENDINGS, 5)
}

/// Stands for a revision of a workload's template.
pub(super) fn template_hash(workload: &str, revision: u64) -> String {
    let hash = ContentHash::of_bytes(format!("{workload} {revision}").as_bytes());
    letters(number(hash), 10)
}

/// A uid as Kubernetes writes it, made from what is unlike everything else.
pub(super) fn uid(parts: &[&str]) -> String {
    let text = ContentHash::of_bytes(parts.join("\n").as_bytes()).to_string();
    let part = |from: usize, to: usize| text.get(from..to).unwrap_or_default();
    // Version 8 is for those who make uids in a way of their own.
    format!("{}-{}-8{}-8{}-{}", part(0, 8), part(8, 12), part(13, 16), part(17, 20), part(20, 32))
}

/// Sixteen hexadecimal digits that stand for a text, as names of events end.
pub(super) fn digits(text: &str) -> String {
    let mut digits = String::new();
    let _ = write!(digits, "{:016x}", number(ContentHash::of_bytes(text.as_bytes())));
    digits
}

fn number(hash: ContentHash) -> u64 {
    u64::from_str_radix(hash.to_string().get(..16).unwrap_or_default(), 16).unwrap_or_default()
}

fn letters(mut number: u64, count: usize) -> String {
    let letter = |_| {
        let letter = ALPHABET[(number % 27) as usize];
        number /= 27;
        char::from(letter)
    };
    (0..count).map(letter).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn no_two_of_many_pods_have_the_same_ending() {
        let endings: BTreeSet<String> = (0..100_000).map(ending).collect();
        assert_eq!(endings.len(), 100_000);
        assert_eq!(ending(ENDINGS + 5), ending(5));
        assert_eq!(ending(1).len(), 5);
    }

    #[test]
    fn uids_have_the_form_of_uuids() {
        let one = uid(&["member1", "pods", "7"]);
        assert_eq!(one.len(), 36);
        assert_eq!(one.split('-').map(str::len).collect::<Vec<_>>(), [8, 4, 4, 4, 12]);
        assert_ne!(one, uid(&["member2", "pods", "7"]));
        assert_eq!(digits("x").len(), 16);
        assert_eq!(template_hash("web", 1).len(), 10);
    }
}
