# SPDX-License-Identifier: GPL-3.0-or-later
"""Examples in the core's docstrings print what they say, and every name that programs import has one."""

from __future__ import annotations

import importlib

import pytest

import noise_core
from noise_core import maps
from tests.examples import find_examples, has_example, run_example

pytestmark = pytest.mark.bits

TYPES = ("noises", "modifiers", "maps", "masks", "io.targets", "materials.colorings")
"""Folders of types, which offer a class by its name."""

MODULES = ("io.heightmaps", "io.elevation_reading", "materials.surfaces")
"""Packages that list the names they offer."""


def functions_of_maps() -> list[object]:
    """Return the plain functions that are generated from the types of maps."""
    return [getattr(maps, name) for name in dir(maps) if name.islower()]


EXAMPLES = list(find_examples(noise_core, functions_of_maps()))


def public_names() -> list:
    names = [f"noise_core.{name}" for name in noise_core.__all__]
    for package in TYPES:
        module = importlib.import_module(f"noise_core.{package}")
        names += [f"noise_core.{package}.{name}" for name in dir(module)]
    for package in MODULES:
        module = importlib.import_module(f"noise_core.{package}")
        offered = (name for name in module.__all__ if callable(getattr(module, name)))
        names += [f"noise_core.{package}.{name}" for name in offered]
    return names


@pytest.mark.parametrize("test", EXAMPLES, ids=lambda test: test.name.removeprefix("noise_core."))
def test_the_example_prints_this(test):
    run_example(test)


def test_there_are_many_examples():
    assert len(EXAMPLES) >= 150
    assert sum(len(test.examples) for test in EXAMPLES) >= 300


@pytest.mark.parametrize("name", public_names())
def test_a_name_that_programs_import_has_an_example(name):
    package, _, attribute = name.rpartition(".")
    assert has_example(getattr(importlib.import_module(package), attribute))
