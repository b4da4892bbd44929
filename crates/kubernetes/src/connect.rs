//! One client for each cluster, made from a kubeconfig or from the pod's own service account.

use crate::settings::{Access, Member, Resizing, Secret, Settings, Timeouts};
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::{Client, Config};
use model::names::ClusterName;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// Everything that keeps the real world from being reached, each with what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConnectError {
    pub problems: Vec<ConnectProblem>,
}

/// One reason, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConnectProblem {
    /// `cluster member1`, `karmada`, `prometheus`, `members`.
    pub subject: String,
    pub problem: String,
    pub proposal: String,
}

impl ConnectProblem {
    pub(crate) fn new(subject: &str, problem: impl Into<String>, proposal: impl Into<String>) -> Self {
        Self { subject: subject.to_owned(), problem: problem.into(), proposal: proposal.into() }
    }
}

impl fmt::Display for ConnectProblem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}; {}", self.subject, self.problem, self.proposal)
    }
}

impl fmt::Display for ConnectError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self.problems.iter().map(ToString::to_string).collect();
        out.write_str(&lines.join("\n"))
    }
}

impl std::error::Error for ConnectError {}

/// A client for everything that is talked to.
pub(crate) struct Clients {
    pub(crate) members: BTreeMap<ClusterName, Client>,
    pub(crate) karmada: Option<Client>,
    pub(crate) prometheus: Option<Client>,
    /// By address.
    pub(crate) webhooks: BTreeMap<String, Webhook>,
}

/// Somebody who is told things by signed messages.
pub(crate) struct Webhook {
    pub(crate) client: Client,
    pub(crate) path: String,
    pub(crate) secret: Secret,
}

/// Makes all clients; nobody is talked to yet. A cluster that cannot be reached is a gap in what is observed, not an error here.
pub(crate) async fn clients(settings: &Settings) -> Result<Clients, ConnectError> {
    let mut problems = check_members(&settings.members);
    let mut members = BTreeMap::new();
    for member in &settings.members {
        let subject = format!("cluster {}", member.name);
        match client(&member.access, &subject, settings).await {
            Ok(client) => drop(members.insert(member.name.clone(), client)),
            Err(problem) => problems.push(problem),
        }
    }
    let karmada = match &settings.karmada {
        Some(access) => {
            client(access, "karmada", settings).await.map_err(|problem| problems.push(problem)).ok()
        }
        None => None,
    };
    let prometheus = prometheus(settings).map_err(|problem| problems.push(problem)).ok().flatten();
    let webhooks = webhooks(settings).map_err(|problem| problems.push(problem)).unwrap_or_default();
    if problems.is_empty() {
        Ok(Clients { members, karmada, prometheus, webhooks })
    } else {
        Err(ConnectError { problems })
    }
}

/// The clients for what stands beside the desk.
#[derive(Default)]
pub(crate) struct Beside {
    /// For `Freeze` objects.
    pub(crate) freezes: Option<Client>,
    /// For `Agent` and `Guardrail` objects.
    pub(crate) definitions: Option<Client>,
}

pub(crate) async fn beside(settings: &Settings) -> Result<Beside, ConnectError> {
    let freezes = settings.freezes.as_ref().map(|found| &found.access);
    let definitions = settings.definitions.as_ref().map(|found| &found.access);
    let freezes = named(freezes, "freezes", settings).await;
    let definitions = named(definitions, "objects", settings).await;
    both(freezes, definitions).map(|(freezes, definitions)| Beside { freezes, definitions })
}

async fn named(
    access: Option<&Access>,
    subject: &str,
    settings: &Settings,
) -> Result<Option<Client>, ConnectError> {
    let Some(access) = access else { return Ok(None) };
    let client = client(access, subject, settings).await;
    client.map(Some).map_err(|problem| ConnectError { problems: vec![problem] })
}

/// Both, or the problems of both.
pub(crate) fn both<A, B>(
    one: Result<A, ConnectError>,
    other: Result<B, ConnectError>,
) -> Result<(A, B), ConnectError> {
    match (one, other) {
        (Ok(one), Ok(other)) => Ok((one, other)),
        (one, other) => {
            let problems = one.err().into_iter().chain(other.err());
            Err(ConnectError { problems: problems.flat_map(|error| error.problems).collect() })
        }
    }
}

fn check_members(members: &[Member]) -> Vec<ConnectProblem> {
    if members.is_empty() {
        return vec![ConnectProblem::new("members", "there are none", "name at least one cluster")];
    }
    let mut names = BTreeSet::new();
    let twice = members.iter().filter(|member| !names.insert(member.name.clone()));
    twice
        .map(|member| {
            let subject = format!("cluster {}", member.name);
            ConnectProblem::new(&subject, "is named twice", "give every cluster its own name")
        })
        .collect()
}

