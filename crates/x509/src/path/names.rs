//! Names in certificates: whether they are well-formed, whether a certificate is for one
//! (RFC 9525), and whether one lies in the tree of a constraint (RFC 5280, 4.2.1.10).

use alloc::string::ToString;
use alloc::vec::Vec;
use core::net::IpAddr;

use super::PathErrorKind as Kind;
use super::budget::Budget;
use super::{Options, PeerName, Profile};
use crate::extensions::{GeneralName, GeneralSubtree, NameConstraints, SubjectAltName};
use crate::{FullCertificate, name};

type Result<T> = core::result::Result<T, Kind>;

/// Whether these are labels of letters, digits and inner hyphens, the last not a number
/// (RFC 1034, 3.5; RFC 1123, 2.1): a number in decimal or hexadecimal ends an address.
pub(super) fn is_host(text: &str) -> bool {
    let label = |label: &str| {
        (1..=63).contains(&label.len())
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b == b'-')
    };
    let number = |label: &str| match label.strip_prefix("0x").or(label.strip_prefix("0X")) {
        Some(digits) => digits.bytes().all(|b| b.is_ascii_hexdigit()),
        None => label.bytes().all(|b| b.is_ascii_digit()),
    };
    text.len() <= 253 && text.split('.').all(label) && !text.rsplit('.').next().is_some_and(number)
}

/// A host, of which the leftmost label may be `*` where others follow.
pub(super) fn is_host_pattern(text: &str) -> bool {
    is_host(text.strip_prefix("*.").unwrap_or(text))
}

/// Mailbox and host of an address. A mailbox in quotation marks is not read.
pub(super) fn split_mail(text: &str) -> Option<(&str, &str)> {
    let (mailbox, host) = text.split_once('@')?;
    let good = |b: u8| b.is_ascii_graphic() && !b"()<>[]:;,\\\"@".contains(&b);
    (!mailbox.is_empty() && mailbox.bytes().all(good) && is_host(host)).then_some((mailbox, host))
}

/// The host of a resource, if it is a name and not an address.
fn uri_host(text: &str) -> Option<&str> {
    let (scheme, rest) = text.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let host = authority.rsplit('@').next()?;
    let host = host.split_once(':').map_or(host, |(host, _port)| host);
    let host = host.strip_suffix('.').unwrap_or(host);
    (!scheme.is_empty() && is_host(host)).then_some(host)
}

/// Whether a host is this one or below it.
fn host_within(host: &str, base: &str) -> bool {
    base.is_empty() || host.eq_ignore_ascii_case(base) || host_below(host, base)
}

/// Whether a host is the base of a constraint on mail and resources, or below it where that
/// begins with a dot.
fn host_in_tree(host: &str, base: &str) -> bool {
    match base.strip_prefix('.') {
        Some(domain) => host_below(host, domain),
        None => base.is_empty() || host.eq_ignore_ascii_case(base),
    }
}

/// Whether a host lies below this one.
fn host_below(host: &str, base: &str) -> bool {
    let Some(split) = host.len().checked_sub(base.len()) else {
        return false;
    };
    let (labels, end) = host.as_bytes().split_at(split);
    labels.len() > 1 && labels.ends_with(b".") && end.eq_ignore_ascii_case(base.as_bytes())
}

/// Whether a certificate is for this name.
pub(super) fn is_for(
    certificate: &FullCertificate<'_>,
    wanted: &PeerName<'_>,
    options: &Options<'_>,
) -> bool {
    let Some(SubjectAltName(names)) = certificate.extensions.subject_alt_name else {
        return false;
    };
    names.iter().any(|name| match (wanted, name) {
        (PeerName::Dns(host), GeneralName::Dns(pattern)) => host_matches(host, pattern, options),
        (PeerName::Ip(IpAddr::V4(ip)), GeneralName::Ip(octets)) => ip.octets() == octets,
        (PeerName::Ip(IpAddr::V6(ip)), GeneralName::Ip(octets)) => ip.octets() == octets,
        (PeerName::Email(mail), GeneralName::Email(name)) => mail_matches(mail, name),
        _ => false,
    })
}

