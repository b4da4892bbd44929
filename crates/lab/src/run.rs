//! One run: a scenario, a strategy and a seed in; a journal, meters and the course of events out.

use crate::models::{Account, InOneRun, Models};
use crate::summary::{ClusterMeters, Meters, ModelMeters, StageCounts, Summary, VerticalAdvice};
use crate::timeline::Timeline;
use control::agent::{Agent, Cadence, Scope};
use control::control_loop::{ControlLoop, LoopConfig};
use control::journal::{Journal, JournalWriter};
use control::review_desk::ReviewMode;
use control::run::RunError;
use control::supply::SuppliedAgent;
use control::world::{Effect, Input};
use model::energy::{Micrograms, Microjoules};
use model::hash::ContentHash;
use model::names::{AgentName, ReviewerName};
use model::order::Grant;
use model::review::Stage;
use model::series::Series;
use model::time::{Period, Timestamp};
use serde::{Deserialize, Serialize};
use simulator::scenario::{AgentSpec, ReviewerSpec, WorldSpec};
use simulator::world::{ClusterTotals, Ledger, PodLife, SimulatedWorld, Totals};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;
use strategies::catalogue::StrategyConfig;

/// A scenario whose agents decide with our strategies.
pub type Scenario = simulator::scenario::Scenario<StrategyConfig>;

/// Who answers recommendations in this run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Review {
    /// A granted rule approves what the guardrails let through.
    Auto,
    /// The simulated reviewer.
    Simulated,
    /// Nobody.
    Hold,
}

/// A run to be made.
#[derive(Clone, Debug)]
pub struct Plan {
    pub world: Arc<WorldSpec>,
    pub reviewer: ReviewerSpec,
    pub header: Header,
    /// Whether the outcome tells the life of every pod.
    pub record_pods: bool,
    /// Who answers what agents ask of models; without, they decide without.
    pub models: Option<Models>,
}

/// What the journal says about itself: enough to build the same loop again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The version of the program.
    pub build: String,
    pub scenario: String,
    pub strategy: String,
    pub seed: u64,
    pub review: String,
    pub control: LoopConfig,
    pub agents: Vec<AgentHeader>,
}

/// An agent as data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentHeader {
    pub name: AgentName,
    pub cadence: Cadence,
    pub lookback: Period,
    pub scope: Scope,
    pub decide: StrategyConfig,
}

/// Somebody who watches a run: a progress bar, an exporter.
pub type Observer<'a> = &'a mut dyn FnMut(Timestamp, &Input, &[Effect]);

/// What a run left behind.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub summary: Summary,
    pub series: Series,
    pub timeline: Timeline,
    /// Empty unless the plan asked for it.
    pub pods: Vec<PodLife>,
    /// How many pods were placed and finished, and a number that stands for all placements.
    pub ledger: Ledger,
}

impl Plan {
    /// Takes a scenario as it is.
    pub fn new(scenario: Scenario, seed: u64) -> Self {
        let agents: Vec<AgentHeader> = scenario.agents.into_iter().map(AgentHeader::of).collect();
        let review = match (&scenario.control.review, scenario.reviewer.present) {
            (ReviewMode::Auto { .. }, _) => "auto",
            (_, true) => "simulated",
            (_, false) => "hold",
        };
        let header = Header {
            build: env!("CARGO_PKG_VERSION").to_owned(),
            scenario: scenario.world.name.clone(),
            strategy: strategy_name(&agents),
            seed,
            review: review.to_owned(),
            control: scenario.control,
            agents,
        };
        let (world, reviewer) = (Arc::new(scenario.world), scenario.reviewer);
        Self { world, reviewer, header, record_pods: false, models: None }
    }

    /// Lets every agent decide with this strategy; a scenario without agents gets one that decides every minute.
    #[must_use]
    pub fn with_strategy(mut self, strategy: &StrategyConfig) -> Self {
        if self.header.agents.is_empty() {
            self.header.agents.push(AgentHeader::default_one(strategy.clone()));
        }
        for agent in &mut self.header.agents {
            agent.decide = strategy.clone();
        }
        self.header.strategy = strategy_name(&self.header.agents);
        self
    }

