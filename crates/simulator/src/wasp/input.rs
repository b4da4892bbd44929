//! WASP's `input.json`: what is created, changed and deleted, and when; with the broker's own reading of each field.

use super::config::WaspOrchestrator;
use super::section::{Read, Reader, Section};
use model::document::{Document, Node, Problems, Refusal, Value, names, nearest, shown};
use model::quantity::{Bytes, MilliCpu};
use model::time::Period;

/// Labels that the broker takes for "no label".
const NO_LABEL: [&str; 5] = ["", "na", "n/a", "nan", "none"];

/// The id of the sentinel that keeps a run going until its timestamp.
const FINALIZER: &str = "finalizer";

const MEBIBYTE: u64 = 1024 * 1024;

/// A whole scenario.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaspInput {
    pub orchestrator: WaspOrchestrator,
    /// In the order of their time; those of the same second in the order of the file.
    pub events: Vec<WaspEvent>,
    /// When the run ends: the time of the last event, also when that one does nothing else.
    pub end: Period,
}

/// One event that has an effect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaspEvent {
    pub at: Period,
    pub action: WaspAction,
    pub kind: WaspKind,
    /// The object's name; elsewhere WASP writes `default/<id>`.
    pub id: String,
    /// Pods of a deployment; completions and parallelism of a job.
    pub replicas: u32,
    /// Per pod; set when something is created, and in an update that changes it.
    pub cpu: Option<MilliCpu>,
    pub memory: Option<Bytes>,
    /// How long each pod of a job runs; without it WASP's pods run until they are deleted.
    pub duration: Option<Period>,
    /// The cluster it starts in; without it WASP's default policy chooses one.
    pub label: Option<String>,
    /// Only in inputs made from real workloads, such as `memory-intensive`.
    pub workload_type: Option<String>,
    pub line: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum WaspKind {
    Deployment,
    Job,
}

impl WaspKind {
    /// As in WASP's files: `deployment`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Deployment => "deployment",
            Self::Job => "job",
        }
    }

    /// As in WASP's logs: `Deployment`.
    pub fn capitalised(self) -> &'static str {
        match self {
            Self::Deployment => "Deployment",
            Self::Job => "Job",
        }
    }

    pub(super) fn parse(text: &str) -> Option<Self> {
        match text.trim().to_lowercase().as_str() {
            "deployment" => Some(Self::Deployment),
            "job" => Some(Self::Job),
            _ => None,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WaspAction {
    Create,
    Update,
    Delete,
}

impl WaspAction {
    fn parse(text: &str) -> Option<Self> {
        match text.trim().to_lowercase().as_str() {
            "create" => Some(Self::Create),
            "update" => Some(Self::Update),
            "delete" => Some(Self::Delete),
            _ => None,
        }
    }
}

/// Reads a scenario; what the broker would skip or misread is named, what it would fail on is a problem.
pub fn read_input(name: &str, bytes: &[u8]) -> Result<Read<WaspInput>, Problems> {
    read_input_for(name, bytes, None)
}

/// Reads a scenario for these clusters, if they are known; a label that is none of them is a problem.
pub(super) fn read_input_for(
    name: &str,
    bytes: &[u8],
    clusters: Option<&[String]>,
) -> Result<Read<WaspInput>, Problems> {
    let salvage = Document::salvage(name, bytes)?;
    let mut reader = Reader::new(&salvage);
    let mut root = reader.root("{ \"data\": [ … ] }");
    let orchestrator = read_header(&mut reader, &mut root);
    let list = root.take("data");
    let list = root.require(&mut reader, "data", list);
    let path = root.path_of("data");
    root.finish(&mut reader);
    let mut input = WaspInput { orchestrator, events: Vec::new(), end: Period::ZERO };
    for (path, node) in list.map(|node| reader.list(node, &path)).unwrap_or_default() {
        let section = reader.section(node, &path);
        if matches!(node.value, Value::Mapping(_)) {
            read_entry(&mut reader, section, clusters, &mut input);
        }
    }
    input.events.sort_by_key(|event| event.at);
    reader.finish(input)
}

fn read_header<'d>(reader: &mut Reader<'d>, root: &mut Section<'d>) -> WaspOrchestrator {
    let karmada = WaspOrchestrator::Karmada;
    let Some(mut section) = root.section(reader, "config") else { return karmada };
    let words = [("karmada", karmada), ("morpheus", WaspOrchestrator::Morpheus)];
    let orchestrator = section.word(reader, "orchestrator", &words).unwrap_or(karmada);
    if section.text(reader, "namespace").is_some_and(|namespace| namespace != "default") {
        let why = "WASP creates everything in the namespace default, whatever this says; ignored";
        reader.notice(section.line(), &section.path_of("namespace"), why);
    }
    section.ignore(reader, &["kubeconfig"], "a simulated federation needs no access file");
    section.finish(reader);
    orchestrator
}

fn read_entry<'d>(
    reader: &mut Reader<'d>,
    mut section: Section<'d>,
    clusters: Option<&[String]>,
    input: &mut WaspInput,
) {
    let at = read_time(reader, &mut section);
    input.end = input.end.max(at);
    let kind = read_word(reader, &mut section, "kind", WaspKind::parse);
    let action = read_word(reader, &mut section, "action", WaspAction::parse);
    let (Some(kind), Some(action)) = (kind, action) else { return };
    let id = read_id(reader, &mut section);
    let replicas = read_replicas(reader, &mut section, action);
    let event = WaspEvent {
        at,
        action,
        kind,
        id,
        replicas,
        cpu: read_amount(reader, &mut section, "cpu", action, |text| read_cpu(kind, text)),
        memory: read_amount(reader, &mut section, "memory", action, read_memory),
        duration: read_duration(reader, &mut section, kind),
        label: read_label(reader, &mut section, clusters),
        workload_type: section.text(reader, "workload_type"),
        line: section.line(),
    };
    section.finish(reader);
    let is_finalizer = event.id == FINALIZER && action == WaspAction::Create && replicas == 0;
    if !is_finalizer {
        input.events.push(event);
    }
}

