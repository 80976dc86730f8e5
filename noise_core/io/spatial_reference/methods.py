# SPDX-License-Identifier: GPL-3.0-or-later
"""Map projections by the names that files give them: true to scale, onto a cylinder, or neither.

A projection counts as true to scale where surveys and countries are mapped with it, so that its meters are
those of the land within its area of use: conformal, azimuthal and conic ones. Those onto a cylinder around
the equator have a scale that is known from latitude alone.

References
----------
IOGP (2019). Geomatics guidance note 373-07-2: coordinate conversions and transformations.
OGC (2015). Well-known text representation of coordinate reference systems, 12-063r5, annex E.
"""

from __future__ import annotations

import dataclasses
import math
import re

from ...base.cylinders import Cylinder
from ...base.ellipsoid import Ellipsoid
from ...base.errors import ParameterError

_TRUE_TO_SCALE = frozenset(
    """
    transverse_mercator transverse_mercator_3d transverse_mercator_complex gauss_kruger
    transverse_mercator_south_orientated transverse_mercator_south_oriented
    transverse_mercator_zoned_grid_system
    lambert_conformal_conic lambert_conformal_conic_1sp lambert_conformal_conic_2sp
    lambert_conformal_conic_2sp_belgium lambert_conformal_conic_2sp_michigan
    lambert_conformal_conic_1sp_variant_b lambert_conformal_conic_west_orientated
    lambert_conic_conformal_1sp lambert_conic_conformal_2sp lambert_conic_conformal_2sp_belgium
    lambert_conic_conformal_2sp_michigan lambert_conic_conformal_1sp_variant_b
    lambert_conic_conformal_west_orientated lambert_conic_near_conformal
    hotine_oblique_mercator hotine_oblique_mercator_variant_a hotine_oblique_mercator_variant_b
    hotine_oblique_mercator_azimuth_center hotine_oblique_mercator_azimuth_natural_origin
    hotine_oblique_mercator_two_point_center hotine_oblique_mercator_two_point_natural_origin
    oblique_mercator rectified_skew_orthomorphic_center rectified_skew_orthomorphic_natural_origin
    rectified_skewed_orthomorphic_center rectified_skewed_orthomorphic_natural_origin
    swiss_oblique_mercator swiss_oblique_cylindrical laborde_oblique_mercator
    krovak krovak_north_orientated krovak_modified krovak_modified_north_orientated
    oblique_stereographic double_stereographic stereographic stereographic_north_pole
    stereographic_south_pole polar_stereographic polar_stereographic_variant_a
    polar_stereographic_variant_b polar_stereographic_variant_c
    lambert_azimuthal_equal_area lambert_azimuthal_equal_area_spherical
    azimuthal_equidistant modified_azimuthal_equidistant guam_projection
    albers albers_equal_area albers_conic_equal_area equidistant_conic
    cassini cassini_soldner hyperbolic_cassini_soldner
    polyconic american_polyconic bonne bonne_south_orientated
    new_zealand_map_grid tunisia_mining_grid tunisia_mapping_grid
    colombia_urban igac_plano_cartesiano local local_orthographic
    """.split()
)
"""Names as `plain_name` gives them."""

_MERCATOR_1SP = frozenset({"mercator_1sp", "mercator_variant_a"})
_MERCATOR = _MERCATOR_1SP | {"mercator", "mercator_2sp", "mercator_variant_b"}
_MERCATOR_VARIANT_C = "mercator_variant_c"
_MERCATOR_OF_A_SPHERE = frozenset({"mercator_spherical", "mercator_1sp_spherical"})
_PSEUDO_MERCATOR = frozenset({"popular_visualisation_pseudo_mercator", "mercator_auxiliary_sphere"})
_EQUIRECTANGULAR = frozenset(
    """
    equidistant_cylindrical equidistant_cylindrical_spherical equidistant_cylindrical_ellipsoidal
    equirectangular plate_carree
    """.split()
)
_EQUAL_AREA = frozenset(
    """
    lambert_cylindrical_equal_area lambert_cylindrical_equal_area_ellipsoidal
    cylindrical_equal_area behrmann
    """.split()
)
_EQUAL_AREA_OF_A_SPHERE = frozenset({"lambert_cylindrical_equal_area_spherical"})
_MILLER = frozenset({"miller_cylindrical"})
_FIXED = {"behrmann": 30.0, "plate_carree": 0.0}
"""Latitude that is true to scale of those that have no choice: programs differ on files that say another one."""


_FLATTEST = 0.005
"""Flattening up to which the mean of programs is within half a percent of each on projections of a sphere."""


@dataclasses.dataclass(frozen=True)
class ProjectionParameters:
    """Parameters of a projection as far as cylinders have them; angles in degrees, lengths in meters.

    Attributes
    ----------
    latitude : float
        Of the natural origin.
    parallel : float
        Where it is true to scale.
    meridian : float
        Of the natural origin, east of Greenwich.
    scale : float
        At the natural origin.
    easting, northing : float
        False ones, or those of the false origin.
    false_latitude : float
        Latitude of the false origin, by which the third kind of Mercator counts.
    sphere : int
        ESRI's type of an auxiliary sphere.
    """

    latitude: float = 0.0
    parallel: float = 0.0
    meridian: float = 0.0
    scale: float = 1.0
    easting: float = 0.0
    northing: float = 0.0
    false_latitude: float = 0.0
    sphere: int = 0


