# SPDX-License-Identifier: GPL-3.0-or-later
"""Incomplete files that another program has open for a moment, as scanners have on Windows."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest

from noise_core.base import atomic_files

PIECES = [b"ab", [b"a", b"b"]]


@pytest.fixture
def waits(monkeypatch):
    """Return the list of all waits, which take no time."""
    waits = []
    monkeypatch.setattr(atomic_files, "_pause", waits.append)
    return waits


@pytest.fixture
def refuse(waits):
    """Return a function that lets so many attempts to open files for writing fail, from then on.

    With `after`, so many succeed first.
    """
    usual = io.open
    left = {"after": 0, "attempts": 0}

    def open_or_refuse(path, mode="r", *arguments, **keywords):
        if "w" in mode and Path(path).suffix == ".part":
            if left["after"] > 0:
                left["after"] -= 1
            elif left["attempts"] > 0:
                left["attempts"] -= 1
                error = PermissionError(13, "The file is in use")
                error.winerror = 32
                raise error
        return usual(path, mode, *arguments, **keywords)

    with pytest.MonkeyPatch.context() as patch:
        for name in ("builtins.open", "io.open"):  # a path's own functions call the latter
            patch.setattr(name, open_or_refuse)
        yield lambda attempts, after=0: left.update(after=after, attempts=attempts)


@pytest.mark.parametrize("pieces", PIECES)
@pytest.mark.parametrize("attempts", [1, 5])
def test_a_part_that_is_locked_for_a_moment_is_waited_for(
    refuse, waits, tmp_path, pieces, attempts
):
    refuse(attempts)
    atomic_files.write_part(tmp_path / "a.part", pieces)
    assert (tmp_path / "a.part").read_bytes() == b"ab"
    assert len(waits) == attempts and 0.0 < sum(waits) < atomic_files.PATIENCE


@pytest.mark.parametrize("pieces", PIECES)
def test_a_part_is_opened_once(refuse, waits, tmp_path, pieces):
    """A scanner may look at a new file as soon as it is closed, and for how long it likes."""
    refuse(10**9, after=1)
    atomic_files.write_part(tmp_path / "a.part", pieces)
    assert (tmp_path / "a.part").read_bytes() == b"ab" and not waits


def test_a_part_that_stays_locked_is_given_up(refuse, waits, tmp_path):
    refuse(10**9)
    with pytest.raises(OSError, match="The file is in use"):
        atomic_files.write_part(tmp_path / "a.part", [b"a"])
    assert atomic_files.PATIENCE <= sum(waits) < atomic_files.PATIENCE + 0.5


def test_large_pieces_are_written_whole(tmp_path):
    values = np.arange(300_000, dtype=np.float32).reshape(300, 1000)
    path = tmp_path / "a.bin"
    atomic_files.write(path, (b"head", b"", values.data, bytes(700_001)))
    assert path.read_bytes() == b"head" + values.tobytes() + bytes(700_001)
