//! Which groups and resources there are, in the old documents and in the new one.

use super::kinds::{ALL, About, Part};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Groups with their versions, in the order of the table.
fn groups() -> Vec<(&'static str, &'static str)> {
    let mut groups: Vec<(&str, &str)> = Vec::new();
    for about in &ALL {
        if !groups.contains(&(about.group, about.version)) {
            groups.push((about.group, about.version));
        }
    }
    groups
}

fn joined(group: &str, version: &str) -> String {
    if group.is_empty() { version.to_owned() } else { format!("{group}/{version}") }
}

pub(super) fn root() -> Value {
    let named = groups().into_iter().filter(|(group, _)| !group.is_empty());
    let named =
        named.flat_map(|(group, version)| [format!("/apis/{group}"), format!("/apis/{group}/{version}")]);
    let mut paths: Vec<String> = named.collect();
    let others = ["/api", "/api/v1", "/apis", "/healthz", "/livez", "/openapi/v3", "/readyz", "/version"];
    paths.extend(others.map(str::to_owned));
    paths.sort_unstable();
    json!({ "paths": paths })
}

/// `version` is 1.35.
pub(super) fn version(version: &str) -> Value {
    let (major, minor) = version.split_once('.').unwrap_or((version, "0"));
    json!({
        "major": major, "minor": minor, "gitVersion": format!("v{version}.0+drover-{}", env!("CARGO_PKG_VERSION")),
        "gitCommit": "", "gitTreeState": "clean", "buildDate": "1970-01-01T00:00:00Z",
        "goVersion": "none", "compiler": "rustc", "platform": "simulated",
    })
}

pub(super) fn core_versions() -> Value {
    json!({ "kind": "APIVersions", "versions": ["v1"], "serverAddressByClientCIDRs": [] })
}

fn group_object(group: &str, version: &str) -> Value {
    let version = json!({ "groupVersion": joined(group, version), "version": version });
    json!({ "name": group, "versions": [version], "preferredVersion": version })
}

pub(super) fn group_list() -> Value {
    let named = groups().into_iter().filter(|(group, _)| !group.is_empty());
    let groups: Vec<Value> = named.map(|(group, version)| group_object(group, version)).collect();
    json!({ "kind": "APIGroupList", "apiVersion": "v1", "groups": groups })
}

pub(super) fn group(name: &str) -> Option<Value> {
    let (group, version) = groups().into_iter().find(|(group, _)| *group == name && !name.is_empty())?;
    let mut object = group_object(group, version);
    object["kind"] = json!("APIGroup");
    object["apiVersion"] = json!("v1");
    Some(object)
}

/// The resources of one group and version.
pub(super) fn resources(group: &str, version: &str) -> Option<Value> {
    let here: Vec<&About> =
        ALL.iter().filter(|about| (about.group, about.version) == (group, version)).collect();
    let resources: Vec<Value> = here.iter().flat_map(|about| rows(about)).collect();
    (!here.is_empty()).then(|| {
        json!({
            "kind": "APIResourceList", "apiVersion": "v1", "groupVersion": joined(group, version), "resources": resources,
        })
    })
}

fn rows(about: &About) -> Vec<Value> {
    let mut row = json!({
        "name": about.plural, "singularName": about.singular, "namespaced": about.namespaced, "kind": about.kind,
        "verbs": about.verbs,
    });
    if !about.short.is_empty() {
        row["shortNames"] = json!(about.short);
    }
    if about.in_all {
        row["categories"] = json!(["all"]);
    }
    let part = |part: &Part| {
        json!({
            "name": format!("{}/{}", about.plural, part.name), "singularName": "", "namespaced": about.namespaced,
            "group": part.group, "version": part.version, "kind": part.kind, "verbs": part.verbs,
        })
    };
    std::iter::once(row).chain(about.parts.iter().map(part)).collect()
}

/// The new document; `/api` has the core and `/apis` everything else.
pub(super) fn aggregated(core: bool) -> Value {
    let mut groups: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    for about in ALL.iter().filter(|about| about.group.is_empty() == core) {
        groups.entry(about.group).or_default().push(aggregated_row(about));
    }
    let item = |(group, resources): (&str, Vec<Value>)| {
        let version = ALL.iter().find(|about| about.group == group).map_or("v1", |about| about.version);
        let mut metadata = json!({ "creationTimestamp": null });
        if !group.is_empty() {
            metadata["name"] = json!(group);
        }
        json!({
            "metadata": metadata,
            "versions": [{ "version": version, "resources": resources, "freshness": "Current" }],
        })
    };
    let items: Vec<Value> = groups.into_iter().map(item).collect();
    json!({ "kind": "APIGroupDiscoveryList", "apiVersion": "apidiscovery.k8s.io/v2", "metadata": {}, "items": items })
}

fn aggregated_row(about: &About) -> Value {
    let kind =
        |group: &str, version: &str, kind: &str| json!({ "group": group, "version": version, "kind": kind });
    let mut row = json!({
        "resource": about.plural, "singularResource": about.singular, "verbs": about.verbs,
        "scope": if about.namespaced { "Namespaced" } else { "Cluster" },
        "responseKind": kind(about.group, about.version, about.kind),
    });
    if !about.short.is_empty() {
        row["shortNames"] = json!(about.short);
    }
    if about.in_all {
        row["categories"] = json!(["all"]);
    }
    let part = |part: &Part| {
        json!({
            "subresource": part.name, "verbs": part.verbs, "responseKind": kind(part.group, part.version, part.kind),
        })
    };
    if !about.parts.is_empty() {
        row["subresources"] = about.parts.iter().map(part).collect();
    }
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_and_new_documents_name_the_same_resources() {
        let mut old: Vec<String> = Vec::new();
        for (group, version) in groups() {
            let list = resources(group, version).expect("a group of ours");
            let names = list["resources"].as_array().expect("a list").iter();
            old.extend(
                names
                    .filter_map(|row| row["name"].as_str())
                    .filter(|name| !name.contains('/'))
                    .map(|name| format!("{group} {name}")),
            );
        }
        let mut new = Vec::new();
        for document in [aggregated(true), aggregated(false)] {
            for item in document["items"].as_array().expect("items") {
                let group = item["metadata"]["name"].as_str().unwrap_or_default();
                let rows = item["versions"][0]["resources"].as_array().expect("rows").iter();
                new.extend(
                    rows.filter_map(|row| row["resource"].as_str()).map(|name| format!("{group} {name}")),
                );
            }
        }
        old.sort_unstable();
        new.sort_unstable();
        assert_eq!(old, new);
        assert!(resources("apps", "v2").is_none() && group("").is_none() && group("apps").is_some());
    }
}
