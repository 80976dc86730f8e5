# SPDX-License-Identifier: GPL-3.0-or-later
"""Connected components of a mask.

Neighbors in a row form a run; touching runs of adjacent rows are joined until every component has
one label.

References
----------
Yossi Shiloach, Uzi Vishkin (1982). An O(log n) parallel connectivity algorithm. Journal of
Algorithms 3. (hooking and pointer jumping)
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..base import blocks

Labels = npt.NDArray[np.intp]


def label_components(mask: npt.NDArray[np.bool_], wrap: bool) -> tuple[Labels, int]:
    """Give numbers to the parts of a mask that hang together along edges or corners of samples.

    Parameters
    ----------
    mask : ndarray of shape (rows, columns), bool
        Samples that count.
    wrap : bool
        Whether opposite edges meet.

    Returns
    -------
    labels : ndarray of shape (rows, columns), intp
        From 0 on; the last number, which is also the second result, stands where the mask is
        False.
    count : int
        How many parts there are.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core.rasters.connected import label_components
    >>> mask = np.array([[1, 1, 0, 0], [0, 0, 0, 1], [0, 0, 1, 1]], bool)
    >>> labels, count = label_components(mask, False)
    >>> count, bool(labels[0, 0] == labels[0, 1] != labels[1, 3] == labels[2, 2])
    (2, True)
    """
    begins = mask.copy()
    begins[:, 1:] &= ~mask[:, :-1]
    runs = int(np.count_nonzero(begins))
    labels = np.cumsum(begins, dtype=np.intp).reshape(mask.shape)
    labels -= 1
    labels[~mask] = runs
    roots = join_runs(*_touching_runs(labels, runs, wrap), runs)
    blocks.checkpoint()
    numbers = np.append(np.cumsum(roots == np.arange(runs, dtype=np.intp), dtype=np.intp) - 1, 0)
    count = int(numbers[runs - 1]) + 1 if runs else 0
    names = np.append(numbers[roots], count)
    blocks.checkpoint()
    return names.take(labels), count


def _touching_runs(labels: Labels, runs: int, wrap: bool) -> tuple[Labels, Labels]:
    """Return the pairs of runs that touch, each at least once."""
    pairs = []
    rows, columns = labels.shape
    above = np.roll(labels, -1, 0) if wrap else labels[1:]
    below = labels if wrap else labels[:-1]
    for shift in (-1, 0, 1):
        blocks.checkpoint()
        if wrap:
            pairs.append((below, np.roll(above, shift, 1)))
        else:
            first, last = max(shift, 0), columns + min(shift, 0)
            pairs.append((below[:, first:last], above[:, first - shift : last - shift]))
    if wrap:
        pairs.append((labels[:, -1:], labels[:, :1]))
    ones, second = [], []
    for upper, lower in pairs:
        blocks.checkpoint()
        are_runs = (upper < runs) & (lower < runs) & (upper != lower)
        upper, lower = upper[are_runs], lower[are_runs]
        blocks.checkpoint()
        # Two runs touch along many samples, which lie one after the other here.
        is_new = np.ones(len(upper), np.bool_)
        is_new[1:] = (upper[1:] != upper[:-1]) | (lower[1:] != lower[:-1])
        ones.append(upper[is_new])
        second.append(lower[is_new])
    return np.concatenate(ones), np.concatenate(second)


def reached(
    mask: npt.NDArray[np.bool_], marked: npt.NDArray[np.bool_], wrap: bool
) -> npt.NDArray[np.bool_]:
    """Return where parts of a mask that hang together have a marked sample; True beside the mask too."""
    labels, count = label_components(mask, wrap)
    has_mark = np.zeros(count + 1, np.bool_)
    blocks.checkpoint()
    has_mark[labels[marked]] = True
    has_mark[count] = True
    blocks.checkpoint()
    return np.asarray(has_mark[labels])


def join_runs(ones: Labels, second: Labels, runs: int) -> Labels:
    """Return the lowest run that each one hangs together with.

    Parameters
    ----------
    ones, second : ndarray of shape (pairs,), intp
        Runs that touch.
    runs : int
        How many there are.
    """
    parents = np.arange(runs, dtype=np.intp)
    while ones.size:
        blocks.checkpoint()
        low, high = np.minimum(ones, second), np.maximum(ones, second)
        # Of several that would hook one run the last wins; the rest come again.
        blocks.checkpoint()
        parents[high] = low
        while True:
            blocks.checkpoint()
            further = parents[parents]
            if np.array_equal(further, parents):
                break
            parents = further
        ones = parents[low]
        blocks.checkpoint()
        second = parents[high]
        blocks.checkpoint()
        apart = ones != second
        ones, second = ones[apart], second[apart]
    return parents
