//! Parts with a heading at the left, each on as many lines as it needs.

use super::clean;

/// The widest heading.
pub(crate) const WIDTH: usize = 9;

/// A page of parts. Every line is made safe to print.
#[derive(Default)]
pub(crate) struct Sheet {
    lines: Vec<String>,
}

impl Sheet {
    /// Adds a part; one without lines is left out.
    pub(crate) fn part(&mut self, heading: &str, lines: impl IntoIterator<Item = impl AsRef<str>>) {
        for (index, line) in lines.into_iter().enumerate() {
            let heading = if index == 0 { heading } else { "" };
            self.lines.push(format!("{heading:<WIDTH$} {}", clean(line.as_ref())).trim_end().to_owned());
        }
    }

    pub(crate) fn text(&self) -> String {
        self.lines.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_stand_under_their_headings() {
        let mut sheet = Sheet::default();
        sheet.part("Why", ["one", "t\u{1b}wo"]);
        sheet.part("Nothing", [] as [&str; 0]);
        sheet.part("Evidence", ["three"]);
        assert_eq!(sheet.text(), "Why       one\n          t\u{fffd}wo\nEvidence  three");
    }
}
