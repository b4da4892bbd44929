//! Names with one text form each: what a person types, a file holds and a log prints is the same string.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// Kubernetes limits most object names to 253 characters (a DNS subdomain).
const LONGEST_NAME: usize = 253;

/// Why a text is not a name, with the nearest name that would be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not a name: {why}{}", proposal.as_ref().map(|name| format!("; did you mean {name:?}?")).unwrap_or_default())]
pub struct NameError {
    pub text: String,
    pub why: &'static str,
    pub proposal: Option<String>,
}

/// Checks a DNS-1123 subdomain: lower-case letters, digits, `-` and `.`, beginning and ending with a letter or digit.
pub fn check_name(text: &str) -> Result<(), NameError> {
    let refuse = |why| Err(NameError { text: shorten(text), why, proposal: nearest_name(text) });
    let inner = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '.';
    let edge = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    match (text.chars().next(), text.chars().next_back()) {
        (None, _) | (_, None) => refuse("it is empty"),
        _ if text.len() > LONGEST_NAME => refuse("it is longer than 253 characters"),
        _ if !text.chars().all(inner) => refuse("only lower-case letters, digits, '-' and '.' are allowed"),
        (Some(first), Some(last)) if !edge(first) || !edge(last) => {
            refuse("it must begin and end with a lower-case letter or digit")
        }
        _ => Ok(()),
    }
}

fn shorten(text: &str) -> String {
    text.chars().take(80).collect()
}

fn nearest_name(text: &str) -> Option<String> {
    let replaced: String = text
        .chars()
        .take(LONGEST_NAME)
        .map(|c| c.to_ascii_lowercase())
        .map(|c| if c.is_ascii_lowercase() || c.is_ascii_digit() || c == '.' { c } else { '-' })
        .collect();
    let trimmed = replaced.trim_matches(|c| c == '-' || c == '.');
    (!trimmed.is_empty()).then(|| trimmed.to_owned())
}

macro_rules! name {
    ($(#[$doc:meta])* $type:ident) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
        pub struct $type(Arc<str>);

        impl $type {
            pub fn new(text: &str) -> Result<Self, NameError> {
                check_name(text)?;
                Ok(Self(text.into()))
            }

            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(&self.0)
            }
        }

        impl fmt::Debug for $type {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(formatter, "{:?}", &*self.0)
            }
        }

        impl FromStr for $type {
            type Err = NameError;

            fn from_str(text: &str) -> Result<Self, NameError> {
                Self::new(text)
            }
        }

        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.0)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
                Self::new(&text).map_err(serde::de::Error::custom)
            }
        }
    };
}

name!(
    /// A member cluster of the federation.
    ClusterName
);
name!(
    /// A node pool within one cluster.
    PoolName
);
name!(
    /// A node within one cluster.
    NodeName
);
name!(
    /// An agent: something that recommends.
    AgentName
);
name!(
    /// Somebody who reviews: a person, a rule a person granted, or a simulated person.
    ReviewerName
);

/// What kind of controller owns the pods of a workload.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum WorkloadKind {
    Deployment,
    ReplicaSet,
    StatefulSet,
    DaemonSet,
    Job,
    CronJob,
    Pod,
}

impl WorkloadKind {
    pub const ALL: [Self; 7] = [
        Self::Deployment,
        Self::ReplicaSet,
        Self::StatefulSet,
        Self::DaemonSet,
        Self::Job,
        Self::CronJob,
        Self::Pod,
    ];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Deployment => "deployment",
            Self::ReplicaSet => "replicaset",
            Self::StatefulSet => "statefulset",
            Self::DaemonSet => "daemonset",
            Self::Job => "job",
            Self::CronJob => "cronjob",
            Self::Pod => "pod",
        }
    }
}

/// A workload of the federation, wherever its pods run: `deployment/default/frontend`.
#[derive(Clone, PartialEq, Eq)]
pub struct WorkloadRef {
    /// `namespace/name` in one piece, since there may be a million of these.
    path: Arc<str>,
    /// Names are shorter than 254 characters.
    namespace_length: u8,
    kind: WorkloadKind,
}

impl WorkloadRef {
    pub fn new(kind: WorkloadKind, namespace: &str, name: &str) -> Result<Self, NameError> {
        check_name(namespace)?;
        check_name(name)?;
        let path = format!("{namespace}/{name}").into();
        Ok(Self { path, namespace_length: namespace.len() as u8, kind })
    }

    pub const fn kind(&self) -> WorkloadKind {
        self.kind
    }

    pub fn namespace(&self) -> &str {
        &self.path[..usize::from(self.namespace_length)]
    }

    pub fn name(&self) -> &str {
        &self.path[usize::from(self.namespace_length) + 1..]
    }
}

impl Ord for WorkloadRef {
    /// By namespace, then by name, then by kind.
    fn cmp(&self, other: &Self) -> Ordering {
        (self.namespace(), self.name(), self.kind).cmp(&(other.namespace(), other.name(), other.kind))
    }
}

impl PartialOrd for WorkloadRef {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for WorkloadRef {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.kind.as_str(), self.path)
    }
}

impl fmt::Debug for WorkloadRef {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{self}")
    }
}

impl FromStr for WorkloadRef {
    type Err = NameError;

    /// Reads `kind/namespace/name`; the short form `namespace/name` means a Deployment.
    fn from_str(text: &str) -> Result<Self, NameError> {
        let refuse = |why| NameError { text: shorten(text), why, proposal: None };
        let parts: Vec<&str> = text.split('/').collect();
        match parts[..] {
            [namespace, name] => Self::new(WorkloadKind::Deployment, namespace, name),
            [kind, namespace, name] => {
                let kind = WorkloadKind::ALL.into_iter().find(|known| known.as_str() == kind);
                Self::new(kind.ok_or_else(|| refuse("the kind is unknown"))?, namespace, name)
            }
            _ => {
                Err(refuse("a workload is written kind/namespace/name, such as deployment/default/frontend"))
            }
        }
    }
}

impl Serialize for WorkloadRef {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for WorkloadRef {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_dns_subdomains() {
        let check = |text: &str, proposal: Option<&str>| match check_name(text) {
            Ok(()) => assert_eq!(proposal, None, "{text:?} was accepted"),
            Err(error) => assert_eq!(error.proposal.as_deref(), proposal, "{text:?}"),
        };
        check("member1", None);
        check("a.b-c", None);
        assert!(check_name("").is_err());
        check("Member One", Some("member-one"));
        check("tab\there", Some("tab-here"));
        check("-edge-", Some("edge"));
    }

    #[test]
    fn workloads_are_ordered_by_namespace_then_name_then_kind() {
        let ordered = ["job/a/c", "pod/a/c", "pod/a/c-d", "pod/a-b/a", "deployment/b/a"];
        let workloads: Vec<WorkloadRef> = ordered.iter().map(|text| text.parse().unwrap()).collect();
        assert!(workloads.is_sorted() && workloads[1] != workloads[0], "{workloads:?}");
        assert_eq!((workloads[3].namespace(), workloads[3].name()), ("a-b", "a"));
    }

    #[test]
    fn workloads_have_a_text_form() {
        let text = "deployment/default/frontend";
        let workload: WorkloadRef = text.parse().unwrap();
        assert_eq!(workload.to_string(), text);
        assert_eq!("default/frontend".parse::<WorkloadRef>().unwrap(), workload);
        for bad in ["frontend", "pet/default/frontend", "a/b/c/d", "deployment//x", ""] {
            assert!(bad.parse::<WorkloadRef>().is_err(), "{bad}");
        }
    }
}
