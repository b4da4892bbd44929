//! What people said no to.

use super::check;
use super::orders::pair;
use expect_test::expect;
use model::time::Period;

/// Whoever said no is not asked the same again at once, by any agent. People may change their minds.
#[test]
fn what_a_person_rejected_is_not_recommended_again_for_a_while() {
    let mut setup = pair().ruled(|policy| policy.ask_again_after = Some(Period::from_minutes(5)));
    setup.agent("mover");
    check(
        setup,
        "
        plan keeper migrate web x2 a b
        0:30 observe
        0:40 review R-1 reject anna
        plan mover migrate web x1 a b; migrate web x2 a c
        1:00 observe
        1:10 order ben propose migrate web x2 a b
        5:39 observe
        5:40 observe
        ",
        expect![[r#"
            plan keeper migrate web x2 a b
            0:30 observe
              keeper batch 1: 1 submitted, 0 kept
              R-1 migrate deployment/default/web (2 replicas) from a to b until 10:30
              mover batch 2: 0 submitted, 0 kept, held: within limits
            0:40 review R-1 reject anna
              R-1 rejected: rejected by reviewer
            plan mover migrate web x1 a b; migrate web x2 a c
            1:00 observe
              keeper batch 3: 0 submitted, 0 kept
                refused migrate deployment/default/web (2 replicas) from a to b: said no, by anna, until 340000
              mover batch 4: 0 submitted, 0 kept
                refused migrate deployment/default/web (1 replicas) from a to b: precondition changed, expected 1 replicas in a, found 2 replicas in a
                refused migrate deployment/default/web (2 replicas) from a to c: unknown cluster, cluster c
            1:10 order ben propose migrate web x2 a b
              R-2 migrate deployment/default/web (2 replicas) from a to b until 11:10
            5:39 observe
              keeper batch 5: 0 submitted, 0 kept
                refused migrate deployment/default/web (2 replicas) from a to b: said no, by anna, until 340000
              mover batch 6: 0 submitted, 0 kept
                refused migrate deployment/default/web (1 replicas) from a to b: precondition changed, expected 1 replicas in a, found 2 replicas in a
                refused migrate deployment/default/web (2 replicas) from a to c: unknown cluster, cluster c
            5:40 observe
        "#]],
    );
}
