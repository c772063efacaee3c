"""Helpers that run the tools. The module comes from PYTHONPATH, the tools from PSSP_BUILD_DIR/bin (or from PATH)."""

import json
import os
import shutil
import subprocess

import pytest

BUILD = os.environ.get("PSSP_BUILD_DIR", "")


def tool(name):
    """Returns the path of a tool; skips the test if the tool does not exist."""
    path = shutil.which(name, path=os.path.join(BUILD, "bin") if BUILD else None)
    if path is None:
        pytest.skip(f"{name} is not built or installed")
    return path


def run(name, *arguments):
    """Runs a tool, which must succeed, and returns its standard output."""
    done = subprocess.run(
        [tool(name), *map(str, arguments)], capture_output=True, check=False, stdin=subprocess.DEVNULL
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


def run_json(name, *arguments):
    return json.loads(run(name, *arguments, "--json"))


def warnings_of(name, *arguments):
    """Runs a tool, which must succeed, and returns its warnings without the name of the tool."""
    done = subprocess.run(
        [tool(name), *map(str, arguments)], capture_output=True, check=True, stdin=subprocess.DEVNULL
    )
    return [line.split(": warning: ", 1)[1] for line in done.stderr.decode().splitlines()]


def refused(name, *arguments):
    """Runs a tool, which must fail, and returns its exit code and its message without the name of the tool."""
    done = subprocess.run(
        [tool(name), *map(str, arguments)], capture_output=True, check=False, stdin=subprocess.DEVNULL
    )
    assert done.returncode != 0
    return done.returncode, done.stderr.decode().split(": ", 1)[1].rstrip("\n")
