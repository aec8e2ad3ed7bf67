"""Language packs are read, checked and asked for texts."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import languages
from languages import LanguagePackError, MissingValue, UnknownLanguage, UnknownText, codes, default_code, load
from languages.folding import fold
from languages.pack import FOLDER, read_language


def test_the_languages_there_are() -> None:
    assert codes() == ("en", "fr", "de", "ar")
    assert default_code() == "en"
    assert [load(code).direction for code in codes()] == ["ltr", "ltr", "ltr", "rtl"]
    assert [load(code).name for code in codes()] == ["English", "Français", "Deutsch", "العربية"]


def test_exported_names_are_there() -> None:
    assert all(hasattr(languages, name) for name in languages.__all__)


def test_a_language_is_a_value() -> None:
    assert load("de") is load("de")
    assert hash(read_language("de")) == hash(load("de"))


def test_an_unknown_language_is_named_with_those_there_are() -> None:
    with pytest.raises(UnknownLanguage, match=r"“xx”.*en, fr, de, ar"):
        load("xx")


def test_stop_words_are_folded() -> None:
    for code in codes():
        assert all(fold(word) == word for word in load(code).stop_words)
        assert load(code).question_words <= load(code).stop_words
    assert {"meme", "ou"} <= load("fr").stop_words
    assert "الي" in load("ar").stop_words


def test_values_are_data() -> None:
    text = load("en").text("chat.understood", {"question": "{question} {0} %s \\1 {document}"})
    assert text == "Understood as: {question} {0} %s \\1 {document}"


def test_a_missing_value_is_named() -> None:
    with pytest.raises(MissingValue, match=r"“chat.understood” needs a value for \{question\}"):
        load("en").text("chat.understood")


def test_an_unknown_text_is_named() -> None:
    with pytest.raises(UnknownText, match=r"“chat\.nothing” in languages/fr"):
        load("fr").text("chat.nothing")


@pytest.mark.parametrize(
    ("code", "count", "expected"),
    [
        ("en", "1", "1 document"),
        ("en", "0", "0 documents"),
        ("en", "1200", "1,200 documents"),
        ("fr", "0", "0 document"),
        ("fr", "1000000", "1\u202f000\u202f000 de documents"),
        ("de", "1200", "1.200 Dokumente"),
        ("ar", "0", "لا مستندات"),
        ("ar", "1", "مستند واحد"),
        ("ar", "2", "مستندان"),
        ("ar", "3", "3 مستندات"),
        ("ar", "11", "11 مستندًا"),
        ("ar", "100", "100 مستند"),
        ("en", "many", "many documents"),
    ],
)
def test_plurals(code: str, count: str, expected: str) -> None:
    assert load(code).text("documents.count", {"count": count}) == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [("en", "A, B, or C"), ("fr", "A, B ou C"), ("de", "A, B oder C"), ("ar", "A أم B أم C")],
)
def test_lists(code: str, expected: str) -> None:
    assert load(code).join(("A", "B", "C")) == expected


def test_languages_are_named_in_each_other() -> None:
    assert [load("fr").name_of(code) for code in codes()] == ["anglais", "français", "allemand", "arabe"]
    assert load("ar").name_of("de") == "الألمانية"


def test_quotes_and_numbers() -> None:
    assert load("fr").quote("il") == "«\u202fil\u202f»"
    assert [load(code).number("1234.5") for code in ("en", "de", "fr")] == ["1,234.5", "1.234,5", "1\u202f234,5"]
    assert load("en").number("NaN") == "NaN"


def test_prompts_are_reached_by_key() -> None:
    for code in codes():
        language = load(code)
        assert language.text("system") == language.prompts.system
        assert language.text("label.question") == language.prompts.label["question"]
        assert language.text("label.passage", {"number": "2", "document": "a.md"}).count("2") == 1


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a folder with one language pack that may be spoilt."""
    shutil.copytree(FOLDER / "fr", tmp_path / "fr", ignore=shutil.ignore_patterns("*.py", "*.xz", "__pycache__"))
    return tmp_path


def test_a_copied_pack_reads_the_same(root: Path) -> None:
    assert read_language("fr", root=root) == load("fr")


@pytest.mark.parametrize(
    ("file", "old", "new", "key", "message"),
    [
        ("language.toml", 'name = "Français"\n', "", "name", "the entry is missing"),
        ("language.toml", "order = 2", 'order = "two"', "order", "should be a whole number"),
        ("language.toml", 'direction = "ltr"', 'direction = "left"', "direction", "none of the allowed words"),
        ("language.toml", 'locale = "fr"', 'locale = "zz"', "locale", "“zz” is no locale"),
        ("language.toml", "order = 2", 'order = 2\ncolour = "red"', "colour", "nobody reads an entry of this name"),
        ("stopwords.toml", "articles = [", 'articles = ["", ', "articles.0", "the text is empty"),
        ("stopwords.toml", "questions = [", "questions = 3\nnot_read = [", "questions", "this should be a list"),
        ("ui.toml", 'copy = "Copier"', "copy = 5", "chat.copy", "this should be a text"),
        ("ui.toml", 'copy = "Copier"', 'copy = " "', "chat.copy", "the text is empty"),
        ("ui.toml", 'copy = "Copier"', 'copy = "Copier', "", "cannot be read as TOML"),
        ("prompts.toml", "[label]", "[lable]", "label", "the entry is missing"),
        ("prompts.toml", "[evidence]", '[more]\nx = "y"\n[evidence]', "more", "nobody reads"),
        ("prompts.toml", 'system = """', 'other = """', "system", "the entry is missing"),
        ("ui.toml", "[app]", '[label]\nquestion = "q"\n[app]', "label.question", "prompts.toml has this entry too"),
    ],
)
def test_a_spoilt_pack_says_where_and_what_to_do(
    root: Path, *, file: str, old: str, new: str, key: str, message: str
) -> None:
    path = root / "fr" / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(LanguagePackError, match=message) as caught:
        read_language("fr", root=root)
    assert (caught.value.file, caught.value.key) == (f"fr/{file}", key)
    assert caught.value.next_step.endswith(".")


def test_a_missing_file_is_named(root: Path) -> None:
    (root / "fr" / "ui.toml").unlink()
    with pytest.raises(LanguagePackError, match=r"fr/ui\.toml: the file is missing\."):
        read_language("fr", root=root)


def test_another_encoding_is_named(root: Path) -> None:
    (root / "fr" / "ui.toml").write_bytes("[chat]\nsend = 'é'".encode("cp1252"))
    with pytest.raises(LanguagePackError, match="not in UTF-8"):
        read_language("fr", root=root)
