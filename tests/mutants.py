#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Mutants: one operator or constant of the core is changed at a time, and a test must notice.

mutants.py [NUMBER [SEED]]: so many mutants (10), chosen at random from the rooms below, in a copy of the sources. There the objects of
Linnet become one shared library, which all tests are linked to, so that a mutant costs one compilation and one linking. A build
for gcov tells which tests execute a changed line: these run, the quickest first, until one fails or takes far longer than it
did. What a shell script notices, and what takes too long, is tried once more without the change. A line that no test executes
is a survivor. Prints each survivor and how many were killed; fails when fewer than 85 in a hundred are, from a hundred mutants
on: a few say little. EQUIVALENT, beside this file, lists mutants that compute the same, each with its reason: they do not count.
"""
import json
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile

ROOMS = ("integrate", "system", "network", "expression")
SLOWEST = 6.0  # seconds of processor time: a test that takes longer is left out
# what they measure depends on what else the machine does, or they run other tests, or they look at sources only
LEFT_OUT = re.compile(r"/(growth|leap|soak|mutants|faults|rooms|architecture|figures|lint|cplusplus|extending|studio\w*|"
                      r"newcomers|completion|codegen_arm|libraries|shell|coverage)\.sh$|/faults$|/replay$")
EQUIVALENT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "mutants.txt")
SHORT = re.compile(r"[!=]= NULL|MEMORY|no_memory|LN_GROW")  # what follows short memory: tests/faults.sh looks at that
SWAPS = [(r"==", "!="), (r"!=", "=="), (r"&&", "||"), (r"\|\|", "&&"), (r"<=", "<"), (r">=", ">"), (r"(?<= )<(?= )", "<="),
         (r"(?<= )>(?= )", ">="), (r"(?<= )\+(?= )", "-"), (r"(?<= )-(?= )", "+"), (r"(?<= )\*(?= )", "/"),
         (r"(?<= )/(?= )", "*"), (r"\+=", "-="), (r"-=", "+="), (r"(?<=[ (\[])0(?=[;, )\]])", "1"),
         (r"(?<=[ (\[])1(?=[;, )\]])", "0")]


def places(path):
    """Every change of a file: line number, the changed line."""
    comment, before = False, ""
    for number, line in enumerate(open(path, encoding="utf-8"), 1):
        head, before = before, line.rstrip()
        if comment or re.match(r"\s*/\*", line):
            comment = "*/" not in line
            continue
        if not line.startswith("    ") or '"' in line or SHORT.search(line) or re.match(r"\s*(#|\*|static const char|X\()", line):
            continue
        if SHORT.search(head) and not head.endswith(";"):  # what is done then
            continue
        code = line.split("/*")[0]
        for pattern, to in SWAPS:
            for found in re.finditer(pattern, code):
                if found.start() >= 4:
                    yield number, line[:found.start()] + to + line[found.end():]


def run(command, seconds=None, **more):
    """Exit status, None when it took too long."""
    try:
        return subprocess.run(command, timeout=seconds, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, **more).returncode
    except subprocess.TimeoutExpired:
        return None


def must(command, **more):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **more)
    if done.returncode != 0:
        sys.exit(f"mutants: {' '.join(command)[:200]}\n{done.stdout[-2000:]}")
    return done.stdout


class Build:
    """A copy of the sources whose tests use the objects of Linnet as a shared library, libcore.so."""

    def __init__(self, sources, folder):
        self.folder = folder
        files = subprocess.run(["git", "ls-files", "-z"], cwd=sources, stdout=subprocess.PIPE, check=True).stdout
        subprocess.run(["xargs", "-0", "cp", "--parents", "-t", folder], input=files, cwd=sources, check=True)
        linker = ["LDFLAGS=-fuse-ld=mold"] if shutil.which("mold") else []
        self.fast = ["-fuse-ld=mold"] if linker else []
        must(["./bootstrap", "--disable-shared", "--without-mpi", "CFLAGS=-O1 -fPIC"] + linker, cwd=folder)
        self.objects = [name[:-3] + ".o" for name in self.value("$(libcore_la_OBJECTS)").split()]
        self.compiler = self.value("$(CC) $(DEFS) $(DEFAULT_INCLUDES) $(AM_CPPFLAGS) $(CPPFLAGS) $(AM_CFLAGS) $(CFLAGS)")
        self.libraries = self.value("$(LIBRARIES_USED)").split()
        self.plain = os.path.join(folder, "plain")
        self.link(self.plain)
        # the archive becomes a word to the linker: what is made from now on uses the library
        with open(os.path.join(folder, ".libs/libcore.a"), "w", encoding="ascii") as archive:
            archive.write(f"INPUT({self.plain}/libcore.so)\n")
        os.remove(os.path.join(folder, "linnet"))
        programs = self.value("$(check_PROGRAMS)").split()
        must(["make", "-s", "-k", "-j2", "linnet"] + programs, cwd=folder)
        self.tests = [t for t in programs + self.value("$(dist_check_SCRIPTS)").split() if not LEFT_OUT.search("/" + t)]

    def value(self, expression):
        text = f"include Makefile\nmutants-value: ; @printf '%s\\n' '{expression}'\n"
        return subprocess.run(["make", "-s", "-f", "-", "mutants-value"], cwd=self.folder, input=text, text=True,
                              stdout=subprocess.PIPE, check=True).stdout.strip()

    def compile(self, source, target, original, *flags):
        where = ["-iquote", os.path.dirname(os.path.join(self.folder, original))]
        command = f"exec {self.compiler} \"$@\""
        return run(["sh", "-c", command, "sh", *flags, *where, "-w", "-c", source, "-o", target], cwd=self.folder) == 0

    def link(self, folder, instead=None, flags=()):
        """libcore.so in a folder, with other objects in place of some."""
        os.makedirs(folder, exist_ok=True)
        objects = [(instead or {}).get(name, name) for name in self.objects]
        must(["gcc", "-shared", *self.fast, *flags, "-Wl,-soname,libcore.so", "-o", os.path.join(folder, "libcore.so"), *objects,
              *self.libraries], cwd=self.folder)

    def test(self, name, library, seconds=120, prefix=None):
        """Exit status of a test with this library, None when it took too long."""
        environment = dict(os.environ, LD_LIBRARY_PATH=library, LINNET=os.path.join(self.folder, "linnet"), srcdir=self.folder,
                           builddir=self.folder, OPENBLAS_NUM_THREADS="1")
        if prefix:
            environment["GCOV_PREFIX"] = prefix
        command = ["sh", name] if name.endswith(".sh") else ["./" + name]
        # a group of its own: what a script started ends with it
        return run(["timeout", "-k", "1", str(seconds)] + command, cwd=self.folder, env=environment)


def spent():
    """Processor time of all children so far; what the clock says depends on what else the machine does."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def reached(build, sources):
    """For each file its lines, for each of them the tests that execute it, and how long each test takes."""
    lines = {source: {} for source in sources}
    seconds, objects = {}, {}
    covered = os.path.join(build.folder, "covered")
    for source in sources:
        target = os.path.join(covered, source[:-2] + ".o")
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if not build.compile(os.path.join(build.folder, source), target, source, "--coverage"):
            sys.exit(f"mutants: {source} does not compile")
        objects[source[:-2] + ".o"] = target
    build.link(covered, objects, ["--coverage"])
    for test in build.tests:
        begun = spent()
        status = build.test(test, build.plain, 20 * SLOWEST)
        seconds[test] = spent() - begun
        if status == 124 or seconds[test] > SLOWEST:
            continue
        if status != 0:
            print(f"left out: {test}, status {status}", flush=True)
            continue
        prefix = os.path.join(build.folder, "counts", test.replace("/", "_"))
        build.test(test, covered, 50 * SLOWEST, prefix)
        learn(lines, test, objects, prefix)
        shutil.rmtree(prefix, ignore_errors=True)
    return lines, seconds


