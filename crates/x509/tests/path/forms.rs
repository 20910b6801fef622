//! Forms that a profile refuses, or a leniency lets pass.

use adamant_der::{Leniency, Oid, Reader, Writer, oid};
use adamant_x509::crl::{CertificateList, CrlBuilder, Revocation as Entry};
use adamant_x509::extensions::*;
use adamant_x509::path::{
    Options, PathErrorKind as Kind, Profile, Revocation, RevocationError, Strictness, TrustAnchor,
    validate,
};
use adamant_x509::{Certificate, Element, ErrorKind};

use super::chain::{Entity, at, ca};

/// What a profile says of a leaf with this extension, below a root of its own.
fn verdict(
    profile: Profile,
    revocation: Option<&[CertificateList<'_>]>,
    leaf: &[u8],
) -> Result<(), Kind> {
    let root = Entity::new("Root", 1);
    let own = root.issue(&root, 1, |builder| ca(builder, &root, None));
    let own = Certificate::from_der(&own).unwrap();
    let anchors = [TrustAnchor::from_certificate(&own).unwrap()];
    let leaf = Certificate::from_der(leaf).unwrap();
    let options = Options {
        revocation: revocation.map(|lists| Revocation::new(lists, &[], Strictness::Hard)),
        ..Options::new(profile, at())
    };
    let verdict = validate(&leaf, &[], &anchors, &options);
    verdict.map(drop).map_err(|error| error.kind)
}

/// RFC 5280, 4.2.1.13: a point has a name or an issuer of lists, in either extension.
#[test]
fn distribution_points() {
    let [root, leaf] = [Entity::new("Root", 1), Entity::new("Leaf", 2)];
    let names = [GeneralName::Uri("http://crl.adamant.example/ca.crl")];
    let issuer = [GeneralName::Directory(root.name.as_name())];
    let named = DistributionPoint::at((&names).into());
    let reasons = Some(ReasonFlags::from_bits(0x4000));
    let empty = DistributionPoint::default();
    let indirect = DistributionPoint {
        crl_issuer: Some((&issuer).into()),
        ..empty
    };
    let only = |point| DistributionPoint { reasons, ..point };
    for (points, right) in [
        (vec![named], true),
        (vec![only(named)], true),
        (vec![indirect], true),
        (vec![only(indirect), named], true),
        (vec![empty], false),
        (vec![only(empty)], false),
        (vec![named, only(empty)], false),
    ] {
        let list = adamant_x509::List::new(&points);
        for der in [
            root.issue(&leaf, 2, |b| b.extension(&CrlDistributionPoints(list))),
            root.issue(&leaf, 2, |b| b.extension(&FreshestCrl(list))),
        ] {
            assert_eq!(verdict(Profile::Path, None, &der), Ok(()));
            let rule = "4.2.1.13: distribution point with neither a name nor an issuer";
            let expected = match right {
                true => Ok(()),
                false => Err(Kind::Nonconforming(rule)),
            };
            assert_eq!(
                verdict(Profile::Rfc5280, None, &der),
                expected,
                "{points:?}"
            );
        }
    }
}

/// RFC 5280, 5.2.5: an IssuingDistributionPoint says something.
#[test]
fn issuing_distribution_points() {
    let [root, leaf] = [Entity::new("Root", 1), Entity::new("Leaf", 2)];
    let der = root.issue(&leaf, 2, |builder| builder);
    let user = IssuingDistributionPoint {
        only_user_certs: true,
        ..IssuingDistributionPoint::default()
    };
    for (scope, right) in [(user, true), (IssuingDistributionPoint::default(), false)] {
        let [this, next] = ["2025-12-31", "2026-01-31"].map(|text| text.parse().unwrap());
        let list = CrlBuilder::new(root.name.as_name(), this, next)
            .number(1.into())
            .authority_key_id(&root.id)
            .extension(&scope)
            .sign([], root.key.signer().unwrap())
            .unwrap();
        let lists = [CertificateList::from_der(&list).unwrap()];
        assert_eq!(verdict(Profile::Path, Some(&lists), &der), Ok(()));
        let found = verdict(Profile::Rfc5280, Some(&lists), &der);
        let rule = "5.2.5: empty IssuingDistributionPoint";
        let expected = match right {
            true => Ok(()),
            false => Err(Kind::UnknownStatus(RevocationError::Nonconforming(rule))),
        };
        assert_eq!(found, expected);
    }
}

/// A dot in front of a domain: refused, and by its leniency the hosts below the domain.
#[test]
fn dots_in_front_of_domains() {
    let [root, issuer, leaf] =
        ["Root", "CA", "Leaf"].map(|name| Entity::new(name, name.len() as u8));
    let own = root.issue(&root, 1, |builder| ca(builder, &root, None));
    let own = Certificate::from_der(&own).unwrap();
    let anchors = [TrustAnchor::from_certificate(&own).unwrap()];
    let options = Options::new(Profile::Rfc5280, at());
    let tree = [GeneralSubtree(GeneralName::Dns(".a.example"))];
    let check = |excluded: bool, host: &str, leniency: Leniency| {
        let trees = Some((&tree).into());
        let constraints = match excluded {
            true => NameConstraints {
                permitted: None,
                excluded: trees,
            },
            false => NameConstraints {
                permitted: trees,
                excluded: None,
            },
        };
        let middle = root.issue(&issuer, 2, |b| ca(b, &issuer, None).extension(&constraints));
        let names = [GeneralName::Dns(host)];
        let der = issuer.issue(&leaf, 3, |b| b.extension(&SubjectAltName((&names).into())));
        let middle = [Certificate::from_der_lenient(&middle, leniency).unwrap()];
        let der = Certificate::from_der(&der).unwrap();
        let verdict = validate(&der, &middle, &anchors, &options);
        verdict.map(drop).map_err(|error| error.kind)
    };
    for (host, below) in [
        ("b.a.example", true),
        ("c.b.A.example", true),
        ("a.example", false),
        ("ba.example", false),
        ("b.c.example", false),
        ("*.a.example", true),
        ("*.b.a.example", true),
        ("*.example", false),
    ] {
        let permitted = check(false, host, Leniency::LEADING_DOTS);
        let excluded = check(true, host, Leniency::LEADING_DOTS);
        assert_eq!(permitted.is_ok(), below, "{host}: {permitted:?}");
        assert_eq!(excluded.is_ok(), !below, "{host}: {excluded:?}");
        for excluded in [false, true] {
            assert!(check(excluded, host, Leniency::NONE).is_err(), "{host}");
        }
    }
    // Strictly it is the constraint that cannot be read.
    let der = root.issue(&issuer, 2, |builder| {
        builder.extension(&NameConstraints {
            permitted: Some((&tree).into()),
            excluded: None,
        })
    });
    let certificate = Certificate::from_der(&der).unwrap();
    let constraints = certificate
        .extensions()
        .find(&oid!("2.5.29.30"))
        .unwrap()
        .unwrap();
    let error = constraints.decode::<NameConstraints<'_>>().unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Der(_)));
}

/// A critical extension that nobody knows.
#[derive(Clone, Copy)]
struct Unknown;

impl Element<'_> for Unknown {
    fn read(r: &mut Reader<'_>) -> adamant_x509::Result<Self> {
        Ok(r.null().map(|()| Self)?)
    }

    fn write(&self, w: &mut Writer) {
        w.null();
    }
}

