//! Who was recognised lately, so that not every request asks the database who sends it.

use super::caller::Proof;
use super::door::Credential;
use model::hash::ContentHash;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// Secrets that are remembered. When there are more, all are forgotten and looked up again.
const MOST: usize = 4_096;

/// What is known about secrets as of one edition of what says who is let in.
#[derive(Debug, Default)]
pub struct Register(Mutex<Page>);

#[derive(Debug, Default)]
struct Page {
    edition: u64,
    credentials: BTreeMap<ContentHash, Credential>,
    /// The same, by what whoever was let in is known by since.
    proven: BTreeMap<Proof, Credential>,
}

impl Register {
    /// What is known of a secret, if it is of this edition.
    pub fn find(&self, edition: u64, secret: ContentHash) -> Option<Credential> {
        let page = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if page.edition == edition { page.credentials.get(&secret).cloned() } else { None }
    }

    /// What is known of somebody who was let in before, if it is of this edition.
    pub fn find_again(&self, edition: u64, proof: &Proof) -> Option<Credential> {
        let page = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if page.edition == edition { page.proven.get(proof).cloned() } else { None }
    }

    /// Remembers what was looked up after the edition was asked for.
    pub fn keep(&self, edition: u64, credential: &Credential) {
        let mut page = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if edition < page.edition {
            return;
        }
        if edition > page.edition || page.credentials.len() >= MOST {
            *page = Page { edition, ..Page::default() };
        }
        page.credentials.insert(credential.secret(), credential.clone());
        page.proven.insert(credential.proof(), credential.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::JsonText;
    use crate::storage::tables::tokens::Token;
    use std::sync::Arc;

    fn secret(number: usize) -> ContentHash {
        ContentHash::of_bytes(&number.to_be_bytes())
    }

    fn credential(number: usize) -> Credential {
        Credential::Token(Arc::new(Token {
            id: number.to_string(),
            name: "anna".into(),
            role: "viewer".into(),
            scope: JsonText::of(&()),
            secret_hash: secret(number),
            created_by: "anna".into(),
            created_wall_ms: 0,
            expires_wall_ms: None,
            used_wall_ms: None,
            revoked_wall_ms: None,
        }))
    }

    #[test]
    fn nothing_counts_beyond_its_edition() {
        let register = Register::default();
        register.keep(3, &credential(1));
        assert!(register.find(3, secret(1)).is_some());
        assert!(register.find(4, secret(1)).is_none(), "somebody may have been sent away since");
        register.keep(4, &credential(2));
        register.keep(3, &credential(1));
        assert!(register.find(4, secret(1)).is_none(), "it was looked up before the newest edition");
        assert!(register.find(4, secret(2)).is_some());
        let proof = |number: usize| Proof::Token(number.to_string());
        assert!(register.find_again(4, &proof(2)).is_some());
        assert!(register.find_again(4, &proof(1)).is_none());
        assert!(register.find_again(5, &proof(2)).is_none());
    }

    #[test]
    fn it_does_not_grow_without_end() {
        let register = Register::default();
        for number in 0..=MOST {
            register.keep(1, &credential(number));
        }
        assert!(register.find(1, secret(MOST)).is_some());
        assert!(register.find(1, secret(0)).is_none());
    }
}
