//! WASP's `config.yaml`, current and older forms.

use super::section::{Read, Reader, Section};
use model::document::{Document, Problems, Refusal, Value, names};
use model::quantity::{Bytes, MilliCpu};
use model::time::Period;

/// What the engine uses when `scheduler_interval` is not set.
const DEFAULT_SCHEDULER_INTERVAL: Period = Period::from_secs(300);

/// What the engine uses when `timestamp_lookback_seconds` is not set.
const DEFAULT_LOOKBACK: Period = Period::from_secs(30);

/// The value of WASP's own file; what its monitor uses without the key is not known.
const DEFAULT_COLLECTION_INTERVAL: Period = Period::from_secs(30);

/// The value of WASP's own file.
const DEFAULT_HISTORY_BATCHES: u64 = 3;

/// The keys of [`Timing`].
const TIMES: [&str; 4] =
    ["scheduler_interval", "timestamp_lookback_seconds", "fetch_metrics_immediately", "workloads_shard_size"];

const ONE_PROCESS: &str = "Drover is one process; its parts need no addresses";
const NO_ENGINE_FILES: &str = "Drover keeps a journal instead of engine files";
const OWN_PROMPTS: &str = "Drover's prompts are its own";
const OLD_VOTES: &str = "left over from an older vote graph; WASP does not read it either";
const NO_MORPHEUS: &str = "Drover does not drive HPE Morpheus";

/// All that the file says and Drover can use.
#[derive(Debug, Clone, PartialEq)]
pub struct WaspConfig {
    /// In the order of the file. WASP itself reads only `member1` and `member2`.
    pub clusters: Vec<WaspCluster>,
    pub engine: WaspEngine,
    /// How often metrics are taken.
    pub collection_interval: Period,
    pub actuator: WaspActuator,
}

/// One cluster of equal nodes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaspCluster {
    pub name: String,
    pub nodes: u32,
    /// Nominal size of one node.
    pub cpu: MilliCpu,
    pub memory: Bytes,
    /// As written. WASP starts an autoscaler only in `member2`, whatever `member1` says.
    pub autoscaler: bool,
    pub line: u32,
}

/// The decision maker.
#[derive(Debug, Clone, PartialEq)]
pub struct WaspEngine {
    /// Without the key the engine runs: it is younger than the engine.
    pub enabled: bool,
    /// The model's full name, after looking an alias up among `models`.
    pub model: Option<String>,
    pub scheduler_interval: Period,
    pub lookback: Period,
    /// Whether the first decision comes at once instead of after one interval.
    pub decides_immediately: bool,
    pub graph: WaspGraph,
    pub prompt: Option<String>,
    pub provider: Option<String>,
    pub temperature: Option<f64>,
    pub max_output_tokens: Option<u64>,
    pub prompts: WaspPrompts,
    /// Older files: workloads per model call.
    pub workloads_per_call: Option<u64>,
    /// The catalogue of aliases.
    pub models: Vec<WaspModel>,
    /// Clusters the engine looks at; empty means all.
    pub listed_clusters: Vec<String>,
    pub history: WaspHistory,
}

/// How many agents reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WaspGraph {
    /// v1: one agent.
    Single,
    /// v2: performance and cost agents, and one that consolidates.
    Several,
}

/// File stems of the prompts of v2.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WaspPrompts {
    pub performance: Option<String>,
    pub cost: Option<String>,
    pub consolidator: Option<String>,
}

/// One entry of the model catalogue.
#[derive(Debug, Clone, PartialEq)]
pub struct WaspModel {
    pub alias: String,
    pub model_name: Option<String>,
    pub provider: Option<String>,
    pub temperature: Option<f64>,
    pub max_output_tokens: Option<u64>,
}

/// Whether earlier migrations are told to the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WaspHistory {
    pub enabled: bool,
    pub batches: u64,
}