fn read_time<'d>(reader: &mut Reader<'d>, section: &mut Section<'d>) -> Period {
    let seconds = section.whole(reader, "timestamp");
    if section.take("timestamp").is_none() {
        reader.notice(section.line(), &section.path_of("timestamp"), "not set; the event happens at 0");
    }
    Period::from_millis(seconds.unwrap_or(0).saturating_mul(1000))
}

/// A word that the broker knows; an event with any other is skipped.
fn read_word<'d, T>(
    reader: &mut Reader<'d>,
    section: &mut Section<'d>,
    key: &'static str,
    parse: fn(&str) -> Option<T>,
) -> Option<T> {
    let text = section.text(reader, key).unwrap_or_default();
    let word = parse(&text);
    if word.is_none() {
        let message = format!("{} is not known to WASP; the event is skipped", shown(&text));
        reader.notice(section.line(), &section.path_of(key), message);
    }
    word
}

fn read_id<'d>(reader: &mut Reader<'d>, section: &mut Section<'d>) -> String {
    let id = section.text(reader, "id");
    let id = section.require(reader, "id", id).unwrap_or_default();
    if let (Err(refusal), Some(node)) = (names::check_subdomain(&id), section.take("id")) {
        reader.problem(node, &section.path_of("id"), refusal);
    }
    id
}

/// Whole numbers are taken, anything else counts as 0; a deletion needs none.
fn read_replicas<'d>(reader: &mut Reader<'d>, section: &mut Section<'d>, action: WaspAction) -> u32 {
    let text = section.text(reader, "replicas").unwrap_or_default();
    let node = section.take("replicas").unwrap_or(section.node());
    let path = section.path_of("replicas");
    match text.parse::<i64>() {
        Ok(number) => u32::try_from(number).unwrap_or_else(|_| {
            reader.problem(node, &path, Refusal::new(format!("expected 0 to {}, found {number}", u32::MAX)));
            0
        }),
        Err(_) if action == WaspAction::Delete => 0,
        Err(_) => {
            reader.notice(
                node.line,
                &path,
                format!("{} is not a whole number; WASP takes it for 0", shown(&text)),
            );
            0
        }
    }
}

