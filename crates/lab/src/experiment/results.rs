//! All numbers of an experiment, computed once: tables, figures and exports only show them.

use super::cell::CellResult;
use super::metric::{Better, Metric};
use crate::statistics::{Bootstrap, Comparison, Estimate, LEVEL, Verdict, compare, holm, least_probability};
use std::collections::BTreeMap;

/// A finished experiment.
#[derive(Clone, Debug)]
pub struct Results {
    pub name: String,
    pub description: String,
    /// What gives the same results again.
    pub command: String,
    pub seeds: Vec<u64>,
    /// The arm that the others are compared with.
    pub baseline: usize,
    pub arms: Vec<String>,
    pub settings: Vec<SettingResults>,
}

/// One scenario, with all strategies on all seeds.
#[derive(Clone, Debug)]
pub struct SettingResults {
    pub name: String,
    pub arms: Vec<ArmCounts>,
    pub rows: Vec<MetricRow>,
    /// Cells in the order of arms, then of seeds.
    pub cells: Vec<Vec<CellResult>>,
    pub published: Vec<Published>,
}

/// How many cells of an arm ended how.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ArmCounts {
    pub completed: usize,
    pub failed: usize,
    pub timed_out: usize,
}

/// One metric over all arms.
#[derive(Clone, Debug)]
pub struct MetricRow {
    pub metric: &'static Metric,
    /// None for an arm without a value.
    pub arms: Vec<Option<Standing>>,
    /// The best arm, only if it is shown to differ from the next.
    pub best: Option<usize>,
    /// The second of the ranking, and the first against it.
    pub lead: Option<(usize, Comparison)>,
}

/// One arm in one metric.
#[derive(Clone, Debug)]
pub struct Standing {
    /// Seed by seed, where the cell was completed.
    pub values: Vec<(u64, f64)>,
    pub estimate: Estimate,
    /// Against the baseline, on the seeds that both completed; none for the baseline itself.
    pub versus_baseline: Option<Comparison>,
    /// Probability of such a difference by chance, corrected for all questions asked in this setting.
    pub corrected: Option<f64>,
    /// How much worse it is on average than the best arm of each seed, known only afterwards; zero is best.
    pub regret: Option<f64>,
}

/// A row that somebody else published; it is shown beside ours and never computed with.
#[derive(Clone, Debug, PartialEq)]
pub struct Published {
    pub name: String,
    pub source: String,
    pub values: BTreeMap<String, f64>,
}

/// What results are made of.
pub struct Outline<'a> {
    pub name: &'a str,
    pub description: &'a str,
    pub command: &'a str,
    pub seeds: &'a [u64],
    pub baseline: usize,
    pub arms: &'a [String],
    pub metrics: &'a [&'static Metric],
}

impl Results {
    /// `settings` are names, cells by arm and seed, and published rows.
    pub fn of(outline: &Outline<'_>, settings: Vec<(String, Vec<Vec<CellResult>>, Vec<Published>)>) -> Self {
        let settings = settings
            .into_iter()
            .map(|(name, cells, published)| SettingResults::of(outline, name, cells, published))
            .collect();
        Self {
            name: outline.name.to_owned(),
            description: outline.description.to_owned(),
            command: outline.command.to_owned(),
            seeds: outline.seeds.to_vec(),
            baseline: outline.baseline,
            arms: outline.arms.to_vec(),
            settings,
        }
    }

    /// Cells that did not complete.
    pub fn troubled(&self) -> usize {
        let counts = self.settings.iter().flat_map(|setting| &setting.arms);
        counts.map(|count| count.failed + count.timed_out).sum()
    }

    pub fn too_few_seeds(&self) -> bool {
        self.seeds.len() < crate::statistics::FEWEST_SEEDS
    }
}

