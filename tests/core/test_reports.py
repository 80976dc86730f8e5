# SPDX-License-Identifier: GPL-3.0-or-later
"""Text of the benchmarks' report beside its numbers."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import cases, noise_peers, peers, processes, report, summary

PAGE = Path(__file__).parents[2] / "docs" / "develop" / "benchmarks.md"
COMPARED = "an earlier commit"


@pytest.mark.parametrize("names", [[], ["before-abc.md"], ["blender-5.2.txt"]])
def test_an_earlier_commit_is_spoken_of_if_there_is_a_comparison(names, tmp_path, monkeypatch):
    for name in names:
        (tmp_path / name).write_text("| a table |", encoding="utf-8")
    monkeypatch.setattr(processes, "REPORTS", tmp_path)
    monkeypatch.setattr(noise_peers, "_by_processes", lambda runs: [])
    text = "\n".join(noise_peers.table(1))
    below = "\n".join(report._before())
    assert (COMPARED in text) is ("## Against abc" in below) is (names == ["before-abc.md"])


def test_the_page_speaks_of_an_earlier_commit_if_it_has_the_comparison():
    text = PAGE.read_text(encoding="utf-8")
    assert (COMPARED in text) is ('By `nox -s "benchmark(before)"`' in text)


def test_the_page_on_speed_has_the_numbers_of_the_report():
    written = summary.PAGE.read_text(encoding="utf-8")
    assert summary.page(PAGE.read_text(encoding="utf-8"), written) == written
    assert written.count("| 1024² |") >= 10 and "A.N.T. Landscape" in written


def test_a_report_without_a_number_is_refused():
    text = PAGE.read_text(encoding="utf-8").replace("fastscapelib step", "another step")
    with pytest.raises(ValueError, match="no row for fastscapelib"):
        summary.tables(text)


def test_every_case_stands_in_the_table_of_its_library(monkeypatch):
    monkeypatch.setattr(noise_peers, "_by_processes", lambda runs: [])
    text = "\n".join(noise_peers.table(1))
    for case in cases.cases():
        table = text[text.index(f"## Against {case.library}") :].split("\n## ")[0]
        assert f"| {case.name} |" in table


@pytest.mark.parametrize("octaves", [1, 3])
@pytest.mark.parametrize("noise", ["Perlin", "Simplex", "Cellular"])
def test_the_peer_on_grids_is_none_where_it_is_not_installed(noise, octaves, monkeypatch):
    monkeypatch.setattr(peers, "installed", lambda name: None)
    assert peers.fast_noise_simd(noise, 4.0, 64, octaves) is None
    assert peers.simd_level() == ""
