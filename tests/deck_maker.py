# SPDX-License-Identifier: MIT
"""Random SPICE decks, for random_decks.py: the deck of a seed is always the same.

A deck has three to seven nodes, each with two resistors to hold it, one or two sources, three to nine devices of a few
families, and one analysis. Devices have the parameters that both programs know. Not drawn is what ngspice is known to do otherwise
(the area of a bipolar transistor counts twice in its BC junction), feedback by gains above one (of several operating points each
program finds its own), and jumps within algebraic loops, which may have no solution."""
import math
import random

ANALYSES = ["op", "dc", "ac", "ac", "tran", "tran"]
FAMILIES = [["d", "d"], ["q", "q", "q"], ["m", "m"], ["j"], ["controlled"] * 3, ["b", "b"], ["l"], ["x"], ["line"], ["g"]]
# Parameters of models: text with {low:high} for a number between (every decade as likely as another), and how often it is there.
DIODE = [("is={1e-16:1e-9} n={1:2}", 1), ("rs={.1:50}", .5), ("cjo={1e-13:1e-9} vj={.4:1} m={.2:.6}", .6), ("tt={1e-9:1e-6}", .4),
         ("bv={3:12} ibv={1e-6:1e-3}", .4), ("eg={.6:1.4} xti={2:4}", .3), ("fc=.6", .2)]
BIPOLAR = [("is={1e-17:1e-13} bf={20:400}", 1), ("br={.5:20}", .5), ("vaf={20:200}", .5), ("var={5:100}", .2), ("ikf={1e-3:1}", .4),
           ("ise={1e-15:1e-12} ne={1.2:2}", .4), ("isc={1e-15:1e-12} nc={1.2:2}", .2), ("rb={1:300}", .4), ("re={.1:5}", .3),
           ("rc={.1:50}", .3), ("cje={1e-13:1e-11} vje=.7 mje=.35", .5), ("cjc={1e-13:1e-11} vjc=.6 mjc=.4 xcjc=.6", .5),
           ("tf={1e-11:1e-9}", .4), ("tf=1n xtf=3 vtf=4 itf=.1", .15), ("tr={1e-9:1e-7}", .3), ("ikr=.1", .2),
           ("nf=1.05 nr=1.1", .2), ("xtb=1.5", .2), ("cjs=1p vjs=.6 mjs=.3", .15)]
MOS = [("kp={1e-5:2e-4}", .6), ("gamma={.1:1} phi={.5:.8}", .5), ("tox={1e-8:1e-7}", .5), ("nsub={1e14:1e17}", .25),
       ("rd={1:50} rs={1:50}", .3), ("cgso={1e-11:5e-10} cgdo={1e-11:5e-10}", .4), ("cbd={1e-14:1e-12} cbs={1e-14:1e-12}", .3),
       ("cj={1e-5:1e-3} mj=.4 cjsw={1e-11:1e-9}", .3), ("ld=.1u", .2), ("uo={200:800}", .3), ("rsh=10", .2), ("is=1e-15", .3)]
MOS_OF_LEVEL = {1: [("lambda={.005:.05}", .5)],
                2: [("lambda={.005:.05}", .5), ("ucrit=1e4 uexp=.1", .4), ("delta=1.5", .3), ("nfs=1e11", .2), ("vmax=5e4", .2),
                    ("xj=.3u", .3), ("neff=2", .2)],
                3: [("theta=.05", .4), ("eta=.1", .3), ("kappa=.5", .4), ("nfs=1e11", .2), ("vmax=5e4", .3), ("xj=.3u", .3),
                    ("delta=1", .2)]}
JFET = [("beta={1e-4:3e-3}", 1), ("lambda={.001:.05}", .5), ("rd={1:50} rs={1:50}", .3), ("cgs={1e-13:1e-11} cgd={1e-13:1e-11} pb=.8", .5),
        ("is=1e-14", .3), ("b=.8", .2), ("fc=.4", .1)]
SUFFIXES = (("meg", 1e6), ("k", 1e3), ("", 1), ("m", 1e-3), ("u", 1e-6), ("n", 1e-9), ("p", 1e-12), ("f", 1e-15))


