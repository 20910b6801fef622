//! Mutations of DER that keep it DER: elements are dropped, repeated, exchanged, wrapped or given
//! other tags, and the lengths around them follow. Octet and bit strings that hold elements count as
//! constructed, so that extensions and keys are changed within.

use libfuzzer_sys::fuzzer_mutate;

/// Elements within elements are told apart down to here.
const DEPTH: usize = 24;
/// Identifiers that others are replaced by: one of each kind that the readers know.
const IDENTIFIERS: &[u8] = &[
    0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x0a, 0x0c, 0x13, 0x16, 0x17, 0x18, 0x30, 0x31, 0x80, 0x81,
    0x82, 0x86, 0xa0, 0xa1, 0xa2, 0xa3, 0xa4,
];

#[derive(Clone)]
struct Element {
    identifier: u8,
    content: Content,
}

#[derive(Clone)]
enum Content {
    Octets(Vec<u8>),
    /// After the octet of unused bits, where there is one.
    Elements(Option<u8>, Vec<Element>),
}

/// The mutation of libFuzzer: `data[..size]` becomes the input of the size that it returns.
pub fn mutate(data: &mut [u8], size: usize, max_size: usize, seed: u32) -> usize {
    let mut random = Random(u64::from(seed) << 1 | 1);
    let Some(mut elements) = parse(&data[..size], DEPTH).filter(|_| random.below(2) == 0) else {
        return fuzzer_mutate(data, size, max_size);
    };
    for _ in 0..=random.below(3) {
        change(&mut elements, &mut random);
    }
    let mut encoded = Vec::new();
    encode(&elements, &mut encoded);
    if encoded.is_empty() || encoded.len() > max_size {
        return fuzzer_mutate(data, size, max_size);
    }
    data[..encoded.len()].copy_from_slice(&encoded);
    encoded.len()
}

/// Xorshift: what it draws has only to differ.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % end
    }
}

/// The elements of which all of `octets` consists, if they are of definite lengths and identifiers of
/// one octet.
fn parse(mut octets: &[u8], depth: usize) -> Option<Vec<Element>> {
    let mut elements = Vec::new();
    while let [identifier, first, rest @ ..] = octets {
        let (len, rest) = match first {
            0..=0x7f => (usize::from(*first), rest),
            0x81..=0x83 => {
                let (len, rest) = rest.split_at_checked(usize::from(first & 3))?;
                let len = len
                    .iter()
                    .fold(0, |len, &octet| len << 8 | usize::from(octet));
                (len, rest)
            }
            _ => return None,
        };
        let (content, rest) = rest.split_at_checked(len)?;
        elements.push(Element {
            identifier: *identifier,
            content: inner(*identifier, content, depth)
                .unwrap_or_else(|| Content::Octets(content.to_vec())),
        });
        octets = rest;
    }
    octets.is_empty().then_some(elements)
}

fn inner(identifier: u8, content: &[u8], depth: usize) -> Option<Content> {
    let (unused, content) = match (identifier, content) {
        (0x03, [unused, rest @ ..]) => (Some(*unused), rest),
        (0x04, _) | (0x20.., _) if identifier == 0x04 || identifier & 0x20 != 0 => (None, content),
        _ => return None,
    };
    let elements = parse(content, depth.checked_sub(1)?)?;
    let holds = identifier & 0x20 != 0 || !elements.is_empty();
    holds.then_some(Content::Elements(unused, elements))
}

fn encode(elements: &[Element], out: &mut Vec<u8>) {
    for element in elements {
        let content = match &element.content {
            Content::Octets(octets) => octets.clone(),
            Content::Elements(unused, elements) => {
                let mut content = Vec::from_iter(*unused);
                encode(elements, &mut content);
                content
            }
        };
        out.push(element.identifier);
        let len = content.len().to_be_bytes();
        let from = len.iter().position(|&octet| octet != 0).unwrap_or(7);
        if content.len() > 0x7f {
            out.push(0x80 | (len.len() - from) as u8);
        }
        out.extend(&len[from..]);
        out.extend(content);
    }
}

/// The places of all elements: the indices on the way to each.
fn places(elements: &[Element], above: &[usize], found: &mut Vec<Vec<usize>>) {
    for (i, element) in elements.iter().enumerate() {
        let place = [above, &[i]].concat();
        if let Content::Elements(_, elements) = &element.content {
            places(elements, &place, found);
        }
        found.push(place);
    }
}

/// The list that the element of a place is in, and its index there.
fn at<'a>(mut elements: &'a mut Vec<Element>, place: &[usize]) -> (&'a mut Vec<Element>, usize) {
    let (&last, above) = place.split_last().expect("a place has an index");
    for &i in above {
        let Content::Elements(_, inner) = &mut elements[i].content else {
            unreachable!("places are found in elements");
        };
        elements = inner;
    }
    (elements, last)
}

/// One change of one element.
fn change(elements: &mut Vec<Element>, random: &mut Random) {
    let mut all = Vec::new();
    places(elements, &[], &mut all);
    if all.is_empty() {
        return;
    }
    let donor = {
        let (list, i) = at(elements, &all[random.below(all.len())]);
        list[i].clone()
    };
    let (list, i) = at(elements, &all[random.below(all.len())]);
    match random.below(9) {
        0 => drop(list.remove(i)),
        1 => list.insert(i, list[i].clone()),
        2 => {
            let other = random.below(list.len());
            list.swap(i, other);
        }
        3 => list[i] = donor,
        4 => list.insert(i, donor),
        5 => list[i].identifier = IDENTIFIERS[random.below(IDENTIFIERS.len())],
        6 => list[i].content = Content::Octets(Vec::new()),
        7 => {
            list[i] = Element {
                identifier: 0x30,
                content: Content::Elements(None, vec![list[i].clone()]),
            };
        }
        _ => {
            if let Content::Octets(octets) = &mut list[i].content {
                let size = octets.len();
                octets.resize(size + 16, 0);
                let size = fuzzer_mutate(octets, size, size + 16);
                octets.truncate(size);
            }
        }
    }
}
