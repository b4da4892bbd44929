//! Where texts are searched for: those of all recommendations one behind the other, so that a search is one walk through memory.

use super::super::Item;
use memchr::memmem::Finder;

/// Texts in small letters, in the order of the shelf.
#[derive(Debug, Default)]
pub(super) struct Haystack {
    text: String,
    /// Where each text ends.
    ends: Vec<usize>,
}

impl Haystack {
    /// Puts a text behind the others, or in the place of an older one.
    pub(super) fn put(&mut self, index: usize, item: &Item) {
        let text = text(item);
        if index >= self.ends.len() {
            self.text.push_str(&text);
            self.ends.push(self.text.len());
            return;
        }
        let (begin, end) = (self.begin(index), self.ends[index]);
        if self.text[begin..end] == text {
            return;
        }
        self.text.replace_range(begin..end, &text);
        for later in &mut self.ends[index..] {
            *later = *later + text.len() - (end - begin);
        }
    }

    fn begin(&self, index: usize) -> usize {
        index.checked_sub(1).map_or(0, |former| self.ends[former])
    }

    /// The places of all texts that have these letters, which are small, in order.
    pub(super) fn search(&self, letters: &str) -> Vec<usize> {
        if letters.is_empty() {
            return (0..self.ends.len()).collect();
        }
        let (finder, mut found) = (Finder::new(letters), Vec::new());
        let mut from = 0;
        while let Some(here) = finder.find(&self.text.as_bytes()[from..]).map(|place| from + place) {
            let index = self.ends.partition_point(|end| *end <= here);
            let is_inside = here + letters.len() <= self.ends[index];
            found.extend(is_inside.then_some(index));
            // What begins in one text and ends in the next is in neither, and something real may begin within it.
            from = if is_inside { self.ends[index] } else { here + 1 };
        }
        found
    }
}

/// Databases put it together in the same way.
fn text(item: &Item) -> String {
    let workload = item.workload.as_deref().unwrap_or_default();
    format!("{workload}\n{}\n{}", item.agent, item.reason).to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::item;
    use super::*;
    use proptest::prelude::*;

    fn of(reason: &str) -> Item {
        Item { workload: None, agent: String::new(), reason: reason.to_owned(), ..item(1) }
    }

    proptest! {
        #[test]
        fn a_text_is_found_where_it_stands_and_nowhere_else(
            puts in prop::collection::vec((0_usize..5, "[abA]{0,6}"), 1..20),
            letters in "[ab\n]{0,4}",
        ) {
            let (mut haystack, mut texts) = (Haystack::default(), Vec::<String>::new());
            for (index, reason) in puts {
                let index = index.min(texts.len());
                haystack.put(index, &of(&reason));
                if index == texts.len() { texts.push(text(&of(&reason))) } else { texts[index] = text(&of(&reason)) }
            }
            let expected: Vec<usize> = (0..texts.len()).filter(|index| texts[*index].contains(&letters)).collect();
            prop_assert_eq!(haystack.search(&letters), expected, "{:?}", texts);
        }
    }
}
