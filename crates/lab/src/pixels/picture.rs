//! Reads a figure: its sheet, its style and its shapes, in the order in which they are drawn.

use super::style_sheet::StyleSheet;
use super::tokens::{Attributes, Token, tokens};
use super::{HIGHEST_SHEET, Undrawable, outline};
use crate::figure::pen::WIDTH;
use tiny_skia::Path;

/// A figure that was read: every element and every attribute is known.
#[derive(Debug, Default)]
pub(super) struct Picture {
    pub width: f32,
    pub height: f32,
    pub style: StyleSheet,
    pub shapes: Vec<Shape>,
}

#[derive(Debug)]
pub(super) struct Shape {
    pub element: &'static str,
    pub classes: Vec<String>,
    pub content: Content,
}

#[derive(Debug)]
pub(super) enum Content {
    /// None if there is nothing to see of it.
    Outline(Option<Path>),
    Text {
        x: f32,
        y: f32,
        letters: String,
    },
}

impl Picture {
    pub(super) fn read(svg: &str) -> Result<Self, Undrawable> {
        let mut picture = Self::default();
        let mut open = Vec::new();
        for token in tokens(svg)? {
            match token {
                Token::Open { name, attributes, is_empty } => {
                    picture.begin(name, attributes)?;
                    open.extend((!is_empty).then_some(name));
                }
                Token::Close(name) if open.last() == Some(&name) => {
                    open.pop();
                }
                Token::Close(name) => {
                    return Err(Undrawable::because(format!("</{name}> closes another element")));
                }
                Token::Text(text) => picture.write(open.last().copied(), &text)?,
            }
        }
        match open.last() {
            Some(name) => Err(Undrawable::because(format!("<{name}> is not closed"))),
            None if picture.height == 0.0 => Err(Undrawable::because("there is no sheet to draw on")),
            None => Ok(picture),
        }
    }

    fn begin(&mut self, name: &str, mut attributes: Attributes<'_>) -> Result<(), Undrawable> {
        match name {
            "svg" => self.sheet(&mut attributes)?,
            // Titles and descriptions are for people who cannot see the picture.
            "title" | "desc" => drop(attributes.take("id")),
            "style" | "g" => {}
            "rect" => self.rectangle(&mut attributes)?,
            "path" => {
                let outline = outline::of(&attributes.take("d").unwrap_or_default())?;
                self.add("path", &mut attributes, Content::Outline(outline));
            }
            "text" => {
                let (x, y) = (attributes.number("x")?, attributes.number("y")?);
                self.add("text", &mut attributes, Content::Text { x, y, letters: String::new() });
            }
            _ => return Err(Undrawable::because(format!("<{name}> is unknown"))),
        }
        attributes.finish()
    }

    fn sheet(&mut self, attributes: &mut Attributes<'_>) -> Result<(), Undrawable> {
        for known in ["xmlns", "role", "aria-labelledby"] {
            attributes.take(known);
        }
        if attributes.classes() != ["chart"] {
            return Err(Undrawable::because("the class of the sheet is not `chart`"));
        }
        let size = attributes.take("viewBox").unwrap_or_default();
        let numbers: Result<Vec<f32>, _> = size.split(' ').map(super::tokens::number).collect();
        let fits = |side: f32, most: f32| side > 0.0 && side <= most;
        match numbers?[..] {
            [0.0, 0.0, width, height]
                if fits(width, WIDTH as f32) && fits(height, HIGHEST_SHEET) && self.height == 0.0 =>
            {
                (self.width, self.height) = (width, height);
                Ok(())
            }
            _ => Err(Undrawable::because(format!("the sheet has the size {size:?}"))),
        }
    }

