"""The module is that of PYTHONPATH, the tools those of the build folder beside it (or of PATH)."""

import json
import os
import shutil
import subprocess

import pytest

BUILD = os.environ.get("PSSP_BUILD_DIR", "")


def tool(name):
    """The path of a tool of ours; skips where there is none."""
    path = shutil.which(name, path=os.path.join(BUILD, "bin") if BUILD else None)
    if path is None:
        pytest.skip(f"{name} is not built or installed")
    return path


def run(name, *arguments):
    """Standard output of a tool, which ends well."""
    done = subprocess.run(
        [tool(name), *map(str, arguments)], capture_output=True, check=False, stdin=subprocess.DEVNULL
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


def run_json(name, *arguments):
    return json.loads(run(name, *arguments, "--json"))


def warnings_of(name, *arguments):
    """What a tool that ends well says on stderr, without its name."""
    done = subprocess.run(
        [tool(name), *map(str, arguments)], capture_output=True, check=True, stdin=subprocess.DEVNULL
    )
    return [line.split(": warning: ", 1)[1] for line in done.stderr.decode().splitlines()]


def refused(name, *arguments):
    """Exit code and text of a tool that fails, without its name."""
    done = subprocess.run(
        [tool(name), *map(str, arguments)], capture_output=True, check=False, stdin=subprocess.DEVNULL
    )
    assert done.returncode != 0
    return done.returncode, done.stderr.decode().split(": ", 1)[1].rstrip("\n")
