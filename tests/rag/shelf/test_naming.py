"""Documents make their things known by name, and nothing else: a wrong name makes a wrong rewrite."""

from __future__ import annotations

import pytest

from memory.types import Attribute, Name
from rag.shelf.merging import merge_names
from rag.shelf.naming import names_in
from rag.shelf.reading import Source, read_source


def known(name: str, text: str) -> dict[str, Name]:
    return {found.name: found for found in names_in(read_source(Source(name, text.encode())))}


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("# Borvik Kelm 14: small and quiet\n\nThe machine is light and the screen is bright.", "Borvik Kelm 14"),
        ("# lumo k7 lite\n\nThe phone is cheap and the battery is large.", "lumo k7 lite"),
        (
            "# Serrano Zelt 300 – das Zelt für zwei\n\nDas Gestänge besteht aus Aluminium und ist leicht.",
            "Serrano Zelt 300",
        ),
        (
            "# Forfait Aurore 2025 (nouvelle gamme)\n\nLe prix est bloqué pendant un an pour tous.",
            "Forfait Aurore 2025",
        ),
        ("# هاتف Zumra 9 من متجرنا\n\nالشاشة كبيرة والبطارية تدوم يومين كاملين.", "Zumra 9"),
    ],
)
def test_a_title_names_what_the_document_is_about(title: str, name: str) -> None:
    assert next(iter(known("a.md", title))) == name


@pytest.mark.parametrize(
    "text",
    [
        "# Returns and refunds\n\nYou may return most items within thirty days of delivery.",
        "# Setting up the printer\n\nPlug it in. Wait until the light is green.",
        "# Step 3\n\nSwitch the machine on and wait for a moment.",
        "# Retours et remboursements\n\nVous avez trente jours pour changer d'avis.",
        "# Étape 1 — Le formulaire\n\nRemplissez-le et renvoyez-le par la poste.",
        "# Rückgabe und Erstattung\n\nSie haben dreißig Tage Zeit für die Rückgabe der Ware.",
        "# Lieferzeiten\n\nDie Lieferung dauert zwei bis drei Werktage nach Eingang der Zahlung.",
        "# الإرجاع والاستبدال\n\nيمكنك إرجاع معظم السلع خلال ثلاثين يومًا من الاستلام.",
        "# الفواتير والدفع\n\nتصدر الفاتورة في أول كل شهر وتُرسل بالبريد.",
        "# Opening hours\n\nMonday to Friday from 9 to 5. In November until 6. 5G and Wi-Fi 6 are available.",
    ],
)
def test_pages_about_no_thing_make_no_name_known(text: str) -> None:
    assert known("page.md", text) == {}


def test_a_catalogue_joins_maker_and_model_and_keeps_the_rest_as_attributes() -> None:
    names = known("list.csv", "Model,Type,Brand,Price\nk6,Phone,lumo,£599\nKelm 16,Laptop,Borvik,£949\n")
    assert names["lumo k6"].aliases == ("k6",)
    assert names["lumo k6"].nouns == ("phone",)
    assert names["Borvik Kelm 16"].type == "PRODUCT"
    assert Attribute("Price", "£949") in names["Borvik Kelm 16"].attributes


def test_an_arabic_maker_is_not_put_before_a_latin_model() -> None:
    names = known("list.csv", "الاسم,النوع,الشركة,السعر\nZumra 8,هاتف,سحابة,1499\nزيزفون X3,حاسوب محمول,قصر,3650\n")
    assert list(names) == ["Zumra 8", "زيزفون X3"]


def test_a_comparison_gives_each_column_its_facts() -> None:
    names = known("a.md", "# Two phones\n\n| | Ardo P40 | Nesh Leaf 2 |\n|---|---|---|\n| Price | £459 | £429 |\n")
    assert names["Ardo P40"].attributes == (Attribute("Price", "£459"),)
    assert names["Nesh Leaf 2"].attributes == (Attribute("Price", "£429"),)


def test_a_price_list_of_services_names_nothing() -> None:
    rows = "| Service | Price |\n|---|---|\n| Battery replacement, phone | £69 |\n| Data transfer | £45 |\n"
    assert known("a.md", f"# What it costs\n\n{rows}") == {}


@pytest.mark.parametrize(
    ("table", "names"),
    [
        ("Führung,Preis\nHafenführung,9 €\nTurmführung,7 €\n", {"Hafenführung", "Turmführung"}),
        ("الدورة,السعر\nدورة الخط,90 ريالاً\nدورة الرسم,80 ريالاً\n", {"دورة الخط", "دورة الرسم"}),
        ("Course,Price\nrowing course,£9\nsailing course,£8\n", {"rowing course", "sailing course"}),
        ("Führung,Preis\nMontag,9 €\nTurmführung,7 €\n", set()),
    ],
)
def test_rows_that_are_sorts_of_what_their_column_says_are_things(table: str, names: set[str]) -> None:
    assert set(known("a.csv", table)) == names


def test_people_of_a_language_without_capitals_are_known_by_what_the_sentence_says() -> None:
    names = known("a.md", "# الفريق\n\nسلمى القرني هي مدربة السباحة ومديرة النادي. رقم هاتفها 0550 111 204.\n")
    assert names["سلمى القرني"].type == "PERSON"
    assert "مدربة" in names["سلمى القرني"].nouns


