//! Leader election over a Lease of `coordination.k8s.io`: one replica works, the others stand by.
//!
//! It has a thread and a client of its own: however busy the clusters keep everybody else, the lease is renewed in time.

use crate::candidate::{Candidate, Intent, LeaseTiming, Record, Standing};
use crate::clock::Wall;
use crate::connect::{self, ConnectError, ConnectProblem};
use crate::fence::{Fence, Instance};
use crate::settings::{Access, Settings};
use crate::trouble::Trouble;
use k8s_openapi::api::coordination::v1::{Lease, LeaseSpec};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{MicroTime, ObjectMeta};
use k8s_openapi::jiff::Timestamp;
use kube::api::{Api, PostParams};
use model::hash::ContentHash;
use model::time::Period;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::sync::{Notify, watch};

/// Between attempts a replica waits up to this much longer than it has to, so that not all knock at once: client-go's 1.2.
const JITTER_PERCENT: u64 = 20;

/// How long a goodbye may take.
const GOODBYE: Duration = Duration::from_secs(3);

/// Where the lease is, and who asks for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeaseSettings {
    pub access: Access,
    pub namespace: String,
    pub name: String,
    /// Unlike that of any other process, before and after.
    pub identity: String,
    pub timing: LeaseTiming,
}

/// A replica that wants to lead.
pub struct Candidacy {
    standing: watch::Receiver<Standing>,
    fence: Fence,
    goodbye: Arc<Goodbye>,
    thread: Option<JoinHandle<()>>,
}

/// How the thread is told to end.
#[derive(Default)]
struct Goodbye {
    told: Notify,
    /// Whether the lease is given back; otherwise it runs out by itself.
    gives_back: AtomicBool,
}

impl Candidacy {
    /// Begins to ask for the lease. `settings` say how long connections may take and whether programs may be run to log in.
    pub fn stand(lease: LeaseSettings, settings: &Settings) -> Result<Self, ConnectError> {
        let (tell, standing) = watch::channel(Standing::Waiting { holder: String::new() });
        let (fence, goodbye) = (Fence::closed(), Arc::<Goodbye>::default());
        let (answer, made) = channel();
        let (settings, own_fence, own_goodbye) = (settings.clone(), fence.clone(), Arc::clone(&goodbye));
        let thread = std::thread::Builder::new().name("lease".to_owned()).spawn(move || {
            let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
                Ok(runtime) => runtime,
                Err(error) => return drop(answer.send(Err(no_thread(&error)))),
            };
            runtime.block_on(async move {
                match connect::client(&lease.access, "leader election", &settings).await {
                    Ok(client) => {
                        let api = Api::namespaced(client, &lease.namespace);
                        let _ = answer.send(Ok(()));
                        Campaign::new(api, lease, own_fence, tell).run(&own_goodbye).await;
                    }
                    Err(problem) => drop(answer.send(Err(problem))),
                }
            });
        });
        let thread = thread.map_err(|error| ConnectError { problems: vec![no_thread(&error)] })?;
        wait_for(&made)?;
        Ok(Self { standing, fence, goodbye, thread: Some(thread) })
    }

    /// What everybody who writes checks first.
    pub fn fence(&self) -> Fence {
        self.fence.clone()
    }

    /// How it stands now, and later.
    pub fn standing(&self) -> watch::Receiver<Standing> {
        self.standing.clone()
    }

    /// Ready when this replica leads.
    pub async fn elected(&self) {
        let mut standing = self.standing.clone();
        // Whoever never leads waits for ever; the thread ends only after it has lost or said goodbye.
        if standing.wait_for(|now| *now == Standing::Leading).await.is_err() {
            std::future::pending::<()>().await;
        }
    }

    /// Stops working and gives the lease back, so that somebody else can begin at once.
    pub fn resign(mut self) {
        self.goodbye.gives_back.store(true, Ordering::Release);
        self.end();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }

    /// Nobody writes here any more, and nobody renews.
    fn end(&self) {
        self.fence.shut();
        self.goodbye.told.notify_one();
    }
}

