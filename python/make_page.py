"""Prints the reference of docs/reference/python.md: signatures of pssp.pyi, with the texts of the module itself.

python3 python/make_page.py, with the module in PYTHONPATH; python/tests/test_page.py compares.
"""

import ast
import pathlib
import re

import pssp


def without_types(arguments):
    """Names and defaults as a reader calls it."""
    arguments.args = [each for each in arguments.args if each.arg != "self"]
    for each in (*arguments.args, *arguments.kwonlyargs, arguments.kwarg, arguments.vararg):
        if each is not None:
            each.annotation = None
    return ast.unparse(arguments)


def sentences(text):
    """One a line."""
    return re.sub(r"(?<=[.)]) (?=[A-Z(])", "\n", text)


def docstring_of(place, name):
    text = getattr(place, name).__doc__
    # pybind11 puts its own signature, with types of C++, before the text.
    return sentences(text.split("\n\n", 1)[1].strip() if text.startswith(f"{name}(") else text)


def entries(body, place, prefix):
    """Heading and text of each function, property and class."""
    for each in body:
        if isinstance(each, ast.FunctionDef):
            decorators = [ast.unparse(one) for one in each.decorator_list]
            call = "" if "property" in decorators else f"({without_types(each.args)})"
            yield f"`{prefix}{each.name}{call}`", docstring_of(place, each.name)
        elif isinstance(each, ast.ClassDef):
            made = getattr(pssp, each.name)
            if issubclass(made, pssp.Error):
                code = "" if made is pssp.Error else f", exit code {made.exit_code}"
                yield f"`pssp.{each.name}`{code}", sentences(made.__doc__)
            else:
                yield f"`pssp.{each.name}`", sentences(made.__doc__)
                yield from entries(each.body, made, f"{each.name}.")


def page():
    stub = ast.parse(pathlib.Path(__file__).with_name("pssp.pyi").read_text(encoding="utf-8"))
    lines = []
    for heading, text in entries(stub.body, pssp, "pssp."):
        lines.append(f"**{heading}**: {text}\n")
    return "\n".join(lines)


if __name__ == "__main__":
    print(page(), end="")
