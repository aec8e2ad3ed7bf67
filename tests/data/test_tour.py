"""The scripted tours ask what the demonstration corpora answer, where the tour says it stands."""

from __future__ import annotations

import html
import tomllib
from pathlib import Path
from typing import Any

import pytest

DATA = Path(__file__).resolve().parents[2] / "data"
DEMO = DATA / "demo"
LANGUAGES = ("en", "fr", "de", "ar")
KINDS = ("compare", "shop", "support", "choose", "across")

Table = dict[str, Any]

TOURS: list[Table] = tomllib.loads((DEMO / "tour.toml").read_text(encoding="utf-8"))["tour"]
PRODUCTS: Table = tomllib.loads((DEMO / "facts.toml").read_text(encoding="utf-8"))["product"]


TURNS = [
    pytest.param(tour["lang"], turn, id=f"{tour['lang']}-{tour['kind']}-{number}")
    for tour in TOURS
    for number, turn in enumerate(tour["turn"])
]


def loose(text: str) -> str:
    """Return the text with every space an ordinary one, as a reader compares it."""
    return " ".join(html.unescape(text).split())


def text_of(name: str) -> str:
    """Return the text of a document: itself, or what it is made from."""
    made = DATA / "printed" / f"{name}.md"
    return (made if made.exists() else DEMO / name).read_text(encoding="utf-8")


def test_each_language_has_one_tour_a_kind() -> None:
    found = [(tour["lang"], tour["kind"]) for tour in TOURS]
    assert sorted(found) == sorted((lang, kind) for lang in LANGUAGES for kind in KINDS)


@pytest.mark.parametrize("tour", TOURS, ids=lambda tour: f"{tour['lang']}-{tour['kind']}")
def test_tours_have_their_length_and_a_label_that_fits_a_button(tour: Table) -> None:
    assert set(tour) == {"lang", "kind", "starter", "turn"}
    least, most = (6, 9) if tour["kind"] in {"compare", "shop", "support"} else (3, 5)
    assert least <= len(tour["turn"]) <= most
    assert 5 <= len(tour["starter"]) <= 32
    assert not tour["starter"].endswith((".", "?", "؟"))


def test_starters_and_opening_questions_are_told_apart() -> None:
    starters = [(tour["lang"], tour["starter"]) for tour in TOURS]
    assert len(set(starters)) == len(starters)
    opening = [tour["turn"][0]["user"] for tour in TOURS]
    assert len(set(opening)) == len(opening)


@pytest.mark.parametrize(("lang", "turn"), TURNS)
def test_answers_stand_in_the_documents_named(lang: str, turn: Table) -> None:
    if "clarify" in turn:
        assert set(turn) == {"user", "clarify"}
        assert 2 <= len(turn["clarify"]) <= 4
        assert set(turn["clarify"]) <= {product["name"] for product in PRODUCTS.values()}
        return
    assert set(turn) - {"standalone", "begins"} == {"user", "answer", "documents"}
    assert turn["answer"]
    texts = [loose(text_of(name)) for name in turn["documents"]]
    for spellings in (*turn["answer"], *([name] for name in turn.get("begins", ()))):
        assert any(loose(spelling) in text for spelling in spellings for text in texts), spellings


@pytest.mark.parametrize("tour", TOURS, ids=lambda tour: f"{tour['lang']}-{tour['kind']}")
def test_only_tours_across_languages_cite_another_language(tour: Table) -> None:
    cited = {name.split("/")[0] for turn in tour["turn"] for name in turn.get("documents", ())}
    assert (tour["lang"] not in cited) if tour["kind"] == "across" else (cited == {tour["lang"]})


@pytest.mark.parametrize(("lang", "turn"), TURNS)
def test_questions_end_as_their_language_writes_them(lang: str, turn: Table) -> None:
    question = turn["user"]
    match lang:
        case "fr":
            assert question.endswith(("\u202f?", "."))
            assert "'" not in question
        case "ar":
            assert question.endswith(("؟", "."))
            assert "?" not in question
        case _:
            assert question.endswith(("?", "."))
            assert not question.endswith(" ?")