def plain_name(name: str) -> str:
    """Return a name in lower case, with underscores alone between its words."""
    return re.sub(r"[^a-z0-9]+", "_", name.lower().replace("\u00e9", "e")).strip("_")


def cylinder_of(
    method: str, parameters: ProjectionParameters, body: Ellipsoid, name: str
) -> Cylinder | None:
    """Return the cylinder that a projection is onto; None if it is true to scale.

    Parameters
    ----------
    method : str
        Name of the projection in EPSG, in WKT of OGC or in WKT of ESRI.
    parameters : ProjectionParameters
    body : Ellipsoid
    name : str
        Of the file, for messages.

    Raises
    ------
    ParameterError
        If it is neither, or no projection that is known.
    """
    plain = plain_name(method)
    if plain in _TRUE_TO_SCALE:
        return None
    cylinder = None
    is_fixed = plain in _FIXED and parameters.parallel not in (0.0, _FIXED[plain])
    if plain in _EQUIRECTANGULAR and body.flattening <= _FLATTEST and not is_fixed:
        cylinder = _equidistant(parameters, body)
    elif plain in _MERCATOR | _MERCATOR_OF_A_SPHERE | _PSEUDO_MERCATOR | {_MERCATOR_VARIANT_C}:
        cylinder = _mercator(plain, parameters, body)
    elif plain in _EQUAL_AREA | _EQUAL_AREA_OF_A_SPHERE | _MILLER and not parameters.latitude:
        cylinder = None if is_fixed else _other_cylinder(plain, parameters, body)
    if cylinder is None:
        raise ParameterError(
            "{}: the projection must be one whose scale is known; got {!r}: give system, such as "
            "'local' for its meters as they are",
            *(name, method),
        )
    # On a sphere both ways to take the formulas are the same.
    return cylinder if body.flattening else dataclasses.replace(cylinder, radius=0.0)


def _mercator(plain: str, parameters: ProjectionParameters, body: Ellipsoid) -> Cylinder | None:
    """Return Mercator's cylinder; None if its parameters are none that is known."""
    parallel = math.radians(parameters.parallel)
    scale = parameters.scale * body.along_parallel(parallel) / body.radius
    origin = (parameters.meridian, parameters.easting, parameters.northing)
    if plain in _PSEUDO_MERCATOR:
        if parameters.sphere not in (0, 1, 3) or parameters.latitude or parallel:
            return None
        radius = _auxiliary_radius(body, parameters.sphere)
        return Cylinder("mercator", 1.0, *origin, radius)
    if plain in _MERCATOR_1SP | _MERCATOR_OF_A_SPHERE and parameters.latitude:
        return None
    if plain in _MERCATOR - _MERCATOR_1SP and parameters.scale != 1.0:  # programs differ on it
        return None
    if plain in _MERCATOR_OF_A_SPHERE and body.flattening > _FLATTEST:
        return None
    if plain in _MERCATOR_OF_A_SPHERE and body.flattening:  # of the curvature at the equator
        radius = body.radius * math.sqrt(1.0 - body.eccentricity_squared)
        return Cylinder("mercator", parameters.scale * math.cos(parallel), *origin, radius)
    cylinder = Cylinder("mercator", scale, *origin)
    if plain == _MERCATOR_VARIANT_C:
        false = Cylinder("mercator", scale).northing_of(
            body, math.radians(parameters.false_latitude)
        )
        return dataclasses.replace(cylinder, northing=parameters.northing - false)
    return cylinder


def _equidistant(parameters: ProjectionParameters, body: Ellipsoid) -> Cylinder:
    scale = body.along_parallel(math.radians(parameters.parallel)) / body.radius
    cylinder = Cylinder("equirectangular", scale, parameters.meridian, parameters.easting)
    origin = cylinder.northing_of(body, math.radians(parameters.latitude))
    return dataclasses.replace(cylinder, northing=parameters.northing - origin)


def _other_cylinder(plain: str, parameters: ProjectionParameters, body: Ellipsoid) -> Cylinder:
    parallel = math.radians(_FIXED.get(plain, parameters.parallel))
    origin = (parameters.meridian, parameters.easting, parameters.northing)
    if plain in _MILLER:
        return Cylinder("miller", 1.0, *origin, body.authalic_radius)
    if plain in _EQUAL_AREA_OF_A_SPHERE:
        return Cylinder("equal_area", math.cos(parallel), *origin, body.authalic_radius)
    return Cylinder("equal_area", body.along_parallel(parallel) / body.radius, *origin)


def _auxiliary_radius(body: Ellipsoid, kind: int) -> float:
    """Return the radius of ESRI's auxiliary sphere: of the equator, the poles, or the same surface."""
    radii = {0: body.radius, 1: body.radius * (1.0 - body.flattening), 3: body.authalic_radius}
    return radii[kind]
