//! The desk: everything that handlers need, shared by all of them.

use crate::access::oidc::IdentityProvider;
use crate::access::refusals::{self, Refusals};
use crate::access::session::counts;
use crate::access::{
    Brought, Caller, Credential, Door, Limiter, Login, Names, Origins, Register, Residents, Roll, Visit,
};
use crate::api::kept::Kept;
use crate::api::problem::{Kind, Problem};
use crate::api::request_id::RequestIds;
use crate::api::shelves::Shelves;
use crate::api::wire::RecommendationList;
use crate::attended::{self, Attended};
use crate::clock::{self, wall_ms};
use crate::config::AccessConfig;
use crate::entrance::Limits;
use crate::kube_api::KubeApi;
use crate::laboratory::{Archive, Laboratory, Shelf};
use crate::live::{Board, History, Hub, Now, Reel, Subscription, Told, Turns, told_after};
use crate::metrics::{Requests, Tally};
use crate::office::{Handle, OfficeError, once};
use crate::page::Page;
use crate::rooms::Rooms;
use crate::storage::port::error::with_causes;
use crate::storage::tables::comparisons::Comparison;
use crate::storage::tables::{idempotency, journal};
use crate::storage::{Connection, Database, Error, Topic, Transaction, readers};
use crate::webhooks::Outbox;
use control::world::{Objection, Rehearsal};
use lab::run::Header;
use lab::what_if::Settings;
use model::action::Action;
use model::names::ClusterName;
use model::time::Period;
use serde_json::Value;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, OnceLock};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Attempts to sign in that fail, from one address: people mistype, and nobody guesses 256 bits.
const FAILED_LOGINS_PER_MINUTE: u32 = 6;
const FAILED_LOGINS_AT_ONCE: u32 = 10;

/// What the desk was opened with.
pub struct Furniture {
    pub database: Arc<Database>,
    pub office: Handle,
    pub board: Arc<Board>,
    pub hub: Arc<Hub>,
    pub tally: Arc<Tally>,
    pub history: Arc<History>,
    /// Whom the desk tells.
    pub(crate) outbox: Outbox,
    /// How the run that goes on now began.
    pub header: Header,
    pub access: AccessConfig,
    pub identity_provider: Option<Arc<IdentityProvider>>,
    /// Agents whose names are taken.
    pub residents: Residents,
    /// All clusters in the order of the scenario.
    pub clusters: Vec<ClusterName>,
    /// How effects are reckoned; none if they are not.
    pub foresight: Option<Settings>,
    pub requests_per_second: u32,
    pub burst: u32,
    pub streams: u32,
    /// How many of them one caller may have.
    pub streams_per_caller: u32,
    pub limits: Limits,
    /// Whoever can ask real clusters what they would say to an action; none in a simulation.
    pub rehearsal: Option<Arc<dyn Rehearsal>>,
    /// What an earlier desk left in the laboratory.
    pub(crate) comparisons: Vec<Comparison>,
    /// The Kubernetes API of the simulated clusters; none if it is not served.
    pub(crate) kube_api: Option<Arc<KubeApi>>,
}

/// A handle to the desk; cheap to clone.
#[derive(Clone)]
pub struct Desk(Arc<Inner>);

struct Inner {
    furniture: Furniture,
    limiter: Limiter,
    logins: Limiter,
    refusals: Refusals,
    listening: OnceLock<SocketAddr>,
    page: OnceLock<Page>,
    laboratory: OnceLock<Laboratory>,
    turns: Turns,
    reading: Arc<Semaphore>,
    rooms: Rooms,
    requests: Requests,
    request_ids: RequestIds,
    register: Register,
    roll: Roll,
    /// Held by the one who looks up for everybody who stays whether they are still welcome.
    looking_up: tokio::sync::Mutex<()>,
    reel: Reel,
    kept_lists: Kept<RecommendationList>,
    shelves: Arc<Shelves>,
    open: Arc<AtomicBool>,
    openapi: LazyLock<Value>,
}

