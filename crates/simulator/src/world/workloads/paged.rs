//! A long list whose copies share what neither has changed since: copying it takes a fraction of copying its elements, and
//! a copy that changes an element copies the page it is on.

use std::ops::{Index, IndexMut};
use std::sync::Arc;

/// Elements on one page. Fewer make copies of the list slower, more make the first change on a page slower.
const PAGE: usize = 64;

#[derive(Clone, Debug)]
pub(crate) struct Paged<T> {
    pages: Vec<Arc<Vec<T>>>,
    len: usize,
}

impl<T> Paged<T> {
    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        self.pages.iter().flat_map(|page| page.iter())
    }
}

impl<T> FromIterator<T> for Paged<T> {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Self {
        let mut elements = elements.into_iter();
        let (mut pages, mut len) = (Vec::new(), 0);
        loop {
            let page: Vec<T> = elements.by_ref().take(PAGE).collect();
            if page.is_empty() {
                return Self { pages, len };
            }
            len += page.len();
            pages.push(Arc::new(page));
        }
    }
}

impl<T> Index<usize> for Paged<T> {
    type Output = T;

    fn index(&self, index: usize) -> &T {
        &self.pages[index / PAGE][index % PAGE]
    }
}

impl<T: Clone> IndexMut<usize> for Paged<T> {
    fn index_mut(&mut self, index: usize) -> &mut T {
        &mut Arc::make_mut(&mut self.pages[index / PAGE])[index % PAGE]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_share_pages_until_one_of_them_changes_something() {
        let first: Paged<usize> = (0..1_000).collect();
        let mut second = first.clone();
        second[70] = 7;
        assert_eq!((first[70], second[70], second[71], second[999]), (70, 7, 71, 999));
        let shared = first.pages.iter().zip(&second.pages).filter(|(one, other)| Arc::ptr_eq(one, other));
        assert_eq!((shared.count(), first.pages.len()), (15, 16));
        assert!(first.iter().copied().eq(0..1_000) && first.len() == 1_000);
    }

    #[test]
    fn a_list_may_be_empty() {
        let none: Paged<u8> = std::iter::empty().collect();
        assert_eq!((none.len(), none.iter().count()), (0, 0));
    }
}
