"""What holds of every resolution, whatever was said before: its links give its standalone question."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from languages import codes
from memory import Discourse, Link, Name, NameIndex, Resolution, replay, resolve
from tests.memory.reference.talking import after

# Words that refer, names to refer to and what stands between: enough that most drawn messages do refer to something.
_PIECES = {
    "en": "it its they their them this that one the other both former second cheaper there then and what about how "
    "much is does Velda 12 Velda 14 Brontor lamp price weigh cost battery Nora Feld or of from ? . ,",
    "fr": "il elle le la les l' lui leur son sa ses celui celle de du et pour combien coûte est - t-il y en autre deux "
    "premier ce cette lampe Velda 12 Velda 14 Brontor prix garantie Nora Feld ou où quel ? . , «»",
    "de": "er sie es der die das den dem sein seine ihr ihre davon damit dort und was kostet wie viel ist andere beide "
    "erste dieser diese Lampe Velda 12 Velda 14 Brontor Preis Garantie Nora Feld oder von ? . ,",
    "ar": "هو هي هما سعره سعرها ضمانه وزنها منه لها هذا هذه ذلك الأول الثاني الآخر كلاهما وماذا عن كم ما أين هناك "
    "الهاتف هاتف شركة Velda 12 Velda 14 Brontor السعر الضمان أو و ؟ . ،",
}
_NAMES = (
    Name("Velda 12", "PRODUCT"),
    Name("Velda 14", "PRODUCT"),
    Name("Brontor", "ORGANIZATION"),
    Name("Nora Feld", "PERSON", ("Feld",)),
)


def messages(code: str) -> st.SearchStrategy[str]:
    """Return messages of a language: its small words and names in any order, now and then anything at all."""
    said = st.lists(st.sampled_from(_PIECES[code].split()), max_size=9).map(" ".join)
    return st.one_of(said, said, said, said.map(str.capitalize), st.text(max_size=40))


def hold(resolution: Resolution, question: str) -> None:
    """Assert what every resolution promises."""
    assert resolution.question == question
    assert replay(question, resolution.links) == resolution.standalone
    for link in resolution.links:
        start, end = link.anchor
        assert 0 <= link.start <= link.end <= len(question)
        assert 0 <= start <= end <= len(question)
        assert question[start:end] == link.text
        assert link.entities
        assert all(link.entities)
    ordered = sorted(resolution.links, key=lambda link: (link.start, link.end))
    assert all(left.end <= right.start for left, right in pairwise(ordered))
    if resolution.status == "unchanged":
        assert resolution.standalone == question
        assert resolution.links == ()
    if resolution.status == "resolved":
        assert resolution.links
    names = [candidate.name for candidate in resolution.candidates]
    if resolution.status == "ambiguous":
        assert resolution.standalone == question
        assert resolution.links == ()
        assert 2 <= len(names) <= 4
        assert len(set(names)) == len(names)
    else:
        assert names == []


def test_edits_are_made_where_they_stand_in_whatever_order_they_come() -> None:
    first = Link("it", (3, 5), ("A",), 3, 5, "the A")
    second = Link("", (13, 13), ("B",), 13, 13, " of B")
    assert replay("Is it cheaper?", (second, first)) == replay("Is it cheaper?", (first, second))
    assert replay("Is it cheaper?", (first, second)) == "Is the A cheaper of B?"
    assert replay("Is it cheaper?", ()) == "Is it cheaper?"


@pytest.mark.parametrize("code", codes())
@settings(max_examples=80, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_replaying_the_links_gives_the_standalone_question(code: str, data: st.DataObject) -> None:
    catalog = NameIndex.of(_NAMES)
    before = data.draw(st.lists(messages(code), max_size=4))
    question = data.draw(messages(code))
    discourse = after(code, before, catalog)
    hold(resolve(question, discourse, catalog=catalog, language=code), question)


@pytest.mark.parametrize("code", codes())
@settings(max_examples=40)
@given(question=st.text(max_size=60))
@example(question="")
def test_a_first_question_stays_where_nothing_is_known(code: str, question: str) -> None:
    resolution = resolve(question, Discourse(), catalog=NameIndex.of(()), language=code)
    hold(resolution, question)
    assert resolution.status == "unchanged"


@pytest.mark.parametrize("code", codes())
@settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_the_same_conversation_is_understood_the_same_way_twice(code: str, data: st.DataObject) -> None:
    catalog = NameIndex.of(_NAMES)
    before = data.draw(st.lists(messages(code), max_size=3))
    question = data.draw(messages(code))
    first, second = (resolve(question, after(code, before, catalog), catalog=catalog, language=code) for _ in "12")
    assert first == second
