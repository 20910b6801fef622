//! A provider's keys with this project's encoders.

use std::ops::Range;

use adamant::der::{Oid, Time, Writer};
use adamant::x509::crl::{CertificateList, CrlBuilder, Revocation};
use adamant::x509::extensions::{
    AuthorityKeyIdentifier, BasicConstraints, ExtendedKeyUsage, GeneralName, KeyUsage,
    SubjectAltName, SubjectKeyIdentifier,
};
use adamant::x509::ocsp::{
    CertStatus, IssuerId, OcspResponse, ResponderId, ResponseBuilder, SingleResponse,
    assemble_response,
};
use adamant::x509::{
    Certificate, CertificateBuilder, DistinguishedName, PublicKey, SerialNumber, assemble,
};

use super::{Blobs, Fault, Toolkit};
use crate::pass::{ensure, wrong};
use crate::profile::{
    CA, COMMON_NAME, CRL_NUMBER, LIST, ORGANIZATION, RESPONSE, SUBSCRIBER, host, serial,
};
use crate::store::Kind;
use crate::{Algorithm, Provider, Result};

/// An authority whose key a provider has.
pub struct Authority<K> {
    algorithm: Algorithm,
    key: K,
    public_key: PublicKey,
    key_id: [u8; 20],
    name: DistinguishedName,
    now: Time,
    /// The hashes that name the CA in responses; none before there is a certificate.
    issuer: Option<IssuerId>,
}

impl<K> Authority<K> {
    fn after(&self, period: u64) -> Time {
        self.now.saturating_add(period)
    }

    /// What the certificates of subscribers have in common: a profile for TLS servers.
    fn template(&self) -> CertificateBuilder<'_> {
        CertificateBuilder::new(
            serial(0),
            self.name.as_name(),
            self.now,
            self.after(SUBSCRIBER),
            self.name.as_name(),
            &self.public_key,
        )
        .extension(&AuthorityKeyIdentifier::new(&self.key_id))
        .extension(&BasicConstraints::end_entity())
        .extension(&KeyUsage::DIGITAL_SIGNATURE)
        .extension(&ExtendedKeyUsage((&[ExtendedKeyUsage::SERVER_AUTH]).into()))
    }

    fn write_response_tbs(&self, item: usize, w: &mut Writer) -> Result<()> {
        let issuer = self.issuer.as_ref();
        let issuer =
            issuer.ok_or_else(|| wrong("ocsp_build", item, "the CA has no certificate"))?;
        let single = SingleResponse::new(
            issuer.cert_id(serial(item)),
            CertStatus::Good,
            self.now,
            Some(self.after(RESPONSE)),
        );
        let responder = ResponderId::Name(self.name.as_name());
        Ok(ResponseBuilder::new(responder, self.now).write_tbs(&[single], w)?)
    }

    fn crl_tbs(&self, batch: usize) -> Result<Vec<u8>> {
        let revocations = (0..batch).map(|item| Revocation::new(serial(item), self.now));
        let tbs = CrlBuilder::new(self.name.as_name(), self.now, self.after(LIST))
            .authority_key_id(&self.key_id)
            .number(SerialNumber::from(CRL_NUMBER))
            .tbs(revocations, self.algorithm.signature())?;
        Ok(tbs)
    }
}

/// Several parts that are to be signed, one after the other in one buffer.
struct Parts {
    writer: Writer,
    ends: Vec<usize>,
}

impl Parts {
    /// Room for this many parts of about this length.
    fn new(count: usize, len: usize) -> Self {
        Parts {
            writer: Writer::with_capacity(count * len),
            ends: Vec::with_capacity(count),
        }
    }

    fn push(&mut self, write: impl FnOnce(&mut Writer) -> Result<()>) -> Result<()> {
        write(&mut self.writer)?;
        self.ends.push(self.writer.len());
        Ok(())
    }

    fn slices(&self) -> Vec<&[u8]> {
        let starts = [0].into_iter().chain(self.ends.iter().copied());
        let ranges = starts.zip(&self.ends);
        ranges
            .map(|(start, &end)| &self.writer.as_bytes()[start..end])
            .collect()
    }
}

/// Octets of a part beside the public key.
const PART: usize = 512;

/// Signs the parts with the authority's key and makes each whole.
fn sign<P: Provider>(
    provider: &P,
    authority: &Authority<P::Key>,
    stage: &'static str,
    parts: &[&[u8]],
    whole: impl Fn(&[u8], &[u8]) -> Vec<u8>,
) -> Result<Blobs> {
    let signatures = provider.sign_batch(&authority.key, parts)?;
    ensure(
        signatures.len() == parts.len(),
        stage,
        0,
        "the provider lost signatures",
    )?;
    let each = parts.iter().zip(&signatures);
    Ok(each
        .map(|(part, signature)| whole(part, signature))
        .collect())
}

impl<P: Provider> Toolkit for P {
    type Key = P::Key;
    type Authority = Authority<P::Key>;
    type Verifier = (P::Verifier, Oid);

    fn name(&self) -> &str {
        Provider::name(self)
    }

    fn has(&self, algorithm: Algorithm) -> bool {
        Provider::has(self, algorithm)
    }

    fn generate(&self, algorithm: Algorithm, count: usize) -> Result<Vec<P::Key>> {
        Ok(self.generate_batch(algorithm, count)?)
    }

    fn spki(&self, key: &P::Key) -> Result<Vec<u8>> {
        Ok(self.public_key(key).to_der())
    }

