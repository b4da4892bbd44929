//! `drover experiment`: experiments in files, resumable, packed, verified.

use super::compare::{HowToRun, asks_models};
use crate::asking::{Asked, Asking};
use crate::cassette;
use crate::failure::{Failure, Outcome};
use crate::files;
use crate::laboratory::{self, ExperimentFolder, MOST_BYTES, Means, Setting, pack};
use crate::output::print;
use anyhow::Context;
use clap::{Args, Subcommand, ValueEnum};
use lab::experiment::results::Results;
use lab::experiment::spec::{self, Experiment};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Run experiments that are described in a file: scenarios, strategies with parameters, seeds, values to try.
#[derive(Args)]
#[command(after_help = "\
Examples:
  drover experiment run experiments/wasp-campaign.yaml
  drover experiment status experiments/wasp-campaign.yaml
  drover experiment export experiments/wasp-campaign.yaml --format latex,png --to paper
  drover experiment pack experiments/wasp-campaign.yaml --to campaign.tar
  drover experiment verify campaign.tar
  drover experiment run experiments/language-models.yaml --stand-in wasp-like")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run what is not finished yet, and write report, figures and tables.
    Run(Run),
    /// Go on with an experiment that was interrupted.
    Resume(Run),
    /// Say how much of an experiment is finished.
    Status(Known),
    /// Write tables, report and figures of a finished experiment.
    Export(Export),
    /// Put inputs, results and their hashes into one archive.
    Pack(Pack),
    /// Run a packed experiment again and compare every byte.
    Verify(Verify),
}

#[derive(Args)]
struct Run {
    #[command(flatten)]
    known: Known,
    #[command(flatten)]
    asking: Asking,
    #[command(flatten)]
    how: HowToRun,
    /// Write the figures in pixels too: figures/*.png beside figures/*.svg.
    #[arg(long)]
    png: bool,
    /// Print all results as JSON instead of a table.
    #[arg(long)]
    json: bool,
}

