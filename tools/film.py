# SPDX-License-Identifier: GPL-3.0-or-later
"""Make the film of a minute: open, choose a preset, drag, draw a river, render; then landforms of the gallery.

``nox -s "pictures(film)"`` runs it: it plays tests/gui/run_film.py in a window, and writes build/film/film.webp
(needs Pillow). ``python tools/film.py --join`` makes it of frames that were played before.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(Path(__file__).resolve().parent)]

from pixels import save_small  # noqa: E402  (found through the path)

from tests.gui.launch import played  # noqa: E402

FOLDER = ROOT / "build" / "film"
IMAGES = ROOT / "docs" / "images"
LARGEST = 5_000_000
"""Bytes of the film."""

SIZE = (960, 540)
SCREEN = "1600x900"
LIMIT = 2400.0
"""Seconds for playing all of it."""

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
    print(f"{path}: {path.stat().st_size / 1e6:.1f} MB, {sum(shown(FOLDER)[1]) / 1e3:.0f} s")
    return 0


def shown(folder: Path) -> tuple[list[Path], list[int]]:
    """Return the pictures of the film, and how many milliseconds each is shown."""
    frames = json.loads((folder / "frames.json").read_text(encoding="utf-8"))
    paths = [folder / name for name, _ in frames]
    times = [milliseconds for _, milliseconds in frames]
    paths += [IMAGES / f"render_{name}.jpg" for name in LAST]
    return paths, times + [LAST_SHOWN] * len(LAST)


def join(folder: Path) -> Path:
    """Make the film of the frames in a folder; return its path."""
    paths, times = shown(folder)
    pictures = [_fitted(path) for path in paths]
    path = folder / "film.webp"
    moving = {"save_all": True, "append_images": pictures[1:], "duration": times, "loop": 0}
    save_small(pictures[0], path, LARGEST, method=4, **moving)
    return path


def _fitted(path: Path) -> Image.Image:
    """Return a picture in the middle of a frame, whole, with a dark margin."""
    frame = Image.new("RGB", SIZE, (29, 29, 29))
    with Image.open(path) as opened:
        picture = opened.convert("RGB")
    picture.thumbnail(SIZE, Image.Resampling.LANCZOS)
    frame.paste(picture, ((SIZE[0] - picture.width) // 2, (SIZE[1] - picture.height) // 2))
    return frame


if __name__ == "__main__":
    sys.exit(main())
