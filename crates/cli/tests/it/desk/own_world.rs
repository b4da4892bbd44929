//! Our own view of Kubernetes on our own simulated clusters: what watches, scales and records real clusters does so with those of a
//! desk that serves them through the Kubernetes API.

use super::{Desk, Process, wait_for};
use control::agent::{Agent, Cadence, Scope};
use control::control_loop::{ControlLoop, LoopConfig};
use control::guardrails::GuardrailConfig;
use control::policy::Policy;
use control::review_desk::{Approved, Expiry, ReviewMode};
use control::strategy::{Decision, HoldReason, Strategy, View};
use control::world::{Applied, Effect, Input, Outside as _};
use kubernetes::{Access, Member, RealWorld, Settings, Timeouts};
use model::action::Action;
use model::names::{AgentName, ClusterName, ReviewerName, WorkloadRef};
use model::order::Grant;
use model::recommendation::{Draft, Rationale};
use model::snapshot::Snapshot;
use model::time::{Period, Timestamp};
use serde_json::Value;
use std::sync::Arc;
use std::time::Instant;

fn open(name: &str) -> Desk {
    let mut desk = Desk::closed(name);
    desk.start_with("127.0.0.1:0", &["--kube-api"]);
    desk.scratch.write("kubeconfig", desk.done("otto", &["kubeconfig"]));
    desk.advance("30s");
    desk
}

fn cluster(name: &str) -> ClusterName {
    ClusterName::new(name).unwrap()
}

/// The real world, on clusters that are not.
struct Looking {
    world: RealWorld,
    begun: Instant,
}

impl Looking {
    #[expect(clippy::disallowed_methods, reason = "what watches clusters lives in real time")]
    fn at(desk: &Desk) -> Self {
        let path = Some(desk.scratch.path("kubeconfig"));
        let member = |name: &str| Member {
            name: cluster(name),
            access: Access::Kubeconfig { path: path.clone(), context: Some(name.to_owned()) },
        };
        let settings = Settings {
            members: vec![member("member1"), member("member2")],
            act: true,
            timeouts: Timeouts { look: Period::from_millis(100), ..Timeouts::default() },
            ..Settings::default()
        };
        let world = RealWorld::connect(settings).unwrap_or_else(|error| panic!("{error}"));
        Self { world, begun: Instant::now() }
    }

    /// A minute into the run, so that what was there before is not all at its beginning.
    fn now(&self) -> Timestamp {
        Timestamp(60_000 + self.begun.elapsed().as_millis() as u64)
    }

    fn poll(&mut self) -> Option<Input> {
        let now = self.now();
        self.world.poll(now)
    }

    fn observe(&mut self) -> Arc<Snapshot> {
        let now = self.now();
        self.world.start(now, &Effect::Observe);
        wait_for("an observation", || match self.poll() {
            Some(Input::Observed(snapshot)) => Some(snapshot),
            _ => None,
        })
    }
}

struct Wish(Action);

impl Strategy for Wish {
    fn decide(&mut self, _: &View<'_>) -> Decision {
        let draft = Draft { action: self.0.clone(), because: Rationale::default() };
        Decision::recommend(vec![draft], HoldReason::WithinLimits)
    }
}

/// Approvals come from the loop itself: nothing else can make one.
fn approve(action: &Action, snapshot: &Snapshot) -> Approved {
    let agent = Agent {
        name: AgentName::new("tester").unwrap(),
        cadence: Cadence { every: Period::from_hours(1), first_at: Timestamp::EPOCH },
        lookback: Period::from_minutes(1),
        scope: Scope::default(),
        strategy: Box::new(Wish(action.clone())),
    };
    let config = LoopConfig {
        observe_every: Period::from_secs(30),
        first_observation_at: Timestamp::EPOCH,
        guardrails: GuardrailConfig {
            max_snapshot_age: Period::from_minutes(1),
            max_load: None,
            max_pending: None,
            cool_down: Period::ZERO,
            moves_per_hour: None,
            freezes: Vec::new(),
            despite: std::collections::BTreeSet::new(),
        },
        review: ReviewMode::Auto { rule: ReviewerName::new("tests").unwrap(), limits: Grant::default() },
        expiry: Expiry::Lifetime { period: Period::from_hours(1) },
        policy: Policy::default(),
    };
    let mut control = ControlLoop::new(config, vec![agent]);
    let effects = control.handle(snapshot.taken_at, &Input::Observed(Arc::new(snapshot.clone())));
    let approved = effects.iter().find_map(|effect| match effect {
        Effect::Apply(approved) => Some(approved.clone()),
        _ => None,
    });
    approved.unwrap_or_else(|| panic!("not approved: {effects:?}"))
}

