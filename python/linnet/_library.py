# SPDX-License-Identifier: MIT
"""The C library as ctypes sees it: where it is found, and its functions with their types.

The library is looked for in the environment variable LINNET_LIBRARY (a path), beside the build that this
file stands in, and where the system keeps libraries. Nothing is compiled.
"""
import ctypes
import ctypes.util
import os
from ctypes import POINTER, Structure, c_char_p, c_double, c_int, c_long, c_size_t, c_ulonglong, c_void_p
from pathlib import Path


class Signal(Structure):
    _fields_ = [("name", c_char_p), ("unit", c_char_p)]


class Item(Structure):
    _fields_ = [("name", c_char_p), ("type", c_char_p), ("unit", c_char_p), ("value", c_double),
                ("file", c_char_p), ("line", c_int)]


class List(Structure):
    _fields_ = [("count", c_size_t), ("items", POINTER(Item))]


class Diagnostic(Structure):
    _fields_ = [("severity", c_int), ("text", c_char_p), ("file", c_char_p), ("line", c_int),
                ("column", c_int)]


class Statistics(Structure):
    _fields_ = ([("method", c_char_p)]
                + [(name, c_int) for name in ("blocks", "links", "unknowns", "states", "nonlinear")]
                + [(name, c_long) for name in ("steps", "rejected", "newton", "factored", "refactored",
                                               "solved", "evaluations", "points")]
                + [(name, c_double) for name in ("t", "smallest", "largest", "seconds")])


class Participant(Structure):
    _fields_ = [("name", c_char_p), ("share", c_double)]


class Mode(Structure):
    _fields_ = [("re", c_double), ("im", c_double), ("count", c_int), ("states", POINTER(Participant))]


class Modes(Structure):
    _fields_ = [("count", c_int), ("modes", POINTER(Mode)), ("index", c_int)]


class StateSpace(Structure):
    _fields_ = ([(name, c_int) for name in ("nstates", "ninputs", "noutputs")]
                + [(name, POINTER(c_char_p)) for name in ("states", "inputs", "outputs")]
                + [(name, POINTER(c_double)) for name in "ABCD"])


class Margins(Structure):
    _fields_ = [("stable", c_int)] + [(name, c_double) for name in (
        "gain", "gain_at", "phase", "phase_at", "delay", "delay_at", "modulus", "modulus_at")]


class SweepPlan(Structure):
    _fields_ = [("vary", POINTER(c_char_p)), ("nvary", c_int), ("draws", c_long), ("seed", c_ulonglong)]


BEGIN = ctypes.CFUNCTYPE(c_int, c_void_p, c_int, POINTER(Signal))
POINT = ctypes.CFUNCTYPE(c_int, c_void_p, c_double, POINTER(c_double))
STEP = ctypes.CFUNCTYPE(c_int, c_void_p, c_double)


class Watch(Structure):
    _fields_ = [("context", c_void_p), ("begin", BEGIN), ("point", POINT), ("step", STEP)]


def _find():
    named = os.environ.get("LINNET_LIBRARY")
    built = Path(__file__).resolve().parents[2] / ".libs" / "liblinnet.so"
    if named:
        return named
    if built.exists():
        return str(built)
    found = ctypes.util.find_library("linnet")
    if found is None:
        raise ImportError("liblinnet was not found; install Linnet (make install, then ldconfig), or let "
                          "the environment variable LINNET_LIBRARY name its liblinnet.so")
    return found


# name: result type, types of the arguments
_MODEL, _OUT = c_void_p, POINTER(c_void_p)
_FUNCTIONS = {
    "linnet_version": (c_char_p, []),
    "linnet_model_new": (_MODEL, []),
    "linnet_model_free": (None, [_MODEL]),
    "linnet_allow_folder": (c_int, [_MODEL, c_char_p]),
    "linnet_load": (c_int, [_MODEL, c_char_p]),
    "linnet_load_text": (c_int, [_MODEL, c_char_p, c_char_p, c_size_t]),
    "linnet_set": (c_int, [_MODEL, c_char_p, c_char_p]),
    "linnet_option": (c_int, [_MODEL, c_char_p, c_char_p]),
    "linnet_record": (c_int, [_MODEL, c_char_p]),
    "linnet_measure": (c_int, [_MODEL, c_char_p]),
    "linnet_measured_count": (c_int, [_MODEL]),
    "linnet_measured": (Item, [_MODEL, c_int]),
    "linnet_check": (c_int, [_MODEL]),
    "linnet_run_memory": (c_int, [_MODEL, POINTER(Watch), _OUT]),
    "linnet_run_file": (c_int, [_MODEL, c_char_p, POINTER(Watch)]),
    "linnet_begin": (c_int, [_MODEL, _OUT]),
    "linnet_step": (c_int, [c_void_p, c_double]),
    "linnet_step_time": (c_double, [c_void_p]),
    "linnet_step_count": (c_int, [c_void_p]),
    "linnet_step_signal": (Signal, [c_void_p, c_int]),
    "linnet_step_value": (c_double, [c_void_p, c_char_p]),
    "linnet_finish": (None, [c_void_p]),
    "linnet_last_run": (Statistics, [_MODEL]),
    "linnet_result_rows": (c_size_t, [c_void_p]),
    "linnet_result_count": (c_int, [c_void_p]),
    "linnet_result_name": (Signal, [c_void_p, c_int]),
    "linnet_result_time": (POINTER(c_double), [c_void_p]),
    "linnet_result_values": (POINTER(c_double), [c_void_p, c_int]),
    "linnet_result_free": (None, [c_void_p]),
    "linnet_diagnostic_count": (c_int, [_MODEL]),
    "linnet_diagnostic_at": (POINTER(Diagnostic), [_MODEL, c_int]),
    "linnet_list_names": (c_int, [_MODEL, c_int, POINTER(POINTER(List))]),
    "linnet_list_free": (None, [POINTER(List)]),
    "linnet_operating_point": (c_int, [_MODEL, _OUT]),
    "linnet_eigenvalues": (c_int, [_MODEL, c_char_p, c_int, POINTER(POINTER(Modes))]),
    "linnet_modes_free": (None, [POINTER(Modes)]),
    "linnet_response": (c_int, [_MODEL, c_char_p, c_char_p, c_char_p, POINTER(c_double), c_size_t, _OUT]),
    "linnet_linearise": (c_int, [_MODEL, c_char_p, c_char_p, c_char_p, POINTER(POINTER(StateSpace))]),
    "linnet_state_space_free": (None, [POINTER(StateSpace)]),
    "linnet_loop_margins": (c_int, [_MODEL, c_char_p, c_char_p, POINTER(Margins)]),
    "linnet_sweep": (c_int, [_MODEL, POINTER(SweepPlan), c_int, _OUT]),
}


def _load():
    loaded = ctypes.CDLL(_find())
    for name, (result, arguments) in _FUNCTIONS.items():
        function = getattr(loaded, name)
        function.restype = result
        function.argtypes = arguments
    return loaded


library = _load()
