/* src/programs/nothing.rs in C. */
#include <unistd.h>

int main(void)
{
    unsigned char bytes[64];
    (void)!read(0, bytes, sizeof bytes);
    (void)!write(1, bytes, sizeof bytes);
    return 0;
}
