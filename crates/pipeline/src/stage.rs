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
    /// Gets ready, with the store set already, and drops what the run before has made; not timed.
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
    use database::{check_read, empty, forget, insert, len, read};

    stages! {
        ca_self_sign: "one self-signed CA certificate; its key is made beforehand";
            One, Not; certificates::prepare_ca, certificates::self_sign, certificates::check_ca;
        cert_gen: "parallel: N times subscriber key (timed or made beforehand), TBS, signature, whole";
            Batch, Keys; certificates::prepare, certificates::issue, certificates::check;
        db_insert_certs: "one transaction with N certificates";
            Batch, Synchronous; |p, _| empty(p, Certificate), |p| insert(p, Certificate), |p| len(p, Certificate);
        cert_verify: "parallel: the signature of each certificate under the CA key, read once";
            Batch, Not; |_, _| Ok(()), |p| verify(p, Certificate, "cert_verify"), |p| len(p, Certificate);
        db_read_certs: "reads the N certificates back";
            Batch, Not; |p, _| forget(p, Certificate), |p| read(p, Certificate), |p| check_read(p, Certificate, "db_read_certs");
        crl_build: "TBS of one CRL with N serial numbers";
            One, Not; crl::prepare_build, crl::build, crl::check_tbs;
        crl_sign: "TBS, signature and whole of that CRL";
            One, Not; crl::prepare_sign, crl::sign, crl::check;
        db_insert_crl: "one transaction with the CRL";
            One, Synchronous; |p, _| empty(p, Crl), |p| insert(p, Crl), |p| len(p, Crl);
        crl_verify: "the CRL's signature under the CA key";
            One, Not; |_, _| Ok(()), |p| verify(p, Crl, "crl_verify"), |p| len(p, Crl);
        db_read_crl: "reads the CRL back";
            One, Not; |p, _| forget(p, Crl), |p| read(p, Crl), |p| check_read(p, Crl, "db_read_crl");
        ocsp_build: "parallel: TBS of N OCSP responses, each of which says good";
            Batch, Not; ocsp::prepare_build, ocsp::build, ocsp::check_tbs;
        ocsp_sign: "parallel: N times TBS, signature and whole";
            Batch, Not; ocsp::prepare_sign, ocsp::sign, ocsp::check;
        db_insert_ocsp: "one transaction with N responses";
            Batch, Synchronous; |p, _| empty(p, OcspResponse), |p| insert(p, OcspResponse), |p| len(p, OcspResponse);
        ocsp_verify: "parallel: the signature of each response under the CA key, read once";
            Batch, Not; |_, _| Ok(()), |p| verify(p, OcspResponse, "ocsp_verify"), |p| len(p, OcspResponse);
        db_read_ocsp: "reads the N responses back";
            Batch, Not; |p, _| forget(p, OcspResponse), |p| read(p, OcspResponse), |p| check_read(p, OcspResponse, "db_read_ocsp");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Adamant;
    use crate::pass::Size;
    use crate::store::Sqlite;

    #[test]
    fn a_run_finds_nothing_of_the_one_before() {
        let (mut store, algorithm) = (Sqlite::in_memory().unwrap(), "ed25519".parse().unwrap());
        let mut pass = Pass::new(&Adamant, &mut store, algorithm, Size::whole(3), true).unwrap();
        for stage in table() {
            for variant in stage.varies.variants(&[Synchronous::Normal]) {
                for _ in 0..2 {
                    (stage.prepare)(&mut pass, variant).unwrap();
                    let is_empty = match stage.name {
                        "ca_self_sign" => pass.scene.ca.certificate.is_empty(),
                        "cert_gen" => pass.certificates.der.is_empty(),
                        "db_read_certs" => pass.certificates.read.is_empty(),
                        "crl_build" => pass.crl.tbs.is_empty(),
                        "crl_sign" => pass.crl.der.is_empty(),
                        "db_read_crl" => pass.crl.read.is_empty(),
                        "ocsp_build" => pass.ocsp.tbs.is_empty(),
                        "ocsp_sign" => pass.ocsp.der.is_empty(),
                        "db_read_ocsp" => pass.ocsp.read.is_empty(),
                        "db_insert_certs" => pass.store.read(Kind::Certificate).unwrap().is_empty(),
                        "db_insert_crl" => pass.store.read(Kind::Crl).unwrap().is_empty(),
                        "db_insert_ocsp" => pass.store.read(Kind::OcspResponse).unwrap().is_empty(),
                        name => name.ends_with("_verify"),
                    };
                    assert!(is_empty, "{}", stage.name);
                    (stage.run)(&mut pass).unwrap();
                    (stage.check)(&mut pass).unwrap();
                }
            }
        }
    }
}
