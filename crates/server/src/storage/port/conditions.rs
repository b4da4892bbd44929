//! Puts a WHERE clause together from what a caller asked for. Texts of callers become parameters, never SQL.

use super::value::Value;

/// Conditions that all have to hold, and the values of their parameters.
#[derive(Clone, Debug, Default)]
pub(crate) struct Conditions {
    clauses: Vec<String>,
    values: Vec<Value>,
}

impl Conditions {
    /// Adds `clause`, in which each `?` stands for the next of `values`.
    pub(crate) fn all_of(&mut self, clause: &str, values: impl IntoIterator<Item = Value>) {
        let mut values = values.into_iter();
        let mut text = String::new();
        for character in clause.chars() {
            if character == '?' {
                let value = values.next().expect("a value for each `?`");
                text.push_str(&self.parameter(value));
            } else {
                text.push(character);
            }
        }
        assert!(values.next().is_none(), "a `?` for each value in {clause}");
        self.clauses.push(text);
    }

    /// Adds `clause` with one value, when there is one.
    pub(crate) fn perhaps<T: Into<Value>>(&mut self, clause: &str, value: Option<T>) {
        if let Some(value) = value {
            self.all_of(clause, [value.into()]);
        }
    }

    /// Adds that a column is one of several values. None at all means any.
    pub(crate) fn one_of(&mut self, column: &str, values: impl IntoIterator<Item = Value>) {
        let values: Vec<Value> = values.into_iter().collect();
        match values.len() {
            0 => {}
            // A plain comparison lets the next column of an index keep its order.
            1 => self.all_of(&format!("{column} = ?"), values),
            several => {
                let places = vec!["?"; several].join(", ");
                self.all_of(&format!("{column} IN ({places})"), values);
            }
        }
    }

    /// Adds that a column is none of several values.
    pub(crate) fn none_of(&mut self, column: &str, values: impl IntoIterator<Item = Value>) {
        let values: Vec<Value> = values.into_iter().collect();
        if !values.is_empty() {
            let places = vec!["?"; values.len()].join(", ");
            self.all_of(&format!("{column} NOT IN ({places})"), values);
        }
    }

    /// Adds that a text occurs in `expression`, taken literally.
    pub(crate) fn contains(&mut self, expression: &str, part: Option<&str>) {
        let pattern = part.map(|part| format!("%{}%", escaped(part)));
        self.perhaps(&format!(r"{expression} LIKE ? ESCAPE '\'"), pattern);
    }

    /// Reserves the next parameter for a value outside the WHERE clause.
    pub(crate) fn parameter(&mut self, value: Value) -> String {
        self.values.push(value);
        format!("${}", self.values.len())
    }

    pub(crate) fn clause(&self) -> String {
        if self.clauses.is_empty() { String::new() } else { format!("WHERE {}", self.clauses.join(" AND ")) }
    }

    pub(crate) fn values(&self) -> &[Value] {
        &self.values
    }
}

fn escaped(part: &str) -> String {
    let special = |character| matches!(character, '%' | '_' | '\\');
    part.chars().fold(String::new(), |mut text, character| {
        if special(character) {
            text.push('\\');
        }
        text.push(character);
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_number_their_parameters() {
        let mut conditions = Conditions::default();
        assert_eq!(conditions.clause(), "");
        conditions.one_of("stage", [Value::from("pending"), Value::from("approved")]);
        conditions.one_of("agent", []);
        conditions.perhaps("risk >= ?", None::<i64>);
        conditions.all_of("(source = ? OR target = ?)", [Value::from("a"), Value::from("b")]);
        conditions.contains("workload", Some("50%_\\"));
        assert_eq!(
            conditions.clause(),
            r"WHERE stage IN ($1, $2) AND (source = $3 OR target = $4) AND workload LIKE $5 ESCAPE '\'"
        );
        assert_eq!(conditions.values()[4], Value::from(r"%50\%\_\\%"));
        assert_eq!(conditions.parameter(Value::Integer(7)), "$6");
    }
}