impl Drop for Candidacy {
    fn drop(&mut self) {
        self.end();
    }
}

fn no_thread(error: &std::io::Error) -> ConnectProblem {
    ConnectProblem::new("leader election", error.to_string(), "allow this process more threads")
}

fn wait_for(made: &Receiver<Result<(), ConnectProblem>>) -> Result<(), ConnectError> {
    let ended = || Err(ConnectProblem::new("leader election", "it ended early", "report this"));
    let made = made.recv().unwrap_or_else(|_| ended());
    made.map_err(|problem| ConnectError { problems: vec![problem] })
}

/// The thread's work: read, decide, write, wait.
struct Campaign {
    api: Api<Lease>,
    lease: LeaseSettings,
    candidate: Candidate,
    fence: Fence,
    tell: watch::Sender<Standing>,
    attempts: u64,
}

impl Campaign {
    fn new(api: Api<Lease>, lease: LeaseSettings, fence: Fence, tell: watch::Sender<Standing>) -> Self {
        let candidate = Candidate::new(&lease.identity, lease.timing);
        Self { api, lease, candidate, fence, tell, attempts: 0 }
    }

    async fn run(mut self, goodbye: &Goodbye) {
        loop {
            let limit = self.limit();
            // A question without an answer is asked again; what it may have done is seen then.
            let _ = tokio::time::timeout(limit, self.attempt()).await;
            self.candidate.check(Instance::now().tick);
            self.tell_standing();
            if matches!(self.candidate.standing(), Standing::Lost { .. }) {
                return;
            }
            let pause = self.pause();
            if tokio::time::timeout(pause, goodbye.told.notified()).await.is_ok() {
                if goodbye.gives_back.load(Ordering::Acquire) {
                    self.give_back().await;
                }
                return;
            }
        }
    }

    /// Half the time for renewing, as client-go has it, and never longer than there is time left.
    fn limit(&self) -> Duration {
        let half = Period::from_millis(self.lease.timing.renew_deadline.as_millis() / 2);
        let left = self.candidate.time_left(Instance::now().tick).unwrap_or(half);
        Duration::from_millis(left.min(half).as_millis().max(1))
    }

    /// The usual pause and a little more, but not beyond the time that is left.
    fn pause(&mut self) -> Duration {
        self.attempts += 1;
        let usual = self.lease.timing.retry.as_millis();
        let draw = ContentHash::of(&(&self.lease.identity, self.attempts)).to_string();
        let drawn = draw.bytes().fold(0_u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(u64::from(byte)));
        let longer = usual + drawn % (usual * JITTER_PERCENT / 100).max(1);
        let left = self.candidate.time_left(Instance::now().tick).map_or(longer, Period::as_millis);
        Duration::from_millis(longer.min(left).max(1))
    }

    fn tell_standing(&self) {
        let standing = self.candidate.standing();
        if matches!(standing, Standing::Lost { .. }) {
            self.fence.shut();
        }
        self.tell.send_if_modified(|now| {
            let news = now != standing;
            now.clone_from(standing);
            news
        });
    }

    async fn attempt(&mut self) -> Result<(), Trouble> {
        let found = self.api.get_opt(&self.lease.name).await.map_err(|error| Trouble::of(&error))?;
        let record = found.as_ref().map(record);
        let intent = self.candidate.judge(record.as_ref(), Instance::now().tick);
        let sent = Instance::now();
        let written = match (intent, found) {
            (Intent::Create, _) => self.api.create(&parameters(), &self.lease.first()).await,
            (Intent::Take, Some(found)) => self.replace(&self.lease.taken(found)).await,
            (Intent::Renew, Some(found)) => self.replace(&self.lease.renewed(found)).await,
            _ => return Ok(()),
        };
        written.map_err(|error| Trouble::of(&error))?;
        self.candidate.confirm(sent.tick);
        if *self.candidate.standing() == Standing::Leading {
            self.fence.allow(sent, self.lease.timing.renew_deadline);
        }
        Ok(())
    }

