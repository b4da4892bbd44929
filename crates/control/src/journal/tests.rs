//! What a journal keeps, and what it notices.

use super::*;
use crate::testing::{Dialogue, Setup};

/// A journal of a short run, as it is on disk.
fn journal() -> Vec<u8> {
    let mut dialogue = Dialogue::new(&Setup::new("cluster a 1x4\ncluster b 1x4\nweb 1 a=2"));
    for line in
        ["plan keeper migrate web x2 a b", "0:30 observe", "0:40 review R-1 approve anna", "0:50 wake"]
    {
        dialogue.say(line);
    }
    let mut writer = JournalWriter::begin(Vec::new(), &"the header").unwrap();
    for (now, input, effects) in &dialogue.record {
        writer.append(*now, input, effects).unwrap();
    }
    assert_eq!(writer.entries(), 3);
    writer.end().unwrap().0
}

fn read(bytes: &[u8]) -> Result<(Vec<Entry>, ContentHash), JournalError> {
    let (mut reader, header) = JournalReader::begin::<String>(bytes)?;
    assert_eq!(header, "the header");
    let mut entries = Vec::new();
    while let Some(entry) = reader.next_entry()? {
        entries.push(entry);
    }
    assert!(reader.next_entry().unwrap().is_none());
    Ok((entries, reader.sha256()))
}

fn lines(bytes: &[u8]) -> Vec<Vec<u8>> {
    bytes.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect()
}

#[test]
fn what_was_written_is_read_back() {
    let (entries, hash) = read(&journal()).unwrap();
    assert_eq!(entries.iter().map(|entry| entry.seq).collect::<Vec<_>>(), [1, 2, 3]);
    assert!(matches!(&entries[0].input, Input::Observed(snapshot) if snapshot.workloads.len() == 1));
    assert_eq!(entries[1].effects.len(), 3);
    assert_eq!(entries[2].input, Input::WakeUp);
    assert_eq!(hash, ContentHash::of_bytes(&journal()));
    let last = String::from_utf8(lines(&journal()).pop().unwrap()).unwrap();
    assert!(last.starts_with("{\"seq\":4,\"end\":true,\"hash\":\""), "{last}");
}

#[test]
fn no_byte_can_change_unnoticed() {
    let intact = journal();
    for index in 0..intact.len() {
        let mut changed = intact.clone();
        changed[index] ^= 1;
        assert!(read(&changed).is_err(), "byte {index} changed unnoticed");
    }
    for length in 0..intact.len() {
        let error = read(&intact[..length]).unwrap_err();
        assert!(matches!(error, JournalError::CutOff { .. }), "cut after {length} bytes: {error}");
    }
}

#[test]
fn lines_stay_in_their_order_and_nothing_follows() {
    type Change = fn(&mut Vec<Vec<u8>>);
    let check = |change: Change, want: &str| {
        let mut changed = lines(&journal());
        change(&mut changed);
        let found = read(&changed.concat()).map_or_else(|error| error.to_string(), |_| "fine".to_owned());
        assert!(found.contains(want), "{found}");
    };
    check(|_| (), "fine");
    check(|lines| lines.swap(1, 2), "line 2 was changed, or a line before it is missing");
    check(|lines| drop(lines.remove(2)), "line 3 was changed, or a line before it is missing");
    check(|lines| lines.insert(2, lines[1].clone()), "line 3 was changed, or a line before it is missing");
    check(|lines| drop(lines.remove(0)), "line 1 was changed, or a line before it is missing");
    check(|lines| drop(lines.pop()), "ends after line 4 without its closing line");
    check(|lines| lines.push(b"\n".to_vec()), "line 6 is not a line of a Drover journal");
    check(|lines| lines.push(lines[1].clone()), "line 6 was changed, or a line before it is missing");
    check(|lines| lines[1] = b"hello\n".to_vec(), "line 2 is not a line of a Drover journal");
    check(|lines| lines[1] = b"\xff\n".to_vec(), "line 2 is not a line of a Drover journal");
}

/// Lines whose hashes are right, whatever they say.
fn forged(contents: &[&str]) -> Vec<u8> {
    let mut hash = ContentHash::ZERO;
    let line = |content: &&str| {
        hash = hash.chain(content.as_bytes());
        format!("{}{}", content.strip_suffix('}').unwrap(), tail(hash)).into_bytes()
    };
    contents.iter().flat_map(line).collect()
}

#[test]
fn a_right_hash_does_not_make_a_line_ours() {
    let check = |contents: &[&str], want: &str| {
        let error = read(&forged(contents)).unwrap_err().to_string();
        assert!(error.contains(want), "{error}");
    };
    let header = r#"{"drover_journal":1,"header":"the header"}"#;
    check(&[r#"{"drover_journal":2,"other":1}"#], "format version 2; this build reads version 1");
    check(&[r#"{"a":1}"#], "line 1 is not a line of a Drover journal: missing field `drover_journal`");
    check(&[header, r#"{"seq":1,"at":0}"#], "line 2 is not a line of a Drover journal");
    check(&[header, r#"{"seq":1,"end":true}"#, header], "something after the closing line");
    check(&[header], "ends after line 1 without its closing line");
}

#[test]
fn a_line_without_end_is_not_read_to_its_end() {
    let header = forged(&[r#"{"drover_journal":1,"header":"the header"}"#]);
    let endless = io::BufReader::new(io::Read::chain(&header[..], io::repeat(b'x')));
    let (mut reader, _) = JournalReader::begin::<String>(endless).unwrap();
    reader.max_line = 1_000;
    let error = reader.next_entry().unwrap_err().to_string();
    assert_eq!(error, "line 2 is not a line of a Drover journal: it is longer than 1000 bytes");
}