#[test]
fn simulated_clusters_are_observed_and_scaled_as_real_ones_and_say_what_they_do_not_take() {
    let desk = open("own world");
    let mut looking = Looking::at(&desk);
    let seen = looking.observe();
    assert!(seen.gaps.is_empty(), "{:?}", seen.gaps);
    let member1 = &seen.clusters[&cluster("member1")];
    assert_eq!((member1.nodes.len(), member1.pods_pending), (2, 0));
    assert_eq!((member1.capacity.cpu.0, member1.allocated.cpu.0), (15_300, 10_000));
    let frontend: WorkloadRef = "default/frontend".parse().unwrap();
    let placement = &seen.workloads[&frontend].placements[&cluster("member1")];
    assert_eq!((placement.replicas, placement.pods_ready), (2, 2));

    let action = Action::Scale { workload: frontend.clone(), cluster: cluster("member1"), from: 2, to: 4 };
    looking.world.rehearsal().unwrap().rehearse(&action).unwrap_or_else(|objection| panic!("{objection:?}"));
    let approved = approve(&action, &seen);
    let now = looking.now();
    looking.world.start(now, &Effect::Apply(approved));
    // Virtual time stands still until somebody lets it pass; new pods need some of it.
    let outcome = wait_for("the outcome", || {
        desk.advance("1s");
        match looking.poll() {
            Some(Input::Applied { outcome, .. }) => Some(outcome),
            _ => None,
        }
    });
    assert_eq!(outcome, Applied::Done);
    let after = looking.observe();
    let placement = &after.workloads[&frontend].placements[&cluster("member1")];
    assert_eq!((placement.replicas, placement.pods_ready), (4, 4));

    // What cannot be done there is refused before anybody approves it.
    let action = Action::Migrate {
        workload: frontend.clone(),
        from: cluster("member1"),
        to: cluster("member2"),
        replicas: 4,
    };
    let refused = looking.world.rehearsal().unwrap().rehearse(&action).unwrap_err();
    assert!(format!("{refused:?}").contains("nothing can be created here"), "{refused:?}");
}

#[test]
fn what_happens_is_recorded_and_replayed() {
    let desk = open("recorded world");
    let arguments =
        ["--kubeconfig", "kubeconfig", "--context", "member1", "--context", "member2", "--for", "10m"];
    let command = [&["record", "--out", "recorded", "--every", "100ms"], &arguments[..]].concat();
    let mut process = Process::start(&mut desk.scratch.command(&command));
    // It looks at once; then the second wave comes, and the third, of which some have to wait.
    #[expect(clippy::disallowed_methods, reason = "a recording takes real time")]
    let pause = || std::thread::sleep(std::time::Duration::from_secs(2));
    pause();
    desk.advance("41s");
    pause();
    desk.advance("60s");
    pause();
    process.signal("INT");
    assert!(process.end("the recording's end").success());

    let scratch = &desk.scratch;
    let about: Value = serde_json::from_slice(&scratch.read("recorded/recording.json")).unwrap();
    assert_eq!((&about["workloads"], &about["clusters"][1]), (&10.into(), &"member2".into()), "{about}");
    assert_eq!(about["gaps"], Value::Array(Vec::new()), "{about}");
    let trace = String::from_utf8(scratch.read("recorded/pods/member1.csv")).unwrap();
    assert_eq!(trace.lines().count(), 21, "{trace}");
    scratch.succeed(&["check", "recorded/scenario.yaml"]);
    scratch.succeed(&["run", "recorded/scenario.yaml", "--out", "replayed"]);
    let said =
        scratch.succeed(&["overlay", "replayed", "recorded", "--shift", "0s", "--out", "compared", "--json"]);
    let compared: Value = serde_json::from_str(&said.text).unwrap();
    let member1 = &compared["clusters"][0];
    // Seconds apart where the recording lasts six: a second of the waves is much of it.
    assert!(member1["cpu_allocated"]["real_mean"].as_f64().unwrap() > 9.0, "{compared}");
    assert!(member1["cpu_allocated"]["percent"].as_f64().unwrap() < 10.0, "{compared}");
    let svg = String::from_utf8(scratch.read("compared/overlay.svg")).unwrap();
    assert!(svg.contains("member1 · CPU allocated (cores)"), "{svg}");
    assert!(scratch.read("compared/overlay.md").starts_with(b"| cluster |"));
    let said = scratch.drover(&["overlay", "replayed", "recorded", "--shift", "3s", "--within", "0.01"]);
    assert_eq!(said.code, Some(8), "{}", said.errors);
    // What is no recording is not replaced by one.
    let said = scratch.drover(&[&["record", "--out", "replayed"], &arguments[..]].concat());
    assert!(said.code == Some(2) && said.errors.contains("choose another --out"), "{}", said.errors);
}
