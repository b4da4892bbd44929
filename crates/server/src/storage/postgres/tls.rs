//! Encryption on the way to a PostgreSQL server.
//!
//! `sslmode=require` checks the server's certificate against `sslrootcert` or the certificates of the system. `prefer`, the default,
//! would go on without encryption too, so it takes any certificate: that keeps out who listens, not who stands in between.

use super::address::Address;
use crate::storage::port::error::Error;
use crate::trust::system_certificates;
use postgres::config::SslMode;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio_postgres_rustls::MakeRustlsConnect;

/// How to encrypt; none when it is not wanted.
pub(super) fn connector(address: &Address) -> Result<Option<MakeRustlsConnect>, Error> {
    let (mode, certificates) = address.tls();
    let provider = Arc::new(ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider.clone())
        .with_safe_default_protocol_versions()
        .expect("ring knows the versions that rustls considers safe");
    let config = match mode {
        SslMode::Disable => return Ok(None),
        SslMode::Require => builder.with_root_certificates(trusted(certificates, address)?),
        _ => builder.dangerous().with_custom_certificate_verifier(Arc::new(AnyCertificate(provider))),
    };
    Ok(Some(MakeRustlsConnect::new(config.with_no_client_auth())))
}

fn trusted(named: Option<&PathBuf>, address: &Address) -> Result<RootCertStore, Error> {
    let path = named.cloned().or_else(system_certificates);
    let path = path.ok_or_else(|| refused(address, "this system has no certificates"))?;
    let mut store = RootCertStore::empty();
    let (known, _) = store.add_parsable_certificates(read(&path, address)?);
    if known == 0 {
        return Err(refused(address, &format!("{} has no certificate", path.display())));
    }
    Ok(store)
}

fn read(path: &Path, address: &Address) -> Result<Vec<CertificateDer<'static>>, Error> {
    let certificates = CertificateDer::pem_file_iter(path).and_then(Iterator::collect);
    certificates.map_err(|error| refused(address, &format!("{} cannot be read: {error}", path.display())))
}

fn refused(address: &Address, problem: &str) -> Error {
    Error::Refused {
        place: address.to_string(),
        problem: problem.to_owned(),
        proposal: "; name the certificate of the server's authority with sslrootcert=<file>".to_owned(),
    }
}

/// Believes whoever answers, but not that they hold a key that they do not hold.
#[derive(Debug)]
struct AnyCertificate(Arc<CryptoProvider>);

impl ServerCertVerifier for AnyCertificate {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12_signature(message, certificate, signed, &self.0.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(message, certificate, signed, &self.0.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}
