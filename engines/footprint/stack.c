/* Preloaded into a program: tells on standard error how many bytes of stack its main takes, with
   all that it calls. What lies below is painted before. */
#define _GNU_SOURCE
#include <alloca.h>
#include <dlfcn.h>
#include <stdio.h>

#define PAINTED (1024 * 1024)
#define PAINT 0xa7

typedef int entry(int, char **, char **);
typedef int start(entry *, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);

static entry *program;

static int painted(int count, char **arguments, char **environment)
{
    /* The lowest place of this frame: what is called begins below it. */
    volatile unsigned char *volatile place = alloca(16), *top = place;
    size_t i, deepest = 0;
    int result;
    for (i = 1; i <= PAINTED; i++)
        top[-(long)i] = PAINT;
    result = program(count, arguments, environment);
    for (i = 1; i <= PAINTED; i++)
        if (top[-(long)i] != PAINT)
            deepest = i;
    fprintf(stderr, "stack %zu\n", deepest);
    return result;
}

int __libc_start_main(entry *own, int count, char **arguments, void (*init)(void),
                      void (*fini)(void), void (*loader)(void), void *end)
{
    start *next = (start *)dlsym(RTLD_NEXT, "__libc_start_main");
    program = own;
    return next(painted, count, arguments, init, fini, loader, end);
}