/// Who applies, and after whose consent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WaspActuator {
    pub orchestrator: WaspOrchestrator,
    pub review: WaspReview,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WaspOrchestrator {
    Karmada,
    Morpheus,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WaspReview {
    Automatic,
    Human,
}

/// Reads a configuration; keys without effect are named, broken values are problems.
pub fn read_config(name: &str, bytes: &[u8]) -> Result<Read<WaspConfig>, Problems> {
    let salvage = Document::salvage(name, bytes)?;
    let mut reader = Reader::new(&salvage);
    let mut root = reader.root("clusters: { member1: { nodes: 2, cpu: \"8\", memory: \"16Gi\" } }");
    let clusters = read_clusters(&mut reader, &mut root);
    let engine = read_engine(&mut reader, &mut root);
    let collection_interval = read_collection_interval(&mut reader, &mut root);
    let actuator = read_actuator(&mut reader, &mut root);
    root.ignore(&mut reader, &["prometheus"], "Drover measures by itself and starts no Grafana");
    root.ignore(
        &mut reader,
        &["kubeconfig", "namespace"],
        "a simulated federation needs no access file or namespace",
    );
    root.finish(&mut reader);
    reader.finish(WaspConfig { clusters, engine, collection_interval, actuator })
}

/// What the clusters of a configuration are called, as far as that can be read.
pub(super) fn cluster_names(name: &str, bytes: &[u8]) -> Option<Vec<String>> {
    let document = Document::salvage(name, bytes).ok()?.document;
    let entries = document.root().get("clusters")?.entries();
    (!entries.is_empty()).then(|| entries.iter().map(|entry| entry.key.clone()).collect())
}

fn read_clusters<'d>(reader: &mut Reader<'d>, root: &mut Section<'d>) -> Vec<WaspCluster> {
    let found = root.section(reader, "clusters");
    let Some(mut section) = root.require(reader, "clusters", found) else { return Vec::new() };
    let is_engine_list = section.node().get("definitions").is_some_and(|node| !node.items().is_empty());
    if is_engine_list {
        section.ignore(reader, &["enabled", "definitions"], "an engine's own list of clusters without sizes");
    }
    let mut clusters = Vec::new();
    for entry in section.node().entries() {
        if is_engine_list && matches!(entry.key.as_str(), "enabled" | "definitions") {
            continue;
        }
        let path = section.path_of(&entry.key);
        if let Err(refusal) = names::check_label(&entry.key) {
            reader.problem(&entry.value, &path, refusal);
        }
        let cluster = reader.section(&entry.value, &path);
        clusters.extend(read_cluster(reader, &entry.key, cluster));
    }
    clusters
}

fn read_cluster<'d>(reader: &mut Reader<'d>, name: &str, mut section: Section<'d>) -> Option<WaspCluster> {
    if !matches!(section.node().value, Value::Mapping(_)) {
        return None;
    }
    let nodes = section.whole(reader, "nodes");
    let nodes = section.require(reader, "nodes", nodes);
    let cpu = section.parsed(reader, "cpu");
    let cpu = section.require(reader, "cpu", cpu);
    let memory = section.parsed(reader, "memory");
    let memory = section.require(reader, "memory", memory);
    let autoscaler = section.flag(reader, "autoscaler").unwrap_or(false);
    let line = section.line();
    let fitting = nodes.and_then(|nodes| u32::try_from(nodes).ok());
    if let (Some(nodes), None, Some(node)) = (nodes, fitting, section.take("nodes")) {
        let refusal = Refusal::new(format!("{nodes} nodes are too many"));
        reader.problem(node, &section.path_of("nodes"), refusal.propose("write at most 100000"));
    }
    section.finish(reader);
    Some(WaspCluster { name: name.to_owned(), nodes: fitting?, cpu: cpu?, memory: memory?, autoscaler, line })
}

/// What one of several places may say about the model's answer.
#[derive(Default)]
struct Generation {
    provider: Option<String>,
    temperature: Option<f64>,
    max_output_tokens: Option<u64>,
}

impl Generation {
    /// Reads `provider` and `generation_config` of a section.
    fn read<'d>(reader: &mut Reader<'d>, section: &mut Section<'d>) -> Self {
        let provider = section.text(reader, "provider");
        let Some(mut generation) = section.section(reader, "generation_config") else {
            return Self { provider, ..Self::default() };
        };
        let temperature = generation.float(reader, "temperature");
        let max_output_tokens = generation.whole(reader, "max_output_tokens");
        generation.ignore(reader, &["system_prompt", "rules"], OWN_PROMPTS);
        generation.finish(reader);
        Self { provider, temperature, max_output_tokens }
    }

    fn is_complete(&self) -> bool {
        self.provider.is_some() && self.temperature.is_some() && self.max_output_tokens.is_some()
    }

    fn or(self, other: Self) -> Self {
        Self {
            provider: self.provider.or(other.provider),
            temperature: self.temperature.or(other.temperature),
            max_output_tokens: self.max_output_tokens.or(other.max_output_tokens),
        }
    }
}

