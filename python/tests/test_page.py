"""Checks that stub, page and module agree."""

import ast
import inspect
import pathlib
import re
import runpy

import pssp

FOLDER = pathlib.Path(__file__).resolve().parents[1]


def of_stub():
    """Returns the parameters and defaults of each function in the stub; None for names that are not functions."""
    found = {}

    def add(body, prefix):
        for each in body:
            if isinstance(each, ast.FunctionDef):
                is_property = any(ast.unparse(one) == "property" for one in each.decorator_list)
                arguments = each.args
                positional = [one.arg for one in arguments.args]
                defaults = dict(
                    zip(positional[len(positional) - len(arguments.defaults) :], arguments.defaults)
                )
                defaults |= dict(zip((one.arg for one in arguments.kwonlyargs), arguments.kw_defaults))
                names = positional + [one.arg for one in arguments.kwonlyargs]
                found[prefix + each.name] = None if is_property else {
                    name: defaults.get(name) and ast.literal_eval(defaults[name])
                    for name in names
                    if name != "self"
                }
            elif isinstance(each, ast.ClassDef):
                found[each.name] = None
                if each.name in ("Fabric", "Tables"):
                    add(each.body, each.name + ".")
            elif isinstance(each, ast.AnnAssign):
                found[each.target.id] = None

    add(ast.parse((FOLDER / "pssp.pyi").read_text(encoding="utf-8")).body, "")
    return found


def of_module():
    """Returns the same as of_stub() for the module, from the signatures that pybind11 puts before the descriptions."""
    found = {}

    def add(place, prefix):
        for name in vars(place):
            each = getattr(place, name)
            if name.startswith("_") and name != "__version__" or inspect.ismodule(each):
                continue
            if not inspect.isroutine(each):
                found[prefix + name] = None
                continue
            inside = re.match(rf"{name}\((.*)\) -> ", each.__doc__).group(1)
            call = ast.parse(f"def f({re.sub(r': [^=]*?(?= = |, [a-z_*]|$)', '', inside)}): pass").body[0]
            arguments = call.args
            positional = [one.arg for one in arguments.args]
            defaults = dict(
                zip(positional[len(positional) - len(arguments.defaults) :], arguments.defaults)
            )
            defaults |= dict(zip((one.arg for one in arguments.kwonlyargs), arguments.kw_defaults))
            names = positional + [one.arg for one in arguments.kwonlyargs]
            found[prefix + name] = {
                name: defaults.get(name) and ast.literal_eval(defaults[name])
                for name in names
                if name not in ("self", "arg0")
            }

    add(pssp, "")
    add(pssp.Fabric, "Fabric.")
    add(pssp.Tables, "Tables.")
    return found


def test_stub_is_the_module():
    assert of_stub() == of_module()


def test_page_is_made_of_the_module():
    text = (FOLDER.parent / "docs" / "reference" / "python.md").read_text(encoding="utf-8")
    reference = text.split("\n## Reference\n\n", 1)[1]
    made = runpy.run_path(str(FOLDER / "make_page.py"))["page"]()
    assert reference == made, "replace the section Reference of the page by the output of python3 python/make_page.py"


def test_everything_is_described():
    for place in pssp.Fabric, pssp.Tables:
        for name, each in vars(place).items():
            if not name.startswith("_"):
                assert each.__doc__.strip()
