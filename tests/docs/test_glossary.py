# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages have one word for one thing, and the glossary defines it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.glossary import GLOSSARY, prose_of, read_rules

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = sorted(path for path in DOCS.rglob("*.md") if "api" not in path.relative_to(DOCS).parts)


def test_the_words_are_defined():
    rules = read_rules()
    text = GLOSSARY.read_text("utf-8").lower()
    assert len(rules) == 12
    for rule in rules:
        assert f"**{rule.word}.**" in text, rule.word
        assert rule.others, rule.word


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(DOCS)))
def test_pages_have_one_word_for_one_thing(page):
    prose = prose_of(page.read_text("utf-8"))
    mistakes = [line for rule in read_rules() for line in rule.mistakes(prose, is_page=True)]
    assert not mistakes, "\n".join(mistakes)


def test_other_words_are_seen():
    rules = {rule.word: rule for rule in read_rules()}
    assert rules["terrain"].mistakes("The Land is high") and rules["image"].mistakes("a picture")
    assert not rules["image"].mistakes("a picture", is_page=True)
    assert not rules["terrain"].mistakes("measured land, islands, on land: landscape")
    code = "a `land`\n```\nland\n```\n\n    land = 1\n\n[b](land.md)"
    assert prose_of(code).split() == ["a", "[b"]
