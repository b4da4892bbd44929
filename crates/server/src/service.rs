//! Opening a desk and serving it until somebody says stop.

use crate::access::oidc::IdentityProvider;
use crate::access::{Residents, Secret, end_changed};
use crate::api;
use crate::clock::wall_ms;
use crate::config::{DeskConfig, SecretPlace, WebhookConfig};
use crate::desk::{Desk, Furniture};
use crate::entrance;
use crate::entrance::encryption::EncryptionError;
use crate::housekeeping;
use crate::kube_api::KubeApi;
use crate::laboratory::archive;
use crate::office::{Handle, INBOX, Message, Office, OfficeError, Opening, Resumed};
use crate::storage::tables::comparisons::Comparison;
use crate::storage::tables::{idempotency, runs};
use crate::storage::{Database, Error};
use crate::wasp::WaspDoor;
use crate::webhooks::{Courier, Outbox, Pauses, Webhook, objection, register};
use control::review_desk::Expiry;
use control::world::Outside;
use lab::models::Correspondent;
use lab::run::{Header, Plan, Scenario};
use lab::what_if::Settings;
use model::hash::ContentHash;
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread::JoinHandle;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinSet;

/// Threads that may wait for the database at the same time. It has far fewer connections, so more would only wait with them.
const WAITING_THREADS: usize = 64;

/// What a desk is served on.
pub fn runtime() -> std::io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread().enable_all().max_blocking_threads(WAITING_THREADS).build()
}