/// An experiment and its folder.
#[derive(Args)]
struct Known {
    /// The experiment file.
    experiment: PathBuf,
    /// The folder of the experiment; runs/<name> by default.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

#[derive(Args)]
struct Export {
    #[command(flatten)]
    known: Known,
    /// What to write, separated by commas; everything by default.
    #[arg(long, value_enum, value_delimiter = ',')]
    format: Vec<Format>,
    /// Where to write it.
    #[arg(long, value_name = "DIR", default_value = ".")]
    to: PathBuf,
}

#[derive(Args)]
struct Pack {
    #[command(flatten)]
    known: Known,
    /// The archive to write.
    #[arg(long, value_name = "FILE")]
    to: PathBuf,
}

#[derive(Args)]
struct Verify {
    /// The archive.
    pack: PathBuf,
    #[command(flatten)]
    how: HowToRun,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
enum Format {
    Csv,
    Parquet,
    Markdown,
    Latex,
    Json,
    /// The report.
    Html,
    /// The figures.
    Svg,
    /// The figures in pixels.
    Png,
}

impl Format {
    /// How the names of files in it end.
    const fn ending(self) -> &'static str {
        match self {
            Self::Csv => ".csv",
            Self::Parquet => ".parquet",
            Self::Markdown => ".md",
            Self::Latex => ".tex",
            Self::Json => ".json",
            Self::Html => ".html",
            Self::Svg => ".svg",
            Self::Png => ".png",
        }
    }
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    match &arguments.command {
        Command::Run(arguments) => run_or_resume(arguments, false),
        Command::Resume(arguments) => run_or_resume(arguments, true),
        Command::Status(arguments) => status(arguments),
        Command::Export(arguments) => export(arguments),
        Command::Pack(arguments) => write_pack(arguments),
        Command::Verify(arguments) => verify(arguments),
    }
}

/// An experiment file with everything it names.
struct Loaded {
    experiment: Experiment,
    text: Vec<u8>,
    settings: Vec<Setting>,
    folder: PathBuf,
    /// Where the experiment's own cassette lies.
    cassette: Option<PathBuf>,
    /// Files that the experiment itself names, by their names.
    inputs: BTreeMap<String, Vec<u8>>,
}

impl Known {
    fn load(&self) -> Result<Loaded, Failure> {
        let text = files::read(&self.experiment)?;
        let mut experiment = spec::read(&files::shown(&self.experiment), &text)?;
        let beside = self.experiment.parent().unwrap_or(Path::new(""));
        let inputs = resolve(&mut experiment, &|name| files::read_beside(&beside.join(name)))?;
        let settings = laboratory::load(&experiment, beside)?;
        let folder = self.out.clone().unwrap_or_else(|| Path::new("runs").join(&experiment.name));
        let cassette = experiment.cassette.as_ref().map(|name| beside.join(name));
        Ok(Loaded { experiment, text, settings, folder, cassette, inputs })
    }
}

impl Loaded {
    /// Who answers what strategies ask of models, unless somebody else is named: the experiment's own cassette.
    fn recorded(&self) -> Result<Option<Asked>, Failure> {
        Asking::default().open(asks_models(&self.experiment), self.cassette.as_deref())
    }
}

/// Puts the texts of files that strategies name in the place of their names, and returns the files.
pub(super) fn resolve(
    experiment: &mut Experiment,
    source: &dyn Fn(&str) -> Result<Vec<u8>, String>,
) -> Result<BTreeMap<String, Vec<u8>>, Failure> {
    let (mut inputs, mut wrong) = (BTreeMap::new(), Vec::new());
    let mut read = |name: &str| {
        let bytes = source(name)?;
        inputs.insert(name.to_owned(), bytes.clone());
        Ok(bytes)
    };
    for arm in &mut experiment.arms {
        wrong.extend(arm.decide.resolve(&mut read).err());
    }
    if wrong.is_empty() { Ok(inputs) } else { Err(Failure::Input(wrong.join("\n"))) }
}

fn run_or_resume(arguments: &Run, resumes: bool) -> Outcome {
    let loaded = arguments.known.load()?;
    if resumes && !loaded.folder.is_dir() {
        let shown = loaded.folder.display();
        return Err(Failure::Input(format!(
            "{shown}: there is nothing to go on with; use drover experiment run"
        )));
    }
    let folder = ExperimentFolder::open(&loaded.folder, &loaded.experiment)?;
    let asked = arguments.asking.open(asks_models(&loaded.experiment), loaded.cassette.as_deref())?;
    let means = Means {
        jobs: arguments.how.jobs,
        time_limit: arguments.how.time_limit,
        store: Some(folder.store()),
        models: asked.as_ref().map(|asked| &asked.models),
    };
    let results = laboratory::run(&loaded.experiment, &loaded.settings, &means)?;
    asked.as_ref().map_or(Ok(()), Asked::finish)?;
    folder.write_results(&results)?;
    if arguments.png {
        folder.write_pixels(&results)?;
    }
    laboratory::show(&results, arguments.json)?;
    if !arguments.json {
        print(&format!("report: {}", loaded.folder.join("report.html").display()))?;
    }
    Ok(if results.troubled() == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn status(arguments: &Known) -> Outcome {
    let loaded = arguments.load()?;
    let asked = loaded.recorded()?;
    let models = asked.as_ref().map(|asked| &asked.models);
    let cells = laboratory::cells(&loaded.experiment, &loaded.settings, &laboratory::fingerprint()?, models);
    let store = open_existing(&loaded)?;
    let known = |setting: usize, arm: usize| {
        let mine = cells.iter().filter(|cell| (cell.setting, cell.arm) == (setting, arm));
        mine.filter(|cell| store.as_ref().is_some_and(|folder| folder.store().has(cell.key))).count()
    };
    let (each, mut total) = (loaded.experiment.seeds.len(), 0);
    for (setting, one) in loaded.settings.iter().enumerate() {
        for (arm, strategy) in loaded.experiment.arms.iter().enumerate() {
            let finished = known(setting, arm);
            total += finished;
            print(&format!("{finished:>6} of {each}  {} · {}", one.name, strategy.name))?;
        }
    }
    print(&format!("{total:>6} of {} runs are finished", cells.len()))?;
    Ok(ExitCode::SUCCESS)
}

fn open_existing(loaded: &Loaded) -> Result<Option<ExperimentFolder>, Failure> {
    if !loaded.folder.is_dir() {
        return Ok(None);
    }
    ExperimentFolder::open(&loaded.folder, &loaded.experiment).map(Some)
}

/// The results of an experiment of which every run is finished.
fn finished(loaded: &Loaded) -> Result<Results, Failure> {
    let folder = open_existing(loaded)?;
    let asked = loaded.recorded()?;
    let models = asked.as_ref().map(|asked| &asked.models);
    let cells = laboratory::cells(&loaded.experiment, &loaded.settings, &laboratory::fingerprint()?, models);
    let missing = cells
        .iter()
        .filter(|cell| !folder.as_ref().is_some_and(|folder| folder.store().has(cell.key)))
        .count();
    let Some(folder) = folder.filter(|_| missing == 0) else {
        let shown = loaded.folder.display();
        return Err(Failure::Input(format!(
            "{shown}: {missing} of {} runs are not finished with this program; use drover experiment run first",
            cells.len()
        )));
    };
    laboratory::run(
        &loaded.experiment,
        &loaded.settings,
        &Means { jobs: None, time_limit: None, store: Some(folder.store()), models },
    )
}

fn export(arguments: &Export) -> Outcome {
    let loaded = arguments.known.load()?;
    let results = finished(&loaded)?;
    let is_wanted = |name: &str| {
        let formats = &arguments.format;
        formats.is_empty() || formats.iter().any(|format| name.ends_with(format.ending()))
    };
    for (name, content) in laboratory::result_files(&results)? {
        if is_wanted(&name) {
            export_file(&arguments.to, &name, &content)?;
        }
    }
    if is_wanted(Format::Png.ending()) {
        for file in laboratory::pixel_files(&results) {
            let (name, content) = file?;
            export_file(&arguments.to, &name, &content)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn export_file(to: &Path, name: &str, content: &[u8]) -> Result<(), Failure> {
    let path = to.join(name);
    let folder = path.parent().unwrap_or(to);
    fs::create_dir_all(folder).with_context(|| format!("{} could not be created", folder.display()))?;
    fs::write(&path, content).with_context(|| format!("{} could not be written", path.display()))?;
    print(&path.display().to_string())
}

fn write_pack(arguments: &Pack) -> Outcome {
    let loaded = arguments.known.load()?;
    let results = finished(&loaded)?;
    let mut inputs = loaded.inputs.clone();
    if let (Some(name), Some(path)) = (&loaded.experiment.cassette, &loaded.cassette) {
        inputs.insert(name.clone(), cassette::read(path)?.to_text().into_bytes());
    }
    let build = laboratory::fingerprint()?;
    let bytes = pack::write(&loaded.text, &loaded.settings, &inputs, &results, &build)?;
    let shown = arguments.to.display();
    fs::write(&arguments.to, bytes).with_context(|| format!("{shown} could not be written"))?;
    print(&format!("{shown}"))?;
    Ok(ExitCode::SUCCESS)
}

fn verify(arguments: &Verify) -> Outcome {
    let shown = arguments.pack.display();
    let about = fs::metadata(&arguments.pack);
    let size = about.map_err(|error| Failure::Input(format!("{shown}: cannot be opened: {error}")))?.len();
    if size > MOST_BYTES as u64 {
        return Err(Failure::Input(format!("{shown}: is too large to be a packed experiment")));
    }
    let bytes = fs::read(&arguments.pack).with_context(|| format!("{shown} could not be read"))?;
    let packed = pack::open(&bytes).map_err(|problems| {
        Failure::Input(problems.iter().map(|why| format!("{shown}: {why}")).collect::<Vec<_>>().join("\n"))
    })?;
    let mut experiment = spec::read("experiment.yaml", &packed.experiment)?;
    let source =
        |name: &str| packed.inputs.get(name).cloned().ok_or_else(|| format!("{name} is not in the archive"));
    resolve(&mut experiment, &source)?;
    let settings = laboratory::load_from(&experiment, &source)?;
    let cassette = experiment.cassette.as_deref().filter(|_| asks_models(&experiment));
    let asked =
        cassette.map(|name| Asked::replay(name, source(name).map_err(Failure::Input)?)).transpose()?;
    let means = Means {
        jobs: arguments.how.jobs,
        time_limit: arguments.how.time_limit,
        store: None,
        models: asked.as_ref().map(|asked| &asked.models),
    };
    let results = laboratory::run(&experiment, &settings, &means)?;
    let again = laboratory::result_files(&results)?;
    let names: BTreeSet<&String> = packed.results.keys().chain(again.keys()).collect();
    let different: Vec<&String> =
        names.into_iter().filter(|name| packed.results.get(*name) != again.get(*name)).collect();
    if different.is_empty() {
        print(&format!("{shown}: all {} files are the same, byte by byte", again.len()))?;
        return Ok(ExitCode::SUCCESS);
    }
    for name in &different {
        print(&format!("{shown}: {name} is not the same"))?;
    }
    let (ours, theirs) = (env!("CARGO_PKG_VERSION"), &packed.version);
    print(&format!("made with version {theirs}, run again with {ours}"))?;
    Ok(ExitCode::FAILURE)
}
