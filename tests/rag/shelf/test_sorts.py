"""A column is of one sort: its head says whether its cells are names, whatever words they are called by."""

from __future__ import annotations

import pytest

from tests.rag.shelf.test_naming import known


@pytest.mark.parametrize(
    ("name", "text", "names", "type_", "noun"),
    [
        (
            "boats.csv",
            "boat,berths,week_gbp\nKingfisher,4,900\nWagtail,2,700\nKingfisher Long,6,1100\n",
            ["Kingfisher", "Wagtail", "Kingfisher Long"],
            "PRODUCT",
            "boat",
        ),
        (
            "kurse.csv",
            "Kurs;Leitung;Preis\nKorb aus Weide;Ida Voss;90 €\nFilzen für Kinder;Ida Voss;30 €\n",
            ["Korb aus Weide", "Filzen für Kinder"],
            "SERVICE",
            "Kurs",
        ),
        (
            "tarife.md",
            (
                "# Preise\n\nBei uns zahlen Sie im Voraus.\n\n| Tarif | Preis | Stunden |\n|---|---|---|\n"
                "| Amsel | 9 € | 4 |\n| Dohle | 19 € | 12 |\n"
            ),
            ["Amsel", "Dohle"],
            "SERVICE",
            "Tarif",
        ),
        (
            "salles.md",
            (
                "# Nos salles\n\nElles se louent à la journée.\n\n| Salle | Places | Prix |\n|---|---|---|\n"
                "| Verger | 40 | 90 euros |\n| Fontaine | 25 | 60 euros |\n"
            ),
            ["Verger", "Fontaine"],
            "LOCATION",
            "salle",
        ),
        (
            "غرف.md",
            (
                "# غرف المخيم\n\nتُحجز الغرف لليلة واحدة على الأقل.\n\n| الغرفة | الأسرّة | السعر |\n|---|---|---|\n"
                "| الشرفة | 2 | 30 دينارًا |\n| النافورة | 4 | 45 دينارًا |\n"
            ),
            ["الشرفة", "النافورة"],
            "LOCATION",
            "غرفة",
        ),
        (
            "tools.csv",
            "sku,machine,price\nT-1,Hedge cutter,12\nT-2,Floor sander,30\n",
            ["Hedge cutter", "Floor sander"],
            "PRODUCT",
            "machine",
        ),
    ],
)
def test_the_rows_under_a_noun_for_things_are_things(
    name: str, text: str, names: list[str], type_: str, noun: str
) -> None:
    found = known(name, text)
    assert [each for each in names if each in found] == names
    assert {found[each].type for each in names} == {type_}
    assert {found[each].nouns for each in names} == {(noun,)}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "hours.md",
            "# Hours\n\nCome early.\n\n| Months | Days | From |\n|---|---|---|\n| May to June | daily | 9 |\n",
        ),
        ("fees.md", "# Fees\n\nPay here.\n\n| You cancel | You pay |\n|---|---|\n| a week before | half |\n"),
        ("extras.csv", "service,price\nBattery replacement,30\nScreen cleaning,10\n"),
        (
            "offre.md",
            (
                "# Offre\n\nTout est là.\n\n| Ce qui est inclus | Détail |\n|---|---|\n| Appels | illimités |\n"
                "| Internet | 40 Go |\n"
            ),
        ),
        ("faults.md", "# Faults\n\nLook here.\n\n- E-04: the door is open.\n- E-11: the filter is full.\n"),
        ("reach.md", "# Reach us\n\nAny day.\n\n- Office phone: 555 201 880\n- Mobile phone: 555 201 881\n"),
        ("regles.md", "# Règlement\n\n## Article 1\n\nSoyez calmes.\n\n## Article 2\n\nSoyez à l'heure.\n"),
    ],
)
def test_the_rows_under_other_heads_are_none(name: str, text: str) -> None:
    assert known(name, text) == {}


def test_what_stands_before_the_colons_of_a_list_is_a_name_where_it_is_a_model_or_a_sort() -> None:
    found = known(
        "ofen.md",
        "# Brennen\n\nWir brennen jede Woche.\n\n**Hitzig 45:** 45 Liter. Ein Brand kostet 20 €.\n\n"
        "**Hitzig 90:** 90 Liter. Ein Brand kostet 40 €.\n\n## Gruppen\n\n- Ton-Gruppe: montags\n"
        "- Glas-Gruppe: dienstags\n",
    )
    assert list(found) == ["Hitzig 45", "Hitzig 90", "Ton-Gruppe", "Glas-Gruppe"]
    assert found["Ton-Gruppe"].nouns == ("Gruppe",)


@pytest.mark.parametrize(
    ("text", "person", "role"),
    [
        ("# Team\n\nThis is all of us.\n\n## Jessamy Wickel, sailing instructor\n", "Jessamy Wickel", "instructor"),
        (
            "# Unser Team\n\nWir sind für Sie da.\n\n## Wiebold Kranz, Werkstattleiter\n",
            "Wiebold Kranz",
            "Werkstattleiter",
        ),
        (
            "# Notre équipe\n\nNous sommes là pour vous.\n\n## Nolwig Terrac, responsable du chantier\n",
            "Nolwig Terrac",
            "responsable",
        ),
    ],
)
def test_a_heading_with_a_role_names_a_person_whose_first_name_no_list_has(text: str, person: str, role: str) -> None:
    found = known("team.md", text)
    assert (found[person].type, found[person].nouns) == ("PERSON", (role,))
