//! A summary on a terminal: aligned, without colours, at most a hundred columns.

mod services;

use super::{ClusterMeters, Summary};
use crate::markup::plain;
use crate::wording;
use model::ratio::Ratio;
use model::review::Stage;
use std::fmt::Write;

const WIDTH: usize = 100;
const LABEL: usize = 16;
/// Longer cluster names are cut, so that the widest row has a hundred columns.
const LONGEST_NAME: usize = 20;

impl Summary {
    /// What happened, per cluster, services, what went wrong, recommendations by stage, and limits that could not be met.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        self.heading(&mut text);
        self.happened(&mut text);
        self.vertical_rows(&mut text);
        self.clusters(&mut text);
        self.services(&mut text);
        self.trouble(&mut text);
        self.answers(&mut text);
        self.models(&mut text);
        self.limits(&mut text);
        text
    }

    fn heading(&self, text: &mut String) {
        let title = format!("{} · {} · seed {}", plain(&self.scenario), plain(&self.strategy), self.seed);
        line(text, &title);
        line(text, &"─".repeat(title.chars().count().min(WIDTH)));
        row(
            text,
            "Simulated",
            &format!("{} in {}", duration(self.duration_s), wording::count(self.events, "event")),
        );
        row(text, "Review", &plain(&self.review));
    }

    fn happened(&self, text: &mut String) {
        let meters = &self.meters;
        let pending = if meters.pending_pods_max == 0 {
            "none at any time".to_owned()
        } else {
            let (mean, ratio) = (decimal(meters.pending_pods_mean), share(meters.time_with_pending_ratio));
            format!("at most {}, {mean} on average, some for {ratio} of the time", meters.pending_pods_max)
        };
        row(text, "Pending pods", &pending);
        let moves = wording::count(meters.workload_moves, "workload");
        let pods = wording::count(meters.migrated_pods, "pod");
        let each = decimal(meters.migrated_pods_per_execution);
        row(
            text,
            "Moved",
            &format!("{moves} ({} again), {pods} ({each} per execution)", meters.repeat_moves),
        );
        row(text, "Evicted", &wording::count(meters.evicted_pods, "pod"));
        let (hours, cost) = (decimal(meters.node_hours), money(meters.cost_usd));
        let interval = money(meters.cost_usd_per_interval);
        row(text, "Nodes", &format!("{hours} node hours, {cost} ({interval} per interval)"));
        self.power(text);
    }

    fn clusters(&self, text: &mut String) {
        let names = self.meters.clusters.keys().map(|name| name.as_str().chars().count());
        let width = names.max().unwrap_or(0).clamp(LABEL - 2, LONGEST_NAME);
        line(text, "");
        line(text, &format!("{:width$}  {:^23}   {:^23}", "", "CPU load", "memory load"));
        let columns = format!("{:>7} {:>7} {:>7}", "mean", "peak", "end");
        line(text, &format!("{:width$}  {columns}   {columns}   limits", "Cluster"));
        for (name, meters) in &self.meters.clusters {
            let name = wording::shortened(name.as_str(), width);
            line(text, &format!("{name:width$}  {}", cluster(meters)));
        }
    }

    fn answers(&self, text: &mut String) {
        let counts = &self.recommendations;
        line(text, "");
        let stages = Stage::ALL.into_iter().filter(|stage| counts.at(*stage) > 0);
        let stages: Vec<String> =
            stages.map(|stage| format!("{} {}", counts.at(stage), wording::stage(stage))).collect();
        let total = if counts.total == 0 { "none".to_owned() } else { wording::grouped(counts.total) };
        let stages = if stages.is_empty() { String::new() } else { format!(": {}", stages.join(", ")) };
        row(text, "Recommendations", &format!("{total}{stages}"));
    }

    fn models(&self, text: &mut String) {
        let Some(models) = &self.models else { return };
        let calls = wording::calls(models.calls, &models.failures);
        let again = if models.repairs == 0 {
            String::new()
        } else {
            format!(", {} asked for again", wording::count(models.repairs, "answer"))
        };
        row(
            text,
            "Models",
            &format!("{calls}{again}, {} without them", wording::count(models.fallbacks, "decision")),
        );
        let tokens = wording::grouped(models.prompt_tokens + models.completion_tokens);
        let (cost, mean) = (money(models.cost_usd), decimal(models.seconds_mean));
        row(text, "", &format!("{tokens} tokens, {cost}, {mean} s for an answer on average"));
    }

    fn limits(&self, text: &mut String) {
        if self.infeasible.is_empty() {
            row(text, "Limits", "none was out of reach");
        } else {
            line(text, "Out of reach by moving workloads alone:");
        }
        for unmet in &self.infeasible {
            let (from, until) = (duration(unmet.first_at_s), duration(unmet.last_at_s));
            let when = if unmet.count == 1 {
                format!("once, at {from}")
            } else {
                format!("{} times, from {from} to {until}", wording::grouped(unmet.count))
            };
            line(text, &format!("  {} of {}, {when}:", wording::limit(unmet.limit), unmet.cluster));
            wrapped(text, &plain(&unmet.reason), 4);
        }
        row(text, "Journal", &format!("sha256 {}", plain(&self.journal_sha256)));
    }
}

