#!/usr/bin/env python3
"""Tests the generators of crates/cipher and crates/hash on mutants of their kernels.

    verify/mutants.py cipher --seed 1 --count 200 --out table.md

From the kernels of a crate (its sources but the tests) a seed takes comparisons, bounds of ranges
and numbers of steps. Each is changed: `>` becomes `>=` and so on, a number one more or one less.
Every mutant has to fail the generators (tests in `boundaries`) of what its folder holds.

Most mutants are in one build, each behind a number that the environment variable MUTANT chooses
when the test starts. Those in constants and patterns, which are compiled in, take a build each.
The work is done on a copy in a temporary folder; nothing is written to the tree. A mutant that the
compiler refuses (a constant that proves itself) or that does not end counts as found.

Ends with 1 where a mutant survives whose survival the file of --explained does not have.
"""

import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# What runs for a mutant: words of test names, by folder; else all generators of the crate.
FILTERS = {
    "cipher": {
        "aes/lanes": ["batch"],
        "aes": ["block::aes", "stream::ctr", "gcm::aes", "aead::gcm_siv", "stream::xts", "stream::feedback"],
        "ghash": ["mac::sums", "mac::gmac", "gcm::", "aead::gcm_siv"],
        "gcm": ["gcm::aes", "gcm::nonces", "gcm::sm4", "hazmat::tests::other_lengths"],
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
        "modes": ["stream::ctr", "stream::feedback", "stream::padding", "stream::xts",
                  "modes::tests::xts_lengths", "modes::tests::lengths_are_checked"],
        "key_wrap": ["stream::wrap"],
        "stream": ["stream::gcm_message", "stream::chacha_message"],
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
        "pbkdf2": ["kdf::pbkdf2", "pbkdf2::sha256"],
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

# Folders without generators, and files that are no kernels.
LEFT_OUT = re.compile(
    r"(^|/)(tests(\.rs|/)|boundaries|reference|testing\.rs|tables\.rs|tab|lib\.rs|hazmat\.rs|aead\.rs|tests)"
)

TOKEN = re.compile(
    r"""
    (?P<space>\s+|//[^\n]*|/\*.*?\*/)
  | (?P<string>b?r\#*".*?"\#*|b?"(?:\\.|[^"\\])*"|b?'(?:\\.[^']*|[^'\\])')
  | (?P<life>'[A-Za-z_]\w*)
  | (?P<number>0[xbo][0-9a-fA-F_]+\w*|\d[\d_]*(?:\.\d+)?\w*)
  | (?P<word>[A-Za-z_]\w*!?)
  | (?P<sign>\.\.=|\.\.\.|<<=|>>=|=>|->|::|&&|\|\||<=|>=|==|!=|<<|>>|\+=|-=|\*=|/=|%=|\^=|&=|\|=|\.\.|.)
    """,
    re.X | re.S,
)

# A row of the table: file, line, old, new, result.
ROW = re.compile(r"^\| `([^`]+):(\d+)` \| `([^`]+)` → `([^`]+)` \| (.*?) \|$", re.M)
# One of a table of explanations: file, the line's text, which stays where its number moves, old, new.
EXPLAINED = re.compile(r"^\| `([^`:]+)` \| `([^`]+)` \| `([^`]+)` → `([^`]+)` \| .+ \|$", re.M)

OPEN, CLOSE = "([{", ")]}"
OTHER = {">": ">=", ">=": ">", "<": "<=", "<=": "<"}


class Token:
    def __init__(self, kind, text, at):
        self.kind, self.text, self.at = kind, text, at
        self.end = at + len(text)


def tokens(source):
    found = []
    for match in TOKEN.finditer(source):
        if match.lastgroup != "space":
            found.append(Token(match.lastgroup, match.group(), match.start()))
    return found


def partners(toks):
    """Which bracket closes which, both ways."""
    stack, pairs = [], {}
    for i, token in enumerate(toks):
        if token.text in OPEN and token.kind == "sign":
            stack.append(i)
        elif token.text in CLOSE and token.kind == "sign" and stack:
            j = stack.pop()
            pairs[i], pairs[j] = j, i
    return pairs


def operand(toks, pairs, i, step):
    """The end of a comparison's operand, seen from the token i of its operator."""
    stop = {",", ";", "=", "=>", "&&", "||", "==", "!=", "<", ">", "<=", ">=", "..", "..=", "->",
            "+=", "-=", "^=", "*=", "{", "}", "|"}
    words = {"if", "while", "return", "match", "in", "let", "else", "as"} if step < 0 else {"as"}
    j = i + step
    while 0 <= j < len(toks):
        text = toks[j].text
        if text == "as":
            j += step
            continue
        if text in words:
            break
        if toks[j].kind == "sign":
            if text in (CLOSE if step < 0 else OPEN) and text not in "{}":
                j = pairs.get(j, j) + step
                continue
            if text in OPEN + CLOSE or text in stop:
                break
        j += step
    return j - step


def functions(toks, pairs):
    """Places in bodies of functions that run; bodies of const functions, constants and patterns
    are compiled in."""
    runs = [False] * len(toks)
    for i, token in enumerate(toks):
        name = i + 2 if i + 2 < len(toks) and toks[i + 1].text == "$" else i + 1
        if token.text != "fn" or name >= len(toks) or toks[name].kind != "word":
            continue
        constant = any(toks[k].text == "const" for k in range(max(0, i - 3), i))
        j = i
        while j < len(toks) and toks[j].text not in ("{", ";"):
            # Brackets of arguments and types.
            j = pairs[j] + 1 if toks[j].text in "([" and j in pairs else j + 1
        if j < len(toks) and toks[j].text == "{" and j in pairs and not constant:
            for k in range(j, pairs[j]):
                runs[k] = True
    for i, token in enumerate(toks):
        # Constants, attributes, types of arrays and arguments of generics within them.
        # A parameter of generics is none.
        if token.text in ("const", "static") and 0 < i < len(toks) - 1 and toks[i - 1].text not in "<,":
            j = i + 1
            if toks[j].text == "{" and j in pairs:
                end = pairs[j]
            else:
                end = j
                while end < len(toks) and toks[end].text not in (";",):
                    end = pairs[end] + 1 if toks[end].text in OPEN and end in pairs else end + 1
                    if end < len(toks) and toks[end].text in ")]}":
                        break
            for k in range(i, min(end, len(toks))):
                runs[k] = False
        if token.text == "#" and i + 1 in pairs:
            for k in range(i, pairs[i + 1] + 1):
                runs[k] = False
        if token.text == "::" and i + 1 < len(toks) and toks[i + 1].text == "<":
            for k in range(i + 1, min(i + 14, len(toks))):
                runs[k] = False
                if toks[k].text.startswith(">"):
                    break
        if token.text == "[" and i in pairs:
            inside = range(i + 1, pairs[i])
            semicolons = [k for k in inside if toks[k].text == ";"]
            for k in range(semicolons[0], pairs[i]) if semicolons else ():
                runs[k] = False
        if token.text.endswith("!") and token.text in ("debug_assert!", "assert!", "debug_assert_eq!",
                                                      "assert_eq!", "concat!", "debug_assert_ne!"):
            for k in range(i, pairs.get(i + 1, i) + 1):
                runs[k] = None
    # Patterns of matches: the tokens before an arrow.
    for i, token in enumerate(toks):
        if token.text == "=>":
            j = i - 1
            while j > 0 and toks[j].text not in ("{", "}", ",", "=>", ";", "if"):
                j = pairs[j] - 1 if toks[j].text in CLOSE and j in pairs else j - 1
            for k in range(j + 1, i):
                runs[k] = False
    return runs


# Functions and signs before a number that make it a bound or a step.
STEPS = re.compile(
    r"(saturating_sub|checked_sub|split_at|split_at_mut|chunks|chunks_mut|min|max|clamp|take|skip|"
    r"step_by|div_ceil|is_multiple_of|next_multiple_of|wrapping_add|wrapping_sub|checked_add)$"
)


def sites(path, source):
    """What can be changed in a file: (line, old, new, edits, whether it runs), where edits are
    (start, end, text), and text may have %d for the number of the mutant."""
    toks = tokens(source)
    pairs = partners(toks)
    runs = functions(toks, pairs)
    # Unit tests within files.
    tests = source.find("#[cfg(test)]\nmod tests {")
    found = []

    def line(token):
        return source.count("\n", 0, token.at) + 1

    for i, token in enumerate(toks):
        if runs[i] is None or (tests >= 0 and token.at > tests) or not 0 < i < len(toks) - 1:
            continue
        before, after = toks[i - 1], toks[i + 1]
        if token.kind == "sign" and token.text in OTHER:
            spaced = source[token.at - 1] == " " and source[token.end] == " "
            if not spaced:
                continue
            new = OTHER[token.text]
            if runs[i]:
                a = operand(toks, pairs, i, -1)
                b = operand(toks, pairs, i, 1)
                left = source[toks[a].at : before.end]
                right = source[after.at : toks[b].end]
                text = f"(if crate::mutant::on(%d) {{ ({left}) {new} ({right}) }} else {{ ({left}) {token.text} ({right}) }})"
                edits = [(toks[a].at, toks[b].end, text)]
            else:
                edits = [(token.at, token.end, new)]
            found.append((line(token), token.text, new, edits, bool(runs[i])))
        elif token.kind == "number" and re.fullmatch(r"\d[\d_]*", token.text):
            value = int(token.text.replace("_", ""))
            if before.text in (".", "$", "'"):
                continue
            # Of generic arguments only the lengths of chunks; others choose shuffles.
            generic = any(toks[k].text == "::" and toks[k + 1].text == "<" for k in range(max(0, i - 4), i - 1))
            if generic and not any(toks[k].text.startswith(("as_chunks", "first_chunk")) for k in range(max(0, i - 6), i)):
                continue
            bound = (
                before.text in ("..", "..=", "<", "<=", ">", ">=", "==", "%", "/", "!=")
                or after.text in ("..", "..=", "<", "<=", ">", ">=")
                or before.text == "(" and STEPS.search(toks[i - 2].text)
                or after.text == "-" and before.text == "("
                or before.text in ("-", "+") and after.text in (")", "]", ";", "{", "..", "..=")
                or before.text == "*" and not runs[i]
                or before.text == "=" and not runs[i] and toks[i - 2].text in ("usize", "u32", "u64")
            )
            if not bound:
                continue
            for new in {value + 1, value - 1} - {-1}:
                if runs[i]:
                    text = f"crate::mutant::pick(%d, {token.text}, {new})"
                else:
                    text = str(new)
                found.append((line(token), token.text, str(new), [(token.at, token.end, text)], bool(runs[i])))
    return [(path, *site) for site in found]


MUTANT = '''//! Which mutant is on.
#![allow(dead_code)]

extern crate std;

pub(crate) fn on(number: u32) -> bool {
    static CHOSEN: std::sync::LazyLock<u32> = std::sync::LazyLock::new(|| {
        let chosen = std::env::var("MUTANT").unwrap_or_default();
        chosen.parse().unwrap_or(u32::MAX)
    });
    *CHOSEN == number
}

pub(crate) fn pick<T>(number: u32, old: T, new: T) -> T {
    if on(number) { new } else { old }
}
'''


def rows(name):
    """The mutants in the tables of a file, with what became of each."""
    text = open(name, encoding="utf-8").read() if name else ""
    return {(path, int(line), old, new): result for path, line, old, new, result in ROW.findall(text)}


def explanations(name):
    """The survivors that a file explains, by their lines' texts."""
    text = open(name, encoding="utf-8").read() if name else ""
    return {(path, source.replace("\\|", "|"), old, new) for path, source, old, new in EXPLAINED.findall(text)}


def kernels(crate):
    top = os.path.join(ROOT, "crates", crate, "src")
    for folder, _, names in sorted(os.walk(top)):
        for name in sorted(names):
            path = os.path.relpath(os.path.join(folder, name), top)
            if name.endswith(".rs") and not LEFT_OUT.search(path):
                yield path


def filters(crate, path):
    table = FILTERS[crate]
    for prefix in sorted(table, key=len, reverse=True):
        if path == prefix or path.startswith(prefix + "/") or path == prefix + ".rs":
            return table[prefix]
    return ["boundaries"]


def run(binary, names, folder, number, limit):
    """Whether the generators fail, and how: stops at the first failure."""
    env = dict(os.environ, MUTANT=str(number), RUST_BACKTRACE="0")
    started = time.monotonic()
    process = subprocess.Popen(
        [binary, *names, "--skip", "exhaustive", "--test-threads", "2"],
        cwd=folder, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        preexec_fn=lambda: os.nice(10),
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


def build(copy, crate):
    """The test program, or what the compiler said."""
    command = ["cargo", "test", "--offline", "-p", f"adamant-{crate}", "--lib", "--no-run",
               "--message-format", "short"]
    # Never where the tree's own builds are: cargo would take the one for the other.
    env = dict(os.environ, CARGO_TARGET_DIR=os.path.join(copy, "target"))
    result = subprocess.run(command, cwd=copy, env=env, text=True, capture_output=True,
                            preexec_fn=lambda: os.nice(10))
    match = re.search(r"\((.*?deps/adamant_%s-\w+)\)|unittests src/lib.rs \((.*?)\)|Executable.*?\((.*?)\)" % crate,
                      result.stderr)
    if result.returncode or not match:
        return None, result.stderr
    place = next(group for group in match.groups() if group)
    return os.path.join(copy, place), result.stderr


def put(copy, crate, chosen):
    """Writes the files of these numbered sites into the copy."""
    by_file = {}
    for number, (path, _, _, _, edits, _) in chosen:
        by_file.setdefault(path, []).extend((a, b, text, number) for a, b, text in edits)
    for path, edits in by_file.items():
        source = open(os.path.join(ROOT, "crates", crate, "src", path)).read()
        # From the end; one that lies in another is left for a build of its own.
        for a, b, text, number in sorted(edits, reverse=True):
            text = text.replace("%d", str(number)) if "%d" in text else text
            source = source[:a] + text + source[b:]
        open(os.path.join(copy, "crates", crate, "src", path), "w").write(source)


def restore(copy, crate, paths):
    for path in paths:
        shutil.copyfile(os.path.join(ROOT, "crates", crate, "src", path),
                        os.path.join(copy, "crates", crate, "src", path))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("crate", choices=sorted(FILTERS))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--limit", type=float, default=120, help="seconds for a mutant")
    parser.add_argument("--together", action="store_true",
                        help="leaves out what takes a build of its own")
    parser.add_argument("--only", default="", help="files whose path holds this")
    parser.add_argument("--known", help="leaves out the mutants that a table in this file has")
    parser.add_argument("--explained", help="a file with tables: what survives there may")
    parser.add_argument("--out", help="where the table goes")
    parser.add_argument("--list", action="store_true", help="prints what can be changed")
    options = parser.parse_args()
    crate = options.crate

    every, sources = [], {}
    for path in kernels(crate):
        sources[path] = open(os.path.join(ROOT, "crates", crate, "src", path)).read()
        every += sites(path, sources[path])
    every = [site for site in every
             if options.only in site[0] and (site[5] or not options.together)]
    if options.list:
        for path, line, old, new, _, runs in every:
            print(f"{path}:{line}: {old} -> {new}{'' if runs else ' (built)'}")
        print(len(every), "places")
        return
    chosen = random.Random(options.seed).sample(every, min(options.count, len(every)))
    known = rows(options.known)
    chosen = [site for site in chosen if site[:4] not in known]
    chosen.sort(key=lambda site: (site[0], site[1]))
    numbered = list(enumerate(chosen))

    copy = tempfile.mkdtemp(prefix="mutants-")
    files = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, text=True,
                           capture_output=True, check=True).stdout.split("\n")
    for name in filter(None, files):
        place = os.path.join(copy, name)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        if os.path.isfile(os.path.join(ROOT, name)):
            shutil.copyfile(os.path.join(ROOT, name), place)
    source = os.path.join(copy, "crates", crate, "src")
    open(os.path.join(source, "mutant.rs"), "w").write(MUTANT)
    lib = open(os.path.join(source, "lib.rs")).read()
    lib = re.sub(r"^((?:pub )?mod )", r"mod mutant;\n\1", lib, count=1, flags=re.M)
    open(os.path.join(source, "lib.rs"), "w").write(lib)

    results = {}

    def note(number, result):
        path, line, old, new, _, runs = chosen[number]
        results[number] = result
        print(f"{len(results):4}/{len(chosen)} {path}:{line}: {old} -> {new}: {result}", flush=True)

    # Those that run, in one build; what does not compile so gets a build of its own.
    together = [entry for entry in numbered if entry[1][5]]
    alone = [entry for entry in numbered if not entry[1][5]]
    taken, apart = [], {}
    for entry in together:
        a, b, _ = entry[1][4][0]
        spans = apart.setdefault(entry[1][0], [])
        if any(a < d and c < b for c, d in spans):
            alone.append(entry)
        else:
            spans.append((a, b))
            taken.append(entry)
    binary = None
    while taken:
        put(copy, crate, taken)
        binary, said = build(copy, crate)
        if binary:
            break
        # Errors name files and lines, which are those of the source or a little below.
        wrong = {(path, int(line)) for path, line in re.findall(r"src/(\S+?\.rs):(\d+):\d+: error", said)}
        bad = [entry for entry in taken
               if any(entry[1][0] == path and 0 <= line - entry[1][1] <= 3 for path, line in wrong)]
        if not bad:
            sys.exit(said)
        restore(copy, crate, {entry[1][0] for entry in taken})
        alone += bad
        taken = [entry for entry in taken if entry not in bad]
    if binary:
        kept = shutil.copyfile(binary, binary + ".all")
        shutil.copymode(binary, kept)
        # Without a mutant everything passes, and the generators are there.
        for names in {tuple(filters(crate, site[0])) for _, site in taken}:
            failed, ran = run(kept, names, os.path.join(copy, "crates", crate), "none", 10 * options.limit)
            if failed or not ran:
                sys.exit(f"without a mutant: {failed or 'no test'} ({' '.join(names)})")
        for number, site in taken:
            names = filters(crate, site[0])
            failed, _ = run(kept, names, os.path.join(copy, "crates", crate), number, options.limit)
            note(number, failed or "SURVIVES")
        restore(copy, crate, {entry[1][0] for entry in taken})
    for number, site in sorted(alone):
        path, line, old, new, edits, runs = site
        if runs:
            # Plainly, without a choice.
            a, b, text = edits[0]
            if old in OTHER:
                text = re.search(r"\{ (.*) \} else \{", text, re.S).group(1)
            else:
                text = new
            site = (path, line, old, new, [(a, b, text)], runs)
        put(copy, crate, [(number, site)])
        binary, said = build(copy, crate)
        if binary:
            failed, ran = run(binary, filters(crate, path), os.path.join(copy, "crates", crate), "none", options.limit)
            note(number, failed or ("SURVIVES" if ran else "no test"))
        else:
            note(number, "does not compile")
        restore(copy, crate, {path})
    shutil.rmtree(copy)

    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, text=True,
                            capture_output=True).stdout.strip()
    survivors = [number for number, result in results.items() if result == "SURVIVES"]
    how = " --together" if options.together else ""
    lines = [f"`verify/mutants.py {crate} --seed {options.seed} --count {options.count}{how}` at {commit}, "
             f"{time.strftime('%Y-%m-%d')}: {len(results)} mutants, {len(survivors)} survive.", "",
             "| place | change | found by |", "|---|---|---|"]
    for number in sorted(results):
        path, line, old, new, _, _ = chosen[number]
        lines.append(f"| `{path}:{line}` | `{old}` → `{new}` | {results[number]} |")
    text = "\n".join(lines) + "\n"
    if options.out:
        open(options.out, "w").write(text)
    print(text)
    explained = explanations(options.explained)
    left = []
    for number in survivors:
        path, line, old, new = chosen[number][:4]
        source = sources[path].split("\n")[line - 1].strip()
        if (path, source, old, new) not in explained:
            left.append(f"| `{path}` | `{source.replace('|', chr(92) + '|')}` | `{old}` → `{new}` | why? |")
    if options.explained and left:
        print("not explained:", *left, sep="\n")
    sys.exit(bool(left))


if __name__ == "__main__":
    main()
