//! Where a database is, as a person writes it. Its password never leaves it as text.

use super::error::Error;
use crate::storage::postgres::{Address, without_password};
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// The place of a database: `sqlite:drover.db`, `sqlite::memory:` or `postgres://user@host/database`.
#[derive(Clone, PartialEq, Eq)]
pub enum Location {
    /// A SQLite database that ends with the program; for tests and for trying things out.
    Memory,
    /// The file of a SQLite database.
    File(PathBuf),
    /// The address of a PostgreSQL database.
    Server(Box<Address>),
}

impl FromStr for Location {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let text = text.trim();
        let refuse =
            |problem: &str| Error::Location { text: without_password(text), problem: problem.to_owned() };
        match text.split_once(':') {
            Some(("sqlite", ":memory:")) => Ok(Self::Memory),
            Some(("sqlite", "")) => Err(refuse("the name of the file is missing")),
            Some(("sqlite", path)) => Ok(Self::File(file(path))),
            Some(("postgres" | "postgresql", rest)) if rest.starts_with("//") => Address::parse(text)
                .map(|address| Self::Server(Box::new(address)))
                .map_err(|problem| refuse(&problem)),
            Some(("postgres" | "postgresql", _)) => Err(refuse("`//` is missing behind the colon")),
            Some((scheme, _)) if scheme.chars().all(|character| character.is_ascii_alphanumeric()) => {
                Err(refuse("only SQLite and PostgreSQL are known"))
            }
            _ => Err(refuse("it does not begin with the kind of database")),
        }
    }
}

/// Tools disagree about slashes: `sqlite:a.db`, `sqlite://a.db` and `sqlite:///a.db` are all seen. Two slashes are none, three are one.
fn file(path: &str) -> PathBuf {
    PathBuf::from(path.strip_prefix("//").unwrap_or(path))
}

impl fmt::Display for Location {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Memory => write!(formatter, "sqlite::memory:"),
            Self::File(path) => write!(formatter, "sqlite:{}", path.display()),
            Self::Server(address) => write!(formatter, "{address}"),
        }
    }
}

impl fmt::Debug for Location {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, shown: &str) {
        let location: Location = text.parse().expect("a location");
        assert_eq!(location.to_string(), shown);
        assert_eq!(format!("{location:?}"), shown);
    }

    #[test]
    fn locations_are_shown_without_their_password() {
        check("sqlite::memory:", "sqlite::memory:");
        check(" sqlite:data/drover.db ", "sqlite:data/drover.db");
        check("sqlite://drover.db", "sqlite:drover.db");
        check("sqlite:///var/lib/drover.db", "sqlite:/var/lib/drover.db");
        check("postgres://desk@host/drover", "postgres://desk@host/drover");
        check(
            "postgresql://desk:hush@host:5433/drover?sslmode=require",
            "postgresql://desk@host:5433/drover?sslmode=require",
        );
        check("postgres://desk:hu@s/h@host/drover", "postgres://desk@host/drover");
        check(
            "postgres:///drover?host=/run/pg&password=hush&user=desk",
            "postgres:///drover?host=/run/pg&password=…&user=desk",
        );
    }

    #[test]
    fn what_is_no_location_is_refused_with_a_proposal() {
        for (text, problem) in [
            ("sqlite:", "the name of the file is missing"),
            ("postgres:host", "`//` is missing"),
            ("mysql://desk:hush@host/drover", "only SQLite and PostgreSQL are known"),
            ("drover.db", "it does not begin with the kind of database"),
            ("", "it does not begin with the kind of database"),
        ] {
            let message = text.parse::<Location>().expect_err(text).to_string();
            assert!(message.contains(problem) && message.contains("write sqlite:<file>"), "{message}");
            assert!(!message.contains("hush"), "{message}");
        }
    }
}
