//! The real world as the desk sees it: asked without waiting, while a runtime of its own listens, looks and acts.

use crate::act::eye::Eye;
use crate::act::hand::Hand;
use crate::act::runner::Runner;
use crate::clock::{RunClock, Wall};
use crate::connect::{self, Beside, Clients, ConnectError, ConnectProblem};
use crate::definition_desk::DefinitionDesk;
use crate::freeze_desk::FreezeDesk;
use crate::observe::cluster::MemberCaches;
use crate::observe::karmada::KarmadaCaches;
use crate::observe::lives::Lives;
use crate::observe::measured::Measurements;
use crate::observe::snapshot::{FederationSeen, Moment, snapshot};
use crate::observe::{metrics, prometheus};
use crate::settings::Settings;
use crate::tell::{Teller, Told};
use crate::trouble::Trouble;
use control::review_desk::Approved;
use control::supply::Supply;
use control::world::{Applied, Effect, Input, Objection, Outside, Rehearsal};
use futures_util::future::join_all;
use model::action::Action;
use model::execution::Progress;
use model::life::PodLife;
use model::names::ClusterName;
use model::order::StandingFreeze;
use model::recommendation::RecommendationId;
use model::snapshot::Snapshot;
use model::time::Timestamp;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;
use tokio::runtime::{Builder, Handle, Runtime};

/// Threads that listen and look. What they do is waiting for others.
const THREADS: usize = 2;

/// How often it is looked whether all caches are filled, before the first observation.
const FILL_CHECK: Duration = Duration::from_millis(50);

const ONLY_OBSERVED: &str = "nothing may be changed here: the real world is only observed";

/// Clusters of Kubernetes, perhaps with Karmada above them.
pub struct RealWorld {
    shared: Arc<Shared>,
    inputs: Receiver<Input>,
    news: Sender<Input>,
    /// Nothing where nothing may be changed.
    runner: Option<Runner>,
    /// Nothing where events are not written.
    teller: Option<Teller>,
    /// What was begun, until its end is told.
    begun: BTreeMap<RecommendationId, Action>,
    /// Nothing where objects cannot freeze anything.
    freezes: Option<FreezeDesk>,
    /// Nothing where objects cannot bring agents or limits.
    definitions: Option<DefinitionDesk>,
    /// Taken when the world is dropped.
    runtime: Option<Runtime>,
}

struct Shared {
    settings: Settings,
    clients: Arc<Clients>,
    members: BTreeMap<ClusterName, MemberCaches>,
    karmada: Option<KarmadaCaches>,
    clock: RunClock,
}

impl RealWorld {
    /// Makes clients for everything and begins to listen. Fails with every problem at once; a cluster that does not answer is no
    /// problem here but a gap in what is observed.
    pub fn connect(settings: Settings) -> Result<Self, ConnectError> {
        let runtime =
            Builder::new_multi_thread().worker_threads(THREADS).enable_all().thread_name("clusters").build();
        let runtime = runtime.map_err(|error| ConnectError {
            problems: vec![ConnectProblem::new(
                "threads",
                error.to_string(),
                "allow this process more threads",
            )],
        })?;
        // On a thread of the runtime: whoever calls may be inside a runtime of their own, which must not be blocked.
        let (answer, made) = channel();
        runtime.spawn(async move {
            let made = connect::clients(&settings).await;
            let beside = connect::beside(&settings).await;
            let _ =
                answer.send(connect::both(made, beside).map(|(clients, beside)| (settings, clients, beside)));
        });
        let made = made.recv().unwrap_or_else(|_| {
            let problem = ConnectProblem::new("clients", "making them ended early", "report this");
            Err(ConnectError { problems: vec![problem] })
        });
        match made {
            Ok((settings, clients, beside)) => Ok(Self::listen(settings, clients, beside, runtime)),
            Err(error) => {
                runtime.shutdown_background();
                Err(error)
            }
        }
    }

