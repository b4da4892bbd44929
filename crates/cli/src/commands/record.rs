//! `drover record`: watch real clusters, and write what happened as a series, as traces, and as a scenario to replay.

use crate::desk::{DeskFile, clusters, signal};
use crate::failure::{FINDINGS, Failure, Outcome, UNREACHABLE};
use crate::output::{note, print};
use crate::progress::Watching;
use crate::run_directory::{Kind, RunDirectory};
use crate::terminal::{clean_json, utc};
use anyhow::Context;
use clap::Args;
use control::world::{Effect, Input, Outside as _};
use kubernetes::{Access, Member, RealWorld, Settings};
use lab::recording::{Recorded, Recorder};
use model::names::ClusterName;
use model::time::{Period, Timestamp};
use server::clock::wall_ms;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// A week: longer recordings are several.
const LONGEST: Period = Period::from_hours(24 * 7);

/// As a simulation does: at most so many samples, whole seconds apart.
const MOST_SAMPLES: u64 = 2_000;

/// More samples than this make a file that nobody opens.
const MOST_LOOKS: u64 = 100_000;

/// Faster than this asks too much of API servers.
const SHORTEST: Period = Period::from_millis(100);

/// How often it is looked whether an observation has come.
const LOOK: Duration = Duration::from_millis(10);

/// Watch real clusters, and write what happens as a scenario that a simulation replays.
#[derive(Args)]
#[command(after_help = "\
Examples:
  drover record --config desk.yaml --for 10m --out monday
  drover record --kubeconfig ~/.kube/config --context member1 --context member2 \\
    --for 1h --out monday
  drover record --context east=prod-1 --context west=prod-2 --out monday    under other names
  drover run monday/scenario.yaml --out runs/replay                         again, simulated
  drover overlay runs/replay monday --out compared                          how close that is

