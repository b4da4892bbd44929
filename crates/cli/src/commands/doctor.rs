//! `drover doctor`: whether a desk could do its work here: files, address, data, clusters, and the exact permission that is missing.

use crate::desk::{self, DeskFile, clusters};
use crate::failure::{FINDINGS, Failure, Outcome};
use crate::output::print;
use clap::{Args, ValueEnum};
use kubernetes::Settings;
use kubernetes::doctor::{self, Check, Grade};
use kubernetes::rights::{self, Purpose, Role, Site};
use serde_json::{Value, json};
use server::config::DeskConfig;
use server::storage::{Database, Error, Location};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Check everything that a desk needs, and say exactly what is missing.
#[derive(Args)]
#[command(after_help = "\
Examples:
  drover doctor --config desk.yaml
  drover doctor --config desk.yaml --json
  drover doctor --print-rbac observe --place member | kubectl --context prod-1 apply -f -
  drover doctor --config desk.yaml --print-rbac     only what this desk needs

Nothing is changed. Every permission is asked for at the API server itself. Exits with 8 if
something was found.")]
pub(crate) struct Arguments {
    /// The desk's file.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// For programs.
    #[arg(long)]
    json: bool,
    /// Print the roles instead, for kubectl apply; with --config only what that desk needs.
    #[arg(long, value_name = "ROLE", num_args = 0..=1, default_missing_value = "as-configured")]
    print_rbac: Option<RoleWord>,
    /// Print roles for this place alone; all of them by default.
    #[arg(long, value_name = "PLACE", requires = "print_rbac")]
    place: Option<PlaceWord>,
    /// The namespace of the service account, for printing.
    #[arg(long, default_value = "drover", requires = "print_rbac")]
    namespace: String,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum RoleWord {
    /// Look, and nothing else.
    Observe,
    /// Look, and carry out what was approved.
    Act,
    /// What the desk's file says; observe without one.
    #[value(hide = true)]
    AsConfigured,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum PlaceWord {
    /// A cluster that runs workloads.
    Member,
    /// Karmada's control plane.
    Karmada,
    /// The namespace that the desk runs in.
    Own,
}

impl From<PlaceWord> for Site {
    fn from(word: PlaceWord) -> Self {
        match word {
            PlaceWord::Member => Self::Member,
            PlaceWord::Karmada => Self::Karmada,
            PlaceWord::Own => Self::Own,
        }
    }
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    if let Some(word) = arguments.print_rbac {
        print(manifests(arguments, word)?.trim_end())?;
        return Ok(ExitCode::SUCCESS);
    }
    let checks = examine(arguments.config.as_deref());
    let found = checks.iter().filter(|check| check.grade != Grade::Fine).count();
    print(&if arguments.json { as_json(&checks, found) } else { as_text(&checks, found) })?;
    Ok(if found == 0 { ExitCode::SUCCESS } else { ExitCode::from(FINDINGS) })
}

fn settings(path: &Path) -> Result<Option<Settings>, Failure> {
    let desk = DeskFile::at(path)?;
    let config = desk.config.kubernetes.as_ref();
    config.map(|config| clusters::settings(config, &desk.scenario, &desk.path)).transpose()
}

fn manifests(arguments: &Arguments, word: RoleWord) -> Result<String, Failure> {
    let configured = match &arguments.config {
        Some(path) => Some(settings(path)?.ok_or_else(|| {
            Failure::Input(
                "drover: this desk's clusters are simulated, and nobody needs rights there".to_owned(),
            )
        })?),
        None => None,
    };
    let acts = configured.as_ref().is_some_and(|settings| settings.act);
    let role = match word {
        RoleWord::Observe => Role::Observe,
        RoleWord::Act => Role::Act,
        RoleWord::AsConfigured => {
            if acts {
                Role::Act
            } else {
                Role::Observe
            }
        }
    };
    let all = rights::purposes_of(role);
    let purposes: BTreeSet<Purpose> = match &configured {
        // Whoever asks for a role gets it for this desk's clusters, whether the desk acts already or not.
        Some(settings) => rights::purposes(&Settings { act: role == Role::Act, ..settings.clone() }),
        None => all,
    };
    let sites = arguments.place.map_or_else(|| Site::ALL.to_vec(), |place| vec![place.into()]);
    let parts: Vec<String> =
        sites.into_iter().filter_map(|site| part(site, role, &purposes, &arguments.namespace)).collect();
    Ok(parts.join("---\n"))
}

fn part(site: Site, role: Role, purposes: &BTreeSet<Purpose>, namespace: &str) -> Option<String> {
    let text = rights::manifest(site, role, purposes, namespace)?;
    let place = match site {
        Site::Member => "every member cluster",
        Site::Karmada => "Karmada's control plane",
        Site::Own => "the cluster that the desk runs in",
    };
    Some(format!("# For {place}.\n{text}"))
}

fn check(grade: Grade, place: &str, text: impl Into<String>, fix: Option<&str>) -> Check {
    let (place, text, fix) = (place.to_owned(), text.into(), fix.map(str::to_owned));
    Check { grade, place, text, fix, permission: None }
}

fn examine(path: Option<&Path>) -> Vec<Check> {
    let Some(path) = path else {
        let text = "no desk's file was named, so no cluster was asked";
        return vec![check(
            Grade::Doubtful,
            "files",
            text,
            Some("name one: drover doctor --config desk.yaml"),
        )];
    };
    let desk = match DeskFile::at(path) {
        Ok(desk) => desk,
        Err(failure) => return vec![unreadable(failure)],
    };
    let name = &desk.scenario.world.name;
    let mut checks = vec![check(
        Grade::Fine,
        "files",
        format!("the desk's file, the scenario {name} and all secrets"),
        None,
    )];
    checks.extend(house(&desk.config));
    match &desk.config.kubernetes {
        Some(config) => match clusters::settings(config, &desk.scenario, &desk.path) {
            Ok(settings) => {
                checks.extend(strangers(&desk, &settings));
                checks.extend(doctor::examine(&settings));
            }
            Err(failure) => checks.push(unreadable(failure)),
        },
        None => checks.push(check(Grade::Fine, "clusters", "they are simulated", None)),
    }
    checks
}

fn unreadable(failure: Failure) -> Check {
    let text = match failure {
        Failure::Input(text) | Failure::Refused { text, .. } => text,
        Failure::Machine(error) => format!("{error:#}"),
    };
    check(Grade::Wrong, "files", text, Some("mend the files that are named, then ask again"))
}

/// The address and the data. Both are taken where the desk is at work.
fn house(config: &DeskConfig) -> Vec<Check> {
    let (is_free, data) = (can_listen(config.listen), data(&config.storage));
    let at_work = !is_free && matches!(data, Err(Error::InUse { .. }));
    let address = config.listen;
    let port = match is_free {
        true => check(Grade::Fine, "address", format!("{address} is free"), None),
        false if at_work => check(Grade::Fine, "address", format!("the desk is at work at {address}"), None),
        false => {
            let fix = "stop the program that listens there, or choose another address under listen";
            check(Grade::Wrong, "address", format!("{address} cannot be taken"), Some(fix))
        }
    };
    let location = &config.storage;
    let kept = match data {
        Ok(text) => check(Grade::Fine, "data", format!("{location} {text}"), None),
        Err(Error::InUse { .. }) => {
            check(Grade::Fine, "data", format!("{location} is in use by a desk"), None)
        }
        Err(error) => {
            let text = format!("{location}: {:#}", anyhow::Error::from(error));
            check(Grade::Wrong, "data", text, Some(desk::STORAGE_HELP))
        }
    };
    vec![port, kept]
}

fn can_listen(address: SocketAddr) -> bool {
    TcpListener::bind(address).is_ok()
}

/// What the data is like; a file that is not there is not made.
fn data(location: &Location) -> Result<String, Error> {
    if let Location::File(path) = location
        && !path.exists()
    {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let writable = folder.metadata().is_ok_and(|found| found.is_dir() && !found.permissions().readonly());
        return if writable {
            Ok("will be made".to_owned())
        } else {
            Err(Error::FolderMissing { folder: folder.to_owned() })
        };
    }
    Database::reach(location).map(|()| "can be opened".to_owned())
}

/// Clusters that the desk's file names and the scenario does not know, or the other way round.
fn strangers(desk: &DeskFile, settings: &Settings) -> Vec<Check> {
    let members: BTreeSet<String> = settings.members.iter().map(|member| member.name.to_string()).collect();
    let known: BTreeSet<String> =
        desk.scenario.world.clusters.iter().map(|cluster| cluster.name.to_string()).collect();
    let told = |name: &String, text: &str| {
        let fix = "give clusters the same names in the desk's file and in the scenario";
        check(Grade::Doubtful, "scenario", format!("{name} {text}"), Some(fix))
    };
    let unknown = members.difference(&known).map(|name| told(name, "is no cluster of the scenario"));
    let absent = known.difference(&members).map(|name| told(name, "is in the scenario, but no member"));
    unknown.chain(absent).collect()
}

const fn word(grade: Grade) -> &'static str {
    match grade {
        Grade::Fine => "fine",
        Grade::Doubtful => "doubtful",
        Grade::Wrong => "wrong",
    }
}

fn as_text(checks: &[Check], found: usize) -> String {
    let mut text = String::new();
    for check in checks {
        let (grade, said) = (word(check.grade), check.text.trim_end().replace('\n', "\n          "));
        let _ = writeln!(text, "{grade:<8}  {}: {said}", check.place);
        if let Some(fix) = &check.fix {
            let _ = writeln!(text, "          → {fix}");
        }
    }
    let end = match found {
        0 => "everything is as it should be".to_owned(),
        1 => "1 thing was found".to_owned(),
        many => format!("{many} things were found"),
    };
    text + &end
}

fn as_json(checks: &[Check], found: usize) -> String {
    let one = |check: &Check| {
        let permission = check.permission.as_ref().map(|permission| {
            json!({
                "verb": permission.verb, "group": permission.group, "resource": permission.resource,
                "namespace": permission.namespace,
            })
        });
        json!({
            "grade": word(check.grade), "place": check.place, "text": check.text, "fix": check.fix,
            "permission": permission,
        })
    };
    let all: Vec<Value> = checks.iter().map(one).collect();
    format!("{:#}", json!({ "found": found, "checks": all }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_is_told_with_what_to_do() {
        let checks = [
            check(Grade::Fine, "data", "sqlite:a.db will be made", None),
            check(Grade::Wrong, "cluster a", "may not list pods in all namespaces", Some("grant it")),
        ];
        let text = as_text(&checks, 1);
        assert_eq!(
            text,
            "fine      data: sqlite:a.db will be made\nwrong     cluster a: may not list pods in all namespaces\n          → \
             grant it\n1 thing was found"
        );
        let parsed: Value = serde_json::from_str(&as_json(&checks, 1)).unwrap();
        assert_eq!(
            (parsed["found"].as_u64(), parsed["checks"][1]["grade"].as_str()),
            (Some(1), Some("wrong"))
        );
    }

    #[test]
    fn a_file_that_is_not_there_is_not_made() {
        let folder = std::env::temp_dir().join(format!("drover-doctor-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("new.db");
        assert_eq!(data(&Location::File(path.clone())).unwrap(), "will be made");
        assert!(!path.exists());
        assert!(data(&Location::File(folder.join("none/new.db"))).is_err());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
