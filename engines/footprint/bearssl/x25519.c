/* src/programs/x25519.rs on BearSSL: its smallest for this curve alone. */
#include <bearssl.h>
#include <unistd.h>

int main(void)
{
    unsigned char bytes[64], public[32];
    const br_ec_impl *ec = &br_ec_c25519_m31;
    (void)!read(0, bytes, sizeof bytes);
    ec->mulgen(public, bytes, 32, BR_EC_curve25519);
    (void)!write(1, public, sizeof public);
    if (!ec->mul(bytes + 32, 32, bytes, 32, BR_EC_curve25519))
        return 1;
    (void)!write(1, bytes + 32, 32);
    return 0;
}
