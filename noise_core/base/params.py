# SPDX-License-Identifier: GPL-3.0-or-later
"""Declare a parameter once: default, limits, slider limits, unit and help.

The functions below stand where a dataclass has a default. Their declarations are read by
`Declared.parameters()`, and from there come validation, JSON, Blender's properties, the
panel, the reference page and the tests. Nothing about a parameter is written twice.
"""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypedDict, TypeVar, Union, Unpack, cast

import numpy as np

from .checks import CHECKS, CurvePoints

if TYPE_CHECKING:
    from .arrays import Field

Child = TypeVar("Child")
"""A noise or a map; the modules that define them import this one."""

Kind = Literal[
    "number",
    "integer",
    "boolean",
    "choice",
    "vector",
    "curve",
    "noise",
    "number_or_noise",
    "pixels",
    "text",
    "map",
    "mask",
    "chain",
    "filters",
    "layers",
]
Unit = Literal["none", "length", "angle", "factor", "frequency", "color", "display_color"]
"""How a number is to be shown: angles are in degrees, lengths in meters or tiles as the help says,
colors (vectors of three) are linear, display colors are sRGB."""

Condition = tuple[str, Union[tuple[str, ...], float, bool]]
"""When a parameter has an effect: while the named choice has one of these values, while the named
number is above this one, or while the named switch is so."""

_METADATA_KEY = "terrane"


def title_of(name: str) -> str:
    """Return the name of a parameter or a key as a label: "base_color" is Base Color.

    Parameters
    ----------
    name : str
        Words in lower case, joined by underscores.

    Examples
    --------
    >>> from noise_core.base.params import title_of
    >>> title_of("base_color")
    'Base Color'
    """
    return name.replace("_", " ").title()


@dataclasses.dataclass(frozen=True)
class Parameter:
    """The declaration of one parameter; `name` comes from the attribute.

    Examples
    --------
    >>> from noise_core.noises import Perlin
    >>> frequency = next(item for item in Perlin.parameters() if item.name == "frequency")
    >>> frequency.kind, frequency.minimum, frequency.default, frequency.title
    ('number', 0.0001, 8.0, 'Frequency')
    """

    kind: Kind
    default: object
    help: str
    name: str = ""
    label: str = ""
    minimum: float = -math.inf
    maximum: float = math.inf
    soft_minimum: float = -math.inf
    soft_maximum: float = math.inf
    unit: Unit = "none"
    options: Mapping[str, str] = dataclasses.field(default_factory=dict)
    size: int = 1
    visible_when: Condition | None = None
    advanced: bool = False
    """Few people need it: panels show it in a part that is closed at first."""
    classic: tuple[str, ...] = ()
    """Options with which a noise is that of an article, number by number: its octaves and copies stay where
    the article has them, whatever the seed."""
    usual: float = 0.0
    """A common value of a number that may be many times smaller or larger: dragging its field suits numbers
    of that size, and a button beside it scales any. 0 for numbers that have one scale."""

    @property
    def title(self) -> str:
        """The name as a person reads it."""
        return self.label or title_of(self.name)

    @property
    def is_color(self) -> bool:
        """Whether it is a color, linear or not."""
        return self.unit in ("color", "display_color")

    def check(self, value: object, who: str) -> object:
        """Return `value` in its own plain type, or raise a `ParameterError` that starts with `who`.

        Parameters
        ----------
        value : object
            A value of the parameter's kind.
        who : str
            Name of the declaring type, which starts the error message.
        """
        return CHECKS[self.kind](self, value, f"{who}.{self.name}")

    def is_visible(self, owner: object) -> bool:
        """Return whether it has an effect, by the other values of its owner.

        Parameters
        ----------
        owner : object
            Has the parameters of the declaring type as attributes.

        Examples
        --------
        >>> from noise_core.noises import Cellular
        >>> exponent = next(item for item in Cellular.parameters() if item.name == "exponent")
        >>> exponent.is_visible(Cellular()), exponent.is_visible(Cellular(metric="minkowski"))
        (False, True)
        """
        if self.visible_when is None:
            return True
        name, condition = self.visible_when
        value = getattr(owner, name)
        if isinstance(condition, tuple):
            return value in condition
        return value is condition if isinstance(condition, bool) else bool(value > condition)


