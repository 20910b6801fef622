//! Who may sign lists and responses: revoked keys that speak for themselves and for each other, keys
//! that a CA had before, and names that are somebody else's.

use adamant_x509::crl::{CrlBuilder, Revocation as Entry};
use adamant_x509::extensions::*;
use adamant_x509::ocsp::{CertStatus, IssuerId, ResponderId, ResponseBuilder, SingleResponse};
use adamant_x509::path::{PathErrorKind as Kind, RevocationError as Unclear, Strictness};
use adamant_x509::{Certificate, CertificateBuilder, SerialNumber};

use super::chain::{Entity, ca};
use super::revocation::{Question, time};

const HARD: Strictness = Strictness::Hard;
const SOFT: Strictness = Strictness::Soft;

/// A list with a number of the signer's, naming the authority key identifier that is given.
fn list_with(signer: &Entity, key_id: Option<&[u8]>, revoked: &[u64]) -> Vec<u8> {
    let (from, until) = (time("2025-12-31"), time("2026-01-02"));
    let entries = revoked
        .iter()
        .map(|&serial| Entry::new(SerialNumber::from(serial), time("2025-06-01")));
    let mut builder =
        CrlBuilder::new(signer.name.as_name(), from, until).number(SerialNumber::from(9));
    if let Some(key_id) = key_id {
        builder = builder.authority_key_id(key_id);
    }
    builder.sign(entries, signer.key.signer().unwrap()).unwrap()
}

fn list(signer: &Entity, revoked: &[u64]) -> Vec<u8> {
    list_with(signer, Some(&signer.id), revoked)
}

/// What may sign lists, with no other right.
fn lister<'a>(builder: CertificateBuilder<'a>, subject: &Entity) -> CertificateBuilder<'a> {
    builder
        .extension(&SubjectKeyIdentifier(&subject.id))
        .extension(&KeyUsage::CRL_SIGN)
}

struct Scene<'s> {
    root: &'s [u8],
    others: Vec<Vec<u8>>,
    dedicated: bool,
}

impl Scene<'_> {
    fn ask(&self, target: &[u8], lists: &[Vec<u8>], strictness: Strictness) -> Result<(), Kind> {
        self.answered(target, lists, &[], strictness)
    }

    fn answered(
        &self,
        target: &[u8],
        lists: &[Vec<u8>],
        responses: &[Vec<u8>],
        strictness: Strictness,
    ) -> Result<(), Kind> {
        Question {
            target,
            others: &self.others,
            root: self.root,
            lists,
            responses,
            strictness,
            dedicated: self.dedicated,
            only_target: false,
        }
        .ask()
    }
}

fn is_revoked(result: &Result<(), Kind>) -> bool {
    matches!(result, Err(Kind::Revoked { .. }))
}

fn unclear(error: Unclear) -> Result<(), Kind> {
    Err(Kind::UnknownStatus(error))
}

