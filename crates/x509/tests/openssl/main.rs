//! Interoperation with the `openssl` program, where version 3 or later is installed: what is made
//! here is accepted there, and the reverse.

mod common;

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::SystemTime;

use adamant_der::{Time, pem};
use adamant_rand::SystemRng;
use adamant_x509::crl::{CertificateList, CrlBuilder, Revocation};
use adamant_x509::csr::{CertificationRequest, RequestBuilder};
use adamant_x509::extensions::*;
use adamant_x509::ocsp::{
    CertStatus, IssuerId, OcspRequest, OcspRequestBuilder, OcspResponse, ResponderId,
    ResponseBuilder, SingleResponse,
};
use adamant_x509::{
    Certificate, CertificateBuilder, DistinguishedName, KeyAlgorithm, PrivateKey, PublicKey,
    SerialNumber, SignatureAlgorithm,
};
use tempfile::TempDir;

/// A folder, and the program that works in it.
struct OpenSsl(TempDir);

impl OpenSsl {
    /// Nothing where there is no such program.
    fn new() -> Option<Self> {
        let version = Command::new("openssl").arg("version").output().ok();
        let version = version.map(|o| String::from_utf8_lossy(&o.stdout).into_owned());
        let major = version
            .as_deref()
            .and_then(|text| text.strip_prefix("OpenSSL "))
            .and_then(|text| text.split('.').next()?.parse::<u32>().ok());
        if major.is_some_and(|major| major >= 3) {
            return Some(Self(tempfile::tempdir().unwrap()));
        }
        println!("no openssl program of version 3 or later: nothing tested");
        None
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, name: &str, contents: impl AsRef<[u8]>) {
        fs::write(self.path().join(name), contents).unwrap();
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path().join(name)).unwrap()
    }

    fn read_text(&self, name: &str) -> String {
        String::from_utf8(self.read(name)).unwrap()
    }

    /// The contents of the first PEM block of a file.
    fn read_pem(&self, name: &str) -> Vec<u8> {
        let text = self.read_text(name);
        pem::decode(&text).next().unwrap().unwrap().into_der()
    }

    /// Runs the program; its success and all it says.
    fn try_run(&self, arguments: &str) -> (bool, String) {
        let output = Command::new("openssl")
            .args(arguments.split_whitespace())
            .current_dir(self.path())
            .env("OPENSSL_CONF", self.path().join("empty.cnf"))
            .output()
            .unwrap();
        let said = [output.stdout, output.stderr].concat();
        (
            output.status.success(),
            String::from_utf8_lossy(&said).into_owned(),
        )
    }

    fn run(&self, arguments: &str) -> String {
        self.write("empty.cnf", "");
        let (success, said) = self.try_run(arguments);
        assert!(success, "openssl {arguments}\n{said}");
        said
    }
}

const ALGORITHMS: [KeyAlgorithm; 2] = [KeyAlgorithm::P256, KeyAlgorithm::Ed25519];

fn genpkey(algorithm: KeyAlgorithm) -> &'static str {
    match algorithm {
        KeyAlgorithm::P256 => "genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256",
        KeyAlgorithm::Ed25519 => "genpkey -algorithm ED25519",
        _ => "genpkey -algorithm X25519",
    }
}

fn now() -> Time {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    Time::from_unix(since.unwrap().as_secs() as i64).unwrap()
}

fn days(time: Time, days: u64) -> Time {
    time.saturating_add(86_400 * days)
}

/// A CA or end entity: its key, name and certificate.
struct Entity {
    key: PrivateKey,
    name: DistinguishedName,
    der: Vec<u8>,
}

