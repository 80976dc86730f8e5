# SPDX-License-Identifier: GPL-3.0-or-later
"""The job type of docs/render_farm.md, compiled by an engine of JavaScript. tests/blender runs its tasks."""

from __future__ import annotations

import pytest

from tests.flamenco_jobs import ROOT, compile_job

KEYS = {"key", "type", "subtype", "choices", "default", "required", "visible", "description"}
"""Of a setting, as far as they are used; Flamenco has more."""

TYPES = {"string": str, "int32": int, "bool": bool}
"""Flamenco's types of settings, as far as they are used."""


def test_settings_have_flamencos_form():
    job_type = compile_job(output_folder="/farm")["type"]
    assert set(job_type) == {"label", "description", "settings"}
    keys = [one["key"] for one in job_type["settings"]]
    assert len(set(keys)) == len(keys)
    for one in job_type["settings"]:
        assert set(one) <= KEYS and one["key"].isidentifier()
        assert one.get("subtype", "dir_path") in ("file_path", "dir_path", "file_name")
        assert one.get("visible", "visible") in ("visible", "hidden", "submission", "web")
        if "default" in one:
            assert type(one["default"]) is TYPES[one["type"]]
        assert one.get("default") in one.get("choices", [one.get("default")])


def test_a_task_for_each_seed():
    job = compile_job(source="dunes", seeds="3-5, 1", output_folder="/farm/out", samples=16)
    assert job["error"] is None
    assert [task["name"] for task in job["tasks"]] == ["seed-1", "seed-3", "seed-4", "seed-5"]
    for task in job["tasks"]:
        assert (task["type"], task["dependencies"]) == ("blender", [])
        (command,) = task["commands"]
        assert command["name"] == "exec" and set(command["parameters"]) == {"exe", "args"}
        assert command["parameters"]["exe"] == "{blender}"
        words = command["parameters"]["args"]
        assert all(isinstance(word, str) for word in words)
        assert words[:4] == ["--command", "terrane", "render", "dunes"]
        seed = task["name"].removeprefix("seed-")
        assert words[words.index("--seed") + 1] == seed
        assert words[words.index("--output") + 1] == f"/farm/out/dunes_{seed}.png"
        assert "--blend" not in words and "--overwrite" in words


@pytest.mark.parametrize(
    ("seeds", "message"),
    [
        ("", "seeds must be such as 7 or 1-8"),
        ("1-", "seeds must be such as 7 or 1-8"),
        ("-5", "seeds must be such as 7 or 1-8"),
        ("9-3", "seeds must rise"),
        ("1-20000", "seeds must be at most 10000"),
        ("4294967296", "seeds must rise, up to 4294967295"),
    ],
)
def test_seeds_that_cannot_be(seeds, message):
    job = compile_job(seeds=seeds, output_folder="/farm")
    assert job["tasks"] == [] and job["error"].startswith(message)


def test_the_page_names_all_settings():
    page = (ROOT / "docs" / "render_farm.md").read_text(encoding="utf-8")
    for one in compile_job(output_folder="/farm")["type"]["settings"]:
        if one.get("visible") != "hidden":
            assert f"| {one['key']} |" in page
