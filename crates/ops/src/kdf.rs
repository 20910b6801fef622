//! `*/derive`: input key material, salt and context go in, key material of the measured length
//! comes out.

use std::marker::PhantomData;

use adamant::hash::{Sha256, Sha384, Sha512, hkdf};

use crate::hash::ChosenHash;
use crate::stream::Stream;
use crate::table::Best;
use crate::task::{Registry, Task, field, item};
use crate::{Item, Length};

pub(crate) fn register(to: &mut Registry) {
    to.single::<HkdfDerive<Sha256>>("hkdf-sha256/derive");
    to.single::<HkdfDerive<Sha384>>("hkdf-sha384/derive");
    to.single::<HkdfDerive<Sha512>>("hkdf-sha512/derive");
}

/// HKDF, both steps.
struct HkdfDerive<H>(PhantomData<H>);

struct HkdfState {
    salt: Vec<u8>,
    ikm: Vec<u8>,
    info: Vec<u8>,
    okm: Vec<u8>,
}

impl<H: ChosenHash> Task for HkdfDerive<H> {
    type Table = Best<H::Table>;
    type State = HkdfState;
    type Output = ();
    const LENGTH: Length = Length::Output;
    const BYTES: &'static [usize] = &[16, 32, 64, 256, 1024];

    fn input(stream: &mut Stream, _: usize) -> Item {
        item([
            ("salt", &stream.bytes(H::OUTPUT_LEN)),
            ("ikm", &stream.bytes(32)),
            ("info", &stream.bytes(16)),
        ])
    }
    fn ready(_: Self::Table, input: &Item, bytes: usize) -> Result<HkdfState, String> {
        let limit = 255 * H::OUTPUT_LEN;
        if bytes > limit {
            return Err(format!("HKDF gives {limit} bytes at most, not {bytes}"));
        }
        Ok(HkdfState {
            salt: field(input, "salt")?.clone(),
            ikm: field(input, "ikm")?.clone(),
            info: field(input, "info")?.clone(),
            okm: vec![0; bytes],
        })
    }
    fn run(state: &mut HkdfState) {
        hkdf::derive::<H>(&state.salt, &state.ikm, &state.info, &mut state.okm)
            .expect("the length was checked");
    }
    fn encode(state: &HkdfState, (): ()) -> Item {
        item([("okm", &state.okm)])
    }
}
