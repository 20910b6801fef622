//! What every store of a certification authority must do, and what it must not lose.
//!
//! | module | holds |
//! |---|---|
//! | `faults` | networks that are cut, full disks, torn files, late writers |
//! | `issuer` | a process that issues, what its signer remembers, and the check after a restart |
//! | `kills` | such processes killed at every step and at random moments |
//! | `promises` | the documentation of `CaStore` as tests |
//! | `proxy` | a network that is cut at a COMMIT |
//! | `versions` | stores that earlier versions made |
//! | `server` | a PostgreSQL server for the time of the tests; skipped if there is none |
//!
//! `ADAMANT_REQUIRE_POSTGRES=1` makes tests fail that would be skipped.

mod faults;
mod issuer;
mod kills;
mod promises;
mod proxy;
pub(crate) mod server;
mod versions;
