# SPDX-License-Identifier: GPL-3.0-or-later
"""Curves of a recipe by name, as a value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..base.checks import LONGEST_TEXT, MOST_CURVES, is_line
from ..base.errors import ParameterError, RecipeError, format_value
from ..curves import land_curve
from .serial import curve_from_plain


class Curves(Mapping[str, "land_curve.LandCurve"]):
    """Read-only mapping of names to curves, compared by value and hashable.

    Parameters
    ----------
    curves : mapping of str to LandCurve

    Raises
    ------
    ParameterError
        If a name is not a line of text, or a value no curve.
    """

    def __init__(self, curves: object = ()) -> None:
        if isinstance(curves, Curves):
            self._curves: dict[str, land_curve.LandCurve] = curves._curves
            return
        if isinstance(curves, tuple) and not curves:
            curves = {}
        if not isinstance(curves, Mapping) or len(curves) > MOST_CURVES:
            raise ParameterError(
                "Recipe.curves must be at most {} curves by name",
                MOST_CURVES,
                got=format_value(curves),
            )
        for name, curve in curves.items():
            _check_curve(name, curve)
        self._curves = dict(curves)

    def __getitem__(self, name: str) -> land_curve.LandCurve:
        return self._curves[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._curves)

    def __len__(self) -> int:
        return len(self._curves)

    def __hash__(self) -> int:
        return hash(frozenset(self._curves.items()))

    def __repr__(self) -> str:
        return repr(self._curves)


NO_CURVES = Curves()
"""Of recipes without any."""


def _check_curve(name: object, curve: object) -> None:
    """Raise a ParameterError unless a curve has a name."""
    if not is_line(name) or not name:
        raise ParameterError(
            "Recipe.curves must have names of 1 to {} characters",
            LONGEST_TEXT,
            got=format_value(name),
        )
    if not isinstance(curve, land_curve.LandCurve):
        raise ParameterError(
            "Recipe.curves: {} must be a curve", format_value(name), got=format_value(curve)
        )


def curves_to_plain(curves: Mapping[str, land_curve.LandCurve]) -> dict[str, object]:
    """Return curves as plain data of JSON."""
    return {name: curve.to_plain() for name, curve in curves.items()}


def curves_from_plain(plain: object) -> dict[str, land_curve.LandCurve]:
    """Return the curves of a recipe that plain data describe.

    Raises
    ------
    RecipeError
        If they are no curves.
    """
    if not isinstance(plain, dict):
        raise RecipeError("Recipe: curves must be an object", got=format_value(plain))
    return {name: curve_from_plain(curve, f"curves.{name}") for name, curve in plain.items()}
