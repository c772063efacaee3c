"""Tests that need a Python process of their own: memory, imports, and exit during interrupted work."""

import subprocess
import sys


def run_python(text):
    """Runs the text in a new Python process, which must succeed, and returns its standard output."""
    done = subprocess.run(
        [sys.executable, "-c", text], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_end_waits_for_what_was_interrupted():
    said = run_python(
        """
import os, signal, threading, pssp
fabric = pssp.make('xgft 8,8,8 1,8,8')
threading.Timer(.1, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    fabric.route('best')
    print('done')
except KeyboardInterrupt:
    print('interrupted')
"""
    )
    assert said == "interrupted\n"


def test_memory_is_constant():
    said = run_python(
        """
import pssp
def once():
    fabric = pssp.make('chic --kill-links 3')
    tables = fabric.route('pssp')
    return tables.loads.sum() + tables.table.sum() + len(fabric.hosts) + len(fabric.names)
def resident():
    return int(open('/proc/self/statm').read().split()[1])
for _ in range(20):
    once()
before = resident()
for _ in range(100):
    once()
print(before, resident())
"""
    )
    before, after = map(int, said.split())
    assert after <= 1.05 * before, f"memory grew from {before} to {after} pages"


def test_import_brings_numpy_alone():
    """Importing the module must not import others, which would be slow: networkx takes longer than all the rest."""
    said = run_python("import atexit, numpy, sys; before = set(sys.modules); import pssp; print(set(sys.modules) - before)")
    assert said == "{'pssp'}\n"
