//! `drover overlay`: a simulated run and a recording of real clusters in one figure, with how far they are apart.

use crate::failure::{FINDINGS, Failure, Outcome};
use crate::files;
use crate::output::{note, print};
use crate::run_directory::{Kind, RunDirectory};
use anyhow::Context;
use clap::Args;
use lab::overlay::{self, Overlay};
use model::series::Series;
use model::time::Period;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Lay a recording of real clusters over a simulated run: one figure, and how far they are apart.
#[derive(Args)]
#[command(after_help = "\
Examples:
  drover run scenarios/three-waves.yaml --out runs/waves
  drover overlay runs/waves recorded --out compared
  drover overlay runs/waves recorded --shift 12s --within 1 --json

Both are folders with a series.csv, as drover run and drover record write them, or such files. They
are laid over each other from where more is requested for the first time, unless --shift says
otherwise. The folder of --out holds overlay.svg, overlay.md and overlay.json. Exit code 8: some
mean distance is larger than --within allows.")]
pub(crate) struct Arguments {
    /// The simulated run.
    #[arg(value_name = "RUN_DIR")]
    simulated: PathBuf,
    /// The recording.
    #[arg(value_name = "REAL_DIR")]
    real: PathBuf,
    /// How much later the recording is than the simulation.
    #[arg(long, value_name = "PERIOD")]
    shift: Option<Period>,
    /// The largest mean distance of CPU and of pending pods, in percent of the whole.
    #[arg(long, value_name = "PERCENT")]
    within: Option<f64>,
    /// The title of the figure.
    #[arg(long, default_value = "Simulated and real")]
    title: String,
    /// Where to write; nothing is written without it.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write the figure in pixels too.
    #[arg(long, requires = "out")]
    png: bool,
    /// Print overlay.json instead of the table.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let (simulated, real) = (series(&arguments.simulated)?, series(&arguments.real)?);
    let shift = arguments.shift.map(|shift| i64::try_from(shift.as_millis()).unwrap_or(i64::MAX));
    let found =
        overlay::overlay(&simulated, &real, shift).map_err(|why| Failure::Input(format!("drover: {why}")))?;
    if let Some(out) = &arguments.out {
        write(out, arguments, &found, (&simulated, &real))?;
    }
    let text = if arguments.json { json(&found)? } else { overlay::markdown(&found) };
    print(text.trim_end())?;
    Ok(arguments.within.map_or(ExitCode::SUCCESS, |limit| judged(&found, limit)))
}

/// Says which distances are larger than they may be.
fn judged(found: &Overlay, limit: f64) -> ExitCode {
    let mut code = ExitCode::SUCCESS;
    for one in &found.clusters {
        for (what, percent) in
            [("CPU allocated", one.cpu_allocated.percent), ("pods that wait", one.pods_pending.percent)]
        {
            if percent > limit {
                note(&format!(
                    "drover: {}: {what} differ by {percent:.2} %, more than {limit} %",
                    one.cluster
                ));
                code = ExitCode::from(FINDINGS);
            }
        }
    }
    code
}

/// The series of a folder, or of a file itself.
fn series(path: &Path) -> Result<Series, Failure> {
    let file = if path.is_dir() { path.join("series.csv") } else { path.to_owned() };
    let text = String::from_utf8(files::read(&file)?)
        .map_err(|_| Failure::Input(format!("{}: is not a text", file.display())))?;
    lab::series::read_csv(&text).map_err(|why| Failure::Input(format!("{}: {why}", file.display())))
}

fn json(found: &Overlay) -> Result<String, Failure> {
    Ok(serde_json::to_string_pretty(found).context("the differences could not be written as JSON")?)
}

fn write(
    out: &Path,
    arguments: &Arguments,
    found: &Overlay,
    (simulated, real): (&Series, &Series),
) -> Result<(), Failure> {
    let directory = RunDirectory::begin(out, Kind::Overlay)?;
    let figure = overlay::figure(found, simulated, real, &arguments.title);
    directory.write("overlay.svg", figure.to_svg() + "\n")?;
    if arguments.png {
        directory.write("overlay.png", figure.to_png().context("overlay.png could not be drawn")?)?;
    }
    directory.write("overlay.md", overlay::markdown(found))?;
    directory.write("overlay.json", json(found)? + "\n")?;
    directory.finish()
}
