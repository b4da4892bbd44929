//! Splits that lose nothing, published latencies, checked input.

#![expect(clippy::needless_raw_string_hashes, reason = "expect-test writes them")]

use super::raw::{RawNetwork, RawTraffic};
use super::*;
use crate::randomness::Randomness;
use expect_test::{Expect, expect};
use model::document::{self, Checks, Draft};
use model::latency::Latency;
use model::quantity::Bytes;
use model::time::{Period, Timestamp};
use proptest::prelude::*;
use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Deserialize, schemars::JsonSchema)]
struct File {
    network: RawNetwork,
}

fn outlines() -> Vec<ClusterOutline<'static>> {
    let names = ["cloud", "edge0", "edge1", "edge2"];
    names.map(|name| ClusterOutline { name, pools: vec!["workers", "gpu"] }).to_vec()
}

fn read(text: &str) -> Result<(Network, Traffic), String> {
    let draft = document::draft::<File>("net.yaml", text.as_bytes(), &Checks::default());
    let Draft { value, document, doubts, mut problems } = draft.map_err(|problems| problems.to_string())?;
    let raw = value.network;
    let again: RawNetwork = serde_json::from_value(serde_json::to_value(&raw).unwrap()).unwrap();
    assert_eq!(raw, again, "{text}");
    let outlines = outlines();
    let clusters = KnownClusters { outlines: &outlines, are_complete: true };
    let network = check(&raw, &document, &doubts, "network", clusters);
    let traffic = check_traffic(&raw.traffic, &document, &doubts, "network.traffic", clusters);
    problems.extend(network.as_ref().err().into_iter().flatten().cloned());
    problems.extend(traffic.as_ref().err().into_iter().flatten().cloned());
    problems.into_result(()).map_err(|problems| problems.to_string())?;
    Ok((network.expect("its problems were found"), traffic.expect("its problems were found")))
}

/// The latencies of GreenWise's Table 4, and a second area behind the cloud.
const TABLE_4: &str = "
network:
  areas: { city: { share: 0.7 }, abroad: { share: 0.3 } }
  latency:
    - { from: city, to: cloud, round_trip: 30.9ms }
    - { from: city, to: edge0, round_trip: 14ms }
    - { from: city, to: edge1, round_trip: 5ms }
    - { from: city, to: edge2, round_trip: 3ms }
    - { from: abroad, to: cloud, round_trip: 20ms, jitter: { log_normal: 0.2 }, bytes_per_second: 10M }
    - { from: city, to: edge2/gpu, round_trip: 2ms, jitter: { uniform: 1ms } }
    - { from: cloud, to: edge0, round_trip: 25ms }
  otherwise: 80ms
  partitions:
    - { area: city, cluster: edge2, from: 10m, until: 20m }
    - { cluster: cloud, from: 15m, until: 30m }
";

fn minute(minute: u64) -> Timestamp {
    Timestamp::EPOCH + Period::from_minutes(minute)
}

fn network() -> Network {
    read(TABLE_4).unwrap().0
}

#[test]
fn a_workload_can_have_its_own_clients() {
    let (network, traffic) = read(TABLE_4).unwrap();
    let shares = |clients: &[(&str, f64)]| {
        let raw: BTreeMap<String, f64> =
            clients.iter().map(|(area, share)| ((*area).to_owned(), *share)).collect();
        let draft = document::draft::<File>("net.yaml", TABLE_4.as_bytes(), &Checks::default()).unwrap();
        let areas = KnownAreas { network: &draft.value.network, are_complete: true };
        check_clients(&raw, &draft.document, &draft.doubts, "clients", areas)
            .map_err(|problems| problems.iter().map(|one| one.message.clone()).collect::<Vec<_>>())
    };
    // Areas are in the order of their names.
    assert_eq!(shares(&[("city", 3.0), ("abroad", 1.0)]), Ok(vec![250_000, 750_000]));
    assert_eq!(shares(&[("city", 2.0)]), Ok(vec![0, WHOLE]));
    assert_eq!(shares(&[("cty", 2.0)]), Err(vec!["there is no area \"cty\"".to_owned()]));
    assert_eq!(shares(&[("city", -1.0)]), Err(vec!["-1 is not between 0 and 1e9".to_owned()]));
    assert_eq!(shares(&[("city", 0.0)]), Err(vec!["no area has any of its clients".to_owned()]));
    let traffic = Traffic { clients: Some(vec![0, WHOLE]), ..traffic };
    let split = network.split(&traffic, &[1, 1, 1, 1], Timestamp::EPOCH);
    assert!(split.routes.iter().all(|route| network.areas()[route.area].name == "city"));
    assert_eq!(split.routes.iter().map(|route| route.share).sum::<u64>(), WHOLE);
}