def test_facts_belong_to_the_thing_in_the_title() -> None:
    text = (
        "# Borvik Kelm 14\n\n- Weight: 1.2 kg\n- Colour: sand\n\n**Warranty.** Two years.\n\nWe liked it: it is quiet."
    )
    assert [(a.key, a.value) for a in known("a.md", text)["Borvik Kelm 14"].attributes] == [
        ("Weight", "1.2 kg"),
        ("Colour", "sand"),
        ("Warranty", "Two years"),
    ]


def test_people_are_known_by_bold_names_and_by_their_role() -> None:
    names = known(
        "a.md",
        "# The desk\n\n**Petra Wolcott** repairs phones.\n\n| Name | Role |\n|---|---|\n| Odo Brannoch | clerk |\n",
    )
    assert {name: found.type for name, found in names.items()} == {"Odo Brannoch": "PERSON", "Petra Wolcott": "PERSON"}


def test_names_in_running_text_need_a_reason() -> None:
    text = (
        "# Notes\n\nWe met Maria Brannoch at the fair. The stand of Quellmark was full; Quellmark sells tents. "
        "On Monday we drove to the Sea. It cost 179 Euro and 30 GB."
    )
    assert set(known("a.md", text)) == {"Maria Brannoch", "Quellmark"}


def test_one_thing_in_several_documents_is_one_name() -> None:
    merged = merge_names(
        [
            Name("Borvik Kelm 14", "PRODUCT", attributes=(Attribute("Price", "£9", "a"),)),
            Name("Kelm 14", attributes=(Attribute("Weight", "1 kg", "b"),)),
            Name("BORVIK KELM 14", nouns=("laptop",)),
            Name("Borvik Kelm 16", "PRODUCT"),
            Name("Borvik"),
            Name("Kelm"),
        ]
    )
    assert [name.name for name in merged] == ["Borvik Kelm 14", "Borvik Kelm 16"]
    assert merged[0].aliases == ("Kelm 14",)
    assert merged[0].nouns == ("laptop",)
    assert [a.document for a in merged[0].attributes] == ["a", "b"]


def test_another_number_is_another_thing_and_editions_are_a_family() -> None:
    merged = merge_names(
        [Name("Kelm 14 (2023)", "PRODUCT"), Name("Kelm 14 (2025)", "PRODUCT"), Name("Kelm 14", "PRODUCT")]
    )
    assert [name.name for name in merged] == ["Kelm 14 (2023)", "Kelm 14 (2025)"]
    assert len(merge_names([Name("Kelm 13"), Name("Kelm 15"), Name("Kelm 15 Pro")])) == 3


@pytest.mark.parametrize(
    ("text", "name", "type_", "nouns"),
    [
        ("# Boats\n\nThe Avocet is a sea kayak. It is blue.", "Avocet", "PRODUCT", ("kayak",)),
        (
            "# Team\n\nTheda Okonell is the club treasurer. She is in on Fridays.",
            "Theda Okonell",
            "PERSON",
            ("treasurer",),
        ),
        ("# Contacts\n\nMireille Dastonne est la gardienne de nuit.", "Mireille Dastonne", "PERSON", ("gardienne",)),
        ("# الفريق\n\nسلمى الدرعي مدربة الكبار، وتعمل كل مساء.", "سلمى الدرعي", "PERSON", ("مدربة",)),
    ],
)
def test_a_sentence_introduces_what_it_says_of(text: str, name: str, type_: str, nouns: tuple[str, ...]) -> None:
    found = known("a.md", text)[name]
    assert (found.type, found.nouns) == (type_, nouns)


@pytest.mark.parametrize(
    "text",
    [
        "# Boats\n\nMembership is a must for all. Parking is a problem.",
        "# Geräte\n\nDer Rasenmäher ist ein Gerät des Vereins. Kaution ist eine Pflicht.",
        "# Brevik Tern 14\n\nThe Tern is a laptop. Brevik is the maker.",
        "# الفريق\n\nسلمى الطويلة ذهبت إلى السوق.",
    ],
)
def test_a_common_noun_and_a_part_of_a_name_are_not_introduced(text: str) -> None:
    assert set(known("a.md", text)) <= {"Brevik Tern 14"}


def test_the_form_of_a_company_is_no_part_of_its_name() -> None:
    found = known("a.md", "# Gartenverein Lohbrück e. V.\n\nDer Verein verleiht seinen Mitgliedern Geräte.")
    assert found["Gartenverein Lohbrück"].type == "ORGANIZATION"


def test_a_table_of_people_says_what_each_is() -> None:
    table = "# Das Team\n\n| Name | Aufgabe | Durchwahl |\n|---|---|---|\n| Svea Dellmann | Filialleiterin | 201 |\n"
    found = known("a.md", table)["Svea Dellmann"]
    assert (found.type, found.nouns) == ("PERSON", ("Filialleiterin",))


def test_a_compound_names_no_part_of_it() -> None:
    assert "Mirza-7" not in known(
        "a.md", "# Handys\n\nIn der Mirza-7-Familie ist es das größte. Alles an der Mirza-7-Familie ist neu."
    )
