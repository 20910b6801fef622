//! Requests, certificates and their extensions.

use adamant_rand::SystemRng;
use adamant_x509::csr::{CertificationRequest, RequestBuilder};
use adamant_x509::extensions::*;
use adamant_x509::{
    Certificate, DistinguishedName, FullCertificate, KeyAlgorithm, PrivateKey, SignatureAlgorithm,
};

use super::program::{ALGORITHMS, OpenSsl, genpkey};
use crate::common;

#[test]
fn our_requests_there() {
    let Some(ssl) = OpenSsl::new() else { return };
    for &algorithm in ALGORITHMS {
        let key = PrivateKey::generate(algorithm, &mut SystemRng).unwrap();
        let subject = DistinguishedName::new().common_name("adamant.example");
        let der = RequestBuilder::new(subject.as_name())
            .extension(&SubjectAltName(
                (&[GeneralName::Dns("adamant.example")]).into(),
            ))
            .sign(key.signer().unwrap())
            .unwrap();
        let request = CertificationRequest::from_der(&der).unwrap();
        ssl.write("request.pem", request.to_pem());
        let said = ssl.run("req -in request.pem -verify -noout -text");
        assert!(said.contains("verify OK"), "{said}");
        assert!(said.contains("DNS:adamant.example"), "{said}");
    }
}

#[test]
fn their_requests_and_certificates_here() {
    let Some(ssl) = OpenSsl::new() else { return };
    ssl.write(
        "req.cnf",
        "[req]
        distinguished_name = name
        prompt = no
        string_mask = utf8only
        req_extensions = wanted
        [name]
        C = NL
        O = Adamant
        CN = gr\u{fc}n
        [wanted]
        subjectAltName = DNS:adamant.example, IP:2001:db8::1, email:a@adamant.example
        keyUsage = critical, digitalSignature
        [ca]
        basicConstraints = critical, CA:true, pathlen:3
        keyUsage = critical, keyCertSign, cRLSign
        subjectKeyIdentifier = hash
        [leaf]
        basicConstraints = CA:false
        extendedKeyUsage = serverAuth, clientAuth
        subjectKeyIdentifier = hash
        authorityKeyIdentifier = keyid, issuer:always
        subjectAltName = DNS:adamant.example, RID:1.2.3.4, otherName:1.2.3.5;UTF8:text
        crlDistributionPoints = point
        authorityInfoAccess = OCSP;URI:http://ocsp.example/, caIssuers;URI:http://ca.example/
        nameConstraints = permitted;IP:192.0.2.0/255.255.255.0, excluded;DNS:example
        certificatePolicies = 1.2.3.4, @policy
        policyConstraints = requireExplicitPolicy:3
        inhibitAnyPolicy = 2
        policyMappings = 1.2.3.4:1.2.3.5
        1.2.3.6 = ASN1:UTF8String:unknown
        [point]
        fullname = URI:http://crl.example/
        CRLissuer = dirName:issuer
        reasons = keyCompromise, CACompromise
        [issuer]
        CN = Other
        [policy]
        policyIdentifier = 1.2.3.5
        CPS.1 = http://cps.example/
        userNotice.1 = @notice
        [notice]
        explicitText = UTF8:Be careful
        organization = Adamant
        noticeNumbers = 1, 2",
    );
    for &algorithm in ALGORITHMS {
        ssl.run(&format!("{} -out ca.key", genpkey(algorithm)));
        ssl.run(
            "req -utf8 -config req.cnf -x509 -new -key ca.key -extensions ca -days 9 -out ca.pem",
        );
        ssl.run(&format!("{} -out leaf.key", genpkey(algorithm)));
        ssl.run("req -utf8 -config req.cnf -new -key leaf.key -out leaf.csr");
        ssl.run(
            "x509 -req -in leaf.csr -CA ca.pem -CAkey ca.key -set_serial 0x8000 -days 9 \
             -extfile req.cnf -extensions leaf -out leaf.pem",
        );

        let der = ssl.read_pem("leaf.csr");
        let request = CertificationRequest::from_der(&der).unwrap();
        request.verify().unwrap();
        assert_eq!(request.to_der(), der);
        assert_eq!(request.subject.to_string(), "CN=gr\u{fc}n,O=Adamant,C=NL");
        assert_eq!(
            request.extensions.key_usage,
            Some(KeyUsage::DIGITAL_SIGNATURE)
        );

        let ca = ssl.read_pem("ca.pem");
        let leaf = ssl.read_pem("leaf.pem");
        let ca = FullCertificate::from_der(&ca).unwrap();
        let leaf_full = FullCertificate::from_der(&leaf).unwrap();
        let ca_key = ca.public_key().unwrap();
        ca.verify(&ca_key).unwrap();
        leaf_full.verify(&ca_key).unwrap();
        assert_eq!(ca.to_der(), ca.as_der());
        assert_eq!(leaf_full.to_der(), leaf);
        let key = PrivateKey::from_pem(&ssl.read_text("ca.key")).unwrap();
        assert_eq!(key.public_key(), ca_key);

        let extensions = leaf_full.extensions;
        assert_eq!(
            ca.extensions.basic_constraints,
            Some(BasicConstraints::ca(Some(3)))
        );
        assert_eq!(extensions.inhibit_any_policy, Some(InhibitAnyPolicy(2)));
        let names: Vec<_> = extensions.subject_alt_name.unwrap().0.iter().collect();
        assert_eq!(names[0], GeneralName::Dns("adamant.example"));
        let policies: Vec<_> = extensions.certificate_policies.unwrap().0.iter().collect();
        let qualifiers: Vec<_> = policies[1].qualifiers.unwrap().iter().collect();
        assert_eq!(qualifiers[0], PolicyQualifier::Cps("http://cps.example/"));
        let PolicyQualifier::UserNotice(notice) = qualifiers[1] else {
            panic!("a notice")
        };
        assert_eq!(notice.text().unwrap(), "Be careful");
        let (organization, numbers) = notice.reference().unwrap();
        assert_eq!(organization, "Adamant");
        assert!(numbers.iter().eq([NoticeNumber(1), NoticeNumber(2)]));
        let point = extensions
            .crl_distribution_points
            .unwrap()
            .0
            .iter()
            .next()
            .unwrap();
        assert_eq!(point.reasons, Some(ReasonFlags::from_bits(0x6000)));
    }
}