    fn listen(settings: Settings, clients: Clients, beside: Beside, runtime: Runtime) -> Self {
        let inside = runtime.enter();
        let clients = Arc::new(clients);
        let follow = |(name, client): (&ClusterName, &kube::Client)| {
            let caches = MemberCaches::default();
            caches.follow(name, client, settings.timeouts);
            (name.clone(), caches)
        };
        let members = clients.members.iter().map(follow).collect();
        let karmada = clients.karmada.as_ref().map(|client| {
            let caches = KarmadaCaches::default();
            caches.follow(client, settings.timeouts);
            caches
        });
        let (news, inputs) = channel();
        let clock = RunClock::default();
        let limit = Duration::from_millis(settings.timeouts.request.as_millis());
        let runner = settings.act.then(|| {
            let eye = Eye::new(Arc::clone(&clients), limit);
            let hand = Hand::new(eye.clone(), limit, settings.fence.clone());
            Runner::new(eye, hand, &settings, clock.clone(), news.clone())
        });
        let tells = settings.act && settings.events;
        let teller = tells.then(|| Teller::begin(Arc::clone(&clients), settings.fence.clone(), limit));
        let freezes = settings.freezes.as_ref().zip(beside.freezes);
        let freezes = freezes.map(|(found, client)| FreezeDesk::follow(client, &found.namespace, &settings));
        let definitions = settings.definitions.as_ref().zip(beside.definitions);
        let definitions =
            definitions.map(|(found, client)| DefinitionDesk::follow(&client, found, &settings));
        let shared = Arc::new(Shared { settings, clients, members, karmada, clock });
        drop(inside);
        let begun = BTreeMap::new();
        Self { shared, inputs, news, runner, teller, begun, freezes, definitions, runtime: Some(runtime) }
    }

    /// From now on the life of every pod is kept, until the recording is dropped or asked.
    pub fn record(&self) -> Recording {
        let lives = |(name, caches): (&ClusterName, &MemberCaches)| (name.clone(), caches.keep_lives());
        Recording {
            members: self.shared.members.iter().map(lives).collect(),
            shared: Arc::clone(&self.shared),
        }
    }

    fn observe(&self) {
        let Some(runtime) = &self.runtime else { return };
        let (shared, news) = (Arc::clone(&self.shared), self.news.clone());
        let standing = self.runner.clone();
        runtime.spawn(async move {
            let seen = shared.look(standing.as_ref()).await;
            let _ = news.send(Input::Observed(Arc::new(seen)));
        });
    }

    fn refuse(&self, approved: &Approved) {
        let reason = ONLY_OBSERVED.to_owned();
        let id = approved.recommendation().id;
        let _ = self.news.send(Input::Applied { id, outcome: Applied::Failed { reason } });
    }

    fn tell(&self, told: Told) {
        if let Some(teller) = &self.teller {
            teller.tell(told);
        }
    }

    /// An action whose end is seen is told on its workload.
    fn note(&mut self, input: &Input) {
        if let Input::Applied { id, outcome } = input
            && let Some(action) = self.begun.remove(id)
        {
            self.tell(Told::applied(*id, &action, outcome));
        }
    }

    fn frozen(&mut self) -> Option<Input> {
        let (freezes, runtime) = (self.freezes.as_mut()?, self.runtime.as_ref()?);
        freezes.next_order(&self.shared.clock, runtime.handle()).map(Input::Ordered)
    }

    fn supplied(&mut self) -> Option<Input> {
        let (definitions, runtime) = (self.definitions.as_mut()?, self.runtime.as_ref()?);
        definitions.next_supply(runtime.handle()).map(|supply| Input::Supplied(Arc::new(supply)))
    }

