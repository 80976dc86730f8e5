# SPDX-License-Identifier: GPL-3.0-or-later
"""Declare a parameter once: default, limits, slider limits, unit and help.

The functions below stand where a dataclass has a default. What they declare is read by
`Declared.parameters()`, and from there come validation, JSON, Blender's properties, the
panel, the reference page and the tests. Nothing about a parameter is written twice.
"""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, ClassVar, Literal, Union, cast

import numpy as np
import numpy.typing as npt

from .errors import ParameterError

if TYPE_CHECKING:
    from .arrays import Field
    from .noise import Noise

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
]
Unit = Literal["none", "length", "angle", "factor", "frequency"]
"""How a number is to be shown: angles are in degrees, lengths in metres or tiles as the help says."""

CurvePoints = tuple[tuple[float, float], ...]

_METADATA_KEY = "terrane"


@dataclasses.dataclass(frozen=True)
class Parameter:
    """What is declared about one parameter; `name` comes from the attribute."""

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
    visible_when: tuple[str, tuple[str, ...]] | None = None
    """Draw it only while the named choice has one of these values."""

    @property
    def title(self) -> str:
        """The name as a person reads it."""
        return self.label or self.name.replace("_", " ").title()

    def checked(self, value: object, who: str) -> object:
        """Return `value` in its own plain type, or raise a `ParameterError` that starts with `who`."""
        return _CHECKS[self.kind](self, value, f"{who}.{self.name}")


def number(
    default: float,
    *,
    help: str,
    minimum: float = -math.inf,
    maximum: float = math.inf,
    soft_minimum: float | None = None,
    soft_maximum: float | None = None,
    unit: Unit = "none",
    label: str = "",
    visible_when: tuple[str, tuple[str, ...]] | None = None,
) -> float:
    """Declare a float within [minimum, maximum]; the soft limits are the slider's."""
    return cast(
        float,
        _field(
            Parameter(
                "number",
                float(default),
                help,
                label=label,
                minimum=minimum,
                maximum=maximum,
                soft_minimum=minimum if soft_minimum is None else soft_minimum,
                soft_maximum=maximum if soft_maximum is None else soft_maximum,
                unit=unit,
                visible_when=visible_when,
            )
        ),
    )


def integer(
    default: int,
    *,
    help: str,
    minimum: int,
    maximum: int,
    soft_minimum: int | None = None,
    soft_maximum: int | None = None,
    label: str = "",
    visible_when: tuple[str, tuple[str, ...]] | None = None,
) -> int:
    """Declare an int within [minimum, maximum]; the soft limits are the slider's."""
    return cast(
        int,
        _field(
            Parameter(
                "integer",
                int(default),
                help,
                label=label,
                minimum=minimum,
                maximum=maximum,
                soft_minimum=minimum if soft_minimum is None else soft_minimum,
                soft_maximum=maximum if soft_maximum is None else soft_maximum,
                visible_when=visible_when,
            )
        ),
    )


def boolean(
    default: bool,
    *,
    help: str,
    label: str = "",
    visible_when: tuple[str, tuple[str, ...]] | None = None,
) -> bool:
    """Declare a switch."""
    return cast(
        bool, _field(Parameter("boolean", default, help, label=label, visible_when=visible_when))
    )


def choice(
    default: str,
    *,
    help: str,
    options: Mapping[str, str],
    label: str = "",
    visible_when: tuple[str, tuple[str, ...]] | None = None,
) -> str:
    """Declare one of several keys; `options` maps each key to its one-line help."""
    return cast(
        str,
        _field(
            Parameter(
                "choice", default, help, label=label, options=options, visible_when=visible_when
            )
        ),
    )


def vector(
    default: tuple[float, ...],
    *,
    help: str,
    minimum: float = -math.inf,
    maximum: float = math.inf,
    unit: Unit = "none",
    label: str = "",
    visible_when: tuple[str, tuple[str, ...]] | None = None,
) -> tuple[float, ...]:
    """Declare as many floats as the default has, each within [minimum, maximum]."""
    return cast(
        "tuple[float, ...]",
        _field(
            Parameter(
                "vector",
                default,
                help,
                label=label,
                minimum=minimum,
                maximum=maximum,
                soft_minimum=minimum,
                soft_maximum=maximum,
                unit=unit,
                size=len(default),
                visible_when=visible_when,
            )
        ),
    )


def curve(default: CurvePoints, *, help: str, label: str = "") -> CurvePoints:
    """Declare control points (x, y) of a curve; at least two, x strictly rising."""
    return cast(CurvePoints, _field(Parameter("curve", default, help, label=label)))


def noise(default: Callable[[], Noise], *, help: str, label: str = "") -> Noise:
    """Declare a child noise; `default` makes it, so that importing a type imports no other."""
    return cast("Noise", _field(Parameter("noise", default, help, label=label)))


def number_or_noise(
    default: float,
    *,
    help: str,
    minimum: float = -math.inf,
    maximum: float = math.inf,
    unit: Unit = "none",
    label: str = "",
) -> Union[float, Noise]:
    """Declare a float that a noise may stand in for."""
    return cast(
        "Union[float, Noise]",
        _field(
            Parameter(
                "number_or_noise",
                float(default),
                help,
                label=label,
                minimum=minimum,
                maximum=maximum,
                soft_minimum=minimum,
                soft_maximum=maximum,
                unit=unit,
            )
        ),
    )


