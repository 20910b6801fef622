//! The stages as a table.

use crate::Result;
use crate::pass::{Pass, Variant, verify};
use crate::store::{Kind, Synchronous};
use crate::toolkit::Toolkit;
use crate::{Keys, certificates, crl, database, ocsp};

/// How many items a stage has.
#[derive(Clone, Copy)]
pub(crate) enum Items {
    /// The CA's certificate or the CRL.
    One,
    /// As many as the batch.
    Batch,
}

/// Which variants a stage is measured in.
pub(crate) enum Varies {
    /// Only one.
    Not,
    /// With and without the generation of subscriber keys.
    Keys,
    /// With every setting of the store.
    Synchronous,
}

impl Varies {
    /// The variants in their order; the outputs of the last one go on to the next stages.
    pub(crate) fn variants(&self, settings: &[Synchronous]) -> Vec<Variant> {
        let settings = if settings.is_empty() {
            &[Synchronous::Full]
        } else {
            settings
        };
        let variant = |keys, synchronous| Variant { keys, synchronous };
        match self {
            Varies::Not => vec![variant(Keys::Beforehand, settings[0])],
            Varies::Keys => [Keys::Counted, Keys::Beforehand]
                .map(|keys| variant(keys, settings[0]))
                .into(),
            Varies::Synchronous => settings
                .iter()
                .map(|&setting| variant(Keys::Beforehand, setting))
                .collect(),
        }
    }
}

/// A stage.
pub(crate) struct Stage<T: Toolkit> {
    pub(crate) name: &'static str,
    pub(crate) what: &'static str,
    pub(crate) items: Items,
    pub(crate) varies: Varies,
    /// Gets ready, with the store set already; not timed.
    pub(crate) prepare: fn(&mut Pass<'_, T>, Variant) -> Result<()>,
    /// The stage itself: what is timed. It keeps its outputs in the pass.
    pub(crate) run: fn(&mut Pass<'_, T>) -> Result<()>,
    /// Checks the outputs, and gives the octets of one; not timed.
    pub(crate) check: fn(&mut Pass<'_, T>) -> Result<usize>,
}

macro_rules! stages {
    ($($name:ident: $what:literal; $items:ident, $varies:ident; $prepare:expr, $run:expr, $check:expr;)*) => {
        [$(Stage {
            name: stringify!($name),
            what: $what,
            items: Items::$items,
            varies: Varies::$varies,
            prepare: $prepare,
            run: $run,
            check: $check,
        }),*]
    };
}

/// The table.
#[rustfmt::skip]
pub(crate) fn table<T: Toolkit>() -> [Stage<T>; 15] {
    use Kind::{Certificate, Crl, OcspResponse};
    use database::{check_read, empty, insert, len, read};

    stages! {
        ca_self_sign: "one self-signed CA certificate; its key is made beforehand";
            One, Not; |_, _| Ok(()), certificates::self_sign, certificates::check_ca;
        cert_gen: "parallel: N times subscriber key (timed or made beforehand), TBS, signature, whole";
            Batch, Keys; certificates::prepare, certificates::issue, certificates::check;
        db_insert_certs: "one transaction with N certificates";
            Batch, Synchronous; |p, _| empty(p, Certificate), |p| insert(p, Certificate), |p| len(p, Certificate);
        cert_verify: "parallel: the signature of each certificate under the CA key, read once";
            Batch, Not; |_, _| Ok(()), |p| verify(p, Certificate, "cert_verify"), |p| len(p, Certificate);
        db_read_certs: "reads the N certificates back";
            Batch, Not; |_, _| Ok(()), |p| read(p, Certificate), |p| check_read(p, Certificate, "db_read_certs");
        crl_build: "TBS of one CRL with N serial numbers";
            One, Not; |_, _| Ok(()), crl::build, crl::check_tbs;
        crl_sign: "TBS, signature and whole of that CRL";
            One, Not; |_, _| Ok(()), crl::sign, crl::check;
        db_insert_crl: "one transaction with the CRL";
            One, Synchronous; |p, _| empty(p, Crl), |p| insert(p, Crl), |p| len(p, Crl);
        crl_verify: "the CRL's signature under the CA key";
            One, Not; |_, _| Ok(()), |p| verify(p, Crl, "crl_verify"), |p| len(p, Crl);
        db_read_crl: "reads the CRL back";
            One, Not; |_, _| Ok(()), |p| read(p, Crl), |p| check_read(p, Crl, "db_read_crl");
        ocsp_build: "parallel: TBS of N OCSP responses, each of which says good";
            Batch, Not; |_, _| Ok(()), ocsp::build, ocsp::check_tbs;
        ocsp_sign: "parallel: N times TBS, signature and whole";
            Batch, Not; |_, _| Ok(()), ocsp::sign, ocsp::check;
        db_insert_ocsp: "one transaction with N responses";
            Batch, Synchronous; |p, _| empty(p, OcspResponse), |p| insert(p, OcspResponse), |p| len(p, OcspResponse);
        ocsp_verify: "parallel: the signature of each response under the CA key, read once";
            Batch, Not; |_, _| Ok(()), |p| verify(p, OcspResponse, "ocsp_verify"), |p| len(p, OcspResponse);
        db_read_ocsp: "reads the N responses back";
            Batch, Not; |_, _| Ok(()), |p| read(p, OcspResponse), |p| check_read(p, OcspResponse, "db_read_ocsp");
    }
}
