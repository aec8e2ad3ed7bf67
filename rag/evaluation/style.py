"""How the report looks: on a desk and on a phone, by day and by night, from either side."""

from __future__ import annotations

from typing import Final

STYLE: Final = """
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #57606a; --paper: #ffffff; --line: #d0d7de; --tint: #f3f5f8;
  --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #9aa7b4; --paper: #0f141a; --line: #303a45;
  --tint: #182029; --bad: #ff9a90; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Noto Sans Arabic", sans-serif; }
main { max-width: 68rem; margin-inline: auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.75rem; margin: 0; }
h2 { font-size: 1.25rem; margin: 2.5rem 0 .75rem; }
.made { color: var(--soft); margin: .25rem 0 1rem; }
.wide { overflow-x: auto; border: 1px solid var(--line); border-radius: .5rem; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: .4rem .7rem; text-align: end; white-space: nowrap; border-block-end: 1px solid var(--line); }
tbody tr:last-child > * { border-block-end: 0; }
thead th { color: var(--soft); font-weight: 500; font-size: .875rem; white-space: normal; min-width: 5rem;
  vertical-align: bottom; }
th:first-child { text-align: start; position: sticky; inset-inline-start: 0; background: var(--paper); }
tr.language > * { background: var(--tint); font-weight: 600; }
tr.kind th { font-weight: 400; padding-inline-start: 1.6rem; }
details { border: 1px solid var(--line); border-radius: .5rem; margin-block: .5rem; }
summary { padding: .6rem .9rem; cursor: pointer; overflow-wrap: anywhere; }
summary:focus-visible, .wide:focus-visible { outline: 3px solid #4a7dff; outline-offset: 2px; }
summary .said, summary .why { display: block; }
.id, .score { color: var(--soft); font-size: .875rem; }
.said { font-weight: 600; }
.why { color: var(--bad); }
dl { margin: 0; padding: .25rem .9rem .9rem; }
dt { color: var(--soft); font-size: .875rem; margin-block-start: .6rem; }
dd { margin: 0; overflow-wrap: anywhere; }
dd ul { margin: 0; padding: 0; list-style: none; }
dd li { margin-block: .15rem; white-space: pre-line; text-align: start; }
.settings { display: flex; flex-wrap: wrap; gap: 0 1.5rem; padding: 0; }
.place { margin: .4rem 0 0; font-size: .875rem; }
li p { margin: 0; }
section > ul { padding-inline-start: 1.2rem; overflow-wrap: anywhere; }
@media print { details { break-inside: avoid; } }
"""
