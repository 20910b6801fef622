//! Bitsliced in planes of 64 bits, four blocks at once.

super::portable::row! { u64 }
