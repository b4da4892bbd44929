//! One row of an answer. Asking for a column that is not there or is something else gives an error that names it.

use super::error::Error;
use super::value::{Column, Value};
use std::sync::Arc;

/// Values with the names of their columns.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    columns: Arc<[String]>,
    values: Vec<Value>,
    /// The column that is probably asked for next: whoever takes all of them takes them in order.
    next: usize,
}

impl Row {
    pub(crate) fn new(columns: Arc<[String]>, values: Vec<Value>) -> Self {
        assert_eq!(columns.len(), values.len(), "a row has one value per column");
        Self { columns, values, next: 0 }
    }

    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    pub fn values(&self) -> &[Value] {
        &self.values
    }

    /// What a column holds.
    pub fn get<T: Column>(&self, column: &str) -> Result<T, Error> {
        read(column, self.value(column)?.clone())
    }

    /// What a column holds, once.
    pub(crate) fn take<T: Column>(&mut self, column: &str) -> Result<T, Error> {
        let is_next = self.columns.get(self.next).is_some_and(|name| name == column);
        let index = if is_next { self.next } else { self.position(column)? };
        self.next = index + 1;
        read(column, std::mem::replace(&mut self.values[index], Value::Null))
    }

    /// What a column holds, whatever it is.
    pub fn value(&self, column: &str) -> Result<&Value, Error> {
        Ok(&self.values[self.position(column)?])
    }

    fn position(&self, column: &str) -> Result<usize, Error> {
        let index = self.columns.iter().position(|name| name == column);
        index.ok_or_else(|| problem(column, "the answer has no such column".to_owned()))
    }
}

fn read<T: Column>(column: &str, value: Value) -> Result<T, Error> {
    let found = value.kind();
    T::from_value(value).map_err(|expected| problem(column, format!("expected {expected}, found {found}")))
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

    #[test]
    fn columns_are_taken_in_any_order() {
        let columns = ["seq", "actor", "hash"].map(str::to_owned).into();
        let mut row = Row::new(columns, vec![Value::Integer(4), "anna".into(), "abc".into()]);
        assert_eq!(row.take::<String>("actor").expect("a text"), "anna");
        assert_eq!(row.take::<String>("hash").expect("a text"), "abc");
        assert_eq!(row.take::<i64>("seq").expect("an integer"), 4);
        assert!(row.take::<i64>("body").is_err());
    }
}
