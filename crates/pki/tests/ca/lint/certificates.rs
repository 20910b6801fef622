//! The rules on certificates, whoever made them.

use adamant::SystemRng;
use adamant::der::{Oid, Reader, Tag, Writer};
use adamant::x509::extensions::*;
use adamant::x509::{
    CertificateBuilder, DistinguishedName, KeyAlgorithm, List, PrivateKey, SerialNumber,
};
use adamant_pki::ca::SubjectName;
use adamant_pki::ca::lint::{self, Standard};

use crate::ca::{generate, name, subscriber};

/// A certificate of this kind, with what the closure changes.
fn made(
    kind: Kind,
    change: impl for<'a> FnOnce(CertificateBuilder<'a>) -> CertificateBuilder<'a>,
) -> Vec<u8> {
    let key = generate(KeyAlgorithm::P256);
    let (public, subject) = (key.public_key(), name("CN=www.iana.org,O=Adamant,C=NL"));
    let issuer = match kind {
        Kind::Root => subject.clone(),
        _ => name("CN=CA,O=Adamant,C=NL"),
    };
    let key_id = public.key_id();
    let mut builder = CertificateBuilder::new(
        SerialNumber::random(&mut SystemRng).unwrap(),
        issuer.as_name(),
        "2026-01-01".parse().unwrap(),
        "2026-03-01".parse().unwrap(),
        subject.as_name(),
        &public,
    )
    .extension(&SubjectKeyIdentifier(&key_id));
    let ca = KeyUsage::KEY_CERT_SIGN | KeyUsage::CRL_SIGN;
    builder = match kind {
        Kind::Root => builder
            .extension(&BasicConstraints::ca(None))
            .extension(&ca),
        Kind::Responder => builder
            .extension(&KeyUsage::DIGITAL_SIGNATURE)
            .extension(&ExtendedKeyUsage(
                (&[ExtendedKeyUsage::OCSP_SIGNING]).into(),
            ))
            .extension(&OcspNoCheck),
        Kind::Server => builder
            .extension(&KeyUsage::DIGITAL_SIGNATURE)
            .extension(&SubjectAltName(
                (&[GeneralName::Dns("www.iana.org")]).into(),
            )),
        Kind::Bare => builder,
    };
    change(builder).sign(key.signer().unwrap()).unwrap()
}

#[derive(Clone, Copy)]
enum Kind {
    Root,
    Responder,
    Server,
    /// Without usage and names.
    Bare,
}

fn of(der: &[u8], standard: Standard) -> Vec<&'static str> {
    let findings = lint::certificate(der, standard);
    findings.iter().map(|finding| finding.rule).collect()
}

