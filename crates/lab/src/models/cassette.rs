//! Recorded answers by the call they answer: JSON lines that are only added to, so that a killed recording loses nothing.

use control::question::{Call, Reply};
use model::hash::ContentHash;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The version of the line format.
const VERSION: u32 = 1;

/// A line longer than this is not ours: the longest brief and the longest answer take less than a tenth of it.
const MOST_BYTES_A_LINE: usize = 4 * 1024 * 1024;

/// So many problems of a file are listed.
const MOST_PROBLEMS: usize = 20;

/// One recorded answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The hash of the call, so that a changed line is noticed.
    pub key: ContentHash,
    /// Who answered, in words. Lines of earlier versions do not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answered_by: Option<String>,
    pub call: Call,
    pub reply: Reply,
}

impl Entry {
    pub fn new(answered_by: Option<String>, call: Call, reply: Reply) -> Self {
        Self { key: call.key(), answered_by, call, reply }
    }

    /// Whether somebody else than this one is known to have answered.
    pub fn is_of_somebody_else(&self, name: &str) -> bool {
        self.answered_by.as_deref().is_some_and(|known| known != name)
    }

    /// The line to be added to a file.
    pub fn line(&self) -> String {
        serde_json::to_string(self).expect("plain data always serialises") + "\n"
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FirstLine {
    drover_cassette: u32,
}

/// What is wrong with one line of a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct CassetteProblem {
    pub line: usize,
    pub what: String,
}

/// Answers that are known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cassette {
    entries: BTreeMap<ContentHash, Entry>,
}

impl Cassette {
    /// The first line of a new file.
    pub fn first_line() -> String {
        let line = FirstLine { drover_cassette: VERSION };
        serde_json::to_string(&line).expect("plain data always serialises") + "\n"
    }

    /// Reads a file. A last line without an end was cut off by whoever was killed and does not count; where a call is answered twice
    /// the later answer does.
    pub fn parse(text: &str) -> Result<Self, Vec<CassetteProblem>> {
        let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
        let mut lines = whole.lines().enumerate();
        if let Err(what) = first(lines.next().map(|(_, line)| line)) {
            return Err(vec![CassetteProblem { line: 1, what }]);
        }
        let mut cassette = Self::default();
        let mut problems = Vec::new();
        for (index, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
            match entry(line) {
                Ok(entry) => cassette.put(entry),
                Err(what) => problems.push(CassetteProblem { line: index + 1, what }),
            }
            if problems.len() == MOST_PROBLEMS {
                break;
            }
        }
        if problems.is_empty() { Ok(cassette) } else { Err(problems) }
    }

    pub fn put(&mut self, entry: Entry) {
        self.entries.insert(entry.key, entry);
    }

    /// What was answered to this call.
    pub fn find(&self, call: &Call) -> Option<&Entry> {
        self.entries.get(&call.key())
    }

    /// Who answered on it besides this one, as far as its lines say.
    pub fn others(&self, name: &str) -> BTreeSet<&str> {
        let others = self.entries.values().filter(|entry| entry.is_of_somebody_else(name));
        others.filter_map(|entry| entry.answered_by.as_deref()).collect()
    }

    /// All answers, in the order of their keys.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.entries.values()
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Equal for cassettes that answer the same.
    pub fn fingerprint(&self) -> ContentHash {
        ContentHash::of(&self.entries.values().collect::<Vec<_>>())
    }

    /// The same answers as a file, in the order of their keys.
    pub fn to_text(&self) -> String {
        self.entries.values().fold(Self::first_line(), |text, entry| text + &entry.line())
    }
}

fn first(line: Option<&str>) -> Result<(), String> {
    let line = line.ok_or("the file is empty or cut off; a cassette begins with {\"drover_cassette\":1}")?;
    let found: FirstLine = serde_json::from_str(line)
        .map_err(|_| "this is no cassette, which begins with {\"drover_cassette\":1}".to_owned())?;
    if found.drover_cassette != VERSION {
        return Err(format!("this is version {}, and this program reads {VERSION}", found.drover_cassette));
    }
    Ok(())
}

