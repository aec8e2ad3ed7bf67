"""Streamlit's field for files in the interface's language."""

from __future__ import annotations

import json

import streamlit as st

from languages import Language


def localise_uploader(texts: Language, hint: str, limit: float) -> None:
    """Give Streamlit's upload field, which speaks English only, its words in the interface's language.

    *hint* says which files it takes, *limit* how large they may be, in MB.

    What is not displayed has no part in the name of a control, so that the button is called by its new words alone.
    """
    most = texts.text("documents.limit", {"limit": texts.number(f"{limit:g}")})
    words = (texts.text("documents.choose"), hint, texts.text("documents.drop"), most)
    choose, formats, drop, limited = (json.dumps(each, ensure_ascii=False) for each in words)
    field, zone = '[data-testid="stFileUploader"]', '[data-testid="stFileUploaderDropzone"]'
    rules = (
        (f"{zone} > span > button [data-testid='stMarkdownContainer']", choose),
        (f"{zone} [data-testid='stFileUploaderDropzoneInstructions']", rf'{formats} "\A " {limited}'),
        (f"{zone} > input + div:has(> span:only-child)", drop),  # while files are held over it
    )
    style = "".join(f"{place} > * {{ display: none; }} {place}::after {{ content: {said}; }}" for place, said in rules)
    refused = f"{field}:has([aria-invalid])::after {{ content: {limited}; }}"
    st.html(f"<style>{style} {refused} {field} ::after, {field}::after {{ font-size: 0.875rem; }}</style>")
