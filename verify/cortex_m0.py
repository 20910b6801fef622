#!/usr/bin/env python3
"""Counts the cycles that BearSSL's implementations and ours take on a Cortex-M0+ for the operations of
BearSSL's document, in QEMU's emulator of boards, and prints a table in Markdown:
`verify/cortex_m0.py BEARSSL [PATTERN…]`, where BEARSSL is a folder with its sources and patterns are of
operations; with `--rows`, other implementations of ours too. `cortex_m0.c` says what a cycle is here.
With `--sizes` it is instead the bytes of code and constants that the small programs of `docs/weight.md` add
to one that does nothing, on this core and a Cortex-M4, and of memory that they write to beyond what that one
does (`memory.c`).

Needs Debian's qemu-system-arm, gcc-arm-none-eabi and libnewlib-arm-none-eabi, openssl for a key, and
rustup's targets thumbv6m-none-eabi and, for sizes, thumbv7em-none-eabihf.
"""

import argparse
import fnmatch
import os
import re
import struct
import subprocess

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
PROGRAMS = os.path.join(ROOT, "engines/footprint")
BUILT = os.path.join(ROOT, "target/cortex-m0")
TARGET = "thumbv6m-none-eabi"
FAMILIES = ["sha1", "des", "chacha20-poly1305", "ecdsa", "curve25519", "rsa"]
CPU = ["-mthumb", "-mcpu=cortex-m0plus"]
SCRIPT = os.path.join(PROGRAMS, "cortex-m.ld")
# The document's long message.
LENGTH = 8192

# Operations: BearSSL's constant-time implementations of each, and ours beside the one that is chosen.
AES = {f"aes-{bits}-{mode}": (["ct", "ct64"], [])
       for bits in [128, 256] for mode in ["cbc/encrypt", "cbc/decrypt", "ctr"]}
LONG = {
    **{hash: ([""], []) for hash in ["md5", "sha1", "sha256", "sha512"]},
    **AES,
    **{f"3des-cbc/{way}": (["ct"], ["arm_thumb", "portable"]) for way in ["encrypt", "decrypt"]},
    "chacha20": ([""], ["arm_thumb", "portable"]),
    "ghash": (["ctmul", "ctmul32", "ctmul64"], ["portable16", "portable32", "portable64"]),
    "poly1305": (["ctmul", "ctmul32", "i15"], ["portable16", "portable32"]),
}
WORDS = ["portable16", "portable32"]
SINGLE = {
    **{p256: (["prime_i15", "prime_i31", "p256_m15", "p256_m31"], WORDS) for p256 in ["p256", "p256/base"]},
    **{curve: (["prime_i15", "prime_i31"], WORDS) for curve in ["p384", "p521"]},
    "x25519": (["c25519_i15", "c25519_i31", "c25519_m15", "c25519_m31"], WORDS),
    **{f"rsa-2048/{half}": (["i15", "i31", "i32"], WORDS) for half in ["public", "private"]},
}

# The small programs that BearSSL has too, and the families that ours need.
# Of BearSSL's, on each of its integers, the smallest counts.
INTEGERS = [[], ["-Dbr_ec_c25519_m31=br_ec_c25519_i31"],
            ["-Dbr_ec_c25519_m31=br_ec_c25519_i15", "-Dbr_ec_prime_i31=br_ec_prime_i15",
             "-Dbr_ecdsa_i31_vrfy_raw=br_ecdsa_i15_vrfy_raw", "-Dbr_ecdsa_i31_vrfy_asn1=br_ecdsa_i15_vrfy_asn1",
             "-Dbr_ecdsa_i31_sign_raw=br_ecdsa_i15_sign_raw", "-Dbr_rsa_i31_pkcs1_vrfy=br_rsa_i15_pkcs1_vrfy",
             "-Dbr_poly1305_ctmul_run=br_poly1305_ctmul32_run"],
            ["-Dbr_rsa_i31_pkcs1_vrfy=br_rsa_i32_pkcs1_vrfy", "-Dbr_poly1305_ctmul_run=br_poly1305_i15_run"]]
SMALL = {"sha256": ["sha2"], "hmac_drbg": ["sha2"], "aes_gcm": ["aes-gcm"],
         "chacha20_poly1305": ["chacha20-poly1305"], "x25519": ["x25519"], "ecdsa_p256": ["ecdsa"],
         "ecdsa_sign": ["ecdsa"], "rsa_verify": ["rsa"], "certificate": ["ecdsa", "x509"], "ed25519": ["ed25519"]}