/// Why a desk could not be opened or had to close.
#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    #[error(transparent)]
    Storage(#[from] Error),
    #[error("cannot listen on {address}; another program may: stop it, or choose another address")]
    Listen {
        address: SocketAddr,
        #[source]
        source: std::io::Error,
    },
    #[error("the secret of {whose} is missing; say in the desk's file where it is found")]
    SecretMissing { whose: String },
    #[error("the secret of {whose} is none: {why}; make one with: openssl rand -base64 32")]
    SecretUnfit { whose: String, why: &'static str },
    #[error(
        "agent {agent} asks models, and nobody answers; say in the desk's file who is asked, under models"
    )]
    NobodyAnswers { agent: String },
    #[error("the desk had to close")]
    Office(#[source] OfficeError),
    #[error("the desk stopped without a word")]
    Panicked,
    #[error("the Kubernetes API of the clusters cannot be served")]
    Encryption(#[from] EncryptionError),
    #[error("the server failed")]
    Server(#[source] std::io::Error),
}

/// The secrets that a desk's file names by their places. Whoever opens a desk has found them.
#[derive(Clone, Debug, Default)]
pub struct Keys {
    /// The desk's own at the identity provider.
    pub client_secret: Option<Secret>,
    /// Those that sign messages, by the name of the webhook.
    pub webhooks: BTreeMap<String, Secret>,
}

impl Keys {
    /// Has every secret fetched that a desk's file names.
    pub fn fetch<E>(
        config: &DeskConfig,
        mut fetch: impl FnMut(&SecretPlace) -> Result<Secret, E>,
    ) -> Result<Self, E> {
        let client_secret = config.access.oidc.as_ref().and_then(|oidc| oidc.client_secret.as_ref());
        let client_secret = client_secret.map(&mut fetch).transpose()?;
        let mut webhook = |hook: &WebhookConfig| Ok((hook.name.clone(), fetch(&hook.secret)?));
        let webhooks = config.webhooks.iter().map(&mut webhook).collect::<Result<_, E>>()?;
        Ok(Self { client_secret, webhooks })
    }

    fn check(&self, config: &DeskConfig) -> Result<(), ServiceError> {
        let provider = config.access.oidc.as_ref().filter(|oidc| oidc.client_secret.is_some());
        if provider.is_some() && self.client_secret.is_none() {
            return Err(ServiceError::SecretMissing { whose: "the identity provider".to_owned() });
        }
        Ok(())
    }

    fn webhooks(&self, config: &DeskConfig) -> Result<Vec<Webhook>, ServiceError> {
        let hook = |config: &WebhookConfig| {
            let whose = || format!("webhook {}", config.name);
            let secret = self.webhooks.get(&config.name);
            let secret = secret.ok_or_else(|| ServiceError::SecretMissing { whose: whose() })?;
            match objection(secret) {
                Some(why) => Err(ServiceError::SecretUnfit { whose: whose(), why }),
                None => Ok(Webhook::new(config, secret)),
            }
        };
        config.webhooks.iter().map(hook).collect()
    }
}

/// Whom a desk's file names outside the desk. Whoever opens one has found them.
#[derive(Default)]
pub struct Around {
    /// The real clusters, without which the scenario is simulated.
    pub clusters: Option<Box<dyn Outside>>,
    /// Who answers what agents ask of models.
    pub correspondent: Option<Arc<dyn Correspondent>>,
}

impl Around {
    pub fn clusters(clusters: Box<dyn Outside>) -> Self {
        Self { clusters: Some(clusters), ..Self::default() }
    }
}

/// An agent that asks models needs somebody who answers.
fn somebody_answers(scenario: &Scenario, answers: bool) -> Result<(), ServiceError> {
    let asking = scenario.agents.iter().find(|agent| agent.decide.asks_models());
    match asking.filter(|_| !answers) {
        Some(agent) => Err(ServiceError::NobodyAnswers { agent: agent.name.to_string() }),
        None => Ok(()),
    }
}

/// A desk that is open.
pub struct Service {
    desk: Desk,
    database: Arc<Database>,
    office: Handle,
    worker: JoinHandle<Result<(), OfficeError>>,
    /// Told when the office has stopped.
    stopped: oneshot::Receiver<()>,
    resumed: Resumed,
    wasp: Option<WaspDoor>,
    outbox: Outbox,
    pauses: Pauses,
}

/// The plan of the run that a desk serves: people answer, not the simulated reviewer.
fn plan(config: &DeskConfig, scenario: Scenario) -> Plan {
    let mut plan = Plan::new(scenario, config.seed);
    plan.reviewer.present = false;
    let control = &mut plan.header.control;
    control.review = config.review.mode.clone();
    control.policy = config.review.policy.clone();
    if let Some(period) = config.review.expires_after {
        control.expiry = Expiry::Lifetime { period };
    }
    "desk".clone_into(&mut plan.header.review);
    plan
}

fn foresight(config: &DeskConfig) -> Option<Settings> {
    config.prediction.map(|prediction| Settings {
        horizon: prediction.horizon,
        seeds: prediction.seeds,
        ..Settings::default()
    })
}

fn residents(config: &DeskConfig, header: &Header) -> Residents {
    Residents {
        inside: header.agents.iter().map(|agent| agent.name.clone()).collect(),
        outside: config.wasp.iter().map(|wasp| wasp.agent.clone()).collect(),
    }
}

fn identity_provider(config: &DeskConfig, keys: &Keys) -> Option<Arc<IdentityProvider>> {
    let oidc = config.access.oidc.as_ref()?;
    Some(Arc::new(IdentityProvider::new(oidc, keys.client_secret.clone())))
}

type Work = (JoinHandle<Result<(), OfficeError>>, oneshot::Receiver<()>);

/// Puts the office to work on a thread of its own. When it stops, the sign at the door says so and whoever waits is told.
fn begin_work(
    office: Office,
    inbox: mpsc::Receiver<Message>,
    sign: Arc<AtomicBool>,
) -> Result<Work, ServiceError> {
    let (tell, stopped) = oneshot::channel();
    let worker = std::thread::Builder::new().name("office".to_owned()).spawn(move || {
        let done = office.work(&inbox);
        sign.store(false, Ordering::Release);
        let _ = tell.send(());
        done
    });
    Ok((worker.map_err(ServiceError::Server)?, stopped))
}

/// When a run began, on the wall.
fn began_at(database: &Database, run: &str) -> Result<i64, Error> {
    let run = database.read(|connection| runs::get(connection, run))?;
    Ok(run.map_or_else(wall_ms, |run| run.started_wall_ms))
}

/// The database, with a record that nobody changed, for this desk alone.
fn take_database(config: &DeskConfig) -> Result<Arc<Database>, ServiceError> {
    let database = Arc::new(Database::open(&config.storage)?);
    database.check_record()?;
    database.take_desk()?;
    Ok(database)
}

/// Takes over what an earlier desk left, and returns the comparisons of its laboratory. Nothing can be under way when a desk opens.
fn take_over(database: &Database, webhooks: &[Webhook]) -> Result<Vec<Comparison>, Error> {
    let now = wall_ms();
    database.write(|transaction| {
        idempotency::release_all(transaction, &api::answer_lost)?;
        end_changed(transaction, now)?;
        register(transaction, webhooks, now)?;
        archive::take_over(transaction, now)
    })
}

impl Service {
    /// Opens a desk whose file names no secrets.
    pub fn open(config: &DeskConfig, scenario: Scenario, text: &[u8]) -> Result<Self, ServiceError> {
        Self::open_with(config, scenario, text, &Keys::default(), Around::default())
    }

    /// Opens the database and the office. `text` is the scenario's, so that an interrupted run is recognised; `keys` are the secrets
    /// that the file names; `around` is what it names that is not the desk's own.
    pub fn open_with(
        config: &DeskConfig,
        scenario: Scenario,
        text: &[u8],
        keys: &Keys,
        around: Around,
    ) -> Result<Self, ServiceError> {
        let Around { clusters: real, correspondent } = around;
        keys.check(config)?;
        somebody_answers(&scenario, correspondent.is_some())?;
        let webhooks = keys.webhooks(config)?;
        let database = take_database(config)?;
        let comparisons = take_over(&database, &webhooks)?;
        let outbox = Outbox::new(webhooks);
        let plan = plan(config, scenario);
        let header = plan.header.clone();
        let residents = residents(config, &header);
        let clusters = plan.world.clusters.iter().map(|cluster| cluster.name.clone()).collect();
        let kube_api = (config.kube_api && real.is_none()).then_some(&plan.world);
        let kube_api = kube_api.map(|world| KubeApi::new(world).map(Arc::new)).transpose()?;
        let foresight = foresight(config);
        let rehearsal = real.as_ref().and_then(|clusters| clusters.rehearsal());
        let opening = Opening {
            database: Arc::clone(&database),
            plan,
            clusters: real,
            scenario: ContentHash::of_bytes(text),
            speed: config.speed,
            paused: config.paused,
            foresight,
            correspondent,
            keep_snapshots: config.keep_snapshots,
            outbox: outbox.clone(),
            onlooker: kube_api.as_ref().map(KubeApi::onlooker),
            wall: wall_ms,
        };
        let (office, resumed) = opening.open()?;
        if let Some(kube_api) = &kube_api {
            kube_api.began(began_at(&database, office.run_id())?);
        }
        let (sender, inbox) = mpsc::sync_channel(INBOX);
        let handle = Handle::new(sender);
        let desk = Desk::new(Furniture {
            database: Arc::clone(&database),
            office: handle.clone(),
            board: office.board(),
            hub: office.hub(),
            tally: office.tally(),
            history: office.engine().history(),
            outbox: outbox.clone(),
            header,
            access: config.access.clone(),
            identity_provider: identity_provider(config, keys),
            residents,
            clusters,
            foresight,
            requests_per_second: config.requests_per_second,
            burst: config.burst,
            streams: config.streams,
            streams_per_caller: config.streams_per_caller,
            limits: config.entrance,
            rehearsal,
            comparisons,
            kube_api,
        });
        let (worker, stopped) = begin_work(office, inbox, desk.sign())?;
        let wasp = config.wasp.as_ref().map(WaspDoor::take).transpose()?;
        let (office, pauses) = (handle, Pauses::default());
        Ok(Self { desk, database, office, worker, stopped, resumed, wasp, outbox, pauses })
    }

    pub const fn resumed(&self) -> &Resumed {
        &self.resumed
    }

    pub fn database(&self) -> &Database {
        &self.database
    }

    pub const fn desk(&self) -> &Desk {
        &self.desk
    }

    /// Lets couriers try again at once, for tests that do not wait.
    #[cfg(any(test, feature = "testing"))]
    pub const fn hurry(&mut self) {
        self.pauses = Pauses { first_ms: 20, longest_ms: 40 };
    }

    /// Where WASP's engine is let in, if it is.
    pub fn wasp_address(&self) -> Option<SocketAddr> {
        self.wasp.as_ref().map(WaspDoor::address)
    }

    /// Serves until `stop` is ready, or until the office cannot go on. Requests under way are answered first.
    pub async fn serve(
        self,
        listener: TcpListener,
        stop: impl Future<Output = ()> + Send + 'static,
    ) -> Result<(), ServiceError> {
        let Self { desk, office, worker, stopped, wasp, outbox, pauses, .. } = self;
        let closing = desk.clone();
        let until = async move {
            tokio::select! {
                () = stop => {}
                _ = stopped => {}
            }
            closing.close();
        };
        if let Ok(address) = listener.local_addr() {
            desk.listens_on(address);
        }
        let mut helpers = JoinSet::new();
        for recipient in outbox.all() {
            let name = recipient.hook.name.clone();
            helpers.spawn(Courier::new(desk.clone(), outbox.clone(), name, pauses).work());
        }
        helpers.spawn(housekeeping::work(desk.clone()));
        let beside = wasp.map(|wasp| tokio::spawn(wasp.serve(desk.clone())));
        let encryption = desk.kube_api().map(|api| api.encryption());
        entrance::serve(listener, (api::router(&desk), encryption), desk.limits(), desk.seats(), until).await;
        if let Some(beside) = beside {
            let _ = beside.await;
        }
        // Whatever they were at is noted, and taken up again by the next desk.
        helpers.shutdown().await;
        office.stop();
        let done = tokio::task::spawn_blocking(move || worker.join()).await;
        match done {
            Ok(Ok(done)) => done.map_err(ServiceError::Office),
            _ => Err(ServiceError::Panicked),
        }
    }
}

/// Takes an address. Port 0 takes any that is free.
pub async fn listen(address: SocketAddr) -> Result<TcpListener, ServiceError> {
    TcpListener::bind(address).await.map_err(|source| ServiceError::Listen { address, source })
}
