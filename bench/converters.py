#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Converters, each with four kinds of switches and diodes, over tolerances: `make bench-converters`.

usage: converters.py [--linnet PROGRAM] [--periods N] [--tolerances 1e-3,1e-4] [--kinds mos,plain]
                     [--methods radau5,tr-bdf2] [--seconds S] [CONVERTER ...]

Kinds: `ideal` is a model in XML with ideal switches and diodes, the others are decks: SPICE's S and
D without charge (`plain`), with it (`charge`), and MOS transistors with gate edges of 1 ns and a
body diode (`mos`). Every one runs with no option but the tolerance, and the method where one is
asked for. Each row tells how it ended, the steps a period, the seconds, the lowest and highest
potential, and how far the potentials are from those of the first method's run at the tightest
tolerance that ended, at even times, as a part of the range of all: at most, and at 99 % of the
times (an edge that is a little early is off by its height). A run that stops says where. The exit
status is 1 when a run stopped.
"""
import argparse
import csv
import os
import re
import subprocess
import sys
import tempfile
import time

TIMES = 500     # at which two runs are compared
KINDS = ("ideal", "plain", "charge", "mos")
MODELS = {
    "plain": ".model sw sw(ron=10m roff=1meg vt=0.5 vh=0.1)\n.model dd d(is=1n n=1.2 rs=10m)\n",
    "charge": ".model sw sw(ron=10m roff=1meg vt=0.5 vh=0.1)\n"
              ".model dd d(is=1n n=1.2 rs=10m cjo=200p vj=0.6 m=0.4 tt=10n)\n",
    "mos": ".model nm nmos(level=1 vto=3 kp=20 rd=5m rs=5m cgso=50n cgdo=5n)\n"
           ".model dd d(is=1n n=1.2 rs=10m cjo=200p vj=0.6 m=0.4 tt=10n)\n"}


class Circuit:
    """Collects elements, and writes them as a deck or as XML."""

    def __init__(self, kind, period):
        self.kind, self.period, self.lines, self.nodes = kind, period, [], set()

    def put(self, deck, xml, *nodes):
        self.nodes.update(nodes)
        self.lines.append(xml if self.kind == "ideal" else deck)

    def two(self, kind, letter, name, a, b, value):
        self.put(f"{letter}{name} {a} {b} {value}",
                 f"<{kind} id='{letter}{name}' p='{a}' n='{b}' {letter}='{value}'/>", a, b)

    def source(self, name, a, b, volts):
        self.two("voltage-source", "V", name, a, b, volts)

    def sine(self, name, a, b, amplitude, hertz, degrees=0):
        self.put(f"V{name} {a} {b} SIN(0 {amplitude} {hertz} 0 0 {degrees})",
                 f"<sine-voltage id='V{name}' p='{a}' n='{b}' amplitude='{amplitude}' "
                 f"frequency='{hertz}' phase='{degrees}*pi/180'/>", a, b)

    def resistor(self, name, a, b, ohm):
        self.two("resistor", "R", name, a, b, ohm)

    def coil(self, name, a, b, henry):
        self.two("inductor", "L", name, a, b, henry)

    def capacitor(self, name, a, b, farad):
        self.two("capacitor", "C", name, a, b, farad)

    def windings(self, name, coupling, *coils):
        """coils: (begin, end, henry)"""
        ends = [list(c) for c in zip(*coils)]
        text = "\n".join(f"L{name}{k} {a} {b} {h}" for k, (a, b, h) in enumerate(coils))
        pairs = [(i, j) for i in range(len(coils)) for j in range(i)]
        text += "".join(f"\nK{name}{i}{j} L{name}{i} L{name}{j} {coupling}" for i, j in pairs)
        self.put(text, f"<coupled-windings id='T{name}' p='{' '.join(ends[0])}' "
                 f"n='{' '.join(ends[1])}' L='{' '.join(map(str, ends[2]))}' K='{coupling}'/>",
                 *ends[0], *ends[1])

    def diode(self, name, a, k):
        self.put(f"D{name} {a} {k} dd",
                 f"<ideal-diode id='D{name}' p='{a}' n='{k}' Ron='10e-3' Goff='1e-6' "
                 "Vknee='0.7'/>", a, k)

    def switch(self, name, a, b, delay, width, period=None):
        """Closed from `delay` on for `width`, in parts of the period; a is the positive side."""
        period = period or self.period
        times = [f"{t:.9g}" for t in (delay * period, width * period, period)]
        edge = 1e-9 if self.kind == "mos" else 10e-9
        if self.kind == "mos":
            text = (f"V{name} g{name} {b} "
                    f"PULSE(0 12 {times[0]} {edge} {edge} {times[1]} {times[2]})\n"
                    f"M{name} {a} g{name} {b} {b} nm w=1 l=1\nDX{name} {b} {a} dd")
        else:
            text = (f"V{name} g{name} 0 "
                    f"PULSE(0 1 {times[0]} {edge} {edge} {times[1]} {times[2]})\n"
                    f"S{name} {a} {b} g{name} 0 sw")
            text += f"\nCS{name} {a} {b} 100p" if self.kind == "charge" else ""
        self.put(text, f"<pulse id='P{name}' out='g{name}' delay='{times[0]}' width='{times[1]}' "
                 f"period='{times[2]}'/><ideal-switch id='S{name}' p='{a}' n='{b}' in='g{name}' "
                 "Ron='10e-3' Goff='1e-6'/>", a, b)

    def leg(self, name, top, middle, bottom, shift=0.0, duty=0.47):
        """A half bridge with its diodes."""
        self.switch(f"{name}1", top, middle, 0.01 + shift, duty)
        self.switch(f"{name}2", middle, bottom, (0.51 + shift) % 1, duty)
        if self.kind != "mos":
            self.diode(f"{name}1", middle, top)
            self.diode(f"{name}2", bottom, middle)

    def text(self, end):
        nodes = sorted(self.nodes - {"0"})
        if self.kind == "ideal":
            return (f"<model xmlns='urn:linnet:model:1'><ground id='gnd' p='0'/>"
                    f"{''.join(self.lines)}<simulation duration='{end:.9g}'/>"
                    f"<record signals='{' '.join(nodes)}'/></model>\n")
        lines = "\n".join(self.lines)
        prints = " ".join(f"v({n})" for n in nodes)
        return (f"* converter\n{MODELS[self.kind]}{lines}\n"
                f".tran {self.period / 100:.9g} {end:.9g} uic\n"
                f".print tran {prints}\n.end\n")


def buck(c, ohm=2):
    c.source("I", "in", "0", 24)
    c.switch("1", "in", "sw", 0, 0.4)
    c.diode("1", "0", "sw")
    c.coil("1", "sw", "out", 47e-6)
    c.capacitor("1", "out", "0", 100e-6)
    c.resistor("1", "out", "0", ohm)


def buck_dcm(c):
    buck(c, 200)


def boost(c, ohm=10):
    c.source("I", "in", "0", 12)
    c.coil("1", "in", "sw", 47e-6)
    c.switch("1", "sw", "0", 0, 0.5)
    c.diode("1", "sw", "out")
    c.capacitor("1", "out", "0", 47e-6)
    c.resistor("1", "out", "0", ohm)


def boost_dcm(c):
    boost(c, 500)


def flyback(c):
    c.source("I", "in", "0", 48)
    c.windings("1", 0.99, ("in", "sw", 100e-6), ("0", "s", 25e-6))
    c.switch("1", "sw", "0", 0, 0.4)
    c.diode("C", "sw", "cl")
    c.capacitor("C", "cl", "in", 10e-9)
    c.resistor("C", "cl", "in", 5e3)
    c.diode("1", "s", "out")
    c.capacitor("1", "out", "0", 100e-6)
    c.resistor("1", "out", "0", 5)


def forward(c):
    c.source("I", "in", "0", 48)
    c.windings("1", 0.995, ("in", "sw", 400e-6), ("0", "re", 400e-6), ("s", "0", 100e-6))
    c.switch("1", "sw", "0", 0, 0.4)
    c.resistor("S", "sw", "sn", 47)
    c.capacitor("S", "sn", "0", 1e-9)
    c.diode("R", "re", "in")
    c.diode("1", "s", "f")
    c.diode("2", "0", "f")
    c.coil("1", "f", "out", 22e-6)
    c.capacitor("1", "out", "0", 100e-6)
    c.resistor("1", "out", "0", 2)


def two_switch_forward(c):
    c.source("I", "in", "0", 300)
    c.switch("1", "in", "a", 0, 0.4)
    c.switch("2", "b", "0", 0, 0.4)
    c.diode("A", "0", "a")
    c.diode("B", "b", "in")
    c.windings("1", 0.998, ("a", "b", 2e-3), ("s", "0", 80e-6))
    c.diode("1", "s", "f")
    c.diode("2", "0", "f")
    c.coil("1", "f", "out", 22e-6)
    c.capacitor("1", "out", "0", 100e-6)
    c.resistor("1", "out", "0", 2)


def interleaved(c):
    c.source("I", "in", "0", 24)
    for k, shift in enumerate((0, 1 / 3, 2 / 3)):
        c.switch(f"{k}", "in", f"sw{k}", shift, 0.3)
        c.diode(f"{k}", "0", f"sw{k}")
        c.coil(f"{k}", f"sw{k}", "out", 47e-6)
    c.capacitor("1", "out", "0", 100e-6)
    c.resistor("1", "out", "0", 1)


def cuk(c):
    c.source("I", "in", "0", 12)
    c.coil("1", "in", "a", 100e-6)
    c.switch("1", "a", "0", 0, 0.45)
    c.capacitor("1", "a", "b", 4.7e-6)
    c.diode("1", "b", "0")
    c.coil("2", "b", "out", 100e-6)
    c.capacitor("2", "out", "0", 47e-6)
    c.resistor("1", "out", "0", 10)


def half_bridge(c):
    c.source("I", "in", "0", 200)
    c.capacitor("A", "in", "m", 10e-6)
    c.capacitor("B", "m", "0", 10e-6)
    c.resistor("A", "in", "m", 1e5)
    c.resistor("B", "m", "0", 1e5)
    c.leg("A", "in", "a", "0", duty=0.4)
    c.windings("1", 0.999, ("a", "m", 1e-3), ("s1", "0", 40e-6), ("0", "s2", 40e-6))
    c.diode("1", "s1", "r")
    c.diode("2", "s2", "r")
    c.coil("1", "r", "out", 20e-6)
    c.capacitor("1", "out", "0", 100e-6)
    c.resistor("1", "out", "0", 2)


def sepic(c):
    c.source("I", "in", "0", 12)
    c.coil("1", "in", "a", 47e-6)
    c.switch("1", "a", "0", 0, 0.45)
    c.capacitor("1", "a", "b", 10e-6)
    c.coil("2", "b", "0", 47e-6)
    c.diode("1", "b", "out")
    c.capacitor("2", "out", "0", 47e-6)
    c.resistor("1", "out", "0", 10)


def full_bridge(c):
    c.source("I", "in", "0", 200)
    c.leg("A", "in", "a", "0")
    c.leg("B", "in", "b", "0", 0.3)
    c.resistor("P", "a", "p1", 0.05)
    c.coil("P", "p1", "p", 2e-6)
    c.windings("1", 0.999, ("p", "b", 1e-3), ("s1", "0", 40e-6), ("0", "s2", 40e-6))
    c.diode("1", "s1", "r")
    c.diode("2", "s2", "r")
    c.resistor("S", "r", "rs", 50)
    c.capacitor("S", "rs", "0", 1e-9)
    c.coil("1", "r", "out", 20e-6)
    c.capacitor("1", "out", "0", 100e-6)
    c.resistor("1", "out", "0", 2)


def llc(c):
    c.source("I", "in", "0", 400)
    c.leg("A", "in", "a", "0")
    c.coil("R", "a", "b", 60e-6)
    c.windings("1", 0.999, ("b", "c", 300e-6), ("s1", "0", 5e-6), ("0", "s2", 5e-6))
    c.capacitor("R", "c", "0", 42e-9)
    c.diode("1", "s1", "out")
    c.diode("2", "s2", "out")
    c.capacitor("1", "out", "0", 47e-6)
    c.resistor("1", "out", "0", 4)


def bridge(c, a, b, p, n):
    for name, anode, cathode in (("1", a, p), ("2", b, p), ("3", n, a), ("4", n, b)):
        c.diode(f"B{name}", anode, cathode)


def pfc(c):
    c.sine("I", "a", "b", 325, 2000)
    c.resistor("G", "b", "0", 1e5)
    bridge(c, "a", "b", "p", "0")
    c.capacitor("P", "p", "0", 100e-9)
    c.coil("1", "p", "sw", 200e-6)
    c.switch("1", "sw", "0", 0, 0.4)
    c.diode("1", "sw", "out")
    c.capacitor("1", "out", "0", 47e-6)
    c.resistor("1", "out", "0", 200)


def class_d(c):
    c.source("P", "in", "0", 30)
    c.source("N", "0", "low", 30)
    c.leg("A", "in", "a", "low", duty=0.45)
    c.coil("1", "a", "out", 22e-6)
    c.capacitor("1", "out", "0", 0.68e-6)
    c.resistor("1", "out", "0", 8)


def charge_pump(c):
    c.source("I", "in", "0", 5)
    c.leg("A", "in", "a", "0")
    c.diode("1", "in", "m")
    c.resistor("F", "a", "f", 0.5)
    c.capacitor("F", "f", "m", 1e-6)
    c.diode("2", "m", "out")
    c.capacitor("1", "out", "0", 4.7e-6)
    c.resistor("1", "out", "0", 500)


def phase_controlled(c):
    hertz = 1 / c.period
    c.sine("I", "a0", "0", 325, hertz)
    c.resistor("I", "a0", "a1", 0.1)
    c.coil("I", "a1", "a", 500e-6)
    c.switch("1", "a", "k", 0.15, 0.4)
    c.diode("1", "k", "p")
    c.diode("2", "0", "p")
    c.coil("1", "p", "out", 20e-3)
    c.resistor("1", "out", "0", 10)


def six_pulse(c):
    hertz = 1 / c.period
    for k, phase in enumerate("abc"):
        c.sine(phase, phase, "0", 325, hertz, -120 * k)
        c.coil(phase, phase, f"{phase}1", 200e-6)
        c.diode(f"P{phase}", f"{phase}1", "p")
        c.diode(f"N{phase}", "n", f"{phase}1")
    c.coil("1", "p", "q", 2e-3)
    c.capacitor("1", "q", "n", 1e-3)
    c.resistor("1", "q", "n", 20)
    c.resistor("N", "n", "0", 1e6)


def vienna(c):
    hertz = 0.05 / c.period
    for k, phase in enumerate("abc"):
        c.sine(phase, phase, "0", 325, hertz, -120 * k)
        c.coil(phase, phase, f"{phase}1", 1e-3)
        c.diode(f"P{phase}", f"{phase}1", "p")
        c.diode(f"N{phase}", "n", f"{phase}1")
        c.diode(f"1{phase}", f"{phase}1", f"{phase}2")
        c.diode(f"2{phase}", "m", f"{phase}2")
        c.diode(f"3{phase}", f"{phase}3", f"{phase}1")
        c.diode(f"4{phase}", f"{phase}3", "m")
        c.switch(f"S{phase}", f"{phase}2", f"{phase}3", 0.01, 0.4)
    c.capacitor("P", "p", "m", 100e-6)
    c.capacitor("N", "m", "n", 100e-6)
    c.resistor("P", "p", "m", 50)
    c.resistor("N", "m", "n", 50)
    c.resistor("0", "m", "0", 1e6)


def multiplier(c):
    """Cockcroft and Walton's, four stages."""
    c.sine("I", "u0", "0", 100, 1 / c.period)
    upper, lower = "u0", "0"
    for k in range(1, 5):
        c.capacitor(f"U{k}", upper, f"u{k}", 100e-9)
        c.diode(f"A{k}", lower, f"u{k}")
        c.diode(f"B{k}", f"u{k}", f"l{k}")
        c.capacitor(f"L{k}", lower, f"l{k}", 100e-9)
        upper, lower = f"u{k}", f"l{k}"
    c.resistor("1", lower, "0", 1e6)


