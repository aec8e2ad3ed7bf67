"""Passages are the document's own words, in order, of a size to quote from."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from rag.errors import DocumentRefused
from rag.shelf.reading import Source, read_source
from rag.shelf.splitting import LONGEST, searched_text, split


def passages(name: str, text: str):
    return split(read_source(Source(name, text.encode())), "k")


def test_sections_are_not_mixed_and_carry_their_headings() -> None:
    text = "# Kettle\n\nIntro words.\n\n## Care\n\nRinse it.\n\n### Filter\n\nChange it.\n\n## Price\n\n£9."
    assert [(p.heading, p.text) for p in passages("k.md", text)] == [
        ("Kettle", "Intro words."),
        ("Kettle > Care", "Rinse it."),
        ("Kettle > Care > Filter", "Change it."),
        ("Kettle > Price", "£9."),
    ]


def test_a_row_is_a_passage_found_by_its_columns() -> None:
    row = passages("list.csv", "Model,Price,Colour\nBorva Uno,£49,red\nBorva Due,£59,\n")[1]
    assert (row.kind, row.text) == ("row", "Borva Due | £59")
    assert row.context == "Model: Borva Due; Price: £59"
    assert searched_text(row) == "list: Model: Borva Due; Price: £59"


def test_long_paragraphs_are_cut_between_sentences() -> None:
    sentence = "The kettle number {} boils water quickly and switches itself off again afterwards. "
    found = passages("k.txt", "Kettle\n\n" + "".join(sentence.format(i) for i in range(60)))
    assert len(found) > 3
    assert all(len(p.text.split()) <= LONGEST for p in found)
    assert all(p.text.endswith("afterwards.") for p in found)


def test_ids_are_the_key_and_a_number() -> None:
    assert [p.id for p in passages("k.md", "# A\n\nx y\n\n# B\n\nz")] == ["k.0", "k.1"]


@given(
    blocks=st.lists(
        st.sampled_from(
            ["# Head", "word " * 90, "a" * 3000, "- item one", "x: y", "| a | b |\n|--|--|\n| c | d |", "؟ نعم."]
        ),
        min_size=1,
        max_size=12,
    )
)
@settings(max_examples=80)
def test_passages_are_the_text_and_lose_no_word(blocks: list[str]) -> None:
    try:
        document = read_source(Source("a.md", "\n\n".join(blocks).encode()))
    except DocumentRefused:
        return
    found = split(document, "k")
    at = 0
    covered = set()
    for passage in found:
        assert passage.text == document.text[passage.start : passage.end]
        assert passage.start >= at
        assert len(passage.text) <= LONGEST * 13
        covered |= set(range(passage.start, passage.end))
        at = passage.end
    for block in document.blocks:
        if block.kind not in ("heading", "columns"):
            words = {n for n in range(block.start, block.end) if not document.text[n].isspace()}
            assert words <= covered
