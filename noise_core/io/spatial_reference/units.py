# SPDX-License-Identifier: GPL-3.0-or-later
"""Units of lengths and angles by their names and EPSG codes.

References
----------
IOGP (2025). EPSG geodetic parameter dataset, units of measure.
"""

from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Mapping

from . import tables

LENGTH, ANGLE = "length", "angle"


@dataclasses.dataclass(frozen=True)
class Unit:
    """Unit of a length or an angle.

    Attributes
    ----------
    kind : str
        `LENGTH` or `ANGLE`.
    size : float
        In meters, or in degrees.
    """

    kind: str
    size: float


_MORE_NAMES: Mapping[int, str] = {
    9001: "meter metre meters metres mtr mts",
    9002: "foot feet foot_international international_foot international_feet ft_intl",
    9003: "us_survey_foot us_survey_feet foot_us us_foot us_feet us_ft ft_us ftus survey_foot "
    "survey_feet us_foot_survey foot_survey_us u_s_survey_foot u_s_survey_feet us_surveyfoot "
    "united_states_survey_foot footus usft feet_us sft",
    9014: "fathoms fathom_international",
    9030: "nautical_miles nmi international_nautical_mile",
    9035: "us_survey_miles us_mile",
    9036: "kilometer kilometre kilometers kilometres",
    9093: "mile miles statute_miles international_mile",
    9096: "yards international_yard yd",
    9097: "chains international_chain",
    9098: "links international_link",
    1025: "millimeter millimetre millimeters millimetres",
    1033: "centimeter centimetre centimeters centimetres",
    109005: "decimeter decimetre decimeters decimetres dm",
    109008: "inches inch_international",
    109002: "us_survey_yard us_yd",
    109009: "us_survey_inch us_in us_inch",
    9101: "radians",
    9102: "degrees deg dd decimal_degree decimal_degrees decimaldegrees",
    9103: "minute minutes arcminute arcminutes arc_minutes",
    9104: "second seconds arcsecond arcseconds arc_seconds arcsec",
    9105: "grade grades gon gons grads gradian gradians",
}
"""Names that programs and people write beside those of EPSG, ESRI and PROJ, by code."""


def unit_of(name: str | int | float) -> Unit | None:
    """Return a unit by its EPSG code or its name in EPSG, ESRI, GDAL or PROJ; None if it is not known.

    Case, plural and the signs between words do not count: "US survey foot", "Foot_US" and "ftUS" are one. Any other
    sign does: a micrometer is no meter. "nm" is a nautical mile for some, a nanometer for others, and so none here.
    """
    if isinstance(name, (int, float)):
        return _by_code().get(int(name))
    return _by_name().get(_plain(name)) if _plain(name) else None


def _plain(name: str) -> str:
    """Return a name without the signs between its words; empty if it has others."""
    plain = re.sub(r"(?<=.)[-_](?=.)|[\s.,()\[\]'\"]", "", name.lower())
    return plain if re.fullmatch("[a-z0-9]+", plain) else ""


@functools.cache
def _by_code() -> Mapping[int, Unit]:
    return {code: Unit(kind, size) for kind, code, size, _ in tables.units()}


@functools.cache
def _by_name() -> Mapping[str, Unit]:
    names: dict[str, Unit] = {}
    for kind, code, size, known in tables.units():
        for name in (*known, *_MORE_NAMES.get(code, "").split()):
            names.setdefault(_plain(name), Unit(kind, size))
    return names