/// P-256 signs the digests of longer hashes too.
#[test]
fn their_longer_digests_here() {
    let Some(ssl) = OpenSsl::new() else { return };
    ssl.run(&format!("{} -out ca.key", genpkey(KeyAlgorithm::P256)));
    for (digest, algorithm) in [
        ("sha256", SignatureAlgorithm::EcdsaWithSha256),
        ("sha384", SignatureAlgorithm::EcdsaWithSha384),
        ("sha512", SignatureAlgorithm::EcdsaWithSha512),
    ] {
        ssl.write("req.cnf", "[req]\ndistinguished_name = name\n[name]\n");
        ssl.run(&format!(
            "req -config req.cnf -x509 -new -key ca.key -{digest} -subj /CN=CA -out ca.pem"
        ));
        let der = ssl.read_pem("ca.pem");
        let certificate = Certificate::from_der(&der).unwrap();
        assert_eq!(certificate.signature_algorithm().oid, algorithm.oid());
        certificate
            .verify(&certificate.public_key().unwrap())
            .unwrap();
    }
}

#[test]
fn our_extensions_there() {
    let Some(ssl) = OpenSsl::new() else { return };
    let der = common::leaf();
    ssl.write("leaf.pem", Certificate::from_der(&der).unwrap().to_pem());
    let said = ssl.run("x509 -in leaf.pem -noout -text -nameopt RFC2253");
    for part in [
        "CA:FALSE",
        "Digital Signature, Decipher Only",
        "DNS:adamant.example, email:ca@adamant.example, IP Address:192.0.2.1",
        "Registered ID:1.3.6.1.4.1.99999",
        "IP:192.0.2.0/255.255.255.0",
        "email:.adamant.example",
        "Require Explicit Policy:0, Inhibit Policy Mapping:300",
        "URI:http://crl.adamant.example/root.crl",
        "Key Compromise, CA Compromise, AA Compromise",
        "CPS: https://adamant.example/cps",
        "1.3.6.1.4.1.99999.2:1.3.6.1.4.1.99999.3",
        "OCSP - URI:http://ocsp.adamant.example/",
        "OCSP No Check",
        "Issuer: CN=Root,OU=Tests,O=Adamant,C=NL",
    ] {
        assert!(said.contains(part), "{part} is not in\n{said}");
    }
}