#[test]
fn the_nearest_host_adds_the_published_latency() {
    let network = network();
    assert_eq!(network.areas().iter().map(|area| area.name.as_str()).collect::<Vec<_>>(), ["abroad", "city"]);
    let check = |ready: [u64; 4], cluster: usize, milliseconds: f64| {
        let split = network.split(&Traffic::default(), &ready, minute(0));
        let route = split.routes.iter().find(|route| route.area == 1).unwrap();
        assert_eq!((route.cluster, route.share), (cluster, 700_000), "{ready:?}");
        assert_eq!(route.latency.as_millis_float(), milliseconds, "{ready:?}");
    };
    check([1, 0, 0, 0], 0, 30.9);
    check([0, 1, 0, 0], 1, 14.0);
    check([9, 9, 1, 0], 2, 5.0);
    check([1, 1, 1, 1], 3, 3.0);
}

#[test]
fn links_are_looked_up_by_area_pool_and_cluster() {
    let network = network();
    let round_trip = |link: Option<&Link>| link.map(|link| link.round_trip.as_millis_float());
    assert_eq!(round_trip(network.link(0, 0)), Some(20.0));
    assert_eq!(round_trip(network.link(0, 3)), Some(80.0));
    assert_eq!(round_trip(network.link(2, 0)), None);
    assert_eq!(round_trip(network.link(0, 4)), None);
    assert_eq!(round_trip(network.link_to_pool(1, 3, "gpu")), Some(2.0));
    assert_eq!(round_trip(network.link_to_pool(1, 3, "workers")), Some(3.0));
    assert_eq!(round_trip(network.between(0, 1)), Some(25.0));
    assert_eq!(round_trip(network.between(1, 0)), Some(25.0));
    assert_eq!(round_trip(network.between(1, 2)), None);
    assert_eq!(network.changes(), [10, 15, 20, 30].map(minute));
}

fn shares(split: &Split) -> Vec<(usize, usize, u64)> {
    split.routes.iter().map(|route| (route.area, route.cluster, route.share)).collect()
}

#[test]
fn policies_split_demand() {
    let network = network();
    let check = |policy: Policy, ready: [u64; 4], want: &[(usize, usize, u64)]| {
        let traffic = Traffic { policy, fallback: Fallback::Move, clients: None };
        let split = network.split(&traffic, &ready, minute(0));
        assert_eq!(shares(&split), want, "{traffic:?} {ready:?}");
        assert_eq!(split.lost_share(), 0);
    };
    check(Policy::Nearest, [1, 1, 1, 1], &[(0, 0, 300_000), (1, 3, 700_000)]);
    check(
        Policy::ReadyReplicas,
        [1, 0, 2, 0],
        &[(0, 0, 100_000), (0, 2, 200_000), (1, 0, 233_333), (1, 2, 466_667)],
    );
    check(
        Policy::Weights(vec![1, 0, 0, 3]),
        [5, 5, 5, 5],
        &[(0, 0, 75_000), (0, 3, 225_000), (1, 0, 175_000), (1, 3, 525_000)],
    );
    check(Policy::Weights(vec![1, 0, 0, 3]), [5, 5, 5, 0], &[(0, 0, 300_000), (1, 0, 700_000)]);
    check(Policy::AllTo(1), [1, 1, 1, 1], &[(0, 1, 300_000), (1, 1, 700_000)]);
    check(Policy::AllTo(1), [1, 0, 1, 0], &[(0, 0, 300_000), (1, 2, 700_000)]);
}

