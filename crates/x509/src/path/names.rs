//! Names in certificates: whether they are well-formed, whether a certificate is for one
//! (RFC 9525), and whether one lies in the tree of a constraint (RFC 5280, 4.2.1.10).

use alloc::string::ToString;
use core::net::IpAddr;

use super::PathErrorKind as Kind;
use super::build::Budget;
use super::{Options, PeerName, Profile};
use crate::extensions::{GeneralName, NameConstraints, SubjectAltName};
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

/// Whether a domain is one under which others register: the names below are not one's own.
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

/// Whether a name lies in the tree of this base: nothing if the base is of another form, an
/// error if that cannot be told.
fn is_within(name: &GeneralName<'_>, base: &GeneralName<'_>, side: Side) -> Option<Result<bool>> {
    use GeneralName::{Directory, Dns, EdiParty, Email, Ip, Other, RegisteredId, Uri, X400};

    let unclear = || Err(Kind::NameNotCheckable(name.to_string()));
    Some(match (name, base) {
        (Dns(name), Dns(base)) => match name.strip_prefix("*.") {
            // A pattern is excluded where one of its names is: those have one label more.
            Some(domain) if side == Side::Excluded => {
                let one = base.split_once('.').map(|(_, rest)| rest);
                let one = one.is_some_and(|rest| rest.eq_ignore_ascii_case(domain));
                Ok(one || host_within(domain, base))
            }
            // It is permitted where all of its names are.
            Some(domain) => Ok(is_host(domain) && host_within(domain, base)),
            None if is_host(name) => Ok(host_within(name, base)),
            None => unclear(),
        },
        (Email(name), Email(base)) => match split_mail(name) {
            None => unclear(),
            Some((_, host)) if !base.contains('@') => Ok(match base.strip_prefix('.') {
                Some(domain) => host_below(host, domain),
                None => base.is_empty() || host.eq_ignore_ascii_case(base),
            }),
            Some(_) => Ok(mail_matches(name, base)),
        },
        (Uri(name), Uri(base)) => match uri_host(name) {
            None => unclear(),
            Some(host) => Ok(match base.strip_prefix('.') {
                Some(domain) => host_below(host, domain),
                None => base.is_empty() || host.eq_ignore_ascii_case(base),
            }),
        },
        (Ip(address), Ip(range)) => {
            let (base, mask) = range.split_at(range.len() / 2);
            let same = |((a, b), mask): ((&u8, &u8), &u8)| (a ^ b) & mask == 0;
            Ok(address.len() == base.len() && address.iter().zip(base).zip(mask).all(same))
        }
        (Directory(name), Directory(base)) => Ok(name.is_within(base)),
        (Other { oid, .. }, Other { oid: base, .. }) if oid == base => unclear(),
        (X400(_), X400(_)) | (EdiParty(_), EdiParty(_)) | (RegisteredId(_), RegisteredId(_)) => {
            unclear()
        }
        _ => return None,
    })
}

/// Whether the bases of all trees are such.
pub(super) fn check_constraints(constraints: &NameConstraints<'_>) -> Result<()> {
    for subtrees in [constraints.permitted, constraints.excluded]
        .into_iter()
        .flatten()
    {
        for subtree in subtrees.iter() {
            let good = match subtree.0 {
                GeneralName::Dns(base) => base.is_empty() || is_host(base),
                GeneralName::Email(base) if base.contains('@') => split_mail(base).is_some(),
                GeneralName::Email(base) | GeneralName::Uri(base) => {
                    base.is_empty() || is_host(base.strip_prefix('.').unwrap_or(base))
                }
                GeneralName::Ip(range) => is_mask(&range[range.len() / 2..]),
                _ => true,
            };
            if !good {
                return Err(Kind::BadConstraint(subtree.0.to_string()));
            }
        }
    }
    Ok(())
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
    constraints: &[NameConstraints<'_>],
    budget: &Budget,
) -> Result<()> {
    if constraints.is_empty() {
        return Ok(());
    }
    let check = |name: GeneralName<'_>| {
        constraints
            .iter()
            .try_for_each(|constraints| check_name(&name, constraints, budget))
    };
    if !certificate.subject.is_empty() {
        check(GeneralName::Directory(certificate.subject))?;
    }
    let mut mail = false;
    if let Some(SubjectAltName(names)) = certificate.extensions.subject_alt_name {
        for name in names.iter() {
            mail |= matches!(name, GeneralName::Email(_));
            check(name)?;
        }
    }
    if !mail {
        for attribute in certificate.subject.attributes() {
            if attribute.oid == name::EMAIL_ADDRESS {
                let text = attribute.text();
                // What is no text is no address, and is refused where addresses are constrained.
                check(GeneralName::Email(text.as_deref().unwrap_or_default()))?;
            }
        }
    }
    Ok(())
}

fn check_name(
    name: &GeneralName<'_>,
    constraints: &NameConstraints<'_>,
    budget: &Budget,
) -> Result<()> {
    for subtree in constraints.excluded.into_iter().flatten() {
        budget.compare()?;
        if is_within(name, &subtree.0, Side::Excluded).unwrap_or(Ok(false))? {
            return Err(Kind::NameExcluded(name.to_string()));
        }
    }
    let mut bound = false;
    for subtree in constraints.permitted.into_iter().flatten() {
        budget.compare()?;
        match is_within(name, &subtree.0, Side::Permitted) {
            Some(Ok(true)) => return Ok(()),
            Some(within) => {
                within?;
                bound = true;
            }
            None => {}
        }
    }
    match bound {
        true => Err(Kind::NameNotPermitted(name.to_string())),
        false => Ok(()),
    }
}
