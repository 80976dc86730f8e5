# SPDX-License-Identifier: GPL-3.0-or-later
"""Drive a Blender window like a user: hover, click, type, take screenshots.

A scenario is a generator that yields the seconds to wait until it goes on; Blender draws and handles
events in between. Needs ``blender --enable-event-simulate``. Knows nothing of Terrane.
"""

from __future__ import annotations

import faulthandler
import json
import os
import subprocess
import threading
import time
import traceback
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import bpy

Scenario = Generator[float, None, None]

TICK = 0.05  # seconds: long enough for Blender to handle an event and draw
GLANCE = 0.02  # seconds: at least a turn of Blender's loop, which handles events and draws
TURNS = 5  # of that loop: more than anything needs until it is seen
ROW = 16  # pixels: less than the height of the lowest button, so that a search misses none
EDGE = (8, 4)  # pixels: from there on up to the upper edge of what was found
LIMIT = 800.0  # seconds for a scenario, on machines that do other things too
PATIENCE = 90.0  # seconds: many times what anything takes that is waited for
COMPRESSION = "png:compression-level=1"  # a picture is written while Blender waits


class Driver:
    """One run of a scenario in the first window, with its screenshots and its result."""

    def __init__(
        self,
        folder: Path,
        limit: float = LIMIT,
        *,
        is_for_show: bool = False,
        has_overlap: bool = False,
    ) -> None:
        """Keep screenshots and result.json in a folder; give up after so many seconds.

        Unless screenshots are for show, each picture of a viewport is drawn once, not eight times
        for smooth edges. Unless sidebars have overlap, none lies over a viewport, which would be drawn
        with each button: all is drawn in software. Views change at once: a region that glides is
        somewhere else whenever a slow machine looks where it has come to rest.
        """
        self.folder = folder
        self.mouse = (0, 0)  # where it was moved to last
        self.steps: list[dict[str, object]] = []
        self._scenario: Scenario | None = None
        folder.mkdir(parents=True, exist_ok=True)
        if not is_for_show:
            bpy.context.preferences.system.viewport_aa = "OFF"
        bpy.context.preferences.system.use_region_overlap = is_for_show or has_overlap
        bpy.context.preferences.view.smooth_view = 0
        watchdog = threading.Timer(limit, self._give_up, (limit,))
        watchdog.daemon = True
        watchdog.start()
        # That needs the interpreter, which a call of Blender's that never returns may hold; this does not.
        self._calls = (folder / "calls.txt").open("w", encoding="utf-8")
        faulthandler.dump_traceback_later(limit + PATIENCE, file=self._calls, exit=True)

    def run(self, scenario: Callable[[Driver], Scenario]) -> None:
        """Start the scenario; Blender ends with it, with status 0 if every step succeeded."""
        steps = self._scenario = scenario(self)

        def advance() -> float | None:
            try:
                return next(steps)
            except StopIteration:
                return self._leave(None)
            except BaseException as error:  # noqa: BLE001  (reported, and the window must close)
                # The line that a summary of many tests shows comes first.
                text = f"{self._present()}: {error!r}\n{traceback.format_exc()}"
                self.screenshot("failure")
                return self._leave(text)

        # The first second belongs to Blender: before it the window has no regions.
        bpy.app.timers.register(advance, first_interval=1.0, persistent=True)

    def _give_up(self, limit: float) -> None:
        faulthandler.dump_traceback(self._calls)
        self._leave(f"took longer than {limit:g} seconds: {self._present()}; see also calls.txt")

    def _present(self) -> str:
        """Return the present step, and the lines at which the scenario waits in it."""
        place, lines = self._scenario, []
        while place is not None and place.gi_frame is not None:
            frame, place = place.gi_frame, place.gi_yieldfrom
            what = f" ({frame.f_locals['what']})" if "what" in frame.f_locals else ""
            lines.append(f"{Path(frame.f_code.co_filename).name}:{frame.f_lineno}{what}")
        title = self.steps[-1]["title"] if self.steps else "no step"
        return f"in {title!r}" + f", at {', '.join(lines)}" * bool(lines)

    def _leave(self, error: str | None) -> None:
        self._write(error)
        if error:
            print(error, flush=True)
        os._exit(1 if error else 0)

    def _write(self, error: str | None) -> None:
        result = {"error": error, "steps": self.steps, "version": bpy.app.version_string}
        (self.folder / "result.json").write_text(json.dumps(result, indent=2), encoding="utf-8")

    @contextmanager
    def step(self, title: str) -> Iterator[None]:
        """Name the next step; an exception leaves it unfinished."""
        record: dict[str, object] = {"title": title, "done": False}
        self.steps.append(record)
        print(f"gui: {title} ...", flush=True)
        self._write(f"ended in {title!r}")  # what remains of a Blender that has to be killed
        start, process_time_before = time.monotonic(), time.process_time()
        yield
        seconds, worked = time.monotonic() - start, time.process_time() - process_time_before
        record.update(done=True, seconds=round(seconds, 2), worked=round(worked, 2))
        print(f"gui: {title}: {seconds:.2f} s, worked {worked:.2f} s", flush=True)

    # --- looking ---------------------------------------------------------------------------------

    @property
    def window(self) -> bpy.types.Window:
        """Return the window."""
        return bpy.context.window_manager.windows[0]

    def area(self, kind: str) -> bpy.types.Area:
        """Return the largest area of a kind."""
        areas = [area for area in self.window.screen.areas if area.type == kind]
        return max(areas, key=lambda area: area.width * area.height)

    def region(self, kind: str, part: str = "WINDOW") -> bpy.types.Region:
        """Return a region of the largest area of a kind."""
        return next(region for region in self.area(kind).regions if region.type == part)

    def center(self, kind: str, part: str = "WINDOW") -> tuple[int, int]:
        """Return the middle of a region, in pixels of the window."""
        region = self.region(kind, part)
        return region.x + region.width // 2, region.y + region.height // 2

    def screenshot(self, name: str) -> Path:
        """Save a picture of the screen, with popups and menus."""
        path = self.folder / f"{name}.png"
        command = ["import", "-window", "root", "-define", COMPRESSION, str(path)]
        subprocess.run(command, check=True, timeout=PATIENCE)
        return path

    def picture(
        self, name: str, kind: str, part: str = "", *, beyond: tuple[int, int] = (0, 0)
    ) -> Path:
        """Save a picture of an editor, or one region of it, with popups and menus over it.

        `beyond` says how many pixels at its right and below it are to be seen too.
        """
        place: Any = self.region(kind, part) if part else self.area(kind)
        # X counts from the top; the window fills the screen.
        top = self.window.height - place.y - place.height
        right, below = beyond
        box = f"{place.width + right}x{place.height + below}+{place.x}+{top}"
        path = self.folder / f"{name}.png"
        command = ["import", "-window", "root", "-crop", box, "+repage", "-define", COMPRESSION]
        command.append(str(path))
        subprocess.run(command, check=True, timeout=PATIENCE)
        return path

    def wait_for(
        self, condition: Callable[[], object], what: str, limit: float = PATIENCE
    ) -> Scenario:
        """Let Blender go on until something is there."""
        end = time.monotonic() + limit
        while not condition():
            assert time.monotonic() < end, f"no {what} within {limit:g} seconds"
            yield TICK

    def push_undo(self, message: str) -> Scenario:
        """Push an undo step as soon as Blender lets scripts write.

        It forbids that for as long as the engine of a render or of a preview, in a thread of its own,
        is within a call of its Python class, which may outlast the render that it was for.
        """

        def is_pushed() -> bool:
            try:
                bpy.ops.ed.undo_push(message=message)
            except RuntimeError as error:
                if "drawing/rendering" not in str(error):
                    raise
                return False
            return True

        yield from self.wait_for(is_pushed, "leave to write")

    def drawn(self) -> Scenario:
        """Let Blender handle its events and draw, however long that takes.

        It draws once a turn of its loop. Requests of a first drawing, such as another layout or a
        picture, is there after the next.
        """
        for _ in range(TURNS):
            yield GLANCE

    # --- acting ----------------------------------------------------------------------------------

    def operate(
        self, kind: str, operator: Callable[..., object], part: str = "WINDOW", **keywords: object
    ) -> None:
        """Call an operator as if the mouse were over a region."""
        with bpy.context.temp_override(
            window=self.window, area=self.area(kind), region=self.region(kind, part)
        ):
            operator(**keywords)

    def hover(self, x: float, y: float, rest: float = TICK) -> Scenario:
        """Move the mouse, in pixels from the window's lower left corner; rest there for seconds.

        Blender needs two turns of its loop, however long they take: one to leave the button that
        the mouse was over, one to find the next.
        """
        self.mouse = (int(x), int(y))
        self.window.event_simulate(type="MOUSEMOVE", value="NOTHING", x=int(x), y=int(y))
        yield rest / 2.0
        yield rest / 2.0

    def click(self, x: float, y: float, button: str = "LEFTMOUSE") -> Scenario:
        """Press and release a mouse button somewhere."""
        yield from self.hover(x, y)
        for value in ("PRESS", "RELEASE"):
            self.window.event_simulate(type=button, value=value, x=int(x), y=int(y))
            yield TICK

    def key(self, name: str, x: float, y: float, **modifiers: bool) -> Scenario:
        """Press and release a key while the mouse is somewhere."""
        yield from self.hover(x, y)
        for value in ("PRESS", "RELEASE"):
            self.window.event_simulate(type=name, value=value, x=int(x), y=int(y), **modifiers)
            yield TICK

    def drag(
        self,
        x: float,
        y: float,
        by: int,
        look: Callable[[], object],
        pace: int = 4,
        until: Callable[[], object] = lambda: True,
    ) -> Scenario:
        """Press a mouse button, move to the right by so many pixels, looking at each step, let go.

        Wait until a condition holds, however slow the machine.
        """
        yield from self.hover(x, y)
        self.window.event_simulate(type="LEFTMOUSE", value="PRESS", x=int(x), y=int(y))
        yield TICK
        moved, end = 0, time.monotonic() + PATIENCE
        while moved < by or (not until() and time.monotonic() < end):
            moved = min(moved + pace, by) if moved < by else moved + pace
            self.window.event_simulate(
                type="MOUSEMOVE", value="NOTHING", x=int(x) + moved, y=int(y)
            )
            yield TICK
            look()
        self.window.event_simulate(type="LEFTMOUSE", value="RELEASE", x=int(x) + moved, y=int(y))
        yield TICK

    def open_tab(self, kind: str, tab: str) -> Scenario:
        """Open the sidebar of an editor at a tab, as the N key and a click on the tab do."""
        self.area(kind).spaces.active.show_region_ui = True
        self.area(kind).tag_redraw()
        yield 0.5
        self.region(kind, "UI").active_panel_category = tab
        self.area(kind).tag_redraw()
        yield 0.5
        assert self.region(kind, "UI").active_panel_category == tab, f"no tab {tab}"

    def scroll_down(self, kind: str, part: str = "UI", times: int = 0) -> Scenario:
        """Turn the wheel over a region so many times, or page to its end, if not told."""
        x, y = self.center(kind, part)
        yield from self.hover(x, y)
        for _ in range(times):
            self.window.event_simulate(type="WHEELDOWNMOUSE", value="PRESS", x=x, y=y)
            yield GLANCE
        if not times:
            yield from self._page(kind, part, "PAGE_DOWN")
        yield 0.2

    def scroll_up(self, kind: str, part: str = "UI") -> Scenario:
        """Page to the beginning of a region."""
        yield from self.hover(*self.center(kind, part))
        yield from self._page(kind, part, "PAGE_UP")
        yield 0.2

    def _page(self, kind: str, part: str, key: str) -> Scenario:
        """Press a key, with the mouse where it is, until the region no longer moves."""
        x, y = self.mouse
        before, now = None, self._scrolled(kind, part)
        end = time.monotonic() + PATIENCE
        while now != before:
            assert time.monotonic() < end, f"{part} of {kind} moves for {PATIENCE:g} seconds: {now}"
            for value in ("PRESS", "RELEASE"):
                self.window.event_simulate(type=key, value=value, x=x, y=y)
                yield GLANCE
            before, now = now, self._scrolled(kind, part)

    def _scrolled(self, kind: str, part: str) -> tuple[float, float]:
        """Return the place of a region's contents that its lower left corner shows."""
        return tuple(self.region(kind, part).view2d.region_to_view(0, 0))

    def widen(self, kind: str, by: int) -> Scenario:
        """Drag the sidebar's edge to the left."""
        region = self.region(kind, "UI")
        x, y = region.x - 1, region.y + region.height // 2
        yield from self.hover(x, y)
        self.window.event_simulate(type="LEFTMOUSE", value="PRESS", x=x, y=y)
        for share in range(1, 9):
            yield from self.hover(x - by * share / 8, y)
        self.window.event_simulate(type="LEFTMOUSE", value="RELEASE", x=x - by, y=y)
        yield 0.5

    def find_button(
        self,
        kind: str,
        operator: str,
        part: str = "UI",
        shares: Iterable[float] = (0.5, 0.84, 0.25, 0.75, 0.92),
        *,
        is_upwards: bool = False,
        given: str = "",
    ) -> Generator[float, None, tuple[int, int]]:
        """Find the button of an operator: hover from the top down, or upwards, and read the button below.

        Returns its place in the window, near its upper edge; `shares` say where along the region's
        width to look, `given` is in the keywords that the button gives. Nothing is pressed on the way: "Copy Python Command" of a button's context
        menu tells its operator.
        """
        region = self.region(kind, part)

        def is_met() -> bool:
            command = self._operator_below_mouse(kind, part)
            return command.startswith(f"bpy.ops.{operator}(") and given in command

        # The button that was pressed last is taken to be below the mouse until that has been elsewhere.
        yield from self.hover(*self.center(kind))
        yield 0.2
        for share in shares:
            x = region.x + region.width * share
            places = range(region.y + region.height - 4, region.y, -ROW)
            if (yield from self._meet(x, reversed(places) if is_upwards else places, is_met)):
                return self.mouse
        raise AssertionError(f"no button for {operator} in the {part} region of {kind}")

    def find_property(
        self, kind: str, path: str, part: str = "UI", share: float = 0.6
    ) -> Generator[float, None, tuple[int, int]]:
        """Find the field of a property by the end of its data path, as `find_button` does."""
        region = self.region(kind, part)
        x = region.x + region.width * share
        places = range(region.y + region.height - 4, region.y, -ROW)
        if (
            yield from self._meet(
                x, places, lambda: self.path_below_mouse(kind, part).endswith(path)
            )
        ):
            return self.mouse
        raise AssertionError(f"no field for {path} in the {part} region of {kind}")

    def _meet(
        self, x: float, places: Iterable[int], is_met: Callable[[], bool]
    ) -> Generator[float, None, bool]:
        """Hover at some heights until something is met, and up to its edge; return whether it was."""
        for y in places:
            yield from self.hover(x, y, GLANCE)
            if is_met():
                for up in EDGE:
                    yield from self.hover(x, y + up, GLANCE)
                    y += up if is_met() else 0
                yield from self.hover(x, y, GLANCE)
                return True
        return False

    def path_below_mouse(self, kind: str, part: str) -> str:
        """Return the data path of the field below the mouse, "" if there is none."""
        copy = bpy.ops.ui.copy_data_path_button
        manager = bpy.context.window_manager
        manager.clipboard = ""
        self.operate(kind, lambda: copy.poll() and copy(full_path=True), part)
        return manager.clipboard

    def _operator_below_mouse(self, kind: str, part: str) -> str:
        copy = bpy.ops.ui.copy_python_command_button
        manager = bpy.context.window_manager
        manager.clipboard = ""
        self.operate(kind, lambda: copy.poll() and copy(), part)
        return manager.clipboard

    def find_preset(self, kind: str, part: str = "UI") -> Generator[float, None, tuple[int, int]]:
        """Find the row of the preset by the button that saves one; return the middle of it."""
        _, y = yield from self.find_button(
            kind, "terrane.preset_save", part, shares=(0.9, 0.86, 0.94)
        )
        region = self.region(kind, part)
        return int(region.x + region.width * 0.7), y

    def press(self, kind: str, operator: str, part: str = "UI", **where: Any) -> Scenario:
        """Find the button of an operator, as `find_button` does, and click it."""
        x, y = yield from self.find_button(kind, operator, part, **where)
        yield from self.click(x, y)
