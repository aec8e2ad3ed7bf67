"""A new language is a folder: written by one command, filled in a little, and the whole program speaks it.

The command and what follows run over a checkout of links, so that the repository's own languages stay as they are.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from languages.check import left_to_do
from languages.errors import PackNotBegun, UnknownLanguage
from languages.files import FOLDER
from languages.grammar import Grammar
from languages.pack import codes
from languages.scaffold import plan
from languages.scaffold_files import PURPOSES, contents
from languages.scaffold_toml import TODO, hollow, meanings, value
from tests.checkouts import linked_checkout

Run = Callable[..., subprocess.CompletedProcess[str]]

# A made-up language: enough of it for one conversation about the price and the weight of a lamp.
LANGUAGE = {
    "only_here": ["vorna", "dankim"],
    "abbreviations": ["zv."],
}
STOP_WORDS = {
    "articles": ["ol", "olim"],
    "pronouns": ["zu", "zum"],
    "prepositions": ["vum", "kast"],
    "conjunctions": ["ent"],
    "questions": ["kefa", "kemor"],
    "verbs": ["perzt", "kuzt"],
    "adverbs": ["nokh"],
}
GRAMMAR = {
    "prepositions": ["vum", "kast"],
    "conjunctions": ["ent"],
    "first_persons": ["mig"],
    "question_words": ["kefa", "kemor"],
    "verbs": ["perzt", "kuzt", "ist"],
    "openers": ["ent"],
}
TABLES = """
[[pronouns]]
forms = ["zu"]
numbers = ["s"]

[[determiners]]
forms = ["ol"]
kind = "definite"
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout of links: a folder written into its languages/ is a language there, and only there."""
    return linked_checkout(tmp_path / "checkout")


@pytest.fixture
def run(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return what runs Python over the checkout of links."""
    monkeypatch.setenv("PYTHONPATH", str(checkout))

    def start(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=checkout,
            capture_output=True,
            encoding="utf-8",
            timeout=250,
            check=False,
        )

    return start


def begin(run: Run, *arguments: str) -> str:
    done = run("-m", "languages.scaffold", *(arguments or ("xx", "--name", "Xxish", "--script", "Latin")))
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def fill(file: Path, entries: dict[str, list[str]], tables: str = "") -> None:
    """Write *entries* in the place of the empty ones, and *tables* in the place of theirs."""
    lines = []
    for line in file.read_text(encoding="utf-8").splitlines():
        name = line.split(" = ")[0]
        if f"[[{name}]]" in tables:
            continue
        lines.append(f"{name} = {json.dumps(entries[name])}" if name in entries else line)
    file.write_text("\n".join([*lines, tables]), encoding="utf-8")


def test_a_new_folder_has_every_file_and_every_entry_and_passes_the_check(run: Run, checkout: Path) -> None:
    said = begin(run)
    assert "python -m languages.check xx" in said
    folder = checkout / "languages" / "xx"
    measure = FOLDER / codes()[0]
    assert {path.name for path in folder.iterdir() if path.is_file()} == set(PURPOSES)
    assert {p.name for p in measure.iterdir() if p.suffix in (".toml", ".py")} <= set(PURPOSES)
    for name in PURPOSES:
        if name.endswith(".toml"):
            ours, theirs = (tomllib.loads((each / name).read_text(encoding="utf-8")) for each in (folder, measure))
            assert theirs.keys() <= ours.keys(), name
    done = run("-m", "languages.check", "xx")
    assert (done.returncode, done.stderr) == (0, "")
    listed = done.stdout.splitlines()
    assert all(line.startswith("xx/") for line in listed)
    assert any(line.startswith("xx/ui.toml, line ") and "copy (Copy)" in line for line in listed)
    assert any(line.startswith("xx/grammar.toml, line ") and "pronouns" in line for line in listed)
    assert {line.split(",")[0] for line in listed} >= {f"xx/{name}" for name in PURPOSES if name.endswith(".toml")}


def test_nothing_but_the_folder_is_written(run: Run, checkout: Path) -> None:
    before = {path: path.lstat().st_mtime_ns for path in (checkout / "languages").iterdir()}
    begin(run)
    after = {path: path.lstat().st_mtime_ns for path in (checkout / "languages").iterdir()}
    added = {path.name for path in after.keys() - before.keys()}
    assert added - {"__pycache__"} == {"xx"}
    assert all(after[path] == time for path, time in before.items())


