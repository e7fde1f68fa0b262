# SPDX-License-Identifier: MIT
"""More random models of what engineers build, for random_models.py ... plants: thermostats, bridges of diodes and thyristors from the
mains, inverters, amplifiers, latches, solenoids, vehicles, tanks, hydraulics, lines. As random_physics.py, whose draw they share."""
from random_physics import between, draw, pulses


# ---- what is controlled by samples, relays and PID ----
def controller(signal, out, low, high, most, duration, gain):
    """From a signal that is to come between two values to an actuator between 0 and so much."""
    reference = f'<constant id="r" out="r" value="{between(low, high)}"/>'
    pid = f'in="e" out="{out}" kp="{between(gain, 50 * gain)}" ki="{between(gain / 100, gain)}" min="0" max="{most}"/>'
    compare = f'<sum id="e" in="r {signal}" signs="+-" out="e"/>'
    return reference + draw.choice([
        f'<on-off-controller id="on" set="r" in="{signal}" out="on" band="{(high - low) / 8:.4g}"/><gain id="most" in="on" out="{out}" k="{most}"/>',
        f'<transport-delay id="dead" in="{signal}" out="late" delay="{duration / between(20, 100):.4g}"/>'
        f'<on-off-controller id="on" set="r" in="late" out="on" band="{(high - low) / 8:.4g}"/><gain id="most" in="on" out="{out}" k="{most}"/>',
        f'{compare}<pid id="pid" {pid}', f'{compare}<discrete-pid id="pid" period="{duration / draw.choice([30, 100]):.4g}" {pid}'])


def thermostat():
    duration, count = between(100, 2e4), draw.randint(2, 4)
    parts = ['<absolute-zero id="g" p="0"/><temperature-source id="air" p="n0" n="0" T="293.15"/>']
    for k in range(1, count + 1):
        ends = f'p="n{k}" n="n{draw.randint(0, k - 1)}"'
        parts += [f'<heat-capacity id="C{k}" p="n{k}" C="{between(10, 5e3)}" T0="{between(280, 500)}"/>', draw.choice([
            f'<thermal-resistance id="R{k}" {ends} R="{between(0.05, 20)}"/>', f'<radiation id="R{k}" {ends} A="{between(0.01, 3)}" emissivity="0.8"/>',
            f'<natural-convection id="R{k}" {ends} c="1.42" A="{between(0.1, 10)}"/>'])]
    parts += [f'<temperature-sensor id="T" p="n{count}" out="T"/><signal-heat id="Q" p="0" n="n{count}" in="q"/>',
              controller("T", "q", 310, 350, between(100, 2e3), duration, 1)]
    return parts, duration, [f"n{k}" for k in range(1, count + 1)]


def tanks():
    duration, count = between(100, 5000), draw.randint(1, 3)
    parts = ['<vacuum id="g" p="0"/>', *(f'<tank id="T{k}" p="n{k}" A="{between(0.05, 2)}" level0="{between(0.1, 2)}"/>' for k in range(1, count + 1))]
    for k in range(1, count + 1):
        ends = f'id="o{k}" p="n{k}" n="{"0" if k == count else f"n{k + 1}"}"'
        parts.append(draw.choice([
            f'<orifice {ends} A="{between(1e-5, 1e-3)}"/>', f'<pipe {ends} length="{between(1, 50)}" diameter="{between(0.01, 0.08)}"/>',
            f'<check-valve {ends} A="{between(1e-5, 1e-3)}" crack="500" full="2000"/>']))
    parts += [f'<pressure-sensor id="p" p="n{count}" n="0" out="p"/><gain id="y" in="p" out="y" k="1.02e-4"/><signal-flow id="F" p="0" n="n1" in="q"/>',
              controller("y", "q", 0.5, 2, between(0.5, 5), duration, 1)]
    return parts, duration, [f"n{k}" for k in range(1, count + 1)]


