"""Documents are kept, swapped, removed and found by whom they belong to; whatever happens in between."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from memory.store.database import open_database
from rag.errors import DocumentNotFound, IndexOfAnotherModel, OwnerUnknown, ShelfIndexError
from rag.shelf import records
from rag.shelf.index import VectorIndex
from rag.shelf.lexical import Stems
from rag.shelf.owners import Owner, Scope
from rag.shelf.reading import Source
from rag.shelf.shelf import Library
from tests import forking
from tests.rag.shelf.fakes import HashEmbedder

SHARED = Owner("shelf", "shared")
SCOPE = Scope(("shared",))
Open = Callable[..., Library]


def opening(home: Path, chroma_url: str = "") -> Iterator[Open]:
    libraries: list[Library] = []

    def open_library(embedder: HashEmbedder | None = None) -> Library:
        libraries.append(Library(open_database(home), embedder or HashEmbedder(), home, chroma_url=chroma_url))
        return libraries[-1]

    yield open_library
    for library in libraries:
        library.close()


@pytest.fixture(params=["folder", "server"])
def chroma_url(request: pytest.FixtureRequest) -> str:
    """Return where the vectors are kept: "" for a folder, else the address of a server."""
    return str(request.getfixturevalue("chroma")) if request.param == "server" else ""


@pytest.fixture
def opened(chroma_url: str, tmp_path: Path) -> Iterator[Open]:
    """Open the library of a data folder, with its vectors in a folder and with a server."""
    yield from opening(tmp_path / "home", chroma_url)


@pytest.fixture
def in_folder(tmp_path: Path) -> Iterator[Open]:
    """Open the library of a data folder, with its vectors in a folder, which may be damaged or shared."""
    yield from opening(tmp_path / "home")


def add(library: Library, name: str, text: str, owner: Owner = SHARED) -> str:
    return library.add(Source(name, text.encode()), owner).status


def found(library: Library, question: str, scope: Scope = SCOPE, kind: str = "dense") -> list[str]:
    """Return the documents that one kind of search finds, best first, as SQL knows them."""
    legs = library.search(HashEmbedder().embed_queries((question,)), (question,), scope, 10)
    ids = [id_ for leg in legs if leg.kind == kind for id_, _ in leg.ranked]
    passages = library.passages(ids, scope)
    return list(dict.fromkeys(passages[id_].document for id_ in ids if id_ in passages))


def test_a_file_is_added_once_then_unchanged_then_updated(opened: Open) -> None:
    library = opened()
    assert add(library, "kettle.md", "# Kettle\n\nIt weighs two kilograms.") == "added"
    assert add(library, "kettle.md", "# Kettle\n\nIt weighs two kilograms.") == "unchanged"
    assert add(library, "kettle.md", "# Kettle\n\nIt weighs three kilograms.") == "updated"
    assert [(d.name, d.title, d.version) for d in library.documents(SHARED)] == [("kettle.md", "Kettle", 2)]
    assert "three" in library.document_text("kettle.md", SHARED)


def test_old_passages_are_gone_after_an_update(opened: Open) -> None:
    library = opened()
    long = "# Kettle\n\n" + "\n\n".join(f"## Part {n}\n\nThe boiler number {n} is copper." for n in range(5))
    add(library, "kettle.md", long)
    old = [
        hit
        for leg in library.search(HashEmbedder().embed_queries(("copper boiler",)), (), SCOPE, 20)
        for hit, _ in leg.ranked
    ]
    assert len(old) == 5
    add(library, "kettle.md", "# Kettle\n\nThe boiler is steel.")
    assert library.passages(old, SCOPE) == {}
    legs = library.search(HashEmbedder().embed_queries(("copper boiler",)), ("copper",), SCOPE, 20)
    assert [len(leg.ranked) for leg in legs] == [1, 0]


def test_quotes_stand_in_the_document(opened: Open) -> None:
    library = opened()
    add(library, "list.csv", "Name,Price\nBorva Uno,£49\nBorva Due,£59\n")
    legs = library.search(HashEmbedder().embed_queries(("Borva Due price",)), ("Borva Due price",), SCOPE, 5)
    passages = library.passages([id_ for leg in legs for id_, _ in leg.ranked], SCOPE)
    text = library.document_text("list.csv", SHARED)
    assert passages
    assert all(text[p.start : p.end] == p.text for p in passages.values())
    assert legs[0].kind == "dense"
    assert passages[legs[0].ranked[0][0]].context == "Name: Borva Due; Price: £59"


def test_removing_leaves_nothing(opened: Open) -> None:
    library = opened()
    add(library, "kettle.md", "# Borva kettle\n\nCopper.")
    add(library, "lamp.md", "# Lurin lamp\n\nBrass.")
    library.remove("kettle.md", SHARED)
    assert [d.name for d in library.documents(SHARED)] == ["lamp.md"]
    assert found(library, "copper kettle") == ["lamp.md"]
    assert found(library, "copper kettle", kind="lexical") == []
    with pytest.raises(DocumentNotFound) as caught:
        library.remove("kettle.md", SHARED)
    assert caught.value.values["name"] == "kettle.md"
    assert add(library, "kettle.md", "# Borva kettle\n\nCopper.") == "added"
    assert found(library, "copper kettle")[0] == "kettle.md"


def test_people_see_shared_shelves_and_their_own(opened: Open) -> None:
    library = opened()
    add(library, "shared.md", "The copper kettle.")
    add(library, "hers.md", "Her copper kettle.", Owner("person", "her"))
    add(library, "his.md", "His copper kettle.", Owner("person", "him"))
    add(library, "other.md", "Another copper kettle.", Owner("shelf", "other"))
    for kind in ("dense", "lexical"):
        assert sorted(found(library, "copper kettle", Scope(("shared",), "her"), kind)) == ["hers.md", "shared.md"]
        assert found(library, "copper kettle", Scope(("shared",), None), kind) == ["shared.md"]
        assert found(library, "copper kettle", Scope(("shared",), ""), kind) == ["shared.md"]
        assert found(library, "copper kettle", Scope(("shared",), "nobody"), kind) == ["shared.md"]
        assert sorted(found(library, "copper kettle", Scope(("shared", "other")), kind)) == ["other.md", "shared.md"]


def test_passages_of_others_are_not_given_out_by_their_ids(opened: Open) -> None:
    library = opened()
    add(library, "hers.md", "Her copper kettle.", Owner("person", "her"))
    legs = library.search(HashEmbedder().embed_queries(("kettle",)), ("kettle",), Scope((), "her"), 5)
    ids = [id_ for leg in legs for id_, _ in leg.ranked]
    assert library.passages(ids, Scope((), "her"))
    assert library.passages(ids, Scope(("shared",), "him")) == {}


@pytest.mark.parametrize("name", ["*", "%", "all", " ", "null", "a\0b", "x" * 300])
def test_a_placeholder_is_nobody(name: str) -> None:
    with pytest.raises(OwnerUnknown):
        _ = Scope(("shared",), name).owners


def test_a_shelf_may_not_pass_for_someones_own() -> None:
    with pytest.raises(OwnerUnknown):
        Owner("shelf", "own")
    with pytest.raises(OwnerUnknown):
        Scope(("shared",), None).owner_of("own")
    assert Scope(("shared",), "her").owner_of("own") == Owner("person", "her")


def test_a_refused_change_keeps_what_was_there(opened: Open, tmp_path: Path) -> None:
    library = opened()
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "a.md").write_text("# Kettle\n\nCopper.")
    (folder / "b.md").write_text("# Lamp\n\nBrass.")
    shares: list[float] = []
    assert [o.status for o in library.ingest([folder], SHARED, shares.append)] == ["added", "added"]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    (folder / "a.md").write_bytes(b"%PDF-1.4")
    (folder / "c.exe").write_bytes(b"MZ")
    outcomes = {o.name: (o.status, o.key) for o in library.ingest([folder], SHARED)}
    assert outcomes == {
        "a.md": ("refused", "error.document_mislabelled"),
        "b.md": ("unchanged", ""),
        "c.exe": ("refused", "error.document_unknown_format"),
    }
    assert "Copper" in library.document_text("a.md", SHARED)


def test_a_model_that_fails_half_way_leaves_the_old_version(opened: Open) -> None:
    embedder = HashEmbedder()
    library = opened(embedder)
    add(library, "kettle.md", "# Kettle\n\nCopper.")
    embedder.fail_after = embedder.batches + 1
    with pytest.raises(RuntimeError, match="gone"):
        add(library, "kettle.md", "\n\n".join(f"# Part {n}\n\nSteel {n}." for n in range(80)))
    embedder.fail_after = None
    assert "Copper" in library.document_text("kettle.md", SHARED)
    assert found(library, "copper") == ["kettle.md"]


def test_another_model_is_one_sentence_and_a_command_that_mends_it(opened: Open) -> None:
    add(opened(), "kettle.md", "# Kettle\n\nCopper.")
    library = opened(HashEmbedder("hash@2"))
    with pytest.raises(IndexOfAnotherModel) as caught:
        found(library, "copper")
    assert caught.value.values["command"] in str(caught.value)
    assert caught.value.values["found"] == "hash@1"
    assert library.rebuild() == 1
    assert found(library, "copper") == ["kettle.md"]
    assert library.rebuild() == 0
    assert add(library, "kettle.md", "# Kettle\n\nCopper.") == "unchanged"


def test_a_model_that_fails_during_a_rebuild_leaves_the_old_index_to_answer(opened: Open) -> None:
    old = opened()
    for number in range(3):
        add(old, f"kettle{number}.md", f"# Kettle\n\nCopper {number}.")
    new = HashEmbedder("hash@2")
    new.fail_after = 2
    library = opened(new)
    with pytest.raises(RuntimeError, match="gone"):
        library.rebuild()
    assert sorted(found(old, "copper")) == sorted(found(opened(), "copper")) == [f"kettle{n}.md" for n in range(3)]
    new.fail_after = None
    add(library, "lamp.md", "# Lamp\n\nBrass.")  # tidies away what SQL does not know
    assert library.rebuild() == 3
    assert len(found(library, "copper")) == 4
    with pytest.raises(IndexOfAnotherModel):
        found(opened(), "copper")


def test_what_another_process_tidied_away_during_a_rebuild_is_embedded_again(in_folder: Open) -> None:
    add(in_folder(), "kettle.md", "# Kettle\n\nCopper.")
    add(in_folder(), "pan.md", "# Pan\n\nSteel.")
    library, other = in_folder(HashEmbedder("hash@2")), in_folder(HashEmbedder("hash@2"))
    shares: list[float] = []

    def progress(share: float) -> None:
        if not shares:
            add(other, "lamp.md", "# Lamp\n\nBrass.")
        shares.append(share)

    assert library.rebuild(progress) == 2
    assert sorted(found(library, "copper")) == ["kettle.md", "lamp.md", "pan.md"]
    assert shares == sorted(shares)


def test_an_index_that_is_gone_or_broken_is_made_anew_from_the_store(in_folder: Open, tmp_path: Path) -> None:
    folder = tmp_path / "home" / "chroma"
    first = in_folder()
    add(first, "kettle.md", "# Kettle\n\nCopper.")
    first.close()
    shutil.rmtree(folder)
    folder.mkdir()
    (folder / "chroma.sqlite3").write_bytes(b"no database" * 500)
    with pytest.raises(ShelfIndexError, match="documents rebuild"):
        found(in_folder(), "copper")
    folder.rename(tmp_path / "away")
    library = in_folder()
    assert library.rebuild() == 1
    assert found(library, "copper") == ["kettle.md"]
    assert library.rebuild() == 0


def test_two_spellings_of_a_file_name_are_one_document(opened: Open) -> None:
    library = opened()
    for name in ("Gro\u0308\u00dfe.md", "Größe.md"):
        library.add(Source(records_name(name), b"# Size\n\nTwelve."), SHARED)
    assert [d.name for d in library.documents(SHARED)] == ["Größe.md"]


def records_name(name: str) -> str:
    from rag.shelf.reading import shelf_name

    return shelf_name(name)


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path.parent


def test_a_file_of_another_folder_does_not_take_the_place_of_one_of_its_name(opened: Open, tmp_path: Path) -> None:
    library = opened()
    one = write(tmp_path / "one" / "read.md", "# Kettle\n\nCopper.")
    two = write(tmp_path / "two" / "read.md", "# Lamp\n\nBrass.")
    first, second = library.ingest([one, two], SHARED)
    assert (first.status, second.status, second.key) == ("added", "refused", "error.document_name_taken")
    assert second.values["other"] == str(one / "read.md")
    assert [outcome.status for outcome in library.ingest([two], SHARED)] == ["refused"]
    assert "Copper" in library.document_text("read.md", SHARED)
    for path in (one, one / "read.md"):  # its own new version, whichever way it is given
        (one / "read.md").write_text(f"# Kettle\n\nSteel, {path.name}.")
        assert [outcome.status for outcome in library.ingest([path], SHARED)] == ["updated"]
    one.rename(tmp_path / "moved")
    write(tmp_path / "moved" / "read.md", "# Kettle\n\nIron.")
    assert [outcome.status for outcome in library.ingest([tmp_path / "moved"], SHARED)] == ["updated"]
    assert [outcome.status for outcome in library.ingest([two], Owner("person", "her"))] == ["added"]
    copy = write(tmp_path / "copy" / "read.md", "# Kettle\n\nIron.")
    assert [outcome.status for outcome in library.ingest([copy], SHARED)] == ["unchanged"]


def test_two_spellings_of_one_name_in_a_folder_are_told(opened: Open, tmp_path: Path) -> None:
    library = opened()
    folder = write(tmp_path / "docs" / "Größe.md", "# Size\n\nTwelve.")
    write(folder / "Gro\u0308\u00dfe.md", "# Size\n\nThirteen.")
    if len(list(folder.iterdir())) < 2:
        pytest.skip("this file system takes the two spellings for one")
    outcomes = list(library.ingest([folder], SHARED))
    assert sorted(outcome.status for outcome in outcomes) == ["added", "refused"]
    assert [outcome.status for outcome in library.ingest([folder], SHARED)].count("unchanged") == 1


@pytest.mark.parametrize("running", [True, False])
def test_a_deleted_index_is_noticed_and_made_anew(in_folder: Open, tmp_path: Path, running: bool) -> None:
    library = in_folder()
    add(library, "kettle.md", "# Kettle\n\nCopper.")
    assert found(library, "copper") == ["kettle.md"]
    if not running:
        library.close()
        library = in_folder()
    shutil.rmtree(tmp_path / "home" / "chroma")
    with pytest.raises(ShelfIndexError, match="documents rebuild"):
        found(library, "copper")
    add(library, "lamp.md", "# Lamp\n\nBrass.")
    with pytest.raises(ShelfIndexError, match=r"[01] of 2"):
        found(library, "copper")
    assert library.rebuild() == 1
    assert sorted(found(library, "copper")) == ["kettle.md", "lamp.md"]
    library.close()
    assert found(in_folder(), "copper")[0] == "kettle.md"


def test_a_removal_during_a_question_is_not_taken_for_a_lost_index(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    writing = opened()
    for name in ("kettle", "lamp"):
        add(writing, f"{name}.md", f"# {name}\n\nCopper.")
    reading = opened()
    count = VectorIndex.count

    def count_late(index: VectorIndex, name: str) -> int:
        monkeypatch.setattr(VectorIndex, "count", count)
        writing.remove("kettle.md", SHARED)
        return index.count(name)

    monkeypatch.setattr(VectorIndex, "count", count_late)
    assert found(reading, "copper") == ["lamp.md"]
    assert VectorIndex.count is count
    assert found(reading, "copper") == ["lamp.md"]


def test_a_path_that_is_too_long_is_refused_and_the_others_go_in(opened: Open, tmp_path: Path) -> None:
    (tmp_path / "kettle.md").write_text("# Kettle\n\nCopper.")
    paths = [tmp_path / ("a" * 300 + ".md"), tmp_path / "kettle.md"]
    assert [outcome.status for outcome in opened().ingest(paths, SHARED)] == ["refused", "added"]


def test_words_are_stemmed_once_however_often_a_shelf_changes(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    stemmed: list[str] = []
    of = Stems.of

    def counted(stems: Stems, text: str) -> list[str]:
        stemmed.append(text)
        return of(stems, text)

    monkeypatch.setattr(Stems, "of", counted)
    library = opened()
    for number in range(5):
        add(library, f"doc{number}.md", f"# Doc {number}\n\nCopper number {number}.")
        assert len(found(library, "copper", kind="lexical")) == number + 1
    library.remove("doc0.md", SHARED)
    assert "doc0.md" not in found(library, "copper", kind="lexical")
    assert sum("Copper" in text for text in stemmed) == 5


def test_threads_write_and_read_at_once(opened: Open) -> None:
    library = opened()

    def write(number: int) -> None:
        for turn in range(3):
            add(library, f"doc{number}.md", f"# Doc {number}\n\nCopper number {number} turn {turn}.")
            found(library, "copper")

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, range(4)))  # raises what a thread raised
    assert sorted(found(library, "copper")) == [f"doc{number}.md" for number in range(4)]


WRITER = """
import os, signal, sys
from pathlib import Path
from memory.store.database import open_database
from rag.shelf import records
from rag.shelf.owners import Owner
from rag.shelf.reading import Source
from rag.shelf.shelf import Library
from tests.rag.shelf.fakes import HashEmbedder