impl ExtensionValue<'_> for Unknown {
    const OID: Oid = oid!("1.3.6.1.4.1.55738.666.1");
    const CRITICAL: bool = true;
}

/// The number of a list, as one that must be understood.
#[derive(Clone, Copy)]
struct Critical(CrlNumber);

impl Element<'_> for Critical {
    fn read(r: &mut Reader<'_>) -> adamant_x509::Result<Self> {
        CrlNumber::read(r).map(Self)
    }

    fn write(&self, w: &mut Writer) {
        self.0.write(w);
    }
}

impl ExtensionValue<'_> for Critical {
    const OID: Oid = CrlNumber::OID;
    const CRITICAL: bool = true;
}

/// RFC 5280, 5.2.3: a list has a number, which is not critical.
#[test]
fn numbers_of_lists() {
    let [root, leaf] = [Entity::new("Root", 1), Entity::new("Leaf", 2)];
    let der = root.issue(&leaf, 2, |builder| builder);
    let [this, next] = ["2025-12-31", "2026-01-31"].map(|text| text.parse().unwrap());
    let list = || CrlBuilder::new(root.name.as_name(), this, next).authority_key_id(&root.id);
    let critical = Critical(CrlNumber(1.into()));
    for (builder, rule) in [
        (list().number(1.into()), None),
        (list(), Some("5.2.3: list without a number")),
        (
            list().extension(&critical),
            Some("5.2.3: critical number of a list"),
        ),
    ] {
        let list = builder.sign([], root.key.signer().unwrap()).unwrap();
        let lists = [CertificateList::from_der(&list).unwrap()];
        assert_eq!(verdict(Profile::Path, Some(&lists), &der), Ok(()));
        let expected = match rule {
            None => Ok(()),
            Some(rule) => Err(Kind::UnknownStatus(RevocationError::Nonconforming(rule))),
        };
        assert_eq!(verdict(Profile::Rfc5280, Some(&lists), &der), expected);
    }
}

