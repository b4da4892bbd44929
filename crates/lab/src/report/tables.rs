//! The tables of a report: clusters, recommendations, holds, refused drafts, limits out of reach.

use super::ReportInput;
use super::headline::share;
use super::html::push;
use crate::figure::charts::marks;
use crate::markup::Escaped;
use crate::timeline::{Life, Timeline};
use crate::wording::{self, moment, percent};
use model::review::Stage;
use model::time::Timestamp;

/// Nobody reads more rows than this; the journal has all of them.
pub(super) const MOST_ROWS: usize = 500;

/// A table with a caption and column headings; wide ones scroll on their own, and a keyboard can reach them.
pub(super) fn open(out: &mut String, class: &str, caption: &str, columns: &[&str]) {
    push(
        out,
        format_args!(
            "<div class=\"scroll\" role=\"region\" aria-label=\"{caption}\" tabindex=\"0\">\
             <table class=\"{class}\"><caption>{caption}</caption><thead><tr>"
        ),
    );
    for column in columns {
        push(out, format_args!("<th scope=\"col\">{column}</th>"));
    }
    out.push_str("</tr></thead>");
}

pub(super) fn close(out: &mut String) {
    out.push_str("</table></div>");
}

pub(super) fn cell(out: &mut String, class: &str, content: &str) {
    push(out, format_args!("<td class=\"{class}\">{}</td>", Escaped(content)));
}

fn left_out(out: &mut String, all: usize) {
    left_out_of(out, all, "the journal");
}

/// Says how many rows are missing, and where they are.
pub(super) fn left_out_of(out: &mut String, all: usize, file: &str) {
    if let Some(more) = all.checked_sub(MOST_ROWS).filter(|more| *more > 0) {
        let rows = wording::count(more as u64, "more row");
        push(out, format_args!("<p class=\"more\">{rows} not shown; {file} has all of them.</p>"));
    }
}

/// What each cluster came to.
pub(crate) fn clusters(out: &mut String, input: &ReportInput<'_>) {
    let columns =
        ["Cluster", "CPU mean", "CPU peak", "CPU end", "Memory mean", "Memory peak", "Memory end", "Limits"];
    open(out, "numbers", "Load of each cluster, as a share of its capacity", &columns);
    out.push_str("<tbody>");
    for (name, meters) in input.summary.meters.clusters.iter().take(MOST_ROWS) {
        push(out, format_args!("<tr><th scope=\"row\">{}</th>", Escaped(name.as_str())));
        let cpu = [meters.cpu_load_mean, meters.cpu_load_max, meters.cpu_load_final];
        let memory = [meters.memory_load_mean, meters.memory_load_max, meters.memory_load_final];
        for value in cpu.into_iter().chain(memory) {
            let above = share(value) > input.limits.max_load;
            cell(out, if above { "number above" } else { "number" }, &percent(share(value)));
        }
        let broken = share(meters.limit_violation_ratio);
        let held = meters.limit_violation_ratio <= 0.0;
        let text = if held { "held".to_owned() } else { format!("broken {} of the time", percent(broken)) };
        cell(out, if held { "" } else { "above" }, &text);
        out.push_str("</tr>");
    }
    out.push_str("</tbody>");
    close(out);
    left_out(out, input.summary.meters.clusters.len());
}

