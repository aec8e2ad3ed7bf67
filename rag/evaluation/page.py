"""The report as one page of HTML that needs nothing beside it: figures, failures stage by stage, lines not run.

Everything from cases, documents and answers is text here: it is escaped, and stands in its own direction.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from html import escape
from typing import Final

from babel.dates import format_date, format_time

from languages import Language
from rag.evaluation.figures import isolated, kind_of, problem_line, row_name, shown, why
from rag.evaluation.results import Answered, Resolved, Results, Row, resolution_rows, turn_rows
from rag.evaluation.style import STYLE
from rag.events import Hit, Turn

# Nothing is fetched and nothing runs, whatever a document made its way into the page with.
_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"
_PASSAGES: Final = 8


def render(results: Results, texts: Language, *, made: datetime) -> str:
    """Return the page in the language of *texts*; *made* is when the cases were run."""
    title = escape(texts.text("evaluation.title"))
    day, hour = format_date(made, "long", locale=texts.locale), format_time(made, "short", locale=texts.locale)
    parts = [
        f"<h1>{title}</h1>",
        f"<p class='made'>{escape(f'{day} · {hour}')}</p>",
        _settings(results, texts),
        _section(texts, "evaluation.conversations", turn_rows(results)),
        _section(texts, "evaluation.resolution", resolution_rows(results)),
        _failures(results, texts),
        _problems(results, texts),
    ]
    return (
        f"<!doctype html>\n<html lang='{escape(texts.code)}' dir='{texts.direction}'>\n<head>\n<meta charset='utf-8'>\n"
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        "<meta name='viewport' content='width=device-width, initial-scale=1'>\n"
        f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(filter(None, parts))
        + "\n</main>\n</body>\n</html>\n"
    )


def _settings(results: Results, texts: Language) -> str:
    rows = (_pair(texts.text(f"settings.{key}"), _own(name)) for key, name in results.settings.items())
    listed = "".join(rows)
    return f"<dl class='settings'>{listed}</dl>" if listed else ""


def _section(texts: Language, heading: str, rows: Sequence[Row]) -> str:
    if not rows:
        return ""
    return f"<section><h2>{escape(texts.text(heading))}</h2>{table(texts, heading, rows)}</section>"


def table(texts: Language, heading: str, rows: Sequence[Row]) -> str:
    """Return a table called *heading*, a row a language and a kind, as HTML; wider than its place it scrolls."""
    figures = tuple(rows[0].figures)
    head = "".join(f"<th scope='col'>{escape(texts.text(f'evaluation.figure.{each}'))}</th>" for each in figures)
    body = "".join(_row(texts, row, figures) for row in rows)
    return (
        f"<div class='wide' tabindex='0' role='region' aria-label='{escape(texts.text(heading))}'><table><thead><tr>"
        f"<th scope='col'>{escape(texts.text('evaluation.group'))}</th>{head}</tr></thead><tbody>{body}</tbody></table>"
        "</div>"
    )


def _row(texts: Language, row: Row, figures: Sequence[str]) -> str:
    cells = "".join(f"<td>{escape(shown(texts, each, row.figures[each]))}</td>" for each in figures)
    kind = "kind" if row.kind else "language"
    return f"<tr class='{kind}'><th scope='row'>{_own(row_name(texts, row))}</th>{cells}</tr>"


def _failures(results: Results, texts: Language) -> str:
    found = results.failures
    if not found:
        none = escape(texts.text("evaluation.no_failures"))
        return f"<p>{none}</p>" if results.resolved or results.answered else ""
    listed = "".join(_failure(each, texts) for each in found)
    heading = escape(texts.text("evaluation.failures"))
    return f"<section><h2>{heading} ({escape(texts.number(str(len(found))))})</h2>{listed}</section>"


def _failure(found: Resolved | Answered, texts: Language) -> str:
    """Return one failure, closed: its question and what speaks against it; open: each stage."""
    return (
        f"<details><summary><span class='id'>{_own(place_of(texts, found))}</span>"
        f"<span class='said'>{_own(question_of(found))}</span>"
        f"<span class='why'>{_own(why(texts, found.verdict, isolated))}</span></summary>"
        f"{stages(texts, found)}</details>"
    )


def question_of(found: Resolved | Answered) -> str:
    """Return what was asked."""
    return found.case.question if isinstance(found, Resolved) else found.wanted.user


def place_of(texts: Language, found: Resolved | Answered) -> str:
    """Return where a result's case stands: its file, its id, and which message of a conversation it is."""
    if isinstance(found, Resolved):
        return f"{found.file} · {found.case.id}"
    return f"{found.file} · {found.conversation.id} · {texts.number(str(found.number + 1))}"


def stages(texts: Language, found: Resolved | Answered) -> str:
    """Return what happened at each stage of a case, and what was expected, as HTML."""
    told = _resolution(found, texts) if isinstance(found, Resolved) else _turn(found, texts)
    return f"<dl>{told}</dl>"


