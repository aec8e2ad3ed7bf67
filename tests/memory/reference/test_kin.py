"""Siblings that are described, not named: "its successor", "son grand frère", "das Vorgängermodell"."""

from __future__ import annotations

import pytest

from memory import Name
from tests.memory.reference.talking import taken_for

_NAMES = [
    Name(name, "PRODUCT")
    for name in (
        "Corvo Aria 14 (2023)", "Corvo Aria 14 (2025)", "Corvo Aria 16", "Velden K-2", "Velden K-2 II", "Sonda 5",
        "Sonda 5 Lite",
    )
]  # fmt: skip


@pytest.mark.parametrize(
    ("language", "before", "question", "meant"),
    [
        ("en", "How heavy is the Sonda 5?", "And the smaller version?", "How heavy is the Sonda 5 Lite?"),
        ("en", "How heavy is the Velden K-2?", "What does its successor cost?", "What does the Velden K-2 II cost?"),
        ("fr", "Combien pèse le Corvo Aria 14 (2025) ?", "Et son grand frère ?", "Combien pèse le Corvo Aria 16 ?"),
        (
            "fr",
            "Quel est le prix du Corvo Aria 14 (2025) ?",
            "Et l'ancienne version ?",
            "Quel est le prix du Corvo Aria 14 (2023) ?",
        ),
        ("fr", "Combien pèse le Velden K-2 ?", "Il coûte combien, ce nouveau modèle ?", "le Velden K-2 II ?"),
        ("de", "Wie viel wiegt die Velden K-2 II?", "Und das Vorgängermodell?", "Wie viel wiegt die Velden K-2?"),
        ("en", "How heavy is the Sonda 5 Lite?", "And the regular one?", "How heavy is the Sonda 5?"),
        ("en", "How heavy is the Sonda 5 Lite?", "What does the normal one cost?", "What does the Sonda 5 cost?"),
        ("fr", "Combien pèse le Sonda 5 Lite ?", "Et le normal ?", "Combien pèse le Sonda 5 ?"),
        ("de", "Wie schwer ist das Sonda 5 Lite?", "Was kostet das normale?", "Was kostet das Sonda 5?"),
        ("ar", "كم وزن Sonda 5 Lite؟", "والعادي؟", "كم وزن Sonda 5؟"),
        ("ar", "كم وزن Velden K-2؟", "والإصدار الأحدث؟", "كم وزن Velden K-2 II؟"),
    ],
)
def test_a_described_sibling_is_found_in_the_catalogue(language: str, before: str, question: str, meant: str) -> None:
    found = taken_for(language, question, before, names=_NAMES)
    assert found.status == "resolved"
    assert found.standalone.endswith(meant)


@pytest.mark.parametrize(
    ("language", "before", "question"),
    [
        ("en", "How heavy is the Corvo Aria 16?", "Is there a new version of the app?"),
        ("en", "How heavy is the Corvo Aria 16?", "Where do I find the latest version of the manual?"),
        ("fr", "Combien pèse le Velden K-2 ?", "Où trouver la nouvelle version de l'application ?"),
        ("de", "Wie viel wiegt die Velden K-2?", "Wo finde ich die neue Version der App?"),
        ("en", "How heavy is the Velden K-2?", "Can I exchange it for a new one?"),
        ("en", "How heavy is the Velden K-2?", "Can I sell you my old one?"),
        ("en", "How heavy is the Velden K-2?", "Where is the new model room?"),
        ("fr", "Combien pèse le Velden K-2 ?", "Quand ouvre la nouvelle boutique ?"),
        ("fr", "Combien pèse le Velden K-2 ?", "Où est affiché le nouveau règlement ?"),
        ("fr", "Combien pèse le Velden K-2 ?", "Avez-vous un nouveau catalogue ?"),
        ("de", "Wie viel wiegt die Velden K-2?", "Wo hängt die neue Preisliste?"),
    ],
)
def test_a_description_of_something_else_names_no_sibling(language: str, before: str, question: str) -> None:
    standalone = taken_for(language, question, before, names=_NAMES).standalone
    assert "K-2 II" not in standalone
    assert "14" not in standalone


@pytest.mark.parametrize(
    ("language", "before", "question"),
    [
        ("en", "How heavy is the Sonda 5 Lite?", "What is the normal price?"),
        ("fr", "Combien pèse le Sonda 5 Lite ?", "Quel est le prix normal ?"),
        ("de", "Wie viel wiegt das Sonda 5 Lite?", "Was ist der normale Preis?"),
        ("ar", "كم وزن Sonda 5 Lite؟", "ما السعر العادي؟"),
    ],
)
def test_what_is_normal_of_a_thing_is_no_sibling(language: str, before: str, question: str) -> None:
    assert "Sonda 5" not in taken_for(language, question, before, names=_NAMES).standalone.replace("Sonda 5 Lite", "")


def test_where_two_siblings_fit_alike_none_is_taken() -> None:
    names = [Name(name, "PRODUCT") for name in ("Sonda 5", "Sonda 6 Lite", "Sonda 6 Pro")]
    found = taken_for("en", "What does the successor cost?", "How heavy is the Sonda 5?", names=names)
    assert "Sonda 6" not in found.standalone
    alone = taken_for("en", "What does the successor cost?", "How heavy is the Sonda 5?", names=names[:2])
    assert alone.standalone == "What does the Sonda 6 Lite cost?"


def test_a_new_thing_takes_over_the_contraction() -> None:
    found = taken_for("fr", "Et la Velden K-2 ?", "Quel est le prix du Corvo Aria 16 ?", names=_NAMES)
    assert found.standalone == "Quel est le prix de la Velden K-2 ?"
