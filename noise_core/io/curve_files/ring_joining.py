# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines that go on in each other, as one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from .file_lines import Row


def join_ends(
    pieces: Sequence[Sequence[Row]], *, may_turn: bool
) -> Iterator[tuple[list[Row], bool]]:
    """Yield lines of pieces that end where others begin, and whether they close; of these without the last place.

    Parameters
    ----------
    pieces : sequence of sequences of places
    may_turn : bool
        Whether pieces may run either way.

    Examples
    --------
    >>> from noise_core.io.curve_files.ring_joining import join_ends
    >>> pieces = [[(0.0, 0.0), (1.0, 0.0)], [(0.0, 0.0), (0.0, 1.0), (1.0, 0.0)]]
    >>> list(join_ends(pieces, may_turn=True))
    [([(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)], True)]
    """
    waiting: dict[Row, list[int]] = defaultdict(list)
    for number, piece in enumerate(pieces):
        if len(piece) > 1:
            waiting[piece[0]].append(number)
            waiting[piece[-1]].append(number)
    taken = [len(piece) < 2 for piece in pieces]

    def grow(line: list[Row], at_end: bool) -> None:
        """Take pieces on at one end until none fits, or the line closes."""
        while line[0] != line[-1]:
            place = line[-1] if at_end else line[0]
            end = 0 if at_end else -1
            fitting = [
                number
                for number in waiting[place]
                if not taken[number] and (may_turn or pieces[number][end] == place)
            ]
            if not fitting:
                return
            taken[fitting[0]] = True
            piece = list(pieces[fitting[0]])
            if piece[end] != place:
                piece.reverse()
            if at_end:
                line.extend(piece[1:])
            else:
                line[:0] = piece[:-1]

    for number, piece in enumerate(pieces):
        if taken[number]:
            continue
        taken[number] = True
        line = list(piece)
        grow(line, at_end=True)
        grow(line, at_end=False)
        is_closed = len(line) > 3 and line[0] == line[-1]
        yield (line[:-1] if is_closed else line), is_closed
