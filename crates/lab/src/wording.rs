//! Reasons, stages, times and amounts in plain words: the one place where data becomes sentences for a person.

use crate::summary::{FaultRecord, Hit, ServiceMeters};
use control::guardrails::Refusal;
use control::question::Failure;
use control::review_desk::ReviewRefusal;
use control::strategy::{HoldReason, LimitKind};
use control::world::{Applied, SettleReason};
use model::action::Action;
use model::impact::Impact;
use model::money::MicroDollars;
use model::names::{WorkloadKind, WorkloadRef};
use model::ratio::Ratio;
use model::review::{Reviewer, Stage};
use model::time::{Period, Timestamp};
use simulator::faults::FaultKind;
use std::collections::BTreeMap;

/// Why a recommendation stands where it stands.
pub fn settled(reason: &SettleReason) -> String {
    match reason {
        SettleReason::ApprovedByReviewer => "The reviewer said yes.".to_owned(),
        SettleReason::RejectedByReviewer => "The reviewer said no.".to_owned(),
        SettleReason::LifetimeOver => "Nobody answered in time.".to_owned(),
        SettleReason::NewBatch => "A newer set of recommendations arrived before anyone answered.".to_owned(),
        SettleReason::ReplacedBy { id } => {
            format!("The agent now recommends something else for the same thing: {id}.")
        }
        SettleReason::NoLongerRecommended => "The agent no longer recommends it.".to_owned(),
        SettleReason::RefusedWhenActing { refusal } => {
            format!("Approved, but no longer allowed when it was about to start: {}", refused(refusal))
        }
        SettleReason::Started => "Carrying it out has begun.".to_owned(),
        SettleReason::Observed { outcome } => observed(outcome),
    }
}

fn observed(outcome: &Applied) -> String {
    match outcome {
        Applied::Done => "Seen in the wanted state.".to_owned(),
        Applied::Failed { reason } => format!("It did not happen: {reason}"),
        Applied::RolledBack { reason } => format!("It was undone: {reason}"),
    }
}

/// Why a guardrail does not allow an action.
pub fn refused(refusal: &Refusal) -> String {
    match refusal {
        Refusal::StaleSnapshot { age, limit } => {
            format!("The newest observation is {} old; at most {} is allowed.", period(*age), period(*limit))
        }
        Refusal::NothingObserved => "Nothing has been observed yet.".to_owned(),
        Refusal::ClusterNotVisible { cluster } => format!("Cluster {cluster} could not be observed."),
        Refusal::WorkloadNotVisible { workload } => format!("Workload {workload} could not be observed."),
        Refusal::UnknownCluster { cluster } => format!("There is no cluster {cluster}."),
        Refusal::UnknownPool { cluster } => format!("Cluster {cluster} has no such node pool."),
        Refusal::UnknownWorkload { workload } => format!("There is no workload {workload}."),
        Refusal::ChangesNothing => "It would change nothing.".to_owned(),
        Refusal::PreconditionChanged { expected, found } => {
            format!("The world is no longer as it was: expected {expected}, found {found}.")
        }
        Refusal::OptedOut { workload } => format!("The owner of {workload} does not want it moved."),
        Refusal::ScaledByOther { workload, by } => {
            format!("The {by} sets the replicas of {workload} and would undo it; change its limits instead.")
        }
        Refusal::OwnedByRepository { workload, mark } => format!(
            "{mark} says that a repository owns {workload}; what is changed elsewhere would be undone, so change it there."
        ),
        Refusal::NoDisruptionAllowed { workload } => {
            format!("The disruption budget of {workload} allows no disruption now.")
        }
        Refusal::OutOfScope => "The agent may not touch it.".to_owned(),
        Refusal::Conflict { with: Some(id) } => {
            format!("{id} changes the same thing and is approved or under way.")
        }
        Refusal::Conflict { with: None } => {
            "Another recommendation of the same decision changes the same thing.".to_owned()
        }
        Refusal::NoRoom { cluster, pods, room } => {
            format!("{cluster} has room for {room} of the {} on its nodes.", count(*pods, "pod"))
        }
        Refusal::OutsidePoolBounds { minimum, maximum, wanted } => {
            format!("The pool may have {minimum} to {maximum} nodes, not {wanted}.")
        }
        Refusal::LoadLimit { cluster, load_after, limit } => {
            format!("{cluster} would be {} full; the limit is {}.", percent(*load_after), percent(*limit))
        }
        Refusal::PendingLimit { cluster, pending_after, limit } => format!(
            "{} of the pods in {cluster} would wait for a node; the limit is {}.",
            percent(*pending_after),
            percent(*limit)
        ),
        Refusal::CoolDown { workload, until } => {
            format!("{workload} was moved a short while ago and stays until {}.", moment(*until))
        }
        Refusal::TooManyMoves { in_last_hour, limit } => {
            format!("{} in the last hour; the limit is {limit}.", count(u64::from(*in_last_hour), "move"))
        }
        Refusal::Frozen { until: None, reason } => {
            format!("Nothing may change until the freeze is lifted: {reason}.")
        }
        Refusal::Frozen { until: Some(until), reason } => {
            format!("Nothing is moved until {}: {reason}", moment(*until))
        }
        Refusal::SaidNo { by, until } => {
            format!("{by} said no to this a short while ago; no agent asks again before {}.", moment(*until))
        }
        Refusal::DeskFull { limit } => {
            format!("{limit} recommendations are open already; nobody could review more.")
        }
    }
}