def pixels(default: Callable[[], Field], *, help: str, label: str = "") -> Field:
    """Declare a stored array of shape (rows, columns), kept as read-only float32."""
    return cast("Field", _field(Parameter("pixels", default, help, label=label)))


class Declared:
    """Base of everything that is made of declared parameters: noises and modifiers.

    Frozen, compared by value, checked when made.
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
            value = parameter.checked(getattr(self, parameter.name), type(self).__name__)
            object.__setattr__(self, parameter.name, value)

    def with_values(self, **values: object) -> Declared:
        """Return a copy with some parameters replaced."""
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
        return self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash((self.key, self._identity()))


def plain_float(value: object) -> float:
    """Return any number as a Python float, infinite if it is too large; NaN if it is no number."""
    if isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating)):
        return math.nan
    try:
        return float(value)
    except OverflowError:  # an integer beyond all floats
        return math.inf if value > 0 else -math.inf


def _field(parameter: Parameter) -> object:
    metadata = {_METADATA_KEY: parameter}
    if callable(parameter.default):
        return dataclasses.field(
            default_factory=parameter.default, metadata=metadata, repr=parameter.kind != "pixels"
        )
    return dataclasses.field(default=parameter.default, metadata=metadata)


def _interval(parameter: Parameter) -> str:
    return f"[{parameter.minimum:g}, {parameter.maximum:g}]"


def _checked_number(parameter: Parameter, value: object, who: str) -> float:
    if isinstance(value, (bool, np.bool_)) or not isinstance(
        value, (int, float, np.integer, np.floating)
    ):
        raise ParameterError(f"{who} must be a number in {_interval(parameter)}; got {value!r}")
    plain = plain_float(value)
    if not parameter.minimum <= plain <= parameter.maximum or math.isinf(plain):
        raise ParameterError(f"{who} must be in {_interval(parameter)}; got {plain!r}")
    return plain


def _checked_integer(parameter: Parameter, value: object, who: str) -> int:
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)):
        raise ParameterError(f"{who} must be an integer in {_interval(parameter)}; got {value!r}")
    if not parameter.minimum <= value <= parameter.maximum:
        raise ParameterError(f"{who} must be in {_interval(parameter)}; got {int(value)}")
    return int(value)


def _checked_boolean(parameter: Parameter, value: object, who: str) -> bool:
    if not isinstance(value, (bool, np.bool_)):
        raise ParameterError(f"{who} must be True or False; got {value!r}")
    return bool(value)


def _checked_choice(parameter: Parameter, value: object, who: str) -> str:
    if not isinstance(value, str) or value not in parameter.options:
        allowed = ", ".join(repr(key) for key in parameter.options)
        raise ParameterError(f"{who} must be one of {allowed}; got {value!r}")
    return value


def _checked_vector(parameter: Parameter, value: object, who: str) -> tuple[float, ...]:
    is_row = isinstance(value, (tuple, list, np.ndarray)) and getattr(value, "ndim", 1) > 0
    numbers = cast("tuple[object, ...]", value) if is_row else ()
    if len(numbers) != parameter.size:
        raise ParameterError(f"{who} must be {parameter.size} numbers; got {value!r}")
    return tuple(_checked_number(parameter, number, who) for number in numbers)


def _checked_curve(parameter: Parameter, value: object, who: str) -> CurvePoints:
    try:
        points = tuple((float(x), float(y)) for x, y in value)  # type: ignore[attr-defined]
    except (TypeError, ValueError, OverflowError):
        raise ParameterError(f"{who} must be pairs (x, y); got {value!r}") from None
    rising = all(left[0] < right[0] for left, right in zip(points, points[1:]))
    finite = all(math.isfinite(x) and math.isfinite(y) for x, y in points)
    if len(points) < 2 or not rising or not finite:
        raise ParameterError(
            f"{who} must be at least two finite pairs (x, y) with x rising; got {value!r}"
        )
    return points


def _checked_noise(parameter: Parameter, value: object, who: str) -> object:
    from .noise import Noise

    if not isinstance(value, Noise):
        raise ParameterError(f"{who} must be a noise; got {value!r}")
    return value


def _checked_number_or_noise(parameter: Parameter, value: object, who: str) -> object:
    from .noise import Noise

    return value if isinstance(value, Noise) else _checked_number(parameter, value, who)


def _checked_pixels(parameter: Parameter, value: object, who: str) -> npt.NDArray[np.float32]:
    try:
        with np.errstate(over="ignore"):  # what is too large becomes inf, which is refused below
            array = np.array(value, dtype=np.float32, order="C")
    except (TypeError, ValueError, OverflowError):
        raise ParameterError(
            f"{who} must be an array of numbers; got {type(value).__name__}"
        ) from None
    if array.ndim != 2 or array.size == 0 or not np.isfinite(array).all():
        raise ParameterError(
            f"{who} must be a finite array of shape (rows, columns); got shape {array.shape}"
        )
    array.flags.writeable = False
    return array


_CHECKS: Mapping[Kind, Callable[[Parameter, object, str], object]] = {
    "number": _checked_number,
    "integer": _checked_integer,
    "boolean": _checked_boolean,
    "choice": _checked_choice,
    "vector": _checked_vector,
    "curve": _checked_curve,
    "noise": _checked_noise,
    "number_or_noise": _checked_number_or_noise,
    "pixels": _checked_pixels,
}
