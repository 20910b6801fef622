//! Who answers for an issuer where a response is asked for itself, and about which certificate.

use adamant_base::Error as Crypto;
use adamant_der::{Oid, oid};
use adamant_x509::extensions::*;
use adamant_x509::ocsp::{
    CertId, CertStatus, IssuerId, OcspResponse, Responder, ResponderId, ResponseBuilder,
    SingleResponse,
};
use adamant_x509::{
    AnySerial, Certificate, CertificateBuilder, DistinguishedName, ErrorKind, KeyAlgorithm,
    PrivateKey, SerialNumber,
};

use crate::common::time;

const AT: &str = "2026-02-01";
const HASHES: [Oid; 4] = [
    oid!("1.3.14.3.2.26"),
    oid!("2.16.840.1.101.3.4.2.1"),
    oid!("2.16.840.1.101.3.4.2.2"),
    oid!("2.16.840.1.101.3.4.2.3"),
];

struct Entity {
    name: DistinguishedName,
    key: PrivateKey,
    der: Vec<u8>,
}

type More<'m> = &'m dyn for<'b> Fn(CertificateBuilder<'b>) -> CertificateBuilder<'b>;

impl Entity {
    /// One whose certificate this issuer signed, or it itself.
    fn new(name: &str, issuer: Option<&Self>, times: [&str; 2], more: More<'_>) -> Self {
        let name = DistinguishedName::new().common_name(name);
        let key =
            PrivateKey::generate(KeyAlgorithm::Ed25519, &mut adamant_rand::SystemRng).unwrap();
        let (issuer_name, issuer_key) =
            issuer.map_or((&name, &key), |issuer| (&issuer.name, &issuer.key));
        let public_key = key.public_key();
        let [from, until] = times.map(time);
        let builder = CertificateBuilder::new(
            1.into(),
            issuer_name.as_name(),
            from,
            until,
            name.as_name(),
            &public_key,
        );
        let der = more(builder).sign(issuer_key.signer().unwrap()).unwrap();
        Self { name, key, der }
    }

    fn certificate(&self) -> Certificate<'_> {
        Certificate::from_der(&self.der).unwrap()
    }

    fn hash(&self) -> [u8; 20] {
        ResponderId::key_hash(&self.certificate().spki().unwrap())
    }
}

fn forged(der: &[u8]) -> Vec<u8> {
    let mut der = der.to_vec();
    *der.last_mut().unwrap() ^= 1;
    der
}

const TIMES: [&str; 2] = ["2026-01-01", "2026-03-01"];
const DELEGATED: More<'_> = &|b| {
    b.extension(&ExtendedKeyUsage(
        (&[ExtendedKeyUsage::OCSP_SIGNING]).into(),
    ))
};

/// Who answered with this response as the CA sees it: itself, or the holder of a certificate, and whether
/// that is not to be looked up.
fn who(der: &[u8], ca: &Entity) -> Result<Option<(Vec<u8>, bool)>, ErrorKind> {
    let response = OcspResponse::from_der(der).unwrap();
    let basic = response.basic().unwrap();
    match basic.verify_for(&ca.certificate(), time(AT)) {
        Ok(Responder::Issuer) => Ok(None),
        Ok(Responder::Delegate {
            certificate,
            no_check,
        }) => Ok(Some((certificate.as_der().to_vec(), no_check))),
        Err(error) => Err(error.kind()),
    }
}

