//! `report.html` of an experiment: who wins, by how much and how sure that is; then the table, the figures and the method.

mod answers;
mod method;
mod tables;

use super::conclusion::conclusions;
use super::figures::{self, Drawing, STATISTICS_SHAPES};
use super::results::{Results, SettingResults};
use crate::markup::Escaped;
use crate::report::html::{facts_list, head, push};
use crate::wording;

const PAGE_STYLE: &str = include_str!("page.css");

/// The whole page. The same results give the same bytes.
pub fn render(results: &Results) -> String {
    let mut out = String::new();
    head(&mut out, &format!("{}: experiment", results.name), &format!("{STATISTICS_SHAPES}{PAGE_STYLE}"));
    out.push_str("<body><a class=\"skip\" href=\"#main\">Skip to the report</a>");
    header(&mut out, results);
    out.push_str("<main id=\"main\">");
    section(&mut out, "conclusion", "Conclusion", |out| conclusion(out, results));
    let drawings = figures::all(results);
    for (index, (setting, drawings)) in results.settings.iter().zip(&drawings).enumerate() {
        section(&mut out, &scenario_id(index), &setting.name, |out| {
            scenario(out, results, setting, index, drawings);
        });
    }
    section(&mut out, "method", "Method", |out| method::write(out, results));
    section(&mut out, "reproduce", "How to reproduce", |out| reproduce(out, results));
    out.push_str("</main></body></html>\n");
    out
}

fn scenario_id(index: usize) -> String {
    format!("scenario-{}", index + 1)
}

fn section(out: &mut String, id: &str, heading: &str, body: impl FnOnce(&mut String)) {
    push(out, format_args!("<section id=\"{id}\" aria-labelledby=\"{id}-heading\">"));
    push(out, format_args!("<h2 id=\"{id}-heading\">{}</h2>", Escaped(heading)));
    body(out);
    out.push_str("</section>\n");
}

fn header(out: &mut String, results: &Results) {
    push(
        out,
        format_args!(
            "<header><p class=\"eyebrow\">Drover experiment report · {}</p>",
            Escaped(&results.name)
        ),
    );
    push(out, format_args!("<h1>{}</h1>", Escaped(&answers::headline(results))));
    if !results.description.is_empty() {
        push(out, format_args!("<p class=\"lead\">{}</p>", Escaped(&results.description)));
    }
    let runs = results.settings.len() * results.arms.len() * results.seeds.len();
    let facts = [
        ("Strategies", results.arms.join(", ")),
        ("Baseline", results.arms[results.baseline].clone()),
        ("Scenarios", wording::grouped(results.settings.len() as u64)),
        ("Seeds", seeds(&results.seeds)),
        ("Completed runs", format!("{} of {runs}", runs - results.troubled())),
    ];
    facts_list(out, "facts", &facts);
    out.push_str("<nav aria-label=\"Sections\"><ul><li><a href=\"#conclusion\">Conclusion</a></li>");
    for (index, setting) in results.settings.iter().enumerate() {
        push(
            out,
            format_args!("<li><a href=\"#{}\">{}</a></li>", scenario_id(index), Escaped(&setting.name)),
        );
    }
    out.push_str("<li><a href=\"#method\">Method</a></li><li><a href=\"#reproduce\">How to reproduce</a></li></ul></nav></header>\n");
}

/// "10 (1 to 10)", or all of them where they are not in a row.
fn seeds(seeds: &[u64]) -> String {
    let in_a_row = seeds.windows(2).all(|pair| pair[0].checked_add(1) == Some(pair[1]));
    match seeds {
        [only] => format!("1 (number {only})"),
        [first, .., last] if in_a_row => format!("{} ({first} to {last})", seeds.len()),
        several => {
            let listed: Vec<String> = several.iter().map(u64::to_string).collect();
            format!("{} ({})", several.len(), listed.join(", "))
        }
    }
}

