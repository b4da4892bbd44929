//! The parsed form of a rule.

use super::duration::Duration;
use std::sync::Arc;

/// Bytes of a rule's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) start: usize,
    pub(super) end: usize,
}

/// A part of a rule.
#[derive(Clone, Debug)]
pub(super) struct Expression {
    pub(super) kind: Kind,
    pub(super) span: Span,
    /// Expressions from here down to the deepest one.
    pub(super) height: usize,
}

/// Where something is written does not matter for what it means.
impl PartialEq for Expression {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    Literal(Literal),
    Null,
    List(Vec<Expression>),
    Name(String),
    Select(Box<Expression>, String),
    Index(Box<Expression>, Box<Expression>),
    /// `has(base.field)`
    Has(Box<Expression>, String),
    Not(Box<Expression>),
    Negate(Box<Expression>),
    Binary(Operator, Box<Expression>, Box<Expression>),
    /// At least two operands, as many as stand in a row.
    And(Vec<Expression>),
    Or(Vec<Expression>),
    /// `condition ? first : second`
    Choose(Box<[Expression; 3]>),
    /// A method's receiver is its first argument.
    Call(Function, Vec<Expression>),
    Loop(Loop),
    /// What could not be read; a rule with one of these has problems and is never evaluated.
    Broken,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Literal {
    Bool(bool),
    Int(i64),
    Double(f64),
    String(Arc<str>),
    Duration(Duration),
}

/// `list.all(variable, body)` and its sisters.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Loop {
    pub(super) quantifier: Macro,
    pub(super) range: Box<Expression>,
    pub(super) variable: String,
    pub(super) body: Box<Expression>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Multiply,
    Divide,
    Remainder,
    Add,
    Subtract,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
    NotEqual,
    In,
}

impl Operator {
    pub(super) const ALL: [Self; 12] = [
        Self::Multiply,
        Self::Divide,
        Self::Remainder,
        Self::Add,
        Self::Subtract,
        Self::Less,
        Self::LessOrEqual,
        Self::Greater,
        Self::GreaterOrEqual,
        Self::Equal,
        Self::NotEqual,
        Self::In,
    ];

    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Remainder => "%",
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::In => "in",
        }
    }

    /// Products bind closer than sums, sums closer than relations.
    pub(super) const fn level(self) -> Level {
        match self {
            Self::Multiply | Self::Divide | Self::Remainder => Level::Product,
            Self::Add | Self::Subtract => Level::Sum,
            _ => Level::Relation,
        }
    }
}

/// How closely an expression holds together; the grammar of CEL has one rule for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    Choice,
    Or,
    And,
    Relation,
    Sum,
    Product,
    Unary,
    Member,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Function {
    Size,
    StartsWith,
    EndsWith,
    Contains,
    Double,
    Int,
}

impl Function {
    pub(super) const METHODS: [Self; 4] = [Self::Size, Self::StartsWith, Self::EndsWith, Self::Contains];
    pub(super) const GLOBALS: [Self; 3] = [Self::Size, Self::Double, Self::Int];

    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Size => "size",
            Self::StartsWith => "startsWith",
            Self::EndsWith => "endsWith",
            Self::Contains => "contains",
            Self::Double => "double",
            Self::Int => "int",
        }
    }

    /// Arguments, the receiver included.
    pub(super) const fn arity(self) -> usize {
        match self {
            Self::Size | Self::Double | Self::Int => 1,
            Self::StartsWith | Self::EndsWith | Self::Contains => 2,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Macro {
    All,
    Exists,
    ExistsOne,
    Filter,
    Map,
}

impl Macro {
    pub(super) const ALL: [Self; 5] = [Self::All, Self::Exists, Self::ExistsOne, Self::Filter, Self::Map];

    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Exists => "exists",
            Self::ExistsOne => "exists_one",
            Self::Filter => "filter",
            Self::Map => "map",
        }
    }
}

impl Expression {
    pub(super) fn new(kind: Kind, span: Span) -> Self {
        let deepest = kind.children().map(|child| child.height).max().unwrap_or(0);
        Self { kind, span, height: deepest + 1 }
    }

    /// A name with fields and indices behind it: what `has` can ask about.
    pub(super) fn is_path(&self) -> bool {
        match &self.kind {
            Kind::Name(_) | Kind::Broken => true,
            Kind::Select(base, _) | Kind::Index(base, _) => base.is_path(),
            _ => false,
        }
    }

    pub(super) const fn level(&self) -> Level {
        match &self.kind {
            Kind::Choose(_) => Level::Choice,
            Kind::Or(_) => Level::Or,
            Kind::And(_) => Level::And,
            Kind::Binary(operator, ..) => operator.level(),
            Kind::Not(_) | Kind::Negate(_) => Level::Unary,
            Kind::Literal(Literal::Int(number)) if *number < 0 => Level::Unary,
            Kind::Literal(Literal::Double(number)) if number.is_sign_negative() => Level::Unary,
            _ => Level::Member,
        }
    }
}

impl Kind {
    pub(super) fn children(&self) -> Box<dyn Iterator<Item = &Expression> + '_> {
        match self {
            Self::Literal(_) | Self::Null | Self::Name(_) | Self::Broken => Box::new(std::iter::empty()),
            Self::Select(base, _) | Self::Has(base, _) => Box::new(std::iter::once(&**base)),
            Self::Not(operand) | Self::Negate(operand) => Box::new(std::iter::once(&**operand)),
            Self::Index(left, right) | Self::Binary(_, left, right) => {
                Box::new([&**left, &**right].into_iter())
            }
            Self::List(parts) | Self::And(parts) | Self::Or(parts) | Self::Call(_, parts) => {
                Box::new(parts.iter())
            }
            Self::Choose(parts) => Box::new(parts.iter()),
            Self::Loop(one) => Box::new([&*one.range, &*one.body].into_iter()),
        }
    }
}
