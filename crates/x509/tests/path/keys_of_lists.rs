//! Which keys sign lists: how a list names its own, who bears the name of the CA, and how far it is
//! asked.

use adamant_ec::p384;
use adamant_x509::crl::{CertificateList, CrlBuilder};
use adamant_x509::extensions::*;
use adamant_x509::path::{
    Options, PathErrorKind as Kind, Profile, Revocation, RevocationError as Unclear, Strictness,
    TrustAnchor, validate,
};
use adamant_x509::{Certificate, DistinguishedName, List, PrivateKey, SerialNumber};

use super::chain::{Entity, at, ca};
use super::revocation::time;

type Id<'n> = AuthorityKeyIdentifier<'n>;
type Scope<'n> = IssuingDistributionPoint<'n>;

/// A list in the name of one with the key of another, that names no certificate.
fn list_of(name: &Entity, signer: &Entity, id: &Id<'_>, scope: Option<Scope<'_>>) -> Vec<u8> {
    let [from, until] = ["2025-12-31", "2026-01-02"].map(time);
    let mut builder = CrlBuilder::new(name.name.as_name(), from, until)
        .number(SerialNumber::from(9))
        .extension(id);
    if let Some(scope) = scope {
        builder = builder.extension(&scope);
    }
    builder.sign([], signer.key.signer().unwrap()).unwrap()
}

fn list(signer: &Entity) -> Vec<u8> {
    list_of(signer, signer, &Id::new(&signer.id), None)
}

fn ask(
    target: &[u8],
    others: &[&[u8]],
    anchor: TrustAnchor<'_>,
    lists: &[&[u8]],
    change: impl Fn(&mut Options<'_>, &mut Revocation<'_>),
) -> Result<(), Kind> {
    let target = Certificate::from_der(target).unwrap();
    let others: Vec<_> = others
        .iter()
        .map(|der| Certificate::from_der(der).unwrap())
        .collect();
    let lists: Vec<_> = lists
        .iter()
        .map(|der| CertificateList::from_der(der).unwrap())
        .collect();
    let mut revocation = Revocation::new(&lists, &[], Strictness::Hard);
    let mut options = Options::new(Profile::Rfc5280, at());
    change(&mut options, &mut revocation);
    options.revocation = Some(revocation);
    let anchors = [anchor];
    let verdict = validate(&target, &others, &anchors, &options);
    verdict.map(drop).map_err(|error| error.kind)
}

fn only_target(_: &mut Options<'_>, revocation: &mut Revocation<'_>) {
    revocation.only_target = true;
}

fn anchor(der: &[u8]) -> TrustAnchor<'_> {
    TrustAnchor::from_certificate(&Certificate::from_der(der).unwrap()).unwrap()
}

/// Refused, as the key that signed the certificate did not sign the list.
fn is_refused(verdict: &Result<(), Kind>) -> bool {
    matches!(verdict, Err(Kind::UnknownStatus(Unclear::BadSignature(_))))
}

/// RFC 5280, 4.2.1.1: by the key's identifier, by its certificate's issuer and number, or both,
/// which then are both right.
#[test]
fn identifiers() {
    let root = Entity::new("Root", 1);
    let own = root.issue(&root, 1, |builder| ca(builder, &root, None));
    let [old, new] = [2, 3].map(|seed| Entity::new("CA", seed));
    let old_der = root.issue(&old, 2, |builder| ca(builder, &old, None));
    let with = root.issue(&new, 3, |builder| ca(builder, &new, None));
    let without = root.issue(&new, 3, |builder| {
        builder
            .extension(&BasicConstraints::ca(None))
            .extension(&(KeyUsage::KEY_CERT_SIGN | KeyUsage::CRL_SIGN))
    });
    let leaf = old.issue(&Entity::new("Leaf", 4), 7, |builder| builder);
    let [same, other] = ["root", "Toor"].map(|text| DistinguishedName::new().common_name(text));
    let [same, other] = [&same, &other].map(|name| GeneralName::Directory(name.as_name()));
    let (same, other) = ([GeneralName::Dns("a.example"), same], [other]);
    let issuer = |names, serial: u64| Some((names, SerialNumber::from(serial)));
    let [same, other] = [List::new(&same), List::new(&other)];
    for (key_id, issuer, named, by_number) in [
        (Some(&new.id[..]), None, true, false),
        (Some(&old.id[..]), None, false, false),
        (None, issuer(same, 3), true, true),
        (None, issuer(same, 2), false, false),
        (None, issuer(other, 3), false, false),
        (Some(&new.id[..]), issuer(same, 3), true, false),
        (Some(&new.id[..]), issuer(same, 2), false, false),
        (Some(&old.id[..]), issuer(same, 3), false, false),
        (None, None, false, false),
    ] {
        let id = Id { key_id, issuer };
        let lists = [&list(&root)[..], &list_of(&new, &new, &id, None)];
        for (der, good) in [(&with, named), (&without, by_number)] {
            let found = ask(
                &leaf,
                &[&old_der, der],
                anchor(&own),
                &lists,
                |options, revocation| {
                    // Elsewhere each CA has an identifier.
                    options.profile = Profile::Path;
                    revocation.only_target = true;
                },
            );
            match good {
                true => assert_eq!(found, Ok(()), "{id:?}"),
                false => assert!(is_refused(&found), "{id:?}: {found:?}"),
            }
        }
    }
}