    fn begin(&mut self, approved: &Approved, known: Option<&Progress>) {
        let plan = approved.recommendation();
        if self.runner.is_some() {
            self.begun.insert(plan.id, plan.action.clone());
        }
        // What is only taken up again was told before.
        if known.is_none() {
            self.tell(Told::approved(plan.id, &plan.action));
        }
        let (Some(runner), Some(runtime)) = (&self.runner, &self.runtime) else {
            return self.refuse(approved);
        };
        let _inside = runtime.enter();
        runner.begin(approved, known);
    }
}

/// The pods that were seen since a recording began.
pub struct Recording {
    members: BTreeMap<ClusterName, Lives>,
    shared: Arc<Shared>,
}

impl Recording {
    /// All lives so far, cluster by cluster in the order of their beginning, and how many there was no room for.
    pub fn lives(&self) -> (Vec<PodLife>, u64) {
        let (settings, origin) = (&self.shared.settings, self.shared.clock.origin());
        let mut all = (Vec::new(), 0);
        for (name, lives) in &self.members {
            let (told, left_out) = lives.told(name, settings, origin);
            all.0.extend(told);
            all.1 += left_out;
        }
        all
    }
}

impl Shared {
    /// Measures, asks every cluster whether it is there, and makes a snapshot; all within the time for an observation.
    async fn look(&self, runner: Option<&Runner>) -> Snapshot {
        let limit = Duration::from_millis(self.settings.timeouts.observe.as_millis());
        let (silent, (measured, unmeasured), ()) =
            tokio::join!(self.silent(limit), self.measure(limit), async {
                drop(tokio::time::timeout(limit, self.filled()).await);
            },);
        let (moving, moved_at) = runner.map(Runner::standing).unwrap_or_default();
        let seen = FederationSeen {
            members: self.members.iter().map(|(name, caches)| (name.clone(), caches.look())).collect(),
            silent,
            karmada: self.karmada.as_ref().map(KarmadaCaches::look),
            measured,
            unmeasured,
            moving,
            moved_at,
        };
        snapshot(&seen, &self.settings, Moment { now: Wall::now(), origin: self.clock.origin() })
    }

    /// Until every cache was filled once or says why not.
    async fn filled(&self) {
        let is_settled = |caches: &MemberCaches| {
            let pulse = caches.pulse();
            pulse.in_sync_since.is_some() || pulse.trouble.is_some()
        };
        let is_karmada_settled = || {
            self.karmada.as_ref().is_none_or(|caches| {
                let pulse = caches.pulse();
                pulse.in_sync_since.is_some() || pulse.trouble.is_some()
            })
        };
        while !(self.members.values().all(is_settled) && is_karmada_settled()) {
            tokio::time::sleep(FILL_CHECK).await;
        }
    }

    /// Clusters that do not answer the simplest question.
    async fn silent(&self, limit: Duration) -> BTreeMap<ClusterName, String> {
        let ask = async |name: &ClusterName, client: &kube::Client| {
            let trouble = match tokio::time::timeout(limit, client.apiserver_version()).await {
                Ok(Ok(_)) => return None,
                Ok(Err(error)) => Trouble::of(&error),
                Err(_) => Trouble::late(limit),
            };
            Some((name.clone(), format!("it cannot be reached: {}", trouble.text())))
        };
        let answers = join_all(self.clients.members.iter().map(|(name, client)| ask(name, client))).await;
        answers.into_iter().flatten().collect()
    }

