# What the scripts share that build an engine from a clone of its library's repository; each is
# called as `sh engines/NAME/build.sh DIR` and sources this file.
#
# It sets `engine`, the engine's folder, `name`, and `clone`, the full path of DIR.

set -eu

fail() {
    echo "build.sh: $*" >&2
    exit 1
}

# The programs that the build needs.
need() {
    for tool; do
        command -v "$tool" >/dev/null || fail "$tool is not installed"
    done
}

# What the clone is of, where from, and a file that it has.
of() {
    [ -n "$given" ] || fail "usage: sh $0 DIR, where DIR is a clone of $2"
    [ -d "$given" ] || fail "there is no folder $given"
    [ -f "$given/$3" ] || fail "$given is no clone of $1, $2: it has no $3"
    clone=$(cd "$given" && pwd)
}

# The commit of the clone, for the report.
commit() {
    git -C "$clone" log -1 --format='commit %h of %cs' 2>/dev/null || echo 'no commit'
}

# Builds the engine's program, with its own lockfile.
program() {
    cargo build --release --locked --manifest-path "$engine/Cargo.toml"
}

# Says how to run the engine; what is given stands in front of the command.
ready() {
    echo "built; to run it: ${1:-}adamant bench --engine $name"
}

engine=$(cd "$(dirname "$0")" && pwd)
name=$(basename "$engine")
given=${1:-}
