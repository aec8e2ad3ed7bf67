from pathlib import Path

import pytest

from languages.pack import codes, load
from memory import errors
from memory.errors import ReferentMemoryError


def tree(kind: type[ReferentMemoryError]) -> list[type[ReferentMemoryError]]:
    return [kind, *(found for below in kind.__subclasses__() for found in tree(below))]


@pytest.mark.parametrize("kind", tree(ReferentMemoryError))
def test_every_error_has_words_of_its_own_in_every_language(kind: type[ReferentMemoryError]) -> None:
    for code in codes():
        assert load(code).interface[kind.key].strip()
    assert [other for other in tree(ReferentMemoryError) if other.key == kind.key] == [kind]


def test_the_tree_is_drawn_as_it_is() -> None:
    drawing = (Path(errors.__file__).read_text(encoding="utf-8")).split("``key``")[0]
    for kind in tree(ReferentMemoryError):
        (line,) = [line for line in drawing.splitlines() if f" {kind.__name__} " in f"{line} "]
        depth = len(kind.__mro__) - len(ReferentMemoryError.__mro__)
        assert line.index(kind.__name__) == 4 + 4 * depth


def test_an_error_keeps_its_values() -> None:
    error = errors.DataFolderError("found x", {"folder": "x"})
    assert (str(error), dict(error.values)) == ("found x", {"folder": "x"})
    assert dict(errors.StoreBusy("y").values) == {}
