/* src/programs/ecdsa_sign.rs on BearSSL: its smallest, on general integers. */
#include <bearssl.h>
#include <unistd.h>

int main(void)
{
    unsigned char bytes[64], digest[32], signature[64];
    br_sha256_context hash;
    br_ec_private_key key = { BR_EC_secp256r1, bytes, 32 };
    (void)!read(0, bytes, sizeof bytes);
    br_sha256_init(&hash);
    br_sha256_update(&hash, bytes + 32, 32);
    br_sha256_out(&hash, digest);
    if (!br_ecdsa_i31_sign_raw(&br_ec_prime_i31, &br_sha256_vtable, digest, &key, signature))
        return 1;
    (void)!write(1, signature, sizeof signature);
    return 0;
}
