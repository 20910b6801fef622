//! Bundles made to be costly: what a peer may send of up to 2 MB.
//!
//! The tests hold them to limits on counted work, the example `adversarial` tells the time.

use adamant_der::{Oid, oid};
use adamant_x509::extensions::*;
use adamant_x509::path::{Options, Path, PathError, Profile, TrustAnchor, Verifier, validate};
use adamant_x509::{
    AlgorithmIdentifier, Certificate, CertificateBuilder, DistinguishedName, List, PublicKey,
    Result, SerialNumber, SignatureAlgorithm, SigningKey, SubjectPublicKeyInfo, UnknownKey,
};

use super::chain::{Entity, Numbers, at, ca};

/// Takes every signature for good: the worst that a search can meet.
pub(crate) struct Gullible;

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

/// Certificates of a peer, and whom it finds trusted.
pub(crate) struct Bundle {
    pub(crate) name: &'static str,
    pub(crate) leaf: Vec<u8>,
    pub(crate) others: Vec<Vec<u8>>,
    pub(crate) roots: Vec<Vec<u8>>,
    pub(crate) profile: Profile,
    /// Whether all signatures pass for good.
    pub(crate) gullible: bool,
}

/// A path's length, or why there is none.
pub(crate) type Verdict = std::result::Result<usize, PathError>;

impl Bundle {
    fn new(name: &'static str, leaf: Vec<u8>, others: Vec<Vec<u8>>, roots: Vec<Vec<u8>>) -> Self {
        Self {
            name,
            leaf,
            others,
            roots,
            profile: Profile::Path,
            gullible: true,
        }
    }

    /// How many octets the peer sends.
    pub(crate) fn octets(&self) -> usize {
        self.leaf.len() + self.others.iter().map(Vec::len).sum::<usize>()
    }

    /// Validates, and has `options` changed before.
    pub(crate) fn validate<'o>(&self, change: impl FnOnce(&mut Options<'o>)) -> Verdict {
        let parse = |der: &'_ Vec<u8>| Certificate::from_der(der).is_ok();
        assert!(self.others.iter().all(parse), "{}", self.name);
        let others: Vec<_> = self
            .others
            .iter()
            .map(|der| Certificate::from_der(der).unwrap())
            .collect();
        let leaf = Certificate::from_der(&self.leaf).unwrap();
        let roots: Vec<_> = self
            .roots
            .iter()
            .map(|der| Certificate::from_der(der).unwrap())
            .collect();
        let anchors: Vec<_> = roots
            .iter()
            .map(|root| TrustAnchor::from_certificate(root).unwrap())
            .collect();
        let mut options = Options::new(self.profile, at());
        if self.gullible {
            options.verifier = &Gullible;
        }
        change(&mut options);
        let length = |path: Path<'_>| path.certificates.len();
        validate(&leaf, &others, &anchors, &options).map(length)
    }
}

/// A subject that nobody need sign for: a number makes its key.
struct Paper {
    name: DistinguishedName,
    key: PublicKey,
    id: [u8; 20],
}

impl Paper {
    fn new(name: DistinguishedName, key: u64) -> Self {
        let key = PublicKey::Unknown(UnknownKey {
            oid: oid!("1.3.6.1.4.1.55738.1"),
            parameters: None,
            bits: key.to_be_bytes().to_vec(),
        });
        Self {
            name,
            id: key.key_id(),
            key,
        }
    }

    fn named(name: &str, key: u64) -> Self {
        Self::new(DistinguishedName::new().common_name(name), key)
    }

    fn issue(
        &self,
        subject: &Self,
        serial: u64,
        more: impl FnOnce(CertificateBuilder<'_>) -> CertificateBuilder<'_>,
    ) -> Vec<u8> {
        let [from, until] = ["2020-01-01", "2030-01-01"].map(|text| text.parse().unwrap());
        let (issuer, name) = (self.name.as_name(), subject.name.as_name());
        let serial = SerialNumber::from(serial);
        let builder = CertificateBuilder::new(serial, issuer, from, until, name, &subject.key);
        let builder = builder.extension(&AuthorityKeyIdentifier::new(&self.id));
        more(builder).sign(&Blank(64)).unwrap()
    }

    fn issue_ca(&self, subject: &Self, serial: u64) -> Vec<u8> {
        self.issue(subject, serial, |builder| subject.as_ca(builder))
    }

    fn as_ca<'b>(&self, builder: CertificateBuilder<'b>) -> CertificateBuilder<'b> {
        builder
            .extension(&BasicConstraints::ca(None))
            .extension(&SubjectKeyIdentifier(&self.id))
            .extension(&KeyUsage::KEY_CERT_SIGN)
    }
}

/// Writes this many octets for a signature.
struct Blank(usize);

