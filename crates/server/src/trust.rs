//! Whom the desk believes: the certificates that the system trusts.

use rustls::crypto::ring;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};
use std::path::PathBuf;
use std::sync::Arc;

/// Where systems keep the certificates they trust: Debian, Fedora, openSUSE, and Alpine with macOS and the BSDs.
const SYSTEM_CERTIFICATES: [&str; 4] = [
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
];

/// The file with the certificates that this system trusts, if it has one.
pub(crate) fn system_certificates() -> Option<PathBuf> {
    SYSTEM_CERTIFICATES.iter().map(PathBuf::from).find(|path| path.is_file())
}

/// How to reach others by https, or why nobody can be reached like that.
pub(crate) fn client() -> Result<Arc<ClientConfig>, String> {
    let path = system_certificates().ok_or("this system has no certificates that it trusts")?;
    let unreadable = |error| format!("{} cannot be read: {error}", path.display());
    let certificates: Vec<CertificateDer<'static>> =
        CertificateDer::pem_file_iter(&path).and_then(Iterator::collect).map_err(unreadable)?;
    let mut roots = RootCertStore::empty();
    if roots.add_parsable_certificates(certificates).0 == 0 {
        return Err(format!("{} has no certificate", path.display()));
    }
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let builder = builder.with_safe_default_protocol_versions().map_err(|error| error.to_string())?;
    Ok(Arc::new(builder.with_root_certificates(roots).with_no_client_auth()))
}
