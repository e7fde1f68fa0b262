#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Linnet beside ngspice on circuits of growing size: `make bench-pairs`.

usage: pairs.py [--linnet PROGRAM] [--runs N] [--part SHARE] [--kinds fixed,adaptive] [--csv FILE]
                [CIRCUIT ...]

Each circuit is run by both programs in turn, N times each: at a fixed step (error control of ngspice
off, crank-nicolson here), and with each program's own step control and defaults. Both write one
node to a file. Time is the median of user seconds of the whole process. `apart` is the largest
difference of both results at even times, as a part of the signal's range: at a fixed step an error
of the method or a difference of the models, else of the tolerances, too. --part shortens or
lengthens all runs; CIRCUIT is a name, or a name and its stages as diodes:100. A Markdown table is
printed; --csv writes the rows as CSV, too.
"""
import argparse
import array
import csv
import os
import resource
import statistics
import subprocess
import tempfile

import decks

# circuit, stages, steps of a run at fixed step, steps' time of an adaptive one. ngspice takes about
# a second for most of them.
ROWS = ((decks.bridge, 1, 300000, 1000000), (decks.diodes, 100, 30000, 100000),
        (decks.diodes, 1000, 3000, 10000), (decks.amplifiers, 100, 10000, 40000),
        (decks.amplifiers, 1000, 1000, 4000), (decks.ring, 5, 40000, 40000),
        (decks.ring, 51, 5000, 5000), (decks.inverters, 100, 6000, 8000),
        (decks.inverters, 1000, 500, 800), (decks.ladder, 100, 30000, 100000),
        (decks.ladder, 1000, 3000, 10000), (decks.mesh, 30, 1000, 2000),
        (decks.mesh, 100, 50, 100), (decks.clamped, 5, 2000, 2000), (decks.clamped, 50, 2000, 2000))
TIMES = 200       # at which results are compared
SECONDS = 120     # after which a run is given up
LONG = 10         # a run that takes so many seconds is not repeated
ADAPTIVE = 40     # the largest adaptive step in fixed ones: both results then show the signal


def write_decks(circuit, stages, steps, fixed, folder):
    """One deck for each program; returns the commands, and the names of their results."""
    text, probe, step = circuit(stages)
    end = step * steps
    most = step if fixed else step * ADAPTIVE
    times = f".tran {most:.9g} {end:.9g} 0 {most:.9g}\n"
    names = {k: os.path.join(folder, k) for k in ("ngspice.cir", "linnet.cir", "out.raw", "out.csv")}
    with open(names["ngspice.cir"], "w", encoding="utf-8") as deck:
        options = "noinit trtol=1e9" if fixed else "noinit"
        deck.write(f"* circuit\n{text}.options {options}\n{times}.save v({probe})\n.end\n")
    with open(names["linnet.cir"], "w", encoding="utf-8") as deck:
        deck.write(f"* circuit\n{text}{times}.print tran v({probe})\n.end\n")
    manner = ["-m", "crank-nicolson", "--step", f"{step:.9g}"] if fixed else []
    return (["ngspice", "-n", "-b", "-r", names["out.raw"], names["ngspice.cir"]],
            ["run", names["linnet.cir"], "-q", "-o", names["out.csv"]] + manner,
            names["out.raw"], names["out.csv"])


def seconds(command):
    """User seconds of a process, None where it fails."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    try:
        done = subprocess.run(command, capture_output=True, check=False, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return None
    taken = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    return taken if done.returncode == 0 else None


def read_raw(path):
    """Times and values of a binary file of ngspice with two real variables."""
    with open(path, "rb") as file:
        values = array.array("d", file.read().split(b"Binary:\n", 1)[1])
    return values[0::2], values[1::2]


def read_csv(path):
    with open(path, encoding="utf-8") as file:
        rows = [(float(row[0]), float(row[1])) for row in list(csv.reader(file))[1:]]
    return [row[0] for row in rows], [row[1] for row in rows]


def at_even_times(points, end):
    """Values at even times, by straight lines between the points."""
    times, values = points
    found, k = [], 0
    for i in range(TIMES + 1):
        t = end * i / TIMES
        while k + 2 < len(times) and times[k + 1] < t:
            k += 1
        way = times[k + 1] - times[k]
        part = min(1, max(0, (t - times[k]) / way)) if way > 0 else 1
        found.append(values[k] + part * (values[k + 1] - values[k]))
    return found


def difference(one, other):
    end = min(one[0][-1], other[0][-1])
    a, b = at_even_times(one, end), at_even_times(other, end)
    span = max(a) - min(a)
    return max(abs(x - y) for x, y in zip(a, b)) / span if span > 0 else 0


def measure(linnet, circuit, stages, steps, fixed, runs):
    """Medians of both programs, None for what stops, and how far apart their results are."""
    with tempfile.TemporaryDirectory() as folder:
        spice, own, raw, table = write_decks(circuit, stages, steps, fixed, folder)
        commands = {"ngspice": spice, "linnet": [linnet] + own}
        taken = {"ngspice": [], "linnet": []}
        for _ in range(runs):
            for who, command in commands.items():
                if not taken[who] or None not in taken[who] and max(taken[who]) < LONG:
                    taken[who].append(seconds(command))
        medians = [None if None in taken[who] else statistics.median(taken[who])
                   for who in ("ngspice", "linnet")]
        apart = None if None in medians else difference(read_raw(raw), read_csv(table))
        return medians[0], medians[1], apart


def show(value, form):
    return "stops" if value is None else format(value, form)


def main():
    names = sorted({row[0].__name__ for row in ROWS})
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--linnet", default=os.environ.get("LINNET", "linnet"))
    arguments.add_argument("--runs", type=int, default=3)
    arguments.add_argument("--part", type=float, default=1)
    arguments.add_argument("--kinds", default="fixed,adaptive")
    arguments.add_argument("--csv")
    arguments.add_argument("circuits", nargs="*", metavar="CIRCUIT", help="of " + ", ".join(names))
    given = arguments.parse_args()
    head = ["circuit", "stages", "steps", "kind", "ngspice s", "Linnet s", "ngspice/Linnet", "apart"]
    rows = [head]
    print("| " + " | ".join(head) + " |\n" + "|---" * len(head) + "|")
    for fixed in (kind == "fixed" for kind in given.kinds.split(",")):
        for circuit, stages, *steps in ROWS:
            known = {circuit.__name__, f"{circuit.__name__}:{stages}"}
            if given.circuits and known.isdisjoint(given.circuits):
                continue
            count = max(2, round(steps[0 if fixed else 1] * given.part))
            spice, own, apart = measure(given.linnet, circuit, stages, count, fixed, given.runs)
            ratio = None if spice is None or own is None else spice / max(own, 1e-3)
            rows.append([circuit.__name__, str(stages), str(count), "fixed" if fixed else "adaptive",
                         show(spice, ".3f"), show(own, ".3f"), show(ratio, ".2f"), show(apart, ".1e")])
            print("| " + " | ".join(rows[-1]) + " |", flush=True)
    if given.csv:
        with open(given.csv, "w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows(rows)


main()