impl SettingResults {
    fn of(
        outline: &Outline<'_>,
        name: String,
        cells: Vec<Vec<CellResult>>,
        published: Vec<Published>,
    ) -> Self {
        let mut rows: Vec<MetricRow> = outline
            .metrics
            .iter()
            .filter_map(|metric| MetricRow::of(metric, outline, &cells, &name))
            .collect();
        correct(&mut rows);
        let arms = cells.iter().map(|cells| ArmCounts::of(cells)).collect();
        Self { name, arms, rows, cells, published }
    }

    /// How many comparisons are corrected together.
    pub fn comparisons(&self) -> usize {
        let standings = self.rows.iter().flat_map(|row| row.arms.iter().flatten());
        standings.filter(|standing| standing.corrected.is_some()).count()
    }

    /// Whether the corrected rank test could confirm anything with so many seeds.
    pub fn can_be_tested(&self, seeds: usize) -> bool {
        self.comparisons() as f64 * least_probability(seeds) <= LEVEL
    }

    pub fn row(&self, key: &str) -> Option<&MetricRow> {
        self.rows.iter().find(|row| row.metric.key == key)
    }
}

impl ArmCounts {
    fn of(cells: &[CellResult]) -> Self {
        let mut counts = Self::default();
        for cell in cells {
            match cell {
                CellResult::Completed(_) => counts.completed += 1,
                CellResult::Failed { .. } => counts.failed += 1,
                CellResult::TimedOut { .. } => counts.timed_out += 1,
            }
        }
        counts
    }
}

impl MetricRow {
    /// None if no arm has a value.
    fn of(
        metric: &'static Metric,
        outline: &Outline<'_>,
        cells: &[Vec<CellResult>],
        setting: &str,
    ) -> Option<Self> {
        let values: Vec<Vec<(u64, f64)>> =
            cells.iter().map(|cells| values_of(metric, outline.seeds, cells)).collect();
        if values.iter().all(Vec::is_empty) {
            return None;
        }
        let arms: Vec<Option<Standing>> =
            (0..values.len()).map(|arm| Standing::of(metric, outline, &values, arm, setting)).collect();
        let lead = lead(metric, &values, &arms, setting);
        let best = best(metric, &values, &arms, lead.as_ref());
        Some(Self { metric, arms, best, lead })
    }

    /// Arms with a value, the best first; in the order of the experiment where neither way is better.
    pub fn ranking(&self) -> Vec<usize> {
        ranking(self.metric, &self.arms)
    }
}

fn values_of(metric: &Metric, seeds: &[u64], cells: &[CellResult]) -> Vec<(u64, f64)> {
    let value = |(seed, cell): (&u64, &CellResult)| match cell {
        CellResult::Completed(measured) => measured.values.get(metric.key).map(|value| (*seed, *value)),
        _ => None,
    };
    seeds.iter().zip(cells).filter_map(value).collect()
}

impl Standing {
    fn of(
        metric: &Metric,
        outline: &Outline<'_>,
        values: &[Vec<(u64, f64)>],
        arm: usize,
        setting: &str,
    ) -> Option<Self> {
        let plain: Vec<f64> = values[arm].iter().map(|(_, value)| *value).collect();
        let estimate = Estimate::of(&plain)?;
        let is_baseline = arm == outline.baseline;
        let question = format!("{setting}/{}/{arm}/{}", metric.key, outline.baseline);
        let versus_baseline = (!is_baseline)
            .then(|| paired(&values[arm], &values[outline.baseline]))
            .and_then(|(ours, theirs)| compare(&ours, &theirs, &Bootstrap::default(), &question));
        let regret = regret(metric, values, arm);
        Some(Self { values: values[arm].clone(), estimate, versus_baseline, corrected: None, regret })
    }
}

/// Values on the seeds that both have.
fn paired(ours: &[(u64, f64)], theirs: &[(u64, f64)]) -> (Vec<f64>, Vec<f64>) {
    let other: BTreeMap<u64, f64> = theirs.iter().copied().collect();
    ours.iter().filter_map(|(seed, value)| other.get(seed).map(|theirs| (*value, *theirs))).unzip()
}

