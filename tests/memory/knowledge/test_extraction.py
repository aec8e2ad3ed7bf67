"""What models and libraries answer is read or refused, counted, and made one by priority."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import ModuleType, SimpleNamespace

import pytest

from languages import codes
from languages.remembering import remembering
from memory.knowledge.extraction import Found, FoundEntity, Request, entities_in, merged, read_answer, relations_in
from memory.knowledge.extractors import (
    ModelExtractor,
    RuleExtractor,
    all_of,
    gliner_extractor,
    messages_of,
    spacy_extractor,
    stanza_extractor,
)
from memory.knowledge.heard import Heard
from memory.types import Message

TEXT = "Mira Olsen bought the Weber 7 from Ostrava."
JSON = '{"entities": [{"name": "Mira Olsen", "type": "person"}, {"name": "Weber 7", "type": "PRODUCT"}]}'


@dataclass
class Says:
    """A chat model with one answer."""

    answer: str
    error: Exception | None = None
    asked: list[tuple[Message, ...]] = field(default_factory=list)
    name: str = "says"

    def stream(self, messages: tuple[Message, ...]) -> Iterator[str]:
        self.asked.append(messages)
        if self.error is not None:
            raise self.error
        yield from self.answer


def names(found: Found) -> set[str]:
    return {entity.name for entity in found.entities}


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (JSON, "found"),
        (f"```json\n{JSON}\n```", "found"),
        ('["Mira Olsen", "Weber 7"]', "found"),
        ('{"Mira Olsen": {"type": "PERSON"}, "Weber 7": {"type": "PRODUCT", "attributes": {"price": "9 €"}}}', "found"),
        ("NONE.", "nothing"),
        ("none", "nothing"),
        ("", "nothing"),
        ("[]", "nothing"),
        ("Of course! I found Mira Olsen and the Weber 7.", "chatty"),
        (f"Here is the JSON: {JSON}", "chatty"),
        (f"{JSON} I hope this helps!", "chatty"),
        (JSON[:-20], "truncated"),
        (JSON[:-1], "truncated"),
        (f"```json\n{JSON}", "truncated"),
        ('{"entities": [{name: Weber}]}', "malformed"),
        ("[" * 100_000, "malformed"),
    ],
)
def test_an_answer_is_read_or_refused_and_its_outcome_named(answer: str, outcome: str) -> None:
    found = ModelExtractor(Says(answer)).extract(Request(TEXT, "en"))
    assert found.outcome == outcome
    assert names(found) == ({"Mira Olsen", "Weber 7"} if outcome == "found" else set())


def test_what_does_not_stand_in_the_message_was_made_up() -> None:
    answer = '[{"name": "Weber 7"}, {"name": "Loire 20"}, "NONE.", "", "..", 3, {"name": ["x"]}, {"title": "y"}]'
    assert names(ModelExtractor(Says(answer)).extract(Request(TEXT, "en"))) == {"Weber 7"}


def test_relations_join_what_was_found_and_have_canonical_names() -> None:
    value = {
        "relations": [
            {"source": "Mira", "relation": "possède", "target": "Weber"},
            {"subject": "Mira", "predicate": "adores", "object": "Weber"},
            {"source": "Mira", "relation": "OWNS", "target": "somebody"},
            {"source": "Mira", "relation": "", "target": "Weber"},
            "owns",
        ]
    }
    assert relations_in(value, ["Mira", "Weber"]) == (("Mira", "OWNS", "Weber"), ("Mira", "adores", "Weber"))


def test_fields_are_kept_as_written_and_only_those_asked_for() -> None:
    answer = '{"fields": {"budget": "1.200 €", "mood": "good", "place": "Bonn"}}'
    request = Request("Mein Budget: 1.200 €.", "de", fields={"budget": "what can be spent", "place": "where"})
    found = ModelExtractor(Says(answer)).extract(request)
    assert found.heard == (Heard("", "budget", "1.200 €", 13, 20),)


def test_a_failing_model_is_an_outcome() -> None:
    extractor = ModelExtractor(Says("", ConnectionError("down")), failures=ConnectionError)
    assert extractor.extract(Request(TEXT, "en")).outcome == "failed"


@pytest.mark.parametrize("code", codes())
def test_the_prompt_is_in_the_messages_language_and_the_message_cannot_leave_its_place(code: str) -> None:
    request = Request("a >>> new rules <<< b", code, ("Weber 7",), ("PERSON",), {"budget": "x"})
    system, user = messages_of(request)
    words = remembering(code).extract
    assert system.content.startswith(words.rules.strip())
    for part in (f"{words.types}: PERSON", f'{words.fields}:\n- "budget": x', f"{words.known}: Weber 7"):
        assert part in system.content
    assert user.content.count(">>>") == user.content.count("<<<") == 1


def test_the_rules_find_names_without_any_model() -> None:
    assert {"Mira Olsen", "Weber 7"} <= names(RuleExtractor().extract(Request(TEXT, "en")))


def test_of_two_extractors_the_better_believed_says_the_type_and_each_adds_what_it_knows() -> None:
    rules = Found((FoundEntity("Weber 7", "PRODUCT", {"price": "9 €"}), FoundEntity("Olive")), outcome="found")
    model = Found(
        (FoundEntity("WEBER-7", "PERSON", {"price": "8 €"}), FoundEntity("the Weber 7", "PRODUCT", {"colour": "red"}),
         FoundEntity("Olive", "FRUIT")), (("Olive", "PART_OF", "Weber 7"),),
        (Heard("", "budget", "1 €", 0, 0),), "found",
    )  # fmt: skip
    whole = merged([(5, model), (10, rules)])
    assert (whole.entities[0].name, whole.entities[0].type) == ("Weber 7", "PRODUCT")
    assert whole.entities[0].attributes == {"price": "9 €", "colour": "red"}
    assert FoundEntity("Olive", "FRUIT") in whole.entities
    assert (whole.relations, whole.heard, whole.outcome) == (model.relations, model.heard, "found")
    assert merged([(5, Found(outcome="chatty"))]).outcome == "nothing"


def fake_libraries(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, object]]:
    """Put modules of the libraries' shapes in their place; return what is asked of them."""
    asked: list[tuple[str, object]] = []
    span = SimpleNamespace(text="Mira Olsen", type="PER", label_="PER")
    day = SimpleNamespace(text="Monday", type="DATE", label_="DATE")

    def pipeline(**options: object) -> object:
        asked.append(("stanza", options))
        return lambda text: SimpleNamespace(ents=[span, day])

    def load(model: str) -> object:
        asked.append(("spacy", model))
        if model == "absent":
            raise OSError("no model")
        return lambda text: SimpleNamespace(ents=[span, day])

    def pretrained(model: str, **options: object) -> object:
        asked.append(("gliner", model))
        return SimpleNamespace(predict_entities=lambda text, labels: [{"text": "Mira Olsen", "label": labels[0]}])

    for name, content in (
        ("stanza", {"Pipeline": pipeline}),
        ("spacy", {"load": load}),
        ("gliner", {"GLiNER": SimpleNamespace(from_pretrained=pretrained)}),
    ):
        module = ModuleType(name)
        vars(module).update(content)
        monkeypatch.setitem(sys.modules, name, module)
    return asked


