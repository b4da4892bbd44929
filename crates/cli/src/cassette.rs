//! Cassettes as files: read whole, and added to line by line while answers come in.

use crate::failure::Failure;
use anyhow::Context;
use lab::models::{Cassette, Entry, Keeper};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// A larger file is no cassette of ours: the whole of WASP's campaign takes a fraction of it.
const MOST_BYTES: u64 = 1 << 30;

/// What is on a cassette. One that must be there and is not is the person's mistake.
pub(crate) fn read(path: &Path) -> Result<Cassette, Failure> {
    let shown = path.display();
    let about =
        fs::metadata(path).map_err(|error| Failure::Input(format!("{shown}: cannot be opened: {error}")))?;
    if about.len() > MOST_BYTES {
        return Err(Failure::Input(format!("{shown}: is too large to be a cassette; is it the right file?")));
    }
    let bytes = fs::read(path).with_context(|| format!("{shown} could not be read"))?;
    parse(&shown.to_string(), bytes)
}

/// What is on a cassette, by the name it goes by.
pub(crate) fn parse(name: &str, bytes: Vec<u8>) -> Result<Cassette, Failure> {
    let text = String::from_utf8(bytes)
        .map_err(|_| Failure::Input(format!("{name}: is no text; is it the right file?")))?;
    Cassette::parse(&text).map_err(|problems| {
        let lines: Vec<String> = problems.iter().map(|problem| format!("{name}: {problem}")).collect();
        Failure::Input(lines.join("\n"))
    })
}

/// What is on a cassette that answers can be added to, and how. A file that is not there yet is begun.
pub(crate) fn open(path: &Path) -> Result<(Cassette, Keeper), Failure> {
    let shown = path.display();
    if !path.exists() {
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            fs::create_dir_all(folder)
                .with_context(|| format!("{} could not be created", folder.display()))?;
        }
        fs::write(path, Cassette::first_line()).with_context(|| format!("{shown} could not be created"))?;
    }
    let cassette = read(path)?;
    drop_cut_line(path).with_context(|| format!("{shown} could not be mended"))?;
    let file = OpenOptions::new().append(true).open(path);
    let file = Mutex::new(file.with_context(|| format!("{shown} could not be opened for writing"))?);
    Ok((cassette, Box::new(move |entry: &Entry| add(&file, entry))))
}

fn add(file: &Mutex<File>, entry: &Entry) -> io::Result<()> {
    file.lock().unwrap_or_else(PoisonError::into_inner).write_all(entry.line().as_bytes())
}

/// Whoever was killed while writing left half a line: the next answer must not be added to it.
fn drop_cut_line(path: &Path) -> io::Result<()> {
    let bytes = fs::read(path)?;
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    if whole < bytes.len() {
        OpenOptions::new().write(true).open(path)?.set_len(whole as u64)?;
    }
    Ok(())
}