impl Desk {
    pub fn new(furniture: Furniture) -> Self {
        let limiter = Limiter::new(furniture.requests_per_second, furniture.burst);
        let rooms = Rooms::new(furniture.streams, furniture.streams_per_caller);
        let openapi: LazyLock<Value> =
            LazyLock::new(|| crate::api::openapi::document(&crate::api::endpoints()));
        Self(Arc::new(Inner {
            furniture,
            limiter,
            logins: Limiter::per_minute(FAILED_LOGINS_PER_MINUTE, FAILED_LOGINS_AT_ONCE),
            refusals: Refusals::default(),
            listening: OnceLock::new(),
            page: OnceLock::new(),
            laboratory: OnceLock::new(),
            turns: Turns::new(clock::now()),
            reading: Arc::new(Semaphore::new(readers::LIMIT)),
            rooms,
            requests: Requests::default(),
            request_ids: RequestIds::new(),
            register: Register::default(),
            roll: Roll::default(),
            looking_up: tokio::sync::Mutex::default(),
            reel: Reel::default(),
            kept_lists: Kept::default(),
            shelves: Arc::default(),
            open: Arc::new(AtomicBool::new(true)),
            openapi,
        }))
    }

    pub fn office(&self) -> &Handle {
        &self.0.furniture.office
    }

    /// How effects are reckoned; none if they are not.
    pub fn foresight(&self) -> Option<Settings> {
        self.0.furniture.foresight
    }

    /// What real clusters would say to an action, admission policies included. Nothing is changed, and the office goes on meanwhile.
    pub(crate) async fn rehearse(&self, action: Action) -> Result<Result<(), Objection>, Problem> {
        let Some(rehearsal) = self.0.furniture.rehearsal.clone() else { return Ok(Ok(())) };
        let asked = tokio::task::spawn_blocking(move || rehearsal.rehearse(&action)).await;
        asked.map_err(|error| Problem::internal(&error))
    }

    pub fn scenario(&self) -> &str {
        &self.header().scenario
    }

    /// How the run that goes on now began.
    pub fn header(&self) -> &Header {
        &self.0.furniture.header
    }

    pub fn residents(&self) -> &Residents {
        &self.0.furniture.residents
    }

    /// All clusters in the order of the scenario, those included that cannot be seen at the moment.
    pub fn clusters(&self) -> &[ClusterName] {
        &self.0.furniture.clusters
    }

    pub fn access(&self) -> &AccessConfig {
        &self.0.furniture.access
    }

    /// Whom people can sign in with, if there is somebody.
    pub fn identity_provider(&self) -> Option<&Arc<IdentityProvider>> {
        self.0.furniture.identity_provider.as_ref()
    }

    /// How long a session lasts in which nothing happens.
    pub fn session_length(&self) -> Period {
        self.access().session
    }

    /// The desk can be reached here from now on.
    pub fn listens_on(&self, address: SocketAddr) {
        let _ = self.0.listening.set(address);
    }

    /// What is shown to people who come with a browser.
    pub fn show(&self, page: Page) {
        let _ = self.0.page.set(page);
    }

    pub(crate) fn page(&self) -> Page {
        self.0.page.get().copied().unwrap_or_default()
    }

    /// What can be tried in the laboratory. A desk that is told nothing has an empty shelf.
    pub fn stock(&self, shelf: Shelf) {
        let _ = self.0.laboratory.set(self.laboratory_with(shelf));
    }

    pub(crate) fn laboratory(&self) -> &Laboratory {
        self.0.laboratory.get_or_init(|| self.laboratory_with(Shelf::default()))
    }

    fn laboratory_with(&self, shelf: Shelf) -> Laboratory {
        let Furniture { database, comparisons, .. } = &self.0.furniture;
        Laboratory::new(shelf, Archive::new(database), comparisons)
    }

    /// Where our own page can come from.
    pub fn origins(&self) -> Origins {
        Origins { public: self.access().public_address.clone(), listening: self.0.listening.get().copied() }
    }

    pub fn openapi(&self) -> &Value {
        &self.0.openapi
    }

