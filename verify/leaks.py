#!/usr/bin/env python3
"""The table of docs/leaks.md from what `adamant speed --leak --json` printed:
`verify/leaks.py RUN.json 'SECONDS, DATE, COMMIT, CPU' docs/leaks.md`.
"""

import collections
import json
import sys


def amount(value):
    return f"{value:.1f}" if value < 100 else f"{value:.0f}"


def row(finding):
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
             finding["samples"], amount(finding["ns"]), *statistics, verdict]
    return f"| {' | '.join(map(str, cells))} |"


def main():
    run, what, page = sys.argv[1:]
    with open(run) as file:
        findings = [json.loads(line) for line in file]
    verdicts = collections.Counter(finding["verdict"].replace("-", " ") for finding in findings)
    counts = ", ".join(f"{n} {verdict}" for verdict, n in verdicts.most_common())
    with open(page) as file:
        introduction = file.read().split("<!-- The rest is made by `.ci/deep leaks`. -->")[0]
    with open(page, "w") as file:
        print(introduction, "<!-- The rest is made by `.ci/deep leaks`. -->\n", sep="", file=file)
        print(f"{what}: {len(findings)} operations, {counts}.\n", file=file)
        titles = "operation bytes batch implementation samples ns sees,&nbsp;ns t t&nbsp;of&nbsp;r verdict"
        print(f"| {' | '.join(titles.split())} |", file=file)
        print("|---|---:|---:|---|---:|---:|---:|---:|---:|---|", file=file)
        for finding in findings:
            print(row(finding), file=file)


main()
