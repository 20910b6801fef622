//! Known answers: the key schedule of RFC 8448 and the packets of RFC 9001.

use hex_literal::hex;
use rustls::Side;
use rustls::crypto::cipher::{AeadKey, Iv};
use rustls::quic::{Keys, Version};
use rustls_adamant::cipher_suite::{TLS13_AES_128_GCM_SHA256, TLS13_CHACHA20_POLY1305_SHA256};

/// HKDF-Expand-Label of RFC 8446, section 7.1, in parts.
fn expand_label(
    from: &dyn rustls::crypto::tls13::HkdfExpander,
    label: &[u8],
    context: &[u8],
) -> Vec<u8> {
    let len = 32u16.to_be_bytes();
    let (label_len, context_len) = ([6 + label.len() as u8], [context.len() as u8]);
    let info = [
        &len[..],
        &label_len,
        b"tls13 ",
        label,
        &context_len,
        context,
    ];
    let mut whole = [0; 32];
    from.expand_slice(&info, &mut whole).unwrap();
    assert_eq!(from.expand_block(&info).as_ref(), whole);
    assert_eq!(from.expand_block(&[&info.concat()]).as_ref(), whole);
    // In more parts than TLS ever has.
    let bytes = info.concat();
    let single: Vec<&[u8]> = bytes.chunks(1).collect();
    assert_eq!(from.expand_block(&single).as_ref(), whole);
    whole.to_vec()
}

/// RFC 8448, section 3.
#[test]
fn the_key_schedule() {
    let suite = TLS13_AES_128_GCM_SHA256.tls13().unwrap();
    let hkdf = suite.hkdf_provider;
    let empty = suite.common.hash_provider.hash(b"");
    let early = hkdf.extract_from_zero_ikm(None);
    let derived = expand_label(&*early, b"derived", empty.as_ref());
    assert_eq!(
        derived,
        hex!("6f2615a108c702c5678f54fc9dbab69716c076189c48250cebeac3576c3611ba")
    );
    let shared = hex!("8bd4054fb55b9d63fdfbacf9f04b9f0d35e6d63f537563efd46272900f89492d");
    let handshake = hkdf.extract_from_secret(Some(&derived), &shared);
    let transcript = hex!("860c06edc07858ee8e78f0e7428c58edd6b43f2ca3e6e95f02ed063cf0e1cad8");
    assert_eq!(
        expand_label(&*handshake, b"c hs traffic", &transcript),
        hex!("b3eddb126e067f35a780b3abf45e2d8f3b1a950738f52e9600746a0e27a55a21")
    );
    assert_eq!(
        expand_label(&*handshake, b"s hs traffic", &transcript),
        hex!("b67b7d690cc16c4e75e54213cb2d37b4e9c912bcded9105d42befd59d391ad38")
    );
}

/// RFC 5869, test case 2: more than one block.
#[test]
fn hkdf() {
    let hkdf = TLS13_AES_128_GCM_SHA256.tls13().unwrap().hkdf_provider;
    let bytes: Vec<u8> = (0..=0xff).collect();
    let expander = hkdf.extract_from_secret(Some(&bytes[0x60..0xb0]), &bytes[..0x50]);
    let mut okm = [0; 82];
    expander
        .expand_slice(&[&bytes[0xb0..0xf0], &bytes[0xf0..]], &mut okm)
        .unwrap();
    assert_eq!(
        okm,
        hex!(
            "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c"
            "59045a99cac7827271cb41c65e590e09da3275600c2f09b8367793a9aca3db71"
            "cc30c58179ec3e87c14c01d5c1f3434f1d87"
        )
    );
    assert!(expander.expand_slice(&[], &mut [0; 255 * 32 + 1]).is_err());
}