/// What is wrong with a list counts where it is about the certificate, and then in any case; but not
/// where it is about others.
#[test]
fn lists_with_a_fault() {
    let [root, leaf] = [Entity::new("Root", 1), Entity::new("Leaf", 2)];
    let own = root.issue(&root, 1, |builder| ca(builder, &root, None));
    let der = root.issue(&leaf, 7, |builder| builder);
    let [own, der] = [&own, &der].map(|der| Certificate::from_der(der).unwrap());
    let anchors = [TrustAnchor::from_certificate(&own).unwrap()];
    let ask = |list: &[u8], strictness| {
        let lists = [CertificateList::from_der(list).unwrap()];
        let options = Options {
            revocation: Some(Revocation::new(&lists, &[], strictness)),
            ..Options::new(Profile::Rfc5280, at())
        };
        let verdict = validate(&der, &[], &anchors, &options);
        verdict.map(drop).map_err(|error| error.kind)
    };
    let [this, next] = ["2025-12-31", "2026-01-31"].map(|text| text.parse().unwrap());
    let issuer = [GeneralName::Directory(root.name.as_name())];
    let entry = || Entry::new(7.into(), this);
    let other = || Entry::new(8.into(), this);
    for about_it in [true, false] {
        let list = |unknown: bool, entry: Entry<'_>| {
            let mut builder = CrlBuilder::new(root.name.as_name(), this, next)
                .number(1.into())
                .authority_key_id(&root.id)
                .extension(&IssuingDistributionPoint {
                    only_user_certs: about_it,
                    only_ca_certs: !about_it,
                    ..IssuingDistributionPoint::default()
                });
            if unknown {
                builder = builder.extension(&Unknown);
            }
            builder.sign([entry], root.key.signer().unwrap()).unwrap()
        };
        let mut forged = list(false, entry());
        *forged.last_mut().unwrap() ^= 1;
        for (list, counts) in [
            (list(false, other()), None),
            (list(true, other()), Some(true)),
            (
                list(false, other().certificate_issuer((&issuer).into())),
                Some(about_it),
            ),
            (
                list(false, entry().reason(RevocationReason::RemoveFromCrl)),
                Some(about_it),
            ),
            (forged, Some(about_it)),
        ] {
            let hard = ask(&list, Strictness::Hard);
            let soft = ask(&list, Strictness::Soft);
            match counts {
                None => assert_eq!(hard.is_ok(), about_it),
                Some(true) => assert!(
                    matches!(&hard, Err(Kind::UnknownStatus(error)) if *error != RevocationError::Nothing)
                ),
                Some(false) => {
                    assert_eq!(hard, Err(Kind::UnknownStatus(RevocationError::Nothing)));
                }
            }
            assert_eq!(soft.is_ok(), counts != Some(true), "{soft:?}");
        }
    }
}