/// What the sections about reasoning say together.
#[derive(Default)]
struct Reasoning {
    graph: Option<WaspGraph>,
    prompt: Option<String>,
    prompts: WaspPrompts,
    generation: Generation,
}

fn read_engine<'d>(reader: &mut Reader<'d>, root: &mut Section<'d>) -> WaspEngine {
    let Some(mut section) = root.section(reader, "ai-engine") else { return WaspEngine::absent() };
    let mut engine = WaspEngine { enabled: true, ..WaspEngine::absent() };
    engine.enabled = section.flag(reader, "enabled").unwrap_or(true);
    let nested = section.section(reader, "ai");
    name_shadowed_times(reader, &section);
    let timing = nested.map(|mut ai| {
        read_reasoning(reader, &mut ai, &mut engine);
        let timing = Timing::read(reader, &mut ai);
        ai.finish(reader);
        timing
    });
    // Before the `ai` section existed, its times stood one level higher.
    let flat = Timing::read(reader, &mut section);
    timing.unwrap_or_default().or(flat).apply(&mut engine);
    engine.history = read_history(reader, &mut section);
    ignore_engine_surroundings(reader, &mut section);
    section.finish(reader);
    engine
}

/// A time that stands in both places counts only in the newer one.
fn name_shadowed_times<'d>(reader: &mut Reader<'d>, section: &Section<'d>) {
    let Some(ai) = section.node().get("ai") else { return };
    for key in TIMES {
        if let (Some(flat), Some(_)) = (section.node().get(key), ai.get(key)) {
            reader.ignore(flat, &section.path_of(key), "ai-engine.ai sets it as well, which counts");
        }
    }
}

fn ignore_engine_surroundings<'d>(reader: &mut Reader<'d>, section: &mut Section<'d>) {
    section.ignore(
        reader,
        &["data"],
        "only for the command line of WASP's engine; Drover decides on live snapshots",
    );
    section.ignore(reader, &["paths"], NO_ENGINE_FILES);
    section.ignore(reader, &["logging"], "Drover has no engine log");
    section.ignore(reader, &["monitor", "actuator", "server"], ONE_PROCESS);
    section.ignore(reader, &["monitored_duration_sec"], "the scenario's last event ends a run");
}

impl WaspEngine {
    /// A file without an engine: nothing decides.
    fn absent() -> Self {
        Self {
            enabled: false,
            model: None,
            scheduler_interval: DEFAULT_SCHEDULER_INTERVAL,
            lookback: DEFAULT_LOOKBACK,
            decides_immediately: false,
            graph: WaspGraph::Single,
            prompt: None,
            provider: None,
            temperature: None,
            max_output_tokens: None,
            prompts: WaspPrompts::default(),
            workloads_per_call: None,
            models: Vec::new(),
            listed_clusters: Vec::new(),
            history: WaspHistory { enabled: false, batches: DEFAULT_HISTORY_BATCHES },
        }
    }
}

/// Times that may stand in `ai-engine` or in `ai-engine.ai`.
#[derive(Clone, Copy, Default)]
struct Timing {
    interval: Option<u64>,
    lookback: Option<u64>,
    immediately: Option<bool>,
    workloads_per_call: Option<u64>,
}

impl Timing {
    fn read<'d>(reader: &mut Reader<'d>, section: &mut Section<'d>) -> Self {
        Self {
            interval: section.whole(reader, "scheduler_interval"),
            lookback: section.whole(reader, "timestamp_lookback_seconds"),
            immediately: section.flag(reader, "fetch_metrics_immediately"),
            workloads_per_call: section.whole(reader, "workloads_shard_size"),
        }
    }

    fn or(self, other: Self) -> Self {
        Self {
            interval: self.interval.or(other.interval),
            lookback: self.lookback.or(other.lookback),
            immediately: self.immediately.or(other.immediately),
            workloads_per_call: self.workloads_per_call.or(other.workloads_per_call),
        }
    }

    fn apply(self, engine: &mut WaspEngine) {
        let period = |seconds: Option<u64>, default| seconds.map_or(default, seconds_period);
        engine.scheduler_interval = period(self.interval, DEFAULT_SCHEDULER_INTERVAL);
        engine.lookback = period(self.lookback, DEFAULT_LOOKBACK);
        engine.decides_immediately = self.immediately.unwrap_or(false);
        engine.workloads_per_call = self.workloads_per_call;
    }
}