/// A resource of one pod: needed to create, optional to update, without meaning in a deletion.
fn read_amount<'d, T>(
    reader: &mut Reader<'d>,
    section: &mut Section<'d>,
    key: &'static str,
    action: WaspAction,
    read: impl Fn(&str) -> Result<T, Refusal>,
) -> Option<T> {
    let text = section.text(reader, key).unwrap_or_default();
    let node = section.take(key).unwrap_or(section.node());
    let is_readable = section.take(key).is_none_or(|node| node.scalar().is_some());
    if action == WaspAction::Delete
        || !is_readable
        || (action == WaspAction::Update && text.trim().is_empty())
    {
        return None;
    }
    match read(text.trim()) {
        Ok(amount) => Some(amount),
        Err(refusal) => {
            reader.problem(node, &section.path_of(key), refusal);
            None
        }
    }
}

/// A whole number means thousandths of a core in a job, cores in a deployment; `4.0` means cores in both.
fn read_cpu(kind: WaspKind, text: &str) -> Result<MilliCpu, Refusal> {
    match (kind, text.parse::<i64>()) {
        (WaspKind::Job, Ok(millicores)) => {
            let negative =
                |_| Refusal::new("CPU must not be negative").propose("write thousandths of a core: \"500\"");
            u64::try_from(millicores).map(MilliCpu).map_err(negative)
        }
        _ => text.parse().map_err(Refusal::from),
    }
}

/// A plain number means GiB and is cut to whole MiB; anything else is a Kubernetes quantity.
fn read_memory(text: &str) -> Result<Bytes, Refusal> {
    let Ok(gibibytes) = text.parse::<f64>() else { return text.parse().map_err(Refusal::from) };
    let mebibytes = (gibibytes * 1024.0).trunc();
    let largest = (u64::MAX / MEBIBYTE) as f64;
    if !(0.0..largest).contains(&mebibytes) || gibibytes < 0.0 {
        return Err(Refusal::new(format!("{} GiB is not an amount of memory", shown(text))));
    }
    Ok(Bytes(mebibytes as u64 * MEBIBYTE))
}

fn read_duration<'d>(reader: &mut Reader<'d>, section: &mut Section<'d>, kind: WaspKind) -> Option<Period> {
    let text = section.text(reader, "job_duration").filter(|text| !text.trim().is_empty())?;
    let node: &Node = section.take("job_duration")?;
    let path = section.path_of("job_duration");
    if kind == WaspKind::Deployment {
        reader.notice(node.line, &path, "only jobs run for a time; ignored");
        return None;
    }
    let period = format!("{}s", text.trim()).parse().ok();
    if period.is_none() {
        let refusal = Refusal::new(format!("expected seconds, found {}", shown(&text)));
        reader.problem(node, &path, refusal.propose("write a number of seconds, such as \"30\""));
    }
    period
}

/// A cluster's name, or one of WASP's words for the first and the second cluster.
fn read_label<'d>(
    reader: &mut Reader<'d>,
    section: &mut Section<'d>,
    clusters: Option<&[String]>,
) -> Option<String> {
    let label = section.text(reader, "label")?.trim().to_owned();
    if NO_LABEL.contains(&label.to_lowercase().as_str()) {
        return None;
    }
    let known = clusters.map(|clusters| {
        let words = ["private", "public"].into_iter();
        clusters.iter().map(String::as_str).chain(words).collect::<Vec<_>>()
    });
    if let (Some(known), Some(node)) = (known, section.take("label"))
        && !known.contains(&label.as_str())
    {
        let refusal = Refusal::new(format!("there is no cluster {}", shown(&label)));
        let proposal = match nearest(&label, known.iter().copied()) {
            Some(near) => format!("did you mean {}?", shown(near)),
            None => format!("known: {}", known.join(", ")),
        };
        reader.problem(node, &section.path_of("label"), refusal.propose(proposal));
    }
    Some(label)
}

#[cfg(test)]
mod tests;
