"""Each row of ``docs/seeds.md``: the memories that people know, with their names and without their faults."""

from __future__ import annotations

import asyncio
import inspect
import json
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from languages import codes, load
from languages.remembering import remembering
from memory import seeds
from memory.knowledge.profile import read_schema
from memory.seeds import (
    ChatMessage,
    ConversationEntityMemory,
    Entity,
    EntityMemory,
    EntityProfile,
    EntityStore,
    ExpiringEntityMemory,
    PersistentEntityMemory,
    RAGWithEntityMemory,
    RelationalEntityMemory,
    entity_types,
    extract,
    extract_entities,
    merge_entity_attribute,
)

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)


@dataclass
class Model:
    """A model of both shapes that says what it is told, in order, the last again and again."""

    answers: Sequence[str]
    asked: list[str] = field(default_factory=list)

    def invoke(self, prompt: str) -> str:
        self.asked.append(prompt)
        return self.answers[min(len(self.asked), len(self.answers)) - 1]

    def generate(self, prompt: str, max_tokens: int = 256) -> str:
        return self.invoke(prompt)


class Broken:
    def generate(self, prompt: str, max_tokens: int = 256) -> str:
        raise TimeoutError("too late")


@pytest.fixture
def closing() -> Iterator[list[object]]:
    opened: list[object] = []
    yield opened
    for each in opened:
        each.close()  # type: ignore[attr-defined]


def found(*entities: tuple[str, str, dict[str, object]], relations: Sequence[tuple[str, str, str]] = ()) -> str:
    listed = [{"name": name, "type": type_, "attributes": attributes} for name, type_, attributes in entities]
    drawn = [{"source": one, "relation": said, "target": other} for one, said, other in relations]
    return json.dumps({"entities": listed, "relations": drawn}, ensure_ascii=False)


# ------------------------------------------------------------------ ConversationEntityMemory


def tell(memory: ConversationEntityMemory, said: str, answered: str = "Noted.") -> None:
    memory.save_context({memory.input_key: said}, {memory.output_key: answered})


def test_its_constructor_takes_the_keywords_that_people_use() -> None:
    names = list(inspect.signature(ConversationEntityMemory).parameters)
    assert names[:6] == ["llm", "memory_key", "input_key", "output_key", "lang", "entity_extraction_prompt"]


def test_what_was_said_of_an_entity_comes_back_as_sentences_with_a_prefix_in_its_language(
    closing: list[object],
) -> None:
    for code in codes():
        memory = ConversationEntityMemory(Model(["Nora Lindqvist, Baltica Foods"]), lang=code)
        closing.append(memory)
        tell(memory, "Nora Lindqvist moved to Baltica Foods. It is raining.", "Good for her!")
        told = memory.load_memory_variables({"input": "What about Nora Lindqvist?"})["entity_info"]
        prefix = remembering(code).context.replace("{entity}", "Nora Lindqvist")
        assert told == f"{prefix}\nNora Lindqvist moved to Baltica Foods.", "the sentence, not the whole turn"


def test_names_are_matched_in_any_spelling_types_are_real_and_the_first_spelling_is_shown(
    closing: list[object],
) -> None:
    memory = ConversationEntityMemory(Model(["Nora Lindqvist, Baltica Foods", "NORA LINDQVIST"]))
    closing.append(memory)
    tell(memory, "Nora Lindqvist moved to Baltica Foods.")
    tell(memory, "NORA LINDQVIST is an engineer.")
    assert memory.list_entities() == ["Nora Lindqvist", "Baltica Foods"]
    info = memory.get_entity_info("nora lindqvist")
    assert info is not None
    assert list(info) == ["name", "type", "contexts_count", "first_seen", "last_seen", "recent_contexts"]
    assert (info["name"], info["type"], info["contexts_count"]) == ("Nora Lindqvist", "PERSON", 2)
    assert memory.get_entity_info("Mara") is None
    assert memory.get_memory_stats() == {
        "type": "ConversationEntityMemory",
        "entity_count": 2,
        "message_count": 2,
        "total_contexts": 3,
        "extraction_outcomes": {"found": 2},
    }