class Shared(TypedDict, total=False):
    """Keywords of most declarations; see `Parameter`."""

    label: str
    visible_when: Condition | None
    advanced: bool


def number(
    default: float,
    *,
    help: str,
    minimum: float = -math.inf,
    maximum: float = math.inf,
    soft_minimum: float | None = None,
    soft_maximum: float | None = None,
    unit: Unit = "none",
    **shared: Unpack[Shared],
) -> float:
    """Declare a float within [minimum, maximum]; the soft limits are the slider's.

    Parameters
    ----------
    default : float
        Within the limits.
    help : str
        One line for tooltips and pages, without a full stop; it names the unit.
    minimum, maximum : float
        Hard limits; a value outside raises a `ParameterError`.
    soft_minimum, soft_maximum : float, optional
        Limits of the slider; the hard ones if not given.
    unit : {"none", "length", "angle", "factor", "frequency", "color", "display_color"}
        How it is shown: angles in degrees, lengths in meters or tiles.
    **shared
        See `Shared`.

    Examples
    --------
    >>> import dataclasses
    >>> from noise_core.base.params import Declared, number
    >>> @dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
    ... class Dune(Declared):
    ...     key, label = "dune", "Dune"
    ...     height: float = number(
    ...         5.0, help="Height of the crest, in meters", minimum=0.0, maximum=500.0, unit="length"
    ...     )
    >>> Dune().height, Dune(height=20).height
    (5.0, 20.0)
    >>> Dune.parameters()[0].maximum
    500.0
    """
    parameter = Parameter("number", float(default), help, unit=unit, **shared)
    return cast(float, _field_within(parameter, (minimum, maximum, soft_minimum, soft_maximum)))


def integer(
    default: int,
    *,
    help: str,
    minimum: int,
    maximum: int,
    soft_minimum: int | None = None,
    soft_maximum: int | None = None,
    **shared: Unpack[Shared],
) -> int:
    """Declare an int within [minimum, maximum]; the soft limits are the slider's.

    Parameters
    ----------
    default : int
        Within the limits.
    help : str
        One line for tooltips and pages, without a full stop.
    minimum, maximum : int
        Hard limits; a value outside raises a `ParameterError`.
    soft_minimum, soft_maximum : int, optional
        Limits of the slider; the hard ones if not given.
    **shared
        See `Shared`.

    Examples
    --------
    >>> import dataclasses
    >>> from noise_core.base.params import Declared, integer
    >>> @dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
    ... class Stairs(Declared):
    ...     key, label = "stairs", "Stairs"
    ...     steps: int = integer(8, help="Number of steps", minimum=1, maximum=1024, soft_maximum=32)
    >>> Stairs(steps=12).steps
    12
    """
    parameter = Parameter("integer", int(default), help, **shared)
    return cast(int, _field_within(parameter, (minimum, maximum, soft_minimum, soft_maximum)))


def cells_per_tile(
    default: float = 8.0,
    *,
    soft_minimum: float = 0.5,
    soft_maximum: float = 64.0,
) -> float:
    """Declare the frequency of a noise with cells.

    Parameters
    ----------
    default : float
        Cells per tile.
    soft_minimum, soft_maximum : float
        Limits of the slider; the hard ones are 1e-4 and 1e6.
    """
    return number(
        default,
        help="Cells per tile; whole numbers tile without being rounded",
        minimum=1e-4,
        maximum=1e6,
        soft_minimum=soft_minimum,
        soft_maximum=soft_maximum,
        unit="frequency",
    )


