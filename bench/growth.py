#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How time and memory grow with a circuit, Linnet beside ngspice: part of `make bench`.

usage: growth.py [--linnet PROGRAM] [--most N] [--csv FILE] [--picture FILE] [CIRCUIT ...]

Each circuit is read and takes 100 steps of a fixed length, one node written, in sizes of powers of
ten: the ladder of bench/ladder.awk, as XML and as a deck, and a chain of inverters, of two
transistors each; --most is the largest number of sections or stages. Time is user and system seconds of the whole
process, memory its largest resident set. A program that has taken LONG at one size is not asked for
the next. Asked are 5 s and 1 GB for a million sections, 5 times ngspice's speed for 50 000 inverters. The slopes are those on log-log between the last two sizes: 1 where twice the circuit takes
twice as much. Prints Markdown; --csv writes the rows as CSV, --picture draws Linnet's.
"""
import argparse
import csv
import math
import os
import subprocess
import tempfile

import decks

STEPS = 100
LONG = 20      # seconds
SECONDS = 300  # after which a run is given up
CIRCUITS = {"ladder": 1000000, "inverters": 50000}  # and their largest sizes
HERE = os.path.dirname(os.path.abspath(__file__))


def sizes(most):
    found = [10 ** k for k in range(2, 7) if 10 ** k <= most]
    return found if found and found[-1] == most else found + [most]


def run(command):
    """User and system seconds and megabytes of a process; None where it fails."""
    with open(os.devnull, "w", encoding="utf-8") as nothing:
        process = subprocess.Popen(["timeout", str(SECONDS)] + command, stdout=nothing, stderr=nothing)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = status
    return (used.ru_utime + used.ru_stime, used.ru_maxrss / 1000) if status == 0 else None


def write_ladder(size, ours, theirs):
    for path, spice in ((ours, "0"), (theirs, "1")):
        with open(path, "w", encoding="utf-8") as file:
            subprocess.run(["awk", "-v", f"n={size}", "-v", f"steps={STEPS}", "-v", f"spice={spice}", "-f",
                            os.path.join(HERE, "ladder.awk")], stdout=file, check=True)
    return []


def write_inverters(size, ours, theirs):
    text, probe, step = decks.inverters(size)
    times = f".tran {step:.9g} {step * STEPS:.9g} 0 {step:.9g}\n"
    for path, ending in ((ours, f".print tran v({probe})"), (theirs, f".options noinit trtol=1e9\n.save v({probe})")):
        with open(path, "w", encoding="utf-8") as deck:
            deck.write(f"* inverters\n{text}{times}{ending}\n.end\n")
    return ["-m", "crank-nicolson", "--step", f"{step:.9g}"]


def commands(linnet, name, size, folder):
    """Of each program, for the same circuit and steps."""
    ours = os.path.join(folder, "linnet.xml" if name == "ladder" else "linnet.cir")
    theirs = os.path.join(folder, "ngspice.cir")
    manner = (write_ladder if name == "ladder" else write_inverters)(size, ours, theirs)
    return {"Linnet": [linnet, "run", ours, "-q", "-o", os.path.join(folder, "out.csv")] + manner,
            "ngspice": ["ngspice", "-n", "-b", "-r", os.path.join(folder, "out.raw"), theirs]}


def slope(rows, column):
    """Between the last two sizes."""
    (a, *one), (b, *two) = rows[-2:]
    return math.log(two[column] / one[column]) / math.log(b / a)


def grow(linnet, name, most, folder):
    """Rows of size, seconds and megabytes, for each program."""
    found, goes_on = {"Linnet": [], "ngspice": []}, {"Linnet", "ngspice"}
    for size in sizes(min(most, CIRCUITS[name])):
        for who, command in commands(linnet, name, size, folder).items():
            taken = run(command) if who in goes_on else None
            if taken is not None:
                found[who].append((size, *taken))
            if taken is None or taken[0] > LONG:
                goes_on.discard(who)
        cells = [f"{rows[-1][1]:.2f} s, {rows[-1][2]:.0f} MB" if rows and rows[-1][0] == size else "-"
                 for rows in found.values()]
        print(f"| {name} | {size} | " + " | ".join(cells) + " |", flush=True)
    return found


def draw(linnet, rows, picture, folder):
    table = os.path.join(folder, "growth.csv")
    with open(table, "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["size", "seconds", "megabytes"]] + rows)
    subprocess.run([linnet, "plot", table, "-q", "-l", "xy", "-x", "size", "-p", "each", "-o", picture,
                    "--title", "100 steps of a ladder: seconds and megabytes by sections"], check=True)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--linnet", default=os.environ.get("LINNET", "linnet"))
    arguments.add_argument("--most", type=int, default=1000000)
    arguments.add_argument("--csv")
    arguments.add_argument("--picture")
    arguments.add_argument("circuits", nargs="*", default=list(CIRCUITS), metavar="CIRCUIT")
    given = arguments.parse_args()
    table = [["circuit", "size", "program", "seconds", "megabytes"]]
    print("| circuit | size | Linnet | ngspice |\n|---|---|---|---|")
    slopes = []
    with tempfile.TemporaryDirectory() as folder:
        for name in given.circuits:
            found = grow(given.linnet, name, given.most, folder)
            for who, rows in found.items():
                table += [[name, size, who, f"{seconds:.3f}", f"{memory:.1f}"] for size, seconds, memory in rows]
                if len(rows) > 1:
                    slopes.append(f"{name}, {who}: time {slope(rows, 0):.2f}, memory {slope(rows, 1):.2f}")
            if given.picture and name == "ladder":
                draw(given.linnet, [list(row) for row in found["Linnet"]], given.picture, folder)
    print("\nslopes on log-log between the last two sizes: " + "; ".join(slopes))
    if given.csv:
        with open(given.csv, "w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows(table)


main()
