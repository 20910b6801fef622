//! Chains on P-256 that are right but for the faults that are put in.

use adamant_ec::p256;
use adamant_x509::extensions::*;
use adamant_x509::path::{Limits, Options, PathError, PeerName, Profile, TrustAnchor, validate};
use adamant_x509::{
    Certificate, CertificateBuilder, DistinguishedName, PrivateKey, PublicKey, SerialNumber,
};

use adamant_der::{Oid, Time, oid};

/// A name with a key.
pub(crate) struct Entity {
    pub(crate) name: DistinguishedName,
    pub(crate) key: PrivateKey,
    pub(crate) public: PublicKey,
    pub(crate) id: [u8; 20],
}

impl Entity {
    pub(crate) fn new(name: &str, seed: u8) -> Self {
        let key = p256::PrivateKey::from_bytes(&[seed; 32]).unwrap();
        let key = PrivateKey::P256(key);
        let public = key.public_key();
        Self {
            name: DistinguishedName::new().common_name(name),
            id: public.key_id(),
            key,
            public,
        }
    }

    /// A certificate for another, for the years 2020 to 2029, with what the closure adds.
    pub(crate) fn issue(
        &self,
        subject: &Self,
        serial: u64,
        more: impl FnOnce(CertificateBuilder<'_>) -> CertificateBuilder<'_>,
    ) -> Vec<u8> {
        self.issue_between(subject, serial, ["2020-01-01", "2030-01-01"], more)
    }

    pub(crate) fn issue_between(
        &self,
        subject: &Self,
        serial: u64,
        times: [&str; 2],
        more: impl FnOnce(CertificateBuilder<'_>) -> CertificateBuilder<'_>,
    ) -> Vec<u8> {
        let [from, until] = times.map(|text| text.parse::<Time>().unwrap());
        let builder = CertificateBuilder::new(
            SerialNumber::from(serial),
            self.name.as_name(),
            from,
            until,
            subject.name.as_name(),
            &subject.public,
        )
        .extension(&AuthorityKeyIdentifier::new(&self.id));
        more(builder).sign(self.key.signer().unwrap()).unwrap()
    }
}

/// The extensions of a CA.
pub(crate) fn ca<'a>(
    builder: CertificateBuilder<'a>,
    subject: &Entity,
    path_len: Option<u32>,
) -> CertificateBuilder<'a> {
    builder
        .extension(&BasicConstraints::ca(path_len))
        .extension(&SubjectKeyIdentifier(&subject.id))
        .extension(&(KeyUsage::KEY_CERT_SIGN | KeyUsage::CRL_SIGN))
}

pub(crate) fn at() -> Time {
    "2026-01-01".parse().unwrap()
}

/// What may be wrong, or look so.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Fault {
    Expired,
    NotYet,
    Forged,
    NoCa,
    NoBasicConstraints,
    PathLen(u32),
    NoCertSign,
    Permitted(&'static str),
    Excluded(&'static str),
    PermittedIp([u8; 8]),
    ExcludedIp([u8; 8]),
    Purpose(Oid),
    UnknownCritical,
    Missing,
}

const UNKNOWN: Oid = oid!("1.3.6.1.4.1.55738.666.1");

pub(crate) const FAULTS: [Fault; 23] = [
    Fault::Expired,
    Fault::NotYet,
    Fault::Forged,
    Fault::NoCa,
    Fault::NoBasicConstraints,
    Fault::PathLen(0),
    Fault::PathLen(1),
    Fault::PathLen(2),
    Fault::NoCertSign,
    Fault::Permitted("adamant.example"),
    Fault::Permitted("www.adamant.example"),
    Fault::Permitted("other.example"),
    Fault::Permitted("mant.example"),
    Fault::Permitted(""),
    Fault::Excluded("adamant.example"),
    Fault::Excluded("other.example"),
    Fault::Excluded("www.adamant.example"),
    Fault::PermittedIp([192, 0, 2, 0, 255, 255, 255, 0]),
    Fault::ExcludedIp([192, 0, 2, 0, 255, 255, 255, 254]),
    Fault::ExcludedIp([192, 0, 3, 0, 255, 255, 255, 0]),
    Fault::Purpose(ExtendedKeyUsage::SERVER_AUTH),
    Fault::Purpose(ExtendedKeyUsage::CLIENT_AUTH),
    Fault::UnknownCritical,
];

/// A chain and what it is asked for.
#[derive(Debug)]
pub(crate) struct Chain {
    /// Levels from the leaf, which is 0.
    pub(crate) faults: Vec<(usize, Fault)>,
    pub(crate) host: &'static str,
    pub(crate) leaf: Vec<u8>,
    pub(crate) intermediates: Vec<Vec<u8>>,
    pub(crate) root: Vec<u8>,
}

/// Numbers that look random (Steele, Lea and Flood's SplitMix64).
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }
}

