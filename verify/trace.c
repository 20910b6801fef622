/* Keeps the instructions that a program executes between its last reading of the clock and the system call
   before: of an engine, what was timed. `qemu-aarch64 -plugin ./trace.so,to=FILE PROGRAM` writes them as they
   are encoded, four bytes each, the lowest first. QEMU's interface of plugins is declared here as far as it is
   used (version 1). */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct qemu_plugin_tb;
struct qemu_plugin_insn;
typedef uint64_t plugin_id;
enum { NO_REGISTERS = 0, CLOCK_GETTIME = 113 };
void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id, void (*)(plugin_id, struct qemu_plugin_tb *));
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *, void (*)(unsigned, void *), int, void *);
void qemu_plugin_register_vcpu_syscall_cb(plugin_id, void (*)(plugin_id, unsigned, int64_t, uint64_t, uint64_t,
    uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t));
void qemu_plugin_register_atexit_cb(plugin_id, void (*)(plugin_id, void *), void *);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *, size_t);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *);

int qemu_plugin_version = 1;

struct block {
    size_t len;
    uint32_t code[];
};
struct trace {
    size_t len, room;
    struct block **blocks;
};
static struct trace now, timed;
static const char *path;

static void executed(unsigned cpu, void *block)
{
    (void)cpu;
    if (now.len == now.room) {
        now.room = now.room ? 2 * now.room : 1 << 16;
        now.blocks = realloc(now.blocks, now.room * sizeof *now.blocks);
        if (!now.blocks)
            abort();
    }
    now.blocks[now.len++] = block;
}

static void translated(plugin_id id, struct qemu_plugin_tb *tb)
{
    size_t len = qemu_plugin_tb_n_insns(tb);
    struct block *block = malloc(sizeof *block + len * sizeof *block->code);
    (void)id;
    if (!block)
        abort();
    block->len = len;
    for (size_t i = 0; i < len; i++)
        memcpy(&block->code[i], qemu_plugin_insn_data(qemu_plugin_tb_get_insn(tb, i)), 4);
    qemu_plugin_register_vcpu_tb_exec_cb(tb, executed, NO_REGISTERS, block);
}

static void called(plugin_id id, unsigned cpu, int64_t number, uint64_t a, uint64_t b, uint64_t c, uint64_t d,
    uint64_t e, uint64_t f, uint64_t g, uint64_t h)
{
    (void)id, (void)cpu, (void)a, (void)b, (void)c, (void)d, (void)e, (void)f, (void)g, (void)h;
    if (number == CLOCK_GETTIME) {
        struct trace last = timed;
        timed = now;
        now = last;
    }
    now.len = 0;
}

static void ended(plugin_id id, void *unused)
{
    FILE *file = fopen(path, "wb");
    (void)id, (void)unused;
    if (!file)
        abort();
    for (size_t i = 0; i < timed.len; i++)
        fwrite(timed.blocks[i]->code, 4, timed.blocks[i]->len, file);
    if (fclose(file))
        abort();
}

int qemu_plugin_install(plugin_id id, const void *info, int argc, char **argv)
{
    (void)info;
    if (argc != 1 || strncmp(argv[0], "to=", 3))
        return 1;
    path = argv[0] + 3;
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_vcpu_syscall_cb(id, called);
    qemu_plugin_register_atexit_cb(id, ended, NULL);
    return 0;
}
