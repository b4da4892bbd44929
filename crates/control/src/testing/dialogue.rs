//! A dialogue: lines that happen to a loop, and in between what it does about them.
//!
//! ```text
//! plan keeper migrate web x2 a b; resize a 2 1     what the agent wants from now on; also: hold, ask <question>
//! world web 1 a=2 pinned                           the world changes; nobody sees it yet
//! gone web
//! 0:30 observe [taken 0:10]                        from here on, what happens to the loop
//! 0:30 wake
//! 0:40 review R-1 approve anna [other content]
//! 0:50 applied R-1 done | failed <why> | undone <why>
//! 0:50 order anna freeze everything                an order of a person
//! 0:50 proposed wasp migrate web x2 a b            what somebody outside wants; `only` ends what it wanted before
//! 0:50 answered keeper migrate web x2 a b          the answer is the plan of this one decision
//! wake?                                            when the loop wants to be woken
//! ```

use super::{Law, World, action, moment, shown};
use crate::agent::{Agent, Cadence, Scope};
use crate::control_loop::{ControlLoop, LoopConfig};
use crate::guardrails::GuardrailConfig;
use crate::policy::Policy;
use crate::question::{Answer, Question, Told};
use crate::review_desk::{Expiry, ReviewDesk, ReviewMode};
use crate::strategy::{Decision, HoldReason, Strategy, View};
use crate::world::{Applied, Effect, Explanation, Input, Proposal};
use model::hash::ContentHash;
use model::names::{AgentName, ClusterName, ReviewerName};
use model::order::{Command, Extent, Grant, Mode, ModeSetting, Order};
use model::recommendation::{Draft, Rationale};
use model::review::{Review, Reviewer, Verdict};
use model::risk::Risk;
use model::time::{Period, Timestamp};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::{Arc, Mutex};

/// What each agent wants, and what it saw when it last decided.
#[derive(Default)]
struct Minds {
    plans: BTreeMap<String, String>,
    seen: BTreeMap<String, String>,
}

/// Wants whatever the script says.
struct Scripted {
    name: String,
    minds: Arc<Mutex<Minds>>,
}

impl Strategy for Scripted {
    fn decide(&mut self, view: &View<'_>) -> Decision {
        let mut minds = self.minds.lock().unwrap();
        let oldest = view.history.front().map_or_else(|| "nothing".to_owned(), |old| shown(old.taken_at));
        let listed = |actions: &[model::action::Action]| {
            actions.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
        };
        let seen = format!(
            "history {} from {oldest}, committed [{}], awaiting [{}]",
            view.history.len(),
            listed(view.committed),
            listed(view.awaiting)
        );
        minds.seen.insert(self.name.clone(), seen);
        let plan = view.answer.and_then(|answer| match &answer.replies[0].told {
            Told::Text { text, .. } => Some(text.as_str()),
            Told::Failed { .. } => None,
        });
        decision(plan.or(minds.plans.get(&self.name).map(String::as_str)).unwrap_or("hold"))
    }
}

fn decision(plan: &str) -> Decision {
    if let Some(text) = plan.strip_prefix("ask ") {
        let question = Question::plain(0, text);
        return Decision::ask(question);
    }
    let draft = |text: &str| Draft { action: action(text), because: Rationale::default() };
    let drafts = if plan == "hold" { Vec::new() } else { plan.split(';').map(draft).collect() };
    Decision::recommend(drafts, HoldReason::WithinLimits)
}

/// How a dialogue begins. The default has one agent, `keeper`, that decides on every observation, and rules that never refuse.
pub(crate) struct Setup {
    pub(crate) config: LoopConfig,
    pub(crate) agents: Vec<(&'static str, Cadence, Period, Scope)>,
    pub(crate) max_open: Option<u32>,
    pub(crate) world: World,
}

impl Setup {
    pub(crate) fn new(world: &str) -> Self {
        let guardrails = GuardrailConfig {
            max_snapshot_age: Period::from_minutes(2),
            max_load: None,
            max_pending: None,
            cool_down: Period::ZERO,
            moves_per_hour: None,
            freezes: Vec::new(),
            despite: std::collections::BTreeSet::new(),
        };
        let config = LoopConfig {
            observe_every: Period::from_secs(30),
            first_observation_at: moment("0:30"),
            guardrails,
            review: ReviewMode::Human,
            expiry: Expiry::Lifetime { period: Period::from_minutes(10) },
            policy: Policy::default(),
        };
        let mut setup = Self { config, agents: Vec::new(), max_open: None, world: World::new(world) };
        setup.agent("keeper");
        setup
    }