    /// The Kubernetes API of the simulated clusters, if it is served.
    pub(crate) fn kube_api(&self) -> Option<&Arc<KubeApi>> {
        self.0.furniture.kube_api.as_ref()
    }

    /// How things stand.
    pub fn now(&self) -> Arc<Now> {
        self.0.furniture.board.read()
    }

    /// What happened in this run, counted.
    pub(crate) fn tally(&self) -> &Tally {
        &self.0.furniture.tally
    }

    /// How the clusters stood over time.
    pub fn history(&self) -> &History {
        &self.0.furniture.history
    }

    /// Whom the desk tells.
    pub(crate) fn outbox(&self) -> &Outbox {
        &self.0.furniture.outbox
    }

    /// Requests, counted.
    pub(crate) fn requests(&self) -> &Requests {
        &self.0.requests
    }

    /// Names for requests that bring none.
    pub(crate) fn request_ids(&self) -> &RequestIds {
        &self.0.request_ids
    }

    /// What one request and all connections may take.
    pub fn limits(&self) -> Limits {
        self.0.furniture.limits
    }

    /// How many can watch events at the same time.
    pub(crate) fn seats(&self) -> usize {
        self.0.furniture.streams as usize
    }

    /// Where there are only so many places.
    pub fn rooms(&self) -> &Rooms {
        &self.0.rooms
    }

    /// The last entry of the record.
    pub fn end(&self) -> i64 {
        self.0.furniture.hub.end()
    }

    /// Waits until it is a watcher's turn to be told something; whoever only reads comes in between.
    pub(crate) async fn take_turn(&self) {
        self.0.turns.take(clock::now()).await;
    }

    pub fn subscribe(&self) -> Subscription {
        self.0.furniture.hub.subscribe()
    }

    /// Whether the office is at work.
    pub fn is_open(&self) -> bool {
        self.0.open.load(Ordering::Acquire)
    }

