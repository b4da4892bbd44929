//! Results as an Apache Parquet file: one row group, plain encoding, no compression, every column optional.
//!
//! A file of this kind needs a small part of the format, and the library for all of it takes longer to build than the rest of
//! the program. What is written here is checked by reading it with pyarrow.
//!
//! ```text
//! PAR1 │ for each column: page header, definition levels, values │ footer: schema, row group, column chunks │ length │ PAR1
//! ```

mod thrift;

use crate::experiment::results::Results;
use thrift::{Field, Struct};

/// A column with its values, none where there is nothing.
pub enum Column {
    Text(&'static str, Vec<Option<String>>),
    Number(&'static str, Vec<Option<f64>>),
    Whole(&'static str, Vec<Option<i64>>),
}

const MAGIC: &[u8; 4] = b"PAR1";

// Numbers of the format.
const INT64: i64 = 2;
const DOUBLE: i64 = 5;
const BYTE_ARRAY: i64 = 6;
const OPTIONAL: i64 = 1;
const UTF8: i64 = 0;
const PLAIN: i64 = 0;
const RLE: i64 = 3;
const DATA_PAGE: i64 = 0;
const UNCOMPRESSED: i64 = 0;
const VERSION: i64 = 1;

/// One row for each scenario, strategy, metric and seed: the values that all else is computed from.
pub fn values(results: &Results) -> Vec<u8> {
    let (mut scenarios, mut strategies, mut metrics) = (Vec::new(), Vec::new(), Vec::new());
    let (mut seeds, mut values) = (Vec::new(), Vec::new());
    for setting in &results.settings {
        for row in &setting.rows {
            for (name, standing) in results.arms.iter().zip(&row.arms) {
                for (seed, value) in standing.iter().flat_map(|standing| &standing.values) {
                    scenarios.push(Some(setting.name.clone()));
                    strategies.push(Some(name.clone()));
                    metrics.push(Some(row.metric.key.to_owned()));
                    seeds.push(i64::try_from(*seed).ok());
                    values.push(Some(*value));
                }
            }
        }
    }
    file(&[
        Column::Text("scenario", scenarios),
        Column::Text("strategy", strategies),
        Column::Text("metric", metrics),
        Column::Whole("seed", seeds),
        Column::Number("value", values),
    ])
}

/// A whole file. All columns must have the same length.
pub fn file(columns: &[Column]) -> Vec<u8> {
    let rows = columns.first().map_or(0, Column::len) as i64;
    let mut bytes = MAGIC.to_vec();
    let mut chunks = Vec::new();
    for column in columns {
        let at = bytes.len() as i64;
        let page = column.page();
        let header = page_header(page.len() as i64, column.len() as i64);
        bytes.extend(header);
        bytes.extend(page);
        chunks.push(Chunk { at, size: bytes.len() as i64 - at, column });
    }
    let footer = footer(columns, &chunks, rows);
    bytes.extend(&footer);
    bytes.extend((footer.len() as u32).to_le_bytes());
    bytes.extend(MAGIC);
    bytes
}

struct Chunk<'a> {
    at: i64,
    size: i64,
    column: &'a Column,
}

impl Column {
    fn len(&self) -> usize {
        match self {
            Self::Text(_, values) => values.len(),
            Self::Number(_, values) => values.len(),
            Self::Whole(_, values) => values.len(),
        }
    }

    const fn name(&self) -> &'static str {
        match self {
            Self::Text(name, _) | Self::Number(name, _) | Self::Whole(name, _) => name,
        }
    }

    const fn physical_type(&self) -> i64 {
        match self {
            Self::Text(..) => BYTE_ARRAY,
            Self::Number(..) => DOUBLE,
            Self::Whole(..) => INT64,
        }
    }

    /// Definition levels, then the values that are there.
    fn page(&self) -> Vec<u8> {
        let (present, values): (Vec<bool>, Vec<u8>) = match self {
            Self::Text(_, texts) => {
                let bytes =
                    |text: &String| [&(text.len() as u32).to_le_bytes()[..], text.as_bytes()].concat();
                (
                    texts.iter().map(Option::is_some).collect(),
                    texts.iter().flatten().flat_map(bytes).collect(),
                )
            }
            Self::Number(_, numbers) => (
                numbers.iter().map(Option::is_some).collect(),
                numbers.iter().flatten().flat_map(|number| number.to_le_bytes()).collect(),
            ),
            Self::Whole(_, numbers) => (
                numbers.iter().map(Option::is_some).collect(),
                numbers.iter().flatten().flat_map(|number| number.to_le_bytes()).collect(),
            ),
        };
        let levels = levels(&present);
        [&(levels.len() as u32).to_le_bytes()[..], &levels, &values].concat()
    }
}

/// Runs of equal levels: the length of the run doubled, then the level.
fn levels(present: &[bool]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for run in present.chunk_by(|one, other| one == other) {
        thrift::unsigned(&mut bytes, (run.len() as u64) << 1);
        bytes.push(u8::from(run[0]));
    }
    bytes
}

fn page_header(size: i64, values: i64) -> Vec<u8> {
    let data_page = Struct::new()
        .with(1, Field::I32(values))
        .with(2, Field::I32(PLAIN))
        .with(3, Field::I32(RLE))
        .with(4, Field::I32(RLE));
    Struct::new()
        .with(1, Field::I32(DATA_PAGE))
        .with(2, Field::I32(size))
        .with(3, Field::I32(size))
        .with(5, Field::Struct(data_page))
        .bytes()
}

fn footer(columns: &[Column], chunks: &[Chunk<'_>], rows: i64) -> Vec<u8> {
    let root = Struct::new().with(4, Field::text("schema")).with(5, Field::I32(columns.len() as i64));
    let schema: Vec<Struct> = std::iter::once(root).chain(columns.iter().map(schema_element)).collect();
    let total: i64 = chunks.iter().map(|chunk| chunk.size).sum();
    let group = Struct::new()
        .with(1, Field::Structs(chunks.iter().map(column_chunk).collect()))
        .with(2, Field::I64(total))
        .with(3, Field::I64(rows));
    Struct::new()
        .with(1, Field::I32(VERSION))
        .with(2, Field::Structs(schema))
        .with(3, Field::I64(rows))
        .with(4, Field::Structs(vec![group]))
        .with(6, Field::text("drover"))
        .bytes()
}

fn schema_element(column: &Column) -> Struct {
    let element = Struct::new()
        .with(1, Field::I32(column.physical_type()))
        .with(3, Field::I32(OPTIONAL))
        .with(4, Field::text(column.name()));
    match column {
        Column::Text(..) => element.with(6, Field::I32(UTF8)),
        Column::Number(..) | Column::Whole(..) => element,
    }
}

fn column_chunk(chunk: &Chunk<'_>) -> Struct {
    let meta = Struct::new()
        .with(1, Field::I32(chunk.column.physical_type()))
        .with(2, Field::Integers(vec![PLAIN, RLE]))
        .with(3, Field::Texts(vec![chunk.column.name().to_owned()]))
        .with(4, Field::I32(UNCOMPRESSED))
        .with(5, Field::I64(chunk.column.len() as i64))
        .with(6, Field::I64(chunk.size))
        .with(7, Field::I64(chunk.size))
        .with(9, Field::I64(chunk.at));
    Struct::new().with(2, Field::I64(chunk.at)).with(3, Field::Struct(meta))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Vec<u8> {
        file(&[
            Column::Text("name", vec![Some("a".to_owned()), None, Some("ü".to_owned())]),
            Column::Whole("seed", vec![Some(1), Some(2), Some(-3)]),
            Column::Number("value", vec![None, Some(0.5), Some(1e300)]),
        ])
    }

    /// These bytes were read by pyarrow 26 as the three rows above; whoever changes them must try that again.
    #[test]
    fn a_file_has_the_bytes_that_another_program_read() {
        let hex: Vec<String> = example().iter().map(|byte| format!("{byte:02x}")).collect();
        expect_test::expect!["504152311500152a152a2c1506150015061506000006000000020102000201010000006102000000c3bc1500153c153c2c1506150015061506000002000000060101000000000000000200000000000000fdffffffffffffff1500153015302c150615001506150600000400000002000401000000000000e03f9c7500883ce4377e1502194c4806736368656d61150600150c250218046e616d652500001504250218047365656400150a2502180576616c7565001606191c193c26081c150c192500061918046e616d6515001606164c164c2608000026541c1504192500061918047365656415001606165e165e2654000026b2011c150a1925000619180576616c7565150016061652165226b201000016fc01160600280664726f766572009f00000050415231"].assert_eq(&hex.concat());
    }

    #[test]
    fn a_file_begins_and_ends_as_the_format_says() {
        let bytes = example();
        assert_eq!((&bytes[..4], &bytes[bytes.len() - 4..]), (&MAGIC[..], &MAGIC[..]));
        let length = u32::from_le_bytes(bytes[bytes.len() - 8..bytes.len() - 4].try_into().unwrap()) as usize;
        assert!(length < bytes.len() - 12);
    }

    #[test]
    fn levels_are_runs() {
        assert_eq!(levels(&[true, true, false]), [4, 1, 2, 0]);
        assert_eq!(levels(&[true; 200]), [0x90, 0x03, 1]);
    }
}