/// One client that nobody else uses.
pub(crate) async fn client(
    access: &Access,
    subject: &str,
    settings: &Settings,
) -> Result<Client, ConnectProblem> {
    let config = match access {
        Access::InCluster => Config::incluster().map_err(|error| {
            let proposal = "run inside a pod with a service account, or name a kubeconfig";
            ConnectProblem::new(subject, error.to_string(), proposal)
        })?,
        Access::Kubeconfig { path, context } => {
            let kubeconfig = read(path.as_ref(), subject)?;
            let context = chosen_context(&kubeconfig, context.as_ref(), subject)?;
            refuse_commands(&kubeconfig, &context, subject, settings.allow_exec)?;
            let options = KubeConfigOptions { context: Some(context), ..KubeConfigOptions::default() };
            let config = Config::from_custom_kubeconfig(kubeconfig, &options)
                .await
                .map_err(|error| ConnectProblem::new(subject, error.to_string(), "repair the kubeconfig"))?;
            with_clean_token(config)
        }
    };
    Client::try_from(patient(config, &settings.timeouts)).map_err(|error| {
        ConnectProblem::new(subject, error.to_string(), "check the certificates and keys of the kubeconfig")
    })
}

/// A token in a file of its own may end with a line break, which kubectl leaves out and kube-rs sends. Such a file was written by a
/// person or a script and is read once; those that are renewed by themselves have none, and stay files.
fn with_clean_token(mut config: Config) -> Config {
    let file = config.auth_info.token_file.as_ref();
    let text = file.and_then(|file| std::fs::read_to_string(file).ok()).unwrap_or_default();
    if text.trim() != text {
        config.auth_info.token = Some(text.trim().to_owned().into());
        config.auth_info.token_file = None;
    }
    config
}

/// With an end for everything, and without repeating requests by itself: whether a write may be given again is decided by looking.
fn patient(mut config: Config, timeouts: &Timeouts) -> Config {
    config.connect_timeout = Some(Duration::from_millis(timeouts.connect.as_millis()));
    config.write_timeout = Some(Duration::from_millis(timeouts.request.as_millis()));
    // Longer than a watch may be silent.
    config.read_timeout =
        Some(Duration::from_millis(timeouts.watch.saturating_add(timeouts.request).as_millis()));
    config.default_retry = false;
    config
}

fn read(path: Option<&PathBuf>, subject: &str) -> Result<Kubeconfig, ConnectProblem> {
    let read = path.map_or_else(Kubeconfig::read, Kubeconfig::read_from);
    read.map_err(|error| {
        let proposal = path.map_or_else(
            || "name a kubeconfig, or set KUBECONFIG".to_owned(),
            |path| format!("check that {} is a readable kubeconfig", path.display()),
        );
        ConnectProblem::new(subject, error.to_string(), proposal)
    })
}

pub(crate) fn chosen_context(
    kubeconfig: &Kubeconfig,
    wanted: Option<&String>,
    subject: &str,
) -> Result<String, ConnectProblem> {
    let known: Vec<&str> = kubeconfig.contexts.iter().map(|context| context.name.as_str()).collect();
    let names = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    let Some(wanted) = wanted.or(kubeconfig.current_context.as_ref()) else {
        let proposal = format!("name one of its contexts: {names}");
        return Err(ConnectProblem::new(subject, "the kubeconfig has no current context", proposal));
    };
    if known.contains(&wanted.as_str()) {
        return Ok(wanted.clone());
    }
    let problem = format!("the kubeconfig has no context {wanted:?}");
    Err(ConnectProblem::new(subject, problem, format!("its contexts are: {names}")))
}

/// A kubeconfig can name a program that is run to log in: whoever can write the file could run anything here.
pub(crate) fn refuse_commands(
    kubeconfig: &Kubeconfig,
    context: &str,
    subject: &str,
    allowed: bool,
) -> Result<(), ConnectProblem> {
    let named = kubeconfig.contexts.iter().find(|one| one.name == context);
    let user = named.and_then(|one| one.context.as_ref()).and_then(|context| context.user.clone());
    let info = kubeconfig
        .auth_infos
        .iter()
        .find(|one| Some(&one.name) == user.as_ref())
        .and_then(|one| one.auth_info.as_ref());
    let Some(info) = info else { return Ok(()) };
    let command = match (&info.exec, &info.auth_provider) {
        (Some(exec), _) => exec.command.clone().unwrap_or_else(|| "a command".to_owned()),
        (None, Some(provider)) => format!("the auth provider {}", provider.name),
        (None, None) => return Ok(()),
    };
    if allowed {
        return Ok(());
    }
    let proposal = "allow commands in the settings, or use a token or a client certificate";
    Err(ConnectProblem::new(subject, format!("its kubeconfig runs {command} to log in"), proposal))
}

