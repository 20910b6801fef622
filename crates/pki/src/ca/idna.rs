//! Domains beyond ASCII: their A-labels (RFC 5890), in which certificates have them.
//!
//! This is for telling people what they may have meant. Characters are put into small letters and
//! composed (NFC), and then encoded (Punycode, RFC 3492); whether a registry would take them is
//! not looked at.

use unicode_normalization::UnicodeNormalization;

// The parameters of RFC 3492, section 5.
const BASE: u32 = 36;
const T_MIN: u32 = 1;
const T_MAX: u32 = 26;
const SKEW: u32 = 38;
const DAMP: u32 = 700;
const INITIAL_BIAS: u32 = 72;
const INITIAL_N: u32 = 128;

/// The most octets of a label (RFC 1034, 3.1).
const LONGEST: usize = 63;

/// The same domain in ASCII: each label that is not becomes `xn--` and its Punycode.
///
/// ```
/// use adamant_pki::ca::a_labels;
/// assert_eq!(a_labels("B\u{fc}cher.example").as_deref(), Some("xn--bcher-kva.example"));
/// assert_eq!(a_labels("books.example").as_deref(), Some("books.example"));
/// ```
///
/// Nothing if there is none: a label would have more than 63 octets.
#[must_use]
pub fn a_labels(domain: &str) -> Option<String> {
    if domain.is_ascii() {
        return Some(domain.to_owned());
    }
    // Each character beyond ASCII is a character of the Punycode at least, so that what could not
    // fit is not encoded at all.
    let folded: String = domain.to_lowercase().nfc().collect();
    // Full stops of other scripts separate labels too (RFC 3490, 3.1).
    let labels = folded.split(['.', '\u{3002}', '\u{ff0e}', '\u{ff61}']);
    let labels = labels.map(|label| match label.is_ascii() {
        true => Some(label.to_owned()),
        false if label.chars().count() > LONGEST => None,
        false => punycode(label).map(|code| format!("xn--{code}")),
    });
    let labels: Vec<_> = labels.collect::<Option<_>>()?;
    let fit = labels.iter().all(|label| label.len() <= LONGEST);
    fit.then(|| labels.join("."))
}

/// RFC 3492, section 6.3; nothing for more than 2^32 of anything.
fn punycode(label: &str) -> Option<String> {
    let mut out: String = label.chars().filter(char::is_ascii).collect();
    let basic = u32::try_from(out.len()).ok()?;
    let mut done = basic;
    if basic > 0 {
        out.push('-');
    }
    let (mut n, mut delta, mut bias) = (INITIAL_N, 0_u32, INITIAL_BIAS);
    let points: Vec<u32> = label.chars().map(u32::from).collect();
    while (done as usize) < points.len() {
        let next = points.iter().copied().filter(|point| *point >= n).min()?;
        delta = delta.checked_add((next - n).checked_mul(done + 1)?)?;
        n = next;
        for point in &points {
            if *point < n {
                delta = delta.checked_add(1)?;
            }
            if *point == n {
                variable_length(delta, bias, &mut out);
                bias = adapt(delta, done + 1, done == basic);
                delta = 0;
                done += 1;
            }
        }
        delta = delta.checked_add(1)?;
        n += 1;
    }
    Some(out)
}

/// A number in digits of a base that falls with the bias.
fn variable_length(mut number: u32, bias: u32, out: &mut String) {
    let digit = |d: u32| match d {
        0..26 => char::from(b'a' + d as u8),
        _ => char::from(b'0' + (d - 26) as u8),
    };
    let mut k = BASE;
    loop {
        let t = k.saturating_sub(bias).clamp(T_MIN, T_MAX);
        if number < t {
            break;
        }
        out.push(digit(t + (number - t) % (BASE - t)));
        number = (number - t) / (BASE - t);
        k += BASE;
    }
    out.push(digit(number));
}

/// RFC 3492, section 6.1.
fn adapt(delta: u32, points: u32, first: bool) -> u32 {
    let mut delta = if first { delta / DAMP } else { delta / 2 };
    delta += delta / points;
    let mut k = 0;
    while delta > ((BASE - T_MIN) * T_MAX) / 2 {
        delta /= BASE - T_MIN;
        k += BASE;
    }
    k + (BASE - T_MIN + 1) * delta / (delta + SKEW)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The samples of RFC 3492, section 7.1, but for the case of letters.
    #[test]
    fn rfc3492_samples() {
        for (label, expected) in [
            ("ليهمابتكلموشعربي؟", "egbpdaj6bu4bxfgehfvwxn"),
            ("他们为什么不说中文", "ihqwcrb4cv8a8dqg056pqjye"),
            ("他們爲什麽不說中文", "ihqwctvzc91f659drss3x8bo0yb"),
            ("Pročprostěnemluvíčesky", "Proprostnemluvesky-uyb24dma41a"),
            ("למההםפשוטלאמדבריםעברית", "4dbcagdahymbxekheh6e0a7fei0b"),
            (
                "यहलोगहिन्दीक्योंनहींबोलसकतेहैं",
                "i1baa7eci9glrd9b2ae1bj0hfcgg6iyaf8o0a1dig0cd",
            ),
            (
                "なぜみんな日本語を話してくれないのか",
                "n8jok5ay5dzabd5bym9f0cm5685rrjetr6pdxa",
            ),
            (
                "세계의모든사람들이한국어를이해한다면얼마나좋을까",
                "989aomsvi5e83db1d2a355cv1e0vak1dwrv93d5xbh15a0dt30a5jpsd879ccm6fea98c",
            ),
            (
                "почемужеонинеговорятпорусски",
                "b1abfaaepdrnnbgefbadotcwatmq2g4l",
            ),
            (
                "PorquénopuedensimplementehablarenEspañol",
                "PorqunopuedensimplementehablarenEspaol-fmd56a",
            ),
            (
                "TạisaohọkhôngthểchỉnóitiếngViệt",
                "TisaohkhngthchnitingVit-kjcr8268qyxafd2f1b9g",
            ),
            ("3年B組金八先生", "3B-ww4c5e180e575a65lsy2b"),
            (
                "安室奈美恵-with-SUPER-MONKEYS",
                "-with-SUPER-MONKEYS-pc58ag80a8qai00g7n9n",
            ),
            (
                "Hello-Another-Way-それぞれの場所",
                "Hello-Another-Way--fc4qua05auwb3674vfr0b",
            ),
            ("ひとつ屋根の下2", "2-u9tlzr9756bt3uc0v"),
            ("MajiでKoiする5秒前", "MajiKoi5-783gue6qz075azm5e"),
            ("パフィーdeルンバ", "de-jg4avhby1noc0d"),
            ("そのスピードで", "d9juau41awczczp"),
            ("-> $1.00 <-", "-> $1.00 <--"),
        ] {
            assert_eq!(punycode(label).as_deref(), Some(expected), "{label}");
        }
    }

    #[test]
    fn domains() {
        // Composed or not, in small letters or not, under any full stop.
        for domain in ["bücher.example", "BU\u{308}CHER.example", "bücher。example"] {
            let expected = Some("xn--bcher-kva.example");
            assert_eq!(a_labels(domain).as_deref(), expected, "{domain}");
        }
        assert_eq!(
            a_labels("*.bücher.example").as_deref(),
            Some("*.xn--bcher-kva.example")
        );
        assert_eq!(a_labels(&"ü".repeat(100)), None);
        // With an encoding of quadratic work this would take hours.
        let many: String = ('\u{4e00}'..'\u{9fff}').cycle().take(1 << 20).collect();
        assert_eq!(a_labels(&many), None);
    }
}