def bearing(
    default: float,
    *,
    help: str,
    **shared: Unpack[Shared],
) -> float:
    """Declare a direction on the map; the sentence of the help is completed with its unit.

    Parameters
    ----------
    default : float
        In degrees counterclockwise from the x axis, in [-360, 360].
    help : str
        Names the wind, slope or wave that goes there, without the unit.
    **shared
        See `Shared`.
    """
    return number(
        default,
        help=f"{help}, in degrees counterclockwise from the x axis",
        minimum=-360.0,
        maximum=360.0,
        unit="angle",
        **shared,
    )


def boolean(
    default: bool,
    *,
    help: str,
    **shared: Unpack[Shared],
) -> bool:
    """Declare a switch.

    Parameters
    ----------
    default : bool
    help : str
        One line for tooltips and pages, without a full stop.
    **shared
        See `Shared`.

    Examples
    --------
    >>> import dataclasses
    >>> from noise_core.base.params import Declared, boolean
    >>> @dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
    ... class Sea(Declared):
    ...     key, label = "sea", "Sea"
    ...     waves: bool = boolean(True, help="Let waves wear the shore")
    >>> Sea().waves
    True
    """
    return cast(bool, _field(Parameter("boolean", default, help, **shared)))


def choice(
    default: str,
    *,
    help: str,
    options: Mapping[str, str],
    classic: tuple[str, ...] = (),
    **shared: Unpack[Shared],
) -> str:
    """Declare one of several keys; `options` maps each key to its one-line help.

    Parameters
    ----------
    default : str
        One of the keys.
    help : str
        One line for tooltips and pages, without a full stop.
    options : mapping of str to str
        The keys, which stand in saved files, each with one line of help.
    classic : tuple of str
        See `Parameter.classic`.
    **shared
        See `Shared`.

    Examples
    --------
    >>> import dataclasses
    >>> from noise_core.base.params import Declared, choice
    >>> @dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
    ... class Roof(Declared):
    ...     key, label = "roof", "Roof"
    ...     shape: str = choice("gable", help="Form", options={"gable": "Two sides", "hip": "Four"})
    >>> Roof(shape="hip").shape, list(Roof.parameters()[0].options)
    ('hip', ['gable', 'hip'])
    """
    return cast(
        str, _field(Parameter("choice", default, help, options=options, classic=classic, **shared))
    )


def vector(
    default: tuple[float, ...],
    *,
    help: str,
    minimum: float = -math.inf,
    maximum: float = math.inf,
    unit: Unit = "none",
    **shared: Unpack[Shared],
) -> tuple[float, ...]:
    """Declare as many floats as the default has, each within [minimum, maximum].

    Parameters
    ----------
    default : tuple of float
        Its length is that of all values.
    help : str
        One line for tooltips and pages, without a full stop; it names the unit.
    minimum, maximum : float
        Hard limits of each number.
    unit : str
        See `number`; "color" for three linear channels in [0, 1].
    **shared
        See `Shared`.

    Examples
    --------
    >>> import dataclasses
    >>> from noise_core.base.params import Declared, vector
    >>> @dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
    ... class Lamp(Declared):
    ...     key, label = "lamp", "Lamp"
    ...     place: tuple[float, ...] = vector((0.0, 0.0), help="Position in tiles, x and y")
    >>> Lamp(place=(0.5, 0.25)).place
    (0.5, 0.25)
    """
    parameter = Parameter("vector", default, help, unit=unit, size=len(default), **shared)
    return cast("tuple[float, ...]", _field_within(parameter, (minimum, maximum, None, None)))


def curve(default: CurvePoints, *, help: str) -> CurvePoints:
    """Declare control points (x, y) of a curve; at least two, x strictly rising.

    Parameters
    ----------
    default : sequence of pairs of float
        Points (x, y).
    help : str
        One line for tooltips and pages, without a full stop.

    Examples
    --------
    >>> import dataclasses
    >>> from noise_core.base.params import Declared, curve
    >>> @dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
    ... class Profile(Declared):
    ...     key, label = "profile", "Profile"
    ...     points: tuple[tuple[float, float], ...] = curve(
    ...         ((0.0, 0.0), (1.0, 1.0)), help="Height along a section"
    ...     )
    >>> len(Profile(points=((0.0, 0.0), (0.5, 0.8), (1.0, 1.0))).points)
    3
    """
    return cast(CurvePoints, _field(Parameter("curve", default, help)))


