//! Refusals for lack of room, for limits and for pace.

use super::check;
use super::refusals::{acting, pair, proposing};
use crate::guardrails::Freeze;
use crate::testing::{Setup, moment};
use expect_test::expect;
use model::ratio::Ratio;
use model::time::Period;

#[test]
fn moves_that_fit_alone_need_not_fit_together() {
    let tight = || Setup::new("cluster a 2x4\ncluster b 1x4\nweb 1 a=3\ndb 2 a=1");
    proposing(
        tight(),
        "",
        "migrate web x3 a b; migrate db x1 a b",
        expect![[r#"
          keeper batch 1: 1 submitted, 0 kept
            refused migrate deployment/default/db (1 replicas) from a to b: no room, cluster b, pods 1, room 0
          R-1 migrate deployment/default/web (3 replicas) from a to b until 10:30
    "#]],
    );
    // Each fits while the other is not approved yet.
    let mut setup = tight();
    setup.agent("other");
    check(
        setup,
        "
        plan keeper migrate web x3 a b
        plan other migrate db x1 a b
        0:30 observe
        0:40 review R-1 approve anna
        0:41 review R-2 approve anna
        ",
        expect![[r#"
            plan keeper migrate web x3 a b
            plan other migrate db x1 a b
            0:30 observe
              keeper batch 1: 1 submitted, 0 kept
              R-1 migrate deployment/default/web (3 replicas) from a to b until 10:30
              other batch 2: 1 submitted, 0 kept
              R-2 migrate deployment/default/db (1 replicas) from a to b until 10:30
            0:40 review R-1 approve anna
              R-1 approved: approved by reviewer
              R-1 applying: started
              R-1 apply, says person anna
            0:41 review R-2 approve anna
              R-2 approved: approved by reviewer
              R-2 failed: refused when acting, refusal no room, cluster b, pods 1, room 0
        "#]],
    );
    acting(
        tight(),
        "migrate web x3 a b",
        "world job 2 b=1",
        expect![[r#"
          R-1 approved: approved by reviewer
          R-1 failed: refused when acting, refusal no room, cluster b, pods 3, room 2
    "#]],
    );
}

#[test]
fn room_is_counted_by_nodes_and_by_what_a_cluster_adds_itself() {
    // Room in sum is not room on a node.
    proposing(
        Setup::new("cluster a 1x4\ncluster b 2x4\nold 3 b=2\ndb 2 a=1"),
        "",
        "migrate db x1 a b",
        expect![[r#"
              keeper batch 1: 0 submitted, 0 kept
                refused migrate deployment/default/db (1 replicas) from a to b: no room, cluster b, pods 1, room 0
        "#]],
    );
    // A cluster that grows by itself takes what its pool can reach.
    let growing = "cluster a 2x4\ncluster b 1x4 max=2 auto\nold 4 b=1\nweb 1 a=5";
    proposing(
        Setup::new(growing),
        "",
        "migrate web x5 a b",
        expect![[r#"
          keeper batch 1: 0 submitted, 0 kept
            refused migrate deployment/default/web (5 replicas) from a to b: no room, cluster b, pods 5, room 0
    "#]],
    );
    proposing(
        Setup::new(growing),
        "world web 1 a=4",
        "migrate web x4 a b",
        expect![[r#"
          keeper batch 1: 1 submitted, 0 kept
          R-1 migrate deployment/default/web (4 replicas) from a to b until 10:30
    "#]],
    );
    proposing(
        pair(),
        "",
        "scale web a 2 7; scale db a 1 0; scale web a 2 6",
        expect![[r#"
          keeper batch 1: 2 submitted, 0 kept
            refused scale deployment/default/web in a from 2 to 7: no room, cluster a, pods 5, room 4
          R-1 scale deployment/default/db in a from 1 to 0 until 10:30
          R-2 scale deployment/default/web in a from 2 to 6 until 10:30
    "#]],
    );
}

#[test]
fn pools_stay_within_their_bounds_and_keep_their_pods() {
    let bounded = || Setup::new("cluster a 2x4 min=1 max=3\nweb 1 a=5");
    proposing(
        bounded(),
        "",
        "resize a 2 4; resize a 2 0; resize a 2 1; resize a 2 3",
        expect![[r#"
          keeper batch 1: 1 submitted, 0 kept
            refused resize pool nodes of a from 2 to 4 nodes: outside pool bounds, maximum 3, minimum 1, wanted 4
            refused resize pool nodes of a from 2 to 0 nodes: outside pool bounds, maximum 3, minimum 1, wanted 0
            refused resize pool nodes of a from 2 to 1 nodes: no room, cluster a, pods 1, room 0
          R-1 resize pool nodes of a from 2 to 3 nodes until 10:30
    "#]],
    );
    acting(
        bounded(),
        "resize a 2 3",
        "world cluster a 2x4 min=1 max=2",
        expect![[r#"
          R-1 approved: approved by reviewer
          R-1 failed: refused when acting, refusal outside pool bounds, maximum 2, minimum 1, wanted 3
    "#]],
    );
    acting(
        Setup::new("cluster a 2x4 min=1\nweb 1 a=3"),
        "resize a 2 1",
        "world web 1 a=5",
        expect![[r#"
          R-1 approved: approved by reviewer
          R-1 failed: refused when acting, refusal no room, cluster a, pods 1, room 0
    "#]],
    );
}

#[test]
fn no_action_breaks_a_limit() {
    let limited = || pair().guarded(|rules| rules.max_load = Some(Ratio::from_percent(50)));
    proposing(
        limited(),
        "world job 1 b=3",
        "migrate web x2 a b; scale web a 2 3; scale db a 1 0",
        expect![[r#"
              keeper batch 1: 1 submitted, 0 kept
                refused migrate deployment/default/web (2 replicas) from a to b: load limit, cluster b, limit 0.5, load after 0.625
                refused scale deployment/default/web in a from 2 to 3: load limit, cluster a, limit 0.5, load after 0.625
              R-1 scale deployment/default/db in a from 1 to 0 until 10:30
        "#]],
    );
    acting(
        limited(),
        "migrate web x2 a b",
        "world job 1 b=3",
        expect![[r#"
          R-1 approved: approved by reviewer
          R-1 failed: refused when acting, refusal load limit, cluster b, limit 0.5, load after 0.625
    "#]],
    );

    // A pod that fits no node waits in b already: moving there adds none, and yet the share of those that wait is too high.
    let limited = || pair().guarded(|rules| rules.max_pending = Some(Ratio::from_percent(10)));
    proposing(
        limited(),
        "world big 5 b=0+1",
        "migrate web x2 a b",
        expect![[r#"
          keeper batch 1: 0 submitted, 0 kept
            refused migrate deployment/default/web (2 replicas) from a to b: pending limit, cluster b, limit 0.1, pending after 0.333333
    "#]],
    );
    acting(
        limited(),
        "migrate web x2 a b",
        "world big 5 b=0+1",
        expect![[r#"
          R-1 approved: approved by reviewer
          R-1 failed: refused when acting, refusal pending limit, cluster b, limit 0.1, pending after 0.333333
    "#]],
    );
}

#[test]
fn a_workload_that_moved_stays_for_a_while() {
    let cool = || pair().guarded(|rules| rules.cool_down = Period::from_minutes(5));
    proposing(
        cool(),
        "world web 1 a=2 moved=0:10",
        "migrate web x2 a b; move web a n0 n1; scale web a 2 3",
        expect![[r#"
              keeper batch 1: 1 submitted, 0 kept
                refused migrate deployment/default/web (2 replicas) from a to b: cool down, until 310000, workload deployment/default/web
                refused move deployment/default/web in a from node n0 to node n1: cool down, until 310000, workload deployment/default/web
              R-1 scale deployment/default/web in a from 2 to 3 until 10:30
        "#]],
    );
    acting(
        cool(),
        "migrate web x2 a b",
        "world web 1 a=2 moved=0:50",
        expect![[r#"
            R-1 review refused: not now, refusal cool down, until 350000, workload deployment/default/web
        "#]],
    );
    // A move that was started counts from its start, whatever became of it.
    check(
        cool(),
        "
        plan keeper migrate web x2 a b
        0:30 observe
        0:40 review R-1 approve anna
        0:50 applied R-1 undone not ready
        5:39 observe
        5:40 observe
        6:10 observe
        ",
        expect![[r#"
            plan keeper migrate web x2 a b
            0:30 observe
              keeper batch 1: 1 submitted, 0 kept
              R-1 migrate deployment/default/web (2 replicas) from a to b until 10:30
            0:40 review R-1 approve anna
              R-1 approved: approved by reviewer
              R-1 applying: started
              R-1 apply, says person anna
            0:50 applied R-1 undone not ready
              R-1 rolled_back: observed, outcome rolled back, reason not ready
            5:39 observe
              keeper batch 2: 0 submitted, 0 kept
                refused migrate deployment/default/web (2 replicas) from a to b: cool down, until 340000, workload deployment/default/web
            5:40 observe
            6:10 observe
              keeper batch 3: 1 submitted, 0 kept
              R-2 migrate deployment/default/web (2 replicas) from a to b until 16:10
        "#]],
    );
}

#[test]
fn moves_are_counted_by_the_hour() {
    let few = || pair().guarded(|rules| rules.moves_per_hour = Some(1));
    proposing(
        few(),
        "",
        "migrate web x2 a b; migrate db x1 a b; scale db a 1 2",
        expect![[r#"
          keeper batch 1: 2 submitted, 0 kept
            refused migrate deployment/default/db (1 replicas) from a to b: too many moves, in last hour 1, limit 1
          R-1 migrate deployment/default/web (2 replicas) from a to b until 10:30
          R-2 scale deployment/default/db in a from 1 to 2 until 10:30
    "#]],
    );
    let mut setup = few();
    setup.agent("other");
    check(
        setup,
        "
        plan keeper migrate web x2 a b
        plan other migrate db x1 a b
        0:30 observe
        0:40 review R-1 approve anna
        0:41 review R-2 approve anna
        60:40 observe
        60:41 observe
        61:11 observe
        ",
        expect![[r#"
            plan keeper migrate web x2 a b
            plan other migrate db x1 a b
            0:30 observe
              keeper batch 1: 1 submitted, 0 kept
              R-1 migrate deployment/default/web (2 replicas) from a to b until 10:30
              other batch 2: 1 submitted, 0 kept
              R-2 migrate deployment/default/db (1 replicas) from a to b until 10:30
            0:40 review R-1 approve anna
              R-1 approved: approved by reviewer
              R-1 applying: started
              R-1 apply, says person anna
            0:41 review R-2 approve anna
              R-2 review refused: not now, refusal too many moves, in last hour 1, limit 1
            60:40 observe
              R-2 expired: lifetime over
              keeper batch 3: 0 submitted, 0 kept
                refused migrate deployment/default/web (2 replicas) from a to b: conflict, with R-1
              other batch 4: 0 submitted, 0 kept
                refused migrate deployment/default/db (1 replicas) from a to b: too many moves, in last hour 1, limit 1
            60:41 observe
            61:11 observe
              keeper batch 5: 0 submitted, 0 kept
                refused migrate deployment/default/web (2 replicas) from a to b: conflict, with R-1
              other batch 6: 1 submitted, 0 kept
              R-3 migrate deployment/default/db (1 replicas) from a to b until 71:11
        "#]],
    );
}

#[test]
fn nothing_moves_during_a_freeze() {
    let frozen = |from: &str| {
        let freeze = Freeze { from: moment(from), until: moment("1:20"), reason: "sale".to_owned() };
        pair().guarded(|rules| rules.freezes = vec![freeze])
    };
    proposing(
        frozen("0:30"),
        "",
        "migrate web x2 a b; move web a n0 n1; scale web a 2 3",
        expect![[r#"
          keeper batch 1: 1 submitted, 0 kept
            refused migrate deployment/default/web (2 replicas) from a to b: frozen, reason sale, until 80000
            refused move deployment/default/web in a from node n0 to node n1: frozen, reason sale, until 80000
          R-1 scale deployment/default/web in a from 2 to 3 until 10:30
    "#]],
    );
    acting(
        frozen("1:00"),
        "migrate web x2 a b",
        "",
        expect![[r#"
            R-1 review refused: not now, refusal frozen, reason sale, until 80000
        "#]],
    );
    acting(
        frozen("1:11"),
        "migrate web x2 a b",
        "",
        expect![[r#"
          R-1 approved: approved by reviewer
          R-1 applying: started
          R-1 apply, says person anna
    "#]],
    );
}

#[test]
fn a_full_desk_takes_nothing_new_and_keeps_what_it_has() {
    let mut setup = pair();
    setup.max_open = Some(2);
    check(
        setup,
        "
        world job 1 a=1
        plan keeper migrate web x2 a b; migrate db x1 a b; migrate job x1 a b
        0:30 observe
        1:00 observe
        1:10 review R-1 approve anna
        1:30 observe
        plan keeper migrate job x1 a b
        2:00 observe
        ",
        expect![[r#"
            world job 1 a=1
            plan keeper migrate web x2 a b; migrate db x1 a b; migrate job x1 a b
            0:30 observe
              keeper batch 1: 2 submitted, 0 kept
                refused migrate deployment/default/job (1 replicas) from a to b: desk full, limit 2
              R-1 migrate deployment/default/web (2 replicas) from a to b until 10:30
              R-2 migrate deployment/default/db (1 replicas) from a to b until 10:30
            1:00 observe
              keeper batch 2: 0 submitted, 2 kept
                refused migrate deployment/default/job (1 replicas) from a to b: desk full, limit 2
            1:10 review R-1 approve anna
              R-1 approved: approved by reviewer
              R-1 applying: started
              R-1 apply, says person anna
            1:30 observe
              keeper batch 3: 0 submitted, 1 kept
                refused migrate deployment/default/web (2 replicas) from a to b: conflict, with R-1
                refused migrate deployment/default/job (1 replicas) from a to b: desk full, limit 2
            plan keeper migrate job x1 a b
            2:00 observe
              keeper batch 4: 1 submitted, 0 kept
              R-2 superseded: no longer recommended
              R-3 migrate deployment/default/job (1 replicas) from a to b until 12:00
        "#]],
    );
}