/// The kind of a refusal, for counting.
pub const fn refusal_kind(refusal: &Refusal) -> &'static str {
    match refusal {
        Refusal::StaleSnapshot { .. } => "observation too old",
        Refusal::NothingObserved => "nothing observed yet",
        Refusal::ClusterNotVisible { .. } => "cluster not visible",
        Refusal::WorkloadNotVisible { .. } => "workload not visible",
        Refusal::UnknownCluster { .. } => "unknown cluster",
        Refusal::UnknownPool { .. } => "unknown node pool",
        Refusal::UnknownWorkload { .. } => "unknown workload",
        Refusal::ChangesNothing => "would change nothing",
        Refusal::PreconditionChanged { .. } => "the world has changed",
        Refusal::OptedOut { .. } => "owner opted out",
        Refusal::ScaledByOther { .. } => "scaled by somebody else",
        Refusal::OwnedByRepository { .. } => "owned by a repository",
        Refusal::NoDisruptionAllowed { .. } => "no disruption allowed",
        Refusal::OutOfScope => "outside the agent's scope",
        Refusal::Conflict { .. } => "conflict with another action",
        Refusal::NoRoom { .. } => "no room in the target",
        Refusal::OutsidePoolBounds { .. } => "outside the pool's bounds",
        Refusal::LoadLimit { .. } => "would break the load limit",
        Refusal::PendingLimit { .. } => "would break the pending limit",
        Refusal::CoolDown { .. } => "moved too recently",
        Refusal::TooManyMoves { .. } => "too many moves in an hour",
        Refusal::Frozen { .. } => "frozen",
        Refusal::SaidNo { .. } => "rejected a short while ago",
        Refusal::DeskFull { .. } => "review desk full",
    }
}

/// Why an agent recommended nothing.
pub fn held(reason: &HoldReason) -> String {
    match reason {
        HoldReason::Baseline => "This strategy never recommends anything; others are compared with it.",
        HoldReason::WithinLimits => "Every cluster was within its limits.",
        HoldReason::UnderWay { actions } => {
            let (actions, verb) =
                (count(u64::from(*actions), "action"), if *actions == 1 { "was" } else { "were" });
            return format!("{actions} already approved or under way {verb} expected to restore the limits.");
        }
        HoldReason::NothingMovable => "A limit was broken, but no workload may be moved.",
        HoldReason::NoRoomElsewhere => "A limit was broken, but no other cluster had room.",
        HoldReason::Advised { considered } => {
            return format!("Models looked at {considered} possibilities and leave everything where it is.");
        }
        HoldReason::NoAdvice { why, instead } => {
            return format!("{instead} sees nothing to do; it decided because {why}.");
        }
        HoldReason::CannotSee { gaps } => {
            let parts = count(u64::from(*gaps), "part");
            return format!("{parts} of the federation could not be observed; nothing is done blindly.");
        }
        HoldReason::NowhereToGo => "There is only one cluster.",
    }
    .to_owned()
}

