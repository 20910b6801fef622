//! One lane after the other, with POWER8's instructions.

use super::super::power_crypto as aes;
use super::{Lane, Room, Stream, ctr_single};

#[cfg_attr(not(feature = "lab"), inline)]
pub(super) fn cbc_encrypt(_: &mut Room, lanes: &mut [Lane<'_, '_>]) {
    for lane in lanes {
        aes::cbc_encrypt(lane.keys, &mut lane.state, lane.blocks);
    }
}

#[cfg_attr(not(feature = "lab"), inline)]
pub(super) fn ctr(streams: &mut [Stream<'_, '_>]) {
    for stream in streams {
        ctr_single(stream, |keys, counter, blocks| {
            aes::ctr(keys, counter, 16, blocks);
        });
    }
}
