/* src/programs/certificate.rs on BearSSL: its minimal engine, on general integers. */
#include <bearssl.h>
#include <unistd.h>

static unsigned char bytes[2048], *rest = bytes;
static br_x509_minimal_context x509;

/* The length of the next part, which then begins at `rest`. */
static size_t length(void)
{
    size_t length = (size_t)rest[0] << 8 | rest[1];
    rest += 2;
    return length;
}

int main(void)
{
    const br_x509_class **engine = &x509.vtable;
    unsigned char *certificates[2], valid;
    size_t lengths[2];
    int i;
    br_x509_trust_anchor anchor;
    (void)!read(0, bytes, sizeof bytes);
    anchor.dn.len = length();
    anchor.dn.data = rest;
    rest += anchor.dn.len;
    /* The point at the end of the SubjectPublicKeyInfo. */
    rest += length();
    anchor.flags = BR_X509_TA_CA;
    anchor.pkey.key_type = BR_KEYTYPE_EC;
    anchor.pkey.key.ec.curve = BR_EC_secp256r1;
    anchor.pkey.key.ec.q = rest - 65;
    anchor.pkey.key.ec.qlen = 65;
    for (i = 0; i < 2; i++) {
        lengths[i] = length();
        certificates[i] = rest;
        rest += lengths[i];
    }
    br_x509_minimal_init(&x509, &br_sha256_vtable, &anchor, 1);
    br_x509_minimal_set_hash(&x509, br_sha256_ID, &br_sha256_vtable);
    br_x509_minimal_set_ecdsa(&x509, &br_ec_prime_i31, br_ecdsa_i31_vrfy_asn1);
    /* 2026-02-01, in days from the year 0 on. */
    br_x509_minimal_set_time(&x509, 719528 + 20485, 0);
    x509.vtable->start_chain(engine, "www.adamant.example");
    /* The server's first. */
    for (i = 1; i >= 0; i--) {
        x509.vtable->start_cert(engine, lengths[i]);
        x509.vtable->append(engine, certificates[i], lengths[i]);
        x509.vtable->end_cert(engine);
    }
    valid = x509.vtable->end_chain(engine) == 0;
    (void)!write(1, &valid, 1);
    return 0;
}
