/* Tells how much memory a program without an operating system writes to, in QEMU's emulator of boards:
   `qemu-system-arm -plugin ./memory.so,end=N,heap=N -d plugin …` says `stack N heap N` at its end, in bytes. All from
   `end` upwards is stack, of which in each four megabytes the lowest and the highest address count, for C's start
   may move it; the heap is the megabyte from `heap` on, of which the highest counts. QEMU's interface of plugins
   is declared here as far as it is used (version 1). */
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct qemu_plugin_tb;
struct qemu_plugin_insn;
typedef uint64_t plugin_id;
enum { NO_REGISTERS = 0, WRITES = 2 };
void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id, void (*)(plugin_id, struct qemu_plugin_tb *));
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *, size_t);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *, void (*)(unsigned, uint32_t, uint64_t, void *), int,
                                      int, void *);
unsigned qemu_plugin_mem_size_shift(uint32_t);
void qemu_plugin_register_atexit_cb(plugin_id, void (*)(plugin_id, void *), void *);
void qemu_plugin_outs(const char *);

int qemu_plugin_version = 1;
/* Devices lie above. */
static const uint64_t top = 0x40000000;
static uint64_t end, heap, used;
static struct { uint64_t lowest, highest; } parts[0x40000000 >> 22];

static void written(unsigned cpu, uint32_t info, uint64_t address, void *unused)
{
    uint64_t after = address + (1u << qemu_plugin_mem_size_shift(info));
    (void)cpu, (void)unused;
    if (address >= end && after <= top) {
        size_t part = address >> 22;
        if (!parts[part].highest || address < parts[part].lowest)
            parts[part].lowest = address;
        if (after > parts[part].highest)
            parts[part].highest = after;
    } else if (heap && address >= heap && after - heap <= 1 << 20 && after - heap > used) {
        used = after - heap;
    }
}

static void translated(plugin_id id, struct qemu_plugin_tb *tb)
{
    (void)id;
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++)
        qemu_plugin_register_vcpu_mem_cb(qemu_plugin_tb_get_insn(tb, i), written, NO_REGISTERS, WRITES, NULL);
}

static void ended(plugin_id id, void *unused)
{
    char text[64];
    uint64_t stack = 0;
    (void)id, (void)unused;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        stack += parts[i].highest - parts[i].lowest;
    snprintf(text, sizeof text, "stack %" PRIu64 " heap %" PRIu64 "\n", stack, used);
    qemu_plugin_outs(text);
}

int qemu_plugin_install(plugin_id id, const void *info, int argc, char **argv)
{
    (void)info;
    for (int i = 0; i < argc; i++) {
        if (!strncmp(argv[i], "end=", 4))
            end = strtoull(argv[i] + 4, NULL, 0);
        if (!strncmp(argv[i], "heap=", 5))
            heap = strtoull(argv[i] + 5, NULL, 0);
    }
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_atexit_cb(id, ended, NULL);
    return 0;
}