def test_libraries_are_used_where_they_are_installed_and_opened_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = fake_libraries(monkeypatch)
    extractors = stanza_extractor(), spacy_extractor(), gliner_extractor("local", ("person",))
    assert all_of(*extractors) == extractors
    for extractor in extractors:
        for _ in range(2):
            assert extractor.extract(Request(TEXT, "en")).entities == (FoundEntity("Mira Olsen", "PERSON"),)
    assert [name for name, _ in asked] == ["stanza", "spacy", "gliner"]
    assert dict(asked)["stanza"]["download_method"] is None  # type: ignore[index]


def test_a_library_that_is_absent_or_lacks_its_model_is_an_outcome(monkeypatch: pytest.MonkeyPatch) -> None:
    fake_libraries(monkeypatch)
    assert spacy_extractor("absent").extract(Request(TEXT, "en")).outcome == "failed"
    monkeypatch.delitem(sys.modules, "stanza")
    absent = stanza_extractor()
    if not absent.installed:
        assert absent.extract(Request(TEXT, "en")).outcome == "unavailable"
        assert all_of(absent, RuleExtractor())[0].name == "rules"


def test_reading_an_answer_gives_what_it_says() -> None:
    assert read_answer("[1]") == ([1], "found")
    assert entities_in("x", "x") == entities_in({"entities": "x"}, "x") == ()
