//! The command line that gives the results of a comparison again.

/// What `drover compare` is told, without what changes nothing in the results.
#[derive(Clone, Copy, Debug, Default)]
pub struct Compare<'a> {
    pub scenarios: &'a [String],
    pub strategies: &'a [&'a str],
    /// As they are written: `1..10`, or `1,2,7`.
    pub seeds: &'a str,
    /// The first strategy if it is not said.
    pub baseline: Option<&'a str>,
    /// The usual ones if none is named.
    pub metrics: &'a [String],
    /// What the scenario says if it is not said.
    pub review: Option<&'a str>,
}

impl Compare<'_> {
    pub fn line(&self) -> String {
        let mut words = vec!["drover".to_owned(), "compare".to_owned()];
        words.extend(self.scenarios.iter().map(|path| quoted(path)));
        let mut option = |name: &str, value: &str| words.extend([format!("--{name}"), quoted(value)]);
        option("strategies", &self.strategies.join(","));
        option("seeds", self.seeds);
        if let Some(name) = self.baseline {
            option("baseline", name);
        }
        if !self.metrics.is_empty() {
            option("metrics", &self.metrics.join(","));
        }
        if let Some(review) = self.review {
            option("review", review);
        }
        words.join(" ")
    }
}

/// As a shell takes it for one word.
fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./,=+:@%".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_survive_a_shell() {
        let check = |word: &str, expected: &str| assert_eq!(quoted(word), expected);
        check("scenarios/varying-load.yaml", "scenarios/varying-load.yaml");
        check("my loads/a.yaml", "'my loads/a.yaml'");
        check("it's", "'it'\\''s'");
        check("$(rm)", "'$(rm)'");
        check("", "''");
    }

    #[test]
    fn what_is_usual_is_not_said() {
        let scenarios = ["a.yaml".to_owned()];
        let short = Compare {
            scenarios: &scenarios,
            strategies: &["hold", "planner"],
            seeds: "1..5",
            ..Compare::default()
        };
        assert_eq!(short.line(), "drover compare a.yaml --strategies hold,planner --seeds 1..5");
        let metrics = ["cost_usd".to_owned()];
        let long = Compare { baseline: Some("planner"), metrics: &metrics, review: Some("auto"), ..short };
        assert_eq!(
            long.line(),
            format!("{} --baseline planner --metrics cost_usd --review auto", short.line())
        );
    }
}