fn seconds_period(seconds: u64) -> Period {
    Period::from_millis(seconds.saturating_mul(1000))
}

fn read_reasoning<'d>(reader: &mut Reader<'d>, ai: &mut Section<'d>, engine: &mut WaspEngine) {
    let selected = ai.text(reader, "selected_model");
    let several = read_multi_agent(reader, ai);
    let single = read_single_agent(reader, ai);
    let default = ai.section(reader, "default_config").map(|mut section| {
        let generation = Generation::read(reader, &mut section);
        section.finish(reader);
        generation
    });
    engine.models = read_models(reader, ai);
    let alias = engine.models.iter().find(|model| Some(&model.alias) == selected.as_ref());
    if let (None, Some(models)) = (alias, ai.take("models")) {
        reader.ignore(models, &ai.path_of("models"), "selected_model is none of these");
    }
    if let (true, Some(default)) = (several.generation.is_complete(), ai.take("default_config")) {
        reader.ignore(default, &ai.path_of("default_config"), "multi_agent sets the same, which counts");
    }
    let catalogued = alias.map(|model| Generation {
        provider: model.provider.clone(),
        temperature: model.temperature,
        max_output_tokens: model.max_output_tokens,
    });
    engine.model = alias.and_then(|model| model.model_name.clone()).or(selected);
    engine.graph = several.graph.or(single.graph).unwrap_or(WaspGraph::Single);
    engine.prompt = several.prompt.or(single.prompt);
    engine.prompts = several.prompts;
    let generation = several
        .generation
        .or(single.generation)
        .or(catalogued.unwrap_or_default())
        .or(default.unwrap_or_default());
    engine.provider = generation.provider;
    engine.temperature = generation.temperature;
    engine.max_output_tokens = generation.max_output_tokens;
    engine.listed_clusters = read_listed_clusters(reader, ai);
}

fn read_multi_agent<'d>(reader: &mut Reader<'d>, ai: &mut Section<'d>) -> Reasoning {
    if let Some(Value::Bool(several)) = ai.take("multi_agent").map(|node| &node.value) {
        // The oldest form: a switch.
        let graph = Some(if *several { WaspGraph::Several } else { WaspGraph::Single });
        return Reasoning { graph, ..Reasoning::default() };
    }
    let Some(mut section) = ai.section(reader, "multi_agent") else { return Reasoning::default() };
    let graph =
        section.word(reader, "graph_version", &[("v1", WaspGraph::Single), ("v2", WaspGraph::Several)]);
    let prompt = section.text(reader, "selected_prompt");
    let generation = Generation::read(reader, &mut section);
    let mut prompts = WaspPrompts::default();
    if let Some(mut agents) = section.section(reader, "agents") {
        agents.ignore(reader, &["cpu_checker", "memory_checker", "pending_checker"], OLD_VOTES);
        // WASP's README shows the prompt files here, its file and code one level higher.
        read_prompts(reader, &mut agents, &mut prompts);
        agents.finish(reader);
    }
    read_prompts(reader, &mut section, &mut prompts);
    section.finish(reader);
    Reasoning { graph, prompt, prompts, generation }
}

fn read_prompts<'d>(reader: &mut Reader<'d>, section: &mut Section<'d>, prompts: &mut WaspPrompts) {
    let Some(mut files) = section.section(reader, "prompts") else { return };
    prompts.performance = files.text(reader, "performance_prompt_file").or(prompts.performance.take());
    prompts.cost = files.text(reader, "cost_prompt_file").or(prompts.cost.take());
    prompts.consolidator = files.text(reader, "consolidator_prompt_file").or(prompts.consolidator.take());
    files.finish(reader);
}

fn read_single_agent<'d>(reader: &mut Reader<'d>, ai: &mut Section<'d>) -> Reasoning {
    let modes = [("single_agent", WaspGraph::Single), ("multi_agent", WaspGraph::Several)];
    let graph = ai.word(reader, "mode", &modes);
    let Some(mut section) = ai.section(reader, "single_agent") else {
        return Reasoning { graph, ..Reasoning::default() };
    };
    let prompt = section.text(reader, "selected_prompt");
    let generation = Generation::read(reader, &mut section);
    section.finish(reader);
    Reasoning { graph, prompt, generation, prompts: WaspPrompts::default() }
}

