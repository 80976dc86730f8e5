# SPDX-License-Identifier: GPL-3.0-or-later
"""How long the heights of its presets take A.N.T. Landscape; run by `ant_landscape` where Blender's module is installed.

    python benchmarks/blender_ant.py FOLDER SIDE STRIDE

reads names of presets, and prints for each the seconds that a grid of SIDE x SIDE takes, of which it makes one row in STRIDE.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

SETTINGS = Path(__file__).parents[1] / "tools" / "ant_presets.json"


def main(folder: str, side: int, stride: int) -> None:
    """Answer until there are no more names."""
    sys.path.insert(0, str(Path(folder).parent))
    import ant_landscape
    import bpy

    bpy.ops.wm.read_factory_settings(use_empty=True)
    ant_landscape.register()
    settings = json.loads(SETTINGS.read_text(encoding="utf-8"))
    for line in sys.stdin:
        print(_seconds(settings[line.strip()], side, stride), flush=True)


def _seconds(given: dict[str, object], side: int, stride: int) -> float:
    """Return how many seconds the heights of a landscape take, without its mesh."""
    import bpy
    from ant_landscape import ant_functions, ant_noise

    asked: list[tuple[object, object]] = []

    def note(place: object, options: object) -> float:
        asked.append((place, options))
        return 0.0

    ant_functions.noise_gen = note
    kinds = bpy.ops.mesh.landscape_add.get_rna_type().properties
    options = {key: str(one) if kinds[key].type == "ENUM" else one for key, one in given.items()}
    bpy.ops.mesh.landscape_add(
        **options, subdivision_x=side // stride, subdivision_y=side, refresh=True
    )
    for thing in list(bpy.data.objects):
        bpy.data.objects.remove(thing)
    begin = time.process_time()
    for place, props in asked:
        ant_noise.noise_gen(place, props)
    return (time.process_time() - begin) / len(asked) * side * side


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
