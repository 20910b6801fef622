//! Answers of OCSP (RFC 6960): one request at a time, or all certificates beforehand.

use adamant::der::{Oid, oid};
use adamant::hash::{Sha1, Sha256, Sha384, Sha512};
use adamant::x509::AlgorithmIdentifier;
use adamant::x509::ocsp::{
    CertId, CertStatus, OcspRequest, ResponseBuilder, ResponseStatus, SingleResponse,
    assemble_response, error_response,
};

use super::delegate::Voice;
use super::{Authority, Error, Result, serial_number, sign_one};
use crate::store::{Entry, Filter, Number, OcspRecord, Point, State};

const HOUR: u64 = 3600;
/// Requests with more questions are answered with an error.
const MOST: usize = 16;
/// Certificates whose responses are signed at once.
const BATCH: usize = 1024;

/// The hashes that a request can name the issuer with.
type Hash = fn(&[u8]) -> Vec<u8>;
const HASHES: [(Oid, Hash); 4] = [
    (oid!("1.3.14.3.2.26"), |data| Sha1::digest(data).to_vec()),
    (oid!("2.16.840.1.101.3.4.2.1"), |data| {
        Sha256::digest(data).to_vec()
    }),
    (oid!("2.16.840.1.101.3.4.2.2"), |data| {
        Sha384::digest(data).to_vec()
    }),
    (oid!("2.16.840.1.101.3.4.2.3"), |data| {
        Sha512::digest(data).to_vec()
    }),
];
/// The hash of responses that are made beforehand: SHA-1, which everybody asks with (RFC 5019,
/// 2.1.1). It names the issuer and guards nothing.
const USUAL: usize = 0;

/// The issuer under one hash.
struct Issuer {
    oid: Oid,
    name_hash: Vec<u8>,
    key_hash: Vec<u8>,
}

impl Issuer {
    fn cert_id(&self, number: Number) -> Result<CertId<'_>> {
        Ok(CertId {
            hash_algorithm: AlgorithmIdentifier::new(self.oid, None),
            issuer_name_hash: &self.name_hash,
            issuer_key_hash: &self.key_hash,
            serial: serial_number(number)?.into(),
        })
    }
}

/// What is known of a serial number. An intent without a certificate is unknown, unless it is
/// revoked.
fn status(entry: Option<&Entry>) -> CertStatus {
    match entry.map(|entry| (entry.revoked(), entry.state)) {
        Some((Some(revocation), _)) => CertStatus::Revoked {
            time: revocation.date,
            reason: Some(revocation.reason).filter(|reason| reason.code() != 0),
        },
        Some((None, State::Issued)) => CertStatus::Good,
        _ => CertStatus::Unknown,
    }
}

/// Whether a response about a serial number is signed beforehand.
#[cfg(feature = "serve")]
pub(crate) fn is_presigned(entry: &Entry) -> bool {
    status(Some(entry)) != CertStatus::Unknown
}

impl Authority {
    /// The answer to a request, in DER: a stored response where there is one that holds and fits,
    /// and a new one otherwise. A request that cannot be answered gets the protocol's error.
    ///
    /// # Errors
    /// [`Error::OutsideValidity`], as [`Authority::make_crl`]; those of key and store: in which
    /// case `internalError` would be the answer.
    pub fn answer(&self, request: &[u8]) -> Result<Vec<u8>> {
        let refused = |status| {
            let response = error_response(status);
            response.ok_or_else(|| Error::Refused("no response says that".to_owned()))
        };
        let Ok(request) = OcspRequest::from_der(request) else {
            return refused(ResponseStatus::MalformedRequest);
        };
        let ids: Vec<_> = request
            .requests
            .iter()
            .take(MOST + 1)
            .map(|r| r.cert_id)
            .collect();
        // Numbers that no certificate can have are none of this CA's.
        let numbers = ids.iter().filter_map(|id| id.serial.number());
        let numbers: Vec<_> = numbers.map(Number::try_from).collect::<Result<_, _>>()?;
        if ids.is_empty() || ids.len() > MOST || numbers.len() < ids.len() {
            return refused(ResponseStatus::MalformedRequest);
        }
        let nonce = request.extensions.nonce.map(|nonce| nonce.0);
        let now = self.now();
        if let (&[id], &[number], None) = (&ids[..], &numbers[..], nonce)
            && self.is_ours(&id)?
            && id.hash_algorithm.oid == HASHES[USUAL].0
            && let Some(stored) = self.store.ocsp(number)?
            && now < stored.next_update
        {
            return Ok(stored.der);
        }
        let voice = self.voice()?;
        let next = voice.next_update(now, u64::from(self.settings.ocsp_hours) * HOUR);
        let mut responses = Vec::with_capacity(ids.len());
        for (id, number) in ids.iter().zip(numbers) {
            if !self.is_ours(id)? {
                // Of other issuers nothing can be said (RFC 6960, 2.3).
                return refused(ResponseStatus::Unauthorized);
            }
            let entry = self.store.entry(number)?;
            responses.push(SingleResponse::new(
                *id,
                status(entry.as_ref()),
                now,
                Some(next),
            ));
        }
        let mut builder = ResponseBuilder::new(voice.id, now);
        if let Some(nonce) = nonce {
            builder = builder.nonce(nonce);
        }
        let tbs = builder.tbs(&responses)?;
        let signature = sign_one(voice.signer, &tbs)?;
        Ok(assemble_response(
            &tbs,
            voice.signer.algorithm(),
            &signature,
            &voice.certificates,
        ))
    }

