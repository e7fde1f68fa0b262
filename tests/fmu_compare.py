#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A model as an FMU beside its simulation, at every communication point.

    fmu_compare.py LINNET HOST MODEL cs|me VERSION METHOD TOLERANCE

Co-simulation: `linnet run model.fmu` beside `linnet run model --events at-steps --newton exact`. Model exchange: the importer
HOST (tests/fmi/host.c) integrates by rk4, as the simulation does that locates events. Every step of HOST is taken twice, the
second time from the state as bytes. All columns of the FMU are compared in all of its rows; relative to the largest value of a
signal, or to 1. Where rounding decides (STANDS_ALONE), or the simulation has divided steps, the FMU is compared with the
generated code instead, to the last digits. Exit status 0: alike; 1: not; 77: no such FMU, by name.
"""
import csv
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree
import zipfile


# What code and simulation do not share over a whole run; step by step they do (tests/codegen_all.sh).
STANDS_ALONE = {
    "lorenz": "chaotic: differences of rounding grow by 1e5",
    "pleiades": "stars that pass close by do the same",
    "car-axis": "index 3: Crank-Nicolson does not damp what it carries of the multipliers' rates",
    "robertson": "steps of 1e8 s: y3 is what is left of 1 between rates that cancel to eight digits",
    "robertson-dae": "likewise",
    "van-der-pol": "a step of half a period jumps to one of several solutions",
    "van-der-pol-scaled": "likewise",
    "clutch-launch": "rounding decides in which step slip ends",
    "hydraulic-lift": "rounding decides in which step a valve meets its stop",
    "heated-room": "Crank-Nicolson does not damp roundings of the power: 1e-11",
    "induction-start": "begins at rest, at the very edge of a branch",
    "saturating-transformer": "the ratio of currents that vanish: 8e-11",
}
CHAOTIC = {"lorenz": 1e-9, "pleiades": 1e-7}  # in model exchange, where there is no such code
LAST_DIGITS = 1e-13  # the code's program and an importer ask for outputs at different times, and Newton's method goes on from there


class Differs(Exception):
    pass


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout, done.stderr


def identifier(name):
    return re.sub(r"[^A-Za-z0-9_]", "_", name)


def rows_of(lines):
    """Columns by their names, and rows of numbers."""
    read = csv.reader(lines)
    return [identifier(name) for name in next(read)], [[float(x) for x in row] for row in read]


class Description:
    """What of modelDescription.xml the host needs."""

    def __init__(self, path):
        with zipfile.ZipFile(path) as archive:
            self.root = xml.etree.ElementTree.fromstring(archive.read("modelDescription.xml"))
            sources = archive.read("sources/model.h").decode()
        self.version = int(self.root.get("fmiVersion")[0])
        self.token = self.root.get("guid") or self.root.get("instantiationToken")
        self.exchange = self.root.find("ModelExchange") is not None
        self.states = self.defined(sources, "MODEL_STATES")
        self.indicators = self.defined(sources, "MODEL_INDICATORS")
        experiment = self.root.find("DefaultExperiment")
        self.end = float(experiment.get("stopTime"))
        self.step = float(experiment.get("stepSize"))

    @staticmethod
    def defined(sources, name):
        found = re.search(r"\b%s (\d+)" % name, sources)
        return int(found[1]) if found else 0

    def outputs(self):
        """Names and the host's words for them: what is recorded, and states."""
        names, words = [], []
        for variable in self.root.find("ModelVariables"):
            scalar = variable.find("Real") if self.version == 2 else variable
            if variable.get("causality") != "output" or scalar is None:
                continue
            count = 1
            for dimension in variable.findall("Dimension"):
                count *= int(dimension.get("start"))
            kind = {"Int32": "i", "Boolean": "b"}.get(variable.tag, "")
            words.append(kind + variable.get("valueReference") + ("x%d" % count if count > 1 else ""))
            names += self.elements(variable, count)
        return names, words

    @staticmethod
    def elements(variable, count):
        sizes = [int(dimension.get("start")) for dimension in variable.findall("Dimension")]
        if not sizes:
            return [variable.get("name")]
        if len(sizes) == 1:
            return ["%s[%d]" % (variable.get("name"), k + 1) for k in range(count)]
        return ["%s[%d,%d]" % (variable.get("name"), k // sizes[1] + 1, k % sizes[1] + 1) for k in range(count)]


def exchanged(host, description, folder):
    """The FMU by model exchange."""
    names, words = description.outputs()
    with zipfile.ZipFile(os.path.join(folder, "it.fmu")) as archive:
        archive.extractall(folder)
    binaries = os.path.join(folder, "binaries")
    library = os.path.join(binaries, os.listdir(binaries)[0], "it.so")
    status, out, err = run(host, library, str(description.version), description.token, "me", repr(description.step),
                           repr(description.end), str(description.states), str(description.indicators), *words)
    if status != 0:
        raise Differs("the importer ends with %d: %s" % (status, err.strip()[:300]))
    return rows_of([",".join('"%s"' % name for name in ["time"] + names)] + out.splitlines())


def compare(wanted, found, tolerance, side):
    """Each row of `found` beside those of `wanted` at its time. Of a time told twice the last one counts, or the first one
    (`left`); in model exchange (`any`) an event may lie on either side of a communication point by rounding."""
    columns, rows = wanted
    names, theirs = found
    # a name that is a constant of the language, as e is, comes back with a number; so do those of an array of one
    names = [name if name in columns else re.sub(r"_2$", "", name) for name in names]
    names = [name if name in columns else name + "_1_" for name in names]
    if sorted(set(names) - set(columns)) or len(names) < 2:
        raise Differs("columns: %s of %s" % (names, columns))
    pairs = [(names.index(name), columns.index(name), name) for name in names[1:]]
    scale = [max([1] + [abs(row[k]) for row in rows]) for k in range(len(columns))]
    near = 1e-9 * (theirs[1][0] - theirs[0][0])
    at, worst = 0, (0, "")
    for row in theirs:
        while at < len(rows) and rows[at][0] < row[0] - near:
            at += 1
        behind = at
        while behind < len(rows) and rows[behind][0] <= row[0] + near:
            behind += 1
        if behind == at:
            raise Differs("nothing is told at %.17g" % row[0])
        beside = {"left": rows[at:at + 1], "right": rows[behind - 1:behind], "any": rows[at:behind]}[side]
        offs = []
        for other in beside:
            offs.append(max((abs(row[k] - other[m]) / scale[m] if row[k] != other[m] else 0,
                             "%s is %.17g at %.17g, not %.17g" % (name, row[k], row[0], other[m])) for k, m, name in pairs))
        worst = max(worst, min(offs))
    if not worst[0] <= tolerance:
        raise Differs("%.1e off: %s" % worst)
    return worst[0]


def options_of(model, method):
    with open(model, encoding="utf-8") as file:
        text = file.read()
    step = re.search(r'<simulation[^>]* step="([^"]*)"', text)
    duration = re.search(r'<simulation[^>]* duration="([^"]*)"', text)
    return ["--method", method, "--step", step[1] if step else "(%s)/1000" % (duration[1] if duration else "1")]


class Refused(Exception):
    """There is no such FMU, or nothing beside it."""


class Case:
    """A model, as an FMU, in a folder of its own."""

    def __init__(self, linnet, model, method, folder):
        self.linnet, self.model, self.method, self.folder = linnet, model, method, folder
        self.name = os.path.splitext(os.path.basename(model))[0]
        self.options = options_of(model, method)
        self.fmu, self.result = os.path.join(folder, "it.fmu"), os.path.join(folder, "out.csv")

    def export(self, version):
        status, _, err = run(self.linnet, "export", self.model, *self.options, "--fmi", version, "--name", "it", "-o", self.fmu, "-q")
        if status != 0:
            raise Refused(err.strip()[:200])
        return Description(self.fmu)

    def rows(self, what, *more):
        """What a run tells, and in how many steps."""
        status, _, err = run(self.linnet, "run", what, *more, "-o", self.result)
        if status != 0:
            raise Refused("the run of %s ends: %s" % (os.path.basename(what), err.strip()[-300:]))
        with open(self.result, encoding="utf-8") as file:
            told = rows_of(file)
        taken = re.search(r" in (\d+) steps", err)
        return told, int(taken[1]) if taken else 0

    def code(self, end):
        """What the same code tells that is no FMU. Parameters of a diagram are open in an FMU."""
        folder = os.path.join(self.folder, "code")
        tunable = ["--tunable"] if self.method not in ("backward-euler", "crank-nicolson") else []
        run(self.linnet, "codegen", self.model, *self.options, *tunable, "--name", "it", "-o", folder, "--test-main", "-q")
        compiler = os.environ.get("CC", "cc").split()
        program = os.path.join(folder, "it_main")
        status, _, err = run(*compiler, "-O2", "-ffp-contract=off", "-o", program, program + ".c", os.path.join(folder, "it.c"), "-lm")
        if status == 0:
            status, _, err = run(program, "-t", repr(end), "-o", self.result)
        if status != 0:
            raise Differs("the code ends with %d: %s" % (status, err[:300]))
        with open(self.result, encoding="utf-8") as file:
            return rows_of(file)


def co_simulated(case, description, tolerance):
    wanted, taken = case.rows(case.model, *case.options, "--events", "at-steps", "--newton", "exact")
    try:
        found, _ = case.rows(case.fmu)
    except Refused as refused:
        raise Differs(str(refused)) from None
    with zipfile.ZipFile(case.fmu) as archive:  # else the outputs of a network belong to a step's end
        evaluates = "it_evaluate(" in archive.read("sources/it.h").decode()
    divides = taken > round(description.end / description.step)
    if divides or case.name in STANDS_ALONE:
        return "%.1e beside the code" % compare(case.code(description.end), found, LAST_DIGITS, "right")
    return "%.1e" % compare(wanted, found, tolerance, "right" if evaluates else "left")


def main(linnet, host, model, mode, version, method, tolerance):
    tolerance = float(tolerance)
    with tempfile.TemporaryDirectory() as folder:
        case = Case(linnet, model, method, folder)
        description = case.export(version)
        if mode == "cs":
            print(co_simulated(case, description, tolerance))
        elif not description.exchange:
            raise Refused("no model exchange")
        else:
            wanted, _ = case.rows(model, *case.options)
            found = exchanged(host, description, folder)
            print("%.1e" % compare(wanted, found, CHAOTIC.get(case.name, tolerance), "any"))


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except Differs as differs:
        print(differs)
        sys.exit(1)
    except Refused as refused:
        print(refused)
        sys.exit(77)
