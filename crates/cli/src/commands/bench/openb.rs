//! Alibaba's GPU trace of 2023, replayed: from its two files to the finished report, all in this process.

use super::case::CaseResult;
use crate::failure::Failure;
use crate::files;
use anyhow::{Context, anyhow};
use lab::report::{Limits, ReportInput, html};
use lab::run::Plan;
use simulator::scenario::read_beside;
use simulator::traces::draft::{self, Draft};
use simulator::traces::{PodFormat, nodes, read_pods};
use std::path::Path;
use strategies::catalogue::StrategyConfig;

const PODS: &str = "openb_pod_list_default.csv";
const NODES: &str = "openb_node_list_all_node.csv";

pub(super) fn replay(folder: &Path) -> Result<CaseResult, Failure> {
    let plan = plan(folder)?;
    let outcome = plan.run(std::io::sink(), &mut |_, _, _| {});
    let outcome = outcome.context("a journal that is not kept could not be written")?;
    let limits = plan.world.limits;
    let page = html::render(&ReportInput {
        description: &plan.world.description,
        duration: plan.world.duration,
        limits: Limits { max_load: limits.max_load, max_pending: limits.max_pending },
        series: &outcome.series,
        timeline: &outcome.timeline,
        summary: &outcome.summary,
        command: "drover bench --openb",
    });
    let (pods, placed) = (plan.world.workloads.len() as u64, outcome.ledger.placed);
    if placed > pods || page.is_empty() {
        return Err(anyhow!("of {pods} pods {placed} were placed").into());
    }
    Ok(CaseResult {
        simulated_seconds: outcome.summary.duration_s as u64,
        events: outcome.summary.events,
        fingerprint: format!("{:016x}", outcome.ledger.fingerprint),
    })
}

/// What `drover import trace` and `drover run` do one after the other.
fn plan(folder: &Path) -> Result<Plan, Failure> {
    let bytes = files::read(&folder.join(PODS))?;
    let pools = nodes::read_openb(NODES, &files::read(&folder.join(NODES))?)?;
    let traces = [(PODS.to_owned(), read_pods(PodFormat::Openb, PODS, &bytes)?)];
    let format = PodFormat::Openb;
    let text = draft::scenario(Draft { name: "openb", format, pools: &pools, traces: &traces });
    let mut beside = |_: &str| Ok(bytes.clone());
    Ok(Plan::new(read_beside("openb", text.as_bytes(), StrategyConfig::check, &mut beside)?, 1))
}
