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

HERE = os.path.dirname(os.path.abspath(__file__))
EXAMPLES = os.path.join(HERE, "..", "models", "examples")
POINTS = 401
LEVELS = (1e-2, 1e-3, 1e-4, 1e-5)

MOS = """.model n NMOS(level=1 vto=0.6 kp=120u gamma=0.4 phi=0.7 lambda=0.06 tox=8n cgso=0.25n cgdo=0.25n cj=0.6m)
.model p PMOS(level=1 vto=-0.7 kp=45u gamma=0.5 phi=0.7 lambda=0.08 tox=8n cgso=0.25n cgdo=0.25n cj=0.7m)
VDD vdd 0 3.3
"""


def inverter(k, a, b):
    return (f"MP{k} {b} {a} vdd vdd p w=5u l=0.5u ad=5p as=5p\n"
            f"MN{k} {b} {a} 0 0 n w=2u l=0.5u ad=2p as=2p\nC{k} {b} 0 10f\n")


def inverters():
    chain = "".join(inverter(k, f"n{k - 1}", f"n{k}") for k in range(1, 61))
    return MOS + "V1 n0 0 PULSE(0 3.3 0.2n 0.1n 0.1n 1.9n 4n)\n" + chain, "n20", 8e-9, 1.6e-10


def ring():
    loop = "".join(inverter(k, f"n{k}", f"n{k % 5 + 1}") for k in range(1, 6))
    return MOS + "IK 0 n1 PULSE(0 200u 50p 20p 20p 400p 1)\n" + loop, "n1", 20e-9, 1e-9


def diodes():
    line = ".model d D(is=1e-13 n=1.05 cjo=2p m=0.4 vj=0.8 tt=1n)\nV1 in 0 SIN(0 5 5meg)\nR0 in n0 50\n"
    line += "".join(f"R{k} n{k - 1} n{k} 10\nC{k} n{k} 0 1p\nD{k} n{k} 0 d\n" for k in range(1, 101))
    return line, "n25", 3e-6, 6e-8


def amplifiers():
    text = ".model q NPN(is=1e-15 bf=120 vaf=80 rb=50 cje=1.2p cjc=0.8p tf=0.3n)\nVCC vcc 0 12\nV1 c0 0 SIN(0 0.5 100k)\n"
    for k in range(1, 41):
        text += (f"CC{k} c{k - 1} b{k} 100n\nRA{k} vcc b{k} 82k\nRB{k} b{k} 0 22k\nQ{k} c{k} b{k} e{k} q\n"
                 f"RC{k} vcc c{k} 2.2k\nRE{k} e{k} 0 2k\n")
    return text, "c40", 60e-6, 2e-6


def bridge():
    return (".model d D(is=76.9p rs=42m n=1.45 cjo=26.5p m=0.333)\nV1 a b SIN(0 20 50)\nD1 a o d\nD2 m a d\nD3 b o d\n"
            "D4 m b d\nC1 o m 100u\nR1 o m 1k\nR2 b 0 1meg\nR3 m 0 1meg\n"), "o", 0.4, 8e-4


def boost():
    return (".model s SW(ron=0.05 roff=1meg vt=2.5 vh=0.5)\n.model d D(is=1e-12 rs=20m n=1.1 cjo=100p)\nV1 in 0 12\n"
            "L1 in x 47u\nRL in x 100k\nS1 x 0 g 0 s\nVG g 0 PULSE(0 5 0 20n 20n 4u 10u)\nD1 x o d\nCX x 0 50p\n"
            "C1 o 0 22u\nR1 o 0 20\n"), "o", 400e-6, 4e-6


def mesh():
    side, text = 30, "V1 vdd 0 1.8\nL1 vdd n0_0 0.5n\n"
    for i in range(side):
        for j in range(side):
            text += f"C{i}_{j} n{i}_{j} 0 1p\n"
            text += f"Rv{i}_{j} n{i}_{j} n{i + 1}_{j} 0.5\n" if i + 1 < side else ""
            text += f"Rh{i}_{j} n{i}_{j} n{i}_{j + 1} 0.5\n" if j + 1 < side else ""
            if (i * 31 + j * 17) % 53 == 5:
                text += f"I{i}_{j} n{i}_{j} 0 PULSE(0 20m {0.2 + 0.5 * ((i + j) % 4):g}n 0.1n 0.1n 0.3n 2n)\n"
    return text, "n15_15", 4e-9, 4e-10


def ladder():
    return ("V1 n0 0 PWL(0 0 1n 1)\n" +
            "".join(f"R{k} n{k - 1} n{k} 0.5\nC{k} n{k} 0 0.5p\n" for k in range(1, 2001))), "n2000", 4e-6, 4e-7


DECKS = {"inverters": inverters, "ring": ring, "diodes": diodes, "amplifiers": amplifiers, "bridge": bridge,
         "boost": boost, "mesh": mesh, "ladder": ladder}
MODELS = {"hires": "stiff/hires", "vdpol": "stiff/van-der-pol-scaled", "transamp": "stiff/transistor-amplifier",
          "pleiades": "stiff/pleiades", "beam": "stiff/beam", "servo": "mixed/servo-drive",
          "induction": "mixed/induction-start"}


def prepare(name, folder):
    """The model's file and the options that belong to it."""
    if name in MODELS:
        return os.path.join(EXAMPLES, MODELS[name] + ".xml"), []
    text, probe, end, most = DECKS[name]()
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