CORES = [
    ("Cortex-M0+", CPU, TARGET, "mps2-an385"),
    ("Cortex-M4", ["-mthumb", "-mcpu=cortex-m4", "-mfloat-abi=hard", "-mfpu=fpv4-sp-d16"],
     "thumbv7em-none-eabihf", "mps2-an386"),
]


def run(*command, **options):
    return subprocess.run(command, check=True, **options)


def library(bearssl, folder, cpu):
    """BearSSL's, and the flags for programs that use it."""
    flags = ["-W", "-Wall", "-Os", *cpu]
    run("make", "-s", "-C", bearssl, f"BUILD={folder}", f"OBJDIR={folder}/objects", "CC=arm-none-eabi-gcc",
        "AR=arm-none-eabi-ar", f"CFLAGS={' '.join(flags)}", "lib")
    return [*flags, "--specs=rdimon.specs", "-I", os.path.join(bearssl, "inc")]


def compiled(flags, folder, name):
    """A program in C, on the library in the folder."""
    program = os.path.join(folder, name)
    run("arm-none-eabi-gcc", *flags, "-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections",
        *(os.path.join(PROGRAMS, f"bearssl/{file}.c") for file in ["vectors", name]), "-T", SCRIPT,
        "-Wl,--defsym=__base=0,-e,_start", os.path.join(folder, "libbearssl.a"), "-o", program)
    return program


def cargo(profile, features, target, name):
    """A program of ours."""
    run("cargo", "build", "-q", "--locked", "--profile", profile, "--no-default-features", "--features",
        ",".join(features), "--target", target, "--bin", name, "--target-dir", BUILT, "--manifest-path",
        os.path.join(PROGRAMS, "Cargo.toml"),
        env={**os.environ, "CARGO_PROFILE_SMALL_STRIP": "none",
             "CARGO_ENCODED_RUSTFLAGS": f"-Clink-arg=-T{SCRIPT}\x1f-Clink-arg=--defsym=__base=0"})
    return os.path.join(BUILT, target, profile, name)


def plugin(name):
    """Of the emulator."""
    os.makedirs(BUILT, exist_ok=True)
    file = os.path.join(BUILT, f"{name}.so")
    run("cc", "-O2", "-shared", "-fPIC", "-o", file, os.path.join(ROOT, f"verify/{name}.c"))
    return file


def board(machine, plugin, program, input):
    """What the program writes, and what the plugin says."""
    emulator = ["qemu-system-arm", "-machine", machine, "-display", "none", "-serial", "none", "-monitor", "none",
                "-semihosting-config", "enable=on,target=native", "-plugin", plugin, "-d", "plugin", "-kernel", program]
    return subprocess.run(emulator, capture_output=True, input=input)


def built(bearssl, rows):
    """The two programs, and the emulator's plugin."""
    counter = plugin("cortex_m0")
    theirs = compiled(library(bearssl, BUILT, CPU), BUILT, "board")
    features = [f"facade/{family}" for family in FAMILIES + (["lab"] if rows else [])]
    return cargo("release", features, TARGET, "board"), theirs, counter


def symbols(program):
    """Names, with addresses and sizes where they have some."""
    lines = run("arm-none-eabi-nm", "-S", program, capture_output=True, text=True).stdout.splitlines()
    words = [line.split() for line in lines]
    return {word[-1]: (int(word[0], 16), int(word[1], 16) if len(word) == 4 else 0) for word in words if len(word) > 2}


def sections(program):
    """Bytes of code and constants, of variables with values, and of those without."""
    return list(map(int, run("arm-none-eabi-size", program, capture_output=True, text=True).stdout.split()[6:9]))


def size(program):
    """Bytes of code and constants, without what copies, clears and compares memory, which comes with the
    language."""
    text, data, _ = sections(program)
    of_language = r"(__aeabi_)?mem(cpy|move|clr|set|cmp)\w*$|.*compiler_builtins3mem"
    return text + data - sum(dict(place for name, place in symbols(program).items()
                                  if re.match(of_language, name)).values())


def memory(program, machine, watcher, known):
    """Bytes that the program writes to: variables, heap and stack."""
    places = symbols(program)
    heap = next((place for name, place in places.items() if "HEAP_PLACES" in name), (0, 0))
    watched = f"{watcher},end={places['end'][0]},heap={heap[0]}"
    done = board(machine, watched, program, known[0])
    if done.returncode or done.stdout != known[1]:
        raise SystemExit(f"{program}: wrong")
    stack, used = re.findall(rb"^stack (\d+) heap (\d+)", done.stderr, re.M)[-1]
    return sum(sections(program)[1:]) - heap[1] + int(stack) + int(used)