/// Every recommendation, grouped by decision, with the number the figures show.
pub(crate) fn recommendations(out: &mut String, timeline: &Timeline) {
    let all = timeline.recommendations().len();
    if all == 0 {
        out.push_str("<p class=\"empty\">No agent recommended anything.</p>");
        return;
    }
    let columns = ["Decision", "Recommendation", "Why", "Expected effect", "Answer", "Outcome"];
    open(
        out,
        "recommendations",
        "Recommendations by decision; the numbers are those in the figures",
        &columns,
    );
    let lives: Vec<&Life> = timeline.recommendations().take(MOST_ROWS).collect();
    let groups = lives.chunk_by(|one, next| one.batch == next.batch);
    for (group, mark) in groups.zip(marks(timeline)) {
        out.push_str("<tbody>");
        for (index, life) in group.iter().enumerate() {
            out.push_str("<tr>");
            if index == 0 {
                let (rows, number, at) = (group.len(), mark.number, moment(mark.at));
                push(
                    out,
                    format_args!(
                        "<th scope=\"rowgroup\" rowspan=\"{rows}\" id=\"decision-{number}\">\
                         <span class=\"pill\">{number}</span><span class=\"when\">{at}</span></th>"
                    ),
                );
            }
            recommendation(out, life);
            why(out, group, index);
            effect(out, life);
            answer(out, life);
            outcome(out, life);
            out.push_str("</tr>");
        }
        out.push_str("</tbody>");
    }
    close(out);
    left_out(out, all);
}

fn recommendation(out: &mut String, life: &Life) {
    let (what, how) = wording::action_parts(&life.action);
    let (what, how, agent) = (Escaped(&what), Escaped(&how), Escaped(life.agent.as_str()));
    push(
        out,
        format_args!(
            "<td><strong>{what}</strong><span class=\"how\">{how}</span><span class=\"detail\">{} by {agent}</span></td>",
            life.id
        ),
    );
}

/// The reason, once for neighbours that share it.
fn why(out: &mut String, group: &[&Life], index: usize) {
    let summary = &group[index].summary;
    if index > 0 && group[index - 1].summary == *summary {
        return;
    }
    let rows = group[index..].iter().take_while(|life| life.summary == *summary).count();
    let text = if summary.is_empty() { "no reason given" } else { summary };
    push(out, format_args!("<td class=\"why\" rowspan=\"{rows}\">{}</td>", Escaped(text)));
}

fn effect(out: &mut String, life: &Life) {
    let effects = wording::impact(&life.expected);
    if effects.is_empty() {
        return cell(out, "", "no change expected");
    }
    out.push_str("<td><ul>");
    for effect in effects {
        push(out, format_args!("<li>{}</li>", Escaped(&effect)));
    }
    out.push_str("</ul></td>");
}

fn answer(out: &mut String, life: &Life) {
    let Some(at) = life.answered_at else {
        return cell(out, "", "none");
    };
    let verdict = if life.stage == Stage::Rejected { "rejected" } else { "approved" };
    let who = life.reviewer.as_ref().map_or_else(|| "a granted rule".to_owned(), wording::reviewer);
    let waited = wait(life.raised_at, at);
    push(out, format_args!("<td>{verdict} by {}<span class=\"detail\">{waited}</span>", Escaped(&who)));
    if let Some(note) = &life.note {
        push(out, format_args!("<span class=\"quote\">“{}”</span>", Escaped(note)));
    }
    out.push_str("</td>");
}

fn wait(from: Timestamp, until: Timestamp) -> String {
    let waited = until.since(from);
    if waited.is_zero() { "at once".to_owned() } else { format!("after {}", wording::period(waited)) }
}

fn outcome(out: &mut String, life: &Life) {
    let (class, sign) = match life.stage {
        Stage::Applied => ("good", "✓"),
        Stage::Failed | Stage::RolledBack => ("bad", "✗"),
        Stage::Pending | Stage::Approved | Stage::Applying => ("open", "…"),
        Stage::Rejected | Stage::Expired | Stage::Superseded => ("ended", "–"),
    };
    let stage = wording::stage(life.stage);
    push(
        out,
        format_args!(
            "<td><span class=\"stage {class}\"><span aria-hidden=\"true\">{sign}</span> {stage}</span>"
        ),
    );
    if let Some(ended) = life.ended_at {
        push(out, format_args!("<span class=\"detail\">at {}", moment(ended)));
        if let Some(started) = life.started_at {
            push(out, format_args!(", took {}", wording::period(ended.since(started))));
        }
        out.push_str("</span>");
    }
    let said_already = matches!(life.stage, Stage::Applied | Stage::Rejected | Stage::Applying);
    if let Some(reason) = life.reason.as_ref().filter(|_| !said_already) {
        push(out, format_args!("<span class=\"detail\">{}</span>", Escaped(reason)));
    }
    out.push_str("</td>");
}

