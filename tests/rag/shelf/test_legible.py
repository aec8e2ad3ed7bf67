"""Texts in the four languages are sound; letters of another encoding are refused with a look at them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from languages import codes, load
from rag.errors import DocumentMisencoded
from rag.shelf.blocks import Source
from rag.shelf.legible import fault_of
from rag.shelf.reading import READERS, read, read_source

ANSWERING = Path(__file__).parents[3] / "benchmarks" / "answering"
DEMO = sorted(path for path in (Path(__file__).parents[3] / "data" / "demo").glob("*/*") if path.suffix in READERS)

SOUND = [
    "Größe: 12 cm, Fußhöhe 3 cm. Die Höhe über allem: Öl, Äpfel, Übermaß.",
    "À Noël, l’été dernier où naïfs élèves étaient déjà là, créées, éméchées ; ça coûte 12 €.",
    "Étudiant·e·s, citoyen·ne·s et tou·te·s les autres peuvent s’inscrire.",
    "لوحة مفاتيح Borva X2 بمنفذ USB-C، وزنها 1.2 كغ، وسعرها ٩٩ ريالًا.",
    "لدينا «نجمة» و«نجمة كبيرة» و«قمر»، ونسلّمها مع «هلال» أو بـ«بدر» كـ«هدية».",
    "مُحَمَّدٌ يُحِبُّ القِرَاءَةَ كَثِيرًا فِي المَسَاءِ.",
    "Tiếng Việt có nhiều dấu: người, được, những, một, khách hàng.",
    "Temperatures of 20°C±2°C, 5×3 m², 10µm, §§ 3–5, ©2026 Borva®, naïve café.",
    "| a | b |\n✓ yes ✗ no → next • point",
]

GERMAN = (
    "Die Größe beträgt 12 cm, die Höhe über dem Fuß 3 cm. Außerdem gehören Öl und Äpfel dazu, für Müller und Söhne."
)
FRENCH = "L’été dernier, les élèves étaient déjà là où ça coûte très cher, à côté de l’hôtel. Où êtes-vous allée ?"
ARABIC = "الضمان سنتان من تاريخ الشراء، ويشمل قطع الغيار وأجور الإصلاح في جميع الفروع."
RUSSIAN = "Гарантия два года со дня покупки и распространяется на все детали и работу мастера."


@pytest.mark.parametrize("text", SOUND)
def test_sound_texts_stay(text: str) -> None:
    assert fault_of(text * 3) is None


@pytest.mark.parametrize("path", DEMO, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_the_demonstration_documents_are_sound(path: Path) -> None:
    assert fault_of(read(path).text) is None


@pytest.mark.parametrize("language", codes())
def test_the_documents_of_the_answering_sets_are_sound(language: str) -> None:
    sets = (ANSWERING / f"{language}.jsonl").read_text(encoding="utf-8").splitlines()
    texts = [document["text"] for line in sets for document in json.loads(line)["documents"]]
    assert texts
    assert [text[:60] for text in texts if fault_of(text) is not None] == []


@pytest.mark.parametrize(
    "data",
    [
        GERMAN.encode().decode("cp1252", "replace").encode(),
        FRENCH.encode().decode("latin-1").encode(),
        ARABIC.encode().decode("cp1252", "replace").encode(),
        RUSSIAN.encode("cp1251"),
        RUSSIAN.encode("koi8-r"),
        ARABIC.encode("iso-8859-6", "replace"),
        GERMAN.encode("cp1252").decode("utf-8", "replace").encode(),
        "".join(chr(0xE000 + ord(c)) if c.isalpha() and i % 3 else c for i, c in enumerate(GERMAN)).encode(),
    ],
    ids="de-twice fr-twice ar-twice ru-windows ru-koi8 ar-iso de-lost private".split(),
)
def test_letters_of_another_encoding_are_refused_with_a_look_at_them(data: bytes) -> None:
    with pytest.raises(DocumentMisencoded) as caught:
        read_source(Source("brief.txt", data))
    preview = caught.value.values["preview"]
    assert 0 < len(preview) <= 60
    for code in codes():
        said = load(code).text(caught.value.key, caught.value.values)
        assert "brief.txt" in said
        assert preview in said
        assert "UTF-8" in said


@pytest.mark.parametrize("encoding", ["cp1252", "latin-1", "cp850", "mac_roman"])
@pytest.mark.parametrize("text", [GERMAN, FRENCH.replace("’", "'"), "Größe: 12 cm", "L'été à l'hôtel"])
def test_letters_of_windows_dos_and_macintosh_are_told_apart(text: str, encoding: str) -> None:
    assert read_source(Source("brief.txt", text.encode(encoding))).text == text


@pytest.mark.parametrize("mark", [";", "\t", ","])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16", "mac_roman"])
def test_a_german_table_has_its_letters_in_every_encoding(mark: str, encoding: str) -> None:
    text = mark.join(("Gerät", "Größe", "Preis")) + "\r\n" + mark.join(("Lüfter", "groß", '"49,90 €"')) + "\r\n"
    found = read_source(Source("liste.csv", text.encode(encoding)))
    assert (found.blocks[-1].columns, found.blocks[-1].cells) == (
        ("Gerät", "Größe", "Preis"),
        ("Lüfter", "groß", "49,90 €"),
    )


@pytest.mark.parametrize("mark", [";", "\t", ","])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1256", "utf-16"])
def test_an_arabic_table_has_its_letters_in_every_encoding(mark: str, encoding: str) -> None:
    text = mark.join(("الاسم", "السعر", "اللون")) + "\n" + mark.join(("حاسوب", "999", "أحمر")) + "\n"
    found = read_source(Source("list.tsv", text.encode(encoding)))
    assert (found.blocks[-1].columns, found.blocks[-1].cells) == (("الاسم", "السعر", "اللون"), ("حاسوب", "999", "أحمر"))