    /// What is measured everywhere. Whoever does not answer in time measures nothing.
    async fn measure(&self, limit: Duration) -> (Measurements, BTreeMap<String, String>) {
        let ask = async |name: &ClusterName, client: &kube::Client| {
            let measured = tokio::time::timeout(limit, metrics::ask(client)).await.ok()?.ok()?;
            Some((name.clone(), measured))
        };
        let servers = join_all(self.clients.members.iter().map(|(name, client)| ask(name, client)));
        let names: Vec<ClusterName> = self.members.keys().cloned().collect();
        let queries = async {
            let (client, settings) = (self.clients.prometheus.as_ref()?, self.settings.prometheus.as_ref()?);
            let answers = tokio::time::timeout(limit, prometheus::ask(client, settings, &names)).await;
            Some(answers.unwrap_or_else(|_| (Measurements::new(), vec![Trouble::late(limit)])))
        };
        let (servers, queries) = tokio::join!(servers, queries);
        let mut all: Measurements = servers.into_iter().flatten().collect();
        let (measurements, troubles) = queries.unwrap_or_default();
        for (name, measured) in measurements {
            all.entry(name).or_default().merge(&measured);
        }
        let told = troubles.first().map(|trouble| prometheus::told(trouble, troubles.len()));
        (all, told.map(|reason| ("prometheus".to_owned(), reason)).into_iter().collect())
    }
}

impl Outside for RealWorld {
    fn poll(&mut self, now: Timestamp) -> Option<Input> {
        self.shared.clock.told(now);
        let input = self.inputs.try_recv().ok();
        let input = input.or_else(|| self.frozen()).or_else(|| self.supplied())?;
        self.note(&input);
        Some(input)
    }

    fn stands(&mut self, freezes: &[StandingFreeze]) {
        if let Some(desk) = &mut self.freezes {
            desk.told(freezes);
        }
    }

    fn in_force(&mut self, supply: &Supply) {
        if let Some(desk) = &mut self.definitions {
            desk.told(supply);
        }
    }

    fn start(&mut self, now: Timestamp, effect: &Effect) {
        self.shared.clock.told(now);
        match effect {
            Effect::Observe => self.observe(),
            Effect::Submit(plan) => {
                self.tell(Told::recommended(plan.id, &plan.action, plan.agent.as_str()));
            }
            Effect::Apply(approved) => self.begin(approved, None),
            Effect::Abort { id } => {
                if let Some(runner) = &self.runner {
                    runner.abort(*id);
                }
            }
            // What is for people, for the record or for others is not this world's to do.
            _ => {}
        }
    }

    fn take_up(&mut self, now: Timestamp, approved: &Approved, known: &Progress) {
        self.shared.clock.told(now);
        self.begin(approved, Some(known));
    }

    fn progress(&self) -> Vec<Progress> {
        self.runner.as_ref().map(Runner::progress).unwrap_or_default()
    }

    fn rehearsal(&self) -> Option<Arc<dyn Rehearsal>> {
        let handle = self.runtime.as_ref()?.handle().clone();
        let limit = Duration::from_millis(self.shared.settings.timeouts.request.as_millis());
        Some(Arc::new(Rehearser { runner: self.runner.clone(), handle, limit }))
    }
}

/// Lets the servers check what an action would order first, admission policies included, without carrying it out.
struct Rehearser {
    runner: Option<Runner>,
    handle: Handle,
    /// For all of it: somebody waits for the answer.
    limit: Duration,
}

impl Rehearsal for Rehearser {
    fn rehearse(&self, action: &Action) -> Result<(), Objection> {
        let Some(runner) = self.runner.clone() else {
            return Err(Objection::Refused { reason: ONLY_OBSERVED.to_owned() });
        };
        let (action, limit) = (action.clone(), self.limit);
        let (answer, told) = channel();
        // On a thread of the runtime: whoever calls may be inside a runtime of their own.
        self.handle.spawn(async move {
            let rehearsed = tokio::time::timeout(limit, runner.rehearse(&action)).await;
            let late = || Err(Objection::NoAnswer { reason: Trouble::late(limit).text().to_owned() });
            let _ = answer.send(rehearsed.unwrap_or_else(|_| late()));
        });
        let gone = || Err(Objection::NoAnswer { reason: "the clusters are being left".to_owned() });
        told.recv().unwrap_or_else(|_| gone())
    }
}

impl Drop for RealWorld {
    fn drop(&mut self) {
        // Nobody waits for requests that are under way: whoever takes up the work looks what became of them.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}