/// A leaf with its CA's name, issued without a thought, and revoked: its key signs that nothing is.
#[test]
fn a_leaf_with_the_name_of_its_ca() {
    let root = Entity::new("Root", 1);
    let root_der = root.issue(&root, 1, |builder| ca(builder, &root, None));
    let same = Entity::new("Root", 2);
    let other = root.issue(&Entity::new("Other", 3), 8, |builder| builder);
    let honest = list(&root, &[7, 8]);
    let forms: [fn(CertificateBuilder<'_>) -> CertificateBuilder<'_>; 3] = [
        |builder| builder,
        |builder| builder.extension(&KeyUsage::CRL_SIGN),
        |builder| builder.extension(&(KeyUsage::CRL_SIGN | KeyUsage::DIGITAL_SIGNATURE)),
    ];
    for form in forms {
        let leaf = root.issue(&same, 7, |builder| {
            form(builder.extension(&SubjectKeyIdentifier(&same.id)))
        });
        for key_id in [None, Some(&same.id[..]), Some(&root.id)] {
            let forged = list_with(&same, key_id, &[]);
            for dedicated in [false, true] {
                let scene = Scene {
                    root: &root_der,
                    others: vec![leaf.clone()],
                    dedicated,
                };
                for strictness in [HARD, SOFT] {
                    for target in [&leaf, &other] {
                        let result =
                            scene.ask(target, &[honest.clone(), forged.clone()], strictness);
                        assert!(is_revoked(&result), "{result:?}");
                    }
                    // Alone, it says nothing about itself.
                    let result = scene.ask(&leaf, std::slice::from_ref(&forged), strictness);
                    assert!(result.is_err());
                    if !dedicated {
                        assert!(
                            scene
                                .ask(&other, std::slice::from_ref(&forged), strictness)
                                .is_err()
                        );
                    }
                }
                // Only the root may say that it is good.
                let result = scene.ask(&other, std::slice::from_ref(&forged), HARD);
                assert!(result.is_err(), "{dedicated}: {result:?}");
            }
        }
    }
}

/// Two revoked issuers of lists who vouch for each other.
#[test]
fn a_circle_of_signers() {
    let root = Entity::new("Root", 1);
    let root_der = root.issue(&root, 1, |builder| ca(builder, &root, None));
    let [a, b] = [2, 3].map(|seed| Entity::new("Root", seed));
    let [a_der, b_der] =
        [(&a, 5), (&b, 6)].map(|(who, serial)| root.issue(who, serial, |c| lister(c, who)));
    let leaf = root.issue(&Entity::new("Leaf", 4), 7, |builder| builder);
    let scene = Scene {
        root: &root_der,
        others: vec![a_der.clone(), b_der.clone()],
        dedicated: true,
    };
    let forged = [list(&a, &[]), list(&b, &[])];
    for target in [&leaf, &a_der, &b_der] {
        assert_eq!(
            scene.ask(target, &forged, HARD),
            unclear(Unclear::UncheckedSigner)
        );
        let honest = [&forged[..], &[list(&root, &[5, 6, 7])]].concat();
        for strictness in [HARD, SOFT] {
            assert!(is_revoked(&scene.ask(target, &honest, strictness)));
        }
        let past = [&forged[..], &[list(&root, &[5, 6])]].concat();
        assert_eq!(scene.ask(target, &past, HARD).is_ok(), *target == leaf);
    }
}

/// A key that the CA has now, or had before: what its lists need to count.
#[test]
fn another_key_of_the_ca() {
    let root = Entity::new("Root", 1);
    let root_der = root.issue(&root, 1, |builder| ca(builder, &root, None));
    let [old, new] = [2, 3].map(|seed| Entity::new("CA", seed));
    let old_der = root.issue(&old, 2, |builder| ca(builder, &old, None));
    let new_der = root.issue(&new, 3, |builder| ca(builder, &new, None));
    let leaf = old.issue(&Entity::new("Leaf", 4), 7, |builder| builder);
    let of_root = list(&root, &[]);
    let scene = |new_der: &[u8], dedicated| Scene {
        root: &root_der,
        others: vec![old_der.clone(), new_der.to_vec()],
        dedicated,
    };
    let ask = |new_der: &[u8], of_ca: Vec<u8>| {
        scene(new_der, false).ask(&leaf, &[of_root.clone(), of_ca], HARD)
    };
    assert_eq!(ask(&new_der, list(&new, &[])), Ok(()));
    assert!(is_revoked(&ask(&new_der, list(&new, &[7]))));
    for key_id in [None, Some(&old.id[..]), Some(b"another".as_slice())] {
        let refused = ask(&new_der, list_with(&new, key_id, &[]));
        assert!(matches!(
            refused,
            Err(Kind::UnknownStatus(Unclear::BadSignature(_)))
        ));
    }
    // A certificate that does not say that the key is for lists, or that it is of a CA.
    let silent = root.issue(&new, 3, |builder| {
        builder
            .extension(&BasicConstraints::ca(None))
            .extension(&SubjectKeyIdentifier(&new.id))
    });
    let no_lists = root.issue(&new, 3, |builder| {
        builder
            .extension(&BasicConstraints::ca(None))
            .extension(&SubjectKeyIdentifier(&new.id))
            .extension(&KeyUsage::KEY_CERT_SIGN)
    });
    for der in [&silent, &no_lists] {
        assert!(ask(der, list(&new, &[])).is_err());
        let asked = [of_root.clone(), list(&new, &[])];
        assert!(scene(der, true).ask(&leaf, &asked, HARD).is_err());
    }
    // One that is only for lists counts when it is asked for.
    let only_lists = root.issue(&new, 3, |builder| lister(builder, &new));
    assert!(ask(&only_lists, list(&new, &[])).is_err());
    let asked = [of_root.clone(), list(&new, &[])];
    assert_eq!(scene(&only_lists, true).ask(&leaf, &asked, HARD), Ok(()));
    // Revoked itself, expired, or of unknown status.
    let revoked = [list(&root, &[3]), list(&new, &[])];
    let result = scene(&new_der, false).ask(&leaf, &revoked, HARD);
    assert_eq!(result, unclear(Unclear::NotAuthorized));
    let past = root.issue_between(&new, 3, ["2020-01-01", "2025-01-01"], |builder| {
        ca(builder, &new, None)
    });
    assert_eq!(ask(&past, list(&new, &[])), unclear(Unclear::NotAuthorized));
    let result = Question {
        target: &leaf,
        others: &[old_der.clone(), new_der.clone()],
        root: &root_der,
        lists: &[list(&new, &[])],
        responses: &[],
        strictness: HARD,
        dedicated: false,
        only_target: true,
    };
    assert_eq!(result.ask(), unclear(Unclear::UncheckedSigner));

    // Certificates that the old key gave the new one, and the new one the old.
    for (signer, subject, serial) in [(&old, &new, 11), (&new, &old, 12)] {
        let link = signer.issue(subject, serial, |builder| ca(builder, subject, None));
        let first = match serial {
            11 => &old_der,
            _ => &new_der,
        };
        let lists = [of_root.clone(), list(&old, &[]), list(&new, &[])];
        for issuer in [&old, &new] {
            let leaf = issuer.issue(&Entity::new("Leaf", 4), 7, |builder| builder);
            let scene = Scene {
                root: &root_der,
                others: vec![first.clone(), link.clone()],
                dedicated: false,
            };
            assert_eq!(scene.ask(&leaf, &lists, HARD), Ok(()), "{serial}");
            for (i, signer) in [&old, &new].into_iter().enumerate() {
                let mut lists = lists.clone();
                lists[1 + i] = list(signer, &[7]);
                assert!(is_revoked(&scene.ask(&leaf, &lists, HARD)));
            }
        }
    }
}

/// The root has a new key, and the old one is trusted still.
#[test]
fn another_key_of_the_root() {
    let [old, new] = [1, 2].map(|seed| Entity::new("Root", seed));
    let old_der = old.issue(&old, 1, |builder| ca(builder, &old, None));
    let link = old.issue(&new, 2, |builder| ca(builder, &new, None));
    let stranger = new.issue(&new, 3, |builder| ca(builder, &new, None));
    let lists = [list(&old, &[9]), list(&new, &[7])];
    for issuer in [&old, &new] {
        let leaf = issuer.issue(&Entity::new("Leaf", 4), 7, |builder| builder);
        for (other, revoked) in [(&link, true), (&stranger, false)] {
            let scene = Scene {
                root: &old_der,
                others: vec![other.clone()],
                dedicated: false,
            };
            let result = scene.ask(&leaf, &lists, HARD);
            let expected = match (issuer.id == old.id, revoked) {
                (_, true) => is_revoked(&result),
                (true, false) => result == Ok(()),
                (false, false) => result.is_err(),
            };
            assert!(expected, "{result:?}");
        }
    }
}

/// A CA elsewhere below the root that takes the name of another.
#[test]
fn another_ca_of_that_name() {
    let root = Entity::new("Root", 1);
    let root_der = root.issue(&root, 1, |builder| ca(builder, &root, None));
    let authority = Entity::new("CA", 2);
    let authority_der = root.issue(&authority, 2, |builder| ca(builder, &authority, None));
    let foreign = Entity::new("Foreign", 3);
    let foreign_der = root.issue(&foreign, 3, |builder| ca(builder, &foreign, None));
    let impostor = Entity::new("CA", 4);
    let impostor_der = foreign.issue(&impostor, 4, |builder| ca(builder, &impostor, None));
    let leaf = authority.issue(&Entity::new("Leaf", 5), 7, |builder| builder);
    for dedicated in [false, true] {
        let scene = Scene {
            root: &root_der,
            others: vec![
                authority_der.clone(),
                foreign_der.clone(),
                impostor_der.clone(),
            ],
            dedicated,
        };
        let lists = [list(&root, &[]), list(&foreign, &[]), list(&impostor, &[])];
        assert!(scene.ask(&leaf, &lists, HARD).is_err());
        assert!(scene.ask(&leaf, &lists, SOFT).is_err());
        let honest = [&lists[..], &[list(&authority, &[7])]].concat();
        assert!(is_revoked(&scene.ask(&leaf, &honest, HARD)));
    }
}

/// Lists of another issuer that the certificate names.
#[test]
fn dedicated_issuers() {
    let root = Entity::new("Root", 1);
    let root_der = root.issue(&root, 1, |builder| ca(builder, &root, None));
    let lists = Entity::new("Lists", 2);
    let lists_der = root.issue(&lists, 2, |builder| lister(builder, &lists));
    let name = [GeneralName::Directory(lists.name.as_name())];
    let points = [DistributionPoint {
        name: None,
        reasons: None,
        crl_issuer: Some((&name).into()),
    }];
    let points = CrlDistributionPoints((&points).into());
    let leaf = root.issue(&Entity::new("Leaf", 3), 7, |c| c.extension(&points));
    let plain = root.issue(&Entity::new("Leaf", 3), 7, |builder| builder);
    let of_root = [GeneralName::Directory(root.name.as_name())];
    let indirect = |revoked: &[u64], key_id: &[u8]| {
        let (from, until) = (time("2025-12-31"), time("2026-01-02"));
        let entries = revoked.iter().map(|&serial| {
            Entry::new(SerialNumber::from(serial), time("2025-06-01"))
                .certificate_issuer((&of_root).into())
        });
        CrlBuilder::new(lists.name.as_name(), from, until)
            .number(SerialNumber::from(9))
            .authority_key_id(key_id)
            .extension(&IssuingDistributionPoint {
                indirect: true,
                ..IssuingDistributionPoint::default()
            })
            .sign(entries, lists.key.signer().unwrap())
            .unwrap()
    };
    let ask = |dedicated, target: &[u8], all: &[Vec<u8>]| {
        let scene = Scene {
            root: &root_der,
            others: vec![lists_der.clone()],
            dedicated,
        };
        scene.ask(target, all, HARD)
    };
    let direct = list(&root, &[9]);
    assert_eq!(
        ask(false, &leaf, &[indirect(&[], &lists.id)]),
        unclear(Unclear::Nothing)
    );
    assert_eq!(
        ask(false, &leaf, &[indirect(&[7], &lists.id), direct.clone()]),
        Ok(())
    );
    let both = |revoked: &[u64]| [indirect(revoked, &lists.id), direct.clone()];
    assert_eq!(ask(true, &leaf, &both(&[])), Ok(()));
    assert!(is_revoked(&ask(true, &leaf, &both(&[7]))));
    // One that the certificate does not name.
    assert_eq!(ask(true, &plain, &both(&[7])), Ok(()));
    assert_eq!(
        ask(true, &plain, &[indirect(&[], &lists.id)]),
        unclear(Unclear::Nothing)
    );
    // Without the key identifier, or revoked, or of unknown status.
    for (of_lists, of_root) in [
        (indirect(&[], b"another"), direct.clone()),
        (indirect(&[], &lists.id), list(&root, &[2, 7])),
    ] {
        let result = ask(true, &leaf, &[of_lists, of_root]);
        assert!(matches!(result, Ok(()) | Err(Kind::Revoked { .. })));
    }
    let result = ask(true, &leaf, &[indirect(&[], b"another")]);
    assert_eq!(result, unclear(Unclear::NotAuthorized));
    let result = ask(true, &leaf, &[indirect(&[], &lists.id)]);
    assert_eq!(result, unclear(Unclear::UncheckedSigner));
}

/// Responders that answer about themselves, and about each other.
#[test]
fn responders_about_themselves() {
    let root = Entity::new("Root", 1);
    let root_der = root.issue(&root, 1, |builder| ca(builder, &root, None));
    let purposes = ExtendedKeyUsage((&[ExtendedKeyUsage::OCSP_SIGNING]).into());
    let [a, b] = [("A", 2), ("B", 3)].map(|(name, seed)| Entity::new(name, seed));
    for no_check in [false, true] {
        let [a_der, b_der] = [(&a, 5), (&b, 6)].map(|(who, serial)| {
            root.issue(who, serial, |builder| match no_check {
                true => builder.extension(&purposes).extension(&OcspNoCheck),
                false => builder.extension(&purposes),
            })
        });
        let leaf = root.issue(&Entity::new("Leaf", 4), 7, |builder| builder);
        let issuer = IssuerId::new(&Certificate::from_der(&root_der).unwrap()).unwrap();
        let (from, until) = (time("2025-12-31"), time("2026-01-02"));
        let answer = |signer: &Entity, der: &[u8], serials: &[u64]| {
            let singles: Vec<_> = serials
                .iter()
                .map(|&serial| {
                    let id = issuer.cert_id(SerialNumber::from(serial));
                    SingleResponse::new(id, CertStatus::Good, from, Some(until))
                })
                .collect();
            ResponseBuilder::new(ResponderId::Name(signer.name.as_name()), from)
                .certificates(&[der])
                .sign(&singles, signer.key.signer().unwrap())
                .unwrap()
        };
        let scene = Scene {
            root: &root_der,
            others: Vec::new(),
            dedicated: false,
        };
        let of_a = answer(&a, &a_der, &[5, 6, 7]);
        let of_b = answer(&b, &b_der, &[5, 6, 7]);
        let ask = |target: &[u8], lists: &[Vec<u8>], responses: &[Vec<u8>], strictness| {
            scene.answered(target, lists, responses, strictness)
        };
        // About itself: nothing.
        let own = [of_a.clone()];
        assert_eq!(
            ask(&a_der, &[], &own, HARD),
            unclear(Unclear::NotAuthorized)
        );
        // About each other, in a circle, unless the issuer vouches for them.
        let both = [of_a.clone(), of_b.clone()];
        for target in [&leaf, &a_der, &b_der] {
            let result = ask(target, &[], &both, HARD);
            match no_check {
                true => assert_eq!(result, Ok(())),
                false => assert_eq!(result, unclear(Unclear::UncheckedSigner)),
            }
            // Both are revoked, as a list says that may be old.
            for strictness in [HARD, SOFT] {
                let lists = [list(&root, &[5, 6, 7])];
                assert!(is_revoked(&ask(target, &lists, &both, strictness)));
            }
        }
        let lists = [list(&root, &[5, 6])];
        assert_eq!(ask(&leaf, &lists, &both, HARD), Ok(()));
        assert!(is_revoked(&ask(&a_der, &lists, &both, SOFT)));
    }
}

/// A CA's certificate for the key that it has, under another name; under its own no path has it
/// beside the CA's.
#[test]
fn a_certificate_for_the_key_that_signed_it() {
    let root = Entity::new("Root", 1);
    let root_der = root.issue(&root, 1, |builder| ca(builder, &root, None));
    let authority = Entity::new("CA", 2);
    let authority_der = root.issue(&authority, 2, |builder| ca(builder, &authority, None));
    let alias = Entity::new("Alias", 2);
    let own = authority.issue(&alias, 3, |builder| ca(builder, &alias, None));
    let same = authority.issue(&authority, 4, |builder| ca(builder, &authority, None));
    let issuer = IssuerId::new(&Certificate::from_der(&authority_der).unwrap()).unwrap();
    let (from, until) = (time("2025-12-31"), time("2026-01-02"));
    let good = SingleResponse::new(
        issuer.cert_id(SerialNumber::from(3)),
        CertStatus::Good,
        from,
        Some(until),
    );
    let good = ResponseBuilder::new(ResponderId::Name(authority.name.as_name()), from)
        .sign(&[good], authority.key.signer().unwrap())
        .unwrap();
    let lists = [list(&root, &[]), list(&authority, &[])];
    for dedicated in [false, true] {
        let scene = Scene {
            root: &root_der,
            others: vec![authority_der.clone()],
            dedicated,
        };
        for responses in [&[][..], std::slice::from_ref(&good)] {
            let result = scene.answered(&own, &lists, responses, HARD);
            assert_eq!(result, unclear(Unclear::NotAuthorized));
            let result = scene.answered(&same, &lists, responses, HARD);
            assert_eq!(result, Err(Kind::UnknownIssuer("CN=CA".into())));
        }
        // The anchor's certificate is trusted, whatever is said.
        assert_eq!(scene.ask(&root_der, &[list(&root, &[1])], HARD), Ok(()));
    }
}
