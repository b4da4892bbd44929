//! Questions to a person who is there. Nothing is assumed: an empty answer is a no.

use crate::failure::Failure;
use anyhow::Context;
use std::io::{self, BufRead, IsTerminal, Write};

/// Whether somebody sits there who can be asked: questions go to standard error, answers come from standard input.
pub(crate) fn somebody_is_there() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Asks and reads one line. None at the end of the input.
pub(crate) fn ask(question: &str) -> Result<Option<String>, Failure> {
    Ok(ask_on(&mut io::stdin().lock(), &mut io::stderr(), question)
        .context("the answer could not be read")?)
}

fn ask_on(input: &mut impl BufRead, output: &mut impl Write, question: &str) -> io::Result<Option<String>> {
    write!(output, "{question} ")?;
    output.flush()?;
    let mut answer = String::new();
    let read = input.read_line(&mut answer)?;
    Ok((read > 0).then(|| answer.trim().to_owned()))
}

/// Whether an answer is a yes.
pub(crate) fn is_yes(answer: Option<&str>) -> bool {
    answer.is_some_and(|answer| ["y", "yes"].iter().any(|yes| answer.eq_ignore_ascii_case(yes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_a_line_and_only_yes_is_yes() {
        let mut asked = Vec::new();
        let mut answers = io::Cursor::new("  Yes \n\nno\n");
        let mut next = || ask_on(&mut answers, &mut asked, "Approve?").unwrap();
        assert!(is_yes(next().as_deref()));
        assert!(!is_yes(next().as_deref()));
        assert!(!is_yes(next().as_deref()));
        assert_eq!(next(), None);
        assert!(!is_yes(None));
        assert!(String::from_utf8(asked).unwrap().starts_with("Approve? "));
    }
}
