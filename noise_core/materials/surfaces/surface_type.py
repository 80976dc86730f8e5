# SPDX-License-Identifier: GPL-3.0-or-later
"""Surfaces: recipes of materials that produce sets of textures."""

from __future__ import annotations

import dataclasses
import functools
import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from ...base import blocks
from ...base.arguments import check_switch
from ...base.arrays import check_numbers, check_seed, to_float
from ...base.blocks import Cancel, Progress
from ...base.errors import ParameterError, RecipeError, format_value
from ...base.grid import SIZES, Grid, check_grid
from ...base.json_texts import check_format, json_value
from ...base.params import Parameter
from ...maps.bases.map import map_types
from .exposed import Setting, check_settings, exposed_parameter, to_array
from .texture_set import STANDARD, TextureSet, check_maps

if TYPE_CHECKING:
    from .graph import SurfaceGraph

FORMAT = 1
"""Number of the format that `Surface.to_json` writes and `Surface.from_json` reads."""

_ENTRIES = {
    "format",
    "label",
    "description",
    "category",
    "size",
    "depth",
    "exposed",
    "fields",
    "maps",
    "values",
}


@dataclasses.dataclass(frozen=True, kw_only=True)
class Surface:
    """A material as a recipe: named fields, and a formula for each map.

    All maps are made of the same fields, so that deep mortar is also gray and rough.
    `docs/adding_a_surface.md` shows how one is written.

    Parameters
    ----------
    label, description, category : str
        Texts of menus and tooltips.
    size : float
        Width of a tile in meters, as it is in the world.
    depth : float
        Meters between a height of 0 and of 1, at that size.
    exposed : mapping of str to mapping
        Parameters that users can turn; see `exposed.exposed_parameter`.
    fields : mapping of str to str or mapping
        See `nodes`.
    maps : mapping of str to str
        Formulas of maps; see `texture_set.MAPS` for those that are left out.
    values : mapping of str to number, bool or color
        Values of exposed parameters; missing ones have their defaults.
    is_checked : bool
        Whether fields and maps are checked at once, or when they are first needed: only surfaces
        that come with Terrane wait, for that takes most of the time that enabling it may take.

    Raises
    ------
    ParameterError, RecipeError
        If something does not fit together.

    Examples
    --------
    >>> from noise_core import Grid
    >>> from noise_core.materials.surfaces import surface
    >>> granite = surface("granite")
    >>> granite.label, granite.size > 0.0
    ('Granite', True)
    >>> maps = granite.textures(Grid(32, 32, wrap=True), maps=("base_color", "roughness"))
    >>> maps["base_color"].shape, maps["roughness"].shape
    ((32, 32, 3), (32, 32))
    """

    label: str
    fields: Mapping[str, object]
    maps: Mapping[str, object]
    description: str = ""
    category: str = "other"
    size: float = 1.0
    depth: float = 0.02
    exposed: Mapping[str, object] = dataclasses.field(default_factory=dict)
    values: Mapping[str, object] = dataclasses.field(default_factory=dict)
    is_checked: dataclasses.InitVar[bool] = True

    def __post_init__(self, is_checked: bool) -> None:
        for name in ("label", "description", "category"):
            if not isinstance(getattr(self, name), str):
                raise ParameterError(
                    "Surface.{} must be text", name, got=format_value(getattr(self, name))
                )
        for name, (least, most) in (("size", SIZES), ("depth", (0.0, SIZES[1]))):
            number = to_float(getattr(self, name))
            if not least <= number <= most:
                raise ParameterError(
                    "Surface.{} must be in [{:g}, {:g}]",
                    name,
                    least,
                    most,
                    got=format_value(getattr(self, name)),
                )
            object.__setattr__(self, name, number)
        for name in ("exposed", "fields", "maps", "values"):
            if not isinstance(getattr(self, name), Mapping):
                raise ParameterError(
                    "Surface.{} must be a mapping", name, got=format_value(getattr(self, name))
                )
        object.__setattr__(self, "values", dict(self._settings))
        if check_switch(is_checked, "Surface.is_checked"):
            self._graph  # noqa: B018  (made now, so that what is wrong is said now)

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """The exposed parameters, in the order of their declaration.

        Examples
        --------
        >>> from noise_core.materials.surfaces import surface
        >>> "scale" in [parameter.name for parameter in surface("granite").parameters]
        True
        """
        return tuple(self._parameters.values())

    @property
    def settings(self) -> Mapping[str, Setting]:
        """Values of the exposed parameters; colors are linear.

        Examples
        --------
        >>> from noise_core.materials.surfaces import surface
        >>> surface("granite", scale=24).settings["scale"]
        24
        """
        return MappingProxyType(self._settings)

    def with_values(self, **exposed: object) -> Surface:
        """Return the surface with new values for some exposed parameters.

        Parameters
        ----------
        **exposed : number, bool or color
            New values by name, within the limits of `parameters`.

        Raises
        ------
        ParameterError
            If there is no such parameter, or the value is not allowed.

        Examples
        --------
        >>> from noise_core.materials.surfaces import surface
        >>> granite = surface("granite")
        >>> scaled = granite.with_values(scale=24)
        >>> scaled.settings["scale"], scaled == granite
        (24, False)
        """
        return dataclasses.replace(self, values={**self.values, **exposed})

    def constant(self, name: str) -> tuple[float, ...] | None:
        """Return the value of a uniform map, None if it needs an image.

        Parameters
        ----------
        name : str
            One of `texture_set.MAPS`.

        Returns
        -------
        tuple of one or three floats, or None

        Examples
        --------
        >>> from noise_core.materials.surfaces import surface
        >>> surface("granite").constant("metallic"), surface("granite").constant("base_color") is None
        ((0.0,), True)
        """
        check_maps((name,), "Surface.constant")
        return self._graph.constant(name)

    def textures(
        self,
        grid: Grid,
        seed: int = 0,
        maps: tuple[str, ...] = STANDARD,
        *,
        depth: float | None = None,
        normal: str = "opengl",
        evolution: tuple[float, ...] = (),
        progress: Progress | None = None,
        cancel: Cancel | None = None,
    ) -> TextureSet:
        """Return maps of the surface.

        Parameters
        ----------
        grid : Grid
            Where the texels lie; with `wrap` all maps are exactly seamless. Without a size of its own
            it is as wide as the surface.
        seed : int
            Any integer of 32 bits.
        maps : sequence of str
            Which ones, of `texture_set.MAPS`.
        depth : float, optional
            Meters between a height of 0 and of 1, on a tile of the grid's size. If not given,
            that of the surface, scaled as the grid is.
        normal : {"opengl", "directx"}
            Whether green points up or down the image.
        evolution : tuple of up to two floats
            See `Noise.sample_grid`.
        progress, cancel : callable, optional
            See `blocks.Progress` and `blocks.Cancel`.

        Raises
        ------
        ParameterError
            If an argument is not so.
        Cancelled
            If `cancel` said yes.

        Examples
        --------
        >>> from noise_core import Grid
        >>> from noise_core.materials.surfaces import surface
        >>> textures = surface("granite").textures(Grid(32, 64, wrap=True), seed=2, normal="directx")
        >>> len(textures), textures["normal"].shape
        (7, (32, 64, 3))
        """
        from .bake_state import BakeRequest
        from .baking import Bake  # here, since names and settings need none of it

        who = "Surface.textures"
        width = check_grid(grid, who, 4.0).size or self.size
        scale = self.size / width
        meters = self.depth / scale if depth is None else to_float(depth)
        if not 0.0 <= meters <= SIZES[1]:
            raise ParameterError(
                "{}: depth must be in [0, {:g}]", who, SIZES[1], got=format_value(meters)
            )
        order = BakeRequest(
            dataclasses.replace(grid, size=self.size),
            meters * scale,
            check_seed(seed, who),
            check_maps(maps, who),
            map_types()["normal"](convention=normal),
            check_numbers(evolution, 2, f"{who}: evolution"),
        )
        with blocks.cancellable(cancel):
            blocks.checkpoint()
            fields = Bake(self._graph.simplify, order).run(blocks.heard(progress))
        return TextureSet(fields, width, meters, normal)

    def to_json(self) -> str:
        """Return the surface as JSON text, with the version of its format.

        Examples
        --------
        >>> import json
        >>> from noise_core.materials.surfaces import surface
        >>> sorted(json.loads(surface("granite").to_json()))[:4]
        ['category', 'depth', 'description', 'exposed']
        """
        plain = {
            "format": FORMAT,
            "label": self.label,
            "description": self.description,
            "category": self.category,
            "size": self.size,
            "depth": self.depth,
            "exposed": self.exposed,
            "values": self.values,
            "fields": self.fields,
            "maps": self.maps,
        }
        return json.dumps(plain, indent=2, allow_nan=False)

    @classmethod
    def from_json(cls, text: str, *, is_checked: bool = True) -> Surface:
        """Return the surface that `to_json` wrote, or that was written by hand.

        Parameters
        ----------
        text : str
        is_checked : bool
            See `Surface`.

        Raises
        ------
        RecipeError
            If the text is not JSON, or not a surface that this version can read.

        Examples
        --------
        >>> from noise_core.materials.surfaces import Surface, surface
        >>> granite = surface("granite")
        >>> Surface.from_json(granite.to_json()).to_json() == granite.to_json()
        True
        """
        try:
            plain = json_value(text)
        except ValueError as error:
            raise RecipeError("Surface: not JSON: {}", error) from error
        if not isinstance(plain, dict):
            raise RecipeError("Surface: must be a JSON object", got=type(plain).__name__)
        check_format(plain, FORMAT, "Surface")
        unknown = sorted(set(plain) - _ENTRIES)
        if unknown:
            allowed = ", ".join(sorted(_ENTRIES))
            raise RecipeError("Surface: keys must be of {}", allowed, got=format_value(unknown[0]))
        missing = [name for name in ("label", "fields", "maps") if name not in plain]
        if missing:
            raise RecipeError("Surface: must have a key {}", format_value(missing[0]))
        try:
            values = {name: value for name, value in plain.items() if name != "format"}
            return cls(**values, is_checked=is_checked)
        except ParameterError as error:
            raise RecipeError(error.message) from error

    def __hash__(self) -> int:
        return hash(self.to_json())

    @functools.cached_property
    def _parameters(self) -> Mapping[str, Parameter]:
        return {
            name: exposed_parameter(name, plain, "Surface") for name, plain in self.exposed.items()
        }

    @functools.cached_property
    def _settings(self) -> dict[str, Setting]:
        return check_settings(self._parameters, self.values, "Surface")

    @functools.cached_property
    def _graph(self) -> SurfaceGraph:
        from .graph import SurfaceGraph  # here, too

        settings = {name: to_array(setting) for name, setting in self._settings.items()}
        return SurfaceGraph(self.fields, self.maps, settings, "Surface")
