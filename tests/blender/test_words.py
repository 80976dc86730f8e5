# SPDX-License-Identifier: GPL-3.0-or-later
"""Words of the interface: texts that read badly stay few, and one thing has one word."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def _tool(name):
    if f"{name}_tool" not in sys.modules:
        spec = importlib.util.spec_from_file_location(f"{name}_tool", ROOT / f"tools/{name}.py")
        tool = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = tool
        spec.loader.exec_module(tool)
    return sys.modules[f"{name}_tool"]


@pytest.fixture(scope="module")
def texts(terrane):
    """Return all texts of the interface."""
    catalog = _tool("translations").template()
    return [str(message.id) for message in catalog if message.id]


def test_texts_that_read_badly_stay_few(texts):
    counter = _tool("count_words")
    assert counter.LIMITS['"got {}"'] == 40 and len(texts) > 2000
    for kind, matches in counter.matches(texts).items():
        assert len(matches) <= counter.LIMITS[kind], "\n".join([kind, *matches])


def test_the_counter_knows_what_reads_badly():
    counter = _tool("count_words")
    bad = ["How wide it is", "Rows; got {!r}", "a" * 81, "A share of all", "Let it be"]
    good = ["However", "Forgot {}", "a" * 80, "Shared", "Outlet", "Which"]
    counts = {kind: len(texts) for kind, texts in counter.matches([*bad, *good]).items()}
    assert list(counts.values()) == [1, 1, 1, 1, 1]
