//! The calls of [`CaStore`](super::CaStore), in terms of what each store has of its own: methods
//! `read` and `try_write`, which make a transaction, and a module `schema`.

use super::Result;
use super::write::Write;

/// What a transaction writes. It keeps what it makes to itself, so that transactions are compiled
/// once, not for each thing that is made in one.
pub(super) type Work<'w> = dyn FnMut(&mut Write<'_>) -> Result<()> + 'w;

/// Implements `CaStore` for a store whose module has those.
macro_rules! ca_store {
    ($store:ty) => {
        use std::ops::RangeInclusive;

        use super::audit::Event;
        use super::{
            AuditHead, AuditKind, AuditRow, CaStore, Changes, Counts, CrlRecord, CrlScope, Entry,
            Filter, IntentRecord, OcspRecord, Revocation, read, rules,
        };
        use crate::store::Number;

        impl $store {
            /// What the work makes in a transaction, once that is committed.
            fn write<T>(
                &self,
                at: Time,
                lease: Option<&Lease>,
                work: impl Fn(&mut Write<'_>) -> Result<T>,
            ) -> Result<T> {
                let mut made = None;
                self.try_write(at, lease, &mut |write| {
                    work(write).map(|it| made = Some(it))
                })?;
                Ok(made.expect("the work was done"))
            }
        }

        impl CaStore for $store {
            fn schema_version(&self) -> Result<u32> {
                self.read(schema::version)
            }

            fn create(&self, documents: &[(&str, &[u8])], at: Time) -> Result<()> {
                self.write(at, None, |write| {
                    if let Some(name) = read::any_document(write.database())? {
                        return Err(Error::Exists(name));
                    }
                    documents
                        .iter()
                        .try_for_each(|(name, contents)| write.document(name, contents))
                })
            }

            fn document(&self, name: &str) -> Result<Option<Vec<u8>>> {
                self.read(|db| read::document(db, name))
            }

            fn put_document(&self, name: &str, contents: &[u8], at: Time) -> Result<()> {
                self.write(at, None, |write| write.document(name, contents))
            }

            fn acquire_lease(
                &self,
                name: &str,
                holder: &str,
                at: Time,
                seconds: u64,
            ) -> Result<Lease> {
                self.write(at, None, |write| {
                    let there = read::lease(write.database(), name)?;
                    write.lease(rules::next_lease(there, name, holder, at, seconds)?)
                })
            }

            fn renew_lease(&self, lease: &Lease, at: Time, seconds: u64) -> Result<Lease> {
                self.write(at, Some(lease), |write| {
                    write.lease_until(lease, at.saturating_add(seconds))
                })
            }

            fn leases(&self) -> Result<Vec<Lease>> {
                self.read(read::leases)
            }

            fn commit(&self, lease: Option<&Lease>, changes: &Changes<'_>, at: Time) -> Result<()> {
                if changes.is_empty() {
                    return Ok(());
                }
                if !changes.certificates.is_empty() {
                    self.failpoints.at(Point::BeforeCertificate)?;
                }
                if !changes.intents.is_empty() {
                    self.failpoints.at(Point::BeforeIntent)?;
                }
                self.write(at, lease, |write| {
                    write.certificates(changes.certificates)?;
                    write.abandoned(changes.abandoned)?;
                    write.intents(changes.intents, lease)
                })?;
                if !changes.certificates.is_empty() {
                    self.failpoints.at(Point::AfterCertificate)?;
                }
                if !changes.intents.is_empty() {
                    self.failpoints.at(Point::AfterIntent)?;
                }
                Ok(())
            }

            fn intent(&self, serial: Number) -> Result<Option<IntentRecord>> {
                self.read(|db| read::intent(db, serial))
            }

            fn certificate(&self, serial: Number) -> Result<Option<Vec<u8>>> {
                self.read(|db| read::certificate(db, serial))
            }

            fn entry(&self, serial: Number) -> Result<Option<Entry>> {
                self.read(|db| read::entry(db, serial))
            }

            fn list(&self, filter: &Filter) -> Result<Vec<Entry>> {
                self.read(|db| read::list(db, filter))
            }

            fn batch(&self, name: &str, numbers: RangeInclusive<u64>) -> Result<Vec<Entry>> {
                self.read(|db| read::batch(db, name, numbers.clone()))
            }

            fn batch_end(&self, name: &str) -> Result<u64> {
                self.read(|db| read::batch_end(db, name))
            }

            fn counts(&self) -> Result<Counts> {
                self.read(read::counts)
            }

            fn revoke(&self, serial: Number, revocation: &Revocation, at: Time) -> Result<()> {
                self.write(at, None, |write| write.revocation(serial, revocation))
            }

            fn revoked(&self, shard: Option<u32>, since: Option<u64>) -> Result<Vec<Entry>> {
                self.read(|db| read::revoked(db, shard, since))
            }

            fn take_crl_number(&self, at: Time) -> Result<u64> {
                let number = self.write(at, None, |write| write.crl_number())?;
                self.failpoints.at(Point::AfterCrlNumber)?;
                Ok(number)
            }

            fn put_crl(&self, crl: &CrlRecord, at: Time) -> Result<()> {
                self.write(at, None, |write| write.crl(crl))
            }

            fn latest_crl(&self, scope: CrlScope) -> Result<Option<CrlRecord>> {
                self.read(|db| read::latest_crl(db, scope))
            }

            fn crl(&self, number: u64) -> Result<Option<CrlRecord>> {
                self.read(|db| read::crl(db, number))
            }

            fn put_ocsp(&self, responses: &[OcspRecord], at: Time) -> Result<usize> {
                self.write(at, None, |write| write.ocsp(responses))
            }

            fn ocsp(&self, serial: Number) -> Result<Option<OcspRecord>> {
                self.read(|db| read::ocsp(db, serial))
            }

            fn audit_head(&self) -> Result<AuditHead> {
                self.read(|db| read::head(db).map(|(head, _)| head))
            }

            fn audit(&self, from: u64, limit: usize) -> Result<Vec<AuditRow>> {
                self.read(|db| read::audit(db, from, limit))
            }

            fn note(&self, note: &str, at: Time) -> Result<()> {
                self.write(at, None, |write| {
                    write.log(Event::noted(AuditKind::Note, note));
                    Ok(())
                })
            }
        }
    };
}

pub(super) use ca_store;
