//! What holds of every scheme in the list: its lengths are those of keys that are made, and of what
//! they sign, agree and encapsulate; the halves of such keys pass their check, and those of two keys do
//! not; keys survive their encodings, which are refused when cut; contexts have a limit; and a batch
//! gives what single calls give.

use adamant::family::{Kem, KeyAgreement, Signer, Verifier};
use adamant::x509::{
    Element, ErrorKind, KeyAlgorithm, PrivateKey, PublicKey, SubjectPublicKeyInfo,
};
use adamant::{Error, FastRng, der, ec, hybrid, pq};
use adamant_testkit::{TestRng, suites};

/// Public keys have this length in X.509.
#[track_caller]
fn public(algorithm: KeyAlgorithm, name: &str, len: usize) {
    let key = PrivateKey::generate(algorithm, &mut FastRng::new().unwrap()).unwrap();
    let der = key.public_key().to_der();
    let spki = SubjectPublicKeyInfo::read(&mut der::Reader::new(&der)).unwrap();
    assert_eq!(spki.key.len(), len, "{name}");
    assert_eq!(key.check_pair(), Ok(()), "{name}");
    encodings(name, &key);
}

/// A key comes back from each of its encodings, and from none that is cut or goes on.
#[track_caller]
fn encodings(name: &str, key: &PrivateKey) {
    let (der, pem) = (key.to_der(), key.to_pem());
    for back in [PrivateKey::from_der(&der), PrivateKey::from_pem(&pem)] {
        assert!(*back.expect(name).to_der() == *der, "{name}");
    }
    let key = key.public_key();
    let (public, pem) = (key.to_der(), key.to_pem());
    for back in [PublicKey::from_der(&public), PublicKey::from_pem(&pem)] {
        assert_eq!(back.as_ref(), Ok(&key), "{name}");
    }
    for cut in (0..der.len()).step_by(7).chain([der.len() - 1]) {
        assert!(PrivateKey::from_der(&der[..cut]).is_err(), "{name}: {cut}");
    }
    for cut in (0..public.len()).step_by(7).chain([public.len() - 1]) {
        assert!(
            PublicKey::from_der(&public[..cut]).is_err(),
            "{name}: {cut}"
        );
    }
    assert!(
        PrivateKey::from_der(&[&der[..], &[0]].concat()).is_err(),
        "{name}"
    );
    assert!(
        PublicKey::from_der(&[&public[..], &[0]].concat()).is_err(),
        "{name}"
    );
}

/// Contexts of up to 255 bytes are signed, each apart from the others.
macro_rules! contexts {
    ($crate_:ident $module:ident $name:literal) => {{
        let key = $crate_::$module::PrivateKey::generate(&mut FastRng::new().unwrap()).unwrap();
        let public = key.public_key();
        let context = [7; 256];
        let signature = key
            .sign_with_context(b"message", &context[1..])
            .expect($name);
        let verdict = |context| public.verify_with_context(b"message", context, &signature);
        assert_eq!(verdict(&context[1..]), Ok(()), "{}", $name);
        for other in [&context[2..], &[]] {
            assert_eq!(verdict(other), Err(Error::BadSignature), "{}", $name);
        }
        let longer = Err(Error::BadParameter("context"));
        assert_eq!(verdict(&context), longer, "{}", $name);
        let signed = key.sign_with_context(b"message", &context);
        assert_eq!(signed.map(|_| ()), longer, "{}", $name);
    }};
}

/// Signatures have this length, and no other can be read.
#[track_caller]
fn signatures<K: Signer>(name: &str, len: usize) {
    let key = K::generate(&mut FastRng::new().unwrap()).unwrap();
    assert_eq!(key.check_pair(), Ok(()), "{name}");
    let signature = key.sign(b"message");
    let octets = signature.as_ref();
    assert_eq!(octets.len(), len, "{name}");
    assert_eq!(
        key.verifier().verify(b"message", &signature),
        Ok(()),
        "{name}"
    );
    assert!(K::Verifier::signature(octets).is_ok(), "{name}");
    let longer = [octets, &[0]].concat();
    for wrong in [&octets[..len - 1], &longer, &[]] {
        // Nobody may have to tell it from one that does not verify.
        let error = K::Verifier::signature(wrong).err();
        assert_eq!(error, Some(Error::BadSignature), "{name}: {}", wrong.len());
    }
}

/// Shared secrets have this length on both sides.
#[track_caller]
fn secrets<K: KeyAgreement>(name: &str, len: usize) {
    let mut rng = FastRng::new().unwrap();
    let [ours, theirs] = [(); 2].map(|()| K::generate(&mut rng).unwrap());
    assert_eq!(ours.check_pair(), Ok(()), "{name}");
    let secret = ours.agree(&theirs.public_key()).unwrap();
    let same = theirs.agree(&ours.public_key()).unwrap();
    assert_eq!((*secret).as_ref().len(), len, "{name}");
    assert!((*secret).as_ref() == (*same).as_ref(), "{name}");
}