/// The chain of this number: up to three intermediates, up to two faults, a decoy with the name
/// of an issuer and another key, all in some order.
pub(crate) fn generate(number: u64) -> Chain {
    let mut numbers = Numbers(number);
    let count = numbers.below(4);
    let entities: Vec<_> = (0..count + 2)
        .map(|i| Entity::new(&format!("Level {i}"), 1 + i as u8))
        .collect();
    let mut faults = Vec::new();
    for _ in 0..numbers.below(3) {
        let fault = FAULTS[numbers.below(FAULTS.len())];
        faults.push((numbers.below(count + 1), fault));
    }
    if count > 0 && numbers.below(20) == 0 {
        faults.push((1 + numbers.below(count), Fault::Missing));
    }
    let names: &[GeneralName<'_>] = match numbers.below(4) {
        0 => &[GeneralName::Dns("*.adamant.example")],
        1 => &[GeneralName::Dns("www.adamant.example")],
        2 => &[
            GeneralName::Dns("WWW.adamant.example"),
            GeneralName::Ip(&[192, 0, 2, 1]),
        ],
        _ => &[
            GeneralName::Dns("adamant.example"),
            GeneralName::Dns("www.other.example"),
        ],
    };
    let host = [
        "www.adamant.example",
        "adamant.example",
        "a.www.adamant.example",
    ];
    let host = host[[0, 0, 0, 1, 2][numbers.below(5)]];
    let certificate = |level: usize, issuer: &Entity| {
        let subject = &entities[level];
        let at_level = |fault: Fault| faults.contains(&(level, fault));
        let times = match (at_level(Fault::Expired), at_level(Fault::NotYet)) {
            (true, _) => ["2020-01-01", "2025-12-31"],
            (_, true) => ["2026-01-02", "2030-01-01"],
            _ => ["2020-01-01", "2030-01-01"],
        };
        let path_len = faults.iter().find_map(|fault| match fault {
            (l, Fault::PathLen(n)) if *l == level => Some(*n),
            _ => None,
        });
        let mut der = issuer.issue_between(subject, level as u64 + 1, times, |mut builder| {
            if level == 0 {
                builder = builder.extension(&SubjectAltName(adamant_x509::List::new(names)));
            } else {
                if !at_level(Fault::NoBasicConstraints) {
                    let basic = match at_level(Fault::NoCa) {
                        true => BasicConstraints::end_entity(),
                        false => BasicConstraints::ca(path_len),
                    };
                    builder = builder.extension(&basic);
                }
                let usage = match at_level(Fault::NoCertSign) {
                    true => KeyUsage::CRL_SIGN,
                    false => KeyUsage::KEY_CERT_SIGN | KeyUsage::CRL_SIGN,
                };
                builder = builder
                    .extension(&usage)
                    .extension(&SubjectKeyIdentifier(&subject.id));
            }
            let mut purposes = Vec::new();
            let (mut permitted, mut excluded) = (Vec::new(), Vec::new());
            for (_, fault) in faults.iter().filter(|(l, _)| *l == level) {
                match fault {
                    Fault::Purpose(oid) => purposes.push(*oid),
                    Fault::Permitted(base) => {
                        permitted.push(GeneralSubtree(GeneralName::Dns(base)))
                    }
                    Fault::Excluded(base) => excluded.push(GeneralSubtree(GeneralName::Dns(base))),
                    Fault::PermittedIp(range) => {
                        permitted.push(GeneralSubtree(GeneralName::Ip(range)));
                    }
                    Fault::ExcludedIp(range) => {
                        excluded.push(GeneralSubtree(GeneralName::Ip(range)));
                    }
                    _ => {}
                }
            }
            if !purposes.is_empty() {
                purposes.dedup();
                let purposes = adamant_x509::List::new(&purposes);
                builder = builder.extension(&ExtendedKeyUsage(purposes));
            }
            // Constraints of a leaf mean nothing.
            if level > 0 && !(permitted.is_empty() && excluded.is_empty()) {
                let list = |trees: &'_ [_]| (!trees.is_empty()).then_some(());
                let constraints = NameConstraints {
                    permitted: list(&permitted).map(|()| adamant_x509::List::new(&permitted)),
                    excluded: list(&excluded).map(|()| adamant_x509::List::new(&excluded)),
                };
                builder = builder.extension(&constraints);
            }
            if at_level(Fault::UnknownCritical) {
                builder = builder.raw_extension(UNKNOWN, true, &[5, 0]);
            }
            builder
        });
        if at_level(Fault::Forged) {
            let last = der.len() - 1;
            der[last] ^= 1;
        }
        der
    };

    let leaf = certificate(0, &entities[1]);
    let mut intermediates = Vec::new();
    for level in 1..=count {
        if !faults.contains(&(level, Fault::Missing)) {
            intermediates.push(certificate(level, &entities[level + 1]));
        }
    }
    if numbers.below(3) == 0 {
        let decoy = Entity::new(&format!("Level {}", 1 + numbers.below(count + 1)), 99);
        let above = Entity::new("Elsewhere", 98);
        intermediates.push(above.issue(&decoy, 77, |builder| ca(builder, &decoy, None)));
    }
    for i in (1..intermediates.len()).rev() {
        intermediates.swap(i, numbers.below(i + 1));
    }
    let root = &entities[count + 1];
    let root = root.issue(root, 100, |builder| ca(builder, root, None));
    Chain {
        faults,
        host,
        leaf,
        intermediates,
        root,
    }
}

impl Chain {
    /// The number of certificates of the path.
    pub(crate) fn validate(&self, profile: Profile, limits: Limits) -> Result<usize, PathError> {
        let leaf = Certificate::from_der(&self.leaf).unwrap();
        let others: Vec<_> = self
            .intermediates
            .iter()
            .map(|der| Certificate::from_der(der).unwrap())
            .collect();
        let root = Certificate::from_der(&self.root).unwrap();
        let anchors = [TrustAnchor::from_certificate(&root).unwrap()];
        let names = [PeerName::Dns(self.host)];
        let options = Options {
            purpose: Some(ExtendedKeyUsage::SERVER_AUTH),
            names: &names,
            limits,
            ..Options::new(profile, at())
        };
        validate(&leaf, &others, &anchors, &options).map(|path| path.certificates.len())
    }
}