/// RFC 5280 says so of everybody's certificates: each rule beside one that keeps it.
#[test]
fn what_rfc_5280_says() {
    let check = |der: &[u8]| of(der, Standard::Rfc5280);
    for kind in [Kind::Root, Kind::Responder, Kind::Server, Kind::Bare] {
        assert!(check(&made(kind, |builder| builder)).is_empty());
    }
    let raw = |dotted: &str, critical, value: &[u8]| {
        let oid = dotted.parse().unwrap();
        made(Kind::Bare, |builder| {
            builder.raw_extension(oid, critical, value)
        })
    };
    // subjectDirectoryAttributes: an attribute of one value; none; one without a value; critical.
    const ATTRIBUTES: &str = "2.5.29.9";
    let right = [0x30, 9, 0x30, 7, 6, 1, 0x2a, 0x31, 2, 5, 0];
    assert!(check(&raw(ATTRIBUTES, false, &right)).is_empty());
    const RULE: &str = "RFC 5280, 4.2.1.8";
    assert_eq!(check(&raw(ATTRIBUTES, false, &[0x30, 0])), [RULE]);
    let empty = [0x30, 7, 0x30, 5, 6, 1, 0x2a, 0x31, 0];
    assert_eq!(check(&raw(ATTRIBUTES, false, &empty)), [RULE]);
    // Timestamps.
    const TIMESTAMPS: &str = "1.3.6.1.4.1.11129.2.4.2";
    assert!(check(&raw(TIMESTAMPS, false, &[4, 5, 0, 3, 0, 1, 7])).is_empty());
    for wrong in [&[4, 2, 0, 0][..], &[4, 0]] {
        assert_eq!(check(&raw(TIMESTAMPS, false, wrong)), ["RFC 6962, 3.3"]);
    }
    // keyUsage: zeros at its end; bits that mean nothing.
    const USAGE: &str = "2.5.29.15";
    assert!(check(&raw(USAGE, true, &[3, 2, 7, 0x80])).is_empty());
    assert!(check(&raw(USAGE, true, &[3, 2, 0, 0x09])).is_empty());
    for wrong in [&[3, 2, 6, 0x80][..], &[3, 3, 7, 0x80, 0], &[3, 2, 0, 0x01]] {
        assert_eq!(
            check(&raw(USAGE, true, wrong)),
            ["RFC 5280, 4.2.1.3"],
            "{wrong:02x?}"
        );
    }
    // anyPolicy with a qualifier of others, and with one of the RFC's.
    let policy = |oid, qualifier| {
        let qualifiers = [qualifier];
        let policies = [PolicyInformation {
            oid,
            qualifiers: Some((&qualifiers).into()),
        }];
        made(Kind::Bare, |builder| {
            builder.extension(&CertificatePolicies((&policies).into()))
        })
    };
    let oid: Oid = "1.2.3.4".parse().unwrap();
    let other = PolicyQualifier::Other {
        oid,
        value: &[5, 0],
    };
    let cps = PolicyQualifier::Cps("http://www.iana.org/");
    assert!(check(&policy(PolicyInformation::ANY, cps)).is_empty());
    assert!(check(&policy(oid, other)).is_empty());
    assert_eq!(
        check(&policy(PolicyInformation::ANY, other)),
        ["RFC 5280, 4.2.1.4"]
    );
    // Mail only in the subject.
    let mail = name("CN=Ann,emailAddress=ann@iana.org");
    let key = subscriber();
    let with_mail = |names: &[GeneralName<'_>]| {
        let signer = generate(KeyAlgorithm::P256);
        let mut builder = CertificateBuilder::new(
            SerialNumber::random(&mut SystemRng).unwrap(),
            mail.as_name(),
            "2026-01-01".parse().unwrap(),
            "2026-03-01".parse().unwrap(),
            mail.as_name(),
            &key,
        )
        .extension(&BasicConstraints::end_entity());
        if !names.is_empty() {
            builder = builder.extension(&SubjectAltName(List::new(names)));
        }
        builder.sign(signer.signer().unwrap()).unwrap()
    };
    assert!(check(&with_mail(&[GeneralName::Email("Ann@iana.org")])).is_empty());
    for names in [&[][..], &[GeneralName::Email("bob@iana.org")]] {
        assert_eq!(check(&with_mail(names)), ["RFC 5280, 4.1.2.6"]);
    }
}

/// A number of issuer or subject, from times when names were reused: put after the key.
#[test]
fn unique_identifiers() {
    let der = made(Kind::Bare, |builder| builder);
    for number in [1, 2] {
        let mut outer = Reader::new(&der).enter(Tag::SEQUENCE).unwrap();
        let tbs = outer.read_any().unwrap();
        let signature = outer.rest();
        let mut fields = tbs.reader().unwrap();
        let mut w = Writer::new();
        w.sequence(|w| {
            w.sequence(|w| {
                for _ in 0..7 {
                    w.raw(fields.read_any().unwrap().raw);
                }
                w.tlv(Tag::context(number), &[0, 0x55]);
                w.raw(fields.rest());
            });
            w.raw(signature);
        });
        let found = of(&w.finish(), Standard::Rfc5280);
        assert_eq!(found, ["RFC 5280, 4.1.2.8"], "{number}");
    }
}