/// RFC 9525, 6.3: a wildcard is a whole label, the leftmost, and stands for one label.
fn host_matches(host: &str, pattern: &str, options: &Options<'_>) -> bool {
    let host = host.strip_suffix('.').unwrap_or(host);
    if !is_host(host) || !is_host_pattern(pattern) {
        return false;
    }
    match (pattern.strip_prefix("*."), host.split_once('.')) {
        (Some(base), Some((_, rest))) => {
            rest.eq_ignore_ascii_case(base) && !is_public_suffix(base, options)
        }
        (Some(_), None) => false,
        (None, _) => host.eq_ignore_ascii_case(pattern),
    }
}

/// Whether a domain is one under which others register: the names below it belong to different people.
fn is_public_suffix(domain: &str, options: &Options<'_>) -> bool {
    options.profile == Profile::WebPki
        && (!domain.contains('.') || options.public_suffix.is_some_and(|is_one| is_one(domain)))
}

fn mail_matches(a: &str, b: &str) -> bool {
    match (split_mail(a), split_mail(b)) {
        (Some((mailbox, host)), Some((other_mailbox, other_host))) => {
            mailbox == other_mailbox && host.eq_ignore_ascii_case(other_host)
        }
        _ => false,
    }
}

/// Which way a constraint works.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    Permitted,
    Excluded,
}

/// A name that is compared with many: what that takes of a distinguished name is done once.
struct Compared<'n> {
    name: GeneralName<'n>,
    /// A distinguished name as it is compared; of others nothing.
    folded: Vec<u8>,
    /// The mailbox of an address, and the host of it, of a resource or of what is one; nothing
    /// if that cannot be read.
    parts: Option<(&'n str, &'n str)>,
}

impl<'n> Compared<'n> {
    fn new(name: GeneralName<'n>, budget: &Budget) -> Result<Self> {
        let folded = match &name {
            GeneralName::Directory(name) => name.fold(|octets| budget.octets(octets))?,
            _ => Vec::new(),
        };
        let parts = match name {
            GeneralName::Email(text) => split_mail(text),
            GeneralName::Uri(text) => uri_host(text).map(|host| ("", host)),
            GeneralName::Dns(text) => is_host(text).then_some(("", text)),
            _ => None,
        };
        Ok(Self {
            name,
            folded,
            parts,
        })
    }

    /// How many octets are compared.
    fn octets(&self) -> usize {
        match self.name {
            GeneralName::Email(text) | GeneralName::Dns(text) | GeneralName::Uri(text) => {
                text.len()
            }
            GeneralName::Ip(octets) => octets.len(),
            _ => self.folded.len(),
        }
    }

    /// The fault of the name, which costs as much as it takes to tell.
    fn refuse(&self, budget: &Budget, kind: Kind) -> Kind {
        const TELLING: usize = 8;
        budget.octets(TELLING * self.octets()).err().unwrap_or(kind)
    }
}

/// Constraints, each base as it is compared.
pub(super) struct Trees<'t> {
    permitted: Vec<Compared<'t>>,
    excluded: Vec<Compared<'t>>,
}

/// The cost of looking at a base, besides its octets.
const BASE: usize = 16;

impl<'t> Trees<'t> {
    /// Reads constraints, which must be well-formed.
    pub(super) fn new(constraints: &NameConstraints<'t>, budget: &Budget) -> Result<Self> {
        let read = |subtree: GeneralSubtree<'t>| {
            budget.octets(BASE)?;
            let base = Compared::new(subtree.0, budget)?;
            budget.octets(base.octets())?;
            match is_base(&base.name) {
                true => Ok(base),
                false => Err(base.refuse(budget, Kind::BadConstraint(base.name.to_string()))),
            }
        };
        let side = |subtrees: Option<crate::List<'t, GeneralSubtree<'t>>>| {
            subtrees
                .into_iter()
                .flatten()
                .map(read)
                .collect::<Result<_>>()
        };
        Ok(Self {
            permitted: side(constraints.permitted)?,
            excluded: side(constraints.excluded)?,
        })
    }
}

