//! Figures in pixels: reads the SVG that figures are written as, draws it on white paper and packs it as PNG.
//!
//! It knows what our figures are made of and nothing else. What it does not know is an error and never left out, so that a picture
//! shows all that its figure shows.

mod canvas;
mod file;
mod lettering;
mod outline;
mod picture;
mod style_sheet;
mod tokens;

use canvas::Canvas;
use picture::Picture;

/// Twice as many pixels as units: sharp in print at the size of a page.
const PIXELS_PER_UNIT: f32 = 2.0;

/// Higher pictures are drawn smaller: more rows than this many programs do not show, and they would take much memory.
const MOST_ROWS: f32 = 16_384.0;

/// Higher sheets are none of ours: a strategy needs less than a hundred units, and there are at most 100,000 runs.
const HIGHEST_SHEET: f32 = 10_000_000.0;

/// Something in a figure that cannot be drawn in pixels.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Undrawable(String);

impl Undrawable {
    fn because(why: impl Into<String>) -> Self {
        Self(why.into())
    }
}

/// A figure that stands alone, in its light colours, as the bytes of a PNG file.
pub(crate) fn of(svg: &str) -> Result<Vec<u8>, Undrawable> {
    let picture = Picture::read(svg)?;
    let scale = PIXELS_PER_UNIT.min(MOST_ROWS / picture.height);
    Ok(file::write(&drawn(&picture, scale)?))
}

