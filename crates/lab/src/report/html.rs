//! `report.html`: conclusion first, one self-contained file without scripts, fonts or requests.

use super::headline::{headline, title};
use super::{Figures, ReportInput, faults, power, services, tables, tiles};
use crate::figure::{COLOURS_DARK, COLOURS_LIGHT, Figure, SHAPES, TROUBLE_SHAPES};
use crate::markup::Escaped;
use crate::wording::{self, percent};
use std::fmt::Write;

const PAGE_STYLE: &str = include_str!("page.css");

/// A browser that honours this loads nothing and runs nothing, whatever a name or a reason holds.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// A part of the page.
struct Section {
    id: &'static str,
    heading: &'static str,
    body: fn(&mut String, &ReportInput<'_>, &Figures),
}

/// The sections of this run, in the order of the page: what a scenario does not have gets none.
fn sections(input: &ReportInput<'_>) -> Vec<Section> {
    let meters = &input.summary.meters;
    let section = |id, heading, body| Section { id, heading, body };
    let mut sections = vec![section("figures", "What happened", figures)];
    if !meters.services.is_empty() {
        sections.push(section("services", "Services", services::write));
    }
    if !input.summary.faults.is_empty() {
        sections.push(section("faults", "What went wrong", faults::write));
    }
    if meters.energy_kwh.is_some() {
        sections.push(section("power", "Power and carbon", power::write));
    }
    sections.extend([
        section("clusters", "Clusters", |out, input, _| tables::clusters(out, input)),
        section("recommendations", "Recommendations", |out, input, _| {
            tables::recommendations(out, input.timeline);
        }),
        section("holds", "Why nothing was done", |out, input, _| tables::holds(out, input.timeline)),
        section("refused", "What was refused", |out, input, _| tables::refused(out, input.timeline)),
        section("infeasible", "Limits out of reach", |out, input, _| {
            tables::infeasible(out, input.timeline);
        }),
        section("reproduce", "How to reproduce", |out, input, _| reproduce(out, input)),
    ]);
    sections
}

/// The whole page. The same input gives the same bytes.
pub fn render(input: &ReportInput<'_>) -> String {
    let mut out = String::new();
    head(&mut out, &title(input), TROUBLE_SHAPES);
    out.push_str("<body><a class=\"skip\" href=\"#main\">Skip to the report</a>");
    let (sections, figures) = (sections(input), input.figures());
    header(&mut out, input, &sections);
    out.push_str("<main id=\"main\">");
    tiles::write(&mut out, input);
    for Section { id, heading, body } in sections {
        push(&mut out, format_args!("<section id=\"{id}\" aria-labelledby=\"{id}-heading\">"));
        push(&mut out, format_args!("<h2 id=\"{id}-heading\">{heading}</h2>"));
        body(&mut out, input, &figures);
        out.push_str("</section>\n");
    }
    out.push_str("</main></body></html>\n");
    out
}

/// Begins a page that stands alone. `besides` are styles beyond those of all pages and figures.
pub(crate) fn head(out: &mut String, title: &str, besides: &str) {
    push(
        out,
        format_args!(
            "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
             <meta name=\"color-scheme\" content=\"light dark\"><title>{} · Drover</title>\n<style>\
             :root{{{COLOURS_LIGHT}}}\
             @media screen and (prefers-color-scheme:dark){{:root{{{COLOURS_DARK}}}}}\n{PAGE_STYLE}{SHAPES}{besides}</style></head>\n",
            Escaped(title)
        ),
    );
}

fn header(out: &mut String, input: &ReportInput<'_>, sections: &[Section]) {
    let summary = input.summary;
    push(
        out,
        format_args!("<header><p class=\"eyebrow\">Drover run report · {}</p>", Escaped(&summary.scenario)),
    );
    push(out, format_args!("<h1>{}</h1>", Escaped(&headline(input))));
    if !input.description.is_empty() {
        push(out, format_args!("<p class=\"lead\">{}</p>", Escaped(input.description)));
    }
    let limits = format!(
        "load at most {}, pending pods at most {}",
        percent(input.limits.max_load),
        percent(input.limits.max_pending)
    );
    let facts = [
        ("Strategy", summary.strategy.clone()),
        ("Review", summary.review.clone()),
        ("Limits", limits),
        ("Simulated", wording::period(input.duration)),
        ("Decisions", wording::grouped(input.timeline.decisions())),
        ("Seed", summary.seed.to_string()),
    ];
    facts_list(out, "facts", &facts);
    out.push_str("<nav aria-label=\"Sections\"><ul>");
    for Section { id, heading, .. } in sections {
        push(out, format_args!("<li><a href=\"#{id}\">{heading}</a></li>"));
    }
    out.push_str("</ul></nav></header>\n");
}

pub(crate) fn facts_list(out: &mut String, class: &str, facts: &[(&str, String)]) {
    push(out, format_args!("<dl class=\"{class}\">"));
    for (name, value) in facts {
        push(out, format_args!("<div><dt>{name}</dt><dd>{}</dd></div>", Escaped(value)));
    }
    out.push_str("</dl>");
}

fn figures(out: &mut String, input: &ReportInput<'_>, figures: &Figures) {
    let marked = input.timeline.recommendations().len() > 0;
    let left_out = input.charts().left_out_note().map(|note| format!(" {note}.")).unwrap_or_default();
    let faults = if input.summary.faults.is_empty() { "" } else { FAULTS_NOTE };
    for (index, figure) in figures.course.iter().enumerate() {
        let faults = if index == 0 { faults } else { "" };
        let note = format!("{}{faults}{left_out}", note(figure, marked));
        write_figure(out, index + 1, figure, &note);
    }
}

const FAULTS_NOTE: &str =
    " Grey where something was wrong; numbers with an F are faults, explained under What went wrong.";

/// A figure with its number, its title and how to read it.
pub(super) fn write_figure(out: &mut String, number: usize, figure: &Figure, note: &str) {
    let caption = Escaped(&figure.title).to_string();
    push(
        out,
        format_args!(
            "<figure><figcaption><strong>Figure {number}. {caption}.</strong> {note}</figcaption>\
             <div class=\"scroll\" role=\"region\" aria-label=\"Figure {number}\" tabindex=\"0\">{}</div></figure>\n",
            figure.to_inline_svg()
        ),
    );
}

/// How to read a figure.
fn note(figure: &Figure, marked: bool) -> &'static str {
    match (figure.key.as_str(), marked) {
        ("cpu-allocated", true) => {
            "Filled where the load limit is broken. Numbers on top are decisions, explained in the table below; \
             the bar beside a number lasts until its last recommendation was settled."
        }
        ("cpu-allocated", false) => "Filled where the load limit is broken.",
        ("cpu-requested", _) => "What all pods ask for, with or without a node.",
        _ => "",
    }
}

