//! Names in a desk's file that its scenario must have, too.

use super::{DeskConfig, OidcConfig};
use lab::run::Scenario;
use model::document::{Document, Problem, Problems, item, nearest};
use model::names::{AgentName, ClusterName};
use model::order::Extent;

/// Holds what a desk's file says about clusters and agents against the scenario that it names. A cluster that nobody has is refused.
/// An agent may still get a token, so for those that the scenario does not have there is a note.
pub fn check_names(
    name: &str,
    bytes: &[u8],
    config: &DeskConfig,
    scenario: &Scenario,
) -> Result<Vec<String>, Problems> {
    let document = Document::from_bytes(name, bytes)?;
    let modes = config.review.policy.modes.iter().enumerate();
    let places = modes.map(|(index, mode)| (item("review.modes", index), mode));
    let (mut problems, mut notes) = (Vec::new(), Vec::new());
    let (clusters, agents) = (clusters(config, scenario), agents(config, scenario));
    for (path, mode) in places {
        if let Extent::Cluster(cluster) = &mode.scope {
            problems.extend(unknown_cluster(&document, &format!("{path}.cluster"), cluster, &clusters));
        }
        notes.extend(mode.agent.as_ref().and_then(|agent| unknown_agent(&path, agent, &agents)));
    }
    for (path, cluster) in config.access.oidc.iter().flat_map(OidcConfig::clusters) {
        problems.extend(unknown_cluster(&document, &path, cluster, &clusters));
    }
    document.problems(problems).into_result(notes)
}

fn clusters<'a>(config: &'a DeskConfig, scenario: &'a Scenario) -> Vec<&'a str> {
    let simulated = scenario.world.clusters.iter().map(|cluster| cluster.name.as_str());
    let real = config.kubernetes.iter().flat_map(|real| &real.members);
    let mut names: Vec<&str> = simulated.chain(real.map(|member| member.name.as_str())).collect();
    names.sort_unstable();
    names.dedup();
    names
}

fn agents<'a>(config: &'a DeskConfig, scenario: &'a Scenario) -> Vec<&'a str> {
    let inside = scenario.agents.iter().map(|agent| agent.name.as_str());
    inside.chain(config.wasp.iter().map(|wasp| wasp.agent.as_str())).collect()
}

fn unknown_cluster(
    document: &Document,
    path: &str,
    cluster: &ClusterName,
    known: &[&str],
) -> Option<Problem> {
    if known.contains(&cluster.as_str()) {
        return None;
    }
    let proposal = match nearest(cluster.as_str(), known.iter().copied()) {
        Some(near) => format!("did you mean {near}?"),
        None => format!("write one of {}", known.join(", ")),
    };
    Some(document.problem_at(path, format!("there is no cluster {cluster}"), proposal))
}

fn unknown_agent(path: &str, agent: &AgentName, known: &[&str]) -> Option<String> {
    if known.contains(&agent.as_str()) {
        return None;
    }
    let near = nearest(agent.as_str(), known.iter().copied()).map(|near| format!(" Did you mean {near}?"));
    let near = near.unwrap_or_default();
    Some(format!(
        "{path}.agent: the scenario has no agent {agent}; this counts for one that comes with a token.{near}"
    ))
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use super::*;

    const SCENARIO: &str = include_str!("../../../../scenarios/three-waves.yaml");

    fn check(modes: &str, expected: Result<&[&str], &[&str]>) {
        let text =
            format!("drover: desk/v1\nworld: {{ simulate: three-waves.yaml }}\nreview:\n  modes:\n{modes}");
        let config = read("desk.yaml", text.as_bytes()).unwrap_or_else(|problems| panic!("{problems:?}"));
        let scenario =
            simulator::scenario::read("three-waves.yaml", SCENARIO.as_bytes()).expect("a scenario");
        let checked = check_names("desk.yaml", text.as_bytes(), &config, &scenario).map_err(|problems| {
            problems
                .iter()
                .map(|problem| format!("{}: {}; {}", problem.path, problem.message, problem.proposal))
                .collect::<Vec<_>>()
        });
        let expected = expected.map(<[&str]>::to_vec).map_err(<[&str]>::to_vec);
        let checked = checked.as_ref().map(|notes| notes.iter().map(String::as_str).collect());
        assert_eq!(checked.map_err(|list| list.iter().map(String::as_str).collect()), expected);
    }

    #[test]
    fn modes_are_about_what_there_is() {
        check(
            "    - { cluster: member1, mode: observe }\n    - { agent: keep-headroom, mode: observe }",
            Ok(&[]),
        );
        check(
            "    - { cluster: nope, mode: human }\n    - { cluster: membr2, mode: human }",
            Err(&[
                "review.modes[0].cluster: there is no cluster nope; write one of member1, member2",
                "review.modes[1].cluster: there is no cluster membr2; did you mean member2?",
            ]),
        );
        check(
            "    - { agent: keep-hedroom, mode: observe }",
            Ok(&[
                "review.modes[0].agent: the scenario has no agent keep-hedroom; this counts for one that comes with a \
                token. Did you mean keep-headroom?",
            ]),
        );
    }
}