#[test]
fn demand_behind_a_partition_moves_or_fails() {
    let network = network();
    let check =
        |policy: Policy, fallback, at: u64, want: &[(usize, usize, u64)], lost: &[(usize, u64, Loss)]| {
            let split =
                network.split(&Traffic { policy, fallback, clients: None }, &[1, 1, 1, 1], minute(at));
            let found: Vec<(usize, u64, Loss)> =
                split.lost.iter().map(|lost| (lost.area, lost.share, lost.loss)).collect();
            assert_eq!((shares(&split).as_slice(), found.as_slice()), (want, lost), "minute {at}");
        };
    let (moves, fails, gone) = (Fallback::Move, Fallback::Fail, Loss::Unreachable);
    check(Policy::Nearest, moves, 9, &[(0, 0, 300_000), (1, 3, 700_000)], &[]);
    check(Policy::Nearest, moves, 10, &[(0, 0, 300_000), (1, 2, 700_000)], &[]);
    check(Policy::Nearest, moves, 16, &[(0, 1, 300_000), (1, 2, 700_000)], &[]);
    check(Policy::Nearest, fails, 16, &[], &[(0, 300_000, gone), (1, 700_000, gone)]);
    check(Policy::Nearest, fails, 20, &[(1, 3, 700_000)], &[(0, 300_000, gone)]);
    check(Policy::AllTo(0), moves, 16, &[(0, 1, 300_000), (1, 2, 700_000)], &[]);
    check(Policy::AllTo(0), fails, 16, &[], &[(0, 300_000, gone), (1, 700_000, gone)]);
    let half = Policy::Weights(vec![1, 1, 0, 0]);
    check(
        half.clone(),
        fails,
        16,
        &[(0, 1, 150_000), (1, 1, 350_000)],
        &[(0, 150_000, gone), (1, 350_000, gone)],
    );
    check(half, moves, 16, &[(0, 1, 300_000), (1, 1, 700_000)], &[]);
    check(Policy::Weights(vec![1, 0, 0, 0]), moves, 16, &[], &[(0, 300_000, gone), (1, 700_000, gone)]);
    let split = network.split(&Traffic::default(), &[], minute(0));
    assert!(split.routes.is_empty() && split.lost.iter().all(|lost| lost.loss == Loss::NoReplica));
}

#[test]
fn a_cluster_has_a_mean_latency() {
    let split = network().split(&Traffic { policy: Policy::AllTo(0), ..Traffic::default() }, &[1], minute(0));
    assert_eq!(split.share_of_cluster(0), WHOLE);
    assert_eq!(split.mean_latency(0), Some(Latency(27_630)));
    assert_eq!(split.mean_latency(1), None);
}

proptest! {
    #[test]
    fn no_demand_is_lost_unnoticed(
        shares in prop::collection::vec(0.0..1_000.0_f64, 1..9),
        ready in prop::collection::vec(0..4_u64, 4),
        policy in prop_oneof![
            Just(Policy::Nearest),
            Just(Policy::ReadyReplicas),
            (0..4_usize).prop_map(Policy::AllTo),
            prop::collection::vec(0..9_u64, 4).prop_map(Policy::Weights),
        ],
        fails: bool,
        at in 0..40_u64,
        cuts in prop::collection::vec((0..4_usize, 0..40_u64, 1..20_u64), 0..6),
    ) {
        prop_assume!(shares.iter().any(|share| *share > 0.0));
        let areas: Vec<String> = (0..).zip(&shares).map(|(index, share)| format!("a{index}: {{ share: {share} }}")).collect();
        let cuts: Vec<String> = cuts.iter().map(|(cluster, from, length)| {
            format!("{{ cluster: {}, from: {from}m, until: {}m }}", outlines()[*cluster].name, from + length)
        }).collect();
        let text = format!("network: {{ areas: {{ {} }}, otherwise: 5ms, partitions: [{}] }}", areas.join(", "), cuts.join(", "));
        let (network, _) = read(&text).unwrap();
        let fallback = if fails { Fallback::Fail } else { Fallback::Move };
        let split = network.split(&Traffic { policy, fallback, clients: None }, &ready, minute(at));
        let answered: u64 = split.routes.iter().map(|route| route.share).sum();
        prop_assert_eq!(answered + split.lost_share(), WHOLE);
        for route in &split.routes {
            prop_assert!(route.share > 0 && ready[route.cluster] > 0);
            prop_assert!(network.is_reachable(route.area, route.cluster, minute(at)));
        }
    }

    #[test]
    fn drawn_latencies_stay_in_range(seed: u64, mean in 0..60_000_000_u64, sigma in 0.0..=3.0_f64, spread: u64) {
        let mut stream = Randomness::new(seed).stream("network");
        for jitter in [Jitter::None, Jitter::LogNormal { sigma }, Jitter::Uniform { spread: Latency(spread) }] {
            let link = Link { jitter, ..Link::of(Latency(mean)) };
            prop_assert!(link.draw(&mut stream) <= LONGEST_LATENCY);
        }
    }
}

