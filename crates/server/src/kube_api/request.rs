//! What an address, its question and its headers ask for.

use super::answer::Refusal;
use super::kinds::{self, About};
use axum::http::{HeaderMap, StatusCode, header};
use serde::Deserialize;

/// What is asked for.
pub(super) enum Target {
    Root,
    Version,
    Health,
    OpenApi,
    /// `/api`: versions of the core.
    CoreVersions,
    /// `/apis`: all groups.
    Groups,
    Group(String),
    /// Resources of one group and version.
    Resources(String, String),
    Object(Place),
}

/// A resource, or one object of it, or a part of one.
pub(super) struct Place {
    pub(super) about: &'static About,
    pub(super) namespace: Option<String>,
    pub(super) name: Option<String>,
    pub(super) part: Option<String>,
}

impl Target {
    /// Reads the path behind the cluster.
    pub(super) fn parse(path: &str) -> Result<Self, Refusal> {
        let segments: Vec<&str> = path.split('/').filter(|segment| !segment.is_empty()).collect();
        Ok(match segments.as_slice() {
            [] => Self::Root,
            ["version"] => Self::Version,
            ["healthz" | "readyz" | "livez", ..] => Self::Health,
            ["openapi", "v3"] => Self::OpenApi,
            ["api"] => Self::CoreVersions,
            ["apis"] => Self::Groups,
            ["apis", group] => Self::Group((*group).to_owned()),
            ["api", version] => Self::Resources(String::new(), (*version).to_owned()),
            ["apis", group, version] => Self::Resources((*group).to_owned(), (*version).to_owned()),
            ["api", version, rest @ ..] => Self::Object(place("", version, rest)?),
            ["apis", group, version, rest @ ..] => Self::Object(place(group, version, rest)?),
            _ => return Err(nothing_here()),
        })
    }
}

pub(super) fn nothing_here() -> Refusal {
    Refusal::new(StatusCode::NOT_FOUND, "the server could not find the requested resource")
}

fn place(group: &str, version: &str, rest: &[&str]) -> Result<Place, Refusal> {
    let (namespace, rest) = match rest {
        // `namespaces/<name>` alone is the namespace itself.
        ["namespaces", namespace, plural, rest @ ..] if !matches!(*plural, "status" | "finalize") => {
            (Some((*namespace).to_owned()), [&[*plural], rest].concat())
        }
        rest => (None, rest.to_vec()),
    };
    let (plural, name, part) = match rest.as_slice() {
        [plural] => (*plural, None, None),
        [plural, name] => (*plural, Some(*name), None),
        [plural, name, part @ ..] => (*plural, Some(*name), Some(part.join("/"))),
        [] => return Err(nothing_here()),
    };
    let about = kinds::find(group, version, plural).ok_or_else(nothing_here)?;
    if namespace.is_some() != about.namespaced && (name.is_some() || namespace.is_some()) {
        return Err(nothing_here());
    }
    Ok(Place { about, namespace, name: name.map(str::to_owned), part })
}

/// The question behind an address. What is not known is ignored, as an API server does.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Question {
    pub(super) label_selector: Option<String>,
    pub(super) field_selector: Option<String>,
    limit: Option<String>,
    #[serde(rename = "continue")]
    pub(super) after: Option<String>,
    watch: Option<String>,
    resource_version: Option<String>,
    allow_watch_bookmarks: Option<String>,
    send_initial_events: Option<String>,
    timeout_seconds: Option<String>,
    pub(super) include_object: Option<String>,
    dry_run: Option<String>,
}

fn is_yes(text: Option<&str>) -> bool {
    matches!(text, Some("true" | "1" | ""))
}

fn number(name: &str, text: Option<&str>) -> Result<Option<u64>, Refusal> {
    let parse = |text: &str| {
        text.parse().map_err(|_| Refusal::bad(format!("{name}: {text:?} is not a whole number")))
    };
    text.filter(|text| !text.is_empty()).map(parse).transpose()
}

impl Question {
    pub(super) fn parse(query: Option<&str>) -> Result<Self, Refusal> {
        let uri = format!("/?{}", query.unwrap_or_default()).parse();
        let uri = uri.map_err(|_| Refusal::bad("the question behind the address cannot be read"))?;
        let read = axum::extract::Query::<Self>::try_from_uri(&uri);
        read.map(|query| query.0).map_err(|error| Refusal::bad(error.body_text()))
    }

    pub(super) fn watches(&self) -> bool {
        is_yes(self.watch.as_deref())
    }

    pub(super) fn wants_bookmarks(&self) -> bool {
        is_yes(self.allow_watch_bookmarks.as_deref())
    }

    pub(super) fn wants_initial_events(&self) -> bool {
        is_yes(self.send_initial_events.as_deref())
    }

    pub(super) fn is_dry_run(&self) -> bool {
        self.dry_run.as_deref() == Some("All")
    }

    pub(super) fn limit(&self) -> Result<Option<usize>, Refusal> {
        Ok(number("limit", self.limit.as_deref())?.filter(|limit| *limit > 0).map(|limit| limit as usize))
    }