    #[must_use]
    pub fn with_review(mut self, review: Review) -> Self {
        self.reviewer.present = review == Review::Simulated;
        self.header.control.review = match review {
            Review::Auto => ReviewMode::Auto {
                rule: ReviewerName::new("command-line").expect("a valid name"),
                limits: Grant::default(),
            },
            Review::Simulated | Review::Hold => ReviewMode::Human,
        };
        let name = match review {
            Review::Auto => "auto",
            Review::Simulated => "simulated",
            Review::Hold => "hold",
        };
        name.clone_into(&mut self.header.review);
        self
    }

    /// Makes the run. The journal is complete when this returns.
    pub fn run<W: Write>(&self, journal: W, observer: Observer<'_>) -> io::Result<Outcome> {
        let mut world = SimulatedWorld::new(Arc::clone(&self.world), self.reviewer.clone(), self.header.seed);
        if self.record_pods {
            world.record_pods();
        }
        let models = self.models.clone().map(|models| Arc::new(InOneRun::new(models)));
        if let Some(models) = &models {
            world = world.with_respondent(Arc::clone(models) as _);
        }
        let mut control = self.header.control_loop();
        let writer = JournalWriter::begin(journal, &self.header)?;
        let (timeline, account) = (Timeline::default(), Account::default());
        let mut recorder = Recorder { writer, timeline, account, observer };
        control::run::run(&mut world, &mut control, &mut recorder).map_err(|error| match error {
            RunError::Journal(error) => error,
            RunError::World(never) => match never {},
        })?;
        let Recorder { writer, timeline, account, .. } = recorder;
        let (_, hash) = writer.end()?;
        match models.map_or(0, |models| models.missing()) {
            0 => {}
            missing => return Err(not_recorded(missing)),
        }
        let mut summary = self.summary(&world, &control.recommendation_counts(), &timeline, hash);
        summary.models = ModelMeters::of(&account);
        Ok(Outcome {
            summary,
            series: world.series(),
            timeline,
            pods: world.pod_lives(),
            ledger: world.ledger(),
        })
    }

    fn summary(
        &self,
        world: &SimulatedWorld,
        counts: &BTreeMap<Stage, u64>,
        timeline: &Timeline,
        journal: ContentHash,
    ) -> Summary {
        let totals = world.totals();
        Summary {
            scenario: self.header.scenario.clone(),
            strategy: self.header.strategy.clone(),
            seed: self.header.seed,
            review: self.header.review.clone(),
            duration_s: totals.elapsed.as_seconds_float(),
            events: world.events(),
            journal_sha256: journal.to_string(),
            meters: meters(&totals, timeline.decisions(), self.header.control.observe_every),
            vertical: totals.verticals.iter().map(|(name, said)| VerticalAdvice::new(name, said)).collect(),
            recommendations: StageCounts::of(counts),
            infeasible: timeline.infeasible(),
            faults: world.troubles().iter().map(Into::into).collect(),
            models: None,
        }
    }
}

impl Header {
    /// The loop this header describes, at its beginning.
    pub fn control_loop(&self) -> ControlLoop {
        let agents = self.agents.iter().map(|agent| agent.build(self.seed)).collect();
        ControlLoop::new(self.control.clone(), agents).with_maker(strategy)
    }
}

/// A strategy of its description, if it is one that this build knows.
fn strategy(description: &serde_json::Value) -> Option<Box<dyn control::strategy::Strategy>> {
    let config: StrategyConfig = serde_json::from_value(description.clone()).ok()?;
    config.check().ok()?;
    Some(config.build())
}

impl AgentHeader {
    /// One that came after the run had begun; nothing if this build does not know its strategy.
    pub fn supplied(agent: &SuppliedAgent) -> Option<Self> {
        Some(Self {
            name: agent.name.clone(),
            cadence: Cadence { every: agent.every, first_at: Timestamp::EPOCH },
            lookback: agent.lookback,
            scope: agent.scope.clone(),
            decide: serde_json::from_value(agent.decide.clone()).ok()?,
        })
    }

    fn of(spec: AgentSpec<StrategyConfig>) -> Self {
        let AgentSpec { name, cadence, lookback, scope, decide } = spec;
        Self { name, cadence, lookback, scope, decide }
    }