    fn rectangle(&mut self, attributes: &mut Attributes<'_>) -> Result<(), Undrawable> {
        let (x, y) = (attributes.number_or_zero("x")?, attributes.number_or_zero("y")?);
        let (width, height) = (attributes.number("width")?, attributes.number("height")?);
        let rectangle = outline::rectangle([x, y], [width, height], attributes.number_or_zero("rx")?);
        self.add("rect", attributes, Content::Outline(rectangle));
        Ok(())
    }

    fn add(&mut self, element: &'static str, attributes: &mut Attributes<'_>, content: Content) {
        self.shapes.push(Shape { element, classes: attributes.classes(), content });
    }

    /// Text between tags: whose it is decides what it means.
    fn write(&mut self, element: Option<&str>, text: &str) -> Result<(), Undrawable> {
        match (element, self.shapes.last_mut()) {
            (Some("style"), _) if self.style.is_empty() => self.style = StyleSheet::read(text)?,
            (Some("title" | "desc"), _) => {}
            (Some("text"), Some(Shape { content: Content::Text { letters, .. }, .. }))
                if letters.is_empty() =>
            {
                // As in SVG, several spaces are one.
                let words: Vec<&str> = text.split(' ').filter(|word| !word.is_empty()).collect();
                *letters = words.join(" ");
            }
            _ if text.trim().is_empty() => {}
            _ => return Err(Undrawable::because(format!("{text:?} stands outside of a text"))),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "<svg class=\"chart\" xmlns=\"x\" viewBox=\"0 0 10 20\">";

    #[test]
    fn what_is_unknown_is_refused() {
        let check = |inside: &str, why: &str| {
            let error = Picture::read(&format!("{START}{inside}</svg>")).unwrap_err();
            assert_eq!(error.to_string(), why, "{inside}");
        };
        check("<circle/>", "<circle> is unknown");
        check("<g opacity=\"0.5\"></g>", "<g> has the unknown attribute \"opacity\"");
        check("<path d=\"M0 0\" style=\"fill:red\"/>", "<path> has the unknown attribute \"style\"");
        check("<path d=\"M0 0C1 1 2 2 3 3\"/>", "the path step \"C\" is unknown");
        check("<rect width=\"1\"/>", "<rect> has no height");
        check("<text x=\"1\" y=\"2\"><tspan>a</tspan></text>", "<tspan> is unknown");
        check("words", "\"words\" stands outside of a text");
        check("<text x=\"1\" y=\"2\">a<title>b</title>c</text>", "\"c\" stands outside of a text");
        check(&format!("{START}</svg>"), "the sheet has the size \"0 0 10 20\"");
        check("<g></path>", "</path> closes another element");
        check("<g>", "</svg> closes another element");
        check("<style>@import a</style>", "the rule \"@import a\" cannot be read");
    }

    #[test]
    fn sheets_have_a_size() {
        let size = |size: &str| Picture::read(&format!("<svg class=\"chart\" viewBox=\"{size}\"></svg>"));
        let picture = size("0 0 960 431.5").unwrap();
        assert_eq!((picture.width, picture.height), (960.0, 431.5));
        for wrong in
            ["", "0 0 960", "0 0 960 0", "1 0 9 9", "0 0 960 -4", "0 0 960 1e9", "0 0 961 4", "0 0 NaN 4"]
        {
            assert!(size(wrong).is_err(), "{wrong:?}");
        }
        assert!(Picture::read("").is_err());
    }

    #[test]
    fn several_spaces_are_one_and_titles_are_not_drawn() {
        let inside = "<path d=\"\"><title>moved</title></path><text x=\"1\" y=\"2\"> a  b\u{a0} </text>";
        let picture = Picture::read(&format!("{START}{inside}</svg>\n")).unwrap();
        let letters = |shape: &Shape| match &shape.content {
            Content::Text { letters, .. } => Some(letters.clone()),
            Content::Outline(outline) => outline.as_ref().map(|_| String::new()),
        };
        let found: Vec<String> = picture.shapes.iter().filter_map(letters).collect();
        assert_eq!(found, ["a b\u{a0}"]);
    }
}
