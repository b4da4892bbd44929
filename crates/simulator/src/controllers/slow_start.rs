//! Slow start: creations go out in batches of 1, 2, 4, …, so that a refusal is met early and by few.

/// Upstream's limit on pods created or deleted by one sync of a `ReplicaSet`, `StatefulSet` or Job.
pub const PODS_PER_SYNC: u32 = 500;

/// The sizes of the batches that together create a given number of pods. A batch starts when all pods of the one
/// before were accepted; after a refusal the rest waits for the next sync.
#[derive(Debug, Clone)]
pub struct SlowStart {
    remaining: u32,
    batch: u32,
}

/// The batches for `count` pods.
pub fn batches(count: u32) -> SlowStart {
    SlowStart { remaining: count, batch: 1 }
}

impl Iterator for SlowStart {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        let size = self.batch.min(self.remaining);
        self.remaining -= size;
        self.batch = size.saturating_mul(2);
        (size > 0).then_some(size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_double_until_all_is_asked_for() {
        let check = |count: u32, sizes: &[u32]| {
            assert_eq!(batches(count).collect::<Vec<_>>(), sizes, "{count} pods");
        };
        check(0, &[]);
        check(1, &[1]);
        check(2, &[1, 1]);
        check(7, &[1, 2, 4]);
        check(10, &[1, 2, 4, 3]);
        check(500, &[1, 2, 4, 8, 16, 32, 64, 128, 245]);
    }
}
