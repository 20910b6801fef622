//! Which suites, groups and versions to speak.

use rustls::crypto::CryptoProvider;
use rustls::version::{TLS12, TLS13};
use rustls::{ProtocolVersion, SupportedProtocolVersion};
use std::sync::Arc;

use crate::Failure;

/// The names of suites: by their ciphers.
const SUITES: &[(&str, &[u16])] = &[
    ("aes-128-gcm", &[0x1301, 0xc02b, 0xc02f]),
    ("aes-256-gcm", &[0x1302, 0xc02c, 0xc030]),
    ("chacha20-poly1305", &[0x1303, 0xcca9, 0xcca8]),
    ("sm4-gcm", &[0x00c6]),
    ("sm4-ccm", &[0x00c7]),
];

/// The names of groups.
const GROUPS: &[(&str, u16)] = &[
    ("x25519", 0x001d),
    ("x448", 0x001e),
    ("p256", 0x0017),
    ("p384", 0x0018),
    ("p521", 0x0019),
    ("x25519mlkem768", 0x11ec),
    ("secp256r1mlkem768", 0x11eb),
    ("secp384r1mlkem1024", 0x11ed),
    ("curvesm2", 0x0029),
];

/// The group of that number.
const CURVE_SM2: u16 = 0x0029;

/// What is to be spoken.
#[derive(clap::Args)]
pub(super) struct Choice {
    /// Suites by their ciphers, best first: aes-128-gcm, aes-256-gcm, chacha20-poly1305; or those
    /// of RFC 8998, which mix with no others: sm4-gcm, sm4-ccm
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', value_parser = suite)]
    suites: Vec<&'static str>,

    /// Groups, best first: x25519mlkem768, x25519, p256, p384, p521, x448, secp256r1mlkem768,
    /// secp384r1mlkem1024, curvesm2
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', value_parser = group)]
    groups: Vec<u16>,

    /// Only this version
    #[arg(long, value_name = "VERSION", value_parser = ["1.2", "1.3"])]
    tls: Option<String>,
}

pub(crate) fn suite(name: &str) -> Result<&'static str, String> {
    let known = SUITES.iter().find(|(known, _)| *known == name);
    known.map(|(name, _)| *name).ok_or_else(|| {
        let names: Vec<_> = SUITES.iter().map(|(name, _)| *name).collect();
        format!("one of {}", names.join(", "))
    })
}

pub(crate) fn group(name: &str) -> Result<u16, String> {
    let known = GROUPS.iter().find(|(known, _)| *known == name);
    known.map(|(_, code)| *code).ok_or_else(|| {
        let names: Vec<_> = GROUPS.iter().map(|(name, _)| *name).collect();
        format!("one of {}", names.join(", "))
    })
}

/// The name of a group.
pub(crate) fn group_name(code: u16) -> String {
    let known = GROUPS.iter().find(|(_, known)| *known == code);
    known.map_or_else(|| format!("{code:#06x}"), |(name, _)| (*name).into())
}

/// The suite of TLS 1.3 of that name.
#[cfg(feature = "bench")]
pub(crate) fn suite_code(name: &str) -> u16 {
    let known = SUITES.iter().find(|(known, _)| *known == name);
    known.map_or(0, |(_, codes)| codes[0])
}

/// What rustls calls a suite, or its name in RFC 8998.
pub(super) fn suite_name(suite: rustls::CipherSuite) -> String {
    match u16::from(suite) {
        0x00c6 => "TLS_SM4_GCM_SM3".into(),
        0x00c7 => "TLS_SM4_CCM_SM3".into(),
        _ => format!("{suite:?}"),
    }
}

/// What rustls calls a version.
pub(super) fn version_name(version: ProtocolVersion) -> &'static str {
    match version {
        ProtocolVersion::TLSv1_2 => "TLS 1.2",
        ProtocolVersion::TLSv1_3 => "TLS 1.3",
        _ => "unknown",
    }
}