impl SigningKey for Blank {
    fn algorithm(&self) -> SignatureAlgorithm {
        SignatureAlgorithm::RsaSha256
    }

    fn public_key(&self) -> PublicKey {
        Paper::named("", 0).key
    }

    fn sign(&self, _: &[u8], signature: &mut Vec<u8>) -> Result<()> {
        signature.resize(signature.len() + self.0, 0x55);
        Ok(())
    }
}

/// Mutually issued CAs with one key, whose names differ in case: `size` certificates.
pub(crate) fn circle_of_one(size: usize) -> Bundle {
    let spelt = |i: usize| {
        let letters = "circle".chars().enumerate();
        letters.map(move |(bit, letter)| match i >> bit & 1 {
            0 => letter,
            _ => letter.to_ascii_uppercase(),
        })
    };
    let entities: Vec<_> = (0..9)
        .map(|i| Entity::new(&spelt(i).collect::<String>(), 1))
        .collect();
    let issue = |i: usize| {
        let (issuer, subject) = (&entities[i % 9], &entities[i / 9 % 9]);
        issuer.issue(subject, i as u64 + 1, |builder| ca(builder, subject, None))
    };
    let leaf = entities[0].issue(&Entity::new("Leaf", 2), 1, |builder| builder);
    let root = Entity::new("Root", 3);
    let root = root.issue(&root, 1, |builder| ca(builder, &root, None));
    Bundle {
        gullible: false,
        ..Bundle::new(
            "circle of one key",
            leaf,
            (0..size).map(issue).collect(),
            vec![root],
        )
    }
}

/// `count` CAs of one name or several, each of which issued each.
fn circle_of_many(name: &'static str, count: u64, text: impl Fn(u64) -> String) -> Bundle {
    let papers: Vec<_> = (0..count).map(|i| Paper::named(&text(i), i)).collect();
    let mut others = Vec::new();
    for issuer in &papers {
        others.extend(papers.iter().map(|subject| issuer.issue_ca(subject, 1)));
    }
    let leaf = papers[0].issue(&Paper::named("Leaf", 1000), 1, |builder| builder);
    let root = Paper::named("Root", 1001);
    Bundle::new(name, leaf, others, vec![root.issue_ca(&root, 1)])
}

/// Levels of CAs, `wide` of one name at each, all issued by all above, up to roots that refuse.
fn levels(name: &'static str, deep: u64, wide: u64, same_key: bool) -> Bundle {
    let at_level = |level: u64, i: u64| {
        let key = if same_key { level } else { level << 32 | i };
        Paper::named(&format!("Level {level}"), key)
    };
    let mut others = Vec::new();
    for level in 0..deep {
        let issuer = at_level(level + 1, 0);
        others.extend((0..wide).map(|i| issuer.issue_ca(&at_level(level, i), i + 1)));
    }
    let leaf = at_level(0, 0).issue(&Paper::named("Leaf", 1), 1, |builder| builder);
    // Nothing is permitted below it, which only a complete path shows.
    let root = at_level(deep, 0);
    let root = root.issue(&root, 1, |builder| {
        let trees = [GeneralSubtree(GeneralName::Dns("nowhere.example"))];
        let nobody = DistinguishedName::new().common_name("Nobody");
        let all = [
            trees[0],
            GeneralSubtree(GeneralName::Directory(nobody.as_name())),
        ];
        let constraints = NameConstraints {
            permitted: Some(List::new(&all)),
            excluded: None,
        };
        root.as_ca(builder).extension(&constraints)
    });
    Bundle::new(name, leaf, others, vec![root])
}

