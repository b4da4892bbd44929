//! The plans of the agenda as somebody would make them who knows what has happened and how long things usually take, but
//! neither the scenario's script nor a draw that has not shown itself.

use crate::faults::{SHORTEST, exponential};
use crate::randomness::Stream;
use crate::scenario::Spread;
use crate::world::SimulatedWorld;
use crate::world::agenda::{Event, Plan};
use crate::world::pods::PodKey;
use model::names::NodeName;
use model::time::Timestamp;
use std::collections::BTreeMap;

/// For each pool, by cluster, when the nodes it waits for will be there.
type Boots = BTreeMap<(usize, usize), Vec<Timestamp>>;

impl SimulatedWorld {
    pub(super) fn redraw_plans(&mut self, chance: &mut Stream) {
        let mut agenda = std::mem::take(&mut self.agenda);
        let now = agenda.now();
        let mut boots = self.redrawn_boots(now, chance);
        agenda.change(|_, event| self.redrawn(now, event, &mut boots, chance));
        self.agenda = agenda;
    }

    /// What becomes of a planned event: what is part of the script is not known.
    fn redrawn(&self, now: Timestamp, event: &Event, boots: &mut Boots, chance: &mut Stream) -> Plan {
        let redrawn = match event {
            Event::Happens { .. }
            | Event::FaultBegins { .. }
            | Event::FaultEnds { .. }
            | Event::Arrives { .. } => return Plan::Goes,
            Event::PodReady { cluster, pod, life } => self.pod_ready_at(*cluster, *pod, *life, now, chance),
            Event::PodFinished { cluster, pod, .. } => self.pod_finished_at(*cluster, *pod, now, chance),
            Event::PodGone { cluster, pod, .. } => self.pod_gone_at(*cluster, *pod, now, chance),
            Event::NodeReady { cluster, pool } => boots.get_mut(&(*cluster, *pool)).and_then(Vec::pop),
            Event::SpotNotice { cluster, node } => self.spot_notice_at(*cluster, node, now, chance),
            _ => None,
        };
        redrawn.map_or(Plan::Stays, Plan::Moves)
    }

    /// A pod that starts for the first time started when it was bound; of another nobody knows since when.
    fn pod_ready_at(
        &self,
        cluster: usize,
        pod: PodKey,
        life: u32,
        now: Timestamp,
        chance: &mut Stream,
    ) -> Option<Timestamp> {
        let cluster = &self.clusters[cluster];
        let record = cluster.pods.get(pod).filter(|record| life == 0 && record.life == life)?;
        let bound_at = u64::try_from(cluster.state.pod(pod.id)?.details.start_time).ok()?;
        ends_at(&record.spec.start_time, Timestamp(bound_at), now, chance)
    }

    fn pod_finished_at(
        &self,
        cluster: usize,
        pod: PodKey,
        now: Timestamp,
        chance: &mut Stream,
    ) -> Option<Timestamp> {
        let record = self.clusters[cluster].pods.get(pod)?;
        let run_time = self.spec.workloads[record.owner.workload as usize].run_time.as_ref()?;
        ends_at(run_time, record.ready_since?, now, chance)
    }

    fn pod_gone_at(
        &self,
        cluster: usize,
        pod: PodKey,
        now: Timestamp,
        chance: &mut Stream,
    ) -> Option<Timestamp> {
        let record = self.clusters[cluster].pods.get(pod)?;
        ends_at(&record.spec.stop_time, record.ended_at?, now, chance)
    }

    /// However long a spot node has lived, it will live as long again on average.
    fn spot_notice_at(
        &self,
        cluster: usize,
        name: &NodeName,
        now: Timestamp,
        chance: &mut Stream,
    ) -> Option<Timestamp> {
        let cluster = &self.clusters[cluster];
        let record = cluster.node(cluster.state.node_by_name(name.as_str())?)?;
        let spot = cluster.pools[record.pool].spec.spot?;
        let life = exponential(spot.interruptions_per_hour.as_f64(), chance)?;
        Some(now + life.max(SHORTEST))
    }

    /// One for each order that is under way; which plan gets which is all the same.
    fn redrawn_boots(&self, now: Timestamp, chance: &mut Stream) -> Boots {
        let mut boots = Boots::new();
        for cluster in &self.clusters {
            for (index, pool) in cluster.pools.iter().enumerate() {
                // Which of its plans belongs to an order that was withdrawn, nobody knows: they stay as they are.
                if pool.spec.boot_time.is_certain() || pool.has_withdrawn() {
                    continue;
                }
                let ready = pool
                    .booting
                    .iter()
                    .filter_map(|ordered| ends_at(&pool.spec.boot_time, *ordered, now, chance));
                boots.insert((cluster.index, index), ready.collect());
            }
        }
        boots
    }
}

/// When something ends that began at `since` and has not ended yet; nothing if there is nothing to draw.
fn ends_at(length: &Spread, since: Timestamp, now: Timestamp, chance: &mut Stream) -> Option<Timestamp> {
    if length.is_certain() {
        return None;
    }
    Some((since + length.draw_beyond(now.since(since), chance)).max(now))
}
