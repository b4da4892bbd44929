//! Letters as outlines, from the fonts that are part of the program.

use tiny_skia::{Path, PathBuilder};
use ttf_parser::{Face, GlyphId, OutlineBuilder};

const REGULAR: &[u8] = include_bytes!("../../fonts/DejaVuSansCondensed.ttf");
const BOLD: &[u8] = include_bytes!("../../fonts/DejaVuSansCondensed-Bold.ttf");

/// What stands for letters that no font has: every font begins with a box.
const BOX: GlyphId = GlyphId(0);

pub(super) struct Lettering {
    regular: Face<'static>,
    bold: Face<'static>,
}

impl Lettering {
    pub(super) fn new() -> Self {
        let face =
            |bytes| Face::parse(bytes, 0).expect("the fonts are part of the program, and tests read them");
        Self { regular: face(REGULAR), bold: face(BOLD) }
    }

    /// How wide a text of this size is.
    pub(super) fn width(&self, text: &str, size: f32, is_bold: bool) -> f32 {
        text.chars().map(|letter| self.glyph(letter, is_bold).advance(size)).sum()
    }

    /// The outlines of a text that begins at a place; none if there is nothing to see.
    pub(super) fn outlines(&self, text: &str, size: f32, is_bold: bool, [x, y]: [f32; 2]) -> Option<Path> {
        let mut hand = Hand { path: PathBuilder::new(), x, y, scale: 1.0 };
        for letter in text.chars() {
            let glyph = self.glyph(letter, is_bold);
            hand.scale = glyph.scale(size);
            glyph.face.outline_glyph(glyph.id, &mut hand);
            hand.x += glyph.advance(size);
        }
        hand.path.finish()
    }

    /// The bold font has fewer letters; the others come from the regular one.
    fn glyph(&self, letter: char, is_bold: bool) -> Glyph<'_> {
        let faces = [is_bold.then_some(&self.bold), Some(&self.regular)];
        let found = faces.into_iter().flatten().find_map(|face| Some((face, face.glyph_index(letter)?)));
        let (face, id) = found.unwrap_or((&self.regular, BOX));
        Glyph { face, id }
    }
}

/// A letter of a font.
struct Glyph<'a> {
    face: &'a Face<'static>,
    id: GlyphId,
}

impl Glyph<'_> {
    fn scale(&self, size: f32) -> f32 {
        size / f32::from(self.face.units_per_em())
    }

    fn advance(&self, size: f32) -> f32 {
        f32::from(self.face.glyph_hor_advance(self.id).unwrap_or_default()) * self.scale(size)
    }
}

/// Draws letters at a place; fonts count upwards, pictures downwards.
struct Hand {
    path: PathBuilder,
    x: f32,
    y: f32,
    scale: f32,
}

impl Hand {
    fn place(&self, x: f32, y: f32) -> (f32, f32) {
        (self.x + x * self.scale, self.y - y * self.scale)
    }
}

impl OutlineBuilder for Hand {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.place(x, y);
        self.path.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.place(x, y);
        self.path.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.place(x1, y1), self.place(x, y));
        self.path.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2), (x, y)) = (self.place(x1, y1), self.place(x2, y2), self.place(x, y));
        self.path.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fonts_have_what_figures_print() {
        let letters = Lettering::new();
        let printed = "AZaz09 .,:;!?%$€()[]{}<>&'\"/\\|_=+*#@~^`ÄÖÜäöüßéñøÅłŠčŞșΑΩαλμπσ–—…·×±−≈≤≥→←↑↓₂²³∞’“”\u{a0}\u{202f}\u{fffd}";
        for letter in printed.chars() {
            for is_bold in [false, true] {
                assert_ne!(letters.glyph(letter, is_bold).id, BOX, "{letter:?}");
            }
        }
        assert!(letters.bold.glyph_index('α').is_none(), "some letters come from the regular font");
    }

    #[test]
    fn letters_fit_into_the_room_that_figures_reckon_with() {
        let letters = Lettering::new();
        for text in ["0123456789.", "planner headroom=0.1", "pending pods 12.34 [11.02, 13.66]"] {
            let room = text.chars().count() as f32 * 7.0;
            assert!(letters.width(text, 12.0, false) <= room, "{text}");
            assert!(letters.width(text, 12.0, true) <= room * 1.08, "{text}");
        }
        let digits: Vec<f32> =
            "0123456789".chars().map(|digit| letters.width(&digit.to_string(), 12.0, false)).collect();
        assert!(digits.windows(2).all(|pair| pair[0] == pair[1]), "columns of digits line up: {digits:?}");
    }

    #[test]
    fn unknown_letters_are_boxes_and_spaces_are_nothing() {
        let letters = Lettering::new();
        let outlines = |text: &str| letters.outlines(text, 12.0, false, [0.0, 0.0]);
        for unknown in ["漢", "😀", "\u{200d}", "\u{0}", "\u{1b}", "\u{10ffff}"] {
            assert_eq!(outlines(unknown), outlines("漢"), "{unknown:?}");
            assert!(outlines(unknown).is_some());
        }
        assert_eq!(outlines(" \u{a0}"), None);
        assert_eq!(outlines(""), None);
    }
}
