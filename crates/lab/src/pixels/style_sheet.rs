//! Reads the style of a figure: rules of the form `.chart .name{…}` for classes and `.chart name{…}` for elements.

use super::Undrawable;
use super::tokens::number;

/// What rules say, for the light screen.
#[derive(Debug, Default)]
pub(super) struct StyleSheet {
    rules: Vec<Rule>,
}

#[derive(Debug)]
struct Rule {
    target: Target,
    declarations: Vec<(String, String)>,
}

#[derive(Debug, PartialEq, Eq)]
enum Target {
    Element(String),
    Class(String),
}

/// How one shape looks.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Style {
    pub fill: Option<[u8; 3]>,
    pub fill_opacity: f32,
    pub stroke: Option<[u8; 3]>,
    pub stroke_opacity: f32,
    pub stroke_width: f32,
    /// Lengths of dashes and gaps in turn; empty for a whole line.
    pub dashes: Vec<f32>,
    pub has_round_joins: bool,
    /// The outline lies under the filling.
    pub is_stroke_first: bool,
    pub font_size: f32,
    pub is_bold: bool,
    pub anchor: Anchor,
}

/// Which part of a text stands at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// As SVG says where no rule does.
impl Default for Style {
    fn default() -> Self {
        Self {
            fill: Some([0; 3]),
            fill_opacity: 1.0,
            stroke: None,
            stroke_opacity: 1.0,
            stroke_width: 1.0,
            dashes: Vec::new(),
            has_round_joins: false,
            is_stroke_first: false,
            font_size: 16.0,
            is_bold: false,
            anchor: Anchor::Start,
        }
    }
}

/// Where the rules for dark screens begin: paper is light.
const DARK: &str = "@media screen and (prefers-color-scheme:dark){";

/// Classes without a rule: the first kind of dash is a whole line.
const PLAIN: [&str; 1] = ["d0"];

/// From this weight on letters are bold: there are two weights.
const BOLD: f32 = 600.0;

impl StyleSheet {
    pub(super) fn read(text: &str) -> Result<Self, Undrawable> {
        let light = text.split_once(DARK).map_or(Ok(text), |(light, dark)| {
            let is_last = dark.ends_with("}}") && !dark.contains('@');
            is_last.then_some(light).ok_or_else(|| Undrawable::because("rules follow those of dark screens"))
        })?;
        let mut rules = Vec::new();
        for rule in light.split_inclusive('}') {
            let unreadable = || Undrawable::because(format!("the rule {rule:?} cannot be read"));
            let (selectors, declarations) =
                rule.strip_suffix('}').and_then(|rule| rule.split_once('{')).ok_or_else(unreadable)?;
            let declarations = read_declarations(declarations)?;
            for selector in selectors.split(',') {
                let target = Target::read(selector).ok_or_else(unreadable)?;
                rules.push(Rule { target, declarations: declarations.clone() });
            }
        }
        Ok(Self { rules })
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// How an element of these classes looks. A class weighs more than an element; then the later rule wins.
    pub(super) fn of(&self, element: &str, classes: &[String]) -> Result<Style, Undrawable> {
        let is_known = |class: &&String| {
            PLAIN.contains(&class.as_str()) || self.rules.iter().any(|rule| rule.target.is_class(class))
        };
        if let Some(class) = classes.iter().find(|class| !is_known(class)) {
            return Err(Undrawable::because(format!(
                "<{element}> has the class {class:?}, which has no rule"
            )));
        }
        let of_element = self.rules.iter().filter(|rule| rule.target == Target::Element(element.to_owned()));
        let of_class =
            self.rules.iter().filter(|rule| classes.iter().any(|class| rule.target.is_class(class)));
        let mut style = Style::default();
        for (name, value) in of_element.chain(of_class).flat_map(|rule| &rule.declarations) {
            style.declare(name, value)?;
        }
        Ok(style)
    }
}

impl Target {
    fn read(selector: &str) -> Option<Self> {
        let target = selector.strip_prefix(".chart ")?;
        let (name, is_class) = target.strip_prefix('.').map_or((target, false), |name| (name, true));
        let is_plain = !name.is_empty() && name.chars().all(|letter| letter.is_ascii_alphanumeric());
        is_plain.then(|| if is_class { Self::Class(name.to_owned()) } else { Self::Element(name.to_owned()) })
    }

