"""Cases of listening as data: a message and what is heard in it, as "key/detail: value [act] (amount unit)".

What a case leaves out of a statement (detail, act, amount) is not compared; nothing else may be heard.
``python -m tests.memory.knowledge.hearing`` prints precision and recall.
"""

from __future__ import annotations

import re
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

from languages import codes
from memory.catalog import NameIndex
from memory.knowledge.heard import Heard
from memory.knowledge.listening import listen
from memory.types import Name

CASES = Path(__file__).parent / "listening"
_STATEMENT = re.compile(
    r"(?:(?P<subject>[^|.:]*)\.)?(?P<key>\w*)(?:/(?P<detail>\w+))?: (?P<value>.+?)"
    r"(?: \[(?P<act>\w+)\])?(?: \((?P<amount>-?[\d.]+)(?: (?P<unit>[^()\s]+))?\))?"
)


@dataclass(frozen=True, slots=True)
class Case:
    """A message, what is stated in it, and what the conversation is about."""

    language: str
    message: str
    expected: tuple[str, ...]
    focus: str = ""
    names: tuple[str, ...] = ()


def read_cases(language: str, folder: Path = CASES) -> list[Case]:
    """Return the cases of a language in the order of their file."""
    content = tomllib.loads((folder / f"{language}.toml").read_text("utf-8"))
    cases = [Case(language, message, _split(told)) for message, told in content["cases"].items()]
    focus, names = content.get("focus", ""), tuple(content.get("names", ()))
    cases += [
        Case(language, message, _split(told), focus, names) for message, told in content.get("things", {}).items()
    ]
    return cases


def known_failures(language: str, folder: Path = CASES) -> frozenset[str]:
    """Return the messages that are known to be heard wrongly."""
    return frozenset(tomllib.loads((folder / f"{language}.toml").read_text("utf-8")).get("known_failures", ()))


def _split(told: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in told.split(" | ") if part.strip())


def heard(case: Case) -> tuple[Heard, ...]:
    """Return what is heard in a case's message."""
    catalog = NameIndex.of([Name(name) for name in case.names]) if case.names else None
    return listen(case.message, language=case.language, catalog=catalog, focus=case.focus)


def fits(expected: str, found: Heard) -> bool:
    """Return whether *found* is the statement *expected*."""
    match = _STATEMENT.fullmatch(expected)
    assert match is not None, expected
    said = match.groupdict()
    return (
        (said["subject"] or "") == found.subject
        and said["key"] == found.key
        and said["value"] == found.value
        and said["detail"] in (None, found.detail)
        and said["act"] in (None, found.act)
        and (said["amount"] is None or float(said["amount"]) == found.amount)
        and (said["unit"] is None or said["unit"] == found.unit)
    )


def fault(case: Case) -> str:
    """Return what is heard wrongly in a case, "" where all is right."""
    found = heard(case)
    missed = [told for told in case.expected if not any(fits(told, one) for one in found)]
    more = [one for one in found if not any(fits(told, one) for told in case.expected)]
    return f"missed {missed}, heard {[write(one) for one in more]}" if missed or more else ""


def write(one: Heard) -> str:
    """Return a statement as the cases write it."""
    subject = f"{one.subject}." if one.subject else ""
    detail = f"/{one.detail}" if one.detail else ""
    act = f" [{one.act}]" if one.act != "states" else ""
    amount = f" ({one.amount:g}{f' {one.unit}' if one.unit else ''})" if one.amount is not None else ""
    return f"{subject}{one.key}{detail}: {one.value}{act}{amount}"


def score(cases: list[Case]) -> tuple[float, float, float]:
    """Return precision, recall and the share of messages heard wholly right."""
    right = said = wanted = whole = 0
    for case in cases:
        found = heard(case)
        right += sum(any(fits(told, one) for told in case.expected) for one in found)
        said += len(found)
        wanted += len(case.expected)
        whole += not fault(case)
    met = sum(any(fits(told, one) for one in heard(case)) for case in cases for told in case.expected)
    return right / max(1, said), met / max(1, wanted), whole / max(1, len(cases))


def main(folder: Path = CASES) -> None:
    """Print precision, recall and right messages for each language, and the messages that are not right."""
    for code in codes():
        cases = read_cases(code, folder)
        precision, recall, whole = score(cases)
        sys.stdout.write(f"{code}: {len(cases)} precision {precision:.3f} recall {recall:.3f} right {whole:.3f}\n")
        for case in cases:
            wrong = fault(case)
            if wrong:
                sys.stdout.write(f"    {case.message} -> {wrong}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else CASES)
