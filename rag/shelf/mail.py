"""Mails (EML) to blocks: the subject as title, the head as facts, the text, and what is attached.

Of a mail in two forms the plain text is read, the HTML where there is none.  An attachment is named; where its kind is
one that is read, it is read too.  A mail inside a mail is named alone.  Nothing is fetched.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from email import message_from_bytes
from email.errors import MessageError
from email.message import EmailMessage, Message
from email.policy import default
from typing import Final

from rag.errors import DocumentMislabelled, DocumentRefused
from rag.shelf.blocks import Draft, Source, one_line
from rag.shelf.decoding import decode
from rag.shelf.markup import read_html
from rag.shelf.plaintext import read_text

_HEAD: Final = ("From", "To", "Cc", "Date")
_SIGNS: Final = ("From", "To", "Subject", "Date", "Received", "Message-ID", "MIME-Version", "Return-Path")
_MOST_ATTACHED: Final = 50
_QUOTED: Final = re.compile(r"(?m)^(?:>[ \t]?)+")

Attached = Callable[[Source], Draft | None]


def read_mail(source: Source, attached: Attached) -> Draft:
    """Return the blocks of a mail; *attached* reads what hangs on it.

    Raises: DocumentMislabelled.
    """
    found = message_from_bytes(source.data, policy=default)
    if not any(_header(found, name) for name in _SIGNS):
        raise DocumentMislabelled(
            f"{source.name} has none of the lines with which a mail begins; expected one, as its ending says. Save "
            "it as EML from the mail program.",
            {"name": source.name, "found": "no mail"},
        )
    draft = Draft()
    subject = _header(found, "Subject")
    draft.title = subject
    if subject:
        draft.metadata["subject"] = subject
        draft.add("heading", subject, level=1)
    for name in _HEAD:
        if value := _header(found, name):
            draft.metadata[name.lower()] = value
            draft.add("fact", f"{name}: {value}", label=name)
    body = _body(found)
    if body is not None:
        draft.include(_read_body(source, body), deeper=1)
    for part in list(_attachments(found, body))[:_MOST_ATTACHED]:
        _attach(draft, source, part, attached)
    return draft


def _header(message: EmailMessage, name: str) -> str:
    """Return a line of the head in words, "" where it is missing or cannot be read."""
    try:
        return one_line(str(message.get(name, "")))
    except (ValueError, TypeError, IndexError, AttributeError, MessageError):  # what its parser makes of a broken one
        return ""


def _body(message: EmailMessage) -> Message | None:
    """Return the part with the text: the plain one, unless it is empty beside one in HTML."""
    try:
        plain, marked = message.get_body(("plain",)), message.get_body(("html",))
    except (KeyError, AttributeError, ValueError):  # parts inside what can have none
        return None
    if plain is not None and (marked is None or len(_data(plain).split()) > 1):
        return plain
    return marked or plain


def _data(part: Message) -> bytes:
    """Return the bytes of a part without what they are wrapped in for the way."""
    data = part.get_payload(decode=True)
    return data if isinstance(data, bytes) else b""


def _words(source: Source, part: Message) -> str:
    """Return the text of a part in the encoding that it states, or, where that is none, that it is written in."""
    data = _data(part)
    try:
        return data.decode(part.get_content_charset() or "").replace("\r\n", "\n")
    except (LookupError, ValueError):  # no such encoding, or not this one
        return decode(replace(source, data=data)) if data.strip() else ""


def _read_body(source: Source, part: Message) -> Draft:
    words = _words(source, part)
    if part.get_content_type() == "text/html":
        return read_html(words)
    if part.get_param("format") == "flowed":
        words = re.sub(r"(?<=\S) \n(?!\n|>)", " ", words)
    return read_text(_QUOTED.sub("", words))


def _attachments(message: EmailMessage, body: Message | None) -> Iterator[Message]:
    """Yield the parts of a mail that have a name of their own, not those of a mail inside it."""
    waiting: list[Message] = [message]
    while waiting:
        part = waiting.pop(0)
        if part.get_content_type() == "message/rfc822":
            yield part
        elif part.is_multipart():
            waiting += [each for each in part.get_payload() if isinstance(each, Message)]
        elif part is not body and _name(part):
            yield part


def _name(part: Message) -> str:
    try:
        name = part.get_filename() or ""
        if not name and part.get_content_type() == "message/rfc822":
            inner = part.get_payload(0)
            name = str(inner.get("Subject", "")) if isinstance(inner, Message) else ""
    except (ValueError, TypeError, IndexError, AttributeError, MessageError):
        return ""
    return one_line(name.replace("\\", "/").rpartition("/")[2])


def _attach(draft: Draft, source: Source, part: Message, attached: Attached) -> None:
    """Name an attachment, and add what stands in it where its kind is read."""
    name = _name(part)
    draft.add("heading", name, level=2)
    if part.is_multipart():
        return
    try:
        inside = attached(replace(source, name=name, data=_data(part)))
    except DocumentRefused:  # the mail is worth having without it
        return
    if inside is not None:
        draft.include(inside, deeper=2)
        draft.pictures = draft.pictures or inside.pictures
