"""The page over the scripted application; run by Streamlit, from tests and from ``screenshots.py``."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import streamlit as st

ROOT = Path(__file__).resolve().parents[2]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from app import main  # noqa: E402 - the repository's root has to be on the path first
from tests.pages.fakes import FakeApplication, open_fake  # noqa: E402 - the same


@st.cache_resource(show_spinner=False)
def open_scripted() -> FakeApplication:
    return open_fake(Path(os.environ["REFERENT_DATA_DIR"]))


def run() -> None:
    """Draw the page."""
    main(open_scripted)


if __name__ == "__main__":
    run()