/// `15 s`, or `15 s to 75 s`.
fn span(first: Timestamp, last: Timestamp) -> String {
    if first == last { moment(first) } else { format!("{} to {}", moment(first), moment(last)) }
}

/// Decisions to do nothing, equal ones in a row as one line.
pub(crate) fn holds(out: &mut String, timeline: &Timeline) {
    if timeline.holds().is_empty() {
        out.push_str("<p class=\"empty\">Every decision recommended something.</p>");
        return;
    }
    open(out, "plain", "Decisions that recommended nothing", &["When", "Times", "Agent", "Reason"]);
    out.push_str("<tbody>");
    for hold in timeline.holds().iter().take(MOST_ROWS) {
        out.push_str("<tr>");
        cell(out, "when", &span(hold.first_at, hold.last_at));
        cell(out, "number", &wording::grouped(hold.count));
        cell(out, "", hold.agent.as_str());
        cell(out, "", &wording::held(&hold.reason));
        out.push_str("</tr>");
    }
    out.push_str("</tbody>");
    close(out);
    left_out(out, timeline.holds().len());
}

/// What agents drafted and the guardrails did not let through, by kind.
pub(crate) fn refused(out: &mut String, timeline: &Timeline) {
    if timeline.refused().len() == 0 {
        out.push_str("<p class=\"empty\">The guardrails refused nothing.</p>");
    } else {
        let columns = ["Refused because", "Times", "When", "For example"];
        open(out, "plain", "Drafts that the guardrails refused", &columns);
        out.push_str("<tbody>");
        for kind in timeline.refused() {
            push(out, format_args!("<tr><th scope=\"row\">{}</th>", Escaped(kind.kind)));
            cell(out, "number", &wording::grouped(kind.count));
            cell(out, "when", &span(kind.first_at, kind.last_at));
            let example = format!("{}: {}", wording::action(&kind.action), wording::refused(&kind.refusal));
            cell(out, "", &example);
            out.push_str("</tr>");
        }
        out.push_str("</tbody>");
        close(out);
    }
    refused_reviews(out, timeline);
}

fn refused_reviews(out: &mut String, timeline: &Timeline) {
    let reviews = timeline.refused_reviews();
    if reviews.is_empty() {
        return;
    }
    open(out, "plain", "Answers that had no effect", &["When", "Recommendation", "Reason"]);
    out.push_str("<tbody>");
    for review in reviews.iter().take(MOST_ROWS) {
        out.push_str("<tr>");
        cell(out, "when", &moment(review.at));
        cell(out, "", &review.id.to_string());
        cell(out, "", &wording::review_refused(&review.refusal));
        out.push_str("</tr>");
    }
    out.push_str("</tbody>");
    close(out);
    left_out(out, reviews.len());
}

/// Limits that no set of moves could restore.
pub(crate) fn infeasible(out: &mut String, timeline: &Timeline) {
    if timeline.unmet().len() == 0 {
        out.push_str("<p class=\"empty\">No limit was out of reach.</p>");
        return;
    }
    let columns = ["Cluster", "Limit", "When", "Times", "Reason, as last given"];
    open(out, "plain", "Limits that moving workloads alone could not restore", &columns);
    out.push_str("<tbody>");
    for unmet in timeline.unmet() {
        push(out, format_args!("<tr><th scope=\"row\">{}</th>", Escaped(unmet.cluster.as_str())));
        cell(out, "", wording::limit(unmet.limit));
        cell(out, "when", &span(unmet.first_at, unmet.last_at));
        cell(out, "number", &wording::grouped(unmet.count));
        cell(out, "", &unmet.reason);
        out.push_str("</tr>");
    }
    out.push_str("</tbody>");
    close(out);
}
