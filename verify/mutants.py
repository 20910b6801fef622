#!/usr/bin/env python3
"""Tests the tests on mutants: of kernels (crates/cipher, crates/hash), and of rules and arithmetic
(x509, rsa, der, bignum, pq, ec, and with --rules the modes and AEADs of cipher).

    verify/mutants.py cipher --seed 1 --count 200 --out table.md
    verify/mutants.py cipher --rules --whole --together
    verify/mutants.py x509 --whole --only path/ --explained verify/mutants.md

`places.py` says what can be changed in a crate: of kernels comparisons, bounds of ranges and numbers
of steps; of rules also what decides. A seed takes some of it, or --whole all. Every mutant of a kernel
has to fail the generators (tests in `boundaries`) of what its folder holds; every one of rules, one of
the crate's tests, of which those are run that come to it, the quickest first.

Most mutants are in one build, each behind a number that the environment variable MUTANT chooses
when the test starts. Those in constants and patterns, which are compiled in, take a build each, or
are left out with --together. The work is done on a copy in a temporary folder, or in that of --work,
which stays and makes the next build short; nothing is written to the tree. A mutant that the
compiler refuses in a build of its own (a constant that proves itself) or that does not end counts as
found; one of rules that it refuses does not count.

Ends with 1 where a mutant survives whose survival the file of --explained does not have.
"""

import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
from places import places

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# Code of rules and of arithmetic: the files, the programs of the tests, and an expression of the tests'
# names.
RULES = {
    "x509": (r"(path|certificate|crl|ocsp|csr|extensions|name|signed|keys|pbes2|pkcs12|algorithm|"
             r"element|serial)(/|\.rs)",
             ["--lib", "--test=suites"], ""),
    "rsa": (r"(oaep|pss|pkcs1|encoding|mgf|decrypt)\.rs", ["--lib"], ""),
    "der": (r"", ["--lib", "--test=suites", "--test=heap"], ""),
    "bignum": (r"", ["--lib"], ""),
    "pq": (r"", ["--lib", "--test=suites"], ""),
    "ec": (r"", ["--lib"], ""),
    # What kernels are called by: modes, AEADs and MACs.
    "cipher": (r"(aead|hazmat/lengths|(modes|stream)/(?!tests)\w+|(sm4/gcm|chacha20|poly1305)/mod"
               r"|(ccm|chacha20_poly1305|cmac|eax|gcm|gcm_siv|gmac|key_wrap)/(mod|compose))\.rs", ["--lib"], ""),
}

# What runs for a mutant: words of test names, by folder; else all generators of the crate.
FILTERS = {
    "cipher": {
        "aes/lanes": ["batch", "aes::lanes::tests"],
        "aes": ["block::aes", "stream::ctr", "gcm::aes", "aead::gcm_siv", "stream::xts", "stream::feedback"],
        "ghash": ["mac::sums", "mac::gmac", "gcm::", "aead::gcm_siv"],
        "gcm": ["gcm::aes", "gcm::nonces", "gcm::sm4", "hazmat::tests::other_lengths",
                "gcm::tests::limits"],
        "gcm_siv": ["aead::gcm_siv"],
        "sm4/gcm": ["gcm::sm4"],
        "sm4": ["block::sm4", "gcm::sm4"],
        "des": ["block::single_des", "block::triple_des", "mac::triple_des"],
        "poly1305": ["mac::one_time", "aead::chacha20"],
        "chacha20": ["stream::chacha20", "aead::chacha20", "aead::xchacha20"],
        "chacha20_poly1305": ["aead::chacha20", "aead::xchacha20"],
        "ccm": ["aead::aes_ccm", "ccm::tests::lengths"],
        "eax": ["aead::aes_eax"],
        "cmac": ["mac::aes_cmac", "mac::triple_des"],
        "gmac": ["mac::gmac", "stream::gcm_message"],
        "modes": ["stream::ctr", "stream::feedback", "stream::padding", "stream::xts", "batch",
                  "aes::lanes::tests", "modes::tests::xts_lengths", "modes::tests::xts_units",
                  "modes::tests::lengths_are_checked"],
        "key_wrap": ["stream::wrap"],
        "stream": ["stream::gcm_message", "stream::chacha_message", "stream::tests", "stream::message::tests"],
        "loops.rs": ["block::"],
    },
    "hash": {
        "argon2": ["kdf::argon2", "argon2::tests::bad"],
        "blake2": ["blake::", "kdf::argon2"],
        "blake2b": ["blake::of_blake2b", "kdf::argon2"],
        "blake2s": ["blake::of_blake2s"],
        "blake3": ["boundaries::blake3"],
        "hmac": ["under_hmac", "tags"],
        "hmac_drbg": ["kdf::nonces"],
        "keccak": ["boundaries::keccak", "keccak::lanes"],
        "kmac": ["boundaries::keccak"],
        "lanes": ["merkle_damgard::", "lanes::tests", "blake::", "boundaries::blake3", "chains"],
        "md5": ["md5"],
        "merkle_damgard.rs": ["merkle_damgard::"],
        "pbkdf2": ["kdf::pbkdf2", "pbkdf2::sha256", "pbkdf2::tests::batches"],
        "scrypt": ["kdf::scrypt", "kdf::mixing", "scrypt::tests::bad"],
        "sha1": ["sha1"],
        "sha256": ["sha224", "sha256"],
        "sha3": ["boundaries::keccak"],
        "sha512": ["sha384", "sha512"],
        "siphash": ["kdf::siphashes"],
        "sm3": ["sm3"],
        "sp800_108": ["kdf::", "sp800_108::tests"],
        "word64": ["sha512::alone", "of_blake2b::alone"],
    },
}

