"""Compares the tables of all engines for a fabric, and tests whether the differences are significant.

python3 compare_engines.py [fabric.topo]: an output file of ibnetdiscover (default: a generated fabric).
Cells begin with "# %%", the format of jupytext for notebooks that are scripts.
"""

# %% a fabric, saved or generated
import sys

import pssp

if len(sys.argv) > 1:
    fabric = pssp.Fabric.read(sys.argv[1])
else:
    fabric = pssp.make("xgft 8,6 1,4 --kill-links 4 --permute-ports")
print(fabric)

# %% the tables of each engine that can route the fabric
tables = {}
for engine in pssp.engines:
    try:
        tables[engine] = fabric.route(engine)
    except pssp.UnsuitableError as refusal:
        print(f"{engine}: {refusal}")

# %% bandwidth, edge forwarding index, and the slowest pattern of structured traffic
for engine, routed in tables.items():
    report = routed.evaluate(runs=1000)
    slowest = max(routed.structured_suite, key=routed.structured_suite.get)
    print(
        f"{engine:8} bandwidth {report['ebb']['mean']:.3f}"
        f"  index {(routed.loads * fabric.channels['cost']).max():5.0f}"
        f"  slowest {slowest} {routed.structured_suite[slowest]:.2f}"
    )

# %% compare all tables with the first, with the same traffic: is the difference significant?
compared = pssp.compare(list(tables.values()), runs=1000)
for row in compared["tables"][1:]:
    print(f"{row['name']:8} {row['difference']['mean']:+.4f} {row['difference']['verdict']}")

# %% check that all tables connect all pairs of hosts
print("ok" if all(row["usable"] for row in compared["tables"]) else "unusable tables")
