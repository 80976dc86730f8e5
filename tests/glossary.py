# SPDX-License-Identifier: GPL-3.0-or-later
"""Words that have one meaning each, as docs/glossary.md lists them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

GLOSSARY = Path(__file__).resolve().parents[1] / "docs/glossary.md"

ONLY_INTERFACE = " (i)"
"""Mark of a word that pages may use."""

_CODE = re.compile(
    r"^(?:```|~~~).*?^\s*(?:```|~~~)|^ {4,}\S[^\n]*$|`[^`]*`|\]\([^)]*\)|<[^>]*>", re.M | re.S
)
"""Code, and targets of links: names in them are no words."""


@dataclass(frozen=True)
class Rule:
    """A word, others that would mean the same, and phrases in which these mean something else."""

    word: str
    others: tuple[str, ...]
    phrases: tuple[str, ...]

    def mistakes(self, text: str, *, is_page: bool = False) -> list[str]:
        """Return the other words in a text, each with the text around it."""
        if f'"{text}"' in self.phrases:
            return []
        for phrase in self.phrases:
            text = re.sub(rf"(?<!\w){re.escape(phrase)}(?!\w)", "", text, flags=re.IGNORECASE)
        others = [
            other for other in self.others if not (is_page and other.endswith(ONLY_INTERFACE))
        ]
        if not others:
            return []
        words = "|".join(re.escape(other.removesuffix(ONLY_INTERFACE)) for other in others)
        form = re.compile(rf"(?<![\w-])(?:{words})(?![\w-])", re.IGNORECASE)
        return [
            f"{match[0]!r} for {self.word!r}: {text[max(0, match.start() - 40) : match.end() + 40]!r}"
            for match in form.finditer(text)
        ]


def read_rules() -> list[Rule]:
    """Return the rows of the table."""
    rows = re.findall(r"^\| ([^|]*) \| ([^|]*) \|([^|]*)\|$", GLOSSARY.read_text("utf-8"), re.M)
    return [Rule(word, _words(others), _words(phrases)) for word, others, phrases in rows[2:]]


def prose_of(page: str) -> str:
    """Return a page without code, and without the table of words."""
    return _CODE.sub(" ", page.partition("## One word for one thing")[0])


def _words(cell: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in cell.split(",") if word.strip())
