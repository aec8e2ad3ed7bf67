from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import select

from memory import Heard
from memory.errors import ConversationNotFound, StoreBusy, TurnConflict, TurnNotFound, TurnNotLatest
from memory.memory import EntityMemory, Said
from memory.store.conversations import (
    LOCAL_PERSON,
    Conversations,
    NewTurn,
    conversation_id,
    person_id,
)
from memory.store.database import Database, open_database
from memory.store.tables import conversations
from memory.store.versions import KEPT

START = datetime(2026, 3, 1, 12, tzinfo=UTC)


def turn(name: str, question: str = "Was wiegt es?", discourse: str = "") -> NewTurn:
    return NewTurn(id=name, question=question, language="de", record={"answer": None}, discourse=discourse)


@pytest.fixture
def clocked(database: Database) -> Conversations:
    """Conversations whose clock goes a minute further at each look."""
    seen = iter(range(1000))
    return Conversations(database, now=lambda: START + timedelta(minutes=next(seen)))


def test_a_turn_comes_back_as_it_was_kept(kept: Conversations) -> None:
    conversation = kept.create(LOCAL_PERSON, "ar")
    record = {"answer": {"text": "« 1 199 € »\u2028", "citations": [[1, "كم"]], "score": 0.25}, "hits": [], "x": None}
    given = NewTurn("t1", "كم سعره؟ 🙂", "ar", record, discourse='{"version":1}', stopped=True)
    assert kept.add_turn(conversation, LOCAL_PERSON, given) == 0
    (found,) = kept.turns(conversation, LOCAL_PERSON)
    assert found == kept.find_turn(conversation, LOCAL_PERSON, "t1")
    assert (found.id, found.conversation, found.number) == ("t1", conversation, 0)
    assert (found.question, found.language, found.record) == ("كم سعره؟ 🙂", "ar", record)
    assert (found.discourse, found.stopped) == ('{"version":1}', True)
    assert found.created.tzinfo is not None


def test_the_same_turn_twice_is_kept_once_as_it_first_was(kept: Conversations) -> None:
    conversation = kept.create(LOCAL_PERSON, "de")
    numbers = [kept.add_turn(conversation, LOCAL_PERSON, turn(name)) for name in ("a", "b", "a")]
    assert numbers == [0, 1, 0]
    kept.add_turn(conversation, LOCAL_PERSON, turn("a", question="etwas anderes"))
    assert [found.question for found in kept.turns(conversation, LOCAL_PERSON)] == ["Was wiegt es?"] * 2


def test_a_turn_of_another_conversation_is_not_taken_over(kept: Conversations) -> None:
    first, second = kept.create(LOCAL_PERSON, "de"), kept.create(LOCAL_PERSON, "de")
    kept.add_turn(first, LOCAL_PERSON, turn("a"))
    with pytest.raises(TurnConflict, match="make a new one"):
        kept.add_turn(second, LOCAL_PERSON, turn("a"))
    with pytest.raises(TurnNotFound, match="add it first"):
        kept.update_turn(second, LOCAL_PERSON, turn("a"))
    assert kept.find_turn(second, LOCAL_PERSON, "a") is None
    assert kept.turns(second, LOCAL_PERSON) == ()


def test_a_streaming_turn_is_stopped_until_it_is_whole(kept: Conversations) -> None:
    conversation = kept.create(LOCAL_PERSON, "de")
    kept.add_turn(conversation, LOCAL_PERSON, replace(turn("a"), stopped=True))
    kept.update_turn(conversation, LOCAL_PERSON, replace(turn("a"), record={"answer": "Es"}, stopped=True))
    (half,) = kept.turns(conversation, LOCAL_PERSON)
    assert (half.record, half.stopped, half.discourse) == ({"answer": "Es"}, True, "")
    kept.update_turn(conversation, LOCAL_PERSON, replace(turn("a", discourse="d"), record={"answer": "Es wiegt 1 kg."}))
    (whole,) = kept.turns(conversation, LOCAL_PERSON)
    assert (whole.record, whole.stopped, whole.discourse) == ({"answer": "Es wiegt 1 kg."}, False, "d")
    assert (whole.number, whole.created) == (half.number, half.created)


def test_the_last_turn_can_be_replaced_and_no_other(kept: Conversations) -> None:
    conversation = kept.create(LOCAL_PERSON, "de")
    kept.add_turn(conversation, LOCAL_PERSON, turn("a", discourse="d"))
    kept.replace_last(conversation, LOCAL_PERSON, replace(turn("a", discourse="e"), record={"answer": "2 kg"}))
    (only,) = kept.turns(conversation, LOCAL_PERSON)
    assert (only.number, only.record, only.discourse) == (0, {"answer": "2 kg"}, "e")
    kept.add_turn(conversation, LOCAL_PERSON, turn("b"))
    before = kept.turns(conversation, LOCAL_PERSON)
    for name in ("a", "unknown"):
        with pytest.raises(TurnNotLatest):
            kept.replace_last(conversation, LOCAL_PERSON, replace(turn(name), record={"answer": "3 kg"}))
    assert kept.turns(conversation, LOCAL_PERSON) == before


