//! A list that is nearly always one long: a single element is kept in place, without memory of its own.

#[derive(Clone, Debug)]
pub(super) enum Few<T> {
    One(T),
    Several(Vec<T>),
}

impl<T> Default for Few<T> {
    fn default() -> Self {
        Self::Several(Vec::new())
    }
}

impl<T> From<Vec<T>> for Few<T> {
    fn from(mut all: Vec<T>) -> Self {
        match (all.pop(), all.is_empty()) {
            (Some(only), true) => Self::One(only),
            (last, _) => {
                all.extend(last);
                Self::Several(all)
            }
        }
    }
}

impl<T> Few<T> {
    pub(super) fn as_slice(&self) -> &[T] {
        match self {
            Self::One(only) => std::slice::from_ref(only),
            Self::Several(all) => all,
        }
    }

    pub(super) fn as_mut_slice(&mut self) -> &mut [T] {
        match self {
            Self::One(only) => std::slice::from_mut(only),
            Self::Several(all) => all,
        }
    }

    pub(super) fn insert(&mut self, at: usize, new: T) {
        *self = match std::mem::take(self) {
            Self::Several(all) if all.is_empty() => Self::One(new),
            former => {
                let mut all = former.into_vec();
                all.insert(at, new);
                Self::Several(all)
            }
        };
    }

    pub(super) fn push(&mut self, new: T) {
        self.insert(self.as_slice().len(), new);
    }

    pub(super) fn remove(&mut self, at: usize) {
        let mut all = std::mem::take(self).into_vec();
        all.remove(at);
        *self = Self::from(all);
    }

    pub(super) fn retain(&mut self, mut keep: impl FnMut(&T) -> bool) {
        match self {
            Self::One(only) if keep(only) => {}
            Self::One(_) => *self = Self::default(),
            Self::Several(all) => all.retain(keep),
        }
    }

    pub(super) fn into_vec(self) -> Vec<T> {
        match self {
            Self::One(only) => vec![only],
            Self::Several(all) => all,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_is_a_list(turns in prop::collection::vec((0_u8..4, any::<u8>()), 0..30)) {
            let (mut few, mut list) = (Few::default(), Vec::new());
            for (turn, number) in turns {
                match turn {
                    0 => {
                        few.push(number);
                        list.push(number);
                    }
                    1 => {
                        let at = usize::from(number) % (list.len() + 1);
                        few.insert(at, number);
                        list.insert(at, number);
                    }
                    2 if !list.is_empty() => {
                        few.remove(usize::from(number) % list.len());
                        list.remove(usize::from(number) % list.len());
                    }
                    _ => {
                        few.retain(|one| one % 3 != number % 3);
                        list.retain(|one| one % 3 != number % 3);
                    }
                }
                prop_assert_eq!(few.as_slice(), list.as_slice());
                prop_assert_eq!(Few::from(list.clone()).into_vec(), list.clone());
            }
        }
    }
}
