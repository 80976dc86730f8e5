# SPDX-License-Identifier: GPL-3.0-or-later
"""Noise against pyfastnoiselite, with each NumPy in a separate process.

    python -m benchmarks.noise_peers RUNS

measures with the NumPy of that Python and prints one line of JSON. The report asks for it twice: with
its own Python, and with the one that `TERRANE_OTHER_PYTHON` names, whose NumPy has a BLAS if its own
has none, or the other way round.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from . import blas, cases, processes
from .measure import timed
from .tables import say, verdict

HEAD = """## Against pyfastnoiselite

A downloaded Blender's NumPy has no BLAS; the one on PyPI, which comes with Blender's Python module, has
OpenBLAS. Each is measured in a process of its own, with the peer in it.{earlier}

| work | without BLAS: ns a sample | peer | ratio | must | aim | reached | with OpenBLAS: ns | peer | ratio | must | reached |
| --- | ---: | ---: | ---: | ---: | ---: | --- | ---: | ---: | ---: | ---: | --- |"""

EARLIER = """ What is asked for at 512² is a
ratio to an earlier commit, below."""


@dataclass(frozen=True)
class Measured:
    """Measurements of one process.

    Attributes
    ----------
    blas, label : str
        See `blas`.
    seconds : dict
        Ours and the peer's, None if it is not installed, by the name of the case.
    """

    blas: str
    label: str
    seconds: dict[str, tuple[float, float | None]]


def measured(runs: int) -> Measured:
    """Measure in this process."""
    seconds: dict[str, tuple[float, float | None]] = {}
    for case in cases.cases():
        peer = case.peer()
        best = [timing.best for timing in timed([case.ours, peer] if peer else [case.ours], runs)]
        seconds[case.name] = (best[0], best[1] if peer else None)
        times = " ".join(f"{one / case.samples * 1e9:.2f}" for one in best)
        say(f"{blas.label()}, {case.name}: {times}")
    return Measured(blas.name(), blas.label(), seconds)


def table(runs: int) -> Iterator[str]:
    """Yield the lines of this part of the report."""
    found = list(_by_processes(runs))
    without = next((one for one in found if one.blas == blas.NONE), None)
    openblas = next((one for one in found if one.blas != blas.NONE), None)
    yield HEAD.format(earlier=EARLIER if processes.comparisons() else "")
    for case in cases.cases():
        must, aim, must_with_openblas = case.limits
        columns = _columns(case, without, must, aim), _columns(case, openblas, must_with_openblas)
        yield f"| {case.name} | {' | '.join(columns)} |"
    labels = [one.label if one else "there is none here" for one in (without, openblas)]
    yield f"\nThe NumPy without BLAS: {labels[0]}. The one with OpenBLAS: {labels[1]}.\n"


def _by_processes(runs: int) -> Iterator[Measured]:
    other = os.environ.get("TERRANE_OTHER_PYTHON")
    for python in (sys.executable, *([other] if other else ())):
        printed = processes.run([python, "-m", "benchmarks.noise_peers", str(runs)])
        yield Measured(**json.loads(printed.splitlines()[-1]))


def _columns(case: cases.Case, found: Measured | None, *limits: float | None) -> str:
    """Return the cells of one NumPy: times, ratio, limits, which of them is kept."""
    bounds = [f"{limit:g}" if limit else "" for limit in limits]
    if found is None:
        return " | ".join(["", "", "*not measured*", *bounds, ""])
    ours, peer = found.seconds[case.name]
    times = [f"{ours / case.samples * 1e9:.2f}", "", "*no peer*"]
    kept = ""
    if peer:
        times[1:] = f"{peer / case.samples * 1e9:.1f}", f"{ours / peer:.3f}"
        kept = verdict(ours / peer, *limits) if None not in limits else ""
    return " | ".join([*times, *bounds, kept])


if __name__ == "__main__":
    print(json.dumps(vars(measured(int(sys.argv[1])))))
