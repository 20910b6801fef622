//! What each family makes of the input, one after the other. The program and whoever checks it compile the
//! same lines: on a board they run without an allocator, there with everything.

use facade::cipher::aes::Aes128;
use facade::cipher::ccm::AesCcm;
use facade::cipher::chacha20_poly1305::ChaCha20Poly1305;
use facade::cipher::cmac::Cmac;
use facade::cipher::gcm::AesGcm;
use facade::cipher::gcm_siv::AesGcmSiv;
use facade::cipher::modes::cbc;
use facade::cipher::poly1305::{OneTimeKey, Poly1305};
use facade::der::{Tag, parse};
use facade::ec::{ed448, ed25519, p256, p384, p521, secp256k1, x448, x25519};
use facade::family::Aead;
use facade::hash::argon2::{Argon2, Variant};
use facade::hash::scrypt::Params;
use facade::hash::*;
use facade::pq::{ml_dsa, ml_kem};

/// The longest input: 64 bytes, a key of each parameter set of ML-DSA and its signature, and an element.
pub(crate) const LENGTH: usize = 64 + 1312 + 2420 + 1952 + 3309 + 2592 + 4627 + 128;

/// Hands on what each family makes, one by one.
pub(crate) fn results(input: &[u8], out: &mut dyn FnMut(&[u8])) -> Option<()> {
    let (own, mut rest) = input.split_first_chunk::<64>()?;
    let (first, last) = (own.first_chunk::<32>()?, own.last_chunk::<32>()?);

    // Hashes, message authentication, key derivation.
    macro_rules! digests {
        ($($hash:ty)*) => { $(out(&<$hash>::digest(own));)* };
    }
    digests! { Sha224 Sha256 Sha384 Sha512 Sha512_256 Sha3_256 Sha3_512 Blake2b<64> Blake2s<32> Sha1 Md5 }
    out(&Blake3::digest(own));
    let mut long = [0; 200];
    Shake128::digest(own, &mut long);
    out(&long);
    out(&Hmac::<Sha256>::mac(first, last));
    let mut kmac = Kmac256::<32>::new(first, b"families");
    kmac.update(last);
    out(&kmac.finalize());
    out(&siphash::SipHash24::mac(first.first_chunk()?, last));
    let mut key = [0; 40];
    let mut generator = HmacDrbg::<Sha256>::new(first, &last[..16], &last[16..]).ok()?;
    generator.generate(&mut key, b"").ok()?;
    out(&key);
    hkdf::derive::<Sha256>(first, last, b"info", &mut key).ok()?;
    out(&key);
    pbkdf2::derive::<Sha512>(first, last, 2, &mut key).ok()?;
    out(&key);
    x963::derive::<Sha256>(first, last, &mut key).ok()?;
    out(&key);
    sp800_108::derive::<Sha384>(first, b"label", last, &mut key).ok()?;
    out(&key);
    tls_prf::derive::<Sha256>(first, b"label", last, &mut key);
    out(&key);
    let scrypt = Params::new(4, 1, 2).ok()?;
    scrypt
        .derive_within(first, last, &mut [[0; 16]; 14], &mut [0; 256], &mut key)
        .ok()?;
    out(&key);
    let argon2 = Argon2::new(Variant::Id, 8, 1, 1).ok()?;
    argon2
        .derive_within(first, last, &mut [[0; 128]; 8], &mut key)
        .ok()?;
    out(&key);

    // Ciphers.
    macro_rules! aeads {
        ($($aead:ty)*) => { $({
            let cipher = <$aead as Aead>::new(own.get(..<$aead as Aead>::KEY_LEN)?).ok()?;
            let (nonce, mut data) = (own.last_chunk()?, *last);
            let tag = Aead::seal(&cipher, nonce, first, &mut data).ok()?;
            out(&data);
            out(&tag);
            Aead::open(&cipher, nonce, first, &mut data, &tag).ok()?;
            out(&data);
        })* };
    }
    aeads! { AesGcm<16> AesGcm<32> AesCcm<16> AesGcmSiv<32> ChaCha20Poly1305 }
    let aes = Aes128::new(first.first_chunk()?);
    out(&Cmac::with_cipher(aes.clone()).tag(last));
    out(&Poly1305::mac(OneTimeKey::new(*first), last));
    let mut data = *last;
    cbc::encrypt(&aes, first.last_chunk()?, &mut data).ok()?;
    out(&data);

    // Curves.
    macro_rules! agreements {
        ($($module:ident)*) => { $({
            let key = $module::PrivateKey::from_bytes(own.first_chunk()?);
            let peer = $module::PublicKey::from_bytes(own.last_chunk()?);
            out(key.public_key().as_ref());
            out(&*key.agree(&peer).ok()?);
        })* };
    }
    agreements! { x25519 x448 }
    macro_rules! edwards {
        ($($module:ident)*) => { $({
            let key = $module::PrivateKey::from_seed(own.first_chunk()?);
            let signature = key.sign(last);
            out(signature.as_ref());
            let public = $module::PublicKey::from_bytes(&key.public_key().to_bytes()).ok()?;
            public.verify(last, &signature).ok()?;
            public.verify(first, &signature).err()?;
        })* };
    }
    edwards! { ed25519 ed448 }
    macro_rules! weierstrass {
        ($($module:ident $length:literal)*) => { $({
            // Below the order, whose first bit is that of the first byte or above.
            let mut scalar = [0; $length];
            scalar[$length - 32..].copy_from_slice(first);
            let key = $module::PrivateKey::from_bytes(&scalar).ok()?;
            let public = $module::PublicKey::from_sec1(&key.public_key().to_sec1_compressed()).ok()?;
            out(&public.to_sec1());
            let signature = key.sign(last);
            let der = signature.to_der();
            out(der.as_ref());
            let signature = $module::Signature::from_der(der.as_ref()).ok()?;
            public.verify(last, &signature).ok()?;
            public.verify(first, &signature).err()?;
            out(&*key.agree(&public).ok()?);
        })* };
    }
    weierstrass! { p256 32 p384 48 p521 66 secp256k1 32 }

    // Lattices.
    macro_rules! kems {
        ($($module:ident)*) => { $({
            use ml_kem::$module::{DecapsulationKey, EncapsulationKey, decapsulate_encoded};
            let key = DecapsulationKey::from_seed(own);
            let public = key.encapsulation_key().to_bytes();
            out(&public);
            let public = EncapsulationKey::from_bytes(&public).ok()?;
            let (mut ciphertext, secret) = public.encapsulate_deterministic(first);
            out(&ciphertext);
            out(secret.as_ref());
            let key = DecapsulationKey::from_bytes(&key.to_bytes()).ok()?;
            out(key.decapsulate(&ciphertext).as_ref());
            ciphertext[0] ^= 1;
            out(key.decapsulate(&ciphertext).as_ref());
            out(decapsulate_encoded(&key.to_bytes(), &ciphertext).ok()?.as_ref());
        })* };
    }
    kems! { ml_kem_512 ml_kem_768 ml_kem_1024 }
    macro_rules! signatures {
        ($($module:ident)*) => { $({
            use ml_dsa::$module::{PublicKey, Signature};
            let (public, signature);
            (public, rest) = rest.split_first_chunk()?;
            (signature, rest) = rest.split_first_chunk()?;
            let (public, signature) = (PublicKey::from_bytes(public), Signature::from_bytes(signature));
            public.verify(last, &signature).ok()?;
            public.verify(first, &signature).err()?;
            out(&public.hash());
        })* };
    }
    signatures! { ml_dsa_44 ml_dsa_65 ml_dsa_87 }

    // An element: an object identifier, a number, a time, text.
    let length = 2 + usize::from(*rest.get(1)?);
    let read = parse(rest.get(..length)?, |r| {
        r.sequence(|r| {
            let (oid, number, time) = (r.oid()?, r.u32()?, r.time()?);
            let text = r.read(Tag::UTF8_STRING)?.str()?;
            out(oid.as_bytes());
            out(&number.to_be_bytes());
            out(&time.to_unix().to_be_bytes());
            out(text.as_bytes());
            Ok(())
        })
    });
    read.ok()
}
