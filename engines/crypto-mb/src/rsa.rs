//! RSA signatures with the padding of PKCS#1.

use std::cell::RefCell;
use std::ffi::{c_int, c_void};

use adamant_engine::der;
use adamant_engine::op::{field, item, valid};
use adamant_engine::serve::Engine;
use sha2::{Digest, Sha256};

use crate::ffi;
use crate::lanes::{batch, done, is_good, pointers, words};

/// `DigestInfo` of SHA-256 up to the digest (RFC 8017, 9.2).
const SHA256_INFO: [u8; 19] = [
    0x30, 0x31, 0x30, 0x0d, 6, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1, 5, 0, 4, 0x20,
];

fn pad(message: &[u8], padded: &mut [u8]) {
    let digest = Sha256::digest(message);
    let (front, back) = padded.split_at_mut(padded.len() - SHA256_INFO.len() - digest.len());
    let last = front.len() - 1;
    front.fill(0xff);
    (front[0], front[1], front[last]) = (0, 1, 0);
    back[..SHA256_INFO.len()].copy_from_slice(&SHA256_INFO);
    back[SHA256_INFO.len()..].copy_from_slice(&digest);
}

/// A method of the library, and the room that it works in, on a line of the cache.
struct Method {
    method: *const c_void,
    room: RefCell<Vec<[Line; 1]>>,
}

#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([u8; 64]);

impl Method {
    fn new(method: unsafe extern "C" fn(c_int) -> *const c_void, bits: usize) -> Self {
        // SAFETY: the function takes any number of bits; it gives a constant, or nothing.
        let method = unsafe { method(bits as c_int) };
        assert!(!method.is_null(), "the library has these lengths");
        // SAFETY: the method is one of the library's.
        let bytes = unsafe { ffi::mbx_RSA_Method_BufSize(method) } as usize;
        let lines = vec![[Line([0; 64])]; bytes.div_ceil(64)];
        Method {
            method,
            room: RefCell::new(lines),
        }
    }
    fn room(&self) -> *mut u8 {
        self.room.borrow_mut().as_mut_ptr().cast()
    }
}

struct Signing {
    /// `p`, `q`, `dp`, `dq`, `iq`.
    key: [Vec<u64>; 5],
    message: Vec<u8>,
    padded: Vec<u8>,
    signature: Vec<u8>,
}

struct Verifying {
    n: Vec<u64>,
    message: Vec<u8>,
    signature: Vec<u8>,
    expected: Vec<u8>,
    opened: Vec<u8>,
    valid: bool,
}

pub(crate) fn register(engine: &mut Engine) {
    for bits in [2048, 3072, 4096] {
        sign(engine, bits);
        verify(engine, bits);
    }
}

fn sign(engine: &mut Engine, bits: usize) {
    let new = move |input: &_| {
        let pkcs1 = field(input, "private_key")?;
        let numbers = der::numbers(&pkcs1).ok_or("the key is no sequence of numbers")?;
        let [_, _, _, _, p, q, dp, dq, iq] = numbers.as_slice() else {
            return Err("the key has not nine numbers".to_owned());
        };
        let half = |number: &[u8]| words(number, bits / 128);
        Ok(Signing {
            key: [half(p)?, half(q)?, half(dp)?, half(dq)?, half(iq)?],
            message: field(input, "message")?,
            padded: vec![0; bits / 8],
            signature: vec![0; bits / 8],
        })
    };
    let method = std::rc::Rc::new(Method::new(ffi::mbx_RSA_private_crt_Method, bits));
    let run = move |keys: &mut [Signing]| {
        keys.iter_mut()
            .for_each(|key| pad(&key.message, &mut key.padded));
        let from = pointers(keys, |key| key.padded.as_mut_ptr());
        let to = pointers(keys, |key| key.signature.as_mut_ptr());
        let [p, q, dp, dq, iq] =
            [0, 1, 2, 3, 4].map(|i: usize| pointers(keys, |key| key.key[i].as_mut_ptr()));
        let (bits, room) = (bits as c_int, method.room());
        // SAFETY: numbers, messages and room as long as the modulus and the method say.
        done(unsafe {
            ffi::mbx_rsa_private_crt_mb8(
                &from,
                &to,
                &p,
                &q,
                &dp,
                &dq,
                &iq,
                bits,
                method.method,
                room,
            )
        })
    };
    let name = format!("rsa-{bits}/sign-pkcs1");
    batch::<8, _>(engine, &name, new, run, |key| {
        item([("signature", &key.signature)])
    });
}

fn verify(engine: &mut Engine, bits: usize) {
    let new = move |input: &_| {
        let pkcs1 = field(input, "public_key")?;
        let numbers = der::numbers(&pkcs1).ok_or("the key is no sequence of numbers")?;
        let [n, e] = numbers.as_slice() else {
            return Err("the key has not two numbers".to_owned());
        };
        if *e != [1, 0, 1] {
            return Err("the library has only the exponent 65537".to_owned());
        }
        let signature = field(input, "signature")?;
        if signature.len() != bits / 8 {
            return Err("the signature has another length".to_owned());
        }
        Ok(Verifying {
            n: words(n, bits / 64)?,
            message: field(input, "message")?,
            signature,
            expected: vec![0; bits / 8],
            opened: vec![0; bits / 8],
            valid: false,
        })
    };
    let method = std::rc::Rc::new(Method::new(ffi::mbx_RSA_pub65537_Method, bits));
    let run = move |keys: &mut [Verifying]| {
        let from = pointers(keys, |key| key.signature.as_mut_ptr());
        let to = pointers(keys, |key| key.opened.as_mut_ptr());
        let n = pointers(keys, |key| key.n.as_mut_ptr());
        let (bits, room) = (bits as c_int, method.room());
        // SAFETY: as above.
        let status = unsafe { ffi::mbx_rsa_public_mb8(&from, &to, &n, bits, method.method, room) };
        for (lane, key) in keys.iter_mut().enumerate() {
            pad(&key.message, &mut key.expected);
            key.valid = is_good(status, lane) && key.opened == key.expected;
        }
        Ok(())
    };
    let name = format!("rsa-{bits}/verify-pkcs1");
    batch::<8, _>(engine, &name, new, run, |key| valid(key.valid));
}
