# SPDX-License-Identifier: MIT
"""Random models of what engineers build, for random_models.py ... physics: converters with ideal switches, drive trains with
friction, mechanisms with dry friction and stops, motors, saturating cores. Each family gives its parts, a duration and the signals
to record; draw is seeded by whoever calls, and shared with random_models.py."""
import random

draw = random.Random()


def between(low, high):
    """A number of four digits, every decade as likely as another."""
    return float("%.4g" % (low * (high / low) ** draw.random()))


def pulses(name, out, duration, parts):
    """A signal that is high for a part of each period, of which so many make the duration."""
    period = duration / parts
    return f'<pulse id="{name}" out="{out}" high="1" width="{period * draw.uniform(0.2, 0.7):.5g}" period="{period:.5g}"/>'


# ---- converters ----
def rectifier(name, anode, cathode):
    return draw.choice([
        f'<ideal-diode id="{name}" p="{anode}" n="{cathode}"/>', f'<diode id="{name}" p="{anode}" n="{cathode}"/>',
        f'<spice-diode id="{name}" p="{anode}" n="{cathode}" IS="1e-12" CJO="{between(1e-11, 1e-9)}" TT="{between(1e-9, 1e-7)}"/>'])


def coil(name, p, n):
    size = between(2e-5, 1e-3)
    return draw.choice([
        f'<inductor id="{name}" p="{p}" n="{n}" L="{size}"/>',
        f'<saturating-inductor id="{name}" p="{p}" n="{n}" L="{size}" Isat="{between(0.5, 10)}" Lsat="{size / 8:.4g}"/>'])


def converter():
    frequency, periods = between(5e3, 1e5), draw.choice([10, 25])
    duration = float("%.4g" % (periods / frequency))
    switch = '<ideal-switch id="S" p="{}" n="{}" in="u"/>'.format
    stages = {
        "buck": lambda: [switch("vin", "x"), rectifier("D", "0", "x"), coil("L", "x", "o")],
        "boost": lambda: [coil("L", "vin", "x"), switch("x", "0"), rectifier("D", "x", "o")],
        "inverting": lambda: [switch("vin", "x"), coil("L", "x", "0"), rectifier("D", "o", "x")],
        "cuk": lambda: [coil("L", "vin", "x"), switch("x", "0"), f'<capacitor id="Cc" p="x" n="y" C="{between(1e-6, 5e-5)}"/>',
                        rectifier("D", "y", "0"), coil("L2", "y", "o")],
        "half": lambda: [switch("vin", "x"), rectifier("D", "0", "x"), '<not id="not" in="u" out="v"/>',
                         '<ideal-switch id="S2" p="x" n="0" in="v"/>', coil("L", "x", "o")]}
    parts = ['<ground id="g" p="0"/>', f'<voltage-source id="V" p="vin" n="0" V="{between(5, 50)}"/>',
             pulses("pwm", "u", duration, periods), *stages[draw.choice(sorted(stages))](),
             f'<capacitor id="C" p="o" n="e" C="{between(1e-6, 2e-4)}"/>', f'<resistor id="Re" p="e" n="0" R="{between(0.005, 0.1)}"/>',
             f'<resistor id="R" p="o" n="0" R="{between(2, 100)}"/>']
    return parts, duration, ["x", "o"]


# ---- shafts and masses ----
def between_shafts(k, duration):
    ends = f'id="s{k}" p="n{k}" n="n{k + 1}"'
    return draw.choice([
        f'<torsion-spring-damper {ends} k="{between(1, 300)}" d="{between(1e-3, 0.1)}"/>',
        f'<torsion-backlash {ends} play="{between(0.01, 0.3)}" k="{between(50, 1e3)}" d="{between(0.01, 0.5)}"/>',
        f'<clutch {ends} in="c{k}" torque="{between(0.5, 10)}" peak="1.2"/>' + pulses(f"pc{k}", f"c{k}", duration, 1.7),
        f'<one-way-clutch {ends} torque="{between(1, 10)}"/>', f'<rotational-damper {ends} d="{between(0.01, 1)}"/>',
        f'<lossy-gear {ends} ratio="{between(0.3, 3)}" eta="{draw.uniform(0.8, 1):.3g}"/>', f'<gear {ends} ratio="{between(0.3, 3)}"/>'])


def on_shaft(k, node, duration):
    ends = f'id="f{k}" p="{node}" n="0"'
    return draw.choice([
        f'<bearing-friction {ends} torque="{between(0.05, 2)}" peak="{draw.choice([1, 1.3])}" d="{between(1e-3, 0.05)}"/>',
        f'<brake {ends} in="b{k}" torque="{between(0.5, 5)}"/>' + pulses(f"pb{k}", f"b{k}", duration, 2.3),
        f'<quadratic-load {ends} torque="{between(0.1, 2)}" w="{between(5, 50)}"/>',
        f'<eddy-current-brake {ends} torque="{between(0.1, 2)}" w="{between(2, 50)}"/>'])


