"""Engines on a fabric: which tables are best, and is the difference real?

python3 compare_engines.py [fabric.topo]: a file of ibnetdiscover, or a fabric that is made here.
Cells begin with "# %%", as notebooks that are kept as scripts have them (jupytext).
"""

# %% a fabric, saved or made
import sys

import pssp

if len(sys.argv) > 1:
    fabric = pssp.Fabric.read(sys.argv[1])
else:
    fabric = pssp.make("xgft 8,6 1,4 --kill-links 4 --permute-ports")
print(fabric)

# %% tables by each engine that can route it
tables = {}
for engine in pssp.engines:
    try:
        tables[engine] = fabric.route(engine)
    except pssp.UnsuitableError as refusal:
        print(f"{engine}: {refusal}")

# %% bandwidth, the busiest channel, and the slowest structured traffic
for engine, routed in tables.items():
    report = routed.evaluate(runs=1000)
    slowest = max(routed.structured_suite, key=routed.structured_suite.get)
    print(
        f"{engine:8} bandwidth {report['ebb']['mean']:.3f}"
        f"  index {(routed.loads * fabric.channels['cost']).max():5.0f}"
        f"  slowest {slowest} {routed.structured_suite[slowest]:.2f}"
    )

# %% the same traffic for all: is the difference to the first more than chance?
compared = pssp.compare(list(tables.values()), runs=1000)
for row in compared["tables"][1:]:
    print(f"{row['name']:8} {row['difference']['mean']:+.4f} {row['difference']['verdict']}")

# %% none of them loses a pair
print("ok" if all(row["usable"] for row in compared["tables"]) else "broken tables")