def _resolution(found: Resolved, texts: Language) -> str:
    case, result = found.case, found.result
    links = (
        _link(texts, each["text"], each["entities"], ())
        for each in result.get("references", ())
    )  # fmt: skip
    offered = (each["name"] for each in result.get("candidates", ()))
    wanted = case.standalone or (case.question,)
    return "".join(
        (
            _stage(texts, "before", (_spoken(texts, said.role, said.text) for said in case.history)),
            _stage(texts, "question", (case.question,)),
            _stage(texts, "standalone", (str(result.get("standalone") or result.get("error", "")),)),
            _stage(texts, "links", links),
            _stage(texts, "offered", offered),
            _stage(texts, "expected", (*wanted, texts.join(case.entities, "standard") if case.entities else "")),
        )
    )


def _spoken(texts: Language, role: str, text: str) -> str:
    said = {"attribute": texts.text(f"role.{role}"), "value": isolated(text)}
    return texts.text("label.fact", said)


def _turn(found: Answered, texts: Language) -> str:
    earlier = [each.user for each in found.conversation.turns[: found.number]]
    return "".join(
        (
            _stage(texts, "before", earlier),
            _stage(texts, "question", (found.wanted.user,)),
            _made(found.turn, texts) if found.turn else "",
            _stage(texts, "expected", _expected(found, texts)),
        )
    )


def _made(turn: Turn, texts: Language) -> str:
    """Return what happened at each stage of *turn*."""
    answer, asked = turn.answer, turn.clarification
    links = (_link(texts, link.text, link.entities, link.evidence) for link in turn.resolution.links)
    cited = answer.citations if answer else ()
    times = (f"{stage} {round(ms)} ms" for stage, ms in turn.timings_ms.items() if round(ms))
    return "".join(
        (
            _stage(texts, "standalone", (turn.resolution.standalone,)),
            _stage(texts, "links", links),
            _raw_stage(texts, "passages", (_passage(texts, hit) for hit in turn.hits[:_PASSAGES])),
            _stage(texts, "offered", (asked.question, *asked.options) if asked else ()),
            _stage(texts, "answer", (answer.text,) if answer else ()),
            _stage(texts, "citations", (f"[{each.number}] {each.document}: {each.quote}" for each in cited)),
            _stage(texts, "time", (" · ".join(times),)),
        )
    )


def _expected(found: Answered, texts: Language) -> Iterable[str]:
    wanted = found.wanted
    yield kind_of(texts, wanted.expects)
    yield wanted.standalone
    for values, style in ((wanted.gold_answer_any, "or"), (wanted.gold_answer_all, "standard")):
        if values:
            different = tuple(dict.fromkeys(values))
            yield texts.join(different) if style == "or" else texts.join(different, "standard")
    if wanted.gold_answer_none:
        yield texts.text("evaluation.none_of", {"values": texts.join(wanted.gold_answer_none)})
    yield from (*wanted.options, *wanted.gold_docs)


def _link(texts: Language, expression: str, entities: Sequence[str], evidence: Sequence[str]) -> str:
    taken = {"attribute": expression or "∅", "value": texts.join(entities, "standard") if entities else "–"}
    reasons = " · ".join(each.partition("|")[0] for each in evidence)
    return texts.text("label.fact", taken) + (f" ({reasons})" if reasons else "")


def _passage(texts: Language, hit: Hit) -> str:
    legs = " · ".join(f"{leg} {texts.number(f'{score:.2f}')}" for leg, score in hit.legs)
    place = " › ".join(filter(None, (hit.passage.document, hit.passage.heading)))
    scored = f"{texts.number(f'{hit.score:.4f}')} {f'({legs})' if legs else ''}"
    return (
        f"<p class='place'>{_own(place)} <span class='score'>{_own(scored)}</span></p><p>{_own(hit.passage.text)}</p>"
    )


def _stage(texts: Language, key: str, said: Iterable[str]) -> str:
    return _raw_stage(texts, key, (f"<li dir='auto'>{escape(each)}</li>" for each in said if each))


def _raw_stage(texts: Language, key: str, items: Iterable[str]) -> str:
    """Return a stage with the *items* of what happened at it, HTML by now; "" where nothing did."""
    listed = "".join(items)
    return f"<dt>{escape(texts.text(f'evaluation.stage.{key}'))}</dt><dd><ul>{listed}</ul></dd>" if listed else ""


def _pair(label: str, value: str) -> str:
    return f"<dt>{escape(label)}</dt><dd>{value}</dd>"


def _problems(results: Results, texts: Language) -> str:
    if not results.problems:
        return ""
    listed = "".join(f"<li>{_own(problem_line(texts, each))}</li>" for each in results.problems)
    return f"<section><h2>{escape(texts.text('evaluation.problems'))}</h2><ul>{listed}</ul></section>"


def _own(text: str) -> str:
    """Return *text* escaped, in a place of its own direction."""
    return f"<bdi dir='auto'>{escape(text)}</bdi>"
