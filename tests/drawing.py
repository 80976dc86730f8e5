# SPDX-License-Identifier: GPL-3.0-or-later
"""Random draws of test cases: all of them in the session `deep`, a twentieth elsewhere.

``TERRANE_DEEP=1`` takes every case; ``TERRANE_SEED=123`` repeats the draw of an earlier run, whose
seed stands in the first lines of its report.
"""

from __future__ import annotations

import os
import random

SHARE = 20
"""One case in so many is drawn where the run is not deep."""

IS_DEEP = os.environ.get("TERRANE_DEEP") == "1"


def count_of(cases: int) -> int:
    """Return how many of so many cases this run draws: all of them, or a twentieth and at least one."""
    return cases if IS_DEEP else max(1, cases // SHARE)


def generator(name: str) -> random.Random:
    """Return the generator for the draws of one test, by the seed of the run and the test's name."""
    return random.Random(f"{os.environ['TERRANE_SEED']} {name}")