#[test]
fn jitter_keeps_the_mean() {
    let mut stream = Randomness::new(1).stream("network");
    let mut mean = |jitter| {
        let link = Link { jitter, ..Link::of(Latency::from_millis(100)) };
        let draws: Vec<f64> = (0..20_000).map(|_| link.draw(&mut stream).as_millis_float()).collect();
        let mean = draws.iter().sum::<f64>() / draws.len() as f64;
        let variance =
            draws.iter().map(|draw| (draw - mean) * (draw - mean)).sum::<f64>() / draws.len() as f64;
        (mean, variance.sqrt())
    };
    assert_eq!(mean(Jitter::None), (100.0, 0.0));
    let (centre, deviation) = mean(Jitter::LogNormal { sigma: 0.2 });
    // The deviation of the factor is √(e^(σ²) − 1) = 0.202.
    assert!((centre - 100.0).abs() < 0.5 && (deviation - 20.2).abs() < 0.5, "{centre} {deviation}");
    let (centre, deviation) = mean(Jitter::Uniform { spread: Latency::from_millis(30) });
    // 60 / √12.
    assert!((centre - 100.0).abs() < 0.5 && (deviation - 17.32).abs() < 0.3, "{centre} {deviation}");
}

#[test]
fn bandwidth_adds_the_time_of_the_payload() {
    let link = |rate| Link { bytes_per_second: rate, ..Link::of(Latency::ZERO) };
    assert_eq!(link(Some(Bytes(10_000_000))).transfer(Bytes(1_000_000)), Latency::from_millis(100));
    assert_eq!(link(Some(Bytes(3))).transfer(Bytes(1)), Latency(333_334));
    assert_eq!(link(None).transfer(Bytes(u64::MAX)), Latency::ZERO);
    assert_eq!(link(Some(Bytes(1))).transfer(Bytes(u64::MAX)), Latency(u64::MAX));
}

#[test]
fn every_form_of_traffic_can_be_written() {
    let check = |text: &str, want: Policy, fallback: Fallback| {
        let text = format!("network: {{ areas: {{ all: {{}} }}, otherwise: 1ms, traffic: {text} }}");
        assert_eq!(read(&text).unwrap().1, Traffic { policy: want, fallback, clients: None }, "{text}");
    };
    check("{}", Policy::Nearest, Fallback::Move);
    check("{ to: nearest, when_unreachable: fail }", Policy::Nearest, Fallback::Fail);
    check("{ to: ready_replicas }", Policy::ReadyReplicas, Fallback::Move);
    check("{ to: { weights: { cloud: 3, edge1: 1 } } }", Policy::Weights(vec![3, 0, 1, 0]), Fallback::Move);
    check("{ to: { cluster: edge0 } }", Policy::AllTo(1), Fallback::Move);
    assert_eq!(document::unsupported::<File>(), Vec::<String>::new());
    assert_eq!(document::unsupported::<RawTraffic>(), Vec::<String>::new());
}

fn refused(text: &str, want: &Expect) {
    want.assert_eq(&read(text).unwrap_err());
}

