//! From the desk's file as written to the checked one: every problem with its place.

use super::raw::{
    RawAccess, RawApprovers, RawDesk, RawGrant, RawMode, RawModeSetting, RawRisk, RawRule, RawWasp,
    RawWebhook, RawWorld,
};
use super::{
    AccessConfig, DeskConfig, PredictionConfig, ReviewConfig, SecretPlace, WaspConfig, WebhookConfig,
};
use crate::access::{Network, Proxies};
use crate::entrance::Limits;
use crate::office::pace::{FASTEST, Speed};
use crate::outward::{Reach, is_in_vain};
use crate::storage::Location;
use crate::webhooks::Topic;
use axum::http::Uri;
use control::ordering::is_word;
use control::policy::{ApproverRule, PassRule, Policy, ReviewRule};
use control::review_desk::ReviewMode;
use model::document::{self, Checks, Document, Doubts, Draft, Problems, item, nearest};
use model::names::{AgentName, ClusterName, ReviewerName, WorkloadRef, check_name};
use model::order::{Extent, Grant, Mode, ModeSetting};
use model::risk::Risk;
use model::time::Period;
use std::net::SocketAddr;

/// Each webhook has a connection and a place in the record of its own.
const MOST_WEBHOOKS: usize = 32;

/// Longer than it takes to mean it, shorter than it takes for the federation to be another one.
const ASK_AGAIN_AFTER: Period = Period::from_minutes(30);

/// Reads and checks a desk's file.
pub fn read(name: &str, bytes: &[u8]) -> Result<DeskConfig, Problems> {
    let Draft { value, document, doubts, problems } =
        document::draft::<RawDesk>(name, bytes, &Checks::default())?;
    let mut checker = Checker { document: &document, doubts: &doubts, problems };
    let config = checker.desk(&value);
    match config {
        Some(config) => checker.problems.into_result(config),
        None => Err(checker.problems),
    }
}

pub(super) struct Checker<'a> {
    pub(super) document: &'a Document,
    /// What could not be read. Its stand-in says nothing, so nothing is said about it.
    pub(super) doubts: &'a Doubts,
    pub(super) problems: Problems,
}

