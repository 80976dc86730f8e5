# SPDX-License-Identifier: GPL-3.0-or-later
"""Every link outside of the site leads somewhere: README, CONTRIBUTING, CHANGELOG, examples.

The site's own links are checked by MkDocs and by test_site.py.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("examples/**/*.md")])
LINK = re.compile(
    r"!?\[[^\]]*\]\(([^)\s]+)(?:\s+\"[^\"]*\")?\)|<(?:img|a)\s[^>]*(?:src|href)=\"([^\"]+)\""
)
CODE = re.compile(r"```.*?```|`[^`\n]*`|^(?: {4}|\t)[^\n]*$", re.DOTALL | re.MULTILINE)
HEADING = re.compile(r"^#+\s+(.+?)\s*#*$", re.MULTILINE)


def _links(page: Path) -> list[str]:
    text = CODE.sub("", page.read_text(encoding="utf-8"))
    links = [first or second for first, second in LINK.findall(text)]
    return [link for link in links if not re.match(r"[a-z]+:", link)]


def _anchors(page: Path) -> set[str]:
    """Return the names that headings get, as code forges make them."""
    headings = HEADING.findall(page.read_text(encoding="utf-8"))
    plain = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings)
    return {text.replace(" ", "-") for text in plain}


def test_there_is_a_readme():
    assert ROOT / "README.md" in PAGES


def test_the_readme_stays_short():
    assert len((ROOT / "README.md").read_text(encoding="utf-8").split()) <= 490


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    broken = []
    for link in _links(page):
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        if not target.exists() or (
            anchor and target.suffix == ".md" and anchor not in _anchors(target)
        ):
            broken.append(link)
    assert broken == []