# Besides modules of tests: checks of implementations from elsewhere, which are tests too, and files that
# are compiled on ARM64 alone.
LEFT_OUT = re.compile(r"(^|/)(own\.rs|lib\.rs|arm_|\w*neon)")
# Of kernels also folders without generators, and files that are none.
NO_KERNELS = re.compile(r"(^|/)(tab|hazmat\.rs|aead\.rs)")
# A module that is compiled for tests alone.
OF_TESTS = re.compile(r"#\[cfg\((?:all\()?test\b[^\n]*\n(?:#\[[^\n]*\n)*(?:pub(?:\([^)]*\))? )?mod (\w+);")

REFUSED = "does not compile"

# A row of the table: file, line, old, new, result.
ROW = re.compile(r"^\| `([^`]+):(\d+)` \| `([^`]+)` → `([^`]+)` \| (.*?) \|$", re.M)
# One of a table of explanations: file, the line's text, which stays where its number moves, old, new.
EXPLAINED = re.compile(r"^\| `([^`:]+)` \| `([^`]+)` \| `([^`]+)` → `([^`]+)` \| .+ \|$", re.M)

MUTANT = '''//! Which mutant is on.
#![allow(dead_code)]

extern crate std;

use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

pub(crate) fn on(number: u32) -> bool {
    static CHOSEN: LazyLock<u32> = LazyLock::new(|| {
        let chosen = std::env::var("MUTANT").unwrap_or_default();
        chosen.parse().unwrap_or(u32::MAX)
    });
    static FILE: LazyLock<Option<std::ffi::OsString>> = LazyLock::new(|| std::env::var_os("MUTANTS_REACHED"));
    static REACHED: [AtomicBool; 1 << 16] = [const { AtomicBool::new(false) }; 1 << 16];
    if let Some(file) = &*FILE
        && !REACHED[number as usize].load(Relaxed)
        && !REACHED[number as usize].swap(true, Relaxed)
    {
        let mut file = std::fs::OpenOptions::new().append(true).open(file).unwrap();
        std::io::Write::write_all(&mut file, std::format!("{number}\\n").as_bytes()).unwrap();
    }
    *CHOSEN == number
}

pub(crate) fn pick<T>(number: u32, old: T, new: T) -> T {
    if on(number) { new } else { old }
}
'''


def rows(name):
    """The mutants in the tables of a file, with what became of each."""
    text = open(name, encoding="utf-8").read() if name else ""
    found = ((path, int(line), plain(old), plain(new), result) for path, line, old, new, result in ROW.findall(text))
    return {(*row,): result for *row, result in found}


def explanations(name):
    """The survivors that a file explains, by their lines' texts."""
    text = open(name, encoding="utf-8").read() if name else ""
    return {(path, *map(plain, rest)) for path, *rest in EXPLAINED.findall(text)}


