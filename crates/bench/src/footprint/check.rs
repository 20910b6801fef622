//! What the small programs read, and what they must write: by the library itself.

use adamant::cipher::gcm::Aes128Gcm;
use adamant::ec::{ed25519, p256, x25519};
use adamant::hash::Sha256;

/// The input of a program of this name, and its output; `None` for others.
pub(super) fn known(program: &str) -> Option<(Vec<u8>, Vec<u8>)> {
    let input: [u8; 64] = std::array::from_fn(|i| (i * 37 + 11) as u8);
    let (first, last) = (*input.first_chunk::<32>()?, *input.last_chunk::<32>()?);
    let agreed = |peer: &x25519::PublicKey| {
        let key = x25519::PrivateKey::from_bytes(&first);
        Some((key.public_key(), key.agree(peer).ok()?))
    };
    let output = match program {
        "sha256" => Sha256::digest(&input).to_vec(),
        "x25519" => {
            let (public, shared) = agreed(&x25519::PublicKey::from_bytes(&last).ok()?)?;
            [public.to_bytes(), *shared].concat()
        }
        "curve25519" => {
            let signature = ed25519::PrivateKey::from_seed(&first).sign(&last);
            let own = x25519::PrivateKey::from_bytes(&first).public_key();
            let (_, shared) = agreed(&own)?;
            [&signature.to_bytes()[..], &[1], &*shared].concat()
        }
        "aes_gcm" => {
            let cipher = Aes128Gcm::new(input.first_chunk()?);
            let mut data = last;
            let nonce = input[16..28].try_into().ok()?;
            let tag = cipher.seal(nonce, &input[28..32], &mut data).ok()?;
            [&data[..], &tag, &last].concat()
        }
        "ecdsa_p256" => {
            let key = p256::PrivateKey::from_bytes(&first).ok()?;
            let signature = key.sign(&last);
            let public = key.public_key().to_sec1();
            let input = [signature.to_bytes().as_ref(), public.as_ref(), &last].concat();
            return Some((input, vec![1]));
        }
        _ => return None,
    };
    Some((input.to_vec(), output))
}

#[cfg(test)]
mod tests {
    use super::super::list::{MEASUREMENTS, What};
    use super::*;

    #[test]
    fn every_program_has_its_output() {
        for measurement in MEASUREMENTS {
            if let What::Loaded(program) | What::C(program) | What::File(program, _) =
                measurement.what
            {
                let (input, output) = known(program).unwrap();
                assert!(!input.is_empty() && !output.is_empty(), "{program}");
            }
        }
        assert_eq!(known("ecdsa_p256").unwrap().0.len(), 64 + 65 + 32);
        assert!(known("tea").is_none());
    }
}
