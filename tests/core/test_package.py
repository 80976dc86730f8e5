# SPDX-License-Identifier: GPL-3.0-or-later
"""The package itself: its public names, and the modules that importing it loads."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import noise_core

ROOT = Path(noise_core.__file__).parents[1]


def modules_after(statement: str) -> set[str]:
    """Return the core's modules that a new Python has imported after a statement."""
    program = f"import sys; {statement}; print(*(name for name in sys.modules))"
    command = [sys.executable, "-c", program]
    output = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout
    return {name for name in output.split() if name.startswith("noise_core")}


@pytest.mark.parametrize("name", noise_core.__all__)
def test_every_public_name_is_there(name):
    assert getattr(noise_core, name).__name__ == name
    assert name in dir(noise_core)


def test_other_names_are_not():
    with pytest.raises(AttributeError, match="'noise_core' has no attribute 'Recipes'"):
        _ = noise_core.Recipes


def noise_files(modules):
    """Return the modules that define a type of noise."""
    noises = {name for name in modules if name.startswith("noise_core.noises.")}
    return {name for name in noises if not name.startswith("noise_core.noises.bases")}


def test_importing_brings_noise_along_and_leaves_the_rest():
    modules = modules_after("import noise_core")
    assert {"noise_core.noises.bases.noise", "noise_core.base.grid"} <= modules
    later = {"recipes", "modifiers", "maps", "masks", "materials"}
    assert not modules & {f"noise_core.{name}" for name in later}
    assert not noise_files(modules)


def test_one_noise_brings_no_other_along():
    modules = modules_after("from noise_core.noises import Perlin")
    assert noise_files(modules) == {"noise_core.noises.perlin"}
