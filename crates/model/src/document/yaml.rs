//! YAML 1.2 text to a tree, with the core schema's scalars and nothing of YAML 1.1.

use super::builder::{Abandoned, Builder};
use super::problem::{Position, shown};
use super::tree::Value;
use saphyr_parser::{Event, Marker, Parser, ScalarStyle, ScanError, Tag};

/// Feeds the builder; on `Err` the builder already knows why.
pub(super) fn parse(text: &str, builder: &mut Builder<'_>) -> Result<(), Abandoned> {
    let mut documents = 0;
    let mut parser = Parser::new_from_str(text);
    while let Some(event) = parser.next_event() {
        let (event, span) = event.map_err(|error| syntax_problem(text, &error, builder))?;
        let at = position(&span.start);
        match event {
            Event::DocumentStart(_) if documents == 1 => {
                let proposal = "put each document into its own file";
                return Err(builder.abandon(at, "a second YAML document begins here", proposal));
            }
            Event::DocumentStart(_) => documents += 1,
            Event::Scalar(text, style, anchor, tag) => {
                let core = core_tag(tag.as_deref(), at, builder);
                scalar(text.into_owned(), style, core.as_deref(), at, anchor_of(anchor), builder)?;
            }
            Event::SequenceStart(anchor, tag) => {
                core_tag(tag.as_deref(), at, builder);
                builder.open_sequence(at, anchor_of(anchor))?;
            }
            Event::MappingStart(anchor, tag) => {
                core_tag(tag.as_deref(), at, builder);
                builder.open_mapping(at, anchor_of(anchor))?;
            }
            Event::SequenceEnd | Event::MappingEnd => builder.close()?,
            Event::Alias(anchor) => builder.alias(anchor, at)?,
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => {}
        }
    }
    Ok(())
}

fn position(marker: &Marker) -> Position {
    Position { line: (marker.line() as u32).max(1), column: marker.col() as u32 + 1 }
}

fn anchor_of(identifier: usize) -> Option<usize> {
    (identifier != 0).then_some(identifier)
}

fn scalar(
    text: String,
    style: ScalarStyle,
    tag: Option<&str>,
    at: Position,
    anchor: Option<usize>,
    builder: &mut Builder<'_>,
) -> Result<(), Abandoned> {
    if text == "<<" && style == ScalarStyle::Plain && builder.wants_key() {
        let proposal = "repeat the keys, or use an alias for a whole value";
        builder.torn(at, "merge keys (<<) are not part of YAML 1.2", proposal);
    }
    let value = match tag {
        Some("str") => Value::Text(text.clone()),
        Some(_) => resolve(&text, at, builder),
        None if style == ScalarStyle::Plain => resolve(&text, at, builder),
        None => Value::Text(text.clone()),
    };
    builder.scalar(text, value, at, anchor)
}

/// The suffix of a tag of the core schema; any other tag asks for a type we do not have.
fn core_tag(tag: Option<&Tag>, at: Position, builder: &mut Builder<'_>) -> Option<String> {
    let tag = tag?;
    if tag.handle.is_empty() && tag.suffix == "!" {
        return Some("str".to_owned());
    }
    let known = ["str", "int", "float", "bool", "null", "seq", "map"];
    if tag.is_yaml_core_schema() && known.contains(&tag.suffix.as_str()) {
        return Some(tag.suffix.clone());
    }
    let written = shown(&format!("{}{}", tag.handle, tag.suffix));
    builder.torn(at, &format!("the tag {written} is not supported"), "remove the tag");
    None
}

/// The core schema (YAML 1.2.2, 10.3.2).
fn resolve(text: &str, at: Position, builder: &mut Builder<'_>) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Value::Null,
        "true" | "True" | "TRUE" => return Value::Bool(true),
        "false" | "False" | "FALSE" => return Value::Bool(false),
        _ => {}
    }
    if is_not_finite(text) && !builder.wants_key() {
        let message = format!("{text} is not a number that can be calculated with");
        builder.blemish(at, &message, "write a number with digits, for instance 0.5 or 1000");
    }
    if is_number(text) { Value::Number(text.to_owned()) } else { Value::Text(text.to_owned()) }
}

