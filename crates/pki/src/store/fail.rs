//! Moments at which a test stops the process, or lets a step fail.
//!
//! ```
//! use adamant_pki::store::{Error, Failpoints, Point, SqliteCa, CaStore};
//! use adamant::der::Time;
//!
//! let failpoints = Failpoints::new(|point| match point {
//!     Point::BeforeCommit => Err(Error::Injected(point)),
//!     _ => Ok(()),
//! });
//! let now: Time = "2026-01-01".parse().unwrap();
//! let store = SqliteCa::in_memory()?.with_failpoints(failpoints);
//! assert!(store.note("never written", now).is_err());
//! assert_eq!(store.audit_head()?.sequence, 0);
//! # Ok::<(), Error>(())
//! ```
//!
//! A hook is given to the constructor; without one a point costs a comparison with null.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use super::{Error, Result};

macro_rules! points {
    ($($variant:ident = $name:literal, $what:literal;)*) => {
        /// A moment.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Point {
            $(#[doc = $what] $variant,)*
        }

        impl Point {
            /// All of them, in the order of an issuance.
            pub const ALL: &[Point] = &[$(Point::$variant,)*];

            /// The name: small letters and hyphens.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Point::$variant => $name,)*
                }
            }
        }
    };
}

points! {
    AfterLint = "after-lint", "What is to be signed is built and linted; nothing is stored.";
    BeforeIntent = "before-intent", "The next transaction has intents.";
    BeforeBegin = "before-begin", "The next thing is a transaction.";
    Begun = "begun", "A transaction has begun.";
    HalfWritten = "half-written", "The first row of a transaction is written, and not committed.";
    AuditWritten = "audit-written", "All rows are written, and the audit log's too.";
    BeforeCommit = "before-commit", "The next thing is the commit.";
    AfterCommit = "after-commit", "A transaction is committed, and nobody knows it yet.";
    AfterIntent = "after-intent", "Intents are durable; nothing is signed.";
    BeforeSign = "before-sign", "The key is about to sign.";
    AfterSign = "after-sign", "The key has signed, and nothing of it is stored.";
    BeforeCertificate = "before-certificate", "The next transaction has certificates.";
    AfterCertificate = "after-certificate", "Certificates are durable, and not given away.";
    AfterCrlNumber = "after-crl-number", "A CRL number is taken; nothing is signed.";
    AfterCrlSign = "after-crl-sign", "A CRL is signed, and not stored.";
    AfterOcspSign = "after-ocsp-sign", "OCSP responses are signed, and not stored.";
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Point {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let mut all = Point::ALL.iter();
        let found = all.find(|point| point.name() == name);
        found
            .copied()
            .ok_or_else(|| format!("no point is called {name:?}"))
    }
}

type Hook = dyn Fn(Point) -> Result<()> + Send + Sync;

/// What happens at each [`Point`]: nothing, unless a test says otherwise.
#[derive(Clone, Default)]
pub struct Failpoints(Option<Arc<Hook>>);

impl Failpoints {
    /// With a hook that returns, fails, or ends the process.
    pub fn new(hook: impl Fn(Point) -> Result<(), Error> + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(hook)))
    }

    /// The process is here.
    ///
    /// # Errors
    /// That of the hook.
    #[inline]
    pub fn at(&self, point: Point) -> Result<()> {
        match &self.0 {
            None => Ok(()),
            Some(hook) => hook(point),
        }
    }
}

impl fmt::Debug for Failpoints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() {
            "Failpoints(hook)"
        } else {
            "Failpoints"
        })
    }
}