def hydraulics():
    duration = between(0.1, 3)
    parts = ['<vacuum id="g" p="0"/><fixed-point id="fixed" p="wall"/>', f'<flow-source id="S" p="0" n="s" flow="{between(0.02, 1)}"/>',
             f'<relief-valve id="r" p="s" n="0" A="{between(2e-5, 1e-4)}" crack="{between(5e6, 1e7)}" full="{between(1.1e7, 1.5e7)}"/>',
             f'<fluid-volume id="V" p="s" V="{between(1e-4, 5e-3)}" p0="1e5"/>',
             f'<directional-valve id="v" supply="s" tank="0" a="a" b="b" in="u" A="{between(1e-6, 1e-4)}" overlap="{draw.choice([0, 0.02, -0.02])}"/>',
             f'<sine id="u" out="u" amplitude="{draw.uniform(0.2, 1):.3g}" frequency="{between(1, 5) / duration:.4g}"/>',
             f'<cylinder id="c" a="a" b="b" rod="rod" A_a="{between(5e-4, 3e-3)}" A_b="{between(3e-4, 3e-3)}" stroke="{between(0.05, 0.5)}" x0="0.02" '
             f'p0_a="1e6" p0_b="1e6"/><mass id="m" p="rod" m="{between(2, 500)}"/>',
             draw.choice([f'<dry-friction id="f" p="rod" n="wall" F="{between(20, 1000)}" peak="{draw.choice([1, 1.3])}"/>',
                          f'<damper id="f" p="rod" n="wall" d="{between(50, 5000)}"/>', f'<weight id="f" p="rod" m="{between(10, 200)}"/>'])]
    return parts, duration, ["a", "m.v"]


# ---- mains and bridges ----
def load(p, n):
    return draw.choice([
        f'<resistor id="R" p="{p}" n="{n}" R="{between(2, 200)}"/>',
        f'<resistor id="R" p="{p}" n="{n}" R="{between(2, 200)}"/><capacitor id="C" p="{p}" n="{n}" C="{between(1e-5, 2e-3)}"/>',
        f'<inductor id="L" p="{p}" n="l" L="{between(1e-3, 0.2)}"/><resistor id="R" p="l" n="{n}" R="{between(2, 200)}"/>'])


def bridge():
    angle, width = draw.uniform(5e-4, 9e-3), draw.choice([5e-4, 1e-3, 4e-3])
    parts = ['<ground id="g" p="0"/>', f'<sine-voltage id="V" p="a" n="z" amplitude="{between(5, 400)}" frequency="50"/>',
             draw.choice([f'<inductor id="Ls" p="a" n="x" L="{between(2e-5, 2e-3)}"/>', f'<resistor id="Rs" p="a" n="x" R="{between(0.05, 2)}"/>']),
             f'<pulse id="f" out="f" high="1" width="{width}" period="0.02" delay="{angle:.4g}"/>'
             f'<pulse id="h" out="h" high="1" width="{width}" period="0.02" delay="{angle + 0.01:.4g}"/><resistor id="Rz" p="z" n="0" R="1e6"/>']
    kind = draw.choice(['<ideal-diode id="{}" p="{}" n="{}"/>', '<ideal-thyristor id="{}" p="{}" n="{}" fire="{}"/>'])
    parts += [kind.format(*of) for of in (("D1", "x", "o", "f"), ("D2", "z", "o", "h"), ("D3", "0", "x", "h"), ("D4", "0", "z", "f"))]
    return parts + [load("o", "0")], 0.04, ["o", "x"]


def inverter():
    ratio = draw.choice([9, 15, 21])
    parts = ['<ground id="g" p="0"/>', f'<voltage-source id="V" p="dc" n="0" V="{between(50, 600)}"/>',
             f'<triangle id="tri" out="tri" amplitude="1" frequency="{50 * ratio}"/>']
    bus = draw.choice(["dc", "bus"])
    if bus == "bus":
        parts.append(f'<inductor id="Ld" p="dc" n="bus" L="{between(1e-5, 1e-3)}"/><capacitor id="Cd" p="bus" n="0" C="{between(1e-5, 1e-3)}"/>')
    switch, gate = draw.choice([("ideal-switch", "in"), ("turn-off-thyristor", "fire")])
    for k, x in enumerate("abc"):
        parts.append(f'<sine id="r{x}" out="r{x}" amplitude="0.8" frequency="50" phase="{-120 * k} deg"/><greater id="k{x}" in="r{x}" than="tri" out="u{x}"/>'
                     f'<not id="n{x}" in="u{x}" out="v{x}"/><{switch} id="S{x}" p="{bus}" n="{x}" {gate}="u{x}"/><{switch} id="T{x}" p="{x}" n="0" {gate}="v{x}"/>'
                     f'<ideal-diode id="D{x}" p="{x}" n="{bus}"/><ideal-diode id="E{x}" p="0" n="{x}"/>'
                     f'<inductor id="L{x}" p="{x}" n="q{x}" L="{between(1e-3, 3e-2)}"/><resistor id="R{x}" p="q{x}" n="n" R="{between(0.5, 30)}"/>')
    return parts, 0.02, ["La.i", "Lb.i"]


