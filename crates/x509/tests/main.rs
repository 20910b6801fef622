//! Everything that is tested from outside, in one program: what needs other features has its own.

mod bags;
mod builders;
mod bundle;
mod common;
mod errors;
mod limbo;
mod lists;
mod mutation;
mod names;
mod openssl;
mod path;
mod pem;
mod pkcs12;
mod pkits;
mod post_quantum;
mod rare;
mod responders;
mod shown;
mod vectors;