fn regret(metric: &Metric, values: &[Vec<(u64, f64)>], arm: usize) -> Option<f64> {
    let sign = match metric.better {
        Better::Lower => 1.0,
        Better::Higher => -1.0,
        Better::Neither => return None,
    };
    let mut best = BTreeMap::<u64, f64>::new();
    for (seed, value) in values.iter().flatten() {
        let known = best.entry(*seed).or_insert(sign * value);
        *known = known.min(sign * value);
    }
    let own = &values[arm];
    let sum: f64 = own.iter().map(|(seed, value)| sign * value - best[seed]).sum();
    (!own.is_empty()).then(|| sum / own.len() as f64)
}

fn ranking(metric: &Metric, arms: &[Option<Standing>]) -> Vec<usize> {
    let mut present: Vec<(usize, f64)> = arms
        .iter()
        .enumerate()
        .filter_map(|(index, standing)| Some((index, standing.as_ref()?.estimate.mean)))
        .collect();
    match metric.better {
        Better::Lower => present.sort_by(|one, other| one.1.total_cmp(&other.1)),
        Better::Higher => present.sort_by(|one, other| other.1.total_cmp(&one.1)),
        Better::Neither => {}
    }
    present.into_iter().map(|(index, _)| index).collect()
}

/// The first of the ranking against the second, where one way is better.
fn lead(
    metric: &Metric,
    values: &[Vec<(u64, f64)>],
    arms: &[Option<Standing>],
    setting: &str,
) -> Option<(usize, Comparison)> {
    if metric.better == Better::Neither {
        return None;
    }
    let ranking = ranking(metric, arms);
    let (first, second) = (*ranking.first()?, *ranking.get(1)?);
    let (ours, theirs) = paired(&values[first], &values[second]);
    let question = format!("{setting}/{}/{first}/{second}", metric.key);
    Some((second, compare(&ours, &theirs, &Bootstrap::default(), &question)?))
}

/// The first of the ranking, if its difference to the second excludes zero. Failed cells disqualify: what did not finish may
/// have been the worst.
fn best(
    metric: &Metric,
    values: &[Vec<(u64, f64)>],
    arms: &[Option<Standing>],
    lead: Option<&(usize, Comparison)>,
) -> Option<usize> {
    let (second, comparison) = lead?;
    let first = *ranking(metric, arms).first()?;
    let most = values.iter().map(Vec::len).max()?;
    let is_whole = values[first].len() == most && values[*second].len() == most;
    (is_whole && comparison.verdict == Verdict::Differs).then_some(first)
}

/// Holm's correction over all comparisons with the baseline in one setting.
fn correct(rows: &mut [MetricRow]) {
    let mut asked: Vec<&mut Standing> = rows
        .iter_mut()
        .flat_map(|row| row.arms.iter_mut().flatten())
        .filter(|standing| probability(standing).is_some())
        .collect();
    let probabilities: Vec<f64> = asked.iter().filter_map(|standing| probability(standing)).collect();
    for (standing, corrected) in asked.iter_mut().zip(holm(&probabilities)) {
        standing.corrected = Some(corrected);
    }
}

fn probability(standing: &Standing) -> Option<f64> {
    standing.versus_baseline.as_ref()?.test.map(|test| test.p)
}

#[cfg(test)]
mod tests {
    use super::super::cell::Measured;
    use super::*;

    fn cell(value: f64) -> CellResult {
        let values = [("cost_usd".to_owned(), value), ("answered_ratio".to_owned(), 1.0 - value / 100.0)];
        CellResult::Completed(Box::new(Measured { values: values.into(), ..Measured::default() }))
    }

