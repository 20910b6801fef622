//! Certificates and keys from files.

use std::path::Path;

use rustls::RootCertStore;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};

use super::failed;
use crate::Failure;

/// What it is, and where that is said.
pub(super) struct Identity {
    pub(super) chain: Vec<CertificateDer<'static>>,
    pub(super) key: PrivateKeyDer<'static>,
}

impl Identity {
    /// The chain, the own certificate first, and its key, both as PEM.
    pub(super) fn read(chain: &Path, key: &Path) -> Result<Self, Failure> {
        let read = PrivateKeyDer::from_pem_file(key);
        Ok(Identity {
            chain: certificates(chain)?,
            key: read.map_err(|e| Failure::Run(format!("{}: {e}", key.display())))?,
        })
    }
}

fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, Failure> {
    let wrong = |why: String| Failure::Run(format!("{}: {why}", path.display()));
    let certificates = CertificateDer::pem_file_iter(path).map_err(|e| wrong(e.to_string()))?;
    let certificates: Result<Vec<_>, _> = certificates.collect();
    let certificates = certificates.map_err(|e| wrong(e.to_string()))?;
    if certificates.is_empty() {
        return Err(wrong("no certificate".into()));
    }
    Ok(certificates)
}

/// Those who are trusted.
pub(super) fn roots(path: &Path) -> Result<RootCertStore, Failure> {
    let mut roots = RootCertStore::empty();
    for certificate in certificates(path)? {
        roots.add(certificate).map_err(failed)?;
    }
    Ok(roots)
}
