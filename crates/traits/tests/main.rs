//! The traits on every algorithm, in one program.

mod aead;
mod cipher;
mod hash;
mod mac;
mod modes;
mod password;
mod public_key;
