//! Lists of a part of an issuer's certificates, of changes, and of several issuers' certificates.

use adamant_der::oid;
use adamant_x509::crl::{CertificateList, CrlBuilder, FullCertificateList, Revocation};
use adamant_x509::extensions::*;
use adamant_x509::{DistinguishedName, KeyAlgorithm, SerialNumber};

use super::entity::{Entity, days, now};
use super::program::OpenSsl;

const FULL: [GeneralName<'static>; 1] = [GeneralName::Uri("http://crl.example/2.crl")];
const FRESH: [GeneralName<'static>; 1] = [GeneralName::Uri("http://crl.example/2.delta")];

/// A server whose certificate names the second part of the list and where its changes are.
fn server(name: &str, issuer: &Entity) -> Entity {
    Entity::new(KeyAlgorithm::P256, name, Some(issuer), |builder| {
        builder
            .extension(&BasicConstraints::end_entity())
            .extension(&CrlDistributionPoints(
                (&[DistributionPoint::at((&FULL).into())]).into(),
            ))
            .extension(&FreshestCrl(
                (&[DistributionPoint::at((&FRESH).into())]).into(),
            ))
    })
}

fn builder<'a>(ca: &'a Entity, number: u64) -> CrlBuilder<'a> {
    CrlBuilder::new(ca.name.as_name(), now(), days(now(), 7))
        .authority_key_id(&ca.key.public_key().key_id())
        .number(SerialNumber::from(number))
        .extension(&IssuingDistributionPoint {
            name: Some(DistributionPointName::Full((&FULL).into())),
            only_user_certs: true,
            ..IssuingDistributionPoint::default()
        })
}

#[test]
fn our_parts_and_changes_there() {
    let Some(ssl) = OpenSsl::new() else { return };
    let ca = Entity::ca(KeyAlgorithm::P256, "CA", None);
    ssl.write("ca.pem", ca.pem());
    let [held, revoked, later] = ["Held", "Revoked", "Later"].map(|name| {
        let entity = server(name, &ca);
        ssl.write(&format!("{name}.pem"), entity.pem());
        entity
    });
    let entry = |entity: &Entity, reason| {
        Revocation::new(*entity.certificate().serial(), now()).reason(reason)
    };
    let fresh = [DistributionPoint::at((&FRESH).into())];
    let fresh = FreshestCrl((&fresh).into());
    let base = builder(&ca, 1)
        .extension(&fresh)
        .sign(
            [
                entry(&held, RevocationReason::CertificateHold),
                entry(&revoked, RevocationReason::KeyCompromise),
            ],
            ca.key.signer().unwrap(),
        )
        .unwrap();
    let delta = builder(&ca, 2)
        .delta(SerialNumber::from(1))
        .sign(
            [
                entry(&held, RevocationReason::RemoveFromCrl),
                entry(&later, RevocationReason::Superseded),
            ],
            ca.key.signer().unwrap(),
        )
        .unwrap();
    let [base_pem, delta_pem] =
        [&base, &delta].map(|der| CertificateList::from_der(der).unwrap().to_pem());
    ssl.write("base.crl", &base_pem);
    ssl.write("delta.crl", &delta_pem);
    ssl.write("both.crl", [base_pem, delta_pem].concat());
    let said = ssl.run("crl -in delta.crl -noout -text");
    for part in [
        "Only User Certificates",
        "2.crl",
        "Delta CRL Indicator: critical",
        "Remove From CRL",
    ] {
        assert!(said.contains(part), "{part} is not in\n{said}");
    }
    let verdict = |lists: &str, options: &str, name: &str| {
        let (good, said) = ssl.try_run(&format!(
            "verify -CAfile ca.pem -crl_check -CRLfile {lists} {options} {name}.pem"
        ));
        assert_eq!(good, !said.contains("certificate revoked"), "{said}");
        good
    };
    let base = FullCertificateList::from_der(&base).unwrap();
    let delta = FullCertificateList::from_der(&delta).unwrap();
    assert!(base.takes(&delta) && !delta.takes(&base) && delta.is_delta());
    for (name, entity, alone, both) in [
        ("Held", &held, false, true),
        ("Revoked", &revoked, false, false),
        ("Later", &later, true, false),
    ] {
        assert_eq!(verdict("base.crl", "-extended_crl", name), alone, "{name}");
        assert_eq!(
            verdict("both.crl", "-extended_crl -use_deltas", name),
            both,
            "{name}"
        );
        let certificate = entity.certificate();
        let issuer = certificate.issuer().unwrap();
        let point = DistributionPoint::at((&FULL).into());
        assert!(base.covers(&issuer, false, Some(&point)));
        let find = |delta| {
            base.find_with(delta, &issuer, certificate.serial())
                .unwrap()
        };
        assert_eq!(find(None).is_none(), alone);
        assert_eq!(find(Some(&delta)).is_none(), both);
    }
}