/// The key of an anchor signs for a younger one of its name: always where it is only a key, else
/// where its certificate says so and the list names it.
#[test]
fn anchors() {
    let [old, new] = [1, 2].map(|seed| Entity::new("Root", seed));
    let link = old.issue(&new, 2, |builder| ca(builder, &new, None));
    let leaf = new.issue(&Entity::new("Leaf", 3), 7, |builder| builder);
    let [full, silent, other] = [
        Some(KeyUsage::KEY_CERT_SIGN | KeyUsage::CRL_SIGN),
        None,
        Some(KeyUsage::KEY_CERT_SIGN),
    ]
    .map(|usage| {
        old.issue(&old, 1, |builder| {
            let builder = builder
                .extension(&BasicConstraints::ca(None))
                .extension(&SubjectKeyIdentifier(&old.id));
            match usage {
                Some(usage) => builder.extension(&usage),
                None => builder,
            }
        })
    });
    let certificate = Certificate::from_der(&full).unwrap();
    let key = TrustAnchor::new(old.name.as_name(), certificate.spki().unwrap());
    let named = list(&old);
    let unnamed = list_of(&old, &old, &Id::new(&new.id), None);
    for (anchor, list, good) in [
        (key, &named, true),
        (key, &unnamed, true),
        (anchor(&full), &named, true),
        (anchor(&full), &unnamed, false),
        (anchor(&silent), &named, false),
        (anchor(&other), &named, false),
    ] {
        let found = ask(&leaf, &[&link], anchor, &[list], only_target);
        match good {
            true => assert_eq!(found, Ok(())),
            false => assert!(is_refused(&found), "{found:?}"),
        }
    }
    // For its own certificates it need not be named, but it must have signed the list.
    let leaf = old.issue(&Entity::new("Leaf", 3), 7, |builder| builder);
    assert_eq!(ask(&leaf, &[], key, &[&unnamed], only_target), Ok(()));
    let forged = list_of(&old, &new, &Id::new(&old.id), None);
    for anchor in [key, anchor(&full)] {
        // Once each: the leaf's signature, and the list's.
        for (signatures, costly) in [(2, false), (1, true)] {
            let found = ask(&leaf, &[], anchor, &[&forged], |options, _| {
                options.limits.signatures = signatures;
            });
            match costly {
                true => assert!(matches!(found, Err(Kind::TooCostly(_)))),
                false => assert!(is_refused(&found), "{found:?}"),
            }
        }
    }
}

/// The usage that counts is that of who issued the certificate, and no other's of the path.
#[test]
fn usage_of_issuers() {
    let entities = [("Root", 1), ("CA", 2), ("Leaf", 3)].map(|(name, key)| Entity::new(name, key));
    let [root, middle, leaf] = &entities;
    let signs = KeyUsage::KEY_CERT_SIGN;
    let issue = |issuer: &Entity, subject: &Entity, serial, usage: KeyUsage| {
        issuer.issue(subject, serial, |builder| {
            builder
                .extension(&BasicConstraints::ca(None))
                .extension(&SubjectKeyIdentifier(&subject.id))
                .extension(&usage)
        })
    };
    let lists = [&list(root)[..], &list(middle)];
    let refused = Err(Kind::UnknownStatus(Unclear::NotAuthorized));
    for (of_root, of_middle, of_leaf) in [
        (true, true, true),
        (true, true, false),
        (true, false, true),
        (false, true, false),
        (false, false, true),
    ] {
        let usage = |lists| {
            if lists {
                signs | KeyUsage::CRL_SIGN
            } else {
                signs
            }
        };
        let own = issue(root, root, 1, usage(of_root));
        let others = [&issue(root, middle, 2, usage(of_middle))[..]];
        for (issuer, others, good) in [(root, &[][..], of_root), (middle, &others, of_middle)] {
            let target = issue(issuer, leaf, 7, usage(of_leaf));
            let found = ask(&target, others, anchor(&own), &lists, only_target);
            match good {
                true => assert_eq!(found, Ok(())),
                false => assert_eq!(found, refused),
            }
        }
    }
}

