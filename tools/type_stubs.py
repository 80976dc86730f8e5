# SPDX-License-Identifier: GPL-3.0-or-later
"""Write the type stubs of the folders of types, whose classes are found by name at run time.

    python tools/type_stubs.py            # after a type was added, renamed or given another parameter
    python tools/type_stubs.py --check    # say which files are not up to date, and exit with 1

Each of the folders gets an ``__init__.pyi`` that imports its classes. That of the maps has their plain
functions too, with the parameters of their types.
"""

from __future__ import annotations

import inspect
import sys
import types
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from noise_core import coloring_types, map_types, mask_types, modifier_types, noise_types  # noqa: E402
from noise_core.base.params import Declared  # noqa: E402
from noise_core.io.targets.bases.target import target_types  # noqa: E402
from noise_core.maps.bases.map_functions import find_function  # noqa: E402

FOLDERS: Mapping[str, Callable[[], Mapping[str, type[Declared]]]] = {
    "io/targets": target_types,
    "maps": map_types,
    "masks": mask_types,
    "materials/colorings": coloring_types,
    "modifiers": modifier_types,
    "noises": noise_types,
}

USED_BY_FUNCTIONS = (
    "import numpy.typing as npt",
    "",
    "from ..base.arrays import Field",
    "from ..base.grid import Grid",
)
"""Imports for the annotations of the maps' functions."""

HEAD = "# SPDX-License-Identifier: GPL-3.0-or-later\n# Written by tools/type_stubs.py; a test compares it.\n"


def stubs() -> dict[Path, str]:
    """Return the text of each stub by its path."""
    return {
        ROOT / "noise_core" / folder / "__init__.pyi": _stub(folder, types_of())
        for folder, types_of in FOLDERS.items()
    }


def _stub(folder: str, registered: Mapping[str, type[Declared]]) -> str:
    package = f"noise_core.{folder.replace('/', '.')}"
    classes = {cls.__name__: cls.__module__.removeprefix(package) for cls in registered.values()}
    imports = [f"from {module} import {name} as {name}" for name, module in classes.items()]
    functions = list(_functions(registered)) if folder == "maps" else []
    used = USED_BY_FUNCTIONS if functions else ()
    return "\n".join([HEAD.rstrip(), *used, *sorted(imports), "", *functions]).rstrip("\n") + "\n"


def _functions(registered: Mapping[str, type[Declared]]) -> Iterator[str]:
    """Yield the plain functions of maps, and of their masks."""
    for key in sorted(registered):
        for name in (key, f"{key}_mask"):
            function = find_function(name)
            if function is not None:
                yield f"def {name}({_parameters(function)}) -> Field: ..."


def _parameters(function: Callable[..., Any]) -> str:
    parts, is_keyword_only = [], False
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY and not is_keyword_only:
            parts.append("*")
            is_keyword_only = True
        default = "" if parameter.default is parameter.empty else " = ..."
        parts.append(f"{parameter.name}: {_type_text(parameter.annotation)}{default}")
    return ", ".join(parts)


def _type_text(annotation: object) -> str:
    """Return an annotation as a stub writes it."""
    if isinstance(annotation, type) and not isinstance(annotation, types.GenericAlias):
        return annotation.__name__
    return str(annotation)  # a text already, or tuple[float, ...]


def main(arguments: list[str]) -> int:
    """Write all stubs, or compare them; return the exit status."""
    texts = stubs()
    stale = [path for path, text in texts.items() if not path.exists() or path.read_text() != text]
    for path in stale:
        print(path.relative_to(ROOT))
        if "--check" not in arguments:
            path.write_text(texts[path], encoding="utf-8")
    return 1 if stale and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
