//! A small run made by hand, for tests: WASP's three waves on two clusters of two nodes with 7.65 usable cores each.
//!
//! Ten deployments of two one-core replicas arrive in `member1` at 1, 70 and 130 s, an eleventh at 200 s. Fourteen cores are
//! all that fits there (7 pods per node), so 91.5 % is the peak; four deployments move at 150 s, one more at 270 s.

use crate::report::{Limits, ReportInput};
use crate::summary::{ClusterMeters, Meters, Summary};
use crate::timeline::Timeline;
use control::guardrails::Refusal;
use control::review_desk::ReviewRefusal;
use control::strategy::{HoldReason, LimitKind, UnmetLimit};
use control::world::{Applied, Effect, Explanation, Input, RefusedDraft, SettleReason};
use model::action::Action;
use model::hash::ContentHash;
use model::impact::{ClusterImpact, Impact};
use model::money::{MicroDollars, cost_of};
use model::names::{AgentName, ClusterName, ReviewerName, WorkloadRef};
use model::quantity::{Bytes, MilliCpu};
use model::ratio::Ratio;
use model::recommendation::{Draft, Rationale, Recommendation, RecommendationId};
use model::resources::Resources;
use model::review::{Review, Reviewer, Stage, Verdict};
use model::series::{Sample, Series};
use model::time::{Period, Timestamp};
use std::collections::BTreeMap;

const USABLE_CORES: u64 = 15_300;
const NODE_MEMORY: u64 = 15_822 << 20;
/// What one pod is charged with; a hostile name that must never become markup.
pub(crate) const HOSTILE: &str = "<script>alert(\"pwned\")</script>";

pub(crate) fn at(seconds: u64) -> Timestamp {
    Timestamp(seconds * 1000)
}

fn cluster(name: &str) -> ClusterName {
    ClusterName::new(name).unwrap()
}

fn agent() -> AgentName {
    AgentName::new("keep-headroom").unwrap()
}

fn pods(count: u64) -> Resources {
    Resources::new(MilliCpu(1000), Bytes(2 << 30), 1).times(count)
}

/// Pods that are wanted in each cluster at a moment.
fn wanted(seconds: u64) -> [u64; 2] {
    match seconds {
        0 => [0, 0],
        1..70 => [4, 0],
        70..130 => [10, 0],
        130..150 => [20, 0],
        150..200 => [12, 8],
        200..270 => [14, 8],
        _ => [12, 10],
    }
}

fn sample(seconds: u64, wanted: u64) -> Sample {
    let placed = wanted.min(14);
    Sample {
        at: at(seconds),
        nodes: 2,
        capacity: Resources::new(MilliCpu(USABLE_CORES), Bytes(2 * NODE_MEMORY), 220),
        allocated: pods(placed),
        requested: pods(wanted),
        pods_pending: (wanted - placed) as u32,
        pods_running: placed as u32,
        // Two nodes of a t3.2xlarge-like instance.
        cost: cost_of(MicroDollars(268_800), u128::from(2 * seconds * 1000)),
        cpu_used: None,
        power: None,
    }
}

pub(crate) fn series() -> Series {
    let samples = |place: usize| (0..=60).map(|step| sample(5 * step, wanted(5 * step)[place])).collect();
    let clusters = vec![(cluster("member1"), samples(0)), (cluster("member2"), samples(1))];
    Series { every: Period::from_secs(5), clusters, services: Vec::new() }
}

fn migration(name: &str) -> Action {
    let workload: WorkloadRef = format!("default/{name}").parse().unwrap();
    Action::Migrate { workload, from: cluster("member1"), to: cluster("member2"), replicas: 2 }
}

fn load(pods: u64) -> Ratio {
    Ratio::of(pods * 1000, USABLE_CORES)
}

fn change(before: u64, after: u64) -> ClusterImpact {
    ClusterImpact {
        load_before: load(before.min(14)),
        load_after: load(after.min(14)),
        pending_before: before.saturating_sub(14) as u32,
        pending_after: after.saturating_sub(14) as u32,
        workload: None,
    }
}

