//! The text format 0.0.4 of Prometheus: families of samples, each family once and in one piece.

use super::histogram::Histogram;
use std::borrow::Cow;
use std::fmt::Write as _;

/// What a family counts or shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Only grows while the desk runs.
    Counter,
    Gauge,
    Histogram,
}

impl Kind {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Counter => "counter",
            Self::Gauge => "gauge",
            Self::Histogram => "histogram",
        }
    }
}

/// A page that is being written.
#[derive(Debug, Default)]
pub(crate) struct Page(String);

/// One family on it. Its name and help stand before its first sample; without a sample there is no family.
pub(crate) struct Family<'a> {
    page: &'a mut Page,
    name: &'static str,
    kind: Kind,
    help: &'static str,
    begun: bool,
}

/// Labels of a sample, in the order in which they are written.
pub(crate) type Labels<'a> = &'a [(&'a str, &'a str)];

impl Page {
    pub(crate) const fn family(&mut self, name: &'static str, kind: Kind, help: &'static str) -> Family<'_> {
        Family { page: self, name, kind, help, begun: false }
    }

    /// A family of one number.
    pub(crate) fn number(&mut self, name: &'static str, kind: Kind, help: &'static str, value: f64) {
        self.family(name, kind, help).sample(&[], value);
    }

    pub(crate) fn finish(self) -> String {
        self.0
    }
}

impl Family<'_> {
    pub(crate) fn sample(&mut self, labels: Labels<'_>, value: f64) {
        self.line("", labels, None, value);
    }

    pub(super) fn histogram(&mut self, labels: Labels<'_>, histogram: &Histogram) {
        for (bound, count) in histogram.cumulative() {
            self.line("_bucket", labels, Some(&number(bound)), count as f64);
        }
        self.line("_sum", labels, None, histogram.sum());
        self.line("_count", labels, None, histogram.count() as f64);
    }

    fn line(&mut self, suffix: &str, labels: Labels<'_>, bound: Option<&str>, value: f64) {
        self.begin();
        let text = &mut self.page.0;
        text.push_str(self.name);
        text.push_str(suffix);
        let all = labels.iter().copied().chain(bound.map(|bound| ("le", bound)));
        for (index, (name, value)) in all.enumerate() {
            text.push(if index == 0 { '{' } else { ',' });
            let _ = write!(text, "{name}=\"{}\"", escaped(value));
        }
        if !labels.is_empty() || bound.is_some() {
            text.push('}');
        }
        let _ = writeln!(text, " {}", number(value));
    }

    fn begin(&mut self) {
        if std::mem::replace(&mut self.begun, true) {
            return;
        }
        let Self { name, kind, help, .. } = self;
        let _ = writeln!(self.page.0, "# HELP {name} {help}\n# TYPE {name} {}", kind.as_str());
    }
}

/// Almost no value has anything to escape, and pages have hundreds of thousands of them.
fn escaped(value: &str) -> Cow<'_, str> {
    if !value.contains(['\\', '"', '\n']) {
        return Cow::Borrowed(value);
    }
    Cow::Owned(value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}

fn number(value: f64) -> String {
    if value == f64::INFINITY {
        return "+Inf".to_owned();
    }
    if value == f64::NEG_INFINITY {
        return "-Inf".to_owned();
    }
    // `NaN` is how both sides write it.
    value.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_stand_in_one_piece() {
        let mut page = Page::default();
        page.number("drover_a_total", Kind::Counter, "Counts.", 3.0);
        page.family("drover_b", Kind::Gauge, "Nothing to show.");
        let mut family = page.family("drover_c", Kind::Gauge, "Shows.");
        family.sample(&[("x", "a\"b\\c\nd"), ("y", "")], 0.25);
        family.sample(&[("x", "e"), ("y", "f")], 17_179_869_184.0);
        let expected = "# HELP drover_a_total Counts.\n# TYPE drover_a_total counter\ndrover_a_total 3\n\
                        # HELP drover_c Shows.\n# TYPE drover_c gauge\n\
                        drover_c{x=\"a\\\"b\\\\c\\nd\",y=\"\"} 0.25\ndrover_c{x=\"e\",y=\"f\"} 17179869184\n";
        assert_eq!(page.finish(), expected);
    }

    #[test]
    fn histograms_have_every_bucket() {
        let mut histogram = Histogram::new(&[0.5, 1.0]);
        for value in [0.1, 0.5, 7.0] {
            histogram.add(value);
        }
        let mut page = Page::default();
        page.family("drover_t_seconds", Kind::Histogram, "Takes.").histogram(&[("r", "a")], &histogram);
        let lines: Vec<String> = page.finish().lines().skip(2).map(str::to_owned).collect();
        let expected = [
            "drover_t_seconds_bucket{r=\"a\",le=\"0.5\"} 2",
            "drover_t_seconds_bucket{r=\"a\",le=\"1\"} 2",
            "drover_t_seconds_bucket{r=\"a\",le=\"+Inf\"} 3",
            "drover_t_seconds_sum{r=\"a\"} 7.6",
            "drover_t_seconds_count{r=\"a\"} 3",
        ];
        assert_eq!(lines, expected);
    }

    #[test]
    fn numbers_that_are_none_have_names() {
        for (value, text) in [(f64::INFINITY, "+Inf"), (f64::NEG_INFINITY, "-Inf"), (f64::NAN, "NaN")] {
            assert_eq!(number(value), text);
        }
    }
}
