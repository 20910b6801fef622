//! Comparing names as RFC 5280, 7.1, has it: letters in any case, spaces in any number, the string
//! type without meaning.
//!
//! What RFC 4518 says besides of characters beyond ASCII (the normal form NFKC) is applied with the
//! feature `unicode` alone: without it, two spellings of one accented letter differ.

use core::iter::Peekable;

use super::{Attribute, Name, Rdn};

impl<'a> Name<'a> {
    /// Whether both are the same name (RFC 5280, 7.1).
    ///
    /// ```
    /// use adamant_x509::DistinguishedName;
    ///
    /// let name: DistinguishedName = "CN=Good CA,O=Test  Certificates".parse()?;
    /// let other: DistinguishedName = "CN=good ca,O=Test Certificates".parse()?;
    /// assert!(name.as_name() != other.as_name());
    /// assert!(name.as_name().matches(&other.as_name()));
    /// # Ok::<(), adamant_x509::Error>(())
    /// ```
    pub fn matches(&self, other: &Name<'_>) -> bool {
        if self.der == other.der {
            return true;
        }
        let (mut left, mut right) = (self.rdns(), other.rdns());
        loop {
            match (left.next(), right.next()) {
                (None, None) => return true,
                (Some(a), Some(b)) if a.matches(&b) => {}
                _ => return false,
            }
        }
    }

    /// Whether the name is this one or lies below it: the relation of RFC 5280, 4.2.1.10, where
    /// `base` is a constraint.
    ///
    /// ```
    /// use adamant_x509::DistinguishedName;
    ///
    /// let base: DistinguishedName = "O=Adamant,C=NL".parse()?;
    /// let name: DistinguishedName = "CN=server,O=ADAMANT,C=NL".parse()?;
    /// assert!(name.as_name().is_within(&base.as_name()));
    /// assert!(!base.as_name().is_within(&name.as_name()));
    /// # Ok::<(), adamant_x509::Error>(())
    /// ```
    pub fn is_within(&self, base: &Name<'_>) -> bool {
        let mut rdns = self.rdns();
        base.rdns()
            .all(|wanted| rdns.next().is_some_and(|rdn| rdn.matches(&wanted)))
    }
}

/// The most attributes of one relative name that are compared in any order.
const MAX_ATTRIBUTES: usize = 16;

impl Rdn<'_> {
    /// Whether both have the same attributes, in whatever order.
    pub(crate) fn matches(&self, other: &Rdn<'_>) -> bool {
        if self.attributes.rest() == other.attributes.rest() {
            return true;
        }
        let count = self.attributes().count();
        count == other.attributes().count()
            && count <= MAX_ATTRIBUTES
            && self
                .attributes()
                .all(|a| other.attributes().any(|b| a.matches(&b)))
            && other
                .attributes()
                .all(|b| self.attributes().any(|a| a.matches(&b)))
    }
}

impl Attribute<'_> {
    /// Whether type and value are the same.
    fn matches(&self, other: &Attribute<'_>) -> bool {
        if self.oid != other.oid {
            return false;
        }
        if self.value.raw == other.value.raw {
            return true;
        }
        match (self.text(), other.text()) {
            (Some(a), Some(b)) => same_text(&a, &b),
            _ => false,
        }
    }
}

fn same_text(a: &str, b: &str) -> bool {
    #[cfg(feature = "unicode")]
    if !(is_plain(a) && is_plain(b)) {
        return super::prepare::matches(a, b);
    }
    Folded::new(a).eq(Folded::new(b))
}

/// Whether a text has characters alone whose only other form is that in the other case.
#[cfg(feature = "unicode")]
fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' '..=b'~'))
}

/// The characters of a text in lower case, without spaces at both ends, and with one for several.
struct Folded<'t> {
    characters: Peekable<core::str::Chars<'t>>,
    pending: core::char::ToLowercase,
}

impl<'t> Folded<'t> {
    fn new(text: &'t str) -> Self {
        let mut nothing = 'a'.to_lowercase();
        nothing.next();
        Self {
            characters: text.trim_matches(' ').chars().peekable(),
            pending: nothing,
        }
    }
}

impl Iterator for Folded<'_> {
    type Item = char;

    fn next(&mut self) -> Option<char> {
        if let Some(character) = self.pending.next() {
            return Some(character);
        }
        let character = self.characters.next()?;
        if character == ' ' {
            while self.characters.next_if_eq(&' ').is_some() {}
        }
        self.pending = character.to_lowercase();
        self.pending.next()
    }
}