/// Why an answer had no effect.
pub fn review_refused(refusal: &ReviewRefusal) -> String {
    match refusal {
        ReviewRefusal::NotOpen => "It was not open any more.".to_owned(),
        ReviewRefusal::AlreadyAnswered { stage: former } => {
            format!("It had been answered before and was {}.", stage(*former))
        }
        ReviewRefusal::ContentDiffers => "The reviewer had seen another content.".to_owned(),
        ReviewRefusal::TooLate { expired_at } => format!("It had expired at {}.", moment(*expired_at)),
        ReviewRefusal::OwnPlan => "Who made a plan does not approve it; somebody else has to.".to_owned(),
        ReviewRefusal::SaidBefore => "The same person had said yes; somebody else has to as well.".to_owned(),
        ReviewRefusal::ObserveOnly => {
            "Recommendations are only shown here; nothing is carried out in this mode.".to_owned()
        }
        ReviewRefusal::NotNow { refusal } => format!("Not now: {}", refused(refusal)),
        ReviewRefusal::DeferredTooLong { latest } => {
            format!("It can be put off until {} at most.", moment(*latest))
        }
    }
}

pub const fn stage(stage: Stage) -> &'static str {
    match stage {
        Stage::Pending => "waiting for an answer",
        Stage::Approved => "approved",
        Stage::Rejected => "rejected",
        Stage::Expired => "expired",
        Stage::Superseded => "superseded",
        Stage::Applying => "under way",
        Stage::Applied => "applied",
        Stage::Failed => "failed",
        Stage::RolledBack => "rolled back",
    }
}

pub const fn limit(kind: LimitKind) -> &'static str {
    match kind {
        LimitKind::Load => "load",
        LimitKind::Pending => "pending pods",
    }
}

/// Who answered.
pub fn reviewer(reviewer: &Reviewer) -> String {
    match reviewer {
        Reviewer::Person(name) => name.to_string(),
        Reviewer::Rule(name) => format!("rule {name}"),
        Reviewer::Simulated(name) if name.as_str() == "simulated" => "the simulated reviewer".to_owned(),
        Reviewer::Simulated(name) => format!("{name} (simulated)"),
    }
}

/// What an action does, as the beginning of a sentence.
pub fn action(action: &Action) -> String {
    let (what, how) = action_parts(action);
    format!("{what} {how}")
}

/// What an action is about, and how it changes that: two parts of one sentence, for places where a line is short.
pub fn action_parts(action: &Action) -> (String, String) {
    let replicas = |number: u32| count(u64::from(number), "replica");
    match action {
        Action::Migrate { workload, from, to, replicas: number } => {
            (format!("Migrate {workload}"), format!("with {} from {from} to {to}", replicas(*number)))
        }
        Action::Move { workload, cluster, from, to } => {
            (format!("Move {workload}"), format!("within {cluster} from {from} to {to}"))
        }
        Action::Scale { workload, cluster, from, to } => {
            (format!("Scale {workload}"), format!("in {cluster} from {from} to {}", replicas(*to)))
        }
        Action::ResizePool { cluster, pool, from, to } => {
            let nodes = count(u64::from(*to), "node");
            (format!("Resize pool {pool}"), format!("of {cluster} from {from} to {nodes}"))
        }
        Action::Hold { workload, cluster } => (format!("Keep {workload}"), format!("in {cluster}")),
    }
}