class Maker:
    """One deck; deck() is its text."""

    def __init__(self, seed):
        self.draw = random.Random(seed)
        self.analysis = self.draw.choice(ANALYSES)
        self.nodes = self.draw.randint(3, 7)
        self.count = 0
        self.cards, self.models, self.subcircuits = [], [], []

    # ---- words ----

    def between(self, low, high):
        """A number, half of the time with a suffix."""
        value = math.exp(self.draw.uniform(math.log(low), math.log(high)))
        if self.draw.random() < .5:
            for suffix, size in SUFFIXES:
                if value >= size:
                    return f"{value / size:.4g}{suffix}"
        return f"{value:.4g}"

    def evenly(self, low, high):
        return f"{self.draw.uniform(low, high):.3g}"

    def filled(self, text):
        """The text with a number for each {low:high}."""
        parts = text.split("{")
        return parts[0] + "".join(self.between(*map(float, part.split("}")[0].split(":"))) + part.split("}")[1]
                                  for part in parts[1:])

    def some(self, table):
        return " ".join(self.filled(text) for text, often in table if self.draw.random() < often)

    def rarely(self, *words):
        """Mostly nothing, else one of the words."""
        return self.draw.choice([""] * 3 + [" " + word for word in words])

    def node(self):
        return self.draw.choice([0] + list(range(1, self.nodes + 1)) * 2)

    def inner(self):
        return self.draw.randint(1, self.nodes)

    def pair(self):
        one = self.inner()
        return f"{one} {self.draw.choice([k for k in range(self.nodes + 1) if k != one])}"

    def own_node(self):
        """A node of the device that was named last."""
        return 900 + self.count

    def name(self, letter):
        self.count += 1
        return f"{letter}{self.count}"

    def add(self, letter, text):
        name = self.name(letter)
        self.cards.append(f"{name} {text}")
        return name

    def model(self, kind, text):
        name = f"m{len(self.models)}{kind}"
        self.models.append(f".model {name} {kind}({text})" if self.draw.random() < .7 else f".model {name} {kind} {text}")
        return name

    # ---- sources ----

    def waveform(self):
        kind = self.draw.choice(["sin", "pulse", "pwl", "exp", "sffm", "dc", "dc"])
        value = f"dc {self.evenly(-5, 8)} ac {self.evenly(.1, 2)}{self.draw.choice(['', ' 30'])}"
        if kind == "dc":
            return value
        if kind == "sin":
            rest = self.draw.choice(["", "0.1m", "0.1m 300", "0 0 90", "0 500 45"])
            wave = f"sin({self.evenly(-2, 2)} {self.evenly(.1, 5)} {self.between(500, 8e3)} {rest})"
        elif kind == "pulse":
            wave = (f"pulse({self.evenly(-2, 2)} {self.evenly(-5, 5)} {self.draw.choice(['0', '50u', '.1m'])} "
                    f"{self.draw.choice(['1u', '20u'])} {self.draw.choice(['1u', '30u'])} {self.draw.choice(['100u', '.2m'])} "
                    f"{self.draw.choice(['.4m', '600u'])})")
        elif kind == "pwl":
            wave = "pwl(" + " ".join(f"{t}m {self.evenly(-4, 4)}" for t in (0, .1, .3, .35, .6, .9)) + ")"
        elif kind == "exp":
            wave = f"exp({self.evenly(-2, 2)} {self.evenly(-4, 4)} .1m {self.draw.choice(['50u', '.1m'])} .5m 80u)"
        else:
            wave = f"sffm(0 {self.evenly(.5, 3)} 5k {self.evenly(.5, 3)} 1k)"
        return wave if self.analysis == "tran" else f"{value.split(' 30')[0]} {wave}"

    # ---- devices, by family ----

    def put_r(self):
        if self.draw.random() < .7:
            self.add("r", f"{self.pair()} {self.between(100, 1e5)}{self.rarely('tc=1m', 'tc=1m,1u', 'm=2', 'temp=50')}")
        else:
            sheet = self.model("r", self.filled("rsh={5:50} narrow=.1u tc1=1m"))
            self.add("r", f"{self.pair()} {sheet} l={self.evenly(100, 900)}u w=2u")

    def put_c(self):
        self.add("c", f"{self.pair()} {self.between(1e-9, 1e-6)}{self.rarely('m=2', 'tc=1m')}")

    def put_l(self):
        coils = [self.add("l", f"{self.pair()} {self.between(1e-4, .1)}") for _ in range(self.draw.choice([1, 1, 2]))]
        if len(coils) == 2:
            self.add("k", f"{coils[0]} {coils[1]} {self.evenly(.2, .95)}")

    def diode(self):
        return self.model("d", self.some(DIODE))

    def bipolar(self):
        return self.model(self.draw.choice(["npn", "npn", "pnp"]), self.some(BIPOLAR))

    def put_d(self):
        self.add("d", f"{self.pair()} {self.diode()}{self.rarely('2', 'area=3', 'temp=60', 'off')}")

    def put_q(self):
        self.add("q", f"{self.node()} {self.node()} {self.node()} {self.bipolar()}{self.rarely('off')}")

    def put_m(self):
        """ngspice's slopes, which ac and nothing else is made of, are not those of its currents where the bulk conducts and in levels 2
        and 3 with NSUB; its DELTA of level 2 counts less with M=2."""
        source, kind = self.node(), self.draw.choice(["nmos", "pmos"])
        level = 1 if self.analysis == "ac" else self.draw.choice([1, 1, 1, 2, 3])
        bulk = source if self.analysis != "ac" and self.draw.random() < .5 else 300 if kind == "pmos" else 301
        sign = "" if kind == "nmos" else "-"
        model = self.model(kind, f"level={level} vto={sign}{self.evenly(.3, 1.5)} {self.some(MOS)} {self.some(MOS_OF_LEVEL[level])}")
        more = self.rarely("ad=10p as=10p pd=12u ps=12u", "nrd=1 nrs=1", "" if level == 2 else "m=2")
        self.add("m", f"{self.node()} {self.node()} {source} {bulk} {model} w={self.evenly(2, 50)}u l={self.evenly(1, 5)}u{more}")

    def put_j(self):
        model = self.model(self.draw.choice(["njf", "pjf"]), f"vto=-{self.evenly(1, 4)} {self.some(JFET)}")
        self.add("j", f"{self.node()} {self.node()} {self.node()} {model}{self.rarely('2')}")

    def put_g(self):
        self.add("g", f"{self.pair()} {self.pair()} {self.evenly(-1e-4, 1e-4)}{self.rarely('m=2')}")

    def put_controlled(self):
        """E, H and a current source behind resistors; F; a polynomial."""
        kind = self.draw.choice(["e", "f", "h", "poly", "i"])
        if kind == "poly":
            # so little curved that a solution always is: a parabola across a conductance may have none
            self.add("g", f"{self.pair()} poly(2) {self.pair()} {self.pair()} {self.evenly(-1e-4, 1e-4)} "
                          f"{self.evenly(-1e-5, 1e-5)} 1e-6 1e-8 2e-8")
        elif kind == "i":
            self.add("i", f"{self.pair()} dc {self.between(1e-5, 2e-3)}")
        elif kind == "e":
            name = self.name("e")
            self.cards.append(f"{name} {self.own_node()} 0 {self.pair()} {self.evenly(-.9, .9)}")
            self.behind(self.between(100, 1e4))
        else:
            name = self.name("v")
            self.cards.append(f"{name} {self.inner()} {self.own_node()} 0")
            self.cards.append(f"rs{name} {self.own_node()} 0 {self.between(500, 1e4)}")
            if kind == "f":
                self.add("f", f"{self.pair()} {name} {self.evenly(-.9, .9)}")
            else:
                other = self.name("h")
                self.cards.append(f"{other} {self.own_node()} 0 {name} {self.evenly(-500, 500)}")
                self.behind("1k")

    def behind(self, resistance):
        """What drives its own node drives the circuit through a resistor."""
        own = self.own_node()
        self.add("r", f"{own} {self.inner()} {resistance}")

    def expression(self):
        one, two = f"v({self.inner()})", f"v({self.inner()})"
        return self.draw.choice([
            f"{self.evenly(-1, 1)}*{one}+{self.evenly(-1, 1)}", f".1*{one}*{two}", f"sin({one})", f"tanh(2*{one})",
            f"exp(-{one}*{one}/4)", f"({one} > 1 ? {self.evenly(-1, 1)}*({one}-1) : {self.evenly(-1, 1)}*({one}-1))",
            f"{one}**2/10", f"{one}^2/10", f"sqrt(1+{one}*{one})", f"min({one},{self.evenly(0, 3)})",
            f"v({self.inner()},{self.inner()})*.3", f"abs({one})", f"max(-1,min(1,{one}))", f"ln(1+{one}^2)", f"pa*{one}"])

    def put_b(self):
        if self.draw.random() < .6:
            self.add("b", f"{self.pair()} i=1e-3*({self.expression()})")
        else:
            name = self.name("b")
            self.cards.append(f"{name} {self.own_node()} 0 v={self.expression()}")
            self.behind(self.between(500, 5e3))

    def put_line(self):
        name = self.name("t")
        self.cards.append(f"{name} {self.inner()} 0 {self.own_node()} 0 z0={self.evenly(50, 500)} td={self.draw.choice(['20u', '50u'])}")
        self.cards.append(f"rt{name} {self.own_node()} 0 {self.between(50, 1e3)}")

    def put_x(self):
        kind = f"sub{len(self.subcircuits)}"
        inside = f"q1 m a b {self.bipolar()}" if self.draw.random() < .5 else f"d1 m b {self.diode()}"
        self.subcircuits.append(f".subckt {kind} a b c rr=1k cc=1n\nr1 a m {{rr}}\nc1 m b {{cc*2}}\n"
                                f"r2 m c {{rr*2+{self.between(100, 1e4)}}}\n{inside}\n.ends")
        self.add("x", f"{self.node()} {self.node()} {self.node()} {kind}{self.rarely('rr=2k', 'rr=500 cc=3n', 'rr={pa*1k}')}")

    # ---- the deck ----

    def hold_nodes(self):
        self.cards.append(f"v0 100 0 {self.waveform()}\nrs0 100 1 {self.between(20, 2e3)}")
        if self.draw.random() < .6:
            self.cards.append(f"v00 200 0 dc {self.draw.choice([5, -5, 3.3, 10])}\nrs00 200 2 {self.between(20, 2e3)}")
        for k in range(1, self.nodes + 1):
            other = self.draw.choice([0, 0, k % self.nodes + 1])
            self.cards.append(f"rg{k} {k} {other} {self.between(1e3, 1e5)}\nrh{k} {k} 0 1meg")

    def deck(self):
        families = ["r", "r", "c", "c"]
        for _ in range(self.draw.randint(1, 3)):
            families += self.draw.choice(FAMILIES)
        if self.analysis == "dc":
            families = [family for family in families if family != "line"]
        self.hold_nodes()
        if "m" in families:
            self.cards.append("vbp 300 0 12\nvbn 301 0 -12")
        for _ in range(self.draw.randint(3, 9)):
            getattr(self, "put_" + self.draw.choice(families))()
        lines = ["a random deck", f".param pa={self.evenly(.5, 2)}"] + self.cards + self.models + self.subcircuits
        if self.draw.random() < .25:
            lines.append(f".temp {self.draw.choice([-20, 60, 85])}")
        if self.draw.random() < .1:
            lines.append(f".options tnom={self.draw.choice([20, 50])}")
        # the charges of a channel are Meyer's in ngspice and conserved ones here: frequencies where they count little
        response = ".ac dec 5 10 1k" if "m" in families else self.draw.choice([".ac dec 5 10 10meg", ".ac lin 20 100 100k"])
        lines.append({"op": ".op", "dc": ".dc v0 -3 6 .25", "ac": response, "tran": ".tran 5u 1m 0 2u"}[self.analysis])
        lines.append(f".options reltol={'1e-6' if self.analysis == 'tran' else '1e-5'} abstol=1e-14 vntol=1e-9")
        lines.append(".save " + " ".join(f"v({k})" for k in range(1, self.nodes + 1)))
        return "\n".join(lines + [".end"]) + "\n"
