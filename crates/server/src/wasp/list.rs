//! WASP's list of recommendations: one entry per workload and where it should run, staying included.

use crate::access::Sight;
use crate::api::problem::{Kind, Problem};
use crate::api::propose::{Fate, as_agent};
use crate::api::wire::{WaspAnswer, WaspResult};
use crate::desk::Desk;
use control::agent::Scope;
use control::world::OrderRefusal;
use model::action::Action;
use model::document::Problems;
use model::names::{AgentName, ClusterName, WorkloadKind, WorkloadRef};
use model::recommendation::{Draft, Rationale, RecommendationId};
use model::snapshot::Snapshot;
use simulator::wasp::{WaspKind, WaspRecommendation, read_recommendations};
use std::collections::BTreeSet;

/// An entry takes some two hundred bytes.
pub(crate) const LARGEST_LIST: usize = 4 * 1024 * 1024;

/// One entry per workload of a federation.
const MOST_ENTRIES: usize = 10_000;

/// Each move is weighed against the whole federation. WASP's own experiments have 80 workloads in all.
const MOST_MOVES: usize = 1_000;

/// Mistakes that are told at once.
const MOST_MISTAKES: usize = 50;

/// What a model writes can be a page; a person reads this much of it.
const LONGEST_REASON: usize = 2_000;

/// Takes a list in the name of an agent: it is all that the agent wants now.
pub(crate) async fn apply(
    desk: &Desk,
    agent: AgentName,
    scope: &Scope,
    bytes: Vec<u8>,
) -> Result<WaspAnswer, Problem> {
    let read =
        tokio::task::spawn_blocking(move || read_recommendations("recommendations.json", &bytes)).await;
    let list = read.map_err(|error| Problem::internal(&error))?.map_err(|problems| refused(&problems))?.value;
    let snapshot = desk.now().snapshot.clone();
    let snapshot = snapshot.ok_or_else(|| {
        Problem::new(Kind::NotReady, "Nothing was observed yet; try again in a moment.").after(1)
    })?;
    // What somebody does not see is not there for them.
    let snapshot = Sight::from(scope).snapshot(&snapshot);
    let Wishes { drafts, staying, unknown } = Wishes::read(&list, desk.clusters(), &snapshot)?;
    let named: Vec<String> = drafts.iter().map(|draft| name(&draft.action)).collect();
    let (batch, fates) = as_agent(desk, agent, scope, drafts, true).await?;
    Ok(answer(batch, staying, unknown, named.into_iter().zip(fates)))
}

/// Everything that is wrong with a list, each with its place.
fn refused(problems: &Problems) -> Problem {
    let detail = "This is not a list of recommendations as WASP's engine sends it.";
    let problem = Problem::new(Kind::Validation, detail);
    problems.iter().take(MOST_MISTAKES).fold(problem, |problem, mistake| {
        problem.with_field(&mistake.path, format!("{}; {}", mistake.message, mistake.proposal))
    })
}

/// What a list asks for.
#[derive(Debug, Default)]
struct Wishes {
    drafts: Vec<Draft>,
    /// Entries that want nothing changed.
    staying: usize,
    /// Workloads that are not there, or not any more.
    unknown: Vec<String>,
}

impl Wishes {
    fn read(
        list: &[WaspRecommendation],
        clusters: &[ClusterName],
        snapshot: &Snapshot,
    ) -> Result<Self, Problem> {
        if list.len() > MOST_ENTRIES {
            return Err(wrong(String::new(), format!("at most {MOST_ENTRIES} entries")));
        }
        let (mut wishes, mut seen) = (Self::default(), BTreeSet::new());
        for (index, entry) in list.iter().enumerate() {
            let workload = workload(index, entry)?;
            if !seen.insert(workload.clone()) {
                return Err(wrong(format!("[{index}].workload_id"), "it is listed twice"));
            }
            let to = cluster(index, "destination_cluster", entry.destination_cluster, clusters)?;
            let origin = entry.origin_cluster;
            let from = origin.map(|origin| cluster(index, "origin_cluster", origin, clusters)).transpose()?;
            wishes.add(workload, from, to, entry.reason.as_deref(), snapshot);
        }
        if wishes.drafts.len() > MOST_MOVES {
            return Err(wrong(String::new(), format!("at most {MOST_MOVES} workloads move at once")));
        }
        Ok(wishes)
    }

