# SPDX-License-Identifier: GPL-3.0-or-later
"""Make the film of a minute: open, choose a preset, drag, draw a river, render; then landforms of the gallery.

Waiting is left out.

``nox -s "pictures(film)"`` runs it: it plays tests/gui/run_film.py in a window, and writes docs/images/film.webp and
the screenshots of the platform's form (needs Pillow). ``python tools/film.py --join`` makes them of frames that were played before.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(Path(__file__).resolve().parent)]

from pixels import save_jpeg, save_small  # noqa: E402  (found through the path)

from tests.gui.launch import played  # noqa: E402

FOLDER = ROOT / "build" / "film"
IMAGES = ROOT / "docs" / "images"
LARGEST, LARGEST_STILL = 3_000_000, 300_000
"""Bytes of the film, and of a screenshot."""

STILLS = {"Add Landscape": "screen_landscape", "Choose": "screen_presets", "Draw": "screen_river"}
"""Names of screenshots by the beginning of the caption, of whose frames the last one is kept, as large as it was seen."""

SIZE = (960, 540)
SCREEN = "1600x851"
"""Pixels of the window, in which the viewport is as wide for its height as the film."""

LIMIT = 2400.0
"""Seconds for playing all of it."""

INK, SHADE = (255, 255, 255), (20, 20, 20)
LETTERS, MARGIN = 22, 10
"""Pixels: height of captions, and the distance of their ground to them."""

LAST = ("fjords", "mesa", "island", "snowy_ridge", "dunes", "river_delta", "moon")
LAST_SHOWN = 2500
"""Landforms at the end, and how many milliseconds each is shown."""


def main() -> int:
    """Play it unless told otherwise, and join the frames; return whether it failed."""
    if "--join" not in sys.argv[1:]:
        os.environ["TERRANE_FINE"] = "1"
        result = played("run_film.py", FOLDER, LIMIT, screen=SCREEN)
        if result["error"] is not None:
            print(result["error"])
            return 1
    path = join(FOLDER)
    shutil.copyfile(path, IMAGES / path.name)
    keep_stills(FOLDER, IMAGES)
    print(
        f"{path}: {path.stat().st_size / 1e6:.1f} MB, {sum(times for _, times, _ in shown(FOLDER)) / 1e3:.0f} s"
    )
    return 0


def shown(folder: Path) -> list[tuple[Path, int, str]]:
    """Return the pictures of the film, how many milliseconds each is shown, and its caption."""
    frames = json.loads((folder / "frames.json").read_text(encoding="utf-8"))
    played_ones = [(folder / name, milliseconds, text) for name, milliseconds, text in frames]
    names = {name: name.replace("_", " ").title() for name in LAST}
    rendered = [
        (IMAGES / f"render_{name}.jpg", LAST_SHOWN, f"{label}, as Add Landscape makes it")
        for name, label in names.items()
    ]
    return played_ones + rendered


def join(folder: Path) -> Path:
    """Make the film of the frames in a folder; return its path."""
    pictures = [_fitted(path, caption) for path, _, caption in shown(folder)]
    times = [milliseconds for _, milliseconds, _ in shown(folder)]
    path = folder / "film.webp"
    moving = {"save_all": True, "append_images": pictures[1:], "duration": times, "loop": 0}
    save_small(pictures[0], path, LARGEST, method=4, **moving)
    return path


def keep_stills(folder: Path, target: Path) -> None:
    """Keep the last frame of some captions as a picture of its own."""
    frames = json.loads((folder / "frames.json").read_text(encoding="utf-8"))
    for beginning, name in STILLS.items():
        file = [file for file, _, caption in frames if caption.startswith(beginning)][-1]
        with Image.open(folder / file) as frame:
            save_jpeg(frame.convert("RGB"), target / f"{name}.jpg", LARGEST_STILL)


def _fitted(path: Path, caption: str) -> Image.Image:
    """Return a picture as wide as a frame, cut off or with a dark margin below, and its caption at the lower left."""
    frame = Image.new("RGB", SIZE, SHADE)
    with Image.open(path) as opened:
        picture = opened.convert("RGB")
    height = round(picture.height * SIZE[0] / picture.width)
    frame.paste(picture.resize((SIZE[0], height), Image.Resampling.LANCZOS))
    _write(frame, caption)
    return frame


def _write(frame: Image.Image, caption: str) -> None:
    """Write a caption on a dark ground."""
    if not caption:
        return
    draw, font = ImageDraw.Draw(frame), ImageFont.load_default(LETTERS)
    left, below = 3 * MARGIN, SIZE[1] - 3 * MARGIN
    _, _, right, _ = draw.textbbox((left, below), caption, font, anchor="ls")
    ground = (left - MARGIN, below - LETTERS - MARGIN // 2, right + MARGIN, below + MARGIN)
    draw.rounded_rectangle(ground, MARGIN, SHADE)
    draw.text((left, below), caption, INK, font, anchor="ls")


if __name__ == "__main__":
    sys.exit(main())
