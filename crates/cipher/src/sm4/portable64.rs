//! Bitsliced in planes of 64 bits, sixteen blocks at once.

super::portable::row! { u64 }