fn address(text: &str, subject: &str, example: &str) -> Result<http::Uri, ConnectProblem> {
    let proposal = format!("write an address such as {example}");
    let address: http::Uri = text
        .parse()
        .map_err(|error| ConnectProblem::new(subject, format!("{text:?}: {error}"), proposal.clone()))?;
    if !matches!(address.scheme_str(), Some("http" | "https")) || address.host().is_none() {
        return Err(ConnectProblem::new(subject, format!("{text:?} is no address"), proposal));
    }
    Ok(address)
}

/// Clients of those who make nodes when they are told to, by their addresses.
fn webhooks(settings: &Settings) -> Result<BTreeMap<String, Webhook>, ConnectProblem> {
    let mut found = BTreeMap::new();
    for pool in &settings.pools {
        let Resizing::Webhook { url, secret } = &pool.resizing else { continue };
        let subject = format!("webhook of the pool {}", pool.pool);
        let address = address(url, &subject, "https://nodes.example.org/resize")?;
        let path = address.path_and_query().map_or("/", http::uri::PathAndQuery::as_str).to_owned();
        let mut base = address.into_parts();
        base.path_and_query = Some(http::uri::PathAndQuery::from_static("/"));
        let made = http::Uri::from_parts(base).map_err(|error| error.to_string()).and_then(|base| {
            Client::try_from(patient(Config::new(base), &settings.timeouts))
                .map_err(|error| error.to_string())
        });
        let client = made
            .map_err(|error| ConnectProblem::new(&subject, error, "check the address and its certificate"))?;
        found.insert(url.clone(), Webhook { client, path, secret: secret.clone() });
    }
    Ok(found)
}

fn prometheus(settings: &Settings) -> Result<Option<Client>, ConnectProblem> {
    let Some(prometheus) = &settings.prometheus else { return Ok(None) };
    let address = address(&prometheus.url, "prometheus", "http://prometheus.monitoring:9090")?;
    let mut config = patient(Config::new(address), &settings.timeouts);
    config.auth_info.token = prometheus.bearer_token.as_ref().map(|token| token.reveal().to_owned().into());
    let client = Client::try_from(config);
    client.map(Some).map_err(|error| {
        ConnectProblem::new("prometheus", error.to_string(), "check the address and its certificate")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = r#"
apiVersion: v1
kind: Config
clusters: [{ name: c, cluster: { server: "https://127.0.0.1:1" } }]
users:
- { name: token, user: { token: secret } }
- { name: plugin, user: { exec: { apiVersion: client.authentication.k8s.io/v1, command: cloud-login } } }
contexts:
- { name: plain, context: { cluster: c, user: token } }
- { name: cloud, context: { cluster: c, user: plugin } }
"#;

    fn check(context: Option<&str>, allowed: bool) -> String {
        let file = Kubeconfig::from_yaml(FILE).unwrap();
        let wanted = context.map(str::to_owned);
        let outcome = chosen_context(&file, wanted.as_ref(), "cluster a")
            .and_then(|context| refuse_commands(&file, &context, "cluster a", allowed));
        outcome.map_or_else(|problem| problem.to_string(), |()| "fine".to_owned())
    }

    #[test]
    fn a_command_is_run_only_if_that_was_allowed() {
        assert_eq!(check(Some("plain"), false), "fine");
        assert_eq!(
            check(Some("cloud"), false),
            "cluster a: its kubeconfig runs cloud-login to log in; allow commands in the settings, or use a token or a \
             client certificate"
        );
        assert_eq!(check(Some("cloud"), true), "fine");
    }

    #[test]
    fn a_missing_context_names_those_there_are() {
        assert_eq!(
            check(Some("prod"), false),
            "cluster a: the kubeconfig has no context \"prod\"; its contexts are: plain, cloud"
        );
        assert_eq!(
            check(None, false),
            "cluster a: the kubeconfig has no current context; name one of its contexts: plain, cloud"
        );
    }

    #[tokio::test]
    async fn every_problem_is_told_at_once() {
        let access = Access::Kubeconfig { path: Some("/nonexistent/a".into()), context: None };
        let member = Member { name: ClusterName::new("a").unwrap(), access: access.clone() };
        let settings = Settings {
            members: vec![member.clone(), member],
            karmada: Some(access),
            prometheus: Some(crate::PrometheusSettings {
                url: "prometheus".to_owned(),
                bearer_token: None,
                cluster_label: "cluster".to_owned(),
                window: model::time::Period::from_minutes(1),
                queries: Vec::new(),
            }),
            ..Settings::default()
        };
        let error = clients(&settings).await.err().expect("nothing of this can work");
        let subjects: Vec<&str> = error.problems.iter().map(|problem| problem.subject.as_str()).collect();
        assert_eq!(subjects, ["cluster a", "cluster a", "cluster a", "karmada", "prometheus"]);
        assert_eq!(clients(&Settings::default()).await.err().expect("no members").problems.len(), 1);
    }
}
