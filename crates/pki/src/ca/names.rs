//! Alternative names as text.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use adamant::x509::extensions::GeneralName;

use super::idna::a_labels;

/// An alternative name of a subject.
///
/// ```
/// use adamant_pki::ca::SubjectName;
/// assert_eq!("www.example".parse(), Ok(SubjectName::Dns("www.example".into())));
/// assert_eq!("192.0.2.1".parse(), Ok(SubjectName::Ip(vec![192, 0, 2, 1])));
/// assert_eq!("a@example.org".parse(), Ok(SubjectName::Email("a@example.org".into())));
/// let beyond_ascii = "b\u{fc}cher.example".parse::<SubjectName>();
/// assert!(beyond_ascii.unwrap_err().ends_with("write xn--bcher-kva.example"));
/// assert_eq!("dns:192.0.2.1".parse(), Ok(SubjectName::Dns("192.0.2.1".into())));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SubjectName {
    /// A domain.
    Dns(String),
    /// An address of 4 or 16 octets.
    Ip(Vec<u8>),
    /// A mail address.
    Email(String),
    /// A resource identifier.
    Uri(String),
}

impl SubjectName {
    /// As it is in an extension.
    #[must_use]
    pub fn as_general(&self) -> GeneralName<'_> {
        match self {
            SubjectName::Dns(name) => GeneralName::Dns(name),
            SubjectName::Ip(octets) => GeneralName::Ip(octets),
            SubjectName::Email(name) => GeneralName::Email(name),
            SubjectName::Uri(name) => GeneralName::Uri(name),
        }
    }

    /// The name in an extension, if it is of one of these kinds.
    #[must_use]
    pub fn from_general(name: &GeneralName<'_>) -> Option<Self> {
        match name {
            GeneralName::Dns(name) => Some(SubjectName::Dns((*name).to_owned())),
            GeneralName::Ip(octets) => Some(SubjectName::Ip(octets.to_vec())),
            GeneralName::Email(name) => Some(SubjectName::Email((*name).to_owned())),
            GeneralName::Uri(name) => Some(SubjectName::Uri((*name).to_owned())),
            _ => None,
        }
    }
}

impl SubjectName {
    /// Certificates have names in ASCII: what to write instead of another.
    fn in_ascii(&self) -> Result<(), String> {
        let instead = |whole: &str, domain: &str| match a_labels(domain) {
            Some(labels) => format!("{whole:?} is not ASCII: write {labels}"),
            None => format!("{whole:?} is not ASCII, and has no form that is"),
        };
        match self {
            SubjectName::Dns(name) if !name.is_ascii() => Err(instead(name, name)),
            SubjectName::Email(name) if !name.is_ascii() => match name.rsplit_once('@') {
                Some((local, domain)) if local.is_ascii() => {
                    let labels = a_labels(domain).map(|labels| format!("{local}@{labels}"));
                    let labels = labels.ok_or_else(|| instead(name, domain))?;
                    Err(format!("{name:?} is not ASCII: write {labels}"))
                }
                _ => Err(format!(
                    "{name:?} is not ASCII, as a mailbox here has to be"
                )),
            },
            SubjectName::Uri(name) if !name.is_ascii() => Err(format!(
                "{name:?} is not ASCII: its domain is written in A-labels, the rest with %"
            )),
            _ => Ok(()),
        }
    }
}

fn octets(address: IpAddr) -> Vec<u8> {
    match address {
        IpAddr::V4(address) => address.octets().to_vec(),
        IpAddr::V6(address) => address.octets().to_vec(),
    }
}

impl FromStr for SubjectName {
    type Err = String;

    /// `dns:`, `ip:`, `email:` or `uri:` and the name; without one of these, what it looks like.
    fn from_str(text: &str) -> Result<Self, String> {
        let ip = |text: &str| {
            let address = text.parse().map(octets);
            address.map_err(|_| format!("{text:?} is no IP address"))
        };
        let name = match text.split_once(':') {
            Some(("dns" | "DNS", name)) => SubjectName::Dns(name.to_owned()),
            Some(("ip" | "IP", name)) => SubjectName::Ip(ip(name)?),
            Some(("email", name)) => SubjectName::Email(name.to_owned()),
            Some(("uri" | "URI", name)) => SubjectName::Uri(name.to_owned()),
            _ => match ip(text) {
                Ok(octets) => SubjectName::Ip(octets),
                Err(_) if text.contains("://") => SubjectName::Uri(text.to_owned()),
                Err(_) if text.contains('@') => SubjectName::Email(text.to_owned()),
                Err(_) => SubjectName::Dns(text.to_owned()),
            },
        };
        name.in_ascii()?;
        Ok(name)
    }
}

impl fmt::Display for SubjectName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_general().fmt(f)
    }
}