fn cluster(meters: &ClusterMeters) -> String {
    let cells = |values: [f64; 3]| values.map(|value| format!("{:>7}", share(value))).join(" ");
    let cpu = cells([meters.cpu_load_mean, meters.cpu_load_max, meters.cpu_load_final]);
    let memory = cells([meters.memory_load_mean, meters.memory_load_max, meters.memory_load_final]);
    let limits = if meters.limit_violation_ratio > 0.0 {
        format!("broken {} of the time", share(meters.limit_violation_ratio))
    } else {
        "held".to_owned()
    };
    format!("{cpu}   {memory}   {limits}")
}

fn line(text: &mut String, content: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{}", content.trim_end().replace('\u{a0}', " "));
}

pub(super) fn row(text: &mut String, label: &str, content: &str) {
    line(text, &format!("{label:LABEL$}  {content}"));
}

/// Breaks a long reason between words.
fn wrapped(text: &mut String, content: &str, indent: usize) {
    let mut current = String::new();
    for word in content.split_whitespace() {
        if !current.is_empty() && indent + current.chars().count() + 1 + word.chars().count() > WIDTH {
            line(text, &format!("{:indent$}{current}", ""));
            current.clear();
        }
        if !current.is_empty() {
            current.push(' ');
        }
        current.push_str(word);
    }
    line(text, &format!("{:indent$}{current}", ""));
}

/// A share as per cent with one place, rounded down as everywhere: `91.5 %`.
fn share(value: f64) -> String {
    Ratio::from_f64(value).unwrap_or(Ratio::ZERO).to_string()
}

fn money(value: f64) -> String {
    wording::dollars(model::money::MicroDollars((value * 1e6).round() as i64))
}

