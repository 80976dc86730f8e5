# SPDX-License-Identifier: GPL-3.0-or-later
"""Compare this checkout with an earlier commit: ``python -m benchmarks.before COMMIT``.

    --python PYTHON   to measure with, and its NumPy: given twice, one without BLAS and one with
                      (default: this Python); where it has bpy, terrains inside Blender too
    --runs 5          how often each process is started, and the runs in it that count
    --exchange        heights in and out alone: must be at most 5 % slower

Processes of both checkouts take turns, and the best run of each counts. The table goes to
build/benchmarks/ too, where the next report finds it.
"""

from __future__ import annotations

import argparse
import io
import json
import math
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
EXCHANGE = "before_exchange.py"
EXCHANGE_LIMIT = 1.05
SMALL, ADD, LIVE = (
    "Perlin fbm, 8 octaves from 8 cells, 512²",
    "terrain_add, 512²",
    "live update of the whole, 512²",
)
EROSION, SLIDES = "Whole default stream erosion, 1024²", "Thermal erosion, 64 passes, 1024²"
LIMITS = {
    **{(SMALL, False): [1.5, 0.9], (SMALL, True): [1.0]},
    **{
        (name, blas): [must]
        for name, must in ((EROSION, 1.2), (SLIDES, 1.5))
        for blas in (False, True)
    },
}
"""Must, and aim, of ratios to the earlier commit, by work and by whether NumPy has a BLAS."""

WITHOUT_PRODUCTS = (EROSION, SLIDES)
"""Works that never multiplied matrices: what they took earlier is measured with the same NumPy. For all others
it is with OpenBLAS, which the earlier commit needed to be fast."""

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
    """Measurements of the processes so far.

    Attributes
    ----------
    best : dict
        The least seconds by side and by work.
    labels : dict
        The NumPys by whether they have a BLAS.
    is_exchange : bool
        Whether heights in and out are measured, and nothing else.
    """

    def __init__(self, *, is_exchange: bool = False) -> None:
        self.is_exchange = is_exchange
        self.best: dict[Side, Seconds] = {}
        self.labels: dict[bool, str] = {}

    def measure(self, python: str, is_here: bool, checkout: Path, runs: int) -> None:
        """Start a Python for a checkout, once for each program that runs there."""
        has_bpy = "import importlib.util as u, sys; sys.exit(u.find_spec('bpy') is None)"
        found = subprocess.run([python, "-c", has_bpy], check=False).returncode == 0
        programs = (EXCHANGE,) if self.is_exchange else PROGRAMS if found else PROGRAMS[:1]
        for program in programs:
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
        yield f"| work | NumPy | {commit}, ms | now, ms | now over {commit} | must | aim | reached |"
        yield "| --- | --- | ---: | ---: | ---: | ---: | ---: | --- |"
        names = dict.fromkeys(name for best in self.best.values() for name in best)
        for name in names:
            for has_blas in sorted(self.labels):
                yield self._row(name, has_blas)
        if self.is_exchange:
            yield ""
            return
        yield (
            f"\nNoise and terrains stand over {commit} with OpenBLAS, erosion over it with the same NumPy,"
            f" live update over its `terrain_add` with OpenBLAS.\n"
        )

    def _row(self, name: str, has_blas: bool) -> str:
        earlier, now = (self._seconds((is_here, has_blas), name) for is_here in (EARLIER, HERE))
        is_like = self.is_exchange or name in WITHOUT_PRODUCTS
        base = self._seconds((EARLIER, has_blas or not is_like), ADD if name == LIVE else name)
        cells = [name, "with OpenBLAS" if has_blas else "without BLAS"]
        cells += [f"{earlier * 1e3:.2f}", f"{now * 1e3:.2f}", f"{now / base:.3f}"]
        limits = [EXCHANGE_LIMIT] if self.is_exchange else LIMITS.get((name, has_blas), [])
        if name == LIVE:  # without BLAS a half of what it took, or a third; with OpenBLAS no more
            limits = [earlier / base] if has_blas else [earlier / base / 2, earlier / base / 3]
        if math.isnan(base):
            limits = []
        bounds = [f"{limit:.3g}" for limit in limits] + [""] * (2 - len(limits))
        kept = verdict(now / base, *limits) if limits else ""
        return f"| {' | '.join([*cells, *bounds, kept])} |"

    def _seconds(self, side: Side, name: str) -> float:
        return self.best.get(side, {}).get(name, math.nan)


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
    parser.add_argument("--exchange", action="store_true")
    arguments = parser.parse_args()
    comparison = Comparison(is_exchange=arguments.exchange)
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
    kind = "exchange-" if arguments.exchange else ""
    report = processes.REPORTS / f"before-{kind}{arguments.commit}.md"
    report.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