def test_the_last_discourse_passes_over_turns_without_one(kept: Conversations) -> None:
    conversation = kept.create(LOCAL_PERSON, "de")
    assert kept.last_discourse(conversation, LOCAL_PERSON) == ""
    for name, discourse in (("a", "after a"), ("b", "after b"), ("killed", "")):
        kept.add_turn(conversation, LOCAL_PERSON, turn(name, discourse=discourse))
    assert kept.last_discourse(conversation, LOCAL_PERSON) == "after b"
    assert kept.last_discourse(conversation, LOCAL_PERSON, before_turn=1) == "after a"
    assert kept.last_discourse(conversation, LOCAL_PERSON, before_turn=0) == ""


def test_cutting_removes_a_turn_and_what_follows_and_numbers_go_on_from_there(kept: Conversations) -> None:
    conversation = kept.create(LOCAL_PERSON, "de")
    for name in "abc":
        kept.add_turn(conversation, LOCAL_PERSON, turn(name))
    kept.cut(conversation, LOCAL_PERSON, number=1)
    assert kept.add_turn(conversation, LOCAL_PERSON, turn("d")) == 1
    assert [found.id for found in kept.turns(conversation, LOCAL_PERSON)] == ["a", "d"]


def test_the_conversation_last_used_is_listed_first(clocked: Conversations) -> None:
    made = [clocked.create(LOCAL_PERSON, "de") for _ in range(3)]
    assert [found.id for found in clocked.list(LOCAL_PERSON)] == made[::-1]
    clocked.add_turn(made[0], LOCAL_PERSON, turn("a"))
    assert [found.id for found in clocked.list(LOCAL_PERSON)] == [made[0], made[2], made[1]]
    assert [found.id for found in clocked.list(LOCAL_PERSON, limit=1)] == [made[0]]
    clocked.update_turn(made[0], LOCAL_PERSON, turn("a"))
    found = clocked.get(made[0], LOCAL_PERSON)
    assert found.created == START
    assert found.updated > clocked.get(made[2], LOCAL_PERSON).updated


def test_a_conversation_is_called_by_its_first_question_until_it_is_renamed(kept: Conversations) -> None:
    conversation = kept.create(LOCAL_PERSON, "de")
    assert kept.get(conversation, LOCAL_PERSON).title == ""
    kept.add_turn(conversation, LOCAL_PERSON, turn("a", question="Was kostet\n das  Gerät, " + "und wie lange " * 20))
    title = kept.get(conversation, LOCAL_PERSON).title
    assert title.startswith("Was kostet das Gerät, und")
    assert title.endswith("…")
    assert len(title) <= 80
    kept.rename(conversation, LOCAL_PERSON, "  Laptops\0 ")
    kept.add_turn(conversation, LOCAL_PERSON, turn("b", question="Und sonst?"))
    assert kept.get(conversation, LOCAL_PERSON).title.startswith("Laptops")


def test_a_conversation_takes_the_language_of_its_last_turn(kept: Conversations) -> None:
    conversation = kept.create(LOCAL_PERSON, "fr")
    kept.add_turn(conversation, LOCAL_PERSON, turn("a"))
    assert kept.get(conversation, LOCAL_PERSON).language == "de"


def test_deleting_leaves_the_other_conversations(kept: Conversations) -> None:
    gone, stays = kept.create(LOCAL_PERSON, "de"), kept.create(LOCAL_PERSON, "de")
    kept.add_turn(gone, LOCAL_PERSON, turn("a"))
    kept.add_turn(stays, LOCAL_PERSON, turn("b"))
    kept.delete(gone, LOCAL_PERSON)
    assert [found.id for found in kept.list(LOCAL_PERSON)] == [stays]
    with pytest.raises(ConversationNotFound):
        kept.turns(gone, LOCAL_PERSON)
    assert kept.add_turn(stays, LOCAL_PERSON, turn("a")) == 1  # the turn's id went with its conversation


