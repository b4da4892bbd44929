//! Disruption budgets: whose going would violate one.

use super::{PodId, Victim};

/// Separates the pods whose going violates a budget from the others; both keep the order of `sorted`.
///
/// `allowed` is how many more pods may go, per budget; `covers` says whether a budget, by index, counts a pod. Every
/// pod uses up its budgets whether it ends up among the victims or not.
pub fn split_by_budget(
    sorted: &[Victim],
    allowed: &[i32],
    covers: impl Fn(usize, PodId) -> bool,
) -> (Vec<Victim>, Vec<Victim>) {
    let mut left = allowed.to_vec();
    sorted.iter().partition(|victim| {
        let mut violates = false;
        for (budget, left) in left.iter_mut().enumerate() {
            if covers(budget, victim.pod) {
                *left -= 1;
                violates |= *left < 0;
            }
        }
        violates
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(story: &str, allowed: &[i32], covers: &[&[u32]], want: &[u32]) {
        let sorted: Vec<_> =
            (1..=4).map(|id| Victim { pod: PodId(id), priority: 0, started_at: None }).collect();
        let (violating, others) =
            split_by_budget(&sorted, allowed, |budget, pod| covers[budget].contains(&pod.0));
        let ids = |pods: &[Victim]| pods.iter().map(|victim| victim.pod.0).collect::<Vec<_>>();
        assert_eq!(ids(&violating), want, "{story}");
        assert_eq!(violating.len() + others.len(), sorted.len(), "{story}");
        assert!(others.is_sorted_by_key(|victim| victim.pod), "{story}");
    }

    #[test]
    fn budgets_are_used_up_in_order_of_importance() {
        check("no budget", &[], &[], &[]);
        check("room for two", &[2], &[&[1, 2, 3]], &[3]);
        check("nothing left", &[0], &[&[2, 4]], &[2, 4]);
        check("one of two budgets is enough", &[3, 0], &[&[1, 2, 3], &[2]], &[2]);
        check("a pod that violates one budget uses up the other", &[0, 1], &[&[1], &[1, 2]], &[1, 2]);
    }
}
