# SPDX-License-Identifier: GPL-3.0-or-later
"""Declarations of parameters, and the base of everything that is made of declared parameters."""

from __future__ import annotations

import dataclasses
import functools
import inspect
import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import (
    ClassVar,
    Literal,
    NamedTuple,
    NoReturn,
    TypeVar,
    Union,
    cast,
    dataclass_transform,
)

import numpy as np

from .checks import CHECKS

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
    "curves",
    "placements",
]
Unit = Literal["none", "length", "width", "angle", "factor", "frequency", "color", "display_color"]
"""How a number is to be shown: angles are in degrees, lengths in meters or tiles as the help says, those of
"width" are relative to the width of the terrain, for which a panel shows meters,
colors (vectors of three) are linear, display colors are sRGB."""

Condition = tuple[str, Union[tuple[str, ...], float, bool]]
"""When a parameter has an effect: while the named choice has one of these values, while the named
number is above this one, or while the named switch is so."""


class LandMeasures(NamedTuple):
    """Measures of a land that automatic numbers follow.

    Attributes
    ----------
    size, height : float
        Width, and height of the recipe, in meters.
    depth : float
        Depth relative to the width.
    """

    size: float
    height: float
    depth: float = 1.0


AUTOMATIC: Mapping[str, tuple[str, Callable[[LandMeasures], float | None]]] = {
    "terrain": ("width", lambda land: land.size),
    "terrain area": ("terrain", lambda land: land.size * land.size * land.depth),
    "relief": ("relief", lambda land: None),
    "recipe height": ("recipe's height", lambda land: land.height),
}
"""Measures that automatic numbers follow, with their nouns and values; only the finished heights tell the relief."""

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


