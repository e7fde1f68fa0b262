#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random models by every method: each agrees with radau5 at 1e-9, or says why it does not run, within a minute.

usage: random_models.py LINNET FIRST NUMBER FOLDER [physics|plants]

physics, plants: of what engineers build (random_physics.py, random_plants.py).

The model of a seed is always the same. What is told of one stays in FOLDER/mSEED.xml, with one line here. Spared are
models whose solution at 1e-7 differs from that at 1e-9 by 1e-4: such are chaotic, and nobody can agree on them; and loops in which
every method tells that a quantizer without hysteresis chatters: they slide along its edge; and rk45 where it tells
that the model is stiff. Methods of order 2 may lose a part in twenty of the range on long oscillations at 1e-5, rk45 one in
fifty over many impacts; the others, three in a thousand. Where one loses more, and a fifth of that at a hundredth of the
tolerance, the model has added up its errors (many turns or impacts), and the method is right."""
import csv
import os
import subprocess
import sys
import time

import random_physics
import random_plants
from random_physics import between, draw

TOLERANCE, LIMIT = 1e-5, 60
ALLOWED = {"radau5": 3e-3, "ida": 3e-3, "rk45": 2e-2, "tr-bdf2": 5e-2, "bdf2": 5e-2}


def two_of(nodes):
    return draw.sample(nodes, 2)


# ---- electrical networks: sources, a tree of resistors, storage, junctions, a switch ----
def source(period):
    kind = draw.choice(["sine", "pulse", "step"])
    if kind == "sine":
        return f'<sine-voltage id="V1" p="n1" n="0" amplitude="{between(1, 100)}" frequency="{2 / period}"/>'
    if kind == "pulse":
        return (f'<pulse-voltage id="V1" p="n1" n="0" high="{between(1, 50)}" width="{period / 10}" '
                f'period="{period / 4}"/>')
    return f'<step-voltage id="V1" p="n1" n="0" height="{between(1, 50)}"/>'


def junction(k, nodes):
    """With something in series, or it would have to carry currents that there are none of."""
    a, b = two_of(nodes)
    series = f'<resistor id="RS{k}" p="{a}" n="q{k}" R="{between(1, 300)}"/>'
    kind = draw.choice(["diode", "ideal-diode", "zener-diode", "spice-diode", "bjt"])
    if kind == "ideal-diode":
        return f'<ideal-diode id="D{k}" p="{a}" n="{b}"/>'
    if kind == "zener-diode":
        return series + f'<zener-diode id="D{k}" p="q{k}" n="{b}" Bv="5.1 V"/>'
    if kind == "spice-diode":
        return series + (f'<spice-diode id="D{k}" p="q{k}" n="{b}" IS="1e-14" CJO="{between(1e-12, 1e-10)}" '
                         f'TT="{between(1e-9, 1e-7)}"/>')
    if kind == "bjt":
        return series + (f'<resistor id="RB{k}" p="{b}" n="b{k}" R="{between(100, 1e4)}"/>'
                         f'<bjt id="D{k}" c="q{k}" b="b{k}" e="{draw.choice(nodes)}"/>')
    return series + f'<diode id="D{k}" p="q{k}" n="{b}"/>'


def electrical():
    period = between(1e-4, 1e-2)
    nodes = ["0"] + ["n%d" % k for k in range(1, draw.randint(2, 6) + 1)]
    parts = ['<ground id="g" p="0"/>', source(period)]
    for k in range(2, len(nodes)):
        parts.append(f'<resistor id="R{k}" p="{draw.choice(nodes[:k])}" n="n{k}" R="{between(1, 1e4)}"/>')
    for k in range(draw.randint(1, 4)):
        a, b = two_of(nodes)
        parts.append(f'<capacitor id="C{k}" p="{a}" n="{b}" C="{between(1e-9, 1e-5)}"/>')
    for k in range(draw.randint(0, 2)):
        a, b = two_of(nodes)
        parts.append(f'<resistor id="RL{k}" p="{a}" n="l{k}" R="{between(0.1, 100)}"/>'
                     f'<inductor id="L{k}" p="l{k}" n="{b}" L="{between(1e-5, 1e-1)}"/>')
    parts += [junction(k, nodes) for k in range(draw.randint(0, 4))]
    if draw.random() < 0.4:
        a, b = two_of(nodes)
        parts.append(f'<pulse id="ps" out="gate" width="{period / 9}" period="{period / 3.3}"/>'
                     f'<ideal-switch id="S" p="{a}" n="{b}" in="gate"/>')
    return parts, period, nodes[1:]


# ---- masses, springs, friction, stops ----
def mechanical():
    duration = between(1, 20)
    masses = ["n%d" % k for k in range(1, draw.randint(1, 4) + 1)]
    places = ["0"] + masses
    parts = ['<fixed-point id="g" p="0"/>']
    for k, place in enumerate(masses):
        parts.append(f'<mass id="m{k}" p="{place}" m="{between(0.1, 10)}" v0="{draw.choice([0, 0, between(0.1, 3)])}"/>')
    for k in range(draw.randint(1, 3)):
        a, b = two_of(places)
        parts.append(f'<spring id="s{k}" p="{a}" n="{b}" k="{between(1, 1e3)}"/>')
    for k in range(draw.randint(0, 3)):
        a, b = two_of(places)
        parts.append(draw.choice([
            f'<damper id="d{k}" p="{a}" n="{b}" d="{between(0.1, 10)}"/>',
            f'<dry-friction id="d{k}" p="{a}" n="{b}" F="{between(0.1, 10)}" peak="{draw.choice([1, 1.3])}"/>',
            f'<hard-stop id="d{k}" p="{a}" n="{b}" low="-{between(1e-3, 1)}" high="{between(1e-3, 1)}" k="1e5" d="100"/>',
            f'<elastic-gap id="d{k}" p="{a}" n="{b}" k="1e5" d="10" x0="{between(1e-3, 0.1)}"/>']))
    parts.append(f'<sine-force id="F1" p="0" n="n1" amplitude="{between(0.5, 20)}" frequency="{between(0.1, 3)}"/>')
    if draw.random() < 0.5:
        parts.append(f'<step-force id="F2" p="0" n="{draw.choice(masses)}" height="{between(0.5, 20)}"/>')
    return parts, duration, masses


# ---- heat ----
def thermal():
    duration = between(1e2, 1e5)
    bodies = ["n%d" % k for k in range(1, draw.randint(1, 4) + 1)]
    places = ["amb"] + bodies
    parts = ['<absolute-zero id="z" p="0"/>',
             f'<sine-temperature id="Ta" p="amb" n="0" offset="300" amplitude="10" frequency="{3 / duration}"/>']
    for k, place in enumerate(bodies):
        parts.append(f'<heat-capacity id="c{k}" p="{place}" C="{between(10, 1e5)}" T0="{draw.randint(250, 400)} K"/>')
    for k in range(draw.randint(1, 5)):
        a, b = two_of(places)
        parts.append(draw.choice([
            f'<thermal-resistance id="r{k}" p="{a}" n="{b}" R="{between(0.01, 100)}"/>',
            f'<radiation id="r{k}" p="{a}" n="{b}" A="{between(0.01, 10)}" emissivity="0.9"/>']))
    parts.append(f'<step-heat id="Q" p="0" n="n1" height="{between(1, 1e3)}"/>')
    return parts, duration, bodies


# ---- control loops: a chain of blocks around a lag ----
def block(k, name, into, out):
    wire = f'id="b{k}" in="{into}" out="{out}"'
    curve = draw.choice(["sin(u)", "u*abs(u)", "u^3", "tanh(3*u)", "max(u, 0)", "min(u, 0.5)", "sqrt(abs(u))",
                         "sign(u)*u^2"])
    attributes = {
        "gain": lambda: f'k="{between(0.2, 5)}"',
        "pid": lambda: f'kp="{between(0.2, 4)}" ki="{between(0.1, 2)}" min="-10" max="10"',
        "saturation": lambda: f'min="-{between(0.2, 2)}" max="{between(0.2, 2)}"',
        "dead-zone": lambda: f'min="-0.1" max="{between(0.05, 0.3)}"',
        "hysteresis-relay": lambda: f'off="-{between(0.05, 0.3)}" on="{between(0.05, 0.3)}" low="-1" high="1"',
        "first-order": lambda: f'T="{between(0.01, 3)}"',
        "second-order": lambda: f'w="{between(1, 30)}" d="{between(0.1, 2)}"',
        "backlash": lambda: f'width="{between(0.05, 0.3)}"',
        "rate-limiter": lambda: f'rising="{between(0.5, 5)}"',
        "transport-delay": lambda: f'delay="{between(0.01, 0.5)}"',
        "zero-order-hold": lambda: f'period="{between(0.01, 0.3)}"',
        "unit-delay": lambda: f'period="{between(0.02, 0.3)}"',
        "quantizer": lambda: f'step="{between(0.05, 0.5)}"',
        "transfer-function": lambda: f'numerator="1" denominator="{between(0.1, 2)} {between(0.5, 3)} 1"',
        "function": lambda: f'expression="{curve}"',
        "abs": str, "integrator": str, "mean": str}
    if name == "extrema":
        return f'<extrema id="b{k}" in="{into}" low="low{k}" high="{out}"/>'
    if name == "max":
        return f'<max id="b{k}" in="{into} r" out="{out}"/>'
    return f"<{name} {wire} {attributes[name]()}/>"


BLOCKS = ["gain", "pid", "saturation", "dead-zone", "hysteresis-relay", "first-order", "second-order", "backlash",
          "rate-limiter", "transport-delay", "zero-order-hold", "unit-delay", "quantizer", "transfer-function",
          "function", "abs", "integrator", "mean", "extrema", "max"]


def control():
    duration = between(1, 30)
    parts = [draw.choice([f'<step id="r" out="r" delay="{duration / 7}"/>',
                          f'<sine id="r" out="r" frequency="{between(0.1, 2)}"/>',
                          f'<square id="r" out="r" frequency="{between(0.1, 2)}"/>',
                          f'<triangle id="r" out="r" frequency="{between(0.1, 1)}"/>']),
             '<sum id="e" in="r y" signs="+-" out="e"/>']
    signals = ["e"]
    for k in range(draw.randint(1, 5)):
        parts.append(block(k, draw.choice(BLOCKS), signals[-1], f"x{k}"))
        signals.append(f"x{k}")
    parts.append(f'<first-order id="plant" in="{signals[-1]}" out="y" T="{between(0.1, 3)}"/>')
    return parts, duration, signals + ["y"]


# ---- equations with kinks ----
def term(names):
    a, b, factor = draw.choice(names), draw.choice(names), "%.3g" % draw.uniform(-2, 2)
    return draw.choice([f"{factor}*{a}", f"{factor}*{a}*{b}/(1+{b}^2)", f"{factor}*sin({a})",
                        f"{factor}*sin({between(0.5, 5)}*t)", f"{factor}*abs({a})", f"{factor}*max({a},{b})",
                        f"{factor}*exp(-{a}^2)", f"{factor}*tanh(5*{a})", f"{factor}*sqrt(1+{a}^2)"])


def equations():
    duration, names = between(1, 20), ["y%d" % k for k in range(draw.randint(1, 4))]
    rows = "".join(f"<equation>der({y}) = -{between(0.1, 100)}*({y} - tanh({y})*0.5) + {term(names)} + {term(names)}"
                   "</equation>" for y in names)
    states = "".join(f'<state name="{y}" start="{draw.uniform(-2, 2):.3g}"/>' for y in names)
    if draw.random() < 0.5:
        rows += f"<variable name=\"z\"/><equation>z + 0.3*sin(z) = {draw.choice(names)} + {term(names)}</equation>"
    return [f'<block-type name="pr">{states}{rows}</block-type><pr id="p"/>'], duration, ["p." + y for y in names]


FAMILIES = [electrical, electrical, mechanical, thermal, control, control, equations]


def model_of(seed, families=None):
    draw.seed(seed)
    kind = draw.choice(families or FAMILIES)
    parts, duration, signals = kind()
    duration = float("%.3g" % duration)
    text = "\n".join([f'<model name="m{seed}">', *parts,
                      f'<simulation duration="{duration}"/><record signals="{" ".join(signals)}"/></model>\n'])
    return text, kind.__name__, duration


# ---- running and comparing ----
def run(linnet, path, method, tolerance, duration):
    """Exit status (None: over the limit), rows by their number of 100, what was said."""
    result = path[:-4] + ".csv"
    if os.path.exists(result):
        os.remove(result)
    try:
        done = subprocess.run([linnet, "run", path, "-o", result, "-m", method, "-t", str(tolerance), "--points", "101"],
                              capture_output=True, text=True, timeout=LIMIT, check=False)
    except subprocess.TimeoutExpired as over:
        return None, {}, over.stderr.decode(errors="replace") if over.stderr else ""
    rows = {}
    if done.returncode == 0:
        for row in list(csv.reader(open(result, encoding="utf-8")))[1:]:
            at = float(row[0]) / duration * 100
            if abs(at - round(at)) < 1e-6:
                rows.setdefault(round(at), []).append([float(x) for x in row[1:]])
    return done.returncode, rows, done.stderr


def difference(one, other):
    """Largest over the signals, as a part of the range. An event a little off moves a jump: three instants are spared."""
    shared = [k for k in one if k in other]
    if not shared:
        return 0
    everywhere = max(abs(x) for rows in one.values() for row in rows for x in row)
    worst = 0
    for c in range(len(one[shared[0]][0])):
        size = max(max(abs(row[c]) for k in shared for row in one[k]), 1e-6 * everywhere, 1e-9)
        errors = sorted((min(abs(a[c] - b[c]) for a in one[k] for b in other[k]) / size for k in shared), reverse=True)
        worst = max(worst, errors[min(3, len(errors) - 1)])
    return worst


def tell(said):
    errors = [line for line in said.splitlines() if "error" in line]
    return (errors or [said.strip()[-200:] or "nothing said"])[0][:240]


def try_one(linnet, seed, folder, families):
    text, kind, duration = model_of(seed, families)
    path = os.path.join(folder, f"m{seed}.xml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    status, exact, said = run(linnet, path, "radau5", 1e-9, duration)
    loose_status, loose, _ = run(linnet, path, "radau5", 1e-7, duration)
    chaotic = status == 0 and loose_status == 0 and difference(exact, loose) > 1e-4
    notes = [] if status == 0 else [f"radau5 at 1e-9: {tell(said)}"]
    for method, allowed in ALLOWED.items():
        if method == "rk45" and (kind == "electrical" or families is not FAMILIES):
            continue  # as stiff as they are, it would take hours
        begun = time.time()
        got, rows, said = run(linnet, path, method, TOLERANCE, duration)
        if got is None and method == "rk45" and "is stiff" in said:
            continue
        if got is None:
            notes.append(f"{method}: {time.time() - begun:.0f} s")
        elif got in (2, 3) and method == "rk45":
            continue  # it says that it takes no such model
        elif got != 0:
            notes.append(f"{method}: {tell(said)}")
        elif status == 0 and not chaotic and difference(exact, rows) > allowed:
            _, finer, _ = run(linnet, path, method, TOLERANCE/100, duration)
            if finer and difference(exact, finer) < allowed/5:
                continue
            notes.append(f"{method}: off by {difference(exact, rows):.2g}")
    if os.path.exists(path[:-4] + ".csv"):
        os.remove(path[:-4] + ".csv")
    if len(notes) >= len(ALLOWED) and all("it chatters" in note for note in notes):
        notes = []
    if notes:
        print(seed, kind, " | ".join(notes), flush=True)
    else:
        os.remove(path)
    return bool(notes)


def main():
    named = {(): FAMILIES, ("physics",): random_physics.FAMILIES, ("plants",): random_plants.FAMILIES}
    families = named.get(tuple(sys.argv[5:]))
    if len(sys.argv) < 5 or families is None:
        sys.exit(__doc__)
    linnet, first, number, folder = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    os.makedirs(folder, exist_ok=True)
    told = sum(try_one(linnet, seed, folder, families) for seed in range(first, first + number))
    print(f"{number} models from seed {first}: something to tell of {told}")
    sys.exit(told > 0)


if __name__ == "__main__":
    main()
