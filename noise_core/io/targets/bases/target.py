# SPDX-License-Identifier: GPL-3.0-or-later
"""Base of export targets: the heightmap that a program takes, and the values to type into it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, TypeVar, Union, dataclass_transform

from ....base.declared import declared_type
from ....base.errors import Message, ParameterError, format_value
from ....base.params import Declared
from ....base.registry import Registry
from .pyramid import TilePyramid

if TYPE_CHECKING:
    from ....base.georeference import Georeference
    from ....materials.ground.ground_cover import GroundCover

DIGITS = 9
"""Of the numbers that are typed into a program."""

FieldValue = Union[str, int, float, bool, "list[float]"]
"""A value that is typed into a program."""


@dataclasses.dataclass(frozen=True)
class Encoding:
    """Format of the heights in a file.

    Attributes
    ----------
    file_format : str
        A key of `io.heightmaps.codecs.CODECS`.
    suffix : str
        How the file's name ends.
    number : str
        Type of the numbers, as NumPy names it: "<u2" is 16 bits, little-endian.
    north_first : bool
        Whether the first row in the file is the one with the largest y, as in images.
    steps : tuple of two floats, optional
        Meters from one number to the next, and those of the number 0, if the format fixes them.

    Examples
    --------
    >>> from noise_core.io.targets import Npy, Png16
    >>> Npy().encoding.suffix, Png16().encoding.highest_number
    ('.npy', 65535)
    """

    file_format: str
    suffix: str
    number: str
    north_first: bool = True
    steps: tuple[float, float] | None = None

    @property
    def highest_number(self) -> int:
        """The highest number that a sample can have; 0 if the numbers are floats, in meters."""
        return 256 ** int(self.number[2:]) - 1 if self.number[1] == "u" else 0


@dataclasses.dataclass(frozen=True)
class SpawnRules:
    """Rules for the places where robots are put down.

    Attributes
    ----------
    count : int
        Number of places.
    radius : float
        Of the flat ground around each, in meters.
    steepest : float
        Slope that this ground stays below, in degrees.
    seed : int
        Another number chooses other places.
    """

    count: int
    radius: float
    steepest: float
    seed: int = 0


@dataclasses.dataclass(frozen=True)
class SpawnPoint:
    """A place where a robot may be put down.

    Attributes
    ----------
    name : str
        The same in the file, in the files beside it and in the sidecar.
    x, y, z : float
        Meters from the middle of the whole land, and the height of the ground.
    """

    name: str
    x: float
    y: float
    z: float


@dataclasses.dataclass(frozen=True)
class HeightFile:
    """A file with heights, or the whole of several tiles, as a target's fields need to know it.

    Attributes
    ----------
    name : str
        Of the file, without its folder.
    rows, columns : int
        Samples.
    spacing : float
        Meters between neighbors.
    lowest, highest : float
        Of its heights, in meters.
    scale, offset : float
        A number n in the file stands for offset + n * scale meters: 1 and 0 for floats.
    center : tuple of two floats
        Meters from the middle of the whole land to that of this file, along x and y.
    spawn_points : tuple of SpawnPoint
        Places for robots within it.
    georeference : Georeference, optional
        Of the samples, if the land itself has a place on Earth.
    cover : GroundCover, optional
        Materials of the ground, if the target has asked for their frictions.
    """

    name: str
    rows: int
    columns: int
    spacing: float
    lowest: float
    highest: float
    scale: float
    offset: float
    center: tuple[float, float] = (0.0, 0.0)
    spawn_points: tuple[SpawnPoint, ...] = ()
    georeference: Georeference | None = None
    cover: GroundCover | None = None

    @property
    def stem(self) -> str:
        """The name without its suffix."""
        return self.name.rpartition(".")[0]

    @property
    def width(self) -> float:
        """Extent along x, in meters."""
        return (self.columns - 1) * self.spacing

    @property
    def depth(self) -> float:
        """Extent along y, in meters."""
        return (self.rows - 1) * self.spacing


@declared_type
class Target(Declared):
    """Base of all targets; a type in `io/targets/` writes `encoding` and `fields`.

    Its parameters are the options of an export that are this target's own.

    Examples
    --------
    >>> from noise_core.io.targets import Unity
    >>> unity = Unity(byte_order="mac")
    >>> unity.encoding.suffix, unity.encoding.north_first
    ('.raw', False)
    """

    sizes: ClassVar[tuple[int, ...]] = ()
    """Allowed numbers of samples along a side, rising; empty if any from 2 on is."""
    is_square: ClassVar[bool] = False
    """Whether both sides must have the same number."""
    normals: ClassVar[str] = "opengl"
    """Convention of normal maps; see `maps.Normal`."""

    @property
    def encoding(self) -> Encoding:
        """Format of the heights in its files."""
        raise NotImplementedError(f"{type(self).__name__} has no encoding")

    @property
    def shares_borders(self) -> bool:
        """Whether neighboring tiles both have the samples between them."""
        return True

    @property
    def counts_tiles_from_north(self) -> bool:
        """Whether the tile of row 0 is the one with the largest y."""
        return self.encoding.north_first

    @property
    def pyramid(self) -> TilePyramid | None:
        """The tiles of the Earth that its files are, in a folder of their own; None if it has no such files."""
        return None

    @property
    def sidecar_suffix(self) -> str:
        """Suffix of the sidecar: that of the files with heights and ".json", so that targets do not collide."""
        return f"{self.encoding.suffix}.json"

    @property
    def named_suffix(self) -> str:
        """Suffix of the name given to an export: that of the file, or of the sidecar of a folder of tiles."""
        return self.encoding.suffix if self.pyramid is None else self.sidecar_suffix

    def tile_name(self, stem: str, column: int, row: int) -> str:
        """Return the name of a tile without its suffix."""
        return f"{stem}_x{column}_y{row}"

    def check_name(self, stem: str) -> None:
        """Raise a ParameterError if a name without suffix means something else to the program."""

    def at(self, middle: Georeference | None) -> Target:
        """Return the target for a land by its own place on Earth.

        Parameters
        ----------
        middle : Georeference or None
            Of the middle of all the land: its `origin`. None if it has no place.

        Raises
        ------
        ParameterError
            If it needs the land's own place, and there is none, or none that it can take.
        """
        return self

    def fields(self, file: HeightFile) -> Mapping[str, FieldValue]:
        """Return the values to type into the program, by the names of its fields."""
        return {}

    def companions(self, file: HeightFile) -> Mapping[str, str]:
        """Return the texts of files beside a file, by the suffixes of their names."""
        return {}

    def tiff_entries(
        self, file: HeightFile
    ) -> Sequence[tuple[int, int, Sequence[Union[int, float]]]]:
        """Return tag, type and values of a TIFF's entries beside the image."""
        return ()

    def details(self, file: HeightFile) -> object:
        """Return further arguments of its format's writer: here the entries of a TIFF."""
        return self.tiff_entries(file)

    @property
    def spawn_rules(self) -> SpawnRules | None:
        """Rules for the places where robots are put down; None if the program has none."""
        return None

    @property
    def friction_factors(self) -> tuple[float, float] | None:
        """Factors on the frictions of each material, at rest and while it slips; None if none is asked for."""
        return None

    @property
    def look(self) -> bool:
        """Whether images of a physically based material are made beside its files."""
        return False

    @property
    def has_sea(self) -> bool:
        """Whether the sea of a physically based material is a surface of its own, below which the ground is bare."""
        return False

    @property
    def tiles_layers(self) -> bool:
        """Whether a material blends tiles of the ground's layers, for which it needs their weights."""
        return False

    def check_size(self, rows: int, columns: int) -> None:
        """Raise a ParameterError if a file cannot have so many samples."""
        for side in (rows, columns):
            if self.sizes and side not in self.sizes:
                raise ParameterError(
                    "{} takes {} samples along a side; got {}: the nearest is {}",
                    self.label,
                    _either(self.sizes),
                    side,
                    min(self.sizes, key=lambda size: abs(size - side)),
                )
            if side < 2:
                raise ParameterError("a heightmap needs at least 2 samples along a side", got=side)
        if self.is_square and rows != columns:
            raise ParameterError(
                "{} takes squares alone", self.label, got=Message("{} x {} samples", rows, columns)
            )


