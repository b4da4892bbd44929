//! Asks every cluster whether it can be reached, whether this identity may do what the settings need, and whether it could do more
//! than it should. Nothing is changed.

use crate::connect;
use crate::crd::GROUP;
use crate::rights::{self, Permission, Purpose, RIGHTS, Right, Role, Site, is_reading};
use crate::settings::{Access, Settings};
use crate::trouble::Trouble;
use futures_util::{StreamExt as _, stream};
use k8s_openapi::api::authorization::v1::{
    ResourceAttributes, SelfSubjectAccessReview, SelfSubjectAccessReviewSpec,
};
use kube::Client;
use kube::api::{Api, PostParams};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// Questions that one server is asked at the same time.
const AT_ONCE: usize = 8;

/// How well something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    Fine,
    /// It works, and somebody should know.
    Doubtful,
    Wrong,
}

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    pub grade: Grade,
    /// `cluster member1`, `karmada`.
    pub place: String,
    pub text: String,
    /// What to do about it.
    pub fix: Option<String>,
    /// The permission that is missing, or that is there and should not be.
    pub permission: Option<Permission>,
}

impl Check {
    fn new(grade: Grade, place: &str, text: impl Into<String>, fix: Option<String>) -> Self {
        Self { grade, place: place.to_owned(), text: text.into(), fix, permission: None }
    }
}

/// One API server with one namespace, if it is about one.
struct Patient<'a> {
    place: String,
    site: Site,
    access: &'a Access,
    namespace: Option<&'a str>,
    purposes: BTreeSet<Purpose>,
}

/// Looks at everything that the settings name.
pub fn examine(settings: &Settings) -> Vec<Check> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    match runtime {
        Ok(runtime) => runtime.block_on(examine_all(settings)),
        Err(error) => {
            let fix = Some("allow this process more threads".to_owned());
            vec![Check::new(Grade::Wrong, "threads", error.to_string(), fix)]
        }
    }
}

async fn examine_all(settings: &Settings) -> Vec<Check> {
    let mut checks = Vec::new();
    for patient in patients(settings) {
        checks.extend(patient.examine(settings).await);
    }
    checks
}

fn patients(settings: &Settings) -> Vec<Patient<'_>> {
    let purposes = rights::purposes(settings);
    let of = |place: String, site, access, namespace, chosen: BTreeSet<Purpose>| Patient {
        place,
        site,
        access,
        namespace,
        purposes: chosen,
    };
    let mut all: Vec<Patient<'_>> = Vec::new();
    for member in &settings.members {
        let place = format!("cluster {}", member.name);
        all.push(of(place, Site::Member, &member.access, None, purposes.clone()));
    }
    if let Some(access) = &settings.karmada {
        all.push(of("karmada".to_owned(), Site::Karmada, access, None, purposes.clone()));
    }
    if let Some(lease) = &settings.leader_election {
        let chosen = BTreeSet::from([Purpose::Leading]);
        all.push(of("the lease".to_owned(), Site::Own, &lease.access, Some(&lease.namespace), chosen));
    }
    let among = |wanted: &[Purpose]| -> BTreeSet<Purpose> {
        purposes.iter().copied().filter(|purpose| wanted.contains(purpose)).collect()
    };
    if let Some(freezes) = &settings.freezes {
        let chosen = among(&[Purpose::Freezing, Purpose::Answering]);
        let (access, namespace) = (&freezes.access, freezes.namespace.as_str());
        all.push(of("the freezes".to_owned(), Site::Own, access, Some(namespace), chosen));
    }
    if let Some(objects) = &settings.definitions {
        let chosen = among(&[Purpose::Defining, Purpose::Confirming]);
        let (access, namespace) = (&objects.access, objects.namespace.as_str());
        all.push(of("the objects".to_owned(), Site::Own, access, Some(namespace), chosen));
    }
    all
}

