"""The packs agree with one another, and the check says where they do not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

import pytest

from languages import Language, codes, load
from languages.check import check_packs, compare


def test_the_packs_are_in_order() -> None:
    assert check_packs() == ()


def changed(code: str, texts: Mapping[str, str | None]) -> Language:
    """Return the language with other texts; None takes one out."""
    pack = load(code)
    merged = {key: text for key, text in {**pack.texts, **texts}.items() if text is not None}
    return replace(pack, texts=MappingProxyType(merged))


@pytest.mark.parametrize(
    ("code", "texts", "problem"),
    [
        ("fr", {"chat.copy": None}, "“chat.copy” is missing; in English it is “Copy”."),
        ("fr", {"chat.cpoy": "Copier"}, "“chat.cpoy” is unknown in English"),
        ("de", {"chat.understood": "Verstanden"}, "“chat.understood” lacks the placeholder {question}."),
        ("de", {"chat.copy": "Kopieren {an}"}, "“chat.copy” has a placeholder {an} that nobody fills."),
        ("ar", {"documents.count.few": None}, "“documents.count” has no form “few”"),
        ("de", {"documents.count.few": "{count} Dokumente"}, "“documents.count” has a form “few”"),
        ("fr", {"documents.count.one": "{name}"}, "“documents.count.one” has a placeholder {name}"),
        ("ar", {"conversations.confirm_delete": "هل تريد الحذف?"}, "“conversations.confirm_delete” has “ف?”"),
        ("fr", {"chat.why": "Pourquoi cette lecture ?"}, "“chat.why” has “?”"),
        ("fr", {"chat.why": "Choisis ta réponse."}, "“chat.why” has “ta”"),
        ("de", {"chat.why": "Wähle deine Antwort."}, "“chat.why” has “deine”"),
        ("en", {"chat.why": "Why's that?"}, "“chat.why” has “'”"),
        ("de", {"chat.copy": "Kopieren "}, "“chat.copy” begins or ends with white space."),
        ("de", {"chat.placeholder": "Ask about the documents"}, "“chat.placeholder” is not translated."),
    ],
)
def test_a_fault_is_found(code: str, texts: Mapping[str, str | None], problem: str) -> None:
    packs = [changed(each, texts) if each == code else load(each) for each in codes()]
    found = compare(packs)
    assert [line for line in found if line.startswith(f"{code}: {problem}")], found


def test_few_stop_words_are_found() -> None:
    assert "stopwords.toml has 1 words" in compare([replace(load("en"), stop_words=frozenset({"the"}))])[0]


def test_no_packs_no_problems() -> None:
    assert compare([]) == ()
