//! Names in requests, held against those that the desk knows. What stops a cluster that is not there stops nothing and says it did.

use super::problem::{Kind, Problem};
use super::routes::agent_names;
use crate::access::Caller;
use crate::desk::Desk;
use control::agent::Scope;
use control::ordering::PEOPLE;
use model::document::nearest;
use model::names::{AgentName, ClusterName};
use model::order::Extent;
use std::collections::BTreeSet;

/// Known names that are listed to somebody who wrote another one: what fits into a line or two.
const MOST_LISTED: usize = 12;

/// Whether clusters and agents are there. Namespaces and workloads come and go, so for those it is said if nobody has seen them.
pub(super) async fn part(
    desk: &Desk,
    caller: &Caller,
    extent: &Extent,
    agent: Option<&AgentName>,
) -> Result<Vec<String>, Problem> {
    if let Extent::Cluster(name) = extent {
        cluster(desk, caller, "name", name)?;
    }
    let agents = match extent {
        Extent::Agent(name) => [Some(("name", name)), agent.map(|name| ("agent", name))],
        _ => [None, agent.map(|name| ("agent", name))],
    };
    for (field, name) in agents.into_iter().flatten() {
        must_be(field, "agent", name.as_str(), &agents_of(desk).await?)?;
    }
    Ok(match extent {
        Extent::Namespace(name) => unseen("namespace", name, &namespaces(desk, caller)),
        Extent::Workload(name) => unseen("workload", &name.to_string(), &workloads(desk, caller)),
        _ => None,
    }
    .into_iter()
    .collect())
}

/// The same for the part of the federation that a token is for.
pub(super) fn scope(desk: &Desk, caller: &Caller, scope: &Scope) -> Result<Vec<String>, Problem> {
    scope.clusters.iter().try_for_each(|name| cluster(desk, caller, "scope.clusters", name))?;
    let seen = namespaces(desk, caller);
    Ok(scope.namespaces.iter().filter_map(|name| unseen("namespace", name, &seen)).collect())
}

/// Clusters of the scenario count, whether or not they can be seen at the moment.
fn cluster(desk: &Desk, caller: &Caller, field: &str, name: &ClusterName) -> Result<(), Problem> {
    let sight = caller.sight();
    let known = desk.clusters().iter().filter(|cluster| sight.cluster(cluster));
    must_be(field, "cluster", name.as_str(), &known.map(ToString::to_string).collect())
}

async fn agents_of(desk: &Desk) -> Result<BTreeSet<String>, Problem> {
    let mut names = agent_names(desk).await?;
    names.insert(PEOPLE.to_owned());
    Ok(names)
}

fn namespaces(desk: &Desk, caller: &Caller) -> BTreeSet<String> {
    let now = desk.now();
    let seen = now.snapshot.as_deref().map(|snapshot| caller.sight().snapshot(snapshot));
    let names = seen.iter().flat_map(|seen| seen.workloads.keys());
    names.map(|workload| workload.namespace().to_owned()).collect()
}

fn workloads(desk: &Desk, caller: &Caller) -> BTreeSet<String> {
    let now = desk.now();
    let seen = now.snapshot.as_deref().map(|snapshot| caller.sight().snapshot(snapshot));
    seen.iter().flat_map(|seen| seen.workloads.keys()).map(ToString::to_string).collect()
}

fn must_be(field: &str, kind: &str, name: &str, known: &BTreeSet<String>) -> Result<(), Problem> {
    if known.contains(name) {
        return Ok(());
    }
    let message = format!("there is no {kind} {name}");
    let proposal = match nearest(name, known.iter().map(String::as_str)) {
        Some(near) => format!("did you mean {near}? There are {}", listed(known)),
        None if known.is_empty() => format!("no {kind} is known yet"),
        None => format!("write one of {}", listed(known)),
    };
    let problem = Problem::new(Kind::Validation, format!("T{}; {proposal}.", &message[1..]));
    Err(problem.with_proposal(field, message, proposal))
}

fn listed(known: &BTreeSet<String>) -> String {
    let names: Vec<&str> = known.iter().take(MOST_LISTED).map(String::as_str).collect();
    let more = known.len().saturating_sub(MOST_LISTED);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{rest}", names.join(", "))
}

fn unseen(kind: &str, name: &str, seen: &BTreeSet<String>) -> Option<String> {
    if seen.contains(name) {
        return None;
    }
    let guess = nearest(name, seen.iter().map(String::as_str)).map(|near| format!("; did you mean {near}?"));
    let guess = guess.unwrap_or_else(|| ".".to_owned());
    Some(format!("Nobody sees a {kind} {name} now{guess} This counts as soon as there is one."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(list: &[&str]) -> BTreeSet<String> {
        list.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn a_name_that_nobody_has_is_refused_with_the_known_ones() {
        let check = |name: &str, known: &[&str], expected: Option<&str>| {
            let refused = must_be("name", "cluster", name, &names(known)).err().map(|problem| problem.detail);
            assert_eq!(refused.as_deref(), expected, "{name}");
        };
        let known = ["member1", "member2"];
        check("member1", &known, None);
        check(
            "membr1",
            &known,
            Some("There is no cluster membr1; did you mean member1? There are member1, member2."),
        );
        check("nope", &known, Some("There is no cluster nope; write one of member1, member2."));
        check("nope", &[], Some("There is no cluster nope; no cluster is known yet."));
    }

    #[test]
    fn a_long_list_is_cut() {
        let known = (10..30).map(|number| format!("m{number}")).collect();
        assert!(listed(&known).ends_with("m20, m21 and 8 more"), "{}", listed(&known));
    }

    #[test]
    fn a_workload_that_nobody_sees_is_noted() {
        let seen = names(&["shop/web"]);
        assert_eq!(unseen("workload", "shop/web", &seen), None);
        let note = "Nobody sees a workload shop/wbe now; did you mean shop/web? This counts as soon as there is one.";
        assert_eq!(unseen("workload", "shop/wbe", &seen).as_deref(), Some(note));
        let note = "Nobody sees a namespace bank now. This counts as soon as there is one.";
        assert_eq!(unseen("namespace", "bank", &seen).as_deref(), Some(note));
    }
}
