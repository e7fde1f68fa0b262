#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Work against precision: what each adaptive method takes for the same error.

usage: precision.py [--linnet PROGRAM] [--runs N] [--methods a,b,...] [--tolerances 1e-2,...] [PROBLEM ...]

Each problem is run by each method at several tolerances, and by radau5 at 1e-9 for the truth. The
error is that of the recorded signals at 400 even times: largest difference over the signal's range.
Work is user seconds of the whole process, the least of N runs. For errors of 1e-2, 1e-3, 1e-4 and
1e-5 the work between two runs is interpolated by logarithms; what a method does not reach is left
out. Everything is printed as Markdown.
"""
import argparse
import csv
import math
import os
import resource
import subprocess
import tempfile

import decks

HERE = os.path.dirname(os.path.abspath(__file__))
EXAMPLES = os.path.join(HERE, "..", "models", "examples")
POINTS = 401
LEVELS = (1e-2, 1e-3, 1e-4, 1e-5)

# of each circuit: its size, the end of the run, the largest step
DECKS = {"inverters": (decks.inverters, 60, 8e-9, 1.6e-10), "ring": (decks.ring, 5, 20e-9, 1e-9),
         "diodes": (decks.diodes, 100, 3e-6, 6e-8), "amplifiers": (decks.amplifiers, 40, 60e-6, 2e-6),
         "bridge": (decks.bridge, 1, 0.4, 8e-4), "boost": (decks.boost, 1, 400e-6, 4e-6),
         "mesh": (decks.mesh, 30, 4e-9, 4e-10), "ladder": (decks.ladder, 2000, 4e-6, 4e-7)}
MODELS = {"hires": "stiff/hires", "vdpol": "stiff/van-der-pol-scaled", "transamp": "stiff/transistor-amplifier",
          "pleiades": "stiff/pleiades", "beam": "stiff/beam", "servo": "mixed/servo-drive",
          "induction": "mixed/induction-start"}


def prepare(name, folder):
    """The model's file and the options that belong to it."""
    if name in MODELS:
        return os.path.join(EXAMPLES, MODELS[name] + ".xml"), []
    circuit, size, end, most = DECKS[name]
    text, probe, _ = circuit(size)
    path = os.path.join(folder, name + ".cir")
    with open(path, "w", encoding="utf-8") as deck:
        deck.write(f"{name}\n{text}.print tran v({probe})\n.tran {most:g} {end:g}\n.end\n")
    return path, ["--step", f"{most:g}"]


def run(linnet, model, options, method, tolerance, out, runs):
    """User seconds, the least of some runs; None when it fails."""
    best = None
    for _ in range(runs):
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        done = subprocess.run([linnet, "run", model, "-q", "-m", method, "-t", str(tolerance), "--points", str(POINTS),
                               "--max-seconds", "60", "-o", out] + options, capture_output=True, check=False)
        taken = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        if done.returncode != 0:
            return None
        best = taken if best is None else min(best, taken)
    return best


def load(path):
    rows = {}
    with open(path, encoding="utf-8") as table:
        lines = csv.reader(table)
        next(lines)
        for line in lines:
            rows.setdefault(float(line[0]), [float(x) for x in line[1:]])
    return rows


def error(rows, truth):
    worst = 0
    for k in range(len(next(iter(truth.values())))):
        column = [values[k] for values in truth.values()]
        span = max(column) - min(column)
        if span > 0:
            worst = max([worst] + [abs(rows[t][k] - truth[t][k]) / span for t in truth if t in rows])
    return worst


def at_level(points, level):
    """Work for an error of `level`, between the two runs around it; the cheapest run below it if all are."""
    below = [p for p in points if p[1] <= level]
    if not below:
        return None
    cheap = min(below)
    above = [p for p in points if p[1] > level and p[0] < cheap[0]]
    if not above or cheap[1] <= 0:
        return cheap[0]
    other = max(above)
    part = math.log(level / cheap[1]) / math.log(other[1] / cheap[1])
    return cheap[0] * (other[0] / cheap[0]) ** part


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--linnet", default=os.environ.get("LINNET", "linnet"))
    arguments.add_argument("--runs", type=int, default=3)
    arguments.add_argument("--methods", default="radau5,tr-bdf2,bdf2,crank-nicolson,ida")
    arguments.add_argument("--tolerances", default="1e-1,1e-2,1e-3,1e-4,1e-5,1e-6")
    arguments.add_argument("problems", nargs="*", default=list(DECKS) + list(MODELS))
    given = arguments.parse_args()
    methods, tolerances = given.methods.split(","), given.tolerances.split(",")
    summary = []
    with tempfile.TemporaryDirectory() as folder:
        for name in given.problems:
            model, options = prepare(name, folder)
            out = os.path.join(folder, "out.csv")
            if run(given.linnet, model, options, "radau5", 1e-9, out, 1) is None:
                print(f"{name}: no tight run")
                continue
            truth, points = load(out), {}
            print(f"\n{name}: user seconds / error\n\n| tolerance | " + " | ".join(methods) + " |\n" + "|---" * (len(methods) + 1) + "|")
            for tolerance in tolerances:
                cells = []
                for method in methods:
                    taken = run(given.linnet, model, options, method, tolerance, out, given.runs)
                    if taken is not None:
                        points.setdefault(method, []).append((max(taken, 1e-3), error(load(out), truth)))
                    cells.append("stops" if taken is None else "%.3f / %.1e" % (taken, points[method][-1][1]))
                print(f"| {tolerance} | " + " | ".join(cells) + " |", flush=True)
            for level in LEVELS:
                work = {m: at_level(points.get(m, []), level) for m in methods}
                summary.append((name, level, work))
    print("\nAt equal error, in units of radau5's work (user seconds):\n\n| problem, error | radau5 s | " + " | ".join(methods[1:]) + " |\n" +
          "|---" * (len(methods) + 1) + "|")
    for name, level, work in summary:
        first = work[methods[0]]
        cells = ["-" if work[m] is None or first is None else "%.1f" % (work[m] / first) for m in methods[1:]]
        print(f"| {name} {level:g} | " + ("-" if first is None else "%.3f" % first) + " | " + " | ".join(cells) + " |")


main()
