//! The linter for what others made: requests, lists, responses and keys as they are (for
//! certificates: [`lint::certificate`]).
//!
//! The rules are those of RFC 5280, RFC 2986 and RFC 6960 that one of them by itself can break:
//! what an issuer, a profile or the time would say is not asked.

use adamant::der::Time;
use adamant::x509::PublicKey;
use adamant::x509::crl::FullCertificateList;
use adamant::x509::csr::CertificationRequest;
use adamant::x509::ocsp::OcspResponse;

use super::lint::{self, Finding, Report};

/// What is wrong with a request for a certificate (PKCS #10), in DER.
#[must_use]
pub fn request(der: &[u8]) -> Vec<Finding> {
    const RULE: &str = "RFC 2986, 4.1";
    let mut report = Report::default();
    match CertificationRequest::from_der(der) {
        Err(error) => report.add(RULE, format!("it cannot be read: {error}")),
        Ok(request) => {
            lint::name(&request.subject, &mut report);
            lint::key(&request.public_key(), &mut report);
            if let Err(error) = request.verify() {
                report.add("RFC 2986, 4.2", format!("the key did not sign it: {error}"));
            }
            if request.subject.is_empty() && request.extensions.subject_alt_name.is_none() {
                report.add(RULE, "neither a subject nor an alternative name");
            }
        }
    }
    report.0
}

/// What is wrong with a list of revoked certificates, in DER.
#[must_use]
pub fn list(der: &[u8]) -> Vec<Finding> {
    let mut report = Report::default();
    match FullCertificateList::from_der(der) {
        Err(error) => report.add("RFC 5280, 5.1", format!("it cannot be read: {error}")),
        Ok(list) => {
            if list.version() != 2 {
                report.add("RFC 5280, 5.1.2.1", "not of version 2");
            }
            if list.issuer.is_empty() {
                report.add("RFC 5280, 5.1.2.3", "the issuer has no name");
            }
            if list.next_update.is_none() {
                report.add("RFC 5280, 5.1.2.5", "no nextUpdate");
            }
            let period = "RFC 5280, 5.1.2.5";
            ends_after(list.this_update, list.next_update, period, &mut report);
            if list.extensions.crl_number.is_none() {
                report.add("RFC 5280, 5.2.3", "no cRLNumber");
            }
            if list.extensions.authority_key_identifier.is_none() {
                report.add("RFC 5280, 5.2.1", "no authorityKeyIdentifier");
            }
            for entry in list.entries().flatten() {
                if entry.date > list.this_update {
                    let what = format!("{} was revoked after the list was made", entry.serial);
                    report.add("RFC 5280, 5.1.2.6", what);
                }
            }
        }
    }
    report.0
}

/// What is wrong with an OCSP response, in DER.
#[must_use]
pub fn response(der: &[u8]) -> Vec<Finding> {
    const RULE: &str = "RFC 6960, 4.2.1";
    let mut report = Report::default();
    let read = OcspResponse::from_der(der);
    match read.as_ref().map(OcspResponse::basic) {
        Err(error) => report.add(RULE, format!("it cannot be read: {error}")),
        // A refusal says nothing that could be wrong.
        Ok(Err(_)) => {}
        Ok(Ok(basic)) => {
            for answer in basic.responses.iter() {
                let serial = answer.cert_id.serial;
                if answer.this_update > basic.produced_at {
                    let what = format!("{serial}: thisUpdate lies after producedAt");
                    report.add("RFC 6960, 4.2.2.1", what);
                }
                if answer.next_update.is_none() {
                    report.add("RFC 5019, 4", format!("{serial}: no nextUpdate"));
                }
                let (from, until) = (answer.this_update, answer.next_update);
                ends_after(from, until, "RFC 6960, 4.2.2.1", &mut report);
            }
        }
    }
    report.0
}

/// What is wrong with a key.
#[must_use]
pub fn key(key: &PublicKey) -> Vec<Finding> {
    let mut report = Report::default();
    lint::key(&Ok(key.clone()), &mut report);
    report.0
}

fn ends_after(from: Time, until: Option<Time>, rule: &'static str, report: &mut Report) {
    if until.is_some_and(|until| until < from) {
        report.add(rule, "it ends before it begins");
    }
}