/// So have ciphertexts and secrets, and no ciphertext of another length can be read.
#[track_caller]
fn ciphertexts<K: Kem>(name: &str, len: usize, secret_len: usize) {
    let mut rng = FastRng::new().unwrap();
    let private = K::generate(&mut rng).unwrap();
    let public = K::encapsulation_key(&private);
    assert_eq!(K::check_pair(&private), Ok(()), "{name}");
    let (ciphertext, secret) = K::encapsulate(&public, &mut rng).unwrap();
    let octets = ciphertext.as_ref();
    assert_eq!(
        (octets.len(), secret.as_ref().len()),
        (len, secret_len),
        "{name}"
    );
    let opened = K::decapsulate(&private, &ciphertext).unwrap();
    assert!(opened.as_ref() == secret.as_ref(), "{name}");
    assert!(
        K::ciphertext(&octets[1..]).is_err() && K::ciphertext(&[]).is_err(),
        "{name}"
    );
}

macro_rules! kem {
    ("ml-kem" $crate_:ident $module:ident $variant:ident) => {
        $crate_::$module::MlKem
    };
    ($feature:tt $crate_:ident $module:ident $variant:ident) => {
        $crate_::$module::$variant
    };
}

macro_rules! tests {
    (
        curves { $({ $cf:tt $curve:ident $cm:ident $w:literal $bytes:literal $cname:literal $cid:literal
            $($_c:tt)* })* }
        signatures { $({ $sf:tt $signs:ident $sc:ident $sm:ident $sname:literal $title:literal $sid:literal
            $ss:literal [$sprivate:literal $spublic:literal $signature:literal] })* }
        agreements { $({ $af:tt $agrees:ident $ac:ident $am:ident $aname:literal $atitle:literal
            $aid:literal $as:literal [$aprivate:literal $apublic:literal $asecret:literal] })* }
        kems { $({ $kf:tt $kem:ident $kc:ident $km:ident $kname:literal $ktitle:literal $kid:literal
            $ks:literal [$kprivate:literal $kpublic:literal $ciphertext:literal $ksecret:literal] })* }
    ) => {
        #[test]
        fn curves() { $(
            public(KeyAlgorithm::$curve, $cname, 2 * $bytes + 1);
            signatures::<ec::$cm::PrivateKey>($cname, 2 * $bytes);
            secrets::<ec::$cm::PrivateKey>($cname, $bytes);
            let key = ec::$cm::PrivateKey::generate(&mut FastRng::new().unwrap()).unwrap();
            assert_eq!((*key.to_bytes()).len(), $bytes);
        )* }

        #[test]
        fn signature_schemes() { $(
            public(KeyAlgorithm::$signs, $title, $spublic);
            signatures::<$sc::$sm::PrivateKey>($title, $signature);
            contexts!($sc $sm $title);
            let key = |_, rng: &mut TestRng| $sc::$sm::PrivateKey::generate(rng).unwrap();
            // The slow sets of SLH-DSA are the same code with other parameters.
            let counts: &[usize] = if $sname.ends_with('s') { &[0] } else { &[0, 2] };
            suites::batches::signatures(key, counts);
        )* }

        #[test]
        fn agreements() { $(
            public(KeyAlgorithm::$agrees, $atitle, $apublic);
            secrets::<$ac::$am::PrivateKey>($atitle, $asecret);
            let key = $ac::$am::PrivateKey::generate(&mut FastRng::new().unwrap()).unwrap();
            assert_eq!((*key.to_bytes()).len(), $aprivate);
        )* }

        #[test]
        fn kems() { $(
            public(KeyAlgorithm::$kem, $ktitle, $kpublic);
            ciphertexts::<kem!($kf $kc $km $kem)>($ktitle, $ciphertext, $ksecret);
        )* }
    };
}
adamant::hazmat::base::schemes!(tests);

/// Halves of two keys that nothing in an encoding gives away.
#[test]
fn halves_of_two_keys() {
    use hybrid::tls::x25519mlkem768 as tls;
    use pq::ml_kem_768::DecapsulationKey;
    let mut rng = FastRng::new().unwrap();

    let key = PrivateKey::generate(KeyAlgorithm::SlhDsaSha2_128f, &mut rng).unwrap();
    let mut der = key.to_der().to_vec();
    *der.last_mut().unwrap() ^= 1; // of the root
    let refused = PrivateKey::from_der(&der).unwrap().check_pair();
    let bad = ErrorKind::Crypto(Error::BadPrivateKey);
    assert_eq!(refused.map_err(|error| error.kind()), Err(bad));

    let [ours, theirs] = [(); 2].map(|()| DecapsulationKey::generate(&mut rng).unwrap());
    let mut mixed = ours.to_bytes();
    mixed[..1152].copy_from_slice(&theirs.to_bytes()[..1152]);
    let mixed = DecapsulationKey::from_bytes(&mixed).unwrap();
    assert_eq!(mixed.check_pair(), Err(Error::BadPrivateKey));
    let classic = ec::x25519::PrivateKey::generate(&mut rng).unwrap();
    let mixed = tls::DecapsulationKey::from_halves(classic, mixed);
    assert_eq!(tls::Hybrid::check_pair(&mixed), Err(Error::BadPrivateKey));
}
