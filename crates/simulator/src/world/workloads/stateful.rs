//! StatefulSets: pods with fixed numbers, one after the other.

use super::{Site, Wanted};
use crate::controllers::stateful_set::{self, Command, Revisions, StatefulPod, StatefulSetSpec};
use crate::scenario::PodTemplate;
use crate::world::pods::PodKey;
use model::time::Timestamp;
use std::collections::BTreeMap;
use std::sync::Arc;

const MOST_STEPS: u32 = 64;

#[derive(Clone, Debug, Default)]
pub(super) struct StatefulPods {
    current: u64,
    templates: BTreeMap<u64, Arc<PodTemplate>>,
    pods: Vec<PodKey>,
}

impl StatefulPods {
    pub(super) fn sync(&mut self, wanted: &Wanted<'_>, site: &mut Site<'_>) -> Option<Timestamp> {
        if self.current == 0 {
            self.current = wanted.revision;
        }
        self.templates.entry(wanted.revision).or_insert_with(|| Arc::clone(wanted.template));
        let spec = StatefulSetSpec { replicas: wanted.replicas, ..StatefulSetSpec::default() };
        for _ in 0..MOST_STEPS {
            site.prune(&mut self.pods);
            let revisions = Revisions { current: self.current, update: wanted.revision };
            let pods = self.views(site);
            let commands = stateful_set::sync(&spec, revisions, &pods, site.now());
            let status = stateful_set::status(&spec, revisions, &pods, site.now());
            self.current = stateful_set::settle(&spec, revisions, &status).current;
            if commands.is_empty() {
                break;
            }
            for command in commands {
                self.carry_out(command, site);
            }
        }
        None
    }

    pub(super) fn stop(&mut self, site: &mut Site<'_>) -> bool {
        site.stop_all(&mut self.pods)
    }

    pub(super) fn pods(&self) -> Vec<PodKey> {
        self.pods.clone()
    }

    /// The revision that most of its pods have.
    pub(super) const fn current(&self) -> u64 {
        self.current
    }

    fn carry_out(&mut self, command: Command, site: &mut Site<'_>) {
        match command {
            Command::Create { ordinal, revision } => {
                let template = Arc::clone(&self.templates[&revision]);
                let id = site.intern_selected(&template);
                self.pods.push(site.create(revision as u32, ordinal, id, &template));
            }
            Command::Delete { pod } => {
                let key = site.key(pod);
                site.stop(key);
            }
        }
    }

    fn views(&self, site: &Site<'_>) -> Vec<StatefulPod> {
        let records = self.pods.iter().filter_map(|key| site.get(*key));
        records
            .map(|record| StatefulPod {
                pod: record.view(),
                ordinal: record.owner.ordinal,
                revision: u64::from(record.owner.set),
            })
            .collect()
    }
}
