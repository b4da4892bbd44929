//! The page that says how well the simulator's scheduler agrees with the real one; every figure is from the run.

use crate::draw::Flavour;
use crate::rollout::RolloutTally;
use crate::scaling::ScalingTally;
use crate::tally::{Share, Tally};
use std::fmt::Write as _;

/// More examples than this nobody reads.
const MOST_EXAMPLES: usize = 40;

/// A run, as the page names it.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    pub seed: u64,
    pub pods: u64,
    /// The version of the real scheduler.
    pub version: &'static str,
}

/// The whole page, in Markdown.
pub fn page(run: Run, tally: &Tally, rollouts: &RolloutTally, scaling: &ScalingTally) -> String {
    [
        introduction(run, tally, rollouts, scaling),
        decisions(tally),
        choices(tally),
        sharpness(tally),
        parts(tally),
        examples(tally),
        method().to_owned(),
        about_rollouts(rollouts),
        about_scaling(scaling),
    ]
    .join("\n")
}

fn introduction(run: Run, tally: &Tally, rollouts: &RolloutTally, scaling: &ScalingTally) -> String {
    let Run { seed, pods, version } = run;
    let Share { of, so } = tally.decisions;
    let Share { of: states, so: same } = rollouts.states;
    let Share { of: answers, so: equal } = scaling.decisions;
    format!(
        "# Judged by the real programs

The simulator's scheduler against the real kube-scheduler {version}: the same random clusters, the same pods, one after the other,
and every decision compared. This page is written by `make judge`; its figures are those of the run that wrote it.

**{so} of {of} decisions agree: {:.3} %**, in {} clusters with {} nodes altogether. Where several nodes share the highest score, any of
them counts; counted strictly, {} of {} pods that were bound are on the very node that the simulator takes: {:.3} %. The same for
[Deployments](#deployments) and the real controllers: {same} of {states} states agree; and for
[horizontal autoscalers](#horizontal-autoscalers): {equal} of {answers} decisions agree.

```sh
make judge JUDGE_SEED={seed} JUDGE_PODS={pods}
```

A smaller run, with another seed, is part of `make test-real` and fails at the first decision that differs.
",
        tally.decisions.percent(),
        tally.cases,
        tally.nodes,
        tally.exact.so,
        tally.exact.of,
        tally.exact.percent(),
    )
}

fn decisions(tally: &Tally) -> String {
    let rows = [
        ("bound to a node with the highest score of all that pass the filters", tally.bound),
        ("bound to the very node, among equals too", tally.exact),
        ("refused, and nobody can make room", tally.refused),
        ("others are stopped for it: the node is one of the least harmful", tally.preempting_node),
        ("others are stopped for it: the node, and exactly these pods", tally.preempting),
        ("the text of a refusal, letter by letter", tally.words),
    ];
    let mut text = String::from(
        "## Decisions\n\n| what kube-scheduler did | times | simulator agrees | |\n|---|--:|--:|--:|\n",
    );
    for (what, Share { of, so }) in rows {
        let _ = writeln!(text, "| {what} | {of} | {so} | {:.3} % |", Share { of, so }.percent());
    }
    let Tally { kept_promises, equal_rooms, unsettled, .. } = tally;
    let _ = write!(
        text,
        "\nOf the pods for which others were stopped, {kept_promises} were followed until they were bound; {equal_rooms} times several \
         nodes were equally good.\n{unsettled} decisions are not counted: the scheduler took up a waiting pod in the same moment, so the \
         order is not known.\n"
    );
    text
}

fn choices(tally: &Tally) -> String {
    let bound = tally.bound.of.max(1);
    let ties: u64 = tally.ties.iter().filter(|(size, _)| **size > 1).map(|(_, count)| count).sum();
    let large: u64 = tally.ties.iter().filter(|(size, _)| **size > 10).map(|(_, count)| count).sum();
    format!(
        "## How much there was to choose

A bound pod had {:.1} feasible nodes on average; {} of {} had only one. In {} cases one node alone had the highest score, in
{ties} several shared it, in {large} of these more than ten. Whoever draws among feasible nodes would be right in {:.1} %.
",
        tally.feasible as f64 / bound as f64,
        tally.without_choice,
        tally.bound.of,
        tally.ties.get(&1).copied().unwrap_or(0),
        tally.guess_percent(),
    )
}

fn sharpness(tally: &Tally) -> String {
    let mut text = String::from(
        "## Would it be noticed?

Simulators that are wrong on purpose were asked about the same pods. So often they agree:

| what is wrong | agrees |
|---|--:|
",
    );
    for (name, share) in &tally.doubles {
        let _ = writeln!(text, "| {name} | {:.2} % |", share.percent());
    }
    text
}

fn parts(tally: &Tally) -> String {
    let mut text = String::from("## By kind of cluster and pod\n\n| | decisions | agree |\n|---|--:|--:|\n");
    for (flavour, Share { of, so }) in &tally.by_flavour {
        let _ = writeln!(text, "| {} | {of} | {so} |", explained(*flavour));
    }
    for (feature, Share { of, so }) in &tally.by_feature {
        let _ = writeln!(text, "| pods with {feature} | {of} | {so} |");
    }
    text
}

fn explained(flavour: Flavour) -> &'static str {
    match flavour {
        Flavour::Roomy => "clusters with room for everybody",
        Flavour::Tight => "clusters that are nearly full at the end",
        Flavour::Crowded => "clusters with more pods than fit",
        Flavour::Preempting => "clusters with more pods than fit, with priorities and disruption budgets",
        Flavour::Wide => "clusters with 100 to 320 nodes",
    }
}

fn examples(tally: &Tally) -> String {
    let mut text = String::from("## Disagreements\n\n");
    list(&mut text, tally.disagreements.iter().chain(&tally.other_words));
    text
}

fn list<'a>(text: &mut String, lines: impl Iterator<Item = &'a String>) {
    let all: Vec<&String> = lines.collect();
    if all.is_empty() {
        text.push_str("None.\n");
    }
    for line in all.iter().take(MOST_EXAMPLES) {
        let _ = writeln!(text, "- {line}");
    }
    if all.len() > MOST_EXAMPLES {
        let _ = writeln!(text, "- and {} more", all.len() - MOST_EXAMPLES);
    }
}