    fn is_class(&self, name: &str) -> bool {
        matches!(self, Self::Class(class) if class == name)
    }
}

fn read_declarations(text: &str) -> Result<Vec<(String, String)>, Undrawable> {
    let mut declarations = Vec::new();
    for declaration in text.split(';') {
        let unreadable = || Undrawable::because(format!("{declaration:?} says nothing"));
        let (name, value) = declaration.split_once(':').ok_or_else(unreadable)?;
        // Tried once, so that what is unknown is found whether or not a figure uses it.
        Style::default().declare(name, value)?;
        declarations.push((name.to_owned(), value.to_owned()));
    }
    Ok(declarations)
}

impl Style {
    fn declare(&mut self, name: &str, value: &str) -> Result<(), Undrawable> {
        match (name, value) {
            ("fill", _) => self.fill = colour(value)?,
            ("fill-opacity", _) => self.fill_opacity = number(value)?.clamp(0.0, 1.0),
            ("stroke", _) => self.stroke = colour(value)?,
            ("stroke-opacity", _) => self.stroke_opacity = number(value)?.clamp(0.0, 1.0),
            ("stroke-width", _) => self.stroke_width = length(value)?,
            ("stroke-dasharray", _) => {
                self.dashes = value.split(' ').map(length).collect::<Result<_, _>>()?;
            }
            ("stroke-linejoin", "round") => self.has_round_joins = true,
            ("paint-order", "stroke") => self.is_stroke_first = true,
            ("text-anchor", "middle") => self.anchor = Anchor::Middle,
            ("text-anchor", "end") => self.anchor = Anchor::End,
            // The families do not matter: there is one font.
            ("font", _) => self.font_size = length(value.split(' ').next().unwrap_or_default())?,
            ("font-size", _) => self.font_size = length(value)?,
            ("font-weight", _) => self.is_bold = number(value)? >= BOLD,
            // The digits of our font are all equally wide.
            ("font-variant-numeric", "tabular-nums") => {}
            _ => return Err(Undrawable::because(format!("the style {name}:{value} is unknown"))),
        }
        Ok(())
    }
}

/// Numbers of the picture's own units, with or without their name.
fn length(text: &str) -> Result<f32, Undrawable> {
    let length = number(text.strip_suffix("px").unwrap_or(text))?;
    let negative = || Undrawable::because(format!("{text:?} is no length"));
    (length >= 0.0).then_some(length).ok_or_else(negative)
}

/// `none`, or a colour of three or six hexadecimal digits.
fn colour(text: &str) -> Result<Option<[u8; 3]>, Undrawable> {
    if text == "none" {
        return Ok(None);
    }
    let unknown = || Undrawable::because(format!("{text:?} is no colour"));
    let digits: Option<Vec<u8>> = text
        .strip_prefix('#')
        .and_then(|digits| digits.chars().map(|digit| digit.to_digit(16).map(|digit| digit as u8)).collect());
    let digits = digits.filter(|digits| [3, 6].contains(&digits.len())).ok_or_else(unknown)?;
    // A single digit counts twice.
    let part = |part: &[u8]| part[0] * 16 + part[part.len() - 1];
    let mut parts = digits.chunks(digits.len() / 3).map(part);
    Ok(Some(std::array::from_fn(|_| parts.next().unwrap_or_default())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn style(rules: &str, element: &str, classes: &str) -> Style {
        let classes: Vec<String> = classes.split_whitespace().map(str::to_owned).collect();
        StyleSheet::read(rules).unwrap().of(element, &classes).unwrap()
    }

    #[test]
    fn classes_weigh_more_than_elements_and_later_rules_win() {
        let rules = ".chart .a{fill:#123456;stroke-width:2}.chart path,.chart line{fill:none;stroke:#fff}\
                     .chart .b{stroke-width:4px}";
        let both = style(rules, "path", "b a");
        assert_eq!((both.fill, both.stroke), (Some([0x12, 0x34, 0x56]), Some([255; 3])));
        assert_eq!(both.stroke_width, 4.0, "whatever the order of the classes is");
        assert_eq!(style(rules, "line", "").fill, None);
        assert_eq!(style(rules, "rect", ""), Style::default());
    }

    #[test]
    fn dark_screens_are_left_out() {
        let rules = ".chart .a{fill:#fff}@media screen and (prefers-color-scheme:dark){.chart .a{fill:#000}}";
        assert_eq!(style(rules, "rect", "a").fill, Some([255; 3]));
        assert!(StyleSheet::read(&format!("{rules}.chart .a{{fill:#111}}")).is_err());
        assert!(StyleSheet::read(&format!("{rules}@media print{{.chart .a{{fill:#111}}}}")).is_err());
    }

    #[test]
    fn what_is_unknown_is_refused() {
        let check = |rules: &str, why: &str| {
            assert_eq!(StyleSheet::read(rules).unwrap_err().to_string(), why, "{rules}");
        };
        check(".chart .a{opacity:.5}", "the style opacity:.5 is unknown");
        check(".chart .a{fill:red}", "\"red\" is no colour");
        check(".chart .a{fill:var(--ink)}", "\"var(--ink)\" is no colour");
        check(".chart .a{stroke-width:2em}", "\"2em\" is not a number");
        check(".chart .a{stroke-width:-2}", "\"-2\" is no length");
        check(".chart .a{text-anchor:inherit}", "the style text-anchor:inherit is unknown");
        check(".chart .a:hover{fill:none}", "the rule \".chart .a:hover{fill:none}\" cannot be read");
        check("text{fill:none}", "the rule \"text{fill:none}\" cannot be read");
        check(".chart .a{fill}", "\"fill\" says nothing");
        let sheet = StyleSheet::read(".chart .a{fill:none}").unwrap();
        let error = sheet.of("path", &["b".to_owned()]).unwrap_err();
        assert_eq!(error.to_string(), "<path> has the class \"b\", which has no rule");
    }
}
