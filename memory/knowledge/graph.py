"""The graph of what is remembered: entities and the person as nodes, relations as edges; networkx does the walking."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, pairwise
from typing import Any

Triple = tuple[str, str, str]
_MOST_PATHS = 20


def graph_of(triples: Sequence[Triple]) -> Any:
    """Return the directed graph of (subject, predicate, object)."""
    import networkx as nx  # 0.2 s, and a turn never needs it

    graph = nx.MultiDiGraph()
    for subject, predicate, target in triples:
        graph.add_edge(subject, target, key=predicate, predicate=predicate)
    return graph


def neighbours(triples: Sequence[Triple], node: str, *, steps: int = 1) -> tuple[str, ...]:
    """Return what is at most *steps* relations away from *node*, in either direction, the nearest first.

    >>> neighbours([("a", "OWNS", "b"), ("c", "PART_OF", "b")], "a", steps=2)
    ('b', 'c')
    """
    import networkx as nx

    graph = graph_of(triples)
    if node not in graph:
        return ()
    reached = nx.single_source_shortest_path_length(graph.to_undirected(as_view=True), node, cutoff=steps)
    return tuple(sorted((each for each in reached if each != node), key=lambda each: (reached[each], each)))


def paths(triples: Sequence[Triple], start: str, end: str, *, longest: int = 4) -> tuple[tuple[Triple, ...], ...]:
    """Return the ways from *start* to *end* over at most *longest* relations, the shortest first.

    A relation may be walked against its direction; each step is the triple as it was said.

    >>> paths([("a", "OWNS", "b"), ("c", "PART_OF", "b")], "a", "c")
    ((('a', 'OWNS', 'b'), ('c', 'PART_OF', 'b')),)
    """
    import networkx as nx

    graph = graph_of(triples)
    if start not in graph or end not in graph or start == end:
        return ()
    simple = nx.Graph()
    simple.add_edges_from((subject, target) for subject, _, target in triples)
    found: list[tuple[Triple, ...]] = []
    try:
        for nodes in islice(nx.shortest_simple_paths(simple, start, end), _MOST_PATHS):
            if len(nodes) - 1 > longest:
                break
            found.append(tuple(_step(triples, one, other) for one, other in pairwise(nodes)))
    except nx.NetworkXNoPath:
        return ()
    return tuple(found)


def _step(triples: Sequence[Triple], one: str, other: str) -> Triple:
    return next(triple for triple in triples if {triple[0], triple[2]} == {one, other})
