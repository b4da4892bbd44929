//! What is shipped for clusters is what the program would print: roles and definitions come from its own tables.

use crate::support::repository;
use expect_test::expect_file;
use kubernetes::crd;
use kubernetes::rights::{self, Purpose, Role, Site};
use std::collections::BTreeSet;

const HEAD: &str = "# Written by the tests of crates/cli (UPDATE_EXPECT=1) from crates/kubernetes/src/rights.rs; do not edit.\n";

#[test]
fn the_rules_of_the_chart_are_those_of_the_table() {
    let folder = repository().join("deploy/helm/drover/files/rights");
    let mut written = BTreeSet::new();
    for site in Site::ALL {
        for purpose in Purpose::ALL {
            let Some(rules) = rights::rules(site, purpose) else { continue };
            let name = format!("{}-{}.yaml", site.as_str(), purpose.as_str());
            expect_file![folder.join(&name)].assert_eq(&rules);
            written.insert(name);
        }
    }
    let found =
        std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
    assert_eq!(found.collect::<BTreeSet<_>>(), written, "files that nothing writes any more are dead");
}

/// Pools are resized in few places, so the roles that are shipped leave that out; `drover doctor --print-rbac` has it.
fn usual(role: Role) -> BTreeSet<Purpose> {
    let mut purposes = rights::purposes_of(role);
    purposes
        .retain(|purpose| !matches!(purpose, Purpose::NodeObjects | Purpose::Machines | Purpose::Leading));
    purposes
}

#[test]
fn the_manifests_for_other_clusters_are_those_of_the_table() {
    for site in [Site::Member, Site::Karmada] {
        for role in Role::ALL {
            let text = rights::manifest(site, role, &usual(role), "drover").unwrap();
            let name = format!("deploy/manifests/{}-{}.yaml", site.as_str(), role.as_str());
            expect_file![repository().join(name)].assert_eq(&format!("{HEAD}{text}"));
        }
    }
}

#[test]
fn the_definitions_are_the_same_in_the_chart_and_beside_it() {
    expect_file![repository().join("deploy/helm/drover/files/crds/freezes.yaml")].assert_eq(&crd::freeze());
    expect_file![repository().join("deploy/manifests/crds.yaml")].assert_eq(&crd::freeze());
}

#[test]
fn the_scenario_of_the_chart_is_one() {
    let scratch = crate::support::Scratch::new("chart scenario");
    let path = repository().join("deploy/helm/drover/files/scenario.yaml");
    let said = scratch.succeed(&["check", &path.display().to_string()]);
    assert!(said.text.contains("a scenario with 1 clusters"), "{}", said.text);
}

#[test]
fn roles_are_printed_for_whoever_applies_them() {
    let scratch = crate::support::Scratch::new("roles");
    let said = scratch.succeed(&["doctor", "--print-rbac", "observe", "--place", "member"]).text;
    assert!(
        said.contains("name: drover-observe\n") && said.contains("resources: [\"nodes\", \"pods\"]"),
        "{said}"
    );
    for verb in ["create", "update", "patch", "delete", "*"] {
        assert!(!said.contains(&format!("\"{verb}\"")), "{verb}: {said}");
    }
    let all = scratch.succeed(&["doctor", "--print-rbac", "act"]).text;
    for part in
        ["# For every member cluster.", "# For Karmada's control plane.", "\"pods/eviction\"", "leases"]
    {
        assert!(all.contains(part), "{part}: {all}");
    }
}

#[test]
fn a_simulated_desk_is_examined_without_clusters() {
    let scratch = crate::support::Scratch::new("doctor");
    let scenario = repository().join("scenarios/three-waves.yaml");
    let file = |listen: &str| {
        format!("drover: desk/v1\nlisten: {listen}\nworld: {{ simulate: {} }}\n", scenario.display())
    };
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    scratch.write("desk.yaml", file(&address));
    let said = scratch.drover(&["doctor", "--config", "desk.yaml"]);
    assert_eq!(said.code, Some(8), "{}", said.text);
    assert!(said.text.contains(&format!("wrong     address: {address} cannot be taken")), "{}", said.text);
    drop(taken);
    let said = scratch.succeed(&["doctor", "--config", "desk.yaml", "--json"]);
    let found: serde_json::Value = serde_json::from_str(&said.text).unwrap();
    assert_eq!(found["found"], 0, "{}", said.text);
    scratch.write("desk.yaml", file("nowhere"));
    let said = scratch.drover(&["doctor", "--config", "desk.yaml"]);
    assert_eq!(said.code, Some(8), "{}", said.text);
    assert!(said.text.contains("is not an address with a port"), "{}", said.text);
}
