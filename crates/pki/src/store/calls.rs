//! The calls of [`CaStore`](super::CaStore), in terms of what each store has of its own: methods
//! `read` and `write`, which make a transaction, and modules `read`, `write` and `schema` with
//! what happens in one.

/// Implements `CaStore` for a store whose module has those.
macro_rules! ca_store {
    ($store:ty) => {
        use std::ops::RangeInclusive;

        use super::audit::Event;
        use super::{
            AuditHead, AuditKind, AuditRow, CaStore, Changes, Counts, CrlRecord, CrlScope, Entry,
            Filter, IntentRecord, OcspRecord, Revocation, rules,
        };
        use crate::store::Number;

        impl CaStore for $store {
            fn schema_version(&self) -> Result<u32> {
                self.read(schema::version)
            }

            fn create(&self, documents: &[(&str, &[u8])], at: Time) -> Result<()> {
                self.write(at, None, |write| {
                    if let Some(name) = read::any_document(write.transaction())? {
                        return Err(Error::Exists(name));
                    }
                    documents
                        .iter()
                        .try_for_each(|(name, contents)| write.document(name, contents))
                })
            }

            fn document(&self, name: &str) -> Result<Option<Vec<u8>>> {
                self.read(|link| read::document(link, name))
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
                    let there = read::lease(write.transaction(), name)?;
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
                self.read(|link| read::intent(link, serial))
            }

            fn certificate(&self, serial: Number) -> Result<Option<Vec<u8>>> {
                self.read(|link| read::certificate(link, serial))
            }

            fn entry(&self, serial: Number) -> Result<Option<Entry>> {
                self.read(|link| read::entry(link, serial))
            }

            fn list(&self, filter: &Filter) -> Result<Vec<Entry>> {
                self.read(|link| read::list(link, filter))
            }

            fn batch(&self, name: &str, numbers: RangeInclusive<u64>) -> Result<Vec<Entry>> {
                self.read(|link| read::batch(link, name, numbers.clone()))
            }

            fn batch_end(&self, name: &str) -> Result<u64> {
                self.read(|link| read::batch_end(link, name))
            }

            fn counts(&self) -> Result<Counts> {
                self.read(read::counts)
            }

            fn revoke(&self, serial: Number, revocation: &Revocation, at: Time) -> Result<()> {
                self.write(at, None, |write| write.revocation(serial, revocation))
            }

            fn revoked(&self, shard: Option<u32>, since: Option<u64>) -> Result<Vec<Entry>> {
                self.read(|link| read::revoked(link, shard, since))
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
                self.read(|link| read::latest_crl(link, scope))
            }

            fn crl(&self, number: u64) -> Result<Option<CrlRecord>> {
                self.read(|link| read::crl(link, number))
            }

            fn put_ocsp(&self, responses: &[OcspRecord], at: Time) -> Result<usize> {
                self.write(at, None, |write| write.ocsp(responses))
            }

            fn ocsp(&self, serial: Number) -> Result<Option<OcspRecord>> {
                self.read(|link| read::ocsp(link, serial))
            }

            fn audit_head(&self) -> Result<AuditHead> {
                self.read(|link| read::head(link).map(|(head, _)| head))
            }

            fn audit(&self, from: u64, limit: usize) -> Result<Vec<AuditRow>> {
                self.read(|link| read::audit(link, from, limit))
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