fn is_not_finite(text: &str) -> bool {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    matches!(unsigned, ".inf" | ".Inf" | ".INF") || matches!(text, ".nan" | ".NaN" | ".NAN")
}

fn is_number(text: &str) -> bool {
    let digits_of = |rest: Option<&str>, radix| {
        rest.is_some_and(|rest| !rest.is_empty() && rest.chars().all(|digit| digit.is_digit(radix)))
    };
    if digits_of(text.strip_prefix("0o"), 8) || digits_of(text.strip_prefix("0x"), 16) {
        return true;
    }
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent.strip_prefix(['-', '+']).unwrap_or(exponent))),
        None => (unsigned, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let has_digit = !whole.is_empty() || !fraction.is_empty();
    has_digit
        && all_digits(whole)
        && all_digits(fraction)
        && exponent.is_none_or(|part| !part.is_empty() && all_digits(part))
}

/// What the scanner says, its meaning for the author, and the usual cure. The first match counts.
const SYNTAX: &[(&str, &str, &str)] = &[
    ("tab", "a tab stands where YAML allows only spaces", "indent with spaces"),
    (
        "mapping values are not allowed",
        "a ':' is not possible here",
        "check the indentation, or put text that contains ': ' in quotes",
    ),
    ("misplaced bracket", "this bracket closes nothing", "remove it, or put the text in quotes"),
    ("expected ',' or ']'", "the list that begins with '[' is not continued or closed", "add ',' or ']'"),
    ("expected ',' or '}'", "the mapping that begins with '{' is not continued or closed", "add ',' or '}'"),
    ("unexpected end of stream", "a quoted text is not closed", "add the closing quote"),
    ("unknown anchor", "the alias refers to an anchor that was not set before", "set it with '&' above"),
    ("unknown escape", "this escape is not known", "double the backslash, or use single quotes"),
    ("simple key expect", "a key without ':'", "add ':' behind the key, or check the indentation"),
    ("did not find expected key", "this line does not continue the mapping above", "check the indentation"),
    ("'-' indicator", "this line does not continue the list above", "check the indentation"),
    ("trailing content", "text behind a closing quote", "put the whole value inside the quotes"),
    ("quoted scalar", "a quoted text is not closed", "add the closing quote"),
    ("ndent", "the indentation does not fit the lines above", "align it with its neighbours"),
    ("recursion limit", "nested too deeply", "flatten the document"),
    ("unexpected character", "a value cannot begin with this character", "put the value in quotes"),
];

/// What helps against most of what YAML stumbles over.
const QUOTE: &str = "check the indentation, and put text with special characters in quotes";

fn syntax_problem(text: &str, error: &ScanError, builder: &mut Builder<'_>) -> Abandoned {
    let at = better_place(text, error, builder);
    match SYNTAX.iter().find(|(said, _, _)| error.info().contains(said)) {
        Some((_, message, proposal)) => builder.abandon(at, message, proposal),
        None => builder.abandon(at, &format!("this is not valid YAML: {}", error.info()), QUOTE),
    }
}

/// The scanner names the place where it noticed; for some mistakes the cause stands elsewhere.
fn better_place(text: &str, error: &ScanError, builder: &Builder<'_>) -> Position {
    let noticed = position(error.marker());
    if error.info().contains("expected ',' or") {
        return builder.innermost().unwrap_or(noticed);
    }
    if error.info().contains("tab") {
        return indenting_tab(text, noticed.line).unwrap_or(noticed);
    }
    noticed
}

/// The first tab among the leading white space of a line, from the given line on.
fn indenting_tab(text: &str, from_line: u32) -> Option<Position> {
    let lines = text.lines().enumerate().skip(from_line as usize - 1);
    lines.take(2).find_map(|(index, line)| {
        let column =
            line.find(|character| character != ' ').filter(|column| line[*column..].starts_with('\t'))?;
        Some(Position { line: index as u32 + 1, column: column as u32 + 1 })
    })
}