    pub(super) fn timeout_seconds(&self) -> Result<Option<u64>, Refusal> {
        number("timeoutSeconds", self.timeout_seconds.as_deref())
    }

    /// The version after which changes are wanted; none if from now on, whatever is there first.
    pub(super) fn version(&self) -> Result<Option<u64>, Refusal> {
        Ok(number("resourceVersion", self.resource_version.as_deref())?.filter(|version| *version > 0))
    }
}

/// In which form an answer is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Object,
    /// Lines for a terminal.
    Table,
    /// Names, labels and owners only.
    Metadata,
    /// Discovery, all in one document.
    Aggregated,
}

impl Form {
    /// The first that we can write, in the order in which they are wanted.
    pub(super) fn wanted(headers: &HeaderMap) -> Result<Self, Refusal> {
        let text = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or("*/*");
        let known = text.split(',').find_map(Self::of);
        let wrong = "only the following media types are accepted: application/json";
        known.ok_or_else(|| Refusal::new(StatusCode::NOT_ACCEPTABLE, wrong))
    }

    fn of(range: &str) -> Option<Self> {
        let mut parts = range.split(';').map(str::trim);
        if !matches!(parts.next()?, "application/json" | "application/*" | "*/*") {
            return None;
        }
        let said: Vec<(&str, &str)> = parts.filter_map(|part| part.split_once('=')).collect();
        let get = |name: &str| said.iter().find(|(key, _)| *key == name).map(|(_, value)| *value);
        match (get("as"), get("v")) {
            (None, _) => Some(Self::Object),
            (Some("Table"), Some("v1")) => Some(Self::Table),
            (Some("PartialObjectMetadata" | "PartialObjectMetadataList"), Some("v1")) => Some(Self::Metadata),
            (Some("APIGroupDiscoveryList"), Some("v2")) => Some(Self::Aggregated),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    fn shown(path: &str) -> String {
        match Target::parse(path) {
            Ok(Target::Object(place)) => format!(
                "{} {} {} {}",
                place.about.full_name(),
                place.namespace.unwrap_or_default(),
                place.name.unwrap_or_default(),
                place.part.unwrap_or_default()
            ),
            Ok(Target::Resources(group, version)) => format!("resources {group} {version}"),
            Ok(_) => "other".to_owned(),
            Err(refusal) => refusal.status.as_u16().to_string(),
        }
    }

    #[test]
    fn addresses_are_read() {
        for (path, want) in [
            ("", "other"),
            ("/version", "other"),
            ("/api/v1", "resources  v1"),
            ("/apis/apps/v1", "resources apps v1"),
            ("/api/v1/nodes", "nodes   "),
            ("/api/v1/nodes/a", "nodes  a "),
            ("/api/v1/namespaces", "namespaces   "),
            ("/api/v1/namespaces/shop", "namespaces  shop "),
            ("/api/v1/pods", "pods   "),
            ("/api/v1/namespaces/shop/pods", "pods shop  "),
            ("/api/v1/namespaces/shop/pods/web/eviction", "pods shop web eviction"),
            ("/apis/apps/v1/namespaces/shop/deployments/web/scale", "deployments.apps shop web scale"),
            ("/apis/metrics.k8s.io/v1beta1/nodes", "nodes.metrics.k8s.io   "),
            ("/api/v1/pods/web", "404"),
            ("/api/v1/namespaces/shop/nodes", "404"),
            ("/api/v1/services", "404"),
            ("/nothing", "404"),
        ] {
            assert_eq!(shown(path), want, "{path}");
        }
    }

    #[test]
    fn the_first_form_that_can_be_written_is_taken() {
        for (accept, want) in [
            ("*/*", Some(Form::Object)),
            ("application/json;as=Table;v=v1;g=meta.k8s.io,application/json", Some(Form::Table)),
            ("application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json", Some(Form::Object)),
            ("application/vnd.kubernetes.protobuf,application/json", Some(Form::Object)),
            ("application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList", Some(Form::Aggregated)),
            ("application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1", Some(Form::Metadata)),
            ("application/yaml", None),
        ] {
            let headers = HeaderMap::from_iter([(header::ACCEPT, HeaderValue::from_static(accept))]);
            assert_eq!(Form::wanted(&headers).ok(), want, "{accept}");
        }
    }

    #[test]
    fn questions_are_read_and_unknown_ones_ignored() {
        let question =
            Question::parse(Some("watch=1&resourceVersion=12&limit=5&pretty=true&timeoutSeconds=9"))
                .expect("fine");
        assert!(question.watches() && !question.wants_bookmarks());
        assert_eq!(question.version(), Ok(Some(12)));
        assert_eq!(question.limit(), Ok(Some(5)));
        assert_eq!(question.timeout_seconds(), Ok(Some(9)));
        assert!(Question::parse(Some("limit=many")).is_ok_and(|question| question.limit().is_err()));
    }
}