fn entry(line: &str) -> Result<Entry, String> {
    if line.len() > MOST_BYTES_A_LINE {
        return Err(format!("it is longer than {MOST_BYTES_A_LINE} bytes; record it again"));
    }
    let entry: Entry =
        serde_json::from_str(line).map_err(|error| format!("{error}; remove the line or record it again"))?;
    if entry.key != entry.call.key() {
        return Err("the call is not the one that was recorded; record it again".to_owned());
    }
    Ok(entry)
}

#[cfg(test)]
mod tests {
    use super::*;
    use control::question::{Answer, Question};

    fn recorded(asked: &str, answered: &str) -> Entry {
        let call = Question::plain(1, asked).calls.remove(0);
        Entry::new(None, call, Answer::plain(1, answered).replies.remove(0))
    }

    fn text(entries: &[Entry]) -> String {
        entries.iter().fold(Cassette::first_line(), |text, entry| text + &entry.line())
    }

    #[test]
    fn what_was_recorded_is_found_and_nothing_else() {
        let (why, how) = (recorded("why", "because"), recorded("how", "so"));
        let cassette = Cassette::parse(&text(&[why.clone(), how.clone()])).unwrap();
        assert_eq!((cassette.find(&why.call), cassette.find(&how.call)), (Some(&why), Some(&how)));
        assert_eq!(cassette.find(&recorded("when", "").call), None);
        assert_eq!(Cassette::parse(&cassette.to_text()).unwrap(), cassette);
    }

    #[test]
    fn the_later_answer_counts_and_a_cut_line_does_not() {
        let (old, new) = (recorded("why", "because"), recorded("why", "no reason"));
        let cut = text(&[old, new.clone()]) + "{\"key\":";
        let cassette = Cassette::parse(&cut).unwrap();
        assert_eq!((cassette.len(), cassette.find(&new.call)), (1, Some(&new)));
    }

    #[test]
    fn lines_say_who_answered_and_need_not() {
        let unnamed = recorded("why", "because");
        let named = Entry { answered_by: Some("anna".to_owned()), ..recorded("how", "so") };
        assert!(!unnamed.line().contains("answered_by"), "{}", unnamed.line());
        let cassette = Cassette::parse(&text(&[unnamed, named.clone()])).unwrap();
        assert_eq!(cassette.find(&named.call), Some(&named));
        assert_eq!(cassette.others("anna").len(), 0);
        assert_eq!(cassette.others("ben"), BTreeSet::from(["anna"]));
    }

    #[test]
    fn problems_are_listed_with_their_lines() {
        let check = |text: &str, expected: &[&str]| {
            let problems = Cassette::parse(text).unwrap_err();
            let shown: Vec<String> = problems.iter().map(ToString::to_string).collect();
            assert_eq!(shown.len(), expected.len(), "{shown:?}");
            for (shown, expected) in shown.iter().zip(expected) {
                assert!(shown.contains(expected), "{shown} lacks {expected}");
            }
        };
        check("", &["line 1: the file is empty"]);
        check("{}\n", &["line 1: this is no cassette"]);
        check("{\"drover_cassette\":2}\n", &["line 1: this is version 2"]);
        let mut changed = recorded("why", "because");
        changed.call.model.push('2');
        let broken = text(&[changed]) + "nothing\n";
        check(&broken, &["line 2: the call is not the one", "line 3: expected"]);
    }

    #[test]
    fn the_order_of_recording_does_not_matter() {
        let (why, how) = (recorded("why", "because"), recorded("how", "so"));
        let one = Cassette::parse(&text(&[why.clone(), how.clone()])).unwrap();
        let other = Cassette::parse(&text(&[how, why])).unwrap();
        assert_eq!((one.fingerprint(), one.to_text()), (other.fingerprint(), other.to_text()));
    }
}
