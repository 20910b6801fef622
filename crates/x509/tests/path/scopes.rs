//! Which certificates and reasons a list is about (RFC 5280, 6.3.3 (b)): the distribution points of
//! a certificate, and the one of a list.

use adamant_x509::crl::CrlBuilder;
use adamant_x509::extensions::*;
use adamant_x509::path::{PathErrorKind as Kind, RevocationError as Unclear, Strictness};
use adamant_x509::{DistinguishedName, List, SerialNumber};

use super::chain::{Entity, ca};
use super::revocation::{Question, time};

type Name<'n> = GeneralName<'n>;
type Point<'n> = DistributionPoint<'n>;
type Scope<'n> = IssuingDistributionPoint<'n>;

const A: Name<'_> = Name::Uri("http://crl.adamant.example/a");
const B: Name<'_> = Name::Uri("http://crl.adamant.example/b");
const C: Name<'_> = Name::Uri("http://crl.adamant.example/c");
const KEY: ReasonFlags = ReasonFlags::from_bits(0x4000);
const OTHERS: ReasonFlags = ReasonFlags::from_bits(0x3f80);

/// How much is known by a list that does not name the certificate.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Covers {
    All,
    Some,
    Nothing,
}
use Covers::{All, Nothing};

fn full<'n>(names: &'n [Name<'n>]) -> Option<DistributionPointName<'n>> {
    Some(DistributionPointName::Full(List::new(names)))
}

fn at<'n>(names: &'n [Name<'n>]) -> Point<'n> {
    Point::at(List::new(names))
}

fn scope(name: Option<DistributionPointName<'_>>) -> Scope<'_> {
    Scope {
        name,
        ..Scope::default()
    }
}

struct World {
    root: Entity,
    /// Signs lists for the root.
    lists: Entity,
}

impl World {
    fn new() -> Self {
        let [root, lists] = [("Root", 1), ("Lists", 2)].map(|(name, seed)| Entity::new(name, seed));
        Self { root, lists }
    }

    fn list(&self, signer: &Entity, scope: Scope<'_>) -> Vec<u8> {
        let [from, until] = ["2025-12-31", "2026-01-02"].map(time);
        let mut builder = CrlBuilder::new(signer.name.as_name(), from, until)
            .number(SerialNumber::from(5))
            .authority_key_id(&signer.id);
        if !scope.is_empty() {
            builder = builder.extension(&scope);
        }
        builder.sign([], signer.key.signer().unwrap()).unwrap()
    }

    /// What is told of a certificate with these points by lists of these scopes, of the root or of
    /// another for it.
    fn covered(
        &self,
        is_ca: bool,
        own: bool,
        points: &[Point<'_>],
        scopes: &[Scope<'_>],
    ) -> Covers {
        let (root, lists) = (&self.root, &self.lists);
        let subject = Entity::new("Subject", 3);
        let target = root.issue(&subject, 7, |builder| {
            let builder = match is_ca {
                true => ca(builder, &subject, None),
                false => builder,
            };
            match points.is_empty() {
                true => builder,
                false => builder.extension(&CrlDistributionPoints(List::new(points))),
            }
        });
        let signer = if own { root } else { lists };
        let mut all: Vec<_> = scopes
            .iter()
            .map(|scope| self.list(signer, *scope))
            .collect();
        if !own {
            // Whoever signs the list is a CA, so as to be told from what is asked for.
            all.push(self.list(
                root,
                Scope {
                    only_ca_certs: true,
                    ..Scope::default()
                },
            ));
        }
        let question = Question {
            target: &target,
            others: &[root.issue(lists, 2, |builder| ca(builder, lists, None))],
            root: &root.issue(root, 1, |builder| ca(builder, root, None)),
            lists: &all,
            responses: &[],
            strictness: Strictness::Hard,
            dedicated: !own,
            only_target: false,
        };
        match question.ask() {
            Ok(()) => All,
            Err(Kind::UnknownStatus(Unclear::SomeReasons)) => Covers::Some,
            Err(Kind::UnknownStatus(Unclear::Nothing)) => Nothing,
            other => panic!("{other:?}"),
        }
    }
}

/// A point and a list have a name in common; the list's issuer is a point of every certificate.
#[test]
fn names_of_points() {
    let world = World::new();
    let [one, two] = ["1", "2"].map(|text| DistinguishedName::new().common_name(text));
    let [one, two] = [&one, &two].map(|name| name.as_name().rdns().next().unwrap());
    let [one, two] = [one, two].map(|rdn| Some(DistributionPointName::Relative(rdn)));
    let below = |text: &str| {
        DistinguishedName::new()
            .common_name("ROOT")
            .common_name(text)
    };
    let [below_one, below_two] = [below("1"), below("2")];
    let [first, second] = [&below_one, &below_two].map(|name| [A, Name::Directory(name.as_name())]);
    let issuer = DistinguishedName::new().common_name("root");
    let issuer = [Name::Directory(issuer.as_name())];
    let named = |name| Point {
        name,
        ..Point::default()
    };
    for (points, name, covers) in [
        (&[][..], None, All),
        (&[], full(&[A]), Nothing),
        (&[], full(&issuer), All),
        (&[], one, Nothing),
        (&[at(&[A])], None, All),
        (&[at(&[A])], full(&[A]), All),
        (&[at(&[A])], full(&[B]), Nothing),
        (&[at(&[A])], full(&[B, A]), All),
        (&[at(&[A, B])], full(&[B, C]), All),
        (&[at(&[B]), at(&[A])], full(&[A]), All),
        (&[named(one)], one, All),
        (&[named(one)], two, Nothing),
        (&[named(one)], full(&first), All),
        (&[named(one)], full(&second), Nothing),
        (&[named(one)], full(&[A]), Nothing),
        (&[at(&first)], one, All),
        (&[at(&second)], one, Nothing),
    ] {
        let found = world.covered(false, true, points, &[scope(name)]);
        assert_eq!(found, covers, "{points:?} {name:?}");
    }
}

#[test]
fn kinds_of_certificates() {
    let world = World::new();
    for is_ca in [false, true] {
        for (user, covers) in [(false, is_ca), (true, !is_ca)] {
            let scope = Scope {
                only_user_certs: user,
                only_ca_certs: !user,
                ..Scope::default()
            };
            let found = world.covered(is_ca, true, &[], &[scope]);
            assert_eq!(found == All, covers, "{is_ca} {user}");
        }
        let attributes = Scope {
            only_attribute_certs: true,
            ..Scope::default()
        };
        assert_eq!(world.covered(is_ca, true, &[], &[attributes]), Nothing);
    }
}

/// Of points and lists for some reasons, all are needed together.
#[test]
fn reasons_together() {
    let world = World::new();
    let some = Covers::Some;
    let only = |reasons, name| Point {
        reasons: Some(reasons),
        name,
        ..Point::default()
    };
    let [key, others] = [KEY, OTHERS].map(|reasons| Scope {
        only_some_reasons: Some(reasons),
        ..scope(full(&[A]))
    });
    let all = ReasonFlags::from_bits(0xff80);
    let a = full(&[A]);
    for (points, scopes, covers) in [
        (&[at(&[A])][..], &[key][..], some),
        (&[at(&[A])], &[key, others], All),
        (&[only(KEY, a)], &[scope(a)], some),
        (&[only(KEY, a), only(OTHERS, a)], &[scope(a)], All),
        (&[only(KEY, a), only(OTHERS, full(&[B]))], &[scope(a)], some),
        (&[only(OTHERS, a), only(KEY, a)], &[key], some),
        (&[only(KEY, a)], &[others], Nothing),
        // The bit that is not used.
        (&[only(all, a)], &[scope(a)], All),
    ] {
        let found = world.covered(false, true, points, scopes);
        assert_eq!(found, covers, "{points:?} {scopes:?}");
    }
    // Without a name a list is also at the point that every certificate has.
    let point = [only(KEY, a)];
    assert_eq!(world.covered(false, true, &point, &[Scope::default()]), All);
}

/// Lists of another issuer, which the point names.
#[test]
fn points_of_other_issuers() {
    let world = World::new();
    let [lists, root] = ["lists", "Root"].map(|text| DistinguishedName::new().common_name(text));
    let [lists, root] = [&lists, &root].map(|name| Name::Directory(name.as_name()));
    let one = DistinguishedName::new().common_name("1");
    let one = Some(DistributionPointName::Relative(
        one.as_name().rdns().next().unwrap(),
    ));
    let indirect = |name| Scope {
        indirect: true,
        ..scope(name)
    };
    let with_uri = [A, lists];
    let point = |name, issuers| Point {
        name,
        reasons: None,
        crl_issuer: Some(List::new(issuers)),
    };
    for (points, scope, covers) in [
        (&[point(None, &[lists])][..], indirect(None), All),
        (&[point(None, &with_uri)], indirect(None), All),
        (&[point(None, &[root])], indirect(None), Nothing),
        (&[point(None, &[lists])], scope(full(&[A])), Nothing),
        (
            &[at(&[A]), point(full(&[B]), &[lists])],
            indirect(full(&[B])),
            All,
        ),
        (&[point(full(&[A]), &[lists])], indirect(full(&[A])), All),
        (
            &[point(full(&[A]), &[lists])],
            indirect(full(&[B])),
            Nothing,
        ),
        (&[point(None, &[lists])], Scope::default(), Nothing),
        (&[point(None, &[lists])], indirect(full(&[lists])), All),
        (&[point(None, &with_uri)], indirect(full(&[B, lists])), All),
        (&[point(None, &[lists])], indirect(full(&[B])), Nothing),
        (&[point(one, &with_uri)], indirect(one), All),
        (&[at(&[A])], indirect(full(&[A])), Nothing),
    ] {
        let found = world.covered(false, false, points, &[scope]);
        assert_eq!(found, covers, "{points:?} {scope:?}");
    }
}