/// A CA's key is on its own curve, not that of the CA above.
#[test]
fn curves() {
    let key = p384::PrivateKey::from_bytes(&[1; 48]).unwrap();
    let key = PrivateKey::P384(key);
    let root = Entity {
        public: key.public_key(),
        id: key.public_key().key_id(),
        key,
        ..Entity::new("Root", 1)
    };
    let own = root.issue(&root, 1, |builder| ca(builder, &root, None));
    let middle = Entity::new("CA", 2);
    let middle_der = root.issue(&middle, 2, |builder| ca(builder, &middle, None));
    let leaf = middle.issue(&Entity::new("Leaf", 3), 7, |builder| builder);
    let lists = [&list(&root)[..], &list(&middle)];
    assert_eq!(
        ask(&leaf, &[&middle_der], anchor(&own), &lists, |_, _| {}),
        Ok(())
    );
}

/// Only the target is asked for, or every certificate of the path.
#[test]
fn who_is_asked_for() {
    let entities: Vec<_> = (0..4)
        .map(|i| Entity::new(&format!("Level {i}"), 1 + i))
        .collect();
    let chain: Vec<_> = (entities.windows(2))
        .map(|pair| pair[0].issue(&pair[1], 2, |builder| ca(builder, &pair[1], None)))
        .collect();
    let own = entities[0].issue(&entities[0], 1, |builder| ca(builder, &entities[0], None));
    let others = [&chain[1][..], &chain[0]];
    let lists: Vec<_> = entities.iter().map(list).collect();
    let nothing = Err(Kind::UnknownStatus(Unclear::Nothing));
    for (known, of_target, of_all) in [
        ([true, true, true], true, true),
        ([false, true, true], true, false),
        ([true, false, true], true, false),
        ([true, true, false], false, false),
    ] {
        let lists =
            (lists.iter().zip(known)).filter_map(|(list, known)| known.then_some(&list[..]));
        let lists: Vec<_> = lists.collect();
        for (only, good) in [(true, of_target), (false, of_all)] {
            let found = ask(&chain[2], &others, anchor(&own), &lists, |_, revocation| {
                revocation.only_target = only;
            });
            match good {
                true => assert_eq!(found, Ok(())),
                false => assert_eq!(found, nothing),
            }
        }
    }
}

/// CAs that take the name of the one above, or whose certificate is from its key's other name.
#[test]
fn bearers_of_the_name() {
    let root = Entity::new("Root", 1);
    let own = root.issue(&root, 1, |builder| ca(builder, &root, None));
    let between = Entity::new("CA", 2);
    let between_der = root.issue(&between, 2, |builder| ca(builder, &between, None));
    let impostor = Entity::new("Root", 3);
    let impostor_der = between.issue(&impostor, 3, |builder| ca(builder, &impostor, None));
    let leaf = root.issue(&Entity::new("Leaf", 4), 7, |builder| builder);
    let others = [&between_der[..], &impostor_der];
    let lists = [&list(&between)[..], &list(&impostor)];
    let found = ask(&leaf, &others, anchor(&own), &lists, only_target);
    assert!(is_refused(&found), "{found:?}");

    // The issuer's key under another name, which gave the CA another key.
    let alias = Entity::new("Alias", 1);
    let alias_der = root.issue(&alias, 4, |builder| ca(builder, &alias, None));
    let found = ask(&alias_der, &[], anchor(&own), &[&list(&root)], only_target);
    assert_eq!(found, Err(Kind::UnknownStatus(Unclear::NotAuthorized)));
    let new = Entity::new("CA", 5);
    let leaf = between.issue(&Entity::new("Leaf", 4), 7, |builder| builder);
    let lists = [&list(&root)[..], &list(&alias), &list(&new)];
    for (issuer, good) in [(&root, true), (&alias, false)] {
        let new_der = issuer.issue(&new, 5, |builder| ca(builder, &new, None));
        let others = [&between_der[..], &alias_der, &new_der];
        let found = ask(&leaf, &others, anchor(&own), &lists, only_target);
        match good {
            true => assert_eq!(found, Ok(())),
            false => assert!(is_refused(&found), "{found:?}"),
        }
    }
}

