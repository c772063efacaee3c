"""Shows how failed cables change the loads of the other channels, for several engines."""

# %% the fabric before and after the failure of four cables
import numpy as np
import pssp

WHOLE = "xgft 8,6 1,4 --lids"
before, after = pssp.make(WHOLE), pssp.make(WHOLE + " --kill-links 4 --seed 7")


# %% loads by the GUIDs and ports of the channel ends, which a fault does not change
def loads_by_cable(tables):
    fabric = tables.fabric
    guids = fabric.switches["guid"]
    rows = fabric.channels
    ends = zip(guids[rows["tail"]], rows["out_port"], guids[rows["head"]], rows["in_port"])
    return dict(zip(ends, tables.loads))


# %% increase of the loads for each engine
for engine in "pssp", "heal", "updown":
    old, new = loads_by_cable(before.route(engine)), loads_by_cable(after.route(engine))
    lost = old.keys() - new.keys()
    more = np.array([int(new[channel]) - int(old[channel]) for channel in new])
    print(
        f"{engine:7} {len(lost) // 2} cables lost, {sum(old[channel] for channel in lost)} routes moved;"
        f" busiest {max(old.values())} -> {max(new.values())}, largest gain {more.max()}"
    )
    assert len(lost) == 8 and new.keys() < old.keys()

# %% loads of the channels between the leaves and the spines, up and down
tables = after.route("heal")
level = after.coordinates()["level"]
for name, here in ("up", level[after.channels["tail"]] == 0), ("down", level[after.channels["tail"]] == 1):
    loads = tables.loads[here]
    print(f"{name:4} mean load {loads.mean():.1f}, maximum {loads.max()}, {len(loads)} channels")

# %% slowdown of structured traffic
slow = {name: time for name, time in tables.structured_suite.items() if time > 1.5}
print(f"patterns with a slowdown above 1.5: {slow}")
print("ok" if tables.verify()["usable"] else "unusable tables")
