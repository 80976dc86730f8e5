# SPDX-License-Identifier: GPL-3.0-or-later
"""Noise against pyfastnoisesimd on grids, and against pyfastnoiselite elsewhere.

    python -m benchmarks --peers

measures this alone. Each NumPy runs in a separate process, in which both take turns:

    python -m benchmarks.noise_peers RUNS

prints the ratios as it goes on, and then one line of JSON. The report asks for it twice: with
its own Python, and with the one that `TERRANE_OTHER_PYTHON` names, whose NumPy has a BLAS if its own
has none, or the other way round.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from . import blas, cases, peers, processes
from .measure import timed
from .tables import say, verdict

HEADS = {
    cases.SIMD: """## Against pyfastnoisesimd, on grids

C++ with vector instructions, built with AVX2 at most: what most processors have. A downloaded Blender's
NumPy has no BLAS; the one on PyPI, which comes with Blender's Python module, has OpenBLAS, which noise
does not use. Each is measured in a process of its own, with the peer in it.{earlier}
""",
    cases.LITE: """## Against pyfastnoiselite, at points and in warps
""",
}
COLUMNS = """
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
    level : str
        See `peers.simd_level`.
    seconds : dict
        Ours and the peer's, None if it is not installed, by the name of the case.
    """

    blas: str
    label: str
    level: str
    seconds: dict[str, tuple[float, float | None]]


def measured(runs: int) -> Measured:
    """Measure in this process."""
    seconds: dict[str, tuple[float, float | None]] = {}
    for case in cases.cases():
        peer = case.peer()
        best = [timing.best for timing in timed([case.ours, peer] if peer else [case.ours], runs)]
        seconds[case.name] = (best[0], best[1] if peer else None)
        times = " over ".join(f"{one / case.samples * 1e9:.2f}" for one in best)
        ratio = (
            f" ns = {best[0] / best[1]:.3f}, must {case.limits.must}" if peer else " ns, no peer"
        )
        say(f"{blas.label()}, {case.name}: {times}{ratio}")
    return Measured(blas.name(), blas.label(), peers.simd_level(), seconds)


def table(runs: int) -> Iterator[str]:
    """Yield the lines of this part of the report."""
    found = list(_by_processes(runs))
    without = next((one for one in found if one.blas == blas.NONE), None)
    openblas = next((one for one in found if one.blas != blas.NONE), None)
    for library, head in HEADS.items():
        yield head.format(earlier=EARLIER if processes.comparisons() else "") + COLUMNS
        for case in (case for case in cases.cases() if case.library == library):
            must, aim, must_openblas = case.limits
            columns = _columns(case, without, must, aim), _columns(case, openblas, must_openblas)
            yield f"| {case.name} | {' | '.join(columns)} |"
        yield ""
    labels = [one.label if one else "there is none here" for one in (without, openblas)]
    levels = "; ".join(sorted({one.level for one in found if one.level})) or "not installed"
    yield f"The NumPy without BLAS: {labels[0]}. The one with OpenBLAS: {labels[1]}."
    yield f"pyfastnoisesimd: {levels}.\n"


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
        times[1:] = f"{peer / case.samples * 1e9:.2f}", f"{ours / peer:.3f}"
        kept = verdict(ours / peer, *limits) if None not in limits else ""
    return " | ".join([*times, *bounds, kept])


if __name__ == "__main__":
    print(json.dumps(vars(measured(int(sys.argv[1])))))
