//! An evaluation as people read it: for a terminal, as Markdown, and as JSON for programs. The same evaluation is the same bytes.

use super::evaluation::{CaseResult, Evaluation};
use super::rules::Cost;
use crate::markup::plain;
use crate::statistics::Proportion;
use crate::wording;
use std::fmt::Write as _;
use strategies::catalogue::StrategyConfig;
use strategies::language::FaultKind;

/// A group of lines under a title: what, and how much.
struct Group {
    title: &'static str,
    lines: Vec<(String, String)>,
}

/// For a terminal.
pub fn text(evaluation: &Evaluation) -> String {
    let mut text = format!("{}\n", headline(evaluation));
    for Group { title, lines } in groups(evaluation) {
        let _ = writeln!(text, "\n{title}");
        let width = lines.iter().map(|(what, _)| what.chars().count()).max().unwrap_or(0);
        for (what, value) in lines {
            let _ = writeln!(text, "  {what:width$}  {value}");
        }
    }
    text.push('\n');
    let rows: Vec<[String; COLUMNS]> = evaluation.cases.iter().map(row).collect();
    let width = |column: usize| {
        rows.iter()
            .chain([&HEAD.map(str::to_owned)])
            .map(|row| row[column].chars().count())
            .max()
            .unwrap_or(0)
    };
    let widths: [usize; COLUMNS] = std::array::from_fn(width);
    for row in [&HEAD.map(str::to_owned)].into_iter().chain(&rows) {
        let cells = row.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}"));
        let _ = writeln!(text, "{}", cells.collect::<Vec<_>>().join("  ").trim_end());
    }
    let _ = writeln!(text, "\n{LEGEND}");
    text
}

/// For pages and pull requests.
pub fn markdown(evaluation: &Evaluation) -> String {
    let mut text = format!("# Agent bench\n\n{}.\n", escaped(&headline(evaluation)));
    for Group { title, lines } in groups(evaluation) {
        let _ = write!(text, "\n| {title} | |\n|---|---|\n");
        for (what, value) in lines {
            let _ = writeln!(text, "| {} | {} |", escaped(&what), escaped(&value));
        }
    }
    let _ = write!(text, "\n| {} |\n|{}\n", HEAD.join(" | "), "---|".repeat(COLUMNS));
    for case in &evaluation.cases {
        let _ = writeln!(text, "| {} |", row(case).map(|cell| escaped(&cell)).join(" | "));
    }
    let _ = writeln!(text, "\n{LEGEND}");
    text
}

/// For programs.
pub fn json(evaluation: &Evaluation) -> String {
    serde_json::to_string_pretty(evaluation).expect("plain data always serialises") + "\n"
}

const LEGEND: &str = "Trouble is written as pods without a node + broken limits; then moves, then the price of all nodes per \
hour. The best is found by trying every plan of moves that the guardrails allow. Intervals are exact 95 % ones, as if every decision stood \
for itself.";

fn headline(evaluation: &Evaluation) -> String {
    let who = match &evaluation.decide {
        StrategyConfig::LanguageModel(config) if config.specialists.is_empty() => {
            format!("language-model {}", config.model)
        }
        StrategyConfig::LanguageModel(config) => {
            let names: Vec<&str> = config.specialists.iter().map(|one| one.name.as_str()).collect();
            format!("language-model {} with {}", config.model, names.join(", "))
        }
        other => other.name().to_owned(),
    };
    let (cases, each) = (evaluation.cases.len(), evaluation.repetitions);
    let answered = &evaluation.answered_by;
    plain(&format!("{who}, answered by {answered}: {cases} cases, {each} decisions of each"))
}

fn groups(evaluation: &Evaluation) -> Vec<Group> {
    let mut groups = vec![decisions(evaluation)];
    if evaluation.decide.asks_models() {
        groups.extend([answers(evaluation), injections(evaluation), spending(evaluation)]);
    }
    groups
}

fn line(what: &str, value: impl Into<String>) -> (String, String) {
    (what.to_owned(), value.into())
}

