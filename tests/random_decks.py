#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random SPICE decks (deck_maker.py) by Linnet and by ngspice, at tight options: both find the same, or ngspice says that it did
not.

usage: random_decks.py LINNET FIRST NUMBER FOLDER

Of a deck that differs, fails or takes longer than a minute one line is printed; the deck stays in FOLDER/dSEED.cir, and what is
left of it when every line and parameter that the difference does not need is gone, in FOLDER/dSEED.small.cir. Who is right is for
a person to find out: ngspice takes a step for converged that is not, too."""
import bisect
import os
import re
import subprocess
import sys

import deck_maker

LIMIT_NGSPICE, LIMIT_LINNET = 30, 60  # s
# How far apart numbers may be, as a part of their size: what the options of the decks leave, times a thousand.
ALLOWED = {"op": 1e-3, "dc": 1e-3, "ac": 1e-3, "tran": 5e-3}
SHIFTS = (-3e-6, -1e-6, 0, 1e-6, 3e-6)  # s: an edge may come so much later
GAVE_UP = ("no convergence", "aborted", "timestep too small", "singular matrix")


def read_raw(path):
    """Names and rows of a rawfile of text; None when there is none."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            head, found, body = file.read().partition("Values:")
    except OSError:
        return None
    if not found:
        return None
    lines = head.splitlines()
    is_complex = any(line.startswith("Flags") and "complex" in line for line in lines)
    names = [line.split()[1].lower() for line in lines[lines.index("Variables:") + 1:] if line.startswith("\t")]
    words = body.split()
    width = len(names) + 1
    number = (lambda word: complex(*map(float, word.split(",")))) if is_complex else float
    return names, [[number(word) for word in words[k + 1:k + width]] for k in range(0, len(words) - width + 1, width)]


def value_at(times, values, t):
    k = bisect.bisect_left(times, t)
    if k <= 0 or k >= len(times):
        return values[0 if k <= 0 else -1]
    if times[k] == times[k - 1]:
        return values[k]
    part = (t - times[k - 1]) / (times[k] - times[k - 1])
    return values[k - 1] * (1 - part) + values[k] * part