def amplifier():
    duration = between(1e-3, 2e-2)
    size = float("%.4g" % (duration / 6e5))
    parts = ['<ground id="g" p="0"/><op-amp id="U" p="p" n="m" out="o" Vmin="-12" Vmax="12"/>']
    source = f'<sine-voltage id="V" p="{{}}" n="0" amplitude="{between(0.5, 8)}" frequency="{between(2, 10) / duration:.4g}"/>'.format
    parts += draw.choice([
        [f'<resistor id="Ra" p="o" n="q" R="1e4"/><capacitor id="Ca" p="q" n="p" C="{size}"/><resistor id="Rb" p="p" n="0" R="1e4"/>'
         f'<capacitor id="Cb" p="p" n="0" C="{size}" v0="0.1"/><resistor id="Rg" p="m" n="0" R="1e4"/>'
         f'<resistor id="Rf" p="o" n="m" R="{draw.uniform(2.05e4, 2.6e4):.5g}"/>'],
        [source("i"), f'<resistor id="Rp" p="p" n="0" R="1"/><resistor id="R" p="i" n="m" R="1e4"/><capacitor id="C" p="m" n="o" C="{10 * size}"/>'
         f'<resistor id="Rf" p="m" n="o" R="{between(1e5, 1e7)}"/>'],
        [source("p"), f'<resistor id="Rm" p="m" n="k" R="1"/>{draw.choice(["<ideal-diode", "<diode"])} id="D" p="o" n="k"/>'
         f'<capacitor id="C" p="k" n="0" C="{10 * size}"/><resistor id="R" p="k" n="0" R="1e6"/>']])
    return parts, duration, ["o", "m"]


def bistable():
    """Two states over a range of what drives them, and no charge: comparators with feedback, latches, pairs of transistors."""
    duration = between(1e-3, 1)
    wave = f'frequency="{between(2, 6) / duration:.4g}" offset="{between(0.1, 1)}"'
    parts = [f'<ground id="g" p="0"/><sine-voltage id="V" p="in" n="0" amplitude="{between(3, 8)}" {wave}/><resistor id="Rl" p="o" n="0" R="1e4"/>']
    feedback = between(3e3, 1e5)
    supply = '<voltage-source id="Vs" p="s" n="0" V="5"/>'
    transistor = '<bjt id="{}" c="{}" b="{}" e="0" IS="1e-14" BF="100"/>'.format
    pair = [supply, *(f'<resistor id="R{k}" p="s" n="{c}" R="1e3"/>{transistor(f"Q{k}", c, b)}<resistor id="Rb{k}" p="{other}" n="{b}" R="1e4"/>'
                      for k, c, b, other in ((1, "o", "b1", "c2"), (2, "c2", "b2", "o"))),
            f'<resistor id="Ri" p="in" n="b1" R="{between(1e4, 3e4)}"/>']
    mos = '<mosfet id="M{}" d="{}" g="{}" s="{}" b="{}" type="{}" VTO="{}" KP="{}" W="{}" L="1e-6"/>'.format
    cmos = [supply, *(mos(f"n{k}", out, gate, 0, 0, "nmos", 1, 1e-4, 1e-5) + mos(f"p{k}", out, gate, "s", "s", "pmos", -1, 5e-5, 2e-5)
                      for k, gate, out in ((1, "a", "x"), (2, "x", "o"))),
            f'<resistor id="Ri" p="in" n="a" R="{feedback / between(2, 5):.4g}"/><resistor id="Rf" p="o" n="a" R="{feedback}"/>']
    comparator = [f'<op-amp id="U" p="p" n="{{}}" out="o" Vmin="-{between(4, 12)}" Vmax="{between(4, 12)}" gain="{between(30, 1e5)}"/>'
                  f'<resistor id="Rf" p="o" n="p" R="{feedback}"/>']
    turning = [comparator[0].format("in"), f'<resistor id="Rp" p="p" n="0" R="{between(1e3, 3e4)}"/>']
    following = [comparator[0].format("0"), f'<resistor id="Rp" p="p" n="in" R="{feedback / between(1.5, 5):.4g}"/>']
    return parts + draw.choice([pair, cmos, turning, following]), duration, ["o"]