    fn add(
        &mut self,
        workload: WorkloadRef,
        from: Option<&ClusterName>,
        to: &ClusterName,
        reason: Option<&str>,
        snapshot: &Snapshot,
    ) {
        let Some(view) = snapshot.workloads.get(&workload) else {
            return self.unknown.push(workload.to_string());
        };
        let replicas = |place: &ClusterName| view.placements.get(place).map_or(0, |part| part.replicas);
        // The oldest form does not say where a workload is. Where nothing of it is left, there is nothing to move.
        let from = from.or_else(|| view.home()).filter(|from| replicas(from) > 0);
        let Some(from) = from.filter(|from| *from != to) else {
            self.staying += 1;
            return;
        };
        let action =
            Action::Migrate { replicas: replicas(from), workload, from: from.clone(), to: to.clone() };
        let because = Rationale { summary: words(reason), ..Rationale::default() };
        self.drafts.push(Draft { action, because });
    }
}

fn wrong(field: String, message: impl Into<String>) -> Problem {
    let message = message.into();
    Problem::new(Kind::Validation, format!("The list{field}: {message}.")).with_field(field, message)
}

fn workload(index: usize, entry: &WaspRecommendation) -> Result<WorkloadRef, Problem> {
    let kind = match entry.kind {
        WaspKind::Deployment => WorkloadKind::Deployment,
        WaspKind::Job => WorkloadKind::Job,
    };
    let field = || format!("[{index}].workload_id");
    let (namespace, name) =
        entry.workload_id.split_once('/').ok_or_else(|| wrong(field(), "write namespace/name"))?;
    WorkloadRef::new(kind, namespace, name).map_err(|error| wrong(field(), error.to_string()))
}

fn cluster<'a>(
    index: usize,
    field: &str,
    number: u64,
    clusters: &'a [ClusterName],
) -> Result<&'a ClusterName, Problem> {
    let found = usize::try_from(number).ok().and_then(|number| clusters.get(number));
    found.ok_or_else(|| {
        let names: Vec<String> =
            clusters.iter().enumerate().map(|(number, name)| format!("{number} is {name}")).collect();
        wrong(format!("[{index}].{field}"), format!("there is no cluster {number}; {}", names.join(", ")))
    })
}

/// The engine's words as a person can read them.
fn words(reason: Option<&str>) -> String {
    let plain = |character: char| if character.is_control() { ' ' } else { character };
    let text: String = reason.unwrap_or_default().chars().map(plain).take(LONGEST_REASON).collect();
    let text = text.trim();
    if text.is_empty() { "WASP's engine gave no reason.".to_owned() } else { text.to_owned() }
}

fn name(action: &Action) -> String {
    action.workload().map(ToString::to_string).unwrap_or_default()
}

