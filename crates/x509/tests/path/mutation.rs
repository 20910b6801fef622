//! Chains with one octet altered or the end cut off, every signature taken for good: nothing
//! panics, and a name that is demanded never makes a path valid.

use adamant_x509::Certificate;
use adamant_x509::path::{Options, PeerName, Profile, TrustAnchor, validate};

use super::adversarial::Gullible;
use super::chain::{Numbers, at, generate};

#[test]
fn altered_chains() {
    let mut numbers = Numbers(1);
    let (mut read, mut valid) = (0, 0);
    let chains: Vec<_> = (0..40).map(generate).collect();
    for number in 0..8000 {
        let chain = &chains[number % chains.len()];
        let mut all = [&chain.leaf, &chain.root].map(Clone::clone).to_vec();
        all.extend(chain.intermediates.iter().cloned());
        for _ in 0..=numbers.below(2) {
            let one = numbers.below(all.len());
            let at = numbers.below(all[one].len());
            match numbers.below(12) {
                0 => all[one].truncate(at),
                1 => all[one][at] = 0,
                2 => all[one][at] = 0xff,
                n => all[one][at] ^= 1 << (n % 8),
            }
            if all[one].is_empty() {
                all[one].push(0x30);
            }
        }
        let parse = |der: &'_ Vec<u8>| Certificate::from_der(der).is_ok();
        all.retain(parse);
        let all: Vec<_> = all
            .iter()
            .map(|der| Certificate::from_der(der).unwrap())
            .collect();
        let [leaf, root, others @ ..] = all.as_slice() else {
            continue;
        };
        let Ok(anchor) = TrustAnchor::from_certificate(root) else {
            continue;
        };
        read += 1;
        let anchors = [anchor];
        let names = [PeerName::Dns(chain.host)];
        for profile in [Profile::Path, Profile::Rfc5280, Profile::WebPki] {
            let options = Options {
                verifier: &Gullible,
                ..Options::new(profile, at())
            };
            let first = validate(leaf, others, &anchors, &options);
            let named = Options {
                names: &names,
                ..options
            };
            let second = validate(leaf, others, &anchors, &named);
            assert!(first.is_ok() || second.is_err(), "{number}: {first:?}");
            valid += usize::from(first.is_ok());
        }
    }
    assert!(read > 1000 && valid > 100, "{read} read, {valid} valid");
}
