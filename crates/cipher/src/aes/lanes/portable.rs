//! One lane after the other.

use super::{Lane, Room, Stream, ctr_single};
use adamant_base::BlockCipher;

#[cfg(target_pointer_width = "64")]
type Cipher = super::super::sliced::Sliced<u64>;
#[cfg(not(target_pointer_width = "64"))]
type Cipher = super::super::portable32::Sliced;

#[cfg_attr(not(feature = "lab"), inline)]
pub(super) fn cbc_encrypt(_: &mut Room, lanes: &mut [Lane<'_, '_>]) {
    for lane in lanes {
        Cipher::new(lane.keys).cbc_encrypt(&mut lane.state, lane.blocks);
    }
}

#[cfg_attr(not(feature = "lab"), inline)]
pub(super) fn ctr(streams: &mut [Stream<'_, '_>]) {
    for stream in streams {
        ctr_single(stream, |keys, counter, blocks| {
            Cipher::new(keys).ctr(counter, 16, blocks);
        });
    }
}