def plain(text):
    return text.replace("\\|", "|")


def escaped(text):
    return text.replace("|", "\\|")


def files(crate, rules):
    """The files that are changed."""
    top = os.path.join(ROOT, "crates", crate, "src")
    found, tests = [], []
    for folder, _, names in sorted(os.walk(top)):
        for name in sorted(names):
            module, extension = os.path.splitext(os.path.relpath(os.path.join(folder, name), top))
            if extension != ".rs":
                continue
            found.append(module + extension)
            within = os.path.dirname(module) if name in ("lib.rs", "mod.rs") else module
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                tests += (os.path.join(within, test) for test in OF_TESTS.findall(file.read()))
    tests = tuple(test + end for test in tests for end in ("/", ".rs"))
    for path in found:
        changed = re.match(RULES[crate][0], path) if rules else not NO_KERNELS.search(path)
        if changed and not LEFT_OUT.search(path) and not path.startswith(tests):
            yield path


def filters(crate, path):
    table = FILTERS[crate]
    for prefix in sorted(table, key=len, reverse=True):
        if path == prefix or path.startswith(prefix + "/") or path == prefix + ".rs":
            return table[prefix]
    return ["boundaries"]


class Copy:
    """The copy of the tree, and what is changed in it."""

    def __init__(self, folder, crate, sources, features=""):
        self.crate, self.top, self.sources, self.features = crate, folder, sources, features
        self.folder = os.path.join(folder, "crates", crate)
        listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, text=True,
                                capture_output=True, check=True).stdout.split("\n")
        # What is changed comes with the changes.
        later = {os.path.join("crates", crate, "src", path) for path in [*sources, "lib.rs"]}
        for name in listed:
            if name not in later and os.path.isfile(os.path.join(ROOT, name)):
                self.write(os.path.join(folder, name), open(os.path.join(ROOT, name), "rb").read())
        self.write(self.source("mutant.rs"), MUTANT.encode())
        lib = open(os.path.join(ROOT, "crates", crate, "src", "lib.rs")).read()
        self.write(self.source("lib.rs"), (lib + "\nmod mutant;\n").encode())

    @staticmethod
    def write(name, octets):
        """Only what is new, so that no more is built than has to be."""
        if os.path.isfile(name) and open(name, "rb").read() == octets:
            return
        os.makedirs(os.path.dirname(name), exist_ok=True)
        open(name, "wb").write(octets)

    def source(self, path):
        return os.path.join(self.folder, "src", path)

    def put(self, chosen):
        """Writes all files, with these numbered places, each behind its number; gives where each
        then is."""
        spans = {}
        for path, source in self.sources.items():
            # What is around another comes before it, and ends after it.
            marks = []
            for number, place in chosen:
                if place.path != path:
                    continue
                size = place.end - place.start
                marks.append(((place.start, 1, -size, number), place.before, number))
                marks.append(((place.end, 0 if size else 2, size, -number), place.after, number))
            text, at = "", 0
            for (offset, *_), mark, number in sorted(marks):
                text += source[at:offset]
                at = offset
                start, _ = spans.get(number, (len(text), None))
                text += mark.replace("%d", str(number))
                spans[number] = (start, len(text))
            self.write(self.source(path), (text + source[at:]).encode())
        return spans

    def put_alone(self, place):
        self.put([])
        source = self.sources[place.path]
        text = source[: place.start] + place.text + source[place.end :]
        self.write(self.source(place.path), text.encode())

    def build(self):
        """The test programs, or where the compiler found faults, and what it said."""
        programs = RULES[self.crate][1] if self.crate in RULES else ["--lib"]
        command = ["cargo", "test", "--offline", "-p", f"adamant-{self.crate}", *programs, "--no-run",
                   "--features", self.features, "--message-format", "json"]
        # Never where the tree's own builds are: cargo would take the one for the other.
        env = dict(os.environ, CARGO_TARGET_DIR=os.path.join(self.top, "target"))
        result = subprocess.run(command, cwd=self.top, env=env, text=True, capture_output=True,
                                preexec_fn=lambda: os.nice(10))
        built, wrong, said = [], [], ""
        for line in result.stdout.splitlines():
            message = json.loads(line)
            if message["reason"] == "compiler-artifact" and message.get("executable"):
                built.append(message["executable"])
            elif message["reason"] == "compiler-message" and message["message"]["level"] == "error":
                said += message["message"]["rendered"]
                spans = sorted(message["message"]["spans"], key=lambda span: not span["is_primary"])
                wrong.append([(span["file_name"], span["byte_start"]) for span in spans])
        return [] if result.returncode else built, wrong, said + result.stderr

    def refused(self, wrong, spans, chosen):
        """The numbers of the innermost places in which the compiler found faults."""
        found, octets = set(), {}
        paths = {number: place.path for number, place in chosen}
        for faults in wrong:
            for name, at in faults:
                path = name.split(f"crates/{self.crate}/src/")[-1]
                if path not in octets:
                    file = self.source(path)
                    octets[path] = open(file, "rb").read() if os.path.isfile(file) else b""
                at = len(octets[path][:at].decode(errors="ignore"))
                around = [(end - start, number) for number, (start, end) in spans.items()
                          if paths[number] == path and start <= at < end]
                if around:
                    found.add(min(around)[1])
                    break
        return found


