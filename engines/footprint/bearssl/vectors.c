/* Where a program on a Cortex-M starts: the end of the stack, the start of C. */
extern void _start(void);
extern char __top[];
__attribute__((section(".vectors"), used)) static void *const vectors[2] = {__top, (void *)_start};
