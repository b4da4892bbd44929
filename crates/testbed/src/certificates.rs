//! Certificates for one cluster, made at the moment it starts: nobody else ever trusts them.

use crate::api::Api;
use crate::error::Error;
use crate::files;
use rcgen::{
    BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair,
    KeyUsagePurpose,
};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// A bed is for an afternoon; this leaves room for one that is forgotten.
const LIFE: Duration = Duration::from_hours(365 * 24);
/// A clock that is set back while the bed runs does no harm.
const EARLIER: Duration = Duration::from_hours(24);

/// Under these names a cluster's servers are called by itself and by others.
const NAMES: &[&str] = &[
    "kubernetes",
    "kubernetes.default",
    "kubernetes.default.svc",
    "localhost",
    "127.0.0.1",
    "10.96.0.1",
    "karmada-aggregated-apiserver.karmada-system.svc",
    "karmada-webhook.karmada-system.svc",
    "metrics-server.kube-system.svc",
];

/// Who logs in with a certificate: file, name, group.
const CLIENTS: &[(&str, &str, Option<&str>)] = &[
    // Karmada's proxy to its members accepts this name only.
    ("admin", "system:admin", Some("system:masters")),
    ("kube-controller-manager", "system:kube-controller-manager", None),
    ("kube-scheduler", "system:kube-scheduler", None),
];

/// The folder with a cluster's certificates and keys.
#[derive(Clone)]
pub(crate) struct Certificates(PathBuf);

/// A certificate with its key, both as PEM.
pub(crate) struct Credential {
    pub(crate) certificate: String,
    pub(crate) key: String,
}

impl Certificates {
    pub(crate) fn at(folder: &Path) -> Self {
        Self(folder.join("certificates"))
    }

    pub(crate) fn path(&self, file: &str) -> PathBuf {
        self.0.join(file)
    }

    /// The certificate everybody in the cluster trusts.
    pub(crate) fn authority(&self) -> Result<String, Error> {
        files::read(&self.path("ca.crt"))
    }

    pub(crate) fn credential(&self, name: &str) -> Result<Credential, Error> {
        let certificate = files::read(&self.path(&format!("{name}.crt")))?;
        Ok(Credential { certificate, key: files::read(&self.path(&format!("{name}.key")))? })
    }

    /// A way to ask servers of the cluster, as its administrator.
    pub(crate) fn api(&self, server: &str) -> Result<Api, Error> {
        let Credential { certificate, key } = self.credential("admin")?;
        Api::new(server, &self.authority()?, &certificate, &key)
    }

    /// Makes and writes all of them.
    pub(crate) fn create(&self) -> Result<(), Error> {
        files::private_folder(&self.0)?;
        let authority = self.create_authority("ca", "drover-testbed")?;
        let front = self.create_authority("front-proxy-ca", "drover-testbed-front-proxy")?;
        let mut server = parameters("kube-apiserver", None, NAMES)?;
        server.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        self.sign("server", &server, &authority)?;
        for (file, name, group) in CLIENTS {
            self.sign(file, &client(name, *group)?, &authority)?;
        }
        self.sign("front-proxy-client", &client("front-proxy-client", None)?, &front)?;
        let tokens = KeyPair::generate()?;
        files::write(&self.path("service-accounts.key"), tokens.serialize_pem())?;
        files::write(&self.path("service-accounts.pub"), tokens.public_key_pem())
    }

    fn create_authority(&self, file: &str, name: &str) -> Result<Issuer<'static, KeyPair>, Error> {
        let key = KeyPair::generate()?;
        let mut parameters = parameters(name, None, &[])?;
        parameters.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        parameters.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::DigitalSignature];
        self.write(file, &parameters.self_signed(&key)?.pem(), &key)?;
        Ok(Issuer::new(parameters, key))
    }

    fn sign(
        &self,
        file: &str,
        parameters: &CertificateParams,
        issuer: &Issuer<'static, KeyPair>,
    ) -> Result<(), Error> {
        let key = KeyPair::generate()?;
        self.write(file, &parameters.signed_by(&key, issuer)?.pem(), &key)
    }

    fn write(&self, file: &str, certificate: &str, key: &KeyPair) -> Result<(), Error> {
        files::write(&self.path(&format!("{file}.crt")), certificate)?;
        files::write(&self.path(&format!("{file}.key")), key.serialize_pem())
    }
}

fn client(name: &str, group: Option<&str>) -> Result<CertificateParams, Error> {
    let mut parameters = parameters(name, group, &[])?;
    parameters.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];
    Ok(parameters)
}

#[expect(clippy::disallowed_methods, reason = "certificates are valid from now on")]
fn parameters(name: &str, group: Option<&str>, alternatives: &[&str]) -> Result<CertificateParams, Error> {
    let alternatives: Vec<String> = alternatives.iter().map(|name| (*name).to_owned()).collect();
    let mut parameters = CertificateParams::new(alternatives)?;
    parameters.distinguished_name = rcgen::DistinguishedName::new();
    parameters.distinguished_name.push(DnType::CommonName, name);
    if let Some(group) = group {
        parameters.distinguished_name.push(DnType::OrganizationName, group);
    }
    parameters.use_authority_key_identifier_extension = true;
    parameters.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    let now = SystemTime::now();
    parameters.not_before = (now - EARLIER).into();
    parameters.not_after = (now + LIFE).into();
    Ok(parameters)
}
