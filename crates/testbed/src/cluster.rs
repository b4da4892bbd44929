//! A cluster that runs: where it is, and how one gets in.

use crate::api::Api;
use crate::certificates::Certificates;
use crate::crew::Crew;
use crate::error::Error;
use crate::kubeconfig::{self, Entry};
use crate::process::Process;
use std::ops::Deref;
use std::path::{Path, PathBuf};

/// A member, or Karmada's control plane. Its processes are those of its crew.
#[derive(Clone)]
pub struct Cluster {
    crew: Crew,
    api: Api,
    server: String,
    certificates: Certificates,
}

impl Cluster {
    /// One that was started before.
    pub(crate) fn open(folder: &Path) -> Result<Self, Error> {
        let port = Process::find(folder, "kube-apiserver")?.port;
        Self::with(folder, port)
    }

    fn with(folder: &Path, port: u16) -> Result<Self, Error> {
        let certificates = Certificates::at(folder);
        let server = format!("https://127.0.0.1:{port}");
        let api = certificates.api(&server)?;
        Ok(Self { crew: Crew::new(folder, api.clone()), api, server, certificates })
    }

    /// Makes the certificates of a cluster that is to listen on this port, and ways in for its processes.
    pub(crate) fn create(folder: &Path, port: u16) -> Result<Self, Error> {
        crate::files::private_folder(folder)?;
        Certificates::at(folder).create()?;
        let cluster = Self::with(folder, port)?;
        kubeconfig::write(&cluster.kubeconfig(), &[cluster.entry("admin")?])?;
        for process in ["kube-controller-manager", "kube-scheduler"] {
            kubeconfig::write(&cluster.kubeconfig_of(process), &[cluster.entry(process)?])?;
        }
        Ok(cluster)
    }

    /// The kubeconfig of its administrator; the context has the name of the cluster.
    pub fn kubeconfig(&self) -> PathBuf {
        self.folder().join("kubeconfig")
    }

    /// Asks it as its administrator.
    pub fn api(&self) -> &Api {
        &self.api
    }

    pub fn server(&self) -> &str {
        &self.server
    }

    pub(crate) fn kubeconfig_of(&self, process: &str) -> PathBuf {
        self.folder().join(format!("{process}.kubeconfig"))
    }

    pub(crate) fn certificates(&self) -> &Certificates {
        &self.certificates
    }

    pub(crate) fn entry(&self, who: &str) -> Result<Entry, Error> {
        Ok(Entry {
            name: self.name(),
            server: self.server.clone(),
            authority: self.certificates.authority()?,
            credential: self.certificates.credential(who)?,
        })
    }
}

impl Deref for Cluster {
    type Target = Crew;

    fn deref(&self) -> &Crew {
        &self.crew
    }
}