impl Entity {
    fn certificate(&self) -> Certificate<'_> {
        Certificate::parse(&self.der).unwrap()
    }

    fn pem(&self) -> String {
        self.certificate().to_pem()
    }

    /// Made by `issuer`, or by itself.
    fn new(
        algorithm: KeyAlgorithm,
        name: &str,
        issuer: Option<&Self>,
        extend: impl FnOnce(CertificateBuilder<'_>) -> CertificateBuilder<'_>,
    ) -> Self {
        let key = PrivateKey::generate(algorithm, &mut SystemRng).unwrap();
        let name = DistinguishedName::new()
            .organization("Adamant")
            .common_name(name);
        let (issuer_key, issuer_name) = issuer.map_or((&key, &name), |i| (&i.key, &i.name));
        let public_key = key.public_key();
        let builder = CertificateBuilder::new(
            SerialNumber::random(&mut SystemRng).unwrap(),
            issuer_name.as_name(),
            now(),
            days(now(), 30),
            name.as_name(),
            &public_key,
        )
        .extension(&SubjectKeyIdentifier(&public_key.key_id()))
        .extension(&AuthorityKeyIdentifier::new(
            &issuer_key.public_key().key_id(),
        ));
        let der = extend(builder).sign(issuer_key.signer().unwrap()).unwrap();
        Self { key, name, der }
    }

    fn ca(algorithm: KeyAlgorithm, name: &str, issuer: Option<&Self>) -> Self {
        Self::new(algorithm, name, issuer, |builder| {
            builder.extension(&BasicConstraints::ca(None)).extension(
                &(KeyUsage::KEY_CERT_SIGN | KeyUsage::CRL_SIGN | KeyUsage::DIGITAL_SIGNATURE),
            )
        })
    }

    fn server(algorithm: KeyAlgorithm, name: &str, issuer: &Self) -> Self {
        Self::new(algorithm, name, Some(issuer), |builder| {
            builder
                .extension(&BasicConstraints::end_entity())
                .extension(&KeyUsage::DIGITAL_SIGNATURE)
                .extension(&ExtendedKeyUsage((&[ExtendedKeyUsage::SERVER_AUTH]).into()))
                .extension(&SubjectAltName(
                    (&[GeneralName::Dns("adamant.example")]).into(),
                ))
        })
    }
}

#[test]
fn our_keys_there() {
    let Some(ssl) = OpenSsl::new() else { return };
    for algorithm in [
        KeyAlgorithm::P256,
        KeyAlgorithm::Ed25519,
        KeyAlgorithm::X25519,
    ] {
        let key = PrivateKey::generate(algorithm, &mut SystemRng).unwrap();
        ssl.write("key.pem", key.to_pem().as_bytes());
        // Both write the same octets.
        ssl.run("pkcs8 -topk8 -nocrypt -in key.pem -outform DER -out key.der");
        assert_eq!(ssl.read("key.der"), *key.to_pkcs8_der());
        ssl.run("pkey -in key.pem -pubout -outform DER -out public.der");
        assert_eq!(ssl.read("public.der"), key.public_key().to_der());
        ssl.write("public.pem", key.public_key().to_pem());
        ssl.run("pkey -pubin -in public.pem -noout");
        if let Some(pem) = key.to_sec1_pem() {
            ssl.run("pkey -in key.pem -check -noout");
            ssl.write("sec1.pem", pem.as_bytes());
            ssl.run("ec -in sec1.pem -outform DER -out sec1.der");
            assert_eq!(ssl.read("sec1.der"), *key.to_sec1_der().unwrap());
        }
    }
}

#[test]
fn their_keys_here() {
    let Some(ssl) = OpenSsl::new() else { return };
    for algorithm in [
        KeyAlgorithm::P256,
        KeyAlgorithm::Ed25519,
        KeyAlgorithm::X25519,
    ] {
        ssl.run(&format!("{} -out key.pem", genpkey(algorithm)));
        let key = PrivateKey::from_pem(&ssl.read_text("key.pem")).unwrap();
        assert_eq!(key.algorithm(), algorithm);
        assert_eq!(*key.to_pem(), ssl.read_text("key.pem"));
        ssl.run("pkey -in key.pem -pubout -out public.pem");
        let public_key = PublicKey::from_pem(&ssl.read_text("public.pem")).unwrap();
        assert_eq!(public_key, key.public_key());
        assert_eq!(public_key.to_pem(), ssl.read_text("public.pem"));
        if algorithm == KeyAlgorithm::P256 {
            ssl.run("ec -in key.pem -out sec1.pem");
            let sec1 = PrivateKey::from_pem(&ssl.read_text("sec1.pem")).unwrap();
            assert_eq!(sec1.public_key(), public_key);
            assert_eq!(*sec1.to_sec1_pem().unwrap(), ssl.read_text("sec1.pem"));
            ssl.run("ec -in key.pem -conv_form compressed -pubout -out compressed.pem");
            let compressed = PublicKey::from_pem(&ssl.read_text("compressed.pem")).unwrap();
            assert_eq!(compressed, public_key);
        }
    }
}