Nothing is ever written to a cluster. Ctrl-C ends the recording early, and everything seen until
then is written: scenario.yaml, series.csv, pods/*.csv (every pod, as a trace), others/*.csv (pods
that no Deployment or StatefulSet makes; the scenario names them), and recording.json.")]
pub(crate) struct Arguments {
    /// A desk's file, for its clusters and what its scenario says about prices.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["kubeconfig", "contexts"], required_unless_present = "contexts")]
    config: Option<PathBuf>,
    /// A kubeconfig; the usual one by default.
    #[arg(long, value_name = "FILE")]
    kubeconfig: Option<PathBuf>,
    /// A context of the kubeconfig to watch, or NAME=CONTEXT to call it otherwise; may be given several times.
    #[arg(long = "context", value_name = "CONTEXT")]
    contexts: Vec<String>,
    /// How long to watch.
    #[arg(long = "for", value_name = "PERIOD", default_value = "10m")]
    lasts: Period,
    /// How often to look; by default so that there are at most 2,000 samples, a second apart or more.
    #[arg(long, value_name = "PERIOD")]
    every: Option<Period>,
    /// A name for the scenario.
    #[arg(long, default_value = "recorded")]
    name: String,
    /// Where to write.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Print recording.json at the end instead of a sentence.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let every = every(arguments)?;
    if ClusterName::new(&arguments.name).is_err() {
        let message =
            format!("drover: --name: {:?} is not a name; write for instance monday", arguments.name);
        return Err(Failure::Input(message));
    }
    let settings = Settings { act: false, ..settings(arguments)? };
    let directory = RunDirectory::begin(&arguments.out, Kind::Recording)?;
    let world = RealWorld::connect(settings).map_err(|error| Failure::Input(clusters::told(&error)))?;
    let begun_at = wall_ms();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.context("threads could not be started")?;
    let recorded = runtime.block_on(watch(world, arguments, every, begun_at))?;
    write(&directory, &recorded)?;
    directory.finish()?;
    tell(arguments, &recorded)
}

fn every(arguments: &Arguments) -> Result<Period, Failure> {
    let refused = |message: &str| Err(Failure::Input(format!("drover: {message}")));
    if arguments.lasts < Period::from_secs(1) || arguments.lasts > LONGEST {
        return refused("--for: a recording lasts from 1s to 168h; begin another one after that");
    }
    let usual = Period::from_secs((arguments.lasts.as_millis() / 1_000).div_ceil(MOST_SAMPLES).max(1));
    match arguments.every {
        None => Ok(usual),
        Some(every)
            if every >= SHORTEST
                && every <= arguments.lasts
                && arguments.lasts.as_millis() / every.as_millis() <= MOST_LOOKS =>
        {
            Ok(every)
        }
        Some(_) => refused(
            "--every: write a period from 100ms to the length of the recording, and at most 100,000 looks",
        ),
    }
}

fn settings(arguments: &Arguments) -> Result<Settings, Failure> {
    let Some(path) = &arguments.config else { return from_contexts(arguments) };
    let desk = DeskFile::at(path)?;
    let Some(config) = &desk.config.kubernetes else {
        let message = "drover: this desk's federation is simulated; write kubernetes: under world: to name real clusters";
        return Err(Failure::Input(message.to_owned()));
    };
    clusters::settings(config, &desk.scenario, &desk.path)
}

/// Clusters as contexts of one kubeconfig, under their own names or under given ones.
fn from_contexts(arguments: &Arguments) -> Result<Settings, Failure> {
    let member = |text: &String| {
        let (name, context) = text.split_once('=').unwrap_or((text, text));
        let name = ClusterName::new(name).map_err(|error| {
            let message = format!(
                "drover: --context: {:?} cannot be the name of a cluster: {}; write NAME={context}",
                error.text, error.why
            );
            Failure::Input(message)
        })?;
        let path = arguments.kubeconfig.clone();
        Ok(Member { name, access: Access::Kubeconfig { path, context: Some(context.to_owned()) } })
    };
    let members: Vec<Member> = arguments.contexts.iter().map(member).collect::<Result<_, Failure>>()?;
    let mut names = BTreeSet::new();
    if let Some(twice) = members.iter().find(|member| !names.insert(&member.name)) {
        return Err(Failure::Input(format!("drover: --context: {} is named twice", twice.name)));
    }
    Ok(Settings { members, ..Settings::default() })
}

/// Looks again and again until the time is over or somebody says stop.
#[expect(clippy::disallowed_methods, reason = "real clusters are watched in real time")]
async fn watch(
    mut world: RealWorld,
    arguments: &Arguments,
    every: Period,
    begun_at: i64,
) -> Result<Recorded, Failure> {
    let begun = Instant::now();
    let now = || Timestamp(begun.elapsed().as_millis() as u64);
    let end = Timestamp::EPOCH + arguments.lasts;
    let progress = Watching::new(arguments.lasts);
    let mut recorder = Recorder::new(every);
    world.poll(now());
    let lives = world.record();
    let mut stop = std::pin::pin!(signal());
    let (mut next, mut is_asked, mut heard) = (Timestamp::EPOCH, false, 0_u64);
    while now() < end {
        if !is_asked && now() >= next {
            world.start(now(), &Effect::Observe);
            is_asked = true;
            // Missed looks are not made up for.
            next = next.saturating_add(every).max(now().saturating_sub(every));
        }
        while let Some(input) = world.poll(now()) {
            if let Input::Observed(snapshot) = input {
                is_asked = false;
                heard += u64::from(!snapshot.clusters.is_empty());
                recorder.note(&snapshot);
                progress.at(now(), recorder.standing());
            }
        }
        tokio::select! {
            () = &mut stop => break,
            () = tokio::time::sleep(LOOK) => {}
        }
    }
    progress.done();
    if heard == 0 {
        let message =
            "drover: no cluster answered; nothing was written. drover check and kubectl --context say more";
        return Err(Failure::refused(UNREACHABLE, message));
    }
    let (told, left_out) = lives.lives();
    let mut recorded = recorder.finish(&arguments.name, (&utc(begun_at), begun_at), now().min(end), &told);
    if left_out > 0 {
        recorded.about.notes.push(format!("{left_out} pods were too many and are not in the traces"));
    }
    Ok(recorded)
}

fn write(directory: &RunDirectory, recorded: &Recorded) -> Result<(), Failure> {
    directory.write("recording.json", about(recorded)? + "\n")?;
    let mut csv = Vec::new();
    lab::series::write_csv(&recorded.series, &mut csv).context("the series could not be written")?;
    directory.write("series.csv", csv)?;
    for (path, text) in &recorded.files {
        directory.write(path, text)?;
    }
    if let Ok(text) = &recorded.scenario {
        directory.write("scenario.yaml", text)?;
    }
    Ok(())
}

fn about(recorded: &Recorded) -> Result<String, Failure> {
    let text = serde_json::to_string(&recorded.about);
    Ok(text.context("what was recorded could not be written as JSON")?)
}

fn tell(arguments: &Arguments, recorded: &Recorded) -> Outcome {
    let about_it = &recorded.about;
    let out: &Path = &arguments.out;
    if arguments.json {
        print(&clean_json(&about(recorded)?))?;
    } else {
        about_it.notes.iter().for_each(|text| note(&format!("note: {text}")));
        about_it.gaps.iter().for_each(|gap| {
            let since = gap.from.since(Timestamp::EPOCH);
            note(&format!("note: {} was not known from {since} on: {}", gap.cluster, gap.reason));
        });
        print(&format!(
            "{} clusters, {} workloads and {} pods over {}; replay it: drover run {}",
            about_it.clusters.len(),
            about_it.workloads,
            about_it.pods,
            about_it.lasted,
            out.join("scenario.yaml").display()
        ))?;
    }
    match &recorded.scenario {
        Ok(_) => Ok(ExitCode::SUCCESS),
        Err(why) => {
            note(&format!("drover: no scenario could be made of it; the rest is written. {why}"));
            Ok(ExitCode::from(FINDINGS))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        arguments: Arguments,
    }

    fn parsed(arguments: &[&str]) -> Arguments {
        Line::parse_from([&["record", "--out", "x"], arguments].concat()).arguments
    }

    #[test]
    fn contexts_are_clusters_under_their_names_or_given_ones() {
        let settings = from_contexts(&parsed(&["--context", "a", "--context", "b=prod/B"])).ok().unwrap();
        let named: Vec<String> = settings.members.iter().map(|member| member.name.to_string()).collect();
        assert_eq!(named, ["a", "b"]);
        let Access::Kubeconfig { context, path: None } = &settings.members[1].access else { panic!() };
        assert_eq!(context.as_deref(), Some("prod/B"));
        assert!(!settings.act);
        for wrong in [["--context", "prod/B"], ["--context=a", "--context=a"]] {
            assert!(from_contexts(&parsed(&wrong)).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn samples_are_whole_seconds_apart_unless_told_otherwise() {
        let check = |arguments: &[&str], want: Option<Period>| {
            let all = [&["--context", "a"], arguments].concat();
            assert_eq!(every(&parsed(&all)).ok(), want, "{arguments:?}");
        };
        check(&[], Some(Period::from_secs(1)));
        check(&["--for", "1h"], Some(Period::from_secs(2)));
        check(&["--every", "200ms"], Some(Period::from_millis(200)));
        check(&["--every", "1ms"], None);
        check(&["--for", "1s", "--every", "2s"], None);
        check(&["--for", "100h", "--every", "1s"], None);
        check(&["--for", "9999h"], None);
    }
}
