# SPDX-License-Identifier: GPL-3.0-or-later
"""All recipes have the bits of the file, with and without the processor's vector units, with any matrix library.

The sessions of `core` run this with several NumPys, which all have to give the same file. Processors other than
x86-64 fuse multiplications with additions, so that bits differ there: bounds are checked instead.

The file changes only through ``python tools/update_golden.py --digests``, in a commit that says why.
"""

from __future__ import annotations

import functools
import json
import os
import platform
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from noise_core import map_types, modifier_types, noise_types
from noise_core.landscapes.preset_library import shipped_names
from tests.core import digests

pytestmark = pytest.mark.bits

ROOT = Path(__file__).parents[2]
IS_X86_64 = platform.machine().lower() in ("x86_64", "amd64")
ON_X86_64 = pytest.mark.skipif(not IS_X86_64, reason="bits are promised on x86-64 alone")

NOISE_TOLERANCE = 2e-6
"""Of the largest value: what fused additions change in a noise."""

MAP_TOLERANCE = 1e-4
"""Of the range: the ground under the maps here is made of integers, so that nothing decides otherwise."""

TYPICAL_TOLERANCE = 1e-4
"""Of the range: half of an eroded land's samples are nearer than that."""

MEAN_TOLERANCE = 0.01
"""Of the range: a river that takes another way moves some samples far; in the mean they stay."""

WIDE = ("AVX512", "X86_V4")
NARROW = (*WIDE, "AVX2", "FMA3", "X86_V3")


@functools.cache
def here():
    return digests.computed()


def unequal(found, expected):
    return [name for name in expected if found[name]["digest"] != expected[name]["digest"]]


def run(**environment):
    """Return the results of another process with further environment variables."""
    command = [sys.executable, "-m", "tests.core.digests"]
    every = {**os.environ, "OPENBLAS_NUM_THREADS": "1", **environment}
    done = subprocess.run(command, cwd=ROOT, env=every, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert not done.stderr, "NumPy did not know a feature's name, or something else was wrong"
    return json.loads(done.stdout)


@ON_X86_64
def test_the_bits_are_those_of_the_file():
    assert unequal(here(), digests.saved()) == []


@pytest.mark.newest
@ON_X86_64
@pytest.mark.parametrize(
    "kernels, prefixes",
    [("SkylakeX", ()), ("Zen", WIDE), ("Haswell", NARROW)],
    ids=["AVX-512", "without AVX-512", "without AVX2"],
)
def test_another_processor_changes_no_bit(kernels, prefixes):
    """The kernels that OpenBLAS has for it, and the vector units that NumPy finds in it."""
    off = {name for name in digests.features() if prefixes and name.startswith(prefixes)}
    library = digests.matrix_library()
    if not prefixes and not any(name.startswith(WIDE) for name in digests.features()):
        pytest.skip("NOT TESTED: this processor has, or this NumPy uses, no AVX-512")
    if not off and not library:
        pytest.skip(f"NOT TESTED: here nothing can be chosen as on a processor {kernels}")
    if not off and library == kernels:  # those that this machine has anyway
        assert unequal(here(), digests.saved()) == []
        return
    chosen = {"OPENBLAS_CORETYPE": kernels} if library else {}
    report = run(NPY_DISABLE_CPU_FEATURES=" ".join(sorted(off)), **chosen)
    assert not off & set(report["features"]), "the features are still on"
    # Builds leave processors out that another one's kernels serve as well, as Haswell's do for Zen.
    assert not library or report["library"] in {kernels, *(["Haswell"] if kernels == "Zen" else [])}
    assert unequal(report["recipes"], digests.saved()) == []


def out_of_bounds(found, expected):
    """Return the recipes whose samples are farther from the file's than another processor may bring them."""
    wrong = []
    for name, one in expected.items():
        mine, theirs = np.array(found[name]["samples"]), np.array(one["samples"])
        off = np.abs(mine - theirs)
        if name.startswith(("noise:", "points:")):
            is_near = off.max() <= NOISE_TOLERANCE * max(1.0, np.abs(theirs).max())
        elif name.startswith("map:"):
            is_near = off.max() <= MAP_TOLERANCE * max(np.ptp(theirs), 1e-6)
        else:
            span = max(np.ptp(theirs), 1e-6)
            is_near = np.median(off) <= TYPICAL_TOLERANCE * span
            is_near = is_near and off.mean() <= MEAN_TOLERANCE * span
        if not is_near:
            wrong.append(name)
    return wrong


def test_samples_are_within_the_bounds_of_any_processor():
    assert out_of_bounds(here(), digests.saved()) == []


def test_bounds_let_nothing_else_pass():
    saved = digests.saved()
    others = {
        name: {"samples": [1.05 * number + 0.05 for number in one["samples"]]}
        for name, one in saved.items()
    }
    assert set(saved) == set(out_of_bounds(others, saved)), "some recipe may be anything"


def test_everything_is_among_the_recipes():
    names = set(digests.saved())
    assert len(names) >= 30
    assert names <= set(here()), "run python tools/update_golden.py --digests"
    missing = sorted(set(here()) - names)
    if missing:
        pytest.skip(f"no digests yet of {missing}: python tools/update_golden.py --digests")
    for kind, keys in (
        ("preset", shipped_names()),
        ("noise", noise_types()),
        ("points", noise_types()),
        ("modifier", modifier_types()),
        ("layer", ("noise",)),
        ("map", map_types()),
    ):
        assert {f"{kind}: {key}" for key in keys} <= names


def test_samples_are_not_all_the_same():
    constant = {name for name, one in digests.saved().items() if np.ptp(one["samples"]) == 0.0}
    assert constant <= {"noise: constant", "points: constant"}
