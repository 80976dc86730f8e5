# SPDX-License-Identifier: GPL-3.0-or-later
"""Measure how true noise nodes are, and write the table and the picture of docs/live_materials.md.

Run it with a Python that has Blender's module: ``python tools/live_materials.py``. With ``--check`` it
writes nothing and fails if a noise is missing in the table.
"""

from __future__ import annotations

import argparse
import importlib
import os
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

os.environ["BLENDER_USER_RESOURCES"] = tempfile.mkdtemp(prefix="terrane-live-")

import bpy
import numpy as np

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "live_materials.md"
PICTURE = ROOT / "docs" / "images" / "live_materials.png"

sys.path.append(str(Path(__file__).resolve().parent))

from node_studio import PIXELS, Studio, fineness, of_core  # noqa: E402

SEEDS = range(16)

SHOWN = ("Perlin", "Simplex", "Value", "White", "Cellular: f1", "Cellular: edge", "Fractal: fbm", "Fractal: ridged", "Fractal: billow", "Warp of a fractal", "Bricks", "Hexagons")  # fmt: skip
"""What the picture shows, the core above and the nodes below."""

_START, _STOP = "<!-- measured -->", "<!-- /measured -->"


def package() -> str:
    """Make the repository importable as a package, by any name of its folder."""
    folder = Path(tempfile.mkdtemp(prefix="terrane-package-"))
    (folder / "terrane").symlink_to(ROOT, target_is_directory=True)
    sys.path.insert(0, str(folder))
    return "terrane"


NAME = package()


def module(name: str) -> Any:
    """Import a module of the extension."""
    return importlib.import_module(f"{NAME}.{name}")


def cases() -> Iterator[tuple[str, Any]]:
    """Yield the title and the noise of each measurement."""
    types = module("noise_core").noise_types()
    fine = {"frequency": 12.0}
    for key in ("perlin", "simplex", "value"):
        yield types[key].label, types[key](**fine)
    yield "White", types["white"](frequency=40.0)
    for output in module("operators.bridge.nodetree.noise_nodes.writers.cellular").FEATURES:
        noise = types["cellular"](output=output, **fine)
        yield f"Cellular: {output.replace('_', ' ')}", noise
    for kind in module("noise_core.fractals.kinds").KINDS:
        noise = types["fractal"](source=types["perlin"](frequency=10.0), kind=kind)
        yield f"Fractal: {kind.replace('_', ' ')}", noise
    fractal = types["fractal"](source=types["perlin"](frequency=8.0))
    hill = types["gradient"](falloff=0.7)
    for key in ("warp", "evolution"):
        yield f"{types[key].label} of a fractal", types[key](source=fractal)
    yield "Warp", types["warp"](source=hill, displacement=hill)
    yield "Evolution", types["evolution"](source=hill)
    for key in ("bricks", "hexagons"):
        yield types[key].label, types[key]()
    for key in ("gradient", "wave", "constant", "raster"):
        yield types[key].label, types[key]()
    for key in ("abs", "clamp", "curve", "invert", "power", "remap", "terrace"):
        yield types[key].label, types[key](source=hill)
    yield "Transform", types["transform"](source=hill, rotation=30.0)
    yield "Blend", types["blend"](first=hill, second=types["gradient"](shape="linear"))


def measure(studio: Studio, noise: Any) -> tuple[list[str], Any, Any]:
    """Return the cells of a row, and two pictures."""
    registry = module("operators.bridge.nodetree.noise_nodes.registry")
    parts = registry.all_noises(noise)
    is_exact = all(registry.writers()[part.key].fidelity == "exact" for part in parts)
    seen = [studio.picture(noise, seed) for seed in SEEDS]
    fields = [of_core(noise, seed) for seed in SEEDS]
    mean = float(np.mean(seen) - np.mean(fields))
    core_deviation, deviation = (
        float(np.mean([field.std() for field in many])) for many in (fields, seen)
    )
    if is_exact:
        farthest = max(float(np.abs(a - b).max()) for a, b in zip(seen, fields))
        return ["exact", f"at most {farthest:.5f}", "", ""], fields[0], seen[0]
    finest, as_fine = (np.mean([fineness(field) for field in many]) for many in (fields, seen))
    cells = [
        "alike",
        f"{mean:+.3f}",
        f"{core_deviation:.3f} / {deviation:.3f}",
        f"{finest:.1f} / {as_fine:.1f}",
    ]
    return cells, fields[0], seen[0]


def table(studio: Studio) -> tuple[str, dict[str, tuple[Any, Any]]]:
    """Return the table, and the pictures by their titles."""
    lines = [
        "| noise | nodes are | mean differs by | deviation, core / nodes | waves a tile, core / nodes |",
        "| --- | --- | --- | --- | --- |",
    ]
    pictures = {}
    for title, noise in cases():
        cells, *pair = measure(studio, noise)
        pictures[title] = tuple(pair)
        lines.append(f"| {title} | {' | '.join(cells)} |")
    return "\n".join(lines), pictures


def differences() -> str:
    """Return the differences and refusals, one line per noise."""
    types = module("noise_core").noise_types()
    writers = module("operators.bridge.nodetree.noise_nodes.registry").writers()
    lines = []
    for key, cls in types.items():
        writer = writers[key]
        if writer.note:
            how = "not possible: " if writer.write is None else ""
            lines.append(f"- **{cls.label}**: {how}{writer.note}")
    return "\n".join(lines)


def sheet(pictures: dict[str, tuple[Any, Any]], titles: Sequence[str]) -> Any:
    """Return pairs of pictures, the core's above the nodes', six pairs in a row."""
    gap, across = 6, 6
    rows = -(-len(titles) // across)
    high, wide = rows * (2 * PIXELS + 3 * gap), across * (PIXELS + gap) - gap
    page = np.ones((high, wide), np.float32)
    for at, title in enumerate(titles):
        row, column = divmod(at, across)
        low, peak = (
            min(field.min() for field in pictures[title]),
            max(field.max() for field in pictures[title]),
        )
        for below, field in enumerate(pictures[title]):
            top, start = (
                row * (2 * PIXELS + 3 * gap) + below * (PIXELS + gap),
                column * (PIXELS + gap),
            )
            page[top : top + PIXELS, start : start + PIXELS] = ((field - low) / (peak - low))[::-1]
    return page[::-1]


def main() -> None:
    """Measure and write, or check."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--check", action="store_true", help="only see whether the page is complete"
    )
    check = parser.parse_args().check
    page = PAGE.read_text(encoding="utf-8")
    if check:
        missing = [line for line in differences().splitlines() if line not in page]
        missing += [title for title, _ in cases() if f"| {title} |" not in page]
        sys.stdout.write("".join(f"docs/live_materials.md lacks: {line}\n" for line in missing))
        leave(1 if missing else 0)
    bpy.ops.wm.read_homefile(use_empty=True)
    measured, pictures = table(Studio(module))
    body = f"{_START}\n\n{measured}\n\n{differences()}\n\n{_STOP}"
    page = re.sub(f"{_START}.*{_STOP}", lambda _: body, page, flags=re.DOTALL)
    PAGE.write_text(page, encoding="utf-8")
    encoded = module("noise_core.codecs.image_writing").image_bytes(
        sheet(pictures, SHOWN), "png", 8
    )
    PICTURE.write_bytes(encoded)
    leave(0)


def leave(status: int) -> None:
    """End without Blender's own way out, on which some versions hang."""
    sys.stdout.flush()
    os._exit(status)


if __name__ == "__main__":
    main()