fn drawn(picture: &Picture, scale: f32) -> Result<tiny_skia::Pixmap, Undrawable> {
    let mut canvas = Canvas::new(picture.width, picture.height, scale)?;
    for shape in &picture.shapes {
        let style = picture.style.of(shape.element, &shape.classes)?;
        canvas.draw(&shape.content, &style);
    }
    Ok(canvas.finish())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bad_day;
    use crate::experiment::figures::{self, STATISTICS_SHAPES, sample};
    use crate::figure::TROUBLE_SHAPES;
    use crate::figure::pen::{Sheet, open, text};
    use crate::figure::style::alone;
    use crate::report::ReportInput;
    use crate::three_waves;
    use tiny_skia::Pixmap;

    const WHITE: [u8; 3] = [255; 3];
    /// The colours of `--ink`, `--c0` and `--warn` on white paper.
    const INK: [u8; 3] = [0x18, 0x21, 0x2c];
    const BLUE: [u8; 3] = [0, 0x72, 0xb2];
    const WARN: [u8; 3] = [0xb9, 0x47, 0];

    /// A sheet of 960 × 50 with something on it, one pixel for each unit.
    fn sketch(draw: impl FnOnce(&mut String)) -> Pixmap {
        let mut svg = String::new();
        let sheet = Sheet { key: "k", title: "t", description: "d", height: 50.0 };
        open(&mut svg, &sheet, &alone(&format!("{TROUBLE_SHAPES}{STATISTICS_SHAPES}")));
        draw(&mut svg);
        svg.push_str("</svg>");
        drawn(&Picture::read(&svg).unwrap(), 1.0).unwrap()
    }

    fn with(markup: &str) -> Pixmap {
        sketch(|svg| svg.push_str(markup))
    }

    fn pixel(pixels: &Pixmap, x: u32, y: u32) -> [u8; 3] {
        let pixel = pixels.pixel(x, y).unwrap();
        [pixel.red(), pixel.green(), pixel.blue()]
    }

    fn check(markup: &str, expected: &[(u32, u32, [u8; 3])]) {
        let pixels = with(markup);
        for (x, y, colour) in expected {
            assert_eq!(pixel(&pixels, *x, *y), *colour, "{markup} at {x}, {y}");
        }
    }

    /// From where to where there is something else than paper: left, top, right, bottom.
    fn extent(pixels: &Pixmap) -> [u32; 4] {
        let mut extent = [u32::MAX, u32::MAX, 0, 0];
        for (x, y) in (0..pixels.height()).flat_map(|y| (0..pixels.width()).map(move |x| (x, y))) {
            if pixel(pixels, x, y) != WHITE {
                let [left, top, right, bottom] = extent;
                extent = [left.min(x), top.min(y), right.max(x + 1), bottom.max(y + 1)];
            }
        }
        extent
    }

    #[test]
    fn areas_and_lines_have_their_colours() {
        check("", &[(0, 0, WHITE), (959, 49, WHITE)]);
        check(
            "<path class=\"f0\" d=\"M10 10H30V20H10Z\"/>",
            &[(10, 10, BLUE), (29, 19, BLUE), (30, 19, WHITE), (9, 10, WHITE)],
        );
        check("<path class=\"cross\" d=\"M10 10H30\"/>", &[(10, 9, WARN), (29, 10, WARN), (20, 11, WHITE)]);
        check(
            "<rect class=\"pill\" x=\"10\" y=\"10\" width=\"40\" height=\"20\" rx=\"10\"/>",
            &[(30, 10, INK), (11, 20, INK), (10, 10, WHITE), (49, 29, WHITE)],
        );
    }

    #[test]
    fn dashes_have_gaps_and_opacity_lets_the_paper_through() {
        // Nine and five in turn.
        let dashes = "<path class=\"line c0 d1\" d=\"M10 10H100\"/>";
        check(dashes, &[(12, 10, BLUE), (18, 10, BLUE), (21, 10, WHITE), (25, 10, BLUE)]);
        check("<path class=\"line c0 d0\" d=\"M10 10H100\"/>", &[(12, 10, BLUE), (21, 10, BLUE)]);
        let pixels = with("<path class=\"excess\" d=\"M10 10H30V20H10Z\"/>");
        let expected = WARN.map(|colour| 255.0 - (255.0 - f32::from(colour)) * 0.28);
        for (found, expected) in pixel(&pixels, 20, 15).into_iter().zip(expected) {
            assert!((f32::from(found) - expected).abs() <= 2.0, "{found} instead of {expected}");
        }
    }

    #[test]
    fn texts_stand_where_their_anchor_says() {
        let extent_of = |class: &str| extent(&sketch(|svg| text(svg, class, 400.0, 30.0, "HHHHHHHHHH")));
        let [left, top, right, bottom] = extent_of("");
        assert!((400..=402).contains(&left) && (470..=495).contains(&right), "{left} to {right}");
        assert!((20..=22).contains(&top) && bottom == 30, "{top} to {bottom}");
        let [left, _, right, _] = extent_of("end");
        assert!((398..=400).contains(&right) && (305..=330).contains(&left), "{left} to {right}");
        let [left, _, right, _] = extent_of("middle");
        assert!((left + right).abs_diff(800) <= 2, "{left} to {right}");
        let [.., bold, _] = extent_of("bold");
        assert!(bold > extent_of("")[2], "bold letters are wider");
        let pixels = sketch(|svg| text(svg, "bold", 400.0, 30.0, "HHH"));
        assert!((400..410).any(|x| pixel(&pixels, x, 25) == INK), "letters are filled");
    }

    #[test]
    fn notes_have_paper_around_their_letters() {
        let pixels = sketch(|svg| {
            svg.push_str("<path class=\"f0\" d=\"M0 0H960V50H0Z\"/>");
            text(svg, "note", 400.0, 30.0, "HHH");
        });
        assert_eq!(pixel(&pixels, 399, 25), WHITE);
        assert_eq!(pixel(&pixels, 390, 25), BLUE);
        assert!((400..410).any(|x| pixel(&pixels, x, 23) == WARN), "the letters lie over their outline");
    }

    #[test]
    fn hostile_texts_are_drawn_and_do_nothing_else() {
        let hostile = [
            "</text><rect width=\"9\" height=\"9\"/>",
            "\u{0}\u{1b}[31m\u{202e}\u{fffe}",
            "漢字 😀 e\u{301} \u{200f}",
            "&amp;<![CDATA[",
            "\n\t  ",
        ];
        for words in hostile {
            let picture = sketch(|svg| text(svg, "", 10.0, 30.0, words));
            assert!(words.trim().is_empty() || extent(&picture)[2] > 10, "{words:?}");
        }
        let long = "W".repeat(2_000);
        assert_eq!(extent(&sketch(|svg| text(svg, "", 10.0, 30.0, &long)))[2], 960);
        assert_eq!(extent(&sketch(|svg| text(svg, "end", 950.0, 30.0, &long)))[0], 0);
    }

    #[test]
    fn places_far_outside_are_harmless() {
        for far in ["99999999999", "-99999999999", "9223372036854775807", "-0.1"] {
            with(&format!("<path class=\"line c0 d1\" d=\"M{far} {far}L5 5H{far}V{far}Z\"/>"));
            with(&format!("<path class=\"f0 c0\" d=\"M{far} 5a3 3 0 1 0 6 0a3 3 0 1 0 -6 0Z\"/>"));
            with(&format!(
                "<rect class=\"ring\" x=\"{far}\" y=\"{far}\" width=\"{far}\" height=\"5\" rx=\"{far}\"/>"
            ));
            with(&format!("<text x=\"{far}\" y=\"{far}\">far</text>"));
        }
    }

    /// Reads a file back with a decoder that is not ours.
    fn decoded(file: &[u8]) -> (u32, u32, Vec<u8>) {
        let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        assert_eq!((info.color_type, info.bit_depth), (png::ColorType::Rgb, png::BitDepth::Eight));
        reader.finish().unwrap();
        (info.width, info.height, pixels)
    }

    #[test]
    fn a_file_has_the_pixels_that_were_drawn() {
        let drawn = with(
            "<path class=\"f0\" d=\"M10 10H30V20H10Z\"/><text class=\"name\" x=\"50\" y=\"30\">words</text>",
        );
        let (width, height, pixels) = decoded(&file::write(&drawn));
        assert_eq!((width, height), (960, 50));
        let expected: Vec<u8> =
            drawn.pixels().iter().flat_map(|one| [one.red(), one.green(), one.blue()]).collect();
        assert!(pixels == expected, "the pixels differ");
    }

    fn of_run(input: &ReportInput<'_>) -> Vec<(String, String)> {
        input.figures().all().map(|figure| (figure.key.clone(), figure.to_svg())).collect()
    }

    /// Every kind of figure there is, with its name.
    fn every_figure() -> Vec<(String, String)> {
        let mut all = Vec::new();
        for (arms, seeds) in [(1, 1), (2, 2), (8, 6)] {
            let drawings = figures::all(&sample::results(arms, seeds)).into_iter().flatten();
            all.extend(drawings.map(|drawing| (format!("{arms} {seeds} {}", drawing.key), drawing.to_svg())));
        }
        all.extend(three_waves::with_input(of_run));
        all.extend(bad_day::with_input(of_run));
        all
    }

    #[test]
    fn every_figure_can_be_drawn() {
        let all = every_figure();
        for kind in [
            "box-cost-usd",
            "front",
            "courses",
            "ecdf-cost-usd",
            "moves-script-alert-x-script-co",
            "calibration",
            "cpu-allocated",
            "service-web",
            "faults",
            "power",
        ] {
            assert!(all.iter().any(|(name, _)| name.ends_with(kind)), "{kind}");
        }
        for (name, svg) in all {
            let picture = Picture::read(&svg).unwrap_or_else(|error| panic!("{name}: {error}"));
            let pixels = drawn(&picture, 0.25).unwrap_or_else(|error| panic!("{name}: {error}"));
            let [left, top, right, bottom] = extent(&pixels);
            assert!(
                left < 60 && right > 90 && top < 20 && bottom + 20 > pixels.height(),
                "{name} is almost empty"
            );
        }
    }

    #[test]
    fn figures_are_files_of_twice_their_size() {
        let figure = three_waves::with_input(|input| input.figures().course.remove(0));
        let (width, height, pixels) = decoded(&figure.to_png().unwrap());
        let units = Picture::read(&figure.to_svg()).unwrap().height;
        assert_eq!((width, height), (1_920, (units * 2.0).round() as u32));
        assert!(pixels[..3] == [255; 3] && pixels.chunks(3).any(|pixel| pixel == BLUE));
    }

    #[test]
    fn a_very_high_figure_is_drawn_smaller() {
        let svg = format!("<svg class=\"chart\" viewBox=\"0 0 30 {MOST_ROWS}\"></svg>");
        let (width, height, _) = decoded(&of(&svg).unwrap());
        assert_eq!((width, height), (30, MOST_ROWS as u32));
    }
}
