# SPDX-License-Identifier: MIT
"""Models and results as Python objects, on the public C API (linnet/linnet.h, linnet/analyses.h)."""
import ctypes
import os
import warnings
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from . import _library as c
from ._library import SweepPlan, library


# ---- errors ----

class Diagnostic(NamedTuple):
    """A message: severity is "note", "warning" or "error"; file may be None, line and column 0."""
    severity: str
    text: str
    file: "str | None"
    line: int
    column: int

    def __str__(self):
        return self.text


class LinnetWarning(UserWarning):
    """A warning about a model or a run."""


class Error(Exception):
    """A call failed; `diagnostics` lists all there was to say, the text is that of the errors."""

    def __init__(self, diagnostics, what):
        self.diagnostics = diagnostics
        errors = [d.text for d in diagnostics if d.severity == "error"]
        super().__init__("\n".join(errors) or what)


class UsageError(Error):
    """An argument names something the model does not have, or is wrong by itself."""


class ModelError(Error):
    """The model is wrong."""


class Failed(Error):
    """The numbers failed; `result` is what was computed until then, or None."""
    result = None


class FileError(Error, OSError):
    """A file could not be read, written or trusted."""


class Interrupted(Error):
    """A function that watches a run has ended it; `result` is what was computed until then."""
    result = None


_SEVERITIES = ("note", "warning", "error")
_OK, _MEMORY = 0, -7  # numbers of linnet/status.h
_BY_STATUS = {-2: UsageError, -3: ModelError, -4: Failed, -5: FileError, -8: Interrupted}


def _text(value):
    return None if value is None else str(value).encode()


def _names(value):
    """Names as one text: "a b" stays, a list is joined."""
    return None if value is None else _text(value if isinstance(value, str) else " ".join(value))


# ---- results ----

class Result:
    """A trajectory (or a table): `time` and one array a signal, by name or as an attribute's index.

    result["out"] is an array; `names` lists the signals, `units` maps names to SI units. len() is the
    number of rows. `result.at(t)` interpolates all signals linearly at a time.
    """

    def __init__(self, handle, first="time"):
        rows, count = library.linnet_result_rows(handle), library.linnet_result_count(handle)
        self.first = first
        self.time = _copy(library.linnet_result_time(handle), rows)
        self.units, self._values = {}, {}
        for k in range(count):
            signal = library.linnet_result_name(handle, k)
            name = signal.name.decode()
            self.units[name] = signal.unit.decode()
            self._values[name] = _copy(library.linnet_result_values(handle, k), rows)
        library.linnet_result_free(handle)

    @property
    def names(self):
        return list(self._values)

    def __getitem__(self, name):
        if name == self.first:
            return self.time
        try:
            return self._values[name]
        except KeyError:
            raise KeyError(f"{name!r} was not recorded; there are {', '.join(self._values)}") from None

    def __contains__(self, name):
        return name in self._values

    def __iter__(self):
        return iter(self._values)

    def __len__(self):
        return len(self.time)

    def keys(self):
        return self._values.keys()

    def at(self, t):
        """All signals at a time, as a dictionary."""
        return {name: float(np.interp(t, self.time, values)) for name, values in self._values.items()}

    def to_array(self):
        """Rows by (1 + signals): the time first."""
        return np.column_stack([self.time, *self._values.values()])

    def __repr__(self):
        return f"<linnet.Result: {len(self)} rows of {', '.join(self._values) or 'nothing'}>"

    def _repr_html_(self):
        """A notebook shows the first and last rows."""
        import html
        shown = list(range(len(self))) if len(self) <= 8 else [0, 1, 2, None, -3, -2, -1]
        head = "".join(f"<th>{html.escape(f'{n} [{u}]' if u else n)}</th>"
                       for n, u in [(self.first, ""), *self.units.items()])
        columns = [self.time, *self._values.values()]
        body = "".join("<tr>" + "".join("<td>…</td>" if k is None else f"<td>{column[k]:.6g}</td>" for column in columns) + "</tr>"
                       for k in shown)
        return f"<p>{len(self)} rows</p><table><tr>{head}</tr>{body}</table>"


