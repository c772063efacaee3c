"""Follows every pair of hosts after every write of a block that changes something.

usage: naive_replay.py HOST BEFORE.lft AFTER.lft AFTER.topo WRITES ORDER

HOST is the description of the node that wrote, WRITES is what mad_recorder --table-writes has seen.
Leaves the order of writes in ORDER, as reroute_impact --order reads it, and prints what flows
suffered, as the JSON of reroute_impact says it.
"""

import json
import re
import sys

host, before_file, after_file, topology_file, writes_file, order_file = sys.argv[1:]


def read_tables(name):
    tables, at = {}, None
    for line in open(name):
        if found := re.search(r"guid (0x[0-9a-f]+)", line):
            if line.startswith("Unicast"):
                at = int(found[1], 16)
                tables[at] = {}
                continue
        if found := re.match(r"(0x[0-9a-f]+) +(\d+)", line):
            tables[at][int(found[1], 16)] = int(found[2])
    return tables


def read_topology(name):
    """Cables by (GUID, port), hosts as {GUID: LID}, and GUIDs by description."""
    ids, rows, at, kind = {}, [], None, None
    hosts, described = {}, {}
    for line in open(name):
        if found := re.match(r"(switch|ca)guid=0x([0-9a-f]+)", line):
            guid = int(found[2], 16)
        elif found := re.match(r'(Switch|Ca)\s+\d+ "([^"]+)"\s+# "([^"]*)"', line):
            kind, at = found[1], found[2]
            ids[at] = guid
            described[found[3]] = guid
        elif found := re.match(r'\[(\d+)\](?:\([0-9a-f]+\))?\s+"([^"]+)"\[(\d+)\]', line):
            rows.append((at, int(found[1]), found[2], int(found[3])))
            if kind == "Ca":
                hosts[ids[at]] = int(re.search(r"# lid (\d+)", line)[1])
    cables = {(ids[a], p): (ids[b], q) for a, p, b, q in rows}
    return cables, hosts, described


cables, hosts, described = read_topology(topology_file)
now, after = read_tables(before_file), read_tables(after_file)
switches = set(now) & set(after)
lids = {lid for table in after.values() for lid in table}


def follow(tables, source, target):
    at, _ = cables[(source, 1)]
    for _ in range(len(switches) + 1):
        port = tables[at].get(hosts[target], 255)
        behind = cables.get((at, port))
        if behind is None:
            return "no_route"
        at = behind[0]
        if at in hosts:
            return "arrives" if at == target else "no_route"
    return "loop"


pairs = [(a, b) for a in hosts for b in hosts if a != b]
pairs = [pair for pair in pairs if follow(after, *pair) == "arrives"]
counts = {"no_route": {}, "loop": {}}
answer = {state: {"at_first": 0, "flows": 0, "at_once": 0, "longest": 0} for state in counts}
is_first = True


def check():
    global is_first
    count = {"no_route": 0, "loop": 0}
    for pair in pairs:
        state = follow(now, *pair)
        if state in count:
            count[state] += 1
            counts[state][pair] = counts[state].get(pair, 0) + 1
    for state, number in count.items():
        if is_first:
            answer[state]["at_first"] = number
        answer[state]["at_once"] = max(answer[state]["at_once"], number)
    is_first = False


order, written = [], set()
for line in open(writes_file):
    route, block, *entries = line.split()
    at = described[host]
    for port in route.split(","):
        at = cables[(at, int(port))][0]
    first = 64 * int(block)
    fresh = {first + i: int(port) for i, port in enumerate(entries) if first + i in lids}
    if all(now[at].get(lid, 255) == port for lid, port in fresh.items()):
        continue
    assert (at, block) not in written, "a block was changed twice"
    written.add((at, block))
    check()
    now[at].update(fresh)
    order.append(f"{at:#018x} {block}\n")
for s in switches:
    wrong = [lid for lid in lids if now[s].get(lid, 255) != after[s].get(lid, 255)]
    assert not wrong, f"the writes to {s:#x} lead to other entries than it has, of LIDs {wrong}"
for state, flows in counts.items():
    answer[state]["flows"] = len(flows)
    answer[state]["longest"] = max(flows.values(), default=0)
open(order_file, "w").writelines(order)
print(json.dumps(answer))