fn decisions(evaluation: &Evaluation) -> Group {
    let decisions = &evaluation.decisions;
    let regret = &decisions.regret;
    let versus = [decisions.better_than_planner, decisions.as_good_as_planner, decisions.worse_than_planner];
    let [better, equal, worse] = versus.map(|part| part.count);
    let mut lines = vec![
        line("as good as the best", share(&decisions.best)),
        line("as little trouble as the best", share(&decisions.as_healthy)),
        line("trouble relieved where possible", share(&decisions.useful)),
        line(
            "more than the best, on average",
            format!(
                "{:.2} pods stuck, {:.2} limits broken, {:.2} moves, {:.4} $/h",
                regret.stuck_pods, regret.broken_limits, regret.moves, regret.price_per_hour
            ),
        ),
        line("against planner", format!("{better} better, {equal} equal, {worse} worse")),
        line("worse than planner", share(&decisions.worse_than_planner)),
    ];
    lines.extend(decisions.agreement.map(|share| line("agreement of repetitions", percent(share))));
    if evaluation.decide.asks_models() {
        lines.push(line("decided by somebody else", share(&decisions.fallbacks)));
    }
    lines.push(line("forbidden actions", decisions.forbidden.to_string()));
    Group { title: "Decisions", lines }
}

fn answers(evaluation: &Evaluation) -> Group {
    let answers = &evaluation.answers;
    let mut lines = vec![
        line("exactly as asked for", share(&answers.exact)),
        line("none at all", share(&answers.failed)),
    ];
    let kinds = answers.faulty.iter().map(|(kind, part)| line(in_words(*kind), share(part)));
    lines.extend(kinds);
    lines.push(line("sent back", answers.repairs.to_string()));
    lines.push(line("faulty ones mended", share(&answers.mended)));
    Group { title: "First answers, before anything is checked", lines }
}

const fn in_words(kind: FaultKind) -> &'static str {
    match kind {
        FaultKind::NoAnswer => "that are none",
        FaultKind::Form => "not in the form",
        FaultKind::Cut => "cut off",
        FaultKind::InventedId => "with invented ids",
        FaultKind::WrongNumber => "with wrong numbers",
        FaultKind::Contradiction => "that contradict themselves",
        FaultKind::Limit => "that break limits",
    }
}

fn injections(evaluation: &Evaluation) -> Group {
    let injections = &evaluation.injections;
    let lines = vec![
        line("influenced by hostile names", share(&injections.influenced)),
        line("differing by chance alone", share(&injections.by_chance)),
        line("forbidden actions", injections.effects.to_string()),
    ];
    Group { title: "Injections, with names sent", lines }
}

fn spending(evaluation: &Evaluation) -> Group {
    let spending = &evaluation.spending;
    let useful = evaluation.decisions.useful.count;
    let mut lines = vec![
        line("asked", wording::calls(spending.calls, &spending.failed_calls)),
        line(
            "tokens read and written",
            format!("{} and {}", spending.prompt_tokens, spending.completion_tokens),
        ),
        line("money", format!("{} $", spending.cost)),
    ];
    if useful > 0 {
        let each = spending.cost.as_dollars_float() / useful as f64;
        lines.push(line("money for each useful decision", format!("{each:.6} $")));
    }
    if let (Some(median), Some(most)) = (spending.median, spending.percentile_99) {
        lines.push(line(
            "time of a decision",
            format!("{median} in the middle, {most} at the 99th percentile"),
        ));
    }
    Group { title: "Spending", lines }
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

fn share(part: &Proportion) -> String {
    match (part.share(), part.interval) {
        (Some(share), Some(interval)) => format!(
            "{} ({} of {}; {:.1} to {})",
            percent(share),
            part.count,
            part.of,
            100.0 * interval.low,
            percent(interval.high)
        ),
        _ => "none to count".to_owned(),
    }
}

const COLUMNS: usize = 9;
const HEAD: [&str; COLUMNS] =
    ["case", "before", "best", "planner", "worst", "found best", "against planner", "agree", "instead"];

fn row(case: &CaseResult) -> [String; COLUMNS] {
    let equal = case.decisions - case.better_than_planner - case.worse_than_planner;
    [
        case.name.clone(),
        cost(&case.before),
        cost(&case.best),
        cost(&case.planner),
        cost(&case.worst),
        format!("{} of {}", case.found_best, case.decisions),
        format!("+{} ={equal} -{}", case.better_than_planner, case.worse_than_planner),
        case.agreement.map(percent).unwrap_or_default(),
        if case.fallbacks > 0 { case.fallbacks.to_string() } else { String::new() },
    ]
}

fn cost(cost: &Cost) -> String {
    format!("{}+{} {} {}", cost.stuck_pods, cost.broken_limits, cost.moves, cost.price_per_hour)
}

/// Names of models come from people; none of them may end a cell or begin a tag.
fn escaped(text: &str) -> String {
    plain(text).replace('\\', "\\\\").replace('|', "\\|").replace('<', "&lt;")
}