/// What an action should bring: one short text per change, nothing for what stays as it is.
pub fn impact(impact: &Impact) -> Vec<String> {
    let mut changes = Vec::new();
    for (name, cluster) in &impact.clusters {
        if cluster.load_before != cluster.load_after {
            let (before, after) = (percent(cluster.load_before), percent(cluster.load_after));
            changes.push(format!("{name} load {before}\u{a0}→\u{a0}{after}"));
        }
        if cluster.pending_before != cluster.pending_after {
            let (before, after) = (cluster.pending_before, cluster.pending_after);
            changes.push(format!("{name} pending {before}\u{a0}→\u{a0}{after}"));
        }
    }
    if impact.pods_moved > 0 {
        changes.push(format!("{} restarted", count(u64::from(impact.pods_moved), "pod")));
    }
    let (before, after) = (impact.cost_per_hour_before, impact.cost_per_hour_after);
    if before != after {
        changes.push(format!("cost per hour {}\u{a0}→\u{a0}{}", dollars(before), dollars(after)));
    }
    changes
}

/// The kind of a fault, for headings.
pub const fn fault_kind(kind: FaultKind) -> &'static str {
    match kind {
        FaultKind::NodeCrash => "nodes crash",
        FaultKind::Partition => "out of reach",
        FaultKind::Api => "orders slow or lost",
        FaultKind::LostMetrics => "no measurements",
        FaultKind::Model => "models late",
        FaultKind::Reviewer => "nobody reviews",
    }
}

/// What went wrong, as a sentence without its full stop.
pub fn fault(fault: &FaultRecord) -> String {
    let place = fault.cluster.as_ref().map_or_else(String::new, ToString::to_string);
    match fault.kind {
        FaultKind::NodeCrash if fault.hit.nodes == 0 => format!("No node of {place} was there to crash"),
        FaultKind::NodeCrash => format!("{} of {place} crashed", count(fault.hit.nodes, "node")),
        FaultKind::Partition if fault.clients => {
            format!("{place} was cut off from the federation and from clients")
        }
        FaultKind::Partition => format!("{place} was cut off from the federation"),
        FaultKind::Api => format!("{place} took orders late or lost them"),
        FaultKind::LostMetrics => format!("Nothing was measured in {place}"),
        FaultKind::Model => "Models answered late or never".to_owned(),
        FaultKind::Reviewer => "Nobody reviewed".to_owned(),
    }
}

/// Whom a fault hit; `nobody` if there was nobody.
pub fn hit(hit: &Hit) -> String {
    let Hit { nodes: _, pods, orders, measurements, reviews, questions } = *hit;
    let numbers = [
        (pods, "pod"),
        (orders, "change"),
        (measurements, "measurement"),
        (reviews, "recommendation"),
        (questions, "question"),
    ];
    let parts: Vec<String> = numbers
        .into_iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, noun)| count(number, noun))
        .collect();
    if parts.is_empty() { "nobody".to_owned() } else { parts.join(", ") }
}

/// Why requests got no answer, the most frequent reason first; empty if all did.
pub fn unanswered(meters: &ServiceMeters) -> Vec<String> {
    let mut reasons = [
        (meters.time_outs, "timed out"),
        (meters.nobody_ready, "found nobody ready or reachable"),
        (meters.queue_full, "turned away, too many waited"),
        (meters.broken, "broke off with their replica"),
    ];
    reasons.sort_by(|a, b| b.0.total_cmp(&a.0));
    // Counts are expected values; less than half a request is none.
    let some = reasons.into_iter().filter(|(number, _)| *number >= 0.5);
    some.map(|(number, reason)| format!("{} {reason}", whole(number))).collect()
}

