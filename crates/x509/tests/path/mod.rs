//! Paths: generated ones against other implementations, revocation by OCSP and lists, limits.

mod adversarial;
mod against_openssl;
mod against_webpki;
mod chain;
mod costs;
mod evidence;
mod forms;
mod limits;
mod mutation;
mod names;
mod policies;
mod profile;
mod revocation;
mod rules;
#[cfg(feature = "unicode")]
mod scripts;
mod signers;
