//! The pods of one cluster: dense records that are used again after a pod is gone.

use crate::controllers::pod::{self, PodPhase, PodView};
use crate::scenario::PodTemplate;
use crate::scheduler::{NodeId, PodId, TemplateId};
use model::time::Timestamp;
use std::sync::Arc;

/// A pod, and which use of its record: an event about an earlier use finds nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct PodKey {
    pub(crate) id: PodId,
    generation: u32,
}

/// Who made a pod: a workload, and which of its sets of equal pods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Owner {
    pub(crate) workload: u32,
    pub(crate) set: u32,
    /// The stable number of a StatefulSet's pod or an indexed Job's.
    pub(crate) ordinal: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Waits for a node.
    Waiting,
    /// Has a node and is starting.
    Starting,
    Ready,
    /// Was told to stop and still holds its room.
    Stopping,
    /// Its work is done; it holds no room and waits to be counted.
    Succeeded,
}

#[derive(Clone, Debug)]
pub(crate) struct PodRecord {
    pub(crate) key: PodKey,
    pub(crate) owner: Owner,
    pub(crate) template: TemplateId,
    pub(crate) spec: Arc<PodTemplate>,
    pub(crate) phase: Phase,
    pub(crate) node: Option<NodeId>,
    pub(crate) created_at: Timestamp,
    /// When it got its node; without one it means nothing.
    pub(crate) placed_at: Timestamp,
    pub(crate) ready_since: Option<Timestamp>,
    /// When it was told to stop, or its work was done.
    pub(crate) ended_at: Option<Timestamp>,
    /// Breaks ties between equal pods without favouring old or new ones.
    pub(crate) uid: u64,
    /// Its node does not work, and its requests are gone with it.
    pub(crate) lost: bool,
    /// How often its node crashed under it or came back: an event about an earlier life finds nothing.
    pub(crate) life: u32,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct PodTable {
    records: Vec<Slot>,
    free: Vec<u32>,
    made: u64,
}

#[derive(Clone, Debug)]
struct Slot {
    generation: u32,
    record: Option<PodRecord>,
}

impl PodRecord {
    /// The pod as its controller sees it.
    pub(crate) fn view(&self) -> PodView {
        PodView {
            key: pod::PodKey(self.key.id.0),
            uid: self.uid,
            node: self.node.map(|node| pod::NodeKey(node.index() as u32)),
            phase: match self.phase {
                Phase::Waiting | Phase::Starting => PodPhase::Pending,
                Phase::Ready | Phase::Stopping => PodPhase::Running,
                Phase::Succeeded => PodPhase::Succeeded,
            },
            ready_since: self.ready_since,
            created: self.created_at,
            deleting: self.phase == Phase::Stopping,
            restarts: 0,
            deletion_cost: 0,
        }
    }

    /// Whether it holds room on a node.
    #[cfg(test)]
    pub(crate) const fn is_placed(&self) -> bool {
        matches!(self.phase, Phase::Starting | Phase::Ready | Phase::Stopping)
    }
}

impl PodTable {
    pub(crate) fn insert(
        &mut self,
        owner: Owner,
        template: TemplateId,
        spec: &Arc<PodTemplate>,
        now: Timestamp,
    ) -> PodKey {
        let index = self.free.pop().unwrap_or_else(|| {
            self.records.push(Slot { generation: 0, record: None });
            self.records.len() as u32 - 1
        });
        self.made += 1;
        let slot = &mut self.records[index as usize];
        slot.generation += 1;
        let key = PodKey { id: PodId(index), generation: slot.generation };
        slot.record = Some(PodRecord {
            key,
            owner,
            template,
            spec: Arc::clone(spec),
            phase: Phase::Waiting,
            node: None,
            created_at: now,
            placed_at: now,
            ready_since: None,
            ended_at: None,
            uid: scrambled(self.made),
            lost: false,
            life: 0,
        });
        key
    }

    pub(crate) fn remove(&mut self, key: PodKey) -> Option<PodRecord> {
        self.get(key)?;
        self.free.push(key.id.0);
        self.records[key.id.0 as usize].record.take()
    }

    pub(crate) fn get(&self, key: PodKey) -> Option<&PodRecord> {
        let record = self.records.get(key.id.0 as usize)?.record.as_ref()?;
        (record.key == key).then_some(record)
    }

    pub(crate) fn get_mut(&mut self, key: PodKey) -> Option<&mut PodRecord> {
        let record = self.records.get_mut(key.id.0 as usize)?.record.as_mut()?;
        (record.key == key).then_some(record)
    }

    /// The present user of a record.
    pub(crate) fn by_id(&self, id: PodId) -> Option<&PodRecord> {
        self.records.get(id.0 as usize)?.record.as_ref()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &PodRecord> {
        self.records.iter().filter_map(|slot| slot.record.as_ref())
    }

    /// No pod has this number or a larger one.
    pub(crate) fn unused_from(&self) -> PodId {
        PodId(self.records.len() as u32)
    }

    /// How many pods were ever made.
    pub(crate) const fn made(&self) -> u64 {
        self.made
    }
}

/// The how-manieth pod it is that has this uid: [`scrambled`], undone. An odd factor is undone by its inverse modulo 2^64.
pub(super) const fn made_as(uid: u64) -> u64 {
    let mut bits = uid ^ (uid >> 31) ^ (uid >> 62);
    bits = bits.wrapping_mul(0x3196_42B2_D24D_8EC3);
    bits = bits ^ (bits >> 27) ^ (bits >> 54);
    bits = bits.wrapping_mul(0x96DE_1B17_3F11_9089);
    bits = bits ^ (bits >> 30) ^ (bits >> 60);
    bits.wrapping_mul(0xF1DE_83E1_9937_733D)
}

/// A fixed bijection on 64-bit numbers (the finaliser of SplitMix64): unique like a counter, in no visible order.
pub(super) const fn scrambled(number: u64) -> u64 {
    let mut bits = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_uid_tells_the_how_manieth_pod_it_is() {
        for number in [0, 1, 2, 1_000, u64::from(u32::MAX), u64::MAX] {
            assert_eq!(made_as(scrambled(number)), number);
        }
    }
}