#[test]
fn our_lists_of_several_issuers_there() {
    let Some(ssl) = OpenSsl::new() else { return };
    let root = Entity::ca(KeyAlgorithm::P256, "Root", None);
    let lister = Entity::ca(KeyAlgorithm::Ed25519, "Lists", Some(&root));
    let names = [GeneralName::Directory(lister.name.as_name())];
    let point = DistributionPoint {
        name: Some(DistributionPointName::Full((&FULL).into())),
        reasons: None,
        crl_issuer: Some((&names).into()),
    };
    let server = |name| {
        Entity::new(KeyAlgorithm::P256, name, Some(&root), |builder| {
            builder.extension(&CrlDistributionPoints((&[point]).into()))
        })
    };
    let (revoked, good) = (server("Revoked"), server("Good"));
    let issuer = [GeneralName::Directory(root.name.as_name())];
    let serials = [&revoked, &good].map(|entity| *entity.certificate().serial());
    let der = CrlBuilder::new(lister.name.as_name(), now(), days(now(), 7))
        .authority_key_id(&lister.key.public_key().key_id())
        .number(SerialNumber::from(1))
        .extension(&IssuingDistributionPoint {
            name: Some(DistributionPointName::Full((&FULL).into())),
            indirect: true,
            ..IssuingDistributionPoint::default()
        })
        .sign(
            [
                // This number of the one who makes the list, then two of the root.
                Revocation::new(serials[1], now()),
                Revocation::new(SerialNumber::from(5), now()).certificate_issuer((&issuer).into()),
                Revocation::new(serials[0], now()).reason(RevocationReason::KeyCompromise),
            ],
            lister.key.signer().unwrap(),
        )
        .unwrap();
    let list = FullCertificateList::from_der(&der).unwrap();
    assert_eq!(list.to_der(), der);
    let root_name = root.name.as_name();
    assert!(list.covers(&root_name, false, Some(&point)));
    assert!(!list.covers(&root_name, false, None));
    assert!(list.find_of(&root_name, &serials[0]).unwrap().is_some());
    assert!(list.find_of(&root_name, &serials[1]).unwrap().is_none());
    let lister_name = lister.name.as_name();
    assert!(list.find_of(&lister_name, &serials[1]).unwrap().is_some());

    ssl.write("lists.crl", list.to_pem());
    ssl.write("root.pem", root.pem());
    ssl.write("lister.pem", lister.pem());
    for (entity, is_good) in [(&revoked, false), (&good, true)] {
        ssl.write("it.pem", entity.pem());
        let (said_good, said) = ssl.try_run(
            "verify -CAfile root.pem -untrusted lister.pem -crl_check -extended_crl \
             -CRLfile lists.crl it.pem",
        );
        assert_eq!(said_good, is_good, "{said}");
        assert_eq!(said.contains("certificate revoked"), !is_good, "{said}");
    }
}

