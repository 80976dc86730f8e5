# SPDX-License-Identifier: GPL-3.0-or-later
"""The checkout at hand against an earlier commit: ``python -m benchmarks.before COMMIT``.

    --python PYTHON   to measure with, and its NumPy: given twice, one without BLAS and one with
                      (default: this Python); where it has bpy, terrains inside Blender too
    --runs 5          how often each process is started, and the runs in it that count

Processes of both checkouts take turns, and the best run of each counts. The table goes to
build/benchmarks/ too, where the next report finds it.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path

from . import blas, processes
from .tables import machine, say, verdict

PROGRAMS = ("before_noise.py", "before_blender.py")
SMALL, ADD, LIVE = (
    "Perlin fbm, 8 octaves from 8 cells, 512²",
    "terrain_add, 512²",
    "live update of the whole, 512²",
)
LIMITS = {SMALL: (1.5, 0.9, 1.0)}
"""Of ratios to the earlier commit with OpenBLAS: without BLAS must and aim, with OpenBLAS must."""

Seconds = dict[str, float]
EARLIER, HERE = False, True
Side = tuple[bool, bool]
"""Which checkout, and whether NumPy has a BLAS."""


def export(commit: str, folder: Path) -> None:
    """Write the files of a commit into a folder."""
    command = ["git", "-C", str(processes.ROOT), "archive", "--format=tar", commit]
    archive = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        files.extractall(folder, filter="data")


class Comparison:
    """What the processes have measured so far.

    Attributes
    ----------
    best : dict
        The least seconds by side and by work.
    labels : dict
        The NumPys by whether they have a BLAS.
    """

    def __init__(self) -> None:
        self.best: dict[Side, Seconds] = {}
        self.labels: dict[bool, str] = {}

    def measure(self, python: str, is_here: bool, checkout: Path, runs: int) -> None:
        """Start a Python for a checkout, once for each program that runs there."""
        has_bpy = "import importlib.util as u, sys; sys.exit(u.find_spec('bpy') is None)"
        found = subprocess.run([python, "-c", has_bpy], check=False).returncode == 0
        for program in PROGRAMS if found else PROGRAMS[:1]:
            script = str(Path(__file__).with_name(program))
            printed = processes.run([python, script, str(checkout), str(runs)], checkout)
            result = json.loads(printed.splitlines()[-1])
            has_blas = result["blas"] != blas.NONE
            self.labels[has_blas] = result["label"]
            best = self.best.setdefault((is_here, has_blas), {})
            for name, seconds in result["seconds"].items():
                best[name] = min(seconds, best.get(name, seconds))

    def table(self, commit: str) -> Iterator[str]:
        """Yield the lines of the report."""
        labels = "; ".join(self.labels[has_blas] for has_blas in sorted(self.labels))
        yield f"Measured on {machine()}. {labels}.\n"
        over = f"over {commit} with OpenBLAS"
        yield (
            f"| work | {commit} with OpenBLAS, ms | {commit} without BLAS, ms "
            f"| now without BLAS, ms | {over} | must | aim | reached "
            f"| now with OpenBLAS, ms | {over} | must | reached |"
        )
        yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- | ---: | ---: | ---: | --- |"
        names = dict.fromkeys(name for best in self.best.values() for name in best)
        for name in names:
            yield self._row(name)
        yield f"\nLive update stands over `terrain_add` of {commit} with OpenBLAS.\n"

    def _row(self, name: str) -> str:
        base = self._seconds((EARLIER, True), ADD if name == LIVE else name)
        must, aim, must_with_openblas = self._limits(name, base)
        milliseconds = [
            f"{seconds * 1e3:.2f}" if (seconds := self._seconds((EARLIER, has_blas), name)) else ""
            for has_blas in (True, False)
        ]
        without = self._columns(name, False, base, must, aim)
        return (
            " | ".join(
                (
                    f"| {name}",
                    *milliseconds,
                    without,
                    self._columns(name, True, base, must_with_openblas),
                )
            )
            + " |"
        )

    def _limits(self, name: str, base: float | None) -> tuple[float | None, ...]:
        """Return what is asked for; of live update what it took, without BLAS a half or a third."""
        if name != LIVE or base is None:
            return LIMITS.get(name, (None, None, None))
        took = [self._seconds((EARLIER, has_blas), name) for has_blas in (False, True)]
        without, openblas = (seconds / base if seconds else None for seconds in took)
        return (without and without / 2, without and without / 3, openblas)

    def _columns(self, name: str, has_blas: bool, base: float | None, *limits: float | None) -> str:
        """Return the cells of this checkout with one NumPy."""
        seconds = self._seconds((HERE, has_blas), name)
        bounds = [f"{limit:.3g}" if limit else "" for limit in limits]
        if seconds is None or base is None:
            return " | ".join([f"{seconds * 1e3:.2f}" if seconds else "", "", *bounds, ""])
        ratio = seconds / base
        kept = "" if None in limits else verdict(ratio, *limits)
        return " | ".join([f"{seconds * 1e3:.2f}", f"{ratio:.3f}", *bounds, kept])

    def _seconds(self, side: Side, name: str) -> float | None:
        return self.best.get(side, {}).get(name)


def main() -> None:
    """Measure, print, and write the table."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.before",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("commit")
    parser.add_argument("--python", action="append", default=[])
    parser.add_argument("--runs", type=int, default=5)
    arguments = parser.parse_args()
    comparison = Comparison()
    with tempfile.TemporaryDirectory() as folder:
        earlier, profile = Path(folder, "earlier"), Path(folder, "profile")
        profile.mkdir()
        os.environ.update(OPENBLAS_NUM_THREADS="1", BLENDER_USER_RESOURCES=str(profile))
        export(arguments.commit, earlier)
        for run in range(arguments.runs):
            for python in arguments.python or [sys.executable]:
                comparison.measure(python, EARLIER, earlier, arguments.runs)
                comparison.measure(python, HERE, processes.ROOT, arguments.runs)
            say(f"{run + 1} of {arguments.runs}")
        text = "\n".join(comparison.table(arguments.commit))
    print(text)
    processes.REPORTS.mkdir(parents=True, exist_ok=True)
    report = processes.REPORTS / f"before-{arguments.commit}.md"
    report.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
