//! `drover import trace`: a recording of pods as a scenario that plays it, or of requests as demand over time.

use super::scenario_name;
use crate::failure::Failure;
use crate::files;
use anyhow::Context;
use clap::{Args, ValueEnum};
use model::document::Problems;
use model::time::Period;
use simulator::scenario::read_beside;
use simulator::traces::draft::{self, Draft};
use simulator::traces::nodes::{self, NodePool};
use simulator::traces::{PodFormat, PodTrace, azure, demand, read_pods, swf};
use std::path::{Component, Path, PathBuf};
use strategies::catalogue::StrategyConfig;

/// A recording: pods of other clusters or machines, or requests.
#[derive(Args)]
#[command(after_help = "\
Examples:
  drover import trace --format openb pods.csv --nodes nodes.csv --out my-scenario.yaml
  drover import trace --format swf machine.swf --out my-scenario.yaml
  drover import trace --format csv pods.csv --nodes pools.csv --out my-scenario.yaml
  drover import trace --format azure-llm requests.csv --every 60s --out demand.csv

The scenario names the files instead of repeating them, so they have to stay where they are.")]
pub(crate) struct Arguments {
    /// How the files are written.
    #[arg(long, value_enum)]
    format: ImportFormat,
    /// The recordings.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The nodes: openb's node list, or a table pool,nodes,cpu,memory; an SWF log may name its own.
    #[arg(long, value_name = "FILE")]
    nodes: Option<PathBuf>,
    /// A name for the scenario and its cluster; the first file's by default.
    #[arg(long)]
    name: Option<String>,
    /// Requests are counted over this long.
    #[arg(long, value_name = "PERIOD", default_value = "60s")]
    every: Period,
    /// Where to write the scenario or the demand; standard output by default.
    #[arg(long, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum ImportFormat {
    /// Alibaba's GPU cluster trace of 2023.
    Openb,
    /// The Standard Workload Format of parallel machines' logs.
    Swf,
    /// A table with the columns name, arrival_s, cpu, memory and more.
    Csv,
    /// Azure's requests to language models; becomes a table of requests per second.
    AzureLlm,
}

/// In which form pods are written.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum TraceFormat {
    Openb,
    Swf,
    Csv,
}

impl TraceFormat {
    /// What the ending of a file's name says.
    pub(crate) fn of(path: &Path) -> Self {
        if path.extension().is_some_and(|ending| ending == "swf") { Self::Swf } else { Self::Csv }
    }
}

impl From<TraceFormat> for PodFormat {
    fn from(format: TraceFormat) -> Self {
        match format {
            TraceFormat::Openb => Self::Openb,
            TraceFormat::Swf => Self::Swf,
            TraceFormat::Csv => Self::Csv,
        }
    }
}

/// Rows without effect that are named one by one.
const NAMED: usize = 10;

/// The text to write, and what has no effect.
pub(super) fn convert(arguments: &Arguments) -> Result<(String, Vec<String>), Failure> {
    match arguments.format {
        ImportFormat::Openb => pods(arguments, PodFormat::Openb),
        ImportFormat::Swf => pods(arguments, PodFormat::Swf),
        ImportFormat::Csv => pods(arguments, PodFormat::Csv),
        ImportFormat::AzureLlm => requests(arguments),
    }
}

fn pods(arguments: &Arguments, format: PodFormat) -> Result<(String, Vec<String>), Failure> {
    let mut problems: Vec<Problems> = Vec::new();
    let (mut traces, mut contents, mut notes) = (Vec::new(), Vec::new(), Vec::new());
    for path in &arguments.files {
        let bytes = files::read(path)?;
        match read_pods(format, &files::shown(path), &bytes) {
            Ok(trace) => {
                notes.extend(left_out(path, &trace));
                let name = beside(path, arguments.out.as_deref())?;
                contents.push((name.clone(), bytes));
                traces.push((name, trace));
            }
            Err(found) => problems.push(found),
        }
    }
    let pools = match pools(arguments, format)? {
        Ok(pools) => pools,
        Err(found) => {
            problems.push(found);
            Vec::new()
        }
    };
    if !problems.is_empty() {
        return Err(problems.into());
    }
    let first = arguments.files.first().map_or(Path::new("trace"), PathBuf::as_path);
    let name = arguments.name.clone().unwrap_or_else(|| scenario_name(first, "trace").replace('.', "-"));
    let text = draft::scenario(Draft { name: &name, format, pools: &pools, traces: &traces });
    let mut known = |name: &str| {
        let found = contents.iter().find(|(file, _)| file == name);
        found.map(|(_, bytes)| bytes.clone()).ok_or_else(|| "is not one of the files".to_owned())
    };
    read_beside("converted from a trace", text.as_bytes(), StrategyConfig::check, &mut known)?;
    Ok((text, notes))
}

