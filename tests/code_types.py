#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every type of the catalogue as generated code beside the simulator: the example that `linnet blocks` shows of it, with sines at
all that it is joined to, and all that can be recorded of it recorded.

usage: code_types.py LINNET FOLDER [TYPE]...

Compiled and compared as random models are (random_code.py), by Crank-Nicolson, backward Euler and rk4. One line is printed of each
that warns, stops on one side alone, differs, or is refused otherwise than ELSEWHERE and the methods say."""
import collections
import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ET

import random_code

DURATION, STEP = 0.2, 2e-4
PHYSICAL = "it is physical"  # what rk4 says

# What is tried elsewhere, and why not here.
ELSEWHERE = {
    "fmu": "runs foreign code: the one type that generated code refuses",
    "ideal-op-amp": "its example is no circuit without feedback (models/examples/electrical/inverting-amplifier.xml)",
    "lossy-gear": "between two driven shafts no start is found (tests/test_rotational.c)",
    "ramped-voltage": "a source that a deck is given, here across a capacitor",
    "variable-capacitor": "two farads beside 2 uF: the simulation splits their current otherwise at instants",
}
# Where no signal jumps, a run by an explicit method tells the left side of an instant and the code the right one: parts of these
# waveforms jump at a corner of the whole.
LEFT = {"triangle", "trapezoid"}
# the code says so, too, and stops as the run does
STOPS = {"assert-condition", "check-valve"}
CONDITIONS = "holds what is no signal"  # of devices, such as vbe: the code gives their currents and voltages

# a link of a domain: driven through a resistance by a sine, with a storage
DOMAINS = {
    "electrical": '<resistor id="{0}_r" p="{0}" n="{0}_s" R="50 Ohm"/><capacitor id="{0}_c" p="{0}" n="{2}" C="2 uF"/>'
    '<sine-voltage id="{0}_v" p="{0}_s" n="{2}" amplitude="3 V" frequency="{1}" offset="1 V"/>',
    "translational": '<damper id="{0}_r" p="{0}" n="{0}_s" d="20 N.s/m"/><mass id="{0}_c" p="{0}" m="0.1 kg"/>'
    '<sine-velocity id="{0}_v" p="{0}_s" n="{2}" amplitude="0.1 m/s" frequency="{1}"/>',
    "rotational": '<rotational-damper id="{0}_r" p="{0}" n="{0}_s" d="0.5 N.m.s/rad"/><inertia id="{0}_c" p="{0}" J="2 g.m^2"/>'
    '<sine id="{0}_o" out="{0}_w" amplitude="20" frequency="{1}" offset="8"/>'
    '<signal-speed id="{0}_v" p="{0}_s" n="{2}" in="{0}_w"/>',
    "hydraulic": '<pipe-resistance id="{0}_r" p="{0}" n="{0}_s" R="1 MPa.s/kg"/><fluid-volume id="{0}_c" p="{0}" V="1 l"/>'
    '<sine id="{0}_o" out="{0}_w" amplitude="2e6" frequency="{1}" offset="5e6"/>'
    '<signal-pressure id="{0}_v" p="{0}_s" n="{2}" in="{0}_w"/>',
    "thermal": '<thermal-resistance id="{0}_r" p="{0}" n="{0}_s" R="0.5 K/W"/><heat-capacity id="{0}_c" p="{0}" C="0.05 J/K"/>'
    '<sine-temperature id="{0}_v" p="{0}_s" n="{2}" amplitude="30 K" frequency="{1}" offset="310 K"/>',
    "magnetic": '<reluctance id="{0}_r" p="{0}" n="{0}_s" R="1e6 A/Wb"/>'
    '<sine id="{0}_o" out="{0}_w" amplitude="300" frequency="{1}"/><signal-mmf id="{0}_v" p="{0}_s" n="{2}" in="{0}_w"/>',
}
GROUNDS = {
    "electrical": "ground",
    "translational": "fixed-point",
    "rotational": "fixed-shaft",
    "hydraulic": "vacuum",
    "thermal": "absolute-zero",
    "magnetic": "magnetic-ground",
}
# types whose inputs must be above zero
POSITIVE = set(
    "log log10 sqrt division reciprocal variable-capacitor variable-inductor variable-resistor variable-conductor"
    " signal-conductance variable-delay power standard-atmosphere multi-switch".split()
)
# what is in units of rounding: of accelerations, in 1e-15 m/s^2, and of the equations in which they stand (library/friction.xml)
ROUNDED = ("fine", "motion", "held")
# types whose inputs are vectors of so many elements, 2 x 2 matrices, or a matrix that turns axes
SQUARE, TURN = "square", "turn"
SHAPES = {"cross": 3, "dot": 3, "demux": 6, "matrix-gain": 2, "norm": 3, "reshape": 6, "selector": 3, "quaternion-rates": 4}
SHAPES.update({f"{what}-of-elements": 3 for what in ("max", "min", "product", "sum")})
SHAPES.update({"quaternion-to-euler": 4, "quaternion-to-matrix": 4, "transpose": SQUARE, "matrix-product": SQUARE})
SHAPES.update({"matrix-to-euler": TURN, "matrix-to-quaternion": TURN})


def shape_of(kind, port, link):
    """Of an input: elements of a vector, a matrix, or None."""
    if (kind, port) in (("quaternion-rates", "wx"), ("quaternion-rates", "wy"), ("quaternion-rates", "wz")):
        return None
    return 2 if (kind, link) == ("matrix-product", "x") else SHAPES.get(kind)


class Model:
    """The example of a type and what drives it, as XML."""

    def __init__(self, block):
        self.kind, self.lines, self.driven, self.domains, self.record, self.sines = block["name"], [], set(), set(), [], 0
        element = ET.fromstring(block["example"])
        name = element.get("id").replace(".", "_")
        element.set("id", name)
        if self.kind == "quaternion-rates":
            element.set("wy", "rate")  # its example has a q of each kind
        for port in block["ports"]:
            self.join(element, port)
        self.lines.append(ET.tostring(element, encoding="unicode"))
        for domain in sorted(self.domains):
            if self.kind != GROUNDS[domain]:
                self.lines.append(f'<{GROUNDS[domain]} id="ground_{domain}" p="g_{domain}"/>')
        self.own = [f"{name}.{one['name']}" for one in block["recorded"] if one["name"] not in ROUNDED]

    def join(self, element, port):
        links = element.get(port["name"])
        if links is None and port["role"] == "output":
            links = "x_" + port["name"]
        links = (links or "").split()
        if port["domain"] != "signal" and links:
            self.domains.add(port["domain"])
            links = ["g_" + port["domain"] if link == "0" else link for link in links]
        if links:
            element.set(port["name"], " ".join(links))
        for link in links:
            if port["role"] == "output":
                self.record.append(link)
            elif not link.startswith("g_") and link not in self.driven:
                self.driven.add(link)
                self.drive(port, link)

    def frequency(self):
        self.sines += 1
        return repr(round(11 * (1 + 0.37 * self.sines), 3))

    def sine(self, link, amplitude, offset):
        frequency = self.frequency()
        self.lines.append(f'<sine id="s_{link}" out="{link}" amplitude="{amplitude}" frequency="{frequency}" offset="{offset}"/>')

    def drive(self, port, link):
        shape = shape_of(self.kind, port["name"], link)
        if port["domain"] != "signal":
            if self.kind not in GROUNDS.values():
                self.lines.append(DOMAINS[port["domain"]].format(link, self.frequency(), "g_" + port["domain"]))
            self.record.append(link)
        elif shape is not None:
            self.fill(link, shape)
        else:
            self.sine(link, *((0.9, 2) if self.kind in POSITIVE else (0.8, 0.1)))

    def fill(self, link, shape):
        parts = [f"{link}_{k}" for k in range({SQUARE: 4, TURN: 3}.get(shape, shape))]
        for part in parts:
            self.sine(part, 0.5, 0.4)
        if shape == TURN:
            angles = " ".join(f'{angle}="{part}"' for angle, part in zip(("roll", "pitch", "yaw"), parts))
            self.lines.append(f'<euler-to-matrix id="m_{link}" {angles} out="{link}"/>')
            return
        vector = link + "_v" if shape == SQUARE else link
        self.lines.append(f'<mux id="m_{link}" in="{" ".join(parts)}" out="{vector}"/>')
        if shape == SQUARE:
            self.lines.append(f'<reshape id="r_{link}" in="{vector}" rows="2" columns="2" out="{link}"/>')

    def write(self, path, own):
        record = " ".join(dict.fromkeys(self.record + own))
        with open(path, "w", encoding="utf-8") as file:
            file.write('<model name="one type">\n' + "\n".join(self.lines))
            file.write(f'\n<simulation duration="{DURATION}" step="{STEP}"/>\n')
            file.write((f'<record signals="{record}"/>\n' if record else "") + "</model>\n")


def try_method(trial, path, model, method):
    """What there is to tell, and what was counted."""
    sides = [] if method == "rk4" and model.kind in LEFT else [model.own]
    for own in (*sides, [name for name in model.own if name.endswith((".i", ".v", ".P"))]):
        model.write(path, own)
        trial.counts = collections.Counter()
        note = trial.compare(path, method, STEP, DURATION)
        counted = " ".join(trial.counts)
        if CONDITIONS not in counted:
            break
    return note, counted


def unexpected(name, method, counted):
    if counted == "compared" or (counted == "both stop" and name in STOPS):
        return None
    return None if method == "rk4" and PHYSICAL in counted else counted or "nothing was tried"


def main():
    linnet, folder, wanted = os.path.abspath(sys.argv[1]), sys.argv[2], sys.argv[3:]
    trial = random_code.Trial(linnet, folder)
    blocks = json.loads(subprocess.run([linnet, "blocks", "--format", "json"], capture_output=True, check=True).stdout)
    tried = told = 0
    for block in blocks:
        name = block["name"]
        if name in ELSEWHERE or (wanted and name not in wanted):
            continue
        tried += 1
        model, path = Model(block), os.path.join(folder, f"t_{name}.xml")
        for method in random_code.METHODS:
            note, counted = try_method(trial, path, model, method)
            note = note or unexpected(name, method, counted)
            if note:
                print(name, method, note, flush=True)
                told += 1
    print(f"{tried} types, something to tell of {told}")
    sys.exit(told > 0)


if __name__ == "__main__":
    main()
