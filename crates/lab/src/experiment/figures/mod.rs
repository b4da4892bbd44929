//! Statistical figures of an experiment as SVG: what the table says, seen. Each is left out where there is nothing to draw.

mod axes;
mod boxes;
mod calibration;
mod courses;
mod distribution;
mod gantt;
mod marker;
mod names;
mod pareto;
#[cfg(test)]
pub(crate) mod sample;

use super::cell::Measured;
use super::conclusion::asked;
use super::course::completed;
use super::results::{Results, SettingResults};
use crate::figure::pen::{Sheet, open};
use crate::figure::style::alone;
use crate::pixels::{self, Undrawable};
pub(super) use names::shown_names;
use names::{SCENARIO_SLUG, slugs};

/// What only statistical figures have besides the shapes of all figures. Filled areas have the colour of their line.
pub const STATISTICS_SHAPES: &str = "\
.chart .f0{fill:var(--c0)}.chart .f1{fill:var(--c1)}.chart .f2{fill:var(--c2)}\
.chart .f3{fill:var(--c3)}.chart .f4{fill:var(--c4)}.chart .f5{fill:var(--c5)}\
.chart .band{fill-opacity:.15;stroke:none}.chart .dot{fill-opacity:.8;stroke:var(--paper);stroke-width:.8}\
.chart .hollow{fill:var(--paper);stroke-width:1.6}.chart .faint{fill-opacity:.45;stroke:none}\
.chart .box{fill:var(--shade);stroke:var(--edge);stroke-width:1.2}.chart .median{stroke:var(--ink);stroke-width:2.2}\
.chart .whisker{stroke:var(--edge);stroke-width:1.2}.chart .mean{fill:var(--paper);stroke:var(--ink);stroke-width:2.2}\
.chart .published{stroke:var(--warn);stroke-width:1.6;stroke-dasharray:2 3}.chart .note{fill:var(--warn);stroke:var(--paper);stroke-width:4px;paint-order:stroke}\
.chart .thin{stroke-width:1.6}.chart .leader{stroke:var(--edge);stroke-dasharray:1 3}\
.chart .front{stroke:var(--ink);stroke-width:1.6;stroke-dasharray:6 4}.chart .diagonal{stroke:var(--soft);stroke-dasharray:5 4}\
.chart .failure{fill:var(--paper);stroke:var(--warn);stroke-width:1.4}.chart .cross{stroke:var(--warn);stroke-width:2}\
.chart .lane{stroke:var(--grid)}.chart .bold{font-weight:700;fill:var(--ink)}";

/// One figure of an experiment.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    /// Unique in the experiment, for ids and file names: `varying-load-front`.
    pub key: String,
    pub title: String,
    /// What there is to see, for people who cannot see it.
    pub description: String,
    /// How to read it.
    pub note: String,
    height: f64,
    body: String,
}

impl Drawing {
    /// A file of its own, with its colours.
    pub fn to_svg(&self) -> String {
        self.draw(&alone(STATISTICS_SHAPES))
    }

    /// The same file in pixels, in its light colours.
    pub fn to_png(&self) -> Result<Vec<u8>, Undrawable> {
        pixels::of(&self.to_svg())
    }

    /// A part of a page that brings the colours and shapes.
    pub fn to_inline_svg(&self) -> String {
        self.draw("")
    }

    fn draw(&self, style: &str) -> String {
        let Self { key, title, description, height, .. } = self;
        let mut out = String::new();
        open(&mut out, &Sheet { key, title, description, height: *height }, style);
        out.push_str(&self.body);
        out.push_str("</svg>");
        out
    }
}

/// What the figures of one scenario are drawn from.
struct Stage<'a> {
    results: &'a Results,
    setting: &'a SettingResults,
    /// What keys begin with.
    slug: &'a str,
    /// Strategies as figures name them: short enough to fit, and still told apart.
    names: &'a [String],
}

impl Stage<'_> {
    fn key(&self, kind: &str) -> String {
        format!("{}-{kind}", self.slug)
    }

    fn completed(&self, arm: usize) -> impl Iterator<Item = &Measured> {
        completed(self.setting, arm)
    }
}