def learn(lines, test, objects, prefix):
    counted = []
    for target in objects.values():
        data = prefix + target[:-2] + ".gcda"
        if os.path.exists(data):
            os.symlink(target[:-2] + ".gcno", data[:-5] + ".gcno")
            counted.append(data)
    if not counted:
        return
    told = subprocess.run(["gcov", "--json-format", "--stdout"] + counted, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          cwd=prefix, check=False).stdout
    for text in told.splitlines():
        for file in json.loads(text)["files"]:
            source = next((s for s in lines if file["file"].endswith(s)), None)
            for line in file["lines"] if source else ():
                tests = lines[source].setdefault(line["line_number"], set())
                if line["count"] > 0:
                    tests.add(test)


class Hunt:
    def __init__(self, build, lines, seconds):
        self.build, self.lines, self.seconds = build, lines, seconds
        self.folder = os.path.join(build.folder, "mutant")
        os.makedirs(self.folder, exist_ok=True)

    def kills(self, test):
        limit = 20 + 20 * self.seconds[test]
        status = self.build.test(test, self.folder, limit)
        if status in (0, 77):
            return False
        sure = status not in (124, 137) and not test.endswith(".sh")
        return sure or self.build.test(test, self.build.plain, limit) == 0

    def compiles(self, source, number, line):
        mutant = os.path.join(self.folder, os.path.basename(source))
        with open(os.path.join(self.build.folder, source), encoding="utf-8") as file:
            text = file.readlines()
        text[number - 1] = line
        with open(mutant, "w", encoding="utf-8") as file:
            file.writelines(text)
        target = mutant[:-2] + ".o"
        if not self.build.compile(mutant, target, source):
            return False
        self.build.link(self.folder, {source[:-2] + ".o": target})
        return True

    def killer(self, source, number):
        """The test that notices, None: there is none."""
        known = self.lines[source]
        # tables and declarations are no lines to gcov: any test of the file may notice
        tests = known[number] if number in known else set().union(*known.values())
        tests = sorted(tests, key=self.seconds.get)
        return next((test for test in tests if self.kills(test)), None)


