//! What can already be said about a file whose spelling is wrong: references and dates, read straight from the tree, so
//! that a person hears of them together with the rest.

use super::check::Checker;
use model::document::{Document, Node, Problem};
use model::time::Period;

/// Problems of meaning that do not need a well-spelled file.
pub(super) fn problems(document: &Document) -> Vec<Problem> {
    let mut checker = Checker::new(document);
    let root = document.root();
    let list = |key: &str| root.get(key).map_or(&[][..], Node::items);
    let clusters: Vec<&str> = list("clusters").iter().filter_map(|cluster| text(cluster, "name")).collect();
    for (index, workload) in list("workloads").iter().enumerate() {
        let path = format!("workloads[{index}]");
        if let Some(name) = text(workload, "cluster").filter(|name| !clusters.contains(name)) {
            checker.unknown(&format!("{path}.cluster"), "cluster", name, &clusters);
        }
        let period = |key: &str| text(workload, key).and_then(|text| text.parse::<Period>().ok());
        if let Some(until) = period("until") {
            checker.until_after_at(&path, period("at").unwrap_or_default(), until);
        }
    }
    checker.into_problems()
}

fn text<'a>(node: &'a Node, key: &str) -> Option<&'a str> {
    node.get(key).and_then(Node::scalar)
}
