# SPDX-License-Identifier: MIT
"""Circuits of any size as SPICE cards, for precision.py and pairs.py.

Each function takes a number of stages and returns the cards, the node to record, and the step that
suits the circuit, in seconds. Lines of n stages have the same resistance, capacitance and junction
area in all, whatever n.
"""

MOS = """.model n NMOS(level=1 vto=0.6 kp=120u gamma=0.4 phi=0.7 lambda=0.06 tox=8n cgso=0.25n cgdo=0.25n cj=0.6m)
.model p PMOS(level=1 vto=-0.7 kp=45u gamma=0.5 phi=0.7 lambda=0.08 tox=8n cgso=0.25n cgdo=0.25n cj=0.7m)
VDD vdd 0 3.3
"""


def inverter(k, a, b):
    return (f"MP{k} {b} {a} vdd vdd p w=5u l=0.5u ad=5p as=5p\n"
            f"MN{k} {b} {a} 0 0 n w=2u l=0.5u ad=2p as=2p\nC{k} {b} 0 10f\n")


def inverters(stages):
    chain = "".join(inverter(k, f"n{k - 1}", f"n{k}") for k in range(1, stages + 1))
    return MOS + "V1 n0 0 PULSE(0 3.3 0.2n 0.1n 0.1n 1.9n 4n)\n" + chain, "n20", 10e-12


def ring(stages):
    """An odd number of inverters, which a pulse of current sets going."""
    loop = "".join(inverter(k, f"n{k}", f"n{k % stages + 1}") for k in range(1, stages + 1))
    return MOS + "IK 0 n1 PULSE(0 200u 50p 20p 20p 400p 1)\n" + loop, "n1", 10e-12


def diodes(stages):
    """A line with a diode at every node."""
    n = stages
    line = (f".model d D(is={1e-11 / n:.9g} n=1.05 cjo={200e-12 / n:.9g} m=0.4 vj=0.8 tt=1n)\n"
            "V1 in 0 SIN(0 5 5meg)\nR0 in n0 50\n")
    line += "".join(f"R{k} n{k - 1} n{k} {1e3 / n:.9g}\nC{k} n{k} 0 {100e-12 / n:.9g}\nD{k} n{k} 0 d\n"
                    for k in range(1, n + 1))
    return line, f"n{n // 4}", 1e-9


def amplifiers(stages):
    """Transistors in common-emitter circuit, coupled by capacitors."""
    text = (".model q NPN(is=1e-15 bf=120 vaf=80 rb=50 cje=1.2p cjc=0.8p tf=0.3n)\n"
            "VCC vcc 0 12\nV1 c0 0 SIN(0 0.5 100k)\n")
    for k in range(1, stages + 1):
        text += (f"CC{k} c{k - 1} b{k} 100n\nRA{k} vcc b{k} 82k\nRB{k} b{k} 0 22k\nQ{k} c{k} b{k} e{k} q\n"
                 f"RC{k} vcc c{k} 2.2k\nRE{k} e{k} 0 2k\n")
    return text, f"c{stages}", 50e-9


def bridge(_stages):
    return (".model d D(is=76.9p rs=42m n=1.45 cjo=26.5p m=0.333)\nV1 a b SIN(0 20 50)\nD1 a o d\nD2 m a d\nD3 b o d\n"
            "D4 m b d\nC1 o m 100u\nR1 o m 1k\nR2 b 0 1meg\nR3 m 0 1meg\n"), "o", 1e-6


def boost(_stages):
    return (".model s SW(ron=0.05 roff=1meg vt=2.5 vh=0.5)\n.model d D(is=1e-12 rs=20m n=1.1 cjo=100p)\nV1 in 0 12\n"
            "L1 in x 47u\nRL in x 100k\nS1 x 0 g 0 s\nVG g 0 PULSE(0 5 0 20n 20n 4u 10u)\nD1 x o d\nCX x 0 50p\n"
            "C1 o 0 22u\nR1 o 0 20\n"), "o", 20e-9


def mesh(side):
    """A square grid of resistors with capacitors to ground, fed at a corner, loaded by pulses."""
    text = "V1 vdd 0 1.8\nL1 vdd n0_0 0.5n\n"
    for i in range(side):
        for j in range(side):
            text += f"C{i}_{j} n{i}_{j} 0 1p\n"
            text += f"Rv{i}_{j} n{i}_{j} n{i + 1}_{j} 0.5\n" if i + 1 < side else ""
            text += f"Rh{i}_{j} n{i}_{j} n{i}_{j + 1} 0.5\n" if j + 1 < side else ""
            if (i * 31 + j * 17) % 53 == 5:
                text += f"I{i}_{j} n{i}_{j} 0 PULSE(0 20m {0.2 + 0.5 * ((i + j) % 4):g}n 0.1n 0.1n 0.3n 2n)\n"
    return text, f"n{side // 2}_{side // 2}", 10e-12


def clamped(diodes):
    """A square grid of 900 resistors and capacitors, driven at a corner, with a few diodes."""
    side, text = 30, ".model d D(is=1e-14 n=1.5)\nV1 n0_0 0 PULSE(0 1 0 1n 1n 1u 2u)\n"
    for i in range(side):
        for j in range(side):
            text += f"C{i}_{j} n{i}_{j} 0 1p\n" if i or j else ""
            text += f"Rv{i}_{j} n{i}_{j} n{i + 1}_{j} 100\n" if i + 1 < side else ""
            text += f"Rh{i}_{j} n{i}_{j} n{i}_{j + 1} 100\n" if j + 1 < side else ""
    for k in range(1, diodes + 1):
        i, j = divmod(k * side * side // (diodes + 1), side)
        text += f"D{k} n{i}_{j} 0 d\n"
    return text, f"n{side // 2}_{side // 2}", 2e-9


def ladder(sections):
    n = sections
    return ("V1 n0 0 PWL(0 0 1n 1)\n" +
            "".join(f"R{k} n{k - 1} n{k} {1e3 / n:.9g}\nC{k} n{k} 0 {1e-9 / n:.9g}\n" for k in range(1, n + 1))), f"n{n}", 2e-9
