//! The few questions we ask of a Kubernetes API ourselves. Not a client library: objects are JSON or YAML as written.

use crate::error::Error;
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::time::Duration;
use ureq::Agent;
use ureq::Body;
use ureq::http::Response;
use ureq::tls::{Certificate, ClientCert, PrivateKey, RootCerts, TlsConfig};

/// Long enough for a server that compiles its schemas while all cores are taken.
const PATIENCE: Duration = Duration::from_secs(30);
/// A list of ten thousand pods is about this long.
const LARGEST_ANSWER: u64 = 64 * 1024 * 1024;
/// Characters of an answer that an error shows.
const SHOWN: usize = 600;

/// A connection to one server.
#[derive(Clone)]
pub struct Api {
    agent: Agent,
    server: String,
}

/// What a server said.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub body: String,
}

impl Api {
    /// A server without encryption, on the loopback interface.
    pub fn plain(server: &str) -> Self {
        Self::with(server, TlsConfig::default())
    }

    /// All texts are PEM.
    pub(crate) fn new(server: &str, authority: &str, certificate: &str, key: &str) -> Result<Self, Error> {
        let wrong = |problem: ureq::Error| Error::Unreachable {
            attempt: "reading a certificate".to_owned(),
            problem: problem.to_string(),
        };
        let authority = Certificate::from_pem(authority.as_bytes()).map_err(wrong)?;
        let certificate = Certificate::from_pem(certificate.as_bytes()).map_err(wrong)?;
        let key = PrivateKey::from_pem(key.as_bytes()).map_err(wrong)?;
        let tls = TlsConfig::builder()
            .root_certs(RootCerts::new_with_certs(&[authority]))
            .client_cert(Some(ClientCert::new_with_certs(&[certificate], key)))
            .build();
        Ok(Self::with(server, tls))
    }

    fn with(server: &str, tls: TlsConfig) -> Self {
        // Nothing on the loopback interface goes through a proxy, whatever the environment says.
        let config = Agent::config_builder()
            .proxy(None)
            .http_status_as_error(false)
            .timeout_global(Some(PATIENCE))
            .tls_config(tls)
            .build();
        Self { agent: config.new_agent(), server: server.to_owned() }
    }

    /// Asks; any status is an answer. `path` begins with a slash, or is a whole address.
    pub fn ask(&self, path: &str) -> Result<Answer, Error> {
        let url = self.url(path);
        finish(&format!("GET {url}"), self.agent.get(&url).call())
    }

    /// Gets an object; nothing if there is none.
    pub fn find(&self, path: &str) -> Result<Option<Value>, Error> {
        let answer = self.ask(path)?;
        if answer.status == 404 { Ok(None) } else { answer.value(&format!("GET {path}")).map(Some) }
    }

    /// Gets an object that is there.
    pub fn get(&self, path: &str) -> Result<Value, Error> {
        self.ask(path)?.value(&format!("GET {path}"))
    }

    /// Creates or changes an object by what is written: YAML, of which JSON is a part. The path is that of the object.
    pub fn apply(&self, path: &str, text: &str) -> Result<Value, Error> {
        let url = self.url(&format!("{path}?fieldManager=drover-testbed&force=true"));
        let request = self.agent.patch(&url).header("Content-Type", "application/apply-patch+yaml");
        let attempt = format!("applying {path}");
        finish(&attempt, request.send(text))?.value(&attempt)
    }

    /// Changes the named fields of an object.
    pub fn merge(&self, path: &str, patch: &Value) -> Result<Value, Error> {
        let url = self.url(path);
        let request = self.agent.patch(&url).header("Content-Type", "application/merge-patch+json");
        let attempt = format!("changing {path}");
        finish(&attempt, request.send(patch.to_string()))?.value(&attempt)
    }

    /// Creates an object in the list at `path`.
    pub fn create(&self, path: &str, object: &Value) -> Result<Value, Error> {
        let url = self.url(path);
        let request = self.agent.post(&url).header("Content-Type", "application/json");
        let attempt = format!("creating something in {path}");
        finish(&attempt, request.send(object.to_string()))?.value(&attempt)
    }

    /// Deletes an object, or all of a list, without waiting for anybody to agree; one that is not there is fine.
    pub fn delete_at_once(&self, path: &str) -> Result<(), Error> {
        self.delete(&format!("{path}?gracePeriodSeconds=0"))
    }

    /// Deletes an object; one that is not there is fine.
    pub fn delete(&self, path: &str) -> Result<(), Error> {
        let url = self.url(path);
        let attempt = format!("deleting {path}");
        let answer = finish(&attempt, self.agent.delete(&url).call())?;
        if answer.status == 404 { Ok(()) } else { answer.value(&attempt).map(drop) }
    }

    /// Opens a stream of lines that ends when the server ends it.
    pub(crate) fn lines(&self, path: &str) -> Result<impl BufRead + Send + use<>, Error> {
        let url = self.url(path);
        let attempt = format!("GET {url}");
        let request = self.agent.get(&url).config().timeout_global(None).build();
        let response = request.call().map_err(|problem| Error::Unreachable {
            attempt: attempt.clone(),
            problem: problem.to_string(),
        })?;
        if response.status().is_success() {
            return Ok(BufReader::new(response.into_body().into_reader()));
        }
        let answer = finish(&attempt, Ok(response))?;
        Err(answer.value(&attempt).expect_err("its status is that of a failure"))
    }

    fn url(&self, path: &str) -> String {
        if path.starts_with('/') { format!("{}{path}", self.server) } else { path.to_owned() }
    }
}

impl Answer {
    pub const fn is_success(&self) -> bool {
        self.status >= 200 && self.status < 300
    }

    fn value(&self, attempt: &str) -> Result<Value, Error> {
        if !self.is_success() {
            let body: String = self.body.chars().take(SHOWN).collect();
            let answer = format!("{} {}", self.status, body.trim_end());
            return Err(Error::Refused { attempt: attempt.to_owned(), answer });
        }
        serde_json::from_str(&self.body).map_err(|problem| Error::Unreachable {
            attempt: attempt.to_owned(),
            problem: format!("the answer is no JSON: {problem}"),
        })
    }
}

fn finish(attempt: &str, sent: Result<Response<Body>, ureq::Error>) -> Result<Answer, Error> {
    let wrong = |problem: ureq::Error| Error::Unreachable {
        attempt: attempt.to_owned(),
        problem: problem.to_string(),
    };
    let mut response = sent.map_err(wrong)?;
    let status = response.status().as_u16();
    let body = response.body_mut().with_config().limit(LARGEST_ANSWER).read_to_string().map_err(wrong)?;
    Ok(Answer { status, body })
}
