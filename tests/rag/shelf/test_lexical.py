"""BM25 as its formula says; an index made from the one before is the one made anew."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from languages.text import spellings, words
from rag.shelf import lexical
from rag.shelf.lexical import LexicalIndex, Stems

TEXTS = {
    "a": "The copper kettle weighs two kilograms.",
    "b": "A kettle of steel, and another kettle of copper, boil water.",
    "c": "The lamp is made of brass.",
    "d": "Kettles, kettles, kettles!",
}


def scores(texts: Sequence[str], question: str) -> list[float]:
    """Return the scores by the formula, one text at a time."""
    stems = Stems("en")
    documents = [stems.of(text) for text in texts]
    usual = sum(map(len, documents)) / len(documents)
    found = []
    for document in documents:
        score = most = 0.0
        for stem in stems.of(question):
            holding = sum(stem in other for other in documents)
            rarity = math.log(1 + (len(documents) - holding + 0.5) / (holding + 0.5))
            length = lexical.K1 * (1 - lexical.B + lexical.B * len(document) / usual)
            score += rarity * document.count(stem) / (document.count(stem) + length)
            most += rarity
        found.append(score / most if most else 0.0)
    return found


@pytest.mark.parametrize(
    "question", ["copper kettle", "the kettles", "kettle kettle brass", "brass", "unheard", "", "the"]
)
def test_scores_are_those_of_the_formula_best_first(question: str) -> None:
    index = LexicalIndex(list(TEXTS), TEXTS.values(), "en")
    by_id = dict(zip(TEXTS, scores(list(TEXTS.values()), question), strict=True))
    found = index.search(question, 10)
    assert dict(found) == pytest.approx({id_: score for id_, score in by_id.items() if score > 0}, rel=1e-5)
    assert [score for _, score in found] == sorted((score for _, score in found), reverse=True)
    assert index.search(question, 1) == found[:1]


def test_words_that_no_passage_has_lower_the_score() -> None:
    index = LexicalIndex(list(TEXTS), TEXTS.values(), "en")
    ((_, alone),) = index.search("brass", 1)
    ((id_, among),) = index.search("aus Messing gefertigt: brass", 1)
    assert id_ == "c"
    assert among < alone / 2


WORDS = st.lists(st.sampled_from("copper kettle lamp brass steel water Müller V-40 1.299,00".split()), max_size=8)


@given(
    before=st.dictionaries(st.sampled_from("abcdefgh"), WORDS),
    after=st.dictionaries(st.sampled_from("efghijkl"), WORDS),
)
def test_an_index_made_from_another_is_the_one_made_anew(
    before: dict[str, list[str]], after: dict[str, list[str]]
) -> None:
    after = {id_: before.get(id_, said) for id_, said in after.items()}  # an id stands for one text
    old = LexicalIndex(list(before), (" ".join(said) for said in before.values()), "de")
    asked: list[str] = []

    def texts(ids: Sequence[str]) -> list[str]:
        asked.extend(ids)
        return [" ".join(after[id_]) for id_ in ids]

    new = old.changed(list(after), texts)
    anew = LexicalIndex(list(after), (" ".join(said) for said in after.values()), "de")
    assert set(asked) == set(after) - set(before)
    for question in ("copper kettle", "V-40 Müller", "1.299,00 brass steel lamp"):
        assert dict(new.search(question, 20)) == pytest.approx(dict(anew.search(question, 20)), rel=1e-5)
        assert {id_ for id_, _ in old.search(question, 20)} <= set(before)  # the old one still answers


@given(st.text(max_size=80))
def test_words_are_spelt_as_they_stand(text: str) -> None:
    assert spellings(text) == [token.text for token in words(text)]


def test_a_model_name_is_found_by_its_parts_and_in_one() -> None:
    assert Stems("en").of("the V-40") == ["v-40", "v", "40", "v40"]
