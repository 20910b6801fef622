/* src/programs/hmac_drbg.rs on BearSSL. */
#include <bearssl.h>
#include <unistd.h>

int main(void)
{
    unsigned char bytes[64], out[40];
    br_hmac_drbg_context generator;
    (void)!read(0, bytes, sizeof bytes);
    br_hmac_drbg_init(&generator, &br_sha256_vtable, bytes, sizeof bytes);
    br_hmac_drbg_generate(&generator, out, sizeof out);
    (void)!write(1, out, sizeof out);
    return 0;
}
