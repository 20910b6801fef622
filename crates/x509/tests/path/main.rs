//! Paths: generated ones against other implementations, revocation by OCSP and lists, limits.

mod against_openssl;
mod against_webpki;
mod chain;
mod evidence;
mod limits;
mod mutation;
mod policies;
mod revocation;
#[cfg(feature = "unicode")]
mod scripts;
mod signers;