PROGRAM = """
import json, sys
from pathlib import Path
from languages import codes, detect, load
from languages.grammar import grammar_of
from memory import Discourse, Name, NameIndex, observe, resolve

texts = load("xx")
names = NameIndex.of([Name("Oriel 5", "PRODUCT", (), ()), Name("Mirel 9", "PRODUCT", (), ())])
said = Discourse(language="xx")
for role, text in (("user", "Kefa kuzt Oriel 5 ?"), ("assistant", "Oriel 5 kuzt 12 €.")):
    said = observe(said, role, text, language="xx", catalogs=(names,), asked=text)
found = resolve("Kemor perzt zu ?", said, catalog=names, language="xx")
complete = resolve("Kemor perzt Mirel 9 ?", said, catalog=names, language="xx")
values = {name: "v" for key in texts.texts for name in __import__("languages.pack").pack.placeholders(texts.texts[key])}
shown = {key: texts.text(key, values) for key in texts.texts}

from tests.rag.conftest import Desk
from rag.shelf.owners import Owner
folder = Path(sys.argv[1])
desk = Desk(folder)
(folder / "documents").mkdir()
(folder / "documents" / "oriel.md").write_text("# Oriel 5\\n\\nOl Oriel 5 kuzt 12 €.\\n\\nOl Oriel 5 perzt 3 kg.\\n")
(outcome,) = desk.library.ingest([folder / "documents"], Owner("shelf", "shared"))
first, second = desk.talk("Kefa kuzt ol Oriel 5 ?", "Kemor perzt zu nokh ?", language="xx")

from streamlit.testing.v1 import AppTest
page = AppTest.from_file("tests/pages/app_under_test.py", default_timeout=60)
page.context = {"locale": "xx"}
page.run()
sys.stdout.write(json.dumps({
    "codes": codes(),
    "detected": [detect(text, previous="en").code for text in ("Vorna!", "Kefa kuzt ol lamp vum Oriel?")],
    "others": [detect(text, previous="xx").code for text in ("Et sa garantie ?", "Und wie schwer ist es?", "كم سعره؟")],
    "standalone": found.standalone,
    "complete": complete.status,
    "texts": len(shown),
    "outcome": outcome.status,
    "turns": [[turn.language, turn.resolution.standalone, turn.answer.text] for turn in (first, second)],
    "title": page.title[0].value,
    "exceptions": [e.message for e in page.exception],
    "placeholder": page.chat_input[0].placeholder,
}))
"""


def test_filled_in_a_little_it_is_loaded_detected_resolved_answered_and_shown(
    run: Run, checkout: Path, tmp_path: Path
) -> None:
    begin(run)
    folder = checkout / "languages" / "xx"
    fill(folder / "language.toml", LANGUAGE)
    fill(folder / "stopwords.toml", STOP_WORDS)
    fill(folder / "grammar.toml", GRAMMAR, TABLES)
    ui = (folder / "ui.toml").read_text(encoding="utf-8")
    translated = ui.replace('placeholder = "TODO: Ask about the documents"', 'placeholder = "Kefa vult ?"')
    assert translated != ui
    (folder / "ui.toml").write_text(translated, encoding="utf-8")
    done = run("-c", PROGRAM, str(tmp_path / "desk"))
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["codes"] == [*codes(), "xx"]
    assert found["detected"] == ["xx", "xx"]
    assert found["others"] == ["fr", "de", "ar"], "the languages there were are detected as before"
    assert found["standalone"] == "Kemor perzt Oriel 5 ?"
    assert found["complete"] == "unchanged"
    assert found["texts"] > 200
    assert found["outcome"] == "added"
    (_, _, first), (language, standalone, second) = found["turns"]
    assert language == "xx"
    assert "Oriel 5" in standalone
    assert "12 €" in first
    assert "3 kg" in second
    assert found["exceptions"] == []
    assert found["title"] == "TODO: Referent"
    assert found["placeholder"] == "Kefa vult ?"
    left = run("-m", "languages.check", "xx").stdout
    assert "Ask about the documents" not in left
    assert "only_here" not in left


