//! One file that holds many: a tar archive with nothing in it that depends on the machine or the hour.

use std::collections::BTreeMap;

const BLOCK: usize = 512;

/// More would not be an archive of ours.
pub(crate) const MOST_BYTES: usize = 1 << 30;

/// The longest name that the plain form of a header holds.
const LONGEST_NAME: usize = 100;

/// Files by name, written in the order of their names. The error names what does not fit into an archive.
pub(crate) fn write(files: &BTreeMap<String, Vec<u8>>) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    for (name, content) in files {
        if name.len() > LONGEST_NAME {
            return Err(format!("the name {name} is longer than {LONGEST_NAME} bytes"));
        }
        if content.len() > MOST_BYTES {
            return Err(format!("{name} is larger than {} MiB", MOST_BYTES >> 20));
        }
        bytes.extend(header(name, content.len()));
        bytes.extend(content);
        bytes.resize(bytes.len().next_multiple_of(BLOCK), 0);
    }
    bytes.resize(bytes.len() + 2 * BLOCK, 0);
    Ok(bytes)
}

/// The header of a plain file: owner nobody, time zero.
fn header(name: &str, size: usize) -> [u8; BLOCK] {
    let mut header = [0; BLOCK];
    let mut put = |at: usize, text: &[u8]| header[at..at + text.len()].copy_from_slice(text);
    put(0, name.as_bytes());
    put(100, b"0000644\0");
    put(108, b"0000000\0");
    put(116, b"0000000\0");
    put(124, format!("{size:011o}\0").as_bytes());
    put(136, b"00000000000\0");
    put(148, b"        ");
    put(156, b"0");
    put(257, b"ustar\x0000");
    let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
    header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    header
}

/// Reads an archive; the error says what is wrong with it.
pub(crate) fn read(bytes: &[u8]) -> Result<BTreeMap<String, Vec<u8>>, String> {
    let mut files = BTreeMap::new();
    let mut at = 0;
    loop {
        let header = bytes.get(at..at + BLOCK).ok_or("it ends in the middle")?;
        if header.iter().all(|byte| *byte == 0) {
            return Ok(files);
        }
        let (name, size) = entry(header)?;
        at += BLOCK;
        let content = at.checked_add(size).and_then(|end| bytes.get(at..end));
        let content = content.ok_or_else(|| format!("{name} ends in the middle"))?;
        if files.insert(name.clone(), content.to_vec()).is_some() {
            return Err(format!("{name} is there twice"));
        }
        at += size.next_multiple_of(BLOCK);
    }
}

fn entry(header: &[u8]) -> Result<(String, usize), String> {
    let sum: u32 = header
        .iter()
        .enumerate()
        .map(|(index, byte)| if (148..156).contains(&index) { 32 } else { u32::from(*byte) })
        .sum();
    if octal(&header[148..156]) != Some(sum as usize) {
        return Err("it is not an archive, or it was damaged".to_owned());
    }
    if header[156] != b'0' {
        return Err("it holds something that is not a plain file".to_owned());
    }
    let name = header[..100].split(|byte| *byte == 0).next().unwrap_or_default();
    let name = std::str::from_utf8(name).map_err(|_| "a name in it is not text")?;
    let size = octal(&header[124..136]).filter(|size| *size <= MOST_BYTES);
    Ok((name.to_owned(), size.ok_or_else(|| format!("the size of {name} makes no sense"))?))
}

fn octal(field: &[u8]) -> Option<usize> {
    let text = std::str::from_utf8(field).ok()?.trim_matches(['\0', ' ']);
    usize::from_str_radix(text, 8).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files() -> BTreeMap<String, Vec<u8>> {
        let long = vec![7; 1_500];
        [("a.txt", b"hello".to_vec()), ("inputs/1", Vec::new()), ("results/x", long)]
            .map(|(name, content)| (name.to_owned(), content))
            .into()
    }

    #[test]
    fn what_was_written_is_read() {
        let bytes = write(&files()).unwrap();
        assert_eq!(bytes.len() % BLOCK, 0);
        assert_eq!(read(&bytes).unwrap(), files());
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let longest = "n".repeat(LONGEST_NAME);
        let with = |name: String| write(&BTreeMap::from([(name, Vec::new())]));
        assert!(read(&with(longest.clone()).unwrap()).unwrap().contains_key(&longest));
        assert!(with(longest + "n").unwrap_err().contains("longer than 100 bytes"));
    }

    #[test]
    fn damage_is_found_and_nothing_panics() {
        let whole = write(&files()).unwrap();
        assert!(read(b"").is_err() && read(&[1; 600]).is_err());
        for length in 0..whole.len() - 2 * BLOCK {
            assert!(read(&whole[..length]).is_err(), "{length}");
        }
        let mut renamed = whole;
        renamed[0] = b'b';
        assert_eq!(read(&renamed), Err("it is not an archive, or it was damaged".to_owned()));
    }
}