impl Checker<'_> {
    pub(super) fn report(&mut self, path: &str, message: impl Into<String>, proposal: impl Into<String>) {
        if !self.doubts.touch(path) {
            self.problems.push(self.document.problem_at(path, message, proposal));
        }
    }

    /// The value, or a problem at its place.
    pub(super) fn take<T, E: std::fmt::Display>(
        &mut self,
        path: &str,
        result: Result<T, E>,
        proposal: &str,
    ) -> Option<T> {
        result.map_err(|error| self.report(path, error.to_string(), proposal)).ok()
    }

    /// Looks at everything, so that all problems are found at once.
    fn desk(&mut self, raw: &RawDesk) -> Option<DeskConfig> {
        let listen = self.address("listen", &raw.listen);
        let storage = self.storage(&raw.storage);
        let world = self.world(&raw.world);
        let speed = self.speed(&raw.world);
        let review = self.review(raw);
        let access = self.access(&raw.access);
        let webhooks: Vec<Option<WebhookConfig>> =
            raw.webhooks.iter().enumerate().map(|(index, hook)| self.webhook(index, hook)).collect();
        self.webhook_names(&raw.webhooks);
        let wasp = raw.wasp.as_ref().map(|wasp| self.wasp(wasp));
        let models = raw.models.as_ref().map(|models| self.models(models));
        self.periods(raw);
        let prediction = raw.prediction;
        if prediction.enabled && prediction.horizon.as_millis() == 0 {
            self.report(
                "prediction.horizon",
                "a look ahead of no time shows nothing",
                "write for instance 30m",
            );
        }
        let (scenario, kubernetes) = world?;
        let (storage, storage_at) = storage?;
        Some(DeskConfig {
            listen: listen?,
            storage,
            storage_at,
            scenario,
            kubernetes,
            seed: raw.world.seed,
            speed: speed?,
            paused: raw.world.paused,
            review: review?,
            prediction: prediction
                .enabled
                .then_some(PredictionConfig { horizon: prediction.horizon, seeds: prediction.seeds }),
            access: access?,
            keep_snapshots: raw.retention.snapshots,
            requests_per_second: raw.limits.requests_per_second,
            burst: raw.limits.burst,
            streams: raw.limits.streams,
            streams_per_caller: raw.limits.streams_per_caller,
            entrance: Limits::default(),
            kube_api: false,
            webhooks: webhooks.into_iter().collect::<Option<_>>()?,
            wasp: wasp.map_or(Some(None), |wasp| wasp.map(Some))?,
            models: models.map_or(Some(None), |models| models.map(Some))?,
        })
    }

    /// What lasts no time is over before anybody can use it.
    fn periods(&mut self, raw: &RawDesk) {
        let (access, review) = (&raw.access, &raw.review);
        for (path, period, message, example) in [
            ("access.session", Some(access.session), "a session of no time lets nobody in", "8h"),
            ("access.longest_token", Some(access.longest_token), "no token could ever count", "90d"),
            ("review.expires_after", review.expires_after, "nothing would wait for an answer", "30m"),
        ] {
            if period.is_some_and(Period::is_zero) {
                self.report(path, message, format!("write for instance {example}"));
            }
        }
    }

    /// The location, or where it is found.
    fn storage(&mut self, text: &str) -> Option<(Location, Option<SecretPlace>)> {
        if text.starts_with("env:") || text.starts_with("file:") {
            return Some((Location::Memory, Some(self.secret("storage", text)?)));
        }
        let location = self.take("storage", text.parse(), "write for instance sqlite:drover.db")?;
        Some((location, None))
    }

    fn address(&mut self, path: &str, text: &str) -> Option<SocketAddr> {
        let parsed = text.replace("localhost:", "127.0.0.1:").parse::<SocketAddr>();
        let message = format!("{text:?} is not an address with a port");
        parsed.map_err(|_| self.report(path, message, "write for instance 127.0.0.1:8080")).ok()
    }

    fn speed(&mut self, raw: &RawWorld) -> Option<Speed> {
        let mut fits = true;
        for (path, speed) in
            [("world.speed", Some(raw.speed)), ("world.speed_while_waiting", raw.speed_while_waiting)]
        {
            if speed.is_some_and(|speed| !(0.01..=FASTEST).contains(&speed)) {
                self.report(
                    path,
                    format!("a speed lies between 0.01 and {FASTEST}"),
                    "write for instance 60",
                );
                fits = false;
            }
        }
        fits.then_some(Speed { usual: raw.speed, while_waiting: raw.speed_while_waiting })
    }

    fn review(&mut self, raw: &RawDesk) -> Option<ReviewConfig> {
        let review = &raw.review;
        let modes: Vec<Option<ModeSetting>> =
            review.modes.iter().enumerate().map(|(index, mode)| self.mode_setting(index, mode)).collect();
        let usual = self.usual_mode(raw);
        let limits = self.limits("review", usual, review.limits);
        let passes: Vec<Option<PassRule>> =
            review.pass.iter().enumerate().map(|(index, rule)| self.pass_rule(index, rule)).collect();
        self.rule_names(&review.pass);
        let approvers: Vec<Option<ApproverRule>> = review
            .approvers
            .iter()
            .enumerate()
            .map(|(index, rule)| self.approver_rule(index, rule))
            .collect();
        let mut used = std::iter::once(&usual).chain(review.modes.iter().map(|setting| &setting.mode));
        let is_sure = !["review.mode", "review.modes"].iter().any(|path| self.doubts.touch(path));
        if is_sure && !passes.is_empty() && !used.any(|mode| *mode == RawMode::Rules) {
            let message = "these rules let nothing pass, because mode rules is used nowhere";
            self.report("review.pass", message, "write mode: rules, here or in review.modes");
        }
        let mode = match usual {
            RawMode::Observe => ReviewMode::Observe,
            RawMode::Human => ReviewMode::Human,
            RawMode::Rules => ReviewMode::Rules,
            RawMode::Auto => ReviewMode::Auto { rule: ReviewerName::new("auto").ok()?, limits: limits? },
        };
        let policy = Policy {
            modes: modes.into_iter().collect::<Option<_>>()?,
            passes: passes.into_iter().collect::<Option<_>>()?,
            approvers: approvers.into_iter().collect::<Option<_>>()?,
            own_plans: review.own_plans,
            ask_again_after: Some(review.ask_again_after.unwrap_or(ASK_AGAIN_AFTER)),
            predict: raw.prediction.enabled,
        };
        Some(ReviewConfig { mode, expires_after: review.expires_after, policy })
    }

    /// Nothing is done to real clusters before somebody says so.
    fn usual_mode(&mut self, raw: &RawDesk) -> RawMode {
        let Some(clusters) = &raw.world.kubernetes else { return raw.review.mode.unwrap_or(RawMode::Human) };
        let mode = raw.review.mode.unwrap_or(RawMode::Observe);
        if !clusters.act && mode != RawMode::Observe {
            let message = "approvals would have no effect, because nothing may be written to the clusters";
            self.report("review.mode", message, "write act: true under world.kubernetes, or mode: observe");
        }
        mode
    }

    fn pass_rule(&mut self, index: usize, raw: &RawRule) -> Option<PassRule> {
        let path = item("review.pass", index);
        let name = self.take(&format!("{path}.name"), ReviewerName::new(&raw.name), "write a short name");
        let when = self.rule(&format!("{path}.when"), &raw.when);
        Some(PassRule { name: name?, when: when? })
    }

    /// The record tells by its name which rule let something pass.
    fn rule_names(&mut self, all: &[RawRule]) {
        for (index, rule) in all.iter().enumerate() {
            if all[..index].iter().any(|earlier| earlier.name == rule.name) {
                let path = format!("{}.name", item("review.pass", index));
                let message = format!("two rules are called {}", rule.name);
                self.report(&path, message, "give each its own name");
            }
        }
    }

    fn approver_rule(&mut self, index: usize, raw: &RawApprovers) -> Option<ApproverRule> {
        let when = self.rule(&format!("{}.when", item("review.approvers", index)), &raw.when);
        Some(ApproverRule { people: raw.people, when: when? })
    }

    fn rule(&mut self, path: &str, text: &str) -> Option<ReviewRule> {
        let problems = match ReviewRule::parse(text) {
            Ok(rule) => return Some(rule),
            Err(problems) => problems,
        };
        for problem in problems {
            let place = format!("at character {}: {}", problem.column, problem.message);
            self.report(path, place, problem.proposal);
        }
        None
    }

    fn mode_setting(&mut self, index: usize, raw: &RawModeSetting) -> Option<ModeSetting> {
        let path = item("review.modes", index);
        let named = [&raw.cluster, &raw.namespace, &raw.workload].into_iter().flatten().count();
        if named > 1 {
            let message = "a setting is about one of cluster, namespace and workload";
            self.report(&path, message, "write a second setting for the other");
            return None;
        }
        let agent = raw.agent.as_ref().map(|name| {
            self.take(&format!("{path}.agent"), AgentName::new(name), "write the name of an agent")
        });
        let scope = self.extent(&path, raw)?;
        let limits = self.limits(&path, raw.mode, raw.limits)?;
        let mode = match raw.mode {
            RawMode::Observe => Mode::Observe,
            RawMode::Human => Mode::Human,
            RawMode::Rules => Mode::Rules,
            RawMode::Auto => Mode::Auto { limits },
        };
        Some(ModeSetting { agent: agent.map_or(Some(None), |agent| agent.map(Some))?, scope, mode })
    }

    /// How far a mode goes. A grant in this file has no end, so it needs a pace besides the risk that passes.
    fn limits(&mut self, path: &str, mode: RawMode, raw: Option<RawGrant>) -> Option<Grant> {
        let (mode_path, limits_path) = (format!("{path}.mode"), format!("{path}.limits"));
        let limits = grant(raw.unwrap_or_default());
        if mode != RawMode::Auto {
            if raw.is_some() && !self.doubts.touch(&mode_path) {
                let proposal = "take them away, or write mode: auto";
                self.report(&limits_path, "only mode auto has limits", proposal);
            }
            return raw.is_none().then_some(limits);
        }
        let needed = [
            (limits.highest_risk.is_none(), "the highest risk that passes", "highest_risk: low"),
            (!limits.is_bounded(), "how many actions an hour", "per_hour: 4"),
        ];
        let missing: Vec<_> = needed.iter().filter(|(is_missing, ..)| *is_missing).collect();
        if missing.is_empty() {
            return Some(limits);
        }
        let (what, proposal) = (listed(&missing, " and ", |one| one.1), listed(&missing, ", ", |one| one.2));
        // Limits that are not there have no line.
        let (place, proposal) = match raw {
            Some(_) => (&limits_path, format!("add {proposal}")),
            None => (&mode_path, format!("write limits: {{ {proposal} }}")),
        };
        if !self.doubts.touch(&limits_path) {
            let message = format!("mode auto grants without end, so say {what}");
            self.report(place, message, proposal);
        }
        None
    }

    fn extent(&mut self, path: &str, raw: &RawModeSetting) -> Option<Extent> {
        if let Some(name) = &raw.cluster {
            let name =
                self.take(&format!("{path}.cluster"), ClusterName::new(name), "write the name of a cluster")?;
            return Some(Extent::Cluster(name));
        }
        if let Some(name) = &raw.namespace {
            self.take(&format!("{path}.namespace"), check_name(name), "write the name of a namespace")?;
            return Some(Extent::Namespace(name.clone()));
        }
        if let Some(name) = &raw.workload {
            let name = name.parse::<WorkloadRef>();
            let name = self.take(&format!("{path}.workload"), name, "write namespace/name")?;
            return Some(Extent::Workload(name));
        }
        Some(Extent::Everything)
    }

    fn access(&mut self, raw: &RawAccess) -> Option<AccessConfig> {
        let oidc = raw.oidc.as_ref().map(|oidc| self.oidc(oidc));
        let address = raw.public_address.as_ref().map(|text| self.public_address(text));
        let proxies = self.proxies(&raw.trusted_proxies);
        Some(AccessConfig {
            session: raw.session,
            longest_token: raw.longest_token,
            public_address: address.map_or(Some(None), |address| address.map(Some))?,
            proxies: Proxies::new(proxies?),
            open_metrics: raw.open_metrics,
            oidc: oidc.map_or(Some(None), |oidc| oidc.map(Some))?,
        })
    }

    fn public_address(&mut self, text: &str) -> Option<String> {
        let text = text.trim_end_matches('/');
        let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
        if host.is_none_or(|host| host.is_empty() || host.contains('/')) {
            let message = "the address that browsers use has a scheme and a host, and no path";
            self.report("access.public_address", message, "write for instance https://drover.example.org");
            return None;
        }
        Some(text.to_owned())
    }

    fn proxies(&mut self, texts: &[String]) -> Option<Vec<Network>> {
        let read = |(index, text): (usize, &String)| self.proxy(&item("access.trusted_proxies", index), text);
        // All of them are looked at, so that all problems are told.
        let networks: Vec<Option<Network>> = texts.iter().enumerate().map(read).collect();
        networks.into_iter().collect()
    }

    fn proxy(&mut self, path: &str, text: &str) -> Option<Network> {
        let (message, proposal) = match text.parse::<Network>() {
            Ok(network) if !network.is_everybody() => return Some(network),
            Ok(_) => (
                format!("{text:?} is everybody, and whoever is believed can give themselves any address"),
                "write only the addresses of your own proxies, for instance 192.0.2.7 or 192.0.2.0/28",
            ),
            Err(_) => (
                format!("{text:?} is neither an address nor a network"),
                "write for instance 192.0.2.7 or 192.0.2.0/28; names are not looked up",
            ),
        };
        self.report(path, message, proposal);
        None
    }

    pub(super) fn secret(&mut self, path: &str, text: &str) -> Option<SecretPlace> {
        match text.split_once(':') {
            Some(("env", name)) if !name.is_empty() => Some(SecretPlace::Environment(name.to_owned())),
            Some(("file", name)) if !name.is_empty() => Some(SecretPlace::File(name.into())),
            _ => {
                let message = "a secret does not stand in this file; say where it is";
                self.report(path, message, "write env:NAME or file:path");
                None
            }
        }
    }

    /// Deliveries are kept under the names of webhooks, and each has a courier of its own.
    fn webhook_names(&mut self, all: &[RawWebhook]) {
        if all.len() > MOST_WEBHOOKS {
            let message = format!("at most {MOST_WEBHOOKS} are told");
            self.report("webhooks", message, "tell one of them, and let it tell others");
        }
        for (index, hook) in all.iter().enumerate() {
            if all[..index].iter().any(|earlier| earlier.name == hook.name) {
                let path = format!("{}.name", item("webhooks", index));
                self.report(
                    &path,
                    format!("two webhooks are called {}", hook.name),
                    "give each its own name",
                );
            }
        }
    }

    /// Looks at all of it, so that nobody mends the address to hear of the secret.
    fn webhook(&mut self, index: usize, raw: &RawWebhook) -> Option<WebhookConfig> {
        let path = item("webhooks", index);
        let reached = self.webhook_address(&format!("{path}.url"), &raw.url);
        let known = self.topics(&path, &raw.events);
        let secret = self.secret(&format!("{path}.secret"), &raw.secret)?;
        (reached && known).then(|| WebhookConfig {
            name: raw.name.clone(),
            url: raw.url.clone(),
            secret,
            events: raw.events.clone(),
        })
    }

    /// Whether messages can go there. A name is looked up only when there is something to tell.
    fn webhook_address(&mut self, path: &str, url: &str) -> bool {
        let message = if !is_secure(url) {
            "messages go to an https address, or to http on this machine"
        } else if !is_plain(url) {
            "this is no address, or one with a name and password in it"
        } else if is_in_vain(url, Reach::Public) {
            "messages never go to an address that is private, link-local or reserved"
        } else {
            return true;
        };
        self.report(path, message, "write for instance https://hooks.example.org/drover");
        false
    }

    /// Whether all of these are kinds of events. One that is none would keep a webhook silent, and nobody would notice.
    fn topics(&mut self, path: &str, events: &[String]) -> bool {
        let names = Topic::ALL.map(Topic::name);
        let mut known = true;
        for (index, word) in events.iter().enumerate() {
            if Topic::ALL.into_iter().any(|topic| topic.is_called(word)) {
                continue;
            }
            let proposal = match nearest(word, names) {
                Some(near) => format!("did you mean {near}?"),
                None => format!("write one of {}, or the part before the dot", names.join(", ")),
            };
            let place = item(&format!("{path}.events"), index);
            self.report(&place, format!("nobody is told of {word:?}"), proposal);
            known = false;
        }
        known
    }

    fn wasp(&mut self, raw: &RawWasp) -> Option<WaspConfig> {
        let listen = self.address("wasp.listen", &raw.listen)?;
        if !listen.ip().is_loopback() {
            let message = "this address takes requests without a token, so it must be on this machine";
            self.report("wasp.listen", message, "write for instance 127.0.0.1:8084");
            return None;
        }
        let agent = self.take("wasp.agent", AgentName::new(&raw.agent), "write the name of an agent")?;
        if is_word(agent.as_str()) {
            let message = format!("{agent} is a word of the record, which names others by it");
            self.report("wasp.agent", message, "write for instance wasp");
        }
        Some(WaspConfig { listen, agent })
    }
}