fn read_models<'d>(reader: &mut Reader<'d>, ai: &mut Section<'d>) -> Vec<WaspModel> {
    let Some(section) = ai.section(reader, "models") else { return Vec::new() };
    let mut models = Vec::new();
    for entry in section.node().entries() {
        let mut model = reader.section(&entry.value, &section.path_of(&entry.key));
        let model_name = model.text(reader, "model_name");
        let Generation { provider, temperature, max_output_tokens } = Generation::read(reader, &mut model);
        models.push(WaspModel {
            alias: entry.key.clone(),
            model_name,
            provider,
            temperature,
            max_output_tokens,
        });
        model.finish(reader);
    }
    models
}

fn read_listed_clusters<'d>(reader: &mut Reader<'d>, ai: &mut Section<'d>) -> Vec<String> {
    let Some(mut selection) = ai.section(reader, "cluster_selection") else { return Vec::new() };
    let listed = selection.take("listed_clusters");
    let path = selection.path_of("listed_clusters");
    selection.finish(reader);
    let mut clusters = Vec::new();
    for (path, node) in listed.map(|node| reader.list(node, &path)).unwrap_or_default() {
        match node.scalar() {
            Some(name) => clusters.push(name.to_owned()),
            None => reader.expected(node, &path, "a cluster's name", Some("write for instance member1")),
        }
    }
    clusters
}

fn read_history<'d>(reader: &mut Reader<'d>, section: &mut Section<'d>) -> WaspHistory {
    let Some(mut history) = section.section(reader, "recommendation_history") else {
        return WaspHistory { enabled: false, batches: DEFAULT_HISTORY_BATCHES };
    };
    let enabled = history.flag(reader, "enabled").unwrap_or(false);
    let batches = history.whole(reader, "lookback_count").unwrap_or(DEFAULT_HISTORY_BATCHES);
    history.ignore(reader, &["mongodb"], "Drover keeps its history in its journal");
    history.finish(reader);
    WaspHistory { enabled, batches }
}

fn read_collection_interval<'d>(reader: &mut Reader<'d>, root: &mut Section<'d>) -> Period {
    let mut seconds = None;
    // Older files spell the section with a capital, or split it into a server's and a command line's part.
    for key in ["monitor", "Monitor"] {
        let Some(mut section) = root.section(reader, key) else { continue };
        seconds = seconds.or(section.whole(reader, "collection_interval"));
        section.ignore(reader, &["mode"], ONE_PROCESS);
        for part in ["api", "cli"] {
            let Some(mut part) = section.section(reader, part) else { continue };
            seconds = seconds.or(part.whole(reader, "collection_interval"));
            part.ignore(reader, &["port", "output_path"], ONE_PROCESS);
            part.finish(reader);
        }
        section.finish(reader);
    }
    seconds.map_or(DEFAULT_COLLECTION_INTERVAL, seconds_period)
}

fn read_actuator<'d>(reader: &mut Reader<'d>, root: &mut Section<'d>) -> WaspActuator {
    let (karmada, automatic) = (WaspOrchestrator::Karmada, WaspReview::Automatic);
    let Some(mut section) = root.section(reader, "actuator") else {
        return WaspActuator { orchestrator: karmada, review: automatic };
    };
    let orchestrators = [("karmada", karmada), ("morpheus", WaspOrchestrator::Morpheus)];
    let orchestrator = section.word(reader, "orchestrator", &orchestrators).unwrap_or(karmada);
    if orchestrator == WaspOrchestrator::Morpheus {
        reader.notice(section.line(), &section.path_of("orchestrator"), NO_MORPHEUS);
    }
    let modes = [("auto", automatic), ("human-in-the-loop", WaspReview::Human)];
    let review = section.word(reader, "mode", &modes).unwrap_or(automatic);
    section.ignore(reader, &["server"], ONE_PROCESS);
    section.ignore(reader, &["file"], "only for the command line of WASP's actuator");
    section.ignore(reader, &["morpheus"], NO_MORPHEUS);
    section.finish(reader);
    WaspActuator { orchestrator, review }
}

#[cfg(test)]
mod tests;
