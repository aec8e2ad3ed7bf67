"""A checkout of links: what a test writes into it, or leaves out of it, the repository never sees."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
_NOT_PART = {"build", "dist", "__pycache__"}


def linked_checkout(root: Path, *, without: tuple[str, ...] = ()) -> Path:
    """Return *root* with a link to all of the repository but *without*; languages/ is a folder of links.

    A folder written into its languages/ is a language there.
    """
    (root / "languages").mkdir(parents=True)
    for home, place in ((ROOT, root), (ROOT / "languages", root / "languages")):
        for path in home.iterdir():
            left_out = path.name in _NOT_PART or path.name in without or path.name.startswith(".")
            if not left_out and not (place / path.name).exists():
                (place / path.name).symlink_to(path)
    return root