/// Whether a name lies in the tree of this base: nothing if the base is of another form, an
/// error if that cannot be told.
fn is_within(name: &Compared<'_>, base: &Compared<'_>, side: Side) -> Option<Result<bool>> {
    use GeneralName::{Directory, Dns, EdiParty, Email, Ip, Other, RegisteredId, Uri, X400};

    let unclear = || Err(Kind::NameNotCheckable(name.name.to_string()));
    let (name_parts, base_parts) = (name.parts, base.parts);
    Some(match (&name.name, &base.name) {
        // Only hosts below a domain ([`crate::Leniency::LEADING_DOTS`]): what a wildcard stands for
        // lies below where what follows it is the domain, or lies below.
        (Dns(name), Dns(base)) if base.starts_with('.') => match name.strip_prefix("*.") {
            Some(domain) => Ok(is_host(domain) && host_within(domain, &base[1..])),
            None if is_host(name) => Ok(host_below(name, &base[1..])),
            None => unclear(),
        },
        (Dns(name), Dns(base)) => match name.strip_prefix("*.") {
            // A pattern is excluded where one of its names is: those have one label more.
            Some(domain) if side == Side::Excluded => {
                let one = base.split_once('.').map(|(_, rest)| rest);
                let one = one.is_some_and(|rest| rest.eq_ignore_ascii_case(domain));
                Ok(one || host_within(domain, base))
            }
            // It is permitted where all of its names are.
            Some(domain) => Ok(is_host(domain) && host_within(domain, base)),
            None if name_parts.is_some() => Ok(host_within(name, base)),
            None => unclear(),
        },
        (Email(_), Email(base)) => match (name_parts, base_parts) {
            (None, _) => unclear(),
            (Some((mailbox, host)), Some((wanted, base))) => {
                Ok(mailbox == wanted && host.eq_ignore_ascii_case(base))
            }
            (Some((_, host)), None) => Ok(host_in_tree(host, base)),
        },
        (Uri(_), Uri(base)) => match name_parts {
            None => unclear(),
            Some((_, host)) => Ok(host_in_tree(host, base)),
        },
        (Ip(address), Ip(range)) => {
            let (base, mask) = range.split_at(range.len() / 2);
            let same = |((a, b), mask): ((&u8, &u8), &u8)| (a ^ b) & mask == 0;
            Ok(address.len() == base.len() && address.iter().zip(base).zip(mask).all(same))
        }
        (Directory(_), Directory(_)) => Ok(name.folded.starts_with(&base.folded)),
        (Other { oid, .. }, Other { oid: base, .. }) if oid == base => unclear(),
        (X400(_), X400(_)) | (EdiParty(_), EdiParty(_)) | (RegisteredId(_), RegisteredId(_)) => {
            unclear()
        }
        _ => return None,
    })
}

/// Whether this can be the base of a tree.
fn is_base(name: &GeneralName<'_>) -> bool {
    match *name {
        GeneralName::Email(base) if base.contains('@') => split_mail(base).is_some(),
        GeneralName::Dns(base) | GeneralName::Email(base) | GeneralName::Uri(base) => {
            base.is_empty() || is_host(base.strip_prefix('.').unwrap_or(base))
        }
        GeneralName::Ip(range) => is_mask(&range[range.len() / 2..]),
        _ => true,
    }
}

/// Ones, then zeros.
fn is_mask(mask: &[u8]) -> bool {
    let ones = mask.iter().take_while(|&&octet| octet == 0xff).count();
    let mut rest = mask[ones..].iter();
    rest.next()
        .is_none_or(|octet| octet.leading_ones() + octet.trailing_zeros() == 8)
        && rest.all(|&octet| octet == 0)
}

/// Holds all names of a certificate to the constraints of the CAs above it.
pub(super) fn check_names(
    certificate: &FullCertificate<'_>,
    constraints: &[Trees<'_>],
    budget: &Budget,
) -> Result<()> {
    if constraints.is_empty() {
        return Ok(());
    }
    let check = |name: GeneralName<'_>| {
        let name = Compared::new(name, budget)?;
        let mut all = constraints.iter();
        let verdict = all.try_for_each(|trees| check_name(&name, trees, budget));
        verdict.map_err(|kind| name.refuse(budget, kind))
    };
    if !certificate.subject.is_empty() {
        check(GeneralName::Directory(certificate.subject))?;
    }
    let mut mail = false;
    if let Some(SubjectAltName(names)) = certificate.extensions.subject_alt_name {
        budget.octets(names.octets())?;
        for name in names.iter() {
            mail |= matches!(name, GeneralName::Email(_));
            check(name)?;
        }
    }
    if !mail {
        for attribute in certificate.subject.attributes() {
            if attribute.oid == name::EMAIL_ADDRESS {
                let text = attribute.text();
                // A value that is no text is no address, and is refused where addresses are
                // constrained.
                check(GeneralName::Email(text.as_deref().unwrap_or_default()))?;
            }
        }
    }
    Ok(())
}

