//! The whole bed: everything up, everything down, and how it is in between.

use crate::Listener;
use crate::binaries::{Programs, Workshop};
use crate::cluster::Cluster;
use crate::crew::{Condition, Crew};
use crate::error::Error;
use crate::files;
use crate::karmada;
use crate::keeper::Keeper;
use crate::kubeconfig;
use crate::member::{self, Member};
use crate::plan::Plan;
use crate::process::{Layer, Process};
use crate::prometheus::{self, Prometheus};
use crate::wait::Stopwatch;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, ScopedJoinHandle};
use std::time::Duration;

const RECORD: &str = "bed.json";
const LOCK: &str = "lock";
/// Nothing of a bed is used again, so a process gets little time to put its things in order.
const GRACE: Duration = Duration::from_secs(5);

/// A bed that is up. One that was started by this process goes down with it, unless it is left running.
pub struct Bed {
    directory: PathBuf,
    record: Record,
    members: Vec<Cluster>,
    karmada: Option<Cluster>,
    prometheus: Option<Prometheus>,
    keeper: Option<Keeper>,
}

/// What a bed's folder says about it.
#[derive(Clone, Serialize, Deserialize)]
struct Record {
    /// The version of this format.
    drover_testbed: u32,
    plan: Plan,
    /// Set when everything was up.
    ready: bool,
    programs: BTreeMap<String, PathBuf>,
    /// How long it took to come up.
    seconds: f64,
}

/// A bed for people and programs.
#[derive(Serialize)]
pub struct Listing {
    pub directory: PathBuf,
    /// All clusters in one file, each as a context.
    pub kubeconfig: PathBuf,
    pub contexts: Vec<String>,
    pub prometheus: Option<String>,
    pub kubectl: Option<PathBuf>,
    /// Whether all processes run and say that they work.
    pub healthy: bool,
    /// How long it took to come up.
    pub seconds: f64,
    pub processes: Vec<Condition>,
}

impl Bed {
    /// Starts everything in a folder that is empty, new, or left over from a bed that runs no more.
    pub fn up(plan: &Plan, directory: &Path, workshop: &Workshop, say: Listener<'_>) -> Result<Self, Error> {
        plan.check()?;
        let prometheus = workshop.on_path("prometheus");
        if plan.prometheus && prometheus.is_none() {
            return Err(Error::NoPrometheus);
        }
        let directory = prepare(directory)?;
        let _lock = lock(&directory)?;
        clear(&directory)?;
        let programs = workshop.prepare(&plan.programs(), say)?;
        let stopwatch = Stopwatch::start();
        let mut record = Record::new(plan, &programs);
        record.write(&directory)?;
        let keeper = Keeper::watch(&directory)?;
        let site = Site { plan, programs: &programs, prometheus, directory: &directory, say, stopwatch };
        if let Err(error) = site.build() {
            stop(&directory, Duration::ZERO)?;
            return Err(error);
        }
        record.ready = true;
        record.seconds = stopwatch.elapsed().as_secs_f64();
        record.write(&directory)?;
        let mut bed = Self::from_record(directory, record)?;
        kubeconfig::write(&bed.kubeconfig(), &bed.entries()?)?;
        bed.keeper = Some(keeper);
        Ok(bed)
    }

    /// The bed in a folder, which somebody started before. It stays up when this value goes.
    pub fn open(directory: &Path) -> Result<Self, Error> {
        let nothing = || Error::Nothing(directory.to_owned());
        let directory = directory.canonicalize().map_err(|_| nothing())?;
        let text = files::read(&directory.join(RECORD)).map_err(|_| nothing())?;
        let record: Record = serde_json::from_str(&text).map_err(|_| Error::NotABed(directory.clone()))?;
        if record.ready { Self::from_record(directory, record) } else { Err(nothing()) }
    }

    fn from_record(directory: PathBuf, record: Record) -> Result<Self, Error> {
        let plan = &record.plan;
        let members = plan.names().map(|name| Cluster::open(&directory.join(name)));
        let members = members.collect::<Result<_, Error>>()?;
        let karmada = plan.karmada.then(|| Cluster::open(&directory.join("karmada"))).transpose()?;
        let prometheus =
            plan.prometheus.then(|| Prometheus::open(&directory.join("prometheus"))).transpose()?;
        Ok(Self { directory, record, members, karmada, prometheus, keeper: None })
    }

    pub fn plan(&self) -> &Plan {
        &self.record.plan
    }

    pub fn members(&self) -> &[Cluster] {
        &self.members
    }

    pub fn karmada(&self) -> Option<&Cluster> {
        self.karmada.as_ref()
    }

    pub fn prometheus(&self) -> Option<&Prometheus> {
        self.prometheus.as_ref()
    }

