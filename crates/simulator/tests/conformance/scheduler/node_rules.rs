//! Filters and scores that depend on the node alone, and on ports.

use super::cluster::{Cluster, compare_scores, compare_verdicts, equal, in_both_orders, profile, read};
use crate::table::{Case, run};
use serde_json::Value;
use simulator::scheduler::plugins::{
    image_locality, node_affinity, node_name, node_ports, node_unschedulable, normalize, taint_toleration,
};
use simulator::scheduler::{NodeNames, PodRejection, Profile};

#[test]
fn node_name() {
    run(
        "nodename",
        |_| None,
        |case| {
            in_both_orders(|order| {
                let cluster =
                    Cluster::new(case, profile(&case.input), order).map_err(|error| error.to_string())?;
                let template = cluster.template();
                let filter = |node| node_name::filter(&cluster.state, &template, node);
                compare_verdicts(&case.want["filter"], &cluster.nodes, filter, &[])
            })
        },
    );
}

#[test]
fn node_unschedulable() {
    run(
        "nodeunschedulable",
        |_| None,
        |case| {
            in_both_orders(|order| {
                let cluster =
                    Cluster::new(case, profile(&case.input), order).map_err(|error| error.to_string())?;
                let template = cluster.template();
                let filter = |node| node_unschedulable::filter(&cluster.state, &template, node);
                compare_verdicts(&case.want["filter"], &cluster.nodes, filter, &[])
            })
        },
    );
}

#[test]
fn node_ports() {
    run(
        "nodeports",
        |_| None,
        |case| {
            in_both_orders(|order| {
                let cluster =
                    Cluster::new(case, profile(&case.input), order).map_err(|error| error.to_string())?;
                let template = cluster.template();
                let filter = |node| node_ports::filter(&cluster.state, &template, node);
                if case.kind == "fits" {
                    return equal("fits", &case.want["fits"], &Value::from(filter(cluster.nodes[0]).is_ok()));
                }
                let skips = case.want["preFilter"]["code"] == "Skip";
                equal("skip", &skips, &!node_ports::concerns(&template))?;
                if skips {
                    Ok(())
                } else {
                    compare_verdicts(&case.want["filter"], &cluster.nodes, filter, &[])
                }
            })
        },
    );
}

#[test]
fn taint_toleration() {
    run(
        "tainttoleration",
        |_| None,
        |case| {
            in_both_orders(|order| {
                let mut cluster =
                    Cluster::new(case, profile(&case.input), order).map_err(|error| error.to_string())?;
                taint_toleration::prepare(&mut cluster.state, cluster.incoming);
                if case.kind == "filter" {
                    let filter = |node| taint_toleration::filter(&cluster.state, cluster.incoming, node);
                    return compare_verdicts(&case.want["filter"], &cluster.nodes, filter, &[]);
                }
                let mut scores = Vec::new();
                taint_toleration::score(&cluster.state, cluster.incoming, &cluster.nodes, &mut scores);
                normalize::by_maximum(100, true, &mut scores);
                compare_scores(&case.want["scores"], &cluster.state, &cluster.nodes, &scores)
            })
        },
    );
}

fn affinity_profile(input: &Value) -> Profile {
    let added = &input["args"]["addedAffinity"];
    Profile { added_node_affinity: (!added.is_null()).then(|| read(added)), ..profile(input) }
}

#[test]
fn node_affinity() {
    run("nodeaffinity", |_| None, |case| in_both_orders(|order| check_node_affinity(case, order)));
}

fn check_node_affinity(case: &Case, order: bool) -> Result<(), String> {
    let cluster = Cluster::new(case, affinity_profile(&case.input), order);
    let mut cluster = match (cluster, case.want["preScore"]["code"] == "Error") {
        (Ok(cluster), false) => cluster,
        // Upstream finds the invalid selector only when scoring; here the pod is refused as a whole.
        (Err(invalid), true) => return equal("field", &"nodeAffinity", &invalid.field),
        (Err(invalid), false) => return Err(invalid.to_string()),
        (Ok(_), true) => return Err("an invalid pod was accepted".to_owned()),
    };
    let template = cluster.template();
    if case.kind == "filter" {
        node_affinity::prepare(&mut cluster.state, cluster.incoming);
        check_node_names(case, &cluster)?;
        let filter = |node| node_affinity::filter(&cluster.state, cluster.incoming, node);
        if case.want["filter"].is_null() {
            return Ok(());
        }
        return compare_verdicts(&case.want["filter"], &cluster.nodes, filter, &[]);
    }
    if case.input["runPreScore"] == true {
        let skips = case.want["preScore"]["code"] == "Skip";
        equal("skip", &skips, &!node_affinity::scores(&cluster.state, &template))?;
        if skips {
            return Ok(());
        }
    }
    let mut scores = Vec::new();
    node_affinity::score(&cluster.state, &template, &cluster.nodes, &mut scores);
    normalize::by_maximum(100, false, &mut scores);
    compare_scores(&case.want["scores"], &cluster.state, &cluster.nodes, &scores)
}

fn check_node_names(case: &Case, cluster: &Cluster) -> Result<(), String> {
    if case.input["runPreFilter"] != true {
        return Ok(());
    }
    let template = cluster.template();
    let code = match (node_affinity::admit(&template), node_affinity::concerns(&cluster.state, &template)) {
        (Err(PodRejection::ConflictingNodeNames), _) => "UnschedulableAndUnresolvable",
        (Err(other), _) => return Err(format!("{other:?}")),
        (Ok(()), true) => "Success",
        (Ok(()), false) => "Skip",
    };
    equal("preFilter", &case.want["preFilter"]["code"], &Value::from(code))?;
    let mut names = match &template.node_names {
        NodeNames::Only(names) => names.iter().map(|&name| cluster.state.text(name)).collect::<Vec<_>>(),
        NodeNames::Any | NodeNames::Conflict => {
            return equal("names", &case.want["preFilterNodeNames"], &Value::Null);
        }
    };
    names.sort_unstable();
    equal("names", &case.want["preFilterNodeNames"], &Value::from(names))
}

#[test]
fn image_locality() {
    run(
        "imagelocality",
        |_| None,
        |case| {
            if case.kind == "normalizedImageName" {
                let image = case.input["image"].as_str().expect("an image");
                return equal(
                    "image",
                    &case.want["image"],
                    &Value::from(image_locality::normalized_name(image)),
                );
            }
            in_both_orders(|order| {
                let cluster =
                    Cluster::new(case, profile(&case.input), order).map_err(|error| error.to_string())?;
                let mut scores = Vec::new();
                image_locality::score(&cluster.state, &cluster.template(), &cluster.nodes, &mut scores);
                compare_scores(&case.want["scores"], &cluster.state, &cluster.nodes, &scores)
            })
        },
    );
}