/// The figures of each scenario, in the order of a report.
pub fn all(results: &Results) -> Vec<Vec<Drawing>> {
    let settings: Vec<&str> = results.settings.iter().map(|setting| setting.name.as_str()).collect();
    let names = shown_names(&results.arms);
    let stages = results.settings.iter().zip(slugs(&settings, SCENARIO_SLUG));
    stages
        .map(|(setting, slug)| of_setting(&Stage { results, setting, slug: &slug, names: &names }))
        .collect()
}

fn of_setting(stage: &Stage<'_>) -> Vec<Drawing> {
    let rows = asked(stage.setting);
    let mut drawings: Vec<Drawing> = rows.iter().filter_map(|row| boxes::draw(stage, row)).collect();
    drawings.extend(pareto::draw(stage, &rows));
    drawings.extend(courses::draw(stage));
    drawings.extend(rows.iter().filter_map(|row| distribution::draw(stage, row)));
    drawings.extend(gantt::draw(stage));
    drawings.extend(calibration::draw(stage));
    drawings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::cell::CellResult;
    use crate::markup::tests::assert_well_formed;

    fn kinds(results: &Results) -> Vec<String> {
        let drawings = all(results).into_iter().flatten();
        drawings.map(|drawing| drawing.key.strip_prefix("waves-more-").unwrap().to_owned()).collect()
    }

    /// Where texts begin and end, by their class, with letters as wide as they may be.
    fn extents(svg: &str) -> Vec<(f64, f64, String)> {
        let one = |part: &str| {
            let (tag, rest) = part.split_once('>').unwrap();
            let content = rest.split("</text>").next().unwrap().replace("&amp;", "&").replace("&quot;", "'");
            let content = content.replace("&#39;", "'").replace("&lt;", "<").replace("&gt;", ">");
            let x: f64 = tag.split("x=\"").nth(1).unwrap().split('"').next().unwrap().parse().unwrap();
            let width = names::width(&content);
            let left = match tag {
                tag if tag.contains("end") => x - width,
                tag if tag.contains("middle") => x - width / 2.0,
                _ => x,
            };
            (left, left + width, content)
        };
        svg.split("<text").skip(1).map(one).collect()
    }

    #[test]
    fn every_figure_stands_alone_and_clips_nothing() {
        for (arms, seeds) in [(1, 1), (1, 8), (2, 2), (5, 10), (12, 6)] {
            let results = sample::results(arms, seeds);
            for drawing in all(&results).into_iter().flatten() {
                let svg = drawing.to_svg();
                assert_well_formed(&svg);
                assert!(svg.contains("prefers-color-scheme") && svg.contains("role=\"img\""));
                assert!(
                    !svg.contains("NaN") && !svg.contains("inf") && !svg.contains("<script"),
                    "{}",
                    drawing.key
                );
                for (left, right, text) in extents(&svg) {
                    assert!(
                        left >= 0.0 && right <= 960.0,
                        "{arms} strategies, {}: {text:?} is at {left} to {right}",
                        drawing.key
                    );
                }
            }
            assert_eq!(all(&results), all(&sample::results(arms, seeds)));
        }
    }

    #[test]
    fn what_has_no_data_is_left_out() {
        let few = kinds(&sample::results(1, 1));
        assert_eq!(few, ["courses"]);
        let many = kinds(&sample::results(2, 6));
        for kind in ["front", "ecdf-cost-usd", "calibration", "moves-script-alert-x-script-co"] {
            assert!(many.contains(&kind.to_owned()), "{kind} in {many:?}");
        }
        let failed = vec![vec![CellResult::Failed { why: "no".to_owned() }; 2]; 2];
        let nothing = sample::of(&["a".to_owned(), "b".to_owned()], &[1, 2], failed);
        assert_eq!(kinds(&nothing), Vec::<String>::new());
    }

    #[test]
    fn keys_are_unique() {
        let mut keys = kinds(&sample::results(12, 6));
        assert!(keys.iter().all(|key| key.len() < 60), "archives take no long paths: {keys:?}");
        let count = keys.len();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), count);
    }
}
