//! Several certificates in one text.

use alloc::vec::Vec;

use adamant_der::{ErrorKind as Der, pem};

use super::Certificate;
use crate::{Error, ErrorKind, Result};

/// The certificates of a text, in their order, each of which can be read; blocks of other labels
/// and what is between them are passed over.
///
/// ```
/// use adamant_x509::certificate::read_bundle;
///
/// # let rfc8410 = "-----BEGIN CERTIFICATE-----
/// # MIIBLDCB36ADAgECAghWAUdKKo3DMDAFBgMrZXAwGTEXMBUGA1UEAwwOSUVURiBUZX
/// # N0IERlbW8wHhcNMTYwODAxMTIxOTI0WhcNNDAxMjMxMjM1OTU5WjAZMRcwFQYDVQQD
/// # DA5JRVRGIFRlc3QgRGVtbzAqMAUGAytlbgMhAIUg8AmJMKdUdIt93LQ+91oNvzoNJj
/// # ga9OukqY6qm05qo0UwQzAPBgNVHRMBAf8EBTADAQEAMA4GA1UdDwEBAAQEAwIDCDAg
/// # BgNVHQ4BAQAEFgQUmx9e7e0EM4Xk97xiPFl1uQvIuzswBQYDK2VwA0EAryMB/t3J5v
/// # /BzKc9dNZIpDmAgs3babFOTQbs+BolzlDUwsPrdGxO3YNGhW7Ibz3OGhhlxXrCe1Cg
/// # w1AH9efZBw==
/// # -----END CERTIFICATE-----";
/// let text = format!("a server\n{rfc8410}\nits CA\n{rfc8410}\n");
/// assert_eq!(read_bundle(&text)?.len(), 2);
/// assert!(read_bundle("nothing").is_err());
/// # Ok::<(), adamant_x509::Error>(())
/// ```
///
/// # Errors
/// Those of PEM, with [`Der::PemMissing`] if there is none; those of [`Certificate::from_der`], at
/// the beginning of the certificate's block.
pub fn read_bundle<T: AsRef<[u8]> + ?Sized>(text: &T) -> Result<Vec<Vec<u8>>> {
    let mut certificates = Vec::new();
    for block in pem::decode(text) {
        let block = block?;
        if block.label() == "CERTIFICATE" {
            Certificate::from_der(block.der())
                .map_err(|error| Error::new(error.kind(), block.position()))?;
            certificates.push(block.into_der());
        }
    }
    if certificates.is_empty() {
        return Err(ErrorKind::Der(Der::PemMissing).at(text.as_ref().len()));
    }
    Ok(certificates)
}