def noise(default: Callable[[], Child], *, help: str, advanced: bool = False) -> Child:
    """Declare a child noise; `default` makes it, so that importing a type imports no other.

    Parameters
    ----------
    default : callable
        Makes the default noise; a type serves as well.
    help : str
        One line for tooltips and pages, without a full stop.
    advanced : bool
        Whether panels show it in a part that is closed at first.

    Examples
    --------
    >>> import dataclasses
    >>> from noise_core import Noise
    >>> from noise_core.base.params import Declared, noise
    >>> from noise_core.noises import Perlin
    >>> @dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
    ... class Roughness(Declared):
    ...     key, label = "roughness", "Roughness"
    ...     source: Noise = noise(Perlin, help="The noise that roughens")
    >>> Roughness().source == Perlin()
    True
    """
    return cast("Child", _field(Parameter("noise", default, help, advanced=advanced)))


def number_or_noise(
    default: float,
    *,
    help: str,
    minimum: float = -math.inf,
    maximum: float = math.inf,
    unit: Unit = "none",
) -> Any:
    """Declare a float that a noise may stand in for.

    Parameters
    ----------
    default : float
        Within the limits.
    help : str
        One line for tooltips and pages, without a full stop.
    minimum, maximum : float
        Hard limits of a number; a noise in its place is not checked against them.
    unit : str
        See `number`.

    Examples
    --------
    >>> from noise_core.noises import Blend, Perlin

    The factor of a blend is a number, or a noise that differs from place to place:

    >>> Blend(factor=0.25).factor, Blend(factor=Perlin()).factor == Perlin()
    (0.25, True)
    """
    parameter = Parameter("number_or_noise", float(default), help, unit=unit)
    return _field_within(parameter, (minimum, maximum, None, None))


def pixels(default: Callable[[], Field], *, help: str) -> Field:
    """Declare a stored array of shape (rows, columns), kept as read-only float32.

    Parameters
    ----------
    default : callable
        Makes the default array, of shape (rows, columns).
    help : str
        One line for tooltips and pages, without a full stop.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core.noises import Raster

    Stored as read-only float32:

    >>> stored = Raster(pixels=np.eye(2)).pixels
    >>> str(stored.dtype), stored.flags.writeable
    ('float32', False)
    """
    return cast("Field", _field(Parameter("pixels", default, help)))


def text(default: str, *, help: str) -> str:
    """Declare a line of text; see `checks.LONGEST_TEXT`.

    Parameters
    ----------
    default : str
    help : str
        One line for tooltips and pages, without a full stop.

    Examples
    --------
    >>> from noise_core.masks import LayerMask
    >>> LayerMask(layer="Island").layer
    'Island'
    """
    return cast(str, _field(Parameter("text", default, help)))


def relief_map(default: Callable[[], Child], *, help: str) -> Child:
    """Declare a map with one number per sample; `default` makes it.

    Parameters
    ----------
    default : callable
        Makes the default map; a type serves as well.
    help : str
        One line for tooltips and pages, without a full stop.

    Examples
    --------
    >>> from noise_core.maps import Curvature
    >>> from noise_core.masks import MapMask
    >>> MapMask(map=Curvature(radius=50.0)).map.radius
    50.0
    """
    return cast("Child", _field(Parameter("map", default, help)))


def optional_mask(*, help: str) -> Any:
    """Declare a mask, or none.

    Parameters
    ----------
    help : str
        One line for tooltips and pages, without a full stop.

    Examples
    --------
    >>> from noise_core.masks import MapMask
    >>> from noise_core.modifiers import Blur
    >>> Blur().mask is None, Blur(mask=MapMask(low=30.0)).mask.low
    (True, 30.0)
    """
    return _field(Parameter("mask", None, help))


