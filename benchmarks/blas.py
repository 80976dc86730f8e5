# SPDX-License-Identifier: GPL-3.0-or-later
"""Print the BLAS of the installed NumPy: ``python -m benchmarks.blas [EXPECTED]``.

A downloaded Blender's NumPy has none, those on PyPI have OpenBLAS. Scripts for Blender import this file
alone.
"""

from __future__ import annotations

import sys

import numpy as np

NONE = "none"


def name() -> str:
    """Return the name of the BLAS of this NumPy, "none" if it has none."""
    if hasattr(np.__config__, "CONFIG"):  # since NumPy 1.25
        config = np.show_config(mode="dicts")
        return str(config["Build Dependencies"]["blas"]["name"])
    found = (np.__config__.get_info(kind) for kind in ("blas_ilp64_opt", "blas_opt"))
    return next((str(information["libraries"][0]) for information in found if information), NONE)


def label() -> str:
    """Return this NumPy's version and BLAS, as reports name them."""
    return f"NumPy {np.__version__} " + ("without BLAS" if name() == NONE else f"with {name()}")


if __name__ == "__main__":
    print(label())
    if sys.argv[1:] and name() != sys.argv[1]:
        sys.exit(f"expected a NumPy whose BLAS is {sys.argv[1]!r}, not {name()!r}")
