# SPDX-License-Identifier: GPL-3.0-or-later
"""Curves that layers and masks name, replaced by the curves themselves, and the other way round."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar, cast

from ..base.declared import Declared
from ..base.errors import ParameterError, format_value
from .chains import Chain, chain_of
from .land_curve import LandCurve

AnyDeclared = TypeVar("AnyDeclared", bound=Declared)

_TOLERANCE = 1.0 / 8192.0
"""Widths of the land by which the pieces of a drawn river or ridge miss it at most."""


def curve_names(declared: Declared) -> Iterator[str]:
    """Yield the names of curves in a layer, in its masks and in all else that it is made of."""
    for parameter in declared.parameters():
        value = getattr(declared, parameter.name)
        if parameter.kind == "curves":
            yield from (item for item in value if isinstance(item, str))
        elif isinstance(value, Declared):
            yield from curve_names(value)
        elif isinstance(value, tuple):
            for item in value:
                if isinstance(item, Declared):
                    yield from curve_names(item)


def bind(declared: AnyDeclared, curves: Mapping[str, LandCurve]) -> AnyDeclared:
    """Return a layer, mask, map or noise with curves instead of their names.

    Parameters
    ----------
    declared : Declared
    curves : mapping of str to LandCurve
        All that it names.
    """
    return _change(declared, lambda item: curves[item] if isinstance(item, str) else item)


def unbind(declared: AnyDeclared, names: Mapping[LandCurve, str]) -> AnyDeclared:
    """Return a layer, mask, map or noise with names instead of curves, as far as they have one.

    Parameters
    ----------
    declared : Declared
    names : mapping of LandCurve to str
    """
    return _change(
        declared, lambda item: names.get(item, item) if isinstance(item, LandCurve) else item
    )


def _change(declared: AnyDeclared, change: Callable[[object], object]) -> AnyDeclared:
    """Return a layer, mask, map or noise with other curves or names in all its lists of curves."""
    changed: dict[str, object] = {}
    for parameter in declared.parameters():
        value = getattr(declared, parameter.name)
        new = value
        if parameter.kind == "curves":
            new = tuple(change(item) for item in value)
        elif isinstance(value, Declared):
            new = _change(value, change)
        elif isinstance(value, tuple) and any(isinstance(item, Declared) for item in value):
            new = tuple(_change(item, change) for item in value)
        if new is not value and new != value:
            changed[parameter.name] = new
    return cast("AnyDeclared", declared.with_values(**changed)) if changed else declared


def only_curves(value: Sequence[object], who: str) -> tuple[LandCurve, ...]:
    """Return the curves of a parameter.

    Raises
    ------
    ParameterError
        If one is still a name: of a recipe that does not have it, or without a recipe.
    """
    for item in value:
        if isinstance(item, str):
            raise ParameterError(
                "{} must be curves, or names in a recipe that has them",
                who,
                got=format_value(item),
            )
    return cast("tuple[LandCurve, ...]", tuple(value))


def only_chains(value: Sequence[object], who: str, size: float) -> list[Chain]:
    """Return the curves of a parameter as chains on a land so wide, in meters; see `only_curves`."""
    tolerance = _TOLERANCE * size
    return [chain_of(curve, size, tolerance) for curve in only_curves(value, who)]


def check_names(layers: Sequence[Declared], curves: Mapping[str, LandCurve], who: str) -> None:
    """Raise a ParameterError if layers name curves that are not there, or a curve that none names."""
    used = {name for layer in layers for name in curve_names(layer)}
    if unknown := sorted(used - set(curves)):
        raise ParameterError(
            "{} must hold all curves that layers name", who, got=_among(unknown[0], curves)
        )
    if unused := sorted(set(curves) - used):
        raise ParameterError(
            "{} must each be named by a layer or mask", who, got=format_value(unused[0])
        )


def _among(name: str, curves: Mapping[str, LandCurve]) -> str:
    known = ", ".join(sorted(curves)) or "none"
    return f"{format_value(name)} (there: {known})"