    /// Signs and keeps a response for every certificate that has not expired, and every revoked
    /// serial number. Returns how many were kept.
    ///
    /// # Errors
    /// [`Error::OutsideValidity`], as [`Authority::make_crl`]; those of key and store.
    pub fn presign_all(&self) -> Result<usize> {
        // Also where there is nothing to sign.
        self.voice()?;
        let mut filter = Filter {
            expires_after: Some(self.now()),
            limit: Some(BATCH),
            ..Filter::default()
        };
        let mut kept = 0;
        loop {
            let entries = self.store.list(&filter)?;
            let Some(last) = entries.last() else {
                return Ok(kept);
            };
            filter.after = Some(last.serial);
            let is_last = entries.len() < BATCH;
            let answerable = |entry: &&Entry| status(Some(entry)) != CertStatus::Unknown;
            let entries: Vec<_> = entries.iter().filter(answerable).collect();
            kept += self.presign(&entries)?;
            if is_last {
                return Ok(kept);
            }
        }
    }

    /// Signs and keeps the responses about these, and says how many were kept.
    pub(crate) fn presign(&self, entries: &[&Entry]) -> Result<usize> {
        let now = self.now();
        let voice = self.voice()?;
        let next_update = voice.next_update(now, u64::from(self.settings.ocsp_hours) * HOUR);
        let issuer = self.issuer(USUAL)?;
        let builder = ResponseBuilder::new(voice.id, now);
        let mut all = Vec::with_capacity(entries.len());
        for entry in entries {
            let id = issuer.cert_id(entry.serial)?;
            let single = SingleResponse::new(id, status(Some(entry)), now, Some(next_update));
            all.push(builder.tbs(&[single])?);
        }
        let messages: Vec<_> = all.iter().map(|tbs| &tbs[..]).collect();
        let signatures = voice.signer.sign_batch(&messages)?;
        if signatures.len() != entries.len() {
            return Err(Error::Refused("the key made too few signatures".to_owned()));
        }
        self.failpoints.at(Point::AfterOcspSign)?;
        let algorithm = voice.signer.algorithm();
        let records = entries.iter().zip(&all).zip(&signatures);
        let records: Vec<_> = records
            .map(|((entry, tbs), signature)| OcspRecord {
                serial: entry.serial,
                revision: entry.revision,
                this_update: now,
                next_update,
                der: assemble_response(tbs, algorithm, signature, &voice.certificates),
            })
            .collect();
        Ok(self.store.put_ocsp(&records, now)?)
    }

    /// Who signs responses: the delegate, where there is one.
    fn voice(&self) -> Result<Voice<'_>> {
        match &self.delegate {
            Some(delegate) => Voice::of_delegate(delegate, self.now()),
            None => {
                self.check_time()?;
                Voice::of_ca(self.signer()?, &self.parsed()?)
            }
        }
    }

    /// This CA under one of the hashes.
    fn issuer(&self, hash: usize) -> Result<Issuer> {
        let (oid, digest) = HASHES[hash];
        let certificate = self.parsed()?;
        Ok(Issuer {
            oid,
            name_hash: digest(certificate.subject_der()),
            key_hash: digest(certificate.spki()?.key),
        })
    }

    /// Whether a certificate is one of this CA's, by the hashes of a request.
    fn is_ours(&self, id: &CertId<'_>) -> Result<bool> {
        let known = HASHES
            .iter()
            .position(|(oid, _)| *oid == id.hash_algorithm.oid);
        let Some(hash) = known else {
            return Ok(false);
        };
        let issuer = self.issuer(hash)?;
        Ok(issuer.name_hash == id.issuer_name_hash && issuer.key_hash == id.issuer_key_hash)
    }
}