    pub(crate) fn agent(&mut self, name: &'static str) {
        let cadence = Cadence { every: Period::from_secs(30), first_at: Timestamp::EPOCH };
        self.agents.push((name, cadence, Period::from_minutes(5), Scope::default()));
    }

    pub(crate) fn guarded(mut self, change: impl FnOnce(&mut GuardrailConfig)) -> Self {
        change(&mut self.config.guardrails);
        self
    }

    pub(crate) fn ruled(mut self, change: impl FnOnce(&mut Policy)) -> Self {
        change(&mut self.config.policy);
        self
    }

    pub(crate) fn automatic(mut self) -> Self {
        self.config.review =
            ReviewMode::Auto { rule: ReviewerName::new("granted").unwrap(), limits: Grant::default() };
        self
    }

    pub(crate) fn next_batch(mut self) -> Self {
        self.config.expiry = Expiry::NextBatch;
        self
    }
}

/// A loop in conversation.
pub(crate) struct Dialogue {
    control: ControlLoop,
    world: World,
    minds: Arc<Mutex<Minds>>,
    pub(crate) law: Law,
    text: String,
    pub(crate) record: Vec<(Timestamp, Input, Vec<Effect>)>,
}

impl Dialogue {
    pub(crate) fn new(setup: &Setup) -> Self {
        let minds = Arc::new(Mutex::new(Minds::default()));
        let agents = setup.agents.iter().map(|(name, cadence, lookback, scope)| Agent {
            name: AgentName::new(name).unwrap(),
            cadence: *cadence,
            lookback: *lookback,
            scope: scope.clone(),
            strategy: Box::new(Scripted { name: (*name).to_owned(), minds: Arc::clone(&minds) }),
        });
        let mut control = ControlLoop::new(setup.config.clone(), agents.collect());
        if let Some(max_open) = setup.max_open {
            control = control.with_desk(ReviewDesk::with_room_for(max_open));
        }
        let mut law = Law::default();
        if let ReviewMode::Auto { rule, .. } = &setup.config.review {
            law.granted.push(Reviewer::Rule(rule.clone()));
        }
        law.granted.push(Reviewer::Rule(ReviewerName::new("auto").unwrap()));
        law.granted.extend(setup.config.policy.passes.iter().map(|rule| Reviewer::Rule(rule.name.clone())));
        let (world, text, record) = (setup.world.clone(), String::new(), Vec::new());
        Self { control, world, minds, law, text, record }
    }

    /// Says all lines and returns the whole conversation.
    pub(crate) fn of(setup: &Setup, script: &str) -> String {
        let mut dialogue = Self::new(setup);
        script.lines().map(str::trim).filter(|line| !line.is_empty()).for_each(|line| dialogue.say(line));
        dialogue.text
    }

    pub(crate) fn say(&mut self, line: &str) {
        writeln!(self.text, "{line}").unwrap();
        let (first, rest) = line.split_once(' ').unwrap_or((line, ""));
        match first {
            "plan" => {
                let (agent, plan) = rest.split_once(' ').unwrap();
                self.minds.lock().unwrap().plans.insert(agent.to_owned(), plan.to_owned());
            }
            "world" => self.world.set(rest),
            "gone" => self.world.remove(rest),
            "wake?" => writeln!(self.text, "  wake at {}", shown(self.control.wake_at())).unwrap(),
            "seen?" => {
                writeln!(self.text, "  {}", self.minds.lock().unwrap().seen[rest]).unwrap();
            }
            _ => self.happen(moment(first), rest),
        }
    }

