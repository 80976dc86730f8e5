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
    width = max(len(item.name) for item in presets)
    for item in presets:
        line = f"{item.name:{width}}  {item.label}: {item.description}"
        say(json.dumps(_facts_of(item), ensure_ascii=False) if arguments.json else line)


def _facts_of(item: Preset) -> dict[str, object]:
    picture = picture_of(item.name)
    return {
        "name": item.name,
        "label": item.label,
        "description": item.description,
        "group": item.group,
        "is_texture": item.look.is_flat,
        "seed": item.recipe.seed,
        "size": item.recipe.size,
        "height": item.recipe.height,
        "picture": str(picture) if picture else None,
    }
