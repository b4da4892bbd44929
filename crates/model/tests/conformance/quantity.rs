//! Kubernetes' quantity tables: every row, with the signs upstream also tries.

use crate::table::{self, Case};
use model::quantity::{Format, Quantity, split};
use serde_json::Value;
use std::cmp::Ordering;
use std::fmt::Debug;

#[test]
fn quantity() {
    table::run("quantity", |_| None, check);
}

fn check(case: &Case) -> Result<(), String> {
    let (input, want) = (&case.input, &case.want);
    match case.kind.as_str() {
        "cmp" => same("order", sign(parsed(&input["x"])?.cmp(&parsed(&input["y"])?)), integer(&want["cmp"])),
        "cmpDec" => same("order", sign(value(&input["x"]).cmp(&value(&input["y"]))), integer(&want["cmp"])),
        "cmpValue" => same("order", sign(value(&input["a"]).cmp(&value(&input["b"]))), integer(&want["cmp"])),
        "parseString" => pieces(text(&input["input"]), want),
        "parse" => parse(text(&input["input"]), want),
        "parseInvalid" => same("refused", read(text(&input["input"])).is_err(), true),
        "parseEmit" => parse_emit(text(&input["input"]), text(&want["string"])),
        "unmarshalJSON" => unmarshal(text(&input["json"]), text(&want["string"])),
        "roundUp" => round_up(input, want),
        "format" => format(input, text(&want["string"])),
        "newQuantity" => constructed(integer(&input["value"]), 0, &input["format"], &want["result"], true),
        "newMilliQuantity" => {
            let exact = want["exact"] == Value::Bool(true);
            constructed(integer(&input["value"]), -3, &input["format"], &want["result"], exact)
        }
        "newScaledQuantity" => {
            let scale = exponent(&input["scale"]);
            constructed(integer(&input["value"]), scale, &"DecimalSI".into(), &want["result"], true)
        }
        "scaledValue" => {
            let one = Quantity::new(1, exponent(&input["fromScale"]), Format::DecimalSi);
            same("value", one.scaled_value(exponent(&input["toScale"])), Some(integer(&want["result"])))
        }
        "neg" => same("negated", negated(&value(&input["a"]))?, value(&want["value"])),
        "negString" => {
            same("negated", negated(&value(&input["a"]))?.to_string(), text(&want["string"]).to_owned())
        }
        "add" => sum(value(&input["a"]).checked_add(&value(&input["b"])), &want["result"]),
        "sub" => sum(value(&input["a"]).checked_sub(&value(&input["b"])), &want["result"]),
        "mul" => product(input, want),
        "asApproximateFloat64" => same("float", source(input)?.approximate_float(), float(&want["float64"])),
        "asFloat64Slow" => same("float", source(input)?.nearest_float(), float(&want["float64"])),
        kind => Err(format!("no check for rows of kind {kind}")),
    }
}

fn pieces(input: &str, want: &Value) -> Result<(), String> {
    let parts = split(input);
    same("sign", Value::Bool(parts.positive), want["positive"].clone())?;
    same("number", parts.number, text(&want["value"]))?;
    same("whole", parts.whole, text(&want["num"]))?;
    same("fraction", parts.fraction, text(&want["denom"]))?;
    same("suffix", parts.suffix, text(&want["suffix"]))
}

fn parse(input: &str, want: &Value) -> Result<(), String> {
    let (quantity, expected) = (read(input)?, value(&want["value"]));
    same("printed", quantity.to_string().as_str(), text(&want["observedString"]))?;
    for (signed, expected) in [("", expected.clone()), ("+", expected.clone()), ("-", negated(&expected)?)] {
        let quantity = read(&format!("{signed}{input}"))?;
        same("value", &quantity, &expected)?;
        same("format", quantity.format(), expected.format())?;
        for format in [Format::DecimalSi, Format::BinarySi, Format::DecimalExponent] {
            let reformatted = Quantity::new(quantity.mantissa(), quantity.exponent(), format);
            same("value in another format", &reformatted, &quantity)?;
        }
    }
    let parts = split(input);
    same(
        "pieces put together",
        read(&format!("{}.{}{}", parts.whole, parts.fraction, parts.suffix))?,
        quantity,
    )
}

fn parse_emit(input: &str, want: &str) -> Result<(), String> {
    same("printed", read(input)?.to_string().as_str(), want)?;
    same("printed negated", read(&format!("-{input}"))?.to_string(), format!("-{want}"))
}