def test_a_failing_model_is_seen_and_never_an_empty_list_in_silence(closing: list[object]) -> None:
    for llm, outcome in ((Broken(), "failed"), (Model(["NONE."]), "nothing"), (Model(['[{"name": "No']), "truncated")):
        memory = ConversationEntityMemory(llm)
        closing.append(memory)
        tell(memory, "Nora Lindqvist called.")
        assert memory.list_entities() == []
        assert memory.get_memory_stats()["extraction_outcomes"] == {outcome: 1}
        assert memory.get_memory_stats()["message_count"] == 1


def test_without_a_model_it_reads_by_rules_or_by_stanza(monkeypatch: pytest.MonkeyPatch, closing: list[object]) -> None:
    monkeypatch.delitem(sys.modules, "stanza", raising=False)
    memory = ConversationEntityMemory()
    closing.append(memory)
    if not hasattr(memory._extractor, "installed"):
        tell(memory, "Nora Lindqvist called about the Vega 15.")
        assert set(memory.list_entities()) == {"Nora Lindqvist", "Vega 15"}
    module = ModuleType("stanza")
    asked: list[dict[str, object]] = []

    def pipeline(**options: object) -> object:
        asked.append(options)
        return lambda text: SimpleNamespace(ents=[SimpleNamespace(text="Riga", type="LOC")])

    vars(module)["Pipeline"] = pipeline
    monkeypatch.setitem(sys.modules, "stanza", module)
    other = ConversationEntityMemory(lang="de")
    closing.append(other)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: tell(other, f"Nach Riga, {n}!"), range(8)))
    assert other.list_entities() == ["Riga"]
    assert len(asked) == 1
    assert asked[0]["lang"] == "de"


def test_many_threads_lose_no_turn_and_sentences_are_kept_once(closing: list[object]) -> None:
    memory = ConversationEntityMemory(Model(["Nora Lindqvist"]))
    closing.append(memory)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: tell(memory, f"Nora Lindqvist has {n % 4} cats."), range(24)))
    stats = memory.get_memory_stats()
    assert (stats["message_count"], stats["entity_count"], stats["total_contexts"]) == (24, 1, 4)
    for number in range(30):
        tell(memory, f"Nora Lindqvist has {number} dogs.")
    assert memory.get_memory_stats()["total_contexts"] == 20
    told = memory.load_memory_variables({"input": "Nora Lindqvist?"})["entity_info"]
    assert told.count("dogs") == 3
    memory.clear()
    assert (memory.list_entities(), memory.chat_memory) == ([], [])
    assert memory.load_memory_variables({"input": "Nora Lindqvist?"}) == {"entity_info": ""}


def test_it_works_from_async_code(closing: list[object]) -> None:
    memory = ConversationEntityMemory(Model(["Riga"]), memory_key="known", input_key="q", output_key="a")
    closing.append(memory)

    async def talk() -> dict[str, object]:
        await memory.asave_context({"q": "Riga is cold."}, {"a": "Yes."})
        return await memory.aload_memory_variables({"q": "And Riga?"})

    assert asyncio.run(talk()) == {"known": "Said before about Riga:\nRiga is cold."}


def test_an_own_prompt_is_used(closing: list[object]) -> None:
    model = Model(["Riga"])
    memory = ConversationEntityMemory(model, entity_extraction_prompt="Names in: {text}")
    closing.append(memory)
    tell(memory, "Riga {is} cold.", "Ok.")
    assert model.asked == ["Names in: Riga {is} cold.\nOk."]


# ------------------------------------------------------------------ ChatMessage, Entity


def test_a_chat_message_is_a_record() -> None:
    message = ChatMessage("Hallo", "Guten Tag", 5.0, {"a": 1})
    assert message.to_dict() == {"input": "Hallo", "output": "Guten Tag", "timestamp": 5.0, "metadata": {"a": 1}}
    assert (
        message.to_text("de")
        == f"{load('de').text('role.user')}: Hallo\n{load('de').text('role.assistant')}: Guten Tag"
    )