fn recommendation(id: u64, batch: u64, raised: u64, before: [u64; 2], summary: &str) -> Recommendation {
    let [source, target] = before;
    let impact = Impact {
        clusters: BTreeMap::from([
            (cluster("member1"), change(source, source - 2)),
            (cluster("member2"), change(target, target + 2)),
        ]),
        pods_moved: 2,
        ..Impact::default()
    };
    Recommendation {
        id: RecommendationId(id),
        batch,
        agent: agent(),
        action: migration(&format!("web-{id}")),
        because: Rationale { summary: summary.to_owned(), ..Rationale::default() },
        expected: impact,
        risk: model::risk::Assessment::default(),
        planned_by: None,
        undoes: None,
        observed_at: at(raised),
        raised_at: at(raised),
        expires_at: at(raised + 60),
        hash: ContentHash::ZERO,
    }
    .sealed()
}

fn explanation(batch: u64, submitted: u32, held: Option<HoldReason>) -> Explanation {
    Explanation {
        agent: agent(),
        batch,
        submitted,
        kept: 0,
        held,
        unmet: Vec::new(),
        refused: Vec::new(),
        disregarded: Vec::new(),
        instead: None,
    }
}

fn answer(timeline: &mut Timeline, seconds: u64, id: u64, verdict: Verdict, note: Option<&str>) {
    let review = Review {
        recommendation: RecommendationId(id),
        hash: ContentHash::ZERO,
        verdict,
        reviewer: Reviewer::Simulated(ReviewerName::new("ana").unwrap()),
        note: note.map(str::to_owned),
    };
    let id = RecommendationId(id);
    let effects = match verdict {
        Verdict::Defer { .. } => Vec::new(),
        Verdict::Approve => vec![
            Effect::Settle { id, stage: Stage::Approved, reason: SettleReason::ApprovedByReviewer },
            Effect::Settle { id, stage: Stage::Applying, reason: SettleReason::Started },
        ],
        Verdict::Reject => {
            vec![Effect::Settle { id, stage: Stage::Rejected, reason: SettleReason::RejectedByReviewer }]
        }
    };
    timeline.observe(at(seconds), &Input::Reviewed(review), &effects);
}

fn done(timeline: &mut Timeline, seconds: u64, id: u64) {
    let id = RecommendationId(id);
    let reason = SettleReason::Observed { outcome: Applied::Done };
    let effects = [Effect::Settle { id, stage: Stage::Applied, reason }];
    timeline.observe(at(seconds), &Input::Applied { id, outcome: Applied::Done }, &effects);
}

fn first_moves(timeline: &mut Timeline) {
    let why = "member1 is 91.5 % full and 6 pods wait for a node; member2 has room for 14 of them.";
    let refusal = Refusal::LoadLimit {
        cluster: cluster("member2"),
        load_after: load(14),
        limit: Ratio::from_percent(80),
    };
    let because = Rationale::default();
    let refused = ["web-7", "web-8"].map(|name| RefusedDraft {
        draft: Draft { action: migration(name), because: because.clone() },
        refusal: refusal.clone(),
    });
    let reason = format!("14 of 20 pods fit on the nodes of member1 {HOSTILE}");
    let unmet = UnmetLimit { limit: LimitKind::Load, cluster: cluster("member1"), reason };
    let explained = Explanation { refused: refused.to_vec(), unmet: vec![unmet], ..explanation(3, 4, None) };
    let mut effects = vec![Effect::Explain(explained)];
    for id in 1..=4 {
        let moved = 2 * (id - 1);
        effects.push(Effect::Submit(recommendation(id, 3, 135, [20 - moved, moved], why)));
    }
    timeline.observe(at(135), &Input::WakeUp, &effects);
    for id in 1..=4 {
        answer(timeline, 138 + id, id, Verdict::Approve, None);
        done(timeline, 146 + id, id);
    }
}

