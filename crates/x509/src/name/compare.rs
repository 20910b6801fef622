//! Comparing names as RFC 5280, 7.1, has it: letters in any case, spaces in any number, the string
//! type without meaning, the attributes of a relative name in any order.
//!
//! A name is folded, and folded names are compared octet for octet: two names are the same where
//! their forms are, and one lies below another where its form begins with the other's. For each
//! relative name the form has
//!
//! ```text
//! how many attributes, how many that differ, and these in order, each as
//!     length and octets of the type · 't', length and octets of the text in lower case
//!                                   · 'r', length and octets of an element that is no text
//! ```
//!
//! with numbers of four octets, so that no form is the beginning of another by chance. A
//! [`NameHash`] is SHA-256 of the form, and stands for it wherever names are only looked up.
//!
//! What RFC 4518 says besides of characters beyond ASCII (the normal form NFKC) is applied only with
//! the feature `unicode`: without it, two spellings of one accented letter differ.

use alloc::string::String;
use alloc::vec::Vec;
use core::convert::Infallible;

use adamant_hash::Sha256;

use super::{Attribute, Name, Rdn};
use crate::element::sorted;

/// A hash that is equal for equal names (RFC 5280, 7.1), and differs for others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct NameHash([u8; 32]);

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
        let folded = |rdn: Rdn<'_>| rdn.folded();
        self.der == other.der || self.rdns().map(folded).eq(other.rdns().map(folded))
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
        base.rdns().all(|wanted| {
            rdns.next()
                .is_some_and(|rdn| rdn.folded() == wanted.folded())
        })
    }

    /// The form that is compared; `spend` is asked for leave before each part of the work, which
    /// is given in octets as [`Limits`](crate::path::Limits) counts them.
    pub(crate) fn fold<E>(
        &self,
        mut spend: impl FnMut(usize) -> Result<(), E>,
    ) -> Result<Vec<u8>, E> {
        let mut refused = None;
        let form = self.fold_while(&mut |octets| match spend(octets) {
            Ok(()) => true,
            Err(error) => {
                refused = Some(error);
                false
            }
        });
        refused.map_or(Ok(form), Err)
    }

    /// The form, or as much of it as there was leave for.
    fn fold_while(&self, spend: Leave<'_>) -> Vec<u8> {
        let mut form = Vec::with_capacity(self.der.len());
        for rdn in self.rdns() {
            if !rdn.fold(&mut form, spend) {
                break;
            }
        }
        form
    }

    /// As [`Self::fold`], the hash of it.
    pub(crate) fn fold_hash<E>(
        &self,
        spend: impl FnMut(usize) -> Result<(), E>,
    ) -> Result<NameHash, E> {
        Ok(NameHash(Sha256::digest(&self.fold(spend)?)))
    }
}

/// Asked for leave to handle this many octets.
type Leave<'a> = &'a mut dyn FnMut(usize) -> bool;

/// Leave for any work.
pub(crate) fn freely(_: usize) -> Result<(), Infallible> {
    Ok(())
}

impl Rdn<'_> {
    fn folded(&self) -> Vec<u8> {
        let mut form = Vec::new();
        self.fold(&mut form, &mut |_| true);
        form
    }

    /// Whether there was leave for all of it.
    fn fold(&self, form: &mut Vec<u8>, spend: Leave<'_>) -> bool {
        let mut attributes = Vec::new();
        for attribute in self.attributes() {
            match attribute.folded(spend) {
                Some(folded) => attributes.push(folded),
                None => return false,
            }
        }
        push_number(form, attributes.len());
        let mut attributes = sorted(attributes);
        attributes.dedup();
        push_number(form, attributes.len());
        attributes
            .iter()
            .for_each(|one| form.extend_from_slice(one));
        true
    }
}

