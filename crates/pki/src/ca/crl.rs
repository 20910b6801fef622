//! Lists of revoked certificates: full, of one shard, and of changes (RFC 5280, 5).

use adamant::der::Time;
use adamant::x509::crl::{CertificateList, CrlBuilder, Revocation};
use adamant::x509::extensions::{
    DeltaCrlIndicator, DistributionPoint, DistributionPointName, FreshestCrl, GeneralName,
    IssuingDistributionPoint, RevocationReason,
};
use adamant::x509::{Name, SerialNumber, assemble};

use super::{Authority, Error, Result, serial_number, sign_one};
use crate::store::{CrlRecord, CrlScope, Entry, Point};

const HOUR: u64 = 3600;
/// How often a list is made again because another process made one meanwhile.
const TRIES: u32 = 16;

impl Authority {
    /// Makes and keeps a list: of one shard or of all serial numbers; in full, or of what changed
    /// since the last full list of the same shard.
    ///
    /// Its number is taken before anything is signed, and never again. A certificate that was
    /// revoked leaves the full lists when one was made after its end. When the clock shows a time before
    /// the last list of the scope, or before the list whose changes it has, the list has that one's time.
    ///
    /// # Errors
    /// [`Error::OutsideValidity`] before the first and after the last second of the CA's
    /// certificate, unless [`Authority::at_any_time`]; [`Error::Refused`] for a shard that there is
    /// not, and for changes before there is a full list; those of key and store.
    pub fn make_crl(&self, scope: CrlScope) -> Result<CrlRecord> {
        use crate::store::Error::CrlNumber;

        // Before a number is taken.
        self.signer()?;
        self.check_time()?;
        let mut tries = 0;
        loop {
            match self.try_crl(scope) {
                // Another process was quicker: its list does not have what ours has.
                Err(Error::Store(CrlNumber { .. })) if tries < TRIES => tries += 1,
                result => return result,
            }
        }
    }

    fn try_crl(&self, scope: CrlScope) -> Result<CrlRecord> {
        let shards = self.settings.shards();
        if let Some(shard) = scope.shard
            && (shard >= shards || shards == 1)
        {
            return Err(Error::Refused(format!(
                "there is no shard {shard}: this CA has {shards}, counted from 0"
            )));
        }
        let full = CrlScope {
            delta: false,
            ..scope
        };
        let previous_full = self.store.latest_crl(full)?;
        let base = match (&previous_full, scope.delta) {
            (Some(full), true) => Some(full.number),
            (None, true) => {
                let why = "there is no full list yet whose changes could be listed";
                return Err(Error::Refused(why.to_owned()));
            }
            (_, false) => None,
        };
        let previous = self.store.latest_crl(scope)?;
        let before = previous.iter().chain(&previous_full);
        let now = before.fold(self.now(), |now, list| now.max(list.this_update));
        let number = self.store.take_crl_number(now)?;
        // Read after the number was taken: what is revoked from here on belongs to it.
        let entries = self.store.revoked(scope.shard, base)?;
        let on_a_list_after_its_end = |entry: &Entry| {
            let last = previous_full.as_ref();
            last.is_some_and(|last| last.this_update > entry.not_after)
        };
        let listed = entries.iter().filter(|entry| match base {
            Some(_) => true,
            None => entry.revoked().is_some() && !on_a_list_after_its_end(entry),
        });
        let revocations = listed.map(entry).collect::<Result<Vec<_>>>()?;
        let hours = if scope.delta {
            self.settings.delta_crl_hours
        } else {
            self.settings.crl_hours
        };
        let next_update = now.saturating_add(u64::from(hours) * HOUR);
        let der = self.sign_crl(scope, number, base, revocations, now, next_update)?;
        self.failpoints.at(Point::AfterCrlSign)?;
        let record = CrlRecord {
            number,
            scope,
            base,
            this_update: now,
            next_update,
            der,
        };
        self.store.put_crl(&record, now)?;
        Ok(record)
    }

    /// Makes the full lists that the certificates name: that of each shard.
    ///
    /// # Errors
    /// As [`Authority::make_crl`].
    pub fn make_all_crls(&self, delta: bool) -> Result<Vec<CrlRecord>> {
        let scopes = self.settings.scopes(delta);
        scopes.map(|scope| self.make_crl(scope)).collect()
    }

    fn sign_crl(
        &self,
        scope: CrlScope,
        number: u64,
        base: Option<u64>,
        revocations: Vec<Revocation>,
        this_update: Time,
        next_update: Time,
    ) -> Result<Vec<u8>> {
        let certificate = self.parsed()?;
        let issuer = Name::from_der(certificate.subject_der())?;
        let mut builder = CrlBuilder::new(issuer, this_update, next_update)
            .authority_key_id(&self.key_id()?)
            .number(SerialNumber::from(number));
        if let Some(base) = base {
            builder = builder.extension(&DeltaCrlIndicator(SerialNumber::from(base)));
        }
        if let Some(shard) = scope.shard {
            // Certificates name the full list; the changes to it have its name.
            let url = self.settings.crl_url(shard).unwrap_or_default();
            let name = [GeneralName::Uri(&url)];
            builder = builder.extension(&IssuingDistributionPoint {
                name: Some(DistributionPointName::Full((&name).into())),
                ..IssuingDistributionPoint::default()
            });
        }
        let delta_url = self.settings.delta_crl_url(scope.shard.unwrap_or(0));
        if let (Some(url), false) = (&delta_url, scope.delta) {
            let name = [GeneralName::Uri(url)];
            let points = [DistributionPoint::at((&name).into())];
            builder = builder.extension(&FreshestCrl((&points).into()));
        }
        let signer = self.signer()?;
        let algorithm = signer.algorithm();
        let tbs = builder.tbs(revocations, algorithm)?;
        let signature = sign_one(signer, &tbs)?;
        let der = assemble(&tbs, algorithm, &signature);
        CertificateList::from_der(&der)?.verify(&certificate.public_key()?)?;
        Ok(der)
    }
}

/// The entry of a list.
fn entry(entry: &Entry) -> Result<Revocation<'_>> {
    let serial = serial_number(entry.serial)?;
    let Some(revocation) = entry.revocation else {
        return Err(Error::Refused(format!(
            "serial number {serial} is not revoked"
        )));
    };
    let mut listed = Revocation::new(serial, revocation.date);
    if revocation.reason != RevocationReason::Unspecified {
        listed = listed.reason(revocation.reason);
    }
    if let Some(date) = revocation.invalidity_date {
        listed = listed.invalidity_date(date);
    }
    Ok(listed)
}
