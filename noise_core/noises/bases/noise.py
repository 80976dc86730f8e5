# SPDX-License-Identifier: GPL-3.0-or-later
"""Base of noises: functions of position, the same at every evaluation."""

from __future__ import annotations

import functools
import math
import numbers
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeVar, cast, dataclass_transform

from ...base import blocks
from ...base.arrays import Field, Points
from ...base.checks import register_base
from ...base.errors import ParameterError
from ...base.grid import Axes
from ...base.plans import RowPlan, copies_plan, point_plan
from ...base.registry import Registry
from ...lattice import seed_shifts
from ...lattice.hash import MOST_CELLS
from .sampling import SampledNoise

if TYPE_CHECKING:
    from ...base.derivatives import Slopes
    from ...base.georeference import Georeference
    from ...base.torus import Torus
    from ...lattice.affine import Affine
    from ...lattice.lattice_terms import LatticeTerm, SlopeTerms

Family = Literal["basic", "fractal", "shape", "combine", "domain"]
"""Group of a type in menus: basic noises, fractals, shapes, combinations, domain changes."""


DEEPEST = 64
"""How many noises of a recipe may stand one inside the other: each takes up to nine of the 1000 calls
that Python allows inside each other."""

MOST_NOISES = 1000
"""How many noises may stand in one tree of a recipe."""

DEEPEST_BUILT, MOST_BUILT = DEEPEST + 16, 2 * MOST_NOISES
"""The same of any tree: evaluating a recipe puts noises around others."""


