#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Mutants: one operator or constant of the core is changed at a time, and a test must notice.

mutants.py [NUMBER [SEED]]: so many mutants (10), chosen at random from the rooms below, in a copy of the sources. There the objects of
Linnet become one shared library, which all tests are linked to, so that a mutant costs one compilation and one linking. Assertions
are on, arenas take each piece by itself, and the changed file is compiled with AddressSanitizer and UndefinedBehaviorSanitizer. A
build for gcov tells which tests execute a changed line: these run, the quickest and those that killed most in its room first, for
LONGEST seconds of processor time in all, until one fails or takes far longer than it did. What fails is tried once more with the file
as it was, compiled alike. What survives is run by FAULTS, too: short memory on every way to an allocation. A line that no test
executes, and no fault finds, is a survivor. Assertions and their helpers compute nothing and are passed over. Prints each survivor and how many were
killed; fails when fewer than 85 in a hundred are, from a hundred mutants on: a few say little. EQUIVALENT, beside this file, lists
mutants that compute the same, each with its reason: they do not count. The folder MUTANTS_FOLDER, where it is set, is kept: a second
run in it builds nothing and hunts at once, from where a hunt of the same seed was cut.
"""
import collections
import concurrent.futures
import glob
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading

ROOMS = ("integrate", "system", "network", "expression")
SLOWEST = 6.0  # seconds of processor time: a test that takes longer is left out
LONGEST = 60.0  # of all tests of one mutant
NEAR = 8  # lines: a line that gcov does not know has those of one so near
SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined", "-fno-omit-frame-pointer"]
# pieces of an arena by themselves: AddressSanitizer knows where they end
PIECES = """#include "base/sys.h"
#include <stdlib.h>
static ln_sys_table pieces;
__attribute__((constructor)) static void use_pieces(void) {
    if (getenv("MUTANTS_PIECES") == NULL)
        return;
    pieces = ln_sys_real;
    pieces.arena_pieces = 1;
    ln_sys = &pieces;
}
"""
# what they measure depends on what else the machine does, or they run other tests, or they look at sources only
LEFT_OUT = re.compile(r"/(growth|leap|soak|mutants|faults|rooms|architecture|figures|lint|cplusplus|extending|studio\w*|"
                      r"newcomers|completion|codegen_arm|libraries|shell|coverage)\.sh$|/faults$|/replay$")
# short memory: the harness of tests/faults.sh, a run each of circuits, block diagrams, decks and events, in a copy of tests/small
HARNESS = "tests/faults"
FAULTS = [HARNESS + " allocate-once new " + command for command in (
    "o.csv run rc.xml -q -o o.csv", "o.csv run loop.xml -q -o o.csv", "- op deck.cir", "- check rc.xml",
    "- check ../models/examples/hybrid/thermostat.xml")]
EQUIVALENT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "mutants.txt")
SHORT = re.compile(r"[!=]= NULL|MEMORY|no_memory|LN_GROW")  # what follows short memory: tests/faults.sh looks at that
SWAPS = [(r"==", "!="), (r"!=", "=="), (r"&&", "||"), (r"\|\|", "&&"), (r"<=", "<"), (r">=", ">"), (r"(?<= )<(?= )", "<="),
         (r"(?<= )>(?= )", ">="), (r"(?<= )\+(?= )", "-"), (r"(?<= )-(?= )", "+"), (r"(?<= )\*(?= )", "/"),
         (r"(?<= )/(?= )", "*"), (r"\+=", "-="), (r"-=", "+="), (r"(?<=[ (\[])0(?=[;, )\]])", "1"),
         (r"(?<=[ (\[])1(?=[;, )\]])", "0")]


def places(path):
    """Every change of a file: line number, the changed line."""
    comment, before, checks = False, "", False
    for number, line in enumerate(open(path, encoding="utf-8"), 1):
        checks = line.startswith("#ifndef NDEBUG") or (checks and not line.startswith("#endif"))
        if checks:  # helpers of assertions
            continue
        head, before = before, line.rstrip()
        if comment or re.match(r"\s*/\*", line):
            comment = "*/" not in line
            continue
        if not line.startswith("    ") or '"' in line or "assert(" in line or SHORT.search(line) or re.match(r"\s*(#|\*|static const char|X\()", line):
            continue
        if SHORT.search(head) and not head.endswith(";"):  # what is done then
            continue
        code = line.split("/*")[0]
        for pattern, to in SWAPS:
            for found in re.finditer(pattern, code):
                if found.start() >= 4:
                    yield number, line[:found.start()] + to + line[found.end():]


def run(command, **more):
    """Exit status, and seconds of processor time of the command and of what it waited for."""
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **more)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return child.returncode, usage.ru_utime + usage.ru_stime


def must(command, **more):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **more)
    if done.returncode != 0:
        sys.exit(f"mutants: {' '.join(command)[:200]}\n{done.stdout[-2000:]}")
    return done.stdout


class Build:
    """A copy of the sources whose tests use the objects of Linnet as a shared library, libcore.so."""

    def __init__(self, sources, folder):
        self.folder = folder
        self.plain = os.path.join(folder, "plain")
        self.fast = ["-fuse-ld=mold"] if shutil.which("mold") else []
        fresh = not os.path.exists(os.path.join(self.plain, "libcore.so"))
        if fresh:
            self.configure(sources)
        self.objects = [name[:-3] + ".o" for name in self.value("$(libcore_la_OBJECTS)").split()] + ["pieces.o"]
        self.compiler = self.value("$(CC) $(DEFS) $(DEFAULT_INCLUDES) $(AM_CPPFLAGS) $(CPPFLAGS) $(AM_CFLAGS) $(CFLAGS)")
        self.libraries = self.value("$(LIBRARIES_USED)").split()
        programs = self.value("$(check_PROGRAMS)").split()
        if fresh:
            self.make(programs)
        self.whole = set()  # tests that count allocations: arenas stay as they are
        self.tests = [t for t in programs + self.value("$(dist_check_SCRIPTS)").split() if not LEFT_OUT.search("/" + t)]

    def configure(self, sources):
        files = subprocess.run(["git", "ls-files", "-z"], cwd=sources, stdout=subprocess.PIPE, check=True).stdout
        subprocess.run(["xargs", "-0", "cp", "--parents", "-t", self.folder], input=files, cwd=sources, check=True)
        with open(os.path.join(self.folder, "pieces.c"), "w", encoding="ascii") as text:
            text.write(PIECES)
        compiler = ["CC=ccache gcc"] if shutil.which("ccache") else []
        must(["./bootstrap", "--disable-shared", "--without-mpi", "--enable-debug", "CFLAGS=-O1 -fPIC",
              "LDFLAGS=" + " ".join(self.fast)] + compiler, cwd=self.folder)

    def make(self, programs):
        self.compile("pieces.c", "pieces.o", "pieces.c")
        # the archive becomes a word to the linker: what is made from now on uses the library
        with open(os.path.join(self.folder, ".libs/libcore.a"), "w", encoding="ascii") as archive:
            archive.write(f"INPUT({self.plain}/libcore.so)\n")
        self.link(os.path.join(self.folder, "plain"))
        os.remove(os.path.join(self.folder, "linnet"))
        must(["make", "-s", "-k", "-j2", "LDFLAGS=" + " ".join(self.fast + SANITIZERS), "linnet", HARNESS] + programs,
             cwd=self.folder)

    def value(self, expression):
        text = f"include Makefile\nmutants-value: ; @printf '%s\\n' '{expression}'\n"
        return subprocess.run(["make", "-s", "-f", "-", "mutants-value"], cwd=self.folder, input=text, text=True,
                              stdout=subprocess.PIPE, check=True).stdout.strip()

    def compile(self, source, target, original, flags=()):
        where = ["-iquote", os.path.dirname(os.path.join(self.folder, original))]
        command = f"exec {self.compiler} \"$@\""
        return run(["sh", "-c", command, "sh", *flags, *where, "-w", "-c", source, "-o", target], cwd=self.folder)[0] == 0

    def link(self, folder, instead=None, flags=()):
        """libcore.so in a folder, with other objects in place of some."""
        os.makedirs(folder, exist_ok=True)
        objects = [(instead or {}).get(name, name) for name in self.objects]
        must(["gcc", "-shared", *self.fast, *flags, "-Wl,-soname,libcore.so", "-o", os.path.join(folder, "libcore.so"), *objects,
              *self.libraries], cwd=self.folder)

    def test(self, name, library, seconds=120, prefix=None):
        """Exit status of a test with this library, 124 when it took too long, and how long it took."""
        environment = dict(os.environ, LD_LIBRARY_PATH=library, LINNET=os.path.join(self.folder, "linnet"), srcdir=self.folder,
                           builddir=self.folder, OPENBLAS_NUM_THREADS="1", ASAN_OPTIONS="exitcode=99:allocator_may_return_null=1",
                           UBSAN_OPTIONS="exitcode=99")
        if name not in self.whole:
            environment["MUTANTS_PIECES"] = "1"
        if prefix:
            environment["GCOV_PREFIX"] = prefix
        # a group of its own: what a script started ends with it
        command = ["timeout", "-k", "1", str(seconds)]
        if name in FAULTS:
            with tempfile.TemporaryDirectory(dir=self.folder) as place:
                shutil.copytree(os.path.join(self.folder, "tests/small"), place, dirs_exist_ok=True)
                environment["ASAN_OPTIONS"] += ":detect_leaks=0"  # it counts blocks itself
                return run(command + ["../" + name.split()[0]] + name.split()[1:], cwd=place, env=environment)
        return run(command + (["sh", name] if name.endswith(".sh") else ["./" + name]), cwd=self.folder, env=environment)


def reached(build, sources):
    """For each file its lines, for each of them the tests that execute it, and how long each test takes."""
    lines = {source: {} for source in sources}
    seconds, objects = {}, {}
    covered = os.path.join(build.folder, "covered")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for source in sources:
            target = os.path.join(covered, source[:-2] + ".o")
            os.makedirs(os.path.dirname(target), exist_ok=True)
            objects[source[:-2] + ".o"] = target
        made = pool.map(lambda it: build.compile(it, objects[it[:-2] + ".o"], it, ["--coverage"]), sources)
        if not all(made):
            sys.exit("mutants: a file does not compile")
        build.link(covered, objects, ["--coverage"])

        def look(test):
            prefix = os.path.join(build.folder, "counts", test.replace("/", "_"))
            status, seconds[test] = build.test(test, covered, 50 * SLOWEST, prefix)
            if status not in (0, 77, 124):
                build.whole.add(test)
                status, seconds[test] = build.test(test, covered, 50 * SLOWEST, prefix)
            if status == 124 or seconds[test] > 2 * SLOWEST:  # counting takes its time
                return {}
            if status != 0:
                print(f"left out: {test}, status {status}", flush=True)
                return {}
            told = learn(lines, objects, prefix)
            shutil.rmtree(prefix, ignore_errors=True)
            return told

        for test, told in zip(build.tests, pool.map(look, build.tests)):
            for (source, line), count in told.items():
                tests = lines[source].setdefault(line, set())
                if count > 0:
                    tests.add(test)
    for test in FAULTS:
        build.whole.add(test)
        status, seconds[test] = build.test(test, build.plain)
        if status != 0:
            sys.exit(f"mutants: {test}, status {status}")
    return lines, seconds


def learn(sources, objects, prefix):
    """How often a test executed each line."""
    counted, told = [], {}
    for target in objects.values():
        data = prefix + target[:-2] + ".gcda"
        if os.path.exists(data):
            os.symlink(target[:-2] + ".gcno", data[:-5] + ".gcno")
            counted.append(data)
    if not counted:
        return told
    out = subprocess.run(["gcov", "--json-format", "--stdout"] + counted, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                         cwd=prefix, check=False).stdout
    for text in out.splitlines():
        for file in json.loads(text)["files"]:
            source = next((s for s in sources if file["file"].endswith(s)), None)
            for line in file["lines"] if source else ():
                place = source, line["line_number"]
                told[place] = told.get(place, 0) + line["count"]
    return told


class Hunt:
    def __init__(self, build, lines, seconds):
        self.build, self.lines, self.seconds = build, lines, seconds
        self.passed = {}  # whether a test passes with the file as it was, compiled as a mutant is
        self.originals, self.turn = {}, threading.Lock()
        self.kills_of = kills_so_far(build.folder)  # by room and test

    def library(self, name, source, text):
        """A folder with the library in which a file has this text; None: it does not compile."""
        folder = os.path.join(self.build.folder, name)
        os.makedirs(folder, exist_ok=True)
        changed = os.path.join(folder, os.path.basename(source))
        with open(changed, "w", encoding="utf-8") as file:
            file.write(text)
        target = changed[:-2] + ".o"
        if not self.build.compile(changed, target, source, SANITIZERS):
            return None
        self.build.link(folder, {source[:-2] + ".o": target})
        return folder

    def text(self, source):
        with open(os.path.join(self.build.folder, source), encoding="utf-8") as file:
            return file.readlines()

    def passes(self, test, source):
        with self.turn:
            if source not in self.originals:
                self.originals[source] = self.library("original-" + source.replace("/", "-"), source, "".join(self.text(source)))
        if (test, source) not in self.passed:
            self.passed[test, source] = self.build.test(test, self.originals[source], 20 + 20 * self.seconds[test])[0] == 0
        return self.passed[test, source]

    def kills(self, test, folder, source):
        status, _ = self.build.test(test, folder, 20 + 20 * self.seconds[test])
        return status not in (0, 77) and self.passes(test, source)

    def reaching(self, source, number):
        """The tests that execute a line. Of what the compiler has put together gcov knows one line: those of the nearest ones.
        Tables and declarations are no lines to it: any test of the file may notice."""
        known = self.lines[source]
        if number in known:
            return known[number]
        near = [line for line in known if abs(line - number) <= NEAR]
        before, behind = max((it for it in near if it < number), default=None), min((it for it in near if it > number), default=None)
        if before is None:
            return set().union(*known.values())
        return known[before] | known.get(behind, set())

    def killer(self, source, number, line):
        """The test that notices, "" when there is none, None where the change does not compile."""
        text = self.text(source)
        text[number - 1] = line
        folder = self.library(f"mutant-{threading.get_ident()}", source, "".join(text))
        if folder is None:
            return None
        tests = self.reaching(source, number)
        left, room = LONGEST, os.path.dirname(source)
        for test in sorted(tests, key=lambda it: self.seconds[it] / (1 + self.kills_of[room, it])) + FAULTS:
            if test not in FAULTS:
                left -= self.seconds[test]
            if left < 0 and test not in FAULTS:
                continue
            if self.kills(test, folder, source):
                self.kills_of[room, test] += 1
                return test
        return ""


def known():
    """Changed lines that compute the same: file and text; what stands behind the tab is the reason."""
    if not os.path.exists(EQUIVALENT):
        return set()
    with open(EQUIVALENT, encoding="utf-8") as file:
        return {tuple(line.split("\t")[:2]) for line in file if not line.startswith("#")}


def chosen(number, seed, folder):
    """Mutants in a random order, more than asked: some do not compile."""
    files = sorted(f"src/{room}/{name}" for room in ROOMS for name in os.listdir(f"{folder}/src/{room}") if name.endswith(".c"))
    found = [(source, *place) for source in files for place in places(os.path.join(folder, source))]
    random.Random(seed).shuffle(found)
    same = known()
    return [it for it in found if (it[0], it[2].strip()) not in same][:2 * number]


def remembered(build, sources):
    """What each test reaches; kept in the folder."""
    path = os.path.join(build.folder, "reached.json")
    if not os.path.exists(path):
        lines, seconds = reached(build, sources)
        kept = {source: {line: sorted(tests) for line, tests in it.items()} for source, it in lines.items()}
        with open(path, "w", encoding="utf-8") as file:
            json.dump([kept, seconds, sorted(build.whole)], file)
    with open(path, encoding="utf-8") as file:
        lines, seconds, whole = json.load(file)
    build.whole = set(whole)
    return {source: {int(line): set(tests) for line, tests in it.items()} for source, it in lines.items()}, seconds


def kills_so_far(folder):
    """How many mutants of a room each test killed in this folder, of all seeds."""
    count = collections.Counter()
    for path in glob.glob(os.path.join(folder, "outcomes-*")):
        with open(path, encoding="utf-8") as file:
            for line in file:
                test, source = line.split("\t")[:2]
                count[os.path.dirname(source), test] += 1
    return count


class Outcomes:
    """What became of the mutants of a seed, kept in the folder: a hunt that is cut goes on there."""

    def __init__(self, folder, seed):
        self.path = os.path.join(folder, f"outcomes-{seed}")
        self.known = {}
        if os.path.exists(self.path):
            with open(self.path, encoding="utf-8") as file:
                self.known = {tuple(line.rstrip("\n").split("\t")[1:]): line.split("\t")[0] for line in file}

    def find(self, search, mutant):
        """"-" where the change does not compile, "" for a survivor, else the test that notices."""
        source, line, changed = mutant
        key = source, str(line), changed.strip()
        if key not in self.known:
            test = search.killer(*mutant)
            self.known[key] = "-" if test is None else test
            with open(self.path, "a", encoding="utf-8") as file:
                file.write("\t".join((self.known[key],) + key) + "\n")
        return self.known[key]


def hunt(number, seed, sources, folder):
    build = Build(sources, folder)
    files = [f"src/{room}/{name}" for room in ROOMS for name in sorted(os.listdir(f"{folder}/src/{room}")) if name.endswith(".c")]
    search, outcomes = Hunt(build, *remembered(build, files)), Outcomes(folder, seed)
    killed = tried = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        candidates = chosen(number, seed, folder)
        while tried < number and candidates:
            some, candidates = candidates[:number - tried], candidates[number - tried:]
            for (source, line, changed), test in zip(some, pool.map(lambda it: outcomes.find(search, it), some)):
                if test == "-":
                    continue
                tried += 1
                killed += test != ""
                if test == "":
                    reach = len(search.reaching(source, line))
                    print(f"survived {reach} tests: {source}:{line}: {changed.strip()}", flush=True)
                elif os.environ.get("MUTANTS_SHOW"):
                    print(f"killed by {test}: {source}:{line}: {changed.strip()}", flush=True)
    print(f"{killed} of {tried} mutants killed (seed {seed})")
    return tried < 100 or 100 * killed >= 85 * tried


def main():
    number, seed = (int(word) for word in (sys.argv[1:] + ["10", "1"][len(sys.argv) - 1:])[:2])
    sources = os.environ.get("srcdir", os.getcwd())
    kept = os.environ.get("MUTANTS_FOLDER")
    if kept:
        os.makedirs(kept, exist_ok=True)
        sys.exit(0 if hunt(number, seed, sources, kept) else 1)
    with tempfile.TemporaryDirectory(prefix="linnet-mutants.") as folder:
        sys.exit(0 if hunt(number, seed, sources, folder) else 1)


if __name__ == "__main__":
    main()