fn reproduce(out: &mut String, input: &ReportInput<'_>) {
    let summary = input.summary;
    out.push_str("<p>The same build, scenario and seed give the same journal, byte for byte.</p>");
    push(out, format_args!("<pre tabindex=\"0\"><code>{}</code></pre>", Escaped(input.command)));
    let facts = [
        ("Seed", summary.seed.to_string()),
        ("Events", wording::grouped(summary.events)),
        ("Journal SHA-256", summary.journal_sha256.clone()),
    ];
    facts_list(out, "facts hashes", &facts);
}

/// Writing to a string cannot fail.
pub(crate) fn push(out: &mut String, content: std::fmt::Arguments<'_>) {
    let _ = out.write_fmt(content);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bad_day;
    use crate::markup::tests::assert_well_formed;
    use crate::three_waves::{self, HOSTILE};

    fn page() -> String {
        three_waves::with_input(render)
    }

    #[test]
    fn the_page_is_well_formed_and_complete() {
        let page = page();
        assert_well_formed(&page);
        assert_eq!(page.matches("<svg").count(), 4);
        assert_eq!(page.matches("<h1>").count(), 1);
        assert_eq!(page.matches("<caption>").count(), page.matches("<table").count());
        let ids: Vec<&str> =
            three_waves::with_input(|input| sections(input).iter().map(|section| section.id).collect());
        assert_eq!(
            ids,
            ["figures", "clusters", "recommendations", "holds", "refused", "infeasible", "reproduce"]
        );
        for id in ids {
            assert_eq!(page.matches(&format!("id=\"{id}\"")).count(), 1, "{id}");
        }
        for text in ["R-1 by keep-headroom", "would break the load limit", "rejected by ana (simulated)"] {
            assert!(page.contains(text), "{text}");
        }
    }

    #[test]
    fn a_bad_day_has_its_sections_figures_and_tiles() {
        let page = bad_day::with_input(render);
        assert_well_formed(&page);
        assert_eq!(page.matches("<caption>").count(), page.matches("<table").count());
        // Four of every run, three services, the faults, the power.
        assert_eq!(page.matches("<svg").count(), 9);
        for number in 1..=9 {
            assert_eq!(page.matches(&format!("<strong>Figure {number}. ")).count(), 1, "{number}");
        }
        let headings = ["What happened", "Services", "What went wrong", "Power and carbon", "Clusters"];
        let places = headings.map(|heading| page.find(&format!("-heading\">{heading}</h2>")).expect(heading));
        assert!(places.is_sorted(), "{places:?}");
        for label in ["Answered", "Slowest service", "Down", "Faults", "Energy", "Carbon"] {
            assert_eq!(page.matches(&format!("<dt>{label}</dt>")).count(), 1, "{label}");
        }
        let plain = page.replace('\u{a0}', " ");
        for text in [
            "<td class=\"number above\">1.25 s</td>",
            "no; not met for 120 s",
            "5,000 found nobody ready or reachable; 10 broke off with their replica",
            "1 node of member2 crashed",
            "2 changes, 4 measurements",
            "50 s, until the end",
            "<td class=\"number\">120 g</td>",
        ] {
            assert!(plain.contains(text), "{text}");
        }
    }

    #[test]
    fn of_very_many_services_the_worst_are_drawn_and_all_are_listed() {
        bad_day::with_input(|input| {
            let (mut summary, mut series) = (input.summary.clone(), input.series.clone());
            let (name, samples) = series.services[2].clone();
            let meters = summary.meters.services[&name].clone();
            for number in 0..10 {
                let name: model::names::WorkloadRef = format!("calm/calm-{number}").parse().unwrap();
                summary.meters.services.insert(name.clone(), meters.clone());
                series.services.push((name, samples.clone()));
            }
            let page = render(&ReportInput { summary: &summary, series: &series, ..*input });
            assert_eq!(page.matches("<strong>Figure").count(), 4 + 6 + 2);
            assert!(page.contains("7 services not drawn"));
            assert!(
                (0..10).all(|number| page.contains(&format!("<th scope=\"row\">calm/calm-{number}<span")))
            );
        });
    }

    #[test]
    fn hostile_text_stays_text() {
        let page = page();
        assert!(!page.contains(HOSTILE));
        assert!(!page.contains("<script") && !page.contains("<b>"));
        assert!(page.contains("&lt;script&gt;alert(&quot;pwned&quot;)&lt;/script&gt;"));
    }

    #[test]
    fn the_page_asks_for_nothing_from_outside() {
        let page = page().replace("http://www.w3.org/2000/svg", "");
        for word in ["http:", "https:", "url(", "@import", " src=", "<link"] {
            assert!(!page.contains(word), "{word}");
        }
    }

    #[test]
    fn ids_are_unique() {
        let page = bad_day::with_input(render);
        let mut ids: Vec<&str> =
            page.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        let all = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), all);
    }

    #[test]
    fn the_same_run_gives_the_same_bytes() {
        assert_eq!(page(), page());
    }

    #[test]
    fn a_run_in_which_nothing_happened_is_a_page_too() {
        three_waves::with_input(|input| {
            let timeline = crate::timeline::Timeline::default();
            let series = model::series::Series::default();
            let mut summary = input.summary.clone();
            summary.meters.clusters.clear();
            let input = ReportInput { timeline: &timeline, series: &series, summary: &summary, ..*input };
            let page = render(&input);
            assert_well_formed(&page);
            assert!(page.contains("No agent recommended anything."));
        });
    }
}