def resonant(c):
    """A series resonance of Q = 1e4 behind a leg, slightly off its frequency."""
    c.source("I", "in", "0", 10)
    c.leg("A", "in", "a", "0")
    c.coil("1", "a", "b", 100e-6)
    c.capacitor("1", "b", "d", 26e-9)
    c.resistor("1", "d", "0", 6.2e-3)


CONVERTERS = {"buck": (buck, 10e-6), "buck-dcm": (buck_dcm, 10e-6), "boost": (boost, 10e-6),
              "boost-dcm": (boost_dcm, 10e-6), "flyback": (flyback, 10e-6),
              "forward": (forward, 10e-6), "sepic": (sepic, 10e-6),
              "full-bridge": (full_bridge, 10e-6), "llc": (llc, 10e-6), "pfc": (pfc, 10e-6),
              "two-switch-forward": (two_switch_forward, 10e-6), "cuk": (cuk, 10e-6),
              "interleaved": (interleaved, 10e-6), "half-bridge": (half_bridge, 10e-6),
              "vienna": (vienna, 50e-6), "multiplier": (multiplier, 20e-6),
              "resonant": (resonant, 10e-6),
              "class-d": (class_d, 4e-6), "charge-pump": (charge_pump, 10e-6),
              "phase-controlled": (phase_controlled, 20e-3), "six-pulse": (six_pulse, 20e-3)}