def _copy(pointer, rows):
    return np.ctypeslib.as_array(pointer, (rows,)).copy() if rows else np.empty(0)


class Mode(NamedTuple):
    """A natural motion exp(value t); states maps names to shares, which sum to 1."""
    value: complex
    states: dict


@dataclass
class StateSpace:
    """x' = A x + B u, y = C x + D u, with the names of states, inputs and outputs."""
    A: np.ndarray
    B: np.ndarray
    C: np.ndarray
    D: np.ndarray
    states: list
    inputs: list
    outputs: list


@dataclass
class Margins:
    """stable is True, False or None (not known); an absent margin is inf, its frequency [Hz] nan."""
    stable: "bool | None"
    gain: float
    gain_at: float
    phase: float
    phase_at: float
    delay: float
    delay_at: float
    modulus: float
    modulus_at: float


# ---- models ----

class Model:
    """A model that was loaded. Settings hold for all that follows; arguments of a call for it alone."""

    def __init__(self, folders=()):
        self._handle = library.linnet_model_new()
        if not self._handle:
            raise MemoryError
        self._set, self._record = {}, None
        for folder in folders:
            self._try(library.linnet_allow_folder(self._handle, os.fsencode(folder)))

    def __del__(self):
        if getattr(self, "_handle", None):
            library.linnet_model_free(self._handle)
            self._handle = None

    def __repr__(self):
        """What it is, in one line: of a model that is wrong, the first error."""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return f"<linnet.Model: {len(self.blocks)} blocks, {len(self.links)} links>"
        except Error as wrong:
            return f"<linnet.Model: {str(wrong).splitlines()[0]}>"

    # -- messages --

    @property
    def diagnostics(self):
        """What the last call had to say."""
        found = []
        for k in range(library.linnet_diagnostic_count(self._handle)):
            d = library.linnet_diagnostic_at(self._handle, k).contents
            found.append(Diagnostic(_SEVERITIES[d.severity], d.text.decode(errors="replace"),
                                    d.file.decode(errors="replace") if d.file else None, d.line, d.column))
        return found

    def _warn(self):
        for d in self.diagnostics:
            if d.severity == "warning":
                warnings.warn(d.text, LinnetWarning, stacklevel=4)

    def _try(self, status, result=None):
        if status == _OK:
            self._warn()
            return
        if status == _MEMORY:
            raise MemoryError
        error = _BY_STATUS.get(status, Error)(self.diagnostics, f"linnet: status {status}")
        if isinstance(error, (Failed, Interrupted)):
            error.result = result
        raise error

    # -- settings --

    def set(self, name=None, value=None, /, **parameters):
        """Parameters for all that follows: set("R1.R", "2 kOhm"), set(load=2e3); None: as the model says."""
        if name is not None:
            parameters = {name: value, **parameters}
        for key, what in parameters.items():
            self._set[key] = what
            self._try(library.linnet_set(self._handle, _text(key), _text(what)))
        return self

    def option(self, **options):
        """How to run: method, step, tolerance, duration, start, interval, ...; None: as the model says."""
        for key, what in options.items():
            self._try(library.linnet_option(self._handle, _text(key.replace("_", "-")), _text(what)))
        return self

    def record(self, *signals):
        """What is recorded in place of the model's own: names and patterns. None at all: the model's own."""
        self._record = " ".join(signals) if signals else None
        self._try(library.linnet_record(self._handle, None))
        if self._record:
            self._try(library.linnet_record(self._handle, _text(self._record)))
        return self

    def measure(self, *measures):
        """Measures beside the model's own: "rise=rise-time(out)". None at all forgets them."""
        self._try(library.linnet_measure(self._handle, None))
        for measure in measures:
            self._try(library.linnet_measure(self._handle, _text(measure)))
        return self

    # -- what there is --

    def check(self):
        """Raises what is wrong with the model."""
        self._try(library.linnet_check(self._handle))
        return self

    def _list(self, kind):
        found = ctypes.POINTER(c.List)()
        self._try(library.linnet_list_names(self._handle, kind, ctypes.byref(found)))
        items = [found.contents.items[k] for k in range(found.contents.count)]
        names = [(i.name.decode(), i.type.decode(), i.unit.decode(), i.value) for i in items]
        library.linnet_list_free(found)
        return names

    @property
    def blocks(self):
        """Names of blocks and their types."""
        return {name: kind for name, kind, _, _ in self._list(0)}

    @property
    def links(self):
        """Names of links and their domains."""
        return {name: kind for name, kind, _, _ in self._list(1)}

    @property
    def parameters(self):
        """Names of parameters and their values in SI units; nan where a value is no single number."""
        return {name: value for name, _, _, value in self._list(2)}

    @property
    def signals(self):
        """Names that can be recorded, and their units."""
        return {name: unit for name, _, unit, _ in self._list(3)}

    # -- runs --

    def _for_now(self, parameters):
        """Parameters for one call: returns what puts back what was set before."""
        before = {name: self._set.get(name) for name in parameters}
        for name, value in parameters.items():
            self._try(library.linnet_set(self._handle, _text(name), _text(value)))

        def back():
            for name, value in before.items():
                library.linnet_set(self._handle, _text(name), _text(value))
        return back

    def run(self, parameters=None, /, watch=None, **more):
        """Runs the model and returns its Result.

        parameters: for this run alone, {"R1.R": "2 kOhm"}; those without a dot also as keywords. watch(t): called
        at every step, ends the run by returning True (linnet.Interrupted then has the result so far).
        """
        back = self._for_now({**(parameters or {}), **more})
        handle, failure = ctypes.c_void_p(), []

        def step(_, t):
            try:
                return bool(watch(t))
            except BaseException as error:  # raised anew behind the run: C must not be jumped over
                failure.append(error)
                return 1
        watcher = c.Watch(step=c.STEP(step)) if watch is not None else None
        try:
            status = library.linnet_run_memory(
                self._handle, ctypes.byref(watcher) if watcher else None, ctypes.byref(handle))
            result = Result(handle) if handle else None
            if failure:
                raise failure[0]
            self._try(status, result)
            return result
        finally:
            back()

    def run_file(self, path, parameters=None, /, **more):
        """Runs the model into a file, in the format of its name (.csv, .raw, ...)."""
        back = self._for_now({**(parameters or {}), **more})
        try:
            self._try(library.linnet_run_file(self._handle, os.fsencode(path), None))
        finally:
            back()

    def begin(self):
        """A run that goes on step by step: with model.begin() as run: run.step(0.1); run["out"]."""
        handle = ctypes.c_void_p()
        self._try(library.linnet_begin(self._handle, ctypes.byref(handle)))
        return Stepping(self, handle)

    @property
    def statistics(self):
        """What the last run took, as a dictionary."""
        last = library.linnet_last_run(self._handle)
        values = {name: getattr(last, name) for name, _ in last._fields_}
        return {name: v.decode() if isinstance(v, bytes) else v for name, v in values.items()}

    @property
    def measures(self):
        """What the last run has measured: name to value, nan where it did not happen."""
        count = library.linnet_measured_count(self._handle)
        items = [library.linnet_measured(self._handle, k) for k in range(count)]
        return {item.name.decode(): item.value for item in items}

    def sweep(self, *vary, cases=0, seed=1, threads=0):
        """Runs all cases of texts such as "load=1k,2k,5k" or "C1.C=normal(1uF, 50nF)".

        The Result has a row a case: what is varied, the measures, and `failed` (0 or 1).
        """
        texts = (ctypes.c_char_p * len(vary))(*[_text(v) for v in vary])
        plan = SweepPlan(texts, len(vary), cases, seed)
        handle = ctypes.c_void_p()
        self._try(library.linnet_sweep(self._handle, ctypes.byref(plan), threads, ctypes.byref(handle)))
        return Result(handle, first="case")

    # -- points and small signals; at: None for the operating point, else a time such as "5 ms" --

    def operating_point(self, parameters=None, /, **more):
        """Every quantity that has a name at the operating point, by name, in SI units."""
        back = self._for_now({**(parameters or {}), **more})
        handle = ctypes.c_void_p()
        try:
            self._try(library.linnet_operating_point(self._handle, ctypes.byref(handle)))
            point = Result(handle)
            return {name: float(point[name][0]) for name in point}
        finally:
            back()

    def eigenvalues(self, at=None, count=0):
        """All modes of the linearised model, or the `count` nearest to 0, as Mode tuples."""
        found = ctypes.POINTER(c.Modes)()
        self._try(library.linnet_eigenvalues(self._handle, _text(at), count, ctypes.byref(found)))
        modes = [found.contents.modes[k] for k in range(found.contents.count)]
        listed = [Mode(complex(m.re, m.im),
                       {m.states[k].name.decode(): m.states[k].share for k in range(m.count)}) for m in modes]
        library.linnet_modes_free(found)
        return listed

    def response(self, input, outputs, frequencies, at=None):
        """Response of the outputs to an input of 1 at frequencies in Hz: a complex array a name.

        One output, given as a single name, gives its array itself.
        """
        grid = np.ascontiguousarray(frequencies, dtype=float).ravel()
        handle = ctypes.c_void_p()
        self._try(library.linnet_response(
            self._handle, _text(at), _names(input), _names(outputs),
            grid.ctypes.data_as(ctypes.POINTER(ctypes.c_double)), grid.size, ctypes.byref(handle)))
        table = Result(handle, first="frequency")
        found = {name[:-3]: table[name] + 1j * table[name[:-3] + ".im"]
                 for name in table if name.endswith(".re")}
        return next(iter(found.values())) if isinstance(outputs, str) and len(found) == 1 else found

    def linearise(self, inputs, outputs, at=None):
        """State matrices between inputs and outputs, as a StateSpace."""
        found = ctypes.POINTER(c.StateSpace)()
        self._try(library.linnet_linearise(self._handle, _text(at), _names(inputs), _names(outputs),
                                           ctypes.byref(found)))
        s = found.contents
        n, m, p = s.nstates, s.ninputs, s.noutputs

        def matrix(pointer, rows, cols):
            return _copy(pointer, rows * cols).reshape(cols, rows).T.copy()
        made = StateSpace(matrix(s.A, n, n), matrix(s.B, n, m), matrix(s.C, p, n), matrix(s.D, p, m),
                          [s.states[k].decode() for k in range(n)], [s.inputs[k].decode() for k in range(m)],
                          [s.outputs[k].decode() for k in range(p)])
        library.linnet_state_space_free(found)
        return made

    def margins(self, signal, at=None):
        """Margins of the loop that is opened at a signal, or at a physical port such as R1.p."""
        found = c.Margins()
        self._try(library.linnet_loop_margins(self._handle, _text(at), _text(signal), ctypes.byref(found)))
        values = {name: getattr(found, name) for name, _ in found._fields_}
        values["stable"] = None if found.stable < 0 else bool(found.stable)
        return Margins(**values)


