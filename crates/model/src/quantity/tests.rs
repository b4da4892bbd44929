//! Tables for quantities and the two amounts; upstream's own tables are in the conformance tests.

use super::{Bytes, Format, MilliCpu, Quantity};
use crate::reading::Problem;
use schemars::schema_for;

#[test]
fn quantities_print_as_kubernetes_prints_them() {
    let check = |text: &str, printed: &str, canonical: &str| {
        let quantity: Quantity = text.parse().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(
            (quantity.to_string().as_str(), quantity.canonical().as_str()),
            (printed, canonical),
            "{text}"
        );
        assert_eq!(canonical.parse::<Quantity>(), Ok(quantity), "{text}");
    };
    check("1500m", "1500m", "1500m");
    check("1.5", "1500m", "1500m");
    check("1.5Gi", "1536Mi", "1536Mi");
    // Short texts that pass upstream's rough test come back as they were written.
    check("100.035k", "100.035k", "100035");
    check("+1", "+1", "1");
    check("01Ki", "01Ki", "1Ki");
    check("1E-3", "1E-3", "1e-3");
    // A number without digits is zero.
    check(".", "0", "0");
    check("Mi", "0", "0");
    check("-0", "0", "0");
    // Rounded up to nano, away from zero; the exponent may be absurd.
    check("-0.0000000001", "-1n", "-1n");
    check("1e-2000000000", "1e-9", "1e-9");
    check("1e-99999999999", "1e-9", "1e-9");
    check(&format!("0.{}1", "3".repeat(60)), "333333334n", "333333334n");
    check(&format!("1.{}", "0".repeat(60)), "1", "1");
    // Binary suffixes are cut at 2^63 - 1, decimal ones are not.
    check("9Ei", "9223372036854775807", "9223372036854775807");
    check(&format!("-{}Ki", "9".repeat(50)), "-9223372036854775807", "-9223372036854775807");
    check("5005436000054.020000001001Ei", "9223372036854775807", "9223372036854775807");
    check("12E", "12E", "12E");
    check(
        "123456789012345678901234567890",
        "123456789012345678901234567890",
        "123456789012345678901234567890",
    );
    // Beyond exa upstream prints a wrong number; an exponent keeps the value.
    check("1000E", "1e21", "1e21");
}

#[test]
fn what_is_no_quantity_is_refused_with_the_reason() {
    let check = |text: &str, want: Problem| {
        assert_eq!(text.parse::<Quantity>().expect_err(text).problem, want, "{text}");
    };
    check("", Problem::Empty);
    check("aoeu", Problem::NoNumber);
    check("Pi", Problem::NoNumber);
    check("e3x", Problem::NoNumber);
    check(" 1", Problem::NoNumber);
    check("1 ", Problem::Malformed(" ".to_owned()));
    check("1.1.M", Problem::Malformed(".M".to_owned()));
    check("-3.01e-", Problem::Malformed("e-".to_owned()));
    check("0.1mi", Problem::UnknownSuffix("mi".to_owned()));
    check("1e", Problem::UnknownSuffix("e".to_owned()));
    check("1\u{1F980}", Problem::Malformed("\u{1F980}".to_owned()));
    check("1e99999999999", Problem::TooLarge);
    check(&"7".repeat(40), Problem::TooManyDigits);
    check(&format!("1.{}Ei", "3".repeat(35)), Problem::TooManyDigits);
}

#[test]
fn values_that_do_not_fit_are_nothing() {
    let check = |text: &str, value: Option<i64>, milli: Option<i64>| {
        let quantity: Quantity = text.parse().unwrap();
        assert_eq!((quantity.value(), quantity.milli_value()), (value, milli), "{text}");
    };
    check("1.0001", Some(2), Some(1001));
    check("-1.0001", Some(-2), Some(-1001));
    check("9Ei", Some(i64::MAX), None);
    check("12E", None, None);
    check("1e500", None, None);
    check("0e500", Some(0), Some(0));
}

#[test]
fn sums_and_products_that_do_not_fit_are_nothing() {
    let quantity = |mantissa, exponent| Quantity::new(mantissa, exponent, Format::DecimalSi);
    assert_eq!(quantity(1, 500).checked_add(&quantity(1, 0)), None);
    assert_eq!(quantity(i128::MIN, 0).checked_neg(), None);
    assert_eq!(quantity(i128::MAX, 0).checked_mul(2), None);
    assert_eq!(quantity(1, 500).checked_sub(&quantity(1, 500)), Some(quantity(0, 0)));
}

#[test]
fn amounts_are_read_and_printed_canonically() {
    let cpu = |text: &str, want: u64, canonical: &str| {
        assert_eq!(text.parse(), Ok(MilliCpu(want)), "{text}");
        assert_eq!(MilliCpu(want).to_string(), canonical, "{text}");
        assert_eq!(canonical.parse(), Ok(MilliCpu(want)), "{text}");
    };
    cpu("350m", 350, "350m");
    cpu("8", 8000, "8");
    cpu("0.5", 500, "500m");
    cpu("1.5", 1500, "1500m");
    cpu("1n", 1, "1m");
    cpu("0", 0, "0");
    cpu("1k", 1_000_000, "1k");
    cpu("18446744073709551615m", u64::MAX, "18446744073709551615m");
    let memory = |text: &str, want: u64, canonical: &str| {
        assert_eq!(text.parse(), Ok(Bytes(want)), "{text}");
        assert_eq!(Bytes(want).to_string(), canonical, "{text}");
        assert_eq!(canonical.parse(), Ok(Bytes(want)), "{text}");
    };
    memory("562Mi", 562 << 20, "562Mi");
    memory("16384Mi", 16 << 30, "16Gi");
    memory("1G", 1_000_000_000, "1000000000");
    memory("1025", 1025, "1025");
    memory("1000", 1000, "1k");
    memory("128974848000m", 128_974_848, "123Mi");
    memory("1.5", 2, "2");
    memory("0m", 0, "0");
    // Above 2^63 a Kubernetes quantity would be cut; an amount is not.
    memory("8Ei", 1 << 63, "8Ei");
    memory("18446744073709551615", u64::MAX, "18446744073709551615");
}