def sample(path, end):
    """Names, and the columns at even times by straight lines."""
    with open(path, encoding="utf-8") as file:
        reader = csv.reader(file)
        names = next(reader)
        rows = [[float(x) for x in row] for row in reader]
    columns, at = [[] for _ in names], 0
    for k in range(TIMES):
        t = end * (k + 0.5) / TIMES
        while at + 1 < len(rows) and rows[at + 1][0] < t:
            at += 1
        if at + 1 == len(rows):
            break
        a, b = rows[at], rows[at + 1]
        part = (t - a[0]) / (b[0] - a[0]) if b[0] > a[0] else 1
        for i, column in enumerate(columns):
            column.append(a[i] + part * (b[i] - a[i]))
    lows = [min(row[i] for row in rows) for i in range(1, len(names))]
    highs = [max(row[i] for row in rows) for i in range(1, len(names))]
    return columns[1:], min(lows), max(highs)


def run(asked, deck, how, out):
    """how: the method, or "" for the default; the tolerance"""
    began = time.monotonic()
    call = [asked.linnet, "run", deck, "--tolerance", how[1], "-o", out]
    call += ["--method", how[0]] if how[0] else []
    try:
        done = subprocess.run(call, capture_output=True, text=True, timeout=asked.seconds,
                              check=False)
    except subprocess.TimeoutExpired:
        return None, f"beyond {asked.seconds} s", asked.seconds
    said = done.stdout + done.stderr
    steps = re.search(r" in (\d+) steps", said)
    how = "" if done.returncode == 0 else next((x for x in said.split("\n") if "error" in x), said)
    return int(steps.group(1)) if steps else None, how, time.monotonic() - began