fn conclusion(out: &mut String, results: &Results) {
    let (conclusions, caveats) = conclusions(results);
    for caveat in &caveats {
        push(out, format_args!("<p class=\"caveat\">{}</p>", Escaped(caveat)));
    }
    for (setting, conclusion) in results.settings.iter().zip(&conclusions) {
        if results.settings.len() > 1 {
            push(out, format_args!("<h3>{}</h3>", Escaped(&setting.name)));
        }
        answers::write(out, results, setting);
        out.push_str("<ul class=\"sentences\">");
        for sentence in &conclusion.sentences {
            push(out, format_args!("<li>{}</li>", Escaped(sentence)));
        }
        out.push_str("</ul>");
    }
}

fn scenario(
    out: &mut String,
    results: &Results,
    setting: &SettingResults,
    index: usize,
    drawings: &[Drawing],
) {
    tables::write(out, results, setting);
    for (number, drawing) in drawings.iter().enumerate() {
        figure(out, &format!("{}.{}", index + 1, number + 1), drawing);
    }
    let idle = answers::listed_idle(results, setting);
    if let Some(sentence) = idle {
        push(out, format_args!("<p class=\"note-missing\">{}</p>", Escaped(&sentence)));
    }
}

fn figure(out: &mut String, number: &str, drawing: &Drawing) {
    push(
        out,
        format_args!(
            "<figure><figcaption><strong>Figure {number}. {}.</strong> {}</figcaption>\
             <div class=\"scroll\" role=\"region\" aria-label=\"Figure {number}\" tabindex=\"0\">{}</div></figure>\n",
            Escaped(&drawing.title),
            Escaped(&drawing.note),
            drawing.to_inline_svg()
        ),
    );
}

