//! Prefers nodes that hold a pod's images already, weighted by how widely an image is spread.

use crate::kube::ContainerImage;
use crate::scheduler::nodes::NodeId;
use crate::scheduler::profile::MAX_NODE_SCORE;
use crate::scheduler::state::ClusterState;
use crate::scheduler::symbol::{Interner, Symbol};
use crate::scheduler::template::Template;
use std::collections::BTreeMap;

const MEBIBYTE: i64 = 1024 * 1024;
/// Less than this on a node scores 0.
const LOWEST_SUM: i64 = 23 * MEBIBYTE;
/// More than this per container scores no higher.
const HIGHEST_SUM_PER_CONTAINER: i64 = 1000 * MEBIBYTE;

#[derive(Clone, Copy, Debug)]
struct ImageState {
    size: i64,
    nodes: i64,
}

/// Where images are: size as first reported, and the number of nodes.
#[derive(Clone, Debug, Default)]
pub struct Images {
    states: BTreeMap<Symbol, ImageState>,
}

impl Images {
    /// Returns the sorted names of the node's images.
    pub fn add_node(&mut self, images: &[ContainerImage], names: &mut Interner) -> Vec<Symbol> {
        let mut on_node = Vec::new();
        for image in images {
            for name in &image.names {
                let name = names.intern(name);
                self.states.entry(name).or_insert(ImageState { size: image.size_bytes, nodes: 0 });
                on_node.push(name);
            }
        }
        on_node.sort_unstable();
        on_node.dedup();
        for name in &on_node {
            self.states.get_mut(name).expect("entered above").nodes += 1;
        }
        on_node
    }

    pub fn remove_node(&mut self, images: &[Symbol]) {
        for name in images {
            let state = self.states.get_mut(name).expect("an image on a node is known");
            state.nodes -= 1;
            if state.nodes == 0 {
                self.states.remove(name);
            }
        }
    }
}

/// The name with `:latest` if it has no tag or digest.
pub fn normalized_name(image: &str) -> String {
    // Both are `None` at worst, and `None` is less than any position.
    if image.rfind(':') <= image.rfind('/') { format!("{image}:latest") } else { image.to_owned() }
}

/// Whether any node holds one of the pod's images; otherwise all nodes score 0.
pub fn scores(state: &ClusterState, template: &Template) -> bool {
    template.images.iter().any(|image| state.images.states.contains_key(image))
}

/// Final scores.
pub fn score(state: &ClusterState, template: &Template, nodes: &[NodeId], scores: &mut Vec<i64>) {
    let all_nodes = state.node_count() as f64;
    let worth: Vec<(Symbol, i64)> = template
        .images
        .iter()
        .filter_map(|image| {
            let known = state.images.states.get(image)?;
            Some((*image, (known.size as f64 * (known.nodes as f64 / all_nodes)) as i64))
        })
        .collect();
    scores.clear();
    scores.extend(nodes.iter().map(|node| {
        let on_node = &state.nodes.details[node.index()].images;
        let present = worth.iter().filter(|(image, _)| on_node.binary_search(image).is_ok());
        scale(present.map(|(_, worth)| worth).sum(), template.containers as i64)
    }));
}

fn scale(sum: i64, containers: i64) -> i64 {
    let highest = HIGHEST_SUM_PER_CONTAINER * containers;
    // Not `clamp`: without containers the highest is below the lowest.
    let sum = if sum < LOWEST_SUM { LOWEST_SUM } else { sum.min(highest) };
    MAX_NODE_SCORE * (sum - LOWEST_SUM) / (highest - LOWEST_SUM)
}