    /// What the office turns off when it stops. It must not hold the desk itself, or neither would ever end.
    pub(crate) fn sign(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0.open)
    }

    /// Nothing can be decided any more, and whoever watches is sent away.
    pub fn close(&self) {
        self.0.open.store(false, Ordering::Release);
        self.0.furniture.hub.close();
    }

    /// Grows whenever something about a topic was written.
    pub fn edition(&self, topic: Topic) -> u64 {
        self.0.furniture.database.edition(topic)
    }

    /// Lists of recommendations that were asked for lately.
    pub(crate) fn kept_lists(&self) -> &Kept<RecommendationList> {
        &self.0.kept_lists
    }

    /// The recommendations of the run that goes on.
    pub(crate) fn shelves(&self) -> Arc<Shelves> {
        Arc::clone(&self.0.shelves)
    }

    /// Reads from the database on a thread that may wait for it. What the system keeps of the file is usually there at once, but what it
    /// has let go takes as long as the disk does, and whoever is served by the same thread would wait as well.
    pub async fn read<T: Send + 'static>(
        &self,
        work: impl FnMut(&mut dyn Connection) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Problem> {
        let database = Arc::clone(&self.0.furniture.database);
        let turn = self.reading_turn().await?;
        // The turn lasts as long as the reading, even if nobody waits for the answer any more.
        let read = move || {
            let done = database.read(work);
            drop(turn);
            done
        };
        settled(tokio::task::spawn_blocking(read).await)
    }

    /// Waits here for one of the few connections: a thread for each who waits would only keep the others from working.
    async fn reading_turn(&self) -> Result<OwnedSemaphorePermit, Problem> {
        let turn = Arc::clone(&self.0.reading).acquire_owned();
        let busy = || Problem::from(Error::Busy { seconds: readers::PATIENCE.as_secs() });
        let turn = tokio::time::timeout(readers::PATIENCE, turn).await.map_err(|_| busy())?;
        turn.map_err(|_| busy())
    }

    /// Writes to the database on a thread that may wait for it.
    pub async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut dyn Transaction) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Problem> {
        let (database, attended) = (Arc::clone(&self.0.furniture.database), Attended::now());
        let write = move || attended.during(|| database.write(work));
        settled(tokio::task::spawn_blocking(write).await)
    }

    /// Whether something could be written now.
    pub async fn is_writable(&self) -> bool {
        let database = Arc::clone(&self.0.furniture.database);
        tokio::task::spawn_blocking(move || database.is_writable()).await.unwrap_or(false)
    }

    /// Copies everything into a new file while others read and write.
    pub async fn back_up(&self, path: PathBuf) -> Result<(), Problem> {
        let database = Arc::clone(&self.0.furniture.database);
        settled(tokio::task::spawn_blocking(move || database.backup(&path)).await)
    }

    /// Writes something that the record tells of, and tells whoever watches.
    pub async fn record<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut dyn Transaction) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Problem> {
        let key = once::key();
        let both = move |transaction: &mut dyn Transaction| {
            let done = work(transaction)?;
            let seq = journal::head(transaction)?.seq;
            key.map_or(Ok(()), |key| idempotency::mark(transaction, &key, seq))?;
            Ok((done, seq))
        };
        let (done, seq) = self.write(both).await?;
        self.0.furniture.hub.reached(seq);
        Ok(done)
    }

    /// What the entries behind a number tell whoever watches.
    pub async fn told_after(&self, seq: i64) -> Result<Vec<Arc<Told>>, Problem> {
        self.0.reel.after(seq, || self.read(move |connection| told_after(connection, seq))).await
    }

    /// Who stands at the door.
    pub async fn identify(&self, door: Door) -> Result<Caller, Problem> {
        let unknown = || crate::access::unknown("This token or session does not count, or not any more.");
        // Asked for first: what is looked up afterwards is at least as new.
        let edition = self.edition(Topic::Access);
        let (secret, now) = (door.hash(), wall_ms());
        if !door.has_form() {
            return Err(unknown());
        }
        let lately = self.0.register.find(edition, secret);
        let lately = lately.map(|credential| door.recognise(&credential, now)).transpose()?;
        if let Some(visit) = lately.flatten() {
            self.note(&visit).await;
            return Ok(visit.caller);
        }
        let brought = door.brought();
        if !self.may_have(edition, brought).await? {
            return Err(unknown());
        }
        let look_up = move |connection: &mut dyn Connection| {
            let found = door.look_up(connection, now)?;
            Ok(found.map(|credential| (door.recognise(&credential, now), credential)))
        };
        let Some((visit, credential)) = self.read(look_up).await? else {
            self.0.roll.strike(edition, brought);
            return Err(unknown());
        };
        self.0.register.keep(edition, &credential);
        let visit = visit?.ok_or_else(unknown)?;
        self.note(&visit).await;
        Ok(visit.caller)
    }

    /// Whether a secret may be one that counts. Of all who bring one that nobody knows, one has the database look, once for each edition.
    async fn may_have(&self, edition: u64, brought: Brought) -> Result<bool, Problem> {
        let known = || self.0.roll.may_have(edition, brought);
        if let Some(may) = known() {
            return Ok(may);
        }
        let _one = self.0.looking_up.lock().await;
        if let Some(may) = known() {
            return Ok(may);
        }
        let names = self.read(|connection| Names::read(connection, wall_ms())).await?;
        let may = names.may_have(brought);
        self.0.roll.keep(edition, names);
        Ok(may)
    }

    /// Whether what somebody brings to sign in counts. What has another form than ours is not asked for.
    pub async fn may_let_in(&self, login: Arc<Login>) -> Result<bool, Problem> {
        let (edition, brought) = (self.edition(Topic::Access), login.brought());
        if !login.has_form() || !self.may_have(edition, brought).await? {
            return Ok(false);
        }
        let counts = self.read(move |connection| counts(connection, &login, wall_ms())).await?;
        if !counts {
            self.0.roll.strike(edition, brought);
        }
        Ok(counts)
    }

    /// Writes down that somebody was here. Nobody is sent away because that failed: it is said in the log.
    async fn note(&self, visit: &Visit) {
        if let Some(note) = visit.note(self.session_length(), wall_ms()) {
            let _ = self.write(move |transaction| note.write(transaction)).await;
        }
    }

    /// Whether somebody who was let in still is who they were. Of all who stay with the same proof, one has the database look.
    pub async fn still_welcomes(&self, caller: &Caller) -> bool {
        // Asked for first: what is looked up afterwards is at least as new.
        let edition = self.edition(Topic::Access);
        let known = || self.0.register.find_again(edition, &caller.proof);
        if let Some(credential) = known() {
            return credential.counts(wall_ms());
        }
        let _one = self.0.looking_up.lock().await;
        if let Some(credential) = known() {
            return credential.counts(wall_ms());
        }
        let proof = caller.proof.clone();
        let look_up =
            move |connection: &mut dyn Connection| Credential::look_up_again(connection, &proof, wall_ms());
        let Ok(Some(credential)) = self.read(look_up).await else { return false };
        self.0.register.keep(edition, &credential);
        credential.counts(wall_ms())
    }

    pub fn slow_down(&self, caller: &str) -> Result<(), Problem> {
        self.0.limiter.take(caller, clock::now()).map_err(|seconds| {
            Problem::new(Kind::RateLimited, format!("Wait {seconds} s before you go on.")).after(seconds)
        })
    }

    /// Counts an attempt to sign in from an address, until [`Self::welcome`] says that it did not fail.
    pub fn knock(&self, remote: &str) -> Result<(), Problem> {
        self.0.logins.take(remote, clock::now()).map_err(|seconds| {
            let detail = format!("Too many attempts failed; wait {seconds} s.");
            Problem::new(Kind::RateLimited, detail).after(seconds)
        })
    }

    pub fn welcome(&self, remote: &str) {
        self.0.logins.give_back(remote);
    }

    /// The record tells of somebody who could not sign in, now and then. Nobody waits longer because that failed: it is said in the log.
    pub(crate) async fn turned_away(&self, remote: &str, how: &'static str) {
        let Some(attempts) = self.0.refusals.count(remote, clock::now()) else { return };
        let place = remote.to_owned();
        let tell = move |transaction: &mut dyn Transaction| {
            refusals::tell(transaction, (&place, how), attempts, attended::request().as_deref(), wall_ms())
        };
        let _ = self.record(tell).await;
    }
}

