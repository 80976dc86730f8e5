# SPDX-License-Identifier: GPL-3.0-or-later
"""Worlds: a recipe at a number of samples, built into a store, read from there."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from noise_core.base.arguments import check_callable, check_kind, check_switch
from noise_core.base.errors import ParameterError, format_value
from noise_core.base.grid import MAX_SIDE, Grid
from noise_core.base.input_files import path_of
from noise_core.base.version import __version__
from noise_core.recipes.recipe import Recipe

from ..base.errors import WorldError
from ..base.tiling import Tiling, Window
from ..base.workers import Workers, given_workers, local_workers
from ..edges.regions import check_array, check_edges, rebuild_window
from ..recipes.refusals import check_maps, check_recipe
from ..store import checksums
from ..store.attributes import FORMAT, attributes_of, check_identity
from ..store.layout import HEIGHT, find_group, is_axis, read_window, shards_of
from ..store.lock import exclusive
from ..tiles.engine import Engine, Report
from ..tiles.fields import Values
from ..tiles.sources import EvaluatedTiles, Place
from .budget import Budget
from .building import build
from .order import BuildOrder

if TYPE_CHECKING:
    from distributed import Client

AnyPath = str | os.PathLike[str]

SIDES = (16, 16384)
"""Samples that a tile may have along a side."""

MAX_WORKERS = 512


@dataclasses.dataclass(frozen=True)
class World:
    """A recipe at a number of samples, in tiles.

    Parameters
    ----------
    recipe : Recipe or str
        Or its JSON text, or the name of a preset. It says how wide and deep the world is, in meters.
    rows, columns : int
        Samples, at least 2 each, in the proportion of the recipe if that is not square:
        ``recipe.grid(samples).shape`` for the longer side.
    tile : int
        Samples along a side of a tile, even, from 16 to 16384. The land does not depend on it.
    wrap : bool
        Whether the world meets itself at its edges; see `Recipe.grid`.

    Raises
    ------
    ParameterError
        If a value is not allowed.
    RecipeError
        If the text holds no recipe, or there is no such preset.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> import numpy as np
    >>> from noise_core import Recipe
    >>> from noise_core.noises import Fractal
    >>> from terrane_worlds import World

    Land of 96 x 128 samples in tiles of 64, with the bits of the same recipe in memory:

    >>> recipe = Recipe(layers=(Fractal(),), height=300.0, size=2000.0)
    >>> world = World(recipe, rows=96, columns=128, tile=64)
    >>> with TemporaryDirectory() as folder:
    ...     digest = world.build(Path(folder) / "land.zarr")
    ...     height = world.region(Path(folder) / "land.zarr", 0, 0, 96, 128)
    >>> bool(np.array_equal(height, recipe.evaluate(world.grid).height))
    True
    """

    recipe: Recipe
    rows: int
    columns: int
    tile: int = 2048
    wrap: bool = False

    if TYPE_CHECKING:  # takes texts too, of which `__post_init__` makes recipes

        def __init__(
            self,
            recipe: Recipe | str,
            rows: int,
            columns: int,
            tile: int = 2048,
            wrap: bool = False,
        ) -> None: ...

    def __post_init__(self) -> None:
        object.__setattr__(self, "recipe", _recipe_of(self.recipe).bound())
        for name, low, high in (
            ("rows", 2, MAX_SIDE),
            ("columns", 2, MAX_SIDE),
            ("tile", *SIDES),
        ):
            value = getattr(self, name)
            object.__setattr__(self, name, _whole(value, low, high, f"World.{name}"))
        if self.tile % 2:
            raise ParameterError("World.tile must be even", got=self.tile)
        self.recipe.grid((self.rows, self.columns), wrap=self.wrap)
        shape = (self.rows, self.columns)
        self.recipe.check_shape(shape, "World: rows and columns", wrap=self.wrap)

    @classmethod
    def from_store(cls, store: AnyPath) -> World:
        """Return the world that a store holds.

        Raises
        ------
        WorldError, RecipeError
            If it holds none, or one that this version cannot read.

        Examples
        --------
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> from noise_core import Recipe
        >>> from terrane_worlds import World
        >>> world = World(Recipe(size=100.0), rows=33, columns=33, tile=16)
        >>> with TemporaryDirectory() as folder:
        ...     _ = world.build(Path(folder) / "plain.zarr")
        ...     print(World.from_store(Path(folder) / "plain.zarr") == world)
        True
        """
        attributes = attributes_of(Path(path_of(store, "World.from_store: store")))
        try:
            names = ("recipe", "rows", "columns", "tile", "wrap")
            recipe, rows, columns, tile, wrap = (attributes[name] for name in names)
        except KeyError as error:
            raise WorldError("{}: is damaged: it has no {}", store, error) from error
        return cls(Recipe.from_json(recipe), rows, columns, tile, wrap)

    @property
    def grid(self) -> Grid:
        """The grid of the whole world.

        Examples
        --------
        >>> from noise_core import Recipe
        >>> from terrane_worlds import World
        >>> World(Recipe(size=1000.0), rows=101, columns=101).grid.spacing
        10.0
        """
        return self.recipe.grid((self.rows, self.columns), wrap=self.wrap)

    @property
    def tiling(self) -> Tiling:
        """Its tiles.

        Examples
        --------
        >>> from noise_core import Recipe
        >>> from terrane_worlds import World
        >>> len(World(Recipe(), rows=100, columns=100, tile=64).tiling.tiles)
        4
        """
        return Tiling(self.rows, self.columns, self.tile, self.wrap)

    @property
    def identity(self) -> dict[str, object]:
        """Attributes of its stores that decide its bits and its tiles.

        Examples
        --------
        >>> from noise_core import Recipe
        >>> from terrane_worlds import World
        >>> sorted(World(Recipe(), rows=33, columns=33).identity)
        ['columns', 'recipe', 'rows', 'software', 'tile', 'world', 'wrap']
        """
        return {
            "world": FORMAT,
            "software": f"Terrane {__version__}",
            "recipe": json.dumps(json.loads(self.recipe.to_json())),
            "rows": self.rows,
            "columns": self.columns,
            "tile": self.tile,
            "wrap": bool(self.wrap),
        }

    @property
    def facts(self) -> dict[str, object]:
        """Further attributes of its stores.

        Examples
        --------
        >>> from noise_core import Recipe
        >>> from terrane_worlds import World
        >>> facts = World(Recipe(size=640.0, seed=7), rows=65, columns=65).facts
        >>> facts["seed"], facts["spacing"]
        (7, 10.0)
        """
        return {
            "seed": self.recipe.seed,
            "width": self.recipe.size,
            "depth": self.recipe.size * self.grid.depth,
            "spacing": self.grid.spacing,
        }

    # --- building ----------------------------------------------------------------------------------

    def build(
        self,
        store: AnyPath,
        *,
        workers: int = 1,
        memory: int | str = "4GB",
        maps: Sequence[str] = (),
        compress: bool = False,
        edges: bool | Literal["only"] = False,
        client: Client | str | None = None,
        progress: Report | None = None,
    ) -> str:
        """Write the world into a Zarr store, and return the digest of its arrays.

        A build that was ended in any way goes on where it was; one that is finished returns at once.

        Parameters
        ----------
        store : str or path
            A folder. Beside it lies another one, ``<store>.build``, until the build is finished.
        workers : int
            Processes. With 1 the caller does the work, on as many threads as there are processors.
        memory : int or str
            Memory for all of them together: bytes, or such as "4GB".
        maps : sequence of str
            Arrays beside the heights: maps that modifiers make, or types of maps.
        compress : bool
            Whether chunks are compressed: some four fifths of the size, at a third of the speed.
        edges : bool or "only"
            Whether to store the surroundings that each tile needs too, so that `region` can rebuild any
            window without the arrays. "only" stores these and the overviews, without the samples of the arrays.
        client : distributed.Client or str, optional
            Workers of Dask, or the address of their scheduler, instead of own processes. They have to
            see the store's folder.
        progress : callable, optional
            See `engine.Report`.

        Raises
        ------
        ParameterError
            If a value is not allowed, the memory too little, or a layer or map cannot be done in tiles.
        WorldError, TerraneError
            If the store is in use or holds something else, the disk is full, or workers die.

        Examples
        --------
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> from noise_core import Recipe
        >>> from noise_core.noises import Fractal
        >>> from terrane_worlds import World

        Heights and a map of their slopes; a finished build returns its digest at once:

        >>> world = World(Recipe(layers=(Fractal(),), height=100.0), rows=64, columns=64, tile=32)
        >>> with TemporaryDirectory() as folder:
        ...     store = Path(folder) / "hills.zarr"
        ...     first = world.build(store, maps=["slope"])
        ...     again = world.build(store, maps=["slope"])
        ...     print(sorted(path.name for path in store.iterdir() if path.is_dir()))
        ['checksums', 'height', 'slope', 'x', 'y']
        >>> first == again
        True
        """
        _check_orders(store, maps, progress, client)
        check_switch(compress, "World.build: compress")
        who = "World.build: workers"
        count = _whole(workers, 1, MAX_WORKERS, who)
        kept = _kept_edges(edges)
        kinds = {"maps": list(maps), "compressed": bool(compress), "edges": kept}
        identity = {**self.identity, **kinds}
        order = BuildOrder(
            self.recipe,
            self.grid,
            self.tiling,
            Path(store).resolve(),  # a store has one lock for all links to it
            identity,
            self.facts,
            tuple(maps),
            bool(compress),
            kept,
        )
        costs = check_recipe(self.recipe, self.grid, self.tiling)
        costs += check_maps(maps, self.recipe, self.grid, self.tiling)
        budget = Budget(self.tiling, 1 + len(order.maps), costs, order.edges is not None)
        if client is None:
            budget.check_memory(memory, count)
        with exclusive(order.scratch / "lock", order.store):
            digest = order.digest_of_finished()
            if digest is None:
                budget.check_disk(order.store, order.scratch)
                with _workers(count, client, order.scratch / "workers") as executors:
                    engine = Engine(executors, order.scratch / "journal", progress)
                    in_memory = client is None and count == 1 and budget.holds_fields(memory)
                    digest = build(dataclasses.replace(order, in_memory=in_memory), engine)
            order.clean_up()
        return digest

    # --- reading -----------------------------------------------------------------------------------

    @staticmethod
    def open(store: AnyPath, overview: int = 1) -> Any:
        """Return a store as an xarray Dataset of Dask arrays, which read windows on demand.

        Parameters
        ----------
        store : str or path
            Samples that are not built yet are NaN.
        overview : int
            1 for all samples; 2, 4, 8 ... for the means of as many along both sides.

        Raises
        ------
        ParameterError
            If there is no such overview.
        WorldError
            If there is no such store.

        Examples
        --------
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> from noise_core import Recipe
        >>> from terrane_worlds import World
        >>> world = World(Recipe(size=100.0), rows=64, columns=64, tile=32)
        >>> with TemporaryDirectory() as folder:
        ...     store = Path(folder) / "plain.zarr"
        ...     _ = world.build(store)
        ...     with World.open(store) as land:
        ...         print(land.height.shape, float(land.height.max()))
        (64, 64) 0.0
        """
        path = Path(path_of(store, "World.open: store"))
        attributes = attributes_of(path)
        group = find_group(path, overview)
        if "digest" in attributes:
            checksums.check_files(path, is_axis)
        import xarray

        tile = attributes["tile"]
        return xarray.open_zarr(str(group), consolidated=False, chunks={"y": tile, "x": tile})

    def region(
        self,
        store: AnyPath | None,
        row: int,
        column: int,
        rows: int,
        columns: int,
        *,
        array: str = HEIGHT,
        rebuild: bool = False,
    ) -> Values:
        """Return a window of the heights, in meters, or of a map.

        Parameters
        ----------
        store : str or path or None
            Without one, or one that is not finished, the window is evaluated, which recipes of
            noise alone can be.
        row, column : int
            Of its first sample.
        rows, columns : int
        array : str
            The heights, or one of the maps that were built.
        rebuild : bool
            Whether the window is rebuilt from the store's edges, tile by tile, with the same bits, even if
            its samples are stored. No array is read then.

        Returns
        -------
        ndarray of shape (rows, columns), float32

        Raises
        ------
        ParameterError
            If it does not lie within the world, or there is no such array.
        WorldError
            If the store holds another world, or is not finished, and the recipe needs it; or if it has no
            edges, and the window is to be rebuilt.

        Examples
        --------
        >>> from noise_core import Recipe
        >>> from noise_core.noises import Perlin
        >>> from terrane_worlds import World

        Noise needs no store: any window of a huge world is evaluated on its own.

        >>> world = World(Recipe(layers=(Perlin(),), height=50.0), rows=65536, columns=65536)
        >>> world.region(None, 40000, 12000, 4, 8).shape
        (4, 8)
        """
        if store is not None:
            path_of(store, "World.region: store")
        check_kind(array, str, "World.region: array", "the name of an array")
        check_switch(rebuild, "World.region: rebuild")
        self.grid.window(row, column, rows, columns)
        window = Window(int(row), int(column), int(rows), int(columns))
        if store is not None and (rebuild or Path(store).exists()):
            facts = check_identity(Path(store), self.identity)
            check_array(array, facts)
            if rebuild or facts.get("edges") == "only":
                check_edges(Path(store), facts)
                place = Place(self.recipe, self.grid)
                return rebuild_window(place, self.tiling, Path(store), array, window)
            if "digest" in facts:
                checksums.check_files(Path(store), shards_of(array, window, self.tile))
                return read_window(Path(store) / array, window)
        layers = [layer for layer in self.recipe.layers if not layer.muted]
        if array != HEIGHT or any(layer.needs_neighbors for layer in layers):
            raise WorldError(
                "World.region needs a finished store for this recipe", got=format_value(store)
            )
        return EvaluatedTiles(Place(self.recipe, self.grid)).read(window)


@contextlib.contextmanager
def _workers(count: int, client: Client | str | None, folder: Path) -> Iterator[Workers]:
    chosen = local_workers(count, folder) if client is None else given_workers(client, folder)
    with chosen as workers:
        yield workers


def _kept_edges(edges: bool | Literal["only"]) -> str | None:
    """Return how edges are stored: "only", "too", or None for not at all."""
    if isinstance(edges, str) and edges == "only":
        return "only"
    if not isinstance(edges, (bool, np.bool_)):
        raise ParameterError(
            "World.build: edges must be True, False or 'only'", got=format_value(edges)
        )
    return "too" if edges else None


def _check_orders(
    store: AnyPath, maps: Sequence[str], progress: Report | None, client: Client | str | None
) -> None:
    """Raise a ParameterError if an argument of `World.build` is of another type."""
    path_of(store, "World.build: store")
    check_kind(maps, (list, tuple), "World.build: maps", "a list of names")
    check_callable(progress, "World.build: progress")
    if not (client is None or isinstance(client, str) or hasattr(client, "scheduler_info")):
        raise ParameterError(
            "World.build: client must be a client of Dask, an address or None",
            got=format_value(client),
        )


def _recipe_of(recipe: object) -> Recipe:
    if isinstance(recipe, Recipe):
        return recipe
    if not isinstance(recipe, str):
        raise ParameterError(
            "World.recipe must be a Recipe, its JSON, or the name of a preset",
            got=format_value(recipe),
        )
    is_json = recipe.lstrip().startswith("{")
    return Recipe.from_json(recipe) if is_json else Recipe.from_preset(recipe)


def _whole(value: object, low: int, high: int, who: str) -> int:
    """Return a whole number within limits."""
    is_whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if not is_whole or not low <= int(value) <= high:  # type: ignore[call-overload]
        raise ParameterError(
            "{} must be an integer in [{}, {}]", who, low, high, got=format_value(value)
        )
    return int(value)  # type: ignore[call-overload, no-any-return]
