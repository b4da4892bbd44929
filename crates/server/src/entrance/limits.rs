//! How much one request, one client and all of them together may take. None of this stands in the desk's file: nobody who is served
//! well needs more.

use std::time::Duration;

/// The lines of a request arrive at once; a phone on a bad network takes seconds. An unused connection is kept as long.
const HEADERS_WITHIN: Duration = Duration::from_secs(15);

/// The largest body, a model of eleven megabytes, arrives in this time on a line of three megabits.
const BODY_WITHIN: Duration = Duration::from_secs(30);

/// Answers take milliseconds. Whoever waits for one longer than this has given up.
const ANSWERED_WITHIN: Duration = Duration::from_mins(1);

/// Rehearsing a hundred plans together, letting a day of virtual time pass, checking the whole record.
const SLOW_ANSWER_WITHIN: Duration = Duration::from_mins(10);

/// A client that takes nothing of its answer for so long is not there any more.
const READ_WITHIN: Duration = Duration::from_secs(30);

/// All lines of a request together: a cookie and a token have some hundred bytes, proxies add some more.
const HEADER_BYTES: usize = 32 * 1024;

/// Lines of a request. Browsers send about twenty.
const HEADERS: usize = 100;

/// Connections beside those that watch events. A browser opens six; a process has 1,024 files open by default, and the database needs
/// some.
const CONNECTIONS: usize = 512;

/// Limits of everything that is served. They are values, so that tests need not wait for them.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub headers_within: Duration,
    pub body_within: Duration,
    pub answered_within: Duration,
    pub slow_answer_within: Duration,
    pub read_within: Duration,
    pub header_bytes: usize,
    pub headers: usize,
    pub connections: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            headers_within: HEADERS_WITHIN,
            body_within: BODY_WITHIN,
            answered_within: ANSWERED_WITHIN,
            slow_answer_within: SLOW_ANSWER_WITHIN,
            read_within: READ_WITHIN,
            header_bytes: HEADER_BYTES,
            headers: HEADERS,
            connections: CONNECTIONS,
        }
    }
}