class Parameter(NamedTuple):
    """The declaration of one parameter; `name` comes from the attribute.

    A tuple, since hundreds are made and renamed whenever Blender starts.

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
    options: Mapping[str, str] = MappingProxyType({})
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

    automatic: str | tuple[float, str] = ""
    """What a number of 0 stands for: a factor and the measure that it multiplies, one of `AUTOMATIC` or the
    name of another parameter; or words. `number` and `integer` declare it. Panels have a switch for it, so that nobody has to type 0."""

    exclusive: bool = False
    """Whether a process starts along the curves of a list alone if there are some: one that is drawn for all layers is not
    added to it."""

    @property
    def full_help(self) -> str:
        """The help for scripts and pages, where 0 and widths are typed in."""
        if self.unit == "width":
            return f"{self.help}, relative to the terrain's width"
        return (
            f"{self.help}; 0 is automatic, {self.automatic_text}" if self.automatic else self.help
        )

    @property
    def automatic_text(self) -> str:
        """What 0 stands for, in words.

        Examples
        --------
        >>> from noise_core.modifiers import Blur
        >>> radius = next(item for item in Blur.parameters() if item.name == "radius")
        >>> radius.automatic, radius.automatic_text
        ((0.01, 'terrain'), '1/100 of the width')
        """
        if isinstance(self.automatic, str):
            return self.automatic
        factor, measure = self.automatic
        noun = AUTOMATIC[measure][0] if measure in AUTOMATIC else measure.replace("_", " ")
        if factor >= 1.0:
            return f"the {noun}" if factor == 1.0 else f"{factor:g} times the {noun}"
        top = 1 if abs(1.0 / factor - round(1.0 / factor)) < 1e-6 else round(10.0 * factor)
        return f"{top}/{round(top / factor)} of the {noun}"

    def automatic_value(
        self, owner: object, declarations: Mapping[str, Parameter], land: LandMeasures
    ) -> float | None:
        """Return what 0 stands for on a land; None if only its finished heights tell, or words do.

        Parameters
        ----------
        owner : object
            Has the parameters of the declaring type as attributes.
        declarations : mapping of str to Parameter
            These parameters by name.
        land : LandMeasures

        Examples
        --------
        >>> from noise_core.base.declared import LandMeasures
        >>> from noise_core.modifiers import Meanders
        >>> declared = {item.name: item for item in Meanders.parameters()}
        >>> land = LandMeasures(size=2400.0, height=100.0)
        >>> [declared[name].automatic_value(Meanders(), declared, land) for name in ("width", "depth")]
        [24.0, 2.0]
        """
        if isinstance(self.automatic, str):
            return None
        factor, measure = self.automatic
        if measure in AUTOMATIC:
            value = AUTOMATIC[measure][1](land)
        else:
            other = declarations[measure]
            given = cast(float, getattr(owner, measure))
            value = given or other.automatic_value(owner, declarations, land)
        return None if value is None else factor * value

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


class _LateSignature:
    """The signature of a declared type, made when somebody asks for it."""

    def __get__(self, instance: object, cls: type[Declared]) -> inspect.Signature:
        """Return the signature with which instances of a class are made."""
        kinds = {field.name: field.type for field in dataclasses.fields(cls)}  # type: ignore[arg-type]
        keywords = [
            inspect.Parameter(
                parameter.name,
                inspect.Parameter.KEYWORD_ONLY,
                default=parameter.default,
                annotation=kinds[parameter.name],
            )
            for parameter in cls.parameters()
        ]
        return inspect.Signature(keywords)


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
    __signature__: ClassVar[_LateSignature] = _LateSignature()

    def __init__(self, **values: object) -> None:
        given = vars(self)  # setting an attribute is refused
        for parameter in self.parameters():
            name, default = parameter.name, parameter.default
            if name in values:
                given[name] = values.pop(name)
            else:
                given[name] = default() if callable(default) else default
        for name in values:
            raise TypeError(f"{type(self).__name__}() got an unexpected keyword argument {name!r}")
        self.__post_init__()

    @classmethod
    @functools.cache
    def parameters(cls) -> tuple[Parameter, ...]:
        """Return the declared parameters, in the order of their declaration.

        Raises
        ------
        TypeError
            If an attribute has a type and a value, but no declaration, as in a plain dataclass.
        """
        fields = dataclasses.fields(cls)  # type: ignore[arg-type]
        for field in fields:
            if _METADATA_KEY not in field.metadata:
                raise TypeError(
                    f"{cls.__name__}.{field.name} must be declared by a function such as number();"
                    f" got {field.default!r}"
                )
        return tuple(field.metadata[_METADATA_KEY]._replace(name=field.name) for field in fields)

    @classmethod
    @functools.cache
    def name_of(cls, kind: Kind) -> str | None:
        """Return the name of the first parameter of a kind, None if there is none.

        Examples
        --------
        >>> from noise_core.noises import Fractal, Perlin
        >>> Fractal.name_of("noise"), Perlin.name_of("noise")
        ('source', None)
        """
        names = (parameter.name for parameter in cls.parameters() if parameter.kind == kind)
        return next(names, None)

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

    def __repr__(self) -> str:
        values = (
            f"{parameter.name}={getattr(self, parameter.name)!r}"
            for parameter in self.parameters()
            if parameter.kind != "pixels"
        )
        return f"{type(self).__qualname__}({', '.join(values)})"

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> NoReturn:
        raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")

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


DeclaredClass = TypeVar("DeclaredClass", bound=type[Declared])


@dataclass_transform(kw_only_default=True, frozen_default=True, eq_default=False)
def declared_type(cls: DeclaredClass) -> DeclaredClass:
    """Make a subclass of `Declared` a frozen keyword-only dataclass.

    `Declared` itself makes, shows and freezes instances: methods that `dataclasses` writes for each class take
    a third of a millisecond a class to compile, and Blender makes a hundred and fifty classes when it starts.

    Parameters
    ----------
    cls : type
        Its attributes are declared by the functions of `noise_core.base.params`.

    Examples
    --------
    >>> from noise_core.base.declared import declared_type
    >>> from noise_core.base.params import Declared, number
    >>> @declared_type
    ... class Dune(Declared):
    ...     key, label = "dune", "Dune"
    ...     height: float = number(5.0, help="Height of the crest, in meters", minimum=0.0)
    >>> Dune(height=20)
    Dune(height=20.0)
    """
    dataclasses.dataclass(init=False, repr=False, eq=False, kw_only=True)(cls)
    return cls


def declare_within(
    parameter: Parameter, limits: tuple[float, float, float | None, float | None]
) -> object:
    """Declare a parameter within hard limits; soft ones that are not given are the hard ones."""
    minimum, maximum, soft_minimum, soft_maximum = limits
    return declare(
        parameter._replace(
            minimum=minimum,
            maximum=maximum,
            soft_minimum=minimum if soft_minimum is None else soft_minimum,
            soft_maximum=maximum if soft_maximum is None else soft_maximum,
        )
    )


def declare(parameter: Parameter) -> object:
    """Return the field of a dataclass for a parameter; a default that can be called makes it."""
    metadata = {_METADATA_KEY: parameter}
    if callable(parameter.default):
        return dataclasses.field(default_factory=parameter.default, metadata=metadata)
    return dataclasses.field(default=parameter.default, metadata=metadata)