/// The cost of an octet of an attribute.
const PLAIN: usize = 4;
/// The cost of one in a text beyond ASCII, before and after it is in its normal form.
const WIDE: usize = 32;
/// The most that characters become in their normal form: U+FDFA has three octets, then 33.
const GROWTH: usize = 11;
/// How long a text may be of which that growth is only counted when it is seen.
const SHORT: usize = 4096;

impl Attribute<'_> {
    /// Nothing where there was no leave.
    fn folded(&self, spend: Leave<'_>) -> Option<Vec<u8>> {
        if !spend(PLAIN * (16 + self.value.raw.len())) {
            return None;
        }
        let text = self.text();
        let text = match &text {
            Some(text) if is_plain(text) => Some(lower(text, |c| [c.to_ascii_lowercase()])),
            Some(text) => {
                let most = if text.len() > SHORT { GROWTH + 1 } else { 1 };
                if !spend(text.len().saturating_mul(WIDE * most)) {
                    return None;
                }
                let prepared = prepare(text);
                if !spend(WIDE * prepared.as_ref().map_or(0, String::len)) {
                    return None;
                }
                prepared
            }
            None => None,
        };
        let (kind, octets) = match &text {
            Some(text) => (b't', text.as_bytes()),
            None => (b'r', self.value.raw),
        };
        let oid = self.oid.as_bytes();
        let mut form = Vec::with_capacity(9 + oid.len() + octets.len());
        push_number(&mut form, oid.len());
        form.extend_from_slice(oid);
        form.push(kind);
        push_number(&mut form, octets.len());
        form.extend_from_slice(octets);
        Some(form)
    }
}

fn push_number(form: &mut Vec<u8>, number: usize) {
    // Names are shorter than this.
    form.extend_from_slice(&(number as u32).to_be_bytes());
}

/// Whether a text has only characters whose only other form is that in the other case.
fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' '..=b'~'))
}

/// A text that is not plain, as it is compared; nothing if it has a character that may not be.
fn prepare(text: &str) -> Option<String> {
    #[cfg(feature = "unicode")]
    return super::prepare::prepare(text);
    #[cfg(not(feature = "unicode"))]
    Some(lower(text, |c| c.to_lowercase()))
}

/// A text without spaces at both ends and with one for several, its characters in lower case.
fn lower<C: IntoIterator<Item = char>>(text: &str, case: impl Fn(char) -> C) -> String {
    let mut lower = String::with_capacity(text.len());
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        if !lower.is_empty() {
            lower.push(' ');
        }
        lower.extend(word.chars().flat_map(&case));
    }
    lower
}

#[cfg(test)]
mod tests {
    use adamant_der::{Oid, Tag, Writer, oid};

    use super::*;

