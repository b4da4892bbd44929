//! Cuts markup into tags and texts.

use super::Undrawable;

/// A piece of markup.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    Open {
        name: &'a str,
        attributes: Attributes<'a>,
        /// Closed at once: nothing is in it.
        is_empty: bool,
    },
    Close(&'a str),
    Text(String),
}

/// What a tag says about its element. Everything has to be taken by somebody.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Attributes<'a> {
    element: &'a str,
    rest: Vec<(&'a str, String)>,
}

impl Attributes<'_> {
    pub(super) fn take(&mut self, name: &str) -> Option<String> {
        let place = self.rest.iter().position(|(found, _)| *found == name)?;
        Some(self.rest.remove(place).1)
    }

    /// A number that has to be there.
    pub(super) fn number(&mut self, name: &str) -> Result<f32, Undrawable> {
        match self.take(name) {
            Some(text) => number(&text),
            None => Err(Undrawable::because(format!("<{}> has no {name}", self.element))),
        }
    }

    /// A number that is zero by itself.
    pub(super) fn number_or_zero(&mut self, name: &str) -> Result<f32, Undrawable> {
        self.take(name).map_or(Ok(0.0), |text| number(&text))
    }

    pub(super) fn classes(&mut self) -> Vec<String> {
        let classes = self.take("class").unwrap_or_default();
        classes.split_whitespace().map(str::to_owned).collect()
    }

    /// Refuses what nobody took.
    pub(super) fn finish(self) -> Result<(), Undrawable> {
        match self.rest.first() {
            None => Ok(()),
            Some((name, _)) => {
                Err(Undrawable::because(format!("<{}> has the unknown attribute {name:?}", self.element)))
            }
        }
    }
}

pub(super) fn number(text: &str) -> Result<f32, Undrawable> {
    let number = text.parse().ok().filter(|number: &f32| number.is_finite());
    number.ok_or_else(|| Undrawable::because(format!("{text:?} is not a number")))
}

pub(super) fn tokens(markup: &str) -> Result<Vec<Token<'_>>, Undrawable> {
    let mut tokens = Vec::new();
    let mut rest = markup;
    while !rest.is_empty() {
        let (text, tag) = rest.split_at(rest.find('<').unwrap_or(rest.len()));
        if !text.is_empty() {
            tokens.push(Token::Text(plain(text)?));
        }
        rest = match tag.split_once('>') {
            Some((tag, after)) => {
                tokens.push(read_tag(&tag[1..])?);
                after
            }
            None if tag.is_empty() => "",
            None => return Err(Undrawable::because("the last tag has no end")),
        };
    }
    Ok(tokens)
}

/// A tag without its brackets.
fn read_tag(tag: &str) -> Result<Token<'_>, Undrawable> {
    if let Some(name) = tag.strip_prefix('/') {
        return Ok(Token::Close(name));
    }
    let (tag, is_empty) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
    let (name, mut rest) = tag.split_once(' ').unwrap_or((tag, ""));
    let mut attributes = Vec::new();
    while !rest.is_empty() {
        let broken = || Undrawable::because(format!("<{name}> has attributes that cannot be read: {rest:?}"));
        let (attribute, after) = rest.split_once("=\"").ok_or_else(broken)?;
        let (value, after) = after.split_once('"').ok_or_else(broken)?;
        attributes.push((attribute, plain(value)?));
        rest = after.strip_prefix(' ').unwrap_or(after);
    }
    Ok(Token::Open { name, attributes: Attributes { element: name, rest: attributes }, is_empty })
}

/// Text with its signs in the place of their names.
fn plain(text: &str) -> Result<String, Undrawable> {
    const SIGNS: [(&str, char); 5] =
        [("amp;", '&'), ("lt;", '<'), ("gt;", '>'), ("quot;", '"'), ("#39;", '\'')];
    let mut parts = text.split('&');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let sign = SIGNS.iter().find_map(|(name, sign)| Some((*sign, part.strip_prefix(name)?)));
        let unknown = || Undrawable::because(format!("&{part} begins with an unknown sign"));
        let (sign, rest) = sign.ok_or_else(unknown)?;
        plain.push(sign);
        plain.push_str(rest);
    }
    Ok(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(markup: &str) -> String {
        match tokens(markup) {
            Ok(tokens) => format!("{tokens:?}"),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn signs_get_their_meaning() {
        let text = plain("&lt;b&gt; &amp;amp; &quot;c&quot; &#39;d&#39;").unwrap();
        assert_eq!(text, "<b> &amp; \"c\" 'd'");
        assert_eq!(plain("&nbsp;").unwrap_err().to_string(), "&nbsp; begins with an unknown sign");
    }

    #[test]
    fn what_cannot_be_read_is_refused() {
        assert_eq!(read("<a"), "the last tag has no end");
        assert_eq!(read("<a b>"), "<a> has attributes that cannot be read: \"b\"");
        assert_eq!(read("<a b=\"c>"), "<a> has attributes that cannot be read: \"b=\\\"c\"");
        assert_eq!(read("</a>x"), "[Close(\"a\"), Text(\"x\")]");
    }

    #[test]
    fn every_attribute_has_to_be_taken() {
        let markup = tokens("<rect x=\"1.5\" y=\"far\" width=\"3\"/>").unwrap();
        let Some(Token::Open { mut attributes, is_empty: true, .. }) = markup.into_iter().next() else {
            panic!("one empty tag")
        };
        assert_eq!(attributes.number("x"), Ok(1.5));
        assert_eq!(attributes.number("y").unwrap_err().to_string(), "\"far\" is not a number");
        assert_eq!(attributes.number("height").unwrap_err().to_string(), "<rect> has no height");
        assert_eq!(attributes.number_or_zero("rx"), Ok(0.0));
        assert_eq!(
            attributes.finish().unwrap_err().to_string(),
            "<rect> has the unknown attribute \"width\""
        );
    }
}
