# SPDX-License-Identifier: GPL-3.0-or-later
"""Command that makes a seamless texture of an example image."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from typing import Any

import numpy as np

from ..base import atomic_files
from ..base.grid import Grid
from ..codecs.image_files import read_pixels
from ..codecs.image_writing.png import png_parts
from ..materials.by_example.settings import ByExample
from .options import options_of
from .sources import new_files, pair_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    names = ", ".join(parameter.name for parameter in ByExample.parameters())
    add = parser.add_argument
    add("example", help="a PNG image of 8 or 16 bits")
    add("result", help="the PNG image that is written")
    add("--size", default="1024", help="pixels along both sides, or COLUMNSxROWS")
    add("--seed", type=int, default=0, help="another number gives another texture of the kind")
    add("--option", action="append", default=[], help=f"such as scale=0.5: {names}")
    add("--overwrite", action="store_true", help="replace a file that is there")
    add("--json", action="store_true", help="print a JSON object")


def run(
    arguments: argparse.Namespace, say: Callable[[str], object], note: Callable[[str], object]
) -> None:
    """Make the texture; see `command_line.run`.

    Raises
    ------
    ParameterError
        If the example cannot be read, or an argument is not allowed.
    TerraneError
        If the result is there already or cannot be written.
    """
    result = new_files(arguments, {"result": ".png"})["result"]
    columns, rows = pair_of(arguments.size, "--size")
    options: dict[str, Any] = options_of(ByExample.key, ByExample.parameters(), arguments.option)
    example = read_pixels(arguments.example)
    if example.shape[2] == 2:  # PNG is written without such: gray with alpha
        example = example[..., (0, 0, 0, 1)]
    pixels = ByExample(**options).paint(example, Grid(rows, columns, wrap=True), arguments.seed)
    bits = 8 * np.dtype(pixels.dtype).itemsize
    atomic_files.write(result, b"".join(png_parts(pixels, bits, is_color=pixels.shape[2] > 1)))
    facts = {"texture": str(result), "seed": arguments.seed}
    say(json.dumps(facts) if arguments.json else str(result))