def test_no_recent_contexts_are_none_and_contexts_are_capped_and_kept_once() -> None:
    entity = Entity("Nora", "PERSON")
    for number in (*range(40), 39):
        entity.add_context(f"Nora has {number} cats.")
    assert entity.get_recent_contexts(0) == []
    assert entity.get_recent_contexts(limit=1) == ["Nora has 39 cats."]
    assert len(entity.contexts) == 20


# ------------------------------------------------------------------ EntityProfile


def test_a_profile_keeps_one_current_value_a_field_and_the_history_out_of_the_prompt(closing: list[object]) -> None:
    profile = EntityProfile("../tarek", read_schema("finance"))
    closing.append(profile)
    assert profile.update({"name": "Tarek", "monthly_salary": "9.400 €"}, turn=1) == ["name", "monthly_salary"]
    assert profile.update({"employer": "Baltica", "age": 30}, turn=2) == ["age", "employer"]
    assert profile.update({"employer": "Norda", "monthly_salary": "9.900 €"}, turn=3) == ["employer", "monthly_salary"]
    assert profile.update({"employer": "Norda", "boat": "red"}, turn=4) == []
    assert (3, "employer", "Baltica", "Norda") in profile.history
    assert (1, "name", None, "Tarek") in profile.history
    assert sum(value is not None for value in profile.fields.values()) == 4
    assert profile.dropped == {"boat": 1}
    told = profile.format_for_injection()
    assert "Norda" in told
    assert "Baltica" not in told


def test_a_model_fills_the_profile_by_a_prompt_made_from_the_schema() -> None:
    schema = read_schema("finance")
    model = Model(['{"age": 30, "employer": "Norda", "boat": "red", "goal": null}', '{"age": 3', "I found nothing."])
    assert extract("Ich bin 30 und arbeite bei Norda.", schema, model) == {"age": "30", "employer": "Norda"}
    assert all(f'"{each.id}": {each.description["de"]}' in model.asked[0] for each in schema.fields)
    assert extract("…", schema, model) == extract("…", schema, model) == {}


# ------------------------------------------------------------------ EntityStore and merging


def test_a_store_upserts_by_name_and_tells_the_current_values() -> None:
    store = EntityStore()
    store.upsert("Nora Lindqvist", "person", {"role": "engineer", "team": 4}, turn=2)
    store.upsert("Project Heron", "project", {"lead": "Nora Lindqvist"}, turn=5)
    store.upsert("nora lindqvist", "person", {"role": "head of design"}, turn=7)
    nora = store.get("Nora")
    assert nora is not None
    assert nora.mentioned_in_turns == [2, 7]
    assert nora.attributes == {"role": "head of design", "team": 4, "role_previous": "engineer"}
    assert store.get("Otto") is None
    told = store.get_context_for_prompt(["Nora Lindqvist", "Otto", "Project Heron"])
    assert (
        told == "Nora Lindqvist (person): role: head of design, team: 4\nProject Heron (project): lead: Nora Lindqvist"
    )


def test_of_two_values_the_latest_stands_and_the_one_before_beside_it() -> None:
    entity = Entity("Heron", attributes={"deadline": "May"})
    for value in ("May", "June"):
        merge_entity_attribute(entity, "deadline", value)
    merge_entity_attribute(entity, "budget", "5 €")
    assert entity.attributes == {"deadline": "June", "deadline_previous": "May", "budget": "5 €"}


def test_what_a_model_finds_is_merged_into_what_is_known_and_an_unreadable_answer_changes_nothing() -> None:
    model = Model(
        [
            '```json\n{"Nora Lindqvist": {"type": "person", "attributes": {"role": "engineer"}}}\n```',
            '{"Nora": {"type": "person", "attributes": {"team": "design"}}, "Heron": {"type": "project"}}',
            "Sorry, I cannot do that.",
        ]
    )
    known: dict[str, dict[str, object]] = {}
    for text in ("Our engineer Nora Lindqvist is back.", "Nora's design team builds Heron.", "It is late."):
        known = extract_entities(text, known, model, "en")
    assert known == {
        "Nora Lindqvist": {"type": "person", "attributes": {"role": "engineer", "team": "design"}},
        "Heron": {"type": "project", "attributes": {}},
    }
    assert "Nora Lindqvist" in model.asked[1], "what is known is given"