def expected(name):
    """What the program reads and must write."""
    told = run("cargo", "run", "-q", "--locked", "-p", "adamant-bench", "--example", "small_programs", "--", name,
               cwd=ROOT, capture_output=True, text=True).stdout
    return list(map(bytes.fromhex, told.split()))


def sizes(bearssl, patterns):
    watcher = plugin("memory")
    print("| program | core | BearSSL's | ours | its / ours | memory: BearSSL's | ours |\n"
          "|---|---|---:|---:|---:|---:|---:|")
    for core, cpu, target, machine in CORES:
        folder = os.path.join(BUILT, core)
        flags = library(bearssl, folder, cpu)
        nothing = [(size(program), memory(program, machine, watcher, expected("nothing"))) for program in (
            compiled(flags, folder, "nothing"), cargo("small", [], target, "nothing"))]

        def beyond(which, program, known):
            return size(program) - nothing[which][0], memory(program, machine, watcher, known) - nothing[which][1]

        for name, families in SMALL.items():
            if not any(fnmatch.fnmatch(name, pattern) for pattern in patterns):
                continue
            known = expected(name)
            features = ["small", *(f"facade/{family}" for family in families)]
            ours = beyond(1, cargo("small", features, target, name), known)
            # It has no Ed25519.
            if not os.path.exists(os.path.join(PROGRAMS, f"bearssl/{name}.c")):
                print(f"| {name} | {core} | – | {ours[0]} | – | – | {ours[1]} |", flush=True)
                continue
            theirs = min(beyond(0, compiled([*flags, *more], folder, name), known) for more in INTEGERS)
            print(f"| {name} | {core} | {theirs[0]} | {ours[0]} | {theirs[0] / ours[0]:.2f} | {theirs[1]} | {ours[1]} |",
                  flush=True)


def key():
    """Of RSA, in PKCS #1 form."""
    text = run("openssl", "genrsa", "-traditional", "2048", capture_output=True).stdout
    return run("openssl", "rsa", "-traditional", "-outform", "DER", input=text, capture_output=True).stdout


def executed(program, plugin, operation, row, times, secret):
    """The cycles, and the sum of what was made; `None` where the program has no such implementation."""
    words = struct.pack("<24s16sI", operation.encode(), row.encode(), times)
    done = board("mps2-an385", plugin, program,
                 words + struct.pack(">H", len(secret)) + secret.ljust(1400, b"\0"))
    if done.returncode:
        return None
    cycles = [int(line.split()[1]) for line in done.stderr.splitlines() if line.startswith(b"cycles ")]
    return cycles[-1], done.stdout


def of_one(program, plugin, operation, row, secret):
    """Cycles of one call, or of one byte, and the sum after the first."""
    once, twice = (executed(program, plugin, operation, row, times, secret) for times in [1, 2])
    if not once or not twice:
        return None
    cycles = twice[0] - once[0]
    return cycles / LENGTH if operation in LONG else cycles, once[1]


def told(cycles):
    return f"{cycles:.1f}" if cycles < 100_000 else f"{cycles / 1e6:.3f} M"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("bearssl")
    parser.add_argument("patterns", nargs="*", default=["*"])
    parser.add_argument("--rows", action="store_true")
    parser.add_argument("--sizes", action="store_true")
    arguments = parser.parse_intermixed_args()
    bearssl = os.path.abspath(arguments.bearssl)
    if arguments.sizes:
        return sizes(bearssl, arguments.patterns)
    ours, theirs, plugin = built(bearssl, arguments.rows)
    secret = key()
    print("| operation | BearSSL's | adamant's | its least / ours |\n|---|---|---|---:|")
    for operation, (names, rows) in {**LONG, **SINGLE}.items():
        if not any(fnmatch.fnmatch(operation, pattern) for pattern in arguments.patterns):
            continue
        of_theirs = {name: of_one(theirs, plugin, operation, name, secret) for name in names}
        chosen = of_one(ours, plugin, operation, "", secret)
        of_ours = {name: of_one(ours, plugin, operation, name, secret) for name in arguments.rows * rows}
        sums = {made[1] for made in [*of_theirs.values(), chosen, *of_ours.values()] if made}
        # Each makes its key of Poly1305, and its scalars, in its own way.
        if operation in LONG and operation != "poly1305" and len(sums) > 1:
            raise SystemExit(f"{operation}: outputs differ")
        least = min(made[0] for made in of_theirs.values() if made)

        def cell(made):
            return ", ".join(" ".join([name, told(value[0])]).strip() for name, value in made.items() if value)

        print(f"| {operation} | {cell(of_theirs)} | {cell({'': chosen, **of_ours})} | {least / chosen[0]:.2f} |",
              flush=True)


if __name__ == "__main__":
    main()
