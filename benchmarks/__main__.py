# SPDX-License-Identifier: GPL-3.0-or-later
"""Measure everything and print it: ``python -m benchmarks [--runs 5] [--write | --relief | --likeness]``."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

DOCUMENT = Path(__file__).parents[1] / "docs" / "benchmarks.md"


def main() -> None:
    """Run the benchmark with the matrix library on one thread, and report."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--runs", type=int, default=5, help="counted runs of each work")
    parser.add_argument("--write", action="store_true", help=f"write {DOCUMENT.name} as well")
    parser.add_argument("--relief", action="store_true", help="erosion alone")
    parser.add_argument("--likeness", action="store_true", help="eroded presets at all resolutions")
    arguments = parser.parse_args()
    if (arguments.relief or arguments.likeness) and arguments.write:
        parser.error("--write is for the whole document")
    if os.environ.get("OPENBLAS_NUM_THREADS") != "1":
        # OpenBLAS reads this when NumPy is imported, so the process starts anew with it.
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"}
        os.execve(sys.executable, [sys.executable, "-m", "benchmarks", *sys.argv[1:]], environment)
    from . import report

    measure = report.relief_markdown if arguments.relief else report.markdown
    if arguments.likeness:
        measure = report.likeness_markdown
    text = measure(arguments.runs)
    print(text)
    if arguments.write:
        DOCUMENT.write_text(text, encoding="utf-8")


main()
