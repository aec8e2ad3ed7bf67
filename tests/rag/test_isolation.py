"""Whoever is named as nobody, as everybody or as somebody else gets an error or nothing, at every layer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from memory.errors import ConversationNotFound
from memory.store.conversations import Conversations, NewTurn, conversation_id
from memory.store.database import open_database
from rag import commands
from rag.errors import DocumentNotFound, OwnerUnknown
from rag.events import Passage
from rag.retrieve import Query, retrieve
from rag.shelf.blocks import Source
from rag.shelf.owners import Owner, Scope
from rag.shelf.shelf import Library
from tests.rag.conftest import Desk
from tests.rag.shelf.fakes import HashEmbedder

SECRET = "4711.63"  # no figure of a time or an id has it by chance
TEXT = f"# Zephyr Lamp\n\nThe Zephyr Lamp costs {SECRET} dollars.\n"
QUESTION = "How much does the Zephyr Lamp cost?"

NOBODY: list[str | None] = [None, ""]
REFUSED = ["*", "%", " ", "all", "ANY", "null", "undefined", "a\0b", "x" * 300]
ANOTHER = [
    *("ben", "Anna", "ANNA", "anna ", " anna", "anna%", "ann_", "an*"),
    *("../anna", "a/../anna", "' OR '1'='1", "أنا"),
]


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Desk]:
    """A library where Anna has a document of her own, and a shelf that is not searched one too."""
    opened = Desk(tmp_path, "en")
    for owner in (Owner("person", "anna"), Owner("shelf", "vault")):
        assert opened.library.add(Source("zephyr.md", TEXT.encode()), owner).status == "added"
    yield opened
    opened.library.close()
    opened.database.close()


def everything(library: Library, scope: Scope) -> str:
    """Return all that a scope gives out, by any way there is."""
    legs = library.search(HashEmbedder().embed_queries((QUESTION,)), (QUESTION,), scope, 50)
    ids = [id_ for leg in legs for id_, _ in leg.ranked]
    passages = library.passages(ids, scope)
    hits = retrieve(library, HashEmbedder(), Query(QUESTION, QUESTION, "en", scope, k=20))
    names = library.catalog(scope).find("Zephyr Lamp")
    return f"{passages} {hits} {names} {library.languages(scope)}"


def ids_of_anna(library: Library) -> list[str]:
    legs = library.search(HashEmbedder().embed_queries((QUESTION,)), (QUESTION,), Scope((), "anna"), 50)
    return [id_ for leg in legs for id_, _ in leg.ranked]


def test_anna_finds_what_is_hers(shop: Desk) -> None:
    assert SECRET in everything(shop.library, Scope(("shared",), "anna"))


@pytest.mark.parametrize("person", [*NOBODY, *ANOTHER])
def test_a_scope_without_her_gives_nothing_of_hers(shop: Desk, person: str | None) -> None:
    scope = Scope(("shared",), person)
    said = everything(shop.library, scope)
    assert SECRET not in said
    assert "Zephyr" not in said
    assert shop.library.passages(ids_of_anna(shop.library), scope) == {}


@pytest.mark.parametrize("person", REFUSED)
def test_a_scope_of_everybody_is_an_error(shop: Desk, person: str) -> None:
    scope = Scope(("shared",), person)
    for use in (
        lambda: shop.library.search(HashEmbedder().embed_queries((QUESTION,)), (QUESTION,), scope, 5),
        lambda: shop.library.passages(ids_of_anna(shop.library), scope),
        lambda: shop.library.catalog(scope),
        lambda: shop.library.languages(scope),
        lambda: retrieve(shop.library, HashEmbedder(), Query(QUESTION, QUESTION, "en", scope)),
    ):
        with pytest.raises(OwnerUnknown):
            use()


@pytest.mark.parametrize("shelf", ["*", "%", "", "own", "OWN ", "all", "a\0b", "x" * 300])
def test_a_shelf_of_everything_is_an_error(shop: Desk, shelf: str) -> None:
    with pytest.raises(OwnerUnknown):
        shop.library.passages(ids_of_anna(shop.library), Scope((shelf,)))
    with pytest.raises(OwnerUnknown):
        Owner("shelf", shelf)


@pytest.mark.parametrize("shelf", ["vault%", "VAULT", "../vault", "v*", "shared,vault"])
def test_a_shelf_that_is_not_there_is_empty(shop: Desk, shelf: str) -> None:
    assert SECRET not in everything(shop.library, Scope((shelf,)))


def test_no_scope_at_all_is_nothing(shop: Desk) -> None:
    scope = Scope((), None)
    assert scope.owners == ()
    assert shop.library.search(HashEmbedder().embed_queries((QUESTION,)), (QUESTION,), scope, 5) == ()
    assert shop.library.passages(ids_of_anna(shop.library), scope) == {}


@pytest.mark.parametrize("person", ANOTHER)
def test_another_persons_documents_are_not_listed_read_or_removed(shop: Desk, person: str) -> None:
    owner = Owner("person", person)
    assert shop.library.documents(owner) == ()
    for name in ("zephyr.md", "../zephyr.md", "%", "*", ""):
        with pytest.raises(DocumentNotFound):
            shop.library.document_text(name, owner)
        with pytest.raises(DocumentNotFound):
            shop.library.remove(name, owner)
    assert [record.name for record in shop.library.documents(Owner("person", "anna"))] == ["zephyr.md"]


@pytest.mark.parametrize("person", [*NOBODY, *REFUSED])
def test_an_owner_who_is_nobody_or_everybody_is_an_error(person: Any) -> None:
    with pytest.raises(OwnerUnknown):
        Owner("person", person)


def test_a_row_and_a_source_of_hers_are_refused_to_another(shop: Desk) -> None:
    row = Passage("x", "zephyr.md", "a | b", shelf="own", kind="row")
    with pytest.raises(OwnerUnknown):
        shop.library.rows(row, Scope(("shared",), None))
    assert shop.library.rows(row, Scope(("shared",), "ben")) == ()
    with pytest.raises(OwnerUnknown):
        Scope(("shared",), "ben").owner_of("vault")


@pytest.mark.parametrize("person", ["", *REFUSED, *ANOTHER])
def test_another_has_no_conversation_of_hers(shop: Desk, person: str) -> None:
    kept = shop.conversations
    hers = kept.create("anna", "en")
    kept.add_turn(hers, "anna", NewTurn("t1", f"about {SECRET}", "en"))
    assert kept.list(person) == ()
    for use in (
        lambda: kept.get(hers, person),
        lambda: kept.turns(hers, person),
        lambda: kept.find_turn(hers, person, "t1"),
        lambda: kept.last_discourse(hers, person),
        lambda: kept.add_turn(hers, person, NewTurn("t2", "x", "en")),
        lambda: kept.update_turn(hers, person, NewTurn("t1", "x", "en")),
        lambda: kept.replace_last(hers, person, NewTurn("t1", "x", "en")),
        lambda: kept.cut(hers, person, number=0),
        lambda: kept.rename(hers, person, "x"),
        lambda: kept.delete(hers, person),
        lambda: kept.create(person, "en", conversation=hers),
    ):
        with pytest.raises(ConversationNotFound):
            use()
    (turn,) = kept.turns(hers, "anna")
    assert turn.question == f"about {SECRET}"
    assert conversation_id(person, "home") != conversation_id("anna", "home")


@pytest.mark.parametrize("person", ["", *REFUSED, *ANOTHER])
def test_a_turn_of_another_tells_nothing_of_hers(shop: Desk, person: str) -> None:
    pipeline = shop.pipeline()
    hers = shop.conversations.create("anna", "en")
    with pytest.raises((ConversationNotFound, OwnerUnknown)):
        list(pipeline.stream(QUESTION, "", user=person, conversation=hers, turn_id="a"))
    with pytest.raises((ConversationNotFound, OwnerUnknown)):
        list(pipeline.correct("a", 0, None, user=person, conversation=hers))
    try:
        own = shop.conversations.create(person, "en")
        events = list(pipeline.stream(QUESTION, "", user=person, conversation=own, turn_id="b"))
    except OwnerUnknown:
        assert person in REFUSED
        return
    assert person not in REFUSED
    assert SECRET not in str(events)
    assert "zephyr.md" not in str(events)


@pytest.mark.parametrize("person", ["", *REFUSED])
def test_the_command_line_refuses_whoever_is_nobody(tmp_path: Path, person: str) -> None:
    document = tmp_path / "zephyr.md"
    document.write_text(TEXT)
    for arguments in (
        ["ask", QUESTION, "--user", person],
        ["ingest", str(document), "--user", person],
        ["documents", "--user", person],
        ["documents", "remove", "zephyr.md", "--user", person],
    ):
        done = CliRunner().invoke(commands.cli, [*arguments, "--data-dir", str(tmp_path / "data")])
        assert done.exit_code == 1, (arguments, done.output)
        assert SECRET not in done.output
        assert "Traceback" not in done.output
    data = open_database(tmp_path / "data")
    assert Conversations(data).list(person) == ()
    data.close()


@pytest.mark.parametrize("person", ANOTHER)
def test_the_command_line_shows_another_nothing_of_hers(tmp_path: Path, person: str) -> None:
    home = tmp_path / "data"
    data = open_database(home)
    library = Library(data, HashEmbedder(), home)
    library.add(Source("zephyr.md", TEXT.encode()), Owner("person", "anna"))
    hers = Conversations(data).create("anna", "en")
    library.close()
    data.close()
    listed = CliRunner().invoke(commands.cli, ["documents", "--user", person, "--data-dir", str(home)])
    assert listed.exit_code == 0
    assert "zephyr" not in listed.output.lower()
    for arguments in (
        ["documents", "remove", "zephyr.md", "--user", person],
        ["ask", QUESTION, "--user", person, "--conversation", hers],
    ):
        done = CliRunner().invoke(commands.cli, [*arguments, "--data-dir", str(home)])
        assert done.exit_code == 1, (arguments, done.output)
        assert SECRET not in done.output
    hidden = CliRunner().invoke(commands.cli, ["documents", "--user", "anna", "--data-dir", str(home)])
    assert "zephyr.md" in hidden.output


def test_nothing_is_written_by_a_name_as_it_was_given(tmp_path: Path) -> None:
    home = tmp_path / "deep" / "data"
    data = open_database(home)
    library = Library(data, HashEmbedder(), home)
    for person in ("../../escaped", "a/b", "شخص", "x" * 200):
        library.add(Source("../../up.md", TEXT.encode()), Owner("person", person))
    library.close()
    data.close()
    inside = {path.relative_to(tmp_path).parts[0] for path in tmp_path.rglob("*")}
    assert inside <= {"deep", "somewhere"}
    names = [path.name for path in home.rglob("*")]
    assert not [name for name in names if any(part in name for part in ("escaped", "شخص", "xxxx", "up.md"))]
