# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes of parts of a land, and what a format of meshes is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, BinaryIO, ClassVar

import numpy as np
import numpy.typing as npt

from ....base.arrays import Field
from ....base.atomic_files import Piece

if TYPE_CHECKING:
    from ...looks.ground_look import GroundImages
    from ...looks.water_look import LandWater

Bytes = npt.NDArray[np.uint8]
Indices = npt.NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class ChunkMesh:
    """A mesh of a part of a land at one level of detail. Axes: x east, y north, z up, in meters.

    Attributes
    ----------
    name : str
        Of its file, without the suffix.
    place : tuple of three floats
        Of its origin, from the middle of the land.
    positions : ndarray of shape (vertices, 3), float32
        From its origin.
    triangles : ndarray of shape (triangles, 3), int32
        Anticlockwise from above.
    normals : ndarray of shape (vertices, 3), float32, optional
        None for a mesh of positions alone.
    coordinates : tuple of ndarrays of shape (vertices, 2), float32
        From 0 to 1 over its part of the land, and over all of it: to the east, and to the north.
    weights : tuple of ndarrays of shape (vertices, 4), uint8
        Of the layers of the ground, four in each; 255 in all.
    textures : mapping of str to str
        Names of the images of this part of the land, by what they show.
    samples : tuple of two ints
        Columns and rows of these images.
    chunk : str
        Name of its part of the land, of all levels.
    listing : str
        Name of the land, with which files beside the meshes begin.
    """

    name: str
    place: tuple[float, float, float]
    positions: Field
    triangles: Indices
    normals: Field | None = None
    coordinates: tuple[Field, ...] = ()
    weights: tuple[Bytes, ...] = ()
    textures: Mapping[str, str] = field(default_factory=dict)
    samples: tuple[int, int] = (2, 2)
    chunk: str = ""
    listing: str = ""


@dataclass(frozen=True)
class ChunkFiles:
    """Files of a part of a land, as a file that lists all of them names them.

    Attributes
    ----------
    name : str
        Of the part.
    levels : tuple of str
        Names of the files of its levels of detail, the finest first.
    collision : str
        Name of the file of its mesh for collision; empty if it has none.
    bounds : tuple of two triples of floats
        Smallest and largest coordinates, in meters from the middle of the land.
    textures : mapping of str to str
        See `ChunkMesh.textures`.
    samples : tuple of two ints
        See `ChunkMesh.samples`.
    ground : GroundImages, optional
        What a physically based material shows.
    """

    name: str
    levels: tuple[str, ...]
    collision: str
    bounds: tuple[tuple[float, float, float], tuple[float, float, float]]
    textures: Mapping[str, str]
    samples: tuple[int, int] = (2, 2)
    ground: GroundImages | None = None


class MeshFormat(ABC):
    """Format of the files of meshes."""

    suffix: ClassVar[str]
    digits_lost: ClassVar[float] = 0.0
    """Share of a coordinate that may be lost."""

    @abstractmethod
    def write(self, mesh: ChunkMesh) -> Iterable[Piece]:
        """Yield the content of a file."""

    @abstractmethod
    def read(self, file: BinaryIO, place: Sequence[float]) -> tuple[Field, Indices]:
        """Return the positions and the triangles of a file, with the axes and the origin of `ChunkMesh`.

        Parameters
        ----------
        file : file
            Open for reading, at its beginning.
        place : sequence of three floats
            See `ChunkMesh.place`.

        Raises
        ------
        ValueError, KeyError, struct.error
            If it is no such file.
        """

    def listing_suffixes(self) -> Sequence[str]:
        """Return the suffixes of files that `listings` gives."""
        return ()

    def listings(
        self, chunks: Sequence[ChunkFiles], name: str, water: LandWater | None = None
    ) -> Mapping[str, str]:
        """Return the texts of files beside the meshes of a land of a name, by their suffixes; some have its water."""
        return {}