def chain(default: Callable[[], Child], *, help: str) -> Child:
    """Declare a noise that files and panels show as a chain; see `chains`."""
    return cast("Child", _field(Parameter("chain", default, help)))


def filters(*, help: str) -> tuple[Any, ...]:
    """Declare filters in the order in which they are applied, none by default; see `chains`."""
    return cast("tuple[Any, ...]", _field(Parameter("filters", (), help)))


def layer_list(*, help: str) -> tuple[Any, ...]:
    """Declare noise layers and groups from bottom to top, none by default."""
    return cast("tuple[Any, ...]", _field(Parameter("layers", (), help)))


class Declared:
    """Base of everything that is made of declared parameters: noises, modifiers, maps, masks.

    Frozen, compared by value, checked when made.

    Examples
    --------
    >>> from noise_core.noises import Perlin
    >>> noise = Perlin(frequency=4.0)
    >>> [parameter.name for parameter in Perlin.parameters()][:2]
    ['frequency', 'fade']

    Instances are frozen, compared by value, and changed as copies:

    >>> noise.with_values(fade="cubic") == Perlin(frequency=4.0, fade="cubic")
    True
    >>> hash(noise) == hash(Perlin(frequency=4.0))
    True
    """

    key: ClassVar[str]
    label: ClassVar[str]

    @classmethod
    @functools.cache
    def parameters(cls) -> tuple[Parameter, ...]:
        """Return the declared parameters, in the order of their declaration."""
        return tuple(
            dataclasses.replace(field.metadata[_METADATA_KEY], name=field.name)
            for field in dataclasses.fields(cls)  # type: ignore[arg-type]
        )

    def __post_init__(self) -> None:
        for parameter in self.parameters():
            value = parameter.check(getattr(self, parameter.name), type(self).__name__)
            object.__setattr__(self, parameter.name, value)

    def with_values(self, **values: object) -> Declared:
        """Return a copy with some parameters replaced.

        Parameters
        ----------
        **values : object
            New values by the names of parameters, within their limits.

        Examples
        --------
        >>> from noise_core.noises import Perlin
        >>> Perlin(frequency=4.0).with_values(frequency=5.0).frequency
        5.0
        """
        return dataclasses.replace(self, **values)  # type: ignore[type-var]

    def _identity(self) -> tuple[object, ...]:
        values = (getattr(self, parameter.name) for parameter in self.parameters())
        return tuple(
            (value.shape, value.tobytes()) if isinstance(value, np.ndarray) else value
            for value in values
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Declared) or type(self) is not type(other):
            return NotImplemented
        return self is other or (
            hash(self) == hash(other) and self._identity() == other._identity()
        )

    def __hash__(self) -> int:
        # Looked up hundreds of times for each frame of a moving terrain.
        return self._hash

    @functools.cached_property
    def _hash(self) -> int:
        return hash((self.key, self._identity()))

    def __getstate__(self) -> dict[str, object]:
        """Return the attributes to pickle, without the hash: that of a text differs from process to process."""
        return {name: value for name, value in vars(self).items() if name != "_hash"}


def _field_within(
    parameter: Parameter, limits: tuple[float, float, float | None, float | None]
) -> object:
    """Declare a parameter within hard limits; soft ones that are not given are the hard ones."""
    minimum, maximum, soft_minimum, soft_maximum = limits
    return _field(
        dataclasses.replace(
            parameter,
            minimum=minimum,
            maximum=maximum,
            soft_minimum=minimum if soft_minimum is None else soft_minimum,
            soft_maximum=maximum if soft_maximum is None else soft_maximum,
        )
    )


def _field(parameter: Parameter) -> object:
    metadata = {_METADATA_KEY: parameter}
    if callable(parameter.default):
        return dataclasses.field(
            default_factory=parameter.default, metadata=metadata, repr=parameter.kind != "pixels"
        )
    return dataclasses.field(default=parameter.default, metadata=metadata)
