//! From tokens to an expression: the grammar of CEL, one function for each of its rules.
//!
//! After a mistake, reading goes on behind the next `&&`, `||` or closing bracket, so that one run shows more than one.

use super::calls;
use super::lexer::{self, Token};
use super::limits::{MAX_DEPTH, MAX_ELEMENTS};
use super::problem::Problems;
use super::syntax::{Expression, Kind, Level, Literal, Operator, Span};

/// Words that cannot be names anywhere.
const KEYWORDS: [&str; 4] = ["true", "false", "null", "in"];

/// Words that cannot be names of variables; fields may have them.
const RESERVED: [&str; 17] = [
    "as",
    "break",
    "const",
    "continue",
    "else",
    "for",
    "function",
    "if",
    "import",
    "let",
    "loop",
    "package",
    "namespace",
    "return",
    "var",
    "void",
    "while",
];

/// The expression of a whole text. It may be used only if there are no problems.
pub(super) fn parse<'a>(text: &'a str, problems: &mut Problems<'a>) -> Expression {
    let tokens = lexer::tokens(text, problems);
    let mut parser = Parser { tokens, at: 0, depth: 0, is_too_deep: false, problems };
    let expression = parser.expression();
    while *parser.token() != Token::End {
        parser.refuse_rest();
        if parser.eat("&&") || parser.eat("||") {
            parser.expression();
        }
    }
    expression
}

pub(super) struct Parser<'a, 'p> {
    tokens: Vec<(Token, Span)>,
    at: usize,
    depth: usize,
    is_too_deep: bool,
    pub(super) problems: &'p mut Problems<'a>,
}

impl Parser<'_, '_> {
    fn token(&self) -> &Token {
        &self.tokens[self.at].0
    }

    pub(super) fn offset(&self) -> usize {
        self.tokens[self.at].1.start
    }

    fn advance(&mut self) {
        self.at = (self.at + 1).min(self.tokens.len() - 1);
    }

    fn is(&self, symbol: &str) -> bool {
        matches!(self.token(), Token::Symbol(here) if *here == symbol)
    }

    pub(super) fn eat(&mut self, symbol: &str) -> bool {
        let found = self.is(symbol);
        if found {
            self.advance();
        }
        found
    }

    /// An expression that began at `start` and ends with the token before this one.
    pub(super) fn made(&mut self, start: usize, kind: Kind) -> Expression {
        let end = self.tokens[self.at.saturating_sub(1)].1.end.max(start);
        let expression = Expression::new(kind, Span { start, end });
        if expression.height <= MAX_DEPTH {
            return expression;
        }
        self.refuse_depth(start);
        Expression::new(Kind::Broken, Span { start, end })
    }

    fn refuse_depth(&mut self, offset: usize) {
        if !std::mem::replace(&mut self.is_too_deep, true) {
            let message = format!("more than {MAX_DEPTH} expressions lie within each other");
            self.problems.add(offset, message, "split the rule into several");
        }
        self.at = self.tokens.len() - 1;
    }

    /// `Expr = ConditionalOr ["?" ConditionalOr ":" Expr]`
    pub(super) fn expression(&mut self) -> Expression {
        let start = self.offset();
        if self.depth >= MAX_DEPTH {
            self.refuse_depth(start);
            return self.made(start, Kind::Broken);
        }
        self.depth += 1;
        let expression = self.choice(start);
        self.depth -= 1;
        expression
    }

    fn choice(&mut self, start: usize) -> Expression {
        let condition = self.either();
        if !self.eat("?") {
            return condition;
        }
        let first = self.either();
        if !self.eat(":") {
            let proposal = "write `condition ? this : that`, a choice within a choice in brackets";
            return self.broken(start, "the second half of a choice is missing", proposal);
        }
        let second = self.expression();
        self.made(start, Kind::Choose(Box::new([condition, first, second])))
    }

    fn either(&mut self) -> Expression {
        let start = self.offset();
        let first = self.both();
        if !self.is("||") {
            return first;
        }
        let mut operands = vec![first];
        while self.eat("||") {
            operands.push(self.both());
        }
        self.made(start, Kind::Or(operands))
    }

    fn both(&mut self) -> Expression {
        let start = self.offset();
        let first = self.row(Level::Relation);
        if !self.is("&&") {
            return first;
        }
        let mut operands = vec![first];
        while self.eat("&&") {
            operands.push(self.row(Level::Relation));
        }
        self.made(start, Kind::And(operands))
    }

    /// Operators of one level in a row; they belong to the left.
    fn row(&mut self, level: Level) -> Expression {
        let start = self.offset();
        let mut left = self.closer(level);
        while let Some(operator) = self.operator(level) {
            self.advance();
            let right = self.closer(level);
            left = self.made(start, Kind::Binary(operator, Box::new(left), Box::new(right)));
        }
        left
    }

