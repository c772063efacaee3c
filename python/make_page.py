"""Prints the reference section of docs/reference/python.md: signatures from pssp.pyi, descriptions from the module.

Run python3 python/make_page.py with the module in PYTHONPATH. python/tests/test_page.py compares page and output.
"""

import ast
import pathlib
import re

import pssp


def without_types(arguments):
    """Formats the arguments with names and defaults, but without types and self."""
    arguments.args = [each for each in arguments.args if each.arg != "self"]
    for each in (*arguments.args, *arguments.kwonlyargs, arguments.kwarg, arguments.vararg):
        if each is not None:
            each.annotation = None
    return ast.unparse(arguments)


def sentences(text):
    """Puts each sentence on a line of its own."""
    return re.sub(r"(?<=[.)]) (?=[A-Z(])", "\n", text)


def docstring_of(place, name):
    text = getattr(place, name).__doc__
    # pybind11 puts its own signature, with types of C++, before the text.
    return sentences(text.split("\n\n", 1)[1].strip() if text.startswith(f"{name}(") else text)


def as_sentence(subject, text):
    """Completes a text that begins with a verb, such as "Reads the file"."""
    return f"{subject} {text[0].lower()}{text[1:]}"


def entries(body, place, prefix):
    """Yields the description of each function, property and class, which begins with its name."""
    for each in body:
        if isinstance(each, ast.FunctionDef):
            decorators = [ast.unparse(one) for one in each.decorator_list]
            text = docstring_of(place, each.name)
            if "property" in decorators:
                yield f"**`{prefix}{each.name}`**: {text}"
            else:
                yield as_sentence(f"**`{prefix}{each.name}({without_types(each.args)})`**", text)
        elif isinstance(each, ast.ClassDef):
            made = getattr(pssp, each.name)
            text = sentences(made.__doc__)
            if issubclass(made, pssp.Error) and made is not pssp.Error:
                yield as_sentence(f"**`pssp.{each.name}`** (exit code {made.exit_code}) is", text)
            else:
                yield f"**`pssp.{each.name}`**: {text}"
                yield from entries(each.body, made, f"{each.name}.")


def page():
    stub = ast.parse(pathlib.Path(__file__).with_name("pssp.pyi").read_text(encoding="utf-8"))
    return "\n".join(f"{text}\n" for text in entries(stub.body, pssp, "pssp."))


if __name__ == "__main__":
    print(page(), end="")