#[test]
fn our_requests_there() {
    let Some(ssl) = OpenSsl::new() else { return };
    for algorithm in ALGORITHMS {
        let key = PrivateKey::generate(algorithm, &mut SystemRng).unwrap();
        let subject = DistinguishedName::new().common_name("adamant.example");
        let der = RequestBuilder::new(subject.as_name())
            .extension(&SubjectAltName(
                (&[GeneralName::Dns("adamant.example")]).into(),
            ))
            .sign(key.signer().unwrap())
            .unwrap();
        let request = CertificationRequest::parse(&der).unwrap();
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
    for algorithm in ALGORITHMS {
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
        let request = CertificationRequest::parse(&der).unwrap();
        request.verify().unwrap();
        assert_eq!(request.encode(), der);
        assert_eq!(request.subject.to_string(), "CN=gr\u{fc}n,O=Adamant,C=NL");
        assert_eq!(
            request.extensions.key_usage,
            Some(KeyUsage::DIGITAL_SIGNATURE)
        );

        let ca = ssl.read_pem("ca.pem");
        let leaf = ssl.read_pem("leaf.pem");
        let ca = Certificate::parse_full(&ca).unwrap();
        let leaf_full = Certificate::parse_full(&leaf).unwrap();
        let ca_key = ca.public_key().unwrap();
        ca.verify(&ca_key).unwrap();
        leaf_full.verify(&ca_key).unwrap();
        assert_eq!(ca.encode(), ca.as_der());
        assert_eq!(leaf_full.encode(), leaf);
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
        let certificate = Certificate::parse(&der).unwrap();
        assert_eq!(certificate.signature_algorithm().oid, algorithm.oid());
        certificate
            .verify(&certificate.public_key().unwrap())
            .unwrap();
    }
}

#[test]
fn our_chains_there() {
    let Some(ssl) = OpenSsl::new() else { return };
    for (root, middle, leaf) in [
        (ALGORITHMS[0], ALGORITHMS[0], ALGORITHMS[0]),
        (ALGORITHMS[1], ALGORITHMS[1], ALGORITHMS[1]),
        (ALGORITHMS[0], ALGORITHMS[1], KeyAlgorithm::X25519),
    ] {
        let root = Entity::ca(root, "Root", None);
        let middle = Entity::ca(middle, "Middle", Some(&root));
        let leaf = Entity::server(leaf, "Leaf", &middle);
        let revoked = Entity::server(ALGORITHMS[0], "Revoked", &middle);
        ssl.write("root.pem", root.pem());
        ssl.write("middle.pem", middle.pem());
        ssl.write("leaf.pem", leaf.pem());
        ssl.write("revoked.pem", revoked.pem());
        let verify = "verify -x509_strict -purpose sslserver -verify_hostname adamant.example \
                      -CAfile root.pem -untrusted middle.pem";
        ssl.run(&format!("{verify} leaf.pem"));
        assert!(!ssl.try_run("verify -CAfile root.pem leaf.pem").0);

        // Lists of both CAs.
        for (name, ca) in [("root.crl", &root), ("middle.crl", &middle)] {
            let entry = Revocation::new(*revoked.certificate().serial(), now())
                .reason(RevocationReason::KeyCompromise);
            let der = CrlBuilder::new(ca.name.as_name(), now(), days(now(), 7))
                .authority_key_id(&ca.key.public_key().key_id())
                .number(SerialNumber::from(1))
                .sign(
                    (name == "middle.crl").then_some(entry),
                    ca.key.signer().unwrap(),
                )
                .unwrap();
            ssl.write(name, CertificateList::parse(&der).unwrap().to_pem());
        }
        let said = ssl.run("crl -in middle.crl -CAfile middle.pem -noout -text");
        assert!(
            said.contains("verify OK") && said.contains("Key Compromise"),
            "{said}"
        );
        let lists = [ssl.read_text("root.crl"), ssl.read_text("middle.crl")].concat();
        ssl.write("all.crl", lists);
        let verify = format!("{verify} -crl_check_all -CRLfile all.crl");
        ssl.run(&format!("{verify} leaf.pem"));
        let (success, said) = ssl.try_run(&format!("{verify} revoked.pem"));
        assert!(!success && said.contains("certificate revoked"), "{said}");
    }
}

/// The file in which `openssl ca` and `openssl ocsp` keep certificates.
fn index(revoked: &SerialNumber, good: &SerialNumber) -> String {
    let until = "20991231235959Z";
    // Digits above nine are capital letters there.
    let [revoked, good] = [revoked, good].map(|serial| serial.to_string().to_uppercase());
    format!(
        "R\t{until}\t250102030405Z,keyCompromise\t{revoked}\tunknown\t/CN=Revoked\n\
         V\t{until}\t\t{good}\tunknown\t/CN=Leaf\n"
    )
}

#[test]
fn their_lists_here() {
    let Some(ssl) = OpenSsl::new() else { return };
    ssl.write(
        "ca.cnf",
        "[ca]
        default_ca = it
        [it]
        database = index.txt
        crlnumber = number.txt
        default_md = default
        default_crl_days = 7
        crl_extensions = list
        [list]
        authorityKeyIdentifier = keyid:always
        issuingDistributionPoint = critical, @point
        [point]
        fullname = URI:http://crl.example/
        onlyuser = TRUE",
    );
    let (revoked, good) = (common::serial(), SerialNumber::from(0x1234));
    ssl.write("index.txt", index(&revoked, &good));
    for algorithm in ALGORITHMS {
        let ca = Entity::ca(algorithm, "CA", None);
        ssl.write("ca.key", ca.key.to_pem().as_bytes());
        ssl.write("ca.pem", ca.pem());
        ssl.write("number.txt", "8001\n");
        ssl.run("ca -config ca.cnf -gencrl -keyfile ca.key -cert ca.pem -out ca.crl");
        let der = ssl.read_pem("ca.crl");
        let list = CertificateList::parse_full(&der).unwrap();
        list.verify(&ca.key.public_key()).unwrap();
        assert_eq!(list.encode(), der);
        assert_eq!(
            list.extensions.crl_number,
            Some(CrlNumber(SerialNumber::from(0x8001)))
        );
        assert!(
            list.extensions
                .issuing_distribution_point
                .unwrap()
                .only_user_certs
        );
        let entry = list.find(&revoked).unwrap().unwrap();
        assert_eq!(entry.date.to_string(), "2025-01-02T03:04:05Z");
        assert_eq!(entry.reason(), Ok(Some(RevocationReason::KeyCompromise)));
        assert!(list.find(&good).unwrap().is_none());
    }
}

#[test]
fn our_ocsp_there() {
    let Some(ssl) = OpenSsl::new() else { return };
    for algorithm in ALGORITHMS {
        let ca = Entity::ca(algorithm, "CA", None);
        let leaf = Entity::server(ALGORITHMS[0], "Leaf", &ca);
        let delegate = Entity::new(algorithm, "Responder", Some(&ca), |builder| {
            builder
                .extension(&KeyUsage::DIGITAL_SIGNATURE)
                .extension(&ExtendedKeyUsage(
                    (&[ExtendedKeyUsage::OCSP_SIGNING]).into(),
                ))
                .extension(&OcspNoCheck)
        });
        ssl.write("ca.pem", ca.pem());
        ssl.write("leaf.pem", leaf.pem());
        // Their request, with their nonce.
        ssl.run("ocsp -sha256 -issuer ca.pem -cert leaf.pem -nonce -reqout request.der");
        let request = ssl.read("request.der");
        let request = OcspRequest::parse(&request).unwrap();
        assert_eq!(request.encode(), ssl.read("request.der"));
        let certificate = ca.certificate();
        let issuer = IssuerId::new(&certificate).unwrap();
        let asked = request.requests.iter().next().unwrap().cert_id;
        assert!(asked.matches(&issuer.cert_id(*leaf.certificate().serial())));

        let revoked = CertStatus::Revoked {
            time: now(),
            reason: Some(RevocationReason::Superseded),
        };
        for (status, said) in [
            (CertStatus::Good, "leaf.pem: good"),
            (revoked, "leaf.pem: revoked"),
        ] {
            let single = SingleResponse::new(asked, status, now(), Some(days(now(), 1)));
            let nonce = request.extensions.nonce.unwrap().0;
            for responder in [&ca, &delegate] {
                let certificates = [&delegate.der[..]];
                let mut builder =
                    ResponseBuilder::new(ResponderId::Name(responder.name.as_name()), now())
                        .nonce(nonce);
                if std::ptr::eq(responder, &delegate) {
                    builder = builder.certificates(&certificates);
                }
                let der = builder
                    .sign(&[single], responder.key.signer().unwrap())
                    .unwrap();
                ssl.write("response.der", der);
                let output = ssl.run(
                    "ocsp -no_nonce -sha256 -issuer ca.pem -cert leaf.pem -reqin request.der \
                     -respin response.der -CAfile ca.pem",
                );
                assert!(output.contains("Response verify OK"), "{output}");
                assert!(output.contains(said), "{output}");
                assert!(!output.contains("WARNING"), "{output}");
            }
        }
    }
}

#[test]
fn their_ocsp_here() {
    let Some(ssl) = OpenSsl::new() else { return };
    for algorithm in ALGORITHMS {
        let ca = Entity::ca(algorithm, "CA", None);
        let good = *Entity::server(ALGORITHMS[0], "Leaf", &ca)
            .certificate()
            .serial();
        let (revoked, unknown) = (common::serial(), SerialNumber::from(0x4321));
        ssl.write("index.txt", index(&revoked, &good));
        ssl.write("ca.pem", ca.pem());
        ssl.write("ca.key", ca.key.to_pem().as_bytes());

        let issuer = IssuerId::new(&ca.certificate()).unwrap();
        let nonce = [0x42; 32];
        let request = OcspRequestBuilder::new()
            .certificate(issuer.cert_id(good))
            .certificate(issuer.cert_id(revoked))
            .certificate(issuer.cert_id(unknown))
            .nonce(&nonce)
            .build();
        ssl.write("request.der", request);
        for by_key in ["", "-resp_key_id"] {
            ssl.run(&format!(
                "ocsp -index index.txt -CA ca.pem -rsigner ca.pem -rkey ca.key {by_key} \
                 -reqin request.der -respout response.der -ndays 1"
            ));
            let der = ssl.read("response.der");
            let response = OcspResponse::parse(&der).unwrap();
            assert_eq!(response.encode(), der);
            let basic = response.basic().unwrap();
            basic.verify(&ca.key.public_key()).unwrap();
            let named = basic.responder == ResponderId::Name(ca.name.as_name());
            assert_eq!(named, by_key.is_empty());
            assert_eq!(basic.extensions.nonce.unwrap().0, nonce);
            let status = |serial| basic.find(&issuer.cert_id(serial)).unwrap().status;
            assert_eq!(status(good), CertStatus::Good);
            assert_eq!(status(unknown), CertStatus::Unknown);
            let time = "2025-01-02T03:04:05Z".parse().unwrap();
            let reason = Some(RevocationReason::KeyCompromise);
            assert_eq!(status(revoked), CertStatus::Revoked { time, reason });
        }

        // With SHA-1, as most ask.
        ssl.run("ocsp -issuer ca.pem -serial 0x4321 -no_nonce -reqout request.der");
        let der = ssl.read("request.der");
        let request = OcspRequest::parse(&der).unwrap();
        assert_eq!(request.encode(), der);
        let asked = request.requests.iter().next().unwrap().cert_id;
        assert_eq!(asked.issuer_key_hash.len(), 20);
        assert_eq!(asked.serial, unknown);
        // A signed request.
        ssl.run(
            "ocsp -issuer ca.pem -serial 0x4321 -signer ca.pem -signkey ca.key \
             -reqout request.der",
        );
        let der = ssl.read("request.der");
        let request = OcspRequest::parse(&der).unwrap();
        assert_eq!(request.encode(), der);
        request.verify(&ca.key.public_key()).unwrap();
        assert_eq!(request.certificates().next().unwrap().as_der(), ca.der);
    }
}

#[test]
fn our_extensions_there() {
    let Some(ssl) = OpenSsl::new() else { return };
    let der = common::leaf();
    ssl.write("leaf.pem", Certificate::parse(&der).unwrap().to_pem());
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