#[test]
fn refused_areas_have_place_and_proposal() {
    refused(
        "
network:
  areas: { cloud: {}, City: { share: 0 }, abroad: {} }
  latency: []
  traffic: { to: { weights: { cluod: 0 } } }
  partitions:
    - { area: nowhere, cluster: edge3, from: 2m, until: 1m }
",
        &expect![[r#"
            net.yaml:3:19: network.areas.cloud: "cloud" is already the name of a cluster
               3 |   areas: { cloud: {}, City: { share: 0 }, abroad: {} }
                 |                   ^
              help: write cloud-clients
            net.yaml:3:29: network.areas.City: "City": only lower-case letters, digits, '-' and '.' are allowed
               3 |   areas: { cloud: {}, City: { share: 0 }, abroad: {} }
                 |                             ^
              help: write city
            net.yaml:4:12: network.latency: nothing says how far City is from cloud (and 11 more)
               4 |   latency: []
                 |            ^
              help: add { from: City, to: cloud, round_trip: 20ms } or otherwise: 20ms
            net.yaml:5:29: network.traffic.to.weights: no cluster has any weight
               5 |   traffic: { to: { weights: { cluod: 0 } } }
                 |                             ^
              help: give at least one a weight above 0
            net.yaml:5:38: network.traffic.to.weights.cluod: there is no cluster "cluod"
               5 |   traffic: { to: { weights: { cluod: 0 } } }
                 |                                      ^
              help: did you mean cloud?
            net.yaml:7:15: network.partitions[0].area: there is no area "nowhere"
               7 |     - { area: nowhere, cluster: edge3, from: 2m, until: 1m }
                 |               ^
              help: known: City, abroad, cloud
            net.yaml:7:33: network.partitions[0].cluster: there is no cluster "edge3"
               7 |     - { area: nowhere, cluster: edge3, from: 2m, until: 1m }
                 |                                 ^
              help: did you mean edge0?
            net.yaml:7:57: network.partitions[0].until: it ends at 1m, not after it begins at 2m
               7 |     - { area: nowhere, cluster: edge3, from: 2m, until: 1m }
                 |                                                         ^
              help: let `until` be later than `from`"#]],
    );
}

#[test]
fn refused_latencies_have_place_and_proposal() {
    refused(
        "
network:
  areas: { abroad: {} }
  otherwise: 10ms
  latency:
    - { from: abraod, to: edge9, round_trip: 3ms }
    - { from: abroad, to: edge0/gpus, round_trip: 90s }
    - { from: abroad, to: edge0, round_trip: 3ms, jitter: { uniform: 4ms }, bytes_per_second: 0 }
    - { from: abroad, to: edge0, round_trip: 3ms, jitter: { log_normal: 0.1 } }
    - { from: edge0, to: edge0, round_trip: 3ms }
    - { from: edge1, to: edge0/gpu, round_trip: 3ms }
",
        &expect![[r#"
            net.yaml:6:15: network.latency[0].from: there is no area or cluster "abraod"
               6 |     - { from: abraod, to: edge9, round_trip: 3ms }
                 |               ^
              help: did you mean abroad?
            net.yaml:6:27: network.latency[0].to: there is no cluster "edge9"
               6 |     - { from: abraod, to: edge9, round_trip: 3ms }
                 |                           ^
              help: did you mean edge0?
            net.yaml:7:27: network.latency[1].to: there is no pool of edge0 "gpus"
               7 |     - { from: abroad, to: edge0/gpus, round_trip: 90s }
                 |                           ^
              help: did you mean gpu?
            net.yaml:7:51: network.latency[1].round_trip: 90000ms is longer than the 60000ms after which everything times out
               7 |     - { from: abroad, to: edge0/gpus, round_trip: 90s }
                 |                                                   ^
              help: write at most 60000ms, or use a partition
            net.yaml:8:59: network.latency[2].jitter: 4ms less than 3ms would be before it was sent
               8 |     - { from: abroad, to: edge0, round_trip: 3ms, jitter: { uniform: 4ms }, bytes_per_second: 0 }
                 |                                                           ^
              help: write at most 3ms
            net.yaml:8:95: network.latency[2].bytes_per_second: nothing would ever arrive
               8 | …d, to: edge0, round_trip: 3ms, jitter: { uniform: 4ms }, bytes_per_second: 0 }
                 |                                                                             ^
              help: leave it out for no limit, or use a partition
            net.yaml:9:7: network.latency[3]: the latency from abroad to edge0 is given twice
               9 |     - { from: abroad, to: edge0, round_trip: 3ms, jitter: { log_normal: 0.1 } }
                 |       ^
              help: keep one of them
            net.yaml:10:26: network.latency[4].to: "edge0" leads to itself
              10 |     - { from: edge0, to: edge0, round_trip: 3ms }
                 |                          ^
              help: remove it; a cluster is not away from itself
            net.yaml:11:26: network.latency[5].to: between clusters only whole clusters are known, not pools
              11 |     - { from: edge1, to: edge0/gpu, round_trip: 3ms }
                 |                          ^
              help: write edge0"#]],
    );
}

#[test]
fn refused_networks_have_place_and_proposal() {
    refused(
        "network: { areas: {}, otherwise: 5ms }",
        &expect![[r#"
        net.yaml:1:19: network.areas: without an area there is no demand
           1 | network: { areas: {}, otherwise: 5ms }
             |                   ^
          help: write for instance areas: { everywhere: {} }"#]],
    );
    refused(
        "network: { areas: {}, otherwise: 5 }",
        &expect![[r#"
            net.yaml:1:19: network.areas: without an area there is no demand
               1 | network: { areas: {}, otherwise: 5 }
                 |                   ^
              help: write for instance areas: { everywhere: {} }
            net.yaml:1:34: network.otherwise: latency "5" has no unit
               1 | network: { areas: {}, otherwise: 5 }
                 |                                  ^
              help: did you mean 5ms?"#]],
    );
    refused(
        "network: { areas: { a: { share: 0 } }, otherwise: 90s }",
        &expect![[r#"
            net.yaml:1:19: network.areas: no area has any share of the demand
               1 | network: { areas: { a: { share: 0 } }, otherwise: 90s }
                 |                   ^
              help: give at least one a share above 0
            net.yaml:1:51: network.otherwise: 90000ms is longer than the 60000ms after which everything times out
               1 | network: { areas: { a: { share: 0 } }, otherwise: 90s }
                 |                                                   ^
              help: write at most 60000ms, or use a partition"#]],
    );
    refused(
        "network: { areas: { a: {} }, latency: [{ from: a, to: cloud, round_trip: 3 msec, jitter: { lognormal: 1 } }] }",
        &expect![[r#"
        net.yaml:1:74: network.latency[0].round_trip: latency "3 msec" contains white space
           1 | network: { areas: { a: {} }, latency: [{ from: a, to: cloud, round_trip: 3 msec, jitter: { lognormal…
             |                                                                          ^
          help: did you mean 3ms?
        net.yaml:1:92: network.latency[0].jitter: expected the key uniform or log_normal, found "lognormal"
           1 | …: { a: {} }, latency: [{ from: a, to: cloud, round_trip: 3 msec, jitter: { lognormal: 1 } }] }
             |                                                                             ^
          help: did you mean "log_normal"?"#]],
    );
    refused(
        "network: { areas: { a: {} }, otherwise: 1ms, traffic: { to: farest } }",
        &expect![[r#"
        net.yaml:1:61: network.traffic.to: expected nearest or ready_replicas, found "farest"
           1 | network: { areas: { a: {} }, otherwise: 1ms, traffic: { to: farest } }
             |                                                             ^
          help: did you mean "nearest"?"#]],
    );
}

#[test]
fn what_is_in_doubt_silences_only_what_follows_from_it() {
    refused(
        "
network:
  areas: { city: { share: much }, abroad: { share: 0 } }
  latency:
    - { from: city, to: cloud, round_trip: 3 }
    - { from: vilage, to: cluod, round_trip: 3ms }
  partitions:
    - { cluster: edge9, from: 2m, until: soon }
",
        &expect![[r#"
            net.yaml:3:27: network.areas.city.share: expected a number of at least 0.0 and at most 1000000000.0, found "much"
               3 |   areas: { city: { share: much }, abroad: { share: 0 } }
                 |                           ^
              help: write for instance 1.0
            net.yaml:5:44: network.latency[0].round_trip: latency "3" has no unit
               5 |     - { from: city, to: cloud, round_trip: 3 }
                 |                                            ^
              help: did you mean 3ms?
            net.yaml:6:15: network.latency[1].from: there is no area or cluster "vilage"
               6 |     - { from: vilage, to: cluod, round_trip: 3ms }
                 |               ^
              help: known: abroad, city, cloud, edge0, edge1
            net.yaml:6:27: network.latency[1].to: there is no cluster "cluod"
               6 |     - { from: vilage, to: cluod, round_trip: 3ms }
                 |                           ^
              help: did you mean cloud?
            net.yaml:8:18: network.partitions[0].cluster: there is no cluster "edge9"
               8 |     - { cluster: edge9, from: 2m, until: soon }
                 |                  ^
              help: did you mean edge0?
            net.yaml:8:42: network.partitions[0].until: period "soon" does not start with a number
               8 |     - { cluster: edge9, from: 2m, until: soon }
                 |                                          ^
              help: write for instance 10m"#]],
    );
}