/// Calls of models, and why some were not answered: `3 calls (3 unreachable)`.
pub fn calls(number: u64, failed: &BTreeMap<Failure, u64>) -> String {
    let reasons: Vec<String> = failed
        .iter()
        .map(|(because, number)| format!("{} {}", grouped(*number), failure(*because)))
        .collect();
    let calls = count(number, "call");
    if reasons.is_empty() { calls } else { format!("{calls} ({})", reasons.join(", ")) }
}

/// Why a call was not answered, behind a number.
pub const fn failure(because: Failure) -> &'static str {
    match because {
        Failure::TimedOut => "timed out",
        Failure::Unreachable => "unreachable",
        Failure::RateLimited => "asked too often",
        Failure::ProviderFailed => "failed at the provider",
        Failure::NotAccepted => "not accepted by the provider",
        Failure::Refused => "refused by the model",
        Failure::BudgetExhausted => "over the budget",
        Failure::CircuitOpen => "not made after too many failures",
        Failure::NotRecorded => "not on the cassette",
    }
}

/// A number of things that was computed and need not be whole.
pub fn whole(number: f64) -> String {
    grouped(number.max(0.0).round() as u64)
}

/// A response time: `42 ms`, `1.25 s`.
pub fn milliseconds(value: f64) -> String {
    if value < 999.5 {
        format!("{}\u{a0}ms", significant(value))
    } else {
        format!("{}\u{a0}s", significant(value / 1000.0))
    }
}

/// `1.5 kWh`, and `42 Wh` below a tenth of a kilowatt-hour.
pub fn energy(kilowatt_hours: f64) -> String {
    scaled(kilowatt_hours, ["Wh", "kWh"])
}

/// What was emitted: `1.5 kg CO₂e`, and grams below a hundred.
pub fn emissions(kilograms: f64) -> String {
    scaled(kilograms, ["g CO₂e", "kg CO₂e"])
}

/// `850 W`, `1.5 kW`.
pub fn power(watts: f64) -> String {
    if watts < 1000.0 {
        format!("{}\u{a0}W", significant(watts))
    } else {
        format!("{}\u{a0}kW", significant(watts / 1000.0))
    }
}

fn scaled(value: f64, [small, large]: [&str; 2]) -> String {
    if value > 0.0 && value < 0.1 {
        format!("{}\u{a0}{small}", significant(value * 1000.0))
    } else {
        format!("{}\u{a0}{large}", significant(value))
    }
}

