//! Which desk, and who asks: flags, environment, and the file with the token.

use super::{Address, Client};
use crate::failure::{Failure, PERMISSION};
use crate::files;
use crate::output::note;
use anyhow::Context;
use clap::Args;
use server::access::Secret;
use std::path::{Path, PathBuf};
use std::time::Duration;
use ureq::Agent;
use ureq::tls::{Certificate, PemItem, RootCerts, TlsConfig, parse_pem};

/// A connection is there soon or not at all.
const CONNECT_PATIENCE: Duration = Duration::from_secs(5);

/// A secret is a line of this many characters at most.
const LONGEST_TOKEN: usize = 512;

/// A desk and somebody who asks it.
#[derive(Args)]
#[command(next_help_heading = "Which desk, and who asks")]
pub(crate) struct Connection {
    /// The desk's address.
    #[arg(long, value_name = "URL", env = "DROVER_SERVER", default_value = "http://127.0.0.1:8080")]
    server: String,
    /// The file with your token; otherwise the variable DROVER_TOKEN holds it.
    #[arg(long, value_name = "FILE", env = "DROVER_TOKEN_FILE")]
    token_file: Option<PathBuf>,
    /// Certificates that vouch for the desk, instead of the usual authorities.
    #[arg(long, value_name = "FILE", env = "DROVER_CA_FILE")]
    ca_file: Option<PathBuf>,
    /// Send the token without encryption to another machine.
    #[arg(long)]
    plain_http: bool,
    /// Print what the desk says, as JSON; problems go to standard error in the same way.
    #[arg(long)]
    json: bool,
}

/// Who asks, in the words of other programs; files with their full paths.
pub(crate) struct Access {
    pub(crate) token: Secret,
    /// Where the token was found, if in a file.
    pub(crate) token_file: Option<String>,
    /// The file with the certificates that vouch for the desk.
    pub(crate) authority: Option<String>,
}

impl Connection {
    /// Whether answers are printed as JSON.
    pub(crate) const fn is_for_programs(&self) -> bool {
        self.json
    }

    pub(crate) fn client(&self) -> Result<Client, Failure> {
        let address = Address::parse(&self.server, self.plain_http).map_err(Failure::Input)?;
        let token = self.token()?;
        let mut config = Agent::config_builder()
            .http_status_as_error(false)
            .user_agent(concat!("drover/", env!("CARGO_PKG_VERSION")))
            // A token must not follow a pointer to somewhere else.
            .max_redirects(0)
            .timeout_connect(Some(CONNECT_PATIENCE));
        if address.is_here() {
            config = config.proxy(None);
        }
        if let Some(path) = &self.ca_file {
            config = config.tls_config(TlsConfig::builder().root_certs(authorities(path)?).build());
        }
        Ok(Client { agent: config.build().into(), address, token, json: self.json })
    }

    /// What another program needs to ask the same desk as the same person.
    pub(crate) fn access(&self) -> Result<Access, Failure> {
        let full = |path: &PathBuf| {
            let full = std::path::absolute(path).unwrap_or_else(|_| path.clone());
            full.to_string_lossy().into_owned()
        };
        Ok(Access {
            token: self.token()?,
            token_file: self.token_file.as_ref().map(full),
            authority: self.ca_file.as_ref().map(full),
        })
    }

    fn token(&self) -> Result<Secret, Failure> {
        let text = match &self.token_file {
            Some(path) => {
                warn_if_others_can_read(path);
                String::from_utf8_lossy(&files::read(path)?).into_owned()
            }
            None => environment("DROVER_TOKEN").ok_or_else(nobody)?,
        };
        let text = text.trim();
        if text.is_empty() || text.len() > LONGEST_TOKEN || !text.bytes().all(|byte| byte.is_ascii_graphic())
        {
            let place = self.token_file.as_deref().map_or_else(|| "DROVER_TOKEN".to_owned(), files::shown);
            return Err(Failure::Input(format!(
                "{place}: this is no token; it is one line, as drover token create prints it"
            )));
        }
        Ok(Secret::received(text))
    }
}

fn nobody() -> Failure {
    let text = "drover: who are you? Say where your token is: --token-file FILE, or one of the variables DROVER_TOKEN_FILE and \
                DROVER_TOKEN.\nWhoever runs the desk makes one with drover token create.";
    Failure::refused(PERMISSION, text)
}

#[expect(clippy::disallowed_methods, reason = "this is where the environment is read")]
fn environment(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

#[cfg(unix)]
fn warn_if_others_can_read(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    let others = |mode: u32| mode & 0o077 != 0;
    if std::fs::metadata(path).is_ok_and(|about| about.is_file() && others(about.permissions().mode())) {
        note(&format!("Others on this machine can read {0}; better: chmod 600 {0}", path.display()));
    }
}

#[cfg(not(unix))]
fn warn_if_others_can_read(_: &Path) {}

fn authorities(path: &Path) -> Result<RootCerts, Failure> {
    let bytes = files::read(path)?;
    let items: Result<Vec<PemItem<'static>>, _> = parse_pem(&bytes).collect();
    let items = items.with_context(|| format!("{} holds no certificates", path.display()))?;
    let certificates: Vec<Certificate<'static>> = items
        .into_iter()
        .filter_map(
            |item| if let PemItem::Certificate(certificate) = item { Some(certificate) } else { None },
        )
        .collect();
    if certificates.is_empty() {
        return Err(Failure::Input(format!("{}: holds no certificate", path.display())));
    }
    Ok(RootCerts::new_with_certs(&certificates))
}
