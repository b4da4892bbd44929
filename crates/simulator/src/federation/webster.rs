//! Apportionment by the Webster (Sainte-Laguë) method: seats go one by one to the greatest votes / (2 · seats + 1).

use std::cmp::Ordering;
use std::collections::BTreeMap;

/// Who takes part: a cluster, its weight, and the replicas it has so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Party {
    pub name: String,
    pub votes: u64,
    pub seats: u32,
}

impl Party {
    // A float because upstream compares floats: two quotients that round to the same value are a tie there.
    fn quotient(&self) -> f64 {
        self.votes as f64 / f64::from(2 * self.seats + 1)
    }
}

/// Among equal quotients the party with fewer seats wins; among equal seats the name decides, in this direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TieBreak {
    NameAscending,
    NameDescending,
}

impl TieBreak {
    /// The direction is arbitrary but fixed per resource, so that not every workload favours the same cluster.
    pub fn for_uid(uid: &str) -> Self {
        if !uid.is_empty() && fnv1a(uid.as_bytes()) % 2 == 1 {
            Self::NameDescending
        } else {
            Self::NameAscending
        }
    }

    /// `Greater` if `left` gets the next seat.
    fn compare(self, left: &Party, right: &Party) -> Ordering {
        let by_name = match self {
            Self::NameAscending => right.name.cmp(&left.name),
            Self::NameDescending => left.name.cmp(&right.name),
        };
        left.quotient().total_cmp(&right.quotient()).then(right.seats.cmp(&left.seats)).then(by_name)
    }
}

/// 32-bit FNV-1a; offset basis and prime are those of the published algorithm.
fn fnv1a(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}

/// Gives out `new_seats` on top of the `initial` ones; the result is ordered by name. A party with seats but without
/// votes keeps its seats and gets more only if nobody has votes. Takes `new_seats` × parties steps.
pub fn allocate_seats(
    new_seats: u32,
    votes: &BTreeMap<String, u64>,
    initial: &BTreeMap<String, u32>,
    tie_break: TieBreak,
) -> Vec<Party> {
    let mut names: Vec<&String> = votes.keys().chain(initial.keys()).collect();
    names.sort_unstable();
    names.dedup();
    let party = |name: &String| Party {
        name: name.clone(),
        votes: votes.get(name).copied().unwrap_or(0),
        seats: initial.get(name).copied().unwrap_or(0),
    };
    let mut parties: Vec<Party> = names.into_iter().map(party).collect();
    for _ in 0..new_seats {
        if let Some(winner) = parties.iter_mut().max_by(|left, right| tie_break.compare(left, right)) {
            winner.seats += 1;
        }
    }
    parties
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_hash_values() {
        // From the test vectors of the FNV reference code.
        for (text, hash) in [("", 0x811c_9dc5), ("a", 0xe40c_292c), ("foobar", 0xbf9c_f968)] {
            assert_eq!(fnv1a(text.as_bytes()), hash, "{text}");
        }
    }

    fn check(
        new_seats: u32,
        votes: &[(&str, u64)],
        initial: &[(&str, u32)],
        uid: &str,
        expected: &[(&str, u32)],
    ) {
        let votes = votes.iter().map(|(name, votes)| ((*name).to_owned(), *votes)).collect();
        let initial = initial.iter().map(|(name, seats)| ((*name).to_owned(), *seats)).collect();
        let parties = allocate_seats(new_seats, &votes, &initial, TieBreak::for_uid(uid));
        let seats: Vec<(&str, u32)> =
            parties.iter().map(|party| (party.name.as_str(), party.seats)).collect();
        assert_eq!(seats, expected);
    }

    #[test]
    fn seats() {
        let (odd, even) = ("d43fdeeb-d750-4e2b-bee3-64eb94534f4c", "4858ca61-3ff8-4095-8267-f3d059d8074c");
        check(3, &[("a", 1), ("b", 1)], &[], "", &[("a", 2), ("b", 1)]);
        check(3, &[("a", 1), ("b", 1)], &[], even, &[("a", 2), ("b", 1)]);
        check(3, &[("a", 1), ("b", 1)], &[], odd, &[("a", 1), ("b", 2)]);
        // 3/3 ties with 1/1: fewer seats win whatever the direction of names.
        check(1, &[("a", 3), ("b", 1)], &[("a", 1)], "", &[("a", 1), ("b", 1)]);
        check(1, &[("b", 3), ("a", 1)], &[("b", 1)], odd, &[("a", 1), ("b", 1)]);
        check(2, &[("a", 5)], &[("gone", 3)], "", &[("a", 2), ("gone", 3)]);
        check(2, &[], &[], "", &[]);
    }
}