class Noise(SampledNoise):
    """Base of all noises.

    A type in `noises/` writes `values`, and may add faster methods on a grid
    (`plan`), its analytic bounds (`bounds`) and its derivatives (`slopes`, `gradient_plan`).

    Examples
    --------
    >>> from noise_core import Noise, noise_types
    >>> perlin = noise_types()["perlin"](frequency=4.0)
    >>> isinstance(perlin, Noise), perlin.family
    (True, 'basic')

    Noises are values: equal if their parameters are, and changed only as copies.

    >>> perlin.with_values(frequency=8.0) == noise_types()["perlin"](frequency=8.0)
    True

    Sums, differences and products with noises and numbers are noises; all have the same seed, so that
    two equal noises are one and the same (`Blend` has a seed offset that makes them differ):

    >>> point, detail = [[0.1, 0.2]], noise_types()["simplex"](frequency=32.0)
    >>> land = 0.5 + perlin * 0.8 - detail / 4.0
    >>> parts = 0.5 + perlin.sample(point, seed=7) * 0.8 - detail.sample(point, seed=7) / 4.0
    >>> bool(abs(land.sample(point, seed=7) - parts) < 1e-6)
    True
    """

    family: ClassVar[Family]
    _count: int
    _depth: int
    has_seed: ClassVar[bool] = True
    """Whether another seed gives another field."""
    counts_meters: bool = False
    """Whether it, or a noise in it, is drawn in meters, so that a recipe tells it its own; see `in_meters`."""
    is_arithmetic: ClassVar[bool] = False
    """Whether `values` does nothing with points but arithmetic that `derivatives.Dual` supports, so that
    it gives its derivatives too."""

    def __post_init__(self) -> None:
        super().__post_init__()
        children = self.children().values()
        count = 1 + sum(child._count for child in children)
        depth = 1 + max((child._depth for child in children), default=0)
        object.__setattr__(self, "_count", count)
        object.__setattr__(self, "_depth", depth)
        for (
            child
        ) in children:  # a loop calls no function: recipes are made with each step of a drag
            if child.counts_meters:
                object.__setattr__(self, "counts_meters", True)
        self.check_extent(type(self).__name__, MOST_BUILT, DEEPEST_BUILT)

    def check_extent(self, who: str, most: int = MOST_NOISES, deepest: int = DEEPEST) -> None:
        """Raise a ParameterError if the tree has too many noises or too many levels.

        Parameters
        ----------
        who : str
            Name that starts the error message.
        most : int
            Noises in the tree, at most.
        deepest : int
            Levels of the tree, at most.
        """
        if self._count > most:
            raise ParameterError("{} must have at most {} noises in it", who, most, got=self._count)
        if self._depth > deepest:
            raise ParameterError(
                "{} must have at most {} noises one inside the other",
                who,
                deepest,
                got=self._depth,
            )

    @staticmethod
    def can_join(noises: Sequence[Noise], more: int) -> bool:
        """Return whether noises, with so many more around them, are few enough for a recipe."""
        count, depth = sum(noise._count for noise in noises), max(noise._depth for noise in noises)
        return count + more <= MOST_NOISES and depth + more <= DEEPEST

    def values(self, points: Points, seed: int, torus: Torus | None) -> Field:
        """Return the noise at a block of points.

        Parameters
        ----------
        points : tuple of d arrays of one shape
            Coordinates in tiles, float32 or float64. Not to be written to.
        seed : int
            Unsigned, 32 bits.
        torus : Torus or None
            If given, the noise must repeat exactly after its two period vectors.

        Returns
        -------
        ndarray of that shape, float32
            A new array, which the caller may write to.
        """
        raise NotImplementedError(f"{type(self).__name__} has no values()")

    def sample_seeds(
        self, points: Points, seeds: Sequence[int], torus: Torus | None
    ) -> list[Field]:
        """Return the noise at the same points for several seeds.

        Types override this where copies can share work that does not depend on the seed.

        Parameters
        ----------
        points, torus
            See `values`.
        seeds : sequence of int
            Unsigned, 32 bits each.
        """
        return [self.values(points, seed, torus) for seed in seeds]

    def sample_octaves(
        self,
        points: Points,
        octaves: Iterable[tuple[Affine, Sequence[int]]],
        torus: Torus | None,
    ) -> Iterator[list[Field]]:
        """Yield copies of the noise for each octave of a fractal.

        Types override this where an octave can make use of the one before.

        Parameters
        ----------
        points, torus
            See `values`.
        octaves : iterable of pairs of Affine and sequence of int
            Maps of the points, and the seeds of the copies.
        """
        for affine, seeds in octaves:
            blocks.checkpoint()
            yield self.sample_seeds(affine.points(points), seeds, affine.torus(torus))

    def plan(self, axes: Axes, seed: int) -> RowPlan:
        """Prepare for the samples of a grid and return the function that writes its rows.

        The default asks `values` for blocks of whole rows.

        Parameters
        ----------
        axes : Axes
            Where the samples lie, in tiles.
        seed : int
            Unsigned, 32 bits.
        """
        return point_plan(lambda points: self.values(points, seed, axes.torus), axes)

    def seeds_plan(self, axes: Axes, seeds: Sequence[int]) -> RowPlan:
        """Prepare as `plan` does, for several seeds at once.

        Types override this where copies can share work that does not depend on the seed.

        Parameters
        ----------
        axes : Axes
            Where the samples lie, in tiles.
        seeds : sequence of int
            Unsigned, 32 bits each.

        Returns
        -------
        RowPlan
            Its `out` has shape (copies, stop - start, columns).
        """
        return copies_plan([self.plan(axes, seed) for seed in seeds])

    @property
    def has_picture(self) -> bool:
        """Whether the noise contains a stored picture, which is the same for every seed."""
        return any(child.has_picture for child in self.children().values())

    @property
    def georeference(self) -> Georeference | None:
        """Place on Earth of tiles: their origin's coordinates, and their extent; None if it has none."""
        return None

    def in_meters(self, height: float, size: float) -> Noise:
        """Return the noise for a land on which a noise of 1 is `height` meters high, and a tile `size` meters wide.

        Noises that are drawn in meters take these where they have no measures of their own.
        """
        if not self.counts_meters:
            return self
        changed = {name: child.in_meters(height, size) for name, child in self.children().items()}
        return cast("Noise", self.with_values(**changed))

    @property
    def has_short_calls(self) -> bool:
        """Whether `plan` makes calls so short that threads mostly wait for each other.

        Between two calls of NumPy a thread needs the interpreter's lock. Where a call takes some
        tens of microseconds only, threads pay off for large grids alone.
        """
        return False

    def terms(self, axes: Axes, seeds: Sequence[int]) -> Sequence[LatticeTerm] | None:
        """Return the lattice terms whose sum is the noise on a grid, or None if there are none.

        Fractal sums then lay out all their octaves together.
        """
        return None

    def slope_terms(self, axes: Axes, seed: int) -> SlopeTerms | None:
        """Return the derivatives along x and y of the one term that `terms` gives, for one seed."""
        return None

    def slopes(self, points: Points, seed: int, torus: Torus | None) -> tuple[Field, Slopes]:
        """Return the noise and its derivatives at a block of points.

        The default follows the arithmetic of `values` if the type says that it can be followed.
        Otherwise it takes central differences of it, a small part of the finest cell to either
        side. Types that ask other noises override this with the chain rule.

        Parameters
        ----------
        points, seed, torus
            See `values`.

        Returns
        -------
        value : ndarray of the points' shape, float32
            As `values` returns it, within rounding.
        slopes : tuple of d ndarrays of that shape, float32
            The derivative along each coordinate, per tile. Where the noise has a kink it is that
            of one side, where it jumps that beside the jump or a steep one across it. New arrays,
            as the value is.
        """

        def evaluate(points: Points) -> Field:
            return self.values(points, seed, torus)

        if self.is_arithmetic:
            from ...base.derivatives import differentiate  # here: most noise needs no derivatives

            return differentiate(evaluate, points)
        from ...base.derivatives import central_differences, difference_step

        step = difference_step(self.finest(), torus)
        return evaluate(points), central_differences(evaluate, points, step)

    def gradient_plan(self, axes: Axes, seed: int) -> RowPlan:
        """Prepare for the derivatives along x and y at the samples of a grid.

        The default asks `slopes` for blocks of whole rows.

        Parameters
        ----------
        axes : Axes
            Where the samples lie, in tiles.
        seed : int
            Unsigned, 32 bits.

        Returns
        -------
        RowPlan
            Its `out` has shape (2, stop - start, columns): the derivatives along x, then along y.
        """
        return point_plan(lambda points: self.slopes(points, seed, axes.torus)[1][:2], axes)

    def finest(self) -> float:
        """Return the number of the finest cells along a tile; 0 if there are none.

        Examples
        --------
        >>> from noise_core.noises import Fractal, Perlin
        >>> Fractal(source=Perlin(frequency=4.0), octaves=3.0, lacunarity=2.0).finest()
        16.0
        """
        frequency = getattr(self, "frequency", 0.0)
        return max([float(frequency), *(child.finest() for child in self.children().values())])

    def coarsest_in_place(self) -> float:
        """Return the number of the coarsest cells along a tile that lie where they do for every seed; 0 if none do.

        What does not depend on the seed has no such cells, nor has a fractal, which its seed moves.

        Examples
        --------
        >>> from noise_core.noises import Blend, Constant, Fractal, Perlin
        >>> Blend(first=Perlin(frequency=4.0), second=Perlin(frequency=2.0)).coarsest_in_place()
        2.0
        >>> Constant().coarsest_in_place(), Fractal().coarsest_in_place()
        (0.0, 0.0)
        """
        children = self.children().values()
        if not children:
            return float(getattr(self, "frequency", 1.0)) if self.has_seed else 0.0
        coarsest = (child.coarsest_in_place() for child in children)
        return min((cells for cells in coarsest if cells > 0.0), default=0.0)

    @functools.cached_property
    def seed_span(self) -> float:
        """Span of the shifts by which a seed moves the noise in a fractal or a warp, in tiles; see `seed_shifts`.

        0 leaves the noise in place: if it has no cells to move, and if it holds a picture, which is
        obeyed where it was drawn, or options that follow an article (`Parameter.classic`).
        """
        cells = self.coarsest_in_place()
        if cells == 0.0 or self.has_picture or self.is_classic:
            return 0.0
        return min(seed_shifts.CELLS / cells, MOST_CELLS / (8.0 * max(self.finest(), 1.0)))

    @property
    def is_classic(self) -> bool:
        """Whether an option of the noise, or of one in it, follows an article (`Parameter.classic`)."""
        return any(
            getattr(self, parameter.name) in parameter.classic
            for parameter in self.parameters()
            if parameter.classic
        ) or any(child.is_classic for child in self.children().values())

    def third_derivative(self) -> float:
        """Return an estimate of the largest third derivative along x or y, per tile cubed.

        It says how far apart samples may lie that others are to be interpolated from (see
        `warping.extent`). Infinite for noises with edges or kinks, and where it is unknown.
        """
        return math.inf

    def bounds(self) -> tuple[float, float]:
        """Return the analytic lower and upper bound of all values.

        Examples
        --------
        >>> from noise_core.noises import Fractal, Perlin, Remap
        >>> Perlin().bounds(), Remap(source=Perlin()).bounds()
        ((-1.0, 1.0), (0.0, 1.0))
        >>> Fractal(kind="ridged").bounds()
        (-1.0, 1.0)
        """
        return (-1.0, 1.0)

    def parts(self, seed: int) -> Sequence[tuple[Noise, int]]:
        """Return the noises, with their seeds, whose values at a place are all that this one is made of there; none if it is not so simple."""
        return ()

    def join(self, fields: Sequence[Field]) -> None:
        """Write the noise, joined from the values of its parts, into the first of them; the others are used up.

        It has the bits of the noise as a whole.
        """
        raise NotImplementedError(f"{type(self).__name__} has no parts")

    __array_ufunc__: ClassVar[None] = None
    """NumPy's numbers leave the arithmetic to the noise."""

    def __add__(self, other: Noise | float) -> Noise:
        return _blend(self, other, "add")

    def __radd__(self, other: float) -> Noise:
        return self if _is_number(other) and other == 0 else _blend(self, other, "add")  # of `sum`

    def __sub__(self, other: Noise | float) -> Noise:
        return _blend(self, other, "subtract")

    def __rsub__(self, other: float) -> Noise:
        return _blend(-self, other, "add")

    def __mul__(self, other: Noise | float) -> Noise:
        return _blend(self, other, "multiply")

    def __rmul__(self, other: float) -> Noise:
        return _blend(self, other, "multiply")

    def __truediv__(self, other: float) -> Noise:
        if not _is_number(other):
            return NotImplemented
        return _blend(self, 1.0 / other, "multiply")

    def __neg__(self) -> Noise:
        return _noise_of("invert", source=self)

    def __abs__(self) -> Noise:
        return _noise_of("abs", source=self)

    def children(self) -> Mapping[str, Noise]:
        """Return the noises among the parameters, by parameter name.

        Examples
        --------
        >>> from noise_core.noises import Fractal, Perlin
        >>> list(Fractal(source=Perlin()).children())
        ['source']
        """
        named = ((parameter.name, getattr(self, parameter.name)) for parameter in self.parameters())
        return {name: value for name, value in named if isinstance(value, Noise)}


