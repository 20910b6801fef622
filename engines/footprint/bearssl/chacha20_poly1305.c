/* src/programs/chacha20_poly1305.rs on BearSSL. */
#include <bearssl.h>
#include <unistd.h>

int main(void)
{
    unsigned char bytes[64], tag[16], again[16], different = 0;
    unsigned char *nonce = bytes + 32, *aad = bytes + 44, *data = bytes + 48;
    int i;
    (void)!read(0, bytes, sizeof bytes);
    br_poly1305_ctmul_run(bytes, nonce, data, 16, aad, 4, tag, br_chacha20_ct_run, 1);
    (void)!write(1, data, 16);
    (void)!write(1, tag, sizeof tag);
    br_poly1305_ctmul_run(bytes, nonce, data, 16, aad, 4, again, br_chacha20_ct_run, 0);
    for (i = 0; i < 16; i++)
        different |= tag[i] ^ again[i];
    if (different)
        return 1;
    (void)!write(1, data, 16);
    return 0;
}