#[test]
fn refused_amounts_say_why_and_propose() {
    let memory =
        |text: &str, want: &str| assert_eq!(text.parse::<Bytes>().expect_err(text).to_string(), want);
    memory("16GB", "memory `16GB`: unknown suffix `GB`; did you mean `16G` (decimal) or `16Gi` (binary)?");
    memory("16GiB", "memory `16GiB`: unknown suffix `GiB`; did you mean `16Gi`?");
    memory("16gi", "memory `16gi`: unknown suffix `gi`; did you mean `16Gi`?");
    memory("64K", "memory `64K`: unknown suffix `K`; did you mean `64k` (decimal) or `64Ki` (binary)?");
    memory(
        "512m",
        "memory `512m`: is less than one byte; did you mean `512M` (decimal) or `512Mi` (binary)?",
    );
    memory("100B", "memory `100B`: unknown suffix `B`; did you mean `100` (bytes)?");
    memory("16 Gi", "memory `16 Gi`: contains white space; did you mean `16Gi`?");
    memory("16 GiB", "memory `16 GiB`: contains white space; did you mean `16Gi`?");
    memory("1,5Gi", "memory `1,5Gi`: cannot be understood from `,5Gi` on; did you mean `1.5Gi`?");
    memory("1_000", "memory `1_000`: cannot be understood from `_000` on; did you mean `1000`?");
    memory("Gi", "memory `Gi`: does not start with a number");
    memory("", "memory ``: is empty");
    memory("-1Gi", "memory `-1Gi`: is negative");
    memory("16Gi\0", "memory `16Gi\\0`: contains a control character; did you mean `16Gi`?");
    memory("16Ei", "memory `16Ei`: is too large");
    memory("1e400", "memory `1e400`: is too large");
    memory("lots", "memory `lots`: does not start with a number");
    let cpu =
        |text: &str, want: &str| assert_eq!(text.parse::<MilliCpu>().expect_err(text).to_string(), want);
    cpu("4cores", "cpu `4cores`: unknown suffix `cores`; did you mean `4`?");
    cpu("250mCPU", "cpu `250mCPU`: unknown suffix `mCPU`; did you mean `250m`?");
    cpu("NaN", "cpu `NaN`: is not a finite number");
    cpu("-inf", "cpu `-inf`: is not a finite number");
    cpu("-0.5", "cpu `-0.5`: is negative");
    cpu("50%", "cpu `50%`: cannot be understood from `%` on");
    cpu("18446744073709551616m", "cpu `18446744073709551616m`: is too large");
}

#[test]
fn amounts_travel_as_text_and_are_read_from_numbers() {
    let cpu =
        |json: &str, want: u64| assert_eq!(serde_json::from_str::<MilliCpu>(json).unwrap(), MilliCpu(want));
    cpu("8", 8000);
    cpu("0.5", 500);
    cpu("0.1", 100);
    cpu("1e2", 100_000);
    cpu("\"350m\"", 350);
    assert_eq!(serde_json::from_str::<Bytes>("1024").unwrap(), Bytes(1024));
    assert_eq!(serde_json::to_string(&(MilliCpu(350), Bytes(16 << 30))).unwrap(), r#"["350m","16Gi"]"#);
    let refused = |json: &str, start: &str| {
        let error = serde_json::from_str::<MilliCpu>(json).unwrap_err().to_string();
        assert!(error.starts_with(start), "{error}");
    };
    refused("-1", "cpu `-1`: is negative");
    refused("1e300", "cpu `1000000000000000000000000000000000000000…`: is too large");
    refused("true", "invalid type: boolean `true`, expected an amount of CPU such as `8`, `0.5` or `350m`");
}

#[test]
fn amounts_come_from_quantities_rounded_up() {
    let check = |text: &str, cpu: Option<u64>, bytes: Option<u64>| {
        let quantity: Quantity = text.parse().unwrap();
        assert_eq!(MilliCpu::try_from(&quantity).ok(), cpu.map(MilliCpu), "{text}");
        assert_eq!(Bytes::try_from(&quantity).ok(), bytes.map(Bytes), "{text}");
    };
    check("100m", Some(100), Some(1));
    check("1.0001", Some(1001), Some(2));
    check("1Ki", Some(1_024_000), Some(1024));
    check("-1", None, None);
    check("18446744073709552k", None, None);
}

#[test]
fn amounts_add_and_subtract_within_their_range() {
    assert_eq!(MilliCpu(1).checked_add(MilliCpu(u64::MAX)), None);
    assert_eq!(MilliCpu(1).checked_sub(MilliCpu(2)), None);
    assert_eq!(Bytes(1).saturating_add(Bytes(u64::MAX)), Bytes(u64::MAX));
    assert_eq!(Bytes(1).saturating_sub(Bytes(2)), Bytes::ZERO);
    assert_eq!(Bytes(3).saturating_mul(2), Bytes(6));
    assert_eq!([MilliCpu(250), MilliCpu(750)].into_iter().sum::<MilliCpu>(), MilliCpu(1000));
}

#[test]
fn a_schema_allows_text_and_numbers() {
    for schema in [schema_for!(MilliCpu), schema_for!(Bytes)] {
        assert_eq!(schema.get("type"), Some(&serde_json::json!(["string", "number"])));
        assert!(schema.get("pattern").is_some() && schema.get("description").is_some());
    }
}