# ------------------------------------------------------------------ EntityMemory and its kin


def test_entities_have_types_attributes_and_mentions_and_the_context_names_them(closing: list[object]) -> None:
    model = Model(
        [found(("Velda 12", "PRODUCT", {"price": "900 €"})), found(("velda-12", "PRODUCT", {"price": "850 €"}))]
    )
    memory = EntityMemory(model, language="fr")
    closing.append(memory)
    memory.add_message("user", "La Velda 12 coûte 900 €.")
    memory.add_message("assistant", "La velda-12 coûte 850 €.")
    (entity,) = memory.entities.values()
    assert entity.to_dict() == {
        "name": "Velda 12", "type": "PRODUCT", "attributes": {"price": "850 €"}, "mentions": 2
    }  # fmt: skip
    context = memory.get_context()
    assert context.splitlines()[0] == f"{load('fr').text('label.entities')}:"
    assert "Velda 12" in context.splitlines()[1]
    memory.clear()
    assert (memory.entities, memory.recent_messages, memory.get_context()) == ({}, [], "")


@pytest.mark.parametrize(
    ("language", "said", "reference", "none"),
    [
        ("fr", "Je cherche la tablette Velda 12.", "Quelle est sa garantie ?", "Dans quelle ville êtes-vous ?"),
        ("en", "I am looking at the Velda 12 laptop.", "How heavy is it?", "Is the kit in the kitchen?"),
        ("de", "Ich suche den Laptop Velda 12.", "Was kostet er?", "Welche Erfahrung braucht man?"),
        ("ar", "أبحث عن حاسوب Velda 12.", "كم سعره؟", "ما عاصمة الأردن؟"),
    ],
)
def test_a_reference_is_told_by_grammar_and_never_by_letters_within_words(
    language: str, said: str, reference: str, none: str, closing: list[object]
) -> None:
    memory = EntityMemory(language=language)
    closing.append(memory)
    memory.add_message("user", said)
    assert memory.resolve_reference(reference) == "Velda 12"
    assert memory.resolve(none).standalone == none


def test_who_may_be_meant_is_asked_and_not_guessed(closing: list[object]) -> None:
    memory = EntityMemory(language="en")
    closing.append(memory)
    memory.add_message("user", "I am comparing the laptops Velda 12 and Norda 14.")
    assert memory.resolve("How heavy is it?").status == "ambiguous"
    assert memory.resolve_reference("How heavy is it?") is None


def test_relations_are_canonical_whatever_language_they_come_in(closing: list[object]) -> None:
    entities = (("Mila", "PERSON", {}), ("Velda 12", "PRODUCT", {}), ("Norda 14", "PRODUCT", {}))
    drawn = [
        ("Mila", "PREFERS", "Velda 12"),
        ("Velda 12", "verglichen mit", "Norda 14"),
        ("Mila", "besitzt", "Norda 14"),
    ]
    memory = RelationalEntityMemory(Model([found(*entities, relations=drawn)]), language="de")  # type: ignore[arg-type]
    closing.append(memory)
    memory.add_message("user", "Mila mag den Velda 12 lieber als ihren Norda 14.")
    assert memory.relations == [
        {"source": "Mila", "relation": "PREFERS", "target": "Velda 12"},
        {"source": "Velda 12", "relation": "COMPARES_TO", "target": "Norda 14"},
        {"source": "Mila", "relation": "OWNS", "target": "Norda 14"},
    ]
    assert memory.get_related_entities("velda-12") == [
        {"entity": "Mila", "relation": "PREFERS"},
        {"entity": "Norda 14", "relation": "COMPARES_TO"},
    ]


