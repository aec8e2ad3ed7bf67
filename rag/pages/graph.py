"""The relations as a graph: in Graphviz's language for the eye, as lines of words for everybody."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import streamlit as st

from languages import Language
from languages.remembering import remembering
from memory.knowledge.graph import Triple
from memory.memory import EntityMemory
from rag.pages.direction import direction
from rag.pages.marks import plain
from rag.pages.session import person
from rag.safety import without_controls

MOST: Final = 40  # relations of one picture; more cross each other
_FEW: Final = 2  # relations that fit a phone beside each other
_WIDTH: Final = 18  # characters of a name's line
_FONT: Final = "Inter, Noto Sans Arabic, sans-serif"


@dataclass(frozen=True, slots=True)
class Colours:
    """The colours of a picture; text on its ground has a contrast of 4.5 to 1 or better."""

    ink: str
    line: str
    ground: str
    own: str  # the ground of the person's own node


_COLOURS: Final[Mapping[str, Colours]] = {
    "light": Colours("#1c2321", "#5d6a65", "#f3f5f4", "#cfe6e0"),
    "dark": Colours("#e8edeb", "#9aa6a1", "#1f2624", "#12483e"),
}


def draw_relations(texts: Language, memory: EntityMemory) -> None:
    """Draw what is related to what."""
    triples = memory.get_triples(person())
    if not triples:
        st.markdown(texts.text("memory.no_relations"))
        return
    scheme = st.context.theme.type or "light"
    shown = most_connected(triples, MOST)
    with st.container(key="graph-wide" if len(shown) > _FEW else "graph"):
        dot = graph(texts, shown, _COLOURS.get(scheme, _COLOURS["light"]))
        st.graphviz_chart(dot, width="content", alt=texts.text("memory.graph"))
    with st.container(key=f"{texts.direction}-relations"):
        st.markdown("\n".join(f"- {sentence(texts, triple)}" for triple in triples))


def most_connected(triples: Sequence[Triple], most: int) -> tuple[Triple, ...]:
    """Return the *most* relations whose ends have the most others, in their order.

    >>> most_connected([("a", "X", "b"), ("c", "X", "d"), ("a", "X", "d"), ("a", "X", "e")], 2)
    (('a', 'X', 'b'), ('a', 'X', 'd'))
    """
    degree = Counter(end for triple in triples for end in (triple[0], triple[2]))
    ranked = sorted(range(len(triples)), key=lambda n: (-degree[triples[n][0]] - degree[triples[n][2]], n))
    best = sorted(ranked[:most])
    return tuple(triples[number] for number in best) if len(triples) > most else tuple(triples)


def sentence(texts: Language, triple: Triple) -> str:
    """Return a relation in words, as Markdown: subject, what is said of it, object."""
    subject, predicate, target = triple
    who = subject or texts.text("remembered.self")
    said = remembering(texts.code).predicate(predicate)
    parts = (f"\u2068{plain(part, direction(part, texts.direction))}\u2069" for part in (who, said, target))
    return " · ".join(parts)


def graph(texts: Language, triples: Sequence[Triple], colours: Colours) -> str:
    """Return the graph of *triples* in Graphviz's language; names are text in it and nothing else."""
    names = dict.fromkeys(end for triple in triples for end in (triple[0], triple[2]))
    numbers = {name: number for number, name in enumerate(names)}
    ink = f'fontcolor="{colours.ink}", fontname="{_FONT}"'
    box = f'shape=box, style="rounded,filled", margin="0.18,0.1", color="{colours.line}", fillcolor="{colours.ground}"'
    lines = [
        "digraph {",
        f'bgcolor="transparent"; rankdir="{"RL" if texts.direction == "rtl" else "LR"}"; nodesep=0.3; ranksep=0.7;',
        f"node [{box}, {ink}, fontsize=13];",
        f'edge [color="{colours.line}", {ink}, fontsize=11, arrowsize=0.7];',
    ]
    for name, number in numbers.items():
        own = f', fillcolor="{colours.own}"' if not name else ""
        lines.append(f"n{number} [label={_quoted(name or texts.text('remembered.self'))}{own}];")
    for subject, predicate, target in triples:
        said = remembering(texts.code).predicate(predicate)
        lines.append(f"n{numbers[subject]} -> n{numbers[target]} [label={_quoted(said)}];")
    return "\n".join((*lines, "}"))


def _quoted(text: str) -> str:
    r"""Return *text* as a string of Graphviz's language, in lines of a node's width.

    >>> _quoted('say "no\\n"')
    '"say \\"no\\\\n\\""'
    """
    lines = textwrap.wrap(without_controls(text), _WIDTH) or [""]
    return '"' + "\\n".join(line.replace("\\", "\\\\").replace('"', '\\"') for line in lines[:4]) + '"'