    fn closer(&mut self, level: Level) -> Expression {
        match level {
            Level::Relation => self.row(Level::Sum),
            Level::Sum => self.row(Level::Product),
            _ => self.unary(),
        }
    }

    fn operator(&self, level: Level) -> Option<Operator> {
        let written = match self.token() {
            Token::Symbol(symbol) => symbol,
            Token::Word(word) => word.as_str(),
            _ => return None,
        };
        Operator::ALL.into_iter().find(|operator| operator.as_str() == written && operator.level() == level)
    }

    /// `Unary = Member | "!" {"!"} Member | "-" {"-"} Member`; a minus before a number is part of it.
    fn unary(&mut self) -> Expression {
        let start = self.offset();
        let (symbol, wrap): (_, fn(Box<Expression>) -> Kind) = match self.token() {
            Token::Symbol("!") => ("!", Kind::Not),
            Token::Symbol("-") => ("-", Kind::Negate),
            _ => return self.member(),
        };
        let mut starts = Vec::new();
        while self.is(symbol) && !self.is_signed_number() {
            starts.push(self.offset());
            self.advance();
        }
        if self.is("!") || (self.is("-") && !self.is_signed_number()) {
            return self.broken(
                start,
                "`!` and `-` cannot follow each other",
                "put the second into brackets",
            );
        }
        let operand = self.member();
        starts.into_iter().rev().fold(operand, |operand, start| self.made(start, wrap(Box::new(operand))))
    }

    fn is_signed_number(&self) -> bool {
        let next = self.tokens.get(self.at + 1).map(|(token, _)| token);
        self.is("-") && matches!(next, Some(Token::Int(_) | Token::Double(_) | Token::Broken))
    }

    /// A primary with fields, calls and indices behind it.
    fn member(&mut self) -> Expression {
        let start = self.offset();
        let mut base = self.primary();
        loop {
            if self.eat(".") {
                base = self.selection(start, base);
            } else if self.eat("[") {
                let index = self.expression();
                self.close("]");
                base = self.made(start, Kind::Index(Box::new(base), Box::new(index)));
            } else {
                return base;
            }
        }
    }

    fn selection(&mut self, start: usize, base: Expression) -> Expression {
        let offset = self.offset();
        let Token::Word(name) = self.token().clone() else {
            return self.broken(
                offset,
                "a point is not followed by the name of a field",
                "write `thing.field`",
            );
        };
        if KEYWORDS.contains(&name.as_str()) {
            let message = format!("`{name}` cannot be the name of a field");
            return self.broken(offset, message, "write the name of a field");
        }
        self.advance();
        if self.eat("(") {
            let arguments = self.arguments();
            return calls::method(self, start, offset, base, &name, arguments);
        }
        self.made(start, Kind::Select(Box::new(base), name))
    }

    /// What stands in the brackets of a call, the closing one included.
    fn arguments(&mut self) -> Vec<Expression> {
        if self.eat(")") {
            return Vec::new();
        }
        let mut arguments = vec![self.expression()];
        while self.eat(",") {
            arguments.push(self.expression());
        }
        self.close(")");
        arguments
    }

    fn primary(&mut self) -> Expression {
        let start = self.offset();
        match self.token().clone() {
            Token::Symbol("-") => {
                self.advance();
                self.number(start, true)
            }
            Token::Int(_) | Token::Double(_) => self.number(start, false),
            Token::String(text) => self.literal(start, Literal::String(text.into())),
            Token::Word(word) => self.word(start, word),
            Token::Broken => {
                self.advance();
                self.made(start, Kind::Broken)
            }
            Token::Symbol("(") => {
                self.advance();
                let inner = self.expression();
                self.close(")");
                inner
            }
            Token::Symbol("[") => {
                self.advance();
                self.list(start)
            }
            Token::Symbol("{") => {
                let proposal = "compare field by field; lists are written [1, 2]";
                self.broken(start, "maps and objects cannot be written in a rule", proposal)
            }
            _ => self.no_value(start),
        }
    }

    fn number(&mut self, start: usize, is_negative: bool) -> Expression {
        let literal = match *self.token() {
            Token::Double(number) => Some(Literal::Double(if is_negative { -number } else { number })),
            Token::Int(number) if is_negative => 0_i64.checked_sub_unsigned(number).map(Literal::Int),
            Token::Int(number) => i64::try_from(number).ok().map(Literal::Int),
            _ => None,
        };
        let Some(literal) = literal else {
            let proposal = "an int lies between -9223372036854775808 and 9223372036854775807";
            self.problems.add(start, "the number cannot be represented", proposal);
            self.advance();
            return self.made(start, Kind::Broken);
        };
        self.literal(start, literal)
    }

    fn literal(&mut self, start: usize, literal: Literal) -> Expression {
        self.advance();
        self.made(start, Kind::Literal(literal))
    }

