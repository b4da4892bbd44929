//! Lists of nodes: equal ones become one pool.

use super::numbers::whole;
use super::openb::{self, GPU, GPU_MILLI, GPU_MODEL, NodeRow, WHOLE, valid_name};
use super::pod_rows::{amounts, pairs};
use super::table::{Column, Faults, Row, Table, Unknown};
use model::document::{Problems, Refusal, Source};
use model::names::check_name;
use model::quantity::{Bytes, MilliCpu};
use std::collections::BTreeMap;

/// What a kubelet allows unless told otherwise; traces do not say.
const PODS_PER_NODE: u32 = 110;
/// As many as a pool of a scenario may have.
const MOST_NODES: u64 = 100_000;

/// Equal nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodePool {
    pub name: String,
    pub nodes: u32,
    pub cpu: MilliCpu,
    pub memory: Bytes,
    pub pods: u32,
    pub labels: BTreeMap<String, String>,
    pub extended: BTreeMap<String, u64>,
}

impl NodePool {
    pub(super) fn simple(name: &str, nodes: u32, cpu: MilliCpu, memory: Bytes) -> Self {
        let (labels, extended) = (BTreeMap::new(), BTreeMap::new());
        // One pod per processor must have a place.
        let pods = PODS_PER_NODE.max(u32::try_from(cpu.0 / 1_000).unwrap_or(PODS_PER_NODE));
        Self { name: name.to_owned(), nodes, cpu, memory, pods, labels, extended }
    }
}

/// Reads openb's node list: one pool for each kind of node.
pub fn read_openb(name: &str, bytes: &[u8]) -> Result<Vec<NodePool>, Problems> {
    let source = Source::read(name, bytes)?;
    let mut faults = Faults::new(&source);
    let mut classes: BTreeMap<_, u32> = BTreeMap::new();
    for NodeRow { cpu, memory, gpus, model } in openb::nodes(&mut faults) {
        *classes.entry((cpu, memory, gpus, model)).or_default() += 1;
    }
    if classes.is_empty() {
        faults.refuse_line(1, "", "there are no nodes", "add a row");
    }
    let mut pools: Vec<NodePool> = Vec::new();
    for ((cpu, memory, gpus, model), nodes) in classes {
        let name = class_name(cpu, memory, gpus, model.as_deref());
        let taken = pools.iter().filter(|pool| pool.name.starts_with(&name)).count();
        let name = if taken == 0 { name } else { format!("{name}-{}", taken + 1) };
        let extended = [(GPU, gpus), (GPU_MILLI, gpus * WHOLE)].into_iter().filter(|(_, amount)| *amount > 0);
        pools.push(NodePool {
            extended: extended.map(|(name, amount)| (name.to_owned(), amount)).collect(),
            labels: model.map(|model| (GPU_MODEL.to_owned(), model)).into_iter().collect(),
            ..NodePool::simple(&name, nodes, cpu, memory)
        });
    }
    faults.into_result(pools)
}

/// `96c-384gi-8xg2`: processors, memory, GPUs.
fn class_name(cpu: MilliCpu, memory: Bytes, gpus: u64, model: Option<&str>) -> String {
    let gpus = match (gpus, model) {
        (0, _) => String::new(),
        (gpus, None) => format!("-{gpus}xgpu"),
        (gpus, Some(model)) => format!("-{gpus}x{model}"),
    };
    let name = format!("{cpu}c-{memory}{gpus}").to_lowercase();
    match check_name(&name) {
        Ok(()) => name,
        Err(error) => error.proposal.unwrap_or_else(|| "nodes".to_owned()),
    }
}

const COLUMNS: [Column; 7] = [
    Column::needed("pool", "workers"),
    Column::needed("nodes", "3"),
    Column::needed("cpu", "500m"),
    Column::needed("memory", "1Gi"),
    Column::optional("pods", "110"),
    Column::optional("labels", "team=a;tier=web"),
    Column::optional("resources", "nvidia.com/gpu=1"),
];

/// Reads our own table of pools: `pool,nodes,cpu,memory` and what else is known.
pub fn read_csv(name: &str, bytes: &[u8]) -> Result<Vec<NodePool>, Problems> {
    let source = Source::read(name, bytes)?;
    let mut faults = Faults::new(&source);
    let mut pools: Vec<NodePool> = Vec::new();
    if let Some(table) = Table::open(&COLUMNS, Unknown::Refused, &mut faults) {
        table.each_row(&mut faults, |row, faults| {
            let Some(pool) = pool(row, faults) else { return };
            if pools.iter().any(|known| known.name == pool.name) {
                row.refuse(
                    0,
                    faults,
                    Refusal::new(format!("{:?} occurs twice", pool.name))
                        .propose("give each pool its own name"),
                );
            }
            pools.push(pool);
        });
        if pools.is_empty() {
            faults.refuse_line(1, "", "there are no nodes", "add a row");
        }
    }
    faults.into_result(pools)
}

fn pool(row: &Row<'_>, faults: &mut Faults<'_>) -> Option<NodePool> {
    let name = row.needed(0, faults, valid_name);
    let nodes = row.needed(1, faults, |text| whole(text, 0, MOST_NODES));
    let cpu = row.needed(2, faults, |text| text.parse::<MilliCpu>().map_err(Refusal::from));
    let memory = row.needed(3, faults, |text| text.parse::<Bytes>().map_err(Refusal::from));
    let pods = row.optional(4, faults, |text| whole(text, 1, 10_000));
    let labels = row.optional(5, faults, |text| pairs(text, |value| Ok(value.to_owned())));
    let extended = row.optional(6, faults, amounts);
    let simple = NodePool::simple(&name?, nodes? as u32, cpu?, memory?);
    Some(NodePool {
        pods: pods?.map_or(simple.pods, |pods| pods as u32),
        labels: labels?.unwrap_or_default(),
        extended: extended?.unwrap_or_default(),
        ..simple
    })
}
