//! Text before it is compared, as RFC 4518, 2, and RFC 5280, 7.1, have it: what shows nothing is
//! left away, every kind of space is one, case is folded, and the normal form is NFKC.
//!
//! The tables are those of the Unicode version of the compiler and of the crate that normalises;
//! characters that are unassigned in version 3.2 are taken as they are, where the RFC refuses them.

use alloc::string::String;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The text to compare: nothing if a character is prohibited.
pub(super) fn prepare(text: &str) -> Option<String> {
    let shown = text.chars().filter(|c| !shows_nothing(*c));
    let spaced = shown.map(|c| if is_space(c) { ' ' } else { c });
    let mut characters = spaced.nfkc().flat_map(fold).nfkc().peekable();
    let mut prepared = String::with_capacity(text.len());
    let mut gap = false;
    while let Some(character) = characters.next() {
        if is_prohibited(character) {
            return None;
        }
        // A space that carries a mark is a character like others.
        let carries = characters.peek().is_some_and(|c| is_combining_mark(*c));
        if character == ' ' && !carries {
            gap = true;
            continue;
        }
        if gap && !prepared.is_empty() {
            prepared.push(' ');
        }
        gap = false;
        prepared.push(character);
    }
    Some(prepared)
}

/// RFC 4518, 2.2: characters that are mapped to nothing.
fn shows_nothing(c: char) -> bool {
    matches!(
        u32::from(c),
        0x00ad | 0x034f | 0x1806 | 0x180b..=0x180d | 0x200b | 0xfe00..=0xfe0f | 0xfffc
            | 0x00..=0x08 | 0x0e..=0x1f | 0x7f..=0x84 | 0x86..=0x9f
            | 0x06dd | 0x070f | 0x180e | 0x200c..=0x200f | 0x202a..=0x202e | 0x2060..=0x2063
            | 0x206a..=0x206f | 0xfeff | 0xfff9..=0xfffb | 0x1d173..=0x1d17a | 0xe0001
            | 0xe0020..=0xe007f
    )
}

/// RFC 4518, 2.2: characters that are mapped to a space.
fn is_space(c: char) -> bool {
    matches!(
        u32::from(c),
        0x09..=0x0d | 0x20 | 0x85 | 0xa0 | 0x1680 | 0x2000..=0x200a | 0x2028 | 0x2029 | 0x202f
            | 0x205f | 0x3000
    )
}

/// RFC 4518, 2.4: private use, what is no character, and what stands for an unknown one.
fn is_prohibited(c: char) -> bool {
    let code = u32::from(c);
    matches!(code, 0xe000..=0xf8ff | 0xfdd0..=0xfdef | 0xfffd | 0xf_0000..)
        || code & 0xfffe == 0xfffe
}

/// The letter without case: all that have one capital are the same.
fn fold(c: char) -> impl Iterator<Item = char> {
    // Its capital is that of i, and it is another letter.
    const DOTLESS_I: char = '\u{131}';
    let folded = c.to_lowercase().flat_map(char::to_uppercase);
    let folded = folded.flat_map(char::to_lowercase);
    let itself = (c == DOTLESS_I).then_some(c);
    itself
        .into_iter()
        .chain(folded.filter(move |_| c != DOTLESS_I))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(a: &str, b: &str) -> bool {
        prepare(a).is_some_and(|a| prepare(b) == Some(a))
    }

    fn same(texts: &[&str]) {
        for text in texts {
            assert!(matches(text, texts[0]), "{text:?} and {:?}", texts[0]);
        }
    }

    #[test]
    fn forms_of_one_text() {
        same(&[
            "caf\u{e9}",
            "CAFE\u{301}",
            "\u{ff23}af\u{c9}",
            "ca\u{ad}f\u{e9}",
        ]);
        same(&["stra\u{df}e", "STRASSE", "Stra\u{1e9e}e", "\u{17f}trasse"]);
        same(&["\u{3c3}\u{3c3}", "\u{3a3}\u{3c2}", "\u{3c2}\u{3a3}"]);
        same(&["offic\u{c9}", "o\u{fb03}ce\u{301}"]);
        same(&["i\u{307}x", "\u{130}X"]);
        same(&["\u{212a}elvin", "kelvin"]);
        same(&["1 000 \u{3a9}", " 1\u{a0}\u{2003}000\t\u{2126} "]);
        same(&["\u{1100}\u{1161}\u{11a8}", "\u{ac01}"]);
    }

    #[test]
    fn other_texts() {
        for (a, b) in [
            ("caf\u{e9}", "cafe"),
            ("\u{131}", "i"),
            ("a b", "ab"),
            (" \u{301}a", "\u{301}a"),
            // Prohibited: not even the same as itself.
            ("\u{e000}", "\u{e000}"),
            ("\u{fffd}", "\u{fffd}"),
            ("\u{1ffff}", "\u{1ffff}"),
        ] {
            assert!(!matches(a, b), "{a:?} and {b:?}");
        }
    }

    /// Table B.2 of RFC 3454 and what X.520 maps as RFC 4518 does, for every character of Unicode 3.2.
    #[test]
    fn every_character() {
        use stringprep::tables;

        for c in '\0'..=char::MAX {
            if tables::unassigned_code_point(c) {
                continue;
            }
            let folded: String = tables::case_fold_for_nfkc(c).nfkc().collect();
            let text = String::from(c);
            let Some(prepared) = prepare(&text) else {
                let nowhere = tables::private_use(c) || tables::non_character_code_point(c);
                assert!(nowhere || c == '\u{fffd}', "{c:?}");
                continue;
            };
            assert!(
                shows_nothing(c) || !tables::x520_mapped_to_nothing(c),
                "{c:?}"
            );
            assert_eq!(is_space(c), tables::x520_mapped_to_space(c), "{c:?}");
            if is_space(c) || shows_nothing(c) {
                assert_eq!(prepared, "", "{c:?}");
            } else if prepared.trim() != folded.trim() {
                // Letters that got their other case later.
                assert!(folded == text, "{c:?}");
                assert!(prepared.chars().all(tables::unassigned_code_point), "{c:?}");
            }
        }
    }
}