/// Whoever signs in whose name, with whichever certificates beside.
#[test]
fn who_answers() {
    let ca = Entity::new("CA", None, TIMES, &|b| b);
    let delegate = Entity::new("Delegate", Some(&ca), TIMES, DELEGATED);
    let stranger = Entity::new("Stranger", Some(&ca), TIMES, &|b| b);
    let forged = forged(&delegate.der);
    let issuer = IssuerId::new(&ca.certificate()).unwrap();
    let (delegated, forged, strange) = (&delegate.der[..], &forged[..], &stranger.der[..]);
    for named in [&ca, &delegate, &stranger] {
        let hash = named.hash();
        for id in [
            ResponderId::Name(named.name.as_name()),
            ResponderId::KeyHash(&hash),
        ] {
            for signer in [&ca, &delegate, &stranger] {
                for beside in [
                    &[][..],
                    &[delegated],
                    &[forged],
                    &[strange],
                    &[strange, delegated],
                    &[delegated, strange],
                ] {
                    let der = ResponseBuilder::new(id, time(AT))
                        .certificates(beside)
                        .sign(&[answer(&issuer)], signer.key.signer().unwrap())
                        .unwrap();
                    let is = |entity: &Entity| core::ptr::eq(named, entity);
                    let signed = core::ptr::eq(named, signer);
                    let bad = Err(ErrorKind::Crypto(Crypto::BadSignature));
                    let expected = if is(&ca) {
                        if signed { Ok(None) } else { bad }
                    } else if is(&delegate) && beside.contains(&delegated) {
                        if signed {
                            Ok(Some((delegated.to_vec(), false)))
                        } else {
                            bad
                        }
                    } else if is(&delegate) && beside.contains(&forged) {
                        bad
                    } else {
                        Err(ErrorKind::UnauthorizedResponder)
                    };
                    assert_eq!(who(&der, &ca), expected, "{id:?} {}", signer.name);
                }
            }
        }
    }
}

/// That a certificate is good.
fn answer(issuer: &IssuerId) -> SingleResponse<'_> {
    SingleResponse::new(issuer.cert_id(7.into()), CertStatus::Good, time(AT), None)
}