fn last_moves(timeline: &mut Timeline) {
    let why = format!("member1 is 91.5 % full again after {HOSTILE} arrived.");
    let mut effects = vec![Effect::Explain(explanation(5, 3, None))];
    for id in 5..=7 {
        effects.push(Effect::Submit(recommendation(id, 5, 255, [14, 8], &why)));
    }
    timeline.observe(at(255), &Input::WakeUp, &effects);
    answer(timeline, 259, 5, Verdict::Approve, None);
    answer(timeline, 261, 6, Verdict::Reject, Some("One is enough & <b>cheaper</b>."));
    let too_late = Effect::RefuseReview {
        id: RecommendationId(6),
        refusal: ReviewRefusal::AlreadyAnswered { stage: Stage::Rejected },
    };
    timeline.observe(at(262), &Input::WakeUp, &[too_late]);
    done(timeline, 270, 5);
}

pub(crate) fn timeline() -> Timeline {
    let mut timeline = Timeline::default();
    for (batch, seconds) in [(1, 15), (2, 75)] {
        let held = explanation(batch, 0, Some(HoldReason::WithinLimits));
        timeline.observe(at(seconds), &Input::WakeUp, &[Effect::Observe, Effect::Explain(held)]);
    }
    first_moves(&mut timeline);
    let held = explanation(4, 0, Some(HoldReason::WithinLimits));
    timeline.observe(at(195), &Input::WakeUp, &[Effect::Explain(held)]);
    last_moves(&mut timeline);
    timeline
}

fn meters() -> Meters {
    let loads = |mean: f64, max: f64, end: f64, violation: f64| ClusterMeters {
        cpu_load_mean: mean / 15.3,
        cpu_load_max: max / 15.3,
        cpu_load_final: end / 15.3,
        memory_load_mean: mean * 2.0 / 30.902_344,
        memory_load_max: max * 2.0 / 30.902_344,
        memory_load_final: end * 2.0 / 30.902_344,
        limit_violation_ratio: violation,
        cpu_used_mean: None,
        energy_kwh: None,
        carbon_kg: None,
    };
    Meters {
        pending_pods_mean: 0.4,
        pending_pods_max: 6,
        time_with_pending_ratio: 20.0 / 300.0,
        workload_moves: 5,
        repeat_moves: 0,
        migrated_pods: 10,
        migrated_pods_per_execution: 5.0,
        evicted_pods: 0,
        node_hours: 1.0 / 3.0,
        cost_usd: 0.0896,
        cost_usd_per_interval: 0.017_92,
        energy_kwh: None,
        carbon_kg: None,
        services: BTreeMap::new(),
        clusters: BTreeMap::from([
            (cluster("member1"), loads(9.9, 14.0, 12.0, 0.3)),
            (cluster("member2"), loads(4.2, 10.0, 10.0, 0.0)),
        ]),
    }
}

pub(crate) fn summary() -> Summary {
    let timeline = timeline();
    Summary {
        scenario: "three-waves".to_owned(),
        strategy: "threshold".to_owned(),
        seed: 42,
        review: "a person (simulated), 10 s".to_owned(),
        duration_s: 300.0,
        events: 1_284,
        journal_sha256: ContentHash::of_bytes(b"three waves").to_string(),
        meters: meters(),
        vertical: Vec::new(),
        recommendations: timeline.stage_counts(),
        infeasible: timeline.infeasible(),
        faults: Vec::new(),
        models: None,
    }
}

/// Lets `check` see the whole run as a report takes it.
pub(crate) fn with_input<T>(check: impl FnOnce(&ReportInput<'_>) -> T) -> T {
    let (series, timeline, summary) = (series(), timeline(), summary());
    check(&ReportInput {
        description: "Eleven deployments arrive in member1 while member2 is empty. A person approves every move. \
                      <script>alert(1)</script>",
        duration: Period::from_secs(300),
        limits: Limits { max_load: Ratio::from_percent(80), max_pending: Ratio::from_percent(40) },
        series: &series,
        timeline: &timeline,
        summary: &summary,
        command: "drover run scenarios/three-waves.yaml --strategy threshold --seed 42",
    })
}
