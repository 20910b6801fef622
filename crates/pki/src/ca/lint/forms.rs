//! The forms of names: domains, mail addresses, URIs.

/// What is wrong with a domain (RFC 1034, 3.5, RFC 1123, 2.1; wildcards after RFC 9525, 6.3).
pub(super) fn domain(name: &str) -> Option<&'static str> {
    let (labels, wildcard) = match name.strip_prefix("*.") {
        Some(rest) => (rest, true),
        None => (name, false),
    };
    if name.len() > 253 {
        return Some("more than 253 octets");
    }
    if labels.parse::<std::net::IpAddr>().is_ok() {
        return Some("an address is not a domain");
    }
    if wildcard && !labels.contains('.') {
        return Some("a wildcard for a whole top-level domain");
    }
    for label in labels.split('.') {
        let letters = label
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'-');
        if label.is_empty() {
            return Some("an empty label");
        }
        if label.len() > 63 {
            return Some("a label of more than 63 octets");
        }
        if !letters || label.starts_with('-') || label.ends_with('-') {
            return Some("a label has only letters, digits and inner hyphens");
        }
    }
    let last = labels.rsplit('.').next().unwrap_or_default();
    if last.bytes().all(|b| b.is_ascii_digit()) {
        return Some("a top-level domain has a letter");
    }
    None
}

/// What is wrong with a mail address.
pub(super) fn mail(name: &str) -> Option<&'static str> {
    let printable = name.bytes().all(|b| b.is_ascii_graphic());
    match name.rsplit_once('@') {
        Some((local, host)) if !local.is_empty() && !local.contains('@') && printable => {
            if host.starts_with('*') {
                return Some("a wildcard");
            }
            domain(host)
        }
        _ => Some("no mail address"),
    }
}

/// What is wrong with a URI.
pub(super) fn uri(name: &str) -> Option<&'static str> {
    let printable = name.bytes().all(|b| b.is_ascii_graphic());
    let scheme = name.split_once(':').map_or("", |(scheme, _)| scheme);
    let letters = |b: u8| b.is_ascii_alphanumeric() || b"+-.".contains(&b);
    let begins = scheme
        .bytes()
        .next()
        .is_some_and(|b| b.is_ascii_alphabetic());
    if printable && begins && scheme.bytes().all(letters) && name.len() > scheme.len() + 1 {
        return None;
    }
    Some("no absolute URI")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn domains() {
        for right in [
            "a.example",
            "*.a.example",
            "xn--bcher-kva.example",
            "localhost",
            "a.b1",
        ] {
            assert_eq!(domain(right), None, "{right}");
        }
        let long = format!("{}.example", "a".repeat(64));
        for wrong in [
            "",
            "a..b",
            ".a",
            "a.",
            "*.example",
            "a.*.example",
            "*",
            "a_b.example",
            "-a.example",
            "a-.example",
            "192.0.2.1",
            "a.1",
            "ä.example",
            "a b.example",
            &long,
        ] {
            assert!(domain(wrong).is_some(), "{wrong}");
        }
        assert!(domain(&"a.".repeat(130)).is_some());
    }

    #[test]
    fn mails_and_uris() {
        assert_eq!(mail("a@example.org"), None);
        for wrong in [
            "a",
            "@example.org",
            "a@",
            "a b@example.org",
            "a@b@c",
            "a@*.example",
        ] {
            assert!(mail(wrong).is_some(), "{wrong}");
        }
        assert_eq!(uri("https://example.org/a"), None);
        assert_eq!(uri("urn:a"), None);
        for wrong in [
            "",
            "example.org",
            "://a",
            "1:a",
            "http:",
            "a b:c",
            "http://ä",
        ] {
            assert!(uri(wrong).is_some(), "{wrong}");
        }
    }
}