impl Patient<'_> {
    async fn examine(&self, settings: &Settings) -> Vec<Check> {
        let client = match connect::client(self.access, &self.place, settings).await {
            Ok(client) => client,
            Err(problem) => {
                return vec![self.wrong(problem.problem, Some(problem.proposal))];
            }
        };
        let asker = Asker { client, limit: Duration::from_millis(settings.timeouts.request.as_millis()) };
        let mut checks = match asker.version().await {
            Ok(version) => vec![self.fine(format!("it answers, version {version}"))],
            Err(trouble) => return vec![self.unreachable(&trouble)],
        };
        let needed: Vec<&Right> = rights::rights(self.site, &self.purposes).collect();
        for purpose in &self.purposes {
            let rows: Vec<&Right> =
                needed.iter().copied().filter(|right| right.purpose == *purpose).collect();
            if !rows.is_empty() {
                checks.extend(self.purpose(&asker, *purpose, &rows, settings).await);
            }
        }
        if !settings.act && self.site != Site::Own {
            checks.extend(self.surplus(&asker).await);
        }
        checks
    }

    /// Everything that one purpose needs.
    async fn purpose(
        &self,
        asker: &Asker,
        purpose: Purpose,
        rows: &[&Right],
        settings: &Settings,
    ) -> Vec<Check> {
        if purpose == Purpose::Measuring && !asker.serves("metrics.k8s.io").await {
            let text = "there is no metrics.k8s.io, so snapshots have no usage from it";
            let fix = "install metrics-server, or name a Prometheus in the desk's file".to_owned();
            return vec![Check::new(Grade::Doubtful, &self.place, text, Some(fix))];
        }
        if purpose == Purpose::Freezing && !asker.serves(GROUP).await {
            let fix =
                "apply deploy/manifests/crds.yaml, or install the chart with freezes.enabled".to_owned();
            return vec![self.wrong("it does not know Freeze objects".to_owned(), Some(fix))];
        }
        if purpose == Purpose::Defining && !asker.serves(GROUP).await {
            let fix =
                "apply deploy/manifests/crds.yaml, or install the chart with objects.enabled".to_owned();
            return vec![self.wrong("it does not know Agent and Guardrail objects".to_owned(), Some(fix))];
        }
        let wanted: Vec<Permission> = rows.iter().flat_map(|row| row.permissions(self.namespace)).collect();
        let answers = asker.ask_all(&wanted).await;
        let mut checks = Vec::new();
        for (permission, answer) in wanted.iter().zip(answers) {
            match answer {
                Ok(true) => {}
                Ok(false) => checks.extend(self.refused(asker, purpose, permission, settings).await),
                Err(trouble) => {
                    checks.push(self.wrong(format!("it does not say: {}", trouble.text()), None));
                }
            }
        }
        if checks.is_empty() {
            let count = wanted.len();
            checks.push(self.fine(format!("all {count} permissions for {}", purpose.words())));
        }
        checks
    }

    /// Refused everywhere may still be allowed where it is needed: in each namespace that the settings name.
    async fn refused(
        &self,
        asker: &Asker,
        purpose: Purpose,
        permission: &Permission,
        settings: &Settings,
    ) -> Vec<Check> {
        let named = !settings.namespaces.is_empty()
            && settings.namespaces.iter().all(|namespace| !namespace.contains('*'));
        let can_be_narrow = named && purpose.role() == Some(Role::Act) && permission.namespace.is_none();
        if !can_be_narrow || is_of_the_cluster(permission.resource) {
            return vec![self.missing(purpose, permission.clone())];
        }
        let within =
            |namespace: &String| Permission { namespace: Some(namespace.clone()), ..permission.clone() };
        let narrow: Vec<Permission> = settings.namespaces.iter().map(within).collect();
        let answers = asker.ask_all(&narrow).await;
        let refused = narrow.into_iter().zip(answers).filter(|(_, answer)| *answer != Ok(true));
        refused.map(|(permission, _)| self.missing(purpose, permission)).collect()
    }

    fn missing(&self, purpose: Purpose, permission: Permission) -> Check {
        let grade = if purpose.is_optional() { Grade::Doubtful } else { Grade::Wrong };
        let text = format!("may not {permission}; needed for {}", purpose.words());
        let place = self.site.as_str();
        let fix = format!(
            "apply there what this prints: drover doctor --config <file> --print-rbac --place {place}"
        );
        Check { permission: Some(permission), ..Check::new(grade, &self.place, text, Some(fix)) }
    }

    /// Writing that an observing desk would be allowed.
    async fn surplus(&self, asker: &Asker) -> Vec<Check> {
        let writes: BTreeSet<Permission> = RIGHTS
            .iter()
            .filter(|right| right.site == self.site)
            .flat_map(|right| right.permissions(None))
            .filter(|permission| !is_reading(permission.verb))
            .collect();
        let writes: Vec<Permission> = writes.into_iter().collect();
        let answers = asker.ask_all(&writes).await;
        let held = writes.into_iter().zip(answers).filter(|(_, answer)| *answer == Ok(true));
        let held: Vec<Permission> = held.map(|(permission, _)| permission).collect();
        if held.is_empty() {
            return vec![self.fine("it cannot change anything that a desk would change".to_owned())];
        }
        let fix =
            "this desk only observes: bind its identity to the observe role and to nothing else".to_owned();
        let told = |permission: Permission| {
            let text = format!("may {permission}, which nobody who only observes needs");
            let check = Check::new(Grade::Doubtful, &self.place, text, Some(fix.clone()));
            Check { permission: Some(permission), ..check }
        };
        held.into_iter().map(told).collect()
    }

    fn fine(&self, text: String) -> Check {
        Check::new(Grade::Fine, &self.place, text, None)
    }

    fn wrong(&self, text: String, fix: Option<String>) -> Check {
        Check::new(Grade::Wrong, &self.place, text, fix)
    }

    fn unreachable(&self, trouble: &Trouble) -> Check {
        let fix = "check the address, the network and the credentials of its kubeconfig".to_owned();
        self.wrong(format!("it cannot be reached: {}", trouble.text()), Some(fix))
    }
}

