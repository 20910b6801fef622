//! Validation: the input is a row of certificates, lists and OCSP responses, of the certificates
//! the first is the one that is validated and the next are the anchors. An OCTET STRING at the
//! beginning says what is asked for. Every signature is taken for good, so that whatever follows it
//! is reached.

#![no_main]

use adamant_der::{Oid, Reader, Tag, oid};
use adamant_x509::crl::CertificateList;
use adamant_x509::extensions::ExtendedKeyUsage;
use adamant_x509::ocsp::OcspResponse;
use adamant_x509::path::{
    Limits, Options, PathErrorKind, PeerName, Policies, Profile, Revocation, Strictness,
    TrustAnchor, Verifier, validate,
};
use adamant_x509::{AlgorithmIdentifier, Certificate, Result, SubjectPublicKeyInfo};
use libfuzzer_sys::fuzz_target;

struct Gullible;

impl Verifier for Gullible {
    fn verify(
        &self,
        _: &SubjectPublicKeyInfo<'_>,
        _: &AlgorithmIdentifier<'_>,
        _: &[u8],
        _: &[u8],
    ) -> Result<()> {
        Ok(())
    }
}

/// Limits that small inputs reach.
const SMALL: Limits = Limits {
    signatures: 6,
    nodes: 12,
    octets: 50_000,
};

const POLICIES: [Oid; 2] = [oid!("1.3.6.1.4.1.55738.1"), oid!("1.3.6.1.4.1.55738.2")];

const NAMES: [PeerName<'_>; 3] = [
    PeerName::Dns("www.adamant.example"),
    PeerName::Ip(core::net::IpAddr::V4(core::net::Ipv4Addr::new(
        192, 0, 2, 1,
    ))),
    PeerName::Email("ca@adamant.example"),
];

const PURPOSES: [Option<Oid>; 3] = [
    Some(ExtendedKeyUsage::SERVER_AUTH),
    None,
    Some(ExtendedKeyUsage::TIME_STAMPING),
];

adamant_fuzz::by_elements!();

fuzz_target!(|data: &[u8]| {
    let (mut certificates, mut lists, mut responses) = (Vec::new(), Vec::new(), Vec::new());
    let mut reader = Reader::new(data);
    let mut asked: &[u8] = &[];
    if reader.peek_tag() == Some(Tag::OCTET_STRING) {
        asked = reader.octet_string().unwrap_or_default();
    }
    while let Ok(element) = reader.read_any() {
        if let Ok(certificate) = Certificate::from_der(element.raw) {
            certificates.push(certificate);
        } else if let Ok(list) = CertificateList::from_der(element.raw) {
            lists.push(list);
        } else if let Ok(response) = OcspResponse::from_der(element.raw) {
            responses.push(response);
        }
    }
    // The days since the certificate began to hold; policies and names; the rest.
    let [high, low, policies, demands] = *asked.first_chunk().unwrap_or(&[0; 4]);
    let is_set = |octet: u8, bit: u8| octet >> bit & 1 == 1;

    let Some((leaf, issuers)) = certificates.split_first() else {
        return;
    };
    let count = 1 + usize::from(demands >> 3 & 3);
    let (roots, others) = issuers.split_at(count.min(issuers.len()));
    let anchors: Result<Vec<_>> = roots.iter().map(TrustAnchor::from_certificate).collect();
    let Ok(anchors) = anchors else {
        return;
    };
    let Ok(from) = leaf.validity().map(|validity| validity.not_before()) else {
        return;
    };
    let time = from.saturating_add(86_400 * u64::from(u16::from_be_bytes([high, low])));
    let strictness = match is_set(demands, 0) {
        true => Strictness::Hard,
        false => Strictness::Soft,
    };
    let names = [NAMES[usize::from(policies >> 4) % 3]];
    for profile in [Profile::Path, Profile::Rfc5280, Profile::WebPki] {
        let options = Options {
            purpose: PURPOSES[usize::from(demands >> 5) % 3],
            policies: Policies {
                initial: is_set(policies, 0).then_some(&POLICIES),
                require_explicit: is_set(policies, 1),
                inhibit_mapping: is_set(policies, 2),
                inhibit_any: is_set(policies, 3),
            },
            revocation: Some(Revocation {
                only_target: is_set(demands, 1),
                dedicated_crl_issuers: is_set(demands, 2),
                ..Revocation::new(&lists, &responses, strictness)
            }),
            verifier: &Gullible,
            ..Options::new(profile, time)
        };
        let verdict = |options: &Options<'_>| validate(leaf, others, &anchors, options).map(drop);
        let first = verdict(&options);
        let second = verdict(&Options {
            names: &names,
            ..options
        });
        assert!(first.is_ok() || second.is_err(), "a name made a path valid");
        let small = verdict(&Options {
            limits: SMALL,
            ..options
        });
        let ended = small.as_ref().err().map(|error| &error.kind);
        assert!(
            small == first || matches!(ended, Some(PathErrorKind::TooCostly(_))),
            "{first:?} is {small:?} within small limits"
        );
    }
});
