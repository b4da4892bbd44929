//! White paper on which shapes and texts are drawn one over the other.

use super::Undrawable;
use super::lettering::Lettering;
use super::picture::Content;
use super::style_sheet::{Anchor, Style};
use tiny_skia::{Color, FillRule, LineJoin, Paint, Path, Pixmap, Stroke, StrokeDash, Transform};

pub(super) struct Canvas {
    pixels: Pixmap,
    /// From the units of a figure to pixels.
    scale: Transform,
    letters: Lettering,
}

impl Canvas {
    pub(super) fn new(width: f32, height: f32, scale: f32) -> Result<Self, Undrawable> {
        let side = |length: f32| (length * scale).round().max(1.0) as u32;
        let too_large = || Undrawable::because(format!("a sheet of {width} × {height} is too large"));
        let mut pixels = Pixmap::new(side(width), side(height)).ok_or_else(too_large)?;
        pixels.fill(Color::WHITE);
        Ok(Self { pixels, scale: Transform::from_scale(scale, scale), letters: Lettering::new() })
    }

    pub(super) fn draw(&mut self, content: &Content, style: &Style) {
        match content {
            Content::Outline(outline) => self.paint(outline.as_ref(), style),
            Content::Text { x, y, letters } => {
                let width = self.letters.width(letters, style.font_size, style.is_bold);
                let start = match style.anchor {
                    Anchor::Start => *x,
                    Anchor::Middle => x - width / 2.0,
                    Anchor::End => x - width,
                };
                let outlines = self.letters.outlines(letters, style.font_size, style.is_bold, [start, *y]);
                self.paint(outlines.as_ref(), style);
            }
        }
    }

    pub(super) fn finish(self) -> Pixmap {
        self.pixels
    }

    fn paint(&mut self, path: Option<&Path>, style: &Style) {
        let Some(path) = path else { return };
        if style.is_stroke_first {
            self.stroke(path, style);
            self.fill(path, style);
        } else {
            self.fill(path, style);
            self.stroke(path, style);
        }
    }

    fn fill(&mut self, path: &Path, style: &Style) {
        let Some(colour) = style.fill else { return };
        let ink = ink(colour, style.fill_opacity);
        self.pixels.fill_path(path, &ink, FillRule::Winding, self.scale, None);
    }

    fn stroke(&mut self, path: &Path, style: &Style) {
        let Some(colour) = style.stroke.filter(|_| style.stroke_width > 0.0) else { return };
        let stroke = Stroke {
            width: style.stroke_width,
            line_join: if style.has_round_joins { LineJoin::Round } else { LineJoin::Miter },
            dash: StrokeDash::new(dashes(style), 0.0),
            ..Stroke::default()
        };
        self.pixels.stroke_path(path, &ink(colour, style.stroke_opacity), &stroke, self.scale, None);
    }
}

/// As in SVG, an odd list counts twice.
fn dashes(style: &Style) -> Vec<f32> {
    let times = 1 + style.dashes.len() % 2;
    style.dashes.repeat(times)
}

fn ink([red, green, blue]: [u8; 3], opacity: f32) -> Paint<'static> {
    let mut ink = Paint::default();
    ink.set_color_rgba8(red, green, blue, (opacity * 255.0).round() as u8);
    ink
}
