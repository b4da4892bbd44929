//! One row of an answer. Asking for a column that is not there or is something else gives an error that names it.

use super::error::Error;
use super::value::{Column, Value};
use std::sync::Arc;

/// Values with the names of their columns.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    columns: Arc<[String]>,
    values: Vec<Value>,
}

impl Row {
    pub(crate) fn new(columns: Arc<[String]>, values: Vec<Value>) -> Self {
        assert_eq!(columns.len(), values.len(), "a row has one value per column");
        Self { columns, values }
    }

    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    pub fn values(&self) -> &[Value] {
        &self.values
    }

    /// What a column holds.
    pub fn get<T: Column>(&self, column: &str) -> Result<T, Error> {
        let value = self.value(column)?;
        T::from_value(value)
            .map_err(|expected| problem(column, format!("expected {expected}, found {}", value.kind())))
    }

    /// What a column holds, whatever it is.
    pub fn value(&self, column: &str) -> Result<&Value, Error> {
        let index = self.columns.iter().position(|name| name == column);
        index
            .map(|index| &self.values[index])
            .ok_or_else(|| problem(column, "the answer has no such column".to_owned()))
    }
}

fn problem(column: &str, problem: String) -> Error {
    Error::Column { column: column.to_owned(), problem }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_names_the_column() {
        let columns = ["seq", "actor"].map(str::to_owned).into();
        let row = Row::new(columns, vec![Value::Integer(4), Value::Null]);
        assert_eq!(row.get::<i64>("seq").expect("an integer"), 4);
        assert_eq!(row.get::<Option<String>>("actor").expect("no text"), None);
        for (column, expected) in [
            ("actor", "column actor: expected a text, found nothing"),
            ("seq", "column seq: expected a text, found an integer"),
            ("hash", "column hash: the answer has no such column"),
        ] {
            assert_eq!(row.get::<String>(column).expect_err("wrong").to_string(), expected);
        }
    }
}
