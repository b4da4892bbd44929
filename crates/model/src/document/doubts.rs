//! Places of a document whose values are not what their author meant, so that nothing is concluded from them.

use std::collections::BTreeSet;

/// Paths of values that were refused, left out, misspelt or given twice.
#[derive(Debug, Clone, Default)]
pub struct Doubts(BTreeSet<String>);

impl Doubts {
    pub(super) fn add(&mut self, path: String) {
        self.0.insert(path);
    }

    /// Whether the value of a path, or something that it is a part of, is in doubt.
    pub fn cover(&self, path: &str) -> bool {
        self.0.iter().any(|doubtful| lies_in(path, doubtful))
    }

    /// Whether the value of a path, something it is a part of, or a part of it is in doubt.
    pub fn touch(&self, path: &str) -> bool {
        self.0.iter().any(|doubtful| lies_in(path, doubtful) || lies_in(doubtful, path))
    }
}

fn lies_in(path: &str, whole: &str) -> bool {
    match path.strip_prefix(whole) {
        Some(rest) => whole.is_empty() || rest.is_empty() || rest.starts_with(['.', '[']),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubt_spreads_downwards_and_is_felt_upwards() {
        let mut doubts = Doubts::default();
        doubts.add("clusters[1].pools".to_owned());
        let check = |path: &str, covered: bool, touched: bool| {
            assert_eq!((doubts.cover(path), doubts.touch(path)), (covered, touched), "{path}");
        };
        check("clusters[1].pools", true, true);
        check("clusters[1].pools[0].cpu", true, true);
        check("clusters[1]", false, true);
        check("clusters", false, true);
        check("clusters[1].name", false, false);
        check("clusters[10].pools", false, false);
        check("clusters[1].pools_of_others", false, false);
        doubts.add(String::new());
        assert!(doubts.cover("anything[0]"));
    }
}