    /// One file with all clusters; Karmada, if it is there, is the current one.
    pub fn kubeconfig(&self) -> PathBuf {
        self.directory.join("kubeconfig")
    }

    /// A program the bed was started with, such as `kubectl`.
    pub fn program(&self, name: &str) -> Option<&Path> {
        self.record.programs.get(name).map(PathBuf::as_path)
    }

    /// How everything is.
    pub fn listing(&self) -> Listing {
        let processes = conditions(&self.directory);
        Listing {
            directory: self.directory.clone(),
            kubeconfig: self.kubeconfig(),
            contexts: self.clusters().map(|cluster| cluster.name()).collect(),
            prometheus: self.prometheus.as_ref().map(|prometheus| prometheus.server().to_owned()),
            kubectl: self.program("kubectl").map(Path::to_owned),
            healthy: processes.iter().all(|process| process.healthy),
            seconds: self.record.seconds,
            processes,
        }
    }

    /// Lets the bed outlive this process.
    pub fn leave_running(mut self) {
        if let Some(keeper) = self.keeper.take() {
            keeper.dismiss();
        }
    }

    /// Stops everything and removes its files.
    pub fn down(mut self) -> Result<(), Error> {
        if let Some(keeper) = self.keeper.take() {
            keeper.dismiss();
        }
        take_down(&self.directory).map(drop)
    }

    /// Stops whatever runs in a folder, a bed that never came up included, and removes its files. Says how many
    /// processes ran.
    pub fn down_in(directory: &Path) -> Result<usize, Error> {
        let nothing = || Error::Nothing(directory.to_owned());
        let directory = directory.canonicalize().map_err(|_| nothing())?;
        if directory.join(RECORD).is_file() { take_down(&directory) } else { Err(nothing()) }
    }

    fn clusters(&self) -> impl Iterator<Item = &Cluster> {
        self.karmada.iter().chain(&self.members)
    }

    fn entries(&self) -> Result<Vec<kubeconfig::Entry>, Error> {
        self.clusters().map(|cluster| cluster.entry("admin")).collect()
    }
}

impl Drop for Bed {
    fn drop(&mut self) {
        if let Some(keeper) = self.keeper.take() {
            keeper.dismiss();
            // A complaint now would hide why a test failed.
            let _ = take_down(&self.directory);
        }
    }
}

impl Record {
    fn new(plan: &Plan, programs: &Programs) -> Self {
        let programs = programs.iter().map(|(name, path)| (name.to_owned(), path.to_owned())).collect();
        Self { drover_testbed: 1, plan: plan.clone(), ready: false, programs, seconds: 0.0 }
    }

    fn write(&self, directory: &Path) -> Result<(), Error> {
        let text = serde_json::to_string_pretty(self).expect("plain data always serialises");
        files::replace(&directory.join(RECORD), text + "\n")
    }
}

/// Where a bed is just being built.
struct Site<'a> {
    plan: &'a Plan,
    programs: &'a Programs,
    prometheus: Option<PathBuf>,
    directory: &'a Path,
    say: Listener<'a>,
    stopwatch: Stopwatch,
}

impl Site<'_> {
    fn build(&self) -> Result<(), Error> {
        let (karmada, members) = self.start_clusters()?;
        self.connect(karmada.as_ref(), &members)
    }

    /// Karmada and the members come up side by side.
    fn start_clusters(&self) -> Result<(Option<Cluster>, Vec<Member>), Error> {
        let trouble = Trouble::new(self.directory);
        let (karmada, members) = thread::scope(|scope| {
            let trouble = &trouble;
            let karmada = scope.spawn(|| trouble.keep(self.karmada()));
            let starting: Vec<_> = (1..)
                .zip(self.plan.names())
                .map(|(number, name)| scope.spawn(move || trouble.keep(self.member(number, &name))))
                .collect();
            let members: Vec<Member> = starting.into_iter().filter_map(finish).collect();
            (finish(karmada).flatten(), members)
        });
        trouble.outcome()?;
        Ok((karmada, members))
    }

    /// Members join Karmada, and Prometheus begins to read them.
    fn connect(&self, karmada: Option<&Cluster>, members: &[Member]) -> Result<(), Error> {
        let trouble = Trouble::new(self.directory);
        thread::scope(|scope| {
            let trouble = &trouble;
            scope.spawn(|| trouble.keep(self.measure(members)));
            for (karmada, member) in members.iter().filter_map(|member| Some((karmada?, member))) {
                scope.spawn(move || trouble.keep(self.join(karmada, &member.cluster)));
            }
        });
        trouble.outcome()
    }

    fn karmada(&self) -> Result<Option<Cluster>, Error> {
        if !self.plan.karmada {
            return Ok(None);
        }
        let cluster = karmada::up(&self.directory.join("karmada"), self.programs)?;
        self.tell("karmada is up");
        Ok(Some(cluster))
    }

    fn member(&self, number: u8, name: &str) -> Result<Member, Error> {
        let member = member::up(&self.directory.join(name), number, self.plan, self.programs)?;
        self.tell(&format!("{name} is up with {} nodes", self.plan.nodes));
        Ok(member)
    }

    fn measure(&self, members: &[Member]) -> Result<(), Error> {
        let Some(program) = self.prometheus.as_ref().filter(|_| self.plan.prometheus) else { return Ok(()) };
        prometheus::up(&self.directory.join("prometheus"), program, members, self.plan)?;
        self.tell("prometheus is up");
        Ok(())
    }

    fn join(&self, karmada: &Cluster, member: &Cluster) -> Result<(), Error> {
        karmada::join(karmada, member, self.programs)?;
        self.tell(&format!("{} has joined karmada", member.name()));
        Ok(())
    }

    fn tell(&self, what: &str) {
        (self.say)(&format!("{:5.1} s  {what}", self.stopwatch.elapsed().as_secs_f64()));
    }
}

