# SPDX-License-Identifier: MIT
"""Linnet in Python: load a model or a SPICE deck, change it, run it, look at it.

    import linnet

    model = linnet.load("rectifier.xml")
    result = model.run(load="2 kOhm")             # parameters for this run alone
    print(result["out"].max(), result.units["out"])
    model.response("V1", "out", frequencies)      # complex array
    model.eigenvalues(), model.margins("e"), model.linearise("V1", "out")

Numbers are in SI units, arrays are NumPy's. What is wrong with a model is raised as linnet.ModelError (or
another linnet.Error), whose `diagnostics` know file and line; warnings become Python's warnings.
"""
from ._model import (Error, Failed, FileError, Interrupted, LinnetWarning, Margins, Mode, Model, ModelError,
                     Result, StateSpace, Stepping, UsageError, load, loads, version)

__all__ = ["Error", "Failed", "FileError", "Interrupted", "LinnetWarning", "Margins", "Mode", "Model",
           "ModelError", "Result", "StateSpace", "Stepping", "UsageError", "load", "loads", "version"]
__version__ = version()
