//! Made-up results for tests: any number of strategies and seeds, with moves, promises and published rows.

use crate::experiment::cell::{CellResult, Course, Forecast, Measured, Move};
use crate::experiment::metric::Metric;
use crate::experiment::results::{Outline, Published, Results};

pub(crate) const HOSTILE: &str = "<script>alert('x')</script> & \"co\"";

/// Strategy names are long when there are many, as those with parameters are.
pub(crate) fn results(arms: usize, seeds: u64) -> Results {
    let names: Vec<String> = (0..arms).map(name).collect();
    let seeds: Vec<u64> = (1..=seeds).collect();
    let cells: Vec<Vec<CellResult>> = (0..arms)
        .map(|arm| seeds.iter().map(|seed| CellResult::Completed(Box::new(run(arm, *seed)))).collect())
        .collect();
    of(&names, &seeds, cells)
}

pub(crate) fn of(names: &[String], seeds: &[u64], cells: Vec<Vec<CellResult>>) -> Results {
    let metrics = ["pending_pods_mean", "limit_violation_ratio", "cost_usd", "migrated_pods"]
        .map(|key| Metric::named(key).unwrap());
    let outline = Outline {
        name: "sample",
        description: HOSTILE,
        command: "drover compare a.yaml",
        seeds,
        baseline: 0,
        arms: names,
        metrics: &metrics,
    };
    let values = [("cost_usd".to_owned(), 9.5), ("limit_violation_ratio".to_owned(), 0.3)];
    let published =
        Published { name: "WASP".to_owned(), source: "a paper".to_owned(), values: values.into() };
    Results::of(&outline, vec![("waves & more".to_owned(), cells, vec![published])])
}

fn name(arm: usize) -> String {
    match arm {
        0 => "hold".to_owned(),
        1 => HOSTILE.to_owned(),
        _ => format!("planner with a long list of parameters, headroom=0.{arm}, horizon={arm} min"),
    }
}

fn run(arm: usize, seed: u64) -> Measured {
    let wobble = ((seed * 37 + arm as u64 * 11) % 10) as f64;
    let pending = 12.0 - arm as f64 + wobble / 10.0;
    let values = [
        ("pending_pods_mean", pending),
        ("limit_violation_ratio", 0.2 + wobble / 1000.0),
        ("cost_usd", 10.0 + arm as f64 * 0.7 + wobble / 50.0),
        ("migrated_pods", arm as f64 * 6.0),
    ];
    let points: Vec<f64> =
        (0..50).map(|point| f64::from((point * 7 + seed as u32) % 13) * pending / 12.0).collect();
    let course = Course {
        step_s: 6.0,
        cpu_load: points.iter().map(|value| value / 20.0).collect(),
        nodes: vec![4.0; 50],
        pending_pods: points,
    };
    let moves = (0..arm * 3).map(one_move).collect();
    let forecast = |index: usize| Forecast {
        load_before: 0.9,
        load_predicted: 0.7 + index as f64 / 100.0,
        load_observed: 0.72,
    };
    Measured {
        journal_sha256: format!("{arm}{seed}"),
        values: values.map(|(key, value)| (key.to_owned(), value)).into(),
        course,
        moves,
        forecasts: (0..arm).map(forecast).collect(),
    }
}

fn one_move(index: usize) -> Move {
    let start_s = index as f64 * 15.0;
    Move {
        what: HOSTILE.to_owned(),
        cluster: format!("member{}", index % 3),
        from: (!index.is_multiple_of(4)).then(|| "member9".to_owned()),
        start_s,
        end_s: start_s + 40.0,
        succeeded: index % 5 != 1,
    }
}
