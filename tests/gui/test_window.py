# SPDX-License-Identifier: GPL-3.0-or-later
"""One run in a real window. The scenario is in run_gui.py; here stands what must be true after it."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import subprocess
from pathlib import Path

import pytest
from PIL import Image

ROOT = Path(__file__).resolve().parents[2]
SCREENSHOTS = ROOT / "build" / "gui"
LIMIT = 280  # seconds; the driver gives up earlier, with a reason


@pytest.fixture(scope="module")
def result() -> dict:
    """Return what the run in the window left behind."""
    shutil.rmtree(SCREENSHOTS, ignore_errors=True)
    SCREENSHOTS.mkdir(parents=True)
    # The launcher of a Blender in a window and its profile are what `nox -s gui` prepared.
    command = [
        *shlex.split(os.environ["TERRANE_WINDOW"]),
        *("--enable-event-simulate", "--python-exit-code", "1"),
        *("--python", str(ROOT / "tests" / "gui" / "run_gui.py"), "--", str(SCREENSHOTS)),
    ]
    # In a session of its own, so that the virtual screen goes with the window.
    with subprocess.Popen(command, start_new_session=True) as blender:
        try:
            blender.wait(LIMIT)
        except subprocess.TimeoutExpired:
            os.killpg(blender.pid, signal.SIGKILL)
            raise
    path = SCREENSHOTS / "result.json"
    assert path.exists(), f"the window left no result; Blender ended with {blender.returncode}"
    return json.loads(path.read_text(encoding="utf-8"))


def test_every_step_succeeded(result):
    assert result["error"] is None, result["error"]
    assert result["steps"]
    assert all(step["done"] for step in result["steps"])


def test_the_screenshots_show_something(result):
    pictures = sorted(SCREENSHOTS.glob("*.png"))
    assert len(pictures) >= 2
    for path in pictures:
        with Image.open(path) as picture:
            assert picture.size == (1600, 900)
            colours = picture.convert("RGB").getcolors(maxcolors=1 << 24)
            largest = max(count for count, _ in colours) / (1600 * 900)
        assert len(colours) > 200, f"{path.name} is almost empty"
        assert largest < 0.9, f"{path.name} is mostly one colour"


def test_the_terrain_is_seen(result):
    """A terrain beyond the end of the view would be made, selected and invisible."""
    with Image.open(SCREENSHOTS / "viewport_terrain.png") as picture:
        middle = picture.convert("L").crop((400, 200, 900, 700))
    shades = [count for count in middle.histogram() if count > 50]
    assert len(shades) > 60, "the middle of the viewport is empty, or shows the grid only"
