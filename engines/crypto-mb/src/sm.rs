//! SM3 and SM4, of sixteen lanes.

use std::ffi::c_int;

use adamant_engine::family::Outcome;
use adamant_engine::op::{self, exactly, field, item};
use adamant_engine::serve::Engine;
use adamant_engine::{Item, Size};

use crate::ffi::{self, Sm4, Sm4Iv, Sm4Keys, Sm4Xts};
use crate::lanes::{batch, done, numbers, pointers};

/// A mode's functions for both directions.
#[derive(Clone, Copy)]
enum Mode {
    Ecb([Sm4; 2]),
    Iv([Sm4Iv; 2]),
    Xts([Sm4Xts; 2]),
}

pub(crate) fn register(engine: &mut Engine) {
    let new = |input: &_| Ok((field(input, "message")?, [0; 32]));
    let run = |items: &mut [(Vec<u8>, [u8; 32])]| {
        let message = pointers(items, |(message, _)| message.as_mut_ptr());
        let len = numbers(items, |(message, _)| message.len() as c_int);
        let out = pointers(items, |(_, digest)| digest.as_mut_ptr());
        // SAFETY: messages as long as said, 32 bytes of digest.
        done(unsafe { ffi::mbx_sm3_msg_digest_mb16(&message, &len, &out) })
    };
    let encode = |(_, digest): &(_, [u8; 32])| item([("digest", digest)]);
    batch::<16, _>(engine, "sm3/digest", new, run, encode);

    let modes = [
        (
            "ecb",
            Mode::Ecb([ffi::mbx_sm4_encrypt_ecb_mb16, ffi::mbx_sm4_decrypt_ecb_mb16]),
        ),
        (
            "cbc",
            Mode::Iv([ffi::mbx_sm4_encrypt_cbc_mb16, ffi::mbx_sm4_decrypt_cbc_mb16]),
        ),
        (
            "ctr",
            Mode::Iv([
                ffi::mbx_sm4_encrypt_ctr128_mb16,
                ffi::mbx_sm4_decrypt_ctr128_mb16,
            ]),
        ),
        (
            "ofb",
            Mode::Iv([ffi::mbx_sm4_encrypt_ofb_mb16, ffi::mbx_sm4_decrypt_ofb_mb16]),
        ),
        (
            "cfb",
            Mode::Iv([
                ffi::mbx_sm4_encrypt_cfb128_mb16,
                ffi::mbx_sm4_decrypt_cfb128_mb16,
            ]),
        ),
        (
            "xts",
            Mode::Xts([ffi::mbx_sm4_xts_encrypt_mb16, ffi::mbx_sm4_xts_decrypt_mb16]),
        ),
    ];
    for (name, mode) in modes {
        cipher(engine, name, mode, 0, ["encrypt", "message", "ciphertext"]);
        cipher(engine, name, mode, 1, ["decrypt", "ciphertext", "message"]);
    }
}

struct Lane {
    key: Vec<u8>,
    iv: [u8; 16],
    /// The library changes the one that it works with.
    chained: [u8; 16],
    data: Vec<u8>,
    out: Vec<u8>,
}

/// At most sixteen messages and their keys, scheduled side by side.
struct Group {
    lanes: Vec<Lane>,
    keys: Box<Sm4Keys>,
    tweak_keys: Box<Sm4Keys>,
}

impl Group {
    fn new(mut lanes: Vec<Lane>, mode: Mode) -> Outcome<Self> {
        let zeros = || Box::new(Sm4Keys([[0; 16]; 32]));
        let (mut keys, mut tweak_keys) = (zeros(), zeros());
        let key = pointers(&mut lanes, |lane| lane.key.as_mut_ptr());
        // SAFETY: keys of 16 bytes, of XTS of 32, and room for sixteen schedules.
        done(unsafe {
            match mode {
                Mode::Xts(_) => {
                    ffi::mbx_sm4_xts_set_keys_mb16(&raw mut *keys, &raw mut *tweak_keys, &key)
                }
                _ => ffi::mbx_sm4_set_key_mb16(&raw mut *keys, &key),
            }
        })?;
        Ok(Group {
            lanes,
            keys,
            tweak_keys,
        })
    }

    fn run(&mut self, mode: Mode, way: usize) -> Outcome<()> {
        let lanes = &mut self.lanes;
        lanes.iter_mut().for_each(|lane| lane.chained = lane.iv);
        let out = pointers(lanes, |lane| lane.out.as_mut_ptr());
        let data = pointers(lanes, |lane| lane.data.as_mut_ptr());
        let iv = pointers(lanes, |lane| lane.chained.as_mut_ptr());
        let len = numbers(lanes, |lane| lane.data.len() as c_int);
        let (keys, tweak_keys) = (&raw const *self.keys, &raw const *self.tweak_keys);
        // SAFETY: data and room as long as said, whole blocks where the mode wants them.
        done(unsafe {
            match mode {
                Mode::Ecb(functions) => functions[way](&out, &data, &len, keys),
                Mode::Iv(functions) => functions[way](&out, &data, &len, keys, &iv),
                Mode::Xts(functions) => functions[way](&out, &data, &len, keys, tweak_keys, &iv),
            }
        })
    }
}

fn cipher(
    engine: &mut Engine,
    name: &str,
    mode: Mode,
    way: usize,
    [operation, from, to]: [&'static str; 3],
) {
    let is_stream = name == "ctr" || name == "ofb";
    let lane = move |input: &Item| {
        let (key, data) = (field(input, "key")?, field(input, from)?);
        let key_len = if matches!(mode, Mode::Xts(_)) { 32 } else { 16 };
        if key.len() != key_len || !(is_stream || data.len().is_multiple_of(16)) {
            return Err("the key or the message has a length that the mode does not take".into());
        }
        let iv = match mode {
            Mode::Ecb(_) => [0; 16],
            _ => exactly(&field(input, "iv")?)?,
        };
        let (chained, out) = (iv, vec![0; data.len()]);
        Ok(Lane {
            key,
            iv,
            chained,
            data,
            out,
        })
    };
    engine.batch(
        &format!("sm4-{name}/{operation}_batch"),
        move |_: Size, inputs| {
            let group = |inputs: &[Item]| {
                let lanes = inputs.iter().map(lane).collect::<Outcome<Vec<_>>>()?;
                Group::new(lanes, mode)
            };
            let groups = inputs.chunks(16).map(group).collect::<Outcome<Vec<_>>>()?;
            Ok(op::whole(
                groups,
                move |groups| groups.iter_mut().try_for_each(|group| group.run(mode, way)),
                move |groups| {
                    let lanes = groups.iter().flat_map(|group| &group.lanes);
                    lanes.map(|lane| item([(to, &lane.out)])).collect()
                },
            ))
        },
    );
}
