//! How figures look: colours as variables, shapes as classes.
//!
//! The line colours are those of Okabe and Ito, which people with any kind of colour blindness can tell apart; the palest are
//! darkened on white and the darkest lightened on black, so that each stands out. Vermilion is kept for limits and for what breaks them.

/// Colours on white paper and in print.
pub const COLOURS_LIGHT: &str = "--paper:#fff;--ink:#18212c;--soft:#52606f;--rule:#d5dbe3;--grid:#e9edf2;\
--shade:#f1f4f8;--edge:#8b98a8;--warn:#b94700;--good:#00704f;--c0:#0072b2;--c1:#009e73;--c2:#b65a8f;--c3:#c98600;--c4:#56b4e9;--c5:#18212c;";

/// Colours on a dark screen.
pub const COLOURS_DARK: &str = "--paper:#11161c;--ink:#e8edf3;--soft:#a3afbd;--rule:#323c48;--grid:#232b35;\
--shade:#1b222b;--edge:#76838f;--warn:#ff8f4d;--good:#2cc295;--c0:#56b4e9;--c1:#2cc295;--c2:#e39cc6;--c3:#e69f00;--c4:#f0e442;--c5:#e8edf3;";

/// Lines, areas and texts of a figure.
pub const SHAPES: &str = "\
.chart text{font:12px system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif;fill:var(--soft)}\
.chart .name{font-weight:600;fill:var(--ink)}.chart .tick{font-variant-numeric:tabular-nums}\
.chart .end{text-anchor:end}.chart .middle{text-anchor:middle}\
.chart path,.chart line{fill:none;stroke-linejoin:round}\
.chart .grid{stroke:var(--grid)}.chart .axis{stroke:var(--edge)}\
.chart .shade{fill:var(--shade);stroke:none}.chart .excess{fill:var(--warn);fill-opacity:.28;stroke:none}\
.chart .capacity{stroke:var(--edge);stroke-width:1.2}\
.chart .limit{stroke:var(--warn);stroke-width:1.4;stroke-dasharray:5 4}\
.chart .total{stroke:var(--ink);stroke-width:2.2}\
.chart .line{stroke-width:2.4}\
.chart .c0{stroke:var(--c0)}.chart .c1{stroke:var(--c1)}.chart .c2{stroke:var(--c2)}\
.chart .c3{stroke:var(--c3)}.chart .c4{stroke:var(--c4)}.chart .c5{stroke:var(--c5)}\
.chart .d1{stroke-dasharray:9 5}.chart .d2{stroke-dasharray:3 4}.chart .d3{stroke-dasharray:12 4 3 4}\
.chart .mark{stroke:var(--soft);stroke-dasharray:1 3}\
.chart .course{stroke:var(--soft);stroke-width:3;stroke-opacity:.45}\
.chart .pill{fill:var(--ink)}.chart .number{fill:var(--paper);font-weight:600;font-size:11px;text-anchor:middle}";

/// What only figures with faults or failures have besides.
pub const TROUBLE_SHAPES: &str = "\
.chart .failed{stroke:var(--warn);stroke-width:2}\
.chart .fault{fill:var(--edge);fill-opacity:.2;stroke:none}.chart .bar{fill:var(--edge);stroke:none}\
.chart .row{stroke:var(--grid);stroke-width:14}.chart .ring{fill:var(--paper);stroke:var(--edge)}\
.chart .sign{fill:var(--ink);font-weight:600;font-size:11px;text-anchor:middle}";

/// The style of a figure that stands alone: light, and on a dark screen dark. Colours are written out, because many programs that
/// make PNG or PDF of a file know no variables and see black instead; `besides` is what it has beyond the usual shapes.
pub(crate) fn alone(besides: &str) -> String {
    let shapes = format!(".chart .sheet{{fill:var(--paper)}}{SHAPES}{besides}");
    let (light, dark) = (written_out(&shapes, COLOURS_LIGHT), written_out(&coloured(&shapes), COLOURS_DARK));
    format!("<style>{light}@media screen and (prefers-color-scheme:dark){{{dark}}}</style>")
}

/// Colours in the place of their variables.
fn written_out(shapes: &str, colours: &str) -> String {
    let colours = colours.split(';').filter_map(|colour| colour.split_once(':'));
    colours.fold(shapes.to_owned(), |shapes, (name, colour)| shapes.replace(&format!("var({name})"), colour))
}

/// Only what depends on a colour.
fn coloured(shapes: &str) -> String {
    let rules = shapes.split('}').filter_map(|rule| rule.split_once('{'));
    let kept = rules.filter_map(|(selector, declarations)| {
        let kept: Vec<&str> = declarations.split(';').filter(|one| one.contains("var(")).collect();
        (!kept.is_empty()).then(|| format!("{selector}{{{}}}", kept.join(";")))
    });
    kept.collect()
}

/// Colours in turn; with a dash that changes from one to the next, 24 lines differ.
pub(crate) const COLOURS: usize = 6;
pub(crate) const DASHES: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_written_out() {
        let shapes = ".a{fill:var(--paper);stroke-width:2;stroke:var(--c0)}.b{stroke-width:3}";
        assert_eq!(
            written_out(shapes, COLOURS_LIGHT),
            ".a{fill:#fff;stroke-width:2;stroke:#0072b2}.b{stroke-width:3}"
        );
        assert_eq!(coloured(shapes), ".a{fill:var(--paper);stroke:var(--c0)}");
        let style = alone(&format!("{TROUBLE_SHAPES}{}", crate::experiment::figures::STATISTICS_SHAPES));
        assert!(!style.contains("var("), "every variable has a colour: {style}");
    }
}
