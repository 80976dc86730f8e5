# SPDX-License-Identifier: GPL-3.0-or-later
"""Command that lists the presets."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable

from ..landscapes.preset_library import Preset, picture_of, preset, preset_names


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("--json", action="store_true", help="print a JSON object a line")


def run(
    arguments: argparse.Namespace, say: Callable[[str], object], note: Callable[[str], object]
) -> None:
    """List the presets; see `command_line.run`."""
    presets = [preset(name) for name in preset_names()]
    width = max(len(one.name) for one in presets)
    for one in presets:
        line = f"{one.name:{width}}  {one.label}: {one.description}"
        say(json.dumps(_facts_of(one), ensure_ascii=False) if arguments.json else line)


def _facts_of(one: Preset) -> dict[str, object]:
    picture = picture_of(one.name)
    return {
        "name": one.name,
        "label": one.label,
        "description": one.description,
        "group": one.group,
        "is_texture": one.look.is_flat,
        "seed": one.recipe.seed,
        "size": one.recipe.size,
        "height": one.recipe.height,
        "picture": str(picture) if picture else None,
    }
