# SPDX-License-Identifier: GPL-3.0-or-later
"""Measure everything and print it: ``python -m benchmarks [--runs 5] [--write | --peers | --relief | --likeness | --exchange | --meshes | --modifiers | --planets | --noises | --by-example | --ant]``."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

DOCUMENT = Path(__file__).parents[1] / "docs" / "develop" / "benchmarks.md"


def main() -> None:
    """Run the benchmark with the matrix library on one thread, and report."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--runs", type=int, default=5, help="counted runs of each work")
    parser.add_argument("--write", action="store_true", help=f"write {DOCUMENT.name} as well")
    parser.add_argument("--peers", action="store_true", help="noise against compiled libraries")
    parser.add_argument("--relief", action="store_true", help="erosion alone")
    parser.add_argument("--likeness", action="store_true", help="eroded presets at all resolutions")
    parser.add_argument("--exchange", action="store_true", help="heights in and out")
    parser.add_argument("--meshes", action="store_true", help="meshes with levels of detail")
    parser.add_argument("--modifiers", action="store_true", help="what every modifier takes")
    parser.add_argument("--planets", action="store_true", help="a planet beside its noise")
    parser.add_argument("--noises", action="store_true", help="noises for textures beside fbm")
    parser.add_argument("--by-example", action="store_true", help="a texture by example")
    parser.add_argument("--ant", action="store_true", help="presets of A.N.T. Landscape")
    arguments = parser.parse_args()
    parts = {
        "peers": arguments.peers,
        "relief": arguments.relief,
        "likeness": arguments.likeness,
        "exchange": arguments.exchange,
        "meshes": arguments.meshes,
        "modifiers": arguments.modifiers,
        "planets": arguments.planets,
        "noises": arguments.noises,
        "by_example": arguments.by_example,
        "ant": arguments.ant,
    }
    if any(parts.values()) and arguments.write:
        parser.error("--write is for the whole document")
    if os.environ.get("OPENBLAS_NUM_THREADS") != "1":
        # OpenBLAS reads this when NumPy is imported, so the process starts anew with it.
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"}
        os.execve(sys.executable, [sys.executable, "-m", "benchmarks", *sys.argv[1:]], environment)
    from . import report

    chosen = next((name for name, is_wanted in parts.items() if is_wanted), "")
    text = report.PARTS[chosen](arguments.runs)
    print(text)
    if arguments.write:
        DOCUMENT.write_text(text, encoding="utf-8")
        from . import summary

        summary.main()


main()