/// The Baseline Requirements, beside certificates that keep them.
#[test]
fn what_the_web_says() {
    let check = |der: &[u8]| of(der, Standard::WebPki);
    for kind in [Kind::Root, Kind::Responder, Kind::Server] {
        assert!(check(&made(kind, |builder| builder)).is_empty());
    }
    let usage = |kind, critical, usage: KeyUsage| {
        let der = made(kind, |builder| {
            let builder = builder.clear_extensions();
            let builder = match kind {
                Kind::Root => builder
                    .extension(&SubjectKeyIdentifier(&[1; 20]))
                    .extension(&BasicConstraints::ca(None)),
                Kind::Responder => builder
                    .extension(&ExtendedKeyUsage(
                        (&[ExtendedKeyUsage::OCSP_SIGNING]).into(),
                    ))
                    .extension(&OcspNoCheck),
                _ => builder.extension(&SubjectAltName(
                    (&[GeneralName::Dns("www.iana.org")]).into(),
                )),
            };
            builder.extension_with(critical, &usage)
        });
        check(&der)
    };
    let ca = KeyUsage::KEY_CERT_SIGN | KeyUsage::CRL_SIGN;
    let signs = KeyUsage::DIGITAL_SIGNATURE;
    for (kind, rule, right) in [
        (Kind::Root, "BR 7.1.2.10.7", ca),
        (Kind::Root, "BR 7.1.2.10.7", ca | signs),
        (Kind::Responder, "BR 7.1.2.8.7", signs),
        (Kind::Server, "BR 7.1.2.7.11", signs),
        (
            Kind::Server,
            "BR 7.1.2.7.11",
            signs | KeyUsage::KEY_AGREEMENT,
        ),
    ] {
        assert!(usage(kind, true, right).is_empty(), "{right:?}");
        assert_eq!(usage(kind, false, right), [rule], "not critical");
        let more = right | KeyUsage::NON_REPUDIATION;
        assert_eq!(usage(kind, true, more), [rule]);
    }
    assert_eq!(
        usage(Kind::Root, true, KeyUsage::KEY_CERT_SIGN),
        ["BR 7.1.2.10.7"]
    );
    let both = usage(Kind::Responder, true, KeyUsage::NON_REPUDIATION);
    assert_eq!(both, ["BR 7.1.2.8.7"; 2]);

    // A responder has no policies, lists, constraints and names, and need not be asked about.
    let uri = [GeneralName::Uri("http://www.iana.org/crl")];
    let points = [DistributionPoint::at((&uri).into())];
    let policies = [PolicyInformation::new("2.23.140.1.2.1".parse().unwrap())];
    let names = [GeneralName::Dns("www.iana.org")];
    for der in [
        made(Kind::Responder, |b| {
            b.extension(&CrlDistributionPoints((&points).into()))
        }),
        made(Kind::Responder, |b| {
            b.extension(&CertificatePolicies((&policies).into()))
        }),
        made(Kind::Responder, |b| {
            b.extension(&SubjectAltName((&names).into()))
        }),
    ] {
        assert_eq!(check(&der), ["BR 7.1.2.8.2"]);
    }
    for der in [
        made(Kind::Server, |b| {
            b.extension(&CrlDistributionPoints((&points).into()))
        }),
        made(Kind::Server, |b| {
            b.extension(&CertificatePolicies((&policies).into()))
        }),
    ] {
        assert!(check(&der).is_empty());
    }
    let asked = made(Kind::Responder, |builder| {
        builder
            .clear_extensions()
            .extension(&signs)
            .extension(&ExtendedKeyUsage(
                (&[ExtendedKeyUsage::OCSP_SIGNING]).into(),
            ))
    });
    assert_eq!(check(&asked), ["BR 7.1.2.8.6"]);

    // Addresses of HTTP, which HTTPS and LDAP are not.
    for (url, right) in [
        ("http://www.iana.org/", true),
        ("HTTP://www.iana.org/", true),
        ("https://www.iana.org/", false),
        ("ldap://www.iana.org/", false),
    ] {
        let access = [AccessDescription::ocsp(url)];
        let der = made(Kind::Server, |b| {
            b.extension(&AuthorityInfoAccess((&access).into()))
        });
        assert_eq!(check(&der).is_empty(), right, "{url}");
        assert!(right || check(&der) == ["BR 7.1.2.7.7"], "{url}");
        let uri = [GeneralName::Uri(url)];
        let points = [DistributionPoint::at((&uri).into())];
        let der = made(Kind::Server, |b| {
            b.extension(&CrlDistributionPoints((&points).into()))
        });
        assert_eq!(check(&der).is_empty(), right, "{url}");
        assert!(right || check(&der) == ["BR 7.1.2.11.2"], "{url}");
    }

    // Names that nobody has.
    for (text, right) in [
        ("www.iana.org", true),
        ("*.iana.org", true),
        ("home.arpa.iana.org", true),
        ("1.1.1.1", true),
        ("2606:4700::1", true),
        ("a.example", false),
        ("a.TEST", false),
        ("a.local", false),
        ("a.internal", false),
        ("a.localhost", false),
        ("localhost", false),
        ("printer.home.arpa", false),
        ("intranet", false),
        ("10.0.0.1", false),
        ("127.0.0.1", false),
        ("172.31.255.255", false),
        ("172.32.0.0", true),
        ("192.168.1.1", false),
        ("192.169.1.1", true),
        ("203.0.113.1", false),
        ("::1", false),
        ("fe80::1", false),
        ("fd00::1", false),
        ("2001:db8::1", false),
        ("a@iana.org", false),
    ] {
        let parsed: SubjectName = text.parse().unwrap();
        let names = [parsed.as_general()];
        let der = made(Kind::Server, |builder| {
            let builder = builder.clear_extensions();
            builder
                .extension(&signs)
                .extension(&SubjectAltName((&names).into()))
        });
        let expected: &[&str] = if right { &[] } else { &["BR 7.1.2.7.12"] };
        assert_eq!(check(&der), expected, "{text}");
    }
}