def test_what_is_kept_on_disk_survives_with_its_dates_and_no_user_leaves_the_folder(tmp_path: Path) -> None:
    users = ("../x", "a\0b", "ا" * 300, "ada")
    for user in users:
        memory = PersistentEntityMemory(
            Model([found(("Velda 12", "PRODUCT", {"of": user[:3]}))]), user, tmp_path / "kept"
        )
        memory.add_message("user", "The Velda 12.")
        memory.save()
        before = memory.entities["Velda 12"]
        memory.close()
        again = PersistentEntityMemory(None, user, tmp_path / "kept")
        (entity,) = again.entities.values()
        again.close()
        assert (entity.first_seen, entity.last_seen, entity.mentions) == (before.first_seen, before.last_seen, 1)
        assert entity.attributes["of"] == user[:3].replace("\0", "\ufffd")
    assert {path.name for path in tmp_path.iterdir()} - {"somewhere"} == {"kept"}
    assert not [path for path in (tmp_path / "kept").iterdir() if not path.name.startswith("referent.db")]


def test_what_has_expired_leaves_the_context_and_is_remembered(closing: list[object]) -> None:
    now = [NOON]
    memory = ExpiringEntityMemory(Model([found(("Velda 12", "PRODUCT", {}))]), ttl_minutes=30, now=lambda: now[0])
    closing.append(memory)
    memory.add_message("user", "The Velda 12.")
    now[0] += timedelta(minutes=29)
    assert "Velda 12" in memory.get_context()
    now[0] += timedelta(minutes=2)
    assert memory.get_context() == ""
    assert list(memory.entities) == ["Velda 12"]


def test_what_the_question_names_comes_first_whatever_was_named_more_often(closing: list[object]) -> None:
    memory = EntityMemory(Model([found(("Norda 14", "PRODUCT", {}))] * 4 + [found(("Velda 12", "PRODUCT", {}))]))
    closing.append(memory)
    for _ in range(4):
        memory.add_message("user", "The Norda 14 again.")
    memory.add_message("user", "The Velda 12.")
    assert [each.name for each in memory.get_prioritized_entities("Is the Norda-14 heavy?")] == ["Norda 14", "Velda 12"]
    assert [each.name for each in memory.get_prioritized_entities("Is the velda 12 heavy?", limit=1)] == ["Velda 12"]
    assert [each.name for each in memory.get_recent_entities(1)] == ["Velda 12"]
    assert memory.get_recent_entities(0) == []


def test_types_come_by_domain() -> None:
    for domain, some in (("commerce", "PRODUCT"), ("support", "ISSUE"), ("hr", "POSITION"), ("general", "PERSON")):
        assert some in entity_types(domain)


def test_retrieval_gets_the_complete_question_and_the_answer_enters_as_the_assistants_words(
    closing: list[object],
) -> None:
    class Store:
        def __init__(self) -> None:
            self.queries: list[tuple[str, int]] = []

        def similarity_search(self, query: str, k: int) -> list[SimpleNamespace]:
            self.queries.append((query, k))
            return [SimpleNamespace(page_content="Velda 12 : garantie 3 ans.")]

    store, memory = Store(), EntityMemory(language="fr")
    closing.append(memory)
    model = Model(["La Velda 12 est une tablette.", "Trois ans, comme la Norda 14."])
    rag = RAGWithEntityMemory(store, model, memory)
    rag.query("Je cherche la tablette Velda 12.")
    assert rag.query("Quelle est sa garantie ?") == "Trois ans, comme la Norda 14."
    assert (
        store.queries[1] == ("Quelle est la garantie de la tablette Velda 12 ?", 3) or "Velda 12" in store.queries[1][0]
    )
    assert "Quelle est sa garantie ?" in model.asked[1]
    assert "garantie 3 ans" in model.asked[1]
    roles = {row["text"]: row["role"] for row in memory.memory.export("seed")["mentions"]}
    assert roles["Norda 14"] == "assistant"
    assert [message["role"] for message in memory.recent_messages] == ["user", "assistant"] * 2


def test_every_name_stands_in_the_document() -> None:
    text = (Path(seeds.__file__).parents[1] / "docs" / "seeds.md").read_text(encoding="utf-8")
    assert [name for name in seeds.__all__ if f"`{name}`" not in text] == []
