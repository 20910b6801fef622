//! Bitsliced in planes of 64 bits, four blocks at once.

super::portable::row! { super::sliced::Sliced<u64> }
