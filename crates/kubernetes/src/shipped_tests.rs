//! What is shipped for clusters is what the program would print: roles and definitions come from its own tables.

use crate::crd::{self, Kind};
use crate::rights::{self, Purpose, Role, Site};
use expect_test::expect_file;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

const HEAD: &str = "# Written by the tests of crates/kubernetes (UPDATE_EXPECT=1) from crates/kubernetes/src/rights.rs; do not edit.\n";

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
    for kind in Kind::ALL {
        let name = format!("deploy/helm/drover/files/crds/{}.yaml", kind.plural());
        expect_file![repository().join(name)].assert_eq(&crd::definition(kind));
    }
    expect_file![repository().join("deploy/manifests/crds.yaml")].assert_eq(&crd::definitions());
}
