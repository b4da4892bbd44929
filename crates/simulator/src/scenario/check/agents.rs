//! Who decides, when, about what, and how.

use super::known::KnownNames;
use super::{Checker, DecideCheck};
use crate::scenario::AgentSpec;
use crate::scenario::raw::{RawAgent, RawScope};
use control::agent::{Cadence, Scope};
use control::ordering::is_word;
use model::names::{AgentName, ClusterName};
use model::time::Timestamp;
use std::collections::BTreeSet;

impl Checker<'_> {
    pub(super) fn agents<D>(
        &mut self,
        raw: Vec<RawAgent<D>>,
        clusters: &KnownNames<'_>,
        decides: DecideCheck<D>,
    ) -> Vec<AgentSpec<D>> {
        self.unique("agents", raw.iter().map(|agent| agent.name.as_str()));
        let mut agents = Vec::with_capacity(raw.len());
        for (index, agent) in raw.into_iter().enumerate() {
            agents.extend(self.agent(&format!("agents[{index}]"), agent, clusters, decides));
        }
        agents
    }

    fn agent<D>(
        &mut self,
        path: &str,
        raw: RawAgent<D>,
        clusters: &KnownNames<'_>,
        decides: DecideCheck<D>,
    ) -> Option<AgentSpec<D>> {
        if is_word(&raw.name) && self.is_sure(path, &["name"]) {
            let message = format!("{} is a word of the record, which names others by it", raw.name);
            self.report(&format!("{path}.name"), message, format!("write for instance {}-agent", raw.name));
        }
        if raw.when.every.is_zero() {
            let message = "deciding without pause would stop time";
            self.report(&format!("{path}.when.every"), message, "write for instance 60s");
        }
        if let Err(refusal) = decides(&raw.decide)
            && self.is_sure(path, &["decide"])
        {
            self.report_refusal(&format!("{path}.decide"), refusal, "{ strategy: planner }");
        }
        let scope = self.scope(&format!("{path}.scope"), raw.scope, clusters);
        Some(AgentSpec {
            name: AgentName::new(&raw.name).ok()?,
            cadence: Cadence {
                every: raw.when.every,
                first_at: Timestamp::EPOCH + raw.when.first_at.unwrap_or(raw.when.every),
            },
            lookback: raw.observe.lookback,
            scope,
            decide: raw.decide,
        })
    }

    fn scope(&mut self, path: &str, raw: RawScope, known: &KnownNames<'_>) -> Scope {
        let mut clusters = BTreeSet::new();
        for (index, name) in raw.clusters.iter().enumerate() {
            self.resolve(&format!("{path}.clusters[{index}]"), name, known);
            clusters.extend(ClusterName::new(name).ok());
        }
        Scope { clusters, namespaces: raw.namespaces.into_iter().collect() }
    }
}
