# SPDX-License-Identifier: GPL-3.0-or-later
"""Code of the pages: blocks of Python between fences, and indented ones."""

from __future__ import annotations

import re
import subprocess
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_FENCED = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
_TITLED = re.compile(r'^```\w+ title="([^"]+)"\n(.*?)^```', re.MULTILINE | re.DOTALL)
_INDENTED = re.compile(r"(?<=\n\n)((?: {4}.*\n|\n(?= {4}))+)")


def fenced(page: str) -> list[str]:
    """Return the blocks of Python of a page between fences."""
    return _FENCED.findall((ROOT / page).read_text(encoding="utf-8"))


def indented(page: str) -> list[str]:
    """Return the indented blocks of a page, of any language."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return [textwrap.dedent(block).strip() + "\n" for block in _INDENTED.findall(text)]


def titled(page: str) -> dict[str, str]:
    """Return the blocks of a page that are files, by the names of these."""
    return dict(_TITLED.findall((ROOT / page).read_text(encoding="utf-8")))


def run_page(page: str, folder: Path) -> list[str]:
    """Run the blocks of a page one after the other in a folder, with its files; return their outputs.

    Warnings are errors. The core is found in the repository.
    """
    for name, text in titled(page).items():
        (folder / name).write_text(text, encoding="utf-8")
    outputs = []
    for code in fenced(page):
        program = f"import sys; sys.path[:0] = [{str(ROOT)!r}, {str(folder)!r}]\n{code}"
        command = [sys.executable, "-W", "error", "-c", program]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{page}:\n{code}\n{done.stderr}"
        outputs.append(done.stdout)
    return outputs