/// The attributes of a subject: each once, in the order of the Baseline Requirements.
#[test]
fn the_order_of_a_subject() {
    let key = generate(KeyAlgorithm::P256);
    let public = key.public_key();
    let names = [GeneralName::Dns("www.iana.org")];
    let check = |subject: &DistinguishedName| {
        let builder = CertificateBuilder::new(
            SerialNumber::random(&mut SystemRng).unwrap(),
            subject.as_name(),
            "2026-01-01".parse().unwrap(),
            "2026-03-01".parse().unwrap(),
            subject.as_name(),
            &public,
        )
        .extension(&SubjectAltName((&names).into()));
        of(
            &builder.sign(key.signer().unwrap()).unwrap(),
            Standard::WebPki,
        )
    };
    let with = |parts: &[(Oid, &str)]| {
        let each = parts.iter();
        each.fold(DistinguishedName::new(), |name, (oid, text)| {
            name.with(*oid, text)
        })
    };
    use adamant::x509::name::{
        COMMON_NAME as CN, COUNTRY as C, DOMAIN_COMPONENT as DC, LOCALITY as L, ORGANIZATION as O,
        STREET,
    };
    for right in [
        &[][..],
        &[(CN, "www.iana.org")],
        &[
            (C, "NL"),
            (L, "Delft"),
            (O, "Adamant"),
            (CN, "www.iana.org"),
        ],
        &[(DC, "org"), (DC, "iana"), (C, "NL")],
        &[(STREET, "a"), (STREET, "b"), (O, "Adamant")],
    ] {
        let subject = with(right);
        let expected: &[&str] = match right {
            // The only name is then an alternative one, and should be critical; no issuer's name.
            [] => &["RFC 5280, 4.1.2.4", "RFC 5280, 4.2.1.6"],
            _ => &[],
        };
        assert_eq!(check(&subject), expected, "{subject}");
    }
    for wrong in [
        &[(CN, "www.iana.org"), (O, "Adamant")][..],
        &[(O, "Adamant"), (C, "NL")],
        &[(L, "Delft"), (C, "NL"), (O, "Adamant")],
        &[(O, "Adamant"), (O, "Adamant")],
        &[(CN, "www.iana.org"), (CN, "www.iana.com")],
    ] {
        let subject = with(wrong);
        assert_eq!(check(&subject), ["BR 7.1.4.2"], "{subject}");
    }
}

/// Twenty thousand names: one look-up each (the count is tested beside the look-up), here all that
/// is said of them.
#[test]
fn many_names() {
    let texts: Vec<_> = (0..20_000).map(|i| format!("h{i}.iana.org")).collect();
    let mut names: Vec<_> = texts.iter().map(|text| GeneralName::Dns(text)).collect();
    let key: PrivateKey = generate(KeyAlgorithm::P256);
    let (public, subject) = (key.public_key(), name("CN=h0.iana.org"));
    let lint = |names: &[GeneralName<'_>]| {
        let der = CertificateBuilder::new(
            SerialNumber::random(&mut SystemRng).unwrap(),
            subject.as_name(),
            "2026-01-01".parse().unwrap(),
            "2026-03-01".parse().unwrap(),
            subject.as_name(),
            &public,
        )
        .extension(&SubjectAltName(List::new(names)))
        .sign(key.signer().unwrap())
        .unwrap();
        lint::certificate(&der, Standard::Rfc5280)
    };
    assert!(lint(&names).is_empty());
    names.push(names[7]);
    names.push(names[19_999]);
    let said: Vec<_> = lint(&names)
        .into_iter()
        .map(|finding| finding.what)
        .collect();
    assert_eq!(
        said,
        [
            "DNS:h7.iana.org: there twice",
            "DNS:h19999.iana.org: there twice"
        ]
    );
}