fn reproduce(out: &mut String, results: &Results) {
    out.push_str("<p>The same build, scenarios, strategies and seeds give the same journals, byte for byte, and so the same numbers.</p>");
    push(out, format_args!("<pre tabindex=\"0\"><code>{}</code></pre>", Escaped(&results.command)));
    out.push_str(
        "<p><code>results.csv</code> beside this page has every number with all digits, <code>cells.csv</code> every run with the hash of its \
         journal, and <code>figures</code> every figure as a file.</p>",
    );
    facts_list(out, "facts", &[("Made with", format!("Drover {}", env!("CARGO_PKG_VERSION")))]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::cell::CellResult;
    use crate::experiment::export::{csv, markdown};
    use crate::experiment::figures::sample;
    use crate::experiment::metric::Metric;
    use crate::markup::tests::assert_well_formed;

    /// The cells of the tables of means: plain texts, row by row.
    fn rows(page: &str) -> Vec<(String, Vec<String>)> {
        let tables = page
            .split("<table class=\"outcome\">")
            .skip(1)
            .map(|rest| rest.split("</table>").next().unwrap());
        let rows = tables.flat_map(|table| table.split("<tr>").skip(2));
        let plain = |markup: &str| {
            let mut text = String::new();
            for part in markup.replace("<span class=\"interval\">", "\n").split('<') {
                text.push_str(part.split_once('>').map_or(part, |(_, rest)| rest));
            }
            text
        };
        rows.map(|row| {
            let mut cells = row.split("<th").flat_map(|cell| cell.split("<td")).skip(1);
            let next = |cell: &str| plain(&format!("<{cell}"));
            let title = next(cells.next().unwrap());
            (title, cells.map(next).collect())
        })
        .collect()
    }

    #[test]
    fn every_number_of_the_page_is_the_same_in_markdown() {
        let results = sample::results(5, 10);
        let (page, table) = (render(&results), markdown::tables(&results));
        let mut numbers = 0;
        for (title, cells) in rows(&page).into_iter().filter(|(title, _)| title != "completed runs (n)") {
            let line = table.lines().find(|line| line.starts_with(&format!("| {title} |"))).expect(&title);
            let theirs: Vec<&str> = line.split('|').skip(2).map(str::trim).collect();
            for (ours, theirs) in cells.iter().zip(&theirs) {
                let signs = [" ", "\n", "*", "+", "−", "≈", "?", "≠", "–"];
                let bare =
                    |text: &str| signs.iter().fold(text.to_owned(), |text, sign| text.replace(sign, ""));
                assert_eq!(bare(ours), bare(theirs), "{title}");
                numbers += usize::from(!bare(ours).is_empty());
            }
        }
        // Four metrics with five strategies and two published numbers.
        assert_eq!(numbers, 4 * 5 + 2);
    }

    #[test]
    fn rounding_the_exact_mean_gives_the_mean_of_the_page() {
        let results = sample::results(3, 7);
        let page = rows(&render(&results));
        let mut compared = 0;
        for line in csv::results(&results).lines().skip(1).filter(|line| line.contains(",measured,")) {
            let line = line.rsplit_once(",hold,").unwrap().0;
            let fields: Vec<&str> = line.rsplitn(15, ',').collect();
            let (mean, metric) = (
                fields[7].parse::<f64>().unwrap(),
                Metric::named(fields[14].rsplit(',').next().unwrap()).unwrap(),
            );
            let (_, cells) = page.iter().find(|(title, _)| title.starts_with(&metric.title())).unwrap();
            let shown = crate::experiment::digits::value(metric, mean);
            // Lines go metric by metric, and in each strategy by strategy, as the columns of the page.
            let cell = &cells[compared % results.arms.len()];
            assert_eq!(cell.split(['\n', '+', '−', '≈']).next(), Some(shown.as_str()), "{}", metric.key);
            compared += 1;
        }
        assert_eq!(compared, 12);
    }

    #[test]
    fn the_page_is_well_formed_whatever_the_size() {
        for (arms, seeds) in [(1, 1), (2, 1), (2, 6), (12, 6)] {
            let results = sample::results(arms, seeds);
            let page = render(&results);
            assert_well_formed(&page);
            assert_eq!(page, render(&results));
            assert!(!page.contains("<script"));
            assert_eq!(page.matches("<caption>").count(), page.matches("<table").count());
            let mut ids: Vec<&str> =
                page.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
            let count = ids.len();
            ids.sort_unstable();
            ids.dedup();
            assert_eq!(ids.len(), count);
            let outside = page.replace("http://www.w3.org/2000/svg", "");
            for word in ["http:", "https:", "url(", "@import", " src=", "<link"] {
                assert!(!outside.contains(word), "{word}");
            }
        }
    }

    #[test]
    fn the_conclusion_says_who_wins_and_how_sure_that_is() {
        let heading = |arms, seeds| {
            let page = render(&sample::results(arms, seeds));
            page.split("<h1>").nth(1).unwrap().split("</h1>").next().unwrap().to_owned()
        };
        assert_eq!(heading(1, 8), "hold alone: there is nothing to compare with");
        assert_eq!(heading(3, 3), "Not decided: with 3 seeds nothing is shown");
        let long = "planner with a long list of parameters, headroom=0.2, horizon=2 min";
        assert_eq!(
            heading(3, 8),
            format!("Fewest pending pods, mean: {long}. Lowest cost and fewest migrated pods: hold")
        );
        let page = render(&sample::results(3, 10));
        assert!(page.contains("less than hold (difference ["), "the winner is held against the baseline");
        assert!(page.contains("Shown by 10 seeds: interval and rank test agree."));
        assert!(page.contains("published: a paper") && page.contains("drover compare a.yaml"));
    }

    #[test]
    fn what_failed_is_counted_beside_the_means() {
        let mut results = sample::results(2, 6);
        let mut cells = results.settings.remove(0).cells;
        cells[1][2] = CellResult::Failed { why: "no".to_owned() };
        cells[1][3] = CellResult::TimedOut { after_s: 9 };
        let page = render(&sample::of(&results.arms, &results.seeds, cells));
        assert!(page.contains("4 of 6: 1 failed, 1 timed out"));
        assert!(page.contains("2 of 12 runs failed or timed out"));
        assert!(page.contains("<dd>10 of 12</dd>"));
    }
}