    fn word(&mut self, start: usize, word: String) -> Expression {
        match word.as_str() {
            "true" | "false" => return self.literal(start, Literal::Bool(word == "true")),
            "in" => return self.no_value(start),
            "not" if !matches!(self.tokens.get(self.at + 1), Some((Token::Symbol(_) | Token::End, _))) => {
                return self.broken(start, "`not` is not an operator", "write `!`");
            }
            _ => self.advance(),
        }
        if word == "null" {
            return self.made(start, Kind::Null);
        }
        if RESERVED.contains(&word.as_str()) {
            let message = format!("`{word}` is reserved and cannot be a name");
            return self.broken(start, message, "write the name of a fact");
        }
        if self.eat("(") {
            let arguments = self.arguments();
            return calls::global(self, start, &word, arguments);
        }
        self.made(start, Kind::Name(word))
    }

    /// The elements of a list; CEL allows a comma behind the last one.
    fn list(&mut self, start: usize) -> Expression {
        let mut elements = Vec::new();
        while !self.is("]") && elements.len() < MAX_ELEMENTS {
            elements.push(self.expression());
            if !self.eat(",") {
                break;
            }
        }
        self.close("]");
        self.made(start, Kind::List(elements))
    }

    /// Reads a closing bracket; if it is not there, goes on behind the one that is missing.
    fn close(&mut self, bracket: &'static str) {
        if self.eat(bracket) || self.is_too_deep {
            return;
        }
        let (message, proposal) = self.unexpected();
        let proposal = proposal.unwrap_or_else(|| format!("close the bracket with `{bracket}`"));
        self.problems.add(self.offset(), message, proposal);
        self.skip_to(&[]);
        self.eat(bracket);
    }

    fn no_value(&mut self, start: usize) -> Expression {
        let is_share = self.at > 0 && matches!(self.tokens[self.at - 1].0, Token::Symbol("%"));
        let proposal =
            if is_share { "a share is written as a number: 80 % is 0.8" } else { "write a value here" };
        let message = match self.token() {
            Token::End if self.at == 0 => "the rule is empty".to_owned(),
            Token::End => "the rule ends where a value should follow".to_owned(),
            token => format!("{} stands where a value should be", named(token)),
        };
        self.broken(start, message, proposal)
    }

    fn refuse_rest(&mut self) {
        let (message, proposal) = self.unexpected();
        let proposal = proposal.unwrap_or_else(|| "write an operator between them, such as `&&`".to_owned());
        self.problems.add(self.offset(), message, proposal);
        self.skip_to(&["&&", "||"]);
        // A closing bracket too many ends no skipping, so it is passed here.
        if [")", "]", "}"].iter().any(|bracket| self.is(bracket)) {
            self.advance();
        }
    }

    /// What to say about a token behind a complete expression.
    fn unexpected(&self) -> (String, Option<String>) {
        let message = match self.token() {
            Token::End => "the rule ends within a bracket".to_owned(),
            token => format!("{} does not belong here", named(token)),
        };
        let proposal = match self.token() {
            Token::Word(word) if word.eq_ignore_ascii_case("and") => Some("write `&&`".to_owned()),
            Token::Word(word) if word.eq_ignore_ascii_case("or") => Some("write `||`".to_owned()),
            Token::Word(word) if word == "not" => Some("write `!(a in b)`".to_owned()),
            Token::Word(word) if word == "is" => Some("write `==`".to_owned()),
            Token::Symbol(")" | "]" | "}") => Some("remove it, or open the bracket before".to_owned()),
            Token::Symbol("{") => Some("maps and objects cannot be written in a rule".to_owned()),
            _ => None,
        };
        (message, proposal)
    }

    /// Records a problem and goes on where something that can be read may follow.
    pub(super) fn broken(
        &mut self,
        offset: usize,
        message: impl Into<String>,
        proposal: impl Into<String>,
    ) -> Expression {
        self.problems.add(offset, message, proposal);
        self.skip_to(&["&&", "||", ","]);
        self.made(offset, Kind::Broken)
    }

    /// Skips to one of the symbols or to the closing bracket of this level, passing over what is in brackets.
    fn skip_to(&mut self, symbols: &[&str]) {
        let mut open = 0_usize;
        loop {
            match self.token() {
                Token::End => return,
                Token::Symbol("(" | "[" | "{") => open += 1,
                Token::Symbol(")" | "]" | "}") if open == 0 => return,
                Token::Symbol(")" | "]" | "}") => open -= 1,
                Token::Symbol(symbol) if open == 0 && symbols.contains(symbol) => return,
                _ => {}
            }
            self.advance();
        }
    }
}

fn named(token: &Token) -> String {
    match token {
        Token::Int(number) => format!("the number {number}"),
        Token::Double(number) => format!("the number {number:?}"),
        Token::String(_) => "a string".to_owned(),
        Token::Word(word) => format!("`{word}`"),
        Token::Symbol(symbol) => format!("`{symbol}`"),
        Token::Broken => "this".to_owned(),
        Token::End => "the end".to_owned(),
    }
}