/// One CA with many constraints, and a leaf with many names.
fn constraints<'n>(
    name: &'static str,
    bases: &[GeneralName<'n>],
    names: &[GeneralName<'n>],
) -> Bundle {
    let trees: Vec<_> = bases.iter().map(|base| GeneralSubtree(*base)).collect();
    let (root, middle) = (Paper::named("Root", 1), Paper::named("Middle", 2));
    let below = root.issue(&middle, 2, |builder| {
        let constraints = NameConstraints {
            permitted: None,
            excluded: Some(List::new(&trees)),
        };
        middle.as_ca(builder).extension(&constraints)
    });
    let leaf = middle.issue(&Paper::new(DistinguishedName::new(), 3), 3, |builder| {
        builder.extension_with(true, &SubjectAltName(List::new(names)))
    });
    Bundle::new(name, leaf, vec![below], vec![root.issue_ca(&root, 1)])
}

fn texts(count: usize, text: impl Fn(usize) -> String) -> Vec<String> {
    (0..count).map(text).collect()
}

/// Each CA maps each of `count` policies to each.
fn mappings(count: u64) -> Bundle {
    let policy = |i: u64| Oid::from_arcs(&[1, 3, 6, 1, 4, 1, 55738, i]).unwrap();
    let policies: Vec<_> = (0..count)
        .map(|i| PolicyInformation::new(policy(i)))
        .collect();
    let pair = |i: u64| PolicyMapping {
        issuer: policy(i / count),
        subject: policy(i % count),
    };
    let pairs: Vec<_> = (0..count * count).map(pair).collect();
    let papers: Vec<_> = (0..9)
        .map(|i| Paper::named(&format!("Level {i}"), i))
        .collect();
    let issue = |pair: &[Paper]| {
        pair[0].issue(&pair[1], 1, |builder| {
            let builder = pair[1].as_ca(builder);
            let builder = builder.extension(&CertificatePolicies(List::new(&policies)));
            builder.extension(&PolicyMappings(List::new(&pairs)))
        })
    };
    let leaf = papers[8].issue(&Paper::named("Leaf", 9), 1, |builder| {
        builder.extension(&CertificatePolicies(List::new(&policies)))
    });
    let others = papers.windows(2).map(issue).collect();
    Bundle::new(
        "mappings of all to all",
        leaf,
        others,
        vec![papers[0].issue_ca(&papers[0], 1)],
    )
}

/// Candidates of the issuer's name with the largest RSA keys, none of which made the signature.
fn large_keys(count: u64) -> Bundle {
    let mut numbers = Numbers(1);
    let mut candidate = |serial: u64| {
        let mut octets = |count: usize| -> Vec<u8> {
            (0..count)
                .map(|_| numbers.below(256) as u8 | 0x81)
                .collect()
        };
        let key = adamant_rsa::PublicKey::new(&octets(1024), &octets(32)).unwrap();
        let paper = Paper {
            key: PublicKey::Rsa(key),
            ..Paper::named("Issuer", 0)
        };
        Paper::named("Root", 1).issue_ca(&paper, serial)
    };
    let others = (1..=count).map(&mut candidate).collect();
    let [from, until] = ["2020-01-01", "2030-01-01"].map(|text| text.parse().unwrap());
    let (issuer, subject) = (Paper::named("Issuer", 0), Paper::named("Leaf", 2));
    let (name, serial) = (subject.name.as_name(), SerialNumber::from(1));
    let leaf = CertificateBuilder::new(
        serial,
        issuer.name.as_name(),
        from,
        until,
        name,
        &subject.key,
    );
    let leaf = leaf.sign(&Blank(1024)).unwrap();
    let root = Paper::named("Root", 1);
    Bundle {
        gullible: false,
        ..Bundle::new(
            "large RSA keys",
            leaf,
            others,
            vec![root.issue_ca(&root, 1)],
        )
    }
}

/// Issuers whose names are one long text.
fn long_names(name: &'static str, count: usize, text: &str) -> Bundle {
    let others = (0..count as u64).map(|i| {
        let own = DistinguishedName::new()
            .common_name(text)
            .common_name(&i.to_string());
        let above = Paper::named("Above", 1);
        above.issue_ca(&Paper::new(own, i), 1)
    });
    let leaf = Paper::named("Above", 1).issue(&Paper::named("Leaf", 2), 1, |builder| builder);
    let root = Paper::named("Root", 1);
    Bundle::new(name, leaf, others.collect(), vec![root.issue_ca(&root, 1)])
}

/// A server with many common names, none of them the last of its many alternative ones.
fn common_names(count: usize) -> Bundle {
    let root = Paper::named("Root", 1);
    let names = texts(count, |i| format!("{i}.example"));
    let subject = names
        .iter()
        .fold(DistinguishedName::new(), |subject, name| {
            subject.common_name(name)
        });
    let alternative: Vec<_> = names
        .iter()
        .rev()
        .map(|name| GeneralName::Dns(name))
        .collect();
    // Held to the Web's rules, which want a key of its kind.
    let server = Entity::new("", 4);
    let server = Paper {
        name: subject,
        key: server.public,
        id: server.id,
    };
    let leaf = root.issue(&server, 2, |builder| {
        builder
            .extension(&SubjectAltName(List::new(&alternative)))
            .extension(&ExtendedKeyUsage((&[ExtendedKeyUsage::SERVER_AUTH]).into()))
    });
    Bundle {
        profile: Profile::WebPki,
        ..Bundle::new("common names", leaf, vec![], vec![root.issue_ca(&root, 1)])
    }
}

/// Copies of a CA with many extensions of no meaning.
fn extensions(count: u64, copies: usize) -> Bundle {
    let (root, middle) = (Paper::named("Root", 1), Paper::named("Middle", 2));
    let below = root.issue(&middle, 2, |builder| {
        let builder = (0..count).fold(builder, |builder, i| {
            let unknown = Oid::from_arcs(&[2, 5, 1000 + i]).unwrap();
            builder.raw_extension(unknown, false, &[])
        });
        middle.as_ca(builder)
    });
    let leaf = middle.issue(&Paper::named("Leaf", 3), 3, |builder| builder);
    Bundle {
        profile: Profile::Rfc5280,
        ..Bundle::new("extensions", leaf, vec![below; copies], vec![])
    }
}

/// CAs of one name whose identifiers are long, and alike but for the end.
fn long_key_ids(length: usize, count: u64) -> Bundle {
    let papers: Vec<_> = (0..count).map(|i| Paper::named("Issuer", i)).collect();
    let id = |i: u64| [vec![0x11; length], i.to_be_bytes().to_vec()].concat();
    let issue = |(i, paper): (u64, &Paper)| {
        papers[0].issue(paper, 1, |builder| {
            builder
                .extension(&BasicConstraints::ca(None))
                .raw_extension(SubjectKeyIdentifier::OID, false, &octet_string(&id(i)))
        })
    };
    let others = (0..count).zip(&papers).map(issue).collect();
    let leaf = papers[0].issue(&Paper::named("Leaf", 3), 3, |builder| builder);
    let root = Paper::named("Root", 1);
    Bundle::new(
        "long identifiers of keys",
        leaf,
        others,
        vec![root.issue_ca(&root, 1)],
    )
}

fn octet_string(octets: &[u8]) -> Vec<u8> {
    let mut w = adamant_der::Writer::new();
    w.octet_string(octets);
    w.finish()
}

/// Many trusted certificates, of one name or each of its own.
fn anchors(name: &'static str, count: u64, text: impl Fn(u64) -> String) -> Bundle {
    let roots = (0..count).map(|i| {
        let root = Paper::named(&text(i), i);
        root.issue_ca(&root, 1)
    });
    let roots = roots.collect();
    Bundle {
        roots,
        gullible: false,
        ..circle_of_many(name, 20, |i| match name.contains("one") {
            true => "Root".into(),
            false => format!("CA {i}"),
        })
    }
}

/// All of them, of up to 2 MB each; or smaller ones.
pub(crate) fn bundles(large: bool) -> Vec<Bundle> {
    let n = |count: usize| if large { count } else { count / 8 };
    let few = |count: u64| if large { count } else { count / 3 };
    let domains = texts(n(12_000), |i| format!("{i}.adamant.example"));
    let hosts: Vec<_> = domains.iter().map(|name| GeneralName::Dns(name)).collect();
    let elsewhere = texts(n(12_000), |i| format!("{i}.other.example"));
    let elsewhere: Vec<_> = elsewhere
        .iter()
        .map(|name| GeneralName::Dns(name))
        .collect();
    let mailboxes = texts(n(12_000), |i| format!("{i}@adamant.example"));
    let mails: Vec<_> = mailboxes
        .iter()
        .map(|name| GeneralName::Email(name))
        .collect();
    let (some_mails, mails) = mails.split_at(n(6000));
    let people: Vec<_> = (0..n(8000))
        .map(|i| DistinguishedName::new().common_name(&format!("Person {i}")))
        .collect();
    let people = people
        .iter()
        .map(|name| GeneralName::Directory(name.as_name()));
    let people: Vec<_> = people.collect();
    let (some_people, people) = people.split_at(n(4000));
    let long = format!("{}@adamant.example", "a".repeat(n(800_000)));
    vec![
        circle_of_one(81),
        circle_of_one(if large { 2800 } else { 180 }),
        circle_of_many("circle of one name", few(60), |_| "One".into()),
        circle_of_many("circle of many", few(60), |i| format!("CA {i}")),
        levels("copies at every level", 9, n(600) as u64, true),
        levels("levels that meet", 9, 6, false),
        levels("wide", 1, n(5000) as u64, false),
        levels("deep", 64, 2, false),
        constraints("hosts by constraints", &elsewhere, &hosts),
        constraints("mailboxes by constraints", some_mails, mails),
        constraints("names by constraints", some_people, people),
        constraints("long mailbox", mails, &[GeneralName::Email(&long)]),
        mappings(few(100)),
        large_keys(n(1000) as u64),
        long_names("long names", 2, &"A b".repeat(n(250_000))),
        long_names("long names beyond ASCII", 4, &"\u{fdfa}".repeat(n(120_000))),
        long_names("names beyond ASCII", n(1200), &"\u{fdfa}".repeat(400)),
        common_names(n(25_000)),
        extensions(n(4000) as u64, 40),
        long_key_ids(n(200_000), 8),
        anchors("anchors of one name", n(3000) as u64, |_| "Root".into()),
        anchors("anchors of many names", n(3000) as u64, |i| {
            format!("Root {i}")
        }),
    ]
}