fn pools(arguments: &Arguments, format: PodFormat) -> Result<Result<Vec<NodePool>, Problems>, Failure> {
    let missing = |what: &str| Failure::Input(format!("--nodes: {what}\nnothing was written"));
    let Some(path) = &arguments.nodes else {
        let Some(log) = arguments.files.first().filter(|_| format == PodFormat::Swf) else {
            return Err(missing("a trace of pods needs the nodes they ran on; give a file"));
        };
        let machine = swf::machine(&files::shown(log), &files::read(log)?);
        return match machine {
            Ok(Some(pool)) => Ok(Ok(vec![pool])),
            Ok(None) => Err(missing("the log names neither MaxNodes nor MaxProcs; give a file")),
            Err(problems) => Ok(Err(problems)),
        };
    };
    let (name, bytes) = (files::shown(path), files::read(path)?);
    Ok(match format {
        PodFormat::Openb => nodes::read_openb(&name, &bytes),
        PodFormat::Swf | PodFormat::Csv => nodes::read_csv(&name, &bytes),
    })
}

fn left_out(path: &Path, trace: &PodTrace) -> Vec<String> {
    let name = files::shown(path);
    let rows = trace.left_out.iter().take(NAMED);
    let mut notes: Vec<String> =
        rows.map(|row| format!("{name}:{}: {}; left out", row.line, row.why)).collect();
    if trace.left_out.len() > NAMED {
        notes.push(format!("{name}: and {} more rows left out", trace.left_out.len() - NAMED));
    }
    notes
}

/// How a scenario written to `out` names a file.
fn beside(file: &Path, out: Option<&Path>) -> Result<String, Failure> {
    let folder = out.and_then(Path::parent).filter(|folder| !folder.as_os_str().is_empty());
    let path = match folder {
        Some(folder) if file.is_relative() => {
            let real = |path: &Path| {
                path.canonicalize().with_context(|| format!("{} could not be found", path.display()))
            };
            relative(&real(file)?, &real(folder)?)
        }
        _ => file.to_owned(),
    };
    let text = path.to_str().map(str::to_owned);
    text.ok_or_else(|| Failure::Input(format!("{}: a scenario cannot name this file", file.display())))
}

/// The way from a folder to a file, both without any `..`.
fn relative(file: &Path, folder: &Path) -> PathBuf {
    let (file, folder): (Vec<Component<'_>>, Vec<Component<'_>>) =
        (file.components().collect(), folder.components().collect());
    let common = file.iter().zip(&folder).take_while(|(one, other)| one == other).count();
    let up = folder[common..].iter().map(|_| Component::ParentDir);
    up.chain(file[common..].iter().copied()).collect()
}

fn requests(arguments: &Arguments) -> Result<(String, Vec<String>), Failure> {
    let [path] = &arguments.files[..] else {
        return Err(Failure::Input("azure-llm: give one file\nnothing was written".to_owned()));
    };
    let requests = azure::read(&files::shown(path), &files::read(path)?)?;
    let intervals = azure::intervals(&requests, arguments.every)
        .map_err(|error| Failure::Input(format!("--every: {error}\nnothing was written")))?;
    let tokens: u64 = intervals.iter().map(|one| one.context_tokens + one.generated_tokens).sum();
    let note = format!(
        "{}: {} requests with {tokens} tokens in {} intervals of {}",
        files::shown(path),
        requests.len(),
        intervals.len(),
        arguments.every
    );
    Ok((demand::write_requests(&azure::rates(&intervals, arguments.every)), vec![note]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_from_a_folder_to_a_file() {
        let check = |file: &str, folder: &str, want: &str| {
            assert_eq!(relative(Path::new(file), Path::new(folder)), Path::new(want), "{file} from {folder}");
        };
        check("/a/b/pods.csv", "/a/b", "pods.csv");
        check("/a/b/pods.csv", "/a", "b/pods.csv");
        check("/a/pods.csv", "/a/b/c", "../../pods.csv");
        check("/x/pods.csv", "/a", "../x/pods.csv");
    }
}
