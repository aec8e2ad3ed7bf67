"""A word is found however it is spelt: the first passage is the same for each spelling of one question."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from memory.store.database import open_database
from rag.retrieve import Query, retrieve
from rag.shelf.owners import Owner, Scope
from rag.shelf.reading import Source
from rag.shelf.shelf import Library
from tests.rag.shelf.fakes import HashEmbedder

SCOPE = Scope(("shared",))
TEXTS = {
    "settings-ar": "افتح الإعدادات من القائمة الرئيسية ثم اختر الشبكة.",
    "returns-ar": "مدة الإرجاع 24 يومًا من تاريخ التسليم.",
    "printer-ar": "تعمل الطابعة بالحبر وتطبع على الوجهين.",
    "settings-fr": "Ouvrez les réglages de l’écran, puis choisissez la langue.",
    "returns-fr": "Le délai de retour est de 24 jours après la livraison.",
    "settings-de": "Öffnen Sie die Größeneinstellung in der Straßenkarte.",
    "returns-de": "Die Rückgabefrist beträgt 24 Tage nach der Lieferung.",
    "settings-en": "Open the Wi-Fi settings of the café from the main menu.",
    "returns-en": "The return period is 24 days after delivery.",
}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    home = tmp_path_factory.mktemp("home")
    made = Library(open_database(home), HashEmbedder(), home)
    for name, text in TEXTS.items():
        made.add(Source(f"{name}.txt", text.encode()), Owner("shelf", "shared"))
    yield made
    made.close()


@pytest.mark.parametrize(
    ("code", "question", "document"),
    [
        ("ar", "أين الإعدادات؟", "settings-ar"),
        ("ar", "اين الاعدادات", "settings-ar"),
        ("ar", "أَيْنَ الإِعْدَادَات؟", "settings-ar"),
        ("ar", "أين الإعــدادات؟", "settings-ar"),
        ("ar", "الإرجاع خلال 24 يومًا؟", "returns-ar"),
        ("ar", "الارجاع خلال ٢٤ يوما؟", "returns-ar"),
        ("ar", "الطابعه", "printer-ar"),
        ("ar", "القائمه الرئيسيه", "settings-ar"),
        ("fr", "Où sont les réglages de l’écran ?", "settings-fr"),
        ("fr", "ou sont les reglages de l'ecran", "settings-fr"),
        ("fr", "Ou\u0300 sont les re\u0301glages de l'e\u0301cran ?", "settings-fr"),
        ("fr", "RÉGLAGES DE L’ÉCRAN", "settings-fr"),
        ("de", "Wo ist die Straßenkarte?", "settings-de"),
        ("de", "wo ist die strassenkarte", "settings-de"),
        ("de", "STRASSENKARTE", "settings-de"),
        ("de", "Gro\u0308ßeneinstellung", "settings-de"),
        ("en", "Where are the Wi-Fi settings of the café?", "settings-en"),
        ("en", "where are the wi\u2011fi settings of the cafe", "settings-en"),
        ("en", "return within \uff12\uff14 days", "returns-en"),
    ],
)
def test_each_spelling_finds_the_same_passage_first(library: Library, code: str, question: str, document: str) -> None:
    hits = retrieve(library, HashEmbedder(), Query(question, question, code, SCOPE))
    assert hits[0].passage.document == f"{document}.txt"
    legs = library.search(HashEmbedder().embed_queries((question,)), (question,), SCOPE, 5)
    best = max((row for leg in legs if leg.kind == "lexical" for row in leg.ranked), key=lambda row: row[1])
    assert library.passages([best[0]], SCOPE)[best[0]].document == f"{document}.txt", "by its words alone"
