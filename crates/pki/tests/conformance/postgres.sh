#!/bin/sh
# A throw-away PostgreSQL on a folder of its own, until standard input ends:
#
#   sh postgres.sh FOLDER PORT [SETTING=VALUE ...]
#
# prints "ready" once postgres://ca@127.0.0.1:PORT/postgres takes connections, or "absent" where
# Debian's package is not installed. Each line "restart" on standard input ends the server as a
# power failure would and starts it again. Nothing is left afterwards, not even the folder.
set -eu
folder=$1
port=$2
shift 2
bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1)
if [ -z "$bin" ]; then
    echo absent
    exit 0
fi
# The server refuses to run as root.
as() {
    if [ "$(id -u)" = 0 ]; then
        runuser -u postgres -- "$@"
    else
        "$@"
    fi
}
options="-k $folder -p $port -c listen_addresses=127.0.0.1"
for setting in "$@"; do
    options="$options -c $setting"
done
start() {
    as "$bin/pg_ctl" -D "$folder/data" -s -w -l "$folder/log" -o "$options" start
    echo ready
}
chmod 777 "$folder"
cd "$folder"
as "$bin/initdb" -D "$folder/data" -U ca -A trust --no-sync -E UTF8 --locale=C >/dev/null
start
while read -r command; do
    [ "$command" = restart ] || continue
    as "$bin/pg_ctl" -D "$folder/data" -s -m immediate stop
    start
done
as "$bin/pg_ctl" -D "$folder/data" -s -m immediate stop
cd /
rm -rf "$folder"
