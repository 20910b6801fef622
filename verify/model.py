#!/usr/bin/env python3
"""The cycles that llvm-mca expects a program's timed instructions to take on a core of ARM64:
`verify/model.py CORE TRACE.SO PROGRAM…`, in the place of an emulator that counts (`verify/arm64.sh`).

QEMU runs the program and keeps what it executes between its readings of the clock (`trace.c`). The
model is of a core whose caches, branches and addresses are always right, and it takes a whole run as one
straight line: it compares, it proves nothing. Needs LLVM 19 or later; older ones have not all of these
cores. It says `cycles N` at the end.
"""

import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile

# Extensions that these cores have or may have, and that the models leave out.
EXTENSIONS = "+aes,+sha2,+sha3,+sm4"
# QEMU's name of a core, and ours of its features. Of those that QEMU does not have, `max` has all that any
# has, and the number by which libraries know the core.
CORES = {
    # As in small computers, without the instructions for AES and SHA-2.
    "cortex-a53": ("cortex-a53", "armv8"),
    "cortex-a72": ("cortex-a72", "armv8"),
    "neoverse-n1": ("neoverse-n1", "neoverse-n1"),
    "neoverse-n2": ("max,midr=0x410fd490", "neoverse-v1"),
    "neoverse-v1": ("max,midr=0x411fd401", "neoverse-v1"),
    "neoverse-v2": ("max,midr=0x410fd4f0", "neoverse-v1"),
}


def tool(name):
    """The newest of that name, which Debian puts beside each other."""
    newest = max(
        (int(found[1]) for entry in os.listdir("/usr/lib") if (found := re.fullmatch(r"llvm-(\d+)", entry))),
        default=0,
    )
    path = f"/usr/lib/llvm-{newest}/bin/{name}"
    path = path if os.path.exists(path) else shutil.which(name)
    return path or sys.exit(f"{name} is not installed")


def assembly(codes):
    """Each instruction's text. A call is a jump that writes the return address, a return a jump: the
    model would wait a hundred cycles for what is called, which is in the trace."""
    encoded = "\n".join(" ".join(f"{byte:#04x}" for byte in struct.pack("<I", code)) for code in codes)
    text = subprocess.run(
        [tool("llvm-mc"), "-disassemble", "-triple=aarch64", "-mattr=+all"],
        input=encoded, text=True, capture_output=True, check=True,
    )
    lines = [line for line in text.stdout.splitlines() if line.startswith("\t") and not line.startswith("\t.")]
    if text.stderr or len(lines) != len(codes):
        sys.exit(f"llvm-mc does not know an instruction: {text.stderr}")
    calls = {"bl": "adr\tx30, #0", "blr": "adr\tx30, #0", "ret": "br\tx30"}
    return {code: calls.get(line.split()[0], line) for code, line in zip(codes, lines)}


def cycles(core, trace):
    codes = [code for (code,) in struct.iter_unpack("<I", trace)]
    if not codes:
        sys.exit("nothing was timed")
    texts = assembly(list(dict.fromkeys(codes)))
    said = subprocess.run(
        [tool("llvm-mca"), "-mtriple=aarch64", f"-mcpu={core}", f"-mattr={EXTENSIONS}", "-iterations=1",
         # Atomic instructions, of which each call has a few at most.
         "-skip-unsupported-instructions=lack-sched",
         "-instruction-info=0", "-resource-pressure=0", "-"],
        input="\n".join(texts[code] for code in codes), text=True, capture_output=True,
    )
    found = re.search(r"Total Cycles: +(\d+)", said.stdout)
    return int(found[1]) if found else sys.exit(f"llvm-mca: {said.stderr.strip().splitlines()[-3:]}")


def main():
    if len(sys.argv) < 4:
        sys.exit("usage: verify/model.py CORE TRACE.SO PROGRAM…")
    core, plugin, *program = sys.argv[1:]
    if core not in CORES:
        sys.exit(f"CORE is one of {', '.join(CORES)}")
    emulated, features = CORES[core]
    with tempfile.TemporaryDirectory() as folder:
        kept = os.path.join(folder, "trace")
        emulator = ["qemu-aarch64", "-cpu", emulated, "-L", "/usr/aarch64-linux-gnu"]
        ran = subprocess.run(
            [*emulator, "-plugin", f"{plugin},to={kept}", *program],
            env=os.environ | {"ADAMANT_CPU": features},
        )
        if ran.returncode:
            sys.exit(ran.returncode)
        with open(kept, "rb") as file:
            print(f"cycles {cycles(core, file.read())}", file=sys.stderr)


main()
