"""A docstring taken apart: what it says, its parameters, its departures, its examples."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from inspect import cleandoc

SECTION = re.compile(r"^(Parameters|Notes|References?|Examples|Returns|Raises)\n-{3,}\n", re.M)
PARAMETER = re.compile(r"^(\*{0,2}\w+(?:, \w+)*)(?::[ \n]?(.*))?$")
DEPARTURE = re.compile(r"^Departures?\b[^:]*:")
ROLE = re.compile(r":(?:mod|class|func|meth|attr|data):`~?([^`]+)`")


@dataclass
class Docstring:
    """The parts of a docstring, all but the examples as Markdown.

    `parameters` maps each described name to its words; `departures` are the paragraphs that say
    where the algorithm leaves its paper.
    """

    summary: str = ""
    text: str = ""
    parameters: dict[str, str] = field(default_factory=dict)
    departures: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    references: str = ""
    examples: str = ""

    def as_markdown(self) -> str:
        """The whole again, in the order in which it is read."""
        rows = [f"| `{name}` | {in_cell(words)} |" for name, words in self.parameters.items()]
        table = ["| parameter | |\n|---|---|\n" + "\n".join(rows)] if rows else []
        parts = [self.summary, self.text, *table, *self.notes, *self.departures]
        if self.references:
            parts.append(self.references)
        return "\n\n".join(part for part in [*parts, fenced(self.examples)] if part)


def parsed(docstring: str) -> Docstring:
    """Take a docstring of the house apart.

    Examples
    --------
    >>> found = parsed('''Learns.
    ...
    ...     Departure: none that matters.
    ...
    ...     Parameters
    ...     ----------
    ...     mu, nu
    ...         Penalties.
    ...     tol: when to stop,
    ...         roughly.
    ...     ''')
    >>> found.summary, found.parameters, found.departures
    ('Learns.', {'mu': 'Penalties.', ...'tol': 'when to stop, roughly.'}, ['Departure: none...'])
    """
    pieces = SECTION.split(ROLE.sub(r"`\1`", cleandoc(docstring)))
    found = Docstring()
    found.summary, *rest = _paragraphs(pieces[0]) or [""]
    found.text = "\n\n".join(_without_departures(rest, found))
    for name, body in zip(pieces[1::2], pieces[2::2], strict=True):
        if name == "Parameters":
            _add_parameters(body, found)
        elif name == "Examples":
            found.examples = body.strip()
        elif name.startswith("Reference"):
            found.references = body.strip()
        elif name == "Notes":
            found.notes += _without_departures(_paragraphs(body), found)
        else:
            found.notes.append(f"{name}: {body.strip()}")
    return found


def fenced(examples: str) -> str:
    """Examples as Markdown: words stay words, sessions become blocks of code.

    Examples
    --------
    >>> fenced("Add.\\n\\n>>> 1 + 1\\n2").split("`" * 3)
    ['Add.\\n\\n', 'pycon\\n>>> 1 + 1\\n2\\n', '']
    """
    parts = [
        f"```pycon\n{part}\n```" if part.startswith(">>>") else part
        for part in _paragraphs(examples)
    ]
    return "\n\n".join(parts)


def in_cell(words: str) -> str:
    """Words as they may stand in a cell of a Markdown table."""
    return re.sub(r"[ \n]+", " ", words).strip(" ").replace("|", "\\|")


def _paragraphs(text: str) -> list[str]:
    return [part.strip("\n") for part in re.split(r"\n\s*\n", text) if part.strip()]


def _without_departures(paragraphs: list[str], found: Docstring) -> list[str]:
    found.departures += [each for each in paragraphs if DEPARTURE.match(each)]
    return [each for each in paragraphs if not DEPARTURE.match(each)]


def _add_parameters(body: str, found: Docstring) -> None:
    """Entries are names at the margin, words after a colon or indented; the rest is a note."""
    for paragraph in _paragraphs(body):
        if DEPARTURE.match(paragraph) or not PARAMETER.match(paragraph.split("\n")[0]):
            found.notes += _without_departures([paragraph], found)
            continue
        names: list[str] = []
        for line in paragraph.split("\n"):
            begins = None if line.startswith(" ") else PARAMETER.match(line)
            if begins:
                names = begins[1].split(", ")
                found.parameters |= dict.fromkeys(names, begins[2] or "")
            for name in names if not begins else []:
                found.parameters[name] = f"{found.parameters[name]} {line.strip()}".strip()