/// RFC 9001, appendix A.3: the server's first packet, under AES-128-GCM.
#[test]
fn an_initial_packet_of_quic() {
    let suite = TLS13_AES_128_GCM_SHA256.tls13().unwrap();
    let quic = suite.quic.unwrap();
    let connection = hex!("8394c8f03e515708");
    let keys = |side| Keys::initial(Version::V1, suite, quic, &connection, side);
    let header = hex!("c1000000010008f067a5502a4262b50040750001");
    let text = hex!(
        "02000000000600405a020000560303eefce7f7b37ba1d1632e96677825ddf739"
        "88cfc79825df566dc5430b9a045a1200130100002e00330024001d00209d3c94"
        "0d89690b84d08a60993c144eca684d1081287c834d5311bcf32bb9da1a002b00"
        "020304"
    );
    let (mut sealed_header, mut sealed) = (header, text.to_vec());
    let local = keys(Side::Server).local;
    let tag = local
        .packet
        .encrypt_in_place(1, &header, &mut sealed)
        .unwrap();
    sealed.extend_from_slice(tag.as_ref());
    assert_eq!(local.header.sample_len(), 16);
    let (first, rest) = sealed_header.split_first_mut().unwrap();
    local
        .header
        .encrypt_in_place(&sealed[2..18], first, &mut rest[17..])
        .unwrap();
    let expected = hex!(
        "cf000000010008f067a5502a4262b5004075c0d95a482cd0991cd25b0aac406a"
        "5816b6394100f37a1c69797554780bb38cc5a99f5ede4cf73c3ec2493a1839b3"
        "dbcba3f6ea46c5b7684df3548e7ddeb9c3bf9c73cc3f3bded74b562bfb19fb84"
        "022f8ef4cdd93795d77d06edbb7aaf2f58891850abbdca3d20398c276456cbc4"
        "2158407dd074ee"
    );
    assert_eq!([&sealed_header[..], &sealed].concat(), expected);

    let remote = keys(Side::Client).remote;
    let (first, rest) = sealed_header.split_first_mut().unwrap();
    remote
        .header
        .decrypt_in_place(&sealed[2..18], first, &mut rest[17..])
        .unwrap();
    assert_eq!(sealed_header, header);
    let opened = remote
        .packet
        .decrypt_in_place(1, &header, &mut sealed)
        .unwrap();
    assert_eq!(opened, text);
    sealed[3] ^= 1;
    assert!(
        remote
            .packet
            .decrypt_in_place(1, &header, &mut sealed)
            .is_err()
    );
}

/// RFC 9001, appendix A.5: a packet with a short header, under ChaCha20-Poly1305.
#[test]
fn a_short_packet_of_quic() {
    let quic = TLS13_CHACHA20_POLY1305_SHA256
        .tls13()
        .unwrap()
        .quic
        .unwrap();
    let key = hex!("c6d98ff3441c3fe1b2182094f69caa2ed4b716b65488960a7a984979fb23e1c8");
    let iv = hex!("e0459b3474bdd0e44a41c144");
    let header_key = hex!("25a282b9e82f06f21f488917a4fc8f1b73573685608597d0efcb076b0ab7a7a4");
    let packet = quic.packet_key(AeadKey::from(key), Iv::from(iv));
    let protection = quic.header_protection_key(AeadKey::from(header_key));
    let (mut header, mut text) = (hex!("4200bff4"), vec![1]);
    let tag = packet
        .encrypt_in_place(654_360_564, &header, &mut text)
        .unwrap();
    text.extend_from_slice(tag.as_ref());
    let (first, number) = header.split_first_mut().unwrap();
    protection
        .encrypt_in_place(&text[1..17], first, number)
        .unwrap();
    assert_eq!(
        [&header[..], &text].concat(),
        hex!("4cfe4189655e5cd55c41f69080575d7999c25a5bfb")
    );
    let sample = text[1..17].to_vec();
    let (first, number) = header.split_first_mut().unwrap();
    protection.decrypt_in_place(&sample, first, number).unwrap();
    assert_eq!(header, hex!("4200bff4"));
    assert!(
        protection
            .encrypt_in_place(&sample[1..], &mut 0, &mut [0])
            .is_err()
    );
    assert!(
        protection
            .encrypt_in_place(&sample, &mut 0, &mut [0; 5])
            .is_err()
    );
}
