"""`python -m olc_helpers theorems` lists the theorems, explains one, or proves it on an example."""

import argparse
import ast
import re
from doctest import DocTestParser
from functools import cache
from inspect import Signature, getclosurevars, getdoc, getsource, isfunction, signature, unwrap
from textwrap import dedent
from typing import Any

from ..always import share
from ..ledger import Ledger, Theorem
from ..printed import errata
from ..proofs import theorems
from . import UserError, nearest

EXAMPLES = """examples:
  python -m olc_helpers theorems
  python -m olc_helpers theorems wm_bound
  python -m olc_helpers theorems wm_bound --example
"""


def add_to(commands: argparse._SubParsersAction) -> argparse.ArgumentParser:
    """Add the command and its options."""
    command = commands.add_parser(
        "theorems",
        help="list the theorems, explain one, or run its proof on an example",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_argument("name", nargs="?", help="a theorem to explain (default: list them all)")
    command.add_argument("--example", action="store_true", help="run its proof on a small example")
    return command


def run(options: argparse.Namespace) -> None:
    """Print what was asked for."""
    known = theorems()
    if options.name is None and options.example:
        raise UserError("--example needs the name of a theorem: theorems wm_bound --example")
    if options.name is None:
        print(listed(known))
        return
    known |= errata()
    if options.name not in known:
        raise UserError(nearest("theorem", options.name, known))
    theorem = known[options.name]
    print(worked(theorem) if options.example else explained(theorem))


def listed(known: dict[str, Theorem[...]]) -> str:
    """Return one line for each theorem, under its lecture: name, statement and items."""
    lines, width = [], max(map(len, known))
    for name, theorem in sorted(known.items(), key=lambda entry: entry[1].lecture):
        heading = f"lecture {int(theorem.lecture)}"
        lines += [heading] * (heading not in lines)
        lines.append(f"  {name:{width}}  {theorem.statement}  ({', '.join(theorem.items)})")
    return "\n".join(lines)


def explained(theorem: Theorem[...]) -> str:
    """Return what a theorem says, what it assumes, and how it is called."""
    name, items = theorem.__name__, ", ".join(theorem.items)
    text = str(getdoc(theorem)).partition(">>>")[0].strip()
    place = f"lecture {int(theorem.lecture)}" + f", {items}" * bool(items)
    lines = [f"{as_called(theorem)}: {place}"]
    if theorem.erratum:
        lines.append(f"A printed claim that fails ({theorem.erratum}): lecture 21 shows where.")
    lines += ["", f"  {theorem.statement}", "", text]
    if found := hypotheses(theorem):
        lines += ["", "Where a hypothesis fails, its error says:", *(f"- {h}" for h in found)]
    if not theorem.erratum:
        lines += ["", f"A solver proved {share(name)}, for always."]
        lines += ["", f"Its proof on an example: python -m olc_helpers theorems {name} --example"]
    return "\n".join(lines)


def as_called(theorem: Theorem[...]) -> str:
    """Return how a theorem is called: its arguments, without their types."""
    arguments = signature(theorem).parameters.values()
    plain = [argument.replace(annotation=argument.empty) for argument in arguments]
    return f"proofs.{theorem.__name__}{Signature(plain)}"


def worked(theorem: Theorem[...]) -> str:
    """Return the example in the docstring of a theorem, and the ledger that it gives."""
    code = example(theorem)
    if not code:
        how = f"call it in Python: {as_called(theorem)}"
        raise UserError(f"{theorem.__name__} has no example; {how}")
    return "\n".join([*code, "", repr(ledger_of(code))])


def example(theorem: Theorem[...]) -> list[str]:
    """Return the lines of the example in the docstring of a theorem, ready to be typed."""
    name, steps = theorem.__name__, DocTestParser().get_examples(str(getdoc(theorem)))
    code = "".join(step.source for step in steps).removesuffix(".holds\n")
    code = re.sub(rf"(?m)^{name}\(", f"proofs.{name}(", code)
    return [*imports(code), *code.splitlines()] if code else []


def imports(code: str) -> list[str]:
    """Return the import lines that the code needs."""
    import olc_helpers

    used = {node.id for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Name)}
    ours = ", ".join(sorted(used & set(olc_helpers.NAMES)))
    return ["import numpy as np"] * ("np" in used) + [f"from olc_helpers import {ours}"]


def ledger_of(code: list[str]) -> Ledger:
    """Return the ledger that the last line of the code makes."""
    *steps, last = ast.parse("\n".join(code)).body
    assert isinstance(last, ast.Expr)
    names: dict[str, Any] = {}
    exec(compile(ast.Module(steps, []), "<example>", "exec"), names)
    return eval(compile(ast.Expression(last.value), "<example>", "eval"), names)


def hypotheses(theorem: Theorem[...]) -> list[str]:
    """Return what a theorem assumes, in the words of its own `assume(condition, words)` calls."""
    return list(dict.fromkeys(_assumed(unwrap(theorem), {})))


def _assumed(function, known, callers=()):
    """Yield the hypotheses of a function and of what it calls, but not again of its callers.

    `known` has those of its arguments that are written down as texts or numbers.
    """
    if function in callers:
        return
    for call, called in _calls(function):
        if call.func.id == "assume":
            yield _words(call.args[1], known)
        elif isfunction(called) and called.__module__.startswith(__package__.partition(".")[0]):
            named = {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg}
            given = signature(called).bind_partial(*call.args, **named).arguments
            constants = {name: _constant(value, known) for name, value in given.items()}
            yield from _assumed(unwrap(called), constants, (*callers, function))


@cache
def _calls(function):
    """Return the calls of names in a function, each with what it calls if that is global."""
    names = getclosurevars(function).globals
    return [
        (node, names.get(node.func.id))
        for node in ast.walk(ast.parse(dedent(getsource(function))))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    ]


def _constant(value, known):
    """Return the value of an argument that is written down or known, or None."""
    if isinstance(value, ast.Name):
        return known.get(value.id)
    return value.value if isinstance(value, ast.Constant) else None


def _words(text, known):
    """Return the hypothesis in a message, without what was found; … stands for numbers of a run."""
    if isinstance(text, ast.IfExp | ast.Lambda):
        text = text.body
    parts = text.values if isinstance(text, ast.JoinedStr) else [text]
    words = ""
    for part in parts:
        value = part.value if isinstance(part, ast.Constant) else _constant(part.value, known)
        words += "…" if value is None else str(value)
    return re.sub(r" = …|: …", "", re.split("; |, its loss would| \\(at ", words)[0])