/// A CA of the path does not sign in the name of an issuer of lists that the certificate names.
#[test]
fn names_of_others() {
    let root = Entity::new("Root", 1);
    let own = root.issue(&root, 1, |builder| ca(builder, &root, None));
    let [between, lists] = [("CA", 2), ("Lists", 3)].map(|(name, seed)| Entity::new(name, seed));
    let between_der = root.issue(&between, 2, |builder| ca(builder, &between, None));
    let lists_der = root.issue(&lists, 3, |builder| ca(builder, &lists, None));
    let name = [GeneralName::Directory(lists.name.as_name())];
    let point = DistributionPoint {
        crl_issuer: Some(List::new(&name)),
        ..DistributionPoint::default()
    };
    let leaf = between.issue(&Entity::new("Leaf", 4), 7, |builder| {
        builder.extension(&CrlDistributionPoints((&[point]).into()))
    });
    let indirect = Some(Scope {
        indirect: true,
        ..Scope::default()
    });
    for (signer, good) in [(&lists, true), (&between, false)] {
        let signed = list_of(&lists, signer, &Id::new(&signer.id), indirect);
        let all = [&list(&root)[..], &signed];
        let others = [&between_der[..], &lists_der];
        let found = ask(&leaf, &others, anchor(&own), &all, |_, revocation| {
            revocation.dedicated_crl_issuers = true;
        });
        let expected = match good {
            true => Ok(()),
            false => Err(Kind::UnknownStatus(Unclear::NotAuthorized)),
        };
        assert_eq!(found, expected);
    }
}

/// Another key of the CA is no server, whatever is asked for.
#[test]
fn profiles() {
    let root = Entity::new("Root", 1);
    let own = root.issue(&root, 1, |builder| ca(builder, &root, None));
    let [old, new] = [2, 3].map(|seed| Entity::new("CA", seed));
    let [old_der, new_der] = [(&old, 2), (&new, 3)]
        .map(|(who, serial)| root.issue(who, serial, |builder| ca(builder, who, None)));
    let subject = Entity::new("www.adamant.example", 4);
    let leaf = old.issue(&subject, 7, |builder| {
        let names = [GeneralName::Dns("www.adamant.example")];
        let purposes = [ExtendedKeyUsage::SERVER_AUTH];
        builder
            .extension(&SubjectKeyIdentifier(&subject.id))
            .extension(&SubjectAltName((&names).into()))
            .extension(&ExtendedKeyUsage((&purposes).into()))
            .extension(&KeyUsage::DIGITAL_SIGNATURE)
    });
    let lists = [&list(&root)[..], &list(&new)];
    for profile in [Profile::Path, Profile::Rfc5280, Profile::WebPki] {
        let others = [&old_der[..], &new_der];
        let found = ask(&leaf, &others, anchor(&own), &lists, |options, _| {
            options.profile = profile;
        });
        assert_eq!(found, Ok(()), "{profile:?}");
    }
}

/// Issuers of lists, of whom each is told to be good by the next: that ends.
#[test]
fn issuers_one_after_the_other() {
    let root = Entity::new("Root", 1);
    let own = root.issue(&root, 1, |builder| ca(builder, &root, None));
    let last = [GeneralName::Uri("http://crl.adamant.example/last")];
    for (count, good) in [(1, true), (4, true), (5, false), (6, false)] {
        let signers: Vec<_> = (0..count)
            .map(|i| Entity::new(&format!("Lists {i}"), 10 + i))
            .collect();
        let issue = |subject: &Entity, serial, next: Option<&Entity>| {
            let name = next.map(|next| [GeneralName::Directory(next.name.as_name())]);
            let point = match &name {
                Some(name) => DistributionPoint {
                    crl_issuer: Some(List::new(name)),
                    ..DistributionPoint::default()
                },
                None => DistributionPoint::at((&last).into()),
            };
            root.issue(subject, serial, |builder| {
                ca(builder, subject, None).extension(&CrlDistributionPoints((&[point]).into()))
            })
        };
        let leaf = issue(&Entity::new("Leaf", 2), 7, signers.first());
        let ders: Vec<_> = (signers.iter().enumerate())
            .map(|(i, signer)| issue(signer, 20 + i as u64, signers.get(i + 1)))
            .collect();
        let indirect = Some(Scope {
            indirect: true,
            ..Scope::default()
        });
        let of_last = Some(Scope {
            name: Some(DistributionPointName::Full((&last).into())),
            ..Scope::default()
        });
        let mut lists: Vec<_> = (signers.iter())
            .map(|signer| list_of(signer, signer, &Id::new(&signer.id), indirect))
            .collect();
        lists.push(list_of(&root, &root, &Id::new(&root.id), of_last));
        let [ders, lists]: [Vec<_>; 2] =
            [&ders, &lists].map(|all| all.iter().map(Vec::as_slice).collect());
        let found = ask(&leaf, &ders, anchor(&own), &lists, |_, revocation| {
            revocation.dedicated_crl_issuers = true;
        });
        let expected = match good {
            true => Ok(()),
            false => Err(Kind::UnknownStatus(Unclear::UncheckedSigner)),
        };
        assert_eq!(found, expected, "{count}");
    }
}
