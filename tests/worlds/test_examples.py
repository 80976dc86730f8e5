# SPDX-License-Identifier: GPL-3.0-or-later
"""Examples in the docstrings of worlds print what they say, and every name that programs import has one."""

from __future__ import annotations

import pytest

import terrane_worlds
from tests.examples import find_examples, has_example, run_example

EXAMPLES = list(find_examples(terrane_worlds))


@pytest.mark.parametrize("test", EXAMPLES, ids=lambda test: test.name)
def test_the_example_prints_this(test):
    run_example(test)


@pytest.mark.parametrize("name", terrane_worlds.__all__)
def test_a_name_that_programs_import_has_an_example(name):
    assert has_example(getattr(terrane_worlds, name))
