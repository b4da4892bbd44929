//! Packs pixels as a PNG file: the few parts of the format that an opaque picture needs.

use miniz_oxide::deflate::compress_to_vec_zlib;
use tiny_skia::Pixmap;

const SIGNATURE: [u8; 8] = *b"\x89PNG\r\n\x1a\n";

/// Eight bits for each of red, green and blue; rows from top to bottom.
const KIND: [u8; 5] = [8, 2, 0, 0, 0];

/// Two pixels for each of the 96 units of an inch: 192 in an inch are 7,559 in a metre.
const PIXELS_PER_METRE: u32 = 7_559;

/// How hard to look for repetitions: beyond this, files take longer and become no smaller.
const EFFORT: u8 = 6;

/// Rows are written as they are. Figures are flat: as differences to the pixels beside or above they take a quarter more.
const AS_IT_IS: u8 = 0;

pub(super) fn write(pixels: &Pixmap) -> Vec<u8> {
    let size = [pixels.width().to_be_bytes(), pixels.height().to_be_bytes()].concat();
    let density = [&PIXELS_PER_METRE.to_be_bytes()[..], &PIXELS_PER_METRE.to_be_bytes(), &[1]].concat();
    let mut file = SIGNATURE.to_vec();
    part(&mut file, *b"IHDR", &[&size[..], &KIND].concat());
    part(&mut file, *b"pHYs", &density);
    part(&mut file, *b"IDAT", &compress_to_vec_zlib(&rows(pixels), EFFORT));
    part(&mut file, *b"IEND", &[]);
    file
}

/// Everything is drawn on paper, so that all pixels are opaque.
fn rows(pixels: &Pixmap) -> Vec<u8> {
    let width = pixels.width() as usize;
    let mut rows = Vec::with_capacity((width * 3 + 1) * pixels.height() as usize);
    for row in pixels.data().chunks_exact(width * 4) {
        rows.push(AS_IT_IS);
        for pixel in row.chunks_exact(4) {
            rows.extend_from_slice(&pixel[..3]);
        }
    }
    rows
}

/// A part with its length, its name and its check sum.
fn part(file: &mut Vec<u8>, name: [u8; 4], content: &[u8]) {
    file.extend((content.len() as u32).to_be_bytes());
    let start = file.len();
    file.extend(name);
    file.extend(content);
    let sum = check_sum(&file[start..]);
    file.extend(sum.to_be_bytes());
}

/// The cyclic redundancy check of ISO 3309 that PNG asks for.
fn check_sum(bytes: &[u8]) -> u32 {
    const TABLE: [u32; 256] = table();
    let step = |sum: u32, byte: &u8| TABLE[((sum ^ u32::from(*byte)) & 255) as usize] ^ (sum >> 8);
    !bytes.iter().fold(u32::MAX, step)
}

/// What each byte adds to the sum.
const fn table() -> [u32; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut sum, mut bit) = (byte as u32, 0);
        while bit < 8 {
            sum = if sum & 1 == 1 { 0xedb8_8320 ^ (sum >> 1) } else { sum >> 1 };
            bit += 1;
        }
        table[byte] = sum;
        byte += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_the_standard() {
        assert_eq!(check_sum(b"123456789"), 0xcbf4_3926);
        assert_eq!(check_sum(b"IEND"), 0xae42_6082);
    }
}
