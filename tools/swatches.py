# SPDX-License-Identifier: GPL-3.0-or-later
"""Draw surfaces as a shop would: two by two tiles under a lamp, and a sphere in a studio.

    python tools/swatches.py                       # all surfaces, into build/swatches/
    python tools/swatches.py granite brick --size 512 --set wear=0.8 --seed 3

Both pictures are shaded in NumPy by the maps alone: GGX for the lamp, a blurred sky for the rest.
An engine shows the same: `base_color`, `normal`, `roughness`, `metallic`,
`ambient_occlusion`, `emission`, and shadows that `height` casts.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt
from PIL import Image

sys.path.insert(0, str(Path(__file__).parents[1]))

from noise_core import Grid
from noise_core.materials.colors import linear_to_srgb
from noise_core.materials.surfaces import STANDARD, Surface, TextureSet, surface, surface_names

Array = npt.NDArray[np.float32]

LAMP = np.array([-0.52, 0.50, 0.69], np.float32)
"""Where the key light comes from: left, up, towards the viewer."""

LAMP_COLOR = np.array([3.1, 2.95, 2.7], np.float32)
ZENITH = np.array([0.62, 0.72, 0.88], np.float32)
HORIZON = np.array([0.92, 0.90, 0.86], np.float32)
GROUND = np.array([0.20, 0.19, 0.18], np.float32)

MAPS = (*STANDARD, "emission", "opacity")


def normalized(vector: Array) -> Array:
    """Return vectors of shape (..., 3) with length 1."""
    return vector / np.sqrt((vector * vector).sum(-1, keepdims=True))


def sky(direction: Array, roughness: Array) -> Array:
    """Return the light from a direction, the more blurred the rougher; shape (..., 3)."""
    width = 0.08 + 0.9 * roughness
    up = np.clip(direction[..., 1] / width[..., 0] * 0.5 + 0.5, 0.0, 1.0)[..., np.newaxis]
    high = np.clip(direction[..., 1:2], 0.0, 1.0) ** 0.6
    above = HORIZON + (ZENITH - HORIZON) * high
    light = GROUND + (above - GROUND) * up
    # A softbox at the left, which gives smooth things something to mirror.
    beside = (direction * normalized(np.array([-0.75, 0.35, 0.55], np.float32))).sum(
        -1, keepdims=True
    )
    box = np.clip((beside - 0.86) / (0.02 + 0.5 * roughness) + 0.5, 0.0, 1.0)
    return light + box * (1.8 / (1.0 + 4.0 * roughness))


def shaded(
    maps: dict[str, Array], normal: Array, view: Array, lit: Array, lamp: Array = LAMP
) -> Array:
    """Return linear colors, shape (..., 3), of surfaces seen along `view`, under lamp and sky.

    References
    ----------
    Bruce Walter, Stephen Marschner, Hongsong Li, Kenneth Torrance (2007). Microfacet models for
    refraction through rough surfaces. EGSR. (GGX)
    Brian Karis (2014). Physically based shading on mobile. (the fit of the sky's reflection)
    """
    base, metallic = maps["base_color"], maps["metallic"][..., np.newaxis]
    roughness = np.clip(maps["roughness"][..., np.newaxis], 0.04, 1.0)
    occlusion = maps["ambient_occlusion"][..., np.newaxis]
    lamp = normalized(lamp)
    half = normalized(view + lamp)
    n_l = np.clip((normal * lamp).sum(-1, keepdims=True), 0.0, 1.0)
    n_v = np.clip((normal * view).sum(-1, keepdims=True), 0.05, 1.0)
    n_h = np.clip((normal * half).sum(-1, keepdims=True), 0.0, 1.0)
    v_h = np.clip((view * half).sum(-1, keepdims=True), 0.0, 1.0)
    specular = 0.04 + (base - 0.04) * metallic
    alpha = roughness * roughness
    spread = alpha * alpha / (np.pi * (n_h * n_h * (alpha * alpha - 1.0) + 1.0) ** 2)
    k = 0.5 * alpha
    shadowing = 1.0 / (4.0 * (n_l * (1.0 - k) + k) * (n_v * (1.0 - k) + k))
    fresnel = specular + (1.0 - specular) * (1.0 - v_h) ** 5
    diffuse = base * (1.0 - metallic)
    direct = (diffuse / np.pi * (1.0 - fresnel) + spread * shadowing * fresnel) * n_l
    direct *= LAMP_COLOR * lit[..., np.newaxis]
    surround = sky(normal, np.ones_like(roughness)) * diffuse
    mirrored = 2.0 * (normal * view).sum(-1, keepdims=True) * normal - view
    r = np.concatenate(
        (
            roughness * -1.0 + 1.0,
            roughness * -0.0275 + 0.0425,
            roughness * -0.572 + 1.04,
            roughness * 0.022 - 0.04,
        ),
        -1,
    )
    bend = np.minimum(r[..., :1] ** 2, 2.0 ** (-9.28 * n_v)) * r[..., :1] + r[..., 1:2]
    scale, bias = bend * -1.04 + r[..., 2:3], bend * 1.04 + r[..., 3:4]
    reflected = sky(mirrored, roughness) * (specular * scale + np.clip(bias, 0.0, None))
    dim = np.clip((n_v + occlusion) ** (2.0 * roughness) - 1.0 + occlusion, 0.0, 1.0)
    return direct + 0.62 * (surround * occlusion + reflected * dim) + maps["emission"] * 3.0


def cast_shadow(height: Array, spacing: float, lamp: Array = LAMP) -> Array:
    """Return 1 where the lamp reaches a wrapping height field, 0 in shadow, soft between."""
    steps = np.arange(1, 48)
    flat = np.hypot(lamp[0], lamp[1])
    over = np.zeros_like(height)
    for step in steps:
        distance = float(step) if step < 16 else 16.0 * 1.09 ** (step - 16)
        y, x = round(distance * lamp[1] / flat), round(distance * lamp[0] / flat)
        seen = np.roll(height, (-y, -x), (0, 1))
        climb = np.hypot(x, y) * spacing * lamp[2] / flat
        np.maximum(over, (seen - height - climb) / (0.6 * spacing + 0.08 * climb), out=over)
    return np.clip(1.0 - over, 0.0, 1.0)


def finished(light: Array) -> npt.NDArray[np.uint8]:
    """Return linear light as bytes, the top row first; highlights roll off as on film."""
    # Straight up to here, so that a color in full light looks like its own number.
    knee = 0.6
    x = light * 0.86
    bent = knee + (1.0 - knee) * (1.0 - np.exp(-np.maximum(x - knee, 0.0) / (1.0 - knee)))
    encoded = linear_to_srgb(np.clip(np.where(x < knee, x, bent), 0.0, 1.0))
    return (encoded[::-1] * 255.0 + 0.5).astype(np.uint8)


def swatch(textures: TextureSet) -> npt.NDArray[np.uint8]:
    """Return two by two tiles seen from above."""
    maps = {name: field for name, field in textures.items()}
    height = maps["height"] * textures.depth
    lit = cast_shadow(height, textures.size / height.shape[1])
    view = np.broadcast_to(np.array([0.0, 0.0, 1.0], np.float32), maps["normal"].shape)
    # The sky is seen at eye level, so turn the scene a little towards it.
    picture = shaded(
        maps, maps["normal"], normalized(view + np.array([0.0, -0.25, 0.0], np.float32)), lit
    )
    return np.tile(finished(picture), (2, 2, 1))


def sphere(textures: TextureSet, side: int, repeats: float = 2.0) -> npt.NDArray[np.uint8]:
    """Return a sphere of that many pixels, the tile `repeats` times around its visible half."""
    fine = side * 2
    axis = (np.arange(fine, dtype=np.float32) + 0.5) / fine * 2.2 - 1.1
    x, y = np.meshgrid(axis, axis)
    square = x * x + y * y
    inside = square < 1.0
    z = np.sqrt(np.clip(1.0 - square, 1e-6, None))
    round_normal = np.stack((x, y, z), -1)
    across, along = np.arctan2(x, z), np.arcsin(np.clip(y, -1.0, 1.0))
    u, v = across / np.pi * repeats, along / np.pi * repeats
    maps = {name: looked_up(field, u, v) for name, field in textures.items()}
    maps["lit"] = looked_up(
        cast_shadow(
            textures["height"] * textures.depth, textures.size / textures["height"].shape[1]
        ),
        u,
        v,
    )
    tangent = np.stack((np.cos(across), np.zeros_like(x), -np.sin(across)), -1)
    second = np.cross(round_normal, tangent)
    bump = maps["normal"]
    normal = normalized(
        bump[..., :1] * tangent + bump[..., 1:2] * second + bump[..., 2:] * round_normal
    )
    view = np.broadcast_to(np.array([0.0, 0.0, 1.0], np.float32), normal.shape)
    ball = shaded(maps, normal, view, maps["lit"])
    backdrop = (0.34 - 0.16 * np.hypot(x, y - 0.1))[..., np.newaxis] * np.array(
        [0.95, 0.98, 1.0], np.float32
    )
    contact = np.clip(
        1.25 - 1.3 * np.exp(-(((x - 0.1) / 0.75) ** 2 + ((y + 1.04) / 0.12) ** 2)), 0.0, 1.0
    )
    picture = np.where(inside[..., np.newaxis], ball, backdrop * contact[..., np.newaxis])
    picture = np.minimum(picture, 6.0)
    small = picture.reshape(side, 2, side, 2, 3).mean((1, 3))
    return finished(small)


def looked_up(field: Array, u: Array, v: Array) -> Array:
    """Return a wrapping field at places in tiles, between texels by straight lines."""
    rows, columns = field.shape[:2]
    x, y = u * columns, v * rows
    west, low = np.floor(x), np.floor(y)
    across, along = x - west, y - low
    west, low = west.astype(int) % columns, low.astype(int) % rows
    right, high = (west + 1) % columns, (low + 1) % rows
    if field.ndim == 3:
        across, along = across[..., np.newaxis], along[..., np.newaxis]
    bottom = field[low, west] * (1 - across) + field[low, right] * across
    top = field[high, west] * (1 - across) + field[high, right] * across
    return (bottom * (1 - along) + top * along).astype(np.float32)


def drawn(
    material: Surface, side: int, seed: int
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
    """Return the swatch of 2 x 2 tiles and the sphere, both of about 2 `side` pixels."""
    textures = material.textures(Grid(side, side, wrap=True, size=material.size), seed, MAPS)
    return swatch(textures), sphere(textures, 2 * side)


def main() -> int:
    """Draw the surfaces that the command line names; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="surfaces; all if none is named")
    parser.add_argument("--size", type=int, default=512, help="texels along a tile")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--folder", type=Path, default=Path("build/swatches"))
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    values = dict(entry.split("=", 1) for entry in arguments.set)
    for name in arguments.names or surface_names():
        exposed = {
            key: text if text.startswith("#") else float(text) for key, text in values.items()
        }
        tiles, ball = drawn(surface(name, **exposed), arguments.size, arguments.seed)
        Image.fromarray(np.concatenate((tiles, ball), axis=1)).save(
            arguments.folder / f"{name}.png"
        )
        print(arguments.folder / f"{name}.png")
    return 0


if __name__ == "__main__":
    sys.exit(main())
