//! Lists with all that can be said about them, on both databases. A cursor is one of the desk's own with some of it written over.
#![no_main]
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use fuzz::Desk;
use percent_encoding::{NON_ALPHANUMERIC, percent_encode};
use server::storage::Location;
use server::testing::Folder;
use server::testing::postgres::FreshDatabase;
use std::sync::LazyLock;

const LISTS: [&str; 10] = [
    "recommendations",
    "audit",
    "executions",
    "runs",
    "tokens",
    "workloads",
    "history",
    "webhooks/nobody/deliveries",
    "recommendations?sort=-benefit",
    "workloads?sort=-cpu",
];

/// A desk on each database, and what the first page of each list says how to go on.
struct Both {
    desks: [Desk; 2],
    cursors: Vec<Vec<u8>>,
}

static BOTH: LazyLock<Both> = LazyLock::new(|| {
    let database = Box::leak(Box::new(FreshDatabase::new()));
    let file = Location::File(Folder::new("fuzz").keep().join("drover.db"));
    let desks = [Desk::open(&file), Desk::open(database.location())];
    let cursors = LISTS.iter().map(|list| cursor(&desks[0], list)).collect();
    Both { desks, cursors }
});

fn address(list: &str, more: &str) -> String {
    let sign = if list.contains('?') { '&' } else { '?' };
    format!("/api/v1/{list}{sign}{more}")
}

fn cursor(desk: &Desk, list: &str) -> Vec<u8> {
    let (_, page) = desk.get(&address(list, "limit=1"));
    let text = page["nextCursor"].as_str().unwrap_or_default();
    URL_SAFE_NO_PAD.decode(text).unwrap_or_else(|_| text.as_bytes().to_vec())
}

/// A cursor with some bytes from a place on replaced by others.
fn forged(cursor: &[u8], place: u8, gone: u8, instead: &[u8]) -> String {
    let from = usize::from(place).min(cursor.len());
    let to = (from + usize::from(gone)).min(cursor.len());
    let bytes = [&cursor[..from], instead, &cursor[to..]].concat();
    URL_SAFE_NO_PAD.encode(bytes)
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let [which, place, gone, rest @ ..] = bytes else { return };
    let both = &*BOTH;
    let which = usize::from(*which) % LISTS.len();
    let (instead, question) = match rest.iter().position(|byte| *byte == b'\n') {
        Some(end) => (&rest[..end], &rest[end + 1..]),
        None => (rest, &[][..]),
    };
    let mut parts = vec!["limit=2".to_owned()];
    if !instead.is_empty() {
        parts.push(format!("cursor={}", forged(&both.cursors[which], *place, *gone, instead)));
    }
    for pair in question.split(|byte| *byte == b'&').filter(|pair| !pair.is_empty()) {
        let mut halves = pair.splitn(2, |byte| *byte == b'=');
        let half = |half: Option<&[u8]>| percent_encode(half.unwrap_or_default(), NON_ALPHANUMERIC).to_string();
        parts.push(format!("{}={}", half(halves.next()), half(halves.next())));
    }
    let address = address(LISTS[which], &parts.join("&"));
    let answers: Vec<_> = both.desks.iter().map(|desk| desk.get(&address).0).collect();
    assert_eq!(answers[0], answers[1], "the databases do not agree about {address}");
});
