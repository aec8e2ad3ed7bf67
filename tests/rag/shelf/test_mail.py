"""A mail is read with its head, its text and what is attached; a broken part does not take the rest along."""

from __future__ import annotations

from email.message import EmailMessage

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.errors import DocumentMislabelled, DocumentRefused
from rag.shelf.blocks import Document, Source
from rag.shelf.reading import read_source


def mail(subject: str = "Your kettle", body: str = "It left our house today.\n\nIt weighs 1.2 kg.") -> EmailMessage:
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = "Jana Weber <jana@shop.example>", "you@example.org", subject
    made["Date"] = "Sun, 01 Mar 2026 10:00:00 +0100"
    made.set_content(body)
    return made


def document(data: EmailMessage | bytes) -> Document:
    return read_source(Source("note.eml", data if isinstance(data, bytes) else data.as_bytes()))


def kinds(data: EmailMessage | bytes) -> list[tuple[str, str]]:
    found = document(data)
    return [(block.kind, found.words_of(block)) for block in found.blocks]


def test_the_head_becomes_title_metadata_and_facts() -> None:
    found = document(mail())
    assert found.title == "Your kettle"
    assert found.metadata["from"] == "Jana Weber <jana@shop.example>"
    assert kinds(mail()) == [
        ("heading", "Your kettle"),
        ("fact", "From: Jana Weber <jana@shop.example>"),
        ("fact", "To: you@example.org"),
        ("fact", "Date: Sun, 01 Mar 2026 10:00:00 +0100"),
        ("paragraph", "It left our house today."),
        ("paragraph", "It weighs 1.2 kg."),
    ]


def test_encoded_subjects_and_letters_are_right_in_every_language() -> None:
    for subject, body in (
        ("Größe der Kanne", "Die Kanne faßt 1,7 Liter und kostet 49 €."),
        ("Délai de livraison", "Où est mon colis ? Il devait arriver samedi."),
        ("موعد التسليم", "يصل الطلب يوم السبت."),
    ):
        found = document(mail(subject, body))
        assert found.title == subject
        assert body in found.text


@pytest.mark.parametrize(
    ("body", "charset"),
    [
        ("Die Größe ist 12 cm.", "iso-8859-1"),
        ("الضمان سنتان من تاريخ الشراء", "windows-1256"),
        ("Die Größe", "no-such-set"),
    ],
)
def test_the_text_is_read_in_the_encoding_that_it_states_or_in_its_own(body: str, charset: str) -> None:
    real = "cp1252" if charset == "no-such-set" else charset
    head = f"Subject: x\r\nContent-Type: text/plain; charset={charset}\r\nContent-Transfer-Encoding: 8bit\r\n\r\n"
    assert body in document(head.encode() + body.encode(real)).text


def test_of_two_forms_the_plain_one_is_read_once() -> None:
    both = mail()
    both.add_alternative("<p>It left our house <b>today</b>.</p><script>x()</script>", subtype="html")
    assert document(both).text.count("our house") == 1
    alone = EmailMessage()
    alone["Subject"] = "Marked"
    alone.set_content("<h1>Hours</h1><p>Open from 9.</p><img src='http://evil.example/x.png'>", subtype="html")
    assert kinds(alone)[1:] == [("heading", "Hours"), ("paragraph", "Open from 9.")]


def test_what_is_attached_is_named_and_read_where_its_kind_is() -> None:
    made = mail()
    made.add_attachment(b"Name,Price\nBorva,49\n", maintype="text", subtype="csv", filename="prices.csv")
    made.add_attachment(b"\x89PNG\r\n\x1a\n", maintype="image", subtype="png", filename="kettle.png")
    made.add_attachment(b"%PDF-broken", maintype="application", subtype="pdf", filename="../../broken.pdf")
    made.add_attachment(mail("Inner", "Not to be read."))
    found = kinds(made)
    assert [words for kind, words in found if kind == "heading"] == [
        "Your kettle",
        "prices.csv",
        "kettle.png",
        "broken.pdf",
        "Inner",
    ]
    assert ("row", "Borva | 49") in found
    assert "Not to be read" not in document(made).text


def test_quoted_lines_lose_their_marks() -> None:
    assert ("paragraph", "Where is it?") in kinds(mail(body="It is on its way.\n\n> Where is it?\n"))


@pytest.mark.parametrize("data", [b"words and nothing else", b"\x00\x01\x02binary", b"Note: this is a text\n\nreally"])
def test_what_is_no_mail_is_refused_by_name(data: bytes) -> None:
    with pytest.raises(DocumentMislabelled) as caught:
        document(data)
    assert caught.value.values["name"] == "note.eml"


HEADS = st.sampled_from(
    [
        "Subject: =?utf-8?b?////?=",
        "From: <<>>,;",
        "Date: never",
        "Content-Type: multipart/mixed; boundary=x",
        "To: =?x?q?y?=",
        'Content-Type: text/plain; charset="\0"',
        "Content-Transfer-Encoding: base64",
        "Content-Type: message/rfc822",
        "Content-Disposition: attachment; filename*=x''%ff",
        "Content-Type: text/html",
        "MIME-Version: 1.0",
    ]
)


@given(heads=st.lists(HEADS, min_size=1, max_size=5), body=st.text(alphabet="-x\n abc=<>:/?", max_size=60))
def test_no_mail_ends_in_a_traceback(heads: list[str], body: str) -> None:
    try:
        read = document(("\n".join(heads) + "\n\n" + body).encode("utf-8", "surrogateescape"))
    except DocumentRefused:
        return
    assert read.text