#[test]
fn their_parts_here() {
    let Some(ssl) = OpenSsl::new() else { return };
    let ca = Entity::ca(KeyAlgorithm::P256, "CA", None);
    ssl.write("ca.key", ca.key.to_pem().as_bytes());
    ssl.write("ca.pem", ca.pem());
    // Their reasons: held, removed from the list, a key that is suspect since a time.
    let until = "20991231235959Z";
    ssl.write(
        "index.txt",
        format!(
            "R\t{until}\t250102030405Z,certificateHold\t05\tunknown\t/CN=Held\n\
             R\t{until}\t250102030405Z,removeFromCRL\t06\tunknown\t/CN=Removed\n\
             R\t{until}\t250102030405Z,keyTime,20241231235959Z\t07\tunknown\t/CN=Suspect\n"
        ),
    );
    for (point, only_ca, indirect, reasons, relative) in [
        (
            "fullname = URI:http://crl.example/2.crl\nonlyCA = TRUE",
            true,
            false,
            None,
            false,
        ),
        (
            "relativename = part\nindirectCRL = TRUE",
            false,
            true,
            None,
            true,
        ),
        (
            "fullname = URI:http://crl.example/2.crl\nonlysomereasons = keyCompromise, CACompromise",
            false,
            false,
            Some(ReasonFlags::from_bits(0x6000)),
            false,
        ),
    ] {
        ssl.write(
            "ca.cnf",
            format!(
                "[ca]\ndefault_ca = it\n[it]\ndatabase = index.txt\ncrlnumber = number.txt\n\
                 default_md = default\ndefault_crl_days = 7\ncrl_extensions = list\n\
                 [list]\nauthorityKeyIdentifier = keyid:always\n\
                 issuingDistributionPoint = critical, @point\n\
                 freshestCRL = URI:http://crl.example/2.delta\n\
                 2.5.29.27 = critical, DER:020107\n\
                 [part]\nOU = Two\n[point]\n{point}\n"
            ),
        );
        ssl.write("number.txt", "08\n");
        ssl.run("ca -config ca.cnf -gencrl -keyfile ca.key -cert ca.pem -out ca.crl");
        let der = ssl.read_pem("ca.crl");
        let list = FullCertificateList::from_der(&der).unwrap();
        assert_eq!(list.to_der(), der);
        list.verify(&ca.key.public_key()).unwrap();
        let said = &list.extensions;
        assert_eq!(said.delta_crl_indicator, Some(DeltaCrlIndicator(7.into())));
        let fresh = said.freshest_crl.unwrap().0.iter().next().unwrap();
        assert_eq!(fresh, DistributionPoint::at((&FRESH).into()));
        let scope = said.issuing_distribution_point.unwrap();
        assert_eq!(
            (scope.only_ca_certs, scope.indirect, scope.only_some_reasons),
            (only_ca, indirect, reasons)
        );
        let name = ca.name.as_name();
        match scope.name {
            Some(DistributionPointName::Relative(rdn)) => {
                assert!(relative);
                let unit = DistinguishedName::new().with(oid!("2.5.4.11"), "Two");
                assert!(unit.as_name().rdns().eq([rdn]));
            }
            _ => assert!(!relative),
        }
        let point = DistributionPoint {
            name: scope.name,
            ..DistributionPoint::default()
        };
        assert!(list.covers(&name, true, Some(&point)));
        assert_eq!(list.covers(&name, false, Some(&point)), !only_ca);
        assert!(!list.covers(&name, true, Some(&DistributionPoint::at((&FRESH).into()))));
        let all = ReasonFlags::from_bits(0x7f80);
        assert_eq!(list.reasons(Some(&point)), reasons.unwrap_or(all));
        let entry = |serial: u64| list.find(&serial.into()).unwrap().unwrap();
        assert_eq!(
            entry(5).reason(),
            Ok(Some(RevocationReason::CertificateHold))
        );
        assert_eq!(entry(6).reason(), Ok(Some(RevocationReason::RemoveFromCrl)));
        assert_eq!(entry(7).reason(), Ok(Some(RevocationReason::KeyCompromise)));
        let since = entry(7).extensions.get::<InvalidityDate>().unwrap();
        assert_eq!(since.unwrap().0.to_string(), "2024-12-31T23:59:59Z");
    }
}
