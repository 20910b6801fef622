//! Paths: generated ones against other implementations, revocation by OCSP and lists, limits.

mod adversarial;
mod against_openssl;
mod against_webpki;
mod chain;
mod costs;
mod evidence;
mod evidence_costs;
mod forms;
mod keys_of_lists;
mod limits;
mod mutation;
mod names;
mod policies;
mod profile;
mod responders;
mod revocation;
mod rules;
mod scopes;
#[cfg(feature = "unicode")]
mod scripts;
mod signers;
