# SPDX-License-Identifier: GPL-3.0-or-later
"""Start a Blender in a window, let it play a scenario, and read its results."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIMIT = 860  # seconds; the driver gives up earlier, with a reason

SCREEN = "720x1000"
"""Pixels of the virtual screen: high enough for what panels show, and narrow. All of it is drawn in
software, anew for each button that the mouse comes by."""

WIDE_SCREEN = "3200x1000"
"""Pixels of a virtual screen for nodes, which lie beside each other."""

LOW_SCREEN = "800x600"
"""Where the upper part of a panel will do."""


def played(
    scenario: str,
    folder: Path,
    limit: float = LIMIT,
    *,
    screen: str = SCREEN,
    is_drawn_little: bool = False,
) -> dict:
    """Play a scenario of this folder; its screenshots go to `folder`, which is emptied first.

    Ends it after `limit` seconds; `error` in its result says then in which step it was. `printed` is
    the output of Blender. A window that is drawn a few times only is not worth the optimizing of its shaders.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    # The launcher of a Blender in a window and its profile are what `nox -s gui` prepared.
    command = [
        *shlex.split(os.environ["TERRANE_WINDOW"]),
        *("--enable-event-simulate", "--python-exit-code", "1"),
        *("--python", str(ROOT / "tests" / "gui" / scenario), "--", str(folder)),
    ]
    # In a session of its own, so that the virtual screen goes with the window.
    environment = {**os.environ, "TERRANE_SCREEN": screen}
    if is_drawn_little:
        environment["GALLIVM_PERF"] = "nopt"  # of Mesa's renderer in software
    log = folder / "blender.txt"
    with (
        log.open("wb") as written,
        subprocess.Popen(
            command, start_new_session=True, env=environment, stdout=written, stderr=written
        ) as blender,
    ):
        try:
            blender.wait(limit)
        except subprocess.TimeoutExpired:
            os.killpg(blender.pid, signal.SIGKILL)
    printed = log.read_text(encoding="utf-8", errors="replace")
    print(printed)
    path = folder / "result.json"
    assert path.exists(), f"the window left no result; Blender ended with {blender.returncode}"
    result = {**json.loads(path.read_text(encoding="utf-8")), "printed": printed}
    if blender.returncode:
        result["error"] = f"{result['error']} (Blender ended with {blender.returncode})"
    return result