# ---- machines that move ----
def solenoid():
    duration = between(0.05, 0.5)
    parts = ['<ground id="g" p="0"/><magnetic-ground id="mg" p="m0"/><fixed-point id="fixed" p="wall"/>', f'<voltage-source id="V" p="v" n="0" V="{between(5, 50)}"/>',
             pulses("u", "u", duration, 1.25), '<ideal-switch id="S" p="v" n="a" in="u"/>',
             draw.choice(['<ideal-diode id="D" p="0" n="a"/>', f'<zener-diode id="D" p="0" n="a" BV="{between(10, 50)}"/>']),
             f'<resistor id="R" p="a" n="c" R="{between(1, 50)}"/><magnetic-coil id="w" p="c" n="0" north="m1" south="m0" N="{draw.randint(200, 2000)}"/>',
             draw.choice([f'<reluctance id="k" p="m1" n="m2" R="{between(1e4, 1e6)}"/>',
                          '<saturating-core id="k" p="m1" n="m2" length="0.1" A="1e-4" mu_r="2000" B_sat="1.5"/>']),
             f'<moving-gap id="gap" p="m2" n="m0" rod="rod" A="1e-4" x0="{between(1e-3, 5e-3)}"/><mass id="m" p="rod" m="{between(0.005, 0.2)}"/>',
             f'<spring-damper id="s" p="rod" n="wall" k="{between(50, 5000)}" d="{between(0.1, 5)}"/>',
             f'<hard-stop id="h" p="rod" n="wall" low="-0.0009" high="0.001" k="1e6" d="{between(10, 1000)}"/>']
    return parts, duration, ["m.v", "R.i"]


def vehicle():
    duration, mass = between(10, 100), between(500, 5000)
    parts = ['<fixed-point id="fp" p="0"/><fixed-shaft id="block" p="case"/>', f'<mass id="m" p="v" m="{mass}"/><air-drag id="air" p="v" cd="0.3" A="{between(1, 5)}"/>',
             draw.choice([f'<rolling-resistance id="rr" p="v" cr="{between(0.008, 0.02)}" N="{9.81 * mass:.5g}"/>', f'<dry-friction id="rr" p="v" n="0" F="{mass / 10:.4g}"/>']),
             f'<rack-and-pinion id="wheel" shaft="axle" rod="v" radius="0.3"/><gear id="gear" p="box" n="axle" ratio="{between(2, 10)}"/>',
             f'<inertia id="J" p="engine" J="{between(0.05, 0.5)}"/><inertia id="Jb" p="box" J="0.05"/>',
             draw.choice([f'<clutch id="c" p="engine" n="box" in="pedal" torque="{between(100, 500)}"/><ramp id="on" out="pedal" slope="{20 / duration:.4g}" delay="{duration / 20:.4g}"/>',
                          f'<one-way-clutch id="c" p="engine" n="box" torque="500"/>',
                          f'<torsion-spring-damper id="c" p="engine" n="box" k="{between(500, 5000)}" d="{between(1, 50)}"/>']),
             f'<velocity-sensor id="s" p="v" n="0" out="y"/><constant id="r" out="r" value="{between(5, 30)}"/><sum id="e" in="r y" signs="+-" out="e"/>'
             f'<pid id="pid" in="e" out="tau" kp="{between(5, 50)}" ki="{between(0.1, 5)}" min="{draw.choice([0, -50])}" max="{between(50, 200)}"/>'
             '<signal-torque id="M" p="case" n="engine" in="tau"/>']
    return parts, duration, ["m.v", "J.w"]


# ---- waves ----
def line():
    delay = between(1e-9, 5e-8)
    duration = float("%.4g" % (delay * draw.choice([12, 40])))
    parts = ['<ground id="g" p="0"/>', draw.choice([
        f'<pulse-voltage id="V" p="s" n="0" high="3" width="{duration / 6:.4g}" period="{duration / 2:.4g}" rise="{delay / 20:.3g}" fall="{delay / 20:.3g}"/>',
        f'<sine-voltage id="V" p="s" n="0" amplitude="3" frequency="{3 / duration:.4g}"/>']), f'<resistor id="Rs" p="s" n="a" R="{between(5, 200)}"/>',
        draw.choice([f'<transmission-line id="T" p1="a" n1="0" p2="b" n2="0" Z0="{between(25, 150)}" TD="{delay:.4g}"/>',
                     f'<lossy-line id="T" p1="a" n1="0" p2="b" n2="0" R="{between(0.1, 20)}" L="250e-9" C="100e-12" LEN="{2e8 * delay:.4g}"/>']),
        draw.choice([f'<resistor id="R" p="b" n="0" R="{between(5, 1000)}"/>', f'<inductor id="R" p="b" n="0" L="{delay * between(5, 500):.4g}"/>',
                     f'<capacitor id="C" p="b" n="0" C="{delay / between(20, 500):.4g}"/><resistor id="R" p="b" n="0" R="1e4"/>',
                     '<spice-diode id="D" p="0" n="b" IS="1e-14" CJO="2e-12" TT="1e-9"/><resistor id="R" p="b" n="0" R="1e3"/>'])]
    return parts, duration, ["a", "b"]


FAMILIES = [thermostat, tanks, hydraulics, bridge, inverter, amplifier, bistable, solenoid, vehicle, line]