def powers_of_two(smallest: int, largest: int, *, plus: int = 0) -> tuple[int, ...]:
    """Return the powers of two between two, with so many added to each."""
    return tuple(
        (1 << power) + plus for power in range(smallest.bit_length() - 1, largest.bit_length())
    )


def typed_value(value: FieldValue) -> FieldValue:
    """Return a field's value with as many digits as are typed in: nine, which tell all float32 apart.

    Examples
    --------
    >>> from noise_core.io.targets.bases.target import typed_value
    >>> typed_value(-34618.391424534), typed_value([0.1 + 0.2, 5.0]), typed_value("Bit 16")
    (-34618.3914, [0.3, 5.0], 'Bit 16')
    """
    if isinstance(value, list):
        return [float(f"{number:.{DIGITS}g}") for number in value]
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value


def _either(numbers: Sequence[int]) -> str:
    *choices, last = map(str, numbers)
    return f"{', '.join(choices)} or {last}"


TargetType = TypeVar("TargetType", bound=type[Target])

_REGISTRY: Registry[Target] = Registry("io.targets")


@dataclass_transform(kw_only_default=True, frozen_default=True)
def target_type(key: str, label: str) -> Callable[[TargetType], TargetType]:
    """Make a class a target: a frozen keyword-only dataclass, registered under `key`."""
    return _REGISTRY.declare(key, label)


def target_types() -> Mapping[str, type[Target]]:
    """Return every target by its key."""
    return _REGISTRY.all()


def find_target(target: Union[str, Target]) -> Target:
    """Return a target that is given by its key, or itself.

    Raises
    ------
    ParameterError
        If there is no such target.

    Examples
    --------
    >>> from noise_core.io.targets.bases.target import find_target
    >>> find_target("unity").label
    'Unity'
    """
    if isinstance(target, Target):
        return target
    types = target_types()
    if not isinstance(target, str) or target not in types:
        raise ParameterError("target must be one of {}", ", ".join(types), got=format_value(target))
    return types[target]()
