//! The names that other sections of a file may refer to.

use super::Checker;
use model::document::child;

/// All names of one kind in the order of the file.
pub(super) struct KnownNames<'n> {
    pub(super) what: &'static str,
    pub(super) names: Vec<&'n str>,
    /// Whether every name could be read; if not, a name that is not here may still be right.
    pub(super) is_complete: bool,
}

impl KnownNames<'_> {
    pub(super) fn position(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|known| *known == name)
    }
}

impl Checker<'_> {
    /// The names of a list of mappings at a path.
    pub(super) fn known<'n>(
        &self,
        what: &'static str,
        path: &str,
        names: impl Iterator<Item = &'n str>,
    ) -> KnownNames<'n> {
        let names: Vec<&str> = names.collect();
        let is_read = |index| !self.doubts.cover(&child(&format!("{path}[{index}]"), "name"));
        let is_complete = !self.doubts.cover(path) && (0..names.len()).all(is_read);
        KnownNames { what, names, is_complete }
    }
}
