//! Engines: programs that let a library be measured. [`serve`] is the half that every engine
//! shares, [`openssl`] the engine of the OpenSSL found on the machine.

pub mod openssl;
pub mod serve;
