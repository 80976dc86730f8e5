# SPDX-License-Identifier: GPL-3.0-or-later
"""What only the person who publishes the packages knows: where the site lies, and who answers users."""

from __future__ import annotations

import re
from pathlib import Path


def complete_package(path: Path, given: dict[str, str]) -> None:
    """Write the website and the maintainer into the description of the packages, where they are given."""
    text = path.read_text(encoding="utf-8")
    if given["maintainer"]:
        name, address = re.fullmatch(r"(.+) <(.+)>", given["maintainer"]).groups()  # type: ignore[union-attr]
        line = f'\nmaintainers = [{{ name = "{name}", email = "{address}" }}]\nkeywords = '
        text = text.replace("\nkeywords = ", line, 1)
    if given["website"]:
        site = given["website"].rstrip("/")
        urls = f'Homepage = "{site}"\nDocumentation = "{site}/api/index.html"'
        text = text.replace(
            "\n[project.scripts]\n", f"\n[project.urls]\n{urls}\n\n[project.scripts]\n", 1
        )
    path.write_text(text, encoding="utf-8")