fn about_rollouts(tally: &RolloutTally) -> String {
    let mut text = format!(
        "## Deployments

The lives of {} random Deployments: `maxSurge` and `maxUnavailable` as numbers and shares, `Recreate`, short histories. After every
change, once the real controllers of Deployments and ReplicaSets have come to rest, all ReplicaSets must have the size, and the number of
ready pods, that the simulator's controllers give them. Nobody else is there: pods are as ready as the judge writes.
{} of {} states agree; in {} of them more than one ReplicaSet was in use.

| after | states | agree |
|---|--:|--:|
",
        tally.deployments, tally.states.so, tally.states.of, tally.mixed.of,
    );
    for (action, Share { of, so }) in &tally.by_action {
        let _ = writeln!(text, "| {action} | {of} | {so} |");
    }
    text.push_str("\nDisagreements:\n\n");
    list(&mut text, tally.disagreements.iter());
    text
}

fn method() -> &'static str {
    "## How it is done

`crates/judge` draws clusters and pods from the seed: sizes, zones, labels, taints, closed nodes, images; requests, several containers,
sidecars, node selectors, node affinity, affinity and anti-affinity between pods, topology spread with all its policies, tolerations, host
ports, devices as plain resources, owners and services, two namespaces, priorities, disruption budgets. The objects go to a real API server
and to the simulator.

- The real side is etcd, kube-apiserver and kube-scheduler and nobody else, so nodes and pods are exactly what was written. The scheduler looks
  at all nodes (`percentageOfNodesToScore: 100`), one at a time (`parallelism: 1`), and tries all candidates for preemption; the
  simulator is set up alike. Everything else is as it comes.
- Pods are created one by one; each decision is awaited through a watch. After it the simulator follows the real side, right or wrong, so that
  one difference does not cause the next.
- A decision agrees if the real node is one of those with the simulator's highest score, if both find no node, or if both have the same
  pods stopped on a node that is one of the least harmful ones. Among equals, kube-scheduler 1.35 without extenders takes the one on top of
  its heap and no longer draws; which one that is depends on the order in which it has looked at the nodes. The second row of the table counts
  that too. Candidates for preemption that are equally good are drawn, there and here.
- Every node is written once more when all are there. kube-scheduler keeps for each node how many nodes had its images when that node last
  changed, which matters for `ImageLocality`; real nodes report often enough, and the simulator always counts anew.
- Pods that are refused are removed. Pods for which others were stopped sometimes wait while others arrive, sometimes until they are bound.
- The plugin for devices adds \"no new claims to deallocate\" to every refusal; this part of the text is not compared.

What is not judged here: volumes, device claims, extenders, scheduling gates, several profiles, the order of the queue with its
delays, and several pods at a time. See [conformance](conformance.md) for upstream's own tables, and
[fidelity](fidelity.md) for everything else.
"
}

fn about_scaling(tally: &ScalingTally) -> String {
    let mut text = format!(
        "## Horizontal autoscalers

The first decision of {} random autoscalers (`autoscaling/v2`) with pods in every condition: starting, ready or not, for long or only just,
failed, ended, going, gone, with measurements and without. Metrics are `Resource` and `ContainerResource`, as utilisation and as value, with
and without `behavior`. A decision agrees if the wanted replicas and all three conditions with their reasons are the same: {} do. What
each metric is now, as the status shows it, is the same in {} of {}.

| the real controller wants | decisions | agree |
|---|--:|--:|
",
        tally.decisions.of, tally.decisions.so, tally.values.so, tally.values.of,
    );
    for (direction, Share { of, so }) in &tally.by_direction {
        let _ = writeln!(text, "| {direction} | {of} | {so} |");
    }
    text.push_str("\nDisagreements:\n\n");
    list(&mut text, tally.disagreements.iter());
    text.push_str(
        "\nNot judged: later decisions, which depend on the history of the first ones and on the clock, and metrics of other kinds.\n",
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_the_figures_and_all_differences() {
        let mut tally = Tally {
            decisions: Share { of: 1_000, so: 999 },
            exact: Share { of: 100, so: 93 },
            ..Tally::default()
        };
        tally.disagreements.push("case 1 pod a: kube-scheduler: bound to b".to_owned());
        let text = page(
            Run { seed: 7, pods: 1_000, version: "1.35.8" },
            &tally,
            &RolloutTally::default(),
            &ScalingTally::default(),
        );
        assert!(text.contains("**999 of 1000 decisions agree: 99.900 %**"), "{text}");
        assert!(text.contains("counted strictly, 93 of 100 pods"), "{text}");
        assert!(text.contains("make judge JUDGE_SEED=7 JUDGE_PODS=1000"), "{text}");
        assert!(text.contains("- case 1 pod a: kube-scheduler: bound to b"), "{text}");
        let none = page(
            Run { seed: 7, pods: 0, version: "1.35.8" },
            &Tally::default(),
            &RolloutTally::default(),
            &ScalingTally::default(),
        );
        assert!(none.contains("## Disagreements\n\nNone.\n"), "{none}");
    }
}