def run(program, options, folder, number, limit, **variables):
    """Whether the tests fail, and how: stops at the first failure."""
    env = dict(os.environ, MUTANT=str(number), RUST_BACKTRACE="0", **variables)
    started = time.monotonic()
    process = subprocess.Popen(
        [program, *options], cwd=folder, env=env, text=True, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, preexec_fn=lambda: os.nice(10),
    )
    watch = threading.Timer(limit, process.kill)
    watch.start()
    failed, ran = None, 0
    for line in process.stdout:
        if line.startswith("test ") and line.rstrip().endswith("FAILED"):
            failed = line.split()[1]
            process.kill()
            break
        ran += line.startswith("test ") and line.rstrip().endswith("ok")
    process.wait()
    watch.cancel()
    if failed is None and process.returncode != 0:
        ended = time.monotonic() - started >= limit
        failed = "does not end" if ended else f"exit status {process.returncode}"
    return failed, ran


def apart(numbered):
    """Those that run and lie within or beside each other, and others."""
    taken, alone, around = [], [], []
    for entry in sorted(numbered, key=lambda one: (one[1].path, one[1].start, -one[1].end)):
        place = entry[1]
        while around and (around[-1].path, around[-1].end) <= (place.path, place.start):
            around.pop()
        if not place.runs or around and around[-1].path == place.path and around[-1].end < place.end:
            alone.append(entry)
            continue
        taken.append(entry)
        around.append(place)
    return sorted(taken, key=lambda one: one[0]), alone


class Generators:
    """The judges of kernels: the tests whose names have the words of the folder."""

    def __init__(self, program, copy, limit):
        self.program, self.copy, self.limit = program, copy, limit

    def judge(self, number, place, limit=None):
        words = filters(self.copy.crate, place.path)
        options = [*words, "--skip", "exhaustive", "--test-threads", "2"]
        failed, ran = run(self.program, options, self.copy.folder, number, limit or self.limit)
        return failed or ("SURVIVES" if ran else "no test")

    def check(self, chosen):
        """Without a mutant everything passes, and the generators are there."""
        for place in {tuple(filters(self.copy.crate, place.path)): place for _, place in chosen}.values():
            result = self.judge("none", place, 10 * self.limit)
            if result != "SURVIVES":
                sys.exit(f"without a mutant: {result} ({place.path})")


