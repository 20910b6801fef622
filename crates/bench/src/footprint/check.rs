//! What the small programs read, and what they must write: by the library itself.

use adamant::SystemRng;
use adamant::cipher::chacha20_poly1305::ChaCha20Poly1305;
use adamant::cipher::gcm::Aes128Gcm;
#[cfg(test)]
use adamant::der::{Writer, oid};
use adamant::ec::{ed25519, p256, x25519};
use adamant::hash::{HmacDrbg, Sha256};
use adamant::pq::{ml_dsa::ml_dsa_65, ml_kem::ml_kem_768};
use adamant::rsa;
use adamant::x509::extensions::{BasicConstraints, GeneralName, KeyUsage, SubjectAltName};
use adamant::x509::{CertificateBuilder, DistinguishedName, PublicKey, SerialNumber};

/// The input of a small program of this name, and its output; `None` for others.
///
/// ```
/// let (input, output) = adamant_bench::footprint::known("sha256").unwrap();
/// assert_eq!(adamant::hash::Sha256::digest(&input)[..], output);
/// ```
#[must_use]
pub fn known(program: &str) -> Option<(Vec<u8>, Vec<u8>)> {
    let input: [u8; 64] = std::array::from_fn(|i| (i * 37 + 11) as u8);
    let (first, last) = (*input.first_chunk::<32>()?, *input.last_chunk::<32>()?);
    let agreed = |peer: &x25519::PublicKey| {
        let key = x25519::PrivateKey::from_bytes(&first);
        Some((key.public_key(), key.agree(peer).ok()?))
    };
    let output = match program {
        "nothing" => input.to_vec(),
        "ed25519" => {
            let signature = ed25519::PrivateKey::from_seed(&first).sign(&last);
            [&signature.to_bytes()[..], &[1]].concat()
        }
        "rsa" => {
            let key = rsa::PrivateKey::generate(2048, &mut SystemRng).ok()?;
            let signature = key.sign_pkcs1::<Sha256>(&last, &mut SystemRng).ok()?;
            let key = key.to_pkcs1_der();
            let length = u16::try_from(key.len()).ok()?.to_be_bytes();
            let input = [&last, &length[..], &key].concat();
            return Some((input, [&signature[..], &[1]].concat()));
        }
        "rsa_verify" => {
            let key = rsa::PrivateKey::generate(2048, &mut SystemRng).ok()?;
            let signature = key.sign_pkcs1::<Sha256>(&last, &mut SystemRng).ok()?;
            let modulus = key.public_key().n();
            return Some(([&signature[..], &modulus, &last].concat(), vec![1]));
        }
        "ml_kem" => {
            let key = ml_kem_768::DecapsulationKey::from_seed(&input);
            let (ciphertext, secret) = key.encapsulation_key().encapsulate(&mut SystemRng).ok()?;
            let input = [&input[..], &*key.to_bytes(), &ciphertext].concat();
            return Some((input, [&secret.as_bytes()[..], &[1]].concat()));
        }
        "ml_dsa" => {
            let signature = ml_dsa_65::PrivateKey::from_seed(&first).sign(&last);
            return Some(([&input[..], signature.as_ref()].concat(), vec![1, 1]));
        }
        "sha256" => Sha256::digest(&input).to_vec(),
        "hmac_drbg" => {
            let (nonce, personalization) = last.split_at(16);
            let mut generator = HmacDrbg::<Sha256>::new(&first, nonce, personalization).ok()?;
            let mut out = vec![0; 40];
            generator.generate(&mut out, b"").ok()?;
            out
        }
        "x25519" => {
            let (public, shared) = agreed(&x25519::PublicKey::from_bytes(&last))?;
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
        "chacha20_poly1305" => {
            let cipher = ChaCha20Poly1305::new(&first);
            let (mut data, after): ([u8; 16], _) = (input[48..].try_into().ok()?, &input[48..]);
            let nonce = input[32..44].try_into().ok()?;
            let tag = cipher.seal(nonce, &input[44..48], &mut data).ok()?;
            [&data[..], &tag, after].concat()
        }
        "ecdsa_sign" => {
            let key = p256::PrivateKey::from_bytes(&first).ok()?;
            key.sign(&last).to_bytes().to_vec()
        }
        "ecdsa_p256" => {
            let key = p256::PrivateKey::from_bytes(&first).ok()?;
            let signature = key.sign(&last);
            let public = key.public_key().to_sec1();
            let input = [signature.to_bytes().as_ref(), public.as_ref(), &last].concat();
            return Some((input, vec![1]));
        }
        "certificate" => return Some((certificates(&first, &last)?, vec![1])),
        #[cfg(test)]
        "families" => return families(&input),
        _ => return None,
    };
    Some((input.to_vec(), output))
}

/// What the program of all families without an allocator makes its results of, and these, by the same
/// lines with an allocator.
#[cfg(test)]
fn families(input: &[u8; 64]) -> Option<(Vec<u8>, Vec<u8>)> {
    use adamant::pq::ml_dsa::{ml_dsa_44, ml_dsa_87};

    let (seed, message) = (input.first_chunk()?, input.last_chunk::<32>()?);
    let mut input = input.to_vec();
    macro_rules! signatures {
        ($($module:ident)*) => { $({
            let key = $module::PrivateKey::from_seed(seed);
            input.extend(key.public_key().to_bytes());
            input.extend(key.sign(message).as_ref());
        })* };
    }
    signatures! { ml_dsa_44 ml_dsa_65 ml_dsa_87 }
    let mut writer = Writer::new();
    writer.sequence(|w| {
        w.oid(&oid!("1.2.840.113549.1"));
        w.integer_u64(0x1234_5678);
        w.time(adamant::der::Time::MAX);
        w.utf8_string("caller’s memory");
    });
    input.extend(writer.finish());
    input.resize(super::families::LENGTH, 0);
    let mut output = Vec::new();
    super::families::results(&input, &mut |bytes| output.extend(bytes))?;
    Some((input, output))
}

/// An anchor's name and key, a CA's certificate and a server's, each after its length: the server
/// is the one, and the time within the period, that the programs have.
fn certificates(anchor: &[u8; 32], ca: &[u8; 32]) -> Option<Vec<u8>> {
    let [anchor, ca] = [anchor, ca].map(|key| p256::PrivateKey::from_bytes(key).ok());
    let (anchor, ca) = (anchor?, ca?);
    let name = |name: &'static str| DistinguishedName::new().common_name(name);
    let [root, middle, server] = [name("Root"), name("CA"), name("Server")];
    let (from, until) = ("2026-01-01".parse().ok()?, "2026-04-01".parse().ok()?);
    let key = PublicKey::P256(ca.public_key());
    let certificate = |issuer, subject| {
        CertificateBuilder::new(SerialNumber::from(1), issuer, from, until, subject, &key)
    };
    let middle_der = certificate(root.as_name(), middle.as_name())
        .extension(&BasicConstraints::ca(None))
        .extension(&KeyUsage::KEY_CERT_SIGN)
        .sign(&anchor)
        .ok()?;
    let host = [GeneralName::Dns("www.adamant.example")];
    let server_der = certificate(middle.as_name(), server.as_name())
        .extension(&SubjectAltName((&host).into()))
        .sign(&ca)
        .ok()?;
    let key = PublicKey::P256(anchor.public_key()).to_der();
    let mut input = Vec::new();
    for part in [root.as_der(), &key, &middle_der, &server_der] {
        input.extend(u16::try_from(part.len()).ok()?.to_be_bytes());
        input.extend(part);
    }
    Some(input)
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
        assert!(known("families").unwrap().1.len() > 10_000);
    }
}