class Decks:
    """Both programs, and a folder where they work."""

    def __init__(self, linnet, folder):
        self.linnet, self.folder = os.path.abspath(linnet), folder
        os.makedirs(folder, exist_ok=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def call(self, command, limit):
        """Exit status and what was said; None: too long."""
        try:
            done = subprocess.run(command, cwd=self.folder, capture_output=True, timeout=limit, check=False,
                                  env=dict(os.environ, SPICE_ASCIIRAWFILE="1"))
        except subprocess.TimeoutExpired:
            return None
        return done.returncode, (done.stderr + done.stdout).decode(errors="replace")

    def run(self, text):
        """The results of ngspice and Linnet: None, or a word why there is none."""
        for name in ("ngspice.raw", "linnet.raw"):
            if os.path.exists(self.path(name)):
                os.remove(self.path(name))
        with open(self.path("deck.cir"), "w", encoding="utf-8") as file:
            file.write(text)
        told = self.call(["ngspice", "-b", "-r", "ngspice.raw", "deck.cir"], LIMIT_NGSPICE)
        theirs = read_raw(self.path("ngspice.raw"))
        if told is None or theirs is None or not theirs[1] or any(word in told[1].lower() for word in GAVE_UP):
            theirs = None
        told = self.call([self.linnet, "run", "deck.cir", "-o", "linnet.raw", "--ascii", "-q"], LIMIT_LINNET)
        if told is None:
            return theirs, "takes longer than a minute"
        if told[0] != 0:
            said = [line for line in told[1].splitlines() if "error" in line] or ["?"]
            return theirs, f"ends with {told[0]}: {said[0][:160]}"
        return theirs, read_raw(self.path("linnet.raw")) or "writes no result"


def difference(analysis, theirs, ours):
    """The largest difference over what is allowed, and whose it is."""
    worst = (0, "")
    for k, name in enumerate(theirs[0]):
        if not name.startswith("v(") or name not in ours[0]:
            continue
        j = ours[0].index(name)
        if analysis == "tran":
            off = apart_in_time([row[0] for row in theirs[1]], [row[k] for row in theirs[1]],
                                [row[0] for row in ours[1]], [row[j] for row in ours[1]])
        else:
            least = 1e-6 * max(abs(row[k]) for row in theirs[1]) + (1e-5 if analysis == "ac" else 1e-3)
            off = max(abs(a[k] - b[j]) / (abs(a[k]) + least) for a, b in zip(theirs[1], ours[1]))
        worst = max(worst, (off / ALLOWED[analysis], name))
    return worst


def apart_in_time(times, values, our_times, our_values):
    """At 200 times: how far theirs is from all that ours is nearby, as a part of its range (of 10 mV at least: it rings)."""
    size = max(1e-2, max(values) - min(values), .01 * max(map(abs, values)))
    worst = 0
    for k in range(201):
        t = times[-1] * k / 200
        near = [value_at(our_times, our_values, t + shift) for shift in SHIFTS]
        value = value_at(times, values, t)
        worst = max(worst, min(near) - value, value - max(near))
    return worst / size


def judge(decks, analysis, text):
    """What there is to tell of a deck: a pair of its kind and the words; None when both agree, or ngspice fails."""
    theirs, ours = decks.run(text)
    if theirs is None or (analysis == "tran" and theirs[1][-1][0] < .999e-3):
        return None
    if isinstance(ours, str):
        return "fails", ours
    if analysis != "tran" and len(theirs[1]) != len(ours[1]):
        return "points", f"has {len(ours[1])} points, ngspice {len(theirs[1])}"
    off, name = difference(analysis, theirs, ours)
    return ("differs", f"{name} differs by {off:.3g} times what is allowed") if off > 1 else None


# ---- a smaller deck with the same to tell ----
def may_go(line):
    return not line.lower().startswith((".end", ".op", ".dc", ".ac", ".tran", ".save", "a random", "rg", "rh")) or line == ".ends"


def essence(found):
    """What two decks must have alike to have the same to tell: of a failure its words, without numbers and what follows them."""
    kind, words = found
    return kind, re.sub(r"[0-9.].*", "", words.split("error: ")[-1]) if kind == "fails" else ""


def smaller(decks, analysis, text, wanted):
    """Without the lines, and then the parameters of models, that it does not need."""
    lines = text.splitlines()

    def still(changed):
        found = judge(decks, analysis, "\n".join(changed) + "\n")
        return found is not None and essence(found) == essence(wanted)

    going = True
    while going:
        going = False
        for k in range(len(lines) - 1, 0, -1):
            if may_go(lines[k]) and still(lines[:k] + lines[k + 1:]):
                lines, going = lines[:k] + lines[k + 1:], True
    for k, line in enumerate(lines):
        words = line.replace("(", " ").replace(")", " ").split()
        for j in range(len(words) - 1, 2, -1) if line.startswith(".model") else ():
            fewer = lines[:k] + [" ".join(words[:j] + words[j + 1:])] + lines[k + 1:]
            if still(fewer):
                lines, words = fewer, words[:j] + words[j + 1:]
    return "\n".join(lines) + "\n"


def main():
    linnet, first, number, folder = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    decks, told = Decks(linnet, folder), 0
    for seed in range(first, first + number):
        maker = deck_maker.Maker(seed)
        text = maker.deck()
        found = judge(decks, maker.analysis, text)
        if found is None:
            continue
        told += 1
        print(f"{seed} ({maker.analysis}): {found[1]}", flush=True)
        for name, deck in ((f"d{seed}.cir", text), (f"d{seed}.small.cir", smaller(decks, maker.analysis, text, found))):
            with open(decks.path(name), "w", encoding="utf-8") as file:
                file.write(deck)
    print(f"{number} decks from seed {first}: {told} to tell of")
    return 1 if told else 0


if __name__ == "__main__":
    sys.exit(main())