fn unmarshal(json: &str, want: &str) -> Result<(), String> {
    let quantity: Quantity = serde_json::from_str(json).map_err(|error| error.to_string())?;
    same("printed", quantity.to_string().as_str(), want)
}

fn round_up(input: &Value, want: &Value) -> Result<(), String> {
    let (rounded, exact) = parsed(&input["in"])?.round_up(exponent(&input["scale"]));
    same("rounded", rounded, value(&want["value"]))?;
    same("exact", Value::Bool(exact), want["exact"].clone())
}

fn format(input: &Value, want: &str) -> Result<(), String> {
    let quantity = value(&input["value"]);
    same("printed", quantity.to_string().as_str(), want)?;
    same("read and printed again", read(want)?.to_string().as_str(), want)?;
    if let Some(alternate) = input["alternate"].as_str() {
        same("alternate printed", read(alternate)?.to_string().as_str(), want)?;
    }
    let minus = if quantity.mantissa() == 0 { "" } else { "-" };
    same("printed negated", negated(&quantity)?.to_string(), format!("{minus}{want}"))
}

fn constructed(number: i64, scale: i32, name: &Value, want: &Value, round_trip: bool) -> Result<(), String> {
    let quantity = Quantity::new(i128::from(number), scale, format_named(name));
    same("printed", quantity.to_string().as_str(), text(want))?;
    let again = read(&quantity.to_string())?;
    if round_trip { same("read again", again.scaled_value(scale), Some(number)) } else { Ok(()) }
}

fn sum(got: Option<Quantity>, want: &Value) -> Result<(), String> {
    let (got, want) = (got.ok_or("the sum does not fit")?, value(want));
    same("sum", &got, &want)?;
    same("format", got.format(), want.format())
}

fn product(input: &Value, want: &Value) -> Result<(), String> {
    let got = value(&input["a"]).checked_mul(integer(&input["b"])).ok_or("the product does not fit")?;
    same("product", &got, &value(&want["result"]))?;
    // Upstream reports whether the result still fits its 64-bit representation.
    same("fits 64 bits", Value::Bool(i64::try_from(got.mantissa()).is_ok()), want["ok"].clone())
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "rows compare freshly made values; references would only add noise"
)]
fn same<T: PartialEq + Debug>(what: &str, got: T, want: T) -> Result<(), String> {
    if got == want { Ok(()) } else { Err(format!("{what}: got {got:?}, want {want:?}")) }
}

fn read(text: &str) -> Result<Quantity, String> {
    text.parse().map_err(|error| format!("{error}"))
}

fn parsed(text: &Value) -> Result<Quantity, String> {
    read(text.as_str().ok_or("a quantity is a string")?)
}

fn negated(quantity: &Quantity) -> Result<Quantity, String> {
    quantity.checked_neg().ok_or_else(|| format!("{quantity} has no negative"))
}

/// A float row names a value or a text.
fn source(input: &Value) -> Result<Quantity, String> {
    if input["input"].is_string() { parsed(&input["input"]) } else { Ok(value(&input["value"])) }
}

/// A value in parts; a missing one is upstream's zero value.
fn value(parts: &Value) -> Quantity {
    if parts.is_null() {
        return Quantity::new(0, 0, Format::DecimalSi);
    }
    let mantissa = text(&parts["unscaled"]).parse().expect("an integer of any size");
    Quantity::new(mantissa, exponent(&parts["exponent"]), format_named(&parts["format"]))
}

/// Upstream treats a format it does not know as the exponent format.
fn format_named(name: &Value) -> Format {
    match name.as_str() {
        Some("DecimalSI") => Format::DecimalSi,
        Some("BinarySI") => Format::BinarySi,
        _ => Format::DecimalExponent,
    }
}

fn float(number: &Value) -> f64 {
    match number.as_str() {
        Some("+Inf") => f64::INFINITY,
        Some("-Inf") => f64::NEG_INFINITY,
        _ => number.as_f64().expect("a float"),
    }
}

fn sign(order: Ordering) -> i64 {
    order as i64
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a string")
}

fn integer(value: &Value) -> i64 {
    value.as_i64().expect("a 64-bit integer")
}

fn exponent(value: &Value) -> i32 {
    i32::try_from(integer(value)).expect("a small exponent")
}