    fn happen(&mut self, now: Timestamp, what: &str) {
        let input = self.input(now, what);
        let effects = self.control.handle(now, &input);
        self.law.watch(&input, &effects);
        assert_eq!(self.control.recommendation_counts(), self.law.counts());
        for effect in &effects {
            writeln!(self.text, "  {}", told(effect)).unwrap();
        }
        self.record.push((now, input, effects));
    }

    fn input(&self, now: Timestamp, what: &str) -> Input {
        let (word, rest) = what.split_once(' ').unwrap_or((what, ""));
        match word {
            "wake" => Input::WakeUp,
            "observe" => {
                let taken_at = rest.strip_prefix("taken ").map_or(now, moment);
                Input::Observed(Arc::new(self.world.snapshot(taken_at)))
            }
            "review" => self.review(rest),
            "order" => Input::Ordered(self.order(rest)),
            "proposed" => {
                let (agent, plan) = rest.split_once(' ').unwrap();
                let complete = plan.strip_prefix("only ");
                let draft = |text: &str| Draft { action: action(text), because: Rationale::default() };
                let drafts = complete.unwrap_or(plan).split(';').map(draft).collect();
                let agent = AgentName::new(agent).unwrap();
                Input::Proposed(Proposal { agent, drafts, complete: complete.is_some() })
            }
            "answered" => {
                let (agent, text) = rest.split_once(' ').unwrap();
                let answer = Answer::plain(0, text);
                Input::Answered { agent: AgentName::new(agent).unwrap(), answer }
            }
            "applied" => {
                let (id, outcome) = rest.split_once(' ').unwrap();
                let (result, reason) = outcome.split_once(' ').unwrap_or((outcome, ""));
                let reason = reason.to_owned();
                let outcome = match result {
                    "done" => Applied::Done,
                    "failed" => Applied::Failed { reason },
                    _ => Applied::RolledBack { reason },
                };
                Input::Applied { id: id.parse().unwrap(), outcome }
            }
            _ => panic!("nothing that can happen: {what}"),
        }
    }

