# SPDX-License-Identifier: GPL-3.0-or-later
"""Workflows of a public host: one runs the README's test command, as .ci/run does, one makes a release of a tag."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
CACHED = ("wheels", "npm", "numpy-*")


@pytest.fixture(scope="module")
def workflow() -> dict:
    path = ROOT / ".github" / "workflows" / "test.yml"
    return yaml.safe_load(path.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def job(workflow) -> dict:
    (job,) = workflow["jobs"].values()
    return job


def steps_with(job: dict, action: str) -> list[dict]:
    """Return the steps that use an action, of any version."""
    return [step for step in job["steps"] if step.get("uses", "").split("@")[0] == action]


def readme_command() -> str:
    """Return the command that the README names for all tests."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (command,) = re.findall(r"^(\S+) +# runs all tests", readme, re.MULTILINE)
    return command


def test_it_runs_the_command_of_the_readme_as_continuous_integration_does(job):
    commands = [step["run"] for step in job["steps"] if "run" in step]
    assert commands.count(readme_command()) == 1
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert re.findall(r"^exec (\S+)", script, re.MULTILINE) == [readme_command()]
    assert (ROOT / readme_command()).stat().st_mode & 0o111


def test_it_has_the_pythons_under_test(job):
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert re.search(r"^\| Python \| 3\.11, 3\.13 \|$", readme, re.MULTILINE)
    # The image is Python 3.11 on Debian trixie, whose own Python is 3.13.
    assert job["container"]["image"] == "python:3.11-trixie"
    assert any("python3-dev python3-venv" in step.get("run", "") for step in job["steps"])


def test_it_may_read_the_repository_and_nothing_else(workflow, job):
    assert workflow["permissions"] == {"contents": "read"}
    assert "permissions" not in job
    assert "pull_request_target" not in workflow["on"]
    (checkout,) = steps_with(job, "actions/checkout")
    assert checkout["with"]["persist-credentials"] is False
    assert all(step["uses"].startswith("actions/") for step in job["steps"] if "uses" in step)


def test_it_ends_and_leaves_one_run_for_each_branch(workflow, job):
    assert 60 <= job["timeout-minutes"] <= 360  # the host's limit is six hours
    assert workflow["concurrency"]["cancel-in-progress"] is True
    assert "github.ref" in workflow["concurrency"]["group"]


def test_it_keeps_downloads_and_uploads_reports_of_failed_runs_too(job):
    (cache,) = steps_with(job, "actions/cache")
    assert cache["with"]["path"].split() == [f".cache/{name}" for name in CACHED]
    (upload,) = steps_with(job, "actions/upload-artifact")
    assert upload["if"] == "always()"
    assert "build/reports" in upload["with"]["path"].split()
    run = next(step for step in job["steps"] if step.get("run") == readme_command())
    assert job["steps"].index(cache) < job["steps"].index(run) < job["steps"].index(upload)


def test_a_tag_makes_a_release_and_publishes_nothing():
    path = ROOT / ".github" / "workflows" / "release.yml"
    workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert workflow["on"] == {"push": {"tags": ["v*"]}}
    assert workflow["permissions"] == {"contents": "read"}
    (job,) = workflow["jobs"].values()
    assert "permissions" not in job and 10 <= job["timeout-minutes"] <= 120
    (command,) = [step["run"] for step in job["steps"] if "tools/release.sh" in step.get("run", "")]
    assert '--version "$GITHUB_REF_NAME"' in command, "a tag of another version must be refused"
    assert "${{" not in command, "a variable's text must not become a command"
    (upload,) = steps_with(job, "actions/upload-artifact")
    assert upload["with"]["path"] == "dist"
    assert all(step["uses"].startswith("actions/") for step in job["steps"] if "uses" in step)
    assert (ROOT / "tools" / "release.sh").stat().st_mode & 0o111
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert "/dist/" in ignored