ACTIONS: dict[str, Callable[[Conversations, str, str], object]] = {
    "get": lambda kept, c, who: kept.get(c, who),
    "rename": lambda kept, c, who: kept.rename(c, who, "mine"),
    "delete": lambda kept, c, who: kept.delete(c, who),
    "add_turn": lambda kept, c, who: kept.add_turn(c, who, turn("a")),
    "add_turn, new": lambda kept, c, who: kept.add_turn(c, who, turn("z")),
    "update_turn": lambda kept, c, who: kept.update_turn(c, who, turn("a", question="mine")),
    "replace_last": lambda kept, c, who: kept.replace_last(c, who, turn("a", question="mine")),
    "cut": lambda kept, c, who: kept.cut(c, who, number=0),
    "put_aside": lambda kept, c, who: kept.put_aside(c, who, "a"),
    "earlier": lambda kept, c, who: kept.earlier(c, who),
    "go_back": lambda kept, c, who: kept.go_back(c, who, "v"),
    "turns": lambda kept, c, who: kept.turns(c, who),
    "find_turn": lambda kept, c, who: kept.find_turn(c, who, "a"),
    "last_discourse": lambda kept, c, who: kept.last_discourse(c, who),
    "create": lambda kept, c, who: kept.create(who, "de", conversation=c),
}


@pytest.mark.parametrize("action", ACTIONS)
def test_somebody_elses_conversation_is_as_if_it_did_not_exist(kept: Conversations, action: str) -> None:
    mine, other = person_id("https://id.example", "1"), person_id("https://id.example", "2")
    conversation = kept.create(mine, "de")
    kept.add_turn(conversation, mine, turn("a", discourse="d"))
    before = kept.get(conversation, mine), kept.turns(conversation, mine)
    with pytest.raises(ConversationNotFound) as refused:
        ACTIONS[action](kept, conversation, other)
    assert mine not in str(refused.value)
    assert (kept.get(conversation, mine), kept.turns(conversation, mine)) == before
    assert kept.list(other) == ()


@pytest.mark.parametrize("received", ["", "../x", "a\0b", "\ud800", "x" * 300, "محادثة", "' OR 1=1 --", "%"])
def test_an_id_as_received_finds_nothing(kept: Conversations, received: str) -> None:
    kept.create(LOCAL_PERSON, "de")
    with pytest.raises(ConversationNotFound) as refused:
        kept.get(received, LOCAL_PERSON)
    assert len(str(refused.value)) < 400


def test_a_named_conversation_is_made_once(kept: Conversations) -> None:
    wanted = conversation_id(LOCAL_PERSON, "../Nachfragen")
    assert kept.create(LOCAL_PERSON, "de", conversation=wanted) == wanted
    kept.add_turn(wanted, LOCAL_PERSON, turn("a"))
    assert kept.create(LOCAL_PERSON, "fr", conversation=wanted) == wanted
    assert len(kept.turns(wanted, LOCAL_PERSON)) == 1


def test_ids_are_hashes_that_keep_their_parts_apart() -> None:
    assert person_id("a", "bc") != person_id("ab", "c")
    assert person_id('a", "b', "c") != person_id("a", 'b", "c')
    assert person_id("https://x", "é") == person_id("https://x", "e\u0301")
    assert conversation_id("p", "x") != conversation_id("q", "x") != person_id("p", "x")
    assert all(
        len(made) == 64 and set(made) <= set("0123456789abcdef")
        for made in (person_id("", ""), person_id("\ud800", "م"))
    )


