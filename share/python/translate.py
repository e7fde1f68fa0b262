#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The equations of devices (src/blocks/native) in Python, for generated code.

usage: translate.py src/blocks/native > share/python/equations.py

They stand in C once, in a small part of it: pure functions of doubles and of structs of doubles. Only that part is understood
here; what is beyond it ends the translation with its place. tests/codegen_python.sh has equations.py made again and compares.

A struct becomes a record (devices.py), which is copied where C copies it. A pointer to a number is something with an element [0]:
a list of one, or a member of a record; a pointer to a struct is the record, one to several numbers the list. Functions of math.h
are those of runtime.py, which give infinities and NaN as C does, and so is a division unless its divisor is a literal."""
import re
import sys

FILES = """flow.h dual.h diode_equations.h junction_equations.h spice_diode_equations.h bjt_equations.h jfet_equations.h
    mosfet_equations.h mosfet_branches.h diode_equations.c junction_equations.c spice_diode_equations.c bjt_equations.c
    jfet_equations.c mosfet_equations.c mosfet_level2.c mosfet_level3.c mosfet_charges.c mosfet_branches.c""".split()
DEVICES = "ln_diode ln_zener_diode ln_spice_diode ln_bjt ln_jfet ln_mosfet".split()

TOKEN = re.compile(
    r"(?P<skip>\s+|/\*.*?\*/)|(?P<number>(?:\d+\.\d*|\.\d+|\d+)(?:[eE][+-]?\d+)?)|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<op>->|\+\+|--|<=|>=|==|!=|&&|\|\||[-+*/|]=|[-+*/%<>=!?:;,.(){}\[\]&|])",
    re.S,
)
WORDS = set("and as assert class def del elif except from global import in is lambda not or pass raise try while with yield".split())
MATH = {"fabs": "abs", "fmin": "_fmin", "fmax": "_fmax", "isfinite": "math.isfinite"}
MATH.update({name: "_" + name for name in "exp expm1 log log1p sqrt pow tan".split()})
# how tightly operators of Python bind
TERNARY, OR, AND, NOT, COMPARE, SUM, PRODUCT, UNARY, ATOM = range(9)
BINARY = {"||": (1, OR), "&&": (2, AND), "==": (3, COMPARE), "!=": (3, COMPARE), "<": (4, COMPARE), ">": (4, COMPARE)}
BINARY.update({"<=": (4, COMPARE), ">=": (4, COMPARE), "+": (5, SUM), "-": (5, SUM), "*": (6, PRODUCT), "/": (6, PRODUCT)})


class Value:
    """An expression: its text in Python, how tightly it binds, its type in C, whether it names a place."""

    def __init__(self, text, binds, type_, place=False):
        self.text, self.binds, self.type, self.place = text, binds, type_, place

    def at(self, binds):
        return self.text if self.binds >= binds else f"({self.text})"


class Type:
    """A number or struct by its name, behind `stars` pointers, in arrays of these lengths."""

    def __init__(self, name, stars=0, lengths=()):
        self.name, self.stars, self.lengths = name, stars, tuple(lengths)

    def is_number(self):
        return self.name in ("double", "int") and not self.stars and not self.lengths

    def is_struct(self):
        return self.name not in ("double", "int", "void") and not self.stars and not self.lengths

    def element(self):
        return Type(self.name, self.stars, self.lengths[1:]) if self.lengths else Type(self.name, self.stars - 1)


class Reader:
    """The words of one file, and where they stand."""

    def __init__(self, path):
        self.path, self.words, at = path, [], 0
        with open(path, encoding="utf-8") as file:
            text = re.sub(r"^#(?!define (?!\w+_H$)).*$", "", file.read(), flags=re.M)
        self.defined = re.findall(r"^#define (\w+) (.*?)\s*(?:/\*.*)?$", text, flags=re.M)
        text = re.sub(r"^#define.*$", "", text, flags=re.M)
        while at < len(text):
            found = TOKEN.match(text, at)
            if found is None:
                raise SystemExit(f"{path}: {text[at:at + 40]!r} is not understood")
            if found.lastgroup != "skip":
                self.words.append(found.group())
            at = found.end()
        self.at = 0

    def next(self, ahead=0):
        return self.words[self.at + ahead] if self.at + ahead < len(self.words) else ""

    def take(self, wanted=None):
        word = self.next()
        if wanted is not None and word != wanted:
            raise SystemExit(f"{self.path}: {wanted!r} expected at {' '.join(self.words[self.at - 8:self.at + 8])}")
        self.at += 1
        return word

    def takes(self, word):
        if self.next() != word:
            return False
        self.at += 1
        return True


class Translator:
    def __init__(self):
        self.structs = {}  # members with their types
        self.aliases = {}
        self.functions = {}  # result and parameters
        self.constants = {}  # whole numbers by name
        self.groups = []  # of whole numbers
        self.pieces = []  # (name, text, names it uses)
        self.reader = self.scope = self.boxed = self.lines = None
        self.uses = set()

    # ---- types and declarations ----

    def is_type(self, word):
        return word in ("double", "int", "void", "const", "struct") or word in self.structs or word in self.aliases

    def base_type(self):
        r = self.reader
        while r.next() in ("const", "static", "inline"):
            r.take()
        name = self.aliases.get(r.next(), r.next())
        r.take()
        while r.takes("const"):
            pass
        return name

    def declarator(self, base):
        """`*const v[3]`: the name and its type."""
        r, stars, lengths = self.reader, 0, []
        while r.next() in ("*", "const"):
            stars += r.take() == "*"
        name = r.take()
        while r.takes("["):
            lengths.append(None if r.next() == "]" else self.whole(self.expression()))
            r.take("]")
        return name, Type(base, stars, lengths)

    def whole(self, value):
        return self.constants[value.text.lstrip("_")] if not value.text.isdigit() else int(value.text)

    def struct_members(self):
        r, members = self.reader, []
        r.take("{")
        while not r.takes("}"):
            base = self.base_type()
            while True:
                members.append(self.declarator(base))
                if r.takes(";"):
                    break
                r.take(",")
        return members

    def zero(self, type_):
        if type_.lengths:
            return "[" + ", ".join([self.zero(type_.element())] * type_.lengths[0]) + "]"
        return "0.0" if type_.is_number() else f"{self.use(type_.name)}()"

    def add_struct(self, name, members):
        """A class; kinds of members: 0 a number, n that many, or a class. One of few members, made often, has its own __init__."""
        self.structs[name] = members
        self.uses = set()
        kinds = [str(t.lengths[0]) if t.lengths else "0" if t.is_number() else self.use(t.name) for _, t in members]
        names = ", ".join(f'"{member}"' for member, _ in members)
        text = f"class _{name}(_Record):\n    __slots__ = ({names})\n    KINDS = ({', '.join(kinds)})\n"
        if len(members) <= 9:
            defaults = ", ".join(f"{m}={'0.0' if t.is_number() else None}" for m, t in members)
            text += f"\n    def __init__(self, {defaults}):\n"
            for member, type_ in members:
                other = "" if type_.is_number() else f" if {member} is not None else {self.zero(type_)}"
                text += f"        self.{member} = {member}{other}\n"
        self.pieces.append((name, text, self.uses))

    def use(self, name):
        self.uses.add(name)
        return "_" + name

    # ---- expressions ----

    def expression(self):
        value = self.binary(1)
        if not self.reader.takes("?"):
            return value
        yes = self.expression()
        self.reader.take(":")
        no = self.expression()
        text = f"{yes.at(OR)} if {value.at(OR)} else {no.at(TERNARY)}"
        return Value(text, TERNARY, yes.type if yes.type.name != "int" else no.type, yes.place or no.place)

    def binary(self, level):
        left = self.unary()
        while self.reader.next() in BINARY and BINARY[self.reader.next()][0] >= level:
            op = self.reader.take()
            rank, binds = BINARY[op]
            left = self.combined(op, binds, left, self.binary(rank + 1))
        return left

    @staticmethod
    def combined(op, binds, left, right):
        word = {"||": "or", "&&": "and"}.get(op, op)
        number = Type("int" if op in BINARY and (binds <= COMPARE or left.type.name == right.type.name == "int") else "double")
        if op == "/" and not re.fullmatch(r"[\d.e+-]+", right.text):
            return Value(f"_div({left.text}, {right.text})", ATOM, number)
        return Value(f"{left.at(binds + (binds == COMPARE))} {word} {right.at(binds + 1)}", binds, number)

    def unary(self):
        r = self.reader
        if r.takes("-"):
            value = self.unary()
            return Value("-" + value.at(UNARY), UNARY, value.type)
        if r.takes("!"):
            return Value("not " + self.unary().at(NOT), NOT, Type("int"))
        if r.takes("*"):
            return self.pointed_at(self.unary())
        if r.takes("&"):
            return self.address(self.unary())
        return self.postfix(self.primary())

    @staticmethod
    def pointed_at(value):
        type_ = value.type.element()
        return Value(value.at(ATOM) + ("[0]" if type_.is_number() else ""), ATOM, type_, True)

    def address(self, value):
        type_ = Type(value.type.name, 1)
        if not value.type.is_number():
            return Value(value.text, ATOM, type_)
        if value.text.endswith("[0]") and value.text[:-3] in self.boxed:
            return Value(value.text[:-3], ATOM, type_)
        owner, member = value.text.rsplit(".", 1)
        return Value(f'_Member({owner}, "{member}")', ATOM, type_)

    def primary(self):
        r = self.reader
        word = r.take()
        if word == "(" and self.is_type(r.next()):
            type_ = Type(self.base_type())
            r.take(")")
            return self.initializer(type_)
        if word == "(":
            value = self.expression()
            r.take(")")
            return value
        if word[0].isdigit() or word[0] == ".":
            return Value(word, ATOM, Type("double" if re.search(r"[.eE]", word) else "int"))
        if r.next() == "(" and word not in self.scope:
            return self.call(word)
        if word in self.scope:
            name = word + "_" if word in WORDS else word
            return Value(name + ("[0]" if word in self.boxed and self.scope[word].is_number() else ""), ATOM, self.scope[word], True)
        return Value(self.use(word), ATOM, Type("int" if word in self.constants else "double"), True)

    def call(self, name):
        r, arguments = self.reader, []
        r.take("(")
        while not r.takes(")"):
            arguments.append(self.expression().text)
            r.takes(",")
        if name in MATH:
            return Value(f"{MATH[name]}({', '.join(arguments)})", ATOM, Type("double"))
        return Value(f"{self.use(name)}({', '.join(arguments)})", ATOM, self.functions[name])

    def postfix(self, value):
        r = self.reader
        while r.next() in ("[", ".", "->"):
            if r.take() == "[":
                index = self.expression()
                r.take("]")
                value = Value(f"{value.at(ATOM)}[{index.text}]", ATOM, value.type.element(), True)
                continue
            member = r.take()
            type_ = dict(self.structs[value.type.name])[member]
            value = Value(f"{value.at(ATOM)}.{member}", ATOM, type_, True)
        return value

    def initializer(self, type_):
        """`{...}`: what is missing is zero."""
        r, parts, named = self.reader, [], []
        r.take("{")
        members = [(None, type_.element())] * 1000 if type_.lengths else self.structs[type_.name]
        while not r.takes("}"):
            if r.takes("."):
                name = r.take()
                r.take("=")
                named.append(f"{name}={self.item(dict(members)[name])}")
            else:
                parts.append(self.item(members[len(parts)][1]))
            r.takes(",")
        if not type_.lengths:
            return Value(f"{self.use(type_.name)}({', '.join(parts + named)})", ATOM, type_)
        parts += [self.zero(type_.element())] * ((type_.lengths[0] or 0) - len(parts))
        return Value(f"[{', '.join(parts)}]", ATOM, type_)

    def item(self, type_):
        return self.initializer(type_).text if self.reader.next() == "{" else self.copied(self.expression(), type_)

    @staticmethod
    def copied(value, type_):
        """As it is put somewhere."""
        if value.place and type_.is_struct():
            return value.at(ATOM) + ".copy()"
        return value.text + ".0" if type_.name == "double" and value.text.isdigit() else value.text

    # ---- statements ----

    def add(self, depth, text):
        self.lines.append("    " * depth + text)

    def assignment(self, depth, until=";"):
        """`a = b = c`, `a += b`, or a call; returns the place, or the value."""
        r, place = self.reader, self.expression()
        op = r.next()
        if op == "=":
            r.take()
            value = self.assignment(depth, until)
            self.put(depth, place, self.copied(value, place.type))
            return place
        if op in ("+=", "-=", "*=", "/="):
            r.take()
            value = self.expression()
            text = f"{place.text} {op} {value.text}"
            self.add(depth, text if op != "/=" else f"{place.text} = _div({place.text}, {value.text})")
            return place
        return place

    def put(self, depth, place, text):
        if place.type.is_struct() and "[" not in place.text and "." not in place.text and self.is_pointed(place.text):
            self.add(depth, f"{place.text}.set({text})")
        else:
            self.add(depth, f"{place.text} = {text}")

    def is_pointed(self, name):
        return name in self.scope and self.scope[name].stars > 0

    def simple(self, depth):
        """An expression as a statement, or several with commas."""
        while True:
            before = len(self.lines)
            value = self.assignment(depth)
            if len(self.lines) == before:
                self.add(depth, value.text)
            if not self.reader.takes(","):
                return

    def declaration(self, depth):
        r = self.reader
        while r.next() in ("static", "const"):
            r.take()
        if r.next() == "struct":
            r.take()
            base = f"item_{len(self.pieces)}"
            kept = self.uses
            self.add_struct(base, self.struct_members())
            self.uses = kept
        else:
            base = self.base_type()
        while True:
            name, type_ = self.declarator(base)
            self.scope[name] = type_
            self.declared(depth, name + "_" if name in WORDS else name, type_)
            if r.takes(";"):
                return
            r.take(",")

    def declared(self, depth, name, type_):
        r, is_boxed = self.reader, name in self.boxed and type_.is_number()
        if not r.takes("="):
            if is_boxed or not type_.is_number():
                self.add(depth, f"{name} = {'[0.0]' if is_boxed else self.zero(type_)}")
            return
        text = self.initializer(type_).text if r.next() == "{" else self.copied(self.assignment(depth), type_)
        self.add(depth, f"{name} = [{text}]" if is_boxed else f"{name} = {text}")

    def block(self, depth):
        r, before = self.reader, len(self.lines)
        if r.takes("{"):
            while not r.takes("}"):
                self.statement(depth)
        else:
            self.statement(depth)
        if len(self.lines) == before:
            self.add(depth, "pass")

    def statement(self, depth):
        r = self.reader
        word = r.next()
        if word == "enum":
            self.enumeration(lambda name, number: self.add(depth, f"{name} = {number}"))
        elif word == "if":
            self.condition(depth, "if")
        elif word == "for":
            self.loop(depth)
        elif word == "return":
            r.take()
            value = None if r.next() == ";" else self.assignment(depth)
            self.add(depth, "return" if value is None else f"return {self.copied(value, self.result)}")
            r.take(";")
        elif word == "continue":
            r.take()
            r.take(";")
            self.add(depth, "continue")
        elif word in ("static", "const") or (self.is_type(word) and word not in self.scope):
            self.declaration(depth)
        else:
            self.simple(depth)
            r.take(";")

    def condition(self, depth, word):
        r = self.reader
        r.take("if")
        r.take("(")
        self.add(depth, f"{word} {self.expression().text}:")
        r.take(")")
        self.block(depth + 1)
        if r.next() != "else":
            return
        r.take()
        if r.next() == "if":
            self.condition(depth, "elif")
            return
        self.add(depth, "else:")
        self.block(depth + 1)

    def loop(self, depth):
        """Up or down by one to a bound; with another condition as long as that holds, too."""
        r = self.reader
        for word in ("for", "(", "int"):
            r.take(word)
        name = r.take()
        self.scope[name] = Type("int")
        r.take("=")
        first = self.expression().text
        r.take(";")
        r.take(name)
        op, bound = r.take(), self.binary(5).text
        more = self.expression().text if r.takes("&&") else None
        r.take(";")
        r.take(name)
        step = r.take()
        r.take(")")
        if (op, step) not in (("<", "++"), (">=", "--")):
            raise SystemExit(f"{r.path}: the loop of {name} is not understood")
        self.add(depth, f"for {name} in range({first}, {bound if op == '<' else bound + ' - 1, -1'}):")
        if more is not None:
            self.add(depth + 1, f"if not ({more}):")
            self.add(depth + 2, "break")
        self.block(depth + 1)

    # ---- files ----

    def enumeration(self, tell):
        r, number = self.reader, 0
        r.take("enum")
        r.take("{")
        while not r.takes("}"):
            name = r.take()
            number = self.whole(self.expression()) if r.takes("=") else number
            self.constants[name] = number
            if self.scope:
                self.scope[name] = Type("int")
            tell(name, number)
            number += 1
            r.takes(",")
        r.take(";")

    def typedef(self):
        r = self.reader
        r.take("typedef")
        if r.takes("struct"):
            name = r.take()
            self.add_struct(name, self.struct_members())
            r.take(name)
        else:
            old = r.take()
            self.aliases[r.take()] = old
        r.take(";")

    def find_boxed(self):
        """Names of the body that begins here whose address is taken."""
        words, depth, found = self.reader.words, 0, set()
        for k in range(self.reader.at, len(words)):
            depth += (words[k] == "{") - (words[k] == "}")
            if depth == 0:
                return found
            if words[k] == "&" and words[k + 2] not in ("->", ".", "["):
                found.add(words[k + 1])
        return found

    def function(self, name, result):
        r = self.reader
        parameters = []
        while not r.takes(")"):
            parameters.append(self.declarator(self.base_type()))
            r.takes(",")
        self.functions[name] = self.result = result
        if r.takes(";"):
            return
        self.scope, self.uses, self.lines, self.boxed = dict(parameters), set(), [], self.find_boxed()
        names = [p + "_" if p in WORDS else p for p, _ in parameters]
        if self.boxed & set(names):
            raise SystemExit(f"{r.path}: {name}: the address of a parameter")
        self.block(1)
        text = f"def _{name}({', '.join(names)}):\n" + "\n".join(self.lines) + "\n"
        self.pieces.append((name, text, self.uses))
        self.scope = {}

    def table(self, name, type_):
        self.reader.take("=")
        self.uses, self.scope, self.boxed = set(), {}, set()
        self.pieces.append((name, f"_{name} = {self.initializer(type_).text}\n", self.uses))
        self.reader.take(";")
        self.scope = {}

    def item_of_file(self):
        r = self.reader
        if r.next() == "enum":
            self.groups.append([])
            self.enumeration(lambda name, number: self.groups[-1].append(name))
        elif r.next() == "typedef":
            self.typedef()
        else:
            base = self.base_type()
            name, type_ = self.declarator(base)
            if r.takes("("):
                self.function(name, type_)
            else:
                self.table(name, type_)

    def file(self, path):
        self.reader, self.scope, self.boxed = Reader(path), {}, set()
        for name, text in self.reader.defined:
            self.uses = {word for word in re.findall(r"[A-Za-z_]\w*", text)}
            self.pieces.append((name, f"_{name} = {text}\n", self.uses))
        while self.reader.next():
            self.item_of_file()


def broken(line):
    """Lines of at most 130 columns, broken behind commas and openings within brackets."""
    indent, rest, depth, lines, end = len(line) - len(line.lstrip()), line, 0, [], 0
    while len(rest) > 130:
        best = 0
        for k, letter in enumerate(rest[:129]):
            depth += (letter in "([") - (letter in ")]")
            if depth > 0 and letter in ",(" and k > indent + 4:
                best, end = k + 1, depth
        if best == 0:
            break
        lines.append(rest[:best])
        depth, rest = end, " " * (indent + 4) + rest[best:].lstrip()
    return "\n".join(lines + [rest])


def constants(names, numbers):
    """Of an enumeration."""
    values = f"range({len(names)})" if len(names) > 1 and numbers == list(range(len(names))) else ", ".join(map(str, numbers))
    return broken(f"({', '.join('_' + name for name in names)}) = {values}" if len(names) > 1 else f"_{names[0]} = {values}")


def main():
    translator = Translator()
    for name in FILES:
        translator.file(f"{sys.argv[1]}/{name}")
    wanted, before = {f"{d}{part}" for d in DEVICES for part in ("", "_branches", "_limit")}, None
    while before != wanted:
        before = set(wanted)
        for name, _, uses in translator.pieces:
            if name in wanted:
                wanted |= uses
    print("# ---- equations of devices, made by translate.py from src/blocks/native; do not edit ----\n")
    whole = translator.constants
    for names in translator.groups:
        if wanted & set(names):
            print(constants(names, [whole[name] for name in names]))
    for name, text, _ in translator.pieces:
        if name in wanted and name not in whole:
            print(("\n\n" if text.startswith(("class", "def")) else "") + "\n".join(map(broken, text.rstrip("\n").split("\n"))))


if __name__ == "__main__":
    main()