fn settled<T>(done: Result<Result<T, Error>, tokio::task::JoinError>) -> Result<T, Problem> {
    match done {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(error)) => Err(error.into()),
        Err(error) => Err(Problem::internal(&error)),
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        match error {
            Error::Cursor(_) | Error::Unstorable(_) => Self::new(Kind::Malformed, format!("{error}.")),
            Error::Busy { .. }
            | Error::Lost { .. }
            | Error::Refused { .. }
            | Error::InUse { .. }
            | Error::TakenOver { .. }
            | Error::Full { .. } => {
                crate::log::error(&with_causes(&error));
                Self::new(Kind::NotReady, "The desk's memory does not answer now; try again.").after(2)
            }
            other => Self::internal(&with_causes(&other)),
        }
    }
}

impl From<OfficeError> for Problem {
    fn from(error: OfficeError) -> Self {
        match error {
            OfficeError::VersionChanged { expected, found } => Self::new(
                Kind::VersionChanged,
                format!("You have seen version {expected}, and version {found} is there now; read it again."),
            ),
            OfficeError::NoSuchRecommendation => Self::not_found("such recommendation"),
            OfficeError::RealTime => {
                Self::new(Kind::Conflict, "These are real clusters: their time goes by itself.")
            }
            OfficeError::Ended => {
                Self::new(Kind::Conflict, "The scenario has come to its end; nothing changes any more.")
            }
            OfficeError::Busy => {
                Self::new(Kind::NotReady, "Too many requests wait already; try again.").after(1)
            }
            OfficeError::Closed => Self::new(Kind::NotReady, "The desk is closing.").after(5),
            OfficeError::Refused(refused) => Self::new(Kind::Conflict, format!("{refused}.")),
            OfficeError::Storage(error) => error.into(),
        }
    }
}
