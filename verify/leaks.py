#!/usr/bin/env python3
"""Puts what `adamant speed --leak --json` printed into the table of docs/leaks.md, in the place of what it
had of the same rows: `verify/leaks.py RUN.json SECONDS 'DATE, COMMIT, CPU' docs/leaks.md`.
"""

import collections
import json
import re
import sys

MARK = "<!-- The rest is made by `.ci/deep leaks`. -->\n"
TITLES = "operation bytes batch implementation samples ns sees,&nbsp;ns t t&nbsp;of&nbsp;r verdict seconds run"


def amount(value):
    return f"{value:.1f}" if value < 100 else f"{value:.0f}"


def row(finding, seconds):
    again = finding["second_run"]
    verdict = finding["verdict"].replace("-", " ")
    if again:
        verdict += f" (again: t {again['t']:.1f}, t of r {again['correlation_t']:.1f})"
    if not finding["constant_time"]:
        verdict += ", says itself that it is not constant-time"
    # Too few to say anything.
    few = finding["verdict"] == "too-few-samples"
    statistics = ["–"] * 3 if few else [
        amount(finding["detectable_ns"]), f"{finding['t']:.1f}", f"{finding['correlation_t']:.1f}"]
    cells = [f"`{finding['op']}`", finding["bytes"] or "–", finding["batch"], f"`{finding['backend']}`",
             finding["samples"], amount(finding["ns"]), *statistics, verdict, seconds]
    return list(map(str, cells))


def merge(rows, new):
    """Each of `new` in the place of the row of its key, else after those of its operation and size."""
    for cells in new:
        same = [i for i, old in enumerate(rows) if old[:3] == cells[:3]]
        at = [i for i in same if rows[i][3] == cells[3]]
        if at:
            rows[at[0]] = cells
        else:
            rows.insert(same[-1] + 1 if same else len(rows), cells)


def main():
    run, seconds, what, page = sys.argv[1:]
    with open(page) as file:
        introduction, rest = file.read().split(MARK)
    runs = re.findall(r"^\d+\. (.+(?:\n   .+)*)", rest, re.M)
    rows = [re.split(r" \| ", line[2:-2]) for line in rest.splitlines() if line.startswith("| `")]
    with open(run) as file:
        new = [row(json.loads(line), seconds) for line in file]
    runs.append(what)
    merge(rows, [[*cells, str(len(runs))] for cells in new])
    # Runs of which no row is left have no number.
    numbers = [number for number in range(1, len(runs) + 1) if any(cells[-1] == str(number) for cells in rows)]
    for cells in rows:
        cells[-1] = str(numbers.index(int(cells[-1])) + 1)
    verdicts = collections.Counter(re.split(r" \(|, ", cells[9])[0] for cells in rows)
    counts = ", ".join(f"{n} {verdict}" for verdict, n in verdicts.most_common())
    with open(page, "w") as file:
        print(introduction, MARK, sep="", file=file)
        print(f"{len(rows)} rows of {len({cells[0] for cells in rows})} operations: {counts}. Runs:\n", file=file)
        for i, number in enumerate(numbers):
            print(f"{i + 1}. {runs[number - 1]}", file=file)
        print(f"\n| {' | '.join(TITLES.split())} |", file=file)
        print("|---|---:|---:|---|---:|---:|---:|---:|---:|---|---:|---:|", file=file)
        for cells in rows:
            print(f"| {' | '.join(cells)} |", file=file)


main()
