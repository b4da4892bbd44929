//! What is shipped for clusters, and what the doctor says, as a person meets them.

use crate::support::{Scratch, repository};

#[test]
fn the_scenario_of_the_chart_is_one() {
    let scratch = Scratch::new("chart scenario");
    let path = repository().join("deploy/helm/drover/files/scenario.yaml");
    let said = scratch.succeed(&["check", &path.display().to_string()]);
    assert!(said.text.contains("a scenario with 1 cluster and"), "{}", said.text);
}

#[test]
fn roles_are_printed_for_whoever_applies_them() {
    let scratch = Scratch::new("roles");
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
    let scratch = Scratch::new("doctor");
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
