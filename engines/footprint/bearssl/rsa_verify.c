/* src/programs/rsa_verify.rs on BearSSL: its smallest, on general integers. */
#include <bearssl.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    static unsigned char exponent[3] = { 1, 0, 1 };
    unsigned char bytes[256 + 256 + 32], digest[32], signed_digest[32], valid;
    br_sha256_context hash;
    br_rsa_public_key key = { bytes + 256, 256, exponent, 3 };
    (void)!read(0, bytes, sizeof bytes);
    br_sha256_init(&hash);
    br_sha256_update(&hash, bytes + 512, 32);
    br_sha256_out(&hash, digest);
    valid = br_rsa_i31_pkcs1_vrfy(bytes, 256, BR_HASH_OID_SHA256, 32, &key, signed_digest) &&
        !memcmp(digest, signed_digest, 32);
    (void)!write(1, &valid, 1);
    return 0;
}