/// At most two places, none for a whole number.
pub(crate) fn decimal(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn duration(seconds: f64) -> String {
    wording::period(model::time::Period((seconds * 1000.0).round() as u64))
}

#[cfg(test)]
mod tests {
    use crate::three_waves;
    use expect_test::expect;

    #[test]
    fn a_person_can_read_it() {
        let text = three_waves::summary().to_text();
        expect![[r#"
            three-waves · threshold · seed 42
            ─────────────────────────────────
            Simulated         300 s in 1,284 events
            Review            a person (simulated), 10 s
            Pending pods      at most 6, 0.4 on average, some for 6.6 % of the time
            Moved             5 workloads (0 again), 10 pods (5 per execution)
            Evicted           0 pods
            Nodes             0.33 node hours, $0.0896 ($0.0179 per interval)

                                   CPU load                 memory load
            Cluster            mean    peak     end      mean    peak     end   limits
            member1          64.7 %  91.5 %  78.4 %    64.0 %  90.6 %  77.6 %   broken 30.0 % of the time
            member2          27.4 %  65.3 %  65.3 %    27.1 %  64.7 %  64.7 %   held

            Recommendations   7: 1 waiting for an answer, 1 rejected, 5 applied
            Out of reach by moving workloads alone:
              load of member1, once, at 135 s:
                14 of 20 pods fit on the nodes of member1 <script>alert("pwned")</script>
            Journal           sha256 adcd4c4148617c8e1c336569ccf8c9e813ea575963fa58a389b7e22ff8c5dddc
        "#]]
        .assert_eq(&text);
    }

    #[test]
    fn services_energy_and_faults_have_their_lines() {
        let text = crate::bad_day::summary().to_text();
        let from = text.find("Energy").unwrap();
        let until = text.find("Recommendations").unwrap();
        expect![[r"
            Energy            50 Wh, 6 g CO₂e

                                   CPU load                 memory load
            Cluster            mean    peak     end      mean    peak     end   limits
            member1          64.7 %  91.5 %  78.4 %    64.0 %  90.6 %  77.6 %   broken 30.0 % of the time
            member2          27.4 %  65.3 %  65.3 %    27.1 %  64.7 %  64.7 %   held

            Service              requests answered       p95 objective        down     replicas rescaled
            web                    30,000   99.6 %    1.25 s    500 ms       never     4, max 5       7×
              objective missed; not met for 120 s
              not answered: 100 timed out
            search                 30,000   83.3 %    100 ms    500 ms        50 s     4, max 5        –
              objective missed; not met for 50 s
              not answered: 5,000 found nobody ready or reachable; 10 broke off with their replica
            login                  30,000  100.0 %    100 ms    500 ms       never     4, max 5        –

            What went wrong: 4 faults
              at 20 s for 20 s: Nothing was measured in member1; hit 2 measurements
              at 60 s for 60 s: 1 node of member2 crashed; hit 3 pods
              at 150 s for 50 s: member2 was cut off from the federation and from clients; hit 2 changes, 4
              measurements
              at 250 s until the end (50 s): Nobody reviewed; hit 1 recommendation

        "]]
        .assert_eq(&text[from..until]);
    }

    #[test]
    fn of_very_many_services_and_faults_a_handful_is_shown() {
        let mut summary = crate::bad_day::summary();
        let login: model::names::WorkloadRef = "default/login".parse().unwrap();
        let meters = summary.meters.services[&login].clone();
        for number in 0..20 {
            let name = format!("a-rather-long-namespace/a-service-with-a-long-name-{number}");
            let slow = super::super::ServiceMeters {
                requests: 1e12,
                downtime_s: 3e7,
                latency_p95_ms: 1e6,
                rescales: Some(12_345),
                replicas_max: 1_000,
                ..meters.clone()
            };
            summary.meters.services.insert(name.parse().unwrap(), slow);
            summary.faults.push(summary.faults[1].clone());
        }
        let text = summary.to_text();
        assert!(text.contains("  and 17 more") && text.contains("  and 18 more"), "{text}");
        for line in text.lines() {
            assert!(line.chars().count() <= super::WIDTH, "{line}");
        }
    }

    #[test]
    fn long_names_and_reasons_stay_within_the_width() {
        let mut summary = three_waves::summary();
        let name = "a-cluster-with-a-very-long-name-in-europe-1".parse().unwrap();
        let meters =
            super::ClusterMeters { limit_violation_ratio: 1.0, cpu_load_max: 1.0, ..Default::default() };
        summary.meters.clusters.insert(name, meters);
        summary.infeasible[0].reason = "no room ".repeat(40);
        let text = summary.to_text();
        assert!(text.contains("a-cluster…n-europe-1 "), "{text}");
        for line in text.lines() {
            assert!(line.chars().count() <= super::WIDTH, "{line}");
        }
    }
}
