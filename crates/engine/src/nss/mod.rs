//! The engine of NSS: of the one found on the machine, loaded at run time (`nss-system`).
//!
//! The work in NSS is done by its `softoken`, behind the interface of PKCS#11 3.0; this is what
//! `PK11_…` of `libnss3` calls, and it is called here directly. Keys are objects of a session,
//! made before the timing. Of the ways that the interface offers these were taken:
//!
//! | operation | here |
//! |---|---|
//! | digest | `C_DigestInit`, `C_Digest` |
//! | MAC, signature | `C_SignInit`, `C_Sign`: it keeps no prepared key of an HMAC over the message |
//! | modes without a tag | `C_EncryptUpdate` on an operation that goes on: an initialisation vector cannot be set without scheduling the key anew, so message follows message in one chain |
//! | key wrap, ChaCha20 | `C_EncryptInit`, `C_Encrypt` |
//! | AEAD | `C_EncryptMessage`, which keeps the key and takes the nonce |
//! | agreement, HKDF, PBKDF2 | the derived key is read and destroyed within the timing, as it is an object too |
//!
//! Keys of peers have no parsed form, so `derive` and `derive-encoded` are one call.
//! The library does not tell how it was built or what it found of the CPU.

mod ffi;
mod keys;
pub mod signer;
mod symmetric;

use std::ffi::c_ulong;
use std::path::Path;

use self::ffi::{Mechanism, Object, Session, Softoken, Template};
use crate::serve::Engine;

/// The name of the engine of the NSS found on the machine.
pub const NAME: &str = "nss-system";

/// The engine of the library in the folder, or of that which the system finds.
///
/// # Errors
/// A sentence if there is none.
pub fn engine(folder: Option<&Path>) -> Result<Engine, String> {
    let (lib, version) = Softoken::load(folder)?;
    let build = "softoken through PKCS#11 3.0";
    let mut engine = Engine::new(NAME, &format!("NSS {version}"), build);
    symmetric::register(&mut engine, lib);
    keys::register(&mut engine, lib);
    Ok(engine)
}

/// `CKA_CLASS` and its values.
const CLASS: c_ulong = 0;
const PUBLIC_KEY: c_ulong = 2;
const PRIVATE_KEY: c_ulong = 3;
const SECRET_KEY: c_ulong = 4;
/// `CKA_KEY_TYPE`, and `CKK_GENERIC_SECRET` of its values.
const KEY_TYPE: c_ulong = 0x100;
const GENERIC_SECRET: c_ulong = 0x10;
/// `CKA_TOKEN`, `CKA_PRIVATE`, `CKA_SENSITIVE`: what session objects that may be read are not.
const NOT: [c_ulong; 3] = [1, 2, 0x103];
/// `CKA_EXTRACTABLE`.
const EXTRACTABLE: c_ulong = 0x162;
const VALUE: c_ulong = 0x11;
const VALUE_LEN: c_ulong = 0x161;
const ENCRYPT: c_ulong = 0x104;
const DECRYPT: c_ulong = 0x105;
const SIGN: c_ulong = 0x108;
const VERIFY: c_ulong = 0x10a;
const DERIVE: c_ulong = 0x10c;

/// `CKM_SHA256` and its like.
const SHA1: c_ulong = 0x220;
const SHA224: c_ulong = 0x255;
const SHA256: c_ulong = 0x250;
const SHA384: c_ulong = 0x260;
const SHA512: c_ulong = 0x270;

/// An object of a session that may be read.
fn open(class: c_ulong, key_type: c_ulong) -> Template {
    let template = Template::default().number(CLASS, class);
    let template = template.number(KEY_TYPE, key_type);
    if class == PUBLIC_KEY {
        return template.no(&NOT[..2]);
    }
    template.no(&NOT).yes(&[EXTRACTABLE])
}

/// A secret key in a session of its own.
fn secret(lib: Softoken, kind: c_ulong, key: &[u8]) -> Result<(Session, Object), String> {
    let template = open(SECRET_KEY, kind).bytes(VALUE, key);
    let template = template.yes(&[ENCRYPT, DECRYPT, SIGN, VERIFY, DERIVE]);
    let session = lib.session()?;
    let object = session.create(&template)?;
    Ok((session, object))
}

/// What is derived by `derive`, read and destroyed.
fn read_derived(
    session: &Session,
    mechanism: &Mechanism,
    key: Object,
    out: &mut [u8],
) -> Result<(), String> {
    let template = open(SECRET_KEY, GENERIC_SECRET).number(VALUE_LEN, out.len() as c_ulong);
    let derived = session.derive(mechanism, key, &template.yes(&[DERIVE]))?;
    read_and_destroy(session, derived, out)
}

fn read_and_destroy(session: &Session, object: Object, out: &mut [u8]) -> Result<(), String> {
    let expected = out.len();
    let read = session.read(object, VALUE, out)?.len();
    session.destroy(object)?;
    if read == expected {
        Ok(())
    } else {
        Err(format!("{read} bytes were derived, not {expected}"))
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn known_answers() {
        let folder = std::env::var_os("ADAMANT_NSS");
        match super::engine(folder.as_deref().map(std::path::Path::new)) {
            Ok(engine) => crate::answers::check(&engine).unwrap(),
            Err(why) => println!("skipped: {why}"),
        }
    }
}
