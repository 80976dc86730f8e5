# SPDX-License-Identifier: GPL-3.0-or-later
"""Cosine and sine by polynomials, with the same bits on every processor (unlike NumPy's)."""

from __future__ import annotations

import numpy as np

from ..base.arrays import Field


def constant(value: float) -> Field:
    """Return a number as a zero-dimensional array.

    NumPy takes half as long to begin with it as with a scalar. That counts where threads take turns
    to begin: between two steps, each of some microseconds, one holds the interpreter's lock.
    """
    return np.array(value, np.float32)


# Polynomials in x^2 nearest to sqrt(2) sin(pi x) / x and sqrt(2) cos(pi x) on [0, 1/2] (Remez's
# exchange in float64), highest power first. The double angle then gives sin(2 pi x) as their product
# and cos(2 pi x) as 1 - sine^2, both within 8e-7 for float32 arguments, rounding included.
_SINE = tuple(
    constant(c)
    for c in (0.10982698852569164, -0.846112886264624, 3.6063544115059396, -7.308245696160101)
)
_SINE_LAST = constant(4.442882919199708)
_COSINE = tuple(
    constant(c)
    for c in (0.31069819231686724, -1.8835629875540871, 5.739461170720994, -6.97885098824092)
)
_COSINE_LAST = constant(1.4142134965650288)
_ONE = constant(1.0)


def cosine_sine(turns: Field, cosine: Field, sine: Field, scratch: Field) -> None:
    """Write cos(2 pi x) and sin(2 pi x) of angles given in turns.

    Parameters
    ----------
    turns : ndarray, float32
        In [-1/2, 1/2].
    cosine, sine, scratch : ndarrays of that shape, float32
        Three others, written to; the error is below 1e-6.
    """
    np.multiply(turns, turns, out=scratch)
    _polynomial(scratch, _SINE, _SINE_LAST, cosine)
    cosine *= turns
    _polynomial(scratch, _COSINE, _COSINE_LAST, sine)
    sine *= cosine
    cosine *= cosine
    np.subtract(_ONE, cosine, out=cosine)


def _polynomial(x: Field, coefficients: tuple[Field, ...], last: Field, out: Field) -> None:
    """Write a polynomial by Horner's rule, highest power first."""
    np.multiply(x, coefficients[0], out=out)
    for coefficient in coefficients[1:]:
        out += coefficient
        out *= x
    out += last