/// What the certificate of a delegate must be.
#[test]
fn delegates() {
    const OCSP: Oid = ExtendedKeyUsage::OCSP_SIGNING;
    let ca = Entity::new("CA", None, TIMES, &|b| b);
    let other = Entity::new("Other", None, TIMES, &|b| b);
    let issuer = IssuerId::new(&ca.certificate()).unwrap();
    let used: fn(CertificateBuilder<'_>, KeyUsage) -> CertificateBuilder<'_> =
        |b, usage| DELEGATED(b).extension(&usage);
    let signs = KeyUsage::DIGITAL_SIGNATURE;
    let stands = KeyUsage::NON_REPUDIATION;
    let agrees = KeyUsage::KEY_AGREEMENT;
    let cases: [(&Entity, [&str; 2], More<'_>, bool); 16] = [
        (&ca, TIMES, DELEGATED, true),
        (&other, TIMES, DELEGATED, false),
        (&ca, [AT, AT], DELEGATED, true),
        (&ca, [TIMES[0], "2026-01-31T23:59:59Z"], DELEGATED, false),
        (&ca, ["2026-02-01T00:00:01Z", TIMES[1]], DELEGATED, false),
        (&ca, TIMES, &|b| b, false),
        (
            &ca,
            TIMES,
            &|b| b.extension(&ExtendedKeyUsage((&[ExtendedKeyUsage::ANY]).into())),
            false,
        ),
        (
            &ca,
            TIMES,
            &|b| b.extension(&ExtendedKeyUsage((&[ExtendedKeyUsage::SERVER_AUTH]).into())),
            false,
        ),
        (
            &ca,
            TIMES,
            &|b| {
                b.extension(&ExtendedKeyUsage(
                    (&[ExtendedKeyUsage::SERVER_AUTH, OCSP]).into(),
                ))
            },
            true,
        ),
        (
            &ca,
            TIMES,
            &|b| b.extension(&ExtendedKeyUsage((&[OCSP, ExtendedKeyUsage::ANY]).into())),
            true,
        ),
        (&ca, TIMES, &|b| used(b, signs), true),
        (&ca, TIMES, &|b| used(b, stands), true),
        (&ca, TIMES, &|b| used(b, signs | stands), true),
        (&ca, TIMES, &|b| used(b, stands | agrees), true),
        (&ca, TIMES, &|b| used(b, agrees), false),
        (&ca, TIMES, &|b| b.extension(&signs), false),
    ];
    for (i, (signer, times, more, good)) in cases.into_iter().enumerate() {
        for no_check in [false, true] {
            let with: More<'_> = match no_check {
                true => &|b| more(b).extension(&OcspNoCheck),
                false => more,
            };
            let delegate = Entity::new("Delegate", Some(signer), times, with);
            let certificates = [&delegate.der[..]];
            let der = ResponseBuilder::new(ResponderId::Name(delegate.name.as_name()), time(AT))
                .certificates(&certificates)
                .sign(&[answer(&issuer)], delegate.key.signer().unwrap())
                .unwrap();
            let expected = match good {
                true => Ok(Some((delegate.der.clone(), no_check))),
                false => Err(ErrorKind::UnauthorizedResponder),
            };
            assert_eq!(who(&der, &ca), expected, "{i}");
        }
    }
}

/// A certificate is meant where all that names it is the same.
#[test]
fn certificates_that_are_meant() {
    let [ca, other] = ["CA", "Other"].map(|name| Entity::new(name, None, TIMES, &|b| b));
    for hash in HASHES {
        let own = IssuerId::with_hash(&ca.certificate(), &hash).unwrap();
        let foreign = IssuerId::with_hash(&other.certificate(), &hash).unwrap();
        let (id, another) = (own.cert_id(7.into()), foreign.cert_id(8.into()));
        assert!(
            id.matches(&id) && own.issued(&id) && !foreign.issued(&id) && !own.issued(&another)
        );
        let others = [
            CertId {
                issuer_name_hash: another.issuer_name_hash,
                ..id
            },
            CertId {
                issuer_key_hash: another.issuer_key_hash,
                ..id
            },
            CertId {
                hash_algorithm: adamant_x509::AlgorithmIdentifier::new(
                    oid!("1.3.6.1.4.1.99999.11"),
                    None,
                ),
                ..id
            },
            CertId {
                serial: AnySerial::Number(SerialNumber::from(8)),
                ..id
            },
        ];
        for wrong in others {
            assert!(!id.matches(&wrong) && !wrong.matches(&id));
            // The number is the same for every issuer.
            assert_eq!(own.issued(&wrong), wrong.serial != id.serial);
            assert!(!foreign.issued(&wrong));
        }
        // Of several answers the latest, and of one time what is worst.
        let [early, late] = ["2026-01-01", "2026-01-02"].map(time);
        let revoked = CertStatus::Revoked {
            time: early,
            reason: None,
        };
        let answers = |statuses: &[(CertStatus, adamant_der::Time)]| {
            let singles: Vec<_> = statuses
                .iter()
                .map(|(status, at)| SingleResponse::new(id, *status, *at, None))
                .chain([SingleResponse::new(another, revoked, late, None)])
                .collect();
            let der = ResponseBuilder::new(ResponderId::Name(ca.name.as_name()), late)
                .sign(&singles, ca.key.signer().unwrap())
                .unwrap();
            let response = OcspResponse::from_der(&der).unwrap();
            let found = response.basic().unwrap().find(&id);
            found.map(|found| (found.status, found.this_update))
        };
        assert_eq!(answers(&[]), None);
        let ranked = [CertStatus::Good, CertStatus::Unknown, revoked];
        for (i, one) in ranked.into_iter().enumerate() {
            for (j, two) in ranked.into_iter().enumerate() {
                assert_eq!(answers(&[(one, early), (two, late)]), Some((two, late)));
                assert_eq!(answers(&[(one, late), (two, early)]), Some((one, late)));
                assert_eq!(
                    answers(&[(one, late), (two, late)]),
                    Some((ranked[i.max(j)], late))
                );
            }
        }
    }
    let unknown = oid!("1.3.6.1.4.1.99999.11");
    let error = IssuerId::with_hash(&ca.certificate(), &unknown).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::UnknownAlgorithm(unknown));
}

/// An answer holds from its beginning to its end, both in it, or without an end.
#[test]
fn times_of_answers() {
    let ca = Entity::new("CA", None, TIMES, &|b| b);
    let issuer = IssuerId::new(&ca.certificate()).unwrap();
    let at = |second: u64| time(&format!("2026-01-01T00:00:0{second}Z"));
    for until in [None, Some(2), Some(3), Some(5)] {
        let id = issuer.cert_id(7.into());
        let answer = SingleResponse::new(id, CertStatus::Good, at(2), until.map(at));
        for now in 0..8 {
            let current = now >= 2 && until.is_none_or(|until| now <= until);
            assert_eq!(answer.is_current(at(now)), current, "{until:?} {now}");
        }
    }
}
