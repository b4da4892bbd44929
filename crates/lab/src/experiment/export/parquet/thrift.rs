//! The compact protocol of Apache Thrift, as far as a Parquet file needs it for writing.

/// A value of a field.
pub(super) enum Field {
    I32(i64),
    I64(i64),
    Binary(Vec<u8>),
    Struct(Struct),
    Structs(Vec<Struct>),
    Integers(Vec<i64>),
    Texts(Vec<String>),
}

impl Field {
    pub(super) fn text(text: &str) -> Self {
        Self::Binary(text.as_bytes().to_vec())
    }

    /// The type in a field's header; integers of lists have the same numbers.
    const fn kind(&self) -> u8 {
        match self {
            Self::I32(_) => I32,
            Self::I64(_) => I64,
            Self::Binary(_) => BINARY,
            Self::Structs(_) | Self::Integers(_) | Self::Texts(_) => LIST,
            Self::Struct(_) => STRUCT,
        }
    }
}

const I32: u8 = 5;
const I64: u8 = 6;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const STRUCT: u8 = 12;
const STOP: u8 = 0;

/// Fields in the order of their numbers.
#[derive(Default)]
pub(super) struct Struct {
    bytes: Vec<u8>,
    last: u8,
}

impl Struct {
    pub(super) fn new() -> Self {
        Self::default()
    }

    pub(super) fn with(mut self, number: u8, field: Field) -> Self {
        // Numbers here grow by less than sixteen, so the short form of the header always does.
        self.bytes.push((number - self.last) << 4 | field.kind());
        self.last = number;
        write(&mut self.bytes, field);
        self
    }

    pub(super) fn bytes(mut self) -> Vec<u8> {
        self.bytes.push(STOP);
        self.bytes
    }
}

fn write(bytes: &mut Vec<u8>, field: Field) {
    match field {
        Field::I32(value) | Field::I64(value) => unsigned(bytes, zigzag(value)),
        Field::Binary(content) => binary(bytes, &content),
        Field::Struct(inner) => bytes.extend(inner.bytes()),
        Field::Structs(items) => {
            list(bytes, items.len(), STRUCT);
            for item in items {
                bytes.extend(item.bytes());
            }
        }
        Field::Integers(items) => {
            list(bytes, items.len(), I32);
            for item in items {
                unsigned(bytes, zigzag(item));
            }
        }
        Field::Texts(items) => {
            list(bytes, items.len(), BINARY);
            for item in &items {
                binary(bytes, item.as_bytes());
            }
        }
    }
}

fn list(bytes: &mut Vec<u8>, length: usize, kind: u8) {
    if length < 15 {
        bytes.push((length as u8) << 4 | kind);
    } else {
        bytes.push(0xf0 | kind);
        unsigned(bytes, length as u64);
    }
}

fn binary(bytes: &mut Vec<u8>, content: &[u8]) {
    unsigned(bytes, content.len() as u64);
    bytes.extend(content);
}

/// Small numbers of either sign take few bytes.
const fn zigzag(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)) as u64
}

/// Seven bits in a byte, the lowest first.
pub(super) fn unsigned(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}
