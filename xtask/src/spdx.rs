//! Reads SPDX licence expressions: `(MIT OR Apache-2.0) AND Unicode-3.0`, and the older `MIT/Apache-2.0`.

use anyhow::{Result, bail};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Expression {
    /// One licence, with its exception when it has one: `Apache-2.0 WITH LLVM-exception`.
    Licence(String),
    All(Box<Expression>, Box<Expression>),
    Any(Box<Expression>, Box<Expression>),
}

impl Expression {
    pub(crate) fn parse(text: &str) -> Result<Self> {
        let spaced = text.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
        let words: Vec<&str> = spaced.split_whitespace().collect();
        let mut reader = Reader { words: &words };
        let expression = reader.any()?;
        match reader.words {
            [] => Ok(expression),
            [word, ..] => bail!("`{text}`: did not expect `{word}`"),
        }
    }

    /// Whether one can use the package under licences that `allows` accepts: of alternatives, one is enough.
    pub(crate) fn is_satisfied(&self, allows: &impl Fn(&str) -> bool) -> bool {
        match self {
            Self::Licence(name) => allows(name),
            Self::All(left, right) => left.is_satisfied(allows) && right.is_satisfied(allows),
            Self::Any(left, right) => left.is_satisfied(allows) || right.is_satisfied(allows),
        }
    }
}

struct Reader<'a> {
    words: &'a [&'a str],
}

impl<'a> Reader<'a> {
    /// `OR` binds weakest.
    fn any(&mut self) -> Result<Expression> {
        let mut left = self.all()?;
        while self.skip("OR") {
            left = Expression::Any(Box::new(left), Box::new(self.all()?));
        }
        Ok(left)
    }

    fn all(&mut self) -> Result<Expression> {
        let mut left = self.single()?;
        while self.skip("AND") {
            left = Expression::All(Box::new(left), Box::new(self.single()?));
        }
        Ok(left)
    }

    fn single(&mut self) -> Result<Expression> {
        if self.skip("(") {
            let inside = self.any()?;
            if !self.skip(")") {
                bail!("a bracket is not closed");
            }
            return Ok(inside);
        }
        let name = self.name()?;
        if self.skip("WITH") {
            return Ok(Expression::Licence(format!("{name} WITH {}", self.name()?)));
        }
        Ok(Expression::Licence(name.to_owned()))
    }

    fn name(&mut self) -> Result<&'a str> {
        match self.words {
            [name, rest @ ..] if !["AND", "OR", "WITH", "(", ")"].contains(name) => {
                self.words = rest;
                Ok(name)
            }
            [word, ..] => bail!("expected a licence, found `{word}`"),
            [] => bail!("expected a licence, found the end"),
        }
    }

    fn skip(&mut self, word: &str) -> bool {
        match self.words {
            [first, rest @ ..] if *first == word => {
                self.words = rest;
                true
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alternatives_and_conjunctions() {
        let allows = |name: &str| ["MIT", "Apache-2.0 WITH LLVM-exception", "Unicode-3.0"].contains(&name);
        for (text, satisfied) in [
            ("MIT", true),
            ("GPL-3.0-only", false),
            ("GPL-3.0-only OR MIT", true),
            ("MIT/Apache-2.0", true),
            ("MIT AND Apache-2.0", false),
            ("(MIT OR Apache-2.0) AND Unicode-3.0", true),
            ("Apache-2.0 OR MIT AND GPL-2.0-only", false),
            ("(Apache-2.0 OR MIT) AND GPL-2.0-only", false),
            ("GPL-2.0-only AND Apache-2.0 OR MIT", true),
            ("Apache-2.0 WITH LLVM-exception", true),
            ("Apache-2.0", false),
        ] {
            let expression = Expression::parse(text).expect(text);
            assert_eq!(expression.is_satisfied(&allows), satisfied, "{text}");
        }
    }

    #[test]
    fn broken_expressions_are_refused() {
        for (text, problem) in [
            ("", "expected a licence, found the end"),
            ("MIT OR", "expected a licence, found the end"),
            ("AND MIT", "expected a licence, found `AND`"),
            ("(MIT", "a bracket is not closed"),
            ("MIT Apache-2.0", "`MIT Apache-2.0`: did not expect `Apache-2.0`"),
        ] {
            assert_eq!(Expression::parse(text).expect_err(text).to_string(), problem);
        }
    }
}
