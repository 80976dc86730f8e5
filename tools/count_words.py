# SPDX-License-Identifier: GPL-3.0-or-later
"""Count the texts of the interface that read badly, against the number that is allowed of each kind.

    python tools/count_words.py            print the counts
    python tools/count_words.py --list     print the texts too

Python needs the modules bpy and Babel. A test holds the limits.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Iterable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from blender_module import start

from translations import template

LENGTH = 80
"""Characters of a tooltip that is read at a glance."""

KINDS = {
    "begins How, Which, What, Where or Whether": re.compile(
        r"(?:How|Which|What|Where|Whether)\b\s"
    ),
    '"got {}"': re.compile(r".*\bgot \{", re.DOTALL),
    f"over {LENGTH} characters": re.compile(rf".{{{LENGTH + 1}}}", re.DOTALL),
    '"share of"': re.compile(r".*\bshares? of\b", re.DOTALL | re.IGNORECASE),
    '"let"': re.compile(r".*\blets?\b", re.DOTALL | re.IGNORECASE),
}
"""Kinds of texts, and the expression that matches the beginning of such a text."""

LIMITS = dict(zip(KINDS, (10, 40, 60, 10, 10), strict=True))
"""Texts of each kind that are allowed: the sentence that is clearest may be one of them."""


def matches(texts: Iterable[str]) -> dict[str, list[str]]:
    """Return the texts of each kind, sorted.

    Parameters
    ----------
    texts : iterable of str
        Texts of the interface in English.

    Returns
    -------
    dict of str to list of str
    """
    known = sorted(texts)
    return {kind: [text for text in known if form.match(text)] for kind, form in KINDS.items()}


def main() -> int:
    """Run the command; return the exit status, 1 if a kind has more texts than its limit."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    start()
    found = matches(str(message.id) for message in template() if message.id)
    for kind, texts in found.items():
        print(f"{len(texts):4} of at most {LIMITS[kind]:3}: {kind}")
        for text in texts if options.list else ():
            print(f"       {text}")
    return int(any(len(texts) > LIMITS[kind] for kind, texts in found.items()))


if __name__ == "__main__":
    status = main()
    sys.stdout.flush()
    os._exit(status)  # the module of 4.5 hangs in an ordinary exit
