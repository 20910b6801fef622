/* src/programs/aes_gcm.rs on BearSSL: its smallest whose time does not depend on the key. */
#include <bearssl.h>
#include <unistd.h>

int main(void)
{
    unsigned char bytes[64], tag[16], *aad = bytes + 28, *data = bytes + 32;
    br_aes_ct_ctr_keys keys;
    br_gcm_context gcm;
    (void)!read(0, bytes, sizeof bytes);
    br_aes_ct_ctr_init(&keys, bytes, 16);
    br_gcm_init(&gcm, &keys.vtable, br_ghash_ctmul64);
    br_gcm_reset(&gcm, bytes + 16, 12);
    br_gcm_aad_inject(&gcm, aad, 4);
    br_gcm_flip(&gcm);
    br_gcm_run(&gcm, 1, data, 32);
    br_gcm_get_tag(&gcm, tag);
    (void)!write(1, data, 32);
    (void)!write(1, tag, sizeof tag);
    br_gcm_reset(&gcm, bytes + 16, 12);
    br_gcm_aad_inject(&gcm, aad, 4);
    br_gcm_flip(&gcm);
    br_gcm_run(&gcm, 0, data, 32);
    if (!br_gcm_check_tag(&gcm, tag))
        return 1;
    (void)!write(1, data, 32);
    return 0;
}
