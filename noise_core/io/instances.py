# SPDX-License-Identifier: GPL-3.0-or-later
"""Copies of a mesh: where each is, how it is turned and how large it is.

References
----------
Shepperd (1978). Quaternion from rotation matrix. Journal of Guidance and Control 1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.float64]

AXES = "x east, y north, z up, in meters; rotations are quaternions x, y, z, w"


@dataclass(frozen=True, eq=False)
class MeshInstances:
    """Copies of one mesh. Axes: x east, y north, z up, in meters.

    Attributes
    ----------
    name : str
        Of the mesh.
    points : ndarray of shape (vertices, 3), float32
        Of the mesh.
    triangles : ndarray of shape (triangles, 3), int32
    positions : ndarray of shape (copies, 3), float64
    rotations : ndarray of shape (copies, 4), float64
        Unit quaternions: x, y, z, w.
    scales : ndarray of shape (copies, 3), float64
    """

    name: str
    points: npt.NDArray[np.float32]
    triangles: npt.NDArray[np.int32]
    positions: Numbers
    rotations: Numbers
    scales: Numbers

    @classmethod
    def of_matrices(
        cls,
        name: str,
        points: npt.NDArray[np.float32],
        triangles: npt.NDArray[np.int32],
        matrices: Numbers,
    ) -> MeshInstances:
        """Return copies by their matrices, shape (copies, 4, 4).

        Files have no shear: of a foot that follows the slope the copy keeps its upright axis.
        """
        turned = _without_shear(matrices[:, :3, :3])
        scales = np.sqrt((turned * turned).sum(axis=1))
        # A mirrored copy: one axis points the other way.
        first, second, third = (turned[:, :, axis] for axis in range(3))
        scales[:, 0] *= np.where((np.cross(first, second) * third).sum(axis=1) < 0.0, -1.0, 1.0)
        unit = turned / np.where(scales == 0.0, 1.0, scales)[:, np.newaxis]
        return cls(name, points, triangles, matrices[:, :3, 3].copy(), _quaternions(unit), scales)


def _without_shear(matrices: Numbers) -> Numbers:
    """Return matrices, shape (n, 3, 3), with right angles between their axes: the last keeps its direction."""
    result = matrices.copy()
    for axis, others in ((0, (2,)), (1, (2, 0))):
        for other in others:
            beside = result[:, :, other]
            length = (beside * beside).sum(axis=1)
            share = (result[:, :, axis] * beside).sum(axis=1) / np.where(length == 0.0, 1.0, length)
            result[:, :, axis] -= share[:, np.newaxis] * beside
    return result


def _quaternions(turned: Numbers) -> Numbers:
    """Return the quaternions of rotation matrices, shape (n, 3, 3)."""
    a, b, c = turned[:, 0, 0], turned[:, 1, 1], turned[:, 2, 2]
    squares = np.stack((1 + a - b - c, 1 - a + b - c, 1 - a - b + c, 1 + a + b + c), axis=-1)
    lengths = 0.5 * np.sqrt(np.maximum(squares, 0.0))
    for axis, (row, column) in enumerate(((2, 1), (0, 2), (1, 0))):
        way = turned[:, row, column] - turned[:, column, row]
        lengths[:, axis] = np.copysign(lengths[:, axis], way)
    return np.asarray(lengths / np.sqrt((lengths * lengths).sum(axis=1))[:, np.newaxis])