def drive_train():
    duration, count = between(0.5, 5), draw.randint(2, 4)
    parts = ['<fixed-shaft id="g" p="0"/>']
    parts += [f'<inertia id="J{k}" p="n{k}" J="{between(1e-3, 0.1)}"/>' for k in range(1, count + 1)]
    parts += [between_shafts(k, duration) for k in range(1, count)]
    parts += [on_shaft(k, f"n{draw.randint(1, count)}", duration) for k in range(draw.randint(1, 3))]
    parts.append(draw.choice([
        f'<sine-torque id="T" p="0" n="n1" amplitude="{between(0.5, 10)}" frequency="{between(1, 6) / duration:.4g}"/>',
        f'<step-torque id="T" p="0" n="n1" height="{between(0.5, 5)}" delay="{duration / 9:.4g}"/>']))
    return parts, duration, [f"J{k}.w" for k in range(1, count + 1)]


def under_mass(k):
    ends, spring = f'p="{"0" if k == 1 else f"n{k - 1}"}" n="n{k}"', between(5, 300)
    return draw.choice([
        f'<spring-damper id="s{k}" {ends} k="{spring}" d="{between(0.01, 5)}"/>',
        f'<spring id="s{k}" {ends} k="{spring}"/><dry-friction id="f{k}" {ends} F="{between(0.05, 3)}" peak="{draw.choice([1, 1.3])}"/>',
        f'<elastic-backlash id="s{k}" {ends} play="{between(0.005, 0.1)}" k="{between(50, 1e3)}" d="{between(0.1, 5)}"/>',
        f'<spring id="s{k}" {ends} k="{spring}"/><hard-stop id="h{k}" {ends} low="-{between(0.01, 0.2)}" high="{between(0.01, 0.2)}" '
        f'k="{between(1e3, 1e5)}" d="{between(1, 50)}"/>'])


def masses():
    duration, count = between(0.5, 5), draw.randint(1, 3)
    parts = ['<fixed-point id="g" p="0"/>']
    parts += [f'<mass id="m{k}" p="n{k}" m="{between(0.1, 5)}" v0="{draw.choice([0, between(0.1, 3)])}"/>' for k in range(1, count + 1)]
    parts += [under_mass(k) for k in range(1, count + 1)]
    parts.append(draw.choice([
        f'<sine-force id="F" p="0" n="n{count}" amplitude="{between(0.5, 20)}" frequency="{between(1, 6) / duration:.4g}"/>',
        f'<step-force id="F" p="0" n="n{count}" height="{between(0.5, 10)}" delay="{duration / 9:.4g}"/>']))
    return parts, duration, [f"m{k}.x" for k in range(1, count + 1)]


# ---- machines and cores ----
def motor():
    duration = between(0.05, 1)
    parts = ['<ground id="g" p="0"/>', '<fixed-shaft id="wall" p="case"/>',
             f'<dc-machine id="M" p="a" n="0" shaft="w" R="{between(0.2, 5)}" L="{between(1e-4, 1e-2)}" k="{between(0.02, 0.5)}" '
             f'J="{between(1e-5, 1e-3)}"/>',
             '<signal-voltage id="V" p="a" n="0" in="u"/><sum id="e" in="r y" signs="+-" out="e"/>'
             f'<step id="r" out="r" height="{between(5, 50)}" delay="{duration / 20:.4g}"/><speed-sensor id="y" p="w" n="case" out="y"/>'
             f'<pid id="pid" in="e" out="u" kp="{between(0.05, 1)}" ki="{between(0.5, 10)}" min="-24" max="24"/>',
             draw.choice([
                 f'<bearing-friction id="f" p="w" n="case" torque="{between(1e-3, 0.1)}" peak="1.2"/>',
                 f'<quadratic-load id="f" p="w" n="case" torque="{between(1e-3, 0.1)}" w="{between(20, 200)}"/>',
                 f'<torsion-backlash id="b" p="w" n="v" play="{between(0.01, 0.3)}" k="{between(1, 50)}" d="{between(1e-3, 0.05)}"/>'
                 f'<inertia id="J" p="v" J="{between(1e-5, 1e-3)}"/>'])]
    return parts, duration, ["w", "a"]


def core():
    duration, area = between(0.01, 0.2), between(1e-4, 1e-3)
    parts = ['<ground id="g" p="0"/>', '<magnetic-ground id="mg" p="m0"/>',
             f'<sine-voltage id="V" p="a" n="0" amplitude="{between(5, 300)}" frequency="{between(2, 8) / duration:.4g}"/>',
             f'<resistor id="R" p="a" n="c" R="{between(0.2, 20)}"/>',
             f'<magnetic-coil id="w" p="c" n="0" north="m1" south="m0" N="{draw.randint(50, 500)}"/>',
             f'<saturating-core id="k" p="m1" n="m2" length="{between(0.1, 0.4)}" A="{area}" mu_r="{between(500, 5e3)}" '
             f'B_sat="{draw.uniform(0.8, 1.8):.3g}"/>',
             draw.choice([f'<air-gap id="gap" p="m2" n="m0" length="{between(1e-4, 2e-3)}" A="{area}"/>',
                          f'<eddy-current-loop id="loop" p="m2" n="m0" G="{between(1e2, 1e5)}"/>'])]
    return parts, duration, ["c", "R.i"]


FAMILIES = [converter, converter, drive_train, masses, motor, core]
