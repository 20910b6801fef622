/* src/programs/ecdsa_p256.rs on BearSSL: its smallest, on general integers. */
#include <bearssl.h>
#include <unistd.h>

int main(void)
{
    unsigned char bytes[64 + 65 + 32], digest[32], valid;
    br_sha256_context hash;
    br_ec_public_key key = { BR_EC_secp256r1, bytes + 64, 65 };
    (void)!read(0, bytes, sizeof bytes);
    br_sha256_init(&hash);
    br_sha256_update(&hash, bytes + 64 + 65, 32);
    br_sha256_out(&hash, digest);
    valid = br_ecdsa_i31_vrfy_raw(&br_ec_prime_i31, digest, sizeof digest, &key, bytes, 64);
    (void)!write(1, &valid, 1);
    return 0;
}
