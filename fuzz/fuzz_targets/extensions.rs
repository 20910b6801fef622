//! The values of extensions: a SEQUENCE of the identifier and an OCTET STRING with the value. What
//! is read is written again octet for octet.

#![no_main]

use adamant_der::{Reader, Writer, parse};
use adamant_fuzz::openssl;
use adamant_x509::extensions::*;
use libfuzzer_sys::fuzz_target;

fn check<'a, T: ExtensionValue<'a> + core::fmt::Debug>(value: &'a [u8]) {
    openssl::extension::<T>(value);
    let mut r = Reader::new(value);
    let Ok(read) = T::read(&mut r) else { return };
    if r.finish().is_err() {
        return;
    }
    let _ = format!("{read:?}");
    let mut w = Writer::new();
    read.write(&mut w);
    assert_eq!(w.finish(), value);
}

macro_rules! check {
    ($oid:ident $value:ident: $($kind:ident)*) => {
        $(if $oid == $kind::OID {
            check::<$kind>($value);
        })*
    };
}

adamant_fuzz::by_elements!();

fuzz_target!(|data: &[u8]| {
    let Ok((oid, value)) = parse(data, |r| r.sequence(|r| Ok((r.oid()?, r.octet_string()?))))
    else {
        return;
    };
    check!(oid value:
        AcceptableResponses ArchiveCutoff AuthorityInfoAccess AuthorityKeyIdentifier
        BasicConstraints CertificateIssuer CertificatePolicies CrlDistributionPoints CrlNumber
        CrlReference DeltaCrlIndicator ExtendedKeyUsage ExtendedRevoke FreshestCrl
        InhibitAnyPolicy InvalidityDate IssuerAltName IssuingDistributionPoint KeyUsage
        NameConstraints OcspNoCheck OcspNonce PolicyConstraints PolicyMappings
        PreferredSignatureAlgorithms RevocationReason ServiceLocator SubjectAltName
        SubjectInfoAccess SubjectKeyIdentifier);
});
