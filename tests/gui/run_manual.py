# SPDX-License-Identifier: GPL-3.0-or-later
"""The ways to the manual in a real window: the question mark, F1 over a field and over a button.

A script stands in for the browser and writes down the addresses. Screenshots and result.json go to the
folder after ``--``.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from urllib.parse import unquote, urlsplit

import bpy

sys.path.insert(0, str(Path(__file__).resolve().parent))

from driver import Driver, Scenario
from extension import TAB

HEADER = (0.77, 0.8, 0.74)
"""Where along the panel's width its header has the question mark."""


class Browser:
    """Stands in for the user's browser, by the variable that Python and xdg-open obey."""

    def __init__(self, folder: Path) -> None:
        """Write the script into a folder, and name it as the browser."""
        self.written = folder / "opened.txt"
        script = folder / "browser"
        script.write_text(f"#!/bin/sh\necho \"$1\" >>'{self.written}'\n", encoding="utf-8")
        script.chmod(0o755)
        os.environ["BROWSER"] = f"{script} %s"

    def opened(self) -> tuple[str, str]:
        """Return the page and the anchor that were opened since the last call; both are there."""
        (address,) = self.written.read_text(encoding="utf-8").split()
        self.written.unlink()
        parts = urlsplit(address)
        path, anchor = Path(unquote(parts.path)), ""
        assert parts.scheme == "file" and not parts.fragment, address
        if path.name == "manual.html":  # it leads on to an anchor
            text = path.read_text(encoding="utf-8")
            (target,) = re.findall(r'content="0; url=([^"]+)"', text)
            further, _, anchor = target.partition("#")
            path = Path(unquote(urlsplit(further).path))
        assert "manual" in (path.parent.name, path.parents[1].name), address
        text = path.read_text(encoding="utf-8")
        assert not anchor or f'id="{anchor}"' in text, address
        return path.name, anchor


def play(driver: Driver) -> Scenario:
    browser = Browser(driver.folder)
    yield from driver.open_tab("VIEW_3D", TAB)
    with driver.step("the question mark opens the first page"):
        yield from driver.press("VIEW_3D", "terrane.manual_open", shares=HEADER)
        yield 0.3
        driver.screenshot("manual_header")
        assert browser.opened() == ("index.html", "")
    with driver.step("F1 over a field opens the line about it"):
        x, y = yield from driver.find_property("VIEW_3D", ".seed")
        yield from driver.key("F1", x, y)
        yield 0.3
        assert browser.opened() == ("operators_terrain.html", "operator_terrain_add.seed")
    with driver.step("F1 over a button opens its entry"):
        x, y = yield from driver.find_button("VIEW_3D", "terrane.terrain_add")
        yield from driver.key("F1", x, y)
        yield 0.3
        assert browser.opened() == ("operators_terrain.html", "operator_terrain_add")
    with driver.step("the question mark of the Image Editor opens the page about pictures"):
        driver.area("VIEW_3D").type = "IMAGE_EDITOR"
        yield 0.5
        yield from driver.open_tab("IMAGE_EDITOR", TAB)
        yield from driver.press("IMAGE_EDITOR", "terrane.manual_open", shares=HEADER)
        yield 0.3
        assert browser.opened() == ("pictures.html", "")


if __name__ == "__main__":
    bpy.context.preferences.view.show_splash = False  # it would swallow the first events
    Driver(Path(sys.argv[-1])).run(play)