    fn review(&self, text: &str) -> Input {
        let words: Vec<&str> = text.split_whitespace().collect();
        let recommendation = words[0].parse().unwrap();
        let verdict = match words[1] {
            "approve" => Verdict::Approve,
            "reject" => Verdict::Reject,
            until => Verdict::Defer { until: moment(until) },
        };
        let reviewer = Reviewer::Person(ReviewerName::new(words[2]).unwrap());
        let hash = if words.len() > 3 { ContentHash::of("other") } else { self.law.hash_of(recommendation) };
        Input::Reviewed(Review { recommendation, hash, verdict, reviewer, note: None })
    }
}

impl Dialogue {
    /// `anna freeze cluster a [until 5:00]`, `anna unfreeze F-1`, `anna mode auto cluster a`, `anna clear cluster a`,
    /// `anna target R-1 b`, `anna propose migrate web x2 a b`, `anna abort R-1`.
    fn order(&self, text: &str) -> Order {
        let words: Vec<&str> = text.split_whitespace().collect();
        let what = match words[1] {
            "freeze" => Command::Freeze {
                scope: extent(&words[2..]),
                until: words.iter().position(|word| *word == "until").map(|place| moment(words[place + 1])),
            },
            "unfreeze" => Command::Unfreeze { freeze: words[2].parse().unwrap() },
            "mode" => {
                let setting = ModeSetting { agent: None, scope: extent(&words[3..]), mode: mode(words[2]) };
                Command::SetMode { setting }
            }
            "clear" => Command::ClearMode { agent: None, scope: extent(&words[2..]) },
            "target" => {
                let recommendation = words[2].parse().unwrap();
                let hash = self.law.hash_of(recommendation);
                Command::ChangeTarget { recommendation, hash, to: ClusterName::new(words[3]).unwrap() }
            }
            "propose" => Command::Propose { action: action(&words[2..].join(" ")), undoes: None },
            "abort" => Command::Abort { recommendation: words[2].parse().unwrap() },
            other => panic!("no such order: {other}"),
        };
        Order { by: ReviewerName::new(words[0]).unwrap(), reason: String::new(), what }
    }
}

fn extent(words: &[&str]) -> Extent {
    match words {
        ["cluster", name, ..] => Extent::Cluster(ClusterName::new(name).unwrap()),
        ["namespace", name, ..] => Extent::Namespace((*name).to_owned()),
        ["workload", name, ..] => Extent::Workload(format!("default/{name}").parse().unwrap()),
        ["agent", name, ..] => Extent::Agent(AgentName::new(name).unwrap()),
        _ => Extent::Everything,
    }
}

/// `observe`, `human`, `rules`, `auto`, `auto:low` (highest risk), `auto:2/h` (per hour).
fn mode(text: &str) -> Mode {
    let (word, limit) = text.split_once(':').unwrap_or((text, ""));
    let highest_risk = Risk::ALL.into_iter().find(|risk| risk.as_str() == limit);
    let per_hour = limit.strip_suffix("/h").map(|number| number.parse().unwrap());
    match word {
        "observe" => Mode::Observe,
        "human" => Mode::Human,
        "rules" => Mode::Rules,
        _ => Mode::Auto { limits: Grant { highest_risk, per_hour, ..Grant::default() } },
    }
}

fn told(effect: &Effect) -> String {
    match effect {
        Effect::Endorse { id, by, given, needed } => format!("{id} endorsed by {by}, {given} of {needed}"),
        Effect::Defer { id, until, expires_at } => {
            format!("{id} deferred until {}, then until {}", shown(*until), shown(*expires_at))
        }
        Effect::Predict { ids } => {
            format!("predict {}", ids.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))
        }
        Effect::Abort { id } => format!("{id} abort"),
        Effect::Freeze(freeze) => format!("{} freezes {}", freeze.id, freeze.scope),
        Effect::Unfreeze { id, by } => format!("{id} ends, says {by:?}"),
        Effect::SetMode(setting) => {
            let whose = setting.agent.as_ref().map(|agent| format!(" for {agent}")).unwrap_or_default();
            format!("{} in {}{whose}", setting.mode.as_str(), setting.scope)
        }
        Effect::ClearMode { scope, .. } => format!("no mode of its own in {scope}"),
        Effect::RefuseOrder { refusal } => format!("order refused: {}", words(refusal)),
        Effect::Observe => "observe".to_owned(),
        Effect::Ask { agent, question } => {
            let call = &question.calls[0];
            format!("{agent} asks {}: {}", call.model, call.messages[0].text)
        }
        Effect::Explain(explanation) => explained(explanation),
        Effect::Submit(new) => format!("{} {} until {}", new.id, new.action, shown(new.expires_at)),
        Effect::Settle { id, stage, reason } => format!("{id} {}: {}", stage.as_str(), words(reason)),
        Effect::RefuseReview { id, refusal } => format!("{id} review refused: {}", words(refusal)),
        Effect::Apply(approved) => {
            format!("{} apply, says {}", approved.recommendation().id, words(approved.reviewer()))
        }
    }
}

fn explained(explanation: &Explanation) -> String {
    let Explanation { agent, batch, submitted, kept, held, refused, .. } = explanation;
    let mut text = format!("{agent} batch {batch}: {submitted} submitted, {kept} kept");
    if let Some(reason) = held {
        write!(text, ", held: {}", words(reason)).unwrap();
    }
    for refused in refused {
        write!(text, "\n    refused {}: {}", refused.draft.action, words(&refused.refusal)).unwrap();
    }
    text
}

/// Plain data in words: what is called `because` or `result` first, then each field with its value.
fn words(value: &impl Serialize) -> String {
    fn of(value: &serde_json::Value) -> String {
        let serde_json::Value::Object(fields) = value else {
            return value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        };
        let is_tag = |name: &str| matches!(name, "because" | "result");
        let tags = fields.iter().filter(|(name, _)| is_tag(name)).map(|(_, value)| of(value));
        let others = fields
            .iter()
            .filter(|(name, _)| !is_tag(name))
            .map(|(name, value)| format!("{name} {}", of(value)));
        tags.chain(others).collect::<Vec<_>>().join(", ")
    }
    of(&serde_json::to_value(value).unwrap()).replace('_', " ")
}