impl Choice {
    /// The provider with only these suites and groups, in this order.
    pub(super) fn provider(&self) -> Result<Arc<CryptoProvider>, Failure> {
        let sm = self.suites.iter().filter(|name| name.starts_with("sm4"));
        let alone = self.suites.is_empty() && self.groups == [CURVE_SM2];
        let mut provider = match sm.count() {
            0 if !alone => rustls_adamant::default_provider(),
            count if count == self.suites.len() => rustls_adamant::sm_provider(),
            _ => return Err(Failure::Usage("RFC 8998 suites mix with no others".into())),
        };
        if !self.suites.is_empty() {
            let all = std::mem::take(&mut provider.cipher_suites);
            for name in &self.suites {
                let codes = SUITES.iter().find(|(known, _)| known == name);
                let codes = codes.map_or(&[][..], |(_, codes)| codes);
                let these = all.iter().filter(|one| codes.contains(&one.suite().into()));
                provider.cipher_suites.extend(these);
            }
        }
        if !self.groups.is_empty() {
            let all = std::mem::take(&mut provider.kx_groups);
            for code in &self.groups {
                let this = all.iter().find(|one| u16::from(one.name()) == *code);
                let this = this.ok_or_else(|| {
                    let name = group_name(*code);
                    Failure::Usage(format!("the suites do not go with the group {name}"))
                })?;
                provider.kx_groups.push(*this);
            }
        }
        Ok(Arc::new(provider))
    }

    /// The versions that are asked for and have suites.
    pub(super) fn versions(
        &self,
        provider: &CryptoProvider,
    ) -> Vec<&'static SupportedProtocolVersion> {
        let asked = self.tls.as_deref();
        let all = [("1.3", &TLS13), ("1.2", &TLS12)];
        let asked = all
            .iter()
            .filter(|(name, _)| asked.is_none_or(|one| one == *name));
        let versions = asked.map(|(_, version)| *version).filter(|version| {
            let mut suites = provider.cipher_suites.iter();
            suites.any(|suite| suite.version().version == version.version)
        });
        versions.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choice(suites: &[&'static str], groups: &[u16], tls: Option<&str>) -> Choice {
        Choice {
            suites: suites.to_vec(),
            groups: groups.to_vec(),
            tls: tls.map(str::to_owned),
        }
    }

    #[test]
    fn chosen_in_order() {
        let choice = choice(
            &["chacha20-poly1305", "aes-128-gcm"],
            &[0x17, 0x1d],
            Some("1.3"),
        );
        let provider = choice.provider().ok().unwrap();
        let suites: Vec<u16> = provider
            .cipher_suites
            .iter()
            .map(|s| s.suite().into())
            .collect();
        assert_eq!(suites, [0x1303, 0xcca9, 0xcca8, 0x1301, 0xc02b, 0xc02f]);
        let groups: Vec<u16> = provider.kx_groups.iter().map(|g| g.name().into()).collect();
        assert_eq!(groups, [0x17, 0x1d]);
        let versions = choice.versions(&provider);
        assert_eq!(versions, [&TLS13]);
    }

    #[test]
    fn rfc_8998_stands_alone() {
        assert!(
            choice(&["sm4-gcm", "aes-128-gcm"], &[], None)
                .provider()
                .is_err()
        );
        assert!(choice(&["sm4-gcm"], &[0x1d], None).provider().is_err());
        let choice = choice(&[], &[CURVE_SM2], None);
        let provider = choice.provider().ok().unwrap();
        assert_eq!(provider.cipher_suites.len(), 2);
        assert_eq!(choice.versions(&provider), [&TLS13]);
    }

    /// Each name stands for something that the provider has.
    #[test]
    fn names() {
        let mut all = rustls_adamant::default_provider();
        let sm = rustls_adamant::sm_provider();
        all.cipher_suites.extend(sm.cipher_suites);
        all.kx_groups.extend(sm.kx_groups);
        let known: Vec<u16> = SUITES
            .iter()
            .flat_map(|(_, codes)| codes.iter().copied())
            .collect();
        for suite in &all.cipher_suites {
            assert!(known.contains(&suite.suite().into()));
        }
        assert_eq!(known.len(), all.cipher_suites.len());
        for group in &all.kx_groups {
            assert!(
                GROUPS
                    .iter()
                    .any(|(_, code)| *code == u16::from(group.name()))
            );
        }
        assert_eq!(GROUPS.len(), all.kx_groups.len());
    }
}
