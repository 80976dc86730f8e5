# SPDX-License-Identifier: GPL-3.0-or-later
"""Heights of xarray with their coordinates: maps and modifiers of them, and reliefs as datasets.

References
----------
S. Hoyer, J. Hamman (2017). xarray: N-D labeled Arrays and Datasets in Python. Journal of Open Research Software 5.
CF Conventions 1.11 (2023): units of coordinates.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import xarray

from noise_core.base.arguments import check_kind
from noise_core.base.arrays import Field
from noise_core.base.errors import Message, ParameterError, format_value
from noise_core.base.grid import Grid
from noise_core.maps.bases.map import Map
from noise_core.modifiers.bases.modifier import Modifier, Relief

from .blocks import read_blocks

if TYPE_CHECKING:
    DataArray = Any
    Dataset = Any
    """Those of xarray, which are skipped by type checkers here."""

METERS = ("", "m", "meter", "meters", "metre", "metres")
"""Units of coordinates; without a unit they are taken for meters."""

_EVEN = 1e-4
"""Share of a step by which coordinates may be off."""


def array_grid(height: DataArray) -> Grid:
    """Return the grid of heights by their coordinates.

    Parameters
    ----------
    height : xarray.DataArray of shape (rows, columns)
        Its dimensions have coordinates in meters, evenly spaced and equally so. Rows may run to the south,
        as files of elevation have them.

    Raises
    ------
    ParameterError
        If it has other dimensions, or coordinates that are not so, such as degrees.

    Examples
    --------
    >>> import numpy as np
    >>> import xarray
    >>> from terrane_worlds import array_grid
    >>> axes = {"y": np.arange(4) * -30.0, "x": np.arange(5) * 30.0}
    >>> array_grid(xarray.DataArray(np.zeros((4, 5)), axes)).spacing
    30.0
    """
    check_kind(height, xarray.DataArray, "array_grid: height", "a DataArray")
    if height.ndim != 2:
        raise ParameterError("array_grid: height must have two dimensions", got=str(height.dims))
    steps = [abs(_step(height, name)) for name in height.dims]
    if abs(steps[0] - steps[1]) > _EVEN * steps[1]:
        raise ParameterError(
            "array_grid: coordinates must be as far apart along both dimensions",
            got=Message("{:g} and {:g}", *steps),
        )
    return Grid(*height.shape, size=steps[1] * max(height.shape[1] - 1, 1))


def array_map(source: Map, height: DataArray) -> DataArray:
    """Return a map of heights, with their coordinates.

    Parameters
    ----------
    source : Map
        With one number or several per sample; several have a dimension ``channel``.
    height : xarray.DataArray of shape (rows, columns)
        See `array_grid`. Chunked ones stay chunked and are read lazily, see `read_blocks`.

    Raises
    ------
    ParameterError
        See `array_grid`, `Map.values` and `read_blocks`.

    Examples
    --------
    >>> import numpy as np
    >>> import xarray
    >>> from noise_core.maps import Slope
    >>> from terrane_worlds import array_map
    >>> axes = {"y": np.arange(4) * -30.0, "x": np.arange(5) * 30.0}
    >>> rising = xarray.DataArray(np.tile(np.arange(5) * 30.0, (4, 1)), axes, name="height")
    >>> steepness = array_map(Slope(), rising)
    >>> steepness.name, steepness.attrs["units"], float(steepness.sel(x=60.0, y=-30.0))
    ('slope', 'degrees', 45.0)
    """
    check_kind(source, Map, "array_map: source", "a map")
    grid = array_grid(height)
    upright = _upright(height)
    if height.chunks is None:
        values = source.values(upright.values, grid)
    else:
        values = read_blocks(source, upright.data, grid)
    if source.channels == 1:
        result = upright.copy(data=values)
    else:
        dims = (*upright.dims, "channel")
        result = xarray.DataArray(values, dims=dims, coords=upright.coords)
    result.name, result.attrs = source.key, {"units": source.unit} if source.unit else {}
    return _turned(result, height)


def array_apply(
    modifier: Modifier, height: DataArray, seed: int = 0, mask: DataArray | None = None
) -> Dataset:
    """Return modified heights and the maps that the modifier makes, with the coordinates of the heights.

    Parameters
    ----------
    modifier : Modifier
    height : xarray.DataArray of shape (rows, columns)
        See `array_grid`; chunked ones are loaded.
    seed, mask
        See `Modifier.apply`.

    Returns
    -------
    xarray.Dataset
        With ``height``, and the maps by their names.

    Raises
    ------
    ParameterError
        See `array_grid` and `Modifier.apply`.

    Examples
    --------
    >>> import numpy as np
    >>> import xarray
    >>> from noise_core.modifiers import ThermalErosion
    >>> from terrane_worlds import array_apply
    >>> axes = {"y": np.arange(9) * -30.0, "x": np.arange(9) * 30.0}
    >>> steep = xarray.DataArray(np.tile(np.arange(9) * 50.0, (9, 1)), axes)
    >>> slid = array_apply(ThermalErosion(talus_angle=30.0), steep)
    >>> sorted(slid.data_vars), slid.height.dims
    (['height', 'scree'], ('y', 'x'))
    """
    check_kind(modifier, Modifier, "array_apply: modifier", "a modifier")
    grid, upright = array_grid(height), _upright(height)
    share = None if mask is None else _upright(mask.reindex_like(height)).values
    relief = modifier.apply(upright.values, grid, seed, share)
    fields = {"height": relief.height, **relief.maps}
    found = {name: upright.copy(data=field) for name, field in fields.items()}
    for name, array in found.items():
        array.attrs = (
            dict(height.attrs) if name == "height" else {"long_name": modifier.makes[name]}
        )
    return _turned(xarray.Dataset(found), height)


def to_dataset(relief: Relief) -> Dataset:
    """Return a relief as a dataset, with coordinates in meters.

    Parameters
    ----------
    relief : Relief
        Whose grid is known, as `Recipe.evaluate` and `Modifier.apply` return it.

    Returns
    -------
    xarray.Dataset
        With ``height`` in meters, and the maps by their names; y rises with the rows.

    Raises
    ------
    ParameterError
        If its grid is not known, or has no size.

    Examples
    --------
    >>> from noise_core import Recipe
    >>> from terrane_worlds import to_dataset
    >>> recipe = Recipe.from_preset("alps", seed=7)
    >>> land = to_dataset(recipe.evaluate(recipe.grid(33)))
    >>> land.height.dims, float(land.x[-1]) == recipe.size
    (('y', 'x'), True)
    """
    check_kind(relief, Relief, "to_dataset: relief", "a Relief")
    grid = relief.grid
    if grid is None or grid.size is None:
        raise ParameterError("to_dataset: relief must have a grid with a size")
    axes = grid.axes()
    meters = {"units": "m"}
    coordinates = {
        name: (name, np.asarray(axis, np.float64) * grid.size, meters)
        for name, axis in (("y", axes.y), ("x", axes.x))
    }
    fields: dict[str, Field] = {"height": relief.height, **relief.maps}
    variables = {name: (("y", "x"), field) for name, field in fields.items()}
    land = xarray.Dataset(variables, coordinates)
    land.height.attrs = meters
    return land


def _step(height: DataArray, name: str) -> float:
    """Return the distance of neighbors along a dimension, below 0 if coordinates fall."""
    if name not in height.coords:
        raise ParameterError("array_grid: height must have coordinates along {}", name, got="none")
    axis = height.coords[name]
    unit = str(axis.attrs.get("units", ""))
    if unit.lower() not in METERS or name in ("lat", "lon", "latitude", "longitude"):
        raise ParameterError(
            "array_grid: {} must be in meters: project it first", name, got=unit or "degrees"
        )
    if axis.size < 2:
        raise ParameterError(
            "array_grid: {} must have two coordinates or more", name, got=axis.size
        )
    values = np.asarray(axis.values, np.float64)
    step: float = float(values[-1] - values[0]) / (axis.size - 1)
    if step == 0.0 or not np.abs(np.diff(values) - step).max() <= _EVEN * abs(step):
        raise ParameterError(
            "array_grid: coordinates along {} must be evenly spaced",
            name,
            got=format_value(values[:4].tolist()),
        )
    return step


def _upright(height: DataArray) -> DataArray:
    """Return an array whose rows go to the north and whose columns go to the east."""
    falling = [name for name in height.dims if _step(height, name) < 0.0]
    return height.isel({name: slice(None, None, -1) for name in falling})


def _turned(result: Any, height: DataArray) -> Any:
    """Return an array or a dataset with rows and columns in the order of the heights."""
    falling = [name for name in height.dims if _step(height, name) < 0.0]
    return result.isel({name: slice(None, None, -1) for name in falling})