class Tests:
    """The judges of rules: the tests of a crate that come to a place, the likeliest and quickest
    first."""

    QUICK = 1.0

    def __init__(self, programs, copy, options):
        self.copy, self.limit, self.slowest = copy, options.limit, options.slowest
        self.times, self.reached, self.found = {}, {}, []
        for program in programs:
            listed = [set(re.findall(r"^(\S+): test$", subprocess.run(
                [program, "--list", "--format", "terse", *more], text=True, capture_output=True,
                check=True).stdout, re.M)) for more in ([], ["--ignored"])]
            for name in sorted(listed[0] - listed[1]):
                if re.search(options.tests or RULES[copy.crate][2], name):
                    self.times[program, name] = None

    def run(self, program, names, number, limit, **variables):
        options = ["--exact", *names, "--test-threads", "1"]
        return run(program, options, self.copy.folder, number, limit, **variables)[0]

    def check(self, chosen):
        """Runs each test without a mutant, and notes where it comes."""
        file = os.path.join(self.copy.top, "reached")
        for program, name in list(self.times):
            open(file, "w").close()
            started = time.monotonic()
            failed = self.run(program, [name], "none", self.slowest, MUTANTS_REACHED=file)
            if failed == "does not end":
                del self.times[program, name]
                print(f"left out, as it takes longer: {name}", flush=True)
                continue
            if failed:
                sys.exit(f"without a mutant: {failed}")
            self.times[program, name] = time.monotonic() - started
            for number in open(file).read().split():
                self.reached.setdefault(int(number), []).append((program, name))
        print(f"{len(self.times)} tests, {sum(self.times.values()):.0f} s", flush=True)
        for (_, name), seconds in sorted(self.times.items(), key=lambda one: -one[1])[:8]:
            print(f"{seconds:8.1f} s {name}", flush=True)

    def judge(self, number, place):
        def cost(test):
            return self.times[test] / (1 + 3 * self.found[-20:].count(test))

        tests = sorted(self.reached.get(number, ()), key=cost)
        # Those that found the mutants before, each; then all that are quick together; then others.
        first = [test for test in tests if test in self.found[-20:]][:3]
        quick = [test for test in tests if test not in first and self.times[test] < self.QUICK]
        groups = [[test] for test in first]
        groups += [[test for test in quick if test[0] == program] for program in {test[0] for test in quick}]
        groups += [[test] for test in tests if test not in first and test not in quick]
        for group in groups:
            limit = min(self.limit, 10 + 10 * sum(map(self.times.get, group)))
            failed = self.run(group[0][0], [name for _, name in group], number, limit)
            if failed:
                self.found += [test for test in group if test[1] == failed]
                return failed
        return "SURVIVES" if tests else "SURVIVES, as no test comes there"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("crate", choices=sorted({*FILTERS, *RULES}))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--rules", action="store_true", help="what decides around the kernels of a crate")
    parser.add_argument("--whole", action="store_true", help="all there are, not as many as --count")
    parser.add_argument("--limit", type=float, default=120, help="seconds for a test of a mutant")
    parser.add_argument("--tests", default="", help="an expression of tests of rules to be asked")
    parser.add_argument("--slowest", type=float, default=600, help="seconds for a test of rules without a mutant")
    parser.add_argument("--together", action="store_true",
                        help="leaves out what takes a build of its own")
    parser.add_argument("--features", default="", help="features of the crate besides its default ones")
    parser.add_argument("--only", default="", help="files whose path has this expression")
    parser.add_argument("--again", help="only those that survive in this table of an earlier run")
    parser.add_argument("--known", help="leaves out the mutants that a table in this file has")
    parser.add_argument("--explained", help="a file with tables: what survives there may")
    parser.add_argument("--out", help="where the table goes")
    parser.add_argument("--work", help="the folder of the copy")
    parser.add_argument("--list", action="store_true", help="prints what can be changed")
    options = parser.parse_args()
    crate = options.crate
    options.rules |= crate not in FILTERS

    every, sources = [], {}
    for path in files(crate, options.rules):
        sources[path] = open(os.path.join(ROOT, "crates", crate, "src", path)).read()
        every += places(path, sources[path], options.rules)
    every = [place for place in every
             if re.search(options.only, place.path) and (place.runs or not options.together)]
    if options.list:
        for place in every:
            print(f"{place.path}:{place.line}: {place.old} -> {place.new}{'' if place.runs else ' (built)'}")
        print(len(every), "places")
        return
    chosen = every
    # A sample is another one after a change, so what survived in it is looked for everywhere.
    if not (options.whole or options.again):
        chosen = random.Random(options.seed).sample(every, min(options.count, len(every)))
    known = rows(options.known)
    chosen = [place for place in chosen if place.row not in known]
    if options.again:
        again = {row for row, result in rows(options.again).items() if result.startswith("SURVIVES")}
        known = explanations(options.explained)
        chosen = [place for place in chosen if place.row in again and place.seen(sources) not in known]
    chosen.sort(key=lambda place: (place.path, place.line))
    numbered = list(enumerate(chosen))

    copy = Copy(options.work or tempfile.mkdtemp(prefix="mutants-"), crate, sources, options.features)
    results = {}

    def note(number, result):
        place = chosen[number]
        results[number] = result
        print(f"{len(results):4}/{len(chosen)} {place.path}:{place.line}: {place.old} -> {place.new}: {result}",
              flush=True)

    # Those that run, in one build; what does not compile so gets a build of its own.
    taken, alone = apart(numbered)
    programs = []
    # What an earlier run on this copy learned of them.
    memory = os.path.join(copy.top, f"refused-{crate}")
    refused = open(memory).read().splitlines() if os.path.isfile(memory) else []
    while taken:
        alone += [entry for entry in taken if str(entry[1].row) in refused]
        taken = [entry for entry in taken if str(entry[1].row) not in refused]
        spans = copy.put(taken)
        programs, wrong, said = copy.build()
        if programs:
            break
        bad = copy.refused(wrong, spans, taken)
        # Where most are refused the fault is not theirs.
        if not bad or len(bad) > max(10, len(taken) // 2):
            sys.exit(said)
        refused += [str(place.row) for number, place in taken if number in bad]
        open(memory, "w").write("\n".join(refused))
    if programs:
        kept = []
        for program in programs:
            kept.append(shutil.copyfile(program, program + ".all"))
            shutil.copymode(program, kept[-1])
        if options.rules:
            judges = Tests(kept, copy, options)
        else:
            judges = Generators(kept[0], copy, options.limit)
        judges.check(taken)
        for number, place in taken:
            note(number, judges.judge(number, place))
    for number, place in sorted(alone, key=lambda entry: entry[0]):
        if options.together and options.rules:
            note(number, REFUSED)
            continue
        copy.put_alone(place)
        programs, _, _ = copy.build()
        if not programs:
            note(number, REFUSED)
        elif options.rules:
            found = (run(program, [], copy.folder, "none", options.limit)[0] for program in programs)
            note(number, next(filter(None, found), "SURVIVES"))
        else:
            note(number, Generators(programs[0], copy, options.limit).judge("none", place))
    if not options.work:
        shutil.rmtree(copy.top)
    sys.exit(report(options, chosen, results, sources))


def report(options, chosen, results, sources):
    """Prints the table; whether a survivor is not explained."""
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, text=True,
                            capture_output=True).stdout.strip()
    survivors = [number for number, result in results.items() if result.startswith("SURVIVES")]
    how = " --rules" * (options.crate in FILTERS and options.rules)
    how += " --whole" if options.whole else f" --seed {options.seed} --count {options.count}"
    how += " --together" * options.together
    how += "".join(f" --{name} '{value}'" for name, value in vars(options).items()
                   if name in ("only", "tests", "features") and value)
    counted = [number for number in results if not options.rules or results[number] != REFUSED]
    lines = [f"`verify/mutants.py {options.crate}{how}` at {commit}, "
             f"{time.strftime('%Y-%m-%d')}: {len(counted)} mutants, {len(survivors)} survive.", ""]
    shown = sorted(results)
    if options.rules:
        # There are many: what is found is counted.
        lines += ["| file | mutants | survive |", "|---|--:|--:|"]
        for path in sorted({chosen[number].path for number in counted}):
            count, left = (sum(chosen[number].path == path for number in some) for some in (counted, survivors))
            lines.append(f"| `{path}` | {count} | {left} |")
        lines.append("")
        shown = sorted(survivors)
    lines += ["| place | change | found by |", "|---|---|---|"]
    for number in shown:
        place = chosen[number]
        lines.append(f"| `{place.path}:{place.line}` | `{escaped(place.old)}` → `{escaped(place.new)}` | {results[number]} |")
    text = "\n".join(lines) + "\n"
    if options.out:
        open(options.out, "w").write(text)
    print(text)
    explained = explanations(options.explained)
    left = []
    for number in survivors:
        place = chosen[number]
        if place.seen(sources) not in explained:
            source = place.seen(sources)[1]
            left.append(f"| `{place.path}` | `{escaped(source)}` | `{escaped(place.old)}` → `{escaped(place.new)}` | why? |")
    if options.explained and left:
        print("not explained:", *left, sep="\n")
    return bool(left)


if __name__ == "__main__":
    main()
