//! Writing to the terminal or a pipe, the same way for every command.

use crate::failure::Failure;
use anyhow::Context;
use std::io::{self, ErrorKind, Write};

/// Writes a text and a newline to standard output. A reader that has seen enough, as in `drover … | head -1`, is no error.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    print_while_read(text).map(|_| ())
}

/// The same for whoever has more to say: false once nobody reads it any more.
pub(crate) fn print_while_read(text: &str) -> Result<bool, Failure> {
    let mut out = io::stdout().lock();
    let written =
        out.write_all(text.as_bytes()).and_then(|()| out.write_all(b"\n")).and_then(|()| out.flush());
    match written {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(false),
        written => Ok(written.map(|()| true).context("standard output could not be written")?),
    }
}

/// Writes a line to standard error. There is nobody left to tell when that fails.
pub(crate) fn note(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}