    fn authority(&self, algorithm: Algorithm, key: P::Key, now: Time) -> Result<Self::Authority> {
        let public_key = self.public_key(&key);
        Ok(Authority {
            algorithm,
            key_id: public_key.key_id(),
            name: DistinguishedName::new()
                .organization(ORGANIZATION)
                .common_name(COMMON_NAME),
            now,
            issuer: None,
            key,
            public_key,
        })
    }

    fn self_sign(&self, authority: &mut Self::Authority) -> Result<Vec<u8>> {
        let (ca, algorithm) = (&*authority, authority.algorithm.signature());
        let tbs = CertificateBuilder::new(
            SerialNumber::new(&ca.key_id[..16])?,
            ca.name.as_name(),
            ca.now,
            ca.after(CA),
            ca.name.as_name(),
            &ca.public_key,
        )
        .extension(&BasicConstraints::ca(Some(0)))
        .extension(&(KeyUsage::KEY_CERT_SIGN | KeyUsage::CRL_SIGN | KeyUsage::DIGITAL_SIGNATURE))
        .extension(&SubjectKeyIdentifier(&ca.key_id))
        .tbs(algorithm)?;
        let whole = |part: &[u8], signature: &[u8]| assemble(part, algorithm, signature);
        let der = sign(self, ca, "ca_self_sign", &[&tbs], whole)?.swap_remove(0);
        authority.issuer = Some(IssuerId::new(&Certificate::from_der(&der)?)?);
        Ok(der)
    }

    fn issue(&self, authority: &Self::Authority, first: usize, keys: &[P::Key]) -> Result<Blobs> {
        let algorithm = authority.algorithm.signature();
        let template = authority.template();
        let public_keys: Vec<_> = keys.iter().map(|key| self.public_key(key)).collect();
        let mut parts = Parts::new(
            keys.len(),
            PART + public_keys.first().map_or(0, |key| key.to_der().len()),
        );
        for (item, public_key) in (first..).zip(&public_keys) {
            let host = host(item);
            let subject = DistinguishedName::new().common_name(&host);
            let builder = template
                .clone()
                .serial(serial(item))
                .subject(subject.as_name(), public_key)
                .extension(&SubjectKeyIdentifier(&public_key.key_id()))
                .extension(&SubjectAltName((&[GeneralName::Dns(&host)]).into()));
            parts.push(|w| Ok(builder.write_tbs(algorithm, w)?))?;
        }
        sign(
            self,
            authority,
            "cert_gen",
            &parts.slices(),
            |part, signature| assemble(part, algorithm, signature),
        )
    }

    fn crl_tbs(&self, authority: &Self::Authority, batch: usize) -> Result<Vec<u8>> {
        authority.crl_tbs(batch)
    }

    fn crl(&self, authority: &Self::Authority, batch: usize) -> Result<Vec<u8>> {
        let tbs = authority.crl_tbs(batch)?;
        let algorithm = authority.algorithm.signature();
        let whole = |part: &[u8], signature: &[u8]| assemble(part, algorithm, signature);
        Ok(sign(self, authority, "crl_sign", &[&tbs], whole)?.swap_remove(0))
    }

    fn responses_tbs(&self, authority: &Self::Authority, items: Range<usize>) -> Result<Blobs> {
        let each = items.map(|item| {
            let mut w = Writer::with_capacity(PART);
            authority.write_response_tbs(item, &mut w)?;
            Ok(w.finish())
        });
        each.collect()
    }

    fn responses(&self, authority: &Self::Authority, items: Range<usize>) -> Result<Blobs> {
        let algorithm = authority.algorithm.signature();
        let mut parts = Parts::new(items.len(), PART);
        for item in items {
            parts.push(|w| authority.write_response_tbs(item, w))?;
        }
        sign(
            self,
            authority,
            "ocsp_sign",
            &parts.slices(),
            |part, signature| assemble_response(part, algorithm, signature, &[]),
        )
    }

    fn verifier(&self, algorithm: Algorithm, spki: &[u8]) -> Result<Self::Verifier> {
        let verifier = Provider::verifier(self, spki)?;
        Ok((verifier, algorithm.signature().oid()))
    }

    fn verify(
        &self,
        (verifier, expected): &Self::Verifier,
        kind: Kind,
        items: &[Vec<u8>],
    ) -> Result<Option<Fault>> {
        let mut signed = Vec::with_capacity(items.len());
        for (i, der) in items.iter().enumerate() {
            let (algorithm, tbs, signature) = parse(kind, der)?;
            if algorithm != *expected {
                return Ok(Some((i, "another signature algorithm")));
            }
            signed.push((tbs, signature));
        }
        let mut verdicts = vec![Err(adamant::Error::BadSignature); signed.len()];
        self.verify_batch(verifier, &signed, &mut verdicts)?;
        let bad = verdicts.iter().position(Result::is_err);
        Ok(bad.map(|i| (i, "the signature does not verify")))
    }
}

/// An item's algorithm, signed part and signature.
fn parse(kind: Kind, der: &[u8]) -> Result<(Oid, &[u8], &[u8])> {
    Ok(match kind {
        Kind::Certificate => {
            let item = Certificate::from_der(der)?;
            (item.signature_algorithm().oid, item.tbs(), item.signature())
        }
        Kind::Crl => {
            let item = CertificateList::from_der(der)?;
            (item.signature_algorithm().oid, item.tbs(), item.signature())
        }
        Kind::OcspResponse => {
            let response = OcspResponse::from_der(der)?;
            let item = response.basic()?;
            (item.signature_algorithm().oid, item.tbs(), item.signature())
        }
    })
}
