/* Counts the cycles that a Cortex-M0+ would take for what a program executes in QEMU's emulator of
   boards: `qemu-system-arm -plugin ./cortex_m0.so -d plugin …` says `cycles N` at its end. They are those of
   Arm's Technical Reference Manual of that core, r0p1, table 3-1: one for an instruction, but two to load
   or store, one for each register and one more to do so with several, two to branch, three to call, two
   more to return by the stack. A multiplication takes one, as where the core has the fast multiplier.
   Memory never keeps it waiting. QEMU's interface of plugins is declared here as far as it is used
   (version 1). */
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct qemu_plugin_tb;
struct qemu_plugin_insn;
typedef uint64_t plugin_id;
enum { NO_REGISTERS = 0 };
void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id, void (*)(plugin_id, struct qemu_plugin_tb *));
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *, void (*)(unsigned, void *), int, void *);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *, size_t);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *);
void qemu_plugin_register_atexit_cb(plugin_id, void (*)(plugin_id, void *), void *);
void qemu_plugin_outs(const char *);

int qemu_plugin_version = 1;
static uint64_t cycles;

/* Instructions without a jump between them: where they are and what is behind them, the cycles where the
   last does not branch, and whether it decides. */
struct block {
    uint64_t start, end;
    uint32_t cycles;
    int decides;
};
static const struct block *last;

static unsigned registers(unsigned code) { return __builtin_popcount(code & 0xff); }
static int is(unsigned code, unsigned mask, unsigned value) { return (code & mask) == value; }

/* The first half of an instruction, and whether it has a second one. */
static unsigned cost(unsigned code, int is_long)
{
    if (is_long)
        return 3; /* BL, and what speaks to the system */
    if (is(code, 0xff00, 0x4700) || is(code, 0xf800, 0xe000) || is(code, 0xfd87, 0x4487))
        return 2; /* BX, BLX, B; ADD and MOV to the program counter */
    if (is(code, 0xf800, 0x4800) || is(code, 0xf000, 0x5000) || is(code, 0xe000, 0x6000) ||
        is(code, 0xe000, 0x8000))
        return 2; /* LDR, STR */
    if (is(code, 0xf000, 0xc000))
        return 1 + registers(code); /* LDM, STM */
    if (is(code, 0xfe00, 0xb400))
        return 1 + registers(code) + (code >> 8 & 1); /* PUSH */
    if (is(code, 0xfe00, 0xbc00))
        return 1 + registers(code) + (code >> 8 & 1) * 3; /* POP */
    return 1;
}

static void executed(unsigned cpu, void *data)
{
    const struct block *block = data;
    (void)cpu;
    cycles += block->cycles + (last && last->decides && block->start != last->end);
    last = block;
}

static void translated(plugin_id id, struct qemu_plugin_tb *tb)
{
    struct block *block = calloc(1, sizeof *block);
    size_t count = qemu_plugin_tb_n_insns(tb);
    (void)id;
    if (!block)
        abort();
    block->start = qemu_plugin_insn_vaddr(qemu_plugin_tb_get_insn(tb, 0));
    for (size_t i = 0; i < count; i++) {
        const struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
        const uint8_t *bytes = qemu_plugin_insn_data(insn);
        unsigned code = bytes[0] | bytes[1] << 8;
        block->cycles += cost(code, qemu_plugin_insn_size(insn) == 4);
        block->end = qemu_plugin_insn_vaddr(insn) + qemu_plugin_insn_size(insn);
        block->decides = is(code, 0xf000, 0xd000) && !is(code, 0x0e00, 0x0e00);
    }
    qemu_plugin_register_vcpu_tb_exec_cb(tb, executed, NO_REGISTERS, block);
}

static void ended(plugin_id id, void *unused)
{
    char text[64];
    (void)id, (void)unused;
    snprintf(text, sizeof text, "cycles %" PRIu64 "\n", cycles);
    qemu_plugin_outs(text);
}

int qemu_plugin_install(plugin_id id, const void *info, int argc, char **argv)
{
    (void)info, (void)argc, (void)argv;
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_atexit_cb(id, ended, NULL);
    return 0;
}