/// Whether objects of this kind lie in no namespace.
fn is_of_the_cluster(resource: &str) -> bool {
    matches!(resource, "nodes" | "namespaces" | "clusterpropagationpolicies" | "clusters")
}

struct Asker {
    client: Client,
    limit: Duration,
}

impl Asker {
    async fn version(&self) -> Result<String, Trouble> {
        self.in_time(self.client.apiserver_version()).await.map(|version| version.git_version)
    }

    async fn serves(&self, group: &str) -> bool {
        let groups = self.in_time(self.client.list_api_groups()).await;
        // Who does not say may well serve it; then the questions about permissions tell more.
        groups.map_or(true, |groups| groups.groups.iter().any(|found| found.name == group))
    }

    /// Answers in the order of the questions; what is asked twice is asked once.
    async fn ask_all(&self, wanted: &[Permission]) -> Vec<Result<bool, Trouble>> {
        let different: BTreeSet<&Permission> = wanted.iter().collect();
        let answers: BTreeMap<&Permission, Result<bool, Trouble>> = stream::iter(different)
            .map(async |permission| (permission, self.ask(permission).await))
            .buffered(AT_ONCE)
            .collect()
            .await;
        wanted.iter().map(|permission| answers[permission].clone()).collect()
    }

    async fn ask(&self, permission: &Permission) -> Result<bool, Trouble> {
        let (resource, subresource) = permission.subresource();
        let attributes = ResourceAttributes {
            verb: Some(permission.verb.to_owned()),
            group: Some(permission.group.to_owned()),
            resource: Some(resource.to_owned()),
            subresource: subresource.map(str::to_owned),
            namespace: permission.namespace.clone(),
            ..ResourceAttributes::default()
        };
        let spec =
            SelfSubjectAccessReviewSpec { resource_attributes: Some(attributes), ..Default::default() };
        let review = SelfSubjectAccessReview { spec, ..SelfSubjectAccessReview::default() };
        let api: Api<SelfSubjectAccessReview> = Api::all(self.client.clone());
        let parameters = PostParams::default();
        let answer = self.in_time(api.create(&parameters, &review)).await?;
        Ok(answer.status.is_some_and(|status| status.allowed))
    }

    async fn in_time<T>(&self, request: impl Future<Output = Result<T, kube::Error>>) -> Result<T, Trouble> {
        match tokio::time::timeout(self.limit, request).await {
            Ok(answer) => answer.map_err(|error| Trouble::of(&error)),
            Err(_) => Err(Trouble::late(self.limit)),
        }
    }
}