register_base("noise", Noise)

NoiseType = TypeVar("NoiseType", bound=type[Noise])

_REGISTRY: Registry[Noise] = Registry("noises")


@dataclass_transform(kw_only_default=True, frozen_default=True)
def noise_type(key: str, label: str, *, family: Family) -> Callable[[NoiseType], NoiseType]:
    """Make a class a noise type: a frozen keyword-only dataclass, registered under `key`.

    Parameters
    ----------
    key : str
        Lower case; stands in saved files, so it never changes.
    label : str
        Label in menus.
    family : str
        Where menus put it.

    Examples
    --------
    >>> from noise_core import noise_types
    >>> from noise_core.noises import Perlin

    The decorator registers a class under the key that stands in saved files:

    >>> noise_types()["perlin"] is Perlin
    True
    """
    return _REGISTRY.declare(key, label, family=family)


def noise_types() -> Mapping[str, type[Noise]]:
    """Return every noise type by its key.

    Examples
    --------
    >>> from noise_core import noise_types
    >>> types = noise_types()
    >>> len(types) >= 30, types["perlin"].label
    (True, 'Perlin')
    >>> sorted(key for key, cls in types.items() if cls.family == "fractal")
    ['fractal', 'gullies']
    """
    return _REGISTRY.all()


def default_noise() -> Noise:
    """Return the source of filters that are given none: a fractal with default parameters."""
    return _REGISTRY.get("fractal")()


def _noise_of(key: str, **values: object) -> Noise:
    """Return a noise of a type by its key: this file imports none of them."""
    cls: Any = _REGISTRY.get(key)
    return cast("Noise", cls(**values))


def _is_number(value: object) -> bool:
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def _blend(first: Noise, second: object, mode: str) -> Noise:
    """Return a noise with another, or with a number, in the same seed."""
    if _is_number(second):
        second = _noise_of("constant", value=second)
    if not isinstance(second, Noise):
        return cast("Noise", NotImplemented)  # Python then says which types do not go together
    return _noise_of("blend", first=first, second=second, mode=mode, factor=1.0, seed_offset=0)