def test_a_language_may_be_like_any_other(run: Run, checkout: Path) -> None:
    begin(run, "xx", "--name", "Ixische", "--script", "Cyrillic", "--like", "de")
    assert 'stemmer = "german"' in (checkout / "languages" / "xx" / "language.toml").read_text(encoding="utf-8")
    begin(run, "he", "--name", "עברית", "--script", "Hebr", "--like", "ar")
    done = run("-m", "languages.check", "he", "xx")
    assert (done.returncode, done.stderr) == (0, ""), done.stdout[:500]
    about = tomllib.loads((checkout / "languages" / "he" / "language.toml").read_text(encoding="utf-8"))
    assert (about["direction"], about["script"], about["locale"], about["order"]) == ("rtl", "Hebr", "he", 6)
    assert about["english_name"] == "Hebrew"
    columns = tomllib.loads((checkout / "languages" / "he" / "columns.toml").read_text(encoding="utf-8"))
    assert columns["capitals"] == "none"
    program = "from languages import detect; print(detect('מה המחיר?', previous='en').code)"
    assert run("-c", program).stdout.strip() == "he"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("fr", "--name", "F", "--script", "Latin"), "Found a folder languages/fr; expected none of that name."),
        (("XX", "--name", "X", "--script", "Latin"), "Found the code 'XX'; expected two or three small letters."),
        (("../x", "--name", "X", "--script", "Latin"), "Found the code '../x'; expected two or three small letters."),
        (("fa", "--name", "فارسی", "--script", "Arabic"), "Found that Arabic (ar) alone is written in Arabic;"),
        (("xx", "--name", "X", "--script", "Latine"), "Found the script 'Latine'; expected one of Arabic, "),
        (("xx", "--name", "X", "--script", "Latin", "--like", "yy"), "Found the language “yy”, expected one of: en, "),
    ],
)
def test_what_cannot_be_begun_is_refused_by_name(
    run: Run, checkout: Path, arguments: tuple[str, ...], said: str
) -> None:
    done = run("-m", "languages.scaffold", *arguments)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(said)
    assert len(done.stderr.splitlines()) == 1
    assert {p.name for p in (checkout / "languages").iterdir() if p.is_dir()} <= {
        p.name for p in FOLDER.iterdir() if p.is_dir()
    }


def test_a_shared_script_may_be_insisted_on(run: Run) -> None:
    begin(run, "fa", "--name", "فارسی", "--script", "Arabic", "--like", "ar", "--share-script")
    program = "from languages import detect; print(detect('كم سعر الهاتف وما هو لونه؟', previous='en').code)"
    assert run("-c", program).stdout.strip() == "ar", "now by its words"


def test_wrong_usage_ends_in_exit_code_2(run: Run) -> None:
    assert run("-m", "languages.scaffold", "xx").returncode == 2
    assert run("-m", "languages.check", "xx").returncode == 2


def test_refusals_are_errors_of_this_package() -> None:
    with pytest.raises(PackNotBegun):
        plan("toolong", name="x", script="Latin", like="en")
    with pytest.raises(UnknownLanguage):
        plan("xx", name="x", script="Latin", like="yy")


def test_plural_forms_are_those_of_the_new_language() -> None:
    new = plan("pl", name="Polski", script="Latin", like="en")
    texts = tomllib.loads(contents(new)["ui.toml"])
    assert list(texts["documents"]["count"]) == ["one", "few", "many", "other"]
    assert (new.english_name, new.locale, new.stemmer) == ("Polish", "pl", "polish")


def test_the_languages_there_are_have_nothing_left_to_do() -> None:
    assert [line for code in codes() for line in left_to_do(code)] == []


def test_what_is_written_reads_back() -> None:
    for content in ('a "b" \\ c', 'two\nlines """ \\d', ["l'un", "«\u202f»"], True, 5, {"a b": 1}):
        assert tomllib.loads(f"x = {value(content)}")["x"] == content
    emptied = "\n".join(hollow({"a": ["x"], "s": {"b": "Text", "c": {"0.5 h": ["y"]}}, "n": 3}))
    assert tomllib.loads(emptied) == {"a": [], "n": 3, "s": {"b": f"{TODO} Text", "c": {"0.5 h": []}}}


def test_what_an_entry_asks_is_said_beside_its_field() -> None:
    found = meanings(Grammar)
    assert set(found) == set(Grammar.__dataclass_fields__)
    assert found["openers"].startswith("and, what about")
    assert found["prepositions"] == ""