def known():
    """Changed lines that compute the same: file and text; what stands behind the tab is the reason."""
    if not os.path.exists(EQUIVALENT):
        return set()
    with open(EQUIVALENT, encoding="utf-8") as file:
        return {tuple(line.split("\t")[:2]) for line in file if not line.startswith("#")}


def hunt(number, seed, sources, folder):
    build = Build(sources, folder)
    files = sorted(f"src/{room}/{name}" for room in ROOMS for name in os.listdir(f"{folder}/src/{room}") if name.endswith(".c"))
    chosen = [(source, *place) for source in files for place in places(os.path.join(folder, source))]
    random.Random(seed).shuffle(chosen)
    same = known()
    chosen = [it for it in chosen if (it[0], it[2].strip()) not in same]
    lines, seconds = reached(build, sorted({it[0] for it in chosen[:2 * number]}))
    search = Hunt(build, lines, seconds)
    killed = tried = 0
    for source, line, changed in chosen[:2 * number]:
        if tried == number or not search.compiles(source, line, changed):
            continue
        tried += 1
        test = search.killer(source, line)
        killed += test is not None
        if test is None:
            reach = len(lines[source].get(line, ()))
            print(f"survived {reach} tests: {source}:{line}: {changed.strip()}", flush=True)
        elif os.environ.get("MUTANTS_SHOW"):
            print(f"killed by {test}: {source}:{line}: {changed.strip()}", flush=True)
    print(f"{killed} of {tried} mutants killed (seed {seed})")
    return tried < 100 or 100 * killed >= 85 * tried


def main():
    number, seed = (int(word) for word in (sys.argv[1:] + ["10", "1"][len(sys.argv) - 1:])[:2])
    sources = os.environ.get("srcdir", os.getcwd())
    with tempfile.TemporaryDirectory(prefix="linnet-mutants.") as folder:
        sys.exit(0 if hunt(number, seed, sources, folder) else 1)


main()
