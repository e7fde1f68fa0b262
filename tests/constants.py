#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Constants that decide, in src/integrate, src/system and src/linear/convergence.c: each with its value, its meaning and the test
that notices when it is another.

constants.py             checks that each constant has a comment, and that constants.txt names none that is gone
constants.py table       prints them as Markdown, a table per room: the meaning is the comment beside the declaration
constants.py measure     adds to constants.txt what it lacks: a constant is made larger, and where no test fails then smaller, by a
                         factor of 2 where it is of the size of 1 or counts, else of 100, as mutants.py changes a line.
                         MUTANTS_FOLDER: as for mutants.py

A constant stays beside the one function that it decides: that is its place, and its comment the reason. What is not looked at: the
coefficients of formulas, which tests/test_formulas.c and test_runge_kutta.c hold against order conditions, sizes of arrays, and
numbers that name something.
"""
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
LIST = os.path.join(HERE, "constants.txt")
PLACES = ("src/integrate", "src/system", "src/linear/convergence.c")
DECLARED = re.compile(r"^( *)(static const double|enum \{|X\()")
ONE = re.compile(r"\b([A-Z][A-Z_0-9]*) *= *(-?[0-9][0-9.]*(?:e[+-]?[0-9]+)?|[0-9.]+ - 1e-[0-9]+)(?= *[,;} ]|$)")
# sizes and names, coefficients of difference formulas, nodes: nothing is decided by them
NO_DECISION = {"LANES", "PAIRS", "DEGREES", "SAMPLES", "POINTS", "NODES", "BETWEEN", "SINGLE", "COUNTS", "STRATEGIES", "FLOW_NUMBERS",
               "MOST_PROCESSES", "NEVER", "ORDERS", "NATIVE_ORDERS", "NAMED", "VECTORS", "TIMES"}


class Constant:
    def __init__(self, file, line, name, value, span, meaning):
        self.file, self.line, self.name, self.value, self.span, self.meaning = file, line, name, value, span, meaning
        self.key = f"{file}\t{name}"

    def factor(self):
        number = float(self.value)
        return 2 if number.is_integer() or 1e-2 <= abs(number) <= 1e2 else 100

    def changed(self, text, larger):
        """The line with another value."""
        number = float(self.value)
        other = number * self.factor() if larger else number / self.factor()
        shown = repr(other) if "." in self.value or "e" in self.value else str(max(int(other), 0))
        begin, end = self.span
        return text[:begin] + shown + text[end:]


def sources(root):
    for place in PLACES:
        path = os.path.join(root, place)
        if path.endswith(".c"):
            yield place
            continue
        for name in sorted(os.listdir(path)):
            if name.endswith(".c"):
                yield f"{place}/{name}"


def plain(comment):
    return re.sub(r"\s+", " ", re.sub(r"(?m)^\s*(/\*|\*/|\*)|\*/", " ", comment)).strip()


def meaning_of(lines, at, last):
    """The comment behind a declaration of the lines at to last, or above it; within a function that of the function."""
    behind = re.search(r"/\*.*", lines[at], re.S) if at == last else None
    if behind:
        return plain(behind.group(0))
    above = at
    while above > 0 and DECLARED.match(lines[above - 1]) and lines[above - 1].rstrip().endswith(";"):
        above -= 1
    if lines[at].startswith(" ") and (above == 0 or "*/" not in lines[above - 1]):
        while above > 0 and not re.match(r"\w.*", lines[above]):
            above -= 1
        while above > 0 and lines[above - 1].strip() and "*/" not in lines[above - 1]:
            above -= 1
    if above == 0 or "*/" not in lines[above - 1]:
        return ""
    first = above - 1
    while first > 0 and "/*" not in lines[first]:
        first -= 1
    return plain("\n".join(lines[first:above]))


def of_file(root, file):
    with open(os.path.join(root, file), encoding="utf-8") as opened:
        lines = opened.read().split("\n")
    at = 0
    while at < len(lines):
        if not DECLARED.match(lines[at]):
            at += 1
            continue
        last = at
        while last + 1 < len(lines) and not re.search(r";\s*(/\*.*)?$", lines[last]):
            last += 1
        general = meaning_of(lines, at, last)
        for k in range(at, last + 1):
            code = lines[k].split("/*")[0]
            for found in ONE.finditer(code):
                name, value = found.groups()
                if name in NO_DECISION or " - " in value:
                    continue
                own = re.search(r"/\*.*", lines[k]) or (k > at and re.match(r" *(/\*.*\*/)$", lines[k - 1]))
                meaning = plain(own.group(0)) if own and last > at else general
                yield Constant(file, k + 1, name, value, found.span(2), meaning)
        at = last + 1


def all_of(root):
    return [one for file in sources(root) for one in of_file(root, file)]


def known():
    if not os.path.exists(LIST):
        return {}
    with open(LIST, encoding="utf-8") as opened:
        rows = [line.rstrip("\n").split("\t") for line in opened if line.strip() and not line.startswith("#")]
    return {f"{file}\t{name}": noticed for file, name, noticed in rows}


def check(root):
    """What is wrong, as lines."""
    found, listed = all_of(root), known()
    here = {one.key for one in found}
    for one in found:
        if not one.meaning:
            yield f"{one.file}:{one.line}: {one.name} has no comment that says what it is"
    for key in listed:
        if key not in here:
            yield f"tests/constants.txt: {key.replace(chr(9), ' ')} is no constant any more"


def table(root):
    listed, room = known(), None
    for one in all_of(root):
        its = one.file.rsplit("/", 1)[0]
        if its != room:
            room = its
            print(f"\n## {room}\n\n| constant | value | meaning | noticed by |\n|---|---|---|---|")
        print(f"| `{one.name}` ({one.file.rsplit('/', 1)[1]}) | {one.value} | {one.meaning.replace('|', chr(92) + '|')} | {listed.get(one.key, 'not tried')} |")


def measure(root):
    import mutants  # pylint: disable=import-outside-toplevel
    folder = os.environ["MUTANTS_FOLDER"]
    build = mutants.Build(root, folder)
    files = [f"src/{room}/{name}" for room in mutants.ROOMS for name in sorted(os.listdir(f"{folder}/src/{room}"))
             if name.endswith(".c")]
    search = mutants.Hunt(build, *mutants.remembered(build, files))
    for one in all_of(folder):
        if one.key in known() or one.file not in search.lines:
            continue
        line = search.text(one.file)[one.line - 1]
        noticed = "none"
        for larger in (True, False):
            test = search.killer(one.file, one.line, one.changed(line, larger))
            if test:
                noticed = f"{os.path.basename(test.split(' ')[0])} at {one.value}{'*' if larger else '/'}{one.factor()}"
                break
        with open(LIST, "a", encoding="utf-8") as opened:
            opened.write(f"{one.key}\t{noticed}\n")


def main():
    root = os.environ.get("srcdir", os.path.dirname(HERE))
    what = sys.argv[1] if len(sys.argv) > 1 else "check"
    if what == "table":
        table(root)
    elif what == "measure":
        measure(os.path.abspath(root))
    else:
        wrong, found, listed = list(check(root)), all_of(root), known()
        tried = [listed[one.key] for one in found if one.key in listed]
        print("\n".join(wrong + [f"{len(found)} constants; of {len(tried)} that were tried with other values "
                                 f"{len(tried) - tried.count('none')} are noticed by a test"]))
        sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
