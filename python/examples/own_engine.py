"""Implements a routing engine in ten lines of numpy, and compares it with pssp."""

# %% a fabric
import numpy as np
import pssp

fabric = pssp.make("xgft 6,6 1,3")
switches, channels = len(fabric.switches), fabric.channels


# %% the engine: a minimal path; if there are several next hops, the LID selects one
def minimal_paths(fabric):
    tail, head = channels["tail"], channels["head"]
    hops = np.where(np.eye(switches, dtype=bool), 0, switches)
    for _ in range(switches):
        np.minimum.at(hops, tail, hops[head] + 1)
    table = np.full((switches, fabric.destinations["lid"].max() + 1), 255, dtype=np.uint8)
    for lid, last, port in fabric.destinations[["lid", "switch", "port"]]:
        for s in range(switches):
            paths = np.flatnonzero((tail == s) & (hops[head, last] < hops[s, last]))
            table[s, lid] = port if s == last else channels["out_port"][paths[lid % len(paths)]]
    return table


# %% compare the tables with those of pssp
mine = fabric.with_tables(minimal_paths(fabric), name="minimal paths")
assert mine.verify()["usable"], mine.verify()["examples"]
theirs = fabric.route("pssp")
for tables in mine, theirs:
    bandwidth = tables.samples(runs=1000)
    print(f"{tables.name:14} bandwidth {bandwidth.mean():.3f}  busiest channel {tables.loads.max()}")

# %% compare both with the same random bisections
difference = pssp.compare([theirs, mine], runs=1000)["tables"][1]["difference"]
print(f"difference {difference['mean']:+.4f}: {difference['verdict']}")

# %% write the tables for OpenSM: opensm -R file -U mine.lft
mine.write("mine.lft")
assert (fabric.tables("mine.lft").table == mine.table).all()
print("ok")