/// Three digits that matter: `1,234`, `123`, `12.3`, `1.23`, `0.12`.
pub fn significant(value: f64) -> String {
    let places = match value.abs() {
        size if size >= 99.95 => return whole(value),
        size if size >= 9.995 => 1,
        _ => 2,
    };
    let text = format!("{value:.places$}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// `1 pod`, `2 pods`, `1,234 pods`.
pub fn count(number: u64, noun: &str) -> String {
    format!("{} {noun}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// Thousands with commas: `1,234,567`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A text of at most `longest` characters: the middle goes, because names differ most at their ends.
pub fn shortened(text: &str, longest: usize) -> String {
    let characters: Vec<char> = text.chars().collect();
    if characters.len() <= longest {
        return text.to_owned();
    }
    let tail = longest / 2;
    let head = longest.saturating_sub(tail + 1);
    let (head, tail) = (&characters[..head], &characters[characters.len() - tail..]);
    head.iter().chain(&['…']).chain(tail).collect()
}

/// `91.5 %`, rounded down, so that a limit never looks broken when it is not; the space does not break.
pub fn percent(ratio: Ratio) -> String {
    let text = ratio.to_string().replace(' ', "\u{a0}");
    text.replace(".0\u{a0}", "\u{a0}")
}

/// As [`percent`]; what is no share counts as none.
pub fn share(value: f64) -> String {
    percent(Ratio::from_f64(value).unwrap_or(Ratio::ZERO))
}

/// A workload as a person calls it: Deployments without their kind, those of the default namespace without that.
pub fn service(name: &WorkloadRef) -> String {
    match (name.kind(), name.namespace()) {
        (WorkloadKind::Deployment, "default") => name.name().to_owned(),
        (WorkloadKind::Deployment, namespace) => format!("{namespace}/{}", name.name()),
        _ => name.to_string(),
    }
}

/// A moment or a length of time to the second.
pub fn seconds(seconds: f64) -> String {
    period(Period::from_secs(seconds.max(0.0).round() as u64))
}

/// A length of time as one says it: `2.3 s`, `135 s`, `20 min`, `8 h 02 min`.
pub fn brief(seconds: f64) -> String {
    let milliseconds = match seconds {
        few if few < 10.0 => 100_u32,
        some if some < 600.0 => 1_000,
        _ => 60_000,
    };
    let times = (seconds.max(0.0) * 1000.0 / f64::from(milliseconds)).round() as u64;
    let text = period(Period(times * u64::from(milliseconds)));
    text.split(' ').take(2).collect::<Vec<_>>().join(" ")
}

/// Dollars with at least two places, and more only where they are needed to see anything.
pub fn dollars(amount: MicroDollars) -> String {
    let (sign, micros) = (if amount.0 < 0 { "−" } else { "" }, amount.0.unsigned_abs());
    // Below ten dollars tenths of a cent are shown: node prices per hour differ there.
    let (unit, places) = if micros >= 10_000_000 { (10_000, 2) } else { (100, 4) };
    let rounded = micros.saturating_add(unit / 2) / unit;
    let scale = 1_000_000 / unit;
    format!("{sign}${}.{:0places$}", grouped(rounded / scale), rounded % scale)
}

/// A moment since the start: `135 s` in the first ten minutes, `2 h 05 min 10 s` later.
pub fn moment(at: Timestamp) -> String {
    period(Period(at.as_millis()))
}

/// A length of time: `135 s` below ten minutes, `2 h 05 min 10 s` above.
pub fn period(period: Period) -> String {
    const SHORT: u64 = 10 * 60 * 1000;
    let milliseconds = period.as_millis();
    if milliseconds < SHORT {
        return format!("{}\u{a0}s", crate::series::thousandths(milliseconds));
    }
    let total = milliseconds / 1000;
    let (days, hours, minutes, seconds) = (total / 86_400, total / 3600 % 24, total / 60 % 60, total % 60);
    let pieces = [(days, "d"), (hours, "h"), (minutes, "min"), (seconds, "s")];
    let used = pieces.iter().skip_while(|(number, _)| *number == 0);
    let mut texts: Vec<String> = Vec::new();
    for (number, unit) in used {
        let padded = if texts.is_empty() { number.to_string() } else { format!("{number:02}") };
        texts.push(format!("{padded}\u{a0}{unit}"));
    }
    while texts.len() > 1 && texts.last().is_some_and(|text| text.starts_with("00")) {
        texts.pop();
    }
    texts.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_read_well() {
        let check = |seconds: u64, text: &str| {
            assert_eq!(period(Period::from_secs(seconds)).replace('\u{a0}', " "), text);
        };
        check(0, "0 s");
        check(135, "135 s");
        check(600, "10 min");
        check(725, "12 min 05 s");
        check(7_510, "2 h 05 min 10 s");
        check(7_200, "2 h");
        check(90_061, "1 d 01 h 01 min 01 s");
        assert_eq!(period(Period(1_250)), "1.25\u{a0}s");
        let rough = |seconds: f64, text: &str| assert_eq!(brief(seconds).replace('\u{a0}', " "), text);
        rough(0.0, "0 s");
        rough(2.345, "2.3 s");
        rough(134.6, "135 s");
        rough(1_202.0, "20 min");
        rough(28_920.0, "8 h 02 min");
        rough(90_061.0, "1 d 01 h");
    }

    #[test]
    fn amounts_read_well() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(1_234_567), "1,234,567");
        assert_eq!(shortened("member1", 7), "member1");
        assert_eq!(shortened("cluster-in-europe-1", 9), "clus…pe-1");
        assert_eq!(count(1, "pod"), "1 pod");
        assert_eq!(count(1_000, "pod"), "1,000 pods");
        assert_eq!(dollars(MicroDollars(268_800)), "$0.2688");
        assert_eq!(dollars(MicroDollars(-1_234_567_890)), "−$1,234.57");
        assert_eq!(percent(Ratio::from_percent(80)), "80\u{a0}%");
        assert_eq!(percent(Ratio::of(14, 153)), "9.1\u{a0}%");
        let check = |text: String, expected: &str| assert_eq!(text.replace('\u{a0}', " "), expected);
        check(milliseconds(0.0), "0 ms");
        check(milliseconds(42.26), "42.3 ms");
        check(milliseconds(999.4), "999 ms");
        check(milliseconds(1_250.0), "1.25 s");
        check(energy(0.042), "42 Wh");
        check(energy(1_234.5), "1,235 kWh");
        check(emissions(0.5), "0.5 kg CO₂e");
        check(emissions(0.0), "0 kg CO₂e");
        check(power(410.6), "411 W");
        check(power(12_340.0), "12.3 kW");
    }

    #[test]
    fn calls_without_an_answer_have_their_reasons_beside_them() {
        let check = |number: u64, failed: &[(Failure, u64)], expected: &str| {
            assert_eq!(calls(number, &failed.iter().copied().collect()), expected);
        };
        check(0, &[], "0 calls");
        check(3, &[(Failure::Unreachable, 3)], "3 calls (3 unreachable)");
        let both = [(Failure::Unreachable, 1_000), (Failure::TimedOut, 1)];
        check(2_000, &both, "2,000 calls (1 timed out, 1,000 unreachable)");
    }

    #[test]
    fn faults_are_sentences_that_say_whom_they_hit() {
        let record = |kind, cluster: Option<&str>, hit: Hit| FaultRecord {
            kind,
            cluster: cluster.map(|name| name.parse().unwrap()),
            from_s: 60.0,
            to_s: 90.0,
            ended: true,
            clients: false,
            hit,
        };
        let check = |record: &FaultRecord, what: &str, whom: &str| {
            assert_eq!((fault(record).as_str(), hit(&record.hit).as_str()), (what, whom));
        };
        let crash = Hit { nodes: 2, pods: 14, ..Hit::default() };
        check(&record(FaultKind::NodeCrash, Some("east"), crash), "2 nodes of east crashed", "14 pods");
        let none = record(FaultKind::NodeCrash, Some("east"), Hit::default());
        check(&none, "No node of east was there to crash", "nobody");
        let cut = Hit { orders: 1, measurements: 20, ..Hit::default() };
        let mut partition = record(FaultKind::Partition, Some("east"), cut);
        check(&partition, "east was cut off from the federation", "1 change, 20 measurements");
        partition.clients = true;
        assert_eq!(fault(&partition), "east was cut off from the federation and from clients");
        let away = record(FaultKind::Reviewer, None, Hit { reviews: 3, ..Hit::default() });
        check(&away, "Nobody reviewed", "3 recommendations");
    }

    #[test]
    fn refusals_are_whole_sentences() {
        let cluster = model::names::ClusterName::new("member2").unwrap();
        let limit = Refusal::LoadLimit {
            cluster: cluster.clone(),
            load_after: Ratio::from_parts_per_million(915_032),
            limit: Ratio::from_percent(80),
        };
        assert_eq!(
            refused(&limit).replace('\u{a0}', " "),
            "member2 would be 91.5 % full; the limit is 80 %."
        );
        let room = Refusal::NoRoom { cluster, pods: 1, room: 0 };
        assert_eq!(refused(&room), "member2 has room for 0 of the 1 pod on its nodes.");
        let late = SettleReason::RefusedWhenActing { refusal: Refusal::ChangesNothing };
        assert!(settled(&late).ends_with("It would change nothing."), "{}", settled(&late));
    }
}