def off_by(one, best):
    """The largest distance of two runs, as a part of the range of the better one's potentials."""
    span = max(max(c) for c in best) - min(min(c) for c in best)
    pairs = [abs(x - y) for a, b in zip(one, best) for x, y in zip(a, b)]
    pairs.sort()
    return pairs[-1] / span, pairs[len(pairs) * 99 // 100] / span


def rows(asked, name, kind, folder):
    """Runs one converter by every method at every tolerance; the number of runs that stopped."""
    describe, period = CONVERTERS[name]
    circuit = Circuit(kind, period)
    describe(circuit)
    deck = os.path.join(asked.keep or folder,
                        f"{name}-{kind}.{'xml' if kind == 'ideal' else 'cir'}")
    out = os.path.join(folder, "out.csv")
    with open(deck, "w", encoding="utf-8") as file:
        file.write(circuit.text(asked.periods * period))
    best, failed = None, 0
    for method in asked.methods.split(","):
        for tolerance in reversed(asked.tolerances.split(",")):
            steps, how, seconds = run(asked, deck, (method, tolerance), out)
            row = f"| {name} | {kind} | {method} | {tolerance} | "
            if how or steps is None:
                failed += 1
                print(f"{row}- | {seconds:.1f} | {how} | - |", flush=True)
                continue
            columns, low, high = sample(out, asked.periods * period)
            off = (0, 0) if best is None else off_by(columns, best)
            best = columns if best is None else best
            print(f"{row}{steps / asked.periods:.0f} | {seconds:.1f} | {low:.4g}, {high:.4g} | "
                  f"{off[0]:.1e}, {off[1]:.1e} |", flush=True)
    return failed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--linnet", default=os.environ.get("LINNET", "./linnet"))
    parser.add_argument("--periods", type=int, default=20)
    parser.add_argument("--tolerances", default="1e-3,1e-4,1e-5,1e-7")
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--methods", default="", help="of `linnet run`; the default is its own")
    parser.add_argument("--seconds", type=float, default=60, help="after which a run is given up")
    parser.add_argument("--keep", help="a folder in which the decks stay")
    parser.add_argument("converters", nargs="*")
    asked = parser.parse_args()
    print("| converter | kind | method | tolerance | steps a period | s | lowest, highest [V] | "
          "off, 99 % |")
    print("|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        failed = sum(rows(asked, name, kind, folder)
                     for name in asked.converters or CONVERTERS for kind in asked.kinds.split(","))
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