    fn results(arms: &[&[CellResult]]) -> Results {
        let names: Vec<String> = (0..arms.len()).map(|index| format!("arm{index}")).collect();
        let seeds: Vec<u64> = (1..=arms[0].len() as u64).collect();
        let metrics = ["cost_usd", "answered_ratio", "energy_kwh"].map(|key| Metric::named(key).unwrap());
        let outline = Outline {
            name: "test",
            description: "",
            command: "",
            seeds: &seeds,
            baseline: 0,
            arms: &names,
            metrics: &metrics,
        };
        let cells = arms.iter().map(|cells| cells.to_vec()).collect();
        Results::of(&outline, vec![("one".to_owned(), cells, Vec::new())])
    }

    fn cells(values: &[f64]) -> Vec<CellResult> {
        values.iter().copied().map(cell).collect()
    }

    #[test]
    fn the_best_is_named_only_if_it_is_shown() {
        let base = cells(&[10.0, 11.0, 12.0, 13.0, 14.0, 15.0]);
        let cheaper = cells(&[8.0, 9.1, 9.9, 11.2, 11.9, 13.0]);
        let noisy = cells(&[7.0, 13.0, 8.0, 15.0, 9.0, 11.0]);
        let clear = results(&[&base, &cheaper]);
        let row = clear.settings[0].row("cost_usd").unwrap();
        assert_eq!(row.best, Some(1));
        assert_eq!(clear.settings[0].row("answered_ratio").unwrap().best, Some(1), "higher is better there");
        assert!(clear.settings[0].row("energy_kwh").is_none(), "nothing has an energy");
        let unclear = results(&[&base, &cheaper, &noisy]);
        assert_eq!(unclear.settings[0].row("cost_usd").unwrap().best, None);
        let few = results(&[&base[..3], &cheaper[..3]]);
        assert_eq!(few.settings[0].row("cost_usd").unwrap().best, None);
        assert!(few.too_few_seeds());
    }

    #[test]
    fn what_did_not_finish_is_counted_and_not_averaged() {
        let base = cells(&[10.0, 11.0, 12.0, 13.0, 14.0, 15.0]);
        let mut broken = cells(&[1.0, 1.0, 1.0, 1.0, 1.0, 1.0]);
        broken[2] = CellResult::Failed { why: "no".to_owned() };
        broken[4] = CellResult::TimedOut { after_s: 9 };
        let results = results(&[&base, &broken]);
        let setting = &results.settings[0];
        assert_eq!(setting.arms[1], ArmCounts { completed: 4, failed: 1, timed_out: 1 });
        assert_eq!(results.troubled(), 2);
        let row = setting.row("cost_usd").unwrap();
        let standing = row.arms[1].as_ref().unwrap();
        assert_eq!((standing.estimate.count, standing.versus_baseline.as_ref().unwrap().pairs), (4, 4));
        assert_eq!(row.best, None, "the unfinished ones may have been the worst");
    }

    #[test]
    fn regret_is_against_the_best_of_each_seed() {
        let results = results(&[&cells(&[1.0, 4.0]), &cells(&[2.0, 2.0])]);
        let row = results.settings[0].row("cost_usd").unwrap();
        let regrets: Vec<f64> = row.arms.iter().flatten().filter_map(|standing| standing.regret).collect();
        assert_eq!(regrets, [1.0, 0.5]);
    }

    #[test]
    fn questions_are_corrected_together() {
        let base = cells(&[10.0, 11.0, 12.0, 13.0, 14.0, 15.0]);
        let other = cells(&[8.0, 9.1, 9.9, 11.2, 11.9, 13.0]);
        let results = results(&[&base, &other]);
        let standing = |key| results.settings[0].row(key).unwrap().arms[1].clone().unwrap();
        for key in ["cost_usd", "answered_ratio"] {
            let plain = standing(key).versus_baseline.unwrap().test.unwrap().p;
            let corrected = standing(key).corrected.unwrap();
            assert!(corrected >= plain * 2.0 - 1e-12, "{key}: {plain} became {corrected}");
        }
    }
}