    /// Only the version that was read.
    async fn replace(&self, lease: &Lease) -> Result<Lease, kube::Error> {
        self.api.replace(&self.lease.name, &parameters(), lease).await
    }

    async fn give_back(&self) {
        if *self.candidate.standing() != Standing::Leading {
            return;
        }
        let work = async {
            let found = self.api.get_opt(&self.lease.name).await.ok().flatten();
            if let Some(found) = found.filter(|found| record(found).holder == self.lease.identity) {
                let _ = self.replace(&given_back(found)).await;
            }
        };
        let _ = tokio::time::timeout(GOODBYE, work).await;
    }
}

fn parameters() -> PostParams {
    PostParams { field_manager: Some("drover".to_owned()), ..PostParams::default() }
}

pub(crate) fn record(lease: &Lease) -> Record {
    let spec = lease.spec.clone().unwrap_or_default();
    let seconds = spec.lease_duration_seconds.and_then(|seconds| u64::try_from(seconds).ok());
    Record {
        holder: spec.holder_identity.unwrap_or_default(),
        // Whoever does not say how long gets the usual time.
        duration: seconds.map_or(LeaseTiming::default().duration, Period::from_secs),
        version: lease.metadata.resource_version.clone().unwrap_or_default(),
    }
}

fn moment() -> Option<MicroTime> {
    Timestamp::from_millisecond(Wall::now().0).ok().map(MicroTime)
}

impl LeaseSettings {
    fn seconds(&self) -> Option<i32> {
        i32::try_from(self.timing.duration.as_millis().div_ceil(1_000)).ok()
    }

    fn first(&self) -> Lease {
        let metadata = ObjectMeta {
            name: Some(self.name.clone()),
            namespace: Some(self.namespace.clone()),
            ..ObjectMeta::default()
        };
        self.taken(Lease { metadata, spec: None })
    }

    fn taken(&self, lease: Lease) -> Lease {
        let former = lease.spec.unwrap_or_default();
        let now = moment();
        let spec = LeaseSpec {
            holder_identity: Some(self.identity.clone()),
            lease_duration_seconds: self.seconds(),
            acquire_time: now.clone(),
            renew_time: now,
            lease_transitions: Some(former.lease_transitions.map_or(0, |count| count.saturating_add(1))),
            ..LeaseSpec::default()
        };
        Lease { metadata: lease.metadata, spec: Some(spec) }
    }

    fn renewed(&self, lease: Lease) -> Lease {
        let former = lease.spec.unwrap_or_default();
        let spec = LeaseSpec { lease_duration_seconds: self.seconds(), renew_time: moment(), ..former };
        Lease { metadata: lease.metadata, spec: Some(spec) }
    }
}

/// As client-go gives it back: nobody's, and over in a second.
fn given_back(lease: Lease) -> Lease {
    let former = lease.spec.unwrap_or_default();
    let spec = LeaseSpec {
        holder_identity: Some(String::new()),
        lease_duration_seconds: Some(1),
        renew_time: moment(),
        ..former
    };
    Lease { metadata: lease.metadata, spec: Some(spec) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(identity: &str) -> LeaseSettings {
        LeaseSettings {
            access: Access::InCluster,
            namespace: "drover".to_owned(),
            name: "desk".to_owned(),
            identity: identity.to_owned(),
            timing: LeaseTiming::default(),
        }
    }

    #[test]
    fn a_lease_tells_who_has_it_and_how_often_it_changed_hands() {
        let first = settings("a").first();
        assert_eq!((record(&first).holder.as_str(), record(&first).duration), ("a", Period::from_secs(15)));
        let second = settings("b").taken(first.clone());
        let spec = second.spec.clone().unwrap();
        assert_eq!((spec.holder_identity.as_deref(), spec.lease_transitions), (Some("b"), Some(1)));
        let renewed = settings("b").renewed(second.clone()).spec.unwrap();
        assert_eq!((renewed.acquire_time, renewed.lease_transitions), (spec.acquire_time, Some(1)));
        assert_eq!(record(&given_back(second)).holder, "");
    }
}