    fn default_one(decide: StrategyConfig) -> Self {
        let minute = Period::from_minutes(1);
        Self {
            name: AgentName::new("agent").expect("a valid name"),
            cadence: Cadence { every: minute, first_at: Timestamp::EPOCH + minute },
            lookback: Period::from_minutes(10),
            scope: Scope::default(),
            decide,
        }
    }

    fn build(&self, seed: u64) -> Agent {
        Agent {
            name: self.name.clone(),
            cadence: self.cadence,
            lookback: self.lookback,
            scope: self.scope.clone(),
            strategy: self.decide.for_run(seed).build(),
        }
    }
}

/// A run with answers missing says nothing about the models, so it is none.
fn not_recorded(missing: u64) -> io::Error {
    let text = format!(
        "{missing} questions to models are not on the cassette; record them with --models, or leave the cassette out"
    );
    io::Error::new(io::ErrorKind::NotFound, text)
}

fn strategy_name(agents: &[AgentHeader]) -> String {
    let mut names: Vec<&str> = agents.iter().map(|agent| agent.decide.name()).collect();
    names.dedup();
    if names.is_empty() { "none".to_owned() } else { names.join("+") }
}

fn meters(totals: &Totals, decisions: u64, interval: Period) -> Meters {
    let cost_usd = totals.cost.as_dollars_float();
    let intervals = totals.elapsed.as_seconds_float() / interval.as_seconds_float();
    let cluster = |(name, cluster): (&model::names::ClusterName, &ClusterTotals)| {
        let meters = ClusterMeters {
            cpu_load_mean: cluster.cpu_load_mean,
            cpu_load_max: cluster.cpu_load_max,
            cpu_load_final: cluster.cpu_load_final,
            memory_load_mean: cluster.memory_load_mean,
            memory_load_max: cluster.memory_load_max,
            memory_load_final: cluster.memory_load_final,
            limit_violation_ratio: cluster.limit_violation_ratio,
            cpu_used_mean: cluster.cpu_used_mean,
            energy_kwh: cluster.energy.map(Microjoules::as_kilowatt_hours_float),
            carbon_kg: cluster.emissions.map(kilograms),
        };
        (name.clone(), meters)
    };
    Meters {
        pending_pods_mean: totals.pending_pods_mean,
        pending_pods_max: totals.pending_pods_max,
        time_with_pending_ratio: totals.time_with_pending_ratio,
        workload_moves: totals.workload_moves,
        repeat_moves: totals.repeat_moves,
        migrated_pods: totals.migrated_pods,
        migrated_pods_per_execution: totals.migrated_pods as f64 / decisions.max(1) as f64,
        evicted_pods: totals.evicted_pods,
        node_hours: totals.node_hours,
        cost_usd,
        cost_usd_per_interval: if intervals > 0.0 { cost_usd / intervals } else { 0.0 },
        energy_kwh: sum(totals, |cluster| cluster.energy.map(Microjoules::as_kilowatt_hours_float)),
        carbon_kg: sum(totals, |cluster| cluster.emissions.map(kilograms)),
        services: totals.services.iter().map(|(name, service)| (name.clone(), service.into())).collect(),
        clusters: totals.clusters.iter().map(cluster).collect(),
    }
}

/// Over all clusters that know; none if no cluster does.
fn sum(totals: &Totals, of: fn(&ClusterTotals) -> Option<f64>) -> Option<f64> {
    totals.clusters.values().filter_map(of).reduce(|all, one| all + one)
}

fn kilograms(mass: Micrograms) -> f64 {
    mass.0 as f64 / 1e9
}

/// Writes the journal and keeps the course of events beside it.
struct Recorder<'a, W: Write> {
    writer: JournalWriter<W>,
    timeline: Timeline,
    account: Account,
    observer: Observer<'a>,
}

impl<W: Write> Journal for Recorder<'_, W> {
    type Error = io::Error;

    fn append(&mut self, now: Timestamp, input: &Input, effects: &[Effect]) -> io::Result<()> {
        self.writer.append(now, input, effects)?;
        self.timeline.observe(now, input, effects);
        self.account.observe(input, effects);
        (self.observer)(now, input, effects);
        Ok(())
    }
}
