# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of exported files side by side, as the programs they are for read them."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from oblique import Camera, light, view
from PIL import Image, ImageDraw, ImageFont

from noise_core import Grid, maps

ROOT = Path(__file__).resolve().parents[1]

WIDTH = 960
GAP = 6
PAPER = (250, 250, 248)
INK = (244, 244, 240)


def export(folder: Path, source: str, *arguments: str) -> dict[str, Any]:
    """Export a preset as the command line does it; return the sidecar."""
    command = [sys.executable, "-m", "noise_core", "export", source, "--folder", str(folder)]
    subprocess.run([*command, *arguments], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    (sidecar,) = folder.glob(f"{source}.*.json")
    return json.loads(sidecar.read_text(encoding="utf-8"))


def pixels(path: Path) -> np.ndarray:
    """Return an image as it is stored, from 0 to 1."""
    return np.asarray(Image.open(path), float) / 255.0


def raw(path: Path, says: dict[str, Any]) -> np.ndarray:
    """Return the numbers of a raw file as they are stored, from 0 to 1."""
    columns, rows = says["samples"]
    return np.fromfile(path, "<u2").reshape(rows, columns) / 65535.0


def exr(path: Path) -> np.ndarray:
    """Return the meters of an OpenEXR image as they are stored."""
    import OpenEXR

    with OpenEXR.File(str(path)) as file:
        return file.channels()["Y"].pixels


def stretch(values: np.ndarray) -> np.ndarray:
    """Stretch values to a range from 0 to 1."""
    return (values - values.min()) / (values.max() - values.min())


def image(values: np.ndarray) -> Image.Image:
    """Return values from 0 to 1, in the order of the file, as an image."""
    shown = np.clip(values[..., :3] if values.ndim == 3 else values, 0.0, 1.0)
    return Image.fromarray((shown * 255.0 + 0.5).astype(np.uint8)).convert("RGB")


def label(picture: Image.Image, text: str) -> Image.Image:
    """Return a picture with a text in its upper left corner."""
    picture = picture.copy()
    font, draw = ImageFont.load_default(15), ImageDraw.Draw(picture)
    box = draw.textbbox((12, 9), text, font=font)
    draw.rectangle((box[0] - 6, box[1] - 4, box[2] + 6, box[3] + 5), fill=(20, 22, 24))
    draw.text((12, 9), text, font=font, fill=INK)
    return picture


def row(pictures: Sequence[tuple[str, Image.Image]]) -> Image.Image:
    """Return pictures side by side, each with its name."""
    side = (WIDTH - GAP * (len(pictures) - 1)) // len(pictures)
    height = round(side * pictures[0][1].height / pictures[0][1].width)
    whole = Image.new("RGB", (WIDTH, height), PAPER)
    for number, (text, image_of_part) in enumerate(pictures):
        small = image_of_part.resize((side, height), Image.Resampling.LANCZOS)
        whole.paste(label(small, text), (number * (side + GAP), 0))
    return whole


def stack(top: Image.Image, below: Sequence[tuple[str, Image.Image]]) -> Image.Image:
    """Return a wide picture above smaller ones that share its width."""
    second = row(below)
    whole = Image.new("RGB", (WIDTH, top.height + GAP + second.height), PAPER)
    whole.paste(top, (0, 0))
    whole.paste(second, (0, top.height + GAP))
    return whole


def normals(height: np.ndarray, width: float) -> np.ndarray:
    """Return unit normals of heights in meters, row 0 of both in the south."""
    rows, columns = height.shape
    return maps.Normal().values(height.astype(np.float32), Grid(rows, columns, size=width))


def scene(
    height: np.ndarray, colors: np.ndarray, width: float, camera: Camera, tall: int = 400
) -> Image.Image:
    """Return a view of heights in meters with colors, row 0 of both in the south."""
    lit = light(colors, normals(height, width))
    return view(height, lit, width, (WIDTH, tall), camera)


def draw_unreal(folder: Path) -> Image.Image:
    """Return the heightmap, the normal map and the color map of a landscape, and a view of these."""
    options = ("--normal", "8", "--colors", "own")
    says = export(folder, "alps", "--target", "unreal", "--samples", "1009", *options)
    numbers = raw(folder / "alps.r16", says)
    normal, colors = pixels(folder / "alps_normal.png"), pixels(folder / "alps_color.png")
    height = says["offset"] + says["scale"] * 65535.0 * numbers[::-1]
    camera = Camera(east=-0.1, north=-0.42, above=0.11, heading=8.0, down=10.0, angle=58.0)
    return stack(
        label(scene(height, colors[::-1], says["width"], camera), "alps.r16 with alps_color.png"),
        [
            ("alps.r16", image(numbers)),
            ("alps_normal.png, DirectX", image(normal)),
            ("alps_color.png", image(colors)),
        ],
    )


def draw_unity(folder: Path) -> Image.Image:
    """Return the files of a terrain as they are stored, the south edge first, and a view of these."""
    options = ("--splat", "slope,flow,ambient_occlusion", "--colors", "own")
    says = export(folder, "canyon", "--target", "unity", "--samples", "1025", *options)
    numbers, colors = raw(folder / "canyon.raw", says), pixels(folder / "canyon_color.png")
    splat = pixels(folder / "canyon_splat.png")
    height = says["offset"] + says["scale"] * 65535.0 * numbers
    camera = Camera(north=-0.45, above=0.16, heading=-12.0, down=16.0, angle=58.0)
    return stack(
        label(scene(height, colors, says["width"], camera), "canyon.raw with canyon_color.png"),
        [
            ("canyon.raw, south first", image(numbers)),
            ("canyon_splat.png", image(splat)),
            ("canyon_color.png", image(colors)),
        ],
    )


def draw_terrain3d(folder: Path) -> Image.Image:
    """Return four regions and their color maps, and a view of the land that they are."""
    options = ("--tiles", "2x2", "--colors", "own")
    says = export(folder, "volcano", "--target", "terrain3d", "--samples", "512", *options)
    height = _join([[exr(folder / f"volcano_x{x}_y{y}.exr") for x in (0, 1)] for y in (0, 1)])
    colors = [[pixels(folder / f"volcano_color_x{x}_y{y}.png") for x in (0, 1)] for y in (0, 1)]
    gray = stretch(height)
    camera = Camera(east=0.05, north=-0.62, above=0.24, heading=-4.0, down=18.0, angle=48.0)
    top = scene(height[::-1], _join(colors)[::-1], says["width"], camera)
    halves = [np.array_split(part, 2, axis=1) for part in np.array_split(gray, 2)]
    return stack(
        label(top, "four regions with their color maps"),
        [
            ("volcano_x0_y0.exr to x1_y1", _spread(halves)),
            ("volcano_color_x0_y0.png to x1_y1", _spread(colors)),
        ],
    )


def draw_godot(folder: Path) -> Image.Image:
    """Return the image that Godot has loaded, and a view of it with Godot's axes."""
    options = ("--maps", "slope", "--colors", "own")
    says = export(folder, "island", "--target", "godot", "--samples", "513", *options)
    shutil.copy(ROOT / "tools" / "target_views" / "load_image.gd", folder)
    (folder / "project.godot").write_text("config_version=4\n", encoding="utf-8")
    command = ["godot3-server", "--path", str(folder), "-s", "load_image.gd"]
    subprocess.run(command, check=True, timeout=120, stdout=subprocess.DEVNULL)
    columns, rows = says["samples"]
    height = np.fromfile(folder / "loaded.bin", "<f2").reshape(rows, columns).astype(float)
    colors = pixels(folder / "island_color.png")
    camera = Camera(north=-0.885, above=0.31, heading=0.0, down=24.0, angle=43.0)
    above_sea = np.maximum(height[::-1], 0.0)
    top = scene(above_sea, colors[::-1], says["width"], camera)
    return stack(
        label(top, "island.exr as Godot has loaded it, with island_color.png"),
        [
            ("island.exr: x to the right, z down", image(stretch(height))),
            ("island_slope.png", image(pixels(folder / "island_slope.png"))),
            ("island_color.png", image(colors)),
        ],
    )


def draw_gazebo(folder: Path) -> Image.Image:
    """Return the image of a heightmap and two maps beside it, and a view of it in the model's meters."""
    options = ("--maps", "slope,ambient_occlusion", "--colors", "own")
    says = export(folder, "crater_field", "--target", "gazebo", "--samples", "1025", *options)
    numbers = np.asarray(Image.open(folder / "crater_field.png"), float) / 65535.0
    height = says["offset"] + says["scale"] * 65535.0 * numbers[::-1]
    colors = pixels(folder / "crater_field_color.png")[::-1]
    camera = Camera(east=0.04, north=-0.44, above=0.10, heading=-6.0, down=13.0, angle=56.0)
    top = scene(height, colors, says["width"], camera)
    return stack(
        label(top, "crater_field.png as high as crater_field.sdf says"),
        [
            ("crater_field.png", image(numbers)),
            ("crater_field_slope.png", image(pixels(folder / "crater_field_slope.png"))),
            (
                "..._ambient_occlusion.png",
                image(pixels(folder / "crater_field_ambient_occlusion.png")),
            ),
        ],
    )


def draw_plain(folder: Path) -> Image.Image:
    """Return one land as gray values, as meters in colors, and as an array with its light."""
    for target in ("png16", "exr", "npy"):
        says = export(folder, "alps", "--target", target, "--samples", "513", "--overwrite")
    gray = np.asarray(Image.open(folder / "alps.png"), float) / 65535.0
    meters = exr(folder / "alps.exr")
    array = np.load(folder / "alps.npy")
    share = stretch(meters)[..., np.newaxis]
    ramp = np.array(
        [[0.16, 0.11, 0.33], [0.13, 0.45, 0.53], [0.48, 0.75, 0.40], [0.99, 0.93, 0.62]]
    )
    place = np.clip(share * (len(ramp) - 1), 0.0, len(ramp) - 1.001)
    lower = place[..., 0].astype(int)
    colors = ramp[lower] * (1.0 - place + lower[..., np.newaxis]) + ramp[lower + 1] * (
        place - lower[..., np.newaxis]
    )
    lit = light(np.full((*array.shape, 3), 0.8), normals(array, says["width"]))
    return row(
        [
            ("alps.png: 16 bits", image(gray)),
            ("alps.exr: meters", image(colors)),
            ("alps.npy: row 0 at the bottom", image(lit[::-1])),
        ]
    )


def _join(tiles: Sequence[Sequence[np.ndarray]]) -> np.ndarray:
    return np.concatenate([np.concatenate(line, axis=1) for line in tiles], axis=0)


def _spread(tiles: Sequence[Sequence[np.ndarray]]) -> Image.Image:
    """Return tiles side by side with gaps between them."""
    rows, columns = tiles[0][0].shape[:2]
    gap = max(2, columns // 64)
    whole = Image.new("RGB", (2 * columns + gap, 2 * rows + gap), PAPER)
    for down, line in enumerate(tiles):
        for right, tile in enumerate(line):
            whole.paste(image(tile), (right * (columns + gap), down * (rows + gap)))
    return whole