fn finish<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    thread.join().expect("a thread that does not panic")
}

/// What went wrong first. It ends everything that was started, so that nobody waits for what will never be.
struct Trouble<'a> {
    first: Mutex<Option<Error>>,
    directory: &'a Path,
}

impl<'a> Trouble<'a> {
    fn new(directory: &'a Path) -> Self {
        Self { first: Mutex::new(None), directory }
    }

    fn keep<T>(&self, result: Result<T, Error>) -> Option<T> {
        let error = match result {
            Ok(value) => return Some(value),
            Err(error) => error,
        };
        self.first.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        // What others are just starting is stopped at the end.
        let _ = stop(self.directory, Duration::ZERO);
        None
    }

    fn outcome(self) -> Result<(), Error> {
        self.first.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
    }
}

fn prepare(directory: &Path) -> Result<PathBuf, Error> {
    files::private_folder(directory)?;
    directory.canonicalize().map_err(Error::file("find", directory))
}

fn lock(directory: &Path) -> Result<File, Error> {
    files::try_lock(&directory.join(LOCK))?.ok_or_else(|| Error::Busy(directory.to_owned()))
}

/// Removes what an earlier bed left. Refuses to touch anything else.
fn clear(directory: &Path) -> Result<(), Error> {
    let others: Vec<PathBuf> =
        files::entries(directory).into_iter().filter(|path| !path.ends_with(LOCK)).collect();
    if others.is_empty() {
        return Ok(());
    }
    if !directory.join(RECORD).is_file() {
        return Err(Error::NotABed(directory.to_owned()));
    }
    if processes(directory).iter().any(Process::is_running) {
        return Err(Error::Running(directory.to_owned()));
    }
    remove(directory)
}

fn take_down(directory: &Path) -> Result<usize, Error> {
    let _lock = lock(directory)?;
    let count = stop(directory, GRACE)?;
    remove(directory)?;
    let _ = fs::remove_file(directory.join(LOCK));
    // A folder with something else in it stays.
    let _ = fs::remove_dir(directory);
    Ok(count)
}

/// Stops whatever runs, those who ask before those who answer; returns how many there were.
fn stop(directory: &Path, grace: Duration) -> Result<usize, Error> {
    let all: Vec<Process> = processes(directory).into_iter().filter(Process::is_running).collect();
    for layer in [Layer::Client, Layer::Server, Layer::Storage] {
        let these: Vec<&Process> = all.iter().filter(|process| process.layer == layer).collect();
        if !grace.is_zero() {
            for process in &these {
                process.terminate();
            }
        }
        let stopwatch = Stopwatch::start();
        for process in these {
            let left = grace.saturating_sub(stopwatch.elapsed());
            if process.wait_for_end(left).is_err() {
                process.kill()?;
            }
        }
    }
    Ok(all.len())
}

/// Removes the files of a bed; its record last, so that what is left after an interruption is still known as a bed.
fn remove(directory: &Path) -> Result<(), Error> {
    for folder in crews(directory) {
        fs::remove_dir_all(&folder).map_err(Error::file("remove", &folder))?;
    }
    let _ = fs::remove_file(directory.join("kubeconfig"));
    let record = directory.join(RECORD);
    fs::remove_file(&record).map_err(Error::file("remove", &record))
}

fn crews(directory: &Path) -> Vec<PathBuf> {
    let is_ours = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        path.is_dir() && (name == "karmada" || name == "prometheus" || name.starts_with("member"))
    };
    files::entries(directory).into_iter().filter(is_ours).collect()
}

fn processes(directory: &Path) -> Vec<Process> {
    crews(directory).iter().flat_map(|crew| Process::all(crew)).collect()
}

fn conditions(directory: &Path) -> Vec<Condition> {
    crews(directory).iter().flat_map(|folder| Crew::at(folder).conditions()).collect()
}