home, first, last, deadly = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
library = Library(open_database(home), HashEmbedder(), home, chroma_url=sys.argv[5])

def die(*given, **named):
    os.kill(os.getpid(), signal.SIGKILL)

for number in range(first, last):
    if deadly == "before the swap" and number == last - 1:
        records.insert_document = die
    if deadly == "after the swap" and number == last - 1:
        library._writer._forget_vectors = die
    text = f"# Doc {number}\\n\\nCopper number {number}."
    library.add(Source(f"doc{number}.md", text.encode()), Owner("shelf", "shared"))
"""


def write_elsewhere(home: Path, url: str, first: int, last: int, deadly: str = "") -> forking.Forked:
    return forking.start("-c", WRITER, str(home), str(first), str(last), deadly, url)


def test_two_processes_write_at_once_and_lose_nothing(opened: Open, tmp_path: Path, chroma_url: str) -> None:
    library = opened()
    add(library, "doc0.md", "# Doc 0\n\nCopper number 0.")
    assert found(library, "copper") == ["doc0.md"]
    others = [
        write_elsewhere(tmp_path / "home", chroma_url, 1, 5),
        write_elsewhere(tmp_path / "home", chroma_url, 5, 9),
    ]
    for number in range(9, 12):
        add(library, f"doc{number}.md", f"# Doc {number}\n\nCopper number {number}.")
    assert [other.wait(timeout=120) for other in others] == [0, 0]
    legs = library.search(HashEmbedder().embed_queries(("copper",)), ("copper",), SCOPE, 50)
    assert [len(leg.ranked) for leg in legs] == [12, 12]


@pytest.mark.parametrize(("moment", "kept"), [("before the swap", 2), ("after the swap", 3)])
def test_a_kill_leaves_the_old_state_or_the_new_one(
    opened: Open, tmp_path: Path, chroma_url: str, moment: str, kept: int
) -> None:
    assert write_elsewhere(tmp_path / "home", chroma_url, 0, 3, moment).wait(timeout=120) == -9
    library = opened()
    assert len(library.documents(SHARED)) == kept
    assert len(found(library, "copper")) == kept
    assert add(library, "doc2.md", "# Doc 2\n\nCopper number 2.") == ("added" if kept == 2 else "unchanged")
    add(library, "doc3.md", "# Doc 3\n\nCopper number 3.")
    legs = library.search(HashEmbedder().embed_queries(("copper",)), ("copper",), SCOPE, 50)
    assert [len(leg.ranked) for leg in legs] == [4, 4]


def test_vectors_that_sql_does_not_know_are_cleaned_by_the_next_write(
    opened: Open, tmp_path: Path, chroma_url: str
) -> None:
    assert write_elsewhere(tmp_path / "home", chroma_url, 0, 2, "before the swap").wait(timeout=120) == -9
    library = opened()
    add(library, "doc7.md", "# Doc 7\n\nCopper number 7.")
    name = library._writer.collection(SHARED, library.documents(SHARED)[0].language)
    with library._database.read() as connection:
        known = {id_ for record in records.find_records(connection, SHARED) for id_ in record.passage_ids}
    assert set(library._index.ids(name)) == known
