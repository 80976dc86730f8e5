# SPDX-License-Identifier: GPL-3.0-or-later
"""The plan of large worlds: its constants are measured, its numbers those that a build declares."""

from __future__ import annotations

import pytest

from benchmarks import worlds_plan
from benchmarks.worlds import RECIPE
from terrane_worlds import World
from terrane_worlds.builds.budget import PROCESS, Budget


def table(lines: list[str]) -> list[list[str]]:
    return [[word.strip() for word in line.strip("| ").split("|")] for line in lines]


def test_a_plan(tmp_path, capsys):
    arguments = ["--recipes", "noise", "--measured", "128", "384", "--measured-tile", "64"]
    more = ["--side", "65536", "--tiles", "2048", "4096", "--workers", "8", "--disk-rate", "0.5"]
    worlds_plan.main([*arguments, *more, "--folder", str(tmp_path)])
    assert not list(tmp_path.iterdir())
    lines = capsys.readouterr().out.splitlines()
    constants = {row[0]: row[1] for row in table(lines) if len(row) == 2}
    assert 5.0 <= float(constants["store"].split()[0]) < 7.0  # one overview at least
    assert 5.0 < float(constants["written"].split()[0]) < 10.0
    (head, *rows) = [row for row in table(lines) if len(row) == len(worlds_plan.HEADS)]
    assert tuple(head) == worlds_plan.HEADS
    for tile, row in zip((2048, 4096), rows[1:]):
        found = dict(zip(head, row))
        budget = Budget(World(RECIPE, 65536, 65536, tile).tiling, 1, ())
        assert found["tiles"] == f"{(65536 // tile) ** 2:,}"
        assert found["a worker, GB"] == f"{(40.0 * tile**2 + PROCESS) / 1e9:.1f}"
        assert found["store, TB"] == f"{budget.stored / 1e12:.2f}"
        spent = [float(found[name].replace(",", "")) for name in head[5:10]]
        assert spent[4] == pytest.approx(max(spent[:3]) + spent[3], abs=0.011)
        written = float(constants["written"].split()[0]) * 65536**2 / 0.5e9 / 3600.0
        assert spent[1] == pytest.approx(written, abs=0.02)
