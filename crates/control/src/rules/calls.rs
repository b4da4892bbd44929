//! Calls of functions and macros, which CEL writes alike: which ones there are, and what they take.

use super::duration::Duration;
use super::parser::Parser;
use super::syntax::{Expression, Function, Kind, Literal, Loop, Macro};
use model::document::nearest;

/// Functions of CEL or of other languages that are left out, and what to use instead.
const LEFT_OUT: [(&str, &str); 14] = [
    ("matches", "use startsWith, endsWith or contains"),
    ("len", "write size(x)"),
    ("length", "write size(x)"),
    ("count", "write size(x.filter(y, …))"),
    ("any", "write x.exists(y, …)"),
    ("some", "write x.exists(y, …)"),
    ("every", "write x.all(y, …)"),
    ("includes", "write `y in x` for lists, x.contains(y) for strings"),
    ("min", "write `a < b ? a : b`"),
    ("max", "write `a > b ? a : b`"),
    ("abs", "write `a < 0 ? -a : a`"),
    ("float", "write double(x)"),
    ("exists", "write x.exists(y, …) for lists, has(x.y) for facts that may not be known"),
    ("defined", "write has(x.y)"),
];

/// `name(arguments)`
pub(super) fn global(
    parser: &mut Parser<'_, '_>,
    start: usize,
    name: &str,
    arguments: Vec<Expression>,
) -> Expression {
    match name {
        "has" => return has(parser, start, arguments),
        "duration" => return duration(parser, start, &arguments),
        _ => {}
    }
    match Function::GLOBALS.into_iter().find(|function| function.as_str() == name) {
        Some(function) => call(parser, start, start, function, arguments),
        None => unknown(parser, start, start, name, &["has", "duration", "size", "double", "int"]),
    }
}

/// `receiver.name(arguments)`
pub(super) fn method(
    parser: &mut Parser<'_, '_>,
    start: usize,
    named_at: usize,
    receiver: Expression,
    name: &str,
    arguments: Vec<Expression>,
) -> Expression {
    if let Some(quantifier) = Macro::ALL.into_iter().find(|quantifier| quantifier.as_str() == name) {
        return loop_over(parser, (start, named_at), quantifier, receiver, arguments);
    }
    let Some(function) = Function::METHODS.into_iter().find(|function| function.as_str() == name) else {
        let methods = Function::METHODS.map(Function::as_str);
        let known: Vec<&str> = methods.into_iter().chain(Macro::ALL.map(Macro::as_str)).collect();
        return unknown(parser, start, named_at, name, &known);
    };
    let arguments = std::iter::once(receiver).chain(arguments).collect();
    call(parser, start, named_at, function, arguments)
}

fn call(
    parser: &mut Parser<'_, '_>,
    start: usize,
    named_at: usize,
    function: Function,
    arguments: Vec<Expression>,
) -> Expression {
    if arguments.len() == function.arity() {
        return parser.made(start, Kind::Call(function, arguments));
    }
    let usage = match function {
        Function::Size => "size(x) or x.size()",
        Function::Double => "double(x)",
        Function::Int => "int(x)",
        Function::StartsWith => "x.startsWith(\"…\")",
        Function::EndsWith => "x.endsWith(\"…\")",
        Function::Contains => "x.contains(\"…\")",
    };
    refuse_count(parser, start, named_at, function.as_str(), usage)
}

fn refuse_count(
    parser: &mut Parser<'_, '_>,
    start: usize,
    named_at: usize,
    name: &str,
    usage: &str,
) -> Expression {
    let message = format!("`{name}` has a wrong number of arguments");
    parser.problems.add(named_at, message, format!("write {usage}"));
    parser.made(start, Kind::Broken)
}

fn unknown(
    parser: &mut Parser<'_, '_>,
    start: usize,
    named_at: usize,
    name: &str,
    known: &[&str],
) -> Expression {
    let left_out =
        LEFT_OUT.iter().find(|(other, _)| *other == name).map(|(_, instead)| (*instead).to_owned());
    let near = || nearest(name, known.iter().copied()).map(|near| format!("did you mean `{near}`?"));
    let proposal = left_out.or_else(near).unwrap_or_else(|| format!("here there are {}", known.join(", ")));
    parser.problems.add(named_at, format!("there is no function `{name}`"), proposal);
    parser.made(start, Kind::Broken)
}

/// `has(path.field)`: only of a path, so that what is not known cannot hide in a computation.
fn has(parser: &mut Parser<'_, '_>, start: usize, mut arguments: Vec<Expression>) -> Expression {
    let single = if arguments.len() == 1 { arguments.pop() } else { None };
    match single.map(|argument| argument.kind) {
        Some(Kind::Select(base, field)) if base.is_path() => parser.made(start, Kind::Has(base, field)),
        Some(Kind::Broken) => parser.made(start, Kind::Broken),
        _ => {
            let message = "`has` takes a field of something";
            parser.problems.add(start, message, "write for instance has(target.load_after)");
            parser.made(start, Kind::Broken)
        }
    }
}

/// `duration("10m")`: only of a literal, so that it is read together with the rule.
fn duration(parser: &mut Parser<'_, '_>, start: usize, arguments: &[Expression]) -> Expression {
    let [Expression { kind: Kind::Literal(Literal::String(text)), span, .. }] = arguments else {
        let message = "`duration` takes a string literal";
        parser.problems.add(start, message, "write for instance duration(\"10m\")");
        return parser.made(start, Kind::Broken);
    };
    match Duration::read(text) {
        Ok(duration) => parser.made(start, Kind::Literal(Literal::Duration(duration))),
        Err(refused) => {
            let message = format!("the duration \"{text}\" {}", refused.why);
            parser.problems.add(span.start, message, refused.instead);
            parser.made(start, Kind::Broken)
        }
    }
}

fn loop_over(
    parser: &mut Parser<'_, '_>,
    (start, named_at): (usize, usize),
    quantifier: Macro,
    range: Expression,
    arguments: Vec<Expression>,
) -> Expression {
    let name = quantifier.as_str();
    let usage = format!("list.{name}(x, …)");
    let Ok([variable, body]) = <[Expression; 2]>::try_from(arguments) else {
        return refuse_count(parser, start, named_at, name, &usage);
    };
    let Kind::Name(variable) = variable.kind else {
        let message = format!("the first argument of `{name}` is not a new name");
        parser.problems.add(variable.span.start, message, format!("write {usage}"));
        return parser.made(start, Kind::Broken);
    };
    let (range, body) = (Box::new(range), Box::new(body));
    parser.made(start, Kind::Loop(Loop { quantifier, range, variable, body }))
}