/// Whether an address keeps what is sent to it: by encryption, or because it does not leave the machine.
pub(super) fn is_secure(url: &str) -> bool {
    let local = ["http://127.0.0.1", "http://localhost", "http://[::1]"];
    let ends = |rest: &str| rest.is_empty() || rest.starts_with([':', '/', '?']);
    url.strip_prefix("https://").is_some_and(|host| !host.is_empty())
        || local.iter().any(|prefix| url.strip_prefix(prefix).is_some_and(ends))
}

/// Whether this can be reached as it is written: a host, and no name with a password.
pub(super) fn is_plain(url: &str) -> bool {
    let uri = url.parse::<Uri>().ok();
    let authority = uri.as_ref().and_then(Uri::authority);
    authority.is_some_and(|authority| !authority.as_str().contains('@') && !authority.host().is_empty())
}

fn listed<T>(all: &[T], between: &str, word: impl Fn(&T) -> &'static str) -> String {
    all.iter().map(word).collect::<Vec<_>>().join(between)
}

fn grant(raw: RawGrant) -> Grant {
    let risk = |risk: RawRisk| match risk {
        RawRisk::Low => Risk::Low,
        RawRisk::Medium => Risk::Medium,
        RawRisk::High => Risk::High,
    };
    Grant {
        highest_risk: raw.highest_risk.map(risk),
        replicas: raw.replicas,
        per_hour: raw.per_hour,
        until: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lasts_no_time_is_refused_with_all_else() {
        let text = "drover: desk/v1\nworld: { simulate: three-waves.yaml }\nreview: { expires_after: 0s }\n\
            access:\n  session: 0s\n  longest_token: 0d\n  oidc: { issuer: login, client_id: \"\", roles: {} }\n";
        let problems = read("desk.yaml", text.as_bytes()).expect_err("it is refused");
        let found: Vec<(u32, &str)> = problems.iter().map(|it| (it.line, it.path.as_str())).collect();
        assert_eq!(
            found,
            [
                (3, "review.expires_after"),
                (5, "access.session"),
                (6, "access.longest_token"),
                (7, "access.oidc.issuer"),
                (7, "access.oidc.client_id"),
            ]
        );
        assert!(problems.iter().all(|it| it.proposal.starts_with("write ")), "{problems:?}");
    }

    #[test]
    fn whoever_believes_everybody_is_told_so() {
        let text = "drover: desk/v1\nworld: { simulate: three-waves.yaml }\n\
            access:\n  trusted_proxies:\n    - 0.0.0.0/0\n    - 10.0.0.0/8\n    - \"::/0\"\n    - nobody\n";
        let problems = read("desk.yaml", text.as_bytes()).expect_err("it is refused");
        let found: Vec<(u32, bool)> =
            problems.iter().map(|it| (it.line, it.message.contains("is everybody"))).collect();
        assert_eq!(found, [(5, true), (7, true), (8, false)]);
        assert!(problems.iter().all(|it| it.proposal.starts_with("write ")), "{problems:?}");
    }
}