def read_bytes(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


def test_nothing_of_a_deleted_conversation_is_left_in_the_files(tmp_path: Path, database: Database) -> None:
    kept = Conversations(database)
    gone, stays = kept.create(LOCAL_PERSON, "de"), kept.create(LOCAL_PERSON, "de")
    for number in range(200):
        kept.add_turn(gone, LOCAL_PERSON, turn(f"g{number}", question=f"Wo wohnt Zwetschgenbaum {number}?"))
    kept.add_turn(stays, LOCAL_PERSON, turn("s", question="Wo wohnt Holunder?"))
    assert b"Zwetschgenbaum" in read_bytes(tmp_path / "data")
    kept.delete(gone, LOCAL_PERSON)
    database.scrub()
    left = read_bytes(tmp_path / "data")
    assert b"Zwetschgenbaum" not in left
    assert b"Holunder" in left
    assert [found.question for found in kept.turns(stays, LOCAL_PERSON)] == ["Wo wohnt Holunder?"]


def test_scrubbing_under_a_reader_says_that_it_is_not_done(tmp_path: Path) -> None:
    database = open_database(tmp_path, waiting_s=0.2)
    kept = Conversations(database)
    conversation = kept.create(LOCAL_PERSON, "de")
    with database.read() as connection:
        connection.execute(select(conversations)).all()
        kept.delete(conversation, LOCAL_PERSON)
        with pytest.raises(StoreBusy):
            database.scrub()
    database.scrub()
    database.close()


def test_turns_put_aside_are_kept_as_an_earlier_version(clocked: Conversations) -> None:
    conversation = clocked.create(LOCAL_PERSON, "de")
    for name in ("t1", "t2", "t3"):
        clocked.add_turn(conversation, LOCAL_PERSON, turn(name, f"{name}?", discourse=name))
    clocked.put_aside(conversation, LOCAL_PERSON, "t2")
    assert [each.id for each in clocked.turns(conversation, LOCAL_PERSON)] == ["t1"]
    assert clocked.last_discourse(conversation, LOCAL_PERSON) == "t1"
    clocked.add_turn(conversation, LOCAL_PERSON, turn("t4"))
    (version,) = clocked.earlier(conversation, LOCAL_PERSON)
    assert (version.place, [each.id for each in version.turns]) == (1, ["t2", "t3"])
    assert [each.number for each in version.turns] == [1, 2]
    assert version.turns[0].record == {"answer": None}
    clocked.put_aside(conversation, LOCAL_PERSON, "t1")
    assert [(v.place, [t.id for t in v.turns]) for v in clocked.earlier(conversation, LOCAL_PERSON)] == [
        (0, ["t1", "t4"]),
    ]
    with pytest.raises(TurnNotFound):
        clocked.put_aside(conversation, LOCAL_PERSON, "t1")


def test_of_the_versions_of_one_place_the_oldest_go(clocked: Conversations) -> None:
    conversation = clocked.create(LOCAL_PERSON, "de")
    for number in range(KEPT + 2):
        clocked.add_turn(conversation, LOCAL_PERSON, turn(f"t{number}"))
        clocked.put_aside(conversation, LOCAL_PERSON, f"t{number}")
    kept = clocked.earlier(conversation, LOCAL_PERSON)
    assert [version.turns[0].id for version in kept] == [f"t{number}" for number in range(2, KEPT + 2)]


def test_what_is_cut_takes_the_earlier_versions_of_later_turns_along(clocked: Conversations) -> None:
    conversation = clocked.create(LOCAL_PERSON, "de")
    for name in ("t1", "t2", "t3"):
        clocked.add_turn(conversation, LOCAL_PERSON, turn(name))
    clocked.put_aside(conversation, LOCAL_PERSON, "t3")
    clocked.cut(conversation, LOCAL_PERSON, number=1)
    assert clocked.earlier(conversation, LOCAL_PERSON) == ()
    assert [each.id for each in clocked.turns(conversation, LOCAL_PERSON)] == ["t1"]


def test_a_conversation_is_restored_whole_or_not_at_all(kept: Conversations) -> None:
    kept.add_turn(kept.create("ada", "de"), "ada", turn("t1"))
    id = kept.restore("bob", " Brook ", "en", [turn("t2", discourse="d"), turn("t3")])
    assert kept.get(id, "bob").title == "Brook"
    assert [(each.id, each.number) for each in kept.turns(id, "bob")] == [("t2", 0), ("t3", 1)]
    with pytest.raises(TurnConflict):
        kept.restore("bob", "x", "en", [turn("t4"), turn("t1")])
    assert kept.count("bob") == 1
    assert kept.count("ada") == 1
    assert kept.count("nobody") == 0


def test_all_that_was_said_is_ones_own(kept: Conversations) -> None:
    mine, hers = kept.create("ada", "de"), kept.create("bob", "de")
    kept.add_turn(mine, "ada", replace(turn("t1", "Was wiegt es?"), record={"answer": {"text": "2 kg – „ü“"}}))
    kept.add_turn(mine, "ada", turn("t2", "Und sonst?"))
    kept.add_turn(hers, "bob", replace(turn("t3"), record={"answer": {"text": "hers"}}))
    said = kept.said("ada", answer=("answer", "text"), method=("answer", "method"))
    assert [(each.conversation, each.question, each.answer) for each in said] == [
        (mine, "Und sonst?", ""),
        (mine, "Was wiegt es?", "2 kg – „ü“"),
    ]


def test_what_was_learnt_from_a_turn_put_aside_is_taken_back_and_goes_with_the_conversation(
    database: Database, kept: Conversations
) -> None:
    memory, conversation = EntityMemory(database), kept.create("ada", "de")

    def learn(name: str, value: str) -> None:
        said = Said(conversation, name, (), (Heard("", "budget", value, 0, 0),))
        kept.add_turn(conversation, "ada", turn(name), lambda connection: memory.remember("ada", said, connection))

    learn("t1", "900 €")
    learn("t2", "1000 €")
    kept.put_aside(conversation, "ada", "t2")
    assert [fact.value for fact in memory.facts("ada")] == ["900 €"]
    assert [fact.value for fact in memory.history("ada") if fact.withdrawn] == ["1000 €"]
    kept.delete(conversation, "ada")
    assert memory.history("ada") == ()
