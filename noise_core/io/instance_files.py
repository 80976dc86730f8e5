# SPDX-License-Identifier: GPL-3.0-or-later
"""Files with the places of plants and stones, for engines that draw many copies of one mesh."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Union

import numpy as np

from ..base import atomic_files
from ..base.errors import ParameterError, TerraneError
from ..base.input_files import path_of
from ..base.version import __version__
from .heightmaps.whole_files import whole_files
from .instance_formats import FORMATS
from .instances import AXES, MeshInstances, Numbers

WITHIN = 1e-3
"""Meters by which a place may be off in a file."""


def write_instances(
    sets: Sequence[MeshInstances], path: Union[str, os.PathLike[str]], *, overwrite: bool = False
) -> tuple[Path, ...]:
    """Write places as CSV, JSON, glTF (EXT_mesh_gpu_instancing) or USD (PointInstancer), and read them back.

    Parameters
    ----------
    sets : sequence of MeshInstances
    path : str or path
        With the suffix ``.csv``, ``.json``, ``.glb`` or ``.usda``. The sidecar has its name with ``.places.json`` behind it.
    overwrite : bool
        Whether files may be replaced.

    Returns
    -------
    tuple of Path
        The file and its sidecar.

    Raises
    ------
    ParameterError
        If there are no places, or the suffix is another one.
    TerraneError
        If a file is there already or cannot be written, or does not read back as it should.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> import numpy as np
    >>> from noise_core.io.instance_files import write_instances
    >>> from noise_core.io.instances import MeshInstances
    >>> stone = np.eye(3, dtype=np.float32), np.array([[0, 1, 2]], np.int32)
    >>> places = np.tile(np.eye(4), (5, 1, 1))
    >>> with TemporaryDirectory() as folder:
    ...     files = write_instances(
    ...         [MeshInstances.of_matrices("stone", *stone, places)], f"{folder}/places.csv"
    ...     )
    >>> [file.name for file in files]
    ['places.csv', 'places.csv.places.json']
    """
    file = Path(path_of(path, "write_instances: path"))
    if file.suffix.lower() not in FORMATS:
        raise ParameterError("path must end in {}", ", ".join(FORMATS), got=repr(file.name))
    if not any(len(one.positions) for one in sets):
        raise ParameterError("places must be at least one; got none")
    write, read = FORMATS[file.suffix.lower()]
    beside = file.with_name(f"{file.name}.places.json")
    atomic_files.check_free([file, beside], overwrite)
    with whole_files(file.parent, [file, beside], overwrite=overwrite) as parts:
        atomic_files.write_part(parts[file], write(sets))
        lost = _difference(file, sets, read(parts[file].read_bytes()))
        sidecar = {
            "sidecar": 1,
            "terrane": __version__,
            "file": file.name,
            "axes": AXES if file.suffix.lower() != ".glb" else "glTF: x east, y up, z south",
            "counts": {one.name: len(one.positions) for one in sets},
            "read_back": {"largest_difference": lost, "allowed": WITHIN},
        }
        atomic_files.write_part(parts[beside], (json.dumps(sidecar, indent=2) + "\n").encode())
    return file, beside


def _difference(file: Path, sets: Sequence[MeshInstances], found: Mapping[str, Numbers]) -> float:
    """Return how far places of a file are off at most; raise a TerraneError if that is too much."""
    largest = 0.0
    for one in sets:
        positions = found.get(one.name, np.zeros((0, 3), np.float64))
        if positions.shape != one.positions.shape:
            raise TerraneError("{}: reads back with other places of {}: not kept", file, one.name)
        largest = max(largest, float(np.abs(positions - one.positions).max(initial=0.0)))
    if not largest <= WITHIN:
        raise TerraneError("{}: reads back {:g} off: not kept", file, largest)
    return largest
