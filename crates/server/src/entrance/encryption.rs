//! Encryption for those who speak it on the desk's own address: `kubectl` sends no token without it.
//!
//! The certificate is the desk's own, made when it is opened and known to nobody else. Whoever should trust it is handed it over a way
//! that they trust already.

use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::ServerConfig;
use rustls::pki_types::PrivateKeyDer;
use std::sync::Arc;
use tokio_rustls::TlsAcceptor;

/// The name in the certificate. Clients that were handed it look for this one, wherever they find the desk.
pub const NAME: &str = "localhost";

/// The first byte of an encrypted connection; no request begins with it.
pub(super) const HANDSHAKE: u8 = 0x16;

/// Why there is no certificate.
#[derive(Debug, thiserror::Error)]
pub enum EncryptionError {
    #[error("a certificate could not be made")]
    Certificate(#[from] rcgen::Error),
    #[error("the certificate cannot be used")]
    Unusable(#[from] rustls::Error),
}

/// A key and the certificate that goes with it.
#[derive(Clone)]
pub struct Encryption {
    pub(super) acceptor: TlsAcceptor,
    /// The certificate as a text that can be handed on.
    pub certificate: Arc<str>,
}

impl Encryption {
    pub fn new() -> Result<Self, EncryptionError> {
        let names = [NAME, "127.0.0.1", "::1"].map(str::to_owned);
        let CertifiedKey { cert, signing_key } = generate_simple_self_signed(names)?;
        let key = PrivateKeyDer::Pkcs8(signing_key.serialize_der().into());
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let builder = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
        let mut config = builder.with_no_client_auth().with_single_cert(vec![cert.der().clone()], key)?;
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Self { acceptor: TlsAcceptor::from(Arc::new(config)), certificate: cert.pem().into() })
    }
}
