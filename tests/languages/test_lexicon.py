"""What forms can be, what nouns name, and who people are: facts by hand in each language."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from languages.columns import columns
from languages.errors import LanguagePackError
from languages.folding import fold
from languages.grammar import grammar_of
from languages.lexicon import lexicon
from languages.nouns import kinds, nouns
from languages.people import people
from languages.wordforms import Features, Lines, WordForms, load_forms, load_lines, save_forms, spelling
from languages.wordrules import Rules, rules

CODES = ("en", "fr", "de", "ar")
FOLDER = Path(__file__).parents[2] / "languages"


def facts(table: str) -> list[tuple[str, str, str]]:
    """Read "code | form | fact" lines; a form may have blanks."""
    rows = []
    for line in table.strip().splitlines():
        code, form, fact = (cell.strip() for cell in line.split("|"))
        rows.append((code, form, "" if fact == "-" else fact))
    return rows


GENDERS = facts("""
fr | ordinateur | m
fr | imprimante | f
fr | imprimantes | f
fr | l'imprimante | f
fr | smartphone | m
fr | garantie | f
fr | prix | m
fr | abonnement | m
fr | assurance | f
fr | chaise | f
fr | casque | m
fr | écouteurs | m
fr | eau | f
fr | clé | f
fr | hôtel | m
fr | directrice | f
fr | directrices | f
fr | vendeuse | f
fr | collègue | fm
fr | marché | m
fr | marche | f
fr | securite | f
fr | chevaux | m
fr | journaux | m
fr | entreprise | f
fr | siège | m
fr | tondeuse | f
fr | couveuse | f
fr | incubateur | m
fr | permis | m
fr | nouvelle | f
fr | qsdfgh | -
de | Laptop | mn
de | Notebook | mn
de | Drucker | m
de | Kühlschrank | m
de | Waschmaschine | f
de | Waschmaschinen | f
de | Handy | n
de | Handys | n
de | Versicherung | f
de | Vertrag | m
de | Verträge | m
de | Konto | n
de | Konten | n
de | Fahrrad | n
de | Lastenrad | n
de | Regionalzug | m
de | Wärmepumpe | f
de | Monatsrate | f
de | Gaming-Notebook | mn
de | Kündigungsfrist | f
de | Mädchen | n
de | Ärztin | f
de | Ärztinnen | f
de | Versicherer | m
de | Schreibtischlampe | f
de | Brutkasten | m
de | Bootsführerschein | m
de | Kaution | f
de | Gehalt | n
de | laptop | mn
de | monatsrate | f
de | Qwrtzk | -
ar | طابعة | f
ar | الطابعة | f
ar | والطابعة | f
ar | للطابعة | f
ar | هاتف | m
ar | الهاتف | m
ar | بالهاتف | m
ar | هاتفي | m
ar | هواتف | f
ar | الأجهزة | f
ar | سعر | m
ar | سعرها | m
ar | بطاريته | f
ar | شركتهم | f
ar | الشركات | f
ar | شمس | f
ar | أرض | f
ar | نار | f
ar | مدير | m
ar | مديرة | f
ar | الموظفون | m
ar | مستشفى | m
ar | حاضنة | f
ar | الحاضنة | f
ar | الطَّابِعَة | f
ar | طابعه | f
ar | شاحنه | fm
ar | سيارات | f
ar | ضمان | m
ar | فاتورة | f
ar | فواتير | f
ar | الطابعتين | f
ar | هاتفان | m
ar | مهندسين | m
ar | استخدام | m
ar | تحديث | m
ar | من | -
en | laptop | -
en | ship | -
""")

NUMBERS = facts("""
en | laptop | s
en | laptops | p
en | children | p
en | mice | p
en | women | p
en | series | ps
en | batteries | p
en | knife | s
en | headphones | p
en | company | s
fr | imprimante | s
fr | imprimantes | p
fr | prix | ps
fr | chevaux | p
fr | jeux | p
fr | vacances | p
fr | journal | s
fr | portables | p
fr | souris | ps
de | Drucker | ps
de | Handys | ps
de | Ferien | p
fr | lunettes | p
de | Verträge | p
de | Kosten | p
de | Eltern | p
de | Konto | s
de | Städten | p
de | Ärztinnen | p
ar | طابعة | s
ar | طابعات | p
ar | الهواتف | p
ar | أجهزة | p
ar | الموظفون | p
ar | عملاء | p
ar | الطابعتان | p
ar | هاتفين | p
ar | سيارة | s
ar | الفواتير | p
""")

# Parts that must be there, and with "!" those that must not.
PARTS = facts("""
en | run | noun verb inf
en | compare | verb inf !noun
en | expensive | adj
en | quickly | adv
en | bought | verb
en | its | !noun !verb
en | the | !noun
en | in | !noun
en | laptop | noun !verb
en | London | name !noun
fr | comparer | verb inf
fr | compare | verb !noun
fr | livre | noun verb
fr | coûtent | verb !inf
fr | léger | adj
fr | rapidement | adv
fr | portable | noun adj
fr | vendu | verb adj
fr | carte | noun
fr | permis | noun verb
fr | prendre | verb inf
fr | Paris | name
de | kostet | verb !noun !inf
de | kosten | verb inf !noun
de | Kosten | noun
de | vergleichen | verb inf !noun
de | verglich | verb
de | abgeholt | verb
de | größer | adj
de | teures | adj
de | höchste | adj
de | politischen | adj !noun
de | gemeinsame | adj !noun
de | möglicherweise | adv !noun
de | aber | !noun
de | mehr | adv !noun
de | stornieren | verb inf
de | verfolgen | verb inf
de | Wärmepumpe | noun
ar | يكلف | verb
ar | تكلف | verb
ar | قارن | verb
ar | أعطني | verb
ar | اشتريته | verb
ar | كبيرة | adj
ar | المجانية | adj
ar | الأكبر | adj
ar | المنتج | noun
ar | النظر | noun !verb
ar | في | !noun !verb
ar | الذي | !noun
ar | أيضا | adv
""")

KINDS = facts("""
en | laptops | laptop
en | gaming laptop | laptop
en | fridge | refrigerator
en | the insurers | insurer
en | children | child
en | batteries | battery
en | cost of delivery | cost
en | xyzzy | -
fr | ordinateur portable | laptop
fr | ordinateurs portables | laptop
fr | l'ordinateur portable Dell XPS | laptop
fr | téléphones | phone
fr | bail | rental-agreement
fr | baux | rental-agreement
fr | bulletin de paie | payslip
fr | congé parental | parental-leave
fr | service client | customer-service
fr | vélo électrique | e-bike
fr | mutuelle | insurance
de | Notebooks | laptop
de | Notebook von Lenovo | laptop
de | Kühlschränke | refrigerator
de | Einbaukühlschrank | refrigerator
de | Gehaltsabrechnung | payslip
de | Küchen | kitchen
de | Kuchen | cake
de | Leiter | head-of
fr | tâche | task
fr | tache | scratch
fr | fils | son
ar | كتاب | book
ar | أسرة | family-member
de | Elternzeit | parental-leave
de | Filialen | branch
de | Stromtarif | electricity-tariff
de | Ferienwohnungen | holiday-home
de | Kfz-Versicherung | car-insurance
ar | حاسوب محمول | laptop
ar | الحاسوب المحمول | laptop
ar | الهاتف الذكي | smartphone
ar | هواتف | phone
ar | شركة التأمين | insurer
ar | عقد الإيجار | rental-agreement
ar | إجازة الأمومة | parental-leave
ar | فندق | hotel
ar | بالفندق | hotel
ar | غسالتي | washing-machine
ar | الطابعتين | printer
ar | المهندسين | engineer
""")

IS_A = facts("""
en | laptop | device
en | laptop | computer
en | laptop | product
en | hotel | place
en | hotel | accommodation
en | insurer | company
en | surgeon | doctor
en | colleague | person
en | violin | instrument
en | lighthouse | building
en | payslip | document
en | rental-agreement | contract
fr | imprimante | appareil
fr | ordinateur portable | ordinateur
fr | assureur | société
fr | assureur | entreprise
fr | hôtel | hébergement
fr | chirurgienne | médecin
fr | bail | contrat
fr | tablette | produit
de | Versicherer | Firma
de | Versicherer | Unternehmen
de | Notebook | Computer
de | Drucker | Gerät
de | Kinderärztin | Arzt
de | Mietvertrag | Vertrag
de | Hotel | Unterkunft
de | Elektroauto | Fahrzeug
de | Notebook | device
de | Dachdeckerin | Person
fr | mathématicienne | personne
ar | شركة التأمين | شركة
ar | حاسوب محمول | جهاز
ar | الطابعة | منتج
ar | طبيبة أسنان | طبيب
ar | فندق | سكن
ar | عقد إيجار | عقد
ar | سيارة | مركبة
""")

IS_NOT_A = facts("""
en | hotel | device
en | laptop | phone
en | device | laptop
en | surgeon | organization
fr | assureur | produit
fr | hôtel | personne
de | Versicherung | Firma
de | Leiter | Gerät
ar | طابعة | هاتف
ar | شركة | جهاز
""")

PEOPLE = facts("""
en | Mrs Taylor | f
en | Mr Okafor | m
en | Dr Okafor | -
en | Emily | f
en | Oliver | m
en | Robin | -
en | my sister | f
en | the actress | f
en | the director | -
en | laptop | -
fr | Mme Dubois | f
fr | M. Petit | m
fr | directrice | f
fr | le directeur | m
fr | une vendeuse | f
fr | la plombière | f
fr | collègue | -
fr | une personne | -
fr | Camille | -
fr | Élodie | f
fr | Jean | m
fr | imprimante | -
fr | ordinateur | -
fr | moteur | -
de | Frau Dr. Kern | f
de | Herr Andrea Ricci | m
de | Ärztin | f
de | die Leiterin | f
de | Leiter | m
de | Klempnerin | f
de | Softwareentwicklerin | f
de | Kollege | m
de | Mitglied | -
de | Maschine | -
de | Drucker | -
de | Heike | f
de | Jürgen | m
de | Kim | -
ar | السيدة هدى | f
ar | السيد سامر | m
ar | مديرة الفرع | f
ar | المدير | m
ar | طبيبة الأسنان | f
ar | زميلي | m
ar | زميلتي | f
ar | ليلى | f
ar | خالد | m
ar | نور | -
ar | سيارة | -
ar | شركة | -
fr | Heinz | m
en | فاطمة | f
de | Amélie | f
""")

HEADS = facts("""
fr | ordinateur portable Dell XPS 15 | m
fr | nouvelle imprimante laser | f
fr | la petite tablette | f
fr | siège social de l'entreprise | m
fr | barre de son | f
de | Laptop Dell XPS 13 | mn
de | das neue Smartphone | n
de | Waschmaschine von Bosch | f
de | Bluetooth-Lautsprecher | m
de | Versicherung für Haustiere | f
ar | طابعة ليزر | f
ar | الهاتف الجديد | m
ar | شركة الاتصالات | f
ar | هذا الجهاز اللوحي | m
en | the new laptop | -
""")


@pytest.mark.parametrize(("code", "form", "fact"), GENDERS)
def test_a_form_has_the_genders_it_can_have(code: str, form: str, fact: str) -> None:
    assert "".join(sorted(lexicon(code).genders(form))) == fact


@pytest.mark.parametrize(("code", "form", "fact"), NUMBERS)
def test_a_form_has_the_numbers_it_can_have(code: str, form: str, fact: str) -> None:
    assert "".join(sorted(lexicon(code).numbers(form))) == fact


@pytest.mark.parametrize(("code", "form", "fact"), PARTS)
def test_a_form_can_be_these_parts_of_speech(code: str, form: str, fact: str) -> None:
    parts = lexicon(code).parts(form)
    for part in fact.split():
        assert (part.removeprefix("!") in parts) is not part.startswith("!"), (part, parts)


@pytest.mark.parametrize(("code", "form", "fact"), KINDS)
def test_a_noun_names_a_kind(code: str, form: str, fact: str) -> None:
    found = lexicon(code).kind(form)
    assert (found.id if found else "") == fact


@pytest.mark.parametrize(("code", "form", "fact"), IS_A)
def test_a_noun_is_a_kind_of_another(code: str, form: str, fact: str) -> None:
    assert lexicon(code).is_a(form.replace("rental-agreement", "rental agreement"), fact)


@pytest.mark.parametrize(("code", "form", "fact"), IS_NOT_A)
def test_a_noun_is_no_kind_of_what_it_is_not(code: str, form: str, fact: str) -> None:
    assert not lexicon(code).is_a(form, fact)


@pytest.mark.parametrize(("code", "form", "fact"), PEOPLE)
def test_a_title_name_or_role_tells_the_gender_of_a_person(code: str, form: str, fact: str) -> None:
    assert (lexicon(code).person_gender(form) or "") == fact


@pytest.mark.parametrize(("code", "form", "fact"), HEADS)
def test_a_phrase_has_the_gender_of_its_head(code: str, form: str, fact: str) -> None:
    assert "".join(sorted(lexicon(code).head_gender(form))) == fact


def test_the_number_of_a_verb_tells_one_from_many() -> None:
    assert lexicon("de").verb_numbers("hat") == {"s"}
    assert lexicon("de").verb_numbers("haben") == {"p"}
    assert lexicon("fr").verb_numbers("coûtent") == {"p"}
    assert lexicon("en").verb_numbers("costs") == {"s"}
    assert lexicon("ar").verb_numbers("يكلفون") == {"p"}


def test_an_order_is_known_as_one() -> None:
    for code, form in (("en", "compare"), ("fr", "Montrez"), ("de", "zeige"), ("ar", "قارن")):
        assert lexicon(code).is_imperative(form), form
    assert not lexicon("fr").is_imperative("imprimante")


def test_nouns_of_two_languages_are_compared_by_their_id() -> None:
    words = {"en": "laptop", "fr": "ordinateur portable", "de": "Notebook", "ar": "الحاسوب المحمول"}
    found = [lexicon(code).kind(word) for code, word in words.items()]
    assert {noun.id for noun in found if noun} == {"laptop"}
    assert {noun.type for noun in found if noun} == {"PRODUCT"}


@pytest.mark.parametrize("code", CODES)
def test_every_kind_has_a_word_in_every_language(code: str) -> None:
    assert {noun.id for noun in nouns(code)} == set(kinds())


@pytest.mark.parametrize("code", CODES)
def test_things_have_a_gender_where_the_language_has_genders(code: str) -> None:
    without = [noun.lemma for noun in nouns(code) if rules(code).gendered and not (noun.genders or noun.plural_only)]
    assert not without
    assert rules(code).gendered or not any(noun.genders for noun in nouns(code))


def test_no_kind_stands_above_itself() -> None:
    assert not [kind.id for kind in kinds().values() if kind.id in kind.hypernyms]


@pytest.mark.parametrize("path", sorted(FOLDER.rglob("*.xz")), ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_compiled_list_is_sorted_by_the_keys_that_are_looked_up(path: Path) -> None:
    assert path.stat().st_size < 1_500_000
    keys = list(load_lines(path).keys())
    assert all(fold(key) == key for key in keys[:: max(1, len(keys) // 3000)])
    assert [key.encode() + b"\t" for key in keys] == sorted({key.encode() + b"\t" for key in keys})


@pytest.mark.parametrize("code", CODES)
def test_each_language_says_under_which_licence_its_words_are(code: str) -> None:
    assert (
        "lexicon.xz" in (text := (FOLDER / code / "LICENSE-lexicon").read_text(encoding="utf-8")) or "words.xz" in text
    )


@given(st.sampled_from(CODES), st.text(max_size=30))
def test_any_text_can_be_asked_about(code: str, form: str) -> None:
    words = lexicon(code)
    assert words.genders(form) <= {"m", "f", "n"}
    assert words.numbers(form) <= {"s", "p"}
    assert words.parts(form) <= {"noun", "verb", "inf", "adj", "adv", "name"}
    assert words.person_gender(form) in ("m", "f", None)
    assert words.is_a(form, "product") in (True, False)
    words.head_gender(form)


def test_a_list_that_is_saved_reads_back_as_it_was(tmp_path: Path) -> None:
    noun = Features.NOUN | Features.MASCULINE
    count = save_forms(tmp_path / "words.xz", [("Marché", noun), ("marche", Features.VERB), ("été", noun)])
    words = load_forms(tmp_path / "words.xz")
    assert count == 2
    assert words.entries("MARCHÉ") == (("marche", Features.VERB), ("marché", noun))
    assert words.entries("ete") == (("été", noun),)
    assert words.entries("hiver") == ()
    assert WordForms(Lines(b"")).entries("été") == ()


def test_the_article_of_a_phrase_is_no_part_of_it() -> None:
    words = Rules("first", gendered=True, article="ال")
    assert words.phrase_key("شركة التأمين") == words.phrase_key("شركة تأمين")


def test_ornaments_are_no_spelling() -> None:
    assert spelling("طَابِعَـة") == "طابعة"
    assert spelling("L’Été") == "l'été"


def test_a_damaged_list_is_named(tmp_path: Path) -> None:
    (tmp_path / "words.xz").write_bytes(b"no list")
    with pytest.raises(LanguagePackError, match=r"words\.xz.*languages/scripts"):
        load_forms(tmp_path / "words.xz")


@pytest.mark.parametrize("read", [rules, people, nouns, columns, grammar_of])
def test_a_language_without_its_files_is_named(read: object) -> None:
    assert callable(read)
    with pytest.raises(LanguagePackError, match="is missing"):
        read("xx")