fn answer(
    batch: u64,
    staying: usize,
    unknown: Vec<String>,
    fates: impl Iterator<Item = (String, Fate)>,
) -> WaspAnswer {
    let refusal = |workload, because: String| WaspResult { workload, id: None, because: Some(because) };
    let (mut accepted, mut kept) = (Vec::new(), Vec::new());
    let missing = |workload| refusal(workload, "There is no such workload.".to_owned());
    let mut refused: Vec<WaspResult> = unknown.into_iter().map(missing).collect();
    for (workload, fate) in fates {
        let place = |id: Option<RecommendationId>| id.map(|id| id.to_string());
        match fate {
            Fate::Accepted(id) => accepted.push(WaspResult { workload, id: place(Some(id)), because: None }),
            Fate::Kept(id) => kept.push(WaspResult { workload, id: place(id), because: None }),
            Fate::Refused(OrderRefusal::Refused { refusal: why }) => {
                refused.push(refusal(workload, lab::wording::refused(&why)));
            }
            Fate::Refused(_) | Fate::OutOfReach => {
                refused.push(refusal(workload, "This agent may not touch it.".to_owned()));
            }
        }
    }
    let message = format!(
        "{} accepted, {} kept, {} refused, {staying} stay",
        accepted.len(),
        kept.len(),
        refused.len()
    );
    WaspAnswer { status: "success".to_owned(), message, batch, accepted, kept, refused, staying }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::snapshot::{PlacementView, WorkloadView};

    fn cluster_name(name: &str) -> ClusterName {
        ClusterName::new(name).expect("a name")
    }

    /// `web` has two replicas in the first of two clusters, `spread` one in each.
    fn snapshot() -> Snapshot {
        let view = |places: &[(&str, u32)]| WorkloadView {
            replicas: places.iter().map(|(_, replicas)| replicas).sum(),
            placements: places
                .iter()
                .map(|(name, replicas)| {
                    (cluster_name(name), PlacementView { replicas: *replicas, ..PlacementView::default() })
                })
                .collect(),
            movable: true,
            ..WorkloadView::default()
        };
        let reference = |text: &str| text.parse().expect("a workload");
        Snapshot {
            workloads: [
                (reference("default/web"), view(&[("zeta", 2)])),
                (reference("default/spread"), view(&[("zeta", 1), ("alpha", 1)])),
                (reference("job/default/batch"), view(&[("alpha", 3)])),
            ]
            .into(),
            ..Snapshot::default()
        }
    }

    fn read(text: &str) -> Result<Wishes, Problem> {
        // Numbers follow the order of the scenario, not of the names.
        let clusters = [cluster_name("zeta"), cluster_name("alpha")];
        let list =
            read_recommendations("list.json", text.as_bytes()).map_err(|problems| refused(&problems))?;
        Wishes::read(&list.value, &clusters, &snapshot())
    }

    fn check(text: &str, moves: &[&str], staying: usize, unknown: usize) {
        let wishes = read(text).unwrap_or_else(|problem| panic!("{text}: {problem:?}"));
        let actions: Vec<String> = wishes.drafts.iter().map(|draft| draft.action.to_string()).collect();
        assert_eq!(actions, moves, "{text}");
        assert_eq!((wishes.staying, wishes.unknown.len()), (staying, unknown), "{text}");
    }

    #[test]
    fn entries_become_moves() {
        check("[]", &[], 0, 0);
        check(
            r#"[{"batch_id":1,"workload_id":"default/web","kind":"deployment","origin_cluster":0,"destination_cluster":1,"reason":"full"}]"#,
            &["migrate deployment/default/web (2 replicas) from zeta to alpha"],
            0,
            0,
        );
        check(
            r#"[{"workload_id":"default/web","kind":"deployment","origin_cluster":0,"destination_cluster":0},
                {"workload_id":"default/batch","kind":"job","label":0},
                {"workload_id":"default/gone","kind":"deployment","origin_cluster":0,"destination_cluster":1}]"#,
            &["migrate job/default/batch (3 replicas) from alpha to zeta"],
            1,
            1,
        );
        // It has moved already, whatever the engine believes.
        check(
            r#"[{"workload_id":"default/web","kind":"deployment","origin_cluster":1,"destination_cluster":0}]"#,
            &[],
            1,
            0,
        );
    }

    #[test]
    fn what_cannot_be_read_is_refused_with_its_place() {
        let entry = |more: &str| format!(r#"{{"workload_id":"default/web","kind":"deployment",{more}}}"#);
        let many = vec![entry(r#""destination_cluster":1"#); MOST_ENTRIES + 1].join(",");
        for (text, place) in [
            (format!("[{}]", entry(r#""destination_cluster":-1"#)), "[0].destination_cluster"),
            (format!("[{}]", entry(r#""destination_cluster":2"#)), "[0].destination_cluster"),
            (format!("[{}]", entry(r#""destination_cluster":"one""#)), "[0].destination_cluster"),
            (
                format!("[{}]", entry(r#""destination_cluster":1,"origin_cluster":99999999999"#)),
                "[0].origin_cluster",
            ),
            (format!("[{0},{0}]", entry(r#""destination_cluster":1"#)), "[1].workload_id"),
            (r#"[{"workload_id":"web","kind":"deployment","label":1}]"#.to_owned(), "[0].workload_id"),
            (r#"[{"workload_id":"A/b","kind":"deployment","label":1}]"#.to_owned(), "[0].workload_id"),
            (r#"[{"workload_id":"a/b","kind":"daemonset","label":1}]"#.to_owned(), "[0].kind"),
            (format!("[{many}]"), ""),
        ] {
            let problem = read(&text).expect_err("a mistake");
            let shown: String = text.chars().take(120).collect();
            assert_eq!(problem.errors[0].field, place, "{shown}: {:?}", problem.errors[0]);
        }
        for text in ["", "{", "{}", "7", "\"x\"", "[[]]", "[7]"] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn words_are_made_readable() {
        assert_eq!(words(None), "WASP's engine gave no reason.");
        assert_eq!(words(Some("\u{1b}[31mfull\n\0 ")), "[31mfull");
        assert_eq!(words(Some(&"x".repeat(9_000))).len(), LONGEST_REASON);
    }
}