    /// Numbers that look random (SplitMix64).
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, bound: usize) -> usize {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = self.0;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            ((z ^ (z >> 31)) % bound as u64) as usize
        }
    }

    /// The meaning of a value: words in lower case, or octets of no string type.
    #[derive(Clone, Debug, PartialEq)]
    enum Meaning {
        Words(Vec<&'static str>),
        Octets(Vec<u8>),
    }

    type Meanings = Vec<Vec<(Oid, Meaning)>>;

    /// Few words and types, so that names are often nearly the same: types that may have any value.
    fn meanings(numbers: &mut Numbers) -> Meanings {
        const WORDS: [&str; 5] = ["a", "b", "ab", "\u{e9}t\u{e9}", "o=a"];
        const TYPES: [Oid; 2] = [oid!("2.5.4.13"), oid!("2.5.4.45")];
        let rdn = |numbers: &mut Numbers| {
            let value = |numbers: &mut Numbers| match numbers.below(8) {
                0 => Meaning::Octets(vec![b'a'; numbers.below(2)]),
                _ => Meaning::Words(
                    (0..numbers.below(3))
                        .map(|_| WORDS[numbers.below(5)])
                        .collect(),
                ),
            };
            let count = [1, 1, 1, 2, 3][numbers.below(5)];
            let attribute = |numbers: &mut Numbers| match value(numbers) {
                octets @ Meaning::Octets(_) => (TYPES[1], octets),
                words => (TYPES[numbers.below(2)], words),
            };
            (0..count).map(|_| attribute(numbers)).collect()
        };
        (0..numbers.below(4)).map(|_| rdn(numbers)).collect()
    }

    /// One of the ways to write it.
    fn spell(name: &Meanings, numbers: &mut Numbers) -> Vec<u8> {
        let mut w = Writer::new();
        w.sequence(|w| {
            for rdn in name {
                w.set_of(rdn, |w, (oid, meaning)| {
                    w.sequence(|w| {
                        w.oid(oid);
                        write_value(meaning, numbers, w);
                    });
                });
            }
        });
        w.finish()
    }

    fn write_value(meaning: &Meaning, numbers: &mut Numbers, w: &mut Writer) {
        let words = match meaning {
            Meaning::Octets(octets) => return w.tlv(Tag::OCTET_STRING, octets),
            Meaning::Words(words) => words,
        };
        let mut text = " ".repeat(numbers.below(2));
        for (i, word) in words.iter().enumerate() {
            text.push_str(&" ".repeat(if i > 0 { 1 + numbers.below(2) } else { 0 }));
            for character in word.chars() {
                match numbers.below(2) {
                    0 => text.push(character),
                    _ => text.extend(character.to_uppercase()),
                }
            }
        }
        text.push_str(&" ".repeat(numbers.below(2)));
        let wide: Vec<_> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        match numbers.below(4) {
            0 => w.tlv(Tag::BMP_STRING, &wide),
            1 if text.is_ascii() => w.tlv(Tag::IA5_STRING, text.as_bytes()),
            2 => {
                let octets: Vec<_> = text.chars().map(|c| c as u8).collect();
                w.tlv(Tag::T61_STRING, &octets);
            }
            _ => w.tlv(Tag::UTF8_STRING, text.as_bytes()),
        }
    }

    /// RFC 5280, 7.1, as it is written: relative names in order match if they have as many
    /// attributes, and for each there is one that matches, both ways.
    fn same(a: &Meanings, b: &Meanings) -> bool {
        let covers =
            |a: &[(Oid, Meaning)], b: &[(Oid, Meaning)]| a.iter().all(|one| b.contains(one));
        let same = |(a, b): (&Vec<_>, &Vec<_>)| a.len() == b.len() && covers(a, b) && covers(b, a);
        a.len() == b.len() && a.iter().zip(b).all(same)
    }

    /// Names that mean the same, and that do not, however they are written: compared one with
    /// another, by their forms, and by the hashes of these.
    #[test]
    fn folding_is_comparing() {
        let mut numbers = Numbers(5280);
        let (mut equal, mut below) = (0, 0);
        for number in 0..5000 {
            let mut a = meanings(&mut numbers);
            let mut b = match numbers.below(3) {
                0 => meanings(&mut numbers),
                _ => a.clone(),
            };
            // Now and then an attribute that is there twice.
            for rdn in [&mut a, &mut b]
                .map(|name| name.first_mut())
                .into_iter()
                .flatten()
            {
                if numbers.below(4) == 0 {
                    rdn.push(rdn[numbers.below(rdn.len())].clone());
                }
            }
            // Attributes in another order, and now and then a relative name more or less.
            b.iter_mut().for_each(|rdn| rdn.reverse());
            match numbers.below(8) {
                0 => drop(b.pop()),
                1 => b.extend(meanings(&mut numbers)),
                _ => {}
            }
            let [a_der, b_der] = [&a, &b].map(|name| spell(name, &mut numbers));
            let [one, other] = [&a_der, &b_der].map(|der| Name::from_der(der).unwrap());
            let what = format!("{number}: {one} and {other}");
            let is_same = same(&a, &b);
            assert_eq!(one.matches(&other), is_same, "{what}");
            let [one_form, other_form] = [one, other].map(|name| {
                let Ok(form) = name.fold(freely);
                form
            });
            assert_eq!(one_form == other_form, is_same, "{what}");
            let [one_hash, other_hash] = [one, other].map(|name| {
                let Ok(hash) = name.fold_hash(freely);
                hash
            });
            assert_eq!(one_hash == other_hash, is_same, "{what}");
            let is_below = a.len() >= b.len() && same(&a[..b.len()].to_vec(), &b);
            assert_eq!(one.is_within(&other), is_below, "{what}");
            assert_eq!(one_form.starts_with(&other_form), is_below, "{what}");
            equal += usize::from(is_same);
            below += usize::from(is_below && !is_same);
        }
        assert!(equal > 1000 && below > 250, "{equal} equal, {below} below");
    }

    /// Names that differ by where one part of the form ends and the next begins.
    #[test]
    fn lookalikes() {
        let name = |oid: Oid, value: &[u8]| {
            let mut w = Writer::new();
            w.sequence(|w| {
                w.set(|w| {
                    w.sequence(|w| {
                        w.oid(&oid);
                        w.raw(value);
                    });
                });
            });
            w.finish()
        };
        let oid = oid!("2.5.4.45");
        for (one, other) in [
            // The element of one is the text of the other.
            (name(oid, b"\x04\x01a"), name(oid, b"\x0c\x03\x04\x01a")),
            // The type of one is the type of the other with its kind and length.
            (
                name(oid, b"\x0c\x05t\0\0\0\0"),
                name(oid!("2.5.4.45.116.0.0.0.5"), b"\x0c\0"),
            ),
            (name(oid, b"\x0c\x03a b"), name(oid, b"\x0c\x02ab")),
        ] {
            let [one, other] = [&one, &other].map(|der| Name::from_der(der).unwrap());
            assert!(
                !one.matches(&other) && !other.matches(&one),
                "{one} and {other}"
            );
            assert!(one.matches(&one) && other.matches(&other));
        }
        assert_eq!(lower("  A  b ", |c| [c.to_ascii_lowercase()]), "a b");
    }

    /// The cost of folding is charged before it is done, and grows only with the name.
    #[test]
    fn folding_is_charged() {
        for text in [
            "a".repeat(50_000),
            "\u{e9}".repeat(3000),
            "\u{fdfa}".repeat(3000),
        ] {
            let name = crate::DistinguishedName::new().common_name(&text);
            let octets = name.as_der().len();
            let mut spent = 0;
            let form = name.as_name().fold(|count| {
                spent += count;
                Ok::<_, Infallible>(())
            });
            let Ok(form) = form;
            let most = 2 * WIDE * (GROWTH + 2) * octets;
            assert!((form.len()..=most).contains(&spent), "{spent}");
            for refused in 0..4_usize {
                let mut left = refused;
                let result = name.as_name().fold(|_| {
                    left = left.checked_sub(1).ok_or(refused)?;
                    Ok(())
                });
                let charges = if is_plain(&text) { 1 } else { 3 };
                assert_eq!(
                    result.err(),
                    Some(refused).filter(|refused| *refused < charges)
                );
            }
        }
        // The text, what comes of it, and for long ones how they may grow on the way.
        for (text, growth) in [
            ("\u{e9}".repeat(SHORT / 2), 1),
            (["a", &"\u{e9}".repeat(SHORT / 2)].concat(), GROWTH + 1),
        ] {
            let name = crate::DistinguishedName::new().common_name(&text);
            let raw = name.as_name().attributes().next().unwrap().value.raw;
            let mut charges = Vec::new();
            let Ok(_) = name.as_name().fold(|count| {
                charges.push(count);
                Ok::<_, Infallible>(())
            });
            let expected = [
                PLAIN * (16 + raw.len()),
                WIDE * growth * text.len(),
                WIDE * text.len(),
            ];
            assert_eq!(charges, expected);
        }
    }
}