fn check_name(name: &Compared<'_>, trees: &Trees<'_>, budget: &Budget) -> Result<()> {
    let is_within = |base: &Compared<'_>, side| {
        budget.octets(BASE + name.octets() + base.octets())?;
        is_within(name, base, side).transpose()
    };
    for base in &trees.excluded {
        if is_within(base, Side::Excluded)? == Some(true) {
            return Err(Kind::NameExcluded(name.name.to_string()));
        }
    }
    let mut bound = false;
    for base in &trees.permitted {
        match is_within(base, Side::Permitted)? {
            Some(true) => return Ok(()),
            Some(false) => bound = true,
            None => {}
        }
    }
    match bound {
        true => Err(Kind::NameNotPermitted(name.name.to_string())),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn within(name: GeneralName<'_>, base: GeneralName<'_>, side: Side) -> Option<Result<bool>> {
        let budget = Budget::new(crate::path::Limits::DEFAULT);
        let [name, base] = [name, base].map(|name| Compared::new(name, &budget).unwrap());
        is_within(&name, &base, side)
    }

    #[test]
    fn hosts_and_patterns() {
        for good in [
            "a",
            "adamant.example",
            "xn--n3h.com",
            "1.a",
            "a-b.c",
            "1.a1",
            "0x1g",
        ] {
            assert!(is_host(good) && is_host_pattern(good), "{good}");
        }
        for bad in [
            "",
            ".",
            ".a",
            "a.",
            "a..b",
            "-a.b",
            "a-.b",
            "a_b.c",
            "192.0.2.1",
            "0x1",
            "0XfF",
            "é",
        ] {
            assert!(!is_host(bad) && !is_host_pattern(bad), "{bad}");
        }
        assert!(is_host_pattern("*.a.b") && !is_host("*.a.b"));
        for bad in ["*", "*.", "a*.b", "*.*.b", "a.*.b", "*a.b"] {
            assert!(!is_host_pattern(bad), "{bad}");
        }
        let long = "a".repeat(64);
        assert!(is_host(&long[1..]) && !is_host(&long));
        let long = ["a", "b", "c", "d"].map(|label| label.repeat(63)).join(".");
        assert!(is_host(&long[2..]) && !is_host(&long[1..]));
    }

    /// RFC 9525, 6.3.
    #[test]
    fn matching_hosts() {
        let time = adamant_der::Time::MIN;
        let web = Options::new(Profile::WebPki, time);
        let is_suffix = |domain: &str| domain == "co.example";
        let web = Options {
            public_suffix: Some(&is_suffix),
            ..web
        };
        let cases = [
            ("a.example", "A.Example", true),
            ("a.example.", "a.example", true),
            ("b.a.example", "*.a.example", true),
            ("a.example", "*.a.example", false),
            ("c.b.a.example", "*.a.example", false),
            ("a.example", "*.example", false),
            ("a.co.example", "*.co.example", false),
            ("a.co.example", "a.co.example", true),
            ("*.a.example", "*.a.example", false),
            ("192.0.2.1", "192.0.2.1", false),
        ];
        for (host, pattern, matches) in cases {
            assert_eq!(
                host_matches(host, pattern, &web),
                matches,
                "{host} {pattern}"
            );
        }
        let all = Options::new(Profile::Rfc5280, time);
        assert!(host_matches("a.example", "*.example", &all));
        let unlisted = Options::new(Profile::WebPki, time);
        assert!(host_matches("a.co.example", "*.co.example", &unlisted));
    }

    #[test]
    fn trees_of_domains() {
        use GeneralName::Dns;
        use Side::{Excluded, Permitted};

        for (name, base, inside) in [
            ("a.example", "a.example", true),
            ("b.a.EXAMPLE", "a.example", true),
            ("ba.example", "a.example", false),
            ("example", "a.example", false),
            ("a.example", "", true),
        ] {
            for side in [Permitted, Excluded] {
                assert_eq!(
                    within(Dns(name), Dns(base), side),
                    Some(Ok(inside)),
                    "{name} {base}"
                );
            }
        }
        // All names of a pattern must be permitted; one that is excluded is enough.
        for (pattern, base, permitted, excluded) in [
            ("*.a.example", "a.example", true, true),
            ("*.a.example", "b.a.example", false, true),
            ("*.a.example", "c.b.a.example", false, false),
            ("*.a.example", "example", true, true),
            ("*.a.example", "other.example", false, false),
            ("*.a", "b", false, false),
        ] {
            assert_eq!(
                within(Dns(pattern), Dns(base), Permitted),
                Some(Ok(permitted))
            );
            assert_eq!(
                within(Dns(pattern), Dns(base), Excluded),
                Some(Ok(excluded))
            );
        }
        for (name, base) in [(".a", "a"), ("a_b.c.a", ".a")] {
            let verdict = within(Dns(name), Dns(base), Permitted);
            assert!(matches!(verdict, Some(Err(_))), "{name} {base}");
        }
        assert!(within(Dns("a"), GeneralName::Email("a"), Permitted).is_none());
    }

    /// RFC 5280, 4.2.1.10: a mailbox, a host, the hosts below one; of resources the host counts.
    #[test]
    fn trees_of_mail_and_resources() {
        use GeneralName::{Email, Uri};
        use Side::Permitted;

        for (name, base, inside) in [
            ("ca@a.example", "ca@a.example", true),
            ("ca@A.example", "ca@a.example", true),
            ("CA@a.example", "ca@a.example", false),
            ("ca@a.example", "a.example", true),
            ("ca@b.a.example", "a.example", false),
            ("ca@b.a.example", ".a.example", true),
            ("ca@a.example", ".a.example", false),
        ] {
            assert_eq!(
                within(Email(name), Email(base), Permitted),
                Some(Ok(inside)),
                "{name}"
            );
        }
        for bad in [
            "a.example",
            "a@b@c.example",
            "@a.example",
            "\"a b\"@a.example",
        ] {
            assert!(matches!(
                within(Email(bad), Email("a.example"), Permitted),
                Some(Err(_))
            ));
        }
        for (name, base, inside) in [
            ("https://a.example/x", "a.example", true),
            ("https://u:p@a.example:8080", "a.example", true),
            ("https://b.a.example?q", "a.example", false),
            ("https://b.a.example#f", ".a.example", true),
            ("https://a.example/@b.example", "b.example", false),
        ] {
            assert_eq!(
                within(Uri(name), Uri(base), Permitted),
                Some(Ok(inside)),
                "{name}"
            );
        }
        for bad in [
            "urn:x:y",
            "https://192.0.2.1/",
            "https://[::1]/",
            "://a.example",
            "mailto:a@b",
        ] {
            assert!(
                matches!(within(Uri(bad), Uri("a.example"), Permitted), Some(Err(_))),
                "{bad}"
            );
        }
    }

    #[test]
    fn ranges_of_addresses() {
        use GeneralName::Ip;
        use Side::Permitted;

        let range = Ip(&[192, 0, 2, 0, 255, 255, 255, 0]);
        assert_eq!(
            within(Ip(&[192, 0, 2, 77]), range, Permitted),
            Some(Ok(true))
        );
        assert_eq!(
            within(Ip(&[192, 0, 3, 77]), range, Permitted),
            Some(Ok(false))
        );
        assert_eq!(within(Ip(&[0; 16]), range, Permitted), Some(Ok(false)));
        assert!(is_mask(&[255, 255, 254, 0]) && is_mask(&[0; 4]) && is_mask(&[255; 16]));
        assert!(!is_mask(&[255, 0, 255, 0]) && !is_mask(&[253, 0, 0, 0]) && !is_mask(&[0, 1]));
    }
}
