//! Secrets that a desk's file names by their places: found when the desk is opened, all that are missing named at once, with their lines.

use crate::failure::Failure;
use model::document::{Document, Problems, item};
use server::access::Secret;
use server::config::{DeskConfig, SecretPlace};
use server::service::Keys;
use server::storage::Location;
use std::fs;
use std::path::Path;

/// Longer is a mistake: a whole key file of something else, say.
const LONGEST: u64 = 4_096;

/// Finds all secrets; files lie beside the desk's file.
pub(super) fn find(config: &DeskConfig, document: &Document, desk: &Path) -> Result<Keys, Problems> {
    let mut missing = Vec::new();
    let mut find = |path: String, whose: String, place: &SecretPlace| match secret(place, desk) {
        Ok(secret) => Some(secret),
        Err(why) => {
            let message = format!("the secret of {whose} is missing: {why}");
            missing.push(document.problem_at(&path, message, proposal(place)));
            None
        }
    };
    let oidc = config.access.oidc.as_ref().and_then(|oidc| oidc.client_secret.as_ref());
    let whose = "the identity provider".to_owned();
    let mut keys = Keys {
        client_secret: oidc.and_then(|place| find("access.oidc.client_secret".to_owned(), whose, place)),
        ..Keys::default()
    };
    for (index, hook) in config.webhooks.iter().enumerate() {
        let path = format!("{}.secret", item("webhooks", index));
        if let Some(secret) = find(path, format!("webhook {}", hook.name), &hook.secret) {
            keys.webhooks.insert(hook.name.clone(), secret);
        }
    }
    document.problems(missing).into_result(keys)
}

pub(super) fn proposal(place: &SecretPlace) -> String {
    match place {
        SecretPlace::Environment(name) => format!("set {name} in the environment of this command"),
        SecretPlace::File(path) => format!("write it into {}, or name another file", path.display()),
    }
}

/// A secret by its place, beside the file that names it.
pub(crate) fn named(whose: &str, place: &SecretPlace, file: &Path) -> Result<Secret, Failure> {
    secret(place, file)
        .map_err(|why| Failure::Input(format!("drover: the secret of {whose} is missing: {why}")))
}

/// A secret in a file beside the desk's, by whose it is.
pub(super) fn in_file(whose: &str, name: &Path, desk: &Path) -> Result<String, Failure> {
    let found = secret(&SecretPlace::File(name.to_owned()), desk);
    found
        .map(|secret| secret.reveal().to_owned())
        .map_err(|why| Failure::Input(format!("drover: the secret of {whose} is missing: {why}")))
}

/// The location of the data, which may have a password in it.
pub(super) fn location(place: &SecretPlace, desk: &Path) -> Result<Location, String> {
    secret(place, desk)?.reveal().parse().map_err(|error: server::storage::Error| error.to_string())
}

fn secret(place: &SecretPlace, desk: &Path) -> Result<Secret, String> {
    let text = match place {
        SecretPlace::Environment(name) => from_environment(name)?,
        SecretPlace::File(name) => from_file(&super::beside(desk, name))?,
    };
    let text = text.trim();
    if text.is_empty() { Err("it is empty".to_owned()) } else { Ok(Secret::received(text)) }
}

#[expect(clippy::disallowed_methods, reason = "the desk's file says that the secret is in the environment")]
fn from_environment(name: &str) -> Result<String, String> {
    std::env::var(name).map_err(|_| format!("the variable {name} is not set"))
}

fn from_file(path: &Path) -> Result<String, String> {
    let about = |what: &dyn std::fmt::Display| format!("{}: {what}", path.display());
    let length = fs::metadata(path).map_err(|error| about(&error))?.len();
    if length > LONGEST {
        return Err(about(&format!("longer than {LONGEST} bytes, so it is something else")));
    }
    fs::read_to_string(path).map_err(|error| about(&error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_a_line_in_a_file() {
        let folder = std::env::temp_dir().join(format!("drover-secrets-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("key"), "  s3cret\n").unwrap();
        fs::write(folder.join("empty"), "\n").unwrap();
        fs::write(folder.join("long"), "x".repeat(5_000)).unwrap();
        let read = |name: &str| secret(&SecretPlace::File(name.into()), &folder.join("desk.yaml"));
        assert_eq!(read("key").unwrap().reveal(), "s3cret");
        assert_eq!(read("empty").unwrap_err(), "it is empty");
        assert!(read("long").unwrap_err().contains("longer than"));
        assert!(read("none").unwrap_err().contains("none: "));
        fs::remove_dir_all(&folder).unwrap();
    }
}