class Stepping:
    """A run between two steps: values by the names of what is recorded. Model.set() acts from the time reached on."""

    def __init__(self, model, handle):
        self._model, self._handle = model, handle
        self.names = [library.linnet_step_signal(handle, k).name.decode()
                      for k in range(library.linnet_step_count(handle))]

    def step(self, t):
        """Goes on to the time t, in s."""
        self._model._try(library.linnet_step(self._handle, t))
        return self

    @property
    def t(self):
        """The time reached."""
        return library.linnet_step_time(self._handle)

    def __getitem__(self, name):
        if name not in self.names:
            raise KeyError(name)
        return library.linnet_step_value(self._handle, _text(name))

    def finish(self):
        """Ends the run."""
        if self._handle:
            library.linnet_finish(self._handle)
            self._handle = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.finish()

    def __del__(self):
        self.finish()


def load(path, folders=()):
    """A model from a file in XML, or from a SPICE deck. folders: where includes may be read from, too."""
    model = Model(folders)
    model._try(library.linnet_load(model._handle, os.fsencode(path)))
    return model


def loads(text, name="model.xml", folders=()):
    """A model from text; name stands for the file in messages."""
    model = Model(folders)
    data = text.encode() if isinstance(text, str) else bytes(text)
    model._try(library.linnet_load_text(model._handle, _text(name), data, len(data)))
    return model


def version():
    return library.linnet_version().decode()
